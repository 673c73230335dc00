"""The installed command in a pseudo-terminal: an author writes an entry, sees it fire, saves and leaves."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is a thing of Unix")

WORLD = """{
    "entries": {
        "0": {
            "uid": 0,
            "key": ["ferry"],
            "comment": "The ferry",
            "content": "The ferry carries salt.",
            "order": 100,
            "position": 0
        }
    }
}"""
CONTENT = "It hangs under the landing."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "town.json").write_text(WORLD, "utf-8")
    (tmp_path / "talk.txt").write_text("Mira: The ferry waits.\nYou: I ring the bell.\n", "utf-8")
    return tmp_path


def test_an_author_writes_an_entry_sees_it_fire_and_saves(folder: Path) -> None:
    from tests.tui.virtual_terminal import VirtualTerminal

    environment = {"LOREBOOK_STATE_DIR": str(folder / "state"), "LOREBOOK_CONFIG_DIR": str(folder / "config")}
    with VirtualTerminal(["town.json", "talk.txt", "--user", "You"], folder, environment) as terminal:
        terminal.wait_for("The ferry", "✓")
        terminal.press("n")
        terminal.press("Bell", "enter")
        terminal.wait_for("○ Bell")
        terminal.press("s")
        terminal.wait_for("Keys", "none yet")
        terminal.press("down", "a")
        terminal.press("bell", "enter", "escape")
        terminal.wait_for("Keys", "bell")
        terminal.press("i")
        terminal.press(CONTENT)
        terminal.press("escape")
        terminal.wait_for("○ Bell", "✓")
        terminal.press("f2")
        terminal.wait_for("Saved town.json")
        terminal.press("ctrl+q")
        assert terminal.wait_for_end() == 0
    after = (folder / "town.json").read_text("utf-8")
    assert after.startswith(WORLD[: WORLD.rindex("        }") + len("        }")]), "the old entry is not as it was"
    entries = json.loads(after)["entries"]
    assert list(entries) == ["0", "1"]
    assert (entries["1"]["comment"], entries["1"]["key"], entries["1"]["content"]) == ("Bell", ["bell"], CONTENT)
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == ["talk.txt", "town.json"]
