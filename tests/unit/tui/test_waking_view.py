from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lorebook_tui.display import cell_width
from lorebook_tui.engine.trace import Phase
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.views.phases import PhaseLook, phase_blocks
from tests.unit.engine.lore import entry
from tests.unit.tui.views import LETTERS, SIGNS, drawn, last, ref_of

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.replay import Picture

CHAIN = (
    entry(0, constant=True, content="rules name the mill"),
    entry(1, "cat", content="a cat sees a dog"),
    entry(2, "dog", content="the dog wants a bone and a bell"),
    entry(3, "bone", content="white"),
    entry(4, "bell", content="loud"),
    entry(5, "mill", content="turns"),
    entry(6, "never", delayUntilRecursion=True),
)


def blocks(picture: Picture, *, letters: bool = True) -> list[Block]:
    look = PhaseLook(picture, lambda index: ref_of(picture, index), None, LETTERS if letters else SIGNS)
    return phase_blocks(picture.phases[Phase.RECURSION - 1], look)


def test_who_was_woken_stands_under_who_woke_it() -> None:
    lines = drawn(blocks(last(*CHAIN))).splitlines()
    tree = [line[:18].rstrip() for line in lines[lines.index(next(x for x in lines if "Who woke whom" in x)) + 1 :]]
    assert tree[:6] == ["I e0", "`-I e5", "I e1", "`-I e2", "  |-I e3", "  `-I e4"]


def test_passes_tell_what_they_did() -> None:
    text = drawn(blocks(last(*CHAIN)))
    assert "Pass 1 first pass, 2 woken, 2 texts searched next, then recursion" in text
    assert "Pass 2 recursion, 2 woken" in text
    assert "Who woke whom" in text
    assert "4 by other entries" in text


def test_words_that_woke_an_entry_stand_beside_it() -> None:
    lines = drawn(blocks(last(*CHAIN))).splitlines()
    assert next(line for line in lines if "e1" in line).split()[2:] == ["cat", "in", "message", "1", "1"]
    assert next(line for line in lines if "e3" in line).split()[3:8] == ["in", "the", "text", "of", "e2"]
    assert "constant" in next(line for line in lines if "e0" in line)


def test_rows_lead_to_their_entries() -> None:
    picture = last(*CHAIN)
    targets = [block.target for block in blocks(picture) if block.target is not None]
    assert targets[:6] == [ToEntry(ref) for index in (0, 5, 1, 2, 3, 4) if (ref := ref_of(picture, index))]


def test_who_waits_in_vain_is_told() -> None:
    waiting = entry(8, "cat", delayUntilRecursion=True)
    text = drawn(blocks(last(entry(1, "cat", preventRecursion=True), waiting)))
    assert "Not woken" in text
    assert "waits for recursion" in text


def chain(length: int) -> tuple[Entry, ...]:
    return tuple(entry(n, f"word{n}", content=f"word{n + 1}") for n in range(length))


@pytest.mark.parametrize("width", [1, 20, 30, 60, 120])
@pytest.mark.parametrize("letters", [True, False])
def test_long_chains_fit_any_width(width: int, *, letters: bool) -> None:
    made = blocks(last(*chain(30), chat=["word0"]), letters=letters)
    assert all(cell_width(line) <= width or width < 16 for line in drawn(made, width).splitlines())
    if width == 60:
        text = drawn(made, width)
        assert "29 by other entries" in text
        assert "e29" in text
