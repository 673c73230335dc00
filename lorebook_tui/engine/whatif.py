"""What a message that was never sent would wake: one more turn of a chat that nobody has to write down."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from lorebook_tui.engine.evidence import message_hits
from lorebook_tui.engine.grown import grown
from lorebook_tui.engine.waking import waking_tree
from lorebook_tui.model.scenario import Step
from lorebook_tui.model.transcript import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.engine.waking import Waking, WakingTree


@dataclass(frozen=True)
class WhatIf:
    """A turn after a message that was never sent."""

    text: str
    """The message. Foreign text."""
    message: int
    """Its place in the chat, counted from 0."""
    assembly: Assembly
    """Its load indices are those of the simulation that was asked."""
    waking: WakingTree

    @cached_property
    def spans(self) -> tuple[tuple[int, int, int], ...]:
        """Where keys of activated entries stand in the message: (start, end, load index)."""
        return message_hits(self.assembly).get(self.message, ())

    @cached_property
    def triggered(self) -> Mapping[int, Waking]:
        """What a key in the message woke, and what the texts of these woke in turn; by load index, the woken first."""
        directly = {index for _, _, index in self.spans}
        found: dict[int, Waking] = {}
        for index, waking in self.waking.wakings.items():
            hit = waking.hit
            here = index in directly or (hit is not None and hit.message == self.message)
            if here or waking.by in found:
                found[index] = waking
        return found


def what_if(
    simulation: Simulation,
    state: State,
    text: str,
    *,
    upto: int,
    is_user: bool = True,
    name: str | None = None,
    step: Step | None = None,
) -> WhatIf:
    """The turn after one more message; nothing of the simulation or the state changes.

    Args:
        simulation: of the chat as it is.
        state: what the turns before the message left.
        text: the message.
        upto: so many messages of the chat stand before it.
        is_user: whether the user says it.
        name: who says it; None: the persona or the character.
        step: what else is asked of the turn; its length does not count.
    """
    chat = simulation.scenario.transcript
    line = Message(text, name, is_user=is_user)
    messages = (*chat.messages[:upto], line)
    scenario = replace(simulation.scenario, transcript=replace(chat, messages=messages))
    asked = replace(step or Step(0), upto=len(messages))
    assembly = grown(simulation, scenario).assemble(asked, state)
    return WhatIf(text, len(messages) - 1, assembly, waking_tree(assembly))
