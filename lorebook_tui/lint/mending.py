"""Mends a text that is almost JSON: every slip with its place and cause, and the characters that would put it right.

Nothing that says something is dropped: texts, names and numbers stay as they are, only what stands around them changes.
Comments alone go, because JSON has no place for them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError
from lorebook_tui.formats.json_text import parse
from lorebook_tui.lint.findings import ReplaceText
from lorebook_tui.lint.mending_words import NUMBER, WORD, mended_number, mended_word
from lorebook_tui.lint.repairs import replaced_text
from lorebook_tui.lint.text_bounds import OPENERS, BadText, text_at

if TYPE_CHECKING:
    from collections.abc import Callable

_SPACE: Final = " \t\r\n"
_BLANK: Final = re.compile(r"[ \t\r\n]+")
_ODD_BLANK: Final = re.compile("[\\s\ufeff\u200b-\u200f\u2060\x00\x1a]+")
_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)|\#[^\n]*", re.DOTALL)
_FENCE: Final = re.compile(r"\s*+(?P<talk>[^`{}\[\]]{1,2000}\n[ \t]*+)?```[a-zA-Z0-9]*[ \t]*\r?\n?")
"""The beginning of a block of Markdown, and what a chat said before it."""
_TALK: Final = re.compile(r'\s*+(?P<talk>)[^`{}\[\]]{1,2000}\n[ \t]*+(?=\{\s*"[^"\n]{1,80}"\s*:)')
"""What a chat said before an object without such a block."""
_BRACKET: Final = re.compile(r"[{}\[\]]")
_BARE_NAME: Final = re.compile(r"[\w$-]+")
_HALF_NAME: Final = re.compile(r'([\w$ -]+)"\s*:')
_BARE_TEXT: Final = re.compile(r"[^,\]}\r\n]+")
_MOST_SLIPS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Slip:
    """One thing that makes a text no JSON."""

    offset: int
    """Character of the text."""
    cause: str
    """A sentence."""
    told: str = ""
    """What would put it right, as an order; "" if nothing safe would."""
    edits: tuple[ReplaceText, ...] = ()


@dataclass(frozen=True, slots=True)
class Mended:
    """What is wrong with a text, and the text put right."""

    slips: tuple[Slip, ...]
    text: str | None
    """None: it cannot be mended without guessing at what was lost."""


class _HopelessError(Exception):
    """No way on from here that loses nothing."""


@dataclass(slots=True)
class _Frame:
    """An object or array that is still open."""

    closer: str
    state: str = "first"
    """`first`, `next` (after a comma), `colon`, `value`, `after` (a value)."""
    comma: int = -1


@dataclass(slots=True)
class _Scanner:
    """Goes once through the text, as lenient as a person."""

    text: str
    last: int
    """Where the text ends, white space aside."""
    swaps: bool = False
    """Whether a bracket of the wrong kind is taken for the right one, instead of a sign that one is missing."""
    place: int = 0
    end: int = 0
    """Where the last token ended."""
    is_fenced: bool = False
    """Whether it began as a block of Markdown, so that what follows the block is no part of it."""
    is_talk: bool = False  # it began with talk and no such block: talk may follow
    slips: list[Slip] = field(default_factory=list)
    stack: list[_Frame] = field(default_factory=list)

    def run(self) -> None:
        """All of it; ends early where there is no way on."""
        fence = _FENCE.match(self.text)
        if before := fence or _TALK.match(self.text):
            what = "Talk stands" if fence is None else "A line of Markdown stands"
            what = "Talk and a line of Markdown stand" if before["talk"] else what
            self.drop(before.start(), before.end(), f"{what} before the JSON.", "delete it")
            self.is_fenced, self.is_talk = fence is not None, fence is None
            self.place = self.end = before.end()
        self.skip()
        if self.place < len(self.text):
            self.value()
        while self.stack:
            self.skip()
            if self.place >= len(self.text):
                self.close_all()
                return
            self.step(self.stack[-1])
            if len(self.slips) > _MOST_SLIPS:
                raise _HopelessError
        self.rest()

    def slip(self, offset: int, cause: str, told: str = "", *edits: ReplaceText) -> None:
        """Note something."""
        self.slips.append(Slip(offset, cause, told, edits))

    def drop(self, start: int, end: int, cause: str, told: str) -> None:
        """Note characters that have to go."""
        self.slip(start, cause, told, ReplaceText(start, end, ""))

    def insert(self, offset: int, text: str, cause: str, told: str, seen: int | None = None) -> None:
        """Note characters that are missing; `seen` is where that shows."""
        self.slip(offset if seen is None else seen, cause, told, ReplaceText(offset, offset, text))

    def skip(self) -> None:
        """Go on to the next token; comments and blanks that JSON does not know are noted."""
        while self.place < len(self.text):
            if blank := _BLANK.match(self.text, self.place):
                self.place = blank.end()
            elif odd := _ODD_BLANK.match(self.text, self.place):
                sign = f"U+{ord(odd.group()[0]):04X}"
                cause = f"A character that cannot be seen ({sign}) stands between the parts of the JSON."
                self.drop(odd.start(), odd.end(), cause, "delete it")
                self.place = odd.end()
            elif comment := _COMMENT.match(self.text, self.place):
                self.drop(comment.start(), comment.end(), "This is a comment, which JSON does not have.", "delete it")
                self.place = comment.end()
            else:
                return

    def step(self, frame: _Frame) -> None:
        """One token inside an object or array."""
        char = self.text[self.place]
        if char in "}]":
            self.closed(frame, char)
        elif frame.state == "after":
            self.after(frame, char)
        elif char in ",;":
            self.extra_comma(frame)
        elif frame.closer == "]":
            self.value()
        elif frame.state == "colon":
            self.colon(frame, char)
        elif frame.state == "value":
            self.in_value(char)
        else:
            self.name(frame, char)

    def after(self, frame: _Frame, char: str) -> None:
        """What follows a value: a comma, or something that stands for one."""
        if char == ",":
            frame.state, frame.comma = "next", self.place
            self.place += 1
            self.end = self.place
        elif char == ";":
            edit = ReplaceText(self.place, self.place + 1, ",")
            self.slip(self.place, "A semicolon stands where a comma belongs.", "write a comma", edit)
            frame.state, frame.comma = "next", self.place
            self.place += 1
            self.end = self.place
        elif char == ":":
            raise _HopelessError
        else:
            self.insert(self.end, ",", "A comma is missing before this.", "add the comma", self.place)
            frame.state, frame.comma = "next", -1

    def extra_comma(self, frame: _Frame) -> None:
        """A comma where a name or value belongs."""
        if frame.state == "colon":
            self.insert(self.end, ": null", "This name has no value.", "give it the value null", self.end - 1)
            frame.state = "after"
        elif frame.state == "value":
            self.insert(self.end, " null", "There is no value after the colon.", "write null", self.end - 1)
            frame.state = "after"
        else:
            self.drop(self.place, self.place + 1, "There is a comma too many.", "delete it")
            self.place += 1

    def closed(self, frame: _Frame, char: str) -> None:
        """A closing bracket, of this frame or not."""
        if char != frame.closer:
            if not any(other.closer == char for other in self.stack):
                self.drop(self.place, self.place + 1, f'There is a "{char}" too many.', "delete it")
                self.place += 1
                return
            if self.swaps:
                self.swapped(frame, char)
                return
            text = self.completion(frame) + frame.closer
            cause = f'A "{frame.closer}" is missing before this.'
            self.insert(self.end, text, cause, f'add "{frame.closer}"', self.place)
            self.pop()
            return
        ending = self.completion(frame)
        if ending:
            self.insert(self.end, ending, "There is no value.", "write null", self.end - 1)
        self.place += 1
        self.end = self.place
        self.pop()

    def swapped(self, frame: _Frame, char: str) -> None:
        """A bracket of the wrong kind."""
        text = self.completion(frame) + frame.closer
        cause = f'A "{char}" stands where a "{frame.closer}" belongs.'
        self.slip(self.place, cause, f'write "{frame.closer}"', ReplaceText(self.place, self.place + 1, text))
        self.place += 1
        self.end = self.place
        self.pop()

    def completion(self, frame: _Frame) -> str:
        """What an object lacks that ends here; a comma before its end is dropped."""
        if frame.state == "next" and frame.comma >= 0:
            cause = "There is a comma after the last item, before the end."
            self.drop(frame.comma, frame.comma + 1, cause, "delete it")
        return {"colon": ": null", "value": " null"}.get(frame.state, "")

    def pop(self) -> None:
        """The frame has ended; it was a value of the one around it."""
        self.stack.pop()
        if self.stack:
            self.stack[-1].state = "after"

    def close_all(self) -> None:
        """The text ends while something is open."""
        closers = ""
        while self.stack:
            frame = self.stack.pop()
            closers += self.completion(frame) + frame.closer
            if self.stack:
                self.stack[-1].state = "after"
        cause = "The text ends before it is complete: the file may have been cut off, so look for a longer copy."
        self.insert(self.end, closers, cause, "close what is open", max(0, self.last - 1))

    def colon(self, frame: _Frame, char: str) -> None:
        """What stands between name and value."""
        if char == ":":
            self.place += 1
        elif char == "=":
            length = 2 if self.text.startswith("=>", self.place) else 1
            edit = ReplaceText(self.place, self.place + length, ":")
            self.slip(self.place, "An equals sign stands where a colon belongs.", "write a colon", edit)
            self.place += length
        else:
            self.insert(self.end, ":", "A colon is missing after the name.", "add the colon", self.place)
        self.end = self.place if char in ":=" else self.end
        frame.state = "value"

    def in_value(self, char: str) -> None:
        """The value of a member."""
        if char == ":":
            self.drop(self.place, self.place + 1, "There is a colon too many.", "delete it")
            self.place += 1
        else:
            self.value()

    def name(self, frame: _Frame, char: str) -> None:
        """The name of a member."""
        if char in OPENERS:
            self.string("name")
        elif half := _HALF_NAME.match(self.text, self.place):
            self.insert(self.place, '"', 'The " before this name is missing.', "add it")
            self.place = self.end = half.end(1) + 1
        elif bare := _BARE_NAME.match(self.text, self.place):
            edits = (ReplaceText(bare.start(), bare.start(), '"'), ReplaceText(bare.end(), bare.end(), '"'))
            cause = f"The name {bare.group()[:40]} stands without quotation marks."
            self.slip(bare.start(), cause, "put it into double quotes", *edits)
            self.place = self.end = bare.end()
        else:
            raise _HopelessError
        frame.state = "colon"

    def value(self) -> None:
        """A value, or the beginning of one."""
        char = self.text[self.place]
        frame = self.stack[-1] if self.stack else None
        if char in "{[":
            self.stack.append(_Frame("}" if char == "{" else "]"))
            self.place += 1
            self.end = self.place
            return
        if char in OPENERS:
            self.string({"}": "member", "]": "item"}[frame.closer] if frame else "all")
        elif number := NUMBER.match(self.text, self.place):
            self.token(number, mended_number(number.group()))
        elif word := WORD.match(self.text, self.place):
            self.word(word)
        else:
            raise _HopelessError
        if frame:
            frame.state = "after"

    def token(self, match: re.Match[str], mended: tuple[str, str] | None) -> None:
        """A number or word, and what it should be."""
        if mended is not None:
            right, cause = mended
            self.slip(match.start(), cause, f"write {right}", ReplaceText(match.start(), match.end(), right))
        self.place = self.end = match.end()

    def word(self, word: re.Match[str]) -> None:
        """`true`, `false`, `null`, what other languages say for them, or a text without quotation marks."""
        mended = mended_word(word.group(), is_last=word.end() == self.last)
        if mended is not None:
            self.token(word, None if mended[0] == word.group() else mended)
            return
        bare = _BARE_TEXT.match(self.text, self.place)
        assert bare is not None  # noqa: S101 - it begins with a letter
        end = bare.start() + len(bare.group().rstrip())
        inside = bare.group().rstrip()
        cause = f"The text {quote(inside[:40])} stands without quotation marks."
        inner = tuple(
            ReplaceText(end_, end_, "\\") for end_ in (bare.start() + m.start() for m in re.finditer(r'["\\]', inside))
        )
        edits = (ReplaceText(bare.start(), bare.start(), '"'), *inner, ReplaceText(end, end, '"'))
        self.slip(bare.start(), cause, "put it into double quotes", *edits)
        self.place = self.end = end

    def string(self, role: str) -> None:
        """A text in quotation marks of any kind."""
        found = text_at(self.text, self.place, role)
        self._note(found.faults)
        self.place = self.end = found.end

    def _note(self, faults: tuple[BadText, ...]) -> None:
        for fault in faults:
            self.slip(fault.offset, fault.cause, fault.told, *fault.edits)

    def rest(self) -> None:
        """What stands after the end of the value."""
        first = self.text[: self.end].strip()
        while len(self.slips) <= _MOST_SLIPS:
            self.skip()
            char = self.text[self.place : self.place + 1]
            if not char:
                return
            if char in "}],;":
                self.drop(self.place, self.place + 1, f'There is a "{char}" after the end.', "delete it")
                self.place += 1
            elif self.text.startswith("```", self.place):
                end = len(self.text) if self.is_fenced else self.place + 3
                has_talk = bool(self.text[self.place + 3 : end].strip())
                what = "A line of Markdown and talk stand" if has_talk else "A line of Markdown stands"
                self.drop(self.place, end, f"{what} after the JSON.", "delete it")
                self.place = end
            elif self.is_talk and not _BRACKET.search(self.text, self.place):
                self.drop(self.place, len(self.text), "Talk stands after the JSON.", "delete it")
                return
            elif self.text[self.place :].strip() == first:
                cause = "The whole JSON stands here a second time, letter for letter."
                self.drop(self.place, len(self.text), cause, "delete the copy")
                return
            else:
                what = "A second JSON document begins here" if char in "{[" else "Something that is no JSON follows"
                self.slip(self.place, f"{what} after the end of the first; a file can hold only one.")
                raise _HopelessError
        raise _HopelessError


def mended(text: str) -> Mended:
    """What is wrong with a text that should be JSON, and the text put right and read again."""
    if "\0" in text[:2]:
        cause = "Every second character is a zero byte: the file is UTF-16 without a byte order mark. Save it as UTF-8."
        return Mended((Slip(text.index("\0"), cause),), None)
    readings = []
    for swaps in (False, True):
        scanner = _Scanner(text, len(text.rstrip(_SPACE)), swaps=swaps)
        made = _proved(text, scanner.slips) if _tried(scanner.run) else None
        readings.append(Mended(tuple(sorted(scanner.slips, key=lambda slip: slip.offset)), made))
    best = min(readings, key=lambda each: (each.text is None, len(each.slips)))
    untold = tuple(Slip(slip.offset, slip.cause) for slip in readings[0].slips)
    return best if best.text is not None else Mended(untold, None)


def _proved(text: str, slips: list[Slip]) -> str | None:
    """The text put right, if it can be read then and something had to be put right."""
    made = replaced_text(text, (edit for slip in slips for edit in slip.edits))
    try:
        parse(made)
    except LorebookError:
        return None
    return made if slips else None


def _tried(run: Callable[[], None]) -> bool:
    try:
        run()
    except _HopelessError:
        return False
    return True
