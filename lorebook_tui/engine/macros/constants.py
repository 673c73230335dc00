"""Macros whose value does not come from lore: settings of the application, as on a fresh install without a model."""

from __future__ import annotations

from typing import Final

SYSTEM_PROMPT: Final = "Write {{char}}'s next reply in a fictional chat between {{char}} and {{user}}."

SYSTEM_PROMPT_OFF: Final = "system prompt switched off"
"""Key among the texts of an environment: `{{systemPrompt}}` is empty, whatever the card says."""

TEXTS: Final[dict[str, str]] = {
    "defaultSystemPrompt": SYSTEM_PROMPT,
    "instructSystem": SYSTEM_PROMPT,
    "instructSystemPrompt": SYSTEM_PROMPT,
    "instructStoryStringPrefix": "",
    "instructStoryStringSuffix": "",
    "instructUserPrefix": "",
    "instructInput": "",
    "instructUserSuffix": "",
    "instructAssistantPrefix": "",
    "instructOutput": "",
    "instructAssistantSuffix": "",
    "instructSeparator": "",
    "instructSystemPrefix": "",
    "instructSystemSuffix": "",
    "instructFirstAssistantPrefix": "",
    "instructFirstOutputPrefix": "",
    "instructLastAssistantPrefix": "",
    "instructLastOutputPrefix": "",
    "instructStop": "",
    "instructUserFiller": "",
    "instructSystemInstructionPrefix": "",
    "instructFirstUserPrefix": "",
    "instructFirstInput": "",
    "instructLastUserPrefix": "",
    "instructLastInput": "",
    "chatStart": "***",
    "chatSeparator": "***",
    "exampleSeparator": "***",
    "reasoningPrefix": "<think>",
    "reasoningSuffix": "</think>",
    "reasoningSeparator": "\n",
    "defaultAuthorsNote": "",
    "model": "no_connection",
    "isMobile": "false",
    "input": "",
    "firstDisplayedMessageId": "0",
}
"""Name and default; `MacroEnvironment.texts` gives other values by the name in lower case."""

NEW_ONLY: Final = frozenset(
    {
        "instructFirstOutputPrefix",
        "instructLastOutputPrefix",
        "exampleSeparator",
        "reasoningPrefix",
        "reasoningSuffix",
        "reasoningSeparator",
        "defaultAuthorsNote",
        "isMobile",
    }
)
"""Names that the legacy engine does not know."""

LEGACY_BEFORE_VARIABLES: Final = (
    *(name for name in TEXTS if name.startswith(("instruct", "defaultSystemPrompt"))),
    "chatStart",
    "chatSeparator",
)
"""What the legacy engine replaces before variables."""

LEGACY_AFTER_NAMES: Final = ("model",)
"""What it replaces after the names."""
