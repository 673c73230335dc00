"""The user's configuration: what is right is used, what is wrong is told with line and key."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.workspace.config import LARGEST, OPTIONS, Preferences, defaults, load, parse, told
from lorebook_tui.workspace.config_template import template

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = b"""\
theme = "dusk"
signs = "letters"
mouse = false
animations = "full"
delay = 40
tokenizer = "o200k_base"

[panes]
layers = 40
entry = 2
simulate = 5

[keys]
"global.undo" = ["u", "ctrl+z"]
global.jump = "ctrl+g"
quit = []

[themes.dusk]
base = "light"
primary = "#c99bd6"
background = "#fff"
"""


def test_a_whole_file() -> None:
    found = parse(WHOLE, "c")
    assert found.notices == ()
    assert (found.theme, found.signs, found.mouse, found.animations, found.delay) == (
        "dusk",
        "letters",
        False,
        "full",
        40,
    )
    assert (found.tokenizer, found.layers_width, found.entry_share, found.simulate_share) == ("o200k_base", 40, 2, 5)
    assert [(wish.action, wish.keys, wish.where) for wish in found.keys] == [
        ("global.undo", ("u", "ctrl+z"), "c, line 14, keys.global.undo"),
        ("quit", (), "c, line 16, keys.quit"),
        ("global.jump", ("ctrl+g",), "c, line 15, keys.global.jump"),
    ]
    (theme,) = found.themes
    assert (theme.name, theme.base, theme.colours) == ("dusk", "light", {"primary": "#c99bd6", "background": "#fff"})


def test_nothing_is_a_configuration_too(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml") == parse(b"") == Preferences()


@pytest.mark.parametrize(
    ("text", "where", "expected", "found"),
    [
        ('theme = ""\ndelay = "soon"', "line 2, delay", "a whole number, 0 to 10,000", "'soon'"),
        ("mouse = 1", "line 1, mouse", "true or false", "1"),
        ("[panes]\n\nlayers = 3", "line 3, panes.layers", "a whole number, 20 to 200", "3"),
        ("panes = 3", "line 1, panes", "a table", "3"),
        ('keys.undo = ["u", 3]', "line 1, keys.undo", 'a key such as "ctrl+t", or a list of keys', "['u', 3]"),
        ('[themes.x]\nprimary = "red"', "line 2, themes.x.primary", "a colour such as #e3b05f", "'red'"),
        ('[themes.x]\nbase = "grey"', "line 2, themes.x.base", "dark or light", "'grey'"),
        ("themes.x = 1", "line 1, themes.x", "a table", "1"),
        ("thema = 1", "line 1, thema", "theme, signs", ""),
        ("[panes]\nlayer = 30", "line 2, panes.layer", "layers, entry, simulate", ""),
    ],
)
def test_a_mistake_names_line_and_key(text: str, where: str, expected: str, found: str) -> None:
    preferences = parse(f"{text}\n".encode(), "config.toml")
    (notice,) = preferences.notices
    assert notice.where == f"config.toml, {where}"
    assert notice.expected.startswith(expected)
    assert notice.found == found
    assert notice.where in told(notice)


def test_a_misspelt_key_is_guessed() -> None:
    assert parse(b"thema = 1").notices[0].hint == "Did you mean theme?"


def test_beside_a_mistake_the_rest_is_used() -> None:
    found = parse(b'theme = 3\ndelay = 20\n[panes]\nlayers = "wide"\nentry = 4\n')
    assert len(found.notices) == 2
    assert (found.theme, found.delay, found.layers_width, found.entry_share) == ("", 20, 48, 4)


def test_a_line_that_is_no_toml_costs_only_itself() -> None:
    found = parse(b'theme = "a"\ndelay 20\nmouse = false\n', "c")
    assert (found.theme, found.mouse, found.delay) == ("a", False, 150)
    assert [notice.where for notice in found.notices] == ["c, line 2"]
    assert found.notices[0].found


def test_a_broken_header_costs_its_table_but_no_other() -> None:
    found = parse(b'[keys\njump = "x"\n\n[panes]\nentry = 4\n', "c")
    assert (found.keys, found.entry_share) == ((), 4)
    assert [notice.where for notice in found.notices] == ["c, line 1"]


@pytest.mark.parametrize(
    "data",
    [
        b'theme = """never closed',
        b"keys = [",
        b"\xff\xfe",
        b"delay = " + b"9" * 5000,
        b"theme = " + b"[" * 50_000,
        b"= 1\n" * 50,
        b"a" * (LARGEST + 2),
        b"\x00",
    ],
)
def test_what_cannot_be_read_at_all_is_told_and_left_alone(data: bytes) -> None:
    found = parse(data, "c")
    assert found == Preferences()
    assert found.notices
    assert all(notice.where.startswith("c") for notice in found.notices)


def test_line_ends_and_marks_of_windows() -> None:
    assert parse("\ufefftheme = 'a'\r\nmouse = 3\r\n".encode(), "c").notices[0].where == "c, line 2, mouse"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    assert "cannot be read" in load(tmp_path).notices[0].message


def test_the_template_says_what_is_so_anyway() -> None:
    found = parse(template().encode())
    assert found == Preferences()
    assert found.notices == ()
    assert {option.field for option in OPTIONS} == set(defaults())
    assert all(option.help in template() for option in OPTIONS)


def test_the_examples_in_the_template_are_right() -> None:
    examples = "\n".join(
        line[2:] for line in template().splitlines() if line.startswith("# ") and line[2:3] in '["bfpj'
    )
    wanted = [line for line in examples.splitlines() if "=" in line or line.startswith("[")]
    text = "\n".join(wanted)
    assert set(tomllib.loads(text)) == {"keys", "themes"}
    found = parse(text.encode())
    assert found.notices == ()
    assert len(found.keys) == 2
    assert found.themes[0].name == "dusk"
