"""The installed command in a pseudo-terminal: which colours it sends where, and that it refuses what cannot draw."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals are a thing of Unix", allow_module_level=True)

import fcntl
import pty
import struct
import termios

if TYPE_CHECKING:
    from pathlib import Path

WORLD = '{"entries": {"0": {"uid": 0, "key": ["bell"], "comment": "The bell", "content": "A bell.", "constant": true}}}'
PATIENCE = 30.0
TRUE = re.compile(rb"[34]8;2;(\d+);(\d+);(\d+)")
INDEXED = re.compile(rb"[34]8;5;\d+")
SIXTEEN = re.compile(rb"\x1b\[[\d;]*?(?:[34]\d|9\d|10[0-7])[;m]")


def environment(folder: Path, **changes: str) -> dict[str, str]:
    """A clean one, with folders of nobody."""
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "LOREBOOK_CONFIG_DIR": str(folder / "config"),
        "LOREBOOK_STATE_DIR": str(folder / "state"),
    } | changes


def drawn(folder: Path, *options: str, **changes: str) -> bytes:
    """What the workbench sends until its first turn is drawn and `q` has ended it."""
    world = folder / "world.json"
    world.write_text(WORLD, "utf-8")
    command = [sys.executable, "-m", "lorebook_tui", *options, str(world)]
    child, handle = pty.fork()
    if child == 0:
        # By the child itself, so that the program never sees another size.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        os.chdir(folder)
        os.execve(sys.executable, command, environment(folder, **changes))  # noqa: S606 - the command under test
    sent = b""
    ended = time.monotonic() + PATIENCE
    has_quit = False
    try:
        while time.monotonic() < ended:
            if select.select([handle], [], [], 0.2)[0]:
                try:
                    piece = os.read(handle, 1 << 16)
                except OSError:
                    break
                if not piece:
                    break
                sent += piece
            if not has_quit and b"tok" in sent and b"The bell" in sent:
                has_quit = True
                os.write(handle, b"q")
        else:
            raise AssertionError(f"it never came to an end: {sent[-400:]!r}")
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(handle)
    return sent


def colours(sent: bytes) -> set[tuple[int, ...]]:
    return {tuple(map(int, found)) for found in TRUE.findall(sent)}


def test_true_colour_where_the_terminal_says_so(tmp_path: Path) -> None:
    sent = drawn(tmp_path, COLORTERM="truecolor")
    assert (0x14, 0x17, 0x1C) in colours(sent)
    assert any(len(set(colour)) > 1 for colour in colours(sent))


@pytest.mark.parametrize("how", ["environment", "option"])
def test_no_colour_is_grey_throughout(how: str, tmp_path: Path) -> None:
    if how == "option":
        sent = drawn(tmp_path, "--no-color", COLORTERM="truecolor")
    else:
        sent = drawn(tmp_path, COLORTERM="truecolor", NO_COLOR="1")
    found = colours(sent)
    assert found
    assert {colour for colour in found if len(set(colour)) > 1} == set()
    assert len(found) > 2, "all of one grey could not be read"


def test_the_console_gets_its_sixteen_colours_and_letters(tmp_path: Path) -> None:
    sent = drawn(tmp_path, TERM="linux")
    assert not TRUE.search(sent)
    assert not INDEXED.search(sent)
    assert SIXTEEN.search(sent)
    assert "✓".encode() not in sent
    assert "╭".encode() not in sent


def test_a_terminal_of_256_colours_gets_no_more(tmp_path: Path) -> None:
    sent = drawn(tmp_path)
    assert INDEXED.search(sent)
    assert not TRUE.search(sent)


def test_the_configuration_is_read_and_the_file_remembered(tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "config.toml").write_text(
        'theme = "dusk"\nmouse = 3\n[themes.dusk]\nbackground = "#1d1a26"\n'
    )
    sent = drawn(tmp_path, COLORTERM="truecolor")
    assert (0x1D, 0x1A, 0x26) in colours(sent)
    assert b"line 2" in sent
    assert "world.json" in (tmp_path / "state" / "state.toml").read_text("utf-8")


@pytest.mark.parametrize("arguments", [["demo"], ["world.json"]], ids=" ".join)
def test_a_dumb_terminal_is_refused_in_words(arguments: list[str], tmp_path: Path) -> None:
    (tmp_path / "world.json").write_text(WORLD, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "lorebook_tui", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment(tmp_path, TERM="dumb"),
        encoding="utf-8",
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "\x1b" not in done.stderr
    assert "TERM=dumb" in done.stderr
    assert "lorebook --help" in done.stderr
