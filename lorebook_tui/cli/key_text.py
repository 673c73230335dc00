"""A key tried on a text, for people: each way of looking with its hits underlined, or the reason why there are none."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import cell_width, elide, plain
from lorebook_tui.engine.key_modes import key_modes
from lorebook_tui.engine.macros import MacroEnvironment, substitute
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.key_modes import KeyMode

_LABEL_CELLS: Final = 26
_LINES_SHOWN: Final = 3
_LEAD: Final = 24
"""Characters kept before the first hit of a line that is too long."""


def resolved(key: str, user: str, char: str) -> str:
    """The key with its macros replaced, as the scan reads it."""
    return substitute(key, MacroEnvironment(user=user, char=char))


@dataclass(frozen=True, slots=True)
class Tried:
    """A key and a text, and every way of looking."""

    written: str
    key: str
    """Macros replaced."""
    text: str
    modes: tuple[KeyMode, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "modes", key_modes(self.key, self.text))

    @property
    def matches(self) -> bool:
        """Whether a fresh SillyTavern would find the key; white space alone matches everything."""
        if not trim(self.key):
            return bool(self.key)
        return any(mode.matched for mode in self.modes if mode.decides)

    def as_json(self) -> dict[str, Any]:
        """Everything for tools."""
        return {
            "key": self.written,
            "resolved": self.key,
            "matches": self.matches,
            "modes": [
                {
                    "name": mode.name,
                    "label": mode.label,
                    "decides": mode.decides,
                    "matched": mode.matched,
                    "hits": [{"start": start, "end": end, "found": self.text[start:end]} for start, end in mode.spans],
                    "note": mode.note or None,
                }
                for mode in self.modes
            ],
        }


def write_tried(tried: Tried, writer: Writer) -> None:
    """The key, then one block per way of looking."""
    note = f"macros give {plain(tried.key)}" if tried.key != tried.written else ""
    writer.heading(elide(tried.written, writer.width // 2), note)
    if not trim(tried.key):
        told = "White space only: it matches every text." if tried.key else "An empty key never matches."
        writer.line(told)
        return
    for modes in alike(tried.modes):
        writer.line()
        for mode in modes:
            _write_label(mode, writer)
        _write_hits(tried.text, modes[0], writer)


def alike(modes: Iterable[KeyMode]) -> list[list[KeyMode]]:
    """Modes in groups: neighbours that fail for the same reason, or find the same hits, are told of together."""
    groups: list[list[KeyMode]] = []
    for mode in modes:
        if groups and (groups[-1][0].spans, groups[-1][0].note) == (mode.spans, mode.note):
            groups[-1].append(mode)
        else:
            groups.append([mode])
    return groups


def _write_label(mode: KeyMode, writer: Writer) -> None:
    from lorebook_tui.glyphs import Mark  # noqa: PLC0415 - only where marks are shown

    count = len(mode.spans)
    hits = "no hit" if not count else "1 hit" if count == 1 else f"{count} hits"
    yes = writer.styled(writer.glyphs.mark(Mark.IN), "good")
    sign = yes if mode.matched else writer.styled("-" if writer.glyphs.letters else "×", "bad")
    label = elide(mode.label, max(_LABEL_CELLS, writer.width - 40))
    gap = " " * max(1, _LABEL_CELLS - cell_width(label))
    tail = "   what a fresh SillyTavern does" if mode.decides else ""
    writer.line(f"{sign} {writer.styled(label, 'bold')}{gap}{hits}{writer.styled(tail, 'faint')}")


def _write_hits(text: str, mode: KeyMode, writer: Writer) -> None:
    if mode.note:
        writer.wrapped(plain(mode.note, " "), indent="    ")
    lines = list(marked_lines(text, mode.spans, writer.width - 4))
    for shown, carets in lines[:_LINES_SHOWN]:
        writer.line(f"    {shown}")
        writer.line(f"    {writer.styled(carets, 'good')}")
    if len(lines) > _LINES_SHOWN:
        writer.line(writer.styled(f"    and {len(lines) - _LINES_SHOWN} more lines", "faint"))


def marked_lines(text: str, spans: tuple[tuple[int, int], ...], cells: int) -> Iterator[tuple[str, str]]:
    """The lines with hits, made safe to show, each with a line of carets under the hits.

    Args:
        text: what was searched.
        spans: offsets into it.
        cells: greatest width; of longer lines a part around the first hit is shown.
    """
    position = 0
    for line in text.split("\n"):
        end = position + len(line)
        own = [(max(start, position) - position, min(stop, end) - position) for start, stop in spans
               if start <= end and (stop > position or start == stop >= position)]  # fmt: skip
        if own:
            yield _marked(line, own, cells)
        position = end + 1


def _marked(line: str, spans: list[tuple[int, int]], cells: int) -> tuple[str, str]:
    shown = plain(line, " ")
    first = 0
    if cell_width(shown) > cells and spans[0][0] > _LEAD:
        first = spans[0][0] - _LEAD
    front = "…" if first else ""
    visible = front + elide(shown[first:], cells - len(front))
    carets = ""
    for start, stop in spans:
        if start < first:
            continue
        column = len(front) + cell_width(shown[first:start])
        width = max(1, cell_width(shown[start:stop]))
        if column >= cell_width(visible):
            break
        carets = carets.ljust(column) + "^" * min(width, cell_width(visible) - column)
    return visible, carets
