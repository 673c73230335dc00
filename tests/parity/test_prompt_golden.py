"""Recorded prompts of the real program, chat completion and text completion: each comes out the same here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.parity.compare import differences
from tests.parity.run import run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "parity"


def read(name: str) -> list[dict[str, Any]]:
    path = GOLDEN / name
    with gzip.open(path, "rt", encoding="utf-8") if name.endswith(".gz") else path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


SCENARIOS = read("prompts.jsonl.gz") + read("corners.jsonl")
RESULTS = {row["id"]: row for row in read("prompts.out.jsonl.gz") + read("corners.out.jsonl")}


@pytest.mark.parametrize("row", SCENARIOS, ids=lambda row: str(row["id"]))
def test_the_real_program_sent_the_same(row: dict[str, Any]) -> None:
    assert list(differences(RESULTS[row["id"]], run(row))) == []


def test_both_ways_of_asking_are_there() -> None:
    apis = {run_["prompt"]["api"] for row in RESULTS.values() for run_ in row["runs"] if "prompt" in run_}
    assert apis == {"openai", "text"}
    assert len(SCENARIOS) >= 100


def test_a_changed_card_is_noticed() -> None:
    row = next(row for row in SCENARIOS if row["id"] == "example-37-prompt-positions")
    assert list(differences(RESULTS[row["id"]], run({**row, "character": {"name": "Nobody"}})))


def test_a_dry_run_in_a_muted_group_gives_no_prompt() -> None:
    group = {"members": [{"name": "Anna"}], "disabled": [0]}
    assert "muted" in run({"id": "muted", "group": group, "dry_run": True, "prompt": True})["error"]
