"""Time the answers to "why" in books of 100 to 10,000 entries, beside one turn and the compilation of the books.

usage: why.py [--rounds N] [--json]

Nothing here passes or fails. Every round asks about another turn of the chat, so that no answer comes from memory; the
entries asked about differ in what keeps them out (or are in, for the margin).
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.explain import explain
from lorebook_tui.engine.remedies import margin, proposals
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.scenario import Step
from lorebook_tui.tokens.registry import counter
from tests.parity.scenarios import to_scenario

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.model.scenario import Scenario

SCENARIOS = Path(__file__).parent / "scenarios.jsonl.gz"
WANTED_MS = 300
CASES: dict[str, dict[str, Any]] = {
    "in": {},
    "disabled": {"disable": True},
    "no key": {"key": ["a key that nobody says"]},
    "another case": {"caseSensitive": True, "key": "upper"},
    "cut": {"order": -1000, "budget": "own"},
    "two gates": {"triggers": ["quiet"], "key": ["a key that nobody says"]},
}
"""What is changed of an entry that is in."""
T = TypeVar("T")


def scenarios() -> Iterator[tuple[str, Scenario]]:
    """The scenarios of the bench."""
    with gzip.open(SCENARIOS, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield row["id"], to_scenario(row)[0]


def with_case(scenario: Scenario, assembly: Assembly, name: str) -> Scenario:
    """The scenario with the last admitted entry made into a case."""
    admitted = assembly.admitted[-1]
    old = assembly.entry(admitted.index).entry
    fields: dict[str, Any] = {**CASES[name]}
    settings = scenario.settings
    if fields.pop("budget", None):
        settings = settings.with_values({"world_info_budget": 100, "world_info_budget_cap": max(1, assembly.tokens)})
    if fields.get("key") == "upper":
        fields["key"] = [key.upper() for key in old.keys if not key.startswith("/")]
    new = replace(old, fields={**old.fields, **fields})

    def swap(books: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(
            replace(book, entries=tuple(new if entry is old else entry for entry in book.entries)) for book in books
        )

    layers = scenario.layers
    changed = replace(
        layers, global_=swap(layers.global_), character=swap(layers.character), persona=swap(layers.persona),
        chat=swap(layers.chat),
    )  # fmt: skip
    return replace(scenario, layers=changed, settings=settings)


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """What something gives, and the milliseconds it takes."""
    start = time.perf_counter()
    result = work()
    return result, (time.perf_counter() - start) * 1000


def measure(scenario: Scenario, name: str, rounds: int) -> dict[str, Any]:
    """One case: the compilation, a turn, the sentence, and the search; medians in milliseconds."""
    count = counter(scenario.tokenizer)
    length = len(scenario.transcript)
    plain = Simulation(scenario, count)
    made = with_case(scenario, plain.assemble(Step(length), plain.initial_state()), name)
    compiled = statistics.median(timed(Simulation(made, count).plan)[1] for _ in range(3))
    simulation = Simulation(made, count)
    state = simulation.initial_state()
    turns: list[float] = []
    told: list[float] = []
    asked: list[float] = []
    found: list[int] = []
    reasons: set[str] = set()
    for step in (Step(length - back) for back in range(rounds)):
        assembly, took = timed(partial(simulation.assemble, step, state))
        turns.append(took)
        index = target(assembly, scenario)
        reason = verdict(assembly, index).reason
        reasons.add(reason.code)
        told.append(timed(partial(explain, assembly, index))[1])
        ask: Callable[..., object] = margin if reason is Reason.IN_PROMPT else proposals
        answer, took = timed(partial(ask, simulation, step, state, assembly, index))
        asked.append(took)
        found.append(len(answer) if isinstance(answer, tuple) else 1)
    turn, search = statistics.median(turns), statistics.median(asked)
    return {
        "case": name,
        "verdicts": sorted(reasons),
        "compile_ms": compiled,
        "turn_ms": turn,
        "explain_ms": statistics.median(told),
        "remedies_ms": search,
        "remedies_per_turn": search / turn,
        "remedies_per_compile": search / compiled,
        "found": max(found),
    }


def target(assembly: Assembly, before: Scenario) -> int:
    """The load index of the entry that was changed; of the last one admitted if it is the same object still."""
    old = {id(entry) for _, book in before.layers for entry in book.entries}
    new = [compiled.index for compiled in assembly.plan.entries if id(compiled.entry) not in old]
    return new[0] if new else assembly.admitted[-1].index


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    rows = [
        {"scenario": number, **measure(scenario, name, options.rounds)}
        for number, scenario in scenarios()
        for name in CASES
    ]
    if options.json:
        print(json.dumps(rows, indent=2))
        return 0
    print(f"{'scenario':<22}{'case':<14}{'turn':>9}{'why':>9}{'remedies':>10}{'turns':>8}{'compiles':>10}  verdict")
    for row in rows:
        print(
            f"{row['scenario']:<22}{row['case']:<14}{row['turn_ms']:>6.1f} ms{row['explain_ms']:>6.1f} ms"
            f"{row['remedies_ms']:>7.1f} ms{row['remedies_per_turn']:>8.1f}{row['remedies_per_compile']:>10.2f}"
            f"  {', '.join(row['verdicts'])} ({row['found']} found)"
        )
    worst = max(row["remedies_ms"] + row["explain_ms"] for row in rows if row["scenario"].endswith("-1000"))
    print(f"\nthe slowest answer over 1,000 entries takes {worst / WANTED_MS:.2f} of the {WANTED_MS} ms aimed at")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
