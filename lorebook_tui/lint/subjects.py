"""What rules look at: files, books and entries with facts worked out once, and everything that is open together."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lorebook_tui.formats.json_errors import line_starts
from lorebook_tui.lint.keyfacts import KeyFact, key_fact
from lorebook_tui.model.decorators import split_sillytavern
from lorebook_tui.model.fields import field_named, json_name
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.errors import LorebookError
    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.lint.shelf import Shelf, ShelfItem
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.cast import AuthorsNote, Cast
    from lorebook_tui.model.decorators import Decorated
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json, JsonPath
    from lorebook_tui.model.layers import Layer
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.model.transcript import Transcript


_FEW: Final = 16
"""Changed entries up to which each is taken for an edit in place."""


@dataclass(eq=False)
class FileView:
    """A file: read, or not readable at all."""

    name: str
    """As it was given. Foreign text."""
    loaded: Loaded | None = None
    error: LorebookError | None = None
    """Why it cannot be read."""
    text: str = ""
    """Of a file that cannot be read, as far as it is text."""
    digest: str = ""
    """SHA-256 of its bytes, where they were read."""
    short: tuple[Loaded, ShelfItem] | None = field(default=None, init=False, repr=False)
    """What the shelf keeps of the file, and of which state of it."""
    _sound: tuple[tuple[JsonPath, ...], frozenset[JsonPath]] | None = field(default=None, init=False, repr=False)

    @property
    def document(self) -> JsonDocument | None:
        """Its JSON, if it has any."""
        return self.loaded.document if self.loaded is not None and self.loaded.documents else None

    @cached_property
    def books(self) -> tuple[BookView, ...]:
        """Its books."""
        return tuple(BookView(book, self) for book in self.loaded.books) if self.loaded else ()

    def renew(self, loaded: Loaded) -> None:
        """Take the file as an edit left it; views of entries that are the same stay the same objects."""
        self.loaded, self.error, self.text = loaded, None, ""
        known = vars(self).get("books")
        if known is None:
            return
        if len(known) != len(loaded.books):
            del self.books
            return
        for view, book in zip(known, loaded.books, strict=True):
            view.renew(book)

    @property
    def sound(self) -> frozenset[JsonPath]:
        """Places of the entries about which reading the file had nothing to say."""
        listed = self.loaded.content.sound if self.loaded is not None else ()
        if self._sound is None or self._sound[0] is not listed:
            self._sound = (listed, frozenset(listed))
        return self._sound[1]

    def place_of(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, from 1."""
        document = self.document
        if document is not None:
            return document.place_of(offset)
        starts = _line_starts(self.text)
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1


@dataclass(eq=False)
class BookView:
    """A book in its file."""

    book: Book
    file: FileView
    layer: Layer | None = None
    """Where it is attached, if it is."""
    shifts: int = 0
    """Goes up when entries that stayed the same stand at other places of the file than before."""
    facts: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What was worked out of the whole book and several rules ask for, by a name."""

    def renew(self, book: Book) -> None:
        """Take the book as an edit left it."""
        before, self.book = self.book, book
        known: tuple[EntryView, ...] | None = vars(self).get("entries")
        if known is None or before is book:
            return
        listed = [
            view if entry.fields is view.entry.fields else None
            for view, entry in zip(known, book.entries, strict=False)
        ]
        listed += [None] * (len(book.entries) - len(listed))
        if len(known) != len(book.entries) or listed.count(None) > _FEW:
            by_identity = {id(_written(view.entry)): view for view in known}
            listed = [by_identity.pop(id(_written(entry)), None) for entry in book.entries]
        has_shifted = False
        made = []
        for number, (entry, view) in enumerate(zip(book.entries, listed, strict=True)):
            if view is None or (view.entry is not entry and view.entry.fields != entry.fields):
                view = EntryView(entry, self, number)  # noqa: PLW2901 - in place of the one that is no more
            elif view.entry is not entry or view.number != number:
                has_shifted = has_shifted or view.entry.path != entry.path
                view.entry, view.number = entry, number
            made.append(view)
        self.shifts += has_shifted
        vars(self)["entries"] = tuple(made)

    @cached_property
    def entries(self) -> tuple[EntryView, ...]:
        """Its entries in file order."""
        return tuple(EntryView(entry, self, number) for number, entry in enumerate(self.book.entries))

    @property
    def path(self) -> JsonPath:
        """The object of the book in its file."""
        return self.book.entries[0].path[:-2] if self.book.entries else ()


@dataclass(eq=False, slots=True)
class EntryView:
    """An entry with what many rules ask of it. Facts that depend on nothing but the entry are kept with it."""

    entry: Entry
    book: BookView
    number: int = 0
    """Its place in the book, in file order."""
    facts: dict[str, Any] = field(default_factory=dict)
    """What was worked out of the entry by itself and many rules ask for, by a name."""
    is_enabled: bool = field(init=False)
    """Whether it takes part at all."""
    is_keyed: bool = field(init=False)
    """Whether only keys can wake it."""
    _keys: tuple[KeyFact, ...] | None = field(default=None, init=False, repr=False)
    _secondary: tuple[KeyFact, ...] | None = field(default=None, init=False, repr=False)
    _decorated: Decorated | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        """The flags that nearly all rules ask for."""
        self.is_enabled = not self.entry.is_on("disable")
        self.is_keyed = not self.entry.is_on("constant") and not self.entry.is_on("vectorized")

    @property
    def file(self) -> FileView:
        """Its file."""
        return self.book.file

    def get(self, name: str, default: Json = MISSING) -> Json:
        """A field as it stands."""
        return self.entry.get(name, default)

    def is_on(self, name: str) -> bool:
        """Whether a flag is set."""
        return self.entry.is_on(name)

    @property
    def is_sound(self) -> bool:
        """Whether reading it found every value of its right type and in its range; False where that is not known."""
        return self.entry.path in self.book.file.sound

    @property
    def keys(self) -> tuple[KeyFact, ...]:
        """Primary keys that are texts, in order."""
        if self._keys is None:
            self._keys = _key_facts(self.entry.get("key"))
        return self._keys

    @property
    def secondary(self) -> tuple[KeyFact, ...]:
        """Secondary keys that are texts, in order."""
        if self._secondary is None:
            self._secondary = _key_facts(self.entry.get("keysecondary"))
        return self._secondary

    @property
    def decorated(self) -> Decorated:
        """The content parted from its decorators."""
        if self._decorated is None:
            self._decorated = split_sillytavern(self.entry.content)
        return self._decorated

    @property
    def text(self) -> str:
        """The content without decorators."""
        return self.decorated.content

    def path_of(self, name: str, *rest: str | int) -> JsonPath:
        """Where a field (and something in it) stands in the file; the entry itself if it is not there."""
        if self.entry.source is None:
            return (*self.entry.path, name, *rest)
        row = field_named(name)
        written = json_name(row, "v2") if row else None
        steps = written.lstrip("!").split(".") if written else [name]
        return (*self.entry.path, *steps, *rest)


def _written(entry: Entry) -> Mapping[str, Any]:
    """The object in the file."""
    return entry.source if entry.source is not None else entry.fields


@lru_cache(2)
def _line_starts(text: str) -> list[int]:
    return line_starts(text)


def _key_facts(value: Any) -> tuple[KeyFact, ...]:
    if not isinstance(value, list):
        return ()
    return tuple(key_fact(key, place) for place, key in enumerate(value) if isinstance(key, str))


@dataclass(eq=False)
class World:
    """Everything that is looked at together. What is None was not given, and rules that need it say so."""

    files: tuple[FileView, ...] = ()
    books: tuple[BookView, ...] = ()
    """All books that are open together, with their layers; those of the files."""
    settings: ScanSettings | None = None
    context: int | None = None
    """Tokens."""
    prompt: Mapping[str, Any] | None = None
    """Options of the prompt."""
    cast: Cast | None = None
    note: AuthorsNote | None = None
    chats: tuple[Transcript, ...] = ()
    library: Library | None = None
    shelf: Shelf | None = None
    """What more files than these say of themselves; None: only these."""
    earlier: Mapping[str, tuple[Book, ...]] | None = None
    """What files held when they were last saved, by their names; None: it is not known."""
    regex_scripts: tuple[Mapping[str, Any], ...] | None = None
    """The Regex extension's scripts of the settings, in order; None: those of the library count."""


class Binding(NamedTuple):
    """That somebody uses a book, by its name."""

    who: str
    """Character, persona, chat, or "" for the settings themselves. Foreign text."""
    book: str
    """Foreign text."""
    kind: str = "card"
    """`card`, `extra` (of a character, in the settings), `persona`, `chat`, `global`."""
    file: str = ""
    """Where it stands."""


@dataclass(frozen=True)
class Library:
    """What else exists beside the files: names that cards, chats and settings may refer to."""

    books: frozenset[str] = frozenset()
    characters: frozenset[str] = frozenset()
    """Names, and file names without extension."""
    bound: tuple[Binding, ...] = field(default=())
    """Every binding that is found in cards, chats and settings."""
    automations: frozenset[str] | None = None
    """Names that scripts listen to; None: it is not known which scripts there are."""
    regex_scripts: tuple[Mapping[str, Any], ...] | None = None
    """The Regex extension's scripts of the settings, in order; None: it is not known which there are."""
