"""Two files with the same book: one can go, unless they are the cards of two characters."""

from __future__ import annotations

import pytest

from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.rules.fmt_shelf import AlikeBooks
from lorebook_tui.lint.runner import Linter
from tests.unit.lint.examples import world_of

BOOK = (
    '{"entries": [{"keys": ["mill"], "content": "x", "enabled": true, "insertion_order": 1, "extensions": {}}], '
    '"extensions": {}}'
)
CARD = '{"spec": "chara_card_v2", "data": {"name": "%s", "extensions": {}, "character_book": %s}}'


@pytest.mark.parametrize(("other", "can_go"), [("Mira", True), ("Kit", False)])
def test_a_card_of_another_character_is_not_too_many(other: str, can_go: bool) -> None:
    example = Example(source=CARD % ("Mira", BOOK), name="mira.json", more_files={"other.json": CARD % (other, BOOK)})
    (found,) = Linter(LintConfig(select=("FMT018",)), rules=(AlikeBooks(),)).check(world_of(example)).findings
    assert ("one of them can go" in found.message) is can_go
    assert ("has to be edited in the other" in found.message) is not can_go
