"""Texts given on the command line: themselves, `@FILE`, or `-` for standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from lorebook_tui.workspace.files import read_text

STANDARD_INPUT = "-"


def given_text(argument: str) -> str:
    """The text that an argument means; a text that begins with @ is written `@@…`.

    Raises:
        UnreadableError: the file cannot be read as text.
    """
    if argument == STANDARD_INPUT:
        data = sys.stdin.buffer.read()
        return data.decode("utf-8", "replace").replace("\r\n", "\n")
    if argument.startswith("@@"):
        return argument[1:]
    if argument.startswith("@") and len(argument) > 1:
        return read_text(Path(argument[1:]))
    return argument


def field_text(word: str) -> str:
    """`FIELD=VALUE`; `FIELD=@FILE` takes a file, the last line end left out. `@@` begins a decorator and stays.

    Raises:
        UnreadableError: the file cannot be read as text.
    """
    name, equals, value = word.partition("=")
    if not value.startswith("@") or value.startswith("@@") or value == "@":
        return word
    text = read_text(Path(value[1:])).replace("\r\n", "\n")
    return f"{name}{equals}={text.removesuffix(chr(10))}"
