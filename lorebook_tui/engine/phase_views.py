"""The seven phases of a turn as rows for people: what every dialect's trace looks like on a screen or in a report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.phases.buffer import described_pieces
from lorebook_tui.engine.plan import Window
from lorebook_tui.engine.trace import Cause, Outcome, PassKind, Phase, Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.engine.wording import order_text, slot_text, tokens_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.trace import Pass
    from lorebook_tui.engine.verdicts import Verdict

KIND_NAMES = {
    PassKind.NONE: "the end",
    PassKind.INITIAL: "first pass",
    PassKind.RECURSION: "recursion",
    PassKind.MIN_ACTIVATIONS: "min activations",
}
_KEY_REASONS = {Reason.SECONDARY_FAILED}
_RECURSION_REASONS = {Reason.WAITS_FOR_RECURSION, Reason.LEVEL_NOT_OPEN, Reason.EXCLUDED_FROM_RECURSION}


@dataclass(frozen=True, slots=True)
class PhaseRow:
    """One line of a phase. Title and detail may hold foreign text."""

    title: str
    detail: str = ""
    index: int | None = None
    """Load index of the entry it is about."""
    mark: Outcome | None = None
    tokens: int | None = None
    message: int | None = None
    """Transcript index of the message it is about."""


@dataclass(frozen=True, slots=True)
class PhaseView:
    """One phase of a turn."""

    phase: Phase
    count: str
    """What the phase did, in a few characters: `4`, `−2`, `+1`."""
    rows: tuple[PhaseRow, ...]


def phase_views(assembly: Assembly) -> tuple[PhaseView, ...]:
    """All seven phases."""
    judged = [verdict(assembly, index) for index in sorted({*assembly.last_decisions, *assembly.admitted_by_index})]
    return (
        buffer_view(assembly),
        keys_view(assembly, judged),
        filters_view(assembly, judged),
        recursion_view(assembly, judged),
        budget_view(assembly),
        order_view(assembly),
        inject_view(assembly),
    )


def _minus(count: int) -> str:
    return f"−{count}" if count else "0"


def buffer_view(assembly: Assembly) -> PhaseView:
    """Phase 1: the lines that entries without an own depth saw, newest first, with everything recursed."""
    depth = assembly.passes[-1].depth if assembly.passes else assembly.plan.settings.world_info_depth
    recursed = [
        (turn_pass.number, "\n".join(text for _, text in turn_pass.recursed))
        for turn_pass in assembly.passes
        if turn_pass.recursed
    ]
    rows = []
    for piece in described_pieces(assembly.turn, Window(None, ()), depth, recursed):
        origin = {
            "message": f"message {(piece.message or 0) + 1}",
            "prompt": f"injected prompt {piece.name}",
            "recursion": f"recursion after pass {piece.name}",
        }.get(piece.origin, piece.origin)
        rows.append(PhaseRow(piece.text, origin, message=piece.message))
    used = sorted({source for window in assembly.plan.windows for source in window.sources})
    for source in used:
        name = assembly.plan.source_name(source)
        if assembly.turn.sources.get(name):
            rows.append(PhaseRow(assembly.turn.sources[name], f"{name} (only for entries that ask for it)"))
    return PhaseView(Phase.BUFFER, str(len(rows)), tuple(rows))


def keys_view(assembly: Assembly, judged: Iterable[Verdict]) -> PhaseView:
    """Phase 2: entries that were woken, and those that a secondary key stopped."""
    rows = []
    woken = 0
    for found in judged:
        if found.reason in _KEY_REASONS:
            rows.append(_row(assembly, found, "secondary keys do not let it in"))
        elif found.cause is not None:
            woken += 1
            rows.append(_row(assembly, found, _cause_text(found)))
    return PhaseView(Phase.KEYS, str(woken), tuple(rows))


def _cause_text(found: Verdict) -> str:
    late = f", pass {found.turn_pass}" if found.turn_pass and found.turn_pass > 1 else ""
    names = {
        Cause.KEY: "key",
        Cause.CONSTANT: "constant",
        Cause.STICKY: "sticky",
        Cause.DECORATOR: "@@activate",
        Cause.FORCED: "activated from outside",
    }
    return names[found.cause] + late if found.cause else ""


def filters_view(assembly: Assembly, judged: Iterable[Verdict]) -> PhaseView:
    """Phase 3: who was stopped by a filter, a group or a roll; and the draws that were made."""
    stopped = [found for found in judged if found.reason.phase is Phase.FILTERS]
    rows = [_row(assembly, found, found.reason.code.replace("_", " ")) for found in stopped]
    for draw in assembly.draws:
        if draw.source == "probability" and draw.index is not None:
            chance = order_text(assembly.entry(draw.index).probability)
            outcome = "passed" if draw.passed else "failed"
            rows.append(
                PhaseRow(
                    _title(assembly, draw.index), f"roll {draw.value * 100:.1f} of {chance} %: {outcome}", draw.index
                )
            )
        elif draw.source == "group":
            rows.append(PhaseRow(f"group {draw.group}", f"roll {draw.value:.3f}", draw.index))
    return PhaseView(Phase.FILTERS, _minus(len(stopped)), tuple(rows))


def recursion_view(assembly: Assembly, judged: Iterable[Verdict]) -> PhaseView:
    """Phase 4: the passes, what each handed to the next, and who came of it."""
    rows: list[PhaseRow] = []
    for turn_pass in assembly.passes:
        rows.append(PhaseRow(f"Pass {turn_pass.number}: {KIND_NAMES[turn_pass.kind]}", _pass_text(turn_pass)))
        rows.extend(
            _row(assembly, verdict(assembly, admitted.index), "admitted")
            for admitted in assembly.admitted
            if admitted.turn_pass == turn_pass.number
        )
    rows.extend(
        _row(assembly, found, found.reason.code.replace("_", " "))
        for found in judged
        if found.reason in _RECURSION_REASONS
    )
    late = sum(1 for admitted in assembly.admitted if admitted.turn_pass > 1)
    return PhaseView(Phase.RECURSION, f"+{late}" if late else "0", tuple(rows))


def _pass_text(turn_pass: Pass) -> str:
    parts = [f"{len(turn_pass.candidates)} candidates"]
    if turn_pass.recursed:
        parts.append(f"{len(turn_pass.recursed)} texts recursed")
    if turn_pass.overflowed:
        parts.append("budget full")
    parts.append(f"then {KIND_NAMES[turn_pass.next_kind]}")
    return ", ".join(parts)


def budget_view(assembly: Assembly) -> PhaseView:
    """Phase 5: the ledger in the order of admission."""
    rows = []
    for row in assembly.ledger:
        free = ", ignores the budget" if row.ignores_budget else ""
        rows.append(
            PhaseRow(
                _title(assembly, row.index),
                f"{row.total} of {assembly.budget}{free}",
                row.index,
                Outcome.IN if row.admitted else Outcome.CUT,
                row.tokens,
            )
        )
    behind = [decision for decision in assembly.decisions if decision.reason is Reason.BEHIND_THE_CUT]
    listed: set[int] = set()
    for decision in behind:
        if decision.index not in listed and decision.index not in assembly.admitted_by_index:
            listed.add(decision.index)
            rows.append(PhaseRow(_title(assembly, decision.index), "not tried", decision.index, Outcome.CUT))
    cut = {row.index for row in assembly.ledger if not row.admitted} | listed
    return PhaseView(Phase.BUDGET, _minus(len(cut - assembly.admitted_by_index.keys())), tuple(rows))


def order_view(assembly: Assembly) -> PhaseView:
    """Phase 6: activated entries by insertion order, lowest first, as each slot reads."""
    listed = sorted(assembly.admitted, key=lambda admitted: assembly.entry(admitted.index).order)
    rows = [
        _row(
            assembly,
            verdict(assembly, admitted.index),
            f"order {order_text(assembly.entry(admitted.index).order)}, {assembly.entry(admitted.index).layer.value}",
        )
        for admitted in listed
    ]
    return PhaseView(Phase.ORDER, str(len(rows)), tuple(rows))


def inject_view(assembly: Assembly) -> PhaseView:
    """Phase 7: the slots and depth records with their texts, as they read from top to bottom."""
    rows = list(_slots(assembly))
    rows.extend(
        _row(assembly, verdict(assembly, index), reason.code.replace("_", " "))
        for index, reason in assembly.nowhere.items()
    )
    return PhaseView(
        Phase.INJECT, str(len(assembly.places) - len(assembly.nowhere.keys() & assembly.places.keys())), tuple(rows)
    )


def _slots(assembly: Assembly) -> Iterator[PhaseRow]:
    slots = assembly.slots
    groups: list[tuple[str, tuple[tuple[int, str], ...]]] = [
        (slot_text("before"), slots.before),
        (slot_text("after"), slots.after),
    ]
    if assembly.note.merged:
        groups += [(slot_text("note_top"), slots.note_top), (slot_text("note_bottom"), slots.note_bottom)]
    for position, name in ((0, "examples_top"), (1, "examples_bottom")):
        texts = tuple((item.index, item.content) for item in slots.examples if item.position == position)
        groups.append((slot_text(name), texts))
    for record in slots.depths:
        texts = tuple(zip(record.indices, record.texts, strict=True))
        groups.append((slot_text("depth", record.depth, record.role), texts))
    groups += [(slot_text("outlet", outlet=name), texts) for name, texts in slots.outlets.items()]
    for name, texts in groups:
        if texts:
            tokens = sum(assembly.admitted_by_index[index].tokens for index, _ in texts)
            yield PhaseRow(name[0].upper() + name[1:], f"{len(texts)} texts, {tokens_text(tokens)}")
            for index, text in texts:
                yield PhaseRow(
                    _title(assembly, index), text, index, Outcome.IN, assembly.admitted_by_index[index].tokens
                )


def _title(assembly: Assembly, index: int) -> str:
    return assembly.entry(index).entry.title


def _row(assembly: Assembly, found: Verdict, detail: str) -> PhaseRow:
    tokens = found.admitted.tokens if found.admitted else None
    return PhaseRow(_title(assembly, found.index), detail, found.index, found.outcome, tokens)
