"""From the desk into the journal and back: files, options, and who stands where."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_fields
from lorebook_tui.formats.new_book import new_book
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace.conflict import Side
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import FieldChange, attach, detach, set_fields, set_options
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.journal import Journal
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.options import arranged, arrangement_of, options_of, with_options
from lorebook_tui.workspace.restoring import Restored, note_down, opened_by, restored, values_on
from lorebook_tui.workspace.sample import NAMES, sample

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.workspace import Workspace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    entries = {str(n): {"uid": n, "key": [f"k{n}"], "content": f"text {n}", "comment": f"E{n}"} for n in range(3)}
    made = tmp_path / "a.json"
    made.write_text(json.dumps({"entries": entries}, indent=4), "utf-8")
    return made


def content(desk: Desk, entry: int, text: str) -> None:
    desk.do(set_fields(desk.workspace, [FieldChange(EntryRef(Layer.GLOBAL, 0, entry), "content", text)]))


def left(desk: Desk, folder: Path) -> None:
    journal = Journal(folder, each=0.01)
    note_down(journal, desk)
    assert journal.flush()
    journal.close()


def back(folder: Path, opened: Workspace, sides: dict[Path, Side] | None = None) -> Restored:
    journal = Journal(folder)
    made = restored(opened, journal.recover(journal.pending()[0]), sides)
    journal.close()
    return made


def contents(workspace: Workspace) -> list[str]:
    return [entry.content for entry in workspace.of(Layer.GLOBAL)[0].book.entries]


def test_files_options_and_places(path: Path, tmp_path: Path) -> None:
    desk = Desk(open_workspace([path]))
    content(desk, 1, "mine")
    new = Source(tmp_path / "new.json", new_book("sillytavern", "new"))
    desk.do(attach(desk.workspace, new, Layer.CHAT))
    settings = desk.workspace.settings.with_values({"world_info_depth": 9})
    desk.do(set_options(desk.workspace, "set depth", settings=settings, scan_note=True, trigger="swipe"))
    persona = replace(desk.workspace.cast.persona, name="Ilse")
    desk.do(set_options(desk.workspace, "persona", cast=replace(desk.workspace.cast, persona=persona)))
    left(desk, tmp_path / "j")
    opened = open_workspace([path])
    made = back(tmp_path / "j", opened)
    workspace = made.edited.workspace
    assert contents(workspace) == ["text 0", "mine", "text 2"]
    assert options_of(workspace) == options_of(desk.workspace)
    assert arrangement_of(workspace) == arrangement_of(desk.workspace)
    assert made.bases == {}
    again = Desk(opened)
    again.do(made.edited)
    assert [source.name for source in again.dirty] == ["a.json", "new.json"]
    assert again.is_new(again.workspace.sources[1])
    again.undo()
    assert again.dirty == ()


def test_what_to_open_again(path: Path) -> None:
    assert opened_by(open_workspace([path])) == (path,)
    assert opened_by(open_workspace([sample(NAMES[0])])) == (sample(NAMES[0]),)


def test_nothing_unsaved(path: Path, tmp_path: Path) -> None:
    desk = Desk(open_workspace([path]))
    assert values_on(desk) == {}
    left(desk, tmp_path / "j")
    assert Journal(tmp_path / "j").pending() == ()


@pytest.mark.parametrize(("side", "text"), [(None, "mine"), (Side.MINE, "mine"), (Side.THEIRS, "theirs")])
@pytest.mark.parametrize("is_open", [True, False])
def test_a_file_that_somebody_changed_is_merged(
    path: Path, tmp_path: Path, side: Side | None, text: str, *, is_open: bool
) -> None:
    desk = Desk(open_workspace([path]))
    content(desk, 0, "mine")
    content(desk, 1, "mine too")
    left(desk, tmp_path / "j")
    base = detect.load(path.read_bytes(), "a.json")
    entries = base.books[0].entries
    theirs = with_fields(base, [(entries[0], "content", "theirs"), (entries[2], "content", "theirs too")])
    path.write_bytes(detect.dump(theirs))
    (tmp_path / "other.json").write_bytes(path.read_bytes())
    opened = open_workspace([path if is_open else tmp_path / "other.json"])
    made = back(tmp_path / "j", opened, {path: side} if side else None)
    (source,) = (each for each in made.edited.workspace.sources if each.name == "a.json")
    assert [entry.content for entry in source.loaded.books[0].entries] == [text, "mine too", "theirs too"]
    assert [known.path for known in made.bases.values()] == ([] if is_open else [path])
    if not is_open:
        again = Desk(opened)
        again.do(made.edited)
        again.know(source, made.bases[source.ident].loaded, made.bases[source.ident].path)
        assert again.save(source).is_written


def test_a_renamed_file_keeps_its_new_name(path: Path, tmp_path: Path) -> None:
    desk = Desk(open_workspace([path]))
    source = desk.workspace.sources[0]
    from lorebook_tui.workspace.edits import Edited, with_source

    moved = replace(source, path=tmp_path / "b.json", loaded=source.loaded.renamed("b.json"))
    desk.do(Edited(with_source(desk.workspace, source.ident, moved), "rename"))
    left(desk, tmp_path / "j")
    made = back(tmp_path / "j", open_workspace([path]))
    assert [each.path.name for each in made.edited.workspace.sources] == ["b.json"]


def test_a_chat_s_edits_are_in_force_again(tmp_path: Path) -> None:
    from lorebook_tui.workspace.chat_edits import set_text

    chat = tmp_path / "c.jsonl"
    chat.write_text(
        '{"name": "U", "is_user": true, "mes": "Hi"}\n{"name": "C", "is_user": false, "mes": "Yo"}', "utf-8"
    )
    desk = Desk(open_workspace([chat]))
    desk.do(set_text(desk.workspace, 1, "Good evening."))
    left(desk, tmp_path / "j")
    made = back(tmp_path / "j", open_workspace([chat]))
    assert [message.text for message in made.edited.workspace.transcript.messages] == ["Hi", "Good evening."]


@pytest.mark.parametrize("is_still_there", [True, False])
def test_a_saved_branch_is_the_open_chat_again_and_the_first_one_keeps_its_edits(
    tmp_path: Path, *, is_still_there: bool
) -> None:
    """If the branch is gone, the chat that was opened is the open one, as it was left."""
    from lorebook_tui.workspace.chat_edits import branch, set_text

    chat = tmp_path / "c.jsonl"
    chat.write_text(
        '{"name": "U", "is_user": true, "mes": "Hi"}\n{"name": "C", "is_user": false, "mes": "Yo"}', "utf-8"
    )
    desk = Desk(open_workspace([chat]))
    desk.do(set_text(desk.workspace, 1, "Good evening."))
    made = desk.do(branch(desk.workspace, 1))
    assert made.workspace.chat is not None
    other = made.workspace.chat.path
    desk.save(made.workspace.chat)
    left(desk, tmp_path / "j")
    if not is_still_there:
        other.unlink()
    restored = back(tmp_path / "j", open_workspace([chat]))
    workspace = restored.edited.workspace
    assert workspace.chat is not None
    assert workspace.chat.path == (other if is_still_there else chat)
    shown = [message.text for message in workspace.transcript.messages]
    assert shown == (["Hi"] if is_still_there else ["Hi", "Good evening."])
    first = next(source for source in workspace.sources if source.path == chat)
    assert first.loaded.transcript is not None
    assert first.loaded.transcript.messages[1].text == "Good evening."
    again = Desk(open_workspace([chat]))
    again.do(restored.edited)
    for source in again.workspace.sources:
        if source.ident in restored.bases:
            again.know(source, restored.bases[source.ident].loaded, restored.bases[source.ident].path)
    assert [source.path for source in again.dirty] == [chat]


def test_options_that_cannot_be_used_are_left_out(path: Path, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j", each=0.01)
    journal.record((), {"options": {"settings": {"no_such": 1}}})
    assert journal.flush()
    journal.close()
    made = back(tmp_path / "j", open_workspace([path]))
    assert "left out" in made.edited.workspace.notices[-1]
    assert made.edited.told == "recover 0 files"


@pytest.mark.parametrize("name", NAMES)
def test_options_of_the_samples_come_back(name: str) -> None:
    opened = open_workspace([sample(name).parent])
    text = json.dumps(options_of(opened))
    assert options_of(with_options(opened, json.loads(text))) == options_of(opened)
    made = arranged(opened, json.loads(json.dumps(arrangement_of(opened))))
    assert made.books == opened.books
    assert (made.card, made.chat, made.transcript) == (opened.card, opened.chat, opened.transcript)


def test_prompt_options_come_back() -> None:
    opened = open_workspace([sample(NAMES[0]).parent])
    made = with_options(opened, {"prompt": {"order": ["main", "chatHistory"], "instruct": "ChatML"}})
    again = with_options(opened, json.loads(json.dumps(options_of(made))))
    assert again.prompt == made.prompt
    assert again.prompt["order"] == ("main", "chatHistory")


def test_an_arrangement_without_some_files() -> None:
    opened = open_workspace([sample(NAMES[0]).parent])
    made = arranged(opened, {"books": {"global": [["none.json", 0]]}, "character": None, "chat": None})
    assert (made.books, made.card, made.chat, made.cast.character) == ((), None, None, None)
    assert detach(opened, Layer.GLOBAL, 0).workspace.sources == opened.sources
