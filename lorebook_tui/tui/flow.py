"""Blocks laid out one under the other for a width: heights are estimates until somebody looks. Knows no Textual."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.tui.ink import Block, Line

_KEPT_LAYOUTS = 512


class Flow:
    """The lines of many blocks, made when they are asked for.

    Args:
        blocks: what stands one under the other.
        width: cells of every line.
    """

    def __init__(self, blocks: Sequence[Block] = (), width: int = 1) -> None:
        self.blocks = blocks
        self.width = max(1, width)
        self.heights = [block.estimate(self.width) for block in blocks]
        self.tops: Sequence[int] = [0, *accumulate(self.heights)]
        self._exact: set[int] = set()
        self._layouts: dict[int, Sequence[Line]] = {}

    @property
    def height(self) -> int:
        """Lines of all blocks, by what is known so far."""
        return self.tops[-1]

    def block_at(self, line: int) -> int:
        """The block that a line belongs to; the first or last one for lines before or behind all."""
        return max(0, min(bisect_right(self.tops, line) - 1, len(self.blocks) - 1))

    def top(self, number: int) -> int:
        """The first line of a block; the line behind all blocks for a number behind the last."""
        return self.tops[min(number, len(self.blocks))]

    def layout(self, number: int) -> Sequence[Line]:
        """The lines of a block."""
        lines = self._layouts.get(number)
        if lines is None:
            if len(self._layouts) >= _KEPT_LAYOUTS:
                self._layouts.clear()
            lines = self._layouts[number] = self.blocks[number].lines(self.width) or ((),)
        return lines

    def line(self, line: int) -> tuple[int, Line]:
        """The block that a line belongs to, and the line itself; an empty one where the estimate was too great."""
        number = self.block_at(line)
        lines = self.layout(number)
        place = line - self.tops[number]
        return number, lines[place] if place < len(lines) else ()

    def measure(self, number: int, above: int, below: int, window: int) -> int:
        """Make heights exact from a block on.

        Args:
            number: the block to begin with.
            above: so many lines before it.
            below: so many lines from it on.
            window: the line at the top of the window.

        Returns:
            By how much the blocks that begin above the window have grown.
        """
        measured = [*self._covering(number, 1, below), *self._covering(number - 1, -1, above)]
        grown = 0
        for place, growth in measured:
            if self.tops[place] < window:
                grown += growth
        if any(growth for _, growth in measured):
            self.tops = [0, *accumulate(self.heights)]
        return grown

    def _covering(self, first: int, step: int, lines: int) -> list[tuple[int, int]]:
        """Measure blocks in a direction until they cover so many lines; returns by how much each has grown."""
        measured = []
        number = first
        covered = 0
        while covered < lines and 0 <= number < len(self.blocks):
            if number not in self._exact:
                self._exact.add(number)
                height = len(self.layout(number))
                measured.append((number, height - self.heights[number]))
                self.heights[number] = height
            covered += self.heights[number]
            number += step
        return measured

    def forget_layouts(self) -> None:
        """The blocks look different now, but are as high as before."""
        self._layouts.clear()


class RowFlow(Flow):
    """Blocks of one line each: nothing to estimate or measure, so that any number of them costs nothing."""

    def __init__(self, blocks: Sequence[Block] = (), width: int = 1) -> None:
        super().__init__((), width)
        self.blocks = blocks
        self.tops = range(len(blocks) + 1)

    def block_at(self, line: int) -> int:
        """The block of a line; the first or last one for lines before or behind all."""
        return max(0, min(line, len(self.blocks) - 1))

    def measure(self, number: int, above: int, below: int, window: int) -> int:
        """Nothing grows."""
        del number, above, below, window
        return 0
