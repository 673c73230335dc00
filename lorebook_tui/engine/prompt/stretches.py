"""A text of known origins cut into what people read as one piece: content with the words that frame it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.sources import Source, source_of
from lorebook_tui.engine.prompt.traced import OriginKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.prompt.traced import Origin

_FIRST_LINE_END = re.compile(r"\n+")

Part = tuple[str, "Origin"]


@dataclass(slots=True)
class Stretch:
    """One content, with the frames in front of it and behind it."""

    origin: Origin
    """Of the content; of the first part if it is nothing but frame."""
    own: str
    """The content alone."""
    parts: list[Part] = field(default_factory=list)
    """Everything, in reading order."""

    @property
    def ends_line(self) -> bool:
        """Whether what follows begins a line."""
        return self.parts[-1][0].endswith("\n")


def stretches(parts: Sequence[Part]) -> list[Stretch]:
    """The pieces of a text; together they are the whole text.

    A name belongs to what follows, a line end to what went before; of a template's words between two contents what
    stands up to the first line end closes the one, the rest opens the other. Markers are pieces of their own.
    """
    found: list[Stretch] = []
    waiting: list[Part] = []
    last_content = max((place for place, (_, origin) in enumerate(parts) if not _is_frame(origin)), default=-1)
    for place, (text, origin) in enumerate(parts):
        if not _is_frame(origin):
            found.append(Stretch(origin, text, [*waiting, (text, origin)]))
            waiting = []
            continue
        closing, opening = _shared(text, origin, found[-1].ends_line) if found and not waiting else ("", text)
        if closing:
            found[-1].parts.append((closing, origin))
        if opening:
            waiting.append((opening, origin))
        if waiting and place > last_content and place == len(parts) - 1:
            found.append(Stretch(waiting[0][1], "".join(text for text, _ in waiting), waiting))
    return found


def _is_frame(origin: Origin) -> bool:
    """Whether a text only frames others. A marker is content of its own."""
    return source_of(origin) is Source.MARKER and origin.kind is not OriginKind.PROMPT and origin.name != "chat_start"


def _shared(text: str, origin: Origin, at_line_start: bool) -> tuple[str, str]:
    """What of a frame closes the content before, and what opens the one behind."""
    if origin.kind is OriginKind.JOINT:
        return text, ""
    if origin.kind is OriginKind.NAME or at_line_start:
        return "", text
    line_end = _FIRST_LINE_END.search(text)
    return (text[: line_end.end()], text[line_end.end() :]) if line_end else (text, "")
