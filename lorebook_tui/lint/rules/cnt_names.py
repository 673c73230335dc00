"""Who a text is about: texts that do not say it, and names that should be macros."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, SetField, Severity
from lorebook_tui.lint.plist import looks_like_traits
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option, WorldRule
from lorebook_tui.lint.slots import AFTER, BEFORE, position_of
from lorebook_tui.model.layers import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import BookView, EntryView, World

_WORD: Final = re.compile(r"[^\W\d_]+")
_MACRO: Final = re.compile(r"\{\{|<(?:user|bot|char)>", re.IGNORECASE)
_SHORTEST: Final = 3
_STEM_FROM: Final = 4
_ENDING: Final = 2
_IDEOGRAPH: Final = "\u2e80"
_NOBODY: Final = frozenset({"you", "user", "character", "assistant", "anon", "me"})
_PELL: Final = "He sleeps over the stove, and reads from it to anyone who brings coal."


class NamelessText(EntryRule):
    """A text that names neither its entry nor any of its keys.

    Why: SillyTavern 1.19 sends the content and nothing else; title and keys stay in the book. A text that begins with
    "He is eighty-one" does not tell the model who that is.
    Example: the entry "Old Pell", key `Pell`, text "He sleeps over the stove at the inn."
    Do: say the name in the first sentence.
    Source: SillyTavern's documentation of World Info; NovelAI's documentation of its Lorebook.
    """

    code = "CNT001"
    name = "nameless-text"
    severity = Severity.WARNING
    options = (Option("letters", 40, "letters from which a text is looked at"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"comment": "Old Pell", "key": ["sexton"], "content": f"Pell is eighty-one. {_PELL}"},)),
        Example(({"comment": "Person 3", "key": ["sexton"], "content": f"The sextons live long. {_PELL}"},)),
        Example(({"comment": "Hold the scene", "key": ["Pell"], "content": _PELL, "position": 4},)),
        Example(({"comment": "Ashore", "key": ["steps"], "content": f"{{{{char}}}} is wary. {_PELL}"},)),
        Example(
            ({"comment": "Моссфорд", "key": ["город"], "content": "В Моссфорде ворота не запирают уже сто лет, а то."},)
        ),
        Example(({"comment": "Ёлка", "key": ["Ёлка"], "content": "Елка стоит на площади всю зиму, и под ней поют."},)),
        Example(({"comment": "Old Pell", "constant": True, "content": _PELL},)),
        Example(({"comment": "Bell", "key": ["/toll(?:s|ed)?/"], "content": f"It tolled once. {_PELL}"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"comment": "Old Pell", "key": ["Pell", "sexton"], "content": _PELL},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Keyed lore before or after the character; words are compared without their endings."""
        if not entry.is_enabled or not entry.is_keyed or position_of(entry) not in {BEFORE, AFTER}:
            return
        text = entry.text
        if len(text) < context.options["letters"] or not any(not key.is_blank for key in entry.keys):
            return
        low = _plain(text)
        if any(key.is_plain and _plain(key.folded) in low for key in entry.keys):
            return
        if _MACRO.search(text) or looks_like_traits(text.lstrip("[(")) or any(key.has_macro for key in entry.keys):
            return
        words = {word for source in self._sources(entry) for word in _WORD.findall(_plain(source))}
        if words and not any(_stem(word) in low for word in words if _counts(word)):
            message = (
                "Neither its title nor any of its keys is in its text, and only the text is sent: the model may not "
                "know whom or what it is about."
            )
            yield self.finding(entry, message, entry.path_of("content"))

    def _sources(self, entry: EntryView) -> Iterator[str]:
        yield entry.entry.title
        yield from (key.regex.source if key.regex else key.trimmed for key in entry.keys)


def _plain(text: str) -> str:
    """In lower case; many write Russian without its ё."""
    return text.lower().replace("ё", "е")


def _counts(word: str) -> bool:
    return len(word) >= _SHORTEST or word[:1] >= _IDEOGRAPH


def _stem(word: str) -> str:
    """A word without what inflection may change."""
    if word[:1] >= _IDEOGRAPH or len(word) < _STEM_FROM:
        return word
    return word[: max(_SHORTEST, len(word) - _ENDING)]


class LiteralName(WorldRule):
    """The user's name in lore, or the character's name in the lore of its own card, instead of the macro.

    Why: Whoever plays the book has another name, and may rename the card; SillyTavern 1.19 replaces `{{user}}` and
    `{{char}}` by what is meant.
    Example: "Rowan owes the guild three coins", where Rowan is your persona.
    Do: write `{{user}}` and `{{char}}`.
    Source: the PList guides.
    """

    code = "CNT008"
    name = "literal-name"
    severity = Severity.INFO
    grade = Grade.OFFERED
    needs = frozenset({Need.CAST})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "{{user}} owes the guild."},), persona="Rowan"),
        Example(({"key": ["a"], "content": "The rowanberries, Rowanwood."},), persona="Rowan"),
        Example(({"key": ["a"], "content": "Mira rows."},), persona="Rowan", character={"name": "Mira"}),
        Example(({"key": ["a"], "content": "User settings."},), persona="User"),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "Rowan owes Rowan's guild."},),
            persona="Rowan",
            fixed=({"content": "{{user}} owes {{user}}'s guild."},),
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """The persona's name everywhere but in its own book, the character's in the books of the card."""
        del context
        if world.cast is None:
            return
        user = world.cast.persona.name
        for book in world.books:
            names = {} if book.layer is Layer.PERSONA else {user: "{{user}}"}
            if world.cast.character is not None and _is_of_card(book):
                names[world.cast.character.name] = "{{char}}"
            for name, macro in names.items():
                if len(name) >= _SHORTEST and name.casefold() not in _NOBODY:
                    yield from self._of_name(book, name, macro)

    def _of_name(self, book: BookView, name: str, macro: str) -> Iterator[Finding]:
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for entry in book.entries:
            content = entry.entry.content
            if name not in content or not entry.is_enabled or not pattern.search(content):
                continue
            change = SetField(entry.entry.path, "content", pattern.sub(macro, content))
            fix = Fix(f"write {macro}", (change,), Grade.OFFERED, alters_activation=True)
            message = f"It says {quote(name)} where others will have another name: {macro} is what is meant."
            yield self.finding(entry, message, entry.path_of("content"), fix=fix)


def _is_of_card(book: BookView) -> bool:
    """Whether a book belongs to the character."""
    loaded = book.file.loaded
    return book.layer is Layer.CHARACTER or (loaded is not None and loaded.card is not None)
