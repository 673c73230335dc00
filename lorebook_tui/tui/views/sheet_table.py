"""The sheet: entries as rows with chosen columns, sorted by one of them. Knows no Textual."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import simple_emoji
from lorebook_tui.glyphs import kind_of
from lorebook_tui.model.fields import ENTRY_FIELDS, field_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.ink import Span, fit, padded
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.views.form_values import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from lorebook_tui.glyphs import Glyphs, Mark
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.scene import Scene

FIRST: Final = ("title", "key", "order", "position", "tokens", "fired")
"""The columns at first."""
FACTS: Final = {
    "title": "What people call the entry.",
    "tokens": "What its text costs.",
    "fired": "At how many turns of the chat it was in the prompt.",
    "book": "The book it is in.",
    "folder": "The folder it is in.",
}
"""Columns that are no field."""
_WIDTHS: Final = {"title": 24, "key": 22, "keysecondary": 18, "position": 12, "group": 12, "book": 14, "folder": 14}
_NUMBER_CELLS: Final = 7
_OTHER_CELLS: Final = 10
_GAP: Final = 1
_LEAST_TITLE: Final = 14


@dataclass(frozen=True, slots=True)
class Column:
    """One column."""

    name: str
    """A field, or one of `FACTS`."""
    label: str
    width: int
    is_number: bool


def column(name: str) -> Column:
    """The column of a field or fact."""
    row = field_named(name)
    label = {"title": "Title", "fired": "Fired"}.get(name) or (row.label if row else name.capitalize()) or name
    is_number = name in {"tokens", "fired"} or (row is not None and bool({"integer", "number"} & set(row.types)))
    width = _WIDTHS.get(name, _NUMBER_CELLS if is_number else _OTHER_CELLS)
    return Column(name, label, max(width, min(len(label), 12)) if not is_number else width, is_number)


def offered() -> tuple[Column, ...]:
    """Every column there can be."""
    fields = (row.name for row in ENTRY_FIELDS if row.name not in {"comment", "content", "extensions"})
    return tuple(column(name) for name in (*FACTS, *fields))


@dataclass
class SheetLook:
    """What the rows show."""

    scene: Scene
    glyphs: Glyphs
    columns: tuple[Column, ...]
    at: int = 0
    """The column that the cursor is in."""
    sorted_by: str = ""
    """Name of a column; "": in the order of the tree."""
    is_descending: bool = False
    marks: Mapping[EntryRef, Mark] | None = None
    picked: Collection[EntryRef] = ()
    """Entries that are selected together."""
    tokens: Callable[[str], int] = len
    fired: Mapping[EntryRef, int] | None = None
    folders: Callable[[EntryRef], str] = lambda _: ""

    @property
    def settings(self) -> ScanSettings:
        """For what entries leave open."""
        return self.scene.scenario.settings

    def value(self, name: str, ref: EntryRef, entry: Entry) -> Any:
        """What a column holds for an entry."""
        match name:
            case "title":
                return entry.title
            case "tokens":
                return self.tokens(entry.content)
            case "fired":
                return (self.fired or {}).get(ref, 0)
            case "book":
                return self.scene.book(ref.layer, ref.book).name
            case "folder":
                return self.folders(ref)
        return entry.get(name)

    def text(self, name: str, ref: EntryRef, entry: Entry) -> tuple[str, bool]:
        """The same for people, and whether it comes from elsewhere or says nothing."""
        value = self.value(name, ref, entry)
        row = field_named(name)
        if name in FACTS or row is None:
            return ("" if value in ("", 0) and name != "tokens" else str(value)), False
        told = shown(row, value, self.settings)
        return told.text, told.is_usual


def widths(columns: Sequence[Column], room: int) -> list[int]:
    """Cells of each column; the first takes what is left, and those that find no room are left out from the end."""
    kept: list[int] = []
    used = 0
    for number, each in enumerate(columns):
        least = _LEAST_TITLE if number == 0 else each.width
        if used + least + _GAP > room:
            break
        kept.append(least)
        used += least + _GAP
    if kept:
        kept[0] += max(0, min(room - used, 30))
    return kept


@dataclass(frozen=True)
class SheetRow:
    """One entry."""

    look: SheetLook
    ref: EntryRef

    @property
    def target(self) -> ToEntry:
        """The entry."""
        return ToEntry(self.ref)

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """The one line."""
        look, ref = self.look, self.ref
        entry = look.scene.entry(ref)
        kind = kind_of(entry)
        mark = (look.marks or {}).get(ref)
        is_picked = ref in look.picked
        spans: list[Span] = [
            Span(look.glyphs.picked if is_picked else " ", "near"),
            Span(look.glyphs.kind(kind), kind.ink),
            Span(look.glyphs.mark(mark) if mark else " ", mark.ink if mark else "text"),
            Span(" "),
        ]
        cells = widths(look.columns, width - len(spans))
        for number, (each, room) in enumerate(zip(look.columns, cells, strict=False)):
            text, is_quiet = look.text(each.name, ref, entry)
            ink = "muted" if is_quiet or (number == 0 and not entry.title.strip()) else "text"
            spans += cell(text, room, ink if number != look.at else "strong", right=each.is_number)
            spans.append(Span(" " * _GAP))
        return [fit(spans, width)]


def cell(text: str, room: int, ink: str, *, right: bool) -> Line:
    """A text as exactly so many cells."""
    shown_text = simple_emoji(text)
    if right:
        made = fit((Span(shown_text, ink),), room)
        blank = room - sum(len(span.text) for span in made)
        return (Span(" " * max(0, blank)), *made)
    return padded((Span(shown_text, ink),), room)


def head_line(look: SheetLook, width: int) -> Line:
    """The names of the columns; an arrow at the one that sorts."""
    spans: list[Span] = [Span("    ")]
    for number, (each, room) in enumerate(zip(look.columns, widths(look.columns, width - 4), strict=False)):
        arrow = ""
        if each.name == look.sorted_by:
            arrow = look.glyphs.down if look.is_descending else look.glyphs.up
        ink = "title" if number == look.at else "label"
        spans += cell(f"{each.label}{arrow}" if not arrow else f"{each.label[: room - 1]}{arrow}", room, ink,
                      right=each.is_number)  # fmt: skip
        spans.append(Span(" " * _GAP))
    return fit(spans, width)


def sorted_refs(look: SheetLook, refs: Sequence[EntryRef]) -> list[EntryRef]:
    """The entries in the order that is asked for; equal ones stay in the order of the tree."""
    if not look.sorted_by:
        return list(refs)

    def key(ref: EntryRef) -> tuple[int, float, str]:
        value = look.value(look.sorted_by, ref, look.scene.entry(ref))
        if isinstance(value, bool):
            return 1, float(value), ""
        if isinstance(value, (int, float)):
            return 0, float(value), ""
        if value is None or value is MISSING:
            return 3, 0.0, ""
        return 2, 0.0, ", ".join(map(str, value)).casefold() if isinstance(value, list) else str(value).casefold()

    return sorted(refs, key=key, reverse=look.is_descending)


def with_column(columns: tuple[Column, ...], name: str) -> tuple[Column, ...]:
    """The columns with one more, or without it if it was there; the title stays."""
    if any(each.name == name for each in columns):
        return tuple(each for each in columns if each.name != name or name == FIRST[0])
    return (*columns, replace(column(name)))
