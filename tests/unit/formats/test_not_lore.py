"""JSON of other kinds is called by its name, and nothing that is lore is taken for it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lorebook_tui.errors import EXIT_UNREADABLE, UnreadableError
from lorebook_tui.formats.detect import load
from lorebook_tui.formats.foreign import NotLoreError

OTHERS: list[tuple[str, dict[str, Any]]] = [
    ("SillyTavern's settings file", {"power_user": {}, "world_info_settings": {}}),
    ("a SillyTavern backup of personas", {"personas": {}, "persona_descriptions": {}}),
    ("a preset for chat completion", {"prompts": [], "prompt_order": []}),
    ("a preset for chat completion", {"openai_max_context": 4096}),
    ("an instruct template", {"input_sequence": "", "output_sequence": ""}),
    ("a context template", {"story_string": "{{wiBefore}}"}),
    ("a file of system prompts", {"name": "Plain", "content": "Write."}),
    ("a preset for text completion", {"temp": 1, "rep_pen": 1}),
    ("a regex script", {"findRegex": "/a/", "replaceString": ""}),
    ("a set of quick replies", {"qrList": []}),
    ("a theme of SillyTavern", {"main_text_color": "", "blur_strength": 1}),
    ("the description of a group chat", {"members": [], "chat_id": "1"}),
    ("a ComfyUI workflow", {"nodes": [], "links": []}),
    ("a package file of Node.js", {"version": "1", "dependencies": {}}),
    ("a JSON Schema", {"$schema": "x", "properties": {}}),
    ("a report of `lorebook check`", {"summary": {}, "files": [], "skipped": []}),
    ("a witness of `lorebook check`", {"lorebook_witness": 1}),
    ("a baseline of `lorebook check`", {"lorebook_baseline": []}),
]


@pytest.mark.parametrize(("title", "value"), OTHERS)
def test_it_says_what_it_is_instead(title: str, value: dict[str, Any]) -> None:
    with pytest.raises(NotLoreError) as caught:
        load(json.dumps(value).encode())
    assert caught.value.message == f"This is {title}, not lore."
    assert (caught.value.found, caught.value.exit_status) == (title, EXIT_UNREADABLE)


@pytest.mark.parametrize(("_title", "value"), OTHERS)
def test_with_entries_it_is_lore(_title: str, value: dict[str, Any]) -> None:
    assert load(json.dumps({**value, "entries": {"0": {"uid": 0, "key": ["a"], "content": "b"}}}).encode()).books


@pytest.mark.parametrize("value", [{"a": 1}, [1], []])
def test_what_nobody_knows(value: object) -> None:
    with pytest.raises(UnreadableError) as caught:
        load(json.dumps(value).encode())
    assert not isinstance(caught.value, NotLoreError)
