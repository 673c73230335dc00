"""Findings of the linter as they are drawn: marks beside fields, sentences, the list, and what a repair will change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.lint.findings import Severity
from lorebook_tui.model.fields import field_named
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span, heading, padded
from lorebook_tui.tui.search import Candidate
from lorebook_tui.tui.targets import ToChoice, ToField, ToGroup
from lorebook_tui.tui.views.finding_signs import letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.workspace.lint_edits import Plan
    from lorebook_tui.workspace.live_check import Note

    ByField = Mapping[str, Sequence[Note]]

TITLE: Final = "comment"
FINDING: Final = "finding"
_SIGN_CELLS: Final = 2
_MOST_REPAIRS: Final = 12
_MOST_LINES: Final = 60


def by_field(notes: Iterable[Note]) -> dict[str, list[Note]]:
    """Findings of an entry by field, the worst first; what is about no field that the form has is with the title."""
    found: dict[str, list[Note]] = {}
    for note in sorted(notes, key=lambda each: each.severity.rank):
        name = note.field if field_named(note.field) is not None and note.field != "uid" else TITLE
        found.setdefault(name, []).append(note)
    return found


def marked(blocks: list[Block], findings: ByField) -> list[Block]:
    """The rows of the form with a letter at the edge of those that there is something to say about.

    A field whose group is closed marks the heading of the group.
    """
    if not findings:
        return blocks
    shown = {block.target.name.partition(".")[0] for block in blocks if isinstance(block.target, ToField)}
    groups: dict[str, Severity] = {}
    for name, notes in findings.items():
        row = field_named(name)
        if name not in shown and row is not None:
            before = groups.get(row.group.value, Severity.OFF)
            groups[row.group.value] = min(before, notes[0].severity, key=lambda each: each.rank)
    made: list[Block] = []
    for block in blocks:
        target = block.target
        severity = None
        if isinstance(target, ToField) and target.name in findings:
            severity = findings[target.name][0].severity
        elif isinstance(target, ToGroup):
            severity = groups.get(target.name)
        made.append(block if severity is None else _Marked(block, severity))
    return made


@dataclass(frozen=True, slots=True)
class _Marked:
    """A row with a letter at the right edge of its first line."""

    inner: Block
    severity: Severity

    @property
    def target(self) -> Target | None:
        """That of the row."""
        return self.inner.target

    def estimate(self, width: int) -> int:
        """As the row."""
        return self.inner.estimate(max(1, width - _SIGN_CELLS))

    def lines(self, width: int) -> Sequence[Line]:
        """The row, a little narrower, and the letter."""
        room = max(1, width - _SIGN_CELLS)
        first, *others = self.inner.lines(room)
        return [(*padded(first, room), Span(" "), letter(self.severity)), *others]


def note_at(target: Target | None, item: int | None, findings: ByField) -> Note | None:
    """The finding to tell about where the cursor stands: the one of the chosen item before the others."""
    if not isinstance(target, ToField):
        return None
    notes = findings.get(target.name.partition(".")[0], ())
    return next((note for note in notes if note.item is not None and note.item == item), next(iter(notes), None))


def told(note: Note | None, count: int) -> Line:
    """The sentence under the form, and what can be done about it.

    Args:
        note: the finding; None for none.
        count: how many there are at the field.
    """
    if note is None:
        return ()
    more = f" And {count - 1} more: ! lists them." if count > 1 else ""
    way = f" F repairs it: {note.fix.told}." if note.fix is not None else ""
    return (
        letter(note.severity),
        Span(f" {note.finding.message}", "text"),
        Span(f"{way}{more} ", "faint"),
    )


def candidates(notes: Sequence[Note]) -> list[Candidate]:
    """The list of findings; the target of each is its number."""
    return [
        Candidate(
            note.title,
            ToChoice(FINDING, number),
            f"{note.finding.message}{' (can be repaired)' if note.fix is not None else ''}",
            note.finding.code,
            _file_of(note),
            letter(note.severity).text,
            letter(note.severity).ink,
        )
        for number, note in enumerate(notes)
    ]


def _file_of(note: Note) -> str:
    """Name of its file without folders."""
    return note.finding.file.name.replace("\\", "/").rpartition("/")[2]


def plan_blocks(plan: Plan) -> list[Block]:
    """What the repairs of a whole file will change, before they are made."""
    blocks: list[Block] = []
    for finding in plan.applied[:_MOST_REPAIRS]:
        way = finding.fix.told if finding.fix is not None else ""
        blocks.append(
            Row(
                (
                    Span(f"{finding.code} ", "key-name"),
                    Span(finding.title or "the file", "label"),
                    Span(f": {way}", "text"),
                )
            )
        )
    if len(plan.applied) > _MOST_REPAIRS:
        blocks.append(Row((Span(f"and {len(plan.applied) - _MOST_REPAIRS:,} more", "muted"),)))
    if plan.refused:
        text = f"{len(plan.refused)} more would change what the engine does, and are left to you."
        blocks.append(Paragraph((Span(text, "near"),)))
    lines = plan.difference.splitlines()
    blocks += [BLANK, heading("In the file")]
    for line in lines[:_MOST_LINES]:
        ink = "in" if line.startswith("+") else "cut" if line.startswith("-") else "faint"
        blocks.append(Row((Span(line, ink),)))
    if len(lines) > _MOST_LINES:
        blocks.append(Row((Span(f"and {len(lines) - _MOST_LINES:,} lines more", "muted"),)))
    return blocks


def rule_blocks(note: Note) -> list[Block]:
    """A finding and its rule in words."""
    from lorebook_tui.lint.catalogue import rule_named  # noqa: PLC0415 - all rules; they are loaded where there are findings
    from lorebook_tui.lint.told import section  # noqa: PLC0415 - as above

    doc = rule_named(note.finding.code).__doc__ or ""
    blocks: list[Block] = [Paragraph((letter(note.severity), Span(f" {note.finding.message}", "strong"))), BLANK]
    for name in ("", "Why", "Example", "Do", "Source"):
        if words := section(doc, name):
            blocks += [heading(name or "What it finds"), Paragraph((Span(words, "text"),)), BLANK]
    if note.fix is not None:
        blocks += [heading("Repair"), Paragraph((Span(f"{note.fix.told}.", "text"),))]
    return blocks
