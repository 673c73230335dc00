from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from lorebook_tui.display import cell_width
from lorebook_tui.engine.fates import Fate
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.model.scenario import Step
from lorebook_tui.tui.chronicle import Chronicle
from lorebook_tui.tui.targets import ToCell, ToEntry
from lorebook_tui.tui.views.grid import CELLS, Grid, GridView, columns
from lorebook_tui.tui.views.timeline import EDGES
from tests.unit.tui.views import LETTERS, SIGNS, text_of

if TYPE_CHECKING:
    from lorebook_tui.tui.pictures import Turn


def turns(*fates: dict[int, Fate]) -> list[Turn]:
    return [cast("Turn", SimpleNamespace(number=number, fates=found)) for number, found in enumerate(fates)]


def grid(found: list[Turn], count: int = 0, **changes: Any) -> Grid:
    chronicle = Chronicle(found)
    made = Grid(
        chronicle,
        [Step(upto=2 * number + 2) for number in range(count or len(found))],
        0,
        None,
        chronicle.by_first(),
        lambda index: f"entry {index}",
        lambda index: EntryRef(Layer.GLOBAL, 0, index),
        LETTERS,
        frozenset(),
    )
    return replace(made, **changes)


SMALL = turns({0: Fate.IN, 1: Fate.CUT}, {0: Fate.STICKY, 2: Fate.ROLLED}, {0: Fate.COOLDOWN, 1: Fate.IN})


def shown(view: GridView, width: int = 40) -> list[str]:
    return text_of(view.lines(width)).split("\n")


def test_every_fate_has_a_sign_a_letter_and_a_word_of_its_own() -> None:
    assert set(CELLS) == set(Fate)
    for part in ("sign", "letter", "word"):
        assert len({getattr(cell, part) for cell in CELLS.values()}) == len(CELLS)
    assert all(cell.letter.isascii() and cell_width(cell.sign) == 1 for cell in CELLS.values())


def test_rows_show_what_became_of_an_entry_turn_by_turn() -> None:
    lines = shown(GridView(grid(SMALL), 0, 0, None, 6))
    assert lines[0].split() == ["turn", "2", "4", "6"]
    assert [line.split() for line in lines[1:4]] == [
        ["entry", "0", "II", "SS", "O", "2"],
        ["entry", "1", "C", ".", "II", "1"],
        ["entry", "2", ".", "R", ".", "0"],
    ]
    assert len(lines) == 6


def test_the_cell_under_the_cursor_is_told_and_marked() -> None:
    view = GridView(grid(SMALL), 0, 0, (1, 0), 6)
    lines = view.lines(40)
    assert text_of([lines[-1]]) == "turn 2: cut by the budget - entry 1"
    assert [span.text.strip() for span in lines[2] if span.ink == "tab-chosen"] == ["C"]
    assert text_of([lines[2]]).startswith("> entry 1")
    assert not any(span.ink == "tab-chosen" for span in lines[1])


@pytest.mark.parametrize(
    ("cursor", "told"), [((2, 0), "nothing woke it"), ((0, 1), "in, held by sticky"), ((0, 3), "not replayed yet")]
)
def test_cells_without_a_fate_are_told_too(cursor: tuple[int, int], told: str) -> None:
    assert told in shown(GridView(grid(SMALL, 4), 0, 0, cursor, 6), 60)[-1]


def test_near_misses_fill_cells_that_nothing_else_fills() -> None:
    made = grid(SMALL, near={(0, 1), (1, 1)})
    assert shown(GridView(made, 0, 0, None, 6))[2].split() == ["entry", "1", "C", "N", "II", "1"]
    assert made.fate(1, 1) is Fate.NEAR
    assert made.fate(1, 0) is Fate.CUT


def test_a_cell_leads_to_its_turn_and_entry() -> None:
    row = GridView(grid(SMALL), 0, 0, None, 6).lines(40)[2]
    ref = EntryRef(Layer.GLOBAL, 0, 1)
    assert [span.target for span in row if isinstance(span.target, ToCell)] == [ToCell(turn, ref) for turn in range(3)]
    assert any(span.target == ToEntry(ref) for span in row)


def test_the_chosen_turn_is_always_named() -> None:
    found = turns(*({0: Fate.IN} for _ in range(60)))
    for chosen in range(60):
        line = GridView(grid(found, chosen=chosen), 0, 0, None, 4).lines(100)[0]
        assert [span.text for span in line if span.ink == "tab-chosen"] == [str(2 * chosen + 2)]
        numbers = text_of([line]).split()[1:]
        assert all(int(number) % 2 == 0 and int(number) <= 120 for number in numbers)


def test_nothing_yet() -> None:
    assert shown(GridView(grid([], 3), 0, 0, None, 5)) == [
        "turn        2  4  6",
        "",
        "",
        "",
        "No entry had anything yet.",
    ]


@pytest.mark.parametrize("width", [1, 9, 20, 30, 60, 180])
@pytest.mark.parametrize("glyphs", [SIGNS, LETTERS])
def test_any_width(width: int, glyphs: Any) -> None:
    made = grid(SMALL, glyphs=glyphs, title_of=lambda _: "漢\x1b]0;x\x07[@click=app.quit]" * 9)
    for line in GridView(made, 0, 0, (0, 0), 7).lines(width):
        if width >= 20:
            assert cell_width(text_of([line])) <= width
    column, count = columns(width, 3)
    assert column >= 1
    assert count >= 1


def test_of_five_thousand_entries_and_five_hundred_turns_only_what_is_in_sight_is_drawn() -> None:
    found = turns(*({(turn * 7 + n) % 5000: Fate.IN for n in range(60)} for turn in range(500)))
    made = grid(found, chosen=250)
    for top in range(0, 1000, 40):
        view = GridView(made, top, 200, (top, 250), 40)
        assert len(view.lines(180)) == 40
    assert shown(GridView(made, 0, 0, None, 40), 180)[0].startswith("turn - 1-38/3553")
    assert len(made.rows) == 3553
    assert EDGES == 2
