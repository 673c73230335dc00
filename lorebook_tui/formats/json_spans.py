"""Where each value stands in a JSON text: scanned when asked for, container by container, relative to the parent.

The text must be valid JSON; the scanner only finds its way and judges nothing.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.model.js import JsonPath

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_STRING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_TO_BRACKET: Final = re.compile(r'[^"{}\[\]]*(?:"[^"\\]*(?:\\.[^"\\]*)*"[^"{}\[\]]*)*([{}\[\]])', re.DOTALL)
_SCALAR: Final = re.compile(r"[^\s,\]}]+")
_LONG: Final = 1 << 16
"""Characters of a container from which on its children are found together with its end."""


class Node:
    """A value in the text: its length, and its children once somebody looked for them.

    Holds no absolute place, so that an edit elsewhere leaves it valid.
    """

    __slots__ = ("length", "parts")

    def __init__(self, length: int, parts: Parts | None = None) -> None:
        self.length = length
        self.parts = parts

    def children(self, text: str, start: int) -> Parts:
        """The children, scanned now if they were not."""
        if self.parts is None:
            self.parts = _scan(text, start)[0]
        return self.parts

    def child(self, text: str, start: int, step: str | int) -> tuple[int, Node] | None:
        """Absolute start and node of a child; None if it does not exist."""
        if text[start] not in "{[" or isinstance(step, int) != (text[start] == "["):
            return None
        parts = self.children(text, start)
        index = parts.index_of(step)
        return None if index is None else (start + parts.starts[index], parts.nodes[index])


class Parts:
    """The children of an object or array, in the order of the text; places relative to the opening bracket."""

    __slots__ = ("_by_name", "heads", "names", "nodes", "starts")

    def __init__(self, names: list[str] | None, heads: list[int], starts: list[int], nodes: list[Node]) -> None:
        self.names = names
        """Member names; None for an array. A name may come twice; the last one counts."""
        self.heads = heads
        """Where names begin; for an array the same as `starts`."""
        self.starts = starts
        """Where values begin."""
        self.nodes = nodes
        self._by_name: dict[str, int] | None = None

    def index_of(self, step: str | int) -> int | None:
        """Index of the child that counts for a step of a path."""
        if self.names is None:
            return step if isinstance(step, int) and 0 <= step < len(self.nodes) else None
        if self._by_name is None:
            self._by_name = {name: index for index, name in enumerate(self.names)}
        return self._by_name.get(step) if isinstance(step, str) else None

    def end(self, index: int) -> int:
        """Where a child's value ends."""
        return self.starts[index] + self.nodes[index].length


def root_of(text: str) -> tuple[int, Node]:
    """Start and node of the value that the text consists of."""
    start = _after_space(text, 0)
    return start, Node(len(text.rstrip(" \t\r\n")) - start)


def _after_space(text: str, place: int) -> int:
    match = _SPACE.match(text, place)
    return match.end() if match else place


def _node_at(text: str, place: int) -> Node:
    """The value that begins here. Of a long one the children are known with its end, so that nobody looks twice."""
    first = text[place]
    if first == '"':
        return Node(_match_end(_STRING, text, place) - place)
    if first not in "{[":
        return Node(_match_end(_SCALAR, text, place) - place)
    depth = 0
    for match in _TO_BRACKET.finditer(text, place):
        depth += 1 if match[1] in "{[" else -1
        if not depth:
            return Node(match.end() - place)
        if match.end() - place > _LONG:
            parts, end = _scan(text, place)
            return Node(end - place, parts)
    raise AssertionError("the scanner was given no JSON")


def _match_end(pattern: re.Pattern[str], text: str, place: int) -> int:
    match = pattern.match(text, place)
    if match is None:
        raise AssertionError("the scanner was given no JSON")
    return match.end()


def _scan(text: str, start: int) -> tuple[Parts, int]:
    """The children of the container that begins at `start`, and where it ends."""
    is_object = text[start] == "{"
    names: list[str] = []
    heads: list[int] = []
    starts: list[int] = []
    nodes: list[Node] = []
    place = _after_space(text, start + 1)
    while text[place] not in "}]":
        if text[place] == ",":
            place = _after_space(text, place + 1)
        heads.append(place - start)
        if is_object:
            end = _match_end(_STRING, text, place)
            name = text[place + 1 : end - 1]
            names.append(json.loads(text[place:end]) if "\\" in name else name)
            place = _after_space(text, _after_space(text, end) + 1)
        node = _node_at(text, place)
        starts.append(place - start)
        nodes.append(node)
        place = _after_space(text, place + node.length)
    return Parts(names if is_object else None, heads, starts, nodes), place + 1


def doubled_names(text: str, start: int, node: Node) -> Iterator[tuple[JsonPath, int]]:
    """Members hidden by an equal name after them: path, and where the hidden name begins."""
    stack: list[tuple[JsonPath, int, Node]] = [((), start, node)]
    while stack:
        path, place, here = stack.pop()
        if text[place] not in "{[":
            continue
        parts = here.children(text, place)
        for index in range(len(parts.nodes)):
            step: str | int = index if parts.names is None else parts.names[index]
            if parts.index_of(step) != index:
                yield (*path, step), place + parts.heads[index]
            else:
                stack.append(((*path, step), place + parts.starts[index], parts.nodes[index]))
