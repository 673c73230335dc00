"""Remedies for entries that their secondary keys stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.phases.keys import AND_ALL, AND_ANY, NOT_ALL, NOT_ANY
from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.proposal import Kind, Option
from lorebook_tui.engine.remedies.silent_keys import constant, depth_options, depths_of, form_options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.remedies.case import Case

_LOOSER: Final = {AND_ALL: (AND_ANY,), NOT_ANY: (NOT_ALL,), AND_ANY: (), NOT_ALL: ()}
_MOST_DEPTHS: Final = 3


def secondary_options(case: Case) -> Iterator[Option]:
    """Fewer or other secondary keys, a looser logic, none in force, another window; a constant as the last resort."""
    logic = case.entry.logic
    yield from _removals(case, logic)
    for looser in _LOOSER.get(int(logic) if logic in _LOOSER else -1, (AND_ANY, NOT_ALL, NOT_ANY, AND_ALL)):
        yield Option(Kind.LOGIC, (case.change("selectiveLogic", looser),), wording.logic(looser))
    off = case.change("selective", False)
    yield Option(Kind.SELECTIVE_OFF, (off,), "with its secondary keys ignored (selective off)")
    if logic in {AND_ANY, AND_ALL}:
        yield from form_options(case, "keysecondary", case.proof.secondary)
        yield from depth_options(case, case.secondary_keys)
    else:
        yield from _shallower(case)
    yield constant(case)


def _removals(case: Case, logic: float) -> Iterator[Option]:
    """Without the secondary keys that stop it: those that match where they must not, or do not where they must."""
    if logic not in {AND_ALL, NOT_ANY}:
        return
    stored = case.stored_keys("keysecondary")
    stopping = [finding.matched is (logic == NOT_ANY) for finding in case.proof.secondary]
    kept = [key for key, stops in zip(stored, stopping, strict=True) if not stops]
    gone = [str(key) for key, stops in zip(stored, stopping, strict=True) if stops]
    if gone:
        change = case.change("keysecondary", kept)
        yield Option(Kind.SECONDARY_REMOVED, (change,), wording.secondary_removed(gone))


def _shallower(case: Case) -> Iterator[Option]:
    """Windows that end before the message with a secondary key that must not be there."""
    holders = [depth for depth in depths_of(case, case.secondary_keys) if 1 < depth <= case.proof.window_depth]
    for depth in reversed(holders[-_MOST_DEPTHS:]):
        yield Option(Kind.SCAN_DEPTH, (case.change("scanDepth", depth - 1),), wording.scan_depth(depth - 1))
