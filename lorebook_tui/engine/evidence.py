"""Evidence, worked out when somebody looks: hits, near misses, who woke whom, what stood before the cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.findings import KeyFinding, find_key
from lorebook_tui.engine.keys import PlainKey
from lorebook_tui.engine.phases.buffer import MOST_DEPTH, Piece, described_pieces, lines_seen
from lorebook_tui.engine.trace import Cause, PassKind
from lorebook_tui.engine.verdicts import passes_open_to, unjudged, verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.findings import Hit
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.trace import LedgerRow, Pass


@dataclass(frozen=True, slots=True)
class Evidence:
    """What stands behind a verdict."""

    keys: tuple[KeyFinding, ...]
    """Primary keys against the text the entry saw in the deciding pass."""
    secondary: tuple[KeyFinding, ...]
    window_depth: float
    """Messages the entry's window held."""
    path: tuple[int, ...]
    """Load indices from the entry that the chat woke to this one; () if no recursion was needed."""
    standing_before: tuple[LedgerRow, ...]
    """For budgeted entries: admitted ledger rows of the same pass before its own."""
    own_row: LedgerRow | None


def evidence(assembly: Assembly, index: int, *, near: bool = True) -> Evidence:
    """The evidence about one entry.

    Args:
        assembly: the turn.
        index: load index.
        near: also look for keys that almost hit.
    """
    entry = assembly.entry(index)
    turn_pass = deciding_pass(assembly, index)
    pieces = pieces_seen(assembly, index, turn_pass)
    blind = turn_pass is None or lines_seen(assembly.plan.windows[entry.window], turn_pass.depth) is None
    keys = _findings(assembly, index, entry.keys, pieces, near=near, blind=blind)
    secondary = _findings(assembly, index, entry.secondary, pieces, near=near, blind=blind)
    own = next((row for row in reversed(assembly.ledger) if row.index == index), None)
    before: tuple[LedgerRow, ...] = ()
    if own is not None:
        place = assembly.ledger.index(own)
        before = tuple(row for row in assembly.ledger[:place] if row.turn_pass == own.turn_pass)
    return Evidence(
        keys,
        secondary,
        window_depth(assembly, index, turn_pass),
        _path(assembly, index, keys),
        before,
        own,
    )


def deciding_pass(assembly: Assembly, index: int) -> Pass | None:
    """The pass that admitted an entry, or the one in which it came furthest; None if that one was not finished."""
    found = verdict(assembly, index)
    number = found.turn_pass
    if number is None:
        return unjudged(assembly, assembly.entry(index).gates, passes_open_to(assembly, index))[1]
    return assembly.passes[number - 1] if number <= len(assembly.passes) else None


def window_depth(assembly: Assembly, index: int, turn_pass: Pass | None) -> float:
    """Messages in the entry's window: its own depth or the global one of that pass."""
    own = assembly.entry(index).scan_depth
    if own is not None:
        return min(own, MOST_DEPTH)
    return turn_pass.depth if turn_pass else assembly.plan.settings.world_info_depth


def pieces_seen(assembly: Assembly, index: int, turn_pass: Pass | None) -> list[Piece]:
    """The pieces the entry was matched against in a pass."""
    if turn_pass is None:
        return []
    entry = assembly.entry(index)
    recursed = [
        (earlier.number, "\n".join(text for _, text in earlier.recursed))
        for earlier in assembly.passes[: turn_pass.number - 1]
        if earlier.recursed and turn_pass.kind is not PassKind.MIN_ACTIVATIONS
    ]
    return described_pieces(assembly.turn, assembly.plan.windows[entry.window], turn_pass.depth, recursed)


def key_findings(assembly: Assembly, index: int, turn_pass: Pass) -> tuple[KeyFinding, ...]:
    """The primary keys of an entry against the text that it saw in a pass, near misses left out."""
    entry = assembly.entry(index)
    pieces = pieces_seen(assembly, index, turn_pass)
    blind = lines_seen(assembly.plan.windows[entry.window], turn_pass.depth) is None
    return _findings(assembly, index, entry.keys, pieces, near=False, blind=blind)


def _findings(
    assembly: Assembly, index: int, keys: Iterable[Key], pieces: list[Piece], *, near: bool, blind: bool = False
) -> tuple[KeyFinding, ...]:
    entry = assembly.entry(index)
    sensitive = assembly.plan.case_sensitive(entry.entry)
    whole = assembly.plan.whole_words(entry.entry)
    found = []
    for key in keys:
        finding = find_key(key, pieces, assembly.expand, case_sensitive=sensitive, whole_words=whole, blind=blind)
        found.append(_woken(assembly, finding))
    if near and pieces:
        older = older_pieces(assembly, pieces)
        return tuple(finding.with_near(pieces, older, case_sensitive=sensitive, whole_words=whole) for finding in found)
    return tuple(found)


def older_pieces(assembly: Assembly, pieces: list[Piece]) -> list[Piece]:
    """Visible messages beyond the window, newest first."""
    inside = sum(1 for piece in pieces if piece.origin == "message")
    numbers = assembly.turn.newest_numbers(MOST_DEPTH)
    lines = assembly.turn.newest(MOST_DEPTH)
    return [
        Piece(line, "message", message=number) for line, number in zip(lines[inside:], numbers[inside:], strict=True)
    ]


def _woken(assembly: Assembly, finding: KeyFinding) -> KeyFinding:
    """The finding with the entry whose text each recursed hit stands in."""
    if all(hit.origin != "recursion" for hit in finding.hits):
        return finding
    return finding.with_hits(
        hit.woken(source_of(assembly, hit)) if hit.origin == "recursion" else hit for hit in finding.hits
    )


def source_of(assembly: Assembly, hit: Hit) -> int | None:
    """The entry whose content holds the start of a hit in a recursed piece."""
    position = 0
    for index, text in assembly.passes[int(hit.name) - 1].recursed:
        if hit.start <= position + len(text):
            return index
        position += len(text) + 1
    return None


def _path(assembly: Assembly, index: int, keys: tuple[KeyFinding, ...]) -> tuple[int, ...]:
    """Follow the wakers back to an entry that needed no recursion."""
    path = [index]
    while True:
        waker = _waker(assembly, path[-1], keys)
        if waker is None or waker in path:
            return tuple(reversed(path)) if len(path) > 1 else ()
        path.append(waker)
        pieces = pieces_seen(assembly, waker, deciding_pass(assembly, waker))
        keys = _findings(assembly, waker, assembly.entry(waker).keys, pieces, near=False)


def _waker(assembly: Assembly, index: int, keys: tuple[KeyFinding, ...]) -> int | None:
    """The entry whose text woke this one; None if the chat did, or no key."""
    admitted = assembly.admitted_by_index.get(index)
    if admitted is not None and admitted.cause is not Cause.KEY:
        return None
    hits = [hit for finding in keys for hit in finding.hits]
    return hits[0].woken_by if hits and all(hit.woken_by is not None for hit in hits) else None


def message_hits(assembly: Assembly) -> dict[int, tuple[tuple[int, int, int], ...]]:
    """Hits of activated entries in messages, for highlighting: (start, end, load index) in the text of the message.

    Offsets count from the start of the message's own text; hits in the speaker's name are left out. Texts that a
    scenario hands to the scan in place of its chat are no messages.
    """
    if assembly.turn.lines is not assembly.chat.lines:
        return {}
    found: dict[int, list[tuple[int, int, int]]] = {}
    seen: dict[tuple[int, int], list[Piece]] = {}
    for admitted in assembly.admitted:
        if admitted.cause is not Cause.KEY:
            continue
        window = (assembly.entry(admitted.index).window, admitted.turn_pass)
        if window not in seen:
            seen[window] = pieces_seen(assembly, admitted.index, assembly.passes[admitted.turn_pass - 1])
        for message, start, end in _own_hits(assembly, admitted.index, seen[window]):
            found.setdefault(message, []).append((start, end, admitted.index))
    return {message: tuple(sorted(spans)) for message, spans in found.items()}


def _own_hits(assembly: Assembly, index: int, pieces: list[Piece]) -> Iterator[tuple[int, int, int]]:
    """Hits of one entry in the texts of messages: (transcript index, start, end)."""
    lines = [piece for piece in pieces if piece.origin == "message"]
    entry = assembly.entry(index)
    for key in entry.keys:
        where = lines if isinstance(key, PlainKey) and not key.crosses else pieces
        for finding in _findings(assembly, index, (key,), where, near=False):
            for hit in finding.hits:
                if hit.message is None:
                    continue
                span = assembly.chat.own_span(hit.message, hit.text, hit.start, hit.end)
                if span is not None:
                    yield hit.message, *span
