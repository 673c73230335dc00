"""`lorebook odds`: bars of a turn, strips of a chat, JSON, and the same figures in any number of processes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]
SAMPLE = "sample_books/harrowmere"
COMMANDS = {
    "odds_exact": ("odds", "sample_books/mossford", "--turn", "18"),
    "odds_sample": ("odds", SAMPLE, "--turn", "24"),
    "odds_all": ("odds", "sample_books/mossford", "--all"),
    "odds_entry": ("odds", "sample_books/mossford", "--turn", "2,18", "-e", "mossford#0", "-e", "замок открывается"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_odds_output(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    result = run(*COMMANDS[name])
    assert (result.exit_code, result.stderr) == (0, "")
    golden(name, result.stdout)


def test_help_of_odds_tells_its_options(run: Run) -> None:
    shown = run("odds", "--help").stdout
    assert [option for option in ("--all", "--runs", "--jobs", "--entry") if option not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_odds_is_wider_than_the_terminal(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    lines = run(*COMMANDS[name]).stdout.splitlines()
    assert [line for line in lines if len(line) > 72] == []


def world(folder: Path, *entries: dict[str, Any], chat: tuple[str, ...] = ("A cat.",)) -> tuple[str, str]:
    """A world and a chat in which only the user speaks, as paths."""
    template = {"key": ["cat"], "content": "x", "order": 100, "position": 0, "useProbability": True, "probability": 100}
    book = {str(uid): {"uid": uid, "comment": f"e{uid}", **template, **fields} for uid, fields in enumerate(entries)}
    (folder / "w.json").write_text(json.dumps({"entries": book}), "utf-8")
    lines = [{"user_name": "U", "character_name": "C"}, *({"name": "U", "is_user": True, "mes": text} for text in chat)]
    (folder / "c.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return str(folder / "w.json"), str(folder / "c.jsonl")


def test_estimates_are_told_as_such(run: Run, tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    rolled = {"probability": 40, "content": "{{roll:d1000}}"}
    files = world(tmp_path, rolled, {"sticky": 3, "probability": 50}, {"key": ["dog"]}, chat=("A cat.", "-", "A cat."))
    texts = [
        run("odds", *files, *what, "--runs", "50", "--jobs", "1", "--tokenizer", "estimate").stdout
        for what in (("--turn", "1,2"), ("--all",))
    ]
    golden("odds_estimated", "\n".join(texts))


def test_json_of_exact_odds(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"probability": 25}, {}, {"key": ["dog"]})
    document = json.loads(run("odds", *files, "--json").stdout)
    assert (document["format"], document["runs"], document["seeds"]) == ("lorebook-odds/1", None, None)
    (turn,) = document["turns"]
    assert (turn["turn"], turn["exact"], turn["ways"], turn["why_estimated"]) == (1, True, 2, None)
    rolled, sure = turn["entries"]
    assert rolled["chance"] == pytest.approx(0.25, abs=1e-9)
    assert rolled["low"] == rolled["high"] == rolled["chance"]
    assert rolled["reasons"] == {"in_prompt": pytest.approx(0.25), "roll_failed": pytest.approx(0.75)}
    assert (sure["title"], sure["chance"]) == ("e1", 1)


def test_json_of_a_chat_has_each_turn_and_the_whole(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"probability": 50}, chat=("A cat.", "A cat."))
    document = json.loads(run("odds", *files, "--all", "--json").stdout)
    assert [turn["entries"][0]["chance"] for turn in document["turns"]] == [pytest.approx(0.5, abs=1e-9)] * 2
    (entry,) = document["entries"]
    assert entry["ever"]["chance"] == pytest.approx(0.75, abs=1e-9)
    assert entry["turns"] == pytest.approx(1, abs=1e-9)
    one = json.loads(run("odds", *files, "--all", "--turn", "2", "--json").stdout)
    assert [turn["turn"] for turn in one["turns"]] == [2]


def test_estimates_name_seeds_to_look_at(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"probability": 50, "content": "{{roll:d999}}"})
    document = json.loads(run("odds", *files, "--all", "--runs", "40", "--seed", "5", "--jobs", "1", "--json").stdout)
    assert (document["runs"], document["seeds"]) == (40, [5, 44])
    (entry,) = document["turns"][0]["entries"]
    assert entry["low"] < entry["chance"] < entry["high"]
    for seed, inside in ((entry["seed_in"], True), (entry["seed_out"], False)):
        trace = json.loads(run("simulate", *files, "--seed", str(seed), "--json").stdout)
        assert bool(trace["turns"][0]["activated"]) is inside


def test_estimates_over_a_chat_name_their_runs_beside_an_exact_turn(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"probability": 50, "content": "{{roll:d999}}"}, chat=("A dog.", "A cat."))
    command = ("odds", *files, "--all", "--turn", "1", "--runs", "30", "--seed", "2", "--jobs", "1", "--json")
    document = json.loads(run(*command).stdout)
    assert [turn["exact"] for turn in document["turns"]] == [True]
    assert [entry["ever"]["exact"] for entry in document["entries"]] == [False]
    assert (document["runs"], document["seeds"]) == (30, [2, 31])


def test_processes_change_no_figure(run: Run, tmp_path: Path) -> None:
    files = world(
        tmp_path, {"probability": 50, "content": "{{roll:d999}}", "sticky": 2}, {}, chat=("A cat.", "-", "A cat.")
    )
    for what in (("--turn", "1,3"), ("--all",)):
        texts = [
            run("odds", *files, *what, "--runs", "450", "--jobs", jobs, "--tokenizer", "estimate", "--json").stdout
            for jobs in ("1", "2")
        ]
        assert texts[0] == texts[1]


def test_a_roll_that_cannot_be_won_is_told(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"probability": -1}, {"probability": 0})
    lines = run("odds", *files).stdout.splitlines()
    assert any(line.split()[:2] == ["0", "%"] and "roll failed 100 %" in line for line in lines)
    assert any(line.split()[:2] == ["<0.1", "%"] for line in lines)


def test_what_cannot_be_meant_is_refused(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {}, {}, chat=("A cat.", "A cat."))
    assert run("odds", *files, "--entry", "nobody").exit_code == 2
    assert run("odds", *files, "--runs", "0").exit_code == 2
    refused = run("odds", *files, "--all", "--turn", "0")
    assert refused.exit_code == 2
    assert "no reply at turn 0" in refused.stderr


def test_lore_that_cannot_be_loaded_is_told(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"content": 5})
    result = run("odds", *files)
    assert result.exit_code == 1
    assert "is no text" in result.stdout


def test_nothing_foreign_in_odds_acts(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"comment": "\x1b[31mred\u202e", "probability": 50}, {"comment": "\x9bm\u200b"})
    for what in ((), ("--all",), ("--json",), ("--all", "--json"), ("--entry", "w#1")):
        shown = run("odds", *files, *what).stdout
        assert shown
        assert not {"\x1b", "\u202e", "\x9b", "\u200b"} & set(shown)
