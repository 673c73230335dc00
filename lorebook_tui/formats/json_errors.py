"""Why a text is no JSON: line, column and cause in the words of somebody who edits files by hand."""

from __future__ import annotations

import re
from typing import ClassVar, Final

from lorebook_tui.errors import UnreadableError

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_STRING_OR_CONSTANT: Final = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN', re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d]\w*")
_SNIPPET = 20
_PYTHON_WORDS: Final = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_QUOTES: Final = "'`“”„«»‘’"


class JsonSyntaxError(UnreadableError):
    """The text is no JSON.

    Attributes:
        line: from 1.
        column: from 1, in characters.
        cause: what is wrong there, without a full stop.
    """

    code: ClassVar[str] = "JSON"

    def __init__(self, line: int, column: int, cause: str, *, found: str = "", hint: str = "") -> None:
        super().__init__(
            f"The JSON is broken at line {line}, column {column}: {cause}.",
            where=f"line {line}, column {column}",
            expected="valid JSON",
            found=found,
            hint=hint,
        )
        self.line = line
        self.column = column
        self.cause = cause


def line_starts(text: str) -> list[int]:
    """Offsets at which lines begin; a line ends with LF, CR LF or CR."""
    return [0, *(match.end() for match in _LINE_END.finditer(text))]


def _error(text: str, offset: int, first_line: int, cause: str, hint: str = "") -> JsonSyntaxError:
    starts = line_starts(text[:offset])
    rest = text[offset : offset + _SNIPPET]
    found = rest.splitlines()[0] if rest.strip() else "the end of the text" if offset >= len(text) else "white space"
    return JsonSyntaxError(
        first_line + len(starts) - 1, offset - starts[-1] + 1, cause, found=found or "a line end", hint=hint
    )


def constant_error(text: str, first_line: int) -> JsonSyntaxError:
    """NaN or Infinity, which only some programs write."""
    match = next(match for match in _STRING_OR_CONSTANT.finditer(text) if match.group()[0] != '"')
    return _error(
        text, match.start(), first_line, f"{match.group()} is no JSON value", "Write a number or null in its place."
    )


def syntax_error(text: str, offset: int, message: str, first_line: int) -> JsonSyntaxError:
    """The error for a place where Python's parser gave up.

    Args:
        text: the whole text.
        offset: where the parser stood.
        message: its own words.
        first_line: line number that the text begins at.
    """
    if message.startswith("Unterminated string"):
        return _error(text, offset, first_line, 'a text begins here and its closing " is missing', _CUT)
    if message.startswith("Invalid control character"):
        code = f"U+{ord(text[offset]):04X}"
        cause = "a line break" if text[offset] in "\r\n" else "a tab" if text[offset] == "\t" else f"the control {code}"
        return _error(text, offset, first_line, f"{cause} stands inside a text", "Write it as \\n, \\t or \\u00XX.")
    if message.startswith("Invalid \\"):
        return _error(text, offset, first_line, "a backslash begins no known escape", "A backslash itself is \\\\.")
    if message.startswith("Extra data"):
        return _error(text, offset, first_line, "something follows after the end of the value")
    place = offset + len(text[offset:]) - len(text[offset:].lstrip(" \t\r\n"))
    if message.startswith("Illegal trailing comma"):
        place = offset + 1 + len(text[offset + 1 :]) - len(text[offset + 1 :].lstrip(" \t\r\n"))
    if place >= len(text):
        return _error(text, len(text), first_line, "the text ends before the value is complete", _CUT)
    cause, hint = _cause(text, place, message)
    return _error(text, place, first_line, cause, hint)


_CUT: Final = "The file may have been cut off; look for a longer copy."


def _cause(text: str, place: int, message: str) -> tuple[str, str]:
    """Cause and hint for a wrong character."""
    char = text[place]
    before = text[:place].rstrip(" \t\r\n")[-1:]
    word = _WORD.match(text, place)
    if char in "}]" and before == ",":
        return f'there is a comma before "{char}"', "Delete the last comma."
    if char == "/" and text[place + 1 : place + 2] in ("/", "*"):
        return "there is a comment, which JSON does not have", "Delete it."
    if char in _QUOTES:
        return f'{char} is no quotation mark of JSON, only " is', "Put names and texts into straight double quotes."
    if char == "\x00":
        return "there is a zero byte", "Is it UTF-16 without a byte order mark? Save the file as UTF-8."
    if message.startswith("Expecting ',' delimiter"):
        return "a comma is missing before this", "Was a quotation mark inside a text left without its backslash?"
    if message.startswith("Expecting ':' delimiter"):
        return "a colon is missing after the name", ""
    if message.startswith("Expecting property name"):
        return "a member's name in double quotes is missing", ""
    if word:
        right = _PYTHON_WORDS.get(word.group())
        return f"{word.group()[:_SNIPPET]} is no JSON value", f"Write {right}." if right else ""
    return "a value is missing", ""
