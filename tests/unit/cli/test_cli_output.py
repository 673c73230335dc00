"""The writer: columns, lines, colour, JSON and errors, whatever the text and the terminal."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from lorebook_tui.__main__ import main
from lorebook_tui.cli import output
from lorebook_tui.cli.key_text import marked_lines
from lorebook_tui.cli.output import Writer, safe_json, show_error, wrap
from lorebook_tui.display import cell_width
from lorebook_tui.errors import UnreadableError

HOSTILE = "\x1b]0;owned\x07 \x9b31m \u202eevil\u2066 [bold]x[/] \u200b\r\n\ttab \ud800 e\u0301 漢字漢字漢字 👩‍🚀"
Run = Callable[..., Result]


def writer(width: int = 60, *, colour: bool = False, encoding: str = "utf-8") -> tuple[Writer, io.BytesIO, io.BytesIO]:
    out, error = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(stream, encoding, "backslashreplace", write_through=True) for stream in (out, error)]
    return Writer(colour, colour, width, streams[0], streams[1]), out, error


def hostile_world(folder: Path) -> Path:
    entry = {
        "uid": 0, "key": [HOSTILE, "bell"], "keysecondary": [HOSTILE], "selective": True, "comment": HOSTILE,
        "content": HOSTILE * 3, "order": 100, "position": 7, "outletName": HOSTILE, "group": HOSTILE, "constant": True,
        HOSTILE: HOSTILE, "depth": HOSTILE, "scanDepth": 2,
    }  # fmt: skip
    path = folder / "hostile.json"
    path.write_text(json.dumps({"entries": {"0": entry}, HOSTILE: 1}), "utf-8")
    header = {"user_name": HOSTILE, "character_name": HOSTILE, "chat_metadata": {"note_prompt": HOSTILE, HOSTILE: 1}}
    message = {"name": HOSTILE, "is_user": True, "mes": HOSTILE + " bell"}
    (folder / "chat.jsonl").write_text("\n".join(json.dumps(item) for item in (header, message)), "utf-8")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("ls",), ("ls", "--report"), ("ls", "--json"), ("show", "bell"), ("show", "bell", "--json"), ("simulate",),
        ("simulate", "--json", "--evidence"), ("simulate", "--all", "--turns", "each"), ("why", "bell"),
        ("why", "bell", "--json"), ("why", HOSTILE.encode("utf-8", "replace").decode()),
    ],
)  # fmt: skip
def test_nothing_foreign_acts_on_the_terminal(run: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    world = hostile_world(tmp_path)
    result = run(*arguments, str(world), str(tmp_path / "chat.jsonl"))
    shown = result.stdout + result.stderr
    bad = {char for char in shown if unicodedata.category(char) in {"Cc", "Cf", "Cs"} and char not in "\n\u200d"}
    assert bad == set()
    if "--json" in arguments:
        json.loads(result.stdout)


def test_a_file_that_cannot_be_read_is_told_safely(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31mb.json"
    result = run("ls", str(path))
    assert result.exit_code == 3
    assert "\x1b" not in result.stderr


def test_a_hostile_key_is_shown_safely(run: Run) -> None:
    shown = run("test-key", "\x1b[31mbell\u202e", "a \x1b[31mbell\u202e rings").stdout
    assert not {"\x1b", "\u202e"} & set(shown)


def test_json_escapes_what_could_act_or_hide() -> None:
    text = json.dumps({"a": HOSTILE + "\x7f\U000e0041"}, ensure_ascii=False)
    safe = safe_json(text)
    assert json.loads(safe) == json.loads(text)
    assert "\x9b" not in safe
    assert "\u202e" not in safe
    assert "漢字" in safe
    assert safe_json('{"a": 1}') == '{"a": 1}'


def test_json_is_ascii_where_the_output_is_not_utf_8() -> None:
    made, out, _ = writer(encoding="cp1252")
    made.json({"a": "漢é"})
    assert json.loads(out.getvalue().decode("ascii")) == {"a": "漢é"}


def test_marks_become_letters_where_the_output_is_not_utf_8() -> None:
    assert writer(encoding="cp437")[0].glyphs.letters
    assert not writer()[0].glyphs.letters


def test_columns_align_by_cells_and_the_last_one_gives_way() -> None:
    made, out, _ = writer(24)
    made.table([("漢字", "1", "a long text that does not fit"), ("x", "200", "b")], right=(1,), indent="  ")
    lines = out.getvalue().decode().splitlines()
    assert lines == ["  漢字    1  a long tex…", "  x     200  b"]
    assert max(map(cell_width, lines)) <= 24


def test_lines_are_wrapped_by_cells() -> None:
    lines = wrap("漢字" * 40 + " word", 40, "  ", "    ")
    assert max(map(cell_width, lines)) <= 40
    assert lines[0].startswith("  漢")
    assert lines[1].startswith("    ")
    assert wrap("", 40, "  ") == [""]


def test_colour_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    made, out, _ = writer(colour=True)
    made.heading("Title")
    assert out.getvalue().decode() == "\x1b[1;36mTitle\x1b[0m\n"

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setattr(os, "system", lambda _command: 0)
    shown = Writer.for_terminal()
    assert (shown.colour, shown.error_colour) == (True, False)
    assert not Writer.for_terminal(no_color=True).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Writer.for_terminal().colour
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.setenv("TERM", "dumb")
    assert not Writer.for_terminal().colour


def test_long_work_shows_how_far_it_is_and_then_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    screen = Terminal()
    with output.Progress(Writer(width=60, error=screen), "Replaying", 10) as progress:
        progress(1)
        assert screen.getvalue() == ""
        clock[0] = 2.0
        progress(5)
        progress(6)
        assert screen.getvalue() == "\rReplaying [############............] 5 of 10"
    assert screen.getvalue().endswith("\r" + " " * 59 + "\r")


def test_long_work_is_silent_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    quiet, _, error = writer()
    with output.Progress(quiet, "Replaying", 10) as progress:
        clock[0] = 9.0
        progress(5)
    assert error.getvalue() == b""


def test_an_error_is_one_block() -> None:
    made, _, error = writer(50)
    show_error(
        UnreadableError(
            "It\x1b is no lore.", where="a.json, line 3", expected="x " * 30, found="one\ntwo", hint="Try."
        ),
        made,
    )
    assert error.getvalue().decode().splitlines() == [
        "UNREADABLE: It␛ is no lore.",
        "  where     a.json, line 3",
        "  expected  x x x x x x x x x x x x x x x x x x x",
        "            x x x x x x x x x x x",
        "  found     one",
        "            two",
        "  hint      Try.",
    ]


@pytest.mark.parametrize(
    ("text", "spans", "cells", "lines"),
    [
        ("a bell", ((2, 6),), 40, [("a bell", "  ^^^^")]),
        ("漢 bell, bell", ((2, 6), (8, 12)), 40, [("漢 bell, bell", "   ^^^^  ^^^^")]),
        ("no\na bell\nno", ((5, 9),), 40, [("a bell", "  ^^^^")]),
        ("one\ntwo", ((2, 5),), 40, [("one", "  ^"), ("two", "^")]),
        ("x" * 50 + "bell", ((50, 54),), 30, [("…" + "x" * 24 + "bell", " " * 25 + "^^^^")]),
        ("bell" + "x" * 50, ((0, 4), (40, 44)), 12, [("bellxxxxxxx…", "^^^^")]),
        ("\x1b\u202ebell", ((2, 6),), 40, [("␛⇠bell", "  ^^^^")]),
    ],
)
def test_hits_are_underlined(
    text: str, spans: tuple[tuple[int, int], ...], cells: int, lines: list[tuple[str, str]]
) -> None:
    assert list(marked_lines(text, spans, cells)) == lines


def test_streams_never_fail_on_a_character(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, "ascii", write_through=True))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    output.prepare_streams()
    sys.stdout.write("é漢 “x”…")
    assert raw.getvalue() == b'?? "x"~'


def lorebook(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "lorebook_tui", *arguments],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONUTF8": "0", **environment},
    )


def test_a_console_without_utf_8_gets_letters() -> None:
    done = lorebook("simulate", "sample_books/harrowmere", PYTHONIOENCODING="cp437")
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert "I 2" in done.stdout.decode("cp437")


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows break otherwise")
def test_a_reader_that_leaves_early_is_no_failure() -> None:
    command = f"'{sys.executable}' -m lorebook_tui simulate sample_books/harrowmere --all --json"
    done = subprocess.run(
        ["sh", "-c", f"{{ {command}; echo $? >&2; }} | head -c 10"], capture_output=True, text=True, check=False
    )
    assert done.stdout == '{\n  "forma'
    assert done.stderr == "0\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
@pytest.mark.parametrize("arguments", [("ls",), ("simulate", "--all", "--json")])
def test_output_that_cannot_be_written_is_told(arguments: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "lorebook_tui", arguments[0], "sample_books/harrowmere", *arguments[1:]]
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[0] == "ERROR: The output could not be written."


def test_an_interruption_before_the_command_line_is_up_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("lorebook_tui.cli.app.run", interrupted)
    monkeypatch.setattr(sys, "argv", ["lorebook", "ls"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 130


@pytest.mark.parametrize(
    ("words", "count", "expected"),
    [
        ("lorebook ", 1, "simulate"),
        ("lorebook te", 1, "test-key"),
        ("lorebook simulate --engine ", 3, "sillytavern"),
        ("lorebook simulate --set world_info_d", 3, "world_info_depth="),
        ("lorebook fields scan", 2, "scanDepth"),
        ("lorebook schema ", 2, "reasons"),
        ("lorebook schema o", 2, "odds"),
        ("lorebook demo --name ", 3, "mossford"),
        ("lorebook simulate --turns ", 3, "each"),
        ("lorebook simulate --trigger sw", 3, "swipe"),
        ("lorebook tokens x --tokenizer o", 4, "o200k_base"),
    ],
)
def test_the_shell_completes(words: str, count: int, expected: str) -> None:
    done = lorebook(_LOREBOOK_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=str(count))
    assert expected in done.stdout.decode().splitlines()


def test_the_shell_completes_paths_by_itself() -> None:
    done = lorebook(_LOREBOOK_COMPLETE="complete_bash", COMP_WORDS="lorebook sample", COMP_CWORD="1")
    assert (done.returncode, done.stdout.strip()) == (0, b"")


def test_the_completion_script_is_shown() -> None:
    done = lorebook("--show-completion", "bash", _TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION="1")
    assert b"_LOREBOOK_COMPLETE=complete_bash" in done.stdout
