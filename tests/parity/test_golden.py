"""Recorded answers of the real program: each scenario gives the same result here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.parity.compare import differences, main, same_value
from tests.parity.run import main as run_main
from tests.parity.run import run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "parity"


def read(name: str) -> list[dict[str, Any]]:
    with gzip.open(GOLDEN / name, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


SCENARIOS = read("scenarios.jsonl.gz")
RESULTS = {row["id"]: row for row in read("results.jsonl.gz")}


@pytest.mark.parametrize("row", SCENARIOS, ids=lambda row: str(row["id"]))
def test_the_real_program_gave_the_same(row: dict[str, Any]) -> None:
    expected, found = RESULTS[row["id"]], run(row)
    if "error" in expected:
        assert found.keys() == {"id", "error"}, "the real program stops here"
    else:
        assert list(differences(expected, found)) == []


def test_there_is_a_fair_sample_of_every_category() -> None:
    categories = {str(row["id"]).split("-")[0] for row in SCENARIOS}
    assert {
        "core", "scripts", "regex", "timed", "budget", "groups", "recursion", "positions", "layers", "forced", "macros",
        "big", "extras", "example", "asked", "learned", "fuzzed",
    } <= categories  # fmt: skip
    assert len(SCENARIOS) >= 1200
    assert sum("error" in result for result in RESULTS.values()) >= 20
    assert RESULTS.keys() == {row["id"] for row in SCENARIOS}


def test_a_changed_entry_is_noticed() -> None:
    row = next(row for row in SCENARIOS if row["id"] == "example-01-plain-keys")
    assert list(differences(RESULTS[row["id"]], run({**row, "chat": []})))


@pytest.mark.parametrize(
    "change",
    [
        {"unknown": 1},
        {"settings": {"world_info_depht": 2}},
        {"turns": [{"upto": 1, "unknown": 1}]},
        {"character": {"name": "A", "unknown": ""}},
        {"persona": {"unknown": ""}},
        {"group": {"members": [], "unknown": 1}},
        {"authors_note": {"unknown": 1}},
        {"authors_note": {"chara": {"unknown": 1}}},
        {"rng": {"unknown": 1}},
        {"layers": {"unknown": []}},
        {"extension_prompts": {"memory": {"value": "", "unknown": 1}}},
        {"character": {"name": "A", "depth_prompt": {"unknown": 1}}},
        {"group": {"members": [{"name": "A", "unknown": 1}]}},
        {"global_scan_data": {"unknown": ""}},
        {"variables": {"unknown": {}}},
        {"timed": {"unknown": {}}},
        {"timed": {"sticky": {"lore.0": {"unknown": 1}}}},
        {"chat": [{"mes": "hi", "unknown": 1}]},
        {"turns": [{"upto": 1, "rng": {"unknown": 1}}]},
        {"turns": [{"upto": 1, "settings": {"unknown": 1}}]},
        {"regex_scripts": [{"findRegex": "a"}]},
        {"import": {"data": {}}},
        {"tokenizer": "unknown-tokenizer"},
    ],
    ids=str,
)
def test_nothing_unknown_is_passed_over(change: dict[str, Any]) -> None:
    result = run({"id": "x", "layers": {}, "chat": [{"mes": "hi"}], **change})
    assert "error" in result


def test_the_command_reads_plain_and_compressed_files_and_says_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenarios = tmp_path / "in.jsonl"
    good = {"id": "good", "layers": {}, "chat": [{"mes": "hi"}]}
    scenarios.write_text(f"// a comment\n\n{json.dumps(good)}\n{json.dumps({**good, 'id': 'bad', 'what': 1})}\n")
    plain, packed = tmp_path / "out.jsonl", tmp_path / "out.jsonl.gz"
    assert run_main([str(scenarios), "--out", str(plain)]) == 1
    assert run_main([str(scenarios), "--out", str(packed)]) == 1
    assert "bad" in capsys.readouterr().err
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert main([str(plain), str(packed)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"


def test_comparing_shows_what_differs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    left.write_text('{"id":"a","n":1,"log":[1]}\n{"id":"b","n":[1,2]}\n{"id":"c"}\n')
    right.write_text('{"id":"a","n":1.0,"log":[2]}\n{"id":"b","n":[1,3],"more":1}\n')
    assert main([str(left), str(right)]) == 1
    told = capsys.readouterr().out
    assert ".n[1]: expected 2, found 3" in told
    assert ".more: not expected" in told
    assert ".id: missing" in told
    assert told.endswith("1 passed, 2 failed\n")


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [(1, 1.0, True), (True, 1, False), (None, None, True), (None, 0, False), ("1", 1, False), (0.5, 0.5 + 1e-12, True)],
)
def test_values_compare_as_javascript_numbers_do(left: object, right: object, *, same: bool) -> None:
    assert same_value(left, right) is same
