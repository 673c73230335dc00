"""Probability: chances that never come true, that are never rolled, or that are no percentage."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.staging import call_of, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import nullish, number_text, to_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.js import Json

_CERTAIN: Final = 100


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and not math.isnan(value)


class NeverRolled(EntryRule):
    """A chance of 0 %, or no chance at all, with the roll switched on.

    Why: SillyTavern 1.19 rolls for every entry with "use probability" on, unless its probability is exactly 100; a
    probability of 0 passes only if the dice show exactly nought, a missing one never.
    Example: `probability` 0 and `useProbability` true.
    Do: disable the entry if it is to stay away, or give it a chance.
    Source: SillyTavern 1.19.
    """

    code = "ACT001"
    name = "chance-of-nought"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "probability": 1},)),
        Example(({"key": ["bell"], "content": "x", "probability": 0, "useProbability": False},)),
        Example(({"key": ["bell"], "content": "x", "probability": 0, "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "probability": 0},), fixed=({"disable": True},)),
        Example(({"key": ["bell"], "content": "x", "probability": None},), fixed=({"probability": 100},)),
        Example(({"constant": True, "content": "x", "probability": ...},), fixed=({"probability": 100},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries whose roll cannot succeed."""
        value = entry.get("probability")
        if not entry.is_enabled or not entry.is_on("useProbability"):
            return
        if not nullish(value) and not (_is_number(value) and value == 0):
            return
        if nullish(value):
            told, change = "set the probability to 100", SetField(entry.entry.path, "probability", _CERTAIN)
            message = "It has no probability, but the roll is on: the dice never let it in."
        else:
            told, change = "disable the entry", SetField(entry.entry.path, "disable", True)
            message = "Its probability is 0 and the roll is on: whatever is said, it never comes."
        fix = Fix(told, (change,), Grade.OFFERED, alters_activation=True)
        call = call_of(entry)
        proof = (
            witness("The entry is called, and the dice send it away.", [entry], [call], context.settings)
            if call
            else None
        )
        yield self.finding(
            entry, message, entry.path_of("probability"), fix=fix, witness=shown(proof, entry, Reason.ROLL_FAILED)
        )


class ChanceNotRolled(EntryRule):
    """A probability below 100 with the roll switched off, or its switch missing.

    Why: SillyTavern 1.19 rolls only if `useProbability` is on; without it the entry comes every time it is called. Its
    editor always switches it on, so the author of such a file has probably never seen the entry roll.
    Example: `probability` 30 in a file that does not say `useProbability`.
    Do: switch it on, or set the probability to 100.
    Source: SillyTavern 1.19.
    """

    code = "ACT002"
    name = "chance-not-rolled"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "probability": 30},)),
        Example(({"key": ["bell"], "content": "x", "probability": 100, "useProbability": False},)),
        Example(({"key": ["bell"], "content": "x", "probability": ..., "useProbability": ...},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["bell"], "content": "x", "probability": 30, "useProbability": False},),
            fixed=({"useProbability": True, "probability": 30},),
        ),
        Example(
            ({"key": ["bell"], "content": "x", "probability": 0, "useProbability": ...},),
            fixed=({"useProbability": True},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Percentages that nobody asks."""
        value = entry.get("probability")
        if not entry.is_enabled or entry.is_on("useProbability") or not _is_number(value) or not 0 <= value < _CERTAIN:
            return
        call = call_of(entry)
        proof = (
            witness("The entry is called and comes without a roll.", [entry], [call], context.settings)
            if call
            else None
        )
        grade = Grade.SAFE if value else Grade.OFFERED
        fix = Fix("switch the roll on", (SetField(entry.entry.path, "useProbability", True),), grade,
                  alters_activation=True)  # fmt: skip
        message = f"Its probability is {number_text(value)}, but the roll is off: it comes every time it is called."
        yield self.finding(
            entry, message, entry.path_of("probability"), fix=fix, witness=shown(proof, entry, Reason.IN_PROMPT)
        )


class NoPercentage(EntryRule):
    """A probability that is no number from 0 to 100.

    Why: SillyTavern 1.19 compares the roll with whatever stands there: above 100 it always passes, below 0 never, a
    text is read as a number where it is one and never passes where it is none.
    Example: `probability` 250, or the text `half`.
    Do: write a number from 0 to 100.
    Source: SillyTavern 1.19.
    """

    code = "ACT003"
    name = "no-percentage"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "probability": 0.5},)),
        Example(({"key": ["bell"], "content": "x", "probability": 100},)),
        Example(({"key": ["bell"], "content": "x", "probability": None},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "probability": 250},), fixed=({"probability": 100},)),
        Example(({"key": ["bell"], "content": "x", "probability": -5},), fixed=({"probability": 0},)),
        Example(({"key": ["bell"], "content": "x", "probability": "30"},), fixed=({"probability": 30},)),
        Example(({"key": ["bell"], "content": "x", "probability": "half"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Numbers out of range and other things."""
        value = entry.get("probability")
        if nullish(value) or (_is_number(value) and 0 <= value <= _CERTAIN):
            return
        number = to_number(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else math.nan
        if math.isnan(number) or (isinstance(value, str) and not value.strip()):
            message = f"Its probability is {quote(value)}, which is no number: a roll against it never passes."
            proof = _rolled(entry, Reason.ROLL_FAILED, context)
            yield self.finding(entry, message, entry.path_of("probability"), witness=proof)
            return
        right = min(max(number, 0), _CERTAIN)
        right = int(right) if float(right).is_integer() else right
        change = SetField(entry.entry.path, "probability", right)
        # even where the outcome is the same, a roll that is made no longer leaves other dice to the entries behind it
        fix = Fix(f"set the probability to {number_text(right)}", (change,), alters_activation=True)
        proof = None
        if isinstance(value, str):
            message = f"Its probability is the text {quote(value)} instead of a number."
        else:
            told = "it always passes its roll" if number > _CERTAIN else "it never passes its roll"
            message = f"Its probability is {number_text(value)}, outside of 0 to 100: {told}."
            proof = _rolled(entry, Reason.IN_PROMPT if number > _CERTAIN else Reason.ROLL_FAILED, context)
        yield self.finding(entry, message, entry.path_of("probability"), fix=fix, witness=proof)


def _rolled(entry: EntryView, outcome: Reason, context: Context) -> Witness | None:
    """The entry is called and rolls its dice, with the outcome that is claimed."""
    call = call_of(entry)
    if call is None:
        return None
    return shown(witness("It is called, and rolls its dice.", [entry], [call], context.settings), entry, outcome)
