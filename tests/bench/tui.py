"""How quick the screen is in a real pseudo-terminal: first paint, key to paint, idle. Prints figures, gates nothing.

Run: python tests/bench/tui.py [ENTRIES] [MESSAGES]
"""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from statistics import median
from typing import Any

COLUMNS, ROWS = 120, 40
QUIET = 0.12
"""Seconds without output after which a frame counts as complete."""
PATIENCE = 20.0
ESCAPES = re.compile(rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07]*\x07|\x1b[P_][^\x1b]*\x1b\\")


def write_workspace(folder: Path, entries: int, messages: int) -> Path:
    """A world with so many entries, a tenth of which the chat talks about, and a chat."""
    world = {
        "entries": {
            str(uid): {
                "uid": uid,
                "comment": f"Entry {uid}",
                "key": [f"topic{uid}", f"word{uid} phrase"],
                "content": f"Lore about topic{uid}. " * 4,
                "order": uid % 200,
                "position": uid % 2,
                "selective": True,
                "keysecondary": [],
            }
            for uid in range(entries)
        }
    }
    (folder / "big.json").write_text(json.dumps(world), "utf-8")
    lines: list[dict[str, Any]] = [{"user_name": "You", "character_name": "Mira", "chat_metadata": {}}]
    for number in range(messages):
        topics = " ".join(f"topic{(number * 7 + step) % entries}" for step in range(6))
        lines.append(
            {"name": "You" if number % 2 else "Mira", "is_user": bool(number % 2), "mes": f"We talk of {topics}."}
        )
    (folder / "chat.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    file = folder / "lorebook.toml"
    file.write_text('context = 8192\n[books]\nglobal = ["big.json"]\n[chat]\nfile = "chat.jsonl"\n', "utf-8")
    return file


def empty() -> None:
    """The least that Textual can show, to compare with."""
    from textual.app import App, ComposeResult
    from textual.widgets import Label

    class Least(App[None]):
        BINDINGS = [("q", "quit", "")]  # noqa: RUF012 - Textual's way

        def compose(self) -> ComposeResult:
            yield Label("Layers")

    Least().run()


def child(file: str) -> None:
    """The program itself."""
    from lorebook_tui.tui.app import run
    from lorebook_tui.workspace.opening import open_workspace

    run(lambda: open_workspace([Path(file)]))


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(self, *arguments: str) -> None:
        self.output = b""
        self.began = time.perf_counter()
        self.pid, self.handle = pty.fork()
        if self.pid == 0:
            os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
            os.execv(sys.executable, [sys.executable, __file__, *arguments])  # noqa: S606 - itself
        fcntl.ioctl(self.handle, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def read(self, timeout: float) -> bytes:
        """What comes within a time; b"" if nothing does."""
        if not select.select([self.handle], [], [], timeout)[0]:
            return b""
        try:
            data = os.read(self.handle, 1 << 16)
        except OSError:
            return b""
        self.output += data
        return data

    def until(self, text: str) -> float:
        """Milliseconds from the start until a text was written."""
        while text.encode() not in ESCAPES.sub(b"", self.output):
            if time.perf_counter() - self.began > PATIENCE:
                return float("nan")
            self.read(0.05)
        return (time.perf_counter() - self.began) * 1000

    def rest(self) -> None:
        """Read until nothing comes any more."""
        while self.read(QUIET * 3):
            pass

    def key(self, keys: bytes) -> tuple[float, float, float]:
        """Milliseconds from a key to the first and to the last output that it causes, and of a processor."""
        spent = self.processor_seconds()
        began = time.perf_counter()
        os.write(self.handle, keys)
        first = last = 0.0
        while self.read(QUIET if first else 2.0):
            last = (time.perf_counter() - began) * 1000
            first = first or last
        return first, last, (self.processor_seconds() - spent) * 1000

    def processor_seconds(self) -> float:
        """User and system time so far (Linux)."""
        fields = Path(f"/proc/{self.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_mebibytes(self) -> float:
        """Resident memory (Linux)."""
        return int(Path(f"/proc/{self.pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def end(self) -> None:
        """Leave the program as a user does."""
        os.write(self.handle, b"q")
        for _ in range(50):
            self.read(0.1)
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


KEYS = {
    "cursor down": b"\x1b[B",
    "page down": b"\x1b[6~",
    "turn back (new)": b"[",
    "turn on (kept)": b"]",
    "next phase": b"p\x1b[C",
    "palette": b"\x10",
    "type in it": b"topic",
    "close it": b"\x1b",
}


def main(entries: int, messages: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        file = write_workspace(Path(folder), entries, messages)
        print(f"{entries:,} entries, {messages} messages, {COLUMNS}x{ROWS}, load {os.getloadavg()[0]:.1f}")
        least = []
        for _ in range(3):
            terminal = Terminal("--empty")
            least.append((terminal.until("Layers"), terminal.processor_seconds() * 1000))
            terminal.end()
        wall, own = (min(column) for column in zip(*least, strict=True))
        print(f"  {'one label, to compare':24} {wall:7.0f} ms, {own:.0f} ms of a processor")
        paints = []
        for _ in range(3):
            terminal = Terminal("--child", str(file))
            marks = []
            for text in ("Layers", "Entry 1 ", "tok"):
                marks += [terminal.until(text), terminal.processor_seconds() * 1000]
            paints.append(marks)
            terminal.rest()
            terminal.end()
        for number, name in enumerate(("first paint", "entries in the tree", "first turn drawn")):
            wall, own = (min(paint[2 * number + part] for paint in paints) for part in (0, 1))
            print(f"  {name:24} {wall:7.0f} ms, {own:.0f} ms of a processor (best of three)")
        terminal = Terminal("--child", str(file))
        terminal.until("tok")
        terminal.rest()
        for name, keys in KEYS.items():
            times = [terminal.key(keys) for _ in range(5 if len(keys) < 4 and name != "palette" else 1)]
            first, last, spent = (median(column) for column in zip(*times, strict=True))
            print(f"  {name:24} {first:7.1f} ms to the first output, {last:.1f} complete, {spent:.0f} of a processor")
        terminal.rest()
        before, began = terminal.processor_seconds(), time.perf_counter()
        while time.perf_counter() - began < 5:
            terminal.read(0.5)
        share = (terminal.processor_seconds() - before) / (time.perf_counter() - began)
        print(f"  {'idle':24} {share * 100:7.2f} % of a processor, {terminal.resident_mebibytes():.0f} MiB resident")
        terminal.end()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2])
    elif sys.argv[1:2] == ["--empty"]:
        empty()
    else:
        numbers = [int(word) for word in sys.argv[1:3]]
        main(*(numbers + [5000, 200][len(numbers) :]))
