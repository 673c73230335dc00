"""The text of an entry in an editor: what stands for its unprintable characters, and what is drawn into it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import plain
from lorebook_tui.engine.findings import literal_spans
from lorebook_tui.engine.keys import PatternKey, PlainKey
from lorebook_tui.engine.macros.definitions import MACRO_NAMES
from lorebook_tui.matching import ecma
from lorebook_tui.model.decorators import split_sillytavern
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.entry import Entry

_FIRST_STAND_IN: Final = 0x100000
_LAST_STAND_IN: Final = 0x10FFFD
_MACRO: Final = re.compile(r"\{\{[^{}]*\}\}|<(?:USER|BOT|CHAR|GROUP|CHARIFNOTGROUP)>", re.IGNORECASE)
_NAME: Final = re.compile(r"[/!?~>#\s]*([^\s:{}]+)")
_VARIABLE: Final = re.compile(r"[/!?~>#\s]*[.$]\w")
_LONGEST_DRAWN: Final = 8000
"""Characters of a line that is drawn with its inks; longer ones are drawn plain."""
_MOST_WAKING: Final = 500
_KNOWN: Final = frozenset(name.lower() for name in MACRO_NAMES)


class StandIns:
    """A private character in an editor's text for each one that the editor would take for a line end or for nothing.

    Editors split lines at every kind of line end and join them with one, and count nothing for what they cannot print.
    A text goes in with `encoded` and comes out with `decoded`, unchanged.
    """

    def __init__(self) -> None:
        self._in: dict[str, str] = {}
        self._out: dict[str, str] = {}
        self._next = _FIRST_STAND_IN
        self.line_end = "\n"

    def encoded(self, text: str, *, is_whole: bool = False) -> str:
        r"""The text for the editor.

        Args:
            text: as it is stored.
            is_whole: the whole text, whose line ends are told from it: `\r\n` throughout becomes the editor's own.
        """
        if is_whole:
            self.line_end = "\r\n" if text.count("\n") and text.count("\r\n") == text.count("\n") else "\n"
        if self.line_end == "\r\n":
            text = text.replace("\r\n", "\n")
        if text.isascii() and text.replace("\n", "").isprintable():
            return text
        strange = {char for char in set(text) if is_strange(char)}
        return text.translate({ord(char): self._stand_in(char) for char in strange}) if strange else text

    def _stand_in(self, char: str) -> str:
        known = self._in.get(char)
        if known is None:
            known = self._in[char] = chr(self._next)
            self._out[known] = char
            self._next = min(self._next + 1, _LAST_STAND_IN)
        return known

    def decoded(self, text: str) -> str:
        """The text as it is stored."""
        if self._out:
            text = text.translate({ord(known): char for known, char in self._out.items()})
        return text.replace("\n", self.line_end) if self.line_end != "\n" else text

    def shown(self, line: str) -> str:
        """A line of the editor as it may be drawn: of the same length, nothing in it acts on a terminal."""
        if self._out:
            line = line.translate({ord(known): char for known, char in self._out.items()})
        return plain(line)


@lru_cache(maxsize=4096)
def is_strange(char: str) -> bool:
    """Whether a character cannot stand in an editor as itself."""
    if char in "\n\t":
        return False
    if _FIRST_STAND_IN <= ord(char) <= _LAST_STAND_IN:
        return True
    return plain(f"a{char}")[1] != char and unicodedata.category(char) not in {"Mn", "Me", "Mc"}


@dataclass(frozen=True, slots=True)
class Waking:
    """A stretch of a text that is a key of another entry."""

    start: int
    end: int
    index: int
    """Load index of that entry."""
    title: str
    """Foreign."""
    words: str = ""
    """The key as it stands there."""


def waking_of(plan: Plan, entry: Entry, text: str) -> tuple[Waking, ...]:
    """The keys of other entries in a text: what it would wake by recursion, whatever else they ask for.

    Args:
        plan: of the books.
        entry: whose text it is; it does not count itself.
        text: as it stands, macros and all.
    """
    if not plan.settings.world_info_recursive or entry.is_on("preventRecursion"):
        return ()
    numbers = plan.index.hits(text)
    indices = {index for window in plan.windows for index in window.woken(numbers)} | set(plan.always)
    found: list[Waking] = []
    for index in sorted(indices):
        other = plan.entries[index]
        if other.entry is entry or other.entry.path == entry.path or not _can_be_woken(other):
            continue
        found += (
            Waking(start, end, index, other.entry.title, text[start:end]) for start, end in _spans(other.keys, text)
        )
        if len(found) >= _MOST_WAKING:
            break
    return tuple(found[:_MOST_WAKING])


def _can_be_woken(other: CompiledEntry) -> bool:
    return not (other.constant or other.excludes_recursion or other.entry.is_on("disable"))


def _spans(keys: Sequence[Key], text: str) -> Iterator[tuple[int, int]]:
    for key in keys:
        if isinstance(key, PlainKey):
            yield from literal_spans(text, key.literal, case_sensitive=key.case_sensitive, whole_words=key.whole_word)
        elif isinstance(key, PatternKey):
            try:
                yield from ecma.compile(key.source, key.flags).find_all(text, _MOST_WAKING)
            except ecma.PatternTimeout:
                continue


def by_line(text: str, found: Sequence[Waking]) -> dict[int, list[Waking]]:
    """The stretches by line of the text, in columns; one that goes over a line end is cut there."""
    starts = [0, *(place + 1 for place, char in enumerate(text) if char == "\n")] if found else []
    lines: dict[int, list[Waking]] = {}
    for item in found:
        number = _line_of(starts, item.start)
        start = item.start - starts[number]
        limit = (starts[number + 1] - 1 if number + 1 < len(starts) else len(text)) - starts[number]
        end = min(item.end - starts[number], limit)
        lines.setdefault(number, []).append(Waking(start, end, item.index, item.title, item.words[: end - start]))
    return lines


def _line_of(starts: Sequence[int], place: int) -> int:
    from bisect import bisect_right  # noqa: PLC0415 - a builtin, named where it is used

    return bisect_right(starts, place) - 1


def line_inks(line: str, number: int, text: str, waking: Sequence[Waking] = ()) -> list[tuple[int, int, str]]:
    """What is drawn into one line: (start, end, name of an ink), the later above the earlier.

    Args:
        line: as it is stored.
        number: of the line, counted from 0.
        text: the whole text, for its decorators; only its beginning is looked at.
        waking: keys of other entries in this line.
    """
    if len(line) > _LONGEST_DRAWN:
        return []
    inks = [(found.start(), found.end(), _macro_ink(found[0])) for found in _MACRO.finditer(line)]
    inks += [(item.start, item.end, "hit") for item in waking if line[item.start : item.end] == item.words]
    if line.startswith("@@"):
        inks += _decorator_ink(line, number, text)
    return inks


def _macro_ink(macro: str) -> str:
    return "macro" if is_known_macro(macro) else "near"


def is_known_macro(macro: str) -> bool:
    """Whether SillyTavern 1.19 replaces it: `{{user}}`, `<BOT>`, `{{random::a::b}}`, `{{// a note}}`, `{{.name}}`."""
    if macro.startswith("<"):
        return True
    inner = macro[2:-2]
    if _VARIABLE.match(inner) or inner.lstrip().startswith("//"):
        return True
    name = _NAME.match(inner)
    return bool(name) and name is not None and name[1].lower() in _KNOWN


def _decorator_ink(line: str, number: int, text: str) -> list[tuple[int, int, str]]:
    """Decorators count in the unbroken run of `@@` lines at the top."""
    lines = text.split("\n", number + 1)[: number + 1]
    if not all(above.startswith("@@") for above in lines):
        return []
    known = split_sillytavern("\n".join([*lines, ""])).decorators
    return [(0, len(line), "label" if trim(line) in {trim(item) for item in known} else "near")]
