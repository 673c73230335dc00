"""What each option of the prompt means, for people: the one place where they are documented."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.prompt import PromptSettings
from lorebook_tui.engine.prompt.settings import Names
from lorebook_tui.workspace.prompt_options import (
    NAMES,
    ONLY_CHAT,
    ONLY_TEXT,
    PROMPTS,
    expected_of,
    fields_of,
    shipped,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

HELP: Final = {
    "api": "Shape of the prompt: a list of messages (chat) or one string (text).",
    "order": "Identifiers of the prompt manager from top to bottom; a - in front switches one off.",
    "wi_format": "Around the lore before and after the character; {0} is the lore.",
    "scenario_format": "What is sent of the card's scenario.",
    "personality_format": "What is sent of the card's personality.",
    "new_chat_prompt": "The marker in front of the chat.",
    "new_group_chat_prompt": "The marker in front of a group's chat.",
    "new_example_chat_prompt": "The marker in front of each example.",
    "group_nudge_prompt": "Behind the chat of a group: whose turn it is.",
    "continue_nudge_prompt": "Behind a message that is to be continued.",
    "impersonation_prompt": "At the very end where the model writes for the user.",
    "send_if_empty": "Sent as a message of the user where none was written.",
    "squash_system_messages": "Neighbouring system messages become one.",
    "names_behavior": "Who speaks: never told, only where it is not clear, as the field name, or always in the text.",
    "continue_postfix": "What the reply goes on behind; if it is empty, an empty message gets no nudge.",
    "continue_prefill": "A message to be continued is the last one; no nudge follows it.",
    "pin_examples": "Examples are taken before the chat, so that they never give way to it.",
    "strip_examples": "No example messages at all, those of lore included.",
    "collapse_newlines": "Runs of line feeds become one.",
    "always_force_name2": "The character's name ends the prompt.",
    "prefer_character_prompt": "The card's main prompt takes the place of yours.",
    "prefer_character_jailbreak": "The card's post-history instructions take the place of yours.",
    "user_prompt_bias": "What the reply begins with.",
    "token_padding": "Tokens kept free beside the prompt.",
    "quiet_to_loud": "A quiet prompt is followed by the character's name.",
    "skip_lore": "No depth entries and no outlets, as some extensions ask for.",
    "quiet_name": "Who answers a quiet prompt.",
    "instruct": "A shipped instruct template by name, true, false, or a table of its fields.",
    "context_template": "A shipped context template by name, or a table of its fields.",
    "system_prompt": "A shipped system prompt by name, false, or a table of its fields.",
    PROMPTS: "Texts and places of the prompt manager, by identifier: prompts.main, prompts.nsfw, or one of your own.",
}
"""One sentence per option."""


@dataclass(frozen=True, slots=True)
class OptionRow:
    """One option for a listing."""

    name: str
    expected: str
    default: Any
    """None: it has no single one."""
    shape: str
    """`chat` or `text` if it acts in that shape alone; else ""."""
    help: str
    fields: tuple[str, ...] = ()
    """What a table given for it can hold."""
    shipped: tuple[str, ...] = ()
    """What it can name."""


def option_rows() -> Iterator[OptionRow]:
    """Every option, in the order of `NAMES`."""
    fresh = PromptSettings()
    defaults: dict[str, Any] = {"api": "chat", "order": [row.identifier for row in fresh.order if row.enabled]}
    for record in (fresh.chat, fresh.user, fresh.generate):
        defaults |= {field.name: getattr(record, field.name) for field in fields(record)}
    defaults["names_behavior"] = Names(fresh.chat.names_behavior).name.casefold()
    for name in NAMES:
        shape = "text" if name in ONLY_TEXT else "chat" if name in ONLY_CHAT else ""
        yield OptionRow(name, expected_of(name), defaults.get(name), shape, HELP[name], fields_of(name), shipped(name))
