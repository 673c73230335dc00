"""Entries in the sentences of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.display import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.lint.subjects import EntryView

_MOST_NAMED = 3
_LONGEST = 120
"""Characters of a text that a sentence quotes."""


def named(views: Sequence[EntryView]) -> str:
    """`'The mill', 'Old Pell' and 2 more`. Holds foreign text."""
    return quoted(view.entry.title for view in views)


def quoted(texts: Iterable[str]) -> str:
    """The first of some texts in quotation marks, and how many more there are. Holds foreign text."""
    listed = list(texts)
    if len(listed) > _MOST_NAMED:
        return f"{', '.join(map(quote, listed[:_MOST_NAMED]))} and {len(listed) - _MOST_NAMED} more"
    if len(listed) > 1:
        return f"{', '.join(map(quote, listed[:-1]))} and {quote(listed[-1])}"
    return "".join(map(quote, listed))


def without_length(sentence: str, *texts: str) -> str:
    """A sentence in which quoted texts that are very long are cut. Holds foreign text."""
    for text in texts:
        if len(text) > _LONGEST:
            sentence = sentence.replace(quote(text), quote(f"{text[:_LONGEST]}…"))
    return sentence
