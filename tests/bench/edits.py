"""Edits as the screen makes them: the chosen turn at once and the rest of the timeline, beside a replay from scratch.

usage: edits.py [--entries N] [--turns N] [--rounds N]

Seconds are of this process alone. Every round edits another entry of the replay that the round before has left.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lorebook_tui.model.book import Book
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.transcript import Message
from lorebook_tui.tokens.registry import counter
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import EVERY_TURN, Scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.tui.replay import Picture

    Edit = Callable[[Scenario, int], Scenario]


@dataclass(frozen=True)
class EditTimes:
    """Seconds of one kind of edit, round by round, and of a replay from scratch."""

    what: str
    look: tuple[float, ...]
    """Until the chosen turn, the last one, stands in full."""
    whole: tuple[float, ...]
    """Until every turn is known."""
    scratch: tuple[float, ...]
    """The same without what the replay before has left."""
    settled: int
    """Rounds in which the first look was no guess."""
    taken: int
    """Turns taken over, all rounds together."""


def with_changed_entry(scenario: Scenario, place: int, text: str) -> Scenario:
    """The same scenario with another content and one more key in one entry of its first global book."""
    book = scenario.layers.global_[0]
    entry = book.entries[place]
    fields = {**entry.fields, "content": text, "key": [*entry.keys, text]}
    entries = (*book.entries[:place], Entry(fields, entry.key, entry.path), *book.entries[place + 1 :])
    layers = replace(scenario.layers, global_=(Book(book.name, entries), *scenario.layers.global_[1:]))
    return scenario.with_layers(layers)


def finished(replay: Replay) -> Replay:
    """A replay with all its turns."""
    replay.prepare()
    while not replay.complete:
        replay.advance()
    return replay


def places(replay: Replay) -> tuple[list[int], list[int]]:
    """Places in the first global book of entries that many turns look at, and of those that none does."""
    seen = Counter(index for turn in replay.turns for index in turn.trail.judged)
    plan = replay.simulation.plan()
    often = [id(plan.entries[index].entry) for index, _ in seen.most_common()]
    at = {id(entry): place for place, entry in enumerate(replay.scene.scenario.layers.global_[0].entries)}
    busy = [at[ident] for ident in often if ident in at]
    return busy, [place for place in at.values() if place not in set(busy)]


def edits(replay: Replay) -> Iterator[tuple[str, Edit]]:
    """Kinds of edits: each takes a scenario and the number of the round."""
    busy, quiet = places(replay)
    if quiet:
        yield (
            "entry that no turn looks at",
            lambda given, number: with_changed_entry(given, quiet[number % len(quiet)], f"edited {number}"),
        )
    if busy:
        yield (
            "entry that turns look at",
            lambda given, number: with_changed_entry(given, busy[number % len(busy)], f"edited {number}"),
        )
    yield (
        "setting",
        lambda given, number: replace(given, settings=given.settings.with_values({"world_info_depth": 2 + number})),
    )
    yield "last message", _another_ending


def _another_ending(given: Scenario, number: int) -> Scenario:
    messages = (*given.transcript.messages[:-1], Message(f"Another end {number}.", is_user=True))
    return replace(given, transcript=replace(given.transcript, messages=messages))


def clocked(action: Callable[[], object]) -> float:
    """Seconds of this process."""
    begun = time.process_time()
    action()
    return time.process_time() - begun


def edit_times(scenario: Scenario, rounds: int, see: Callable[[Picture], object] | None = None) -> list[EditTimes]:
    """What each kind of edit takes.

    Args:
        scenario: books and a chat; a turn follows each of its messages.
        rounds: edits of each kind.
        see: what a screen makes of a picture; None: nothing beyond it.
    """
    see = see or (lambda picture: picture.turn)
    counting = counter(scenario.tokenizer)
    base = finished(Replay(Scene("bench", scenario), counting, EVERY_TURN))
    last = len(base.steps) - 1
    found = []
    for what, edit in edits(base):
        replay, looks, wholes, scratches, settled, taken = base, [], [], [], 0, 0
        for number in range(rounds):
            scene = Scene("bench", edit(replay.scene.scenario, number))
            gc.collect()
            begun = time.process_time()
            replay = replay.after(scene)
            picture = replay.look(last)
            see(picture)
            looks.append(time.process_time() - begun)
            settled += picture.settled
            finished(replay)
            replay.picture(last)
            wholes.append(time.process_time() - begun)
            taken += replay.taken_over
            fresh = Replay(scene, counting, EVERY_TURN)
            scratches.append(clocked(lambda fresh=fresh: see(finished(fresh).picture(last))))  # type: ignore[misc]
        found.append(EditTimes(what, tuple(looks), tuple(wholes), tuple(scratches), settled, taken))
    return found


def show(found: list[EditTimes]) -> None:
    """Print the table."""
    print("fastest round in ms of this process: chosen turn, all turns, from scratch; ratio of the last to the first\n")
    for times in found:
        look, whole, scratch = (min(values) * 1000 for values in (times.look, times.whole, times.scratch))
        settled = f"{times.settled} of {len(times.look)} looks settled, {times.taken} turns taken over"
        print(f"{times.what:28} {look:8.1f} {whole:8.1f} {scratch:8.1f} {scratch / look:8.3g} x   {settled}")


def main(arguments: list[str]) -> int:
    """Measure and print."""
    from tests.bench.run import lengthened, read_scenarios

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--entries", type=int, default=1000, choices=(100, 1000, 10000))
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args(arguments)
    scenario = read_scenarios()[f"bench-recursive-{options.entries}"]
    long = lengthened(scenario, max(0, options.turns - len(scenario.transcript)))
    print(f"{options.entries:,} entries, {len(long.transcript)} turns")
    show(edit_times(long, options.rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
