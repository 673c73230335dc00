"""A turn as JSON: complete, stable, for tools. The schema is in `trace_schema`; a test holds the two together.

Entries are referred to by load index everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.document_json import beginning, identity, json_value
from lorebook_tui.engine.evidence import evidence as evidence_of
from lorebook_tui.engine.explain import details, sentence
from lorebook_tui.engine.timed import KINDS
from lorebook_tui.engine.trace import PassKind
from lorebook_tui.engine.verdicts import counts, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.chance import Draw
    from lorebook_tui.engine.evidence import Evidence
    from lorebook_tui.engine.findings import KeyFinding
    from lorebook_tui.engine.trace import Decision, LedgerRow, Pass
    from lorebook_tui.engine.verdicts import Place, Verdict

FORMAT: Final = "lorebook-trace/1"
_KIND_NAMES: Final = {
    PassKind.NONE: "end",
    PassKind.INITIAL: "initial",
    PassKind.RECURSION: "recursion",
    PassKind.MIN_ACTIVATIONS: "min_activations",
}

JsonMap = dict[str, Any]


def document(turns: Iterable[JsonMap], workspace: Mapping[str, Any] | None = None) -> JsonMap:
    """Turns made by `trace` as one document.

    Args:
        turns: in the order of the replay.
        workspace: what was simulated: `engine`, `seed`, `context`, `tokenizer`, `books`, …
    """
    return {**beginning(FORMAT), **(workspace or {}), "turns": list(turns)}


def trace(assembly: Assembly, *, evidence: bool = False) -> JsonMap:
    """Everything about one turn.

    Args:
        assembly: the turn.
        evidence: add to every entry a sentence and where its keys hit or almost hit.
    """
    return {
        "turn": assembly.upto,
        "length": assembly.turn.length,
        "trigger": assembly.trigger,
        "dry_run": assembly.dry_run,
        "budget": {
            "limit": assembly.budget,
            "used": assembly.tokens,
            "context": assembly.turn.max_context,
            "overflowed": assembly.overflowed,
        },
        "load_error": assembly.plan.load_error or None,
        "error": assembly.error or None,
        "skipped_books": [
            {"layer": skipped.layer.value, "name": skipped.name, "held_by": skipped.held_by.value}
            for skipped in assembly.plan.skipped
        ],
        "counts": {reason.code: number for reason, number in counts(assembly).items()},
        "passes": [_pass(turn_pass) for turn_pass in assembly.passes],
        "ledger": [_ledger_row(row) for row in assembly.ledger],
        "draws": [_draw(draw) for draw in assembly.draws],
        "entries": [entry_trace(assembly, index, evidence=evidence) for index in range(len(assembly.plan.entries))],
        "activated": [admitted.index for admitted in assembly.admitted],
        "slots": _slots(assembly),
        "note": {
            "text": assembly.note.value,
            "position": assembly.note.position,
            "depth": assembly.note.depth,
            "role": assembly.note.role,
            "due": assembly.note.merged,
        },
        "effects": {kind: _effects(assembly, kind) for kind in KINDS},
        "variables": {
            "local": json_value(dict(assembly.state.local)),
            "global": json_value(dict(assembly.state.globals)),
        },
    }


def entry_trace(assembly: Assembly, index: int, *, evidence: bool = False) -> JsonMap:
    """One entry and its verdict."""
    compiled = assembly.entry(index)
    found = verdict(assembly, index)
    entry = {
        **identity(compiled),
        "key": compiled.entry.key,
        "order": json_value(compiled.order),
        "verdict": _verdict(found),
        "text": found.admitted.content if found.admitted else None,
    }
    if evidence:
        proof = evidence_of(assembly, index)
        entry["sentence"] = sentence(assembly, found, proof)
        entry["details"] = list(details(assembly, found, proof))
        entry["evidence"] = _evidence(proof)
    return entry


def _verdict(found: Verdict) -> JsonMap:
    return {
        "reason": found.reason.code,
        "phase": found.phase.name.lower(),
        "outcome": found.outcome.value,
        "cause": found.cause.value if found.cause else None,
        "pass": found.turn_pass,
        "tokens": found.admitted.tokens if found.admitted else None,
        "place": _place(found.place),
        **_lost_to(found.decision if found.admitted is None else None),
    }


def _lost_to(decision: Decision | None) -> JsonMap:
    """The group, the winner, the points and the roll of an entry that lost."""
    return {
        "group": (decision.group or None) if decision else None,
        "winner": decision.winner if decision else None,
        "score": decision.score if decision else None,
        "roll": decision.draw.value if decision and decision.draw else None,
    }


def _place(place: Place | None) -> JsonMap | None:
    if place is None:
        return None
    return {
        "slot": place.slot,
        "number": place.number,
        "count": place.count,
        "depth": json_value(place.depth),
        "role": json_value(place.role),
        "outlet": place.outlet or None,
    }


def _pass(turn_pass: Pass) -> JsonMap:
    return {
        "number": turn_pass.number,
        "kind": _KIND_NAMES[turn_pass.kind],
        "next": _KIND_NAMES[turn_pass.next_kind],
        "depth": turn_pass.depth,
        "candidates": list(turn_pass.candidates),
        "successful": list(turn_pass.successful),
        "base_tokens": turn_pass.base_tokens,
        "activated_total": turn_pass.activated_total,
        "overflowed": turn_pass.overflowed,
        "level": json_value(turn_pass.level),
        "levels_left": [json_value(level) for level in turn_pass.levels_left],
        "recursed": [{"entry": index, "text": text} for index, text in turn_pass.recursed],
    }


def _ledger_row(row: LedgerRow) -> JsonMap:
    return {
        "entry": row.index,
        "pass": row.turn_pass,
        "tokens": row.tokens,
        "total": row.total,
        "admitted": row.admitted,
        "ignores_budget": row.ignores_budget,
    }


def _draw(draw: Draw) -> JsonMap:
    return {
        "value": draw.value,
        "for": draw.source,
        "pass": draw.turn_pass,
        "entry": draw.index,
        "group": draw.group or None,
        "passed": draw.passed,
        "against": [json_value(edge) for edge in draw.edges],
    }


def _slots(assembly: Assembly) -> JsonMap:
    """Where the texts went, each list as it reads from the top."""
    slots = assembly.slots

    def listed(texts: Iterable[tuple[int, str]]) -> list[JsonMap]:
        return [{"entry": index, "text": text} for index, text in texts]

    return {
        "before": listed(slots.before),
        "after": listed(slots.after),
        "note_top": listed(slots.note_top),
        "note_bottom": listed(slots.note_bottom),
        "examples_top": listed((item.index, item.content) for item in slots.examples if item.position == 0),
        "examples_bottom": listed((item.index, item.content) for item in slots.examples if item.position == 1),
        "depths": [
            {
                "depth": json_value(record.depth),
                "role": json_value(record.role),
                "texts": listed(zip(record.indices, record.texts, strict=True)),
            }
            for record in slots.depths
        ],
        "outlets": {name: listed(texts) for name, texts in slots.outlets.items()},
    }


def _effects(assembly: Assembly, kind: str) -> list[JsonMap]:
    """Sticky effects or cooldowns as the turn leaves them."""
    records = assembly.effects.sticky if kind == "sticky" else assembly.effects.cooldown
    active = assembly.effects.sticky_now if kind == "sticky" else assembly.effects.cooldown_now
    return [
        {
            "identity": identity,
            "start": json_value(effect.start),
            "end": json_value(effect.end),
            "protected": effect.protected,
            "active": effect.fingerprint in active,
        }
        for identity, effect in records.items()
    ]


def _evidence(proof: Evidence) -> JsonMap:
    return {
        "window_depth": json_value(proof.window_depth),
        "keys": [_finding(finding) for finding in proof.keys],
        "secondary": [_finding(finding) for finding in proof.secondary],
        "path": list(proof.path),
        "standing_before": [_ledger_row(row) for row in proof.standing_before],
        "own_row": _ledger_row(proof.own_row) if proof.own_row else None,
    }


def _finding(finding: KeyFinding) -> JsonMap:
    return {
        "key": finding.key,
        "kind": finding.kind,
        "matched": finding.matched,
        "hits": [
            {
                "origin": hit.origin,
                "name": hit.name,
                "message": hit.message,
                "start": hit.start,
                "end": hit.end,
                "found": hit.text[hit.start : hit.end],
                "woken_by": hit.woken_by,
                "runs_on": hit.runs_on,
            }
            for hit in finding.hits
        ],
        "near": [
            {"kind": near.kind, "found": near.found, "message": near.message, "note": near.note}
            for near in finding.near
        ],
        "note": finding.note or None,
    }
