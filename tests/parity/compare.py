"""Compare two result files in the interchange format, by id and by value.

usage: compare.py EXPECTED ACTUAL [--show N]     (plain lines or .gz)

Logs, console lines, warnings, timings and echoed inputs do not count; numbers compare by value, booleans only with
booleans. A missing id, run or field is a difference. The last line says how many passed; the exit status is 1 if any failed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.parity.run import rows

if TYPE_CHECKING:
    from collections.abc import Iterator

UNCOUNTED = frozenset({"log", "console", "warnings", "wall_ms", "input"})
CLOSE = 1e-9
SHOWN_DIFFERENCES = 5


def differences(expected: Any, actual: Any, where: str = "") -> Iterator[str]:
    """Every place where two values differ, as a line."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            if key in UNCOUNTED:
                continue
            if key not in actual:
                yield f"{where}.{key}: missing"
            elif key not in expected:
                yield f"{where}.{key}: not expected"
            else:
                yield from differences(expected[key], actual[key], f"{where}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{where}: {len(expected)} items expected, {len(actual)} found"
        for number, pair in enumerate(zip(expected, actual, strict=False)):
            yield from differences(*pair, f"{where}[{number}]")
    elif not same_value(expected, actual):
        yield f"{where}: expected {expected!r}, found {actual!r}"


def same_value(expected: Any, actual: Any) -> bool:
    """Equality of plain values: numbers by value, truth values and null by identity."""
    if isinstance(expected, bool) or isinstance(actual, bool) or expected is None or actual is None:
        return expected is actual
    if isinstance(expected, (int, float)) and isinstance(actual, (int, float)):
        return abs(expected - actual) < CLOSE
    return type(expected) is type(actual) and bool(expected == actual)


def main(arguments: list[str]) -> int:
    """Compare two files."""
    parser = argparse.ArgumentParser()
    parser.add_argument("expected", type=Path)
    parser.add_argument("actual", type=Path)
    parser.add_argument("--show", type=int, default=5, help="scenarios to show")
    options = parser.parse_args(arguments)
    actual = {row["id"]: row for row in rows(options.actual)}
    passed = failed = 0
    for row in rows(options.expected):
        found = list(differences(row, actual.get(row["id"], {})))
        if not found:
            passed += 1
            continue
        failed += 1
        if failed <= options.show:
            print(row["id"], *(line[:300] for line in found[:SHOWN_DIFFERENCES]), sep="\n    ")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
