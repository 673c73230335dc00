"""A program in a pseudo-terminal, and what stands on its screen: as much of a terminal as the workbench uses."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from typing import TYPE_CHECKING, Final, Self

from lorebook_tui.display import cell_width

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

PATIENCE: Final = 30.0
_SIZE_VARIABLES: Final = {"COLUMNS", "LINES"}
"""Of the environment; they would win over the size of the terminal."""
_SEQUENCE: Final = re.compile(
    r"\x1b\[([0-9;:?<>=]*)[ -/]*([@-~])|\x1b[\]P_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_=>78]|\x1b\([A-Z0-9]"
)
KEYS: Final = {"enter": "\r", "escape": "\x1b", "down": "\x1b[B", "f2": "\x1bOQ", "ctrl+q": "\x11"}


class VirtualTerminal:
    """`lorebook` with arguments, in a terminal of its own.

    Args:
        arguments: of the command.
        folder: where it runs.
        environment: what is added to this process's.
        columns: of the terminal.
        rows: of the terminal.
    """

    def __init__(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], columns: int = 120, rows: int = 40
    ) -> None:
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0
        self._rest = ""
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            # By the child itself, so that the program never sees another size.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.chdir(folder)
            values = {name: value for name, value in os.environ.items() if name not in _SIZE_VARIABLES}
            values |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", **environment}
            os.execve(sys.executable, [sys.executable, "-m", "lorebook_tui", *arguments], values)  # noqa: S606 - no shell

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        os.close(self.master)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def line_with(self, words: str) -> str:
        """The first line of the screen that holds some words."""
        return next(line for line in self.text.splitlines() if words in line)

    def press(self, *keys: str) -> None:
        """Press keys by name, or type a text, and let the program answer to each."""
        for key in keys:
            os.write(self.master, KEYS.get(key, key).encode())
            self.read(0.25)

    def read(self, seconds: float) -> bool:
        """Take what the program draws until it is quiet for a moment; False once it has ended."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            ready, _, _ = select.select([self.master], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                break
            try:
                data = os.read(self.master, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self._take(data.decode("utf-8", "replace"))
        return True

    def wait_for(self, words: str, *more: str) -> None:
        """Wait until a line of the screen holds all these words."""
        until = time.monotonic() + PATIENCE
        wanted = (words, *more)
        while not any(all(word in line for word in wanted) for line in self.text.splitlines()):
            assert time.monotonic() < until, f"{wanted} did not come:\n{self.text}"
            assert self.read(0.1), f"the program ended:\n{self.text}"

    def wait_for_end(self) -> int:
        """Wait until the program has ended; its exit status."""
        until = time.monotonic() + PATIENCE
        while self.read(0.1):
            assert time.monotonic() < until, self.text
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def _take(self, text: str) -> None:
        text = self._rest + text
        self._rest = ""
        place = 0
        while place < len(text):
            if text[place] == "\x1b":
                found = _SEQUENCE.match(text, place)
                if found is None:
                    if len(text) - place < 64:  # the rest of it is still on its way
                        self._rest = text[place:]
                        return
                    place += 1
                    continue
                self._do(found[1], found[2])
                place = found.end()
                continue
            self._put(text[place])
            place += 1

    def _do(self, numbers: str | None, letter: str | None) -> None:
        if numbers is None or letter is None or numbers.startswith(("?", "<", ">", "=")):
            return
        given = [int(part) if part.isdigit() else 0 for part in numbers.split(";")]
        if letter in "Hf":
            self.y = min(max(given[0], 1), self.rows) - 1
            self.x = min(max(given[1] if len(given) > 1 else 1, 1), self.columns) - 1
        elif letter == "J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]
        elif letter == "K":
            self.cells[self.y][self.x :] = [" "] * (self.columns - self.x)

    def _put(self, char: str) -> None:
        if char == "\r":
            self.x = 0
        elif char == "\n":
            self.y = min(self.y + 1, self.rows - 1)
        elif char >= " ":
            width = cell_width(char)
            if self.x < self.columns:
                self.cells[self.y][self.x] = char
                for more in range(1, width):
                    if self.x + more < self.columns:
                        self.cells[self.y][self.x + more] = ""
            self.x += width
