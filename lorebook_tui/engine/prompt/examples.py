"""Example messages: blocks of the card and of entries, and the messages in a block."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.traced import JOINT, NAME, TEMPLATE, Traced

if TYPE_CHECKING:
    from collections.abc import Sequence

START = "<START>\n"
_MARK = re.compile("<START>", re.IGNORECASE)
_FIRST_MARK = "<START>"


@dataclass(frozen=True, slots=True)
class ExampleMessage:
    """One message of an example block."""

    is_user: bool
    text: Traced

    @property
    def name(self) -> str:
        """Its name in a chat completion."""
        return "example_user" if self.is_user else "example_assistant"


def blocks(text: Traced, heading: str) -> list[Traced]:
    """The blocks of an example text, each trimmed, under a heading and with a line feed.

    SillyTavern 1.19: without a leading `<START>` there is one in front; the text is split at `<START>` in any case.
    """
    if not text or text.text == _FIRST_MARK:
        return []
    if not text.text.startswith(_FIRST_MARK):
        text = Traced.of(START, TEMPLATE) + text.trim()
    found, place = [], None
    for mark in [*_MARK.finditer(text.text), None]:
        if place is not None:
            stretch = text.cut(place, mark.start() if mark else None).trim()
            found.append(Traced.joined((Traced.of(heading, TEMPLATE), stretch, Traced.of("\n", JOINT))))
        place = mark.end() if mark else None
    return found


class ExampleReader:
    """Splits blocks into messages.

    Args:
        user: name of the persona.
        char: name of the speaking character.
        members: names of the group's members; empty outside a group.
        named: in groups, put `Name: ` in front of each message.
    """

    def __init__(self, user: str, char: str, members: Sequence[str], *, named: bool) -> None:
        self._user, self._char, self._members = user, char, members
        self._named = named and bool(members)

    def messages(self, block: Traced) -> list[ExampleMessage]:
        """The messages of a block; empty if no line begins with a name. The first line is the heading."""
        found: list[ExampleMessage] = []
        lines: list[Traced] = []
        speaks: str | None = None
        bot = self._char
        for line in block.without_returns().lines()[1:]:
            side, other = self._side(line.text)
            if side == "user" and speaks == "bot":
                found.append(self._message(lines, bot, is_user=False))
                lines = []
            elif side == "bot":
                bot = other or bot
                if speaks == "user":
                    found.append(self._message(lines, self._user, is_user=True))
                    lines = []
            speaks = side or speaks
            lines.append(line)
        if speaks:
            name = self._user if speaks == "user" else bot
            found.append(self._message(lines, name, is_user=speaks == "user"))
        return found

    def _side(self, line: str) -> tuple[str | None, str | None]:
        """Whose line it is, and the name of another member who begins to speak."""
        if line.startswith(f"{self._user}:"):
            return "user", None
        if line.startswith(f"{self._char}:"):
            return "bot", None
        if any(line.startswith(f"{name}:") for name in self._members):
            return "bot", line.split(":", maxsplit=1)[0]
        return None, None

    def _message(self, lines: Sequence[Traced], name: str, *, is_user: bool) -> ExampleMessage:
        text = Traced.joined(lines, "\n").without(f"{name}:").trim()
        if self._named:
            text = Traced.of(f"{name}: ", NAME) + text
        return ExampleMessage(is_user, text)
