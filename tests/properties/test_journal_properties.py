"""A journal cut at any byte gives a state that was recorded, and never half of one."""

from __future__ import annotations

import contextlib
import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.formats.chat_edits import MessageChange, with_change, with_messages, without_messages
from lorebook_tui.formats.entry_edits import with_fields
from lorebook_tui.formats.text_delta import applied, delta
from lorebook_tui.model.transcript import Message
from lorebook_tui.workspace.journal import Unsaved
from lorebook_tui.workspace.journal_log import Record, records_in
from lorebook_tui.workspace.journal_writing import Writing
from lorebook_tui.workspace.recovery import LOG, PendingSession, _whole, recover

TEXTS = st.text(st.sampled_from('ab\n"\\}{ж\ud800😀'), max_size=40)


def session(folder: Path, data: bytes) -> PendingSession:
    (folder / LOG).write_bytes(data)
    return PendingSession(folder, "", "", "", 0, "")


def test_a_journal_cut_at_every_byte() -> None:
    data = json.dumps({"entries": {str(n): {"uid": n, "key": ["k"], "content": f"c{n}"} for n in range(3)}}).encode()
    one, other = detect.load(data, "a.json"), detect.load(data, "b.json")
    writing = Writing()
    log = bytearray()
    states: list[tuple[int, bytes, bytes]] = []
    mine, yours = one, other
    for number in range(6):
        text = f"moved {number}"
        mine = with_fields(mine, [(mine.books[0].entries[number % 3], "content", text)])
        yours = with_fields(yours, [(yours.books[0].entries[number % 3], "content", f"gone {number}")])
        files = (Unsaved("1", Path("a.json"), mine, one), Unsaved("2", Path("b.json"), yours, other))
        plan = writing.planned(files, {"seed": number})
        for record in (*plan.records, Record({"kind": "moment", "at": "", "told": "", "changes": number})):
            log += record.packed()
        writing = plan.after
        states.append((len(log), detect.dump(mine), detect.dump(yours)))
    known: dict[int, tuple[list[bytes], object]] = {}
    everything = list(records_in(bytes(log)))
    with tempfile.TemporaryDirectory() as name:
        for cut in range(len(log) + 1):
            done = [state for state in states if state[0] <= cut]
            whole = _whole(list(records_in(bytes(log[:cut]))))
            assert whole == everything[: len(whole)]
            if len(whole) not in known:
                recovery = recover(session(Path(name), bytes(log[:cut])))
                assert recovery.lost == ()
                found = [detect.dump(file.loaded) for file in recovery.files]
                known[len(whole)] = found, dict(recovery.values)
            wanted = ([done[-1][1], done[-1][2]], {"seed": len(done) - 1}) if done else ([], {})
            assert known[len(whole)] == wanted


@given(st.binary(max_size=200), st.integers(0, 400), st.integers(0, 255))
def test_a_damaged_byte_never_gives_another_record(body: bytes, place: int, byte: int) -> None:
    records = [Record({"kind": "edit", "n": 1}, body), Record({"kind": "edit", "n": 2}, body[::-1])]
    data = bytearray(b"".join(record.packed() for record in records))
    data[place % len(data)] = byte
    found = list(records_in(bytes(data)))
    assert found == records[: len(found)]


@given(TEXTS, TEXTS)
def test_a_delta_gives_the_target(base: str, target: str) -> None:
    assert applied(base, delta(base, target)) == target


@settings(max_examples=25)
@given(st.lists(st.tuples(st.integers(0, 99), TEXTS, st.booleans()), max_size=6))
def test_a_delta_of_many_objects_gives_the_target(changes: list[tuple[int, str, bool]]) -> None:
    chunks = [f'{{"uid": {number}, "content": "{"words " * 90}"}},' for number in range(100)]
    base = "".join(chunks)
    for place, text, is_gone in changes:
        chunks[place] = "" if is_gone else text + chunks[99 - place]
    target = "".join(chunks)
    assert applied(base, delta(base, target)) == target


CHAT = '{"user_name": "U", "character_name": "C", "chat_metadata": {}}\n{"name": "U", "is_user": true, "mes": "Hi"}\n'
STEPS = st.lists(st.tuples(st.sampled_from("tads"), st.integers(0, 5), TEXTS), min_size=1, max_size=12)


@settings(max_examples=40)
@given(STEPS, st.sampled_from(["c.jsonl", "c.txt"]))
def test_every_recorded_state_of_a_chat_comes_back(steps: list[tuple[str, int, str]], name: str) -> None:
    data = CHAT if name == "c.jsonl" else "You: hi\nMira: hello\nYou: bye\nMira: bye"
    clean = made = detect.load(data.encode(), name)
    writing, log = Writing(), bytearray()
    with tempfile.TemporaryDirectory() as folder:
        for kind, place, text in steps:
            assert made.transcript is not None
            count = len(made.transcript.messages)
            with contextlib.suppress(LorebookError):
                if kind == "a":
                    made = with_messages(made, place % (count + 1), [Message(text, "U", is_user=True)])
                elif kind == "d" and count > 1:
                    made = without_messages(made, [place % count])
                elif kind == "s":
                    detect.load(detect.dump(made), name)  # else it could not be saved
                    clean = made
                else:
                    made = with_change(made, place % count, MessageChange(text=text))
            plan = writing.planned([Unsaved("1", Path(name), made, clean)], {})
            writing = plan.after
            log += b"".join(record.packed() for record in (*plan.records, Record({"kind": "moment"})))
            (file,) = recover(session(Path(folder), bytes(log))).files
            assert detect.dump(file.loaded) == detect.dump(made)
            assert file.base is not None
            assert detect.dump(file.base) == detect.dump(clean)
