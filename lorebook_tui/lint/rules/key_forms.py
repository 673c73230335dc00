"""Keys that are found in one form of a word only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Grade, Severity
from lorebook_tui.lint.keyrules import KeyFault, KeyRule, effective
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.word_forms import plural_of, stem_of

if TYPE_CHECKING:
    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView

_WORD: Final = re.compile(r"[^\W\d_]+")


class MissingForm(KeyRule):
    """A key that misses the plural or the other cases of its word.

    Why: SillyTavern 1.19 knows no grammar. With whole words on, `slime` is not found in "two slimes"; and a Russian
    noun changes its ending, so that `мельница` is not found in "у мельницы" with whole words on or off. It is told
    where the entry asks for whole words itself, or its own text has the other form.
    Example: the key `slime` with whole words on and no key `slimes`.
    Do: add the plural, or the word without its ending.
    Source: SillyTavern 1.19; the guides for writers of keys.
    """

    code = "KEY019"
    name = "missing-word-form"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["slime", "slimes"], "matchWholeWords": True, "content": "x"},)),
        Example(({"key": ["slime"], "matchWholeWords": False, "content": "x"},)),
        Example(({"key": ["Mira", "slimy"], "matchWholeWords": False, "content": "x"},)),
        Example(({"key": ["slime", "/slimes?/i"], "matchWholeWords": True, "content": "x"},)),
        Example(({"key": ["Мира", "замок", "мельница", "мельниц"], "content": "У мельницы, у замка."},)),
        Example(({"key": ["slime", "мельница"], "content": "Slime drips from the мельница."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["slime", "ferry"], "matchWholeWords": True, "content": "x"},),
            findings=2,
            fixed=({"key": ["slime", "slimes", "ferry", "ferries"]},),
        ),
        Example(({"key": ["slime"], "content": "Slimes drip."},), fixed=({"key": ["slime", "slimes"]},)),
        Example(
            ({"key": ["мельница"], "content": "Мельница стоит. У мельницы тихо."},),
            fixed=({"key": ["мельница", "мельниц"]},),
        ),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A primary key of one word in lower case, which is no name."""
        if name != "key" or not key.is_plain or not entry.is_keyed or key.trimmed != key.folded:
            return None
        whole = effective(entry, "matchWholeWords", context.settings.world_info_match_whole_words)
        form = (plural_of(key.folded) if whole else "") or stem_of(key.folded)
        if not form or any(_finds(other, form, key) for other in entry.keys):
            return None
        is_asked = key.folded.isascii() and entry.get("matchWholeWords", None) is True
        if not is_asked and not _has_other_form(entry.text.lower(), form, key.folded):
            return None
        if key.folded.isascii():
            return KeyFault(
                f"{quote(key.trimmed)} is not found in {quote(form)}.", f"add {quote(form)}", (key.text, form)
            )
        message = f"{quote(key.trimmed)} is not found where the word has another ending."
        return KeyFault(message, f"add the word without its ending, {quote(form)}", (key.text, form))


def _has_other_form(text: str, form: str, key: str) -> bool:
    """Whether a text holds the word in a form that the key is not found in."""
    if form not in text:
        return False
    if key.isascii():
        return form in _WORD.findall(text)
    return any(word.startswith(form) and key not in word for word in _WORD.findall(text))


def _finds(other: KeyFact, form: str, key: KeyFact) -> bool:
    """Whether another key takes care of a form."""
    if other.regex is not None:
        pattern = other.pattern()
        return pattern is not None and pattern.test(form)
    return other.text != key.text and other.folded in form and (other.folded == form or not form.isascii())
