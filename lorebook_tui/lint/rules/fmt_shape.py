"""The shape of a file: entries in the wrong kind of container, two dialects in one book, a book too many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError
from lorebook_tui.formats.convert import WORLD, convert
from lorebook_tui.formats.to_card_book import card_entry
from lorebook_tui.formats.to_world import world_entry
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetAt, Severity
from lorebook_tui.lint.products import product_of
from lorebook_tui.lint.rule import Context, Example, FileRule
from lorebook_tui.lint.rules.fmt_values import UNOROUTER, YUMINA
from lorebook_tui.model.js import MISSING, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.subjects import FileView
    from lorebook_tui.model.js import JsonPath

_PLACE: Final[JsonPath] = ("data", "character_book")
_CONVERT: Final = "make a SillyTavern world of it"


def _as_world(loaded: Loaded) -> Fix | None:
    """The whole file as a world; None if it cannot be one."""
    try:
        value = convert(loaded, WORLD).loaded.document.value
    except LorebookError:
        return None
    return Fix(_CONVERT, (SetAt((), value),), Grade.OFFERED, alters_activation=True)


class EntriesInList(FileRule):
    """A world whose `entries` are a list instead of an object.

    Why: SillyTavern 1.19 stores such a file as it is. With the names of the card specification it finds no keys at
    all; with its own, entries change places when one is deleted.
    Example: a book exported for another program, `{"entries": [{"keys": ["mill"], …}]}`.
    Do: make a world of it; `--fix --unsafe-fixes` does.
    Source: SillyTavern 1.19.
    """

    code = "FMT003"
    name = "entries-in-list"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds."},)),
        Example(source='{"entries": []}'),
        Example(
            source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": [{"keys": ["a"], '
            '"content": "b", "enabled": true, "insertion_order": 1, "extensions": {}}]}}}'
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"entries": [{"uid": 3, "key": ["mill"], "content": "It grinds."}]}',
            fixed_source='{"entries": {"3": {"uid": 3, "key": ["mill"], "content": "It grinds."}}}',
        ),
        Example(
            source='{"entries": [{"keys": ["mill"], "content": "It grinds.", "enabled": true, "insertion_order": 7, '
            '"extensions": {}, "id": 0}]}',
            fixed=({"key": ["mill"], "order": 7, "uid": 0, "disable": False},),
        ),
        Example(source=UNOROUTER),
        Example(source=YUMINA),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """Worlds and bare books with a list."""
        del context
        loaded = file.loaded
        if loaded is None or not loaded.books or loaded.format.name not in {"sillytavern", "v2_book"}:
            return
        value = loaded.document.value
        entries = value.get("entries") if isinstance(value, dict) else None
        if not isinstance(entries, list) or not entries:
            return
        products = {product_of(entry) for entry in file.books[0].entries}
        if len(products) == 1 and "" not in products:
            message = f"It is a book for {products.pop()}: SillyTavern would find no keys in it."
            yield self.finding(file, message, ("entries",), severity=Severity.INFO)
        elif loaded.format.name == "v2_book":
            message = (
                "It is a bare book of the card specification: SillyTavern stores it as it is and finds no keys in it."
            )
            yield self.finding(file, message, ("entries",), fix=_as_world(loaded))
        else:
            message = "Its entries are a list: SillyTavern stores it so, and entries change places when one is deleted."
            by_uid = _by_uid(entries)
            fix = Fix(_CONVERT, (SetAt(("entries",), by_uid),), Grade.OFFERED, alters_activation=True)
            yield self.finding(file, message, ("entries",), fix=fix if by_uid else _as_world(loaded))


def _by_uid(entries: list[Any]) -> dict[str, Any]:
    """The entries by uid; nothing if they have none of their own."""
    made = {
        text_of(each.get("uid")): each for each in entries if isinstance(each, dict) and type(each.get("uid")) is int
    }
    return made if len(made) == len(entries) else {}


class MixedShape(FileRule):
    """A book in the shape of one dialect with the names of another.

    Why: programs read either SillyTavern's entries (an object, `key`) or those of the card specification (a list,
    `keys`). Of a mixture they refuse the whole file, or find no keys in a part of it.
    Example: `"entries": {"0": {"keys": ["mill"], …}}`.
    Do: write all entries in one dialect; `--fix --unsafe-fixes` does.
    Source: SillyTavern 1.19, the V2 card specification.
    """

    code = "FMT004"
    name = "mixed-shape"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "keys": ["mill"], "content": "It grinds."},)),
        Example(source='{"entries": [{"keys": ["a"], "content": "b", "insertion_order": 1, "enabled": true}]}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"entries": {"0": {"keys": ["mill"], "content": "x", "enabled": true, "insertion_order": 7}}}',
            fixed=({"key": ["mill"], "order": 7, "disable": False},),
        ),
        Example(
            source='{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}, "1": {"uid": 1, "key": ["b"], '
            '"content": "y"}, "2": {"keys": ["c"], "content": "z", "enabled": true, "insertion_order": 3}}}',
            fixed=({"key": ["a"]}, {"key": ["b"]}, {"key": ["c"], "order": 3}),
        ),
        Example(
            source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": {"0": {"keys": '
            '["a"], "content": "b", "enabled": true, "insertion_order": 1, "extensions": {}}}}}}',
            fixed=({"key": ["a"]},),
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """What reading the file had to put up with."""
        del context
        if file.loaded is None:
            return
        for odd in file.loaded.report.of("hybrid"):
            value = file.loaded.document.at(odd.path)
            is_container = not any(entry.path == odd.path for book in file.loaded.books for entry in book.entries)
            fix = _in_list(file.loaded, odd.path, value) if is_container else _translated(file.loaded)
            yield self.finding(file, odd.message, odd.path, fix=fix)


def _in_list(loaded: Loaded, path: JsonPath, value: Any) -> Fix | None:
    """An object of the specification's entries: a list in a card, a world elsewhere."""
    if loaded.format.name == "v2_book":
        return _as_world(loaded)
    listed = list(value.values()) if isinstance(value, dict) else value
    return Fix("make a list of the entries", (SetAt(path, listed),), Grade.OFFERED, alters_activation=True)


def _translated(loaded: Loaded) -> Fix | None:
    """The entries of the rarer dialect in the names of the other one."""
    changes = []
    for book in loaded.books:
        theirs = [entry for entry in book.entries if entry.source is not None]
        ours = [entry for entry in book.entries if entry.source is None]
        is_world = loaded.format.name == "sillytavern"
        for entry in theirs if is_world else ours:
            made = world_entry(entry, []) if is_world else card_entry(entry, [], version=2)
            changes.append(SetAt(entry.path, made))
    told = "write all entries with the same names"
    return Fix(told, tuple(changes), Grade.OFFERED, alters_activation=True) if changes else None


class SecondBook(FileRule):
    """A card with an older copy of its book beside the one that counts, or with its only book in an older place.

    Why: SillyTavern 1.19 reads `data.character_book`; programs that read the older place too inject every entry twice.
    Example: a book in `data.extensions.character_book` and another in `data.character_book`.
    Do: make sure that nothing is missing in the book that counts, and delete the other one.
    Source: SillyTavern 1.19.
    """

    code = "FMT019"
    name = "second-book"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": []}}}'),
        Example(source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": null}}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": []}, "extensions": '
            '{"character_book": {"entries": []}, "world": ""}}}',
            fixed_source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": []}, '
            '"extensions": {"world": ""}}}',
        ),
        Example(
            source='{"spec": "chara_card_v2", "data": {"name": "M"}, "character_book": {"entries": []}}',
            fixed_source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": []}}}',
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """Books that reading passed over."""
        del context
        if file.loaded is None:
            return
        for odd in file.loaded.report.of("second-book"):
            fix = Fix("delete the copy that does not count", (SetAt(odd.path, MISSING),), Grade.OFFERED)
            message = "The card holds a second book here: programs that read both put every entry in twice."
            yield self.finding(file, message, odd.path, fix=fix)
        for odd in file.loaded.report.of("misplaced-book"):
            changes = (SetAt(odd.path, MISSING), SetAt(_PLACE, file.loaded.document.at(odd.path)))
            has_place = isinstance(file.loaded.document.value.get("data"), dict)
            fix = Fix("put it in its place", changes, Grade.OFFERED, alters_activation=True)
            message = (
                "The card's book is in a place where SillyTavern does not look; it belongs under data.character_book."
            )
            yield self.finding(file, message, odd.path, fix=fix if has_place else None)


class WrappedBook(FileRule):
    """A book in a wrapping that SillyTavern cannot open, or without the wrapping that V3 asks for.

    Why: SillyTavern 1.19 looks for `entries` at the top of the file; in a V3 book they are under `data`. Readers of
    V3, the other way round, ask for the wrapper. Of an image it reads plain texts in base64 and nothing else.
    Example: `{"spec": "lorebook_v3", "data": {"entries": […]}}`.
    Do: keep it for programs that read V3, and make a world of it for SillyTavern.
    Source: SillyTavern 1.19, the V3 card specification.
    """

    code = "FMT021"
    name = "wrapped-book"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds."},)),
        Example(source='{"entries": [{"keys": ["a"], "content": "b", "insertion_order": 1, "enabled": true}]}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"spec": "lorebook_v3", "data": {"name": "B", "extensions": {}, "entries": [{"keys": ["mill"], '
            '"content": "x", "enabled": true, "insertion_order": 7, "extensions": {}, "use_regex": false}]}}',
            fixed=({"key": ["mill"], "order": 7},),
        ),
        Example(
            source='{"name": "B", "extensions": {}, "entries": [{"keys": ["mill"], "content": "x", "enabled": true, '
            '"insertion_order": 7, "extensions": {}, "use_regex": false}]}'
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """V3 books with a wrapper, and books with V3's required member without one."""
        del context
        loaded = file.loaded
        if loaded is None or not loaded.books:
            return
        for odd in (*loaded.report.of("chunk-type"), *loaded.report.of("raw-json")):
            yield self.finding(file, f"{odd.message} SillyTavern finds no card there.", (), severity=Severity.WARNING)
        if loaded.format.name == "lorebook_v3":
            message = "It is a V3 book: SillyTavern does not find the entries under `data` and refuses the file."
            yield self.finding(file, message, (), fix=_as_world(loaded))
        elif loaded.format.name == "v2_book":
            sources = [entry.source for entry in loaded.books[0].entries if entry.source is not None]
            if sources and all("use_regex" in source and not _by_sillytavern(source) for source in sources):
                message = "Its entries are those of V3, but the wrapper `spec` and `data` that V3 asks for is missing."
                yield self.finding(file, message, ())


def _by_sillytavern(source: Mapping[str, Any]) -> bool:
    """Whether SillyTavern wrote the entry: it says `use_regex` everywhere, whatever the keys are."""
    extensions = source.get("extensions")
    return isinstance(extensions, dict) and "exclude_recursion" in extensions


class DoubledName(FileRule):
    """An object with the same name twice.

    Why: every JSON reader keeps one of the two, SillyTavern 1.19 the last one; the other is gone with the next save.
    Example: `"content": "old", "content": "new"` in one entry.
    Do: keep the one that is meant.
    Source: the JSON specification, SillyTavern 1.19.
    """

    code = "FMT022"
    name = "doubled-name"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}, "1": {"uid": 1, "key": ["b"]}}}'),
        Example(source='{"entries": {}, "Entries": {}}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x", "content": "y"}}}'),
        Example(source='{"entries": {"0": {"uid": 0, "key": ["a"]}, "0": {"uid": 0, "key": ["b"]}}}'),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """Names that a later equal one hides."""
        del context
        if file.loaded is None or file.loaded.container.kind not in {"json", "png", "charx"}:
            return
        for path, offset in file.loaded.document.hidden():
            message = f"{quote(path[-1])} stands twice in the same object: this one is hidden by the later one."
            yield self.finding(file, message, path, offset=offset)
