"""Time odds: turns per second in one process and in a pool, beside the same turns run one by one.

usage: odds.py [--runs N] [--json]

Nothing here passes or fails. Three worlds: a tiny one, a hundred entries with dice in their texts, and the sample with its
own tokenizer. `plain` is the engine's front door in a loop, so that the ratio tells what counting costs; `exact` is the
time to run through all ways the dice of a turn can fall.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lorebook_tui.engine.assemble import Simulation, replay
from lorebook_tui.engine.odds import exact_chat, sampled_chat
from lorebook_tui.engine.reseeded import Reseeded
from lorebook_tui.model.book import Book
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import template
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import RandomSource, Scenario, Step
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.registry import counter
from lorebook_tui.workspace.odds_pool import Effort, odds_over_chat
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.turns import Replay, replay_of

if TYPE_CHECKING:
    from collections.abc import Callable

WAYS = 512
SAMPLE = Path(__file__).resolve().parents[2] / "sample_books" / "harrowmere"


@dataclass(frozen=True)
class Row:
    """One world's figures, in turns per second."""

    name: str
    turns: int
    plain: float
    sampled: float
    pooled: float
    exact: float | None
    """None: too many ways."""


def world(entries: int, texts: tuple[str, ...], *, dice_in_texts: bool) -> Scenario:
    """A world in which every third entry rolls and every fifth is in a group."""

    def fields(uid: int) -> dict[str, Any]:
        return {
            **template(),
            "uid": uid,
            "key": [f"topic{uid}"],
            "content": f"Lore of topic {uid}. " * 5 + ("{{roll:d6}}" if dice_in_texts else ""),
            "probability": 50 if uid % 3 == 0 else 100,
            "group": "group" if uid % 5 == 0 else "",
            "order": uid,
        }

    book = Book("bench", tuple(Entry(fields(uid), str(uid)) for uid in range(entries)))
    chat = tuple(Message(text, is_user=number % 2 == 0) for number, text in enumerate(texts))
    return Scenario(layers=Layers((book,)), transcript=Transcript(chat))


def replayed(made: Scenario, tokenizer: str) -> Replay:
    """The chat of a scenario, a turn after each message of the user."""
    turns = tuple(range(1, len(made.transcript) + 1, 2))
    return Replay(Simulation(replace(made, tokenizer=tokenizer), counter(tokenizer)), turns)


def timed(work: Callable[[], object]) -> float:
    """Seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def measured(name: str, chat: Replay, runs: int) -> Row:
    """All figures of one chat; each is warmed up once."""
    steps = [Step(turn) for turn in chat.turns]
    simulation = chat.simulation
    reseeded = Reseeded(simulation)
    sampled_chat(reseeded, steps, range(2))

    def plain() -> None:
        for seed in range(runs):
            state = simulation.initial_state()
            first = replace(steps[0], random=RandomSource(seed))
            for _ in replay(simulation, [first, *steps[1:]], state):
                pass

    all_turns = runs * len(steps)
    exact = exact_chat(reseeded, steps, WAYS)
    exact_turns = sum(turn.runs for turn in exact.turns)
    effort = Effort(runs, 1, most_ways=1)
    return Row(
        name,
        all_turns,
        all_turns / timed(plain),
        all_turns / timed(lambda: sampled_chat(reseeded, steps, range(runs))),
        all_turns / timed(lambda: odds_over_chat(chat, effort)),
        None if exact.why_estimated else exact_turns / timed(lambda: exact_chat(reseeded, steps, WAYS)),
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=300, help="replays of each chat")
    parser.add_argument("--json", action="store_true", help="figures for tools")
    asked = parser.parse_args()
    few = tuple(f"We talk of topic{number} and topic{number + 1}." for number in range(6))
    many = tuple(
        f"Of topic{number * 6}, " + ", ".join(f"topic{number * 6 + more}" for more in range(8)) for number in range(8)
    )
    rows = [
        measured("5 entries", replayed(world(5, few, dice_in_texts=False), "estimate"), asked.runs),
        measured(
            "100 entries, dice in texts", replayed(world(100, many, dice_in_texts=True), "cl100k_base"), asked.runs
        ),
        measured("sample", replay_of(open_workspace([SAMPLE])), max(1, asked.runs // 5)),
    ]
    if asked.json:
        sys.stdout.write(json.dumps([row.__dict__ for row in rows], indent=2) + "\n")
        return
    for row in rows:
        exact = f"{row.exact:8,.0f}" if row.exact else "       –"
        print(
            f"{row.name:<28} {row.turns:6,} turns: plain {row.plain:8,.0f}/s, sampled {row.sampled:8,.0f}/s "
            f"(× {row.sampled / row.plain:.2f}), pool {row.pooled:8,.0f}/s (× {row.pooled / row.plain:.2f}), exact {exact}/s"
        )


if __name__ == "__main__":
    main()
