"""Edits of a plain transcript: the passage of one message is written anew, every other character stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.formats.chat_text import passages, speaker_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.formats.chat_text import Passage
    from lorebook_tui.formats.chat_values import MessageChange
    from lorebook_tui.model.transcript import Message

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_BODY: Final = re.compile(r"((?:\r\n|\r|\n)*)(.*?)((?:\r\n|\r|\n)*)", re.DOTALL)
_ELSEWHERE: Final = "A branch of the chat is a SillyTavern chat, which can hold it."


def changed(text: str, number: int, change: MessageChange) -> str:
    """The transcript with something about one message changed.

    Raises:
        UsageError: a plain transcript has no place for that.
    """
    if change.swipe is not None:
        raise UsageError("The message has no swipes.", hint="Only SillyTavern's chats keep them.")
    if change.is_hidden:
        raise UsageError("A plain transcript has no hidden messages.", hint=_ELSEWHERE)
    place = passages(text)[number]
    made = text
    if change.text is not None:
        made = text[: place.body] + _body(text, place, change.text) + text[place.end :]
    if change.name is not None:
        _check_name(change.name)
        made = made[: place.name_start] + change.name + made[place.name_end :]
    return made


def with_messages(text: str, before: int, messages: Sequence[Message]) -> str:
    """The transcript with new messages in front of a place.

    Raises:
        UsageError: a plain transcript has no place for such a message.
    """
    listed = passages(text)
    gap = _gap(text, listed)
    made = []
    for message in messages:
        if message.is_hidden:
            raise UsageError("A plain transcript has no hidden messages.", hint=_ELSEWHERE)
        name = message.name or ""
        _check_name(name)
        is_bold = bool(listed) and text.startswith("**", listed[0].start)
        lead = f"**{name}:** " if is_bold else f"{name}: "
        made.append(lead + _lines(message.text, _line_end(text)))
    if before < len(listed):
        start = listed[before].start
        return text[:start] + "".join(part + gap for part in made) + text[start:]
    body = text.rstrip("\r\n")
    return gap.join((body, *made)) + text[len(body) :]


def without(text: str, numbers: Sequence[int]) -> str:
    """The transcript without some messages.

    Raises:
        UsageError: nothing would be left.
    """
    listed = passages(text)
    if len(numbers) == len(listed):
        raise UsageError("A plain transcript without any message would be no chat.", hint="Leave one, or branch it.")
    made = text
    for number in reversed(numbers):
        place = listed[number]
        made = made[: place.start] + made[place.end :]
    if len(listed) - 1 in numbers:
        end = text[len(text.rstrip("\r\n")) :]
        made = made.rstrip("\r\n") + end
    return made


def _body(text: str, place: Passage, said: str) -> str:
    """What stands behind the name, with the line ends around it as they were."""
    match = _BODY.fullmatch(text, place.body, place.end)
    before, after = (match[1], match[3]) if match else ("", "")
    if not match or not match[2]:
        before, after = "", before + after
    lines = _lines(said, _line_end(text))
    gap = " " if lines and not before and text[place.body - 1] == ":" else ""
    return before + gap + lines + after


def _lines(said: str, end: str) -> str:
    """A text of a message as lines of the file.

    Raises:
        UsageError: a line of it would be taken for another message.
    """
    lines = _LINE_END.split(said.strip("\r\n"))
    for line in lines[1:]:
        if speaker_of(line):
            raise UsageError(
                "In a plain transcript a line that begins with a name and a colon is another message.",
                found=line[:60],
                hint=_ELSEWHERE,
            )
    return end.join(lines)


def _check_name(name: str) -> None:
    if not name or speaker_of(f"{name}: x") != name:
        raise UsageError(
            "A plain transcript cannot have a speaker of that name.",
            expected="up to four words without signs",
            found=name or "no name",
            hint=_ELSEWHERE,
        )


def _line_end(text: str) -> str:
    found = _LINE_END.search(text)
    return found.group() if found else "\n"


def _gap(text: str, listed: Sequence[Passage]) -> str:
    """What stands between two messages: as between the first two."""
    end = _line_end(text)
    if len(listed) > 1:
        body = text[listed[0].start : listed[0].end]
        return body[len(body.rstrip("\r\n")) :] or end
    return end
