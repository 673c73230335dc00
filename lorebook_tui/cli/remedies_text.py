"""What would change a verdict: proposals for an entry that is out, the margin of one that is in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import plain
from lorebook_tui.engine.assemble import replay
from lorebook_tui.engine.remedies import margin, proposals
from lorebook_tui.model.scenario import Step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.engine.remedies import Margin, Proposal
    from lorebook_tui.workspace.turns import Replay

MOST_REPLAYED: Final = 200
"""Turns up to which a proposal is tried from the beginning of the chat, and not on its turn alone."""
_NOTHING: Final = "Nothing was found that would bring it in."


@dataclass(frozen=True)
class Remedies:
    """What was found about one entry at one turn."""

    proposals: tuple[Proposal, ...]
    margin: Margin | None

    def as_json(self) -> dict[str, Any]:
        """The block `remedies` of an entry."""
        from lorebook_tui.engine.remedies.remedy_json import remedies_json  # noqa: PLC0415 - only for JSON

        return remedies_json(self.proposals, self.margin)

    def write(self, writer: Writer) -> None:
        """A section of its own, a sentence a line."""
        writer.line()
        writer.heading("What would change it" if self.margin is None else "How safe it is")
        sentences = [proposal.sentence for proposal in self.proposals] or [_NOTHING]
        for sentence in sentences if self.margin is None else self.margin.sentences:
            writer.wrapped(plain(sentence, " "), indent="  ", hang="    ")


def remedies_of(replayed: Replay, assembly: Assembly, state: State, index: int) -> Remedies:
    """Search for what would bring an entry in, or lose it.

    Args:
        replayed: made the turn.
        assembly: the turn.
        state: what the turns before left.
        index: load index of the entry.
    """
    simulation, step = replayed.simulation, Step(assembly.upto)
    before = [Step(turn) for turn in replayed.turns if turn < assembly.upto]

    def earlier(changed: Simulation) -> Iterator[Assembly]:
        return replay(changed, before)

    found = proposals(
        simulation, step, state, assembly, index, earlier=earlier if len(before) <= MOST_REPLAYED else None
    )
    return Remedies(found, margin(simulation, step, state, assembly, index))
