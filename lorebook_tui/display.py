"""The only road from foreign text to a screen: control pictures, cell widths, elision. Knows nobody.

What comes out of here holds no control, no escape, no direction override and nothing invisible. Every replaced
character becomes exactly one other, so offsets (of hits, findings, cursors) stay valid. It does not escape the markup
of Rich or Textual: those receive it as `Text` or `Content`, never as a bare string.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    Side = Literal["start", "middle", "end"]

NEWLINE: Final = "↵"
TAB: Final = "⇥"
UNKNOWN: Final = "�"
INVISIBLE: Final = "¦"
STRAY_MARK: Final = "◌"
LEFTWARD: Final = "⇠"
RIGHTWARD: Final = "⇢"
END_OF_DIRECTION: Final = "⊣"
OTHER_LINE_END: Final = "␤"
ELLIPSIS: Final = "…"

_PICTURES: Final = {
    **{chr(code): chr(0x2400 + code) for code in range(0x20)},
    **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5\u180e", INVISIBLE),
    **dict.fromkeys("\u200f\u061c\u202b\u202e\u2067", LEFTWARD),
    **dict.fromkeys("\u200e\u202a\u202d\u2066\u2068", RIGHTWARD),
    **dict.fromkeys("\u202c\u2069", END_OF_DIRECTION),
    **dict.fromkeys("\x85\u2028\u2029", OTHER_LINE_END),
    "\t": TAB,
    "\x7f": "␡",
}
"""Characters with a picture of their own; other suspects are shown as UNKNOWN."""

_HARMFUL: Final = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    "\U000e01f0-\U000e0fff"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(1 << 16, 17 << 16, 1 << 16))
)
"""Controls, format characters, fillers, surrogates, tags and noncharacters, as the inside of a character class."""

_SELECTORS: Final = "\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180d\u180f"
_MARKS: Final = (
    "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0f71-\u0f84\u1ab0-\u1ace"
    "\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)
"""Marks that can be heaped on a letter until they cover the lines around it."""
_TALLEST_HEAP = 8
_LONGEST_EXCERPT = 240

_WIDENED: Final = (
    "#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u2328\u23cf\u23ed-\u23ef\u23f1\u23f2\u23f8-\u23fa"
    "\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb\u25fc\u2600-\u2604\u260e\u2611\u2618\u261d\u2620\u2622\u2623\u2626\u262a\u262e"
    "\u262f\u2638-\u263a\u2640\u2642\u265f\u2660\u2663\u2665\u2666\u2668\u267b\u267e\u2692\u2694-\u2697\u2699\u269b\u269c"
    "\u26a0\u26a7\u26b0\u26b1\u26c8\u26cf\u26d1\u26d3\u26e9\u26f0\u26f1\u26f4\u26f7-\u26f9\u2702\u2708\u2709\u270c\u270d"
    "\u270f\u2712\u2714\u2716\u271d\u2721\u2733\u2734\u2744\u2747\u2763\u2764\u27a1\u2934\u2935\u2b05-\u2b07\U0001f170"
    "\U0001f171\U0001f17e\U0001f17f\U0001f321\U0001f324-\U0001f32c\U0001f336\U0001f37d\U0001f396\U0001f397"
    "\U0001f399-\U0001f39b\U0001f39e\U0001f39f\U0001f3cb-\U0001f3ce\U0001f3d4-\U0001f3df\U0001f3f3\U0001f3f5\U0001f3f7"
    "\U0001f43f\U0001f441\U0001f4fd\U0001f549\U0001f54a\U0001f56f\U0001f570\U0001f573-\U0001f579\U0001f587"
    "\U0001f58a-\U0001f58d\U0001f590\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4"
    "\U0001f5d1-\U0001f5d3\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa\U0001f6cb"
    "\U0001f6cd-\U0001f6cf\U0001f6e0-\U0001f6e5\U0001f6e9\U0001f6f0\U0001f6f3"
)
"""Narrow characters that the emoji selector makes two cells wide (Unicode 17)."""

_SUSPECT: Final = re.compile(f"[{_HARMFUL}{_SELECTORS}{_MARKS}]")
_MARK: Final = re.compile(f"[{_MARKS}]")
_WIDENED_CHARACTER: Final = re.compile(f"[{_WIDENED}]")
_JOINER: Final = "\u200d"
_EMOJI_SELECTOR: Final = "\ufe0f"
_TEXT_SELECTOR: Final = "\ufe0e"
_EMOJI: Final = "[\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff]"
_DRESS: Final = "[\ufe0e\ufe0f\u20e3\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
_EMOJI_SEQUENCE: Final = re.compile(
    f"({_EMOJI}){_DRESS}*(?:\u200d{_EMOJI}{_DRESS}*)+|({_EMOJI}|[#*0-9](?=\ufe0f)){_DRESS}+"
)


def plain(text: str, newline: str = NEWLINE) -> str:
    """Foreign text as it may be shown: one visible character for each that is a control, invisible or misleading.

    Args:
        text: anything, lone surrogates included.
        newline: what stands for a line feed: one cell, or a line feed where the caller shows lines.

    Returns:
        A text of the same length. `plain` of it is itself.
    """
    if text.isascii() and text.isprintable():
        return text
    shown = _SUSPECT.sub(_shown, text)
    return shown if newline == "\n" else shown.replace("\n", newline)


def _shown(match: re.Match[str]) -> str:
    """What stands for one suspect; marks and selectors are themselves where they belong."""
    char = match.group()
    place = match.start()
    if picture := _PICTURES.get(char):
        return picture
    before = match.string[place - 1] if place else "\n"
    if _MARK.match(char):
        heap = match.string[max(0, place - _TALLEST_HEAP) : place]
        heaped = len(heap) == _TALLEST_HEAP and all(_MARK.match(item) for item in heap)
        return STRAY_MARK if before == "\n" or heaped else char
    if char in "\u180b\u180c\u180d\u180f":
        return char if "\u1800" <= before <= "\u18aa" and before not in "\u180b\u180c\u180d\u180e\u180f" else INVISIBLE
    if "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
        return char if _takes_selector(before, char) else INVISIBLE
    return UNKNOWN


def _takes_selector(base: str, selector: str) -> bool:
    """Whether a variation selector has a meaning after this character; elsewhere it can only hide data."""
    if selector in {_EMOJI_SELECTOR, _TEXT_SELECTOR}:
        return bool(_WIDENED_CHARACTER.match(base)) or (_width_of(base) == 2 and unicodedata.category(base) == "So")  # noqa: PLR2004 - cells
    return unicodedata.category(base) in {"Lo", "Sm", "Po"} and base > "\x7f" and base not in _PICTURES


def quote(value: object) -> str:
    """A foreign text inside of a sentence for people: in quotation marks, as it is written, and harmless.

    A backslash stays one, for patterns are full of them. What is no text is written as Python writes it.
    """
    if not isinstance(value, str):
        return plain(repr(value))
    mark = '"' if "'" in value and '"' not in value else "'"
    return f"{mark}{plain(value)}{mark}"


def simple_emoji(text: str) -> str:
    """The text with each emoji sequence cut to its first emoji, without skin tone, selector or keycap.

    Terminals disagree on the width of sequences; a list whose columns must stand uses this before `plain`.
    """
    return text if text.isascii() else _EMOJI_SEQUENCE.sub(lambda found: found[1] or found[2], text)


@lru_cache(maxsize=8192)
def _width_of(char: str) -> int:
    """Cells of one character by itself: 0, 1 or 2, as Rich 15 and current terminals count."""
    category = unicodedata.category(char)
    if category in {"Cc", "Cf", "Cs", "Mn", "Me", "Mc", "Zl", "Zp"}:
        return 0
    if category == "Cn":
        return 2 if "\U0001f300" <= char <= "\U0001faff" or "\U00020000" <= char <= "\U0003fffd" else 1
    if "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb" or "\U0001f3fb" <= char <= "\U0001f3ff":
        return 0
    if char in "\u3164\uffa0":
        return 0
    if "\u2630" <= char <= "\u2637" or "\u268a" <= char <= "\u268f" or "\u4dc0" <= char <= "\u4dff":
        return 2
    if "\U0001d300" <= char <= "\U0001d376":
        return 2
    return 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1


def _clusters(text: str) -> Iterator[tuple[str, int]]:
    """What must not be cut apart, with its cells: a letter with its marks, an emoji sequence, a flag."""
    cluster, width, index = "", 0, 0
    while index < len(text):
        char = text[index]
        index += 1
        own = _width_of(char)
        if char == _JOINER and cluster and index < len(text):
            cluster += char + text[index]
            index += 1
        elif char == _EMOJI_SELECTOR and cluster:
            width += 1 if width == 1 and _WIDENED_CHARACTER.match(cluster[0]) and _EMOJI_SELECTOR not in cluster else 0
            cluster += char
        elif (own == 0 and cluster) or (_is_regional(char) and len(cluster) == 1 and _is_regional(cluster)):
            cluster, width = cluster + char, width + own
        else:
            if cluster:
                yield cluster, width
            cluster, width = char, own
    if cluster:
        yield cluster, width


def _is_regional(char: str) -> bool:
    """Whether it is one half of a flag."""
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def cell_width(text: str) -> int:
    """Terminal cells that a shown text takes: CJK 2, marks 0, an emoji sequence 2. Controls count 0."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(width for _, width in _clusters(text))


def elide(text: str, cells: int, *, at: Side = "end", newline: str = " ") -> str:
    """One shown line of at most so many cells; what does not fit gives way to an ellipsis at the given side.

    Args:
        text: foreign text; it goes through `plain` here.
        cells: greatest width; 0 or less gives "".
        at: the side that is cut: the end of a title, the start of a path, the middle of a name with a meaningful end.
        newline: what stands for a line feed; never a line feed.
    """
    shown = plain(text, newline)
    if cells <= 0:
        return ""
    if cell_width(shown) <= cells:
        return shown
    room = cells - 1
    head = {"end": room, "start": 0, "middle": (room + 1) // 2}[at]
    parts = [cluster for cluster, _ in _clusters(shown)]
    front = _fitting(parts, head)
    back = _fitting(parts[::-1], room - head)
    return "".join(front) + ELLIPSIS + "".join(back[::-1])


def _fitting(parts: list[str], cells: int) -> list[str]:
    """The leading clusters that fit."""
    kept: list[str] = []
    for part in parts:
        cells -= cell_width(part)
        if cells < 0:
            break
        kept.append(part)
    return kept


def pad(text: str, cells: int, *, align: Literal["left", "right"] = "left", at: Side = "end") -> str:
    """The elided text, filled up with spaces to exactly so many cells."""
    shown = elide(text, cells, at=at)
    blank = " " * max(0, cells - cell_width(shown))
    return blank + shown if align == "right" else shown + blank


def row(text: str, cells: int) -> str:
    """The text as a cell of a list whose columns must stand on every terminal: simple emoji, one line, elided."""
    return elide(simple_emoji(text), cells)


def json_excerpt(value: Any, cells: int = 60) -> str:
    """Any JSON value on one line, for reports; what is too long is cut with an ellipsis inside its brackets."""
    return elide(_excerpt(value, min(cells, _LONGEST_EXCERPT)), cells)


def _excerpt(value: Any, room: int) -> str:
    """JSON text of about so many characters at most, so that no value is too big or too deep."""
    if isinstance(value, str):
        return _quoted(value, room)
    if isinstance(value, dict):
        return _bracketed("{}", (_member(key, item, room) for key, item in value.items()), len(value), room)
    if isinstance(value, (list, tuple)):
        return _bracketed("[]", (_excerpt(item, room - 2) for item in value), len(value), room)
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else repr(value)


def _quoted(text: str, room: int) -> str:
    if len(text) + 2 <= room:
        return json.dumps(text, ensure_ascii=False)
    return json.dumps(text[: max(0, room - 3)], ensure_ascii=False)[:-1] + ELLIPSIS + '"'


def _member(key: object, item: Any, room: int) -> str:
    name = _quoted(str(key), room - 2)
    return f"{name}: {_excerpt(item, room - len(name) - 4)}"


def _bracketed(brackets: str, items: Iterator[str], count: int, room: int) -> str:
    """As many of the items as fit between the brackets, then an ellipsis; items are only made while there is room."""
    opening, closing = brackets[0], brackets[1]
    if not count or room <= len(brackets):
        return f"{opening}{ELLIPSIS if count else ''}{closing}"
    text = opening
    for number, item in enumerate(items, 1):
        part = item if number == 1 else f", {item}"
        spare = 0 if number == count else len(f", {ELLIPSIS}")
        if len(text) + len(part) + len(closing) + spare > room:
            return f"{text}{'' if number == 1 else ', '}{ELLIPSIS}{closing}"
        text += part
    return text + closing
