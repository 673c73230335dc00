"""An assembly in the interchange format."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.chance import Draw
    from lorebook_tui.engine.timed import Effect
    from lorebook_tui.engine.trace import Pass


def to_result(assembly: Assembly) -> dict[str, Any]:
    """One run."""
    slots = assembly.slots
    note = assembly.note
    return {
        "upto": assembly.upto,
        "trigger": assembly.turn.trigger,
        "dry_run": assembly.dry_run,
        "scanned_messages": assembly.turn.length,
        "activated": refs(assembly, (admitted.index for admitted in assembly.admitted)),
        "worldInfoBefore": "\n".join(text for _, text in slots.before),
        "worldInfoAfter": "\n".join(text for _, text in slots.after),
        "WIDepthEntries": [
            {
                "depth": None if record.depth is MISSING else record.depth,
                "role": record.role,
                "entries": list(record.texts),
            }
            for record in slots.depths
        ],
        "ANBeforeEntries": [text for _, text in slots.note_top],
        "ANAfterEntries": [text for _, text in slots.note_bottom],
        "EMEntries": [{"position": example.position, "content": example.content} for example in slots.examples],
        "outletEntries": {name: [text for _, text in texts] for name, texts in slots.outlets.items()},
        "authors_note": None
        if not note.exists
        else {
            "merged": note.merged,
            "value": note.value,
            "position": number(note.position),
            "depth": number(note.depth),
            "role": number(note.role),
            "scan": note.scan,
        },
        "budget": budget(assembly) if assembly.passes else None,
        "overflowed": assembly.overflowed,
        "tokens": assembly.tokens,
        "loops": [
            {
                "loop": turn_pass.number,
                "state": int(turn_pass.kind),
                "next": int(turn_pass.next_kind),
                "candidates": refs(assembly, turn_pass.candidates),
                "successful": refs(assembly, turn_pass.successful),
                "activated_total": turn_pass.activated_total,
                **levels(assembly, turn_pass),
                "overflowed": turn_pass.overflowed,
            }
            for turn_pass in assembly.passes
        ],
        "timed": {
            "sticky": effects(assembly, assembly.state.timed.sticky),
            "cooldown": effects(assembly, assembly.state.timed.cooldown),
        },
        "rng": random_numbers(assembly),
        "order": refs(assembly, range(len(assembly.plan.entries))),
    }


def budget(assembly: Assembly) -> float | None:
    """The budget as the program tells it: a cap with a fraction stays one, an endless budget is no number."""
    settings = assembly.plan.settings
    cap: float = settings.world_info_budget_cap
    if math.isfinite(cap) and 0 < cap < math.ceil(cap) == assembly.budget:
        return cap
    return None if math.isinf(settings.world_info_budget * assembly.turn.max_context) else assembly.budget


def levels(assembly: Assembly, turn_pass: Pass) -> dict[str, Any]:
    """Delay levels after a pass, spelled as in the file."""
    stored = assembly.plan.levels
    opened = len(stored) - len(turn_pass.levels_left)
    return {"level_after": stored[opened - 1] if opened else 0, "levels_left": stored[opened:]}


def refs(assembly: Assembly, indices: Iterable[int]) -> list[list[Any]]:
    """Entries as `[book, uid]`."""
    return [[assembly.entry(index).world, assembly.entry(index).uid] for index in indices]


def effects(assembly: Assembly, found: Mapping[str, Effect]) -> dict[str, Any]:
    """Timed effects; one whose entry is not loaded any more is stale."""
    listed = {}
    for identity, effect in found.items():
        row: dict[str, Any] = {
            "start": number(effect.start),
            "end": number(effect.end),
            "protected": effect.protected,
        }
        if assembly.plan.fingerprinted(identity, effect.fingerprint) is None:
            row["stale"] = True
        listed[identity] = row
    return listed


def number(value: float) -> float | None:
    """A number as JSON can hold it."""
    return value if math.isfinite(value) else None


def random_numbers(assembly: Assembly) -> dict[str, Any]:
    """The draws of a scan."""
    row: dict[str, Any] = {"draws": len(assembly.draws), "log": [draw_row(assembly, draw) for draw in assembly.draws]}
    if assembly.exhausted:
        row["exhausted"] = True
    return row


def draw_row(assembly: Assembly, draw: Draw) -> dict[str, Any]:
    """One draw."""
    row: dict[str, Any] = {"value": draw.value, "source": draw.source, "loop": draw.turn_pass}
    if draw.source == "group":
        row |= {"group": draw.group, "winner": refs(assembly, [draw.index])[0] if draw.index is not None else None}
    if draw.source == "probability":
        assert draw.index is not None
        row |= {"entry": refs(assembly, [draw.index])[0], "passed": draw.passed}
    return row
