"""`lorebook new` and `lorebook add`: from fields, templates and standard input; nothing is ever overwritten."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from lorebook_tui.formats import detect
from lorebook_tui.model.fields import template

Run = Callable[..., Result]
SAMPLES = Path(__file__).parents[3] / "sample_books"


@pytest.fixture(autouse=True)
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("LOREBOOK_CONFIG_DIR", str(tmp_path / "config"))


def entries_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["entries"]
    return found


def test_an_empty_book(run: Run, tmp_path: Path) -> None:
    result = run("new", str(tmp_path / "bells"))
    assert result.exit_code == 0
    assert result.stdout == "bells.json  a SillyTavern world, 0 entries\n"
    assert (tmp_path / "bells.json").read_bytes() == b'{\n    "entries": {}\n}\n'


def test_entries_in_one_argument_each(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bells.json"
    made = run(
        "new", str(path),
        "--entry", 'title="The bell" key="bell, gong, /a,b/i" content="Nobody has cast it." position=at-depth order=+5',
        "--entry", "key=x enabled=no folder=NPC",
    )  # fmt: skip
    assert made.exit_code == 0
    first, second = entries_of(path).values()
    assert first == {
        **template(), "uid": 0, "comment": "The bell", "addMemo": True, "key": ["bell", "gong", "/a,b/i"],
        "content": "Nobody has cast it.", "position": 4, "order": 105, "displayIndex": 0,
    }  # fmt: skip
    assert (second["uid"], second["displayIndex"]) == (1, 1)
    assert (second["disable"], second["extensions"]) == (True, {"lorebook_tui": {"folder": "NPC"}})
    assert run("ls", "--report", str(path)).exit_code == 0


@pytest.mark.parametrize("name", ["sillytavern", "v2_book", "lorebook_v3"])
def test_formats(name: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bells.json"
    result = run("new", str(path), "--format", name, "--entry", "key=bell depth=7", "--json")
    assert json.loads(result.stdout) == {
        "dry_run": False,
        "file": str(path),
        "format": name,
        "written": True,
        "entries": [{"uid": 0, "title": "bell", "keys": ["bell"]}],
    }
    loaded = detect.load(path.read_bytes(), "bells.json")
    assert loaded.format.name == name
    assert loaded.books[0].entries[0].get("depth") == 7


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        (json.dumps({"key": ["a"], "content": "x", "comment": "A"}), ["A"]),
        (json.dumps([{"key": ["a"], "content": ""}, {"keys": ["b"], "content": "", "enabled": True}]), ["a", "b"]),
        (json.dumps({"entries": {"7": {"uid": 7, "key": ["a"], "content": ""}}}), ["a"]),
        ("\ufeffTitle\nA text.", ["Title"]),
    ],
)
def test_from_standard_input(text: str, titles: list[str], run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bells.json"
    assert run("new", str(path), "--from-stdin", text=text).exit_code == 0
    made = entries_of(path).values()
    assert [entry["comment"] or entry["key"][0] for entry in made] == titles
    assert all(template().keys() <= entry.keys() for entry in made)


def test_numbers_from_standard_input_are_kept_where_they_are_free(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bells.json"
    world = {"entries": {"7": {"uid": 7, "key": ["a"], "content": ""}}}
    run("new", str(path), "--from-stdin", text=json.dumps(world))
    run("add", str(path), "--from-stdin", text=json.dumps(world))
    assert list(entries_of(path)) == ["7", "0"]


def test_templates_with_answers(run: Run, tmp_path: Path) -> None:
    from lorebook_tui.workspace.templates import built_in

    chosen = next(each for each in built_in() if each.blanks)
    blank = chosen.blanks[0].name
    path = tmp_path / "bells.json"
    result = run("new", str(path), "--template", chosen.name, "--answer", f"{blank}=Quillon")
    assert result.exit_code == 0
    assert "Quillon" in path.read_text("utf-8")
    assert len(entries_of(path)) == len(chosen.entries)
    wrong = run("add", str(path), "--template", chosen.name, "--answer", "nothing=x")
    assert (wrong.exit_code, "no blank" in wrong.stderr.lower() or "has a blank" in wrong.stderr) == (2, True)
    assert run("add", str(path), "--template", "no-such-template").exit_code == 2
    assert run("add", str(path), "--answer", "a=b").exit_code == 2
    assert run("add", str(path), "--template", chosen.name, "--answer", "ab").exit_code == 2


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bells.json"
    path.write_text("mine", "utf-8")
    for name in ("bells", "bells.json"):
        result = run("new", str(tmp_path / name))
        assert (result.exit_code, result.stdout) == (1, "")
        assert "FILE_THERE" in result.stderr
    assert path.read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("new", "a.json", "--format", "docx"), 2, "lorebook_v3"),
        (("new", "a:b.json"), 2, "file name"),
        (("new", "con"), 2, "device"),
        (("new", "no/such/folder/a.json"), 1, "folder does not exist"),
        (("new", "a.json", "--entry", 'title="The'), 2, "close every quote"),
        (("new", "a.json", "--entry", ""), 2, "without any field"),
        (("new", "a.json", "--entry", "ordr=1"), 2, "order"),
        (("new", "a.json", "--entry", "depth==-1"), 2, "0 to 1000"),
        (("add", "a.json", "key=x"), 3, "no such file"),
    ],
)
def test_refusals(
    arguments: tuple[str, ...], status: int, told: str, *, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert told in " ".join(result.stderr.split())
    assert [path for path in tmp_path.iterdir() if path.suffix == ".json"] == []


def test_a_dry_run_makes_nothing(run: Run, tmp_path: Path) -> None:
    result = run("new", str(tmp_path / "bells"), "--entry", "title=Bell", "-n")
    assert "+ #0  Bell" in result.stdout
    assert "not written" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_add_changes_nothing_else(run: Run, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "harrowmere" / "traveller.json", tmp_path))
    before = path.read_text("utf-8")
    result = run("add", str(path), "title=The bell", "key=bell,gong", "content=Nobody has cast it.")
    assert result.exit_code == 0
    assert result.stdout.startswith("traveller.json  1 entry added; ")
    after = path.read_text("utf-8")
    end = before.rindex("        }\n    }")
    assert after.startswith(before[:end] + "        },\n")
    assert entries_of(path)["5"]["comment"] == "The bell"
    shown = run("add", str(path), "key=x", "-n")
    assert shown.stdout.splitlines()[1] == "  + traveller#6  x"
    assert path.read_text("utf-8") == after


def test_add_to_a_card(run: Run, tmp_path: Path) -> None:
    path = Path(shutil.copy(SAMPLES / "harrowmere" / "mira.png", tmp_path))
    result = run("add", str(path), "title=The bell", "character=Mira", "depth=7", "--json")
    assert result.exit_code == 0
    assert "The file cannot hold characterFilter of 1 entry." in result.stderr
    added = detect.load(path.read_bytes(), "mira.png").require_book().entries[-1]
    assert (added.title, added.get("depth")) == ("The bell", 7)


def test_add_needs_to_know_the_book(run: Run, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(SAMPLES / "harrowmere", tmp_path / "h"))
    several = run("add", str(folder), "key=x")
    assert (several.exit_code, "--book" in several.stderr) == (2, True)
    assert run("add", str(folder), "key=x", "--book", "nobody").exit_code == 2
    assert run("add", str(folder), "key=x", "-b", "traveller").exit_code == 0
    assert "5" in entries_of(folder / "traveller.json")
    nothing = run("add", str(folder), "-b", "traveller")
    assert (nothing.exit_code, "nothing to add" in nothing.stderr) == (2, True)
    assert run("add", str(folder / "the-ferry.jsonl"), "key=x").exit_code == 3
