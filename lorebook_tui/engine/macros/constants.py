"""Macros whose value does not come from lore: settings of the application, told as on a fresh install without a model."""

from __future__ import annotations

from typing import Final

_SYSTEM_PROMPT = "Write {{char}}'s next reply in a fictional chat between {{char}} and {{user}}."

TEXTS: Final[dict[str, str]] = {
    "systemPrompt": _SYSTEM_PROMPT,
    "defaultSystemPrompt": _SYSTEM_PROMPT,
    "instructSystem": _SYSTEM_PROMPT,
    "instructSystemPrompt": _SYSTEM_PROMPT,
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
