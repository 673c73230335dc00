"""Remedies for closed gates: switches, filters, triggers, timed effects, decorators, recursion flags."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.proposal import Kind, Option
from lorebook_tui.engine.remedies.silent_keys import recursion_flag, step_options, waker
from lorebook_tui.engine.wording import quoted
from lorebook_tui.model.decorators import DONT_ACTIVATE
from lorebook_tui.model.js import greater, text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.remedies.case import Case

MOST_WAKERS: Final = 3
NO_FILTER: Final = {"isExclude": False, "names": [], "tags": []}


def disabled(case: Case) -> Iterator[Option]:
    """Switch it on."""
    yield Option(Kind.ENABLE, (case.change("disable", False),), "enabled")


def trigger(case: Case) -> Iterator[Option]:
    """Let this kind of generation in, or any."""
    stored = case.fields.get("triggers")
    wanted = case.assembly.turn.trigger
    if isinstance(stored, list):
        phrase = wording.filtered(wanted, added=True, whose="its triggers")
        yield Option(Kind.TRIGGERS, (case.change("triggers", [*stored, wanted]),), phrase)
    yield Option(Kind.TRIGGERS, (case.change("triggers", []),), "without its list of triggers")


def character_name(case: Case) -> Iterator[Option]:
    """Let this card in by its file name, or drop the filter."""
    card, stored = case.assembly.plan.card, case.fields.get("characterFilter")
    if card is not None and isinstance(stored, dict) and isinstance(stored.get("names"), list):
        names = stored["names"]
        excluded = truthy(stored.get("isExclude"))
        if excluded or card.file_name:
            kept = [name for name in names if name != card.file_name] if excluded else [*names, card.file_name]
            phrase = wording.filtered(card.file_name, added=not excluded, whose="the names of its character filter")
            yield Option(Kind.CHARACTER_FILTER, (case.change("characterFilter", {**stored, "names": kept}),), phrase)
    yield _unfiltered(case)


def character_tag(case: Case) -> Iterator[Option]:
    """Let this card's tags in, or drop the filter."""
    card, stored = case.assembly.plan.card, case.fields.get("characterFilter")
    if card is not None and isinstance(stored, dict) and isinstance(stored.get("tags"), list):
        tags, own = stored["tags"], card.tags or ()
        excluded = truthy(stored.get("isExclude"))
        common = [tag for tag in own if tag in tags]
        if excluded and common:
            kept = [tag for tag in tags if tag not in common]
            phrase = f"without {wording.listed([quoted(tag) for tag in common])} among the tags of its filter"
            yield Option(Kind.CHARACTER_FILTER, (case.change("characterFilter", {**stored, "tags": kept}),), phrase)
        elif own and not excluded:
            phrase = wording.filtered(own[0], added=True, whose="the tags of its character filter")
            change = case.change("characterFilter", {**stored, "tags": [*tags, own[0]]})
            yield Option(Kind.CHARACTER_FILTER, (change,), phrase)
    yield _unfiltered(case)


def _unfiltered(case: Case) -> Option:
    change = case.change("characterFilter", dict(NO_FILTER))
    return Option(Kind.NO_CHARACTER_FILTER, (change,), "without its character filter")


def delayed(case: Case) -> Iterator[Option]:
    """A delay that is over at this turn."""
    length = case.assembly.turn.length
    yield Option(Kind.DELAY, (case.change("delay", length),), wording.length("delay", length))


def on_cooldown(case: Case) -> Iterator[Option]:
    """A cooldown that is over at this turn, or none; a longer sticky effect if that is what has just ended."""
    length = case.assembly.turn.length
    effect = case.assembly.effects.cooldown_now.get(case.entry.fingerprint)
    if effect is not None and math.isfinite(effect.start) and 0 < length - effect.start < effect.end - effect.start:
        longest = int(length - effect.start)
        yield Option(Kind.COOLDOWN, (case.change("cooldown", longest),), wording.length("cooldown", longest))
    yield Option(Kind.COOLDOWN, (case.change("cooldown", 0),), wording.length("cooldown", 0))
    yield from ended_sticky(case)


def ended_sticky(case: Case) -> Iterator[Option]:
    """A longer sticky effect, where one has ended at this very turn."""
    identity, length = case.entry.identity, case.assembly.turn.length
    effect = case.trials.state.timed.sticky.get(identity)
    original = case.trials.assembly.entry(case.target)
    if effect is None or effect.fingerprint != original.fingerprint or not math.isfinite(effect.start):
        return
    longer = int(length - effect.start) + 1
    if effect.end <= length and longer > to_number(case.fields.get("sticky")):
        yield Option(Kind.STICKY, (case.change("sticky", longer),), wording.length("sticky effect", longer))


def suppressed(case: Case) -> Iterator[Option]:
    """The content without the decorator."""
    lines = case.entry.stored_content.split("\n")
    kept = "\n".join(line for line in lines if line not in {DONT_ACTIVATE, f"@{DONT_ACTIVATE}"})
    yield Option(Kind.DECORATOR, (case.change("content", kept),), f"without its decorator {DONT_ACTIVATE}")


def excluded_from_recursion(case: Case) -> Iterator[Option]:
    """Let recursion passes take it."""
    yield recursion_flag(case, "excludeRecursion", "non-recursable")


def waits_for_recursion(case: Case) -> Iterator[Option]:
    """No waiting, or a recursion pass."""
    settings = case.assembly.plan.settings
    yield recursion_flag(case, "delayUntilRecursion", "delay until recursion")
    if not settings.world_info_recursive:
        yield Option(Kind.RECURSION_ON, (case.setting("world_info_recursive", True),), "with recursive scanning on")
    yield from step_options(case)
    first = case.assembly.passes[0].successful if case.assembly.passes else ()
    for index in [number for number in first if number >= 0 and case.assembly.entry(number).prevents_recursion][
        :MOST_WAKERS
    ]:
        yield waker(case, index)


def level_not_open(case: Case) -> Iterator[Option]:
    """An earlier level, or none."""
    own = case.entry.gates.level
    reached: list[Any] = [level for level in case.assembly.plan.levels if not isinstance(level, (list, dict))]
    for level in reversed([level for level in reached if greater(own, level)][:MOST_WAKERS]):
        phrase = f"with the recursion level {text_of(level)}"
        yield Option(Kind.RECURSION_LEVEL, (case.change("delayUntilRecursion", level),), phrase)
    yield recursion_flag(case, "delayUntilRecursion", "delay until recursion")
    yield from step_options(case)
