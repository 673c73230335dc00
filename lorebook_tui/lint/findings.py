"""What a rule has to say: findings, the fixes they offer, and the proof that can be run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.lint.subjects import EntryView, FileView
    from lorebook_tui.model.js import Json, JsonPath


class Severity(Enum):
    """How bad it is; the value is what reports and configuration call it."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"
    OFF = "off"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


class Grade(Enum):
    """How far a fix can be trusted."""

    SAFE = "safe"
    """Loses nothing and changes nothing that the engine does unless the fix says so."""
    OFFERED = "offered"
    """A guess about what the author meant; applied only when asked for."""
    NONE = "none"


class Scope(Enum):
    """What a rule has to see."""

    FILE = "file"
    ENTRY = "entry"
    BOOK = "book"
    SET = "set"
    CHATS = "chats"


class Need(Enum):
    """What may be missing; the value completes "not checked: …"."""

    SETTINGS = "no settings were given"
    PROMPT = "no prompt options were given (--settings SETTINGS.JSON, or [prompt] in a lorebook.toml)"
    CHATS = "no chat was given"
    CAST = "no character or persona was given"
    LIBRARY = "no folder of cards and books was given"
    NOTE = "no author's note was given"
    SCRIPTS = "no regex scripts were given (--settings SETTINGS.JSON)"
    EARLIER = "no earlier version of the file was given"


@dataclass(frozen=True, slots=True)
class SetField:
    """Another value for a field of an entry."""

    entry: JsonPath
    name: str
    """SillyTavern's name."""
    value: Json
    """`MISSING` removes the field."""


@dataclass(frozen=True, slots=True)
class SetAt:
    """Another value anywhere in the file."""

    path: JsonPath
    value: Json
    """`MISSING` removes what is there."""


@dataclass(frozen=True, slots=True)
class ReplaceText:
    """Other characters in a text that is not even JSON."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Recode:
    """The same text in plain UTF-8, without a byte order mark."""


@dataclass(frozen=True, slots=True)
class TakeBook:
    """The book inside a card replaced by what another file says."""

    file: str
    """The other file, as it was given."""
    position: int = 0
    """Which of its books."""


@dataclass(frozen=True, slots=True)
class TakeEntries:
    """The entries of another file's book that this one does not know, put behind its own."""

    file: str
    """The other file, as it was given."""
    position: int = 0
    """Which of its books."""


Change: TypeAlias = "SetField | SetAt | ReplaceText | Recode | TakeBook | TakeEntries"


@dataclass(frozen=True, slots=True)
class Fix:
    """What would repair a finding."""

    told: str
    """What it does, as an order: "remove the blank key". May quote foreign text."""
    changes: tuple[Change, ...]
    grade: Grade = Grade.SAFE
    alters_activation: bool = False
    """Whether other entries than before may activate: said by the author of the rule, proved otherwise."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A scenario that shows what a finding says; `lorebook simulate --witness FILE` runs it."""

    shows: str
    """What to look at, in a sentence."""
    scenario: Mapping[str, Any]
    """As `witness.scenario_of` reads it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing a rule found."""

    code: str
    name: str
    """Of the fault: `blank-key`."""
    severity: Severity
    message: str
    """One or two sentences in the author's words. May quote foreign text."""
    file: FileView
    path: JsonPath = ()
    """Where in the file."""
    entry: EntryView | None = None
    others: tuple[EntryView, ...] = ()
    """Entries that belong to it too."""
    fix: Fix | None = None
    witness: Witness | None = None
    offset: int | None = None
    """Character of the file's text where it begins, if a path does not say it."""

    @property
    def title(self) -> str:
        """Title of its entry, or "". Foreign text."""
        return self.entry.entry.title if self.entry else ""

    @property
    def place(self) -> tuple[int, int] | None:
        """Line and column in the file's text, from 1; None if it has none."""
        document = self.file.document
        if self.offset is not None:
            return self.file.place_of(self.offset)
        return document.line_column(self.path) if document is not None else None

    @property
    def fingerprint(self) -> str:
        """The same for the same finding in a file that was edited elsewhere: code, entry, and the words of it."""
        return "\0".join((self.code, self.file.name, self.entry.entry.uid_text if self.entry else "", self.message))
