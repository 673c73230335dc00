"""Remedies as JSON, and the definitions of its schema: the block `remedies` of an entry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.document_json import json_value
from lorebook_tui.engine.remedies.changes import EntryChange, SettingChange
from lorebook_tui.engine.remedies.proposal import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.engine.remedies.changes import Change
    from lorebook_tui.engine.remedies.margin import Margin
    from lorebook_tui.engine.remedies.proposal import Proposal
    from lorebook_tui.engine.remedies.trials import SideEffect

JsonMap = dict[str, Any]


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


def _closed(description: str, **properties: JsonMap) -> JsonMap:
    """A closed object, all of its properties required. A trailing underscore of a name is dropped."""
    named = {name.rstrip("_"): schema for name, schema in properties.items()}
    return {
        "type": "object",
        "description": description,
        "properties": named,
        "required": list(named),
        "additionalProperties": False,
    }


def _typed(kind: str | list[str], description: str, **more: Any) -> JsonMap:
    return {"type": kind, "description": description, **more}


def _listed(items: JsonMap, description: str) -> JsonMap:
    return {"type": "array", "items": items, "description": description}


_REASON: Final = {"$ref": "#/$defs/reason"}
_EFFECT: Final = {"$ref": "#/$defs/side_effect"}
_TEXT: Final = {"type": "string"}

REMEDY_DEFS: Final[dict[str, JsonMap]] = {
    "remedies": _closed(
        "What would turn the verdict; tried out on the turn.",
        proposals=_listed({"$ref": "#/$defs/proposal"}, "Changes that bring the entry in, the cheapest first."),
        margin={
            "anyOf": [{"$ref": "#/$defs/margin"}, {"type": "null"}],
            "description": "What an entry that is in could lose; null if it is out.",
        },
    ),
    "proposal": _closed(
        "Changes with which the entry's text is in the prompt.",
        kinds=_listed({"enum": [kind.value for kind in Kind]}, "What is changed, step by step."),
        changes=_listed({"$ref": "#/$defs/change"}, "The changes, all of them at once."),
        sentence=_typed("string", "The same in words, what else happens in brackets."),
        reason_after=_REASON,
        side_effects=_listed(_EFFECT, "All other entries that come into the prompt or drop out of it."),
        cost=_typed("integer", "Size of the changes and of what else they do.", minimum=0),
        example=_typed("boolean", "A new text in it is one of many that would do."),
        replayed=_typed("boolean", "Tried from the first turn on, not on this turn alone."),
    ),
    "change": _closed(
        "Another value of a field of an entry, or of a setting.",
        entry=_typed(["integer", "null"], "Load index of the entry; null for a setting.", minimum=0),
        field=_typed(["string", "null"], "SillyTavern's name of the field."),
        setting=_typed(["string", "null"], "A scan setting, `max_context` or `note_interval`."),
        old={"description": "The value as it is; null if there is none."},
        new={"description": "The value with which the entry is in."},
    ),
    "side_effect": _closed(
        "Another entry that comes in or drops out.",
        entry=_typed("integer", "Load index of the entry.", minimum=0),
        before=_REASON,
        after=_REASON,
    ),
    "margin": _closed(
        "What an entry that is in could lose before it is out.",
        tokens_left=_typed(
            ["integer", "null"], "Tokens by which what stands before it may grow; null if no budget cuts it.", minimum=0
        ),
        lowest_order=_typed(["number", "null"], "The lowest order with which it is in; null for any."),
        keys=_listed(_TEXT, "Keys of which each alone, taken away, silences it."),
        keys_matched=_typed("integer", "Primary keys that match; 0 if none is needed.", minimum=0),
        rolls=_listed(
            _closed(
                "A random number that could have kept it out.",
                for_={"enum": ["probability", "group"]},
                group=_typed(["string", "null"], "The group."),
                odds=_typed("number", "The share of numbers with which it is in.", minimum=0, maximum=1),
                value=_typed("number", "The number it was."),
            ),
            "The dice it survived.",
        ),
        without=_listed(_EFFECT, "Who comes in or goes out if it is disabled."),
        sentences=_listed(_TEXT, "The same in words."),
    ),
}
"""`$defs` of the trace's schema."""
