"""Text that knows where it came from: a row of parts, each with its origin, cut and joined like a string."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from lorebook_tui.model.js import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_LINE_FEEDS = re.compile(r"\n+")


class OriginKind(Enum):
    """What kind of source a text has."""

    ENTRY = "entry"
    """An entry of a book; `entry` is its load index."""
    CARD = "card"
    """A field of a card; `name` is the field."""
    PERSONA = "persona"
    MESSAGE = "message"
    """A message of the chat; `message` is its index in the transcript."""
    NOTE = "note"
    """The author's note."""
    EXTENSION = "extension"
    """A prompt that an extension injects; `name` is its name."""
    PROMPT = "prompt"
    """A prompt of the settings; `name` is its identifier."""
    TEMPLATE = "template"
    """Sequences of an instruct template and the fixed words of a story string."""
    NAME = "name"
    """A speaker's name in front of a message."""
    JOINT = "joint"
    """Line ends between two texts."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a text came from."""

    kind: OriginKind
    name: str = ""
    owner: str = ""
    """Name of the card that a field belongs to."""
    entry: int | None = None
    message: int | None = None


JOINT = Origin(OriginKind.JOINT)
NAME = Origin(OriginKind.NAME)
TEMPLATE = Origin(OriginKind.TEMPLATE)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text and its origin; `end` is exclusive."""

    start: int
    end: int
    origin: Origin


@dataclass(frozen=True)
class Traced:
    """A text made of parts. No part is empty, and no two neighbours have the same origin."""

    parts: tuple[tuple[str, Origin], ...] = ()

    @staticmethod
    def of(text: str, origin: Origin) -> Traced:
        """A text from one place."""
        return Traced(((text, origin),)) if text else EMPTY

    @staticmethod
    def joined(texts: Iterable[Traced], separator: str = "") -> Traced:
        """Texts one after the other, the separator between them."""
        parts: list[tuple[str, Origin]] = []
        for number, text in enumerate(texts):
            if number and separator:
                parts.append((separator, JOINT))
            parts.extend(text.parts)
        return Traced.made(parts)

    @staticmethod
    def made(parts: Iterable[tuple[str, Origin]]) -> Traced:
        """Parts put together: empty ones left out, neighbours of one origin united."""
        united: list[tuple[str, Origin]] = []
        for text, origin in parts:
            if not text:
                continue
            if united and united[-1][1] == origin:
                united[-1] = (united[-1][0] + text, origin)
            else:
                united.append((text, origin))
        return Traced(tuple(united))

    @cached_property
    def text(self) -> str:
        """The characters alone."""
        return "".join(text for text, _ in self.parts)

    def spans(self) -> Iterator[Span]:
        """The stretches, which cover the text without gap or overlap."""
        place = 0
        for text, origin in self.parts:
            yield Span(place, place + len(text), origin)
            place += len(text)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def __len__(self) -> int:
        return len(self.text)

    def __add__(self, other: Traced) -> Traced:
        return Traced.joined((self, other))

    def cut(self, start: int, end: int | None = None) -> Traced:
        """A stretch of the text; both numbers count from its start."""
        stop = len(self) if end is None else end
        parts = []
        for span, (text, origin) in zip(self.spans(), self.parts, strict=True):
            first, last = max(start, span.start), min(stop, span.end)
            if first < last:
                parts.append((text[first - span.start : last - span.start], origin))
        return Traced(tuple(parts))

    def trim_start(self) -> Traced:
        """Without white space at the start, as JavaScript understands it."""
        return self.cut(len(self) - len(self.text.lstrip(WHITE_SPACE)))

    def trim(self) -> Traced:
        """Without white space at both ends, as JavaScript understands it."""
        return self.trim_start().cut(0, len(self.text.strip(WHITE_SPACE)))

    def changed(self, change: Callable[[str], str]) -> Traced:
        """Every part changed on its own."""
        return Traced.made((change(text), origin) for text, origin in self.parts)

    def without_returns(self) -> Traced:
        """Without carriage returns."""
        return self.changed(lambda text: text.replace("\r", "")) if "\r" in self.text else self

    def single_line_feeds(self) -> Traced:
        """Runs of line feeds become one, which belongs to whoever came first."""
        kept: list[tuple[str, Origin]] = []
        last = ""
        for text, origin in self.parts:
            shorter = _LINE_FEEDS.sub("\n", text)
            if last == "\n":
                shorter = shorter.removeprefix("\n")
            kept.append((shorter, origin))
            last = shorter[-1:] or last
        return Traced.made(kept)

    def lines(self) -> list[Traced]:
        """The text split at line feeds."""
        return self.split("\n")

    def split(self, separator: str) -> list[Traced]:
        """The stretches between separators."""
        found, place = [], 0
        for piece in self.text.split(separator):
            found.append(self.cut(place, place + len(piece)))
            place += len(piece) + len(separator)
        return found

    def without(self, text: str) -> Traced:
        """Without the first occurrence of a text."""
        place = self.text.find(text) if text else -1
        return self if place < 0 else self.cut(0, place) + self.cut(place + len(text))

    def become(self, result: str, pieces: Callable[[str], str]) -> Traced:
        """The origins of a text whose macros were replaced as a whole.

        Args:
            result: what the whole became.
            pieces: replaces the macros of one part, for looking only.
        """
        if result == self.text:
            return self
        if len(self.parts) == 1:
            return Traced.of(result, self.parts[0][1])
        return aligned(result, [(pieces(text), origin) for text, origin in self.parts])

    def overlaid(self, inner: Traced) -> Traced:
        """The same text; where `inner` occurs in it, with the origins of `inner`."""
        place = self.text.find(inner.text) if inner else -1
        return self if place < 0 else Traced.joined((self.cut(0, place), inner, self.cut(place + len(inner))))


EMPTY = Traced()


def aligned(result: str, expected: list[tuple[str, Origin]]) -> Traced:
    """Parts found again in a result in their order; what is not found takes the room between its neighbours."""
    if "".join(text for text, _ in expected) == result:
        return Traced.made(expected)
    parts: list[tuple[str, Origin]] = []
    place = 0
    lost: Origin | None = None
    for text, origin in expected:
        found = result.find(text, place) if text else place
        if found < 0:
            lost = lost or origin
            continue
        if found > place:
            parts.append((result[place:found], lost or (parts[-1][1] if parts else origin)))
        parts.append((text, origin))
        place, lost = found + len(text), None
    if place < len(result):
        parts.append((result[place:], lost or (parts[-1][1] if parts else expected[0][1])))
    return Traced.made(parts)
