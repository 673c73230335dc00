"""Lines with @@ at the top of a content, and below it."""

from __future__ import annotations

import pytest

from lorebook_tui.lint.decorator_lines import leading, number_of, scattered, with_line, without_lines


def test_the_block_at_the_top_ends_with_the_first_text() -> None:
    lines = leading("\n@@Probability 50\n\n  @@role user  \r\nText\n@@order 3")
    assert [(line.name, line.argument, line.number) for line in lines] == [
        ("probability", "50", 1),
        ("role", "user", 3),
    ]
    assert [(line.name, line.number) for line in scattered("Text\n@@order 3\n@@nothing\n@@keep")] == [
        ("order", 1),
        ("keep", 3),
    ]


@pytest.mark.parametrize("content", ["", "Text", "@ mail", "  Text\n@@order 3", "x @@order 3"])
def test_other_contents_have_none(content: str) -> None:
    assert leading(content) == ()


def test_fallbacks_read_as_decorators() -> None:
    assert leading("@@@role user")[0].name == "role"


def test_lines_are_taken_out_and_exchanged() -> None:
    assert without_lines("a\nb\nc", {0, 2}) == "b"
    assert with_line("a\nb", 1, "x") == "a\nx"


@pytest.mark.parametrize(
    ("text", "value"), [("50", 50), ("-0.5", -0.5), ("", None), ("nan", None), ("inf", None), ("half", None)]
)
def test_numbers(text: str, value: float | None) -> None:
    assert number_of(text) == value
