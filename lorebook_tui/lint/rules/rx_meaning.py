"""Patterns that are valid and do something else than their author thinks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Grade, Severity
from lorebook_tui.lint.keyrules import KeyFault, KeyRule, effective
from lorebook_tui.lint.patterns import can_cross_messages, tokens
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.scripts import ascii_word_class_fails

if TYPE_CHECKING:
    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.matching.ecma import RegexKey

MARK: Final = r"\x01"
BOUNDARY: Final = r"(?:(?<!\p{L})(?=\p{L})|(?<=\p{L})(?!\p{L}))"
r"""What `\b` would be if all letters counted."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_WORDS: Final = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*(?:\|[^\W\d_]+(?: [^\W\d_]+)*)+")


def _written(regex: RegexKey, source: str | None = None, flags: str | None = None) -> str:
    """A pattern as a key."""
    text = regex.source if source is None else source
    bare = "".join("\\/" if token.text == "/" else token.text for token in tokens(text))
    return f"/{bare}/{regex.flags if flags is None else flags}"


class CaseMatters(KeyRule):
    """A pattern without the flag i, in an entry whose other keys ignore case.

    Why: In SillyTavern 1.19 neither the case nor the whole-word switch applies to patterns; without i, `/bell/` does
    not find "Bell".
    Example: `/bells?/` while case does not matter otherwise.
    Do: add i; or turn case sensitivity on for the entry, if it is meant.
    Source: SillyTavern 1.19.
    """

    code = "RX004"
    name = "pattern-minds-case"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bells?/i", "bell", "/колокол/i"], "content": "x"},)),
        Example(({"key": ["/Bell/"], "caseSensitive": True, "content": "x"},)),
        Example(({"key": [r"/\d+/", "/鐘/"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bells?/", "gong"], "content": "x"},), fixed=({"key": ["/bells?/i", "gong"]},)),
        Example(({"key": ["/bell/m"], "content": "x"},), fixed=({"key": ["/bell/im"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Letters that have another case, and nothing that says that it matters."""
        del name
        regex = key.regex
        if regex is None or "i" in regex.flags:
            return None
        if effective(entry, "caseSensitive", context.settings.world_info_case_sensitive):
            return None
        plain = [token.text for token in tokens(regex.source) if len(token.text) == 1 or token.is_class]
        if not any(text.lower() != text.upper() for text in plain):
            return None
        flags = "".join(sorted({*regex.flags, "i"}))
        message = (
            f"{quote(key.text)} minds case, though the entry does not: it misses words at the start of a sentence."
        )
        words = _WORD.findall("".join(token.text if len(token.text) == 1 else " " for token in tokens(regex.source)))
        is_meant = bool(words) and all(word[:1].isupper() for word in words)  # names, which people write so
        severity = Severity.INFO if is_meant else None
        return KeyFault(message, "add the flag i", (_written(regex, flags=flags),), severity=severity)


class AnchoredStart(KeyRule):
    r"""A pattern with `^` or the flag y: it never matches where a message begins.

    Why: SillyTavern 1.19 puts a mark (U+0001) in front of every message before it searches, so no message begins where
    a line begins; the flag y asks for a match at the very first character, which is that mark.
    Example: `/^the bell/i`.
    Do: write the mark instead: `/\x01the bell/i` (with names on, a message begins with its speaker's).
    Source: SillyTavern 1.19.
    """

    code = "RX005"
    name = "anchored-start"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/\x01the bell/i", "/[^a-z]bell/i"], "content": "x"},)),
        Example(({"key": [r"/\^bell/i", "^bell"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/^the bell/i"], "content": "x"},), fixed=({"key": [r"/\x01the bell/i"]},)),
        Example(({"key": ["/bell/y"], "content": "x"},), fixed=({"key": [r"/\x01bell/"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """An anchor outside of classes."""
        del name, entry, context
        regex = key.regex
        if regex is None:
            return None
        listed = tokens(regex.source)
        anchored = any(token.text == "^" for token in listed)
        if not anchored and "y" not in regex.flags:
            return None
        source = "".join(MARK if token.text == "^" else token.text for token in listed)
        if not anchored:
            source = MARK + source
        better = _written(regex, source, regex.flags.replace("y", ""))
        what = "^" if anchored else "the flag y"
        message = f"{quote(key.text)} uses {what}, which never matches where a message begins."
        return KeyFault(message, f"match the mark in front of a message: {better}", (better,))


class UselessGlobal(KeyRule):
    """A pattern with the flag g.

    Why: SillyTavern 1.19 asks only whether a pattern matches at all; g changes nothing.
    Example: `/bell/gi`.
    Do: drop it.
    Source: SillyTavern 1.19.
    """

    code = "RX006"
    name = "useless-global-flag"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["/bell/i", "/bell/"], "content": "x"},)),)
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bell/gi"], "content": "x"},), fixed=({"key": ["/bell/i"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """The flag."""
        del name, entry, context
        if key.regex is None or "g" not in key.regex.flags:
            return None
        better = _written(key.regex, flags=key.regex.flags.replace("g", ""))
        return KeyFault(
            f"The flag g of {quote(key.text)} does nothing.", "drop the flag g", (better,), alters_activation=False
        )


class CrossesMessages(KeyRule):
    r"""A pattern with a repeated part that takes any character, so that it can reach over several messages.

    Why: SillyTavern 1.19 searches all scanned messages as one text, the newest first, parted by U+0001. `[\s\S]*`, a
    negated class or `.` with the flag s take that mark too, and words of different speakers match together.
    Example: `/bell[\s\S]*ferry/i`.
    Do: use `.` (which stops at line ends) or a class without the mark: `[^\x01]*`.
    Source: SillyTavern 1.19.
    """

    code = "RX009"
    name = "crosses-messages"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bell.*ferry/i", r"/bell[^\x01]*ferry/i"], "content": "x"},)),
        Example(({"key": [r"/bell[\s\S]ferry/i"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/bell[\s\S]*ferry/i"], "content": "x"},), fixed=({"key": [r"/bell[^\x01]*ferry/i"]},)),
        Example(({"key": ["/bell[^.!?]*ferry/i"], "content": "x"},), fixed=({"key": [r"/bell[^.!?\x01]*ferry/i"]},)),
        Example(({"key": ["/bell.*ferry/is"], "content": "x"},), fixed=({"key": [r"/bell[^\x01]*ferry/is"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A repeated part that takes the mark."""
        del name, entry, context
        regex = key.regex
        if regex is None or not can_cross_messages(regex.source, regex.flags):
            return None
        listed = tokens(regex.source)
        parts = []
        for token, after in zip(listed, (*listed[1:], None), strict=True):
            repeated = after is not None and after.text in {"*", "+", "{"}
            parts.append(_within_message(token.text, regex.flags) if repeated else token.text)
        better = _written(regex, "".join(parts))
        message = f"{quote(key.text)} can match over several messages, from the newest back to older ones."
        return KeyFault(message, f"keep it inside one message: {better}", (better,) if better != key.text else ())


def _within_message(text: str, flags: str) -> str:
    """A class like this one that does not take the mark between messages."""
    if text == "." and "s" in flags:
        return f"[^{MARK}]"
    if text.startswith("[^"):
        return f"{text[:-1]}{MARK}]"
    return f"[^{MARK}]" if text.startswith("[") else text


class AsciiWordClass(KeyRule):
    r"""`\b` or `\w` beside letters that JavaScript does not count as letters.

    Why: Without the flag v, which SillyTavern 1.19 refuses, `\w` means A to Z, digits and the low line; `\b` therefore
    sees a boundary inside "été" and none in front of "колокол".
    Example: `/\bколокол\b/i` never matches.
    Do: write the boundary yourself: `(?<![\p{L}])колокол(?![\p{L}])` with the flag u.
    Source: the ECMAScript standard; SillyTavern 1.19.
    """

    code = "RX010"
    name = "ascii-word-class"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/\bbell\b/i", r"/колокол/i"], "content": "x"},)),
        Example(({"key": [r"/(?<!\p{L})колокол(?!\p{L})/iu"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": [r"/\bколокол\b/i"], "content": "x"},),
            fixed=(
                {
                    "key": [
                        r"/(?:(?<!\p{L})(?=\p{L})|(?<=\p{L})(?!\p{L}))колокол(?:(?<!\p{L})(?=\p{L})|(?<=\p{L})(?!\p{L}))/iu"
                    ]
                },
            ),
        ),
        Example(({"key": [r"/колокол\w*/i"], "content": "x"},), fixed=({"key": [r"/колокол[\p{L}\p{N}_]*/iu"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """The class next to a letter beyond ASCII."""
        del name, entry, context
        regex = key.regex
        if regex is None:
            return None
        listed = tokens(regex.source)
        texts = ["", *(token.text for token in listed), ""]
        faulty = any(
            texts[place] in {r"\b", r"\w"}
            and any(ascii_word_class_fails(texts[near]) for near in (place - 1, place + 1))
            for place in range(1, len(texts) - 1)
        )
        if not faulty:
            return None
        instead = {r"\b": BOUNDARY, r"\w": r"[\p{L}\p{N}_]"}
        source = "".join(instead.get(token.text, token.text) for token in listed)
        better = _written(regex, source, "".join(sorted({*regex.flags, "u"})))
        message = rf"{quote(key.text)} has \b or \w beside letters that JavaScript does not count as letters."
        return KeyFault(message, f"name the letters: {better}", (better,))


class WordsOnly(KeyRule):
    """A pattern that only lists plain words.

    Why: Plain keys do the same, are quicker, follow the switches for case and whole words, and can be read by other
    programs.
    Example: `/bell|gong/i`.
    Do: make two keys of it.
    Source: SillyTavern 1.19.
    """

    code = "RX013"
    name = "pattern-of-words"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bells?|gong/i", "/(bell|gong) tower/i"], "content": "x"},)),
        Example(({"key": ["/bell/i"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bell|gong/i", "chime"], "content": "x"},), fixed=({"key": ["bell", "gong", "chime"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """An alternation of words and nothing else."""
        del name, entry, context
        if key.regex is None or not _WORDS.fullmatch(key.regex.source):
            return None
        words = tuple(key.regex.source.split("|"))
        return KeyFault(f"{quote(key.text)} only lists words: plain keys are clearer.", "make plain keys of it", words)


class AnchoredEnd(KeyRule):
    r"""A pattern with `$`.

    Why: SillyTavern 1.19 searches all scanned messages as one text, the newest first: `$` means the end of the oldest
    one, with the flag m also the end of any line.
    Example: `/bell\.$/i`, meant for messages that end so.
    Do: ask for the mark that begins the next message, or the end: `/bell\.(?=\x01|$)/i`; blanks in front of it count.
    Source: SillyTavern 1.19.
    """

    code = "RX015"
    name = "anchored-end"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/costs \$5/i", "/[$]5/i"], "content": "x"},)),
        Example(({"key": [r"/bell\.(?=\s*(?:\x01|$))/i"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [r"/bell\.$/i"], "content": "x"},), fixed=({"key": [r"/bell\.(?=\s*(?:\x01|$))/i"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """The anchor, unless the mark is beside it."""
        del name, entry, context
        regex = key.regex
        if regex is None or "m" in regex.flags or MARK in regex.source:
            return None
        listed = tokens(regex.source)
        if not any(token.text == "$" for token in listed):
            return None
        source = "".join(rf"(?=\s*(?:{MARK}|$))" if token.text == "$" else token.text for token in listed)
        better = _written(regex, source)
        message = f"{quote(key.text)} uses $, which is the end of the oldest scanned message, not of every one."
        return KeyFault(message, f"ask for the end of any message: {better}", (better,))


class TimeOrder(KeyRule):
    r"""A pattern that wants one thing first and another later, across messages.

    Why: SillyTavern 1.19 searches the newest message first and goes back in time, so what was said earlier stands
    later in the searched text.
    Example: `/asks[\s\S]*answers/i` matches only if the answer came before the question.
    Do: turn the two around, or use a secondary key with AND ALL.
    Source: SillyTavern 1.19.
    """

    code = "RX016"
    name = "backward-time"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/asks.*answers/i", r"/asks[^\x01]*answers/i"], "content": "x"},)),
        Example(({"key": [r"/[\s\S]*bell/i"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(({"key": [r"/asks[\s\S]*answers/i"], "content": "x"},)),)

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Letters, a gap that takes everything, letters."""
        del name, entry, context
        regex = key.regex
        if regex is None or not can_cross_messages(regex.source, regex.flags):
            return None
        gap = re.search(r"[^\W_]{2,}.*?(?:\[\\s\\S\]|\[\^[^\]]*\]|\.)[*+{].*?[^\W_]{2,}", regex.source, re.DOTALL)
        if gap is None:
            return None
        what = "wants one thing before another across messages, but the newest message is searched first"
        message = f"{quote(key.text)} {what}."
        return KeyFault(message)
