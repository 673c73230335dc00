"""Run scenarios in the interchange format through the simulation API and write results in the same format.

usage: run.py SCENARIOS --out FILE [--sillytavern FOLDER]     (plain lines or .gz)

Expected results are never read. `--sillytavern` (or LOREBOOK_SILLYTAVERN) points to an installation whose tokenizer files
may be used; without it, tokenizers that do not ship with the project are approximated.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lorebook_tui.engine.assemble import Simulation, steps
from lorebook_tui.engine.prompt import assemble_prompt
from lorebook_tui.errors import LorebookError
from lorebook_tui.tokens.registry import counter
from tests.parity.conversions import conversion, is_conversion
from tests.parity.prompt_settings import settings_from
from tests.parity.prompts import prompt_result
from tests.parity.results import to_result
from tests.parity.scenarios import StepReader, asks_for_prompt, to_scenario

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lorebook_tui.model.scenario import Step


def opened(path: Path, mode: str) -> TextIO:
    """A text file, compressed if its name says so."""
    if path.suffix == ".gz":
        return cast("TextIO", gzip.open(path, f"{mode}t", encoding="utf-8", errors="surrogatepass"))
    return cast("TextIO", path.open(mode, encoding="utf-8", errors="surrogatepass"))


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """Scenarios of a file; blank lines and `//` lines are skipped."""
    with opened(path, "r") as lines:
        for line in lines:
            if line.strip() and not line.lstrip().startswith("//"):
                yield json.loads(line)


def run(row: Mapping[str, Any], sillytavern: Path | None = None) -> dict[str, Any]:
    """The result of one scenario; `{id, error}` if it cannot be run."""
    try:
        if is_conversion(row):
            return {"id": row["id"], **conversion(row)}
        scenario, _ = to_scenario(row)
        simulation = Simulation(scenario, counter(scenario.tokenizer, sillytavern))
        turns = row.get("turns")
        if isinstance(turns, list):
            reader = StepReader(scenario)
            listed = [reader.read(turn) for turn in turns]
        else:
            listed = steps(scenario, turns)
        return {"id": row["id"], **results(row, simulation, listed)}
    except LorebookError as error:
        return {"id": row["id"], "error": f"{type(error).__name__}: {error.message}"}


def results(row: Mapping[str, Any], simulation: Simulation, listed: Sequence[Step]) -> dict[str, Any]:
    """The runs; the error alone if SillyTavern would stop at one of the steps, reported or not."""
    settings = settings_from(row["prompt"]) if asks_for_prompt(row) else None
    state = simulation.initial_state()
    runs = []
    for number, step in enumerate(listed):
        assembly = simulation.assemble(step, state)
        if assembly.error:
            return {"error": assembly.error}
        state = assembly.state
        result = to_result(assembly)
        if settings is not None and wants_prompt(row, number):
            prompt = assemble_prompt(simulation, assembly, settings)
            if prompt.stops:
                return {"error": prompt.error}
            result["prompt"] = prompt_result(prompt, assembly)
            state = prompt.state
        if step.report:
            runs.append(result)
    return {"runs": runs}


def wants_prompt(row: Mapping[str, Any], number: int) -> bool:
    """Whether a step is to assemble the prompt too."""
    turns = row.get("turns")
    turn = turns[number] if isinstance(turns, list) else None
    return not isinstance(turn, dict) or bool(turn.get("prompt", True))


def main(arguments: list[str]) -> int:
    """Run a file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("scenarios", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sillytavern", type=Path, default=os.environ.get("LOREBOOK_SILLYTAVERN") or None)
    options = parser.parse_args(arguments)
    failed = count = 0
    with opened(options.out, "w") as out:
        for row in rows(options.scenarios):
            result = run(row, options.sillytavern)
            count += 1
            if "error" in result:
                failed += 1
                print(f"{result['id']}: {result['error']}", file=sys.stderr)
            out.write(json.dumps(result, ensure_ascii=False, separators=(",", ":")) + "\n")
    print(f"{count} scenarios, {failed} with an error", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
