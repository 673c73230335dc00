"""Keys that look like patterns and are none: SillyTavern looks for them letter by letter, slashes included."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Grade, Severity
from lorebook_tui.lint.keyrules import KeyFault, KeyRule
from lorebook_tui.lint.rule import Example
from lorebook_tui.matching import ecma

if TYPE_CHECKING:
    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView

_FORM: Final = re.compile(r"/(.+)/([A-Za-z]*)", re.DOTALL)
_BARE_SLASH: Final = re.compile(r"(?<!\\)((?:\\\\)*)/")
_SIGNS: Final = re.compile(r"\.\*|\.\+|\\[bdwsBDWS]|\[[^\]]+\][+*?]|\([^)]*\|[^)]*\)|\w\|\w|\(\?[:=!<]")


def _escaped(source: str) -> str:
    return _BARE_SLASH.sub(r"\1\\/", source)


def _is_pattern(text: str) -> bool:
    return ecma.parse_key(text) is not None


class InvalidPattern(KeyRule):
    """A key between slashes that JavaScript does not accept as a pattern.

    Why: SillyTavern 1.19 takes such a key for plain text and looks for it with its slashes, so it finds nothing.
    Example: `/bell(/i`, whose parenthesis is never closed.
    Do: correct the pattern; `lorebook test-key` tries it on a text.
    Source: SillyTavern 1.19.
    """

    code = "RX001"
    name = "invalid-pattern"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bells?/i"], "content": "x"},)),
        Example(({"key": ["and/or"], "content": "x"},)),
        Example(({"key": ["/me waves"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["/bell(/i", "/[z-a]/"], "content": "x"},), findings=2),)

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A pattern of the right form with a fault inside."""
        del name, entry, context
        form = _FORM.fullmatch(key.text)
        if key.regex or not key.fault or form is None or _BARE_SLASH.search(form[1]) or set(form[2]) - set(ecma.FLAGS):
            return None
        if len(set(form[2])) < len(form[2]):
            return None  # RX003 speaks of flags
        return KeyFault(f"{quote(key.text)} is no valid pattern and is looked for as plain text: {key.fault}.")


class BareSlash(KeyRule):
    r"""A pattern with a slash inside that has no backslash in front.

    Why: SillyTavern 1.19 cannot tell where such a pattern ends and looks for it as plain text, slashes included.
    Example: `/and/or/i`.
    Do: write `/and\/or/i`.
    Source: SillyTavern 1.19.
    """

    code = "RX002"
    name = "bare-slash"
    severity = Severity.ERROR
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/and\/or/i"], "content": "x"},)),
        Example(({"key": ["and/or", "/home/user"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/and/or/i"], "content": "x"},), fixed=({"key": [r"/and\/or/i"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Something that would be a pattern with its slashes escaped, and that is no path."""
        del name, entry, context
        form = _FORM.fullmatch(key.text)
        if key.regex or form is None or not _BARE_SLASH.search(form[1]) or set(form[2]) - set(ecma.FLAGS):
            return None
        better = f"/{_escaped(form[1])}/{form[2]}"
        if not _is_pattern(better) or not (form[2] or _SIGNS.search(form[1])):
            return None
        message = f"{quote(key.text)} has a slash inside, so it is no pattern but plain text that nobody says."
        return KeyFault(message, rf"write \/ inside the pattern: {better}", (better,))


class UnknownFlag(KeyRule):
    """A pattern with a letter behind it that SillyTavern does not accept there.

    Why: SillyTavern 1.19 knows the flags g, i, m, s, u and y; with any other letter, or one of them twice, the key is
    plain text.
    Example: `/bell/x`.
    Do: drop the letter.
    Source: SillyTavern 1.19.
    """

    code = "RX003"
    name = "unknown-flag"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bell/gimsu"], "content": "x"},)),
        Example(({"key": ["/me/them"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bells?/ix"], "content": "x"},), fixed=({"key": ["/bells?/i"]},)),
        Example(({"key": ["/bell/ii"], "content": "x"},), fixed=({"key": ["/bell/i"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Something that would be a pattern without the letter."""
        del name, entry, context
        form = _FORM.fullmatch(key.text)
        if key.regex or form is None or _BARE_SLASH.search(form[1]):
            return None
        good = "".join(dict.fromkeys(flag for flag in form[2] if flag in ecma.FLAGS))
        unknown = {flag for flag in form[2] if flag not in ecma.FLAGS}
        looks_meant = len(unknown) <= 1 and (good or _SIGNS.search(form[1]))
        better = f"/{form[1]}/{good}"
        if good == form[2] or not looks_meant or not _is_pattern(better):
            return None
        wrong = "".join(unknown) or "a doubled letter"
        message = f"{quote(key.text)} has flags that are not known ({wrong}), so it is plain text that nobody says."
        return KeyFault(message, f"write {better}", (better,))


class PatternWithoutSlashes(KeyRule):
    r"""A key that is written like a pattern, but without slashes around it.

    Why: SillyTavern 1.19 takes only keys of the form `/…/flags` for patterns; others are looked for letter by letter.
    Example: `bell|gong`, or `drag.*`.
    Do: put slashes around it: `/bell|gong/i`.
    Source: SillyTavern 1.19.
    """

    code = "RX011"
    name = "pattern-without-slashes"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bell|gong/i", "Mr. Crow", "C++", "what?"], "content": "x"},)),
        Example(({"key": ["{{char}}|{{user}}"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell|gong"], "content": "x"},), fixed=({"key": ["/bell|gong/i"]},)),
        Example(({"key": [r"\bdrag.*"], "content": "x"},), fixed=({"key": [r"/\bdrag.*/i"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Signs of a pattern in a plain key."""
        del name, entry, context
        if not key.is_plain or key.text.startswith("/") or not _SIGNS.search(key.trimmed):
            return None
        better = f"/{_escaped(key.trimmed)}/i"
        if not _is_pattern(better):
            return None
        message = f"{quote(key.text)} is written like a pattern, but without slashes it is looked for letter by letter."
        return KeyFault(message, f"write {better}", (better,))
