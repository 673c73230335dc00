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
    """Open or close a branch of the tree: a layer, or a book in it."""

    layer: Layer
    book: int | None = None


@dataclass(frozen=True, slots=True)
class ToAction:
    """Do what a key would do."""

    name: str


Target = ToEntry | ToTurn | ToMessage | ToPhase | ToBranch | ToAction
