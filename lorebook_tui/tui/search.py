"""Finding by a few letters: entries for the tree's filter, anything for the palette. Safe with text of any kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.workspace.search import CLOSE_ENOUGH, folded

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.targets import Target

_SUBSTRING, _WORD_START, _START = 40, 20, 20
_BY_KEY, _IN_DETAIL = 300, 20


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something a dialog offers."""

    title: str
    """Foreign text."""
    target: Target
    detail: str = ""
    """Foreign text."""
    key: str = ""
    """Its key, or a number."""
    section: str = ""
    sign: str = ""
    ink: str = "text"
    reason: str = ""
    """Why it cannot be chosen now; shown in place of the detail."""


class EntrySearch:
    """Titles and keys of all entries of a scene, made ready."""

    def __init__(self, scene: Scene) -> None:
        self.refs: list[EntryRef] = list(scene.refs())
        entries = [scene.entry(ref) for ref in self.refs]
        self._titles = [folded(entry.title) for entry in entries]
        self._texts = [
            "\n".join([title, *(folded(key) for key in entry.keys)])
            for title, entry in zip(self._titles, entries, strict=True)
        ]

    def find(self, query: str) -> list[EntryRef]:
        """Entries whose title or keys hold every word of the query; else those with a similar title. In tree order."""
        words = folded(query).split()
        if not words:
            return list(self.refs)
        found = [ref for ref, text in zip(self.refs, self._texts, strict=True) if all(word in text for word in words)]
        if found:
            return found
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - only when nothing holds the words themselves

        close = process.extract(
            " ".join(words), self._titles, scorer=fuzz.partial_ratio, score_cutoff=CLOSE_ENOUGH, limit=100
        )
        return [self.refs[place] for place in sorted(place for _, _, place in close)]


class Finder:
    """Candidates made ready to be found, so that every further letter costs only the comparison."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self.candidates = candidates
        self._titles = [folded(candidate.title) for candidate in candidates]
        self._details = [folded(candidate.detail) for candidate in candidates]
        self._keys = [
            (place, key, key.rpartition(" ")[2])
            for place, candidate in enumerate(candidates)
            if (key := candidate.key.casefold())
        ]

    def find(self, query: str, limit: int = 50) -> list[Candidate]:
        """The candidates that fit a query, the best first; all of them in their order if nothing is typed."""
        wanted = folded(query.strip())
        if not wanted:
            return list(self.candidates)
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - only when something is typed

        close = process.extract(
            wanted, self._titles, scorer=fuzz.partial_ratio, score_cutoff=CLOSE_ENOUGH, limit=limit * 4
        )
        scored = [(score + _bonus(wanted, self._titles[place]), -place) for _, score, place in close]
        taken = {-place for _, place in scored}
        scored += [(_BY_KEY, -place) for place, key, last in self._keys if wanted in (key, last)]
        scored += [
            (_IN_DETAIL, -place)
            for place, detail in enumerate(self._details)
            if wanted in detail and place not in taken
        ]
        scored.sort(reverse=True)
        best = dict.fromkeys(-place for _, place in scored)
        return [self.candidates[place] for place in list(best)[:limit]]


def rank(candidates: Sequence[Candidate], query: str, limit: int = 50) -> list[Candidate]:
    """The candidates that fit a query, for a list that is searched once."""
    return Finder(candidates).find(query, limit)


def _bonus(wanted: str, title: str) -> float:
    """Real occurrences come before similar ones, early and in short titles first."""
    place = title.find(wanted)
    if place < 0:
        return -len(title) / 100
    starts = place == 0 or not title[place - 1].isalnum()
    return _SUBSTRING + (_WORD_START if starts else 0) + (_START if place == 0 else 0) - len(title) / 100
