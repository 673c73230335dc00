"""Who woke whom in a turn: a tree from what the chat, constants and effects woke to what recursion made of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from lorebook_tui.engine.evidence import key_findings
from lorebook_tui.engine.trace import Cause
from lorebook_tui.engine.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.findings import Hit, KeyFinding
    from lorebook_tui.engine.trace import Decision, Pass
    from lorebook_tui.engine.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Waking:
    """An entry that became a candidate, and what made it one."""

    index: int
    """Load index."""
    turn_pass: int
    """The first pass in which it was a candidate."""
    cause: Cause
    verdict: Verdict
    """What became of it in the end."""
    key: str = ""
    """The key that matched, as it stands in the book; "" if none was needed. Foreign text."""
    words: str = ""
    """The words of the text that it matched. Foreign text."""
    hit: Hit | None = None
    """Where; None: no key was needed, or it matches between the lines."""
    by: int | None = None
    """Load index of the entry in whose text the key stands; None: it is a root."""


@dataclass(frozen=True, slots=True)
class WakingRow:
    """A line of the drawn tree."""

    waking: Waking
    depth: int
    """0 for a root."""
    is_last: bool
    """No sibling stands below."""
    rails: tuple[bool, ...] = ()
    """For each level above: whether its line goes on below this row."""


@dataclass(frozen=True, slots=True)
class PassGroup:
    """One pass with the entries that became candidates in it for the first time."""

    turn_pass: Pass
    wakings: tuple[Waking, ...]


@dataclass(frozen=True)
class WakingTree:
    """All candidates of a turn."""

    wakings: Mapping[int, Waking]
    """By load index, in the order of passes and load."""
    passes: tuple[PassGroup, ...]

    @cached_property
    def children(self) -> Mapping[int | None, tuple[int, ...]]:
        """Load indices of those that an entry woke; under None the roots."""
        found: dict[int | None, list[int]] = {None: []}
        for waking in self.wakings.values():
            found.setdefault(waking.by, []).append(waking.index)
        return {waker: tuple(woken) for waker, woken in found.items()}

    def rows(self) -> Iterator[WakingRow]:
        """The tree from top to bottom, each entry once, children under who woke them."""
        waiting = _bottom_first(self.children[None], ())
        while waiting:  # no recursion: a chain of entries can be as long as the book
            index, rails, is_last = waiting.pop()
            yield WakingRow(self.wakings[index], len(rails), is_last, rails)
            waiting += _bottom_first(self.children.get(index, ()), (*rails, not is_last))

    def woken_by(self, index: int) -> int:
        """How many entries would not have been woken without this one: all below it in the tree."""
        count, waiting = 0, list(self.children.get(index, ()))
        while waiting:
            count += 1
            waiting += self.children.get(waiting.pop(), ())
        return count


def _bottom_first(siblings: tuple[int, ...], rails: tuple[bool, ...]) -> list[tuple[int, tuple[bool, ...], bool]]:
    """Siblings as (load index, rails, whether it is the last), the last one first."""
    return [(index, rails, place == 0) for place, index in enumerate(reversed(siblings))]


def waking_tree(assembly: Assembly) -> WakingTree:
    """Who woke whom, worked out from the texts that each candidate saw in its first pass."""
    firsts: dict[int, Decision] = {}
    for decision in assembly.decisions:
        if decision.reason is None and decision.cause is not None and not decision.forced:
            firsts.setdefault(decision.index, decision)
    listed = sorted(firsts.values(), key=lambda decision: (decision.turn_pass, decision.index))
    wakings = {decision.index: _waking(assembly, decision, firsts) for decision in listed}
    groups = tuple(
        PassGroup(turn_pass, tuple(waking for waking in wakings.values() if waking.turn_pass == turn_pass.number))
        for turn_pass in assembly.passes
    )
    return WakingTree(wakings, groups)


def _waking(assembly: Assembly, first: Decision, known: Mapping[int, Decision]) -> Waking:
    index, number, cause = first.index, first.turn_pass, first.cause
    assert cause is not None  # noqa: S101 - those without one were left out
    found = verdict(assembly, index)
    if cause is not Cause.KEY or number > len(assembly.passes):
        return Waking(index, number, cause, found)
    findings = key_findings(assembly, index, assembly.passes[number - 1])
    matched = [finding for finding in findings if finding.matched]
    finding, hit = _first_hit(matched)
    if finding is None:
        return Waking(index, number, cause, found)
    waker = hit.woken_by if hit is not None else None
    by = waker if waker is not None and waker in known and known[waker].turn_pass < number else None
    words = hit.text[hit.start : hit.end] if hit is not None else ""
    return Waking(index, number, cause, found, finding.key, words, hit, by)


def _first_hit(matched: list[KeyFinding]) -> tuple[KeyFinding | None, Hit | None]:
    """The key and place to name: in the chat or a fixed text if there is one, else in the earliest recursed text."""
    best: tuple[KeyFinding, Hit] | None = None
    for finding in matched:
        for hit in finding.hits:
            if hit.origin != "recursion":
                return finding, hit
            if best is None or int(hit.name) < int(best[1].name):
                best = finding, hit
    if best is not None:
        return best
    return (matched[0], None) if matched else (None, None)
