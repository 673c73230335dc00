"""Edits of the chat in force, and the change of chats, cards, personas and kinds of generation."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.formats import detect
from lorebook_tui.model.cast import Persona
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.model.transcript import Message
from lorebook_tui.workspace import chat_choices, chat_edits, chat_files
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.edits import FieldChange, attach, set_fields
from lorebook_tui.workspace.opening import Overrides, open_workspace
from lorebook_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.edits import Edited


def write(path: Path, *values: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(json.dumps(value) for value in values), "utf-8")
    return path


def world(path: Path, key: str) -> Path:
    return write(path, {"entries": {"0": {"uid": 0, "key": [key], "content": key}}})


def header(**metadata: Any) -> dict[str, Any]:
    return {"user_name": "Rowan", "character_name": "Mira", "chat_metadata": metadata}


def said(text: str, *, user: bool = False, **fields: Any) -> dict[str, Any]:
    return {"name": "Rowan" if user else "Mira", "is_user": user, "mes": text, "send_date": "d"} | fields


def card(path: Path, name: str, **data: Any) -> Path:
    return write(path, {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": name} | data})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """SillyTavern's folders in small: worlds, and two chats bound to two of them."""
    world(tmp_path / "worlds" / "harbour.json", "bell")
    world(tmp_path / "worlds" / "moor.json", "fog")
    world(tmp_path / "worlds" / "mira-lore.json", "oath")
    write(
        tmp_path / "chats" / "Mira" / "night.jsonl",
        header(world_info="harbour", note_prompt="It is night.", variables={"tide": 1}),
        said("hello", swipes=["hi", "hello"], swipe_id=1),
        said("I ring the bell", user=True),
        said("It answers"),
    )
    write(tmp_path / "chats" / "Mira" / "day.jsonl", header(world_info="moor"), said("fog again"))
    card(tmp_path / "mira.json", "Mira", extensions={"world": "mira-lore"})
    card(tmp_path / "tom.json", "Tom", character_book={"name": "tom", "entries": [{"keys": ["pole"], "content": "p"}]})
    return tmp_path


@pytest.fixture
def night(folder: Path) -> Workspace:
    path = folder / "chats" / "Mira" / "night.jsonl"
    lore = folder / "worlds" / "harbour.json"
    return open_workspace([path], Overrides(books={Layer.CHAT: [lore]}))


def texts(workspace: Workspace) -> list[str]:
    return [message.text for message in workspace.transcript.messages]


def names(workspace: Workspace, layer: Layer) -> list[str]:
    return [opened.book.name for opened in workspace.of(layer)]


def test_every_edit_goes_into_file_and_transcript_and_comes_back(night: Workspace) -> None:
    edits: list[Edited] = [
        chat_edits.set_text(night, 1, "I do not ring"),
        chat_edits.set_speaker(night, 1, "Mira", is_user=False),
        chat_edits.set_hidden(night, 0, hidden=True),
        chat_edits.select_swipe(night, 0, 0),
        chat_edits.insert_message(night, 1, Message("wait", "Mira")),
        chat_edits.append_message(night, Message("then", "Rowan", is_user=True)),
        chat_edits.delete_messages(night, [0, 2]),
    ]
    assert [edited.told for edited in edits] == [
        "edit message 2", "let Mira say message 2", "hide message 1", "take swipe 1 of message 1", "insert message 2",
        "add message 4", "delete 2 messages",
    ]  # fmt: skip
    assert texts(edits[0].workspace) == ["hello", "I do not ring", "It answers"]
    assert texts(edits[3].workspace)[0] == "hi"
    assert texts(edits[4].workspace) == ["hello", "wait", "I ring the bell", "It answers"]
    for edited in edits:
        made = edited.workspace
        desk = Desk(night)
        desk.do(edited)
        assert made.chat is not None
        assert made.chat in made.sources
        assert [source.ident for source in desk.dirty] == [made.chat.ident]
        read = detect.load(detect.dump(made.chat.loaded), made.chat.name).transcript
        assert read == made.transcript
        desk.undo()
        assert desk.workspace.chat is not None
        assert night.chat is not None
        assert detect.dump(desk.workspace.chat.loaded) == detect.dump(night.chat.loaded)
        assert not desk.dirty


def test_nothing_is_done_where_nothing_changes(night: Workspace) -> None:
    assert chat_edits.set_text(night, 0, "hello").workspace is night
    assert chat_edits.select_swipe(night, 0, 1).workspace is night
    assert chat_edits.set_speaker(night, 0, "Mira", is_user=False).workspace is night
    with pytest.raises(UsageError):
        chat_edits.set_text(night, 9, "x")


def test_an_edited_chat_is_saved_line_by_line(night: Workspace, folder: Path) -> None:
    desk = Desk(night)
    path = folder / "chats" / "Mira" / "night.jsonl"
    before = path.read_text("utf-8").splitlines()
    desk.do(chat_edits.set_text(desk.workspace, 2, "Nobody answers"))
    desk.do(chat_edits.append_message(desk.workspace, Message("So be it", "Rowan", is_user=True)))
    assert desk.workspace.chat is not None
    desk.save(desk.workspace.chat)
    after = path.read_text("utf-8").splitlines()
    assert after[:3] == before[:3]
    assert after[3] == before[3].replace("It answers", "Nobody answers")
    assert json.loads(after[4])["mes"] == "So be it"
    assert not desk.dirty


def test_a_plain_transcript_is_dirty_after_an_edit_and_saved(tmp_path: Path) -> None:
    path = tmp_path / "t.txt"
    path.write_bytes(b"You: hi\nMira: ho\n")
    desk = Desk(open_workspace([path]))
    desk.do(chat_edits.set_text(desk.workspace, 1, "hey"))
    assert [source.name for source in desk.dirty] == ["t.txt"]
    assert desk.workspace.chat is not None
    desk.save(desk.workspace.chat)
    assert path.read_bytes() == b"You: hi\nMira: hey\n"
    desk.undo()
    assert [source.name for source in desk.dirty] == ["t.txt"]


def test_a_branch_stands_beside_its_origin(night: Workspace) -> None:
    desk = Desk(night)
    desk.do(chat_edits.branch(night, 2, Message("Silence", "Mira"), taken=lambda _: False))
    made = desk.workspace
    assert made.chat is not None
    assert made.chat.name == "night - branch 2.jsonl"
    assert night.chat is not None
    assert made.chat.path.parent == night.chat.path.parent
    assert texts(made) == ["hello", "I ring the bell", "Silence"]
    assert [source.name for source in desk.dirty] == ["night - branch 2.jsonl"]
    assert desk.is_new(made.chat)
    assert names(made, Layer.CHAT) == ["harbour"]
    assert (made.note.prompt, made.variables) == ("It is night.", {"tide": 1})
    back = chat_choices.take_chat(made, night.chat).workspace
    assert texts(back) == texts(night)
    again = chat_edits.branch(made, 1, taken=lambda path: path.name == "night - branch 3.jsonl").workspace
    assert again.chat is not None
    assert again.chat.name == "night - branch 4.jsonl"
    assert texts(again) == ["hello"]


def test_a_chat_can_be_typed_from_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    made = chat_edits.append_message(Workspace(), Message("Once", "User", is_user=True)).workspace
    made = chat_edits.append_message(made, Message("upon a time", "Assistant")).workspace
    assert texts(made) == ["Once", "upon a time"]
    assert made.chat is not None
    assert made.chat.name == "chat.jsonl"
    read = detect.load(detect.dump(made.chat.loaded), "chat.jsonl").transcript
    assert read is not None
    assert read.messages == made.transcript.messages
    (tmp_path / "chat.jsonl").write_text("x", "utf-8")
    begun = chat_choices.begin_chat(Workspace()).workspace
    assert begun.chat is not None
    assert begun.chat.name == "chat 2.jsonl"
    assert not begun.transcript.messages


@pytest.mark.parametrize("text", [
    "Rowan: hi\nMira: ho\n",
    '[{"role": "user", "content": "hi", "name": "Rowan"}, {"role": "assistant", "content": "ho", "name": "Mira"}]',
    '{"name": "Rowan", "is_user": true, "mes": "hi"}\n{"name": "Mira", "is_user": false, "mes": "ho"}',
])  # fmt: skip
def test_a_pasted_transcript_is_recognised_by_its_content(text: str, night: Workspace) -> None:
    source = chat_edits.pasted_chat(night, text, taken=lambda _: False)
    transcript = source.loaded.transcript
    assert transcript is not None
    assert [(message.name, message.text, message.is_user) for message in transcript.messages] == [
        ("Rowan", "hi", True), ("Mira", "ho", False),
    ]  # fmt: skip
    assert source.loaded.format.name == "chat"
    assert source.name == "pasted chat.jsonl"


def test_other_users_in_a_pasted_transcript_are_found_by_their_word(night: Workspace) -> None:
    transcript = chat_edits.pasted_chat(night, "You: hi\nTom: ho\n").loaded.transcript
    assert transcript is not None
    assert transcript.messages[0].is_user


@pytest.mark.parametrize("text", ["just prose, no one speaks", "", '{"entries": {}}'])
def test_what_is_no_transcript_is_refused(text: str, night: Workspace) -> None:
    with pytest.raises(LorebookError):
        chat_edits.pasted_chat(night, text)


def test_lore_of_one_chat_never_shows_in_another(night: Workspace, folder: Path) -> None:
    arrival = chat_files.read(night, folder / "chats" / "Mira" / "day.jsonl")
    assert [each.name for each in arrival.fresh] == ["day.jsonl", "moor.json"]
    day = arrival.edited(night).workspace
    assert names(day, Layer.CHAT) == ["moor"]
    assert (day.note.prompt, day.variables) == ("", {})
    assert texts(day) == ["fog again"]
    assert night.chat is not None
    back = chat_choices.take_chat(day, night.chat).workspace
    assert names(back, Layer.CHAT) == ["harbour"]
    assert (back.note, back.variables) == (night.note, night.variables)
    assert day.chat is not None
    again = chat_choices.take_chat(back, day.chat).workspace
    assert names(again, Layer.CHAT) == ["moor"]
    assert chat_choices.take_chat(again, day.chat).workspace is again


def test_a_layer_comes_back_with_what_happened_to_its_file_meanwhile(night: Workspace, folder: Path) -> None:
    day = chat_files.read(night, folder / "chats" / "Mira" / "day.jsonl").edited(night).workspace
    harbour = next(source for source in day.sources if source.name == "harbour.json")
    day = attach(day, harbour, Layer.GLOBAL).workspace
    day = set_fields(day, [FieldChange(EntryRef(Layer.GLOBAL, 0, 0), "content", "changed")]).workspace
    assert night.chat is not None
    back = chat_choices.take_chat(day, night.chat).workspace
    assert back.of(Layer.CHAT)[0].book.entries[0].content == "changed"


def test_a_world_that_cannot_be_found_is_named(night: Workspace, folder: Path) -> None:
    for name in ("gone", "../harbour", "a/b", ".hidden", "x\0y"):
        path = write(folder / "odd.jsonl", header(world_info=name), said("x"))
        arrival = chat_files.read(night, path)
        assert arrival.missing == name
        assert names(arrival.edited(night).workspace, Layer.CHAT) == []
    (folder / "worlds" / "broken.json").write_text("{", "utf-8")
    assert chat_files.read(night, write(folder / "b.jsonl", header(world_info="broken"), said("x"))).missing == "broken"


def test_an_open_file_is_taken_with_its_edits(night: Workspace, folder: Path) -> None:
    edited = chat_edits.set_text(night, 0, "edited").workspace
    day = chat_files.read(edited, folder / "chats" / "Mira" / "day.jsonl").edited(edited).workspace
    back = chat_files.read(day, folder / "chats" / "Mira" / "night.jsonl")
    assert not back.fresh
    assert texts(back.edited(day).workspace)[0] == "edited"


def test_a_card_brings_its_books_or_its_world(night: Workspace, folder: Path) -> None:
    mira = chat_files.read(night, folder / "mira.json").edited(night).workspace
    assert names(mira, Layer.CHARACTER) == ["mira-lore"]
    assert mira.cast.character is not None
    assert mira.cast.character.name == "Mira"
    tom = chat_files.read(mira, folder / "tom.json").edited(mira).workspace
    assert names(tom, Layer.CHARACTER) == ["tom"]
    assert names(tom, Layer.CHAT) == ["harbour"]
    assert mira.card is not None
    back = chat_choices.take_card(tom, mira.card).workspace
    assert names(back, Layer.CHARACTER) == ["mira-lore"]
    nobody = chat_choices.take_card(back, None).workspace
    assert nobody.cast.character is None
    assert names(nobody, Layer.CHARACTER) == []
    named = chat_choices.take_name(nobody, "Tom").workspace
    assert named.card is not None
    assert names(named, Layer.CHARACTER) == ["tom"]
    bare = chat_choices.take_name(named, "Ada").workspace
    assert bare.cast.character is not None
    assert (bare.cast.character.name, bare.card) == ("Ada", None)


def test_a_chat_fetches_the_card_of_its_character(night: Workspace, folder: Path) -> None:
    tom = chat_files.read(night, folder / "tom.json").edited(night).workspace
    mira = chat_files.read(tom, folder / "mira.json").edited(tom).workspace
    path = write(folder / "tom.jsonl", {"user_name": "Rowan", "character_name": "Tom", "chat_metadata": {}}, said("x"))
    made = chat_files.read(mira, path).edited(mira).workspace
    assert made.cast.character is not None
    assert made.cast.character.name == "Tom"
    assert names(made, Layer.CHARACTER) == ["tom"]


def test_names_that_came_from_a_chat_go_with_it(night: Workspace, folder: Path) -> None:
    path = write(folder / "x.jsonl", {"user_name": "Ada", "character_name": "Eve", "chat_metadata": {}}, said("x"))
    made = chat_files.read(night, path).edited(night).workspace
    assert made.cast.persona.name == "Ada"
    assert made.cast.character is not None
    assert made.cast.character.name == "Eve"


def test_a_group_speaks_with_the_books_of_its_speaker(night: Workspace, folder: Path) -> None:
    made = chat_files.read(night, folder / "mira.json").edited(night).workspace
    with pytest.raises(UsageError, match="two cards"):
        chat_choices.make_group(made, chat_choices.cards(made))
    made = chat_files.read(made, folder / "tom.json").edited(made).workspace
    group = chat_choices.make_group(made, chat_choices.cards(made)).workspace
    assert group.cast.speaker is not None
    assert group.cast.speaker.name == "Mira"
    assert names(group, Layer.CHARACTER) == ["mira-lore"]
    tom = chat_choices.set_member(group, 1).workspace
    assert tom.cast.speaker is not None
    assert tom.cast.speaker.name == "Tom"
    assert names(tom, Layer.CHARACTER) == ["tom"]
    assert names(chat_choices.set_member(tom, 0).workspace, Layer.CHARACTER) == ["mira-lore"]
    for number in (-1, 2):
        with pytest.raises(UsageError):
            chat_choices.set_member(group, number)


def test_a_persona_takes_its_lore_along(night: Workspace) -> None:
    harbour = next(source for source in night.sources if source.name == "harbour.json")
    mine = attach(night, harbour, Layer.PERSONA).workspace
    described = chat_choices.take_persona(mine, Persona("Rowan", "tall")).workspace
    other = chat_choices.take_persona(described, Persona("Ada")).workspace
    assert names(other, Layer.PERSONA) == []
    assert {persona.name for persona in chat_choices.personas(other)} == {"Ada", "Rowan"}
    back = chat_choices.take_persona(other, Persona("Rowan")).workspace
    assert back.cast.persona == Persona("Rowan", "tall")
    assert names(back, Layer.PERSONA) == ["harbour"]
    with pytest.raises(UsageError):
        chat_choices.take_persona(back, Persona(" "))


def test_the_kind_of_generation_is_one_of_six(night: Workspace) -> None:
    made = chat_choices.take_trigger(night, "swipe")
    assert made.workspace.trigger == "swipe"
    desk = Desk(night)
    desk.do(made)
    assert desk.are_options_dirty
    assert not desk.dirty
    assert chat_choices.take_trigger(night, "normal").workspace is night
    with pytest.raises(UsageError):
        chat_choices.take_trigger(night, "loud")


@pytest.mark.parametrize(("text", "name", "is_user", "what"), [
    ("hi", "Rowan", True, "hi"),
    ("Mira: well", "Mira", False, "well"),
    ("Note: hi", "Rowan", True, "Note: hi"),
])  # fmt: skip
def test_a_message_can_be_said_without_any_file(
    text: str, name: str, is_user: bool, what: str, night: Workspace
) -> None:
    made = chat_choices.said(night, text)
    assert made.transcript.messages[-1] == Message(what, name, is_user=is_user)
    assert made.sources is night.sources


def test_a_book_is_neither_chat_nor_card(night: Workspace, folder: Path) -> None:
    arrival = chat_files.read(night, folder / "worlds" / "moor.json")
    with pytest.raises(UsageError, match="neither"):
        arrival.edited(night)
    with pytest.raises(UsageError, match="no chat"):
        chat_choices.take_chat(night, arrival.source)
    with pytest.raises(UsageError, match="no character card"):
        chat_choices.take_card(night, arrival.source)
