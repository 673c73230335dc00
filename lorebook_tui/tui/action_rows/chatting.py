"""Actions on the chat: edit, branch, swipes, who speaks."""

from __future__ import annotations

from typing import Final

from lorebook_tui.tui.action_types import Action, Scope

ROWS: Final[tuple[Action, ...]] = (
    Action(
        "to_message", ("ctrl+l",), "test a message",
        "Type a message that was never sent, and see what it would trigger.",
    ),
    Action(
        "type_message", ("i",), "type",
        "Type a message that was never sent: what it would trigger is shown as if it had been.", Scope.CHAT, footer=1,
    ),
    Action("edit_message", ("e",), "edit", "Change the text of the message.", Scope.CHAT, footer=2),
    Action("fork_chat", ("f",), "branch", "Branch the chat behind the message: how it might go on otherwise.",
           Scope.CHAT, footer=3),
    Action("previous_swipe", ("left",), "swipe back", "Take the swipe before of the message.", Scope.CHAT, footer=4),
    Action("next_swipe", ("right",), "swipe on", "Take the next swipe of the message.", Scope.CHAT, footer=4),
    Action("choose_chat", ("j",), "chats", "Choose another open chat, open a file, or begin a new chat.", Scope.CHAT,
           footer=5),
    Action("insert_after", ("o",), "insert after", "Write a message behind this one.", Scope.CHAT),
    Action("insert_before", ("k",), "insert before", "Write a message in front of this one.", Scope.CHAT),
    Action("delete_message", ("d", "delete"), "delete message", "Delete the message; it can be undone.", Scope.CHAT),
    Action("hide_message", ("h",), "hide", "Hide the message from every scan, or show it again.", Scope.CHAT),
    Action("say_who", ("v",), "who said it", "Choose who said the message.", Scope.CHAT),
    Action("find_message", ("ctrl+f",), "find in chat", "Search the chat for words.", Scope.CHAT),
    Action("find_next", ("n",), "find next", "Go to the next message that holds the words.", Scope.CHAT),
    Action("find_previous", ("b",), "find before", "Go to the message before that holds the words.", Scope.CHAT),
    Action("paste_chat", ("ctrl+e",), "paste a chat", "Paste or type a whole transcript.", Scope.CHAT),
    Action("choose_character", ("a",), "who answers", "Choose the character: its card brings its own lore.",
           Scope.CHAT),
    Action("choose_persona", ("y",), "who you are", "Choose the persona: it brings its own lore.", Scope.CHAT),
    Action("choose_trigger", ("r",), "kind of reply", "Choose the kind of generation: normal, swipe, quiet and others.",
           Scope.CHAT),
    Action(
        "keep_message", ("ctrl+g", "enter"), "keep",
        "Keep the message: at the end of the chat it is added, before it in a branch. Enter does it in a single line.",
        Scope.MESSAGE, footer=1,
    ),
    Action("leave_message", ("escape",), "drop", "Drop the message and go back; the up key brings it back.",
           Scope.MESSAGE, footer=2, shadows=("back",)),
    Action("change_speaker", ("ctrl+r",), "speaker", "Let the other one say it: the user or the character.",
           Scope.MESSAGE, footer=3),
    Action("change_lines", ("ctrl+n",), "lines", "Type one line or many; in many lines Enter begins a line.",
           Scope.MESSAGE, footer=4),
)  # fmt: skip
