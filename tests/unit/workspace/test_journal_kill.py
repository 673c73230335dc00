"""A process that edits is killed at random moments; nothing older than two seconds is missing from its journal."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.journal import Journal
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.restoring import restored

if TYPE_CHECKING:
    from pathlib import Path

COUNT = 120
LOST_AT_MOST = 2.0
EDITOR = """
import sys, time
from pathlib import Path
from lorebook_tui.formats.new_book import new_book
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import FieldChange, add_entries, attach, set_fields, set_options
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.journal import Journal
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.restoring import note_down

folder, count = Path(sys.argv[1]), int(sys.argv[2])
desk = Desk(open_workspace([folder / "a.json"]))
journal = Journal(folder / "journal")
book = Source(folder / "new.json", new_book("sillytavern", "new"))
desk.do(attach(desk.workspace, book, Layer.CHAT))
desk.do(add_entries(desk.workspace, Layer.CHAT, 0, [{"key": ["bell"], "content": ""}]))
with (folder / "witness").open("wb", buffering=0) as witness:
    number = 0
    while True:
        refs = EntryRef(Layer.GLOBAL, 0, number % count), EntryRef(Layer.CHAT, 0, 0)
        text = f"edit {number}"
        desk.do(set_fields(desk.workspace, [FieldChange(ref, "content", text) for ref in refs]))
        desk.do(set_options(desk.workspace, "seed", seed=number))
        note_down(journal, desk, text)
        witness.write(f"{time.time()} {number}\\n".encode())
        number += 1
        time.sleep(0.004)
"""

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system knows no SIGKILL")


def begin(folder: Path) -> subprocess.Popen[bytes]:
    folder.mkdir()
    entries = {str(n): {"uid": n, "key": [f"k{n}"], "content": "x" * 300, "comment": f"E{n}"} for n in range(COUNT)}
    (folder / "a.json").write_text(json.dumps({"entries": entries}, indent=4), "utf-8")
    return subprocess.Popen([sys.executable, "-c", EDITOR, str(folder), str(COUNT)])


def begun(folder: Path) -> None:
    """Wait until the editor edits."""
    until = time.monotonic() + 30
    while not (folder / "witness").exists() or not (folder / "witness").stat().st_size:
        assert time.monotonic() < until, "the editor did not begin"
        time.sleep(0.01)


def check(folder: Path, killed: float) -> None:
    witness = (folder / "witness").read_text("ascii").rpartition("\n")[0].splitlines()
    made = [(float(line.split()[0]), int(line.split()[1])) for line in witness]
    needed = max((number for moment, number in made if moment < killed - LOST_AT_MOST), default=-1)
    before = (folder / "a.json").read_bytes()
    journal = Journal(folder / "journal")
    sessions = journal.pending()
    if not sessions:
        assert needed == -1
        return
    recovery = journal.recover(sessions[0])
    assert recovery.lost == ()
    opened = open_workspace([folder / "a.json"])
    back = restored(opened, recovery)
    workspace = back.edited.workspace
    number = workspace.seed
    assert needed <= number <= made[-1][1] + 1
    contents = [entry.content for entry in workspace.of(Layer.GLOBAL)[0].book.entries]
    last = {place: max((n for n in range(place, number + 1, COUNT)), default=-1) for place in range(COUNT)}
    assert contents == [f"edit {last[place]}" if last[place] >= 0 else "x" * 300 for place in range(COUNT)]
    assert workspace.of(Layer.CHAT)[0].book.entries[0].content == f"edit {number}"
    desk = Desk(opened)
    desk.do(back.edited)
    assert [source.name for source in desk.dirty] == ["a.json", "new.json"]
    desk.undo()
    assert desk.dirty == ()
    assert (folder / "a.json").read_bytes() == before
    journal.close()


def test_a_killed_editor_loses_less_than_two_seconds(tmp_path: Path) -> None:
    chance = random.Random(os.urandom(8))
    moments = [0.02, chance.uniform(0.1, 0.9), chance.uniform(2.2, 3.2), chance.uniform(2.2, 3.2)]
    editors = [(tmp_path / str(number), moment) for number, moment in enumerate(moments)]
    running = [(folder, moment, begin(folder)) for folder, moment in editors]
    try:
        for folder, _, _ in running:
            begun(folder)
        start = time.monotonic()
        for folder, moment, editor in sorted(running, key=lambda each: each[1]):
            time.sleep(max(0.0, start + moment - time.monotonic()))
            killed = time.time()
            os.kill(editor.pid, signal.SIGKILL)
            assert editor.wait() == -signal.SIGKILL
            check(folder, killed)
    finally:
        for _, _, editor in running:
            editor.kill()
            editor.wait()


WRITER = """
import sys
from pathlib import Path
from lorebook_tui.workspace.store import write
path = Path(sys.argv[1])
while True:
    for letter in b"ab":
        write(path, bytes([letter]) * 300_000, None)
"""


def test_a_file_is_whole_whenever_its_writer_dies(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    chance = random.Random(os.urandom(8))
    for _ in range(6):
        path.write_bytes(b"a" * 300_000)
        editor = subprocess.Popen([sys.executable, "-c", WRITER, str(path)])
        time.sleep(chance.uniform(0.1, 0.35))
        editor.send_signal(signal.SIGKILL)
        assert editor.wait() == -signal.SIGKILL
        assert path.read_bytes() in {b"a" * 300_000, b"b" * 300_000}
