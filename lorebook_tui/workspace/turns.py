"""Which turns of a chat there were, which of them are asked for, and the replay that leads to them."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from lorebook_tui.display import quote
from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.errors import UsageError
from lorebook_tui.model.scenario import Step
from lorebook_tui.workspace.workspace import scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.prompt import AssembledPrompt, PromptSettings
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.workspace.workspace import Workspace

Played = TypeVar("Played")

MODES: Final = ("user", "each")
_RANGE: Final = re.compile(r"(\d+)(?:(?:-|\.\.)(\d+))?")


def schedule(given: Scenario, mode: str = "user") -> list[int]:
    """The turns of a chat, each named by the number of messages that exist when it is generated.

    Args:
        given: has the chat.
        mode: `user`: after each message of the user, as a chat really goes; `each`: after every message.

    Returns:
        Ascending numbers; a chat without messages of the user has the one turn after its last message.

    Raises:
        UsageError: another mode.
    """
    if mode not in MODES:
        raise UsageError(f"There are no turns called {quote(mode)}.", expected=" or ".join(MODES), found=mode)
    return [step.upto for step in steps(given, mode) or steps(given)]


def parse_turns(text: str, length: int) -> list[int]:
    """Turns as people list them: `12`, `3,5`, `4-9`; `last` is the length of the chat.

    Raises:
        UsageError: no such list, or a turn beyond the chat.
    """
    found: list[int] = []
    for part in text.split(","):
        word = part.strip()
        match = _RANGE.fullmatch(str(length) if word == "last" else word)
        if match is None:
            raise UsageError(
                f"{quote(text)} names no turns.",
                expected="numbers and ranges, such as 12 or 3,5-9",
                found=word or "nothing",
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last > length or first > last:
            raise UsageError(
                f"The chat has no turn {last}." if first <= last else f"The range {word} runs backwards.",
                expected=f"0 to {length}: the number of messages that exist at the turn",
                found=word,
            )
        found += range(first, last + 1)
    return found


@dataclass(frozen=True, slots=True)
class PromptTurn:
    """A turn with its prompt."""

    assembly: Assembly
    """The scan that the prompt was made from."""
    prompt: AssembledPrompt | None = None
    """None: the scan stopped with an error."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A chat made ready to be replayed."""

    simulation: Simulation
    turns: tuple[int, ...]
    """The turns that really happened, ascending."""

    @property
    def last(self) -> int:
        """The last of them."""
        return self.turns[-1]

    def run(self, asked: Iterable[int], watch: Callable[[int], None] | None = None) -> Iterator[Assembly]:
        """The asked turns, ascending, each after all turns before it, so that timed effects stand as they would.

        A turn that is not on the schedule is looked at in passing: what it does to timed effects, variables and the
        random stream is forgotten before the next one.

        Args:
            asked: turns, in any order.
            watch: told of every turn that is assembled on the way.
        """

        def scan(turn: int, state: State) -> tuple[Assembly, State]:
            assembly = self.simulation.assemble(Step(turn), state)
            return assembly, assembly.state

        return self._play(asked, watch, scan)

    def prompts(
        self, asked: Iterable[int], settings: PromptSettings, watch: Callable[[int], None] | None = None
    ) -> Iterator[PromptTurn]:
        """The same with the prompt of every turn, those on the way too: what macros in a prompt do is carried on.

        Args:
            asked: turns, in any order.
            settings: what shapes the prompts.
            watch: told of every turn that is assembled on the way.
        """
        from lorebook_tui.engine.prompt import assemble_prompt  # noqa: PLC0415 - a scan needs no prompt

        def generate(turn: int, state: State) -> tuple[PromptTurn, State]:
            assembly = self.simulation.assemble(Step(turn), state)
            if assembly.error:
                return PromptTurn(assembly), assembly.state
            prompt = assemble_prompt(self.simulation, assembly, settings)
            return PromptTurn(prompt.assembly, prompt), prompt.state

        return self._play(asked, watch, generate)

    def _play(
        self,
        asked: Iterable[int],
        watch: Callable[[int], None] | None,
        play: Callable[[int, State], tuple[Played, State]],
    ) -> Iterator[Played]:
        state = self.simulation.initial_state()
        scheduled = deque(self.turns)
        for turn in sorted(set(asked)):
            while scheduled and scheduled[0] < turn:
                number = scheduled.popleft()
                _, state = play(number, state)
                if watch is not None:
                    watch(number)
            played, after = play(turn, state)
            yield played
            if scheduled and scheduled[0] == turn:
                scheduled.popleft()
                state = after


def replay_of(workspace: Workspace, mode: str = "user") -> Replay:
    """The workspace's chat made ready.

    Raises:
        UsageError: an unknown tokenizer, engine or mode.
    """
    made = scenario(workspace)
    return Replay(Simulation(made, workspace.counter()), tuple(schedule(made, mode)))
