"""Taking away a filter that is always met changes nothing, and no repair of a filter narrows what it lets through."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.fixing import fixed
from lorebook_tui.lint.proof import activations
from lorebook_tui.lint.repairs import fixable
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.rules.key_secondary import FilterAlwaysMet
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import World
from lorebook_tui.model.transcript import Message, Transcript
from tests.unit.lint.examples import file_of, source_of, world_of

WORDS = ("bell", "gong", "ferry")
SAID = [
    " and ".join(word for word, is_said in zip(WORDS, said, strict=True) if is_said)
    for said in product((0, 1), repeat=3)
]
CHATS = tuple(Transcript(messages=(Message(text or "Hm.", "You", is_user=True),)) for text in SAID)
LINTER = Linter(LintConfig(select=("KEY026",)), rules=(FilterAlwaysMet(),))


def came_in(example: Example, *, is_fixed: bool) -> list[tuple[int, ...]]:
    file = file_of(example.name, source_of(example))
    assert file.loaded
    loaded = file.loaded
    if is_fixed:
        done = fixed(file, LINTER, lambda view: World(files=(view,)))
        assert done.refused == ()
        loaded = done.loaded
    return activations(loaded.books[0], CHATS, None)


@pytest.mark.parametrize("logic", range(4))
@pytest.mark.parametrize("keys", [["bell"], ["bell", "gong"]])
@pytest.mark.parametrize("secondary", [["bell"], ["bell", "ferry"], ["Bell", "gong", "ferry"], ["ferry"]])
def test_safe_repair_changes_nothing_under_any_logic(keys: list[str], secondary: list[str], logic: int) -> None:
    example = Example(({"key": keys, "keysecondary": secondary, "selectiveLogic": logic, "content": "x"},))
    assert came_in(example, is_fixed=True) == came_in(example, is_fixed=False)


def test_engine_tells_the_chats_apart() -> None:
    example = Example(({"key": ["bell"], "keysecondary": ["ferry"], "content": "x"},))
    assert len({*came_in(example, is_fixed=False)}) > 1


@pytest.mark.parametrize(("more", "is_safe"), [({}, True), ({"group": "tower", "useGroupScoring": True}, False)])
def test_repair_is_a_guess_where_keys_are_counted(more: dict[str, Any], is_safe: bool) -> None:
    example = Example(({"key": ["bell"], "keysecondary": ["bell"], "content": "x", **more},))
    assert bool(fixable(LINTER.check(world_of(example)).findings)) is is_safe
