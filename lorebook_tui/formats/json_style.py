"""How a JSON text is laid out, and a writer of new values in its manner: indents, separators, line ends, escapes."""

from __future__ import annotations

import json
import math
import re
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError

if TYPE_CHECKING:
    from lorebook_tui.model.js import Json

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_OPENING: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|([{\[])([ \t\r\n]*)(?=[^ \t\r\n}\]])', re.DOTALL)
_NAME: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"([ \t\r\n]*:[ \t\r\n]*)?', re.DOTALL)
_ESCAPING: Final = re.compile(r"[^\x00-\x7f]|(?<!\\)(?:\\\\)*\\u(?!00[0-7])(?P<code>[0-9a-fA-F]{4})")
_ESCAPE: Final = re.compile(r"\\\\|\\u[0-9a-f]{4}")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LOOKED_AT = 4000


def has_line_end(text: str) -> bool:
    """Whether a line ends in this text."""
    return "\n" in text or "\r" in text


def indentation(gap: str) -> str | None:
    """Indentation of the line that a gap between values ends on; None if no line ends in the gap."""
    place = max(gap.rfind("\n"), gap.rfind("\r"))
    line = gap[place + 1 :]  # in the style with leading commas there is one on it
    return None if place < 0 else line[: len(line) - len(line.lstrip(" \t"))]


def comma_for(colon: str) -> str:
    """What separates values on one line where names and values are separated like this."""
    return ", " if colon.endswith((" ", "\t")) else ","


class Layout:
    """The habits of one text, looked up when needed."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def newline(self) -> str:
        """The first line end, LF if there is none."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"

    @cached_property
    def colon(self) -> str:
        """What stands between a name and its value."""
        return next((found[1] for found in _NAME.finditer(self.text) if found[1]), ": ")

    @cached_property
    def comma(self) -> str:
        """What stands between two values on one line."""
        return comma_for(self.colon)

    @cached_property
    def _leads(self) -> dict[str, tuple[str, str]]:
        """Per kind of bracket: white space after the first one that is not empty, and the indentation of its line."""
        leads: dict[str, tuple[str, str]] = {}
        for count, found in enumerate(_OPENING.finditer(self.text)):
            if found[1] and found[1] not in leads:
                line = self.text[: found.start()].rpartition(self.newline)[2]
                leads[found[1]] = (found[2], line[: len(line) - len(line.lstrip(" \t"))])
            if len(leads) == len("{[") or count > _LOOKED_AT:
                break
        return leads

    def spreads(self, bracket: str) -> bool:
        """Whether objects (`{`) or arrays (`[`) that hold something are written over several lines."""
        leads = self._leads
        lead = leads.get(bracket) or next(iter(leads.values()), None)
        return has_line_end(self.text) if lead is None else has_line_end(lead[0])

    @cached_property
    def unit(self) -> str:
        """One step of indentation."""
        for lead, line in self._leads.values():
            inner = indentation(lead)
            if inner is not None:
                return inner.removeprefix(line)
        return "    "

    @cached_property
    def alphabet(self) -> Alphabet:
        """How the text writes characters beyond ASCII; as they are if it has none."""
        return alphabet_of(self.text) or Alphabet.PLAIN

    @cached_property
    def escapes_slashes(self) -> bool:
        """Whether the text writes `/` with a backslash."""
        return "\\/" in self.text


class Alphabet(Enum):
    """How characters beyond ASCII are written."""

    PLAIN = "as they are"
    LOWER = "as escapes with lower-case digits"
    UPPER = "as escapes with upper-case digits"


def alphabet_of(sample: str) -> Alphabet | None:
    """The habit that a piece of JSON text shows; None if it has no character beyond ASCII."""
    if sample.isascii() and "\\u" not in sample:
        return None
    found = _ESCAPING.search(sample)
    if found is None or found["code"] is None:
        return Alphabet.PLAIN if found else None
    return Alphabet.LOWER if found["code"] == found["code"].lower() else Alphabet.UPPER


class Writer:
    """Writes new values in the manner of a text.

    Args:
        layout: the manner.
        sample: the text of the value that is replaced, or of a neighbour; its escapes are the first to follow.
    """

    def __init__(self, layout: Layout, sample: str) -> None:
        self.layout = layout
        self._alphabet = alphabet_of(sample) or layout.alphabet
        self._slashes = "\\/" in sample if "/" in sample else layout.escapes_slashes

    def quoted(self, text: str) -> str:
        """A text as a JSON string."""
        quoted = json.dumps(text, ensure_ascii=self._alphabet is not Alphabet.PLAIN)
        if self._alphabet is Alphabet.PLAIN and not text.isascii():
            quoted = _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", quoted)
        if self._alphabet is Alphabet.UPPER:
            quoted = _ESCAPE.sub(lambda found: found.group()[:2] + found.group()[2:].upper(), quoted)
        return quoted.replace("/", "\\/") if self._slashes else quoted

    def value(self, value: Json, indent: str | None) -> str:
        """A value as JSON.

        Args:
            value: plain JSON data.
            indent: indentation of the line it begins on; None: everything on one line.

        Raises:
            UsageError: it is no JSON data.
        """
        if isinstance(value, dict):
            members = [
                self._checked_name(name) + self.layout.colon + self.value(item, self._inner(indent, "{"))
                for name, item in value.items()
            ]
            return self._bracketed("{", "}", members, indent)
        if isinstance(value, list):
            return self._bracketed("[", "]", [self.value(item, self._inner(indent, "[")) for item in value], indent)
        if isinstance(value, str):
            return self.quoted(value)
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
            return repr(value)
        raise UsageError(
            "The value cannot be written as JSON.",
            expected="a text, a finite number, true, false, null, an array or an object",
            found=repr(value)[:80],
        )

    def _checked_name(self, name: object) -> str:
        if not isinstance(name, str):
            raise UsageError("A member's name must be a text.", found=repr(name)[:80])
        return self.quoted(name)

    def _inner(self, indent: str | None, bracket: str) -> str | None:
        return None if indent is None or not self.layout.spreads(bracket) else indent + self.layout.unit

    def _bracketed(self, opening: str, closing: str, items: list[str], indent: str | None) -> str:
        inner = self._inner(indent, opening)
        if not items:
            return opening + closing
        if inner is None or indent is None:
            return opening + self.layout.comma.join(items) + closing
        newline = self.layout.newline
        return f"{opening}{newline}{inner}{f',{newline}{inner}'.join(items)}{newline}{indent}{closing}"
