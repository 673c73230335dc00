"""What macros tell about prompt settings: instruct sequences, separators, the system prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.constants import SYSTEM_PROMPT_OFF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.engine.prompt.instruct_template import InstructTemplate
    from lorebook_tui.engine.prompt.settings import PromptSettings


def macro_texts(settings: PromptSettings) -> Mapping[str, str]:
    """Values of such macros by name in lower case.

    SillyTavern 1.19: instruct sequences are empty while the template is off, a missing first or last sequence is the
    usual one.
    """
    prompt, story = settings.system_prompt, settings.story
    content = prompt.content if prompt.enabled else ""
    found = {
        "systemPrompt": content,
        "defaultSystemPrompt": content,
        "instructSystem": content,
        "instructSystemPrompt": content,
        "chatStart": story.chat_start,
        "chatSeparator": story.example_separator,
        "exampleSeparator": story.example_separator,
    }
    if settings.instruct.enabled:
        found |= _sequences(settings.instruct)
    texts = {name.lower(): text for name, text in found.items()}
    if not prompt.enabled:
        texts[SYSTEM_PROMPT_OFF] = ""
    return texts


def _sequences(template: InstructTemplate) -> dict[str, str]:
    first_output = template.first_output_sequence or template.output_sequence
    last_output = template.last_output_sequence or template.output_sequence
    first_input = template.first_input_sequence or template.input_sequence
    last_input = template.last_input_sequence or template.input_sequence
    return {
        "instructStoryStringPrefix": template.story_string_prefix,
        "instructStoryStringSuffix": template.story_string_suffix,
        "instructUserPrefix": template.input_sequence,
        "instructInput": template.input_sequence,
        "instructUserSuffix": template.input_suffix,
        "instructAssistantPrefix": template.output_sequence,
        "instructOutput": template.output_sequence,
        "instructAssistantSuffix": template.output_suffix,
        "instructSeparator": template.output_suffix,
        "instructSystemPrefix": template.system_sequence,
        "instructSystemSuffix": template.system_suffix,
        "instructFirstAssistantPrefix": first_output,
        "instructFirstOutputPrefix": first_output,
        "instructLastAssistantPrefix": last_output,
        "instructLastOutputPrefix": last_output,
        "instructFirstUserPrefix": first_input,
        "instructFirstInput": first_input,
        "instructLastUserPrefix": last_input,
        "instructLastInput": last_input,
        "instructStop": template.stop_sequence,
        "instructUserFiller": template.user_alignment_message,
        "instructSystemInstructionPrefix": template.last_system_sequence,
    }
