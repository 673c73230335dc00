"""What the commands write with: data to standard output, narration to standard error, colour only on a terminal.

Foreign text goes through `display` before it comes here; JSON is made safe here.
"""

from __future__ import annotations

import codecs
import json
import os
import shutil
import sys
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Self, TextIO

from lorebook_tui.display import cell_width, elide, pad, plain, simple_emoji

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.errors import LorebookError
    from lorebook_tui.glyphs import Glyphs

_CODES: Final = {
    "bold": "1",
    "faint": "2",
    "good": "32",
    "bad": "31",
    "warn": "33",
    "info": "36",
    "title": "1;36",
    "hit": "30;43",
    "source-entry": "32",
    "source-card": "35",
    "source-persona": "34",
    "source-note": "33",
    "source-prompt": "36",
    "source-extension": "94",
    "source-marker": "2",
}
"""Styles by what they mean, as terminal attributes of the sixteen colours that every theme defines."""
_WIDTH: Final = 100
_NARROWEST: Final = 40
_GAP: Final = "  "
_LEAST_REST: Final = 8
_PATIENCE: Final = 0.7
"""Seconds before long work shows how far it is."""
_REDRAW: Final = 0.1
_PROGRESS_CELLS: Final = 24
_STAND_INS: Final = "lorebook-stand-ins"
_ASCII: Final = dict(zip("“”‘’…·−–→×≈", "\"\"''~.-->x~", strict=True))


@dataclass(frozen=True)
class Writer:
    """One command's output.

    Args:
        colour: whether standard output gets colour.
        error_colour: whether standard error does.
        width: cells of a line.
    """

    colour: bool = False
    error_colour: bool = False
    width: int = _WIDTH
    out: TextIO = field(default_factory=lambda: sys.stdout)
    error: TextIO = field(default_factory=lambda: sys.stderr)

    @classmethod
    def for_terminal(cls, *, no_color: bool = False) -> Writer:
        """As the terminal, the environment and the option say."""
        forbidden = no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
        if os.name == "nt" and not forbidden:
            os.system("")  # noqa: S605, S607 - an empty command switches the old Windows console to escape sequences
        return cls(
            colour=not forbidden and sys.stdout.isatty(),
            error_colour=not forbidden and sys.stderr.isatty(),
            width=_terminal_width(),
        )

    @cached_property
    def glyphs(self) -> Glyphs:
        """The signs that the output can show."""
        from lorebook_tui.glyphs import Glyphs  # noqa: PLC0415 - not needed for plain text and JSON
        from lorebook_tui.tui.terminal import wants_letters  # noqa: PLC0415 - as above

        environment = os.environ if self.out.isatty() else {}
        return Glyphs(letters=wants_letters(environment, getattr(self.out, "encoding", None) or "utf-8"))

    def styled(self, text: str, style: str) -> str:
        """The text in a style, or as it is where there is no colour."""
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and style and text else text

    def line(self, text: str = "") -> None:
        """One line of data."""
        self.out.write(f"{text}\n")

    def wrapped(self, text: str, *, indent: str = "", hang: str | None = None, style: str = "") -> None:
        """A paragraph of data, broken between words."""
        for line in wrap(text, self.width, indent, indent if hang is None else hang):
            self.line(self.styled(line, style))

    def heading(self, text: str, note: str = "") -> None:
        """A title over a section, with a quiet note behind it as far as there is room. Both are safe to show."""
        shown = elide(text, self.width)
        quiet = elide(note, max(_LEAST_REST, self.width - cell_width(shown) - len(_GAP)))
        self.line(self.styled(shown, "title") + (f"{_GAP}{self.styled(quiet, 'faint')}" if note else ""))

    def json(self, value: Any) -> None:
        """One JSON document, indented; nothing in it can act on a terminal."""
        text = json.dumps(value, indent=2, ensure_ascii=not _is_utf8(self.out), allow_nan=False)
        self.line(safe_json(text))

    def narrate(self, text: str) -> None:
        """Something for the user that is no data."""
        self.error.write(f"{text}\n")

    def table(
        self, rows: Sequence[Sequence[str]], *, right: Iterable[int] = (), indent: str = "", has_head: bool = False
    ) -> None:
        """Columns as wide as their widest cell; the last one takes the rest of the line. Cells are shown safely.

        Args:
            rows: cells as text.
            right: numbers of columns that are aligned to the right.
            indent: in front of every row.
            has_head: the first row names the columns.
        """
        if not rows:
            return
        aligned = set(right)
        count = max(len(cells) for cells in rows)
        widths = [
            max(cell_width(plain(cells[place])) for cells in rows if place < len(cells)) for place in range(count)
        ]
        fixed = sum(widths[:-1]) + len(_GAP) * (count - 1) + cell_width(indent)
        widths[-1] = max(_LEAST_REST, min(widths[-1], self.width - fixed))
        for number, cells in enumerate(rows):
            padded = [
                pad(cell, widths[place], align="right" if place in aligned else "left")
                for place, cell in enumerate(cells)
            ]
            text = (indent + _GAP.join(padded)).rstrip()
            self.line(self.styled(text, "faint" if has_head and number == 0 else ""))


class Progress:
    """How far long work is, on one line of standard error; silent where that is no terminal or the work is short.

    Args:
        writer: writes the line.
        label: what is being done.
        total: the number at which it is done.
    """

    def __init__(self, writer: Writer, label: str, total: int) -> None:
        self._writer = writer
        self._label = label
        self._total = max(1, total)
        self._next = time.monotonic() + _PATIENCE if writer.error.isatty() else None
        self._is_shown = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_shown:
            self._writer.error.write("\r" + " " * (self._writer.width - 1) + "\r")

    def __call__(self, done: int) -> None:
        """Tell that so much is done."""
        now = time.monotonic()
        if self._next is None or now < self._next:
            return
        self._next = now + _REDRAW
        self._is_shown = True
        filled = _PROGRESS_CELLS * min(done, self._total) // self._total
        bar = "#" * filled + "." * (_PROGRESS_CELLS - filled)
        self._writer.error.write(f"\r{elide(f'{self._label} [{bar}] {done} of {self._total}', self._writer.width - 1)}")
        self._writer.error.flush()


def wrap(text: str, width: int, indent: str = "", hang: str = "") -> list[str]:
    """A safe text in lines of at most so many cells, words kept whole where they fit.

    Args:
        text: went through `display.plain`.
        width: cells of a line, indent included.
        indent: in front of the first line.
        hang: in front of the others.
    """
    from lorebook_tui.tui.ink import wrap as ranges  # noqa: PLC0415 - nothing is wrapped for `--help`

    width = max(width, _NARROWEST)
    lines = [text[start:end] for start, end in ranges(text, width - cell_width(indent), width - cell_width(hang))]
    return [f"{hang if number else indent}{line}".rstrip() for number, line in enumerate(lines)]


def _terminal_width() -> int:
    """Columns of the terminal, or those of `COLUMNS`; where there is neither, 100."""
    return max(_NARROWEST, shutil.get_terminal_size((_WIDTH, 24)).columns)


def _is_utf8(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "").replace("_", "") == "utf8"


def safe_json(text: str) -> str:
    r"""JSON text in which everything invisible or misleading is written as `\uXXXX`."""
    if text.isascii() and "\x7f" not in text:
        return text
    shown = plain(text, "\n")
    if shown == text:
        return text
    return "".join(char if char == picture else _escaped(char) for char, picture in zip(text, shown, strict=True))


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1] if ord(char) > 0x7F else f"\\u{ord(char):04x}"  # noqa: PLR2004 - beyond ASCII


def show_error(error: LorebookError, writer: Writer) -> None:
    """One block on standard error: what is wrong, where, what was expected and found, and what can be done."""

    def styled(text: str, style: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if writer.error_colour else text

    writer.narrate(f"{styled(error.code, 'bad')}: {styled(plain(error.message, ' '), 'bold')}")
    for label, text in (
        ("where", error.where),
        ("expected", error.expected),
        ("found", error.found),
        ("hint", error.hint),
    ):
        for number, line in enumerate(plain(text, "\n").split("\n") if text else ()):
            lines = wrap(line, writer.width, f"  {'' if number else label:<8}  ", " " * 12)
            writer.narrate("\n".join(lines))


def prepare_streams() -> None:
    """Let no character break the output: what the console cannot show gets a stand-in of one cell."""
    codecs.register_error(_STAND_INS, _stand_in)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace" if _is_utf8(stream) else _STAND_INS)


def _stand_in(error: UnicodeError) -> tuple[str, int]:
    """The ASCII that stands for our own signs; a question mark for everything else."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(char, "?") for char in error.object[error.start : error.end]), error.end


def safe_row(text: str, cells: int) -> str:
    """Foreign text as part of a line of at most so many cells, emoji cut to what every terminal measures alike."""
    return elide(simple_emoji(text), cells)
