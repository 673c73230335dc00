"""Writes a changed JSON value into its old text: equal parts keep their characters, new ones look like neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from lorebook_tui.formats.json_spans import Node, Parts
from lorebook_tui.formats.json_style import Writer, comma_for, has_line_end, indentation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.formats.json_style import Layout
    from lorebook_tui.model.js import Json

_SAMPLE = 100_000
"""Neighbours longer than this are not looked through for their style."""

_SMALL = 1 << 14
"""Places inside of a changed container up to this length are forgotten; to look again is cheaper than to keep them."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One member or item of the new container."""

    index: int | None
    """Which child of the old text it continues; None: it is new."""
    name: str | None
    old: Json
    new: Json


@dataclass(frozen=True, slots=True)
class Edit:
    """A piece of the old text, and what takes its place."""

    start: int
    end: int
    text: str


_Change: TypeAlias = "tuple[list[Edit], Node]"


def applied(text: str, edits: Sequence[Edit], start: int = 0, end: int | None = None) -> str:
    """The text between two places with the edits in it, which are in order and do not overlap."""
    pieces: list[str] = []
    cursor = start
    for edit in edits:
        pieces += [text[cursor : edit.start], edit.text]
        cursor = edit.end
    pieces.append(text[cursor:end])
    return "".join(pieces)


def rewrite(layout: Layout, text: str, start: int, node: Node, *, old: Json, new: Json) -> _Change | None:
    """What must change in a text so that it says the new value, and the new node; None if nothing differs.

    Args:
        layout: how new text is to look.
        text: the whole document.
        start: where the value begins.
        node: its place.
        old: its value now.
        new: its value afterwards.

    Raises:
        UsageError: the new value cannot be written as JSON.
    """
    return _Rewriter(text, layout).value(start, node, old, new, "")


def same(left: Json, right: Json) -> bool:
    """Whether two JSON values are the same to the last detail: types (1 is not 1.0), order of members, sign of zero."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return list(left) == list(right) and all(same(item, right[name]) for name, item in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(same, left, right))
    return repr(left) == repr(right) if isinstance(left, float) else bool(left == right)


class _Rewriter:
    """Works on one text."""

    def __init__(self, text: str, layout: Layout) -> None:
        self.text = text
        self.layout = layout

    def value(self, start: int, node: Node, old: Json, new: Json, indent: str | None) -> _Change | None:
        """The edits of a value; `indent` is that of the line its member stands on, None inside one line."""
        if old is new:
            return None
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            return self._object(start, node, old, new)
        if isinstance(old, list) and isinstance(new, list) and old and new:
            return self._array(start, node, old, new)
        if same(old, new):
            return None
        end = start + node.length
        text = Writer(self.layout, self.text[start:end]).value(new, indent)
        return [Edit(start, end, text)], Node(len(text))

    def _object(self, start: int, node: Node, old: Mapping[str, Json], new: Mapping[str, Json]) -> _Change | None:
        parts = node.children(self.text, start)
        if list(old) == list(new):
            pairs = [(_place(parts, name), old[name], item) for name, item in new.items() if item is not old[name]]
            return self._spliced(start, node, parts, pairs)
        return self._emitted(start, node, parts, _members(parts, old, new))

    def _array(self, start: int, node: Node, old: Sequence[Json], new: Sequence[Json]) -> _Change | None:
        parts = node.children(self.text, start)
        if len(old) == len(new) and not _moved(old, new):
            pairs = [(index, old[index], item) for index, item in enumerate(new) if item is not old[index]]
            return self._spliced(start, node, parts, pairs)
        return self._emitted(start, node, parts, _aligned(old, new))

    def _child_indent(self, start: int, parts: Parts, index: int) -> str | None:
        """Indentation of the line a child begins on; None if it continues a line."""
        begin = start + (parts.end(index - 1) if index else 1)
        return indentation(self.text[begin : start + parts.heads[index]])

    def _spliced(self, start: int, node: Node, parts: Parts, pairs: list[tuple[int, Json, Json]]) -> _Change | None:
        """Children changed in place, none added, none removed."""
        edits: list[Edit] = []
        nodes: dict[int, Node] = {}
        for index, old, new in sorted(pairs, key=lambda pair: pair[0]):
            indent = self._child_indent(start, parts, index)
            change = self.value(start + parts.starts[index], parts.nodes[index], old, new, indent)
            if change is not None:
                edits += change[0]
                nodes[index] = change[1]
        if not edits:
            return None
        made = _shifted(parts, nodes) if node.length > _SMALL else None
        grown = sum(node.length - parts.nodes[index].length for index, node in nodes.items())
        return edits, Node(node.length + grown, made)

    def _emitted(self, start: int, node: Node, parts: Parts, items: list[_Item]) -> _Change:
        """The container with members added, removed or moved."""
        pieces = [self.text[start]]
        names: list[str] | None = None if parts.names is None else []
        heads: list[int] = []
        starts: list[int] = []
        nodes: list[Node] = []
        length = 1
        before: _Item | None = None
        for item in items:
            gap = self._gap(start, parts, before, item)
            head, body, made = self._item(start, parts, item)
            heads.append(length + len(gap))
            starts.append(length + len(gap) + len(head))
            nodes.append(made)
            if names is not None and item.name is not None:
                names.append(item.name)
            pieces += [gap, head, body]
            length = starts[-1] + len(body)
            before = item
        end = start + node.length
        tail = self.text[start + parts.end(len(parts.nodes) - 1) : end]
        pieces.append(tail)
        made = Node(length + len(tail), Parts(names, heads, starts, nodes))
        return [Edit(start, end, "".join(pieces))], made

    def _item(self, start: int, parts: Parts, item: _Item) -> tuple[str, str, Node]:
        """Name with colon, text of the value, and its node."""
        if item.index is None:
            sample = self.text[start + parts.starts[0] : start + parts.end(0)]
            writer = Writer(self.layout, sample if len(sample) <= _SAMPLE else "")
            head = "" if item.name is None else writer.quoted(item.name) + self._colon(start, parts)
            text = writer.value(item.new, self._child_indent(start, parts, 0))
            return head, text, Node(len(text))
        place, node = start + parts.starts[item.index], parts.nodes[item.index]
        head = self.text[start + parts.heads[item.index] : place]
        change = self.value(place, node, item.old, item.new, self._child_indent(start, parts, item.index))
        edits, made = change or ([], node)
        return head, applied(self.text, edits, place, place + node.length), made

    def _colon(self, start: int, parts: Parts) -> str:
        """What stands between name and value of the first member."""
        head = self.text[start + parts.heads[0] : start + parts.starts[0]]
        return head[head.rindex('"') + 1 :]

    def _gap(self, start: int, parts: Parts, before: _Item | None, item: _Item) -> str:
        """What stands in front of an item: the old text where the old neighbours meet, else the like of it."""
        lead = self.text[start + 1 : start + parts.heads[0]]
        if before is None:
            return lead
        last = len(parts.nodes) - 1
        after = item.index or 1
        if item.index is None:
            after = last if before.index is None else before.index + 1
        if 0 < after <= last:
            return self.text[start + parts.end(after - 1) : start + parts.heads[after]]
        if last > 0:
            return self.text[start + parts.end(last - 1) : start + parts.heads[last]]
        if has_line_end(lead):
            return "," + lead
        return self.layout.comma if parts.names is None else comma_for(self._colon(start, parts))


def _place(parts: Parts, name: str) -> int:
    """Index of a member that is known to be there."""
    index = parts.index_of(name)
    if index is None:
        raise AssertionError("value and text of the document differ")
    return index


def _shifted(parts: Parts, changed: Mapping[int, Node]) -> Parts:
    """The children's places after changes in place; `changed` is in ascending order."""
    nodes = parts.nodes.copy()
    heads, starts = parts.heads.copy(), parts.starts.copy()
    moved = 0
    ends = [*list(changed)[1:], len(nodes) - 1]
    for (index, node), last in zip(changed.items(), ends, strict=True):
        moved += node.length - nodes[index].length
        nodes[index] = node
        if moved:
            for later in range(index + 1, last + 1):
                heads[later] += moved
                starts[later] += moved
    return Parts(parts.names, heads, starts, nodes)


def _members(parts: Parts, old: Mapping[str, Json], new: Mapping[str, Json]) -> list[_Item]:
    """The new object's members: in the order of the text if it still holds, added ones after their neighbours."""
    kept = [name for name in old if name in new]
    if kept != [name for name in new if name in old]:
        return [_Item(parts.index_of(name), name, old.get(name), item) for name, item in new.items()]
    added: dict[str | None, list[_Item]] = {}
    anchor: str | None = None
    for name, item in new.items():
        if name in old:
            anchor = name
        else:
            added.setdefault(anchor, []).append(_Item(None, name, None, item))
    items = added.pop(None, [])
    at_end = added.pop(anchor, [])
    for index, name in enumerate(parts.names or ()):
        if name not in new:
            continue
        counts = parts.index_of(name) == index
        items.append(_Item(index, name, old[name], new[name] if counts else old[name]))
        if counts:
            items += added.get(name, [])
    return items + at_end


def _moved(old: Sequence[Json], new: Sequence[Json]) -> bool:
    """Whether a container of the old array stands elsewhere in the new one."""
    places = {id(item): index for index, item in enumerate(old) if isinstance(item, (dict, list))}
    return any(places.get(id(item), index) != index for index, item in enumerate(new))


def _aligned(old: Sequence[Json], new: Sequence[Json]) -> list[_Item]:
    """Which old item each new one continues: equal ends, then the same objects, then containers in their order."""
    shorter = min(len(old), len(new))
    head = 0
    while head < shorter and same(old[head], new[head]):
        head += 1
    tail = 0
    while tail < shorter - head and same(old[-1 - tail], new[-1 - tail]):
        tail += 1
    middle = range(head, len(old) - tail)
    by_identity = {id(old[index]): index for index in middle}
    fresh = new[head : len(new) - tail]
    taken = {by_identity[id(item)] for item in fresh if id(item) in by_identity}
    spare = [index for index in middle if index not in taken and isinstance(old[index], (dict, list))]
    items = [_Item(index, None, old[index], new[index]) for index in range(head)]
    for item in fresh:
        index = by_identity.pop(id(item), None)
        if index is None and isinstance(item, (dict, list)) and spare and type(old[spare[0]]) is type(item):
            index = spare.pop(0)
        items.append(_Item(index, None, None if index is None else old[index], item))
    items += [_Item(len(old) - back, None, old[-back], new[-back]) for back in range(tail, 0, -1)]
    return items
