from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import verdict
from tests.unit.engine.lore import entry, raw, turn

ANY, NOT_ALL, NOT_ANY, ALL = range(4)


def fires(logic: Any, secondary: list[str], text: str = "cat dog", **fields: Any) -> bool:
    found = verdict(turn(entry(1, "cat", keysecondary=secondary, selectiveLogic=logic, **fields), chat=[text]), 0)
    assert found.reason in {Reason.IN_PROMPT, Reason.SECONDARY_FAILED}
    return found.reason is Reason.IN_PROMPT


@pytest.mark.parametrize(
    ("logic", "none", "one", "both"),
    [(ANY, False, True, True), (NOT_ALL, True, True, False), (NOT_ANY, True, False, False), (ALL, False, False, True)],
)
def test_logic(logic: int, none: bool, one: bool, both: bool) -> None:
    assert fires(logic, ["bird", "fish"]) is none
    assert fires(logic, ["bird", "dog"]) is one
    assert fires(logic, ["dog", "bird"]) is one
    assert fires(logic, ["dog", "/c.t/"]) is both


@pytest.mark.parametrize("logic", [4, -1, 1.5, "1", True])
def test_any_other_logic_never_matches(logic: Any) -> None:
    assert not fires(logic, ["dog"])
    assert not fires(logic, ["bird"])


@pytest.mark.parametrize("logic", [None, 0.0])
def test_no_logic_is_and_any(logic: Any) -> None:
    assert fires(logic, ["dog"])
    assert not fires(logic, ["bird"])


def test_secondary_keys_are_in_force_only_if_selective() -> None:
    assert fires(ANY, ["bird"], selective=False)
    assert not fires(ANY, ["bird"], selective="yes")
    assert fires(ANY, [])


def test_a_missing_selective_ignores_secondary_keys() -> None:
    assembly = turn(
        raw("0", uid=0, key=["cat"], keysecondary=["bird"], content="x", position=0, order=1, probability=100)
    )
    assert verdict(assembly, 0).reason is Reason.IN_PROMPT


@pytest.mark.parametrize(("logic", "expected"), [(ANY, False), (NOT_ALL, True), (NOT_ANY, True), (ALL, False)])
def test_an_empty_secondary_key_is_a_non_match(logic: int, expected: bool) -> None:
    assert fires(logic, [""]) is expected


def test_secondary_keys_look_at_the_same_text_as_primary_ones() -> None:
    book = entry(1, "cat", keysecondary=["dog"], scanDepth=1)
    assert verdict(turn(book, chat=["dog", "cat"]), 0).reason is Reason.SECONDARY_FAILED
    assert verdict(turn(book, chat=["x", "dog, cat"]), 0).reason is Reason.IN_PROMPT
