"""`lorebook compare`: two sides by files or options, what differs, JSON, and the status for scripts."""

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
    "compare_same": ("compare", SAMPLE, SAMPLE),
    "compare_seeds": ("compare", SAMPLE, "--seed-b", "8", "--turn", "2,24"),
    "compare_settings": (
        "compare",
        SAMPLE,
        "--set",
        "depth=3",
        "--set-b",
        "budget=20",
        "--turn",
        "14-20",
        "--limit",
        "4",
    ),
}
STATUS = {"compare_same": 0}


@pytest.mark.parametrize("name", COMMANDS)
def test_compare_output(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    result = run(*COMMANDS[name])
    assert (result.exit_code, result.stderr) == (STATUS.get(name, 1), "")
    golden(name, result.stdout)


def test_help_of_compare_tells_its_options(run: Run) -> None:
    shown = run("compare", "--help").stdout
    assert [option for option in ("A [B]", "--set-b", "--seed-b", "--engines", "--same") if option not in shown] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_a_comparison_is_wider_than_the_terminal(
    name: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    lines = run(*COMMANDS[name]).stdout.splitlines()
    assert [line for line in lines if len(line) > 72] == []


def world(path: Path, **entries: dict[str, Any]) -> str:
    """A world from entries by their property name, as a path."""
    template = {"key": ["cat"], "content": "x", "order": 100, "position": 0}
    book = {name[1:]: {"uid": int(name[1:]), "comment": name, **template, **fields} for name, fields in entries.items()}
    path.write_text(json.dumps({"entries": book}), "utf-8")
    return str(path)


def chat(path: Path, *texts: str) -> str:
    lines = [
        {"user_name": "U", "character_name": "C"},
        *({"name": "U", "is_user": True, "mes": text} for text in texts),
    ]
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return str(path)


def test_two_books_over_one_chat(run: Run, tmp_path: Path, golden: Callable[[str, str], None]) -> None:
    old = world(tmp_path / "old.json", e1={"content": "A text of some length, old."}, e2={}, e3={"position": 1}, e4={})
    new = world(
        tmp_path / "new.json", e1={"content": "A text of some length, new."}, e2={"disable": True}, e3={"position": 4},
        e5={}, e4={},
    )  # fmt: skip
    result = run("compare", old, new, "--chat", chat(tmp_path / "c.jsonl", "A cat.", "-", "-"))
    assert result.exit_code == 1
    golden("compare_books", result.stdout)


def test_json_tells_the_same(run: Run, tmp_path: Path) -> None:
    old = world(tmp_path / "old.json", e1={}, e2={"key": ["dog"]})
    new = world(tmp_path / "new.json", e1={"key": ["dog"]}, e3={})
    log = chat(tmp_path / "c.jsonl", "A cat.")
    document = json.loads(run("compare", old, new, "--chat", log, "--json").stdout)
    assert (document["format"], document["same"], document["pairs"]) == ("lorebook-compare/1", False, [[0, 0]])
    (turn,) = document["turns"]
    assert [(change["kind"], change["a"]["entry"], change["b"]["entry"]) for change in turn["changes"]] == [
        ("came", None, 1), ("went", 0, 0),
    ]  # fmt: skip
    assert document["b"]["entries"][1]["title"] == "e3"
    back = json.loads(run("compare", new, old, "--chat", log, "--json").stdout)
    assert [change["kind"] for change in back["turns"][0]["changes"]] == ["came", "went"]


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (("--seed-b", "2"), "seed"),
        (("--context-b", "100"), "context"),
        (("--tokenizer-b", "estimate"), "tokenizer"),
        (("--trigger-b", "swipe"), "trigger"),
        (("--set-b", "depth=9"), "world_info_depth"),
    ],
)
def test_options_of_one_side_are_told(run: Run, tmp_path: Path, option: tuple[str, str], told: str) -> None:
    book, log = world(tmp_path / "w.json", e1={}), chat(tmp_path / "c.jsonl", "A cat.")
    result = run("compare", book, "--chat", log, *option)
    assert result.exit_code == (1 if told == "trigger" else 0)
    assert any(line.split()[:1] == [told] for line in result.stdout.splitlines())


@pytest.mark.parametrize("layer", ["global", "character", "persona", "chat-lore"])
def test_another_book_in_one_layer(run: Run, tmp_path: Path, layer: str) -> None:
    book, other = world(tmp_path / "w.json", e1={}), world(tmp_path / "v.json", e1={"disable": True})
    log = chat(tmp_path / "c.jsonl", "A cat.")
    document = json.loads(run("compare", "--chat", log, f"--{layer}", book, f"--{layer}-b", other, "--json").stdout)
    assert [change["kind"] for change in document["turns"][0]["changes"]] == ["went"]
    assert document["pairs"] == [[0, 0]]


def test_books_are_named_where_names_do_not_tell(run: Run, tmp_path: Path) -> None:
    a, b = world(tmp_path / "a.json", e1={}), world(tmp_path / "b.json", e1={"content": "y"})
    log = chat(tmp_path / "c.jsonl", "A cat.")
    sides = ("--global", a, "--global", b, "--global-b", b, "--global-b", a, "--chat", log)
    assert run("compare", *sides).exit_code == 1
    crossed = json.loads(run("compare", *sides, "--same", "a=b", "--same", "b=a", "--json").stdout)
    assert {change["kind"] for change in crossed["turns"][0]["changes"]} == {"rewritten"}


def test_chats_of_different_length_differ(run: Run, tmp_path: Path) -> None:
    folders = []
    for name, texts in (("one", ("A cat.",)), ("two", ("A cat.", "A dog."))):
        folder = tmp_path / name
        folder.mkdir()
        world(folder / "w.json", e1={})
        chat(folder / "c.jsonl", *texts)
        (folder / "lorebook.toml").write_text('[books]\nglobal = ["w.json"]\n[chat]\nfile = "c.jsonl"\n', "utf-8")
        folders.append(str(folder))
    result = run("compare", *folders)
    assert result.exit_code == 1
    assert "Only B has the turns 2." in result.stdout


def test_what_is_no_two_sides_is_refused(run: Run, tmp_path: Path) -> None:
    book = world(tmp_path / "w.json", e1={})
    for arguments in (
        (book,), (book, book, book), (book, "--engines", "sillytavern"), (book, "--engines", "a,b,c"),
        (book, book, "--same", "a"), (book, book, "--set-b", "nothing=1"), (book, "--engines", "sillytavern,nobody"),
        (book, book, "--turn", "7"),
    ):  # fmt: skip
        result = run("compare", *arguments)
        assert result.exit_code == 2, arguments
        assert result.stdout == ""
    assert run("compare", book, "--engines", "sillytavern,sillytavern").exit_code == 0


def test_an_option_of_one_side_is_named_as_it_was_written(run: Run, tmp_path: Path) -> None:
    book = world(tmp_path / "w.json", e1={})
    assert "--set-b nothing=1" in run("compare", book, "--set-b", "nothing=1").stderr
    assert "--set nothing=1" in run("compare", book, "--set", "nothing=1", "--seed-b", "2").stderr


def test_numbers_of_turns_are_told_in_english(run: Run, tmp_path: Path) -> None:
    left, right = world(tmp_path / "a.json", e1={"key": ["cat"]}), world(tmp_path / "b.json", e1={"key": ["dog"]})
    for texts, told in (
        (("A cat.",), "The one turn differs. From A"),
        (("A cat.", "Nothing."), "1 of 2 turns differs. From A"),
        (("A cat.", "A dog."), "2 of 2 turns differ. From A"),
    ):
        talk = chat(tmp_path / "c.jsonl", *texts)
        shown = run("compare", left, right, "--chat", talk, "--set", "depth=1", "--same", "a=b").stdout
        assert told in " ".join(shown.split())


def test_where_the_program_stops_is_told(run: Run, tmp_path: Path) -> None:
    fine = world(tmp_path / "a.json", e1={}, e2={})
    broken = world(tmp_path / "b.json", e1={"group": "constructor"}, e2={})
    log = chat(tmp_path / "c.jsonl", "A cat.")
    result = run("compare", fine, broken, "--chat", log)
    assert "B: An inclusion group cannot be called" in result.stdout


def test_lore_that_cannot_be_loaded_is_never_the_same(run: Run, tmp_path: Path) -> None:
    book = world(tmp_path / "a.json", e1={"content": 5})
    result = run("compare", book, book)
    assert result.exit_code == 1
    assert "A: The content of entry 1" in result.stdout


def test_nothing_foreign_in_a_comparison_acts(run: Run, tmp_path: Path) -> None:
    name = "\x1b[31mred\u202e"
    old = world(tmp_path / "old.json", e1={"comment": name, "content": f"old {name}"})
    new = world(tmp_path / "new.json", e1={"comment": f"{name}!", "content": f"new {name}", "group": name})
    log = chat(tmp_path / "c.jsonl", "A cat.")
    for what in ((), ("--json",)):
        assert not {"\x1b", "\u202e"} & set(run("compare", old, new, "--chat", log, *what).stdout)
