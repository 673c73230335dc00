"""Words that are in none of the given word lists."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option
from lorebook_tui.lint.scripts import scripts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView

_MACROS: Final = re.compile(r"\{\{.*?\}\}|<[^<>]*>|https?://\S+|`[^`]*`", re.DOTALL)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_START: Final = re.compile(r"(?:^|[.!?…:;\n\"“«(—-]\s*)$")
_SHORTEST: Final = 3
_CLOSE: Final = 0.8
_LISTS_KEPT: Final = 4
_LIST: Final = ["the", "mill", "grinds", "on", "ebb", "it", "never"]


class UnknownWord(EntryRule):
    """A word that is in none of the word lists that you give.

    Why: A slip in a name or a key makes another word of it, for the model and for recursion alike. There is no word
    list built in, since lore is full of invented words: give your own, and let it grow.
    Example: "The mill grnids on the ebb", with a list that has "grinds".
    Do: correct it, or add the word to `words`. Keys, titles, and words with a capital inside of a sentence pass.
    Source: ordinary spelling checks.
    """

    code = "CNT016"
    name = "unknown-word"
    severity = Severity.INFO
    preview = True
    options = (Option("words", [], "words that are right, in lower case; nothing is looked at without any"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "The mil grnids."},)),
        Example(
            (
                {
                    "comment": "Sill",
                    "key": ["strakes"],
                    "content": "The mill never grinds on Gannet; the Sill, strakes. {{chr}}",
                },
            ),
            options={"words": _LIST},
        ),
        Example(({"key": ["a"], "content": "Мельница 磨坊"},), options={"words": _LIST}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "The mill grnids on the ebbb. Grnids."},), options={"words": _LIST}),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """All unknown words of an entry in one finding."""
        known = _known(tuple(context.options["words"]))
        if not known or not entry.is_enabled:
            return
        scripts = frozenset().union(*(scripts_of(word) for word in known))
        own = {
            word.lower()
            for text in (entry.entry.title, *(key.text for key in (*entry.keys, *entry.secondary)))
            for word in _WORD.findall(text)
        }
        unknown: dict[str, None] = {}
        text = _MACROS.sub(lambda found: " " * len(found[0]), entry.text)
        for found in _WORD.finditer(text):
            word = found[0]
            low = word.lower().replace("’", "'")
            if low in known or low in own or len(word) < _SHORTEST or not scripts_of(word) <= scripts:
                continue
            is_name = word[0].isupper() and not _SENTENCE_START.search(text[max(0, found.start() - 4) : found.start()])
            if not is_name and not word.isupper() and low.removesuffix("'s") not in known | own:
                unknown[low] = None
        if unknown:
            first = next(iter(unknown))
            near = get_close_matches(first, known, 1, _CLOSE)
            hint = f" Was {quote(near[0])} meant?" if near else ""
            message = f"{quoted(unknown)} {'is' if len(unknown) == 1 else 'are'} in none of the word lists.{hint}"
            yield self.finding(entry, message, entry.path_of("content"))


@lru_cache(_LISTS_KEPT)
def _known(words: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word.lower() for word in words)
