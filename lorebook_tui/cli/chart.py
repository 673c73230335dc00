"""Small charts of characters: columns under which an axis runs, with marks on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.display import cell_width

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.glyphs import Glyphs

_GAP: Final = 2


def columns(values: Sequence[float], rows: int, glyphs: Glyphs) -> list[str]:
    """Values as columns, each row a line from the top; the greatest fills all rows, and what is above 0 shows.

    Args:
        values: 0 or more.
        rows: height in lines.
        glyphs: the heights of a cell.
    """
    steps = len(glyphs.bars) - 1
    most = max(values, default=0) or 1
    filled = [max(int(value > 0), round(value / most * rows * steps)) for value in values]
    return [
        "".join(glyphs.bars[min(steps, max(0, height - floor * steps))] for height in filled)
        for floor in range(rows - 1, -1, -1)
    ]


def curve_chart(
    value_at: Callable[[int], float],
    marks: Sequence[int],
    end: int,
    *,
    width: int,
    rows: int,
    glyphs: Glyphs,
) -> Iterator[str]:
    """A curve over whole numbers from 1 to an end, with an axis and marked places on it.

    Args:
        value_at: the height at a place.
        marks: places to mark; each has its number below.
        end: the last place.
        width: cells of a line.
        rows: height of the columns in lines.
        glyphs: the signs.
    """
    first = max(1, end)
    top = f"{max((value_at(place) for place in (*marks, first)), default=0):g}"
    label = max(cell_width(top), 1)
    cells = max(10, width - label - _GAP)
    places = [max(1, round((cell + 1) / cells * first)) for cell in range(cells)]
    for number, line in enumerate(columns([value_at(place) for place in places], rows, glyphs)):
        yield f"{top if number == 0 else '':>{label}} {glyphs.edge}{line}".rstrip()
    axis = [glyphs.rule] * cells
    spots = {min(cells - 1, max(0, round(mark / first * cells) - 1)): mark for mark in sorted(marks) if mark <= first}
    for cell in spots:
        axis[cell] = glyphs.limit
    yield f"{'0':>{label}} {glyphs.edge}{''.join(axis)}"
    yield " " * (label + _GAP) + _numbers(spots, cells)


def _numbers(spots: dict[int, int], cells: int) -> str:
    """The marked numbers, each as near below its mark as the others let it."""
    line = ""
    for cell, mark in spots.items():
        text = f"{mark:,}"
        start = min(max(cell - len(text) // 2, len(line) + bool(line)), cells - len(text))
        if start < len(line):
            continue
        line = line.ljust(start) + text
    return line.rstrip()
