"""Time turns, cold turns, replays, edits, the start and the linter, beside the real program if an installed oracle is given.

usage: run.py [--oracle FOLDER] [--rounds N] [--json]

Nothing here passes or fails: clocks of shared machines decide nothing. Every timed turn holds a message that the process
has not seen before, and its verdict counts, order and texts are made out. `--oracle` runs `node oracle.mjs --bench` in that
folder on the same scenarios within this run, so that the two can be compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.verdicts import counts
from lorebook_tui.model.scenario import Step
from lorebook_tui.model.transcript import Message
from lorebook_tui.tokens.registry import counter
from tests.bench.edits import edit_times
from tests.bench.lint import command_seconds, edited_times, large_book, reading_seconds
from tests.parity.scenarios import to_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.tui.replay import Picture

SCENARIOS = Path(__file__).parent / "scenarios.jsonl.gz"
COLD_ROUNDS = 7
START_ROUNDS = 10
REPLAYED = 1000
EDITED_TURNS = 200
LINTED = 10_000
"""Entries of the book that is checked."""
LINT_ROUNDS = 3


@dataclass(frozen=True)
class Times:
    """Seconds of several rounds."""

    values: tuple[float, ...]

    @property
    def least(self) -> float:
        """The fastest round: what the machine can do when nobody else works."""
        return min(self.values)

    @property
    def middle(self) -> float:
        """The median."""
        return statistics.median(self.values)

    def told(self) -> str:
        """Least, median and greatest in milliseconds."""
        return " / ".join(f"{value * 1000:.3g}" for value in (self.least, self.middle, max(self.values)))


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    what: str
    ours: Times
    beside: str = ""
    """What it is compared with."""
    other: Times | None = None
    ratio: str = ""
    budget: str = ""


def clock(action: Callable[[], object]) -> float:
    """Seconds that an action takes."""
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def made_out(assembly: Assembly) -> tuple[object, ...]:
    """What a screen shows of a turn: verdict counts, the order of activation, and every text in its place."""
    slots = assembly.slots
    return (
        counts(assembly),
        [assembly.entry(admitted.index).identity for admitted in assembly.admitted],
        [
            "\n".join(text for _, text in texts)
            for texts in (slots.before, slots.after, slots.note_top, slots.note_bottom)
        ],
        [record.texts for record in slots.depths],
        [example.content for example in slots.examples],
        assembly.note.value,
        assembly.tokens,
    )


class Talk:
    """Messages in the words of a chat, each of them new to the process."""

    def __init__(self, scenario: Scenario) -> None:
        self.words = " ".join(message.text for message in scenario.transcript.messages).rstrip(".").split()
        self.length = len(scenario.transcript.messages[-1].text.split())
        self.random = random.Random(os.urandom(8))

    def messages(self, number: int) -> tuple[Message, ...]:
        """So many new messages of the chat's usual length, by user and character in turns."""
        return tuple(
            Message(" ".join(self.random.choices(self.words, k=self.length)) + ".", is_user=place % 2 == 0)
            for place in range(number)
        )


def read_scenarios() -> dict[str, Scenario]:
    """The scenarios by id."""
    with gzip.open(SCENARIOS, "rt", encoding="utf-8") as lines:
        return {row["id"]: to_scenario(row)[0] for row in map(json.loads, lines)}


def lengthened(scenario: Scenario, number: int) -> Scenario:
    """The same scenario with new messages at the end of its chat."""
    messages = scenario.transcript.messages + Talk(scenario).messages(number)
    return replace(scenario, transcript=replace(scenario.transcript, messages=messages))


def timed_turns(simulation: Simulation, lengths: Iterable[int], state: State) -> tuple[list[float], State]:
    """Seconds of each turn of a replay, what it shows made out, and the state afterwards."""
    seconds = []
    for upto in lengths:
        begun = time.perf_counter()
        assembly = simulation.assemble(Step(upto), state)
        made_out(assembly)
        seconds.append(time.perf_counter() - begun)
        state = assembly.state
    return seconds, state


def warm_turns(scenario: Scenario, rounds: int) -> Times:
    """Turns of a replay behind the scenario's own chat."""
    known = len(scenario.transcript.messages)
    longer = lengthened(scenario, rounds + 1)
    simulation = Simulation(longer, counter(longer.tokenizer))
    _, state = timed_turns(simulation, [known, known + 1], simulation.initial_state())
    seconds, _ = timed_turns(simulation, range(known + 2, known + rounds + 2), state)
    return Times(tuple(seconds))


def cold_turns(scenario: Scenario) -> Times:
    """First turns: everything compiled anew from books in memory."""

    seconds = []
    for _ in range(COLD_ROUNDS):
        longer = lengthened(scenario, 1)
        begun = time.perf_counter()
        simulation = Simulation(longer, counter(longer.tokenizer))
        made_out(simulation.assemble(Step(len(longer.transcript)), simulation.initial_state()))
        seconds.append(time.perf_counter() - begun)
    return Times(tuple(seconds))


def real_program(folder: Path) -> dict[str, Times]:
    """Warm turns of the real program by scenario: (least, median, greatest) of its batches."""
    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "scenarios.jsonl"
        plain.write_bytes(gzip.decompress(SCENARIOS.read_bytes()))
        done = subprocess.run(
            ["node", "oracle.mjs", "--bench", str(plain)],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            encoding="utf-8",
        )
    rows: list[Mapping[str, Any]] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return {row["id"]: Times(tuple(row[f"{name}_ms"] / 1000 for name in ("min", "median", "max"))) for row in rows}


def faster(real: Times | None, ours: Times) -> str:
    """How many times faster, by the fastest rounds and by the medians."""
    return f"{real.least / ours.least:,.3g} × ({real.middle / ours.middle:,.3g} ×)" if real else ""


def turn_rows(scenarios: Mapping[str, Scenario], real: Mapping[str, Times], rounds: int) -> list[Row]:
    """Warm and cold turns beside the real program's warm ones, and how they grow."""
    budgets = {"1000": "≥ 100 ×", "10000": "≥ 1,000 ×"}
    warm = {name: warm_turns(scenario, rounds) for name, scenario in scenarios.items()}
    rows = [
        Row(
            f"turn, {name}",
            ours,
            "real warm turn",
            real.get(name),
            faster(real.get(name), ours),
            budgets.get(name.split("-")[-1], ""),
        )
        for name, ours in warm.items()
    ]
    for name, scenario in scenarios.items():
        ours = cold_turns(scenario)
        rows.append(
            Row(f"cold turn, {name}", ours, "real warm turn", real.get(name), faster(real.get(name), ours), "> 1 ×")
        )
    for kind in ("plain", "recursive"):
        many, few = warm[f"bench-{kind}-10000"], warm[f"bench-{kind}-1000"]
        rows.append(Row(f"growth, {kind}: 10,000 entries", many, "1,000 entries", few, grown(many, few), "≤ 2 ×"))
    return rows


def grown(later: Times, earlier: Times) -> str:
    """How many times longer, by the fastest rounds and by the medians."""
    return f"{later.least / earlier.least:.3g} × ({later.middle / earlier.middle:.3g} ×)"


def replay_rows(scenario: Scenario, real: Times | None) -> list[Row]:
    """A long replay: its turns around message 100 and before the last one, and all of it."""
    chat = replace(scenario.transcript, messages=Talk(scenario).messages(REPLAYED))
    simulation = Simulation(replace(scenario, transcript=chat), counter(scenario.tokenizer))
    seconds, _ = timed_turns(simulation, range(1, REPLAYED + 1), simulation.initial_state())
    early, late = Times(tuple(seconds[50:150])), Times(tuple(seconds[-100:]))
    return [
        Row("replay, turns at message 1,000", late, "at message 100", early, grown(late, early), "≤ 1.2 ×"),
        Row(
            "replay, all turns but the first",
            Times(tuple(seconds[1:])),
            "real warm turn",
            real,
            faster(real, Times(tuple(seconds[1:]))),
            "≥ 100 ×",
        ),
    ]


def edit_rows(scenario: Scenario, rounds: int) -> list[Row]:
    """Edits as the screen makes them: the chosen turn, and the whole timeline, beside a replay from scratch."""
    found = []
    for times in edit_times(lengthened(scenario, max(0, EDITED_TURNS - len(scenario.transcript))), rounds, seen):
        look, whole, scratch = Times(times.look), Times(times.whole), Times(times.scratch)
        found += [
            Row(f"edit, {times.what}: turn", look, "from scratch", scratch, faster(scratch, look), "< 50 ms"),
            Row(f"edit, {times.what}: all", whole, "from scratch", scratch, faster(scratch, whole)),
        ]
    return found


def seen(picture: Picture) -> object:
    """What a screen makes of a picture."""
    return made_out(picture.assembly)


def start_rows() -> list[Row]:
    """How long the command takes to say its version and its help, beside a Python that does nothing."""

    def started(*arguments: str) -> Times:
        command = [sys.executable, *arguments]
        return Times(
            tuple(
                clock(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL))
                for _ in range(START_ROUNDS)
            )
        )

    bare = started("-c", "pass")
    found = []
    for option in ("--version", "--help"):
        ours = started("-m", "lorebook_tui", option)
        found.append(Row(f"lorebook {option}", ours, "bare Python", bare, grown(ours, bare), "< 150 ms"))
    return found


def lint_rows() -> list[Row]:
    """The linter on a large book: the whole command beside reading the file, and an edit beside the first look."""
    from lorebook_tui.formats import detect

    data = large_book(LINTED)
    command = Times(tuple(command_seconds(data) for _ in range(LINT_ROUNDS)))
    reading = Times(tuple(reading_seconds(data) for _ in range(LINT_ROUNDS)))
    times = edited_times(detect.load(data, "large.json"), LINT_ROUNDS)
    first = Times(tuple(times.pop("all quick rules")))
    name = f"{LINTED:,} entries"
    return [
        Row(f"lorebook check, {name}", command, "reading the file", reading, grown(command, reading), "< 5 s"),
        *(
            Row(
                f"check again, {what}",
                Times(tuple(seconds)),
                "first look",
                first,
                faster(first, Times(tuple(seconds))),
                "< 30 ms",
            )
            for what, seconds in times.items()
        ),
    ]


def show(rows: Iterable[Row]) -> None:
    """Print the table."""
    print("min / median / max in ms; ratios by min (by median)\n")
    for row in rows:
        other = f"{row.beside} {row.other.told()}" if row.other else ""
        budget = f"budget {row.budget}" if row.budget else ""
        print(f"{row.what:36} {row.ours.told():24} {other:42} {row.ratio:24} {budget}".rstrip())


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--oracle", type=Path, help="folder of an installed oracle (oracle.mjs)")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", action="store_true", help="print one JSON object a line instead of the table")
    options = parser.parse_args(arguments)
    scenarios = read_scenarios()
    real = real_program(options.oracle) if options.oracle else {}
    thousand = scenarios["bench-recursive-1000"]
    rows = [
        *turn_rows(scenarios, real, options.rounds),
        *replay_rows(thousand, real.get("bench-recursive-1000")),
        *edit_rows(thousand, min(options.rounds, 20)),
        *start_rows(),
        *lint_rows(),
    ]
    if options.json:
        for row in rows:
            times = {"ours_ms": [value * 1000 for value in row.ours.values]}
            print(json.dumps({"what": row.what, **times, "ratio": row.ratio, "budget": row.budget}, ensure_ascii=False))
    else:
        show(rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
