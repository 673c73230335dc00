"""Remedies as JSON, and the definitions of its schema: the block `remedies` of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.document_json import json_value
from lorebook_tui.engine.json_schema import (
    ANYTHING,
    COUNT,
    FLAG,
    NUMBER,
    SHARE,
    TEXT,
    JsonMap,
    closed,
    described,
    listed,
    or_null,
    ref,
)
from lorebook_tui.engine.remedies.changes import EntryChange, SettingChange
from lorebook_tui.engine.remedies.proposal import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.engine.remedies.changes import Change
    from lorebook_tui.engine.remedies.margin import Margin
    from lorebook_tui.engine.remedies.proposal import Proposal
    from lorebook_tui.engine.remedies.trials import SideEffect


def remedies_json(proposals: Iterable[Proposal], margin: Margin | None) -> JsonMap:
    """What would turn the verdict about an entry: how it would come in, or how it would be lost."""
    return {
        "proposals": [_proposal(proposal) for proposal in proposals],
        "margin": None if margin is None else _margin(margin),
    }


def _proposal(proposal: Proposal) -> JsonMap:
    return {
        "kinds": [kind.value for kind in proposal.kinds],
        "changes": [_change(change) for change in proposal.changes],
        "sentence": proposal.sentence,
        "reason_after": proposal.verdict_after.reason.code,
        "side_effects": [_effect(effect) for effect in proposal.side_effects],
        "cost": proposal.cost,
        "example": proposal.is_example,
        "replayed": proposal.replayed,
    }


def _change(change: Change) -> JsonMap:
    entry = change if isinstance(change, EntryChange) else None
    return {
        "entry": entry.index if entry else None,
        "field": entry.field if entry else None,
        "setting": change.name if isinstance(change, SettingChange) else None,
        "old": json_value(change.old),
        "new": json_value(change.new),
    }


def _effect(effect: SideEffect) -> JsonMap:
    return {"entry": effect.index, "before": effect.before.code, "after": effect.after.code}


def _margin(margin: Margin) -> JsonMap:
    return {
        "tokens_left": margin.tokens_left,
        "lowest_order": margin.lowest_order,
        "keys": list(margin.keys),
        "keys_matched": margin.keys_matched,
        "rolls": [
            {"for": roll.source, "group": roll.group or None, "odds": roll.odds, "value": roll.value}
            for roll in margin.rolls
        ],
        "without": [_effect(effect) for effect in margin.without],
        "sentences": list(margin.sentences),
    }


_EFFECT: Final = ref("side_effect")

REMEDY_DEFS: Final[JsonMap] = {
    "remedies": closed(
        "What would turn the verdict; tried out on the turn.",
        proposals=listed(ref("proposal"), "Changes that bring the entry in, the cheapest first."),
        margin=or_null(ref("margin"), "What an entry that is in could lose; null if it is out."),
    ),
    "proposal": closed(
        "Changes with which the entry's text is in the prompt.",
        kinds=listed({"enum": [kind.value for kind in Kind]}, "What is changed, step by step."),
        changes=listed(ref("change"), "The changes, all of them at once."),
        sentence=described(TEXT, "The same in words, what else happens in brackets."),
        reason_after=ref("reason"),
        side_effects=listed(_EFFECT, "All other entries that come into the prompt or drop out of it."),
        cost=described(COUNT, "Size of the changes and of what else they do."),
        example=described(FLAG, "A new text in it is one of many that would do."),
        replayed=described(FLAG, "Tried from the first turn on, not on this turn alone."),
    ),
    "change": closed(
        "Another value of a field of an entry, or of a setting.",
        entry=or_null(COUNT, "Load index of the entry; null for a setting."),
        field=or_null(TEXT, "SillyTavern's name of the field."),
        setting=or_null(TEXT, "A scan setting, `max_context` or `note_interval`."),
        old=described(ANYTHING, "The value as it is; null if there is none."),
        new=described(ANYTHING, "The value with which the entry is in."),
    ),
    "side_effect": closed(
        "Another entry that comes in or drops out.",
        entry=described(COUNT, "Load index of the entry."),
        before=ref("reason"),
        after=ref("reason"),
    ),
    "margin": closed(
        "What an entry that is in could lose before it is out.",
        tokens_left=or_null(COUNT, "Tokens by which what stands before it may grow; null if no budget cuts it."),
        lowest_order=or_null(NUMBER, "The lowest order with which it is in; null for any."),
        keys=listed(TEXT, "Keys of which each alone, taken away, silences it."),
        keys_matched=described(COUNT, "Primary keys that match; 0 if none is needed."),
        rolls=listed(
            closed(
                "A random number that could have kept it out.",
                for_={"enum": ["probability", "group"], "description": "What it was drawn for."},
                group=or_null(TEXT, "The group."),
                odds=described(SHARE, "The share of numbers with which it is in."),
                value=described(NUMBER, "The number it was."),
            ),
            "The dice it survived.",
        ),
        without=listed(_EFFECT, "Who comes in or goes out if it is disabled."),
        sentences=listed(TEXT, "The same in words."),
    ),
}
"""`$defs` of the schema of `lorebook why`; it knows the reasons, too."""
