"""The form of an entry as blocks: head, keys, room for the text, and the fields by group as THE table orders them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import json_excerpt
from lorebook_tui.engine.key_logic import key_logic
from lorebook_tui.glyphs import kind_of
from lorebook_tui.model.fields import ENTRY_FIELDS, FieldGroup, field_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.ink import BLANK, Drawn, Paragraph, Row, Span, fit, padded
from lorebook_tui.tui.targets import ToField, ToGroup
from lorebook_tui.tui.views.findings import marked
from lorebook_tui.tui.views.form_chips import Chips, chips_of
from lorebook_tui.tui.views.form_state import (
    CONTENT,
    DISABLED,
    GROUPS,
    IN_HEAD,
    KEYS,
    LOGIC,
    NEW,
    RAW,
    SECONDARY,
    TITLE,
    UNUSED,
    Place,
    is_open,
    label_cells,
)  # fmt: skip
from lorebook_tui.tui.views.form_values import FieldKind, Shown, kind_of_field, name_of, shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lorebook_tui.model.field_types import Field
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.views.form_state import Look, Subject

_SUMMARY: Final = 4
_MOST_LOGIC: Final = 6
"""Lines of the sentence about the secondary keys."""
_KNOWN: Final = {row.name for row in ENTRY_FIELDS}


def form_blocks(subject: Subject, look: Look) -> list[Block]:
    """The whole form."""
    blocks: list[Block] = [*_head(subject, look)]
    if not subject.is_many:
        blocks += [*_key_blocks(subject, look), *_content(subject, look)]
    for group in GROUPS:
        blocks += _group(group, subject, look)
    blocks += [*_unused(subject, look), *_raw(subject, look)]
    blocks = marked(blocks, look.findings)
    return [block for block in blocks if block is not BLANK] if look.is_dense else blocks


def _head(subject: Subject, look: Look) -> Iterator[Block]:
    entry, glyphs = subject.entry, look.glyphs
    kind = kind_of(entry)
    state = "off" if entry.is_on(DISABLED) else "on"
    if subject.is_many:
        yield Row((Span(f"{len(subject.entries)} entries", "title"),), (Span("edited together", "muted"),))
        if not subject.is_common(DISABLED):
            state = "some on, some off"
        yield Row((Span(f"  {state}", "muted"),), target=ToField(DISABLED))
        return
    draft = _draft(look, TITLE)
    title = Span(entry.title, "title") if entry.get(TITLE) else Span(entry.title, "muted")
    yield Row((Span(f"{glyphs.kind(kind)} ", kind.ink), title, *draft), target=ToField(TITLE))
    where = f"{subject.layer} {glyphs.step} {subject.book} {glyphs.step} uid {entry.uid_text}"
    words = f"  {state}" if kind.word == "disabled" else f"  {kind.word}, {state}"
    yield Row((Span(words, "off" if state == "off" else "muted"),), (Span(where, "faint"),), ToField(DISABLED), True)


def _draft(look: Look, name: str) -> tuple[Span, ...]:
    draft = look.drafts.get(Place(name))
    return () if draft is None else (Span(f"  half-typed: {draft}", "near"),)


def _key_blocks(subject: Subject, look: Look) -> Iterator[Block]:
    """Both lists of keys, and the logic between them as a sentence."""
    yield BLANK
    found = subject.explanation.evidence if subject.explanation else None
    turn = {finding.key: len(finding.hits) for finding in found.keys} if found else None
    yield from _list_blocks("Keys", KEYS, subject, look, turn)
    turn = {finding.key: len(finding.hits) for finding in found.secondary} if found else None
    yield from _list_blocks("And", SECONDARY, subject, look, turn)
    if subject.entry.secondary_keys:
        yield _logic(subject)


def _list_blocks(
    label: str, name: str, subject: Subject, look: Look, turn: Mapping[str, int] | None = None
) -> Iterator[Block]:
    """A list as chips, with a line under it while one of its items is edited."""
    is_keys = name in {KEYS, SECONDARY}
    chips = Chips(
        label, name,
        chips_of(
            subject.value(name), is_keys=is_keys, turn=turn, chat=subject.hits, whole_words=subject.whole_words
        ),
        look.glyphs,
        chosen=look.items.get(name, 0) if look.at == name else None, is_field=not is_keys,
    )  # fmt: skip
    yield Drawn(chips.lines, chips.estimate(), ToField(name))
    yield from _editor_line(name, look)
    drafts = [text for place, text in look.drafts.items() if place.name == name and place != look.editing]
    if drafts:
        yield Row((Span("  half-typed: ", "near"), Span(drafts[0], "near")))


def _editor_line(name: str, look: Look) -> Iterator[Block]:
    """Room for the line that edits an item."""
    if look.editing is not None and look.editing.name == name and look.editing.item is not None:
        yield Row((Span("  new " if look.editing.item == NEW else "  edit ", "label"),))


def _logic(subject: Subject) -> Block:
    """The logic of the secondary keys, and what it comes to in words."""
    entry = subject.entry
    row = field_named(LOGIC)
    name = shown(row, entry.get(LOGIC), subject.settings).text if row is not None else ""
    if not entry.is_on("selective"):
        name = "not used"
    spans = tuple(Span(piece.text, "text" if piece.is_key else "muted") for piece in key_logic(entry).pieces)
    return Paragraph(spans, ToField(LOGIC), (Span("      "), Span(f"{name}  ", "strong")), 6, most=_MOST_LOGIC)


def _content(subject: Subject, look: Look) -> Iterator[Block]:
    """Heading of the text and room for it."""
    yield BLANK
    yield Row((Span("Content", "heading"),), (Span(content_note(subject), "faint"),), ToField(CONTENT), True)
    height = max(1, look.text_height)
    yield Drawn(lambda _: ((),) * height, height)


def content_note(subject: Subject) -> str:
    """What the text costs, and what it comes to in the prompt if that is another number: `41 tokens, 2 % of 1,960`."""
    if subject.tokens is None:
        return ""
    count = f"{'≈ ' if subject.approximate else ''}{subject.tokens:,} token{'s' if subject.tokens != 1 else ''}"
    counted = subject.tokens if subject.counted is None else subject.counted
    if counted != subject.tokens:
        count += f", {counted:,} in the prompt"
    if not subject.budget:
        return count
    share = counted * 100 / subject.budget
    return f"{count}, {share:.0f} % of {subject.budget:,}" if share >= 1 else f"{count}, < 1 % of {subject.budget:,}"


# Groups


def is_honoured(row: Field, engine: str) -> bool:
    """Whether an engine looks at a field; what only serves people is for everybody."""
    return not row.engines or engine in row.engines


def rows_of(group: FieldGroup, subject: Subject) -> list[Field]:
    """The fields that a group shows for the engine at hand."""
    listed = (row for row in ENTRY_FIELDS if row.group is group and row.name not in IN_HEAD)
    return [row for row in listed if group is FieldGroup.OTHER or is_honoured(row, subject.engine)]


def unused_rows(subject: Subject) -> list[Field]:
    """The fields that the engine at hand does not look at."""
    return [
        row for row in ENTRY_FIELDS
        if row.group is not FieldGroup.OTHER and row.name not in IN_HEAD and not is_honoured(row, subject.engine)
    ]  # fmt: skip


def _group(group: FieldGroup, subject: Subject, look: Look) -> Iterator[Block]:
    rows = rows_of(group, subject)
    if rows:
        yield from _section(group.value, rows, subject, look)
    if group is FieldGroup.OTHER and is_open(group.value, look, subject):
        unknown = {name: value for name, value in subject.entry.fields.items() if name not in _KNOWN}
        if unknown and not subject.is_many:
            text = json_excerpt(unknown, 200)
            yield FieldRow("Carried along", Shown(text, is_usual=True), (), ToGroup(RAW))


def _unused(subject: Subject, look: Look) -> Iterator[Block]:
    rows = unused_rows(subject)
    if rows:
        yield from _section(UNUSED, rows, subject, look, f"Not used by {subject.engine}")


def _section(name: str, rows: Sequence[Field], subject: Subject, look: Look, title: str = "") -> Iterator[Block]:
    """A heading, and its fields where the group is open; a closed one tells what is set in it."""
    open_ = is_open(name, look, subject)
    sign = look.glyphs.open if open_ else look.glyphs.shut
    note = "" if open_ else _summary(rows, subject)
    yield BLANK
    yield Row((Span(f"{sign} {title or name}", "heading"),), (Span(note, "faint"),), ToGroup(name), True)
    if open_:
        for row in rows:
            yield from _field(row, subject, look)


def _summary(rows: Sequence[Field], subject: Subject) -> str:
    """What differs from a new entry in a closed group."""
    told = []
    for row in rows:
        value = subject.value(row.name)
        found = shown(row, value, subject.settings)
        if value is not MISSING and (not found.is_usual or not subject.is_common(row.name)):
            told.append(f"{name_of(row).lower()} {found.text}" if subject.is_common(row.name) else name_of(row).lower())
    more = f" and {len(told) - _SUMMARY} more" if len(told) > _SUMMARY else ""
    return ", ".join(told[:_SUMMARY]) + more


def _field(row: Field, subject: Subject, look: Look) -> Iterator[Block]:
    if kind_of_field(row) is FieldKind.LIST and not subject.is_many:
        yield from _list_blocks(name_of(row), row.name, subject, look)
        return
    if kind_of_field(row) is FieldKind.FILTER and not subject.is_many:
        yield from _filter_blocks(row, subject, look)
        return
    found = shown(row, subject.value(row.name), subject.settings)
    if subject.is_many and not subject.is_common(row.name):
        found = Shown("differ", is_usual=True)
    yield FieldRow(name_of(row), found, _draft(look, row.name), ToField(row.name))


def _filter_blocks(row: Field, subject: Subject, look: Look) -> Iterator[Block]:
    """Names and tags of a character filter as chips, and whom they mean."""
    value = subject.value(row.name)
    found = shown(row, value, subject.settings)
    if not isinstance(value, dict) and value not in (None, MISSING):
        yield FieldRow(name_of(row), found, (), ToField(row.name))
        return
    lists: dict[str, Any] = value if isinstance(value, dict) else {}
    mode = "all but these" if lists.get("isExclude") else "only these"
    yield FieldRow(
        name_of(row), Shown(mode if found.text != "–" else "–", found.note, found.is_usual), (), ToField(row.name)
    )
    for part in ("names", "tags") if isinstance(value, dict) else ():
        name = f"{row.name}.{part}"
        chips = Chips(
            f"  {part}", name, chips_of(lists.get(part)), look.glyphs,
            chosen=look.items.get(name, 0) if look.at == name else None, is_field=True,
        )  # fmt: skip
        yield Drawn(chips.lines, chips.estimate(), ToField(name))
        yield from _editor_line(name, look)


@dataclass(frozen=True, slots=True)
class FieldRow:
    """Label, value, and where the value comes from."""

    label: str
    shown: Shown
    draft: tuple[Span, ...]
    target: ToField | ToGroup

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[tuple[Span, ...]]:
        """The one line."""
        found = self.shown
        ink = "cut" if found.is_wrong else "muted" if found.is_usual else "strong"
        cells = label_cells(width)
        label = padded(fit((Span(f"  {self.label}", "label"),), cells - 1), cells)
        note = (Span(f"  {found.note}", "near" if found.is_wrong else "faint"),) if found.note else ()
        return Row((*label, Span(found.text, ink), *self.draft, *note)).lines(width)


def _raw(subject: Subject, look: Look) -> Iterator[Block]:
    if not subject.is_many:
        yield BLANK
        heading = Span(f"{look.glyphs.shut} {RAW}", "heading")
        yield Row((heading,), (Span(f"{len(subject.entry.fields)} fields", "faint"),), ToGroup(RAW), right_yields=True)
