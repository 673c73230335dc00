"""Keys that look right and are written with characters that no message has."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Fix, Grade, SetField, Severity
from lorebook_tui.lint.keyrules import KeyFault, KeyRule
from lorebook_tui.lint.naming import without_length
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.scripts import ALIKE, script_of
from lorebook_tui.matching.jstext import lower

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView

_WIDE_MARKS: Final = re.compile(r"[\uff0c\uff1b\u3001\uff0f]")
_COMMA: Final = re.compile(r",(?!(?<=\d,)\d)")
"""A comma that is no part of a number."""
_QUOTED: Final = re.compile(
    r"「[^」]*」|『[^』]*』|“[^”]*”|‘[^’]*’|\"[^\"]*\"|《[^》]*》|〈[^〉]*〉|【[^】]*】|（[^）]*）|\([^)]*\)"
)
"""What belongs together, whatever stands in it."""
_INNER_BLANKS: Final = re.compile(r"[\t\n\r\u00a0\u2000-\u200a\u202f\u205f\u3000]+| {2,}")
_INVISIBLE: Final = re.compile(
    "[\x00\x02-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_JOINERS: Final = {"\u200c", "\u200d"}
_TYPOGRAPHIC: Final = str.maketrans(dict(zip("‘’‚‛“”„‟‐‑‒–—", "''''\"\"\"\"-----", strict=True)))
_LOOKS_LIKE: Final = dict(zip("АВЕКМНОРСТУХаеорсухіјѕ", "ABEKMHOPCTYXaeopcyxijs", strict=True))
_LATIN_LIKE: Final = {latin: cyrillic for cyrillic, latin in _LOOKS_LIKE.items()}
_WORD: Final = re.compile(r"[^\W\d_]+")


class CommaInKey(KeyRule):
    """A plain key with a comma inside.

    Why: SillyTavern's editor shows the keys as one line with commas between them and splits it again when it is saved:
    one key becomes two that mean something else.
    Example: the key `Harrow, the ferry town`.
    Do: make two keys of it, or write it as a pattern: `/Harrow, the ferry town/i`.
    Source: SillyTavern 1.19's documentation.
    """

    code = "KEY009"
    name = "comma-in-key"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell", "ferry"], "content": "x"},)),
        Example(({"key": ["/bell, gong/i"], "content": "x"},)),
        Example(({"key": ["{{random::bell,gong}}"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell, gong", "ferry"], "content": "x"},), fixed=({"key": ["bell", "gong", "ferry"]},)),
        Example(({"key": ["the 1,000 steps"], "content": "x"},)),
        Example(
            ({"key": ["1,000 steps, gate 2,gate 3"], "content": "x"},),
            fixed=({"key": ["1,000 steps", "gate 2", "gate 3"]},),
        ),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A comma outside of patterns and macros."""
        del name, entry, context
        if not key.is_plain or "," not in key.text:
            return None
        texts = _COMMA.split(key.text)
        if len(texts) == 1:
            message = f"{quote(key.trimmed)} holds a number with a comma: a chat may well write it without."
            return KeyFault(message, severity=Severity.INFO)
        parts = tuple(part for text in texts if (part := text.strip()))
        message = (
            f"{quote(key.trimmed)} holds a comma: as one key nobody says it, and SillyTavern's editor will split it."
        )
        return KeyFault(message, "split it into keys", parts)


class WideComma(KeyRule):
    """A plain key with a full-width comma, semicolon or slash, or an ideographic comma: several keys in one.

    Why: Only the ASCII comma parts keys in SillyTavern's editor. What was meant as a list is one long key that no
    message holds.
    Example: `铃，渡船、磨坊`.
    Do: split it.
    Source: SillyTavern 1.19's documentation.
    """

    code = "KEY010"
    name = "wide-comma"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["铃", "渡船"], "content": "x"},)),
        Example(({"key": ["/铃，渡船/"], "content": "x"},)),
        Example(({"key": ["「はい、そうです」", "“是，大人”"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["铃，渡船、磨坊"], "content": "x"},), fixed=({"key": ["铃", "渡船", "磨坊"]},)),
        Example(({"key": ["「はい、そうです」、鐘"], "content": "x"},), fixed=({"key": ["「はい、そうです」", "鐘"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Such a mark in a plain key."""
        del name, entry, context
        if not key.is_plain or not _WIDE_MARKS.search(_QUOTED.sub("", key.text)):
            return None
        parts = tuple(part for text in _parted(key.text) if (part := text.strip()))
        message = f"{quote(key.trimmed)} is one key for SillyTavern: full-width marks do not part keys."
        return KeyFault(message, "split it into keys", parts or (key.text,) * bool(parts))


def _parted(text: str) -> list[str]:
    """A text at its wide marks, except those between quotation marks or brackets."""
    kept = [range(*found.span()) for found in _QUOTED.finditer(text)]
    parts, last = [], 0
    for mark in _WIDE_MARKS.finditer(text):
        if not any(mark.start() in span for span in kept):
            parts.append(text[last : mark.start()])
            last = mark.end()
    return [*parts, text[last:]]


def _plain_blank(found: re.Match[str]) -> str:
    """One plain blank; a lone ideographic space between letters of East Asia is what people type there."""
    around = found.string[found.start() - 1], found.string[found.end()]
    is_theirs = found[0] == "\u3000" and all(unicodedata.east_asian_width(letter) in "WF" for letter in around)
    return found[0] if is_theirs else " "


class BlanksInKey(KeyRule):
    """Blanks at the ends of a key, or blanks inside that no message has: two in a row, a tab, a no-break space.

    Why: SillyTavern 1.19 trims a key before it looks for it, but not when it scores an inclusion group; blanks inside
    must stand in the message exactly so.
    Example: `old  mill`, with two blanks.
    Do: one plain blank between words, none at the ends.
    Source: SillyTavern 1.19.
    """

    code = "KEY011"
    name = "blanks-in-key"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["old mill", "/old  mill/"], "content": "x"},)),
        Example(({"key": [" "], "content": "x"},)),
        Example(({"key": ["山田\u3000太郎"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [" old  mill ", "ferry"], "content": "x"},), fixed=({"key": ["old mill", "ferry"]},)),
        Example(({"key": ["old\u00a0mill"], "content": "x"},), fixed=({"key": ["old mill"]},)),
        Example(({"key": ["old\u3000mill"], "content": "x"},), fixed=({"key": ["old mill"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Blanks that are too many or of another kind."""
        del name, entry, context
        if key.is_blank or key.regex:
            return None
        better = _INNER_BLANKS.sub(_plain_blank, key.trimmed)
        if better == key.text:
            return None
        inside = better != key.trimmed
        what = "has blanks inside that no message has" if inside else "has blanks at its ends"
        return KeyFault(f"{quote(key.text)} {what}.", "tidy its blanks", (better,), alters_activation=inside)


class InvisibleInKey(KeyRule):
    """A character in a key that cannot be seen: zero-width, soft hyphen, direction mark, byte order mark, control.

    Why: It is part of the key, but hardly ever of a message, so the key does not match what looks the same.
    Example: `mill` with a zero-width space after the first letter.
    Do: remove it.
    Source: SillyTavern 1.19.
    """

    code = "KEY012"
    name = "invisible-in-key"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "x"},)),
        Example(({"key": ["می\u200cروم", "👩\u200d🚀"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["m\u200bill", "\ufeffferry", "\u001bbridge"], "content": "x"},),
            findings=3,
            fixed=({"key": ["mill", "ferry", "bridge"]},),
        ),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Such a character; joiners that scripts and emoji need are none."""
        del name, entry, context
        found = [char for char in _INVISIBLE.findall(key.text) if char not in _JOINERS or key.text.isascii()]
        latin = _INVISIBLE.search(key.text) and all(char.isascii() or _INVISIBLE.match(char) for char in key.text)
        if not found and not latin:
            return None
        better = _INVISIBLE.sub("", key.text) if latin else "".join(c for c in key.text if c not in found)
        names = ", ".join(dict.fromkeys(f"U+{ord(char):04X}" for char in _INVISIBLE.findall(key.text)))
        message = f"{quote(better.strip())} holds what nobody sees ({names}): it does not match what looks the same."
        return KeyFault(message, "remove what cannot be seen", (better,) if better.strip() else ())


class DecomposedKey(KeyRule):
    """A key, or its word in the entry's text, whose letters are letter and mark, where messages have one character.

    Why: SillyTavern 1.19 compares characters as they stand. `é` can be one character or two; keyboards write one. A
    text in the other form does not call entries that have the same key.
    Example: `café` with an `e` and a combining accent.
    Do: write it composed (Unicode form NFC).
    Source: SillyTavern 1.19; the Unicode standard.
    """

    code = "KEY013"
    name = "decomposed-key"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["caf\u00e9", "ночь", "ガ"], "content": "x"},)),
        Example(({"key": ["caf\u00e9", "mill"], "content": "The Caf\u00e9 at the mill serves cre\u0300me."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["cafe\u0301"], "content": "x"},), fixed=({"key": ["caf\u00e9"]},)),
        Example(
            ({"key": ["caf\u00e9"], "content": "The Cafe\u0301 is open."},),
            fixed=({"key": ["caf\u00e9"], "content": "The Caf\u00e9 is open."},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The keys, then the text that holds one of them in the other form only."""
        yield from super().check(entry, context)
        if entry.text.isascii() or unicodedata.is_normalized("NFC", entry.text):
            return
        text, composed = lower(entry.text), lower(unicodedata.normalize("NFC", entry.text))
        missed = (key for key in entry.keys if key.is_plain and key.folded in composed and key.folded not in text)
        key = next(missed, None)
        if key is None:
            return
        better = unicodedata.normalize("NFC", entry.entry.content)
        change = SetField(entry.entry.path, "content", better)
        fix = Fix("write the text composed", (change,), Grade.OFFERED, alters_activation=True)
        message = f"{quote(key.trimmed)} is written with separate accents in the text: there the key is not found."
        yield self.finding(entry, without_length(message, key.trimmed), entry.path_of("content"), fix=fix)

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Another form than NFC."""
        del name, entry, context
        better = unicodedata.normalize("NFC", key.text)
        if better == key.text or key.regex:
            return None
        message = f"{quote(better)} is written with separate accents: it does not match what keyboards write."
        return KeyFault(message, "write it composed", (better,))


class TypographicMark(KeyRule):
    """A curly quote, apostrophe or long dash in a key.

    Why: Some people and models write the straight mark, others the curly one; SillyTavern 1.19 tells them apart.
    Example: `Mira’s bell`, while the chat says `Mira's bell`.
    Do: have both.
    Source: SillyTavern 1.19.
    """

    code = "KEY014"
    name = "typographic-mark"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["Mira’s bell", "Mira's bell"], "content": "x"},)),
        Example(({"key": ["/Mira[’']s bell/"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["Mira’s bell"], "content": "x"},), fixed=({"key": ["Mira’s bell", "Mira's bell"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """Such a mark, and no key with the plain one."""
        del context
        plain = key.text.translate(_TYPOGRAPHIC)
        if not key.is_plain or plain == key.text:
            return None
        others = {fact.text for fact in (entry.keys if name == "key" else entry.secondary)}
        if plain in others:
            return None
        message = f"{quote(key.trimmed)} has a typographic mark; a chat may write {quote(plain.strip())}."
        return KeyFault(message, f"add {quote(plain.strip())}", (key.text, plain))


class MixedScripts(KeyRule):
    """A word of a key with letters of two scripts that look alike.

    Why: A Cyrillic `а` and a Latin `a` look the same and are not; the key matches neither spelling.
    Example: `ферри` with a Latin `p`.
    Do: write the word in one script.
    Source: SillyTavern 1.19.
    """

    code = "KEY015"
    name = "mixed-scripts"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["ферри", "ferry", "ferry и мост", "αβγ"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["феppи"], "content": "x"},), fixed=({"key": ["ферри"]},)),
        Example(({"key": ["b\u0435ll"], "content": "x"},), fixed=({"key": ["bell"]},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A word of more than one of the scripts that look alike."""
        del name, entry, context
        if key.regex:
            return None
        for word in _WORD.finditer(key.text):
            counts = {script: 0 for char in word[0] if (script := script_of(char)) in ALIKE}
            if len(counts) < 2:  # noqa: PLR2004 - two scripts are a mixture
                continue
            for char in word[0]:
                if script_of(char) in counts:
                    counts[script_of(char)] += 1
            message = (
                f"{quote(key.trimmed)} mixes letters that look alike ({', '.join(sorted(counts)).title()}) in one word."
            )
            better = _in_one_script(word[0], max(counts, key=lambda script: counts[script]))
            if better is None:
                return KeyFault(message)
            whole = key.text[: word.start()] + better + key.text[word.end() :]
            return KeyFault(message, f"write {quote(better)} in one script", (whole,))
        return None


def _in_one_script(word: str, script: str) -> str | None:
    """The word with look-alike letters of a script; None if some have none."""
    table = _LATIN_LIKE if script == "CYRILLIC" else _LOOKS_LIKE
    made = "".join(table.get(char, char) if script_of(char) != script else char for char in word)
    return made if {script_of(char) for char in made} == {script} else None
