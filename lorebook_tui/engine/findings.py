"""One key against the pieces of a buffer: where it hits, and what almost hit. Spans count in the piece's text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.engine.keys import BlankKey, DynamicKey, EmptyKey, PatternKey, PlainKey
from lorebook_tui.engine.near import Near
from lorebook_tui.engine.phases.buffer import JOINER, MARK
from lorebook_tui.matching import ecma
from lorebook_tui.matching.fuzzy import near_misses
from lorebook_tui.matching.jstext import lower, original_span
from lorebook_tui.matching.words import find_plain
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.phases.buffer import Piece

MOST_HITS = 50
MOST_NEAR = 3
OVER_TIME = "It ran into the time limit for patterns."
_BETWEEN = "It matches, but not within any single line of the buffer."


@dataclass(frozen=True, slots=True)
class Hit:
    """One place where a key matches."""

    origin: str
    """message, source, prompt or recursion."""
    name: str
    """Name of the source or prompt; number of the pass for recursion."""
    message: int | None
    """Index in the transcript."""
    start: int
    end: int
    text: str
    """The whole piece."""
    woken_by: int | None = None
    """For recursion: load index of the entry in whose content it stands."""
    runs_on: bool = False
    """Whether the match goes on beyond this piece, into those behind it."""

    def woken(self, index: int | None) -> Hit:
        """The same hit with the entry it stands in."""
        return replace(self, woken_by=index)


@dataclass(frozen=True, slots=True)
class KeyFinding:
    """What became of one key."""

    key: str
    kind: str
    """plain, pattern, macro, blank or empty."""
    matched: bool
    hits: tuple[Hit, ...] = ()
    near: tuple[Near, ...] = ()
    note: str = ""
    """What is odd about the key itself: a pattern that is none, a time limit, …"""
    literal: str = ""
    """The text that was looked for, macros replaced."""

    def with_hits(self, hits: Iterable[Hit]) -> KeyFinding:
        """The same finding with other hits."""
        return replace(self, hits=tuple(hits))

    def with_near(
        self, pieces: Sequence[Piece], older: Sequence[Piece], *, case_sensitive: bool, whole_words: bool
    ) -> KeyFinding:
        """The same finding with near misses if it did not match."""
        if self.matched:
            return self
        beyond = _outside(self, older, case_sensitive=case_sensitive, whole_words=whole_words)
        close = _close(self, pieces, case_sensitive=case_sensitive, whole_words=whole_words)
        return replace(self, near=(*beyond, *close)[:MOST_NEAR])


def find_key(
    key: Key,
    pieces: Sequence[Piece],
    expand: Callable[[str], str],
    *,
    case_sensitive: bool,
    whole_words: bool,
    blind: bool = False,
) -> KeyFinding:
    """Look for one key in all pieces.

    Args:
        key: the key as the plan has it.
        pieces: what the entry sees.
        expand: replaces macros for looking only.
        case_sensitive: the entry's option, for keys whose macros change.
        whole_words: the same.
        blind: the entry sees nothing, not even the mark that begins the text of an empty chat.
    """
    whole = "" if blind else MARK + JOINER.join(piece.text for piece in pieces)
    if isinstance(key, EmptyKey):
        return KeyFinding(
            key.raw, "empty", matched=False, note="It is empty once macros are replaced: it never matches."
        )
    if isinstance(key, BlankKey):
        return KeyFinding(key.raw, "blank", matched=True, note="It is white space only: it matches every text.")
    if isinstance(key, PatternKey):
        return _find_pattern(key.raw, key.source, key.flags, pieces, whole)
    if isinstance(key, PlainKey):
        if key.crosses:
            return _find_across(key, pieces, whole)
        hits = _find_literal(key.literal, pieces, case_sensitive=key.case_sensitive, whole_words=key.whole_word)
        note = ecma.why_not_regex(key.literal) if key.literal.startswith("/") else None
        return KeyFinding(key.raw, "plain", bool(hits), hits, note=note or "", literal=key.literal)
    return _find_dynamic(key, pieces, whole, expand(key.raw), case_sensitive=case_sensitive, whole_words=whole_words)


def _find_dynamic(
    key: DynamicKey, pieces: Sequence[Piece], whole: str, expanded: str, *, case_sensitive: bool, whole_words: bool
) -> KeyFinding:
    """A key with macros as they stand at the start of the turn."""
    text = trim(expanded)
    if not expanded:
        return KeyFinding(key.raw, "macro", matched=False, note="Its macros give nothing at the start of this turn.")
    if not text:
        return KeyFinding(
            key.raw, "macro", matched=True, note="Its macros give white space at the start of this turn: it matches."
        )
    note = f"Its macros give {quote(text)} at the start of this turn."
    pattern = ecma.parse_key(text)
    if pattern is not None:
        return replace(_find_pattern(key.raw, pattern.source, pattern.flags, pieces, whole), kind="macro", note=note)
    literal = text if case_sensitive else lower(text)
    hits = _find_literal(literal, pieces, case_sensitive=case_sensitive, whole_words=whole_words)
    return KeyFinding(key.raw, "macro", bool(hits), hits, note=note, literal=literal)


def _find_literal(literal: str, pieces: Sequence[Piece], *, case_sensitive: bool, whole_words: bool) -> tuple[Hit, ...]:
    hits: list[Hit] = []
    for piece in pieces:
        for start, end in literal_spans(piece.text, literal, case_sensitive=case_sensitive, whole_words=whole_words):
            hits.append(Hit(piece.origin, piece.name, piece.message, start, end, piece.text))
            if len(hits) >= MOST_HITS:
                return tuple(hits)
    return tuple(hits)


def literal_spans(text: str, literal: str, *, case_sensitive: bool, whole_words: bool) -> Sequence[tuple[int, int]]:
    """Spans of a literal in the text as it stands, even where lower-casing changed its length."""
    if case_sensitive:
        return find_plain(text, literal, whole_words=whole_words)
    lowered = lower(text)
    spans = find_plain(lowered, literal, whole_words=whole_words)
    return spans if len(lowered) == len(text) else [original_span(text, start, end) for start, end in spans]


def _find_across(key: PlainKey, pieces: Sequence[Piece], whole: str) -> KeyFinding:
    """A plain key that can reach over the mark between two pieces."""
    spans = literal_spans(whole, key.literal, case_sensitive=key.case_sensitive, whole_words=key.whole_word)[:MOST_HITS]
    hits = tuple(hit for span in spans for hit in _split_span(span, pieces))
    note = _BETWEEN if spans and not hits else ""
    return KeyFinding(key.raw, "plain", bool(spans), hits, note=note, literal=key.literal)


def _find_pattern(raw: str, source: str, flags: str, pieces: Sequence[Piece], whole: str) -> KeyFinding:
    try:
        spans = ecma.compile(source, flags).find_all(whole, MOST_HITS)
    except ecma.PatternTimeout:
        return KeyFinding(raw, "pattern", matched=False, note=OVER_TIME)
    hits = tuple(hit for span in spans for hit in _split_span(span, pieces))
    note = _BETWEEN if spans and not hits else ""
    return KeyFinding(raw, "pattern", bool(spans), hits, note=note)


def _split_span(span: tuple[int, int], pieces: Sequence[Piece]) -> Iterable[Hit]:
    """The part of a match that lies in the first piece it has a part in; nothing if it stands between two pieces."""
    position = len(MARK)
    for piece in pieces:
        end = position + len(piece.text)
        first, last = max(span[0], position), min(span[1], end)
        if first < last or span[0] == span[1] == first <= end:
            runs_on = span[1] > end + len(JOINER)
            yield Hit(
                piece.origin, piece.name, piece.message, first - position, last - position, piece.text, runs_on=runs_on
            )
            return
        position = end + len(JOINER)


def _outside(finding: KeyFinding, older: Sequence[Piece], *, case_sensitive: bool, whole_words: bool) -> Iterable[Near]:
    """The newest message beyond the window that holds the key."""
    for distance, piece in enumerate(older, 1):
        spans: Sequence[tuple[int, int]]
        if finding.literal:
            spans = literal_spans(piece.text, finding.literal, case_sensitive=case_sensitive, whole_words=whole_words)
        elif finding.kind == "pattern":
            pattern = ecma.parse_key(trim(finding.key))
            try:
                spans = ecma.compile(pattern.source, pattern.flags).find_all(MARK + piece.text, 1) if pattern else ()
            except ecma.PatternTimeout:
                return
            spans = [(max(0, start - 1), end - 1) for start, end in spans]
        else:
            return
        if spans:
            start, end = spans[0]
            lines = "one message" if distance == 1 else f"{distance} messages"
            yield Near(
                "outside_window", piece.text[start:end], piece.message, f"It stands {lines} beyond the scanned ones."
            )
            return


def _close(finding: KeyFinding, pieces: Sequence[Piece], *, case_sensitive: bool, whole_words: bool) -> Iterable[Near]:
    """Another case, a word boundary, one typing error; for patterns the missing `i` flag."""
    if finding.kind == "pattern":
        pattern = ecma.parse_key(trim(finding.key))
        if pattern is None or "i" in pattern.flags:
            return
        whole = MARK + JOINER.join(piece.text for piece in pieces)
        relaxed = _find_pattern(finding.key, pattern.source, pattern.flags + "i", pieces, whole)
        for hit in relaxed.hits[:1]:
            yield Near(
                "pattern_case", hit.text[hit.start : hit.end], hit.message,
                "It would match with the flag i: patterns ignore the case setting.",
            )  # fmt: skip
        return
    if not finding.literal:
        return
    for piece in pieces:
        for miss in near_misses(piece.text, finding.literal, case_sensitive=case_sensitive, whole_words=whole_words):
            yield Near(miss.kind, miss.found, piece.message, miss.note)
