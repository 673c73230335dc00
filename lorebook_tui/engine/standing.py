"""What an assembled prompt leaves for the next turn: outlets and depth texts of a dry run, and where the chat began."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.engine.chance import RandomState

if TYPE_CHECKING:
    from collections.abc import Mapping

DICE_SEED = 1


@dataclass(frozen=True, slots=True)
class StandingPrompt:
    """A depth text that a dry run left in the table of injected prompts."""

    name: str
    text: str
    depth: float
    role: float


@dataclass(frozen=True, slots=True)
class Standing:
    """SillyTavern 1.19: a real generation drops its outlets and depth texts at its end, a dry run leaves them."""

    outlets: Mapping[str, str] = field(default_factory=dict)
    depths: tuple[StandingPrompt, ...] = ()
    first_in_context: int | None = None
    """Number of the first message of the chat in the last real prompt."""
    generation_type: str = ""
    """The kind of the last real generation."""
    unshown: frozenset[str] = frozenset()
    """Fields of which it was told that the story string does not show them."""
    dice: RandomState = RandomState(DICE_SEED)
    """The stream of dice outside the scan."""
