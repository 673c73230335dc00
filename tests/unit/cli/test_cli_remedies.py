"""What would change a verdict, as `why` tells it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lorebook_tui.cli import remedies_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest
    from typer.testing import Result

    Run = Callable[..., Result]

SAMPLE = "sample_books/harrowmere"


def remedies(run: Run, entry: str, turns: str) -> list[dict[str, Any]]:
    document = json.loads(run("why", entry, SAMPLE, "--turn", turns, "--json").stdout)
    return [turn["remedies"] for turn in document["turns"]]


def test_json_has_proposals_or_a_margin(run: Run) -> None:
    before, cut, after = remedies(run, "salt tithe", "10,14,16")
    kinds = {proposal["kinds"][0]: proposal for proposal in cut["proposals"]}
    assert kinds["order"]["changes"][0]["new"] == 110
    assert cut["margin"] is None
    assert before["margin"] is None
    assert after["proposals"] == []
    assert after["margin"]["keys"] == ["tithe"]


def test_changes_are_tried_from_the_first_turn_on_unless_there_are_too_many(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {proposal["replayed"] for proposal in remedies(run, "salt tithe", "14")[0]["proposals"]} == {True}
    monkeypatch.setattr(remedies_text, "MOST_REPLAYED", 5)
    assert {proposal["replayed"] for proposal in remedies(run, "salt tithe", "14")[0]["proposals"]} == {False}


def test_an_entry_that_nothing_helps(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remedies_text, "proposals", lambda *_, **__: ())
    text = run("why", "salt tithe", SAMPLE, "--turn", "14").stdout
    assert "What would change it\n  Nothing was found that would bring it in.\n" in text


def test_no_gap_stands_where_evidence_is_missing(run: Run, tmp_path: Path) -> None:
    lore = {"entries": {"0": {"uid": 0, "comment": "lonely", "key": [], "content": "x", "position": 0, "order": 1}}}
    (tmp_path / "w.json").write_text(json.dumps(lore), "utf-8")
    shown = run("why", "lonely", str(tmp_path / "w.json")).stdout
    assert "\n\nWhat would change it\n" in shown
    assert "\n\n\n" not in shown
