"""Patterns that always match, may take for ever, or cannot be simulated."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError
from lorebook_tui.lint.findings import Severity
from lorebook_tui.lint.keyrules import KeyFault, KeyRule
from lorebook_tui.lint.rule import Example, Option
from lorebook_tui.matching import ecma
from lorebook_tui.matching.ecma import PatternTimeout

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView

_MACRO: Final = re.compile(r"\{\{(user|char|persona|group)\}\}", re.IGNORECASE)
_SPECIAL: Final = re.compile(r"[\\^$.*+?()\[\]{}|/]")
_REPEATED_GROUP: Final = re.compile(r"\((?:\?:|\?<\w+>)?((?:[^()\\]|\\.)*)\)(?:[+*]|\{\d+,)")
_ATOM: Final = re.compile(r"(\\.|\[\^?(?:\\.|[^\]\\])*\]|[^|*+?{}])([*+?]|\{\d+(?:,\d*)?\})?")
_PROSE: Final = (
    "The ferry drifts past the mill and nobody on the landing looks up. She counts the lamps, one after the other, and "
    "says nothing at all. "
)
_LONG: Final = 10_000
"""Characters of the text that a pattern is timed on."""


class MatchesEmpty(KeyRule):
    """A pattern that matches the empty text.

    Why: It then matches every text, so the entry fires at every scan, as if it were constant.
    Example: `/(bell)?/i`, or `/bell|/`.
    Do: make some part of it necessary.
    Source: SillyTavern 1.19.
    """

    code = "RX007"
    name = "matches-everything"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["/(old )?bell/i", "/bells?/"], "content": "x"},)),)
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/(bell)?/i", "/bell|/"], "content": "x"},), findings=2),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A match where there is nothing."""
        del name, entry, context
        if key.regex is None or not _matches_nothing(key.regex.source, key.regex.flags):
            return None
        return KeyFault(f"{quote(key.text)} matches every text, even an empty one: it fires at every scan.")


class SlowPattern(KeyRule):
    """A pattern that takes long on long texts.

    Why: SillyTavern 1.19 runs patterns without any limit, at every scan; one with nested repetitions can hold the
    whole program for minutes.
    Example: `/(a+)+b/`, or `/(.*)*bell/`.
    Do: repeat the inner part only once; give the pattern a word that it must begin with.
    Source: SillyTavern 1.19; measured on a text of 10,000 characters.
    """

    code = "RX008"
    name = "slow-pattern"
    severity = Severity.WARNING
    options = (Option("milliseconds", 5, "a run on 10,000 characters may take so long, in milliseconds"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/\bbells?\b/i", "/bell.{0,40}ferry/i"], "content": "x"},)),
        Example(({"key": [f"/{'(' * 2000}bell{')' * 2000}/"], "content": "x"},)),
        Example(({"key": [r"/bell(?:, \w+)*/", "/(?:old|new) bells?/", "/(?:bell )+tower/"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/(a+)+b/"], "content": "x"},)),
        Example(({"key": [r"/(\w+\s?)+!bell/i", "/(a|aa)+b/"], "content": "x"},), findings=2),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A shape that backtracks without end, or a slow run."""
        del name, entry
        if key.regex is None:
            return None
        if backtracks(key.regex.source):
            return KeyFault(
                f"{quote(key.text)} can take for ever on a text that nearly matches; SillyTavern would hang."
            )
        if context.clock is None:
            return None
        taken = _time(key.regex.source, key.regex.flags, context.clock)
        if taken is not None and taken <= context.options["milliseconds"] / 1000:
            return None
        told = f"takes {taken * 1000:.0f} ms" if taken is not None else "gave no answer in time"
        return KeyFault(f"{quote(key.text)} {told} on 10,000 characters; it is run at every scan.")


def backtracks(source: str) -> bool:
    """Whether a pattern repeats a group that can take the same text in more than one way.

    Such a group has nothing in it that must stand there once and only once, or two ways that begin alike.
    """
    for group in _REPEATED_GROUP.finditer(source):
        ways = group[1].split("|")
        if any(_varies(way) for way in ways):
            return True
        if any(one != other and other.startswith(one) for one in ways for other in ways if one) or len(set(ways)) < len(
            ways
        ):
            return True
    return False


def _varies(way: str) -> bool:
    """Whether all parts of a way can be longer or shorter, at least one of them longer without end."""
    atoms = _ATOM.findall(way)
    open_ended = any(count in {"*", "+"} or count.endswith(",}") for _, count in atoms)
    return open_ended and all(count and not re.fullmatch(r"\{\d+\}", count) for _, count in atoms)


class NotSimulated(KeyRule):
    """A pattern that this program cannot run as JavaScript does.

    Why: It is too large for the engine used here; SillyTavern may run it, so what is told of this key is not certain.
    Example: a bell in two thousand pairs of parentheses.
    Do: make it smaller.
    Source: the limits of this program's engine.
    """

    code = "RX012"
    name = "not-simulated"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/(?<name>bell)\k<name>/iu", r"/[^]\u{1F514}/u"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(({"key": [f"/{'(' * 2000}bell{')' * 2000}/"], "content": "x"},)),)

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A pattern that gives no answer even on an empty text."""
        del name, entry, context
        if key.regex is None:
            return None
        try:
            ecma.compile(key.regex.source, key.regex.flags).test("")
        except LorebookError:
            return KeyFault(f"{quote(key.text[:80])} is too large to be run here; SillyTavern may run it.")
        return None


class RawMacro(KeyRule):
    """A pattern with a name in it that is put in as it is.

    Why: SillyTavern 1.19 replaces macros before it reads the pattern; a name such as "Mr. Crow (the elder)" then brings
    dots and parentheses of its own, which may match something else or break the pattern.
    Example: `/{{user}}'s bell/i`.
    Do: write the name out, or use plain keys.
    Source: SillyTavern 1.19.
    """

    code = "RX014"
    name = "raw-macro"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["{{user}}'s bell", "/bell/i"], "content": "x"},)),)
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/{{user}}'s bell/i"], "content": "x"},)),
        Example(({"key": ["/{{user}}'s bell/i"], "content": "x"},), persona="Mr. Crow"),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A macro of a name between slashes; a hint only, as long as nobody knows the name."""
        del name, entry
        found = _MACRO.search(key.text)
        if not key.text.startswith("/") or "/" not in key.text[1:] or found is None:
            return None
        message = (
            f"{quote(key.text)} puts a name into a pattern as it is: a dot or parenthesis in it breaks the pattern."
        )
        cast = context.world.cast
        if cast is None:
            return KeyFault(message, severity=Severity.INFO)
        name_of = {"user": cast.persona.name, "persona": cast.persona.description}
        text = name_of.get(found[1].lower(), cast.speaker.name if cast.speaker else "")
        return KeyFault(message) if _SPECIAL.search(text) else None


@lru_cache(8192)
def _matches_nothing(source: str, flags: str) -> bool:
    try:
        return ecma.compile(source, flags).test("")
    except LorebookError:
        return False


@lru_cache(8192)
def _time(source: str, flags: str, clock: Callable[[], float]) -> float | None:
    """Seconds of a run on long prose, the best of three; None if it gave no answer in time."""
    try:
        pattern = ecma.compile(source, flags)
        pattern.test("")
    except (LorebookError, PatternTimeout):  # RX012 says so
        return 0.0
    text = (_PROSE * (_LONG // len(_PROSE) + 1))[:_LONG]
    times = []
    for _ in range(3):
        began = clock()
        try:
            pattern.test(text)
        except PatternTimeout:
            return None
        times.append(clock() - began)
    return min(times)
