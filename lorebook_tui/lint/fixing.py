"""Repairs a file until the rules have nothing more to repair, each repair proved not to change what the engine does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.lint.proof import is_unchanged
from lorebook_tui.lint.repairs import fixable, repaired

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.runner import Linter, Report
    from lorebook_tui.lint.subjects import FileView, World

_MOST_ROUNDS: Final = 20


@dataclass(frozen=True)
class Fixed:
    """A file after all repairs."""

    loaded: Loaded
    applied: tuple[Finding, ...]
    refused: tuple[Finding, ...]
    """Repairs that would have changed what the engine does without saying so; they were not made."""
    report: Report
    """Of the file as it is now."""


def fixed(file: FileView, linter: Linter, world_with: Callable[[FileView], World], *, offered: bool = False) -> Fixed:
    """All repairs of a file.

    Args:
        file: can be read.
        linter: with the rules that count.
        world_with: everything that is open, with the file as it is given.
        offered: make the repairs that are guesses, too.
    """
    assert file.loaded is not None  # noqa: S101 - the caller's promise
    applied: list[Finding] = []
    refused: dict[str, Finding] = {}
    view = file
    world = world_with(view)
    report = linter.check(world)
    for _ in range(_MOST_ROUNDS):
        waiting = [
            finding
            for finding in fixable(report.findings, offered=offered)
            if finding.file is view and finding.fingerprint not in refused
        ]
        if not waiting or view.loaded is None:
            break
        loaded, made, against = _round(view.loaded, waiting, world)
        refused |= {finding.fingerprint: finding for finding in against}
        if not made:
            break
        applied += made
        view = type(file)(file.name, loaded)
        world = world_with(view)
        report = linter.check(world)
    assert view.loaded is not None  # noqa: S101 - repairs keep a file readable
    return Fixed(view.loaded, tuple(applied), tuple(refused.values()), report)


def _round(loaded: Loaded, waiting: Sequence[Finding], world: World) -> tuple[Loaded, list[Finding], list[Finding]]:
    """The repairs that do not meet each other; returns the file, what was made, and what was refused."""
    plain = [finding for finding in waiting if finding.fix is not None and not finding.fix.alters_activation]
    telling = [finding for finding in waiting if finding not in plain]
    refused: list[Finding] = []
    made: list[Finding] = []
    if plain:
        done = repaired(loaded, plain)
        if _is_proved(loaded, done.loaded, world):
            loaded, made = done.loaded, list(done.applied)
        else:
            loaded, made, refused = _one_by_one(loaded, done.applied, world)
    if not made and telling:
        done = repaired(loaded, telling)
        loaded, made = done.loaded, list(done.applied)
    return loaded, made, refused


def _one_by_one(
    loaded: Loaded, findings: Sequence[Finding], world: World
) -> tuple[Loaded, list[Finding], list[Finding]]:
    """Each repair proved by itself, from the last place to the first, so that earlier places stay where they are."""
    made, refused = [], []
    for finding in reversed(findings):
        done = repaired(loaded, [finding])
        if done.applied and _is_proved(loaded, done.loaded, world):
            loaded = done.loaded
            made.append(finding)
        else:
            refused.append(finding)
    return loaded, made, refused


def _is_proved(before: Loaded, after: Loaded, world: World) -> bool:
    return is_unchanged(before.books, after.books, world.chats, world.settings)
