"""The tree of layers, books and entries as rows; branches that are closed cost nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.glyphs import Mark, kind_of
from lorebook_tui.tui.ink import Span, fit, width_of
from lorebook_tui.tui.targets import ToBranch, ToEntry

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.scene import Scene


@dataclass(frozen=True, slots=True)
class Branches:
    """Which branches are open."""

    layers: frozenset[Layer] = frozenset(Layer)
    books: frozenset[tuple[Layer, int]] = frozenset()

    def toggled(self, branch: ToBranch) -> Branches:
        """The same with one branch the other way."""
        if branch.book is None:
            return Branches(self.layers ^ {branch.layer}, self.books)
        return Branches(self.layers, self.books ^ {(branch.layer, branch.book)})

    def opened(self, layer: Layer, book: int | None = None) -> Branches:
        """The same with one branch open."""
        books = self.books if book is None else self.books | {(layer, book)}
        return Branches(self.layers | {layer}, books)

    def is_open(self, branch: ToBranch) -> bool:
        """Whether a branch is open."""
        return branch.layer in self.layers if branch.book is None else (branch.layer, branch.book) in self.books


@dataclass(slots=True)
class TreeLook:
    """What the rows are drawn with; shared by all of them, so that marks change without new rows."""

    scene: Scene
    glyphs: Glyphs
    marks: Mapping[EntryRef, Mark] = field(default_factory=dict)
    counts: Mapping[tuple[Layer, int], int] = field(default_factory=dict)
    """Entries in the prompt, by book."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry: icon, title, mark."""

    ref: EntryRef
    look: TreeLook

    @property
    def target(self) -> ToEntry:
        """The entry."""
        return ToEntry(self.ref)

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """The one line."""
        look = self.look
        entry = look.scene.entry(self.ref)
        kind = kind_of(entry)
        mark = look.marks.get(self.ref)
        ink = "off" if kind.letter == "-" else "strong" if mark is not None and mark.in_prompt else "text"
        left = (Span("    "), Span(f"{look.glyphs.kind(kind)} ", kind.ink), Span(entry.title, ink))
        return (_spread(left, (Span(f" {look.glyphs.mark(mark)}", mark.ink if mark else "text"),), width),)


@dataclass(frozen=True, slots=True)
class BranchRow:
    """A layer or a book: whether it is open, its name, how many entries are in the prompt and in all."""

    branch: ToBranch
    name: str
    total: int
    is_open: bool
    look: TreeLook

    @property
    def target(self) -> ToBranch:
        """The branch."""
        return self.branch

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """The one line."""
        look, branch = self.look, self.branch
        sign = look.glyphs.open if self.is_open else look.glyphs.shut
        if branch.book is None:
            left = (Span(f"{sign} ", "faint"), Span(f"{branch.layer.number} ", "faint"), Span(self.name, "heading"))
            active = sum(count for (layer, _), count in look.counts.items() if layer is branch.layer)
        else:
            left = (Span(f"  {sign} ", "faint"), Span(self.name, "label"), Span(""))
            active = look.counts.get((branch.layer, branch.book), 0)
        right = (Span(str(active), "in" if active else "faint"), Span(f"/{self.total}", "faint"))
        return (_spread(left, right if self.total else (Span("none", "faint"),), width),)


def _spread(left: Line, right: Line, width: int) -> Line:
    """Left part, blank, right part at the edge."""
    shown = fit(left, max(0, width - width_of(right) - 1))
    return (*shown, Span(" " * max(0, width - width_of(shown) - width_of(right))), *right)


def tree_blocks(look: TreeLook, branches: Branches, found: Sequence[EntryRef] | None = None) -> list[Block]:
    """The rows of all open branches.

    Args:
        look: what they are drawn with.
        branches: which are open.
        found: while filtering: the entries to show, in tree order; every branch that holds one is open.
    """
    scene = look.scene
    shown: dict[tuple[Layer, int], list[EntryRef]] | None = None
    if found is not None:
        shown = {}
        for ref in found:
            shown.setdefault((ref.layer, ref.book), []).append(ref)
    rows: list[Block] = []
    for layer in Layer:
        books = scene.layers.of(layer)
        if shown is not None and all(key[0] is not layer for key in shown):
            continue
        top = ToBranch(layer)
        is_open = shown is not None or branches.is_open(top)
        rows.append(BranchRow(top, layer.value.capitalize(), sum(len(book.entries) for book in books), is_open, look))
        if not is_open:
            continue
        for number, book in enumerate(books):
            if shown is not None and (layer, number) not in shown:
                continue
            branch = ToBranch(layer, number)
            book_open = shown is not None or branches.is_open(branch)
            rows.append(BranchRow(branch, book.name, len(book.entries), book_open, look))
            if book_open:
                refs = shown[layer, number] if shown is not None else _all(layer, number, len(book.entries))
                rows.extend(EntryRow(ref, look) for ref in refs)
    return rows


def _all(layer: Layer, book: int, count: int) -> list[EntryRef]:
    return [EntryRef(layer, book, place) for place in range(count)]
