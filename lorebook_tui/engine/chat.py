"""The chat as a scan sees it: visible lines with names, and counts for every length, worked out once per transcript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.model.js import WHITE_SPACE, text_of, trim, truthy

if TYPE_CHECKING:
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.transcript import Message, Transcript


NEUTRAL_NAME = "Assistant"
"""Who speaks, and what `{{char}}` is, when no card is selected."""


@dataclass(frozen=True, slots=True)
class Extent:
    """Which part of the transcript one generation sees."""

    upto: int
    """Messages that exist (after `regenerate` took the last one away)."""
    visible: int
    """Visible lines handed to the scan; the length that timed effects count."""
    users: int
    """Messages of the user among `upto`; the author's note is due by them."""


def attached_before(message: Message) -> str:
    """Attached files as they stand in front of a message, a blank line behind each."""
    files = message.extra.get("files") if message.extra else None
    attached = [item.get("text") for item in files if isinstance(item, dict)] if isinstance(files, list) else []
    return "".join(f"{part}\n\n" for part in attached if isinstance(part, str) and part)


def with_attachments(message: Message, text: str) -> str:
    """The text with attached files in front and appended titles behind, each apart by a blank line.

    SillyTavern 1.19: a title of the message itself is appended before those of its media.
    """
    if not message.extra:
        return text
    media = message.extra.get("media")
    holders = [message.extra, *(media if isinstance(media, list) else ())]
    titles = [
        text_of(holder["title"])
        for holder in holders
        if isinstance(holder, Mapping) and truthy(holder.get("append_title")) and truthy(holder.get("title"))
    ]
    return "\n\n".join((attached_before(message) + text, *titles))


def _alike(left: str, right: str) -> int:
    """How many characters two texts share from their start."""
    return next(
        (place for place, pair in enumerate(zip(left, right, strict=False)) if pair[0] != pair[1]),
        min(len(left), len(right)),
    )


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
        self._other = cast.speaker.name if cast.speaker else NEUTRAL_NAME
        self.lines: list[str] = []
        self.numbers: list[int] = []
        """For each line the index of its message."""
        self._empty: list[bool] = []
        self._visible = [0]
        self._users = [0]
        for number, message in enumerate(self.messages):
            if not message.is_hidden:
                whole = self.whole_line(message)
                self._empty.append(not whole)
                self.lines.append(trim(whole))
                self.numbers.append(number)
            self._visible.append(len(self.lines))
            self._users.append(self._users[-1] + message.is_user)

    def silent(self, first: str | None) -> int:
        """How many lines at the beginning are empty without trimming; `first` stands in for the first one."""
        count = 0
        for empty in self._empty:
            if not (empty if count or first is None else not first):
                break
            count += 1
        return count

    def name_of(self, message: Message) -> str:
        """Who speaks."""
        if message.name is not None:
            return message.name
        return self._user if message.is_user else self._other

    def whole_line(self, message: Message, text: str | None = None) -> str:
        """One string of a scan: the message with its name, as the setting says."""
        body = with_attachments(message, message.text if text is None else text)
        return f"{self.name_of(message)}: {body}" if self.include_names else body

    def line(self, message: Message) -> str:
        """One line of the buffer: named and trimmed."""
        return trim(self.whole_line(message))

    def own_span(self, number: int, line: str, start: int, end: int) -> tuple[int, int] | None:
        """A span of a scan line as a span of the message's own text; None if it lies outside (name, file, title).

        Args:
            number: index of the message in the transcript.
            line: the line that was scanned; the first one may have had macros, then spans next to them are lost.
            start: offset in the line.
            end: offset in the line, behind the last character.
        """
        message = self.messages[number]
        plain = self.line(message)
        if line != plain and end > _alike(line, plain):
            if start < len(line) - _alike(line[::-1], plain[::-1]):
                return None
            start, end = start + len(plain) - len(line), end + len(plain) - len(line)
        before = (f"{self.name_of(message)}: " if self.include_names else "") + attached_before(message)
        whole = before + message.text
        begins = len(before) - (len(whole) - len(whole.lstrip(WHITE_SPACE)))
        first, last = max(0, start - begins), min(len(message.text), end - begins)
        return (first, last) if first < last else None

    def extent(self, upto: int, trigger: str, *, dry_run: bool) -> Extent:
        """What a generation after `upto` messages sees.

        SillyTavern 1.19: `regenerate` first takes the last message away unless a user wrote it; `swipe` scans without
        the last visible one.
        """
        upto = max(0, min(upto, len(self.messages)))
        if trigger == "regenerate" and not dry_run and upto and not self.messages[upto - 1].is_user:
            upto -= 1
        visible = self._visible[upto]
        if trigger == "swipe" and visible:
            visible -= 1
        return Extent(upto, visible, self._users[upto])
