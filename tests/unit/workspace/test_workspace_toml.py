"""lorebook.toml: what it says, and what it answers to mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LorebookError, UnreadableError, UsageError
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import toml
from lorebook_tui.workspace.toml_lines import line_of, place_of_error

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
engine = "sillytavern"
context = 4096 # tokens
tokenizer = "cl100k_base"
seed = 7

[books]
global = ["one.json", "two.json"]
character = "card.png"
persona = []

[cast]
character = "card.png"

[cast.persona]
name = "Rowan"
position = "at_depth"
role = "user"

[chat]
file = 'chats\\ferry.jsonl'

[note]
prompt = "Stay in the scene."
interval = 2
scan = true

[settings]
world_info_depth = 4
budget = 30
world_info_character_strategy = "global first"
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "lorebook.toml"
    path.write_text(text, "utf-8")
    return path


def refused(folder: Path, text: str) -> LorebookError:
    with pytest.raises(LorebookError) as caught:
        toml.read(written(folder, text))
    return caught.value


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    file = toml.read(written(tmp_path, WHOLE))
    assert (file.engine, file.context, file.tokenizer, file.seed) == ("sillytavern", 4096, "cl100k_base", 7)
    assert [named.path.name for named in file.books[Layer.GLOBAL]] == ["one.json", "two.json"]
    assert [named.path.name for named in file.books[Layer.CHARACTER]] == ["card.png"]
    assert file.books[Layer.PERSONA] == ()
    assert file.books[Layer.CHAT] == ()
    assert file.character is not None
    assert file.character.where.endswith("lorebook.toml, line 12, cast.character")
    assert file.persona == {"name": "Rowan", "position": "at_depth", "role": 1}
    assert file.chat is not None
    assert file.chat.path == tmp_path / "chats" / "ferry.jsonl"
    assert file.note == {"prompt": "Stay in the scene.", "interval": 2, "scan": True}
    assert file.settings == {
        "world_info_depth": 4,
        "world_info_budget": 30,
        "world_info_character_strategy": 2,
    }


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    file = toml.read(written(tmp_path, "# nothing yet\n"))
    assert (file.engine, file.character, file.chat, file.persona, file.settings) == (None, None, None, {}, {})


def test_a_byte_order_mark_and_windows_line_ends_are_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "lorebook.toml"
    path.write_bytes(b'\xef\xbb\xbfengine = "sillytavern"\r\n[chat]\r\nfile = "a.jsonl"\r\n')
    file = toml.read(path)
    assert file.chat is not None
    assert file.chat.where.endswith("line 3, chat.file")


@pytest.mark.parametrize(
    ("text", "line", "found", "hint"),
    [
        ("engin = 'sillytavern'", 1, "engin", "engine"),
        ("[book]\nglobal = []", 1, "book", "books"),
        ("[books]\n\ngobal = []", 3, "gobal", "global"),
        ("[cast.persona]\nname = 'A'\ndescripton = 'B'", 3, "descripton", "description"),
        ("[note]\nintervall = 1", 2, "intervall", "interval"),
        ("seed = 1\n[settings]\nworld_info_dept = 4", 3, "world_info_dept", "world_info_depth"),
    ],
)
def test_a_misspelt_key_is_named_with_its_line_and_what_was_meant(
    tmp_path: Path, text: str, line: int, found: str, hint: str
) -> None:
    error = refused(tmp_path, text)
    assert isinstance(error, UsageError)
    assert f"line {line}, " in error.where
    assert error.found == found
    assert hint in error.hint


@pytest.mark.parametrize(
    ("text", "line", "key", "expected"),
    [
        ("context = 0", 1, "context", "whole number, from 1"),
        ("context = true", 1, "context", "whole number"),
        ("seed = 'seven'", 1, "seed", "whole number"),
        ("engine = 'tavern'", 1, "engine", "sillytavern"),
        ("books = 3", 1, "books", "a table"),
        ("[books]\nglobal = 3", 2, "books.global", "list of file names"),
        ("[books]\nglobal = [\n  'a.json',\n  7,\n]", 2, "books.global", "a file name"),
        ("[chat]\nfile = ''", 2, "chat.file", "a file name"),
        ("[cast.persona]\nposition = 'on top'", 2, "cast.persona.position", "in_prompt"),
        ("[cast.persona]\nrole = 3", 2, "cast.persona.role", "system, user or assistant"),
        ("[note]\nscan = 1", 2, "note.scan", "true or false"),
        ("[note]\nposition = 3", 2, "note.position", "0 to 2"),
        ("[settings]\nworld_info_depth = 1001", 2, "settings.world_info_depth", "0 to 1000"),
        ("[settings]\nworld_info_recursive = 'perhaps'", 2, "settings.world_info_recursive", "true or false"),
    ],
)
def test_a_value_that_cannot_be_meant_is_named_with_its_line(
    tmp_path: Path, text: str, line: int, key: str, expected: str
) -> None:
    error = refused(tmp_path, text)
    assert isinstance(error, UsageError)
    assert error.where.endswith(f"line {line}, {key}")
    assert expected in error.expected
    assert error.found


@pytest.mark.parametrize("name", ["/etc/passwd", "../secret.json", "a/../../b.json", "C:\\lore.json", "\\\\host\\x"])
def test_a_workspace_file_names_nothing_outside_its_folder(tmp_path: Path, name: str) -> None:
    error = refused(tmp_path, f"[books]\nglobal = ['{name}']")
    assert isinstance(error, UsageError)
    assert error.found == name
    assert "line 2, books.global" in error.where


def test_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "secret.json").write_text("{}", "utf-8")
    try:
        (home / "inside.json").symlink_to(tmp_path / "secret.json")
    except OSError:
        pytest.skip("this system makes no links for everybody")
    assert "own folder" in refused(home, "[books]\nglobal = ['inside.json']").message


def test_a_syntax_error_has_its_line(tmp_path: Path) -> None:
    error = refused(tmp_path, "engine = 'sillytavern'\ncontext = = 4\n")
    assert isinstance(error, UnreadableError)
    assert error.where.endswith("lorebook.toml, line 2")
    assert "(at line" not in error.found


def test_an_unfinished_file_breaks_at_its_end(tmp_path: Path) -> None:
    assert refused(tmp_path, 'engine = """never closed').where.endswith("at its end")


def test_another_encoding_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "lorebook.toml"
    path.write_bytes("name = 'é'".encode("latin-1"))
    with pytest.raises(UnreadableError, match="not written in UTF-8"):
        toml.read(path)


def test_lines_are_found_in_every_spelling() -> None:
    text = 'cast.persona = { name = "A" }\n\n[ books ]\n"global" = [\n  "a.json", # one\n  "b.json",\n]\nchat = []\n'
    assert line_of(text, ("cast", "persona", "name")) == 1
    assert line_of(text, ("books",)) == 3
    assert line_of(text, ("books", "global")) == 4
    assert line_of(text, ("books", "global"), "b.json") == 6
    assert line_of(text, ("books", "global"), "z.json") == 4
    assert line_of(text, ("books", "chat")) == 8
    assert line_of(text, ("settings", "depth")) is None


def test_the_place_is_taken_out_of_the_parsers_words() -> None:
    assert place_of_error("Invalid value (at line 12, column 3)") == ("Invalid value", 12)
    assert place_of_error("Expected ']' (at end of document)") == ("Expected ']'", None)
