"""A JSON document that keeps its text: values to read, places to point at, and edits that change only their own text.

Values are those of JSON.parse: the last of equal member names counts, NaN and Infinity are refused.
"""

from __future__ import annotations

import itertools
import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LimitError, UsageError
from lorebook_tui.formats.base import DEFAULT_LIMITS, Limits
from lorebook_tui.formats.json_edit import changed, has_step, inserted, path_text
from lorebook_tui.formats.json_errors import JsonSyntaxError, constant_error, line_starts, syntax_error
from lorebook_tui.formats.json_patch import applied, rewrite
from lorebook_tui.formats.json_spans import Node, doubled_names, root_of
from lorebook_tui.formats.json_style import Layout
from lorebook_tui.formats.text import Encoding, decode
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.model.js import Json, JsonPath

__all__ = ["JsonDocument", "JsonSyntaxError", "parse", "path_text"]

_CONTAINERS: Final = (dict, list)
_idents = itertools.count()


def parse(source: bytes | str, limits: Limits = DEFAULT_LIMITS, *, first_line: int = 1) -> JsonDocument:
    """Read one JSON value.

    Args:
        source: bytes of a file, or text.
        limits: ceilings of size and nesting.
        first_line: line number that the text begins at, for lines of a bigger file.

    Raises:
        JsonSyntaxError: it is no JSON; line, column and cause are told.
        LimitError: too big or too deep.
        UnreadableError: the bytes are no text.
    """
    if len(source) > limits.file_bytes:
        raise LimitError(
            f"The file has {len(source):,} bytes.",
            expected=f"at most {limits.file_bytes:,} bytes",
            found=f"{len(source):,} bytes",
        )
    text, encoding = decode(source) if isinstance(source, bytes) else (source, Encoding())
    value, doubled = _value_of(text, limits, first_line)
    is_file = isinstance(source, bytes)
    return JsonDocument(value, text, encoding, is_as_read=is_file, first_line=first_line, doubled=doubled)


class _ConstantError(Exception):
    """NaN or an infinity was met."""


def _refuse_constant(name: str) -> Json:
    raise _ConstantError(name)


def _value_of(text: str, limits: Limits, first_line: int) -> tuple[Json, bool]:
    """The value, and whether some object has two members of the same name."""
    doubled = False

    def members(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        nonlocal doubled
        made = dict(pairs)
        doubled = doubled or len(made) != len(pairs)
        return made

    try:
        value = _loads(text, members)
    except json.JSONDecodeError as error:
        raise syntax_error(text, error.pos, error.msg, first_line) from error
    except _ConstantError as error:
        raise constant_error(text, first_line) from error
    except RecursionError as error:
        raise _too_deep(limits) from error
    if not _within(value, limits.nesting):
        raise _too_deep(limits)
    return value, doubled


def _loads(text: str, members: Any) -> Json:
    try:
        return json.loads(text, object_pairs_hook=members, parse_constant=_refuse_constant)
    except json.JSONDecodeError:
        raise
    except ValueError:  # Python refuses integers of thousands of digits; JavaScript takes them as doubles
        return json.loads(text, object_pairs_hook=members, parse_constant=_refuse_constant, parse_int=float)


def _too_deep(limits: Limits) -> LimitError:
    return LimitError(
        "Arrays and objects are nested too deeply.",
        expected=f"at most {limits.nesting} levels",
        found="more",
        hint="No lore file needs this; it was made by mistake or to break programs.",
    )


def _within(value: Json, limit: int) -> bool:
    """Whether containers are at most so many levels deep."""
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(limit):
        if not level:
            return True
        level = [
            child
            for container in level
            for child in (container.values() if type(container) is dict else container)
            if type(child) is dict or type(child) is list
        ]
    return not level


class JsonDocument:
    """A parsed JSON text. Never changes: an edit gives another document, which shares what stayed the same.

    Attributes:
        value: the parsed value; treat it as frozen.
        text: the text without byte order mark.
        first_line: line number that the text begins at.
        has_doubled_names: whether an object has two members of the same name.
        is_as_read: whether it is what a file held, without an edit.
        ident: equal idents mean the same text. A document that was slimmed and restored has the one it had.
    """

    __slots__ = (
        "_encoding",
        "_layout",
        "_lines",
        "_root",
        "first_line",
        "has_doubled_names",
        "ident",
        "is_as_read",
        "text",
        "value",
    )

    def __init__(
        self,
        value: Json,
        text: str,
        encoding: Encoding,
        *,
        is_as_read: bool = False,
        first_line: int = 1,
        doubled: bool = False,
        root: tuple[int, Node] | None = None,
        layout: Layout | None = None,
        ident: int | None = None,
    ) -> None:
        self.value = value
        self.text = text
        self.first_line = first_line
        self.has_doubled_names = doubled
        self.ident = next(_idents) if ident is None else ident
        self._encoding = encoding
        self.is_as_read = is_as_read
        self._root = root
        self._layout = layout or Layout(text)  # an edited text keeps the habits of the one that was read
        self._lines: list[int] | None = None

    def dump(self) -> bytes:
        """The bytes of the document: as read, to the byte, or the edited text in the same encoding."""
        return self._encoding.encode(self.text)

    def at(self, path: JsonPath) -> Json:
        """The value at a path.

        Raises:
            UsageError: there is nothing at this path.
        """
        value = self.value
        for depth, step in enumerate(path):
            if not has_step(value, step):
                raise UsageError(f"There is nothing at {path_text(path[: depth + 1])}.", where=path_text(path))
            value = value[step]
        return value

    def has(self, path: JsonPath) -> bool:
        """Whether there is a value at a path."""
        value = self.value
        for step in path:
            if not has_step(value, step):
                return False
            value = value[step]
        return True

    def span(self, path: JsonPath) -> tuple[int, int]:
        """First and one-past-last character of the value in `text`; of its nearest ancestor if it does not exist."""
        start, node = self._located()
        for step in path:
            found = node.child(self.text, start, step)
            if found is None:
                break
            start, node = found
        return start, start + node.length

    def line_column(self, path: JsonPath) -> tuple[int, int]:
        """Line and column of the value (or of its nearest ancestor), from 1; the column in characters."""
        return self.place_of(self.span(path)[0])

    def line(self, path: JsonPath) -> int:
        """Line of the value (or of its nearest ancestor), from 1."""
        return self.line_column(path)[0]

    def place_of(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of the text, from 1."""
        if self._lines is None:
            self._lines = line_starts(self.text)
        index = bisect_right(self._lines, offset) - 1
        return self.first_line + index, offset - self._lines[index] + 1

    def doubled(self) -> tuple[tuple[JsonPath, int], ...]:
        """Members that an equal name after them hides: the path, and the line of the hidden one."""
        return tuple((path, self.place_of(offset)[0]) for path, offset in self.hidden())

    def hidden(self) -> tuple[tuple[JsonPath, int], ...]:
        """Members that an equal name after them hides: the path, and the character where the hidden name begins."""
        if not self.has_doubled_names:
            return ()
        start, node = self._located()
        return tuple(sorted(doubled_names(self.text, start, node), key=lambda found: found[1]))

    def set(self, path: JsonPath, value: Json) -> JsonDocument:
        """The document with another value at a path; a member that is missing is added at the end of its object.

        Where old and new value are both objects or both arrays, only the parts that differ are written anew.

        Raises:
            UsageError: the parent does not exist, or the value cannot be written as JSON.
        """
        return self.replaced(changed(self.value, [(path, value)]))

    def insert(self, path: JsonPath, value: Json) -> JsonDocument:
        """The document with a new member at the end of an object, or a new item before an index of an array.

        Raises:
            UsageError: there is such a member, or no such place.
        """
        return self.replaced(inserted(self.value, path, value))

    def remove(self, path: JsonPath) -> JsonDocument:
        """The document without a member or item.

        Raises:
            UsageError: there is nothing at this path.
        """
        if not path:
            raise UsageError("The whole document cannot be removed.")
        return self.replaced(changed(self.value, [(path, MISSING)]))

    def changed(self, changes: Iterable[tuple[JsonPath, Json]]) -> JsonDocument:
        """The document with many values set at once, as if one after the other; `MISSING` removes.

        Raises:
            UsageError: a path has no place in the document.
        """
        return self.replaced(changed(self.value, changes))

    def replaced(self, value: Json) -> JsonDocument:
        """The document with another value as a whole: what is equal keeps its text, the rest is written anew.

        The way to make many edits at once. Values that are the same objects as before cost nothing.

        Raises:
            UsageError: the value cannot be written as JSON.
        """
        start, node = self._located()
        difference = rewrite(self._layout, self.text, start, node, old=self.value, new=value)
        if difference is None:
            return self
        edits, made = difference
        return JsonDocument(
            value,
            applied(self.text, edits),
            self._encoding,
            first_line=self.first_line,
            doubled=self.has_doubled_names,
            root=(start, made),
            layout=self._layout,
        )

    @property
    def encoding(self) -> Encoding:
        """How the file spells its characters."""
        return self._encoding

    def rewritten(self, text: str, limits: Limits = DEFAULT_LIMITS) -> JsonDocument:
        """The document with another text as a whole, in the same encoding and with the same habits.

        Raises:
            JsonSyntaxError: the text is no JSON.
            LimitError: too deep.
        """
        value, doubled = _value_of(text, limits, self.first_line)
        return JsonDocument(
            value, text, self._encoding, first_line=self.first_line, doubled=doubled, layout=self._layout
        )

    def earlier(self, text: str, value: Json, *, ident: int, doubled: bool) -> JsonDocument:
        """A former state of this document. `text` says `value`; nobody checks it. What is known of places is kept."""
        start, node = self._located()
        difference = rewrite(self._layout, self.text, start, node, old=self.value, new=value)
        root = None
        if difference is not None and applied(self.text, difference[0]) == text:
            root = (start, difference[1])
        return JsonDocument(
            value,
            text,
            self._encoding,
            first_line=self.first_line,
            doubled=doubled,
            root=root,
            layout=self._layout,
            ident=ident,
        )

    def _located(self) -> tuple[int, Node]:
        if self._root is None:
            self._root = root_of(self.text)
        return self._root
