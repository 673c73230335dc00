from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.inert import is_inert
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, DepthPrompt, Group, InjectedPrompt, Persona
from lorebook_tui.model.scenario import ForcedEntry
from tests.unit.engine.lore import COUNTER, entry, scenario


def asked(*entries: Any, **parts: Any) -> bool:
    return is_inert(Simulation(scenario(entry(0, "cat"), *entries, **parts), COUNTER))


def test_plain_lore_leaves_nothing_behind() -> None:
    assert asked(entry(1, "{{user}}", content="{{char}} {{// hm }}", delay=3, constant=True))
    assert asked(entry(1, "cat", sticky=3, disable=True))
    assert not is_inert(Simulation(scenario(), COUNTER))
    assert asked(chat=[])
    assert asked(cast=Cast(Persona("User"), None, Group((Character("A", depth_prompt=DepthPrompt("x")),))))


@pytest.mark.parametrize(
    "fields",
    [
        {"sticky": 2},
        {"cooldown": 2},
        {"useProbability": True, "probability": 50},
        {"group": "g"},
        {"content": "{{roll:6}}"},
        {"content": "@@activate\n{{setvar::a::b}}"},
        {"key": ["{{getvar::a}}"]},
        {"key": [["{{roll:6}}"]]},
        {"keysecondary": ["{{getvar::a}}"], "selective": True},
    ],
)
def test_entries_that_act(fields: dict[str, Any]) -> None:
    assert not asked(entry(1, "cat", **fields) if "key" not in fields else entry(1, **fields))


@pytest.mark.parametrize(
    "parts",
    [
        {"chat": ["{{roll:6}}"]},
        {"quiet_prompt": "{{roll:6}}"},
        {"note": AuthorsNote("{{roll:6}}")},
        {"note": AuthorsNote(character_prompt="{{roll:6}}")},
        {"injected": (InjectedPrompt("x", "{{roll:6}}"),)},
        {"cast": Cast(Persona("User", "{{roll:6}}"))},
        {"cast": Cast(Persona("User"), Character("Anna", description="{{roll:6}}"))},
        {"cast": Cast(Persona("User"), Character("Anna", alternate_greetings=("{{roll:6}}",)))},
        {
            "cast": Cast(
                Persona("User"),
                None,
                Group((Character("A", depth_prompt=DepthPrompt("{{roll:6}}")),), 0, generation_mode=1),
            )
        },
        {"cast": Cast(Persona("{{roll:6}}"))},
        {"cast": Cast(Persona("User"), None, Group((Character("{{roll:6}}"),)))},
        {"forced": (ForcedEntry("lore", 0),)},
        {"timed": {"sticky": {"lore.0": {"start": 0, "end": 5}}}},
    ],
)
def test_texts_and_people_that_act(parts: dict[str, Any]) -> None:
    assert not asked(**parts)
