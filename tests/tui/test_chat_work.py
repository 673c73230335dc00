"""The chat in the running program: the message line, edits, branches, swipes, search, other chats and people."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from textual import events

from lorebook_tui.formats import detect
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens import chat_scratch
from lorebook_tui.tui.screens.chat_dialogs import TextBox
from lorebook_tui.tui.widgets.chat import ScrubBar
from lorebook_tui.workspace import chat_files
from lorebook_tui.workspace.edits import FieldChange, set_fields
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tui.scene import Scene

    OpenBench = Callable[..., Any]


@pytest.fixture(autouse=True)
def typed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message is simulated with the first pause of the loop."""
    monkeypatch.setattr(chat_scratch, "TYPED_AFTER", 0.001)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A chat bound to a world, another one bound to none, and a card with lore."""
    (tmp_path / "worlds").mkdir()
    world = {
        "entries": {"0": {"uid": 0, "key": ["bell"], "comment": "The bell", "content": "It rings.", "position": 0}}
    }
    (tmp_path / "worlds" / "harbour.json").write_text(json.dumps(world), "utf-8")
    (tmp_path / "night.jsonl").write_text("\n".join(map(json.dumps, [
        {"user_name": "Rowan", "character_name": "Mira", "chat_metadata": {"world_info": "harbour"}},
        {"name": "Mira", "is_user": False, "mes": "hello", "swipe_id": 1, "swipes": ["hi", "hello", "the bell"]},
        {"name": "Rowan", "is_user": True, "mes": "I wait."},
    ])), "utf-8")  # fmt: skip
    (tmp_path / "day.jsonl").write_text("\n".join(map(json.dumps, [
        {"user_name": "Rowan", "character_name": "Mira", "chat_metadata": {}},
        {"name": "Rowan", "is_user": True, "mes": "The bell, by day."},
    ])), "utf-8")  # fmt: skip
    book = {"name": "tom", "entries": [{"keys": ["bell"], "content": "Tom hears it.", "comment": "Tom's ears"}]}
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Tom", "character_book": book}}
    (tmp_path / "tom.json").write_text(json.dumps(card), "utf-8")
    return tmp_path


def night(folder: Path) -> Scene:
    opened = open_workspace([folder / "worlds" / "harbour.json"])
    opened = replace(opened, books=(), tokenizer="estimate")
    return scene_of(chat_files.read(opened, folder / "night.jsonl").edited(opened).workspace)


def titles(bench: Any, layer: Layer) -> list[str]:
    scene = bench.screen.scene
    return [scene.entry(ref).title for ref in scene.refs() if ref.layer is layer]


def texts(bench: Any) -> list[str]:
    return [message.text for message in bench.screen.scene.scenario.transcript.messages]


async def type_text(bench: Any, text: str) -> None:
    await bench.press(*["space" if letter == " " else letter for letter in text])
    await bench.pilot.pause(0.02)
    await bench.settle()


def active(bench: Any) -> set[str]:
    assembly = bench.screen.picture.assembly
    return {assembly.entry(index).entry.title for index in assembly.admitted_by_index}


async def test_a_typed_message_is_simulated_beside_the_real_chat(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        replay, before = bench.screen.replay, bench.text()
        await bench.press("c", "i")
        await type_text(bench, "the bell")
        assert bench.screen.turn == 4
        assert "The bell" in active(bench)
        assert texts(bench)[-1] == "the bell"
        assert "9 Rowan (not sent)" in bench.text()
        assert [mark[:2] for mark in bench.screen.message_area.marks] == [(4, 8), (4, 8)]
        assert bench.screen.desk.workspace.transcript is scene.scenario.transcript
        assert not bench.screen.desk.dirty
        await bench.press("escape", "l")
        assert bench.screen.replay is replay
        assert bench.screen.turn == 3
        assert bench.text() == before


@pytest.mark.parametrize("size", [(80, 24), (160, 45)])
async def test_a_long_message_scrolls_sideways_and_the_caret_stays_in_sight(
    size: tuple[int, int], open_bench: OpenBench, scene: Scene
) -> None:
    async with open_bench(scene, size) as bench:
        await bench.press("ctrl+l")
        area = bench.screen.message_area
        area.post_message(events.Paste("a ferry and a bell, " * 12 + "the end"))
        await bench.settle()
        assert not area.show_horizontal_scrollbar or area.scrollbar_size_horizontal == 0
        assert area.scrollable_content_region.height == area.region.height == 1
        row = bench.text().splitlines()[area.region.y]
        assert "the end" in row
        assert area.region.contains(*area.cursor_screen_offset)
        await bench.press("home")
        assert "a ferry and a bell, a ferry" in bench.text().splitlines()[area.region.y]
        await bench.press("end")
        await bench.pilot.resize_terminal(size[0] - 20, size[1])
        await bench.settle()
        assert area.region.contains(*area.cursor_screen_offset)


async def test_what_was_dropped_comes_back_with_the_up_key(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i", *"bell", "escape", "i", "up")
        assert bench.screen.message_area.text == "bell"
        await bench.press("down")
        assert not bench.screen.message_area.text


async def test_a_book_is_edited_while_a_message_stands_in_the_line(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i")
        await type_text(bench, "a lamp")
        assert "The mill" not in active(bench)
        ref = EntryRef(Layer.GLOBAL, 0, 2)
        bench.screen.edit(lambda workspace: set_fields(workspace, [FieldChange(ref, "key", ["lamp"])]))
        bench.screen.simulate_soon(at_once=True)
        await bench.settle()
        assert "The ferry" in active(bench)
        assert texts(bench)[-1] == "a lamp"
        await bench.press("escape")
        assert len(texts(bench)) == 8
        assert bench.screen.scene.entry(ref).keys == ("lamp",)
        assert bench.screen.replay.scene is bench.screen.scene


async def test_a_message_in_the_middle_makes_a_branch(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "[", "[", "i")
        await type_text(bench, "no")
        assert texts(bench)[3:] == ["I ask about the lantern guild.", "She points with her pole.", "no"]
        await bench.press("ctrl+r")
        await bench.settle()
        assert texts(bench)[3:] == ["I ask about the lantern guild.", "no"]
        assert bench.screen.picture.turn.upto == 5
        await bench.press("enter")
        workspace = bench.screen.desk.workspace
        assert workspace.chat.name == "night-boat - branch 2.jsonl"
        assert [(m.name, m.text) for m in workspace.transcript.messages[4:]] == [("Mira", "no")]
        assert [source.name for source in bench.screen.desk.dirty] == [
            "night-boat.jsonl",
            "night-boat - branch 2.jsonl",
        ]
        await bench.press("escape", "u")
        assert len(texts(bench)) == 8


async def test_messages_are_added_at_the_end_one_after_the_other(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i", *"one", "enter", *"two", "ctrl+g")
        assert texts(bench)[8:] == ["one", "two"]
        assert bench.screen.turn == 5
        assert bench.screen.message_area.has_focus
        await bench.press("escape", "u", "u")
        assert len(texts(bench)) == 8
        await bench.press("ctrl+y")
        assert texts(bench)[8:] == ["one"]


async def test_enter_begins_a_line_where_there_are_many(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i", "ctrl+n", *"a", "enter", *"bell")
        await type_text(bench, "")
        assert bench.screen.message_area.text == "a\nbell"
        assert "The bell" in active(bench)
        assert bench.screen.message_area.marks[0][:2] == (2, 6)
        await bench.press("ctrl+g")
        assert texts(bench)[8] == "a\nbell"


async def test_a_pasted_text_of_many_lines_is_typed_as_such(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i")
        bench.app.post_message(events.Paste("a\n\x1b]52;c;x\x07bell"))
        await bench.settle()
        assert bench.screen.message_area.many_lines
        assert bench.screen.message_area.text == "a\n\x1b]52;c;x\x07bell"
        assert "\x1b" not in bench.text()


async def test_text_of_a_message_is_edited_in_a_box(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "up", "e", "backspace", *"!", "ctrl+g")
        assert texts(bench)[6] == "The mill is gone!"
        assert "7 Mira (edited)" not in bench.text()
        await bench.press("u")
        assert texts(bench)[6] == "The mill is gone."


async def test_what_was_written_and_left_is_there_again(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "up", "e", *"draft", "escape")
        assert texts(bench)[6] == "The mill is gone."
        await bench.press("e")
        assert bench.app.screen.area.text == "The mill is gone.draft"
        assert "your draft" in bench.text()
        await bench.press("escape", "o", *"new", "escape", "o")
        assert bench.app.screen.area.text == "new"


async def test_a_message_is_inserted_by_either_speaker(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "up", "o", *"yes", "ctrl+g")
        assert [(m.name, m.text) for m in bench.screen.scene.scenario.transcript.messages[7:8]] == [("Rowan", "yes")]
        await bench.press("k", *"no", "ctrl+r", "ctrl+g")
        inserted = bench.screen.scene.scenario.transcript.messages[7]
        assert (inserted.text, inserted.is_user) == ("no", False)


async def test_who_said_it_can_be_chosen_or_named(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "v", *"Tom", "enter")
        message = bench.screen.scene.scenario.transcript.messages[7]
        assert (message.name, message.is_user) == ("Tom", True)
        await bench.press("v", *"Mira", "enter")
        message = bench.screen.scene.scenario.transcript.messages[7]
        assert (message.name, message.is_user) == ("Mira", False)


async def test_swipes_are_taken_by_keys_and_by_clicks(open_bench: OpenBench, folder: Path) -> None:
    async with open_bench(night(folder)) as bench:
        assert active(bench) == set()
        await bench.press("c", "home")
        assert "‹ 2/3 ›" in bench.text()
        await bench.press("right")
        assert texts(bench)[0] == "the bell"
        assert "‹ 3/3 ›" in bench.text()
        assert active(bench) == {"The bell"}
        await bench.press("right")
        assert any("last of 3" in notice.message for notice in bench.app._notifications)
        await bench.click_text("‹", within="#chat-lines")
        assert texts(bench)[0] == "hello"
        await bench.click_text("‹", within="#chat-lines")
        assert texts(bench)[0] == "hi"
        await bench.press("left")
        assert any("first of 3" in notice.message for notice in bench.app._notifications)


async def test_edited_messages_are_marked_until_they_are_saved(open_bench: OpenBench, folder: Path) -> None:
    async with open_bench(night(folder)) as bench:
        await bench.press("c", "e", *"!", "ctrl+g")
        assert "2 Rowan (edited)" in bench.text()
        await bench.press("home", "o", *"new", "ctrl+g")
        assert "2 Rowan (edited) new" in bench.text()
        desk = bench.screen.desk
        desk.save(desk.workspace.chat)
        bench.screen.show_chat()
        await bench.settle()
        assert "(edited)" not in bench.text()
        assert [json.loads(line).get("mes") for line in (folder / "night.jsonl").read_text("utf-8").splitlines()] == [
            None, "hello", "new", "I wait.!",
        ]  # fmt: skip


async def test_the_save_key_saves_the_chat_in_its_pane(open_bench: OpenBench, folder: Path) -> None:
    async with open_bench(night(folder)) as bench:
        await bench.press("c", "e", *"!", "ctrl+g", "f2")
        assert not bench.screen.desk.dirty
        assert "(edited)" not in bench.text()
        assert json.loads((folder / "night.jsonl").read_text("utf-8").splitlines()[2])["mes"] == "I wait.!"


async def test_words_are_found_around_the_end_and_forgotten(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "n")
        assert bench.screen.search_line.has_focus
        await bench.press(*"FERRY", "enter")
        assert bench.screen.chat.number == 0
        await bench.press("n")
        assert bench.screen.chat.number == 5
        assert "2 of 2 messages" in bench.text()
        await bench.press("b", "b")
        assert bench.screen.chat.number == 5
        await bench.press("ctrl+f", *"zzz", "enter")
        assert any("Nobody says" in notice.message for notice in bench.app._notifications)
        await bench.press("ctrl+f", "escape")
        assert bench.screen.words == ""
        assert bench.screen.chat.has_focus
        assert not bench.screen.search_line.display


async def test_another_chat_brings_its_own_lore(open_bench: OpenBench, folder: Path) -> None:
    async with open_bench(night(folder)) as bench:
        assert titles(bench, Layer.CHAT) == ["The bell"]
        await bench.press("c", "j", *"Open a file", "enter")
        await bench.press(*"day", "enter")
        assert texts(bench) == ["The bell, by day."]
        assert titles(bench, Layer.CHAT) == []
        assert not bench.screen.desk.dirty
        await bench.press("j", *"night", "enter")
        assert titles(bench, Layer.CHAT) == ["The bell"]
        assert texts(bench) == ["hello", "I wait."]


async def test_a_card_from_a_file_brings_its_book(open_bench: OpenBench, folder: Path) -> None:
    async with open_bench(night(folder)) as bench:
        await bench.press("c", "a", *"Open a card", "enter", *"tom", "enter")
        assert titles(bench, Layer.CHARACTER) == ["Tom's ears"]
        assert "Tom answers here" in bench.text()
        await bench.press("a", *"Nobody", "enter")
        assert titles(bench, Layer.CHARACTER) == []
        await bench.press("u")
        assert titles(bench, Layer.CHARACTER) == ["Tom's ears"]
        await bench.press("a", *"Ada", "enter")
        assert "Ada answers here" in bench.text()


async def test_a_file_that_is_no_chat_is_refused_in_words(open_bench: OpenBench, folder: Path) -> None:
    async with open_bench(night(folder)) as bench:
        await bench.press("c", "j", *"Open a file", "enter", *"worlds", "enter", "enter")
        assert any("neither a chat nor a card" in notice.message for notice in bench.app._notifications)
        assert texts(bench) == ["hello", "I wait."]


async def test_personas_and_kinds_of_generation(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        assert titles(bench, Layer.PERSONA) == ["Your coat"]
        await bench.press("c", "y", *"Ada", "enter")
        assert bench.screen.scene.scenario.cast.persona.name == "Ada"
        assert titles(bench, Layer.PERSONA) == []
        await bench.press("y", *"Describe", "enter", *"tall", "ctrl+g")
        assert bench.screen.desk.workspace.cast.persona.description == "tall"
        await bench.press("y", *"Rowan", "enter")
        assert titles(bench, Layer.PERSONA) == ["Your coat"]
        await bench.press("r", *"swipe", "enter")
        assert any("after every message" in notice.message for notice in bench.app._notifications)
        await bench.press("r", *"quiet", "enter")
        assert bench.screen.desk.workspace.trigger == "quiet"
        assert "Mira answers here: turn 8, as quiet" in bench.text()
        assert bench.screen.desk.are_options_dirty
        assert bench.screen.picture.assembly.trigger == "quiet"


async def test_a_pasted_transcript_becomes_a_chat(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c")
        bench.app.post_message(events.Paste("Rowan: hi\nMira: the bell\n"))
        await bench.settle()
        assert texts(bench) == ["hi", "the bell"]
        assert bench.screen.desk.workspace.chat.name == "pasted chat.jsonl"
        bench.app.post_message(events.Paste("just words"))
        await bench.settle()
        assert bench.screen.message_area.text == "just words"
        await bench.press("escape", "ctrl+e")
        assert isinstance(bench.app.screen, TextBox)
        bench.app.screen.area.load_text('[{"role": "user", "content": "from json"}]')
        await bench.press("ctrl+g")
        assert texts(bench) == ["from json"]


async def test_a_chat_is_typed_from_nothing(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "j", *"Begin", "enter")
        assert "Nobody has said anything yet." in bench.text()
        await bench.press("i", *"hey", "enter", "ctrl+r", *"ho", "enter")
        listed = bench.screen.desk.workspace.transcript.messages
        assert [(message.name, message.text, message.is_user) for message in listed] == [
            ("Rowan", "hey", True), ("Mira", "ho", False),
        ]  # fmt: skip
        saved = detect.load(detect.dump(bench.screen.desk.workspace.chat.loaded), "x.jsonl").transcript
        assert saved is not None
        assert saved.messages == listed


async def test_an_empty_workspace_takes_a_first_message(
    open_bench: OpenBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with open_bench(scene_of(Workspace(tokenizer="estimate"))) as bench:
        await bench.press("c", "i")
        await type_text(bench, "once")
        assert "1 User (not sent) once" in bench.text()
        await bench.press("enter", "ctrl+r", *"upon", "enter")
        assert texts(bench) == ["once", "upon"]
        assert [source.path for source in bench.screen.desk.dirty] == [Path("chat.jsonl")]
        await bench.press("escape", "f2")
        assert len((tmp_path / "chat.jsonl").read_text("utf-8").splitlines()) == 3


async def test_the_bar_is_clicked_dragged_and_wheeled(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        bar = bench.screen.query_one(ScrubBar)
        width = bar.content_region.width
        await bench.pilot.click(bar, offset=(0, 0))
        await bench.settle()
        assert bench.screen.turn == 0
        await bench.pilot.mouse_down(bar, offset=(1, 0))
        await bench.pilot.hover(bar, offset=(width // 3, 0))
        await bench.pilot.hover(bar, offset=(width - 1, 0))
        await bench.pilot.mouse_up(bar, offset=(width - 1, 0))
        await bench.settle()
        assert bench.screen.turn == 3
        for kind, turn in ((events.MouseScrollUp, 2), (events.MouseScrollDown, 3)):
            await bench.pilot._post_mouse_events([kind], widget=bar, offset=(3, 0))
            await bench.settle()
            assert bench.screen.turn == turn
        assert "●" in bench.text()


async def test_hidden_messages_are_marked_and_not_scanned(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("[", "c")
        assert "The ferry" in active(bench)
        await bench.press("h")
        assert "6 Rowan (hidden" in bench.text()
        assert "The ferry" not in active(bench)


async def test_a_message_without_words_is_not_kept(open_bench: OpenBench, scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("c", "i", "space", "enter", "escape", "o", "ctrl+g")
        assert len(texts(bench)) == 8
        assert bench.app.screen is bench.screen


STATES: dict[str, tuple[str, ...]] = {
    "scratch": ("c", "i", *"the bell and the ferry"),
    "scratch-lines": ("c", "i", "ctrl+n", *"the bell", "enter", *"lantern"),
    "chat-box": ("c", "up", "o", *"Well?"),
    "chat-search": ("c", "ctrl+f", *"mill", "enter"),
    "chat-list": ("c", "f", "j"),
    "chat-edited": ("c", "home", "h", "down", "d", "end"),
}
SIZES = {"60x16": (60, 16), "80x24": (80, 24), "120x40": (120, 40)}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
async def test_state(
    state: str,
    size: str,
    open_bench: OpenBench,
    golden: Callable[[str, str], None],
    scene: Scene,
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        await bench.press(*["space" if key == " " else key for key in STATES[state]])
        await bench.pilot.pause(0.02)
        await bench.settle()
        golden(f"{state}-{size}", bench.text())
