"""A context template: the story string of a text completion, and what parts examples and chat."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoryTemplate:
    """One template under SillyTavern 1.19's names."""

    story_string: str = ""
    example_separator: str = "***"
    chat_start: str = "***"
    story_string_position: int = 0
    """0 before the chat, 1 in the chat."""
    story_string_depth: int = 1
    story_string_role: int = 0
    always_force_name2: bool | None = None
    """What a shipped template makes of the user's setting; None: it leaves it alone."""


FRESH_STORY = StoryTemplate(
    "{{#if anchorBefore}}{{anchorBefore}}\n{{/if}}"
    "{{#if system}}{{system}}\n{{/if}}"
    "{{#if wiBefore}}{{wiBefore}}\n{{/if}}"
    "{{#if description}}{{description}}\n{{/if}}"
    "{{#if personality}}{{char}}'s personality: {{personality}}\n{{/if}}"
    "{{#if scenario}}Scenario: {{scenario}}\n{{/if}}"
    "{{#if wiAfter}}{{wiAfter}}\n{{/if}}"
    "{{#if persona}}{{persona}}\n{{/if}}"
    "{{#if anchorAfter}}{{anchorAfter}}\n{{/if}}"
)
"""The template of a fresh install."""
