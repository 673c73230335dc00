"""Cases of the chat."""

from __future__ import annotations

from typing import Any

from lorebook_tui.tui.screens.chat_dialogs import TextBox
from tests.tui.action_cases.base import Case, dialog


def box(bench: Any) -> TextBox:
    assert isinstance(bench.app.screen, TextBox)
    return bench.app.screen


def messages(bench: Any) -> Any:
    return bench.screen.scene.scenario.transcript.messages


def asks(heading: str) -> Case:
    return Case(lambda bench: dialog(bench).heading == heading, ("c",))


def writes(heading: str) -> Case:
    return Case(lambda bench: box(bench).heading == heading and box(bench).area.has_focus, ("c",))


def is_told(bench: Any, words: str) -> bool:
    return any(words in notice.message for notice in bench.app._notifications)


FIND = ("c", "ctrl+f", *"mill", "enter")
TYPE = ("c", "i", *"bell")

CASES: dict[str, Case] = {
    "global.to_message": Case(lambda bench: bench.screen.message_area.has_focus and bench.screen.pane == "chat"),
    "chat.type_message": Case(lambda bench: bench.screen.message_area.has_focus, ("c",)),
    "chat.edit_message": Case(
        lambda bench: box(bench).area.text == "Then I count the lamps.\n\nOne. Two." and box(bench).area.has_focus,
        ("c",),
    ),
    "chat.fork_chat": Case(
        lambda bench: (
            bench.screen.desk.workspace.chat.name == "night-boat - branch 2.jsonl" and len(messages(bench)) == 7
        ),
        ("c", "up"),
    ),
    "chat.previous_swipe": Case(lambda bench: is_told(bench, "only one version"), ("c",)),
    "chat.next_swipe": Case(lambda bench: is_told(bench, "only one version"), ("c",)),
    "chat.choose_chat": asks("Chats"),
    "chat.insert_after": writes("New message 9"),
    "chat.insert_before": writes("New message 8"),
    "chat.delete_message": Case(
        lambda bench: len(messages(bench)) == 7 and messages(bench)[-1].text == "The mill is gone.", ("c",)
    ),
    "chat.hide_message": Case(lambda bench: messages(bench)[7].is_hidden and "8 Rowan (hidden" in bench.text(), ("c",)),
    "chat.say_who": asks("Who said message 8"),
    "chat.find_message": Case(lambda bench: bench.screen.search_line.has_focus, ("c",)),
    "chat.find_next": Case(lambda bench: bench.screen.chat.number == 6, FIND),
    "chat.find_previous": Case(lambda bench: bench.screen.chat.number == 5, (*FIND, "n")),
    "chat.paste_chat": writes("Paste or type a transcript"),
    "chat.choose_character": asks("Who answers"),
    "chat.choose_persona": asks("Who you are"),
    "chat.choose_trigger": asks("Kind of generation"),
    "message.keep_message": Case(
        lambda bench: [message.text for message in bench.screen.desk.workspace.transcript.messages[8:]] == ["bell"],
        TYPE,
    ),
    "message.leave_message": Case(
        lambda bench: not bench.screen.message_area.text and bench.screen.chat.has_focus and len(messages(bench)) == 8,
        TYPE,
    ),
    "message.change_speaker": Case(lambda bench: "9 Mira" in bench.text(), ("c", "i")),
    "message.change_lines": Case(lambda bench: bench.screen.message_area.many_lines, ("c", "i")),
}
