from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.display import cell_width
from lorebook_tui.tui.targets import ToEntry
from lorebook_tui.tui.views.budget import BudgetBar, BudgetRows, missing_of, shares
from tests.unit.engine.lore import entry
from tests.unit.tui.views import LETTERS, SIGNS, drawn, last, ref_of, text_of

if TYPE_CHECKING:
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.tui.replay import Picture

BUDGET = {"settings": {"world_info_budget": 100}, "max_context": 40}
RULES = entry(0, constant=True, order=998, content="r" * 19)
CAT = entry(1, "cat", order=100, content="c" * 9)
LONG = entry(2, "cat", order=50, content="l" * 24)
SMALL = entry(3, "cat", order=40, content="s" * 2)
FREE = entry(4, "cat", order=30, content="f" * 9, ignoreBudget=True)


def bar(picture: Picture, pointed: int | None = None, glyphs: Glyphs = LETTERS) -> BudgetBar:
    return BudgetBar(picture, lambda index: ref_of(picture, index), pointed, glyphs)


def rows(picture: Picture, width: int = 80) -> str:
    made = BudgetRows(picture, lambda index: ref_of(picture, index), LETTERS, {})
    return drawn(made.blocks(), width)


@pytest.mark.parametrize("cells", [1, 2, 3, 7, 40, 200])
def test_shares_fill_the_bar_exactly(cells: int) -> None:
    for amounts in ([5], [1, 1, 998], [0, 3, 0], [7] * 30, [1, 10_000, 1]):
        found = shares(amounts, cells)
        assert sum(found) == cells
        if cells >= len(amounts):
            assert all(share > 0 for share, amount in zip(found, amounts, strict=True) if amount)


def test_shares_of_nothing() -> None:
    assert shares([0, 0], 10) == [0, 0]


def test_segments_stand_in_the_order_of_admission_and_the_limit_behind_what_is_free() -> None:
    picture = last(RULES, CAT, LONG, **BUDGET)
    signs, line, told, scale = bar(picture).lines(81)
    text = text_of([line])
    assert len(text) == 81
    assert text.strip("#=.|x") == ""
    assert text.startswith("#" * 20)
    assert text.index("=") < text.index(".") < text.index("|") < text.index("x")
    assert text.count("#") > text.count("=")
    assert text_of([signs]) == "*"
    assert text_of([told]) == "* constant"
    assert text_of([scale]) == "30 of 40 tokens in 2 entries, 25 more did not fit"


def test_the_arrow_stands_under_the_entry_and_tells_its_title() -> None:
    picture = last(RULES, CAT, LONG, **BUDGET)
    for index, told in ((0, "^ e0 20, constant"), (1, "^ e1 10"), (2, "^ e2 25")):
        _, line, pointer, _ = bar(picture, index).lines(61)
        shown = text_of([pointer])
        assert told in shown
        position = shown.index("^")
        spans = iter(line)
        for span in spans:
            position -= len(span.text)
            if position < 0:
                break
        ref = ref_of(picture, index)
        assert ref is not None
        assert span.target == ToEntry(ref)
        assert span.ink == "bar-chosen"


@pytest.mark.parametrize("width", [1, 2, 5, 12, 30, 120, 200])
@pytest.mark.parametrize("glyphs", [SIGNS, LETTERS])
def test_any_width_holds_the_bar(width: int, glyphs: Glyphs) -> None:
    many = [entry(number + 10, "cat", order=number, content="x" * (number % 7 + 1)) for number in range(40)]
    picture = last(RULES, *many, **{**BUDGET, "max_context": 160})
    for pointed in (None, 0, 7, 39):
        made = bar(picture, pointed, glyphs)
        lines = made.lines(width)
        assert len(lines) == made.height
        assert all(cell_width(text_of([line])) <= width for line in lines)
        assert cell_width(text_of([lines[1]])) == width


def test_entries_that_pass_the_budget_pass_the_limit() -> None:
    free = [entry(number, "cat", content="x" * 29, ignoreBudget=True) for number in range(3)]
    signs, line, *_ = bar(last(*free, **BUDGET)).lines(61)
    text = text_of([line])
    assert "#" in text[text.index("|") :]
    assert "." not in text
    assert text_of([signs]).split() == ["!", "!", "!"]


def test_rows_tell_the_sum_and_what_is_missing() -> None:
    text = rows(last(RULES, CAT, LONG, SMALL, FREE, **BUDGET))
    lines = text.splitlines()
    assert lines[0].split() == ["Admitted", "room", "odds", "sum", "tokens"]
    assert lines[1].split() == ["I", "*", "e0", "constant", ".", ".", "20", "20"]
    assert lines[2].split()[-2:] == ["30", "10"]
    cut = next(number for number, line in enumerate(lines) if "budget 40, 16 tokens missing" in line)
    assert [line.split()[1] for line in lines[1:cut]] == ["*", "e1", "!"]
    assert lines[cut + 2].split() == ["C", "e2", ".", "16", "25"]
    assert lines[cut + 3].split() == ["C", "e3", "behind", "the", "cut", ".", "4", "3"]


def test_what_would_fit_behind_the_cut_is_told() -> None:
    picture = last(RULES, CAT, LONG, SMALL, **BUDGET)
    small = picture.budget.of(3)
    assert small is not None
    assert missing_of(small, picture.budget) == 0
    assert "0 missing: it would fit" in rows(picture)
    assert "it would fit" not in rows(last(RULES, CAT, LONG, **BUDGET))


@pytest.mark.parametrize(("width", "names"), [(80, 5), (34, 4), (30, 3), (20, 2)])
def test_columns_give_way_where_there_is_no_room(width: int, names: int) -> None:
    lines = rows(last(RULES, CAT, **BUDGET), width).splitlines()
    assert len(lines[0].split()) == names
    assert all(cell_width(line) <= width for line in lines)


def hostile(**fields: Any) -> Entry:
    return entry(9, "cat", comment="\x1b]52;c;x\x07[@click=app.quit]\u202e漢字", content="h" * 20, **fields)


def test_foreign_titles_are_cut_by_cells() -> None:
    picture = last(RULES, hostile(order=50), **BUDGET)
    for width in (12, 30, 61):
        assert all(cell_width(line) <= width for line in rows(picture, width).splitlines())
        assert "\x1b" not in text_of(bar(picture, 1).lines(width))
