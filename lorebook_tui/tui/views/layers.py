"""The tree of layers, books, folders and entries as rows, made when they come into sight.

A branch that is closed costs nothing, an open one a list of numbers: marks, titles and states are looked up while a row
is drawn, so that neither a turn nor an edit of an entry makes new rows.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

from lorebook_tui.glyphs import Mark, kind_of
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.ink import Row, Span, fit, width_of
from lorebook_tui.tui.targets import ToAction, ToBranch, ToEntry
from lorebook_tui.tui.views.book_order import BookOrder, order_of
from lorebook_tui.tui.views.finding_signs import badge, letter

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.lint.findings import Severity
    from lorebook_tui.model.folders import Folder
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.targets import Target


@dataclass(frozen=True, slots=True)
class Branches:
    """Which branches are open. Folders are until somebody closes them."""

    layers: frozenset[Layer] = frozenset(Layer)
    books: frozenset[tuple[Layer, int]] = frozenset()
    shut: frozenset[tuple[Layer, int, str]] = frozenset()

    def toggled(self, branch: ToBranch) -> Branches:
        """The same with one branch the other way."""
        layer, book, folder = branch.layer, branch.book, branch.folder
        if book is None:
            return Branches(self.layers ^ {layer}, self.books, self.shut)
        if folder:
            return Branches(self.layers, self.books, self.shut ^ {(layer, book, folder)})
        return Branches(self.layers, self.books ^ {(layer, book)}, self.shut)

    def opened(self, layer: Layer, book: int | None = None, folder: str = "") -> Branches:
        """The same with one branch and all around it open."""
        books = self.books if book is None else self.books | {(layer, book)}
        here = {key for key in self.shut if key[:2] == (layer, book)}
        around = {key for key in here if folder == key[2] or folder.startswith(f"{key[2]}/")}
        return Branches(self.layers | {layer}, books, self.shut - around)

    def is_open(self, branch: ToBranch) -> bool:
        """Whether a branch is open."""
        if branch.book is None:
            return branch.layer in self.layers
        if branch.folder:
            return (branch.layer, branch.book, branch.folder) not in self.shut
        return (branch.layer, branch.book) in self.books

    def renumbered(self, places: Mapping[tuple[Layer, int], tuple[Layer, int]]) -> Branches:
        """The same after books went to other places; those that are in no place any more are forgotten."""
        books = frozenset(places[key] for key in self.books if key in places)
        shut = frozenset((*places[key[:2]], key[2]) for key in self.shut if key[:2] in places)
        return Branches(self.layers, books, shut)


@dataclass(slots=True)
class TreeLook:
    """What the rows are drawn with; shared by all of them, so that it changes without new rows."""

    scene: Scene
    glyphs: Glyphs
    marks: Mapping[EntryRef, Mark] = field(default_factory=dict)
    notes: Mapping[EntryRef, str] = field(default_factory=dict)
    """A number beside the mark: how many messages a sticky state or a cooldown still lasts."""
    counts: Mapping[tuple[Layer, int], int] = field(default_factory=dict)
    """Entries in the prompt, by book."""
    picked: AbstractSet[EntryRef] = frozenset()
    """Entries that are marked together."""
    dirty: AbstractSet[tuple[Layer, int]] = frozenset()
    """Books whose files have changes that are not saved."""
    worst: Mapping[EntryRef, Severity] = field(default_factory=dict)
    """The worst finding of an entry."""
    faults: Mapping[tuple[Layer, int], tuple[int, int]] = field(default_factory=dict)
    """Errors and warnings, by book."""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """One entry: whether it is marked, icon, title, mark of the turn."""

    ref: EntryRef
    look: TreeLook
    depth: int = 0
    """Of the folders around it."""

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
        sign = Span(f"{look.glyphs.picked} ", "title") if self.ref in look.picked else Span("  ")
        indent = Span("  " * (self.depth + 1))
        left = (indent, sign, Span(f"{look.glyphs.kind(kind)} ", kind.ink), Span(entry.title, ink))
        ink = mark.ink if mark else "text"
        right: Line = (Span(f" {look.notes.get(self.ref, '')}", ink), Span(look.glyphs.mark(mark), ink))
        if (worst := look.worst.get(self.ref)) is not None:
            right = (Span(" "), letter(worst), *right)
        return (_spread(left, right, width),)


@dataclass(frozen=True, slots=True)
class BranchRow:
    """A layer, book or folder: whether it is open, its name, how many entries are in the prompt and in all."""

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
        right: Line = (Span("none", "faint"),)
        left: Line
        if branch.folder:
            left = (Span("  " * (branch.folder.count("/") + 2)), Span(f"{sign} ", "faint"), Span(self.name, "muted"))
            return (_spread(left, (Span(f"{self.total:,}", "faint"),) if self.total else right, width),)
        if branch.book is None:
            left = (Span(f"{sign} ", "faint"), Span(f"{branch.layer.number} ", "faint"), Span(self.name, "heading"))
            active = sum(count for (layer, _), count in look.counts.items() if layer is branch.layer)
        else:
            is_dirty = (branch.layer, branch.book) in look.dirty
            left = (Span(f"  {sign} ", "faint"), Span(self.name, "label"), Span(""))
            left = (*left, Span(f" {look.glyphs.unsaved}", "near")) if is_dirty else left
            active = look.counts.get((branch.layer, branch.book), 0)
        if self.total:
            right = (Span(str(active), "in" if active else "faint"), Span(f"/{self.total}", "faint"))
        if branch.book is not None:
            right = (*badge(look.faults.get((branch.layer, branch.book))), *right)
        return (_spread(left, right, width),)


def _spread(left: Line, right: Line, width: int) -> Line:
    """Left part, blank, right part at the edge."""
    shown = fit(left, max(0, width - width_of(right) - 1))
    return (*shown, Span(" " * max(0, width - width_of(shown) - width_of(right))), *right)


@dataclass(frozen=True, slots=True)
class _Run:
    """Entries of a book that stand together."""

    layer: Layer
    book: int
    places: Sequence[int]
    depth: int = 0


class TreeRows(Sequence["Block"]):
    """All rows; those of entries are made when they are asked for.

    Args:
        look: what they are drawn with.
    """

    def __init__(self, look: TreeLook) -> None:
        self.look = look
        self._parts: list[Block | _Run] = []
        self._starts: list[int] = []
        self._length = 0
        self._branches: dict[ToBranch, int] = {}
        self._runs: dict[tuple[Layer, int], list[tuple[int, _Run]]] = {}
        self._headed: dict[EntryRef, ToBranch] = {}

    def add(self, row: Block) -> None:
        """One more row."""
        if isinstance(row, BranchRow):
            self._branches[row.branch] = self._length
        self._put(row, 1)

    def add_entries(self, layer: Layer, book: int, places: Sequence[int], depth: int = 0) -> None:
        """A row for each of some entries of a book."""
        if places:
            run = _Run(layer, book, places, depth)
            self._runs.setdefault((layer, book), []).append((self._length, run))
            self._put(run, len(places))

    def head(self, ref: EntryRef, branch: ToBranch) -> None:
        """An entry that has no row of its own, because it only heads a folder."""
        self._headed[ref] = branch

    def _put(self, part: Block | _Run, count: int) -> None:
        self._parts.append(part)
        self._starts.append(self._length)
        self._length += count

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Block: ...

    @overload
    def __getitem__(self, index: slice) -> list[Block]: ...

    def __getitem__(self, index: int | slice) -> Block | list[Block]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._length))]
        if index < 0:
            index += self._length
        if not 0 <= index < self._length:
            raise IndexError(index)
        number = bisect_right(self._starts, index) - 1
        part = self._parts[number]
        if not isinstance(part, _Run):
            return part
        ref = EntryRef(part.layer, part.book, part.places[index - self._starts[number]])
        return EntryRow(ref, self.look, part.depth)

    def find(self, target: Target) -> int | None:
        """The row of a branch or entry; of an entry that heads a folder, that of the folder."""
        if isinstance(target, ToBranch):
            return self._branches.get(target)
        if not isinstance(target, ToEntry):
            return None
        ref = target.ref
        if ref in self._headed:
            return self._branches.get(self._headed[ref])
        for start, run in self._runs.get((ref.layer, ref.book), ()):
            try:
                return start + run.places.index(ref.entry)
            except ValueError:
                continue
        return None

    def entries(self) -> list[EntryRef]:
        """All entries that have a row, from top to bottom."""
        runs = (part for part in self._parts if isinstance(part, _Run))
        return [EntryRef(run.layer, run.book, place) for run in runs for place in run.places]


class TreeBuilder:
    """Makes the rows of all open branches.

    Args:
        look: what they are drawn with.
        branches: which are open.
        orders: of books that were looked at before, and of those that are looked at now.
    """

    def __init__(self, look: TreeLook, branches: Branches, orders: dict[tuple[Layer, int], BookOrder]) -> None:
        self.look = look
        self.branches = branches
        self.orders = orders
        self.rows = TreeRows(look)

    def build(self, found: Sequence[EntryRef] | None = None) -> TreeRows:
        """All rows.

        Args:
            found: while filtering: the entries to show; every branch that holds one is open.
        """
        shown: dict[tuple[Layer, int], list[int]] = {}
        for ref in found or ():
            shown.setdefault((ref.layer, ref.book), []).append(ref.entry)
        for layer in Layer:
            if found is None:
                self._layer(layer)
            elif any(key[0] is layer for key in shown):
                self._found_in(layer, shown)
        if found is None and not any(self.look.scene.layers.of(layer) for layer in Layer):
            for row in welcome():
                self.rows.add(row)
        return self.rows

    def _layer(self, layer: Layer) -> None:
        books = self.look.scene.layers.of(layer)
        top = ToBranch(layer)
        is_open = self.branches.is_open(top)
        total = sum(len(book.entries) for book in books)
        self.rows.add(BranchRow(top, layer.value.capitalize(), total, is_open, self.look))
        for number, book in enumerate(books if is_open else ()):
            branch = ToBranch(layer, number)
            book_open = self.branches.is_open(branch)
            self.rows.add(BranchRow(branch, book.name, len(book.entries), book_open, self.look))
            if book_open:
                self._book(layer, number)

    def _book(self, layer: Layer, number: int) -> None:
        order = self.order(layer, number)
        if order.root is None:
            self.rows.add_entries(layer, number, order.places)
        else:
            self._folder(layer, number, order, order.root)
        if not order.book.entries:
            self.rows.add(
                Row((Span("    no entries yet: ", "faint"), Span("n", "key-name"), Span(" adds one", "faint")))
            )

    def _folder(self, layer: Layer, number: int, order: BookOrder, folder: Folder) -> None:
        depth = folder.path.count("/") + 1 if folder.path else 0
        for inner in folder.folders:
            branch = ToBranch(layer, number, inner.path)
            is_open = self.branches.is_open(branch)
            self.rows.add(BranchRow(branch, inner.name, len(inner.everything), is_open, self.look))
            for place in inner.separators:
                self.rows.head(EntryRef(layer, number, place), branch)
            if is_open:
                self._folder(layer, number, order, inner)
        self.rows.add_entries(layer, number, order.of(folder), depth)

    def _found_in(self, layer: Layer, shown: Mapping[tuple[Layer, int], Sequence[int]]) -> None:
        books = self.look.scene.layers.of(layer)
        total = sum(len(book.entries) for book in books)
        self.rows.add(BranchRow(ToBranch(layer), layer.value.capitalize(), total, is_open=True, look=self.look))
        for number, book in enumerate(books):
            if (layer, number) in shown:
                branch = ToBranch(layer, number)
                self.rows.add(BranchRow(branch, book.name, len(book.entries), is_open=True, look=self.look))
                self.rows.add_entries(layer, number, self.order(layer, number).sorted(shown[layer, number]))

    def order(self, layer: Layer, number: int) -> BookOrder:
        """In which order a book's entries stand, and in which folders."""
        made = order_of(self.look.scene.book(layer, number), self.orders.get((layer, number)))
        self.orders[layer, number] = made
        return made


def welcome() -> list[Block]:
    """What to do where nothing is open."""
    offers = (
        ("ctrl+n", " a new book", "layers.new_book"),
        ("n", " a new entry, in a new book", "layers.new_entry"),
        ("i", " attach a file you have", "layers.attach"),
        ("ctrl+v", " paste what you copied", "layers.paste"),
    )
    rows: list[Block] = [Row(()), Row((Span("Nothing is open yet.", "strong"),)), Row(())]
    for key, text, action in offers:
        target = ToAction(action)
        rows.append(Row((Span(f"{key:>8}", "key-name", target), Span(text, "muted", target)), target=target))
    return rows
