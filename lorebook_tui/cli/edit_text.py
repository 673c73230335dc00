"""Changes of books for people and as JSON: entry by entry, field by field, file by file."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import cell_width, elide, json_excerpt, pad, plain
from lorebook_tui.model.fields import choice_labelled, field_named
from lorebook_tui.model.folders import NAMESPACE
from lorebook_tui.model.js import MISSING, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.bulk_changes import EntryChange, FieldDifference, FileChange
    from lorebook_tui.workspace.replacing import TextHit

_NAME_CELLS: Final = 18
_TITLE_CELLS: Final = 50
_FILE_CELLS: Final = 60
_CONTEXT: Final = 24
"""Characters of a line shown on either side of what differs."""
_OF_THE_FILE: Final = frozenset({"uid", "displayIndex", "extensions", "addMemo"})
"""Fields that a file makes itself."""
_SIGNS: Final = {"added": ("+", "good"), "removed": ("-", "bad"), "changed": ("~", "info")}


def kind_of_change(change: EntryChange) -> str:
    """`added`, `removed` or `changed`."""
    return "added" if change.before is None else "removed" if change.after is None else "changed"


def write_changes(files: Sequence[FileChange], writer: Writer, *, only_files: bool = False) -> None:
    """What becomes of every entry, under the name of its file."""
    for number, change in enumerate(files):
        if number and not only_files:
            writer.line()
        writer.heading(elide(change.source.name, _FILE_CELLS, at="middle"), told_of_file(change))
        for entry in () if only_files else change.entries:
            _write_entry(entry, writer)


def told_of_file(change: FileChange) -> str:
    """`3 entries changed, 1 added; 12 lines`."""
    counts: dict[str, int] = {}
    for entry in change.entries:
        kind = kind_of_change(entry)
        counts[kind] = counts.get(kind, 0) + 1
    parts = [
        f"{_entries(count) if not place else f'{count:,}'} {kind}" for place, (kind, count) in enumerate(counts.items())
    ]
    lines = "1 line" if change.lines == 1 else f"{change.lines:,} lines"
    return f"{', '.join(parts)}; {lines}"


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"


def _write_entry(change: EntryChange, writer: Writer) -> None:
    sign, style = _SIGNS[kind_of_change(change)]
    name = elide(change.reference, writer.width // 3)
    writer.line(f"  {writer.styled(sign, style)} {name}  {writer.styled(elide(change.title, _TITLE_CELLS), 'bold')}")
    for field in change.fields:
        _write_field(field, writer)


def _write_field(field: FieldDifference, writer: Writer) -> None:
    """One field: what was and what will be, on one line where that can be read."""
    if field.name == "extensions" and (parts := _own_parts(field)):
        for name, before, after in parts:
            _write_line(name, f"{before} → {after}", writer)
        return
    if _is_list(field.before) and _is_list(field.after):
        _write_list(field, writer)
        return
    if _is_long(field.before, writer) or _is_long(field.after, writer):
        _write_text(field, writer)
        return
    _write_line(field.name, f"{value_text(field.name, field.before)} → {value_text(field.name, field.after)}", writer)


def _write_line(name: str, text: str, writer: Writer) -> None:
    writer.wrapped(f"{pad(name, _NAME_CELLS)}{plain(text, ' ')}", indent="      ", hang=" " * (_NAME_CELLS + 6))


def _own_parts(field: FieldDifference) -> list[tuple[str, str, str]]:
    """Our own members of `extensions` that differ, if nothing else does."""
    before, after = (value if isinstance(value, dict) else {} for value in (field.before, field.after))
    others = [{name: item for name, item in value.items() if name != NAMESPACE} for value in (before, after)]
    ours = [value.get(NAMESPACE, {}) for value in (before, after)]
    if others[0] != others[1] or not all(isinstance(value, dict) for value in ours):
        return []
    return [
        (name, _said(ours[0].get(name, MISSING)), _said(ours[1].get(name, MISSING)))
        for name in dict.fromkeys([*ours[0], *ours[1]])
        if ours[0].get(name, MISSING) != ours[1].get(name, MISSING)
    ]


def _said(value: Json) -> str:
    return "none" if value is MISSING or value == "" else text_of(value)


def _is_list(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_long(value: Json, writer: Writer) -> bool:
    return isinstance(value, str) and ("\n" in value or len(value) > (writer.width - _NAME_CELLS) // 3)


def value_text(name: str, value: Json) -> str:
    """A value in a few words; of a choice its label too."""
    if value is MISSING:
        return "missing"
    row = field_named(name)
    shown = json_excerpt(value, 60)
    if row is not None and row.choices and isinstance(value, (int, float)) and not isinstance(value, bool):
        choice = choice_labelled(row, text_of(value))
        return f"{shown} {choice.label}" if choice else shown
    return shown


def _write_list(field: FieldDifference, writer: Writer) -> None:
    gone = [f"- {item}" for item in field.before if item not in field.after]
    come = [f"+ {item}" for item in field.after if item not in field.before]
    told = gone + come
    if told:
        _write_line(field.name, "  ".join(told), writer)
        return
    _write_line(field.name, f"{json_excerpt(field.before, 80)} → {json_excerpt(field.after, 80)}", writer)


def _write_text(field: FieldDifference, writer: Writer) -> None:
    """Lines that go and come, cut down to what differs."""
    old = text_of(field.before).split("\n") if field.before not in (MISSING, None) else []
    new = text_of(field.after).split("\n") if field.after not in (MISSING, None) else []
    writer.line(f"      {field.name}")
    for sign, style, text in line_changes(old, new):
        writer.wrapped(f"{sign} {plain(text, ' ')}", indent="        ", hang="          ", style=style)


def line_changes(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """Sign, style and text of every line that goes or comes."""
    for kind, from_old, to_old, from_new, to_new in difflib.SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            continue
        gone, come = old[from_old:to_old], new[from_new:to_new]
        paired = list(zip(gone, come, strict=False)) if kind == "replace" else []
        for before, after in paired:
            start, end = excerpt(before, after)
            yield "-", "bad", _cut(before, start, end)
            yield "+", "good", _cut(after, start, end)
        for text in gone[len(paired) :]:
            yield "-", "bad", text
        for text in come[len(paired) :]:
            yield "+", "good", text


def excerpt(before: str, after: str) -> tuple[int, int]:
    """How many characters two lines share at their start and end, less some that are shown for context."""
    shorter = min(len(before), len(after))
    head = next((place for place in range(shorter) if before[place] != after[place]), shorter)
    tail = 0
    while tail < shorter - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    return max(0, head - _CONTEXT), max(0, tail - _CONTEXT)


def _cut(text: str, start: int, end: int) -> str:
    middle = text[start : len(text) - end]
    return ("…" if start else "") + middle + ("…" if end else "")


def write_hits(hits: Sequence[TextHit], titles: Sequence[str], writer: Writer) -> None:
    """Every place that is replaced, with a little of the text around it.

    Args:
        hits: in the order of the entries.
        titles: `BOOK#UID  title` of each.
        writer: writes them.
    """
    shown = ""
    for hit, title in zip(hits, titles, strict=True):
        if title != shown:
            shown = title
            writer.line(f"  {elide(title, writer.width - 4)}")
        where = pad(hit.name if hit.item is None else f"{hit.name} {hit.item + 1}", _NAME_CELLS)
        writer.line(f"      {where}{_hit_text(hit, writer)}")


def _hit_text(hit: TextHit, writer: Writer) -> str:
    """The place with what goes and what comes, in one line."""
    room = writer.width - 6 - _NAME_CELLS - len("[--]{++}")
    found, put = (elide(text, room // 4, at="middle", newline="↵") for text in (hit.found, hit.put))
    around = max(0, room - cell_width(found) - cell_width(put)) // 2
    before = elide(hit.before, around, at="start", newline="↵")
    after = elide(hit.after, around, newline="↵")
    return f"{before}{writer.styled(f'[-{found}-]', 'bad')}{writer.styled(f'{{+{put}+}}', 'good')}{after}"


def lost_fields(pairs: Sequence[tuple[Mapping[str, Json], Entry]]) -> str:
    """What a file gives back otherwise than it was given, in one sentence; "" if nothing is lost.

    Args:
        pairs: the fields that an entry was made of, and the entry as the file gives it back.
    """
    lost: Counter[str] = Counter()
    for fields, made in pairs:
        for name, value in fields.items():
            row = field_named(name)
            says_nothing = not value or (row is not None and value == row.default)
            if name not in _OF_THE_FILE and not says_nothing and made.get(name) != value:
                lost[name] += 1
    listed = ", ".join(f"{plain(name, ' ')} of {_entries(count)}" for name, count in lost.items())
    return f"The file cannot hold {listed}." if listed else ""


def change_json(change: EntryChange) -> dict[str, Any]:
    """One entry as JSON. A field that is not there has no `before` or no `after`."""
    from lorebook_tui.engine.document_json import json_value  # noqa: PLC0415 - only for JSON

    entry = change.after or change.entry
    fields = {
        field.name: {
            name: json_value(value)
            for name, value in (("before", field.before), ("after", field.after))
            if value is not MISSING
        }
        for field in change.fields
    }
    return {
        "change": kind_of_change(change),
        "reference": change.reference,
        "book": change.opened.book.name,
        "layer": change.opened.layer.value,
        "uid": json_value(entry.uid),
        "title": change.title,
        "fields": fields,
    }
