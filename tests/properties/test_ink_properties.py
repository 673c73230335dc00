"""Lines of the screen: nothing is lost in wrapping, nothing is wider than its room, nothing harmful comes out."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.display import INVISIBLE, STRAY_MARK, cell_width, plain
from lorebook_tui.tui.ink import Paragraph, Record, Row, Span, fit, marked, padded, width_of, wrap

texts = st.one_of(
    st.text(max_size=200),
    st.text(st.characters(codec="utf-16", categories=["L", "M", "Z", "C"]), max_size=100),
    st.text("ab \n漢\u0301\U0001f468\u200d\ufe0f", max_size=200),
)
widths = st.integers(1, 60)


def spans_of(text: str) -> tuple[Span, ...]:
    third = len(text) // 3
    return (Span(text[:third]), Span(text[third : 2 * third], "hit"), Span(text[2 * third :]))


@given(texts, widths, widths)
def test_wrapping_drops_only_blanks_and_line_ends(text: str, first: int, rest: int) -> None:
    shown = plain(text, "\n")
    ranges = wrap(shown, first, rest)
    assert ranges
    before = 0
    for start, end in ranges:
        assert before <= start <= end <= len(shown)
        assert not shown[before:start].strip(" \n")
        assert "\n" not in shown[start:end]
        before = end
    assert not shown[before:].strip(" \n")


@given(texts, widths)
def test_wrapped_lines_fit_unless_one_character_does_not(text: str, width: int) -> None:
    shown = plain(text, "\n")
    for start, end in wrap(shown, width, width):
        assert sum(cell_width(char) for char in shown[start:end]) <= width or end - start == 1


@given(texts, widths, st.integers(1, 5))
def test_most_lines_are_the_first_ones(text: str, width: int, most: int) -> None:
    shown = plain(text, "\n")
    assert wrap(shown, width, width, most) == wrap(shown, width, width)[:most]


@given(texts, st.integers(0, 60))
def test_fit_and_padded_keep_to_their_room(text: str, cells: int) -> None:
    assert width_of(fit(spans_of(text), cells)) <= cells
    assert width_of(padded(spans_of(text), cells)) == cells


@given(texts, texts, st.integers(4, 60))
def test_rows_are_exactly_as_wide_as_the_pane(left: str, right: str, width: int) -> None:
    for row in (
        Row(spans_of(left), spans_of(right)),
        Row(spans_of(left), spans_of(right), right_yields=True),
        Record(Span("x"), Span(left), (Span(right),), "1"),
    ):
        (line,) = row.lines(width)
        assert width_of(line) == width
        assert all(span.text == plain(span.text) for span in line)


@given(
    texts, st.lists(st.tuples(st.integers(-5, 220), st.integers(-5, 220), st.sampled_from(["hit", "near"])), max_size=8)
)
def test_marks_change_no_character(text: str, marks: list[tuple[int, int, str]]) -> None:
    spans = marked(text, marks)
    assert "".join(span.text for span in spans) == text
    inks = [span.ink for span in spans for _ in span.text]
    for place, ink in enumerate(inks):
        covering = [mark for start, end, mark in marks if start <= place < end]
        assert ink == (covering[-1] if covering else "text")


@given(texts, st.integers(8, 60), st.integers(0, 6))
def test_paragraphs_keep_every_word_of_every_span(text: str, width: int, hang: int) -> None:
    lines = Paragraph(spans_of(text), None, (Span("> "),), hang).lines(width)
    assert lines
    told = [char for char in "".join(span.text for line in lines for span in line)[2:] if char != " "]
    meant = [char for char in plain(text, "\n") if char not in " \n"]
    assert len(told) == len(meant)
    assert {now for now, before in zip(told, meant, strict=True) if now != before} <= {STRAY_MARK, INVISIBLE}, (
        "a mark may lose its letter"
    )


@given(texts, st.integers(8, 60), st.integers(1, 4))
def test_cut_paragraphs_end_with_an_ellipsis(text: str, width: int, most: int) -> None:
    whole = Paragraph(spans_of(text)).lines(width)
    cut = Paragraph(spans_of(text), most=most).lines(width)
    assert len(cut) == min(most, len(whole))
    if len(whole) > most and any(span.text.strip() for line in whole[most:] for span in line):
        assert cut[-1][-1].text == "…"
        assert width_of(cut[-1]) <= width
