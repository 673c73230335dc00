"""Brackets, quotation marks, and the house style of PLists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.balance import loose_brackets, loose_quotes, mended
from lorebook_tui.lint.budgeting import is_always_on
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.plist import is_half, looks_like_traits, segments
from lorebook_tui.lint.rule import Context, EntryRule, Example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView

_MACROS: Final = re.compile(r"(\{\{.*?\}\})", re.DOTALL)
_COLON: Final = re.compile(r"(?<=[^\W\d_)\"'])[ \t]*:(?=[^\s:/\])}\\])")
_BLANK_BEFORE: Final = re.compile(r"[ \t]+(?=;)")
_LAST_SEMICOLON: Final = re.compile(r"\s*;\s*(?=\]$)")
_INNER_LINE_END: Final = re.compile(r"[^;,\[\s]\s*\n(?!\s*\])")
_LINE_END: Final = re.compile(r"\s*\n\s*")
_AFTER_OPENING: Final = re.compile(r"^\[\s+")
_BEFORE_CLOSING: Final = re.compile(r"\s+\]$")


class UnbalancedSigns(EntryRule):
    """A bracket or a quotation mark without its other half.

    Why: Models go on where a text stops: an open bracket or quotation mark in the prompt comes back as brackets and
    open speech in the replies.
    Example: `[Mill: old, wooden` without the closing bracket.
    Do: close it, or remove it. (A shell of two constants, one bracket each, is meant and left alone.)
    Source: the PList guides.
    """

    code = "CNT002"
    name = "unbalanced-signs"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "["}, {"constant": True, "content": "]"})),
        Example(({"key": ["a"], "content": "She smiles :) and is 5'7\" tall.\n1) mill\n2) bell"},)),
        Example(({"key": ["a"], "content": '"He came,\n\n"and he went." {{random::(::[}}'},)),
        Example(({"key": ["a"], "content": "[Mill: old, {{char}}'s]"},)),
        Example(({"key": ["a"], "content": 'Age("23") Height("5\'7"") and a door with "Room 9" on it.'},)),
        Example(({"key": ["a"], "content": "Three aims: 1) money, 2) fame. Luck in [0, 1), in `f(` or ``g(``."},)),
        Example(({"key": ["a"], "content": "The mill (old", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "[Mill: old, wooden"},), fixed=({"content": "[Mill: old, wooden]"},)),
        Example(
            ({"key": ["a"], "content": "The mill (old.\nIt grinds."},),
            fixed=({"content": "The mill (old).\nIt grinds."},),
        ),
        Example(({"key": ["a"], "content": "The mill) grinds."},), fixed=({"content": "The mill grinds."},)),
        Example(({"key": ["a"], "content": 'He says: "Come in.'},)),
        Example(({"key": ["a"], "content": "«Три рыбы"},)),
        Example(({"key": ["a"], "content": "(a [b"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Brackets first, then quotation marks."""
        del context
        text = entry.text
        brackets = loose_brackets(text)
        loose = brackets or loose_quotes(text)
        if not loose or not entry.is_enabled or is_half(entry):
            return
        at = loose[0].place
        near = text[max(0, at - 12) : at + 20].replace("\n", " ").strip()
        message = f"{loose[0].sign} has no other half (at {quote(near)}): models carry that on in their replies."
        fix = None
        better = mended(text, brackets) if brackets else None
        if better is not None:
            content = entry.entry.content.removesuffix(text) + better
            fix = Fix("put the bracket right", (SetField(entry.entry.path, "content", content),), Grade.OFFERED)
        severity = Severity.INFO if is_always_on(entry) and _is_at_an_end(text, at) else None
        yield self.finding(entry, message, entry.path_of("content"), fix=fix, severity=severity)


def _is_at_an_end(text: str, place: int) -> bool:
    """Whether a sign is the first or the last one, so that another entry may hold its other half."""
    return not text[:place].strip() or not text[place + 1 :].strip()


class PListStyle(EntryRule):
    """A PList that is not written as PLists are: no blank after a colon, one before a semicolon, `;]`, line ends.

    Why: PLists work by their regularity: each deviation costs tokens and is copied. Only texts in `[name: trait; …]`,
    and bodies that end in a semicolon, are looked at.
    Example: `[Mill:old ; wheel: broken;]`.
    Do: write `[Mill: old; wheel: broken]`.
    Source: the PList guides.
    """

    code = "CNT005"
    name = "plist-style"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "[Mill: old, shut at 14:00; wheel: broken]"},)),
        Example(({"key": ["a"], "content": "Mill: old, see https://example.org;"},)),
        Example(({"key": ["a"], "content": "The mill:old. It grinds ; no more [sic ;]"},)),
        Example(({"key": ["a"], "content": "[Mill: {{random::a::b}}, old]"},)),
        Example(({"key": ["a"], "content": "[System note: be kind.\n- Be brief.\n- Stop.]"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "[Mill:old ; wheel: broken;]\nIt grinds."},),
            fixed=({"content": "[Mill: old; wheel: broken]\nIt grinds."},),
        ),
        Example(
            ({"key": ["a"], "content": "[\nMill: old;\nwheel: broken;\n]"},),
            fixed=({"content": "[Mill: old; wheel: broken]"},),
        ),
        Example(({"key": ["a"], "content": "Mill: old, age:19 ;"},), fixed=({"content": "Mill: old, age: 19;"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The text as it should be written."""
        del context
        content = entry.entry.content
        if ":" not in content or not (";" in content or "[" in content):
            return
        better = _tidied(content)
        if better != content:
            fix = Fix("write it in the style of PLists", (SetField(entry.entry.path, "content", better),))
            message = "It is a PList, but its blanks, semicolons or line ends are not where PLists have them."
            yield self.finding(entry, message, entry.path_of("content"), fix=fix)


def _tidied(content: str) -> str:
    """A content with its PLists put in order."""
    if "[" not in content and _is_body(content):
        return _spaced(content)
    pieces: list[str] = []
    last = 0
    for start, end in segments(content):
        pieces += [content[last:start], _spaced(_joined(content[start:end]))]
        last = end
    return "".join([*pieces, content[last:]])


def _is_body(content: str) -> bool:
    """Whether a content is one line of traits that ends in a semicolon."""
    text = content.strip()
    return text.endswith(";") and "\n" not in text and looks_like_traits(text)


def _joined(segment: str) -> str:
    """A PList on one line, if its lines end where its traits do; prose in brackets keeps its lines."""
    if _INNER_LINE_END.search(segment):
        return _LAST_SEMICOLON.sub("", segment)
    one_line = _LINE_END.sub(" ", segment)
    return _LAST_SEMICOLON.sub("", _BEFORE_CLOSING.sub("]", _AFTER_OPENING.sub("[", one_line)))


def _spaced(text: str) -> str:
    parts = _MACROS.split(text)
    plain = (_BLANK_BEFORE.sub("", _COLON.sub(": ", part)) for part in parts[::2])
    found = [piece for pair in zip(plain, [*parts[1::2], ""], strict=True) for piece in pair]
    return "".join(found)
