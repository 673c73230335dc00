"""Undo over a thousand steps: exact to the byte, and cheap."""

from __future__ import annotations

import json
import random
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.formats import detect
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.model.transcript import Message
from lorebook_tui.workspace import chat_edits
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import (
    Edited,
    FieldChange,
    add_entries,
    attach,
    delete_entries,
    set_fields,
    set_options,
)
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.history import History, Step
from lorebook_tui.workspace.slim import SlimWorkspace, slim
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

if TYPE_CHECKING:
    from collections.abc import Callable


def source(name: str, count: int, words: int = 5) -> Source:
    entries = {
        str(n): {"uid": n, "key": [f"k{n}"], "content": "word " * words, "comment": f"{name} {n}"} for n in range(count)
    }
    return Source(Path(name), detect.load(json.dumps({"entries": entries}, indent=4).encode(), name))


def workspace(*sources: Source) -> Workspace:
    books = tuple(OpenedBook(Layer.GLOBAL, each.loaded.books[0], each) for each in sources)
    return Workspace(books=books, sources=sources)


def snapshot(made: Workspace) -> list[object]:
    """Everything that has to come back."""
    return [
        [(each.name, each.ident, detect.dump(each.loaded)) for each in made.sources],
        [(opened.layer, opened.book.name, opened.source.ident) for opened in made.books],
        all(any(opened.source is each for each in made.sources) for opened in made.books),
        all(opened.book is opened.source.loaded.books[opened.position] for opened in made.books),
        [[dict(entry.fields) for entry in opened.book.entries] for opened in made.books],
        made.settings, made.seed,
    ]  # fmt: skip


def change(text: str, book: int, entry: int) -> Callable[[Workspace], Edited]:
    return lambda made: set_fields(made, [FieldChange(EntryRef(Layer.GLOBAL, book, entry), "content", text)])


def any_edit(chance: random.Random, made: Workspace) -> Edited:
    book = chance.randrange(len(made.of(Layer.GLOBAL)))
    entries = made.of(Layer.GLOBAL)[book].book.entries
    kind = chance.randrange(6) if entries else 0
    if kind == 0:
        return add_entries(made, Layer.GLOBAL, book, [{"key": ["n"], "content": "new"}])
    place = chance.randrange(len(entries))
    if kind == 1:
        return delete_entries(made, [EntryRef(Layer.GLOBAL, book, place)])
    if kind == 2:
        return set_options(made, "seed", seed=chance.randrange(1000))
    if kind == 3:
        return attach(made, source(f"x{chance.random()}.json", 2), Layer.GLOBAL)
    return change(f"text {'y' * chance.randrange(300)} ж", book, place)(made)


@pytest.mark.parametrize("seed", range(6))
def test_every_state_comes_back(seed: int) -> None:
    chance = random.Random(seed)
    desk = Desk(workspace(source("a.json", 6), source("b.json", 3)))
    states = [snapshot(desk.workspace)]
    for _ in range(30):
        desk.do(any_edit(chance, desk.workspace))
        states.append(snapshot(desk.workspace))
    for _ in range(3):
        for state in reversed(states[:-1]):
            assert desk.undo() is not None
            assert snapshot(desk.workspace) == state
        assert desk.undo() is None
        assert desk.dirty == ()
        for state in states[1:]:
            assert desk.redo() is not None
            assert snapshot(desk.workspace) == state
        assert desk.redo() is None


def test_back_and_on_from_there() -> None:
    desk = Desk(workspace(source("a.json", 4)))
    states = []
    for number in range(6):
        states.append(snapshot(desk.workspace))
        desk.do(change(f"text {number}", 0, number % 4)(desk.workspace))
    for _ in range(4):
        desk.undo()
    assert snapshot(desk.workspace) == states[2]
    desk.do(change("another way", 0, 1)(desk.workspace))
    other = snapshot(desk.workspace)
    desk.undo()
    desk.undo()
    assert snapshot(desk.workspace) == states[1]
    desk.redo()
    desk.redo()
    assert snapshot(desk.workspace) == other
    assert desk.redo() is None


def test_steps_of_a_group_are_one_after_undo_too() -> None:
    desk = Desk(workspace(source("a.json", 4)), clock=lambda: 0.0)
    start = snapshot(desk.workspace)
    desk.do(change("x", 0, 0)(desk.workspace))
    first = snapshot(desk.workspace)
    for text in ("a", "ab", "abc"):
        desk.do(change(text, 0, 1)(desk.workspace), group="typing")
    desk.undo()
    assert snapshot(desk.workspace) == first
    desk.do(change("abcd", 0, 1)(desk.workspace), group="typing")
    desk.undo()
    assert snapshot(desk.workspace) == first
    desk.undo()
    assert snapshot(desk.workspace) == start


def test_a_step_that_does_not_follow_keeps_its_own_workspace() -> None:
    one = workspace(source("a.json", 2))
    two = change("two", 0, 0)(one).workspace
    three = change("three", 0, 1)(two).workspace
    four = change("four", 0, 0)(three).workspace
    history = History()
    history.add(Step("one", one, two), None, 0.0)
    history.add(Step("two", two, three), None, 0.0)
    history.undo()
    history.add(Step("far", three, four), None, 0.0)
    step = history.undo()
    assert step is not None
    assert step.before is three
    step = history.undo()
    assert step is not None
    assert snapshot(step.before) == snapshot(one)


def test_undone_to_what_is_saved_is_not_dirty() -> None:
    desk = Desk(workspace(source("a.json", 4)))
    desk.do(change("one", 0, 0)(desk.workspace))
    desk.do(change("two", 0, 1)(desk.workspace))
    desk.know(desk.workspace.sources[0])
    for number in range(5):
        desk.do(change(f"more {number}", 0, 2)(desk.workspace))
    assert desk.dirty
    for _ in range(5):
        desk.undo()
    assert desk.dirty == ()
    desk.undo()
    assert desk.dirty


def test_a_long_history_of_a_big_book_costs_what_was_typed() -> None:
    desk = Desk(workspace(source("a.json", 1500, words=200)))
    chance = random.Random(1)
    size = len(detect.dump(desk.workspace.sources[0].loaded))
    tracemalloc.start()
    taken = []
    for number in range(110):
        desk.do(change(f"text {number}", 0, chance.randrange(1500))(desk.workspace))
        taken.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()
    assert taken[9] > size
    assert (taken[-1] - taken[9]) / 100 < 15_000


def test_books_that_are_not_their_file_s_are_kept_as_they_are() -> None:
    one = source("a.json", 2)
    other = source("b.json", 2)
    odd = OpenedBook(Layer.GLOBAL, other.loaded.books[0], one)
    stray = OpenedBook(Layer.CHAT, other.loaded.books[0], other)
    older = Workspace(books=(odd, stray), sources=(one,), card=other, chat=one)
    newer = change("x", 0, 0)(workspace(one)).workspace
    made = slim(older, newer)
    assert isinstance(made, SlimWorkspace)
    back = made.restored(newer)
    assert back.books == (odd, stray)
    assert back.card is other
    assert back.chat is not None
    assert detect.dump(back.chat.loaded) == detect.dump(one.loaded)


CHATS = {
    "c.jsonl": '{"user_name": "U", "character_name": "C", "chat_metadata": {}}\n{"name": "U", "is_user": true, "mes": "Hi"}\n\n'
    '{"name": "C", "is_user": false, "mes": "Yo"}\n',
    "c.json": '{"messages": [{"role": "user", "content": "Hi"},\n {"role": "assistant", "content": "Yo"}]}',
    "c.txt": "You: hi\nMira: hello\nYou: bye\nMira: bye",
}


@pytest.mark.parametrize("name", CHATS)
@pytest.mark.parametrize("seed", range(4))
def test_every_state_of_a_chat_comes_back(name: str, seed: int) -> None:
    chance = random.Random(seed)
    chat = Source(Path(name), detect.load(CHATS[name].encode(), name))
    assert chat.loaded.transcript is not None
    desk = Desk(Workspace(sources=(chat,), chat=chat, transcript=chat.loaded.transcript))
    states = []
    for number in range(15):
        states.append(detect.dump(desk.workspace.sources[0].loaded))
        count = len(desk.workspace.transcript.messages)
        kind = chance.randrange(3)
        if kind == 0 and count > 1:
            desk.do(chat_edits.delete_messages(desk.workspace, [chance.randrange(count)]))
        elif kind == 1:
            message = Message(f"new {number}", "U", is_user=True)
            desk.do(chat_edits.insert_message(desk.workspace, chance.randrange(count + 1), message))
        else:
            desk.do(chat_edits.set_text(desk.workspace, chance.randrange(count), f"text {number}"))
    states.append(detect.dump(desk.workspace.sources[0].loaded))
    for _ in range(2):
        for state in reversed(states[:-1]):
            desk.undo()
            assert detect.dump(desk.workspace.sources[0].loaded) == state
            assert desk.workspace.chat is desk.workspace.sources[0]
            assert desk.workspace.transcript == desk.workspace.chat.loaded.transcript
        assert desk.dirty == ()
        for state in states[1:]:
            desk.redo()
            assert detect.dump(desk.workspace.sources[0].loaded) == state
