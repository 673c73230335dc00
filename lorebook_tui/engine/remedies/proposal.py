"""What a proposal is: changes that were tried and turn the verdict, what they cost, and what else they do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.engine.remedies.changes import Change, Changes
    from lorebook_tui.engine.remedies.trials import SideEffect
    from lorebook_tui.engine.verdicts import Verdict


class Kind(StrEnum):
    """What is changed; stable names."""

    ENABLE = "enable"
    TRIGGERS = "triggers"
    CHARACTER_FILTER = "character_filter"
    NO_CHARACTER_FILTER = "no_character_filter"
    DELAY = "delay"
    COOLDOWN = "cooldown"
    STICKY = "sticky"
    DECORATOR = "decorator"
    SCAN_DEPTH = "scan_depth"
    GLOBAL_DEPTH = "global_depth"
    MIN_ACTIVATIONS = "min_activations"
    INCLUDE_NAMES = "include_names"
    SOURCE = "source"
    KEY_REPAIRED = "key_repaired"
    KEY_FLAG = "key_flag"
    KEY_ADDED = "key_added"
    KEY_SHORTENED = "key_shortened"
    KEY_FROM_TEXT = "key_from_text"
    CASE = "case"
    GLOBAL_CASE = "global_case"
    WHOLE_WORDS = "whole_words"
    GLOBAL_WHOLE_WORDS = "global_whole_words"
    SECONDARY_REMOVED = "secondary_removed"
    SECONDARY_ADDED = "secondary_added"
    LOGIC = "logic"
    SELECTIVE_OFF = "selective_off"
    RECURSION_FLAG = "recursion_flag"
    RECURSION_LEVEL = "recursion_level"
    RECURSION_ON = "recursion_on"
    RECURSION_STEPS = "recursion_steps"
    WAKER = "waker"
    PROBABILITY = "probability"
    LUCK = "luck"
    GROUP_OVERRIDE = "group_override"
    GROUP_WEIGHT = "group_weight"
    GROUP_LEFT = "group_left"
    GROUP_SCORING = "group_scoring"
    GROUP_RIVAL = "group_rival"
    ORDER = "order"
    STRATEGY = "strategy"
    IGNORE_BUDGET = "ignore_budget"
    SHORTEN = "shorten"
    SHORTEN_OTHER = "shorten_other"
    BUDGET = "budget"
    BUDGET_CAP = "budget_cap"
    CONTEXT = "context"
    POSITION = "position"
    OUTLET_NAME = "outlet_name"
    NOTE_INTERVAL = "note_interval"
    CONTENT = "content"
    UID = "uid"
    GROUP_NAME = "group_name"
    KEY_TYPE = "key_type"
    CONSTANT = "constant"


COSTS: Final[dict[Kind, int]] = {
    **dict.fromkeys(Kind, 2),
    **dict.fromkeys(
        (
            Kind.ENABLE, Kind.TRIGGERS, Kind.CHARACTER_FILTER, Kind.DELAY, Kind.COOLDOWN, Kind.DECORATOR,
            Kind.SCAN_DEPTH, Kind.KEY_REPAIRED, Kind.KEY_FLAG, Kind.RECURSION_FLAG, Kind.PROBABILITY, Kind.ORDER,
            Kind.POSITION, Kind.OUTLET_NAME, Kind.UID, Kind.GROUP_NAME, Kind.KEY_TYPE,
        ),
        1,
    ),
    **dict.fromkeys((Kind.SELECTIVE_OFF, Kind.IGNORE_BUDGET, Kind.LUCK, Kind.WAKER, Kind.NOTE_INTERVAL), 3),
    **dict.fromkeys(
        (
            Kind.KEY_SHORTENED, Kind.SHORTEN, Kind.GROUP_RIVAL, Kind.GLOBAL_DEPTH, Kind.RECURSION_ON,
            Kind.RECURSION_STEPS, Kind.BUDGET, Kind.BUDGET_CAP, Kind.INCLUDE_NAMES, Kind.GLOBAL_CASE,
            Kind.GLOBAL_WHOLE_WORDS,
        ),
        4,
    ),
    **dict.fromkeys((Kind.KEY_FROM_TEXT, Kind.SHORTEN_OTHER, Kind.STRATEGY, Kind.MIN_ACTIVATIONS), 5),
    Kind.CONTEXT: 6,
    Kind.CONSTANT: 8,
}  # fmt: skip
"""Size of a change: 1 a value of the entry itself, 2 to 3 a little more of it, from 4 on what touches all entries or
the author's text; a constant is the last resort."""
COST_OF_LOSS: Final = 2
COST_OF_GAIN: Final = 1


@dataclass(frozen=True, slots=True)
class Option:
    """Changes worth trying."""

    kind: Kind
    changes: Changes
    phrase: str
    """The changes in words that can stand before "it is in"."""
    is_example: bool = False
    """The new text is one of many that would do."""
    extra: int = 0
    """What it costs beyond others of its kind."""

    @property
    def size(self) -> int:
        """What it costs, side effects aside."""
        return COSTS[self.kind] + self.extra


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes with which the entry's text is in the prompt; tried out on the turn."""

    kinds: tuple[Kind, ...]
    """What is changed, one kind per step."""
    changes: Changes
    sentence: str
    """In one sentence, what else happens in brackets. May quote foreign text."""
    verdict_after: Verdict
    """The verdict with the changes; its load index is that of the turn that was asked about."""
    side_effects: tuple[SideEffect, ...]
    """All other entries that come into the prompt or drop out of it."""
    cost: int
    is_example: bool = False
    """A new text in it is one of many that would do: a shorter one, any text at all."""
    replayed: bool = False
    """Tried with the changes made before the first turn; else on this turn alone, with what the others left."""

    @property
    def kind(self) -> Kind:
        """What is changed first."""
        return self.kinds[0]

    @property
    def change(self) -> Change:
        """The first change; the only one, mostly."""
        return self.changes[0]


def cost_of(effects: tuple[SideEffect, ...]) -> int:
    """What the other entries pay: twice as much for one that drops out as for one that comes in."""
    losses = sum(effect.is_loss for effect in effects)
    return COST_OF_LOSS * losses + COST_OF_GAIN * (len(effects) - losses)
