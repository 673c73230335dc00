"""The query language of filter, sheet and command line: which entries somebody means.

    constant:yes order:>100 key:/bell/i tokens:>200 (folder:NPC or layer:chat) -fired:never

Words look in titles and keys. `field:value` asks a field, by its own name, its label or what people call it: texts and
lists hold the value (`=`: are it), numbers are equal, `< <= > >=` and `10..20` compare (of texts and lists the length),
`yes`, `no` and `none` ask flags and emptiness, `/pattern/flags` is JavaScript's. Of several values with commas between
them one has to fit. Beside fields there are facts: see `facts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.model.layers import EntryRef
from lorebook_tui.workspace.facts import REPLAYED, NothingKnown, UnknownFactError
from lorebook_tui.workspace.query_syntax import Any, Not, QueryError, Term, Word, parse_syntax
from lorebook_tui.workspace.query_terms import pattern_of, test_of
from lorebook_tui.workspace.search import folded, holds_word, is_similar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.workspace.facts import Facts, LoreFacts
    from lorebook_tui.workspace.query_syntax import Node

    Test = Callable[[Entry, Facts, bool], bool]

__all__ = ["EVERYTHING", "Query", "QueryError", "parse", "select"]

EVERYTHING: Final = "*"
"""The query that means all entries."""
_NOTHING: Final = NothingKnown()


@dataclass(frozen=True, slots=True)
class Query:
    """A question that entries answer with yes or no."""

    text: str
    """As it was written."""
    needs: frozenset[str]
    """Names of the facts it asks for."""
    words: bool
    """Whether it looks for words, so that similar ones may be meant."""
    _test: Test

    @property
    def is_everything(self) -> bool:
        """Whether it was written to mean all entries, or nothing was written."""
        return self.text.strip() in {"", EVERYTHING}

    def matches(self, entry: Entry, facts: Facts, *, similar: bool = False) -> bool:
        """Whether an entry is meant.

        Args:
            entry: the entry.
            facts: what is known about it.
            similar: words may be spelt differently in titles.

        Raises:
            PatternTimeout: a pattern of the query gave no answer in time.
        """
        return self._test(entry, facts, similar)

    def require(self, known: Collection[str]) -> None:
        """Make sure that the facts it asks for are known.

        Raises:
            UnknownFactError: one is not.
        """
        missing = sorted(self.needs.difference(known, {"turns"}))
        if missing:
            replayed = set(missing) <= REPLAYED
            raise UnknownFactError(
                f"Nobody knows {' and '.join(missing)} here.",
                expected="a chat to replay" if replayed else "entries of an open workspace",
                found=self.text,
                hint="Name a chat beside the books, or --chat FILE." if replayed else "",
            )


def parse(text: str) -> Query:
    """A query; nothing but blanks, or `*`, means all entries.

    Raises:
        QueryError: it cannot be understood; says where, and which field was probably meant.
    """
    if text.strip() == EVERYTHING:
        return Query(text, frozenset(), words=False, _test=_always)
    needs: set[str] = set()
    words: list[str] = []
    test = _compiled(parse_syntax(text), needs, words)
    return Query(text, frozenset(needs), bool(words), test)


def select(lore: LoreFacts, query: Query, *, similar: bool = False) -> tuple[EntryRef, ...]:
    """The entries that a query means, layer by layer, in file order; a book in several layers comes once.

    Args:
        lore: the entries and the facts about them.
        query: what is asked.
        similar: if no entry holds the words, those with similar titles are meant.

    Raises:
        UnknownFactError: a fact that it asks for is not known.
        PatternTimeout: a pattern of it gave no answer in time.
    """
    query.require(lore.known)
    if query.is_everything:
        return tuple(lore.refs())
    found = _matching(lore, query, similar=False)
    if not found and similar and query.words:
        found = _matching(lore, query, similar=True)
    return found


def _matching(lore: LoreFacts, query: Query, *, similar: bool) -> tuple[EntryRef, ...]:
    return tuple(
        EntryRef(layer, number, place)
        for layer, number, opened in lore.books()
        for place, entry in enumerate(opened.book.entries)
        if query.matches(entry, lore.of(EntryRef(layer, number, place)) if query.needs else _NOTHING, similar=similar)
    )


def _always(entry: Entry, facts: Facts, similar: bool) -> bool:
    """Everything is meant."""
    del entry, facts, similar
    return True


def _compiled(node: Node, needs: set[str], words: list[str]) -> Test:
    """What a part of the tree asks; facts and words are noted."""
    if isinstance(node, Word):
        return _word(node, words)
    if isinstance(node, Term):
        test, needed = test_of(node)
        needs |= needed
        return lambda entry, facts, _: test(entry, facts)
    if isinstance(node, Not):
        # what is left out must really hold the words, not something like them
        inner = _compiled(node.part, needs, [])
        return lambda entry, facts, _: not inner(entry, facts, False)
    parts = [_compiled(part, needs, words) for part in node.parts]
    if isinstance(node, Any):
        return lambda entry, facts, similar: any(part(entry, facts, similar) for part in parts)
    return lambda entry, facts, similar: all(part(entry, facts, similar) for part in parts)


def _word(node: Word, words: list[str]) -> Test:
    value = node.value
    if value.form == "pattern":
        pattern = pattern_of(value)
        return lambda entry, *_: pattern.test(entry.title) or any(map(pattern.test, entry.keys))
    word = folded(value.text)
    words.append(word)
    return lambda entry, _, similar: holds_word(entry, word) or (similar and is_similar(entry, word))
