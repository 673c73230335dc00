"""The bench still runs; what it measures is nobody's test."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

from tests.bench import edits, lint
from tests.bench.run import (
    Row,
    Times,
    cold_turns,
    edit_rows,
    faster,
    lint_rows,
    made_out,
    replay_rows,
    show,
    warm_turns,
)
from tests.unit.engine.lore import entry, run, scenario

if TYPE_CHECKING:
    from lorebook_tui.model.scenario import Scenario


@pytest.fixture(autouse=True)
def garbage_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The garbage of all tests before this one takes half a second to look through, and is looked through for each rule."""
    monkeypatch.setattr(gc, "collect", lambda: 0)


def small() -> Scenario:
    return scenario(
        *(entry(number, f"word{number}") for number in range(30)),
        chat=["word1 word2 word3 word4"] * 4,
        tokenizer="none",
    )


def test_turns_cold_turns_replays_and_edits_are_timed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tests.bench.run.REPLAYED", 160)
    monkeypatch.setattr("tests.bench.run.EDITED_TURNS", 3)
    made = small()
    real = Times((1.0, 2.0))
    warm = warm_turns(made, 3)
    rows = [Row("turn", warm, "real", real, faster(real, warm)), *replay_rows(made, real), *edit_rows(made, 2)]
    assert len(warm.values) == 3
    assert min(cold_turns(made).values) > 0
    show(rows)
    assert len(capsys.readouterr().out.splitlines()) == 2 + len(rows)


def test_what_is_made_out_of_a_turn_holds_counts_order_and_texts() -> None:
    told = repr(made_out(run(scenario(entry(1, "cat"), entry(2, "zebra")))))
    assert all(part in told for part in ("IN_PROMPT", "NO_KEY_IN_TEXT", "lore.1", "text 1"))


def test_edits_are_timed_beside_a_replay_from_scratch(capsys: pytest.CaptureFixture[str]) -> None:
    found = edits.edit_times(small(), 2)
    assert [times.what for times in found] == [
        "entry that no turn looks at",
        "entry that turns look at",
        "setting",
        "last message",
    ]
    assert all(len(times.look) == len(times.whole) == len(times.scratch) == 2 for times in found)
    assert found[0].taken == 8
    assert found[3].taken == 6
    edits.show(found)
    assert len(capsys.readouterr().out.splitlines()) == 2 + len(found)


def test_the_linter_is_timed_as_a_command_and_after_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.bench.run.LINTED", 40)
    monkeypatch.setattr("tests.bench.run.LINT_ROUNDS", 2)
    rows = lint_rows()
    assert [row.what for row in rows] == [
        "lorebook check, 40 entries", "check again, content", "check again, keys", "check again, deletion",
    ]  # fmt: skip
    assert all(row.other is not None and min(row.ours.values) > 0 for row in rows)


def test_rules_are_timed_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert lint.main(["--entries", "12", "--rounds", "1", "--rules"]) == 0
    told = capsys.readouterr().out
    assert "KEY002" in told
    assert "deletion" in told
