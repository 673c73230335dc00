"""Character cards (V1, V2, V3) as JSON: who the character is, and the book inside the card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.base import CardInfo, Content, Severity, seen, stem_of
from lorebook_tui.formats.entries import Dialect, read_book
from lorebook_tui.model.book import Book
from lorebook_tui.model.cast import Character, DepthPrompt
from lorebook_tui.model.js import MISSING, text_of, to_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.formats.base import Reporter, Source
    from lorebook_tui.model.js import Json, JsonPath

V1: Final = "chara_card_v1"
_V1_MARKS: Final = (
    frozenset({"name", "first_mes"}),
    frozenset({"name", "personality", "scenario"}),
    frozenset({"char_name", "char_persona"}),
)
_DATA_MARKS: Final = (frozenset({"name", "first_mes"}), frozenset({"name", "description"}))
_PYGMALION: Final = {
    "name": "char_name",
    "description": "char_persona",
    "scenario": "world_scenario",
    "first_mes": "char_greeting",
    "mes_example": "example_dialogue",
}
_NEWEST_VERSION = 3.0
_IMAGE_ENDINGS: Final = (".png", ".apng")


@dataclass(frozen=True, slots=True)
class CardFormat:
    """A card as JSON, alone or in an image or archive."""

    name: str = "card"
    title: str = "a character card"

    def recognises(self, value: Json) -> bool:
        """Whether it says it is a card, has the data of one, or the members of a V1 card."""
        if not isinstance(value, dict):
            return False
        spec = value.get("spec")
        if isinstance(spec, str) and spec.startswith("chara_card_v"):
            return True
        data = value.get("data")
        if isinstance(data, dict) and ("character_book" in data or any(marks <= data.keys() for marks in _DATA_MARKS)):
            return True
        return any(marks <= value.keys() for marks in _V1_MARKS) or isinstance(value.get("character_book"), dict)

    def read(self, source: Source) -> Content:
        """The character and, if there is one, the embedded book."""
        value = source.document.value
        if not isinstance(value, dict):
            raise UnreadableError("The card is no object.", expected="an object", found=seen(value))
        card = _CardReader(value, source).info()
        found = _book_in(value, source.reporter)
        if found is None:
            _report_no_book(value, card, source.reporter)
            return Content((), card)
        path, data = found
        name = data.get("name")
        called = name if isinstance(name, str) and name else f"{card.character.name or source.stem}'s Lorebook"
        extras = {member: item for member, item in data.items() if member != "entries"}
        entries = data.get("entries", MISSING)
        book = Book(called, (), self.name, extras)
        made = read_book(source, entries, (*path, "entries"), Dialect.V2, book, strict=source.strict)
        return Content((made,), card)


def _book_in(root: Mapping[str, Json], reporter: Reporter) -> tuple[JsonPath, dict[str, Json]] | None:
    """The book that counts; others are reported, so that nothing is injected twice."""
    data = root.get("data")
    places: list[tuple[JsonPath, Json]] = []
    if isinstance(data, dict):
        extensions = data.get("extensions")
        places.append((("data", "character_book"), data.get("character_book")))
        if isinstance(extensions, dict):
            places.append((("data", "extensions", "character_book"), extensions.get("character_book")))
    places.append((("character_book",), root.get("character_book")))
    found: tuple[JsonPath, dict[str, Json]] | None = None
    for path, value in places:
        if value is None:
            continue
        if not isinstance(value, dict):
            reporter.add(
                "type", "The card's book is no object.", path, expected="an object", found=seen(value),
                severity=Severity.ERROR,
            )  # fmt: skip
        elif found is None:
            found = (path, value)
            if path != ("data", "character_book"):
                reporter.add(
                    "misplaced-book",
                    "The card's book is not in its place; SillyTavern does not find it there.",
                    path,
                    expected="data.character_book",
                    found=".".join(map(str, path)),
                )
        else:
            reporter.add(
                "second-book",
                "The card holds another book beside the one that counts; it is not read.",
                path,
                expected="one book",
                found=seen(value),
            )
    return found


def _report_no_book(root: Mapping[str, Json], card: CardInfo, reporter: Reporter) -> None:
    if card.spec == V1:
        message = "A V1 card cannot hold one; books came with V2."
        path: JsonPath = ()
    else:
        linked = f" It links to the world {quote(card.world)}." if card.world else ""
        message = f"Its `character_book` is missing or null.{linked}"
        path = ("data", "character_book") if isinstance(root.get("data"), dict) else ()
    reporter.add("no-book", message, path, expected="an object with `entries`", found="nothing", severity=Severity.INFO)


class _CardReader:
    """Reads the texts of one card; values of a wrong type are reported and taken as absent."""

    def __init__(self, root: Mapping[str, Json], source: Source) -> None:
        self.root = root
        self.source = source
        self.reporter = source.reporter
        data = root.get("data")
        self.data: Mapping[str, Json] = data if isinstance(data, dict) else {}
        extensions = self.data.get("extensions")
        self.extensions: Mapping[str, Json] = extensions if isinstance(extensions, dict) else {}

    def info(self) -> CardInfo:
        """The card beside its book."""
        spec = self.root.get("spec")
        first = self.text("first_mes")
        character = self.character(self.text("name"), first)
        return CardInfo(
            character=character,
            spec=(spec if isinstance(spec, str) and spec else "chara_card_v2") if self.data else V1,
            spec_version=self.spec_version(),
            world=self.extension_text("world"),
            nickname=self.text("nickname"),
            creator=self.text("creator"),
            version=character.version,
            greetings=(first, *character.alternate_greetings),
            group_greetings=self.texts("group_only_greetings"),
        )

    def character(self, name: str, first: str) -> Character:
        """What an engine needs."""
        return Character(
            name=name,
            avatar=self.avatar(name),
            description=self.text("description"),
            personality=self.text("personality"),
            scenario=self.text("scenario"),
            creator_notes=self.text("creator_notes") or self.text("creatorcomment"),
            alternate_greetings=self.texts("alternate_greetings"),
            version=self.text("character_version"),
            first_message=first,
            example_messages=self.text("mes_example"),
            system_prompt=self.text("system_prompt"),
            post_history=self.text("post_history_instructions"),
            tags=self.tags(),
            depth_prompt=self.depth_prompt(),
        )

    def find(self, name: str) -> tuple[JsonPath, Json]:
        """A member of the card: in `data`, else at the root, as V1 has it, or under Pygmalion's name."""
        if name in self.data:
            return ("data", name), self.data[name]
        if name in self.root:
            return (name,), self.root[name]
        older = _PYGMALION.get(name, name)
        return (older,), self.root.get(older, MISSING)

    def text(self, name: str) -> str:
        """A text, "" if it is missing."""
        path, value = self.find(name)
        if isinstance(value, str):
            return value
        if value is not MISSING and value is not None:
            self.wrong(path, "a text", value)
        return ""

    def extension_text(self, name: str) -> str:
        """A text under `extensions`, "" if it is missing."""
        value = self.extensions.get(name)
        if isinstance(value, str):
            return value
        if value is not None:
            self.wrong(("data", "extensions", name), "a text", value)
        return ""

    def texts(self, name: str) -> tuple[str, ...]:
        """An array of texts, () if it is missing."""
        path, value = self.find(name)
        if value is MISSING or value is None:
            return ()
        if not isinstance(value, list):
            self.wrong(path, "an array of texts", value)
            return ()
        return self.strings(path, value)

    def strings(self, path: JsonPath, value: Iterable[Json]) -> tuple[str, ...]:
        """The texts of an array."""
        items = list(value)
        for index, item in enumerate(items):
            if not isinstance(item, str):
                self.wrong((*path, index), "a text", item)
        return tuple(item for item in items if isinstance(item, str))

    def tags(self) -> tuple[str, ...]:
        """The tags; a text is taken as a list with commas."""
        path, value = self.find("tags")
        if isinstance(value, str):
            self.wrong(path, "an array of texts", value)
            return tuple(tag.strip() for tag in value.split(",") if tag.strip())
        return self.texts("tags")

    def depth_prompt(self) -> DepthPrompt:
        """The character's note."""
        value = self.extensions.get("depth_prompt")
        path: JsonPath = ("data", "extensions", "depth_prompt")
        if value is None:
            return DepthPrompt()
        if not isinstance(value, dict):
            self.wrong(path, "an object", value)
            return DepthPrompt()
        depth, role, prompt = value.get("depth"), value.get("role"), value.get("prompt")
        if depth is not None and (isinstance(depth, bool) or not isinstance(depth, (int, float))):
            self.wrong((*path, "depth"), "a number", depth)
        number = to_number(depth) if isinstance(depth, (int, float, str)) else DepthPrompt().depth
        whole = int(number) if abs(number) < 2**53 else DepthPrompt().depth  # NaN and infinities fail the comparison
        return DepthPrompt(
            prompt if isinstance(prompt, str) else "", whole, role if isinstance(role, str) else DepthPrompt().role
        )

    def spec_version(self) -> str:
        """The version as text; a newer one than is known is reported and read all the same."""
        value = self.root.get("spec_version", "")
        text = value if isinstance(value, str) else text_of(value)
        number = to_number(text) if text else 0.0
        if number > _NEWEST_VERSION:
            self.reporter.add(
                "newer-version",
                "The card follows a newer version of the specification; unknown members are kept.",
                ("spec_version",),
                expected="at most 3.0",
                found=seen(value),
            )
        return text

    def avatar(self, name: str) -> str:
        """The file name that the application's character filter compares."""
        file = self.source.name.replace("\\", "/").rpartition("/")[2]
        if file.lower().endswith(_IMAGE_ENDINGS):
            return file
        return f"{stem_of(file) or name}.png" if file or name else ""

    def wrong(self, path: JsonPath, expected: str, value: Json) -> None:
        """Report a member of a wrong type."""
        name = path[-1] if isinstance(path[-1], str) else path[-2]
        self.reporter.add(
            "type", f"`{name}` of the card has the wrong type.", path, expected=expected, found=seen(value)
        )
