"""Messages that were never sent, and who answers, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from lorebook_tui.cli.app import app

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    world = {
        "entries": {"0": {"uid": 0, "key": ["bell"], "comment": "The bell", "content": "It rings.", "position": 0}}
    }
    (tmp_path / "world.json").write_text(json.dumps(world), "utf-8")
    (tmp_path / "chat.txt").write_text("You: hi\nMira: ho\n", "utf-8")
    book = {
        "name": "tom",
        "entries": [
            {"keys": ["hi"], "content": "Tom nods.", "comment": "Tom's nod", "enabled": True, "insertion_order": 1}
        ],
    }
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Tom", "character_book": book}}
    (tmp_path / "tom.json").write_text(json.dumps(card), "utf-8")
    return tmp_path


def simulated(folder: Path, *options: str) -> str:
    paths = [str(folder / name) for name in ("world.json", "chat.txt", "tom.json")]
    result = CliRunner().invoke(app, ["simulate", *paths, "--no-color", "--tokenizer", "estimate", *options])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_said_message_is_simulated_and_no_file_changes(folder: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert "✓ The bell" not in simulated(folder)
    told = simulated(folder, "--say", "the bell")
    assert "message 3  You: the bell" in told
    assert "✓ The bell" in told
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_messages_are_said_in_order_and_by_name(folder: Path) -> None:
    told = simulated(folder, "--say", "well", "--say", "Mira: the bell", "--turn", "last")
    assert "message 4  Mira: the bell" in told
    assert "✓ The bell" in told


def test_who_answers_brings_its_lore(folder: Path) -> None:
    assert "Tom's nod" not in simulated(folder, "--speaker", "Ada")
    assert "Tom's nod" in simulated(folder, "--speaker", "Tom")
