"""What a click or Enter on a place of the screen means: values, told to the workbench by one message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook_tui.model.layers import EntryRef, Layer


@dataclass(frozen=True, slots=True)
class ToEntry:
    """Choose this entry."""

    ref: EntryRef


@dataclass(frozen=True, slots=True)
class ToTurn:
    """Go to a turn, counted from 0."""

    number: int


@dataclass(frozen=True, slots=True)
class ToMessage:
    """Show a message of the transcript, counted from 0."""

    message: int


@dataclass(frozen=True, slots=True)
class ToPhase:
    """Show a phase, 1 to 7."""

    number: int


@dataclass(frozen=True, slots=True)
class ToBranch:
    """Open or close a branch of the tree: a layer, a book in it, or a folder of that."""

    layer: Layer
    book: int | None = None
    folder: str = ""
    """Its path."""


@dataclass(frozen=True, slots=True)
class ToAction:
    """Do what a key would do."""

    name: str


@dataclass(frozen=True, slots=True)
class ToBook:
    """Show a book in the tree."""

    layer: Layer
    book: int


@dataclass(frozen=True, slots=True)
class ToField:
    """Go to a field of the entry, or to its reference where there is no form."""

    name: str


@dataclass(frozen=True, slots=True)
class ToReference:
    """Explain a field of the entry."""

    name: str


@dataclass(frozen=True, slots=True)
class ToSetting:
    """Go to a setting of the scan."""

    name: str


@dataclass(frozen=True, slots=True)
class ToTheme:
    """Use a theme."""

    name: str


@dataclass(frozen=True, slots=True)
class ToGroup:
    """Open or close a group of the form."""

    name: str


@dataclass(frozen=True, slots=True)
class ToItem:
    """Choose an item of a list in the form, or the place behind the last one, where more are added."""

    name: str
    """Of the field."""
    item: int


@dataclass(frozen=True, slots=True)
class ToSwipe:
    """Another version of a message: so many further."""

    message: int
    step: int


@dataclass(frozen=True, slots=True)
class ToChoice:
    """What was chosen in a dialog of the chat."""

    kind: str
    value: str | int = ""
    """A name, which may be foreign text, or a place in a list."""


@dataclass(frozen=True, slots=True)
class ToSide:
    """Take mine, theirs or both where both sides changed something."""

    number: int
    """Which of the things to choose."""
    side: str
    """`mine`, `theirs` or `both`."""


@dataclass(frozen=True, slots=True)
class ToPath:
    """Go into a folder, or take a file."""

    path: str


@dataclass(frozen=True, slots=True)
class ToCell:
    """Go to a turn and choose an entry there."""

    turn: int
    """Counted from 0."""
    ref: EntryRef


@dataclass(frozen=True, slots=True)
class ToOffer:
    """Apply what would change the verdict about the chosen entry, counted from 1."""

    number: int


@dataclass(frozen=True, slots=True)
class ToValue:
    """Give a setting a value, or only stand on it."""

    name: str
    value: object = None
    """None: only stand on it."""


Target = (
    ToEntry
    | ToTurn
    | ToMessage
    | ToPhase
    | ToBranch
    | ToAction
    | ToBook
    | ToField
    | ToReference
    | ToSetting
    | ToTheme
    | ToGroup
    | ToItem
    | ToSwipe
    | ToChoice
    | ToSide
    | ToPath
    | ToCell
    | ToOffer
    | ToValue
)
