"""What goes into one scan: lines, extra sources, injected prompts, and the author's note of this generation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.trace import NoteResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.model.cast import AuthorsNote

MOST_LINES = 1000


@dataclass(frozen=True, slots=True)
class ScannedPrompt:
    """An injected prompt that is searched for keys, macros replaced, not empty."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class TurnInput:
    """The arguments of one scan."""

    upto: int
    trigger: str
    """The trigger that entries see: `normal` if the kind of generation is none of the six."""
    dry_run: bool
    length: int
    """Number of strings handed to the scan."""
    lines: Sequence[str]
    """Trimmed lines, oldest first; only the first `length` exist."""
    numbers: Sequence[int]
    first_line: str | None
    """Replaces `lines[0]`: the first message after its macros were replaced."""
    silent: int
    """Empty lines at the beginning: an empty message keeps its place in SillyTavern 1.19, but not the oldest ones."""
    sources: Mapping[str, str]
    prompts: tuple[ScannedPrompt, ...]
    max_context: int
    note: NoteResult
    """The author's note before lore is added."""

    def newest(self, count: int) -> tuple[str, ...]:
        """The newest lines, newest first; no more than a scan ever reads."""
        oldest = max(self.silent, self.length - min(count, MOST_LINES))
        lines = list(self.lines[oldest : self.length])
        if oldest == 0 and lines and self.first_line is not None:
            lines[0] = self.first_line
        lines.reverse()
        return tuple(lines)

    def newest_numbers(self, count: int) -> tuple[int, ...]:
        """The transcript indices of the same lines."""
        oldest = max(self.silent, self.length - min(count, MOST_LINES))
        return tuple(reversed(self.numbers[oldest : self.length]))


NOTE_OFF_POSITION, NOTE_OFF_DEPTH = -1, 10_000


def floating_note(note: AuthorsNote, users: int, *, scan: bool, has_cast: bool) -> NoteResult:
    """The author's note of this generation before lore is added; `merged` tells whether it is due.

    SillyTavern 1.19: interval 1, or a number of user messages that is a multiple of it; without any user message
    (unless the interval is 1) or with an interval below 1 the note is off. It needs a card or group. The character's
    own note stands before it, after it, or in its place. The chat's note is read from its text field, which makes every
    line end a line feed.
    """
    if not has_cast:
        return NoteResult("", note.position, note.depth, note.role, scan=scan, merged=False, exists=False)
    if note.interval <= 0 or (note.interval != 1 and users <= 0):
        return NoteResult("", NOTE_OFF_POSITION, NOTE_OFF_DEPTH, 0, scan=False, merged=False)
    due = note.interval == 1 or users % note.interval == 0
    prompt = note.prompt.replace("\r\n", "\n").replace("\r", "\n") if due else ""
    if due and note.use_character:
        prompt = {
            1: f"{note.character_prompt}\n{prompt}",
            2: f"{prompt}\n{note.character_prompt}",
        }.get(note.character_position, note.character_prompt)
    return NoteResult(prompt, note.position, note.depth, note.role, scan=scan, merged=due)


def merged_note(note: NoteResult, top: Sequence[str], bottom: Sequence[str]) -> NoteResult:
    """The note with its lore above and below; one line feed at either end taken away."""
    value = "\n".join(top) + "\n" + note.value + "\n" + "\n".join(bottom)
    return replace(note, value=value.removeprefix("\n").removesuffix("\n"))
