"""The chat as a scan sees it: visible lines with names, and counts for every length, worked out once per transcript."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.transcript import Message, Transcript


@dataclass(frozen=True, slots=True)
class Extent:
    """Which part of the transcript one generation sees."""

    upto: int
    """Messages that exist (after `regenerate` took the last one away)."""
    visible: int
    """Visible lines handed to the scan; the length that timed effects count."""
    users: int
    """Messages of the user among `upto`; the author's note is due by them."""


def with_attachments(message: Message, text: str) -> str:
    """The text with attached files in front and an appended title behind, each apart by a blank line."""
    if not message.extra:
        return text
    files = message.extra.get("files")
    attached = [item.get("text") for item in files if isinstance(item, dict)] if isinstance(files, list) else []
    joined = "".join(f"{part}\n\n" for part in attached if isinstance(part, str) and part) + text
    title = message.extra.get("title")
    appended = message.extra.get("append_title") and isinstance(title, str) and title
    return f"{joined}\n\n{title}" if appended else joined


class ChatView:
    """Lines of a transcript, oldest first.

    Args:
        transcript: the chat.
        cast: gives the names of messages without one.
        include_names: put `Name: ` in front, as the setting says.
    """

    def __init__(self, transcript: Transcript, cast: Cast, *, include_names: bool) -> None:
        self.include_names = include_names
        self.messages = transcript.messages
        self._user = cast.persona.name
        self._other = cast.speaker.name if cast.speaker else ""
        self.lines: list[str] = []
        self.numbers: list[int] = []
        """For each line the index of its message."""
        self._visible = [0]
        self._users = [0]
        for number, message in enumerate(self.messages):
            if not message.is_hidden:
                self.lines.append(self.line(message))
                self.numbers.append(number)
            self._visible.append(len(self.lines))
            self._users.append(self._users[-1] + message.is_user)

    def name_of(self, message: Message) -> str:
        """Who speaks."""
        if message.name is not None:
            return message.name
        return self._user if message.is_user else self._other

    def line(self, message: Message, text: str | None = None) -> str:
        """One line of the buffer: named and trimmed."""
        body = with_attachments(message, message.text if text is None else text)
        return trim(f"{self.name_of(message)}: {body}" if self.include_names else body)

    def extent(self, upto: int, trigger: str, *, dry_run: bool) -> Extent:
        """What a generation after `upto` messages sees.

        SillyTavern 1.19: `regenerate` first takes the last message away unless a user wrote it; `swipe` scans without
        the last visible one.
        """
        upto = min(upto, len(self.messages))
        if trigger == "regenerate" and not dry_run and upto and not self.messages[upto - 1].is_user:
            upto -= 1
        visible = self._visible[upto]
        if trigger == "swipe" and visible:
            visible -= 1
        return Extent(upto, visible, self._users[upto])
