"""Whatever a stranger writes: it comes out visible, harmless, in place and within its width."""

from __future__ import annotations

import unicodedata
from typing import Any, Literal

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lorebook_tui.display import cell_width, elide, json_excerpt, pad, plain, row, simple_emoji

TRICKS = st.sampled_from(
    "\x1b\x07\x9b\x00\r\n\t\u200b\u200c\u200d\u2066\u202e\u2028\ufeff\ufe0f\ufe0e\ufe00\U000e0100\u0301\u0335\u20e3❤1😀👩🇷🇺日각\u1112\u3164"
    "\ud83d\udc00\U000e0041葛ᠠ\u180b"
)
FOREIGN = st.lists(st.one_of(TRICKS, st.characters(exclude_categories=()), st.text(max_size=3)), max_size=30).map(
    "".join
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | FOREIGN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(FOREIGN, inner, max_size=4),
    max_leaves=12,
)
HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def harmless(text: str) -> bool:
    return not any(unicodedata.category(char) in HIDDEN for char in text)


@given(FOREIGN)
def test_plain_is_harmless_keeps_places_and_is_done_once(text: str) -> None:
    shown = plain(text)
    assert harmless(shown)
    assert len(shown) == len(text)
    assert plain(shown) == shown
    lines = plain(text, newline="\n")
    assert harmless(lines.replace("\n", ""))
    assert [i for i, char in enumerate(lines) if char == "\n"] == [i for i, char in enumerate(text) if char == "\n"]


@given(FOREIGN)
def test_letters_and_digits_are_never_replaced(text: str) -> None:
    fillers = "\u115f\u1160\u3164\uffa0"
    for char, shown in zip(text, plain(text), strict=True):
        if unicodedata.category(char) in {"Lu", "Ll", "Nd"} or (
            unicodedata.category(char) == "Lo" and char not in fillers
        ):
            assert shown == char


@given(FOREIGN, st.integers(-2, 40), st.sampled_from(("start", "middle", "end")))
def test_elide_stays_within_its_cells(text: str, cells: int, at: Literal["start", "middle", "end"]) -> None:
    shown = elide(text, cells, at=at)
    assert cell_width(shown) <= max(0, cells)
    assert harmless(shown)
    assert elide(shown, cells, at=at) == shown


@given(FOREIGN, st.integers(0, 40))
def test_pad_has_exactly_its_cells_and_row_at_most(text: str, cells: int) -> None:
    assert cell_width(pad(text, cells)) == cells
    assert cell_width(row(text, cells)) <= cells


@given(FOREIGN)
def test_shown_text_has_the_width_that_rich_lays_it_out_with(text: str) -> None:
    known = "".join(char for char in text if unicodedata.category(char) != "Cn")
    shown = plain(known)
    assert cell_width(shown) == cell_len(shown)


@given(FOREIGN)
def test_simple_emoji_shortens_only(text: str) -> None:
    assert len(simple_emoji(text)) <= len(text)
    assert simple_emoji(simple_emoji(text)) == simple_emoji(text)


@given(JSON, st.integers(0, 60))
def test_an_excerpt_is_one_harmless_line(value: Any, cells: int) -> None:
    shown = json_excerpt(value, cells)
    assert harmless(shown)
    assert cell_width(shown) <= cells
