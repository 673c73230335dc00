"""Recorded answers of the real program to fields, settings and macros that hardly anyone writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.parity.compare import differences
from tests.parity.run import run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "parity"


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text(encoding="utf-8").splitlines()]


RESULTS = {row["id"]: row for row in read("uncommon.out.jsonl")}


@pytest.mark.parametrize("row", read("uncommon.jsonl"), ids=lambda row: str(row["id"]))
def test_the_real_program_gave_the_same(row: dict[str, Any]) -> None:
    expected, found = RESULTS[row["id"]], json.loads(json.dumps(run(row)))
    if "error" in expected:
        assert found.keys() == {"id", "error"}, "the real program stops here"
    else:
        assert list(differences(expected, found)) == []
