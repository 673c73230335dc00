"""What the program remembers: kept with care, never worth an error."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from lorebook_tui.workspace.memory import MOST_RECENT, Memory, load, memory_file, save


def test_what_is_saved_is_remembered(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "state.toml"
    memory = Memory(tour_seen=True, theme="lorebook-light", recent=("/a", "/б"))
    assert save(path, memory)
    assert load(path) == memory
    assert [item.name for item in path.parent.iterdir()] == ["state.toml"]


def test_keys_of_other_versions_stay(tmp_path: Path) -> None:
    path = tmp_path / "state.toml"
    path.write_text('tour_seen = false\n[later]\nx = 1\ny = ["z"]\n', "utf-8")
    memory = load(path)
    assert save(path, Memory(tour_seen=True, others=memory.others))
    assert tomllib.loads(path.read_text("utf-8"))["later"] == {"x": 1, "y": ["z"]}


@pytest.mark.parametrize(
    "data", [b"", b"tour_seen", b"\xff", b"tour_seen = 1\ntheme = 2\nrecent = 3", b"recent = [1, 'a']"]
)
def test_nonsense_is_forgotten(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "state.toml"
    path.write_bytes(data)
    memory = load(path)
    assert (memory.tour_seen, memory.theme) == (False, "")
    assert memory.recent in {(), ("a",)}


def test_nothing_is_remembered_of_nothing(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == Memory()


def test_recent_files_are_few_and_the_newest_comes_first() -> None:
    memory = Memory(recent=tuple(f"/old/{number}" for number in range(MOST_RECENT)))
    newer = memory.opened([Path("/old/3"), Path("/new")])
    assert newer.recent[:3] == ("/old/3", "/new", "/old/0")
    assert len(newer.recent) == MOST_RECENT
    assert len(set(newer.recent)) == MOST_RECENT


def test_a_place_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    assert not save(tmp_path / "file" / "state.toml", Memory())


def test_it_lies_in_the_folder_of_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path))
    assert memory_file() == tmp_path / "state.toml"
