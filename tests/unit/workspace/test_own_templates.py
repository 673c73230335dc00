"""The user's own templates and snippets: read, checked with their lines, and never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.model.fields import template as new_entry
from lorebook_tui.workspace.own_templates import read_template, shelf
from lorebook_tui.workspace.snippets import SNIPPETS
from lorebook_tui.workspace.templates import built_in

SHOP = '''
title = "A shop"
purpose = "Tells what is sold."
notes = ["Keep it short."]

[blanks.where]
question = "Name of the shop"
example = "The Three Fish"

[[entries]]
comment = "<<where>>"
key = ["<<where>>", "<<nick-name>>"]
content = """
<<where>> sells rope."""
order = 50

[[entries]]
constant = true
content = "Shops close at dusk."
'''


def put(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def test_without_a_folder_there_is_what_came_with_the_program(tmp_path: Path) -> None:
    for folder in (None, tmp_path, tmp_path / "nowhere"):
        found = shelf(folder)
        assert (found.templates, found.snippets, found.problems) == (built_in(), SNIPPETS, ())


def test_own_templates_come_first_and_replace_equal_names(tmp_path: Path) -> None:
    path = put(tmp_path, "templates/My Shop.toml", SHOP)
    put(tmp_path, "templates/place.json", json.dumps({"entries": [{"key": ["a"], "sticky": None}]}))
    put(tmp_path, "templates/notes.txt", "not read")
    found = shelf(tmp_path)
    assert [each.name for each in found.templates[:2]] == ["my-shop", "place"]
    assert len(found.templates) == len(built_in()) + 1
    shop = found.template("my-shop")
    assert (shop.title, shop.purpose, shop.notes, shop.group) == (
        "A shop", "Tells what is sold.", ("Keep it short.",), "Own",
    )  # fmt: skip
    assert shop.source == str(path)
    assert [(blank.name, blank.question, blank.example) for blank in shop.blanks] == [
        ("where", "Name of the shop", "The Three Fish"),
        ("nick-name", "Nick name", "nick-name"),
    ]
    first, second = shop.filled({"where": "Ropes"})
    assert first == {
        **new_entry(), "comment": "Ropes", "key": ["Ropes", "nick-name"], "content": "Ropes sells rope.", "order": 50,
    }  # fmt: skip
    assert second["constant"]
    assert found.template("place").title == "place"
    with pytest.raises(UsageError):
        found.template("nothing")


def test_copied_entries_are_a_template_too(tmp_path: Path) -> None:
    world = {"entries": {"0": {"uid": 0, "key": ["<<a>>"], "content": "x", "displayIndex": 3}}}
    for text in (json.dumps(world), json.dumps([world["entries"]["0"]])):
        template = read_template(put(tmp_path, "w.json", text))
        assert template.entries == ({"key": ["<<a>>"], "content": "x"},)
        assert [blank.name for blank in template.blanks] == ["a"]


@pytest.mark.parametrize(
    ("name", "text", "where", "found"),
    [
        ("a.toml", "title = ", "at its end", ""),
        ("a.toml", "title = x\n", "line 1", ""),
        ("a.toml", "title = 'x'\n\ncolour = 3\n[[entries]]\nkey = []\n", "line 3, colour", "the number 3"),
        ("a.toml", "title = 3\n[[entries]]\nkey = []\n", "line 1, title", "the number 3"),
        ("a.toml", "title = 'x'\n", "entries", "null"),
        ("a.toml", "entries = []\n", "line 1, entries", "an array of 0"),
        ("a.toml", "entries = [3]\n", "entries.0", "the number 3"),
        ("a.toml", "notes = 'x'\n[[entries]]\nkey = []\n", "line 1, notes", 'the text "x"'),
        (
            "a.toml",
            "[[entries]]\nkey = ['a']\n\n[[entries]]\nkey = ['b']\nstiky = 3\n",
            "line 6, entries.1.stiky",
            "the number 3",
        ),
        ("a.toml", "[[entries]]\ncontent = 'a'\norder = 'high'\n", "line 3, entries.0.order", 'the text "high"'),
        ("a.toml", "[blanks]\na = 3\n[[entries]]\nkey = []\n", "line 2, blanks.a", "the number 3"),
        ("a.toml", "[blanks.a]\nask = 'x'\n[[entries]]\nkey = []\n", "line 2, blanks.a.ask", 'the text "x"'),
        ("a.toml", "blanks = 3\n[[entries]]\nkey = []\n", "line 1, blanks", "the number 3"),
        ("a.json", '{"entries": [\n {"key": "x"}]}', "line 2, entries.0.key", 'the text "x"'),
        ("a.json", '{"entries": [', "line 1", ""),
        ("a.json", "[]", "", ""),
        ("a.json", '"just text"', "", None),
    ],
)
def test_a_mistake_names_its_line_and_stops_nothing(
    tmp_path: Path, name: str, text: str, where: str, found: str | None
) -> None:
    path = put(tmp_path, f"templates/{name}", text)
    put(tmp_path, "templates/good.toml", SHOP)
    made = shelf(tmp_path)
    assert made.template("good").title == "A shop"
    if found is None:
        assert not made.problems, "plain text in quotation marks is the content of an entry"
        return
    (problem,) = made.problems
    assert problem.where.startswith(str(path))
    assert where in problem.where
    if found:
        assert problem.found == found


def test_a_misspelled_field_is_told(tmp_path: Path) -> None:
    put(tmp_path, "templates/a.toml", "[[entries]]\nstiky = 3\n")
    assert shelf(tmp_path).problems[0].hint == "Did you mean sticky?"


def test_own_snippets(tmp_path: Path) -> None:
    put(
        tmp_path,
        "snippets/mine.toml",
        '["Town crier"]\ntext = "Hear: <<caret>>!"\n[char]\ntext = "C"\ndescription = "D."\n',
    )
    put(tmp_path, "snippets/more.json", '{"bow": {"text": "*bows*"}}')
    put(tmp_path, "snippets/bad.toml", "x = 3\n")
    put(tmp_path, "snippets/worse.toml", "[x]\ndescription = 'no text'\n")
    put(tmp_path, "snippets/worst.json", "[1]")
    put(tmp_path, "snippets/odd.toml", "[x]\ntext = 'a'\ntxt = 'b'\n")
    found = shelf(tmp_path)
    assert [(each.name, each.text, each.caret) for each in found.snippets[:3]] == [
        ("town-crier", "Hear: !", 6), ("char", "C", 1), ("bow", "*bows*", 6),
    ]  # fmt: skip
    assert len(found.snippets) == len(SNIPPETS) + 2
    assert [Path(problem.where.split(",")[0]).name for problem in found.problems] == [
        "bad.toml", "odd.toml", "worse.toml", "worst.json",
    ]  # fmt: skip


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    put(tmp_path, "templates/big.toml", "# " + "x" * (1 << 20))
    (tmp_path / "templates" / "folder.toml").mkdir()
    (tmp_path / "templates" / "binary.toml").write_bytes(b"\xff\xfe\x00\xd8")
    assert len(shelf(tmp_path).problems) >= 2


def test_too_many_files_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lorebook_tui.workspace.own_templates._MOST_FILES", 1)
    for name in ("a", "b"):
        put(tmp_path, f"templates/{name}.toml", SHOP)
    found = shelf(tmp_path)
    assert [each.name for each in found.templates[:2]] == ["a", built_in()[0].name]
    assert len(found.problems) == 1


def test_a_folder_that_cannot_be_listed_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "templates/a.toml", SHOP)

    def refuse(_self: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refuse)
    (problem,) = shelf(tmp_path).problems
    assert isinstance(problem, UnreadableError)
    assert problem.found == "Permission denied"
