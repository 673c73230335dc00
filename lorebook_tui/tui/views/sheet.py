"""The sheet of an entry: what it is, its keys and content, and its fields by group as THE table orders them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import json_excerpt
from lorebook_tui.model.fields import ENTRY_FIELDS, FieldGroup, setting_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.glyphs import kind_of
from lorebook_tui.tui.ink import BLANK, Drawn, Paragraph, Row, Span, fit, heading, marked, padded, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block, Line

INHERITED: Final = {
    "scanDepth": "world_info_depth",
    "caseSensitive": "world_info_case_sensitive",
    "matchWholeWords": "world_info_match_whole_words",
    "useGroupScoring": "world_info_use_group_scoring",
}
"""Fields whose null means a global setting."""
_MACRO: Final = re.compile(r"\{\{[^{}]*\}\}|<(?:USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>")
_SHOWN_ABOVE: Final = {
    "uid",
    "comment",
    "content",
    "key",
    "keysecondary",
    "selectiveLogic",
    "disable",
    "constant",
    "vectorized",
}
_GROUPS: Final = (
    *(group for group in FieldGroup if group not in {FieldGroup.IDENTITY, FieldGroup.OTHER}),
    FieldGroup.IDENTITY,
    FieldGroup.OTHER,
)
_TWO_COLUMNS: Final = 84
_LONGEST_LABEL: Final = 30
_KEYS_LABEL: Final = 10


@dataclass(frozen=True, slots=True)
class Subject:
    """The entry and what is known about it at this turn."""

    entry: Entry
    book: str
    """Foreign text."""
    layer: str
    settings: ScanSettings
    explanation: Explanation | None = None
    """Of the chosen turn; None while it is not worked out, or if the entry is not loaded."""
    tokens: int | None = None
    """Of its text in the prompt at this turn."""


def sheet_blocks(subject: Subject, glyphs: Glyphs) -> list[Block]:
    """The whole sheet."""
    entry = subject.entry
    kind = kind_of(entry)
    where = f"{subject.layer} {glyphs.step} {subject.book} {glyphs.step} uid {entry.uid_text}"
    blocks: list[Block] = [
        Paragraph((Span(entry.title, "title"),), None, (Span(f"{glyphs.kind(kind)} ", kind.ink),), 2),
        Row((Span(f"  {kind.word}  {glyphs.dot}  {where}", "muted"),)),
        BLANK,
        *_key_blocks(subject, glyphs),
        BLANK,
        heading("Content", f"{subject.tokens} tokens" if subject.tokens is not None else ""),
        *_content(entry),
    ]
    for group in _GROUPS:
        fields = [row for row in ENTRY_FIELDS if row.group is group and _is_shown(row, entry)]
        if fields:
            blocks += [BLANK, heading(group.value), *_grid(fields, subject)]
    unknown = [name for name in entry.fields if name not in _KNOWN]
    if unknown:
        text = json_excerpt({name: entry.fields[name] for name in unknown}, 400)
        blocks += [BLANK, heading("Carried along"), Paragraph((Span(text, "muted"),), None, (Span("  "),), 2, most=6)]
    return blocks


_KNOWN: Final = {row.name for row in ENTRY_FIELDS}


def _key_blocks(subject: Subject, glyphs: Glyphs) -> Iterator[Block]:
    """Keys as chips, with the number of their hits at this turn."""
    entry = subject.entry
    found = subject.explanation.evidence if subject.explanation else None
    primary = {finding.key: len(finding.hits) for finding in found.keys} if found else {}
    secondary = {finding.key: len(finding.hits) for finding in found.secondary} if found else {}
    yield _chips("Keys", entry.keys, primary, "none: no word can wake it", glyphs)
    if entry.secondary_keys:
        logic = next(row for row in ENTRY_FIELDS if row.name == "selectiveLogic")
        name = _value_text(logic, entry.get("selectiveLogic"), subject.settings)[0]
        if not entry.is_on("selective"):
            name = "not used"
        yield _chips(name, entry.secondary_keys, secondary, "", glyphs)


def _chips(label: str, keys: Sequence[str], hits: dict[str, int], empty: str, glyphs: Glyphs) -> Block:
    """One list of keys, wrapped between keys."""

    def draw(width: int) -> Sequence[Line]:
        lines: list[list[Span]] = [[Span(f"{label:<{_KEYS_LABEL}}", "label")]]
        used = _KEYS_LABEL
        for key in keys or ():
            count = hits.get(key)
            tail = f"{glyphs.dot}{count}" if count else ""
            chip = fit(
                (Span(f" {key} ", "key" if count or not hits else "key-missed"), Span(tail, "in")),
                max(8, width - _KEYS_LABEL),
            )
            if used + width_of(chip) + 1 > width and used > _KEYS_LABEL:
                lines.append([Span(" " * _KEYS_LABEL)])
                used = _KEYS_LABEL
            lines[-1] += [*chip, Span(" ")]
            used += width_of(chip) + 1
        if not keys:
            lines[0].append(Span(empty, "muted"))
        return [tuple(line) for line in lines]

    return Drawn(draw, 1 + sum(len(key) + 4 for key in keys) // 60)


def _content(entry: Entry) -> Iterator[Block]:
    """The text, a block per line of it, macros in their own ink."""
    if not entry.content:
        yield Paragraph((Span("empty: nothing goes into the prompt", "muted"),), None, (Span("  "),), 2)
        return
    for line in entry.content.split("\n"):
        macros = [(*found.span(), "macro") for found in _MACRO.finditer(line)]
        yield Paragraph(marked(line, macros), None, (Span("  "),), 2)


def _is_shown(row: Field, entry: Entry) -> bool:
    """Everything of the product at hand; what only others have, if the entry has it."""
    if row.name in _SHOWN_ABOVE:
        return False
    if row.group is FieldGroup.OTHER or row.name in {"extensions", "addMemo", "displayIndex"}:
        return entry.get(row.name) is not MISSING and entry.get(row.name) not in (None, {}, [], "")
    return True


def _cell(row: Field, subject: Subject, label_cells: int) -> Line:
    """Label and value of one field; what differs from a new entry stands out."""
    value = subject.entry.get(row.name)
    text, origin = _value_text(row, value, subject.settings)
    is_usual = value is MISSING or value == row.default or text == "–" or (not value and not row.default)
    label = padded((Span(f"  {row.label or row.name}", "label"),), label_cells)
    spans = [*label, Span(text, "muted" if is_usual else "strong")]
    if origin:
        spans.append(Span(f"  {origin}", "faint"))
    return tuple(spans)


def _value_text(row: Field, value: Any, settings: ScanSettings) -> tuple[str, str]:
    """A value for people, and where it comes from if the entry has none: the global setting."""
    if (value is None or value is MISSING) and row.name in INHERITED:
        name = INHERITED[row.name]
        setting = setting_named(name)
        effective = getattr(settings, name)
        return _plain_value(setting or row, effective), "global"
    if value is MISSING:
        return "–", f"not in the file. {row.absent}"
    return _plain_value(row, value), ""


def _plain_value(row: Field, value: Any) -> str:
    """A value by its choice, as yes or no, with its unit."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    for choice in row.choices:
        if not isinstance(value, (list, dict)) and choice.value == value:
            return choice.label
    if value is None or (isinstance(value, (str, list, dict)) and not value):
        return "–"
    if row.name == "characterFilter" and isinstance(value, dict):
        return _filter_text(value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    if isinstance(value, str):
        return value
    text = json.dumps(value) if isinstance(value, (int, float)) else json_excerpt(value, 120)
    unit = {"percent": " %", "messages": " messages"}.get(row.unit, "") if isinstance(value, (int, float)) else ""
    if unit == " messages" and value == 1:
        unit = " message"
    return text + unit


def _filter_text(value: dict[str, Any]) -> str:
    """Whom a character filter lets in, or shuts out."""
    listed = [item for name in ("names", "tags") for item in value.get(name) or () if isinstance(item, str)]
    if not listed:
        return "–"
    return ("all but " if value.get("isExclude") else "only ") + ", ".join(listed)


def _grid(fields: Sequence[Field], subject: Subject) -> Iterator[Block]:
    """Fields in two columns where there is room, read along the rows."""
    label_cells = min(_LONGEST_LABEL, max(len(row.label or row.name) for row in fields) + 4)
    cells = [_cell(row, subject, label_cells) for row in fields]

    def draw(width: int) -> Sequence[Line]:
        if width < _TWO_COLUMNS:
            return [fit(cell, width) for cell in cells]
        half = width // 2
        pairs = zip_longest(cells[::2], cells[1::2], fillvalue=())
        return [(*padded(fit(left, half - 1), half), *fit(right, width - half)) for left, right in pairs]

    yield Drawn(draw, len(cells))
