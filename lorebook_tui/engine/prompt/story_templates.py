"""Shipped context templates by name, as their effects show in prompts."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.prompt.story_template import StoryTemplate

_FIELDS = (
    "anchorBefore", "system", "wiBefore", "description", "personality", "scenario", "wiAfter", "persona", "anchorAfter",
)  # fmt: skip


def _lines(labels: dict[str, str]) -> str:
    """A line for each field that has a text, under a label if there is one."""
    return "".join(f"{{{{#if {name}}}}}{labels.get(name, '')}{{{{{name}}}}}\n{{{{/if}}}}" for name in _FIELDS)


_PLAIN = _lines({}) + "{{trim}}"
_WITHOUT_SEPARATORS = (
    "Adventure", "Alpaca", "Alpaca-Single-Turn", "ChatML", "ChatML-Names", "Command R", "DeepSeek-V2.5", "Gemma 2",
    "GLM-4", "Llama 2 Chat", "Llama 3 Instruct", "Llama 4 Instruct", "Llama-3-Instruct-Names", "Metharme",
    "Minimalist", "Mistral V1", "Mistral V2 & V3", "Mistral V3-Tekken", "Mistral V7", "Mistral V7-Tekken", "Phi",
    "Story", "Synthia", "Tulu", "Moonshot AI", "OpenAI Harmony",
)  # fmt: skip

STORY_TEMPLATES: Final[dict[str, StoryTemplate]] = {
    **{name: StoryTemplate(_PLAIN, example_separator="", chat_start="") for name in _WITHOUT_SEPARATORS},
    **{name: StoryTemplate(_PLAIN, "", "", always_force_name2=False) for name in ("Adventure", "Alpaca-Single-Turn")},
    "Default": StoryTemplate(_PLAIN),
    "NovelAI": StoryTemplate(_PLAIN),
    "Libra-32B": StoryTemplate(_PLAIN, example_separator="### Example:", chat_start="### START ROLEPLAY:"),
    "Lightning 1.1": StoryTemplate(
        _PLAIN,
        example_separator="Example of an interaction:\n",
        chat_start="This is the history of the roleplay:\n",
    ),
    "OldDefault": StoryTemplate(
        _lines(
            {
                "personality": "{{char}}'s personality: ",
                "scenario": "Circumstances and context of the dialogue: ",
            }
        ),
        example_separator="This is how {{char}} should talk",
        chat_start="\nThen the roleplay chat between {{user}} and {{char}} begins.\n",
    ),
    "simple-proxy-for-tavern": StoryTemplate(
        _lines({"personality": "{{char}}'s personality: ", "scenario": "Scenario: "}),
        example_separator="### New Roleplay:",
        chat_start="### New Roleplay:",
    ),
}
"""By name."""
