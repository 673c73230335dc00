"""`lorebook check`: repairs that take something from another file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.formats import detect
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

    Run = Callable[..., Result]

BELL: dict[str, Any] = {"comment": "Bell", "key": ["bell"], "content": "It rings."}
MILL: dict[str, Any] = {"comment": "Mill", "key": ["mill"], "content": "It grinds."}
POLE: dict[str, Any] = {"comment": "Pole", "key": ["pole"], "content": "It stands."}
CARD: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "first_mes": "Hello.",
        "extensions": {"world": "Mill", "own": [1, 2]},
        "character_book": {
            "name": "Mill", "extensions": {},
            "entries": [{"id": 0, "keys": ["mill"], "content": "It stands still.", "enabled": True, "extensions": {},
                         "insertion_order": 100, "comment": "Mill"}],
        },
    },
}  # fmt: skip
STALE = ("--select", "FMT016")
ALIKE = ("--select", "FMT018")


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """A card with an old copy of its world."""
    (tmp_path / "Mill.json").write_text(world_text((MILL, BELL)), "utf-8")
    (tmp_path / "mira.json").write_text(json.dumps(CARD, indent=2), "utf-8")
    return tmp_path


def entries_of(path: Path) -> list[tuple[str, str]]:
    book = detect.load(path.read_bytes(), path.name).require_book()
    return [(entry.title, entry.content) for entry in book.entries]


def test_a_card_gets_the_world_it_is_linked_to(run: Run, shelf: Path) -> None:
    card = shelf / "mira.json"
    before = card.read_bytes()
    shown = run("check", str(shelf), *STALE, "--diff", "--unsafe-fixes")
    assert shown.exit_code == 1
    assert '-          "content": "It stands still.",' in shown.stdout
    assert card.read_bytes() == before
    made = run("check", str(shelf), *STALE, "--fix", "--unsafe-fixes")
    assert made.exit_code == 0
    assert "Repaired: FMT016." in made.stdout
    assert entries_of(card) == [("Mill", "It grinds."), ("Bell", "It rings.")]
    data = json.loads(card.read_text("utf-8"))["data"]
    assert (data["first_mes"], data["extensions"]) == ("Hello.", {"world": "Mill", "own": [1, 2]})
    after = card.read_bytes()
    assert run("check", str(shelf), *STALE, "--fix", "--unsafe-fixes").exit_code == 0
    assert card.read_bytes() == after


def test_safe_repairs_leave_the_card_alone(run: Run, shelf: Path) -> None:
    before = (shelf / "mira.json").read_bytes()
    made = run("check", str(shelf), *STALE, "--fix")
    assert made.exit_code == 1
    assert "FMT016" in made.stdout
    assert (shelf / "mira.json").read_bytes() == before


def test_files_of_the_library_are_not_written(run: Run, shelf: Path) -> None:
    """Only the world was asked about; the card beside it is somebody else's matter."""
    before = (shelf / "mira.json").read_bytes()
    made = run(
        "check", str(shelf / "Mill.json"), *STALE, "--library", str(shelf), "--fix", "--unsafe-fixes"
    )  # fmt: skip
    assert made.exit_code == 1
    assert "FMT016" in made.stdout
    assert (shelf / "mira.json").read_bytes() == before


def test_a_book_takes_over_what_only_its_copy_has(run: Run, tmp_path: Path) -> None:
    """What both have in two versions stays as it is here."""
    (tmp_path / "a.json").write_text(
        world_text((MILL, BELL, POLE, {"comment": "Oath", "key": ["oath"], "content": "Sworn."})), "utf-8"
    )
    (tmp_path / "b.json").write_text(world_text((MILL, BELL, {**POLE, "content": "It leans."})), "utf-8")
    (tmp_path / "lorebook.toml").write_text("[check.options.FMT018]\nalike = 40\n", "utf-8")
    told = run("check", str(tmp_path), *ALIKE)
    assert "40 % of its entries" in told.stdout
    made = run("check", str(tmp_path), *ALIKE, "--fix", "--unsafe-fixes")
    assert "Repaired: FMT018." in made.stdout
    assert entries_of(tmp_path / "b.json") == [
        ("Mill", "It grinds."), ("Bell", "It rings."), ("Pole", "It leans."), ("Oath", "Sworn."),
    ]  # fmt: skip
    after = (tmp_path / "b.json").read_bytes()
    again = run("check", str(tmp_path), *ALIKE, "--fix", "--unsafe-fixes")
    assert "Repaired" not in again.stdout
    assert (tmp_path / "b.json").read_bytes() == after


def test_a_card_that_cannot_be_written_is_left_and_told(run: Run, shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lorebook_tui.errors import UnreadableError
    from lorebook_tui.workspace import store

    def refuse(*_args: object, **_kwargs: object) -> None:
        raise UnreadableError("The disk is full.")

    monkeypatch.setattr(store, "write", refuse)
    made = run("check", str(shelf), *STALE, "--fix", "--unsafe-fixes")
    assert made.exit_code == 1
    assert "FMT016" in made.stdout
    assert "Repaired" not in made.stdout
