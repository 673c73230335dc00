"""`lorebook config` and `lorebook keys`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.tui.actions import ACTIONS, use_keys
from lorebook_tui.workspace import memory
from lorebook_tui.workspace.config_template import template

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from typer.testing import Result

WRONG = """\
theme = "lorebook-drak"
delay = "soon"
tokenizer = "gpt-9"

[keys]
fly = "x"
"global.undo" = "ctrl+i"

[themes.fog]
background = "#777777"
foreground = "#888888"
"""


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Folders of a new user."""
    monkeypatch.setenv("LOREBOOK_CONFIG_DIR", str(tmp_path / "config"))
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    yield tmp_path
    use_keys({})


def write(folder: Path, text: str) -> Path:
    path = folder / "config" / "config.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_a_new_user_needs_no_file(run: Callable[..., Result], folders: Path) -> None:
    result = run("config")
    assert result.exit_code == 0
    assert "no such file yet" in result.stdout
    assert "delay           150" in result.stdout
    assert run("config", "--check").exit_code == 0
    assert not (folders / "config").exists()


def test_init_writes_the_file_once(run: Callable[..., Result], folders: Path) -> None:
    result = run("config", "--init")
    path = folders / "config" / "config.toml"
    assert result.stdout.strip() == str(path)
    assert path.read_text("utf-8") == template()
    assert run("config", "--check").exit_code == 0
    again = run("config", "--init")
    assert again.exit_code == 2
    assert "There is a configuration already." in again.stderr


def test_check_tells_every_mistake(run: Callable[..., Result], folders: Path) -> None:
    write(folders, WRONG)
    result = run("config", "--check", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)["doubts"]
    assert len(told) == 6
    for part in (
        "line 2, delay",
        "no action fly",
        "the same for ctrl+i as for tab",
        "Theme fog: hard to read",
        "lorebook-drak",
        "gpt-9",
    ):
        assert any(part in doubt for doubt in told), part
    shown = run("config", "--check")
    assert shown.exit_code == 1
    assert "hard to read" in shown.stdout


def test_config_tells_what_is_in_force(run: Callable[..., Result], folders: Path) -> None:
    write(folders, WRONG)
    memory.save(memory.memory_file(), memory.Memory(tour_seen=True, theme="lorebook-light", recent=("/a/b.json",)))
    result = run("config")
    assert result.exit_code == 0
    assert "yours" in next(line for line in result.stdout.splitlines() if "lorebook-drak" in line)
    for part in ("fly", "fog", "/a/b.json", "lorebook-light", "seen"):
        assert part in result.stdout
    assert "line 2, delay" in result.stderr
    found = json.loads(run("config", "--json").stdout)
    assert found["options"]["delay"] == 150
    assert found["keys"] == {"fly": ["x"], "global.undo": ["ctrl+i"]}
    assert found["recent"] == ["/a/b.json"]
    assert found["notices"][0]["where"].endswith("line 2, delay")


def test_keys_lists_every_action(run: Callable[..., Result]) -> None:
    listed = json.loads(run("keys", "--json").stdout)
    assert [item["id"] for item in listed] == [action.id for action in ACTIONS]
    assert not any(item["yours"] for item in listed)
    shown = run("keys")
    assert all(action.id in shown.stdout for action in ACTIONS)


def test_keys_shows_the_users_own(run: Callable[..., Result], folders: Path) -> None:
    write(folders, '[keys]\njump = "ctrl+j"\n"global.tour" = []\n')
    result = run("keys", "GLOBAL", "jump")
    (line,) = [line for line in result.stdout.splitlines() if "global.jump" in line]
    assert line.split()[:2] == ["ctrl+j", "global.jump"]
    assert line.endswith("(yours)")
    assert "Plain terminals" in result.stderr
    (tour,) = json.loads(run("keys", "global.tour", "--json").stdout)
    assert tour["keys"] == []


def test_the_users_tokenizer_counts_where_no_file_names_one(run: Callable[..., Result], folders: Path) -> None:
    world = folders / "w.json"
    world.write_text('{"entries": {"0": {"uid": 0, "key": ["a"], "content": "text", "constant": true}}}', "utf-8")
    write(folders, 'tokenizer = "llama3"\n')
    assert json.loads(run("simulate", str(world), "--json").stdout)["tokenizer"] == "llama3"
    assert json.loads(run("simulate", str(world), "--json", "--tokenizer", "mistral").stdout)["tokenizer"] == "mistral"
    write(folders, 'tokenizer = "gpt-9"\n')
    assert run("simulate", str(world)).exit_code == 0
