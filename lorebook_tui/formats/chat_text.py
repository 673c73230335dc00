"""Transcripts as people paste them: `Name: text`, with lines that go on until the next speaker."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.formats.base import Content, Finding, Severity
from lorebook_tui.formats.messages import is_user_word
from lorebook_tui.model.transcript import Message, Transcript

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Source
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.js import Json

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_NO_NAME: Final = r":：.!?,;\"“”«»<>{}\[\]()*|/\\\t"
_NAME: Final = rf"\{{\{{(?:user|char)\}}\}}|(?:(?:Mrs?|Ms|Dr|St|Prof)\. )?[^\s{_NO_NAME}][^{_NO_NAME}]{{0,39}}"
_SPEAKER: Final = re.compile(rf"(?:\*\*(?P<bold>{_NAME})(?::\*\*|\*\*:)|(?P<plain>{_NAME})(?::(?=\s|$)|：))[ \t]?")
"""`Name: text`, also `**Name:** text`; a colon between words or in a web address makes no speaker."""
_MOST_WORDS = 4


class TextContainer:
    """A plain text; nothing in it can be edited here."""

    kind = "text"
    documents: tuple[JsonDocument, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __init__(self, data: bytes, text: str) -> None:
        self.data = data
        self.text = text

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:  # noqa: ARG002 - the protocol's shape
        """The file as it was read."""
        return self.data


@dataclass(frozen=True, slots=True)
class Passage:
    """Where a message stands in a plain transcript, as offsets in its text."""

    start: int
    name_start: int
    name_end: int
    body: int
    """Where what is said begins."""
    end: int
    """Where the next speaker's line begins."""


def passages(text: str) -> list[Passage]:
    """The messages of a plain transcript, in order; what stands before the first speaker belongs to none."""
    starts = []
    line = 0
    for end in (*(found.end() for found in _LINE_END.finditer(text)), len(text)):
        match = _SPEAKER.match(text, line, end)
        if match and _speaker(text[line:end].rstrip("\r\n")):
            group = "bold" if match["bold"] else "plain"
            starts.append((line, match.start(group), match.end(group), match.end()))
        line = end
    ends = [*(start for start, *_ in starts[1:]), len(text)]
    return [Passage(*place, end) for place, end in zip(starts, ends, strict=True)]


def speaker_of(line: str) -> str:
    """Who speaks on a line; "" if it goes on from the line before."""
    return _speaker(line)


@dataclass(frozen=True, slots=True)
class ChatTextFormat:
    """Plain transcripts."""

    name: str = "chat_text"
    title: str = "a plain transcript"

    def recognises(self, value: Json) -> bool:
        """Whether a text begins with a speaker, and speakers are not a chance of prose.

        That is so if one is called You or User, one speaks twice, or every line has a speaker.
        """
        if not isinstance(value, str) or not _speaker(value.lstrip().partition("\n")[0]):
            return False
        lines = [line for line in _LINE_END.split(value) if line.strip()]
        names = [name for line in lines if (name := _speaker(line))]
        speaks_again = max(Counter(names).values()) > 1 and len(set(names)) > 1
        return speaks_again or len(lines) == len(names) > 1 or any(is_user_word(name) for name in names)

    def read(self, source: Source) -> Content:
        """The messages. The user is who the caller names, else a speaker called You, User or the like."""
        parts: list[tuple[str, list[str]]] = []
        for line in _LINE_END.split(source.text):
            name = _speaker(line)
            if name:
                parts.append((name, [_SPEAKER.sub("", line, count=1)]))
            elif parts:
                parts[-1][1].append(line)
        names = list(dict.fromkeys(name for name, _ in parts))
        user = _user_among(names, source.user)
        if not user:
            source.reporter.add(
                "no-user",
                "No speaker of the transcript is known to be the user; all messages count as the character's.",
                expected="a speaker called You or User, or a name given for the user",
                found=", ".join(names),
                severity=Severity.WARNING,
            )
        messages = tuple(Message("\n".join(lines).strip("\n"), name, is_user=name == user) for name, lines in parts)
        character = next((name for name in names if name != user), "")
        return Content(transcript=Transcript(messages, source.stem or "chat", user, character))


def _speaker(line: str) -> str:
    """Who speaks on a line; "" if it goes on from the line before."""
    match = _SPEAKER.match(line)
    name = (match["bold"] or match["plain"]).strip() if match else ""
    return name if len(name.split()) <= _MOST_WORDS else ""


def _user_among(names: list[str], wanted: str) -> str:
    if wanted:
        return next((name for name in names if name.lower() == wanted.lower()), "")
    return next((name for name in names if is_user_word(name)), "")
