"""`lorebook budget`: the curve of a turn, the needs of a chat, JSON, and charts of characters."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import Result

from lorebook_tui.cli.chart import columns, curve_chart
from lorebook_tui.glyphs import Glyphs

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]
SAMPLE = "sample_books/harrowmere"
COMMANDS = {
    "budget_cut": ("budget", SAMPLE, "--turn", "14"),
    "budget_fits": ("budget", "sample_books/support", "--turn", "6", "--limit", "5", "--contexts", "1500"),
    "budget_asked": ("budget", SAMPLE, "--turn", "12,14", "--tokens", "300", "--limit", "2"),
    "budget_all": ("budget", SAMPLE, "--all"),
    "budget_all_fits": ("budget", "sample_books/mossford", "--all"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_budget_output(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    result = run(*COMMANDS[name])
    assert (result.exit_code, result.stderr) == (0, "")
    golden(name, result.stdout)


def test_help_of_budget_tells_its_options(run: Run) -> None:
    shown = run("budget", "--help").stdout
    assert [option for option in ("--all", "--tokens", "--contexts", "--limit") if option not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_a_budget_is_wider_than_the_terminal(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    lines = run(*COMMANDS[name]).stdout.splitlines()
    assert [line for line in lines if len(line) > 72] == []


def world(folder: Path, *entries: dict[str, Any], chat: tuple[str, ...] = ("A cat.",)) -> tuple[str, str]:
    template = {"key": ["cat"], "content": "x", "order": 100, "position": 0}
    book = {str(uid): {"uid": uid, "comment": f"e{uid}", **template, **fields} for uid, fields in enumerate(entries)}
    (folder / "w.json").write_text(json.dumps({"entries": book}), "utf-8")
    lines = [{"user_name": "U", "character_name": "C"}, *({"name": "U", "is_user": True, "mes": text} for text in chat)]
    (folder / "c.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return str(folder / "w.json"), str(folder / "c.jsonl")


def test_points_of_the_json_are_what_simulate_gives(run: Run) -> None:
    document = json.loads(run("budget", SAMPLE, "--turn", "14", "--tokens", "700", "--json").stdout)
    (turn,) = document["turns"]
    assert (turn["limit"], turn["overflowed"], turn["monotone"]) == (1024, True, True)
    assert turn["points"][-1]["from"] == turn["need"]
    assert turn["points"][-1]["to"] is None
    assert [row["percent"] for row in turn["percents"]] == list(range(1, 101))
    for percent in (3, 25, 29, 30, 77):
        trace = json.loads(
            run("simulate", SAMPLE, "--turn", "14", "--set", f"world_info_budget={percent}", "--json").stdout
        )
        limit = trace["turns"][0]["budget"]["limit"]
        row = turn["percents"][percent - 1]
        assert row["limit"] == limit
        point = next(item for item in turn["points"] if item["to"] is None or limit <= item["to"])
        assert row["entries"] == len(point["inside"])
    assert turn["budgets"] == [{"limit": 700, "entries": 16, "tokens": turn["budgets"][0]["tokens"]}]
    titles = {entry["index"]: entry["title"] for entry in document["entries"]}
    assert titles[turn["advice"][2]["entries"][0]] == "The salt tithe"


def test_needs_of_the_json_add_up(run: Run) -> None:
    document = json.loads(run("budget", SAMPLE, "--all", "--json").stdout)
    wanted = document["enough_for"]
    assert wanted["half"]["tokens"] <= wanted["nearly_all"]["tokens"] <= wanted["every"]["tokens"]
    assert wanted["every"]["tokens"] == max(turn["need"] for turn in document["turns"])
    settings = ("--set", f"world_info_budget={wanted['every']['percent']}")
    roomy = json.loads(run("budget", SAMPLE, "--all", *settings, "--json").stdout)
    assert not any(turn["overflowed"] for turn in roomy["turns"])
    assert roomy["survivals"] == []
    tokens = sum(book["tokens"] for book in document["shares"]["books"])
    assert sum(document["shares"]["layers"].values()) == tokens


def test_more_room_that_costs_an_entry_its_place_is_told(run: Run, tmp_path: Path) -> None:
    files = world(
        tmp_path,
        {"group": "g", "order": 200, "content": "A long text that takes its place."},
        {"group": "g", "ignoreBudget": True, "delayUntilRecursion": 1},
        {"delayUntilRecursion": 2},
    )
    shown = run("budget", *files).stdout
    assert "More is not always better: e1 goes at" in shown
    (turn,) = json.loads(run("budget", *files, "--json").stdout)["turns"]
    assert turn["monotone"] is False
    assert [item["why"] for point in turn["points"] for item in point["went"]] == [
        "OUT: its group “g” was taken in an earlier pass by “e0”."
    ]


def test_a_constant_that_comes_and_goes_is_told(run: Run, tmp_path: Path) -> None:
    files = world(
        tmp_path, {"order": 200, "content": "word " * 30}, {"constant": True}, chat=("A cat.", "-", "A dog.", "-", "-")
    )
    shown = run("budget", *files, "--all", "--context", "100").stdout
    assert "e1 (always on)" in shown
    assert "constant, which only spares it the keys" in shown


def test_a_book_without_entries_spares_nothing(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path)
    shown = run("budget", *files).stdout
    assert "Everything fits.\n" in shown
    assert "budget over 1 turn\n" in run("budget", *files, "--all").stdout


def test_lore_that_cannot_be_loaded_needs_nothing(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"content": 5})
    for what in ((), ("--all",)):
        result = run("budget", *files, *what)
        assert result.exit_code == 1
        assert "is no text" in result.stdout
        assert run("budget", *files, *what, "--json").exit_code == 1


def test_nothing_foreign_in_titles_acts(run: Run, tmp_path: Path) -> None:
    files = world(tmp_path, {"comment": "\x1b[31mred\u202e", "content": "word " * 30}, {"constant": True})
    for what in ((), ("--all",), ("--json",), ("--all", "--json")):
        shown = run("budget", *files, *what, "--context", "40").stdout
        assert not {"\x1b", "\u202e"} & set(shown)


def test_columns_fill_their_rows() -> None:
    assert columns([0, 1, 8, 16], 2, Glyphs()) == ["   █", " ▁██"]
    assert columns([0, 0], 1, Glyphs()) == ["  "]
    assert columns([], 2, Glyphs()) == ["", ""]
    letters = Glyphs(letters=True)
    assert columns([1000, 1], 1, letters) == [letters.bars[-1] + letters.bars[1]]


def test_a_chart_marks_its_places() -> None:
    lines = list(curve_chart(lambda place: place, [5, 10], 10, width=14, rows=1, glyphs=Glyphs()))
    assert lines == ["10 ▎▁▂▂▃▄▅▆▆▇█", " 0 ▎────┃────┃", "        5   10"]


def test_marks_that_stand_too_close_give_way() -> None:
    lines = list(curve_chart(lambda _: 1, [1000, 1001], 1001, width=20, rows=1, glyphs=Glyphs()))
    assert lines[-1].split() == ["1,001"]
    apart = list(curve_chart(lambda _: 1, [900, 1001], 1001, width=20, rows=1, glyphs=Glyphs()))
    assert apart[-1].split() == ["900"]
