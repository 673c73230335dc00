"""Finding by a few letters: entries for the tree's filter, anything for the palette. Safe with text of any kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz, process

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.tui.targets import Target

CLOSE_ENOUGH: Final = 78
_SUBSTRING, _WORD_START, _START = 40, 20, 20
_BY_KEY, _IN_DETAIL = 300, 20
_LONGEST = 300
"""Characters of a title or key that are looked at."""


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


def folded(text: str) -> str:
    """For comparison: case folded, not too long, lone surrogates replaced."""
    return text[:_LONGEST].casefold().encode("utf-8", "replace").decode("utf-8")


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
        close = process.extract(
            " ".join(words), self._titles, scorer=fuzz.partial_ratio, score_cutoff=CLOSE_ENOUGH, limit=100
        )
        return [self.refs[place] for place in sorted(place for _, _, place in close)]


def rank(candidates: Sequence[Candidate], query: str, limit: int = 50) -> list[Candidate]:
    """The candidates that fit a query, the best first; all of them in their order if nothing is typed."""
    wanted = folded(query.strip())
    if not wanted:
        return list(candidates)
    titles = [folded(candidate.title) for candidate in candidates]
    scored: list[tuple[float, int]] = []
    for _, score, place in process.extract(
        wanted, titles, scorer=fuzz.partial_ratio, score_cutoff=CLOSE_ENOUGH, limit=limit * 4
    ):
        scored.append((score + _bonus(wanted, titles[place]), -place))
    taken = {-place for _, place in scored}
    for place, candidate in enumerate(candidates):
        key = candidate.key.casefold()
        if key and (key == wanted or key.rpartition(" ")[2] == wanted):
            scored.append((_BY_KEY, -place))
        elif place not in taken and wanted in folded(candidate.detail):
            scored.append((_IN_DETAIL, -place))
    scored.sort(reverse=True)
    best = dict.fromkeys(-place for _, place in scored)
    return [candidates[place] for place in list(best)[:limit]]


def _bonus(wanted: str, title: str) -> float:
    """Real occurrences come before similar ones, early and in short titles first."""
    place = title.find(wanted)
    if place < 0:
        return -len(title) / 100
    starts = place == 0 or not title[place - 1].isalnum()
    return _SUBSTRING + (_WORD_START if starts else 0) + (_START if place == 0 else 0) - len(title) / 100
