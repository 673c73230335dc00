"""Chance in inclusion groups and beside them: winners that fail, alternatives without a group, weights of nought."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.groups import group_names, in_load_order, weight_of
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.rule import Context, Example, GroupRule, Option
from lorebook_tui.lint.rules.act_constant import is_chancy
from lorebook_tui.lint.rules.grp_contest import MembersRule
from lorebook_tui.lint.staging import call_of, common_call, first_seed, is_proved, shown
from lorebook_tui.lint.witness import reason_of, run, witness
from lorebook_tui.model.js import MISSING, number_text, text_of, to_number

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.settings import ScanSettings

_MOST_PROVED: Final = 6
"""Entries that a witness takes along."""
_SEEDS: Final = 40
_WHOLE: Final = 100
_COMMON_WEIGHT: Final = 100


class WinnerMayFail(MembersRule):
    """Members of an inclusion group with a probability below 100.

    Why: SillyTavern 1.19 settles the group first and rolls for the winner afterwards. When that roll fails, nobody of
    the group comes in that pass: the loser does not step in.
    Example: two members of `weather`, one of them with a probability of 50.
    Do: leave the probability at 100 and put the chances into the group weights; for "perhaps nothing at all", give the
    group a member of its own for that.
    Source: SillyTavern 1.19.
    """

    code = "GRP007"
    name = "winner-may-fail"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["sky"], "group": "weather", "groupWeight": 70, "content": "x"},
                {"key": ["sky"], "group": "weather", "groupWeight": 30, "content": "y"},
            )
        ),
        Example(({"key": ["sky"], "group": "weather", "probability": 50, "content": "x"},)),
        Example(
            (
                {"key": ["sky"], "group": "weather", "probability": 50, "useProbability": False, "content": "x"},
                {"key": ["sky"], "group": "weather", "content": "y"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["sky"], "group": "weather", "probability": 50, "content": "x"},
                {"key": ["sky"], "group": "weather", "content": "y"},
            )
        ),
    )

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Groups in which a winner may fail its own roll."""
        chancy = [member for member in members if is_chancy(member)]
        if not chancy or len(members) == 1:
            return
        shown_members = [chancy[0], *(member for member in members if member is not chancy[0])][:_MOST_PROVED]
        call = common_call(shown_members)
        proof = None
        if call is not None:
            told = "It wins its group, fails its own roll, and nobody takes its place."
            proof = first_seed(
                lambda seed: witness(told, shown_members, [call], context.settings, seed=seed),
                chancy[0],
                Reason.ROLL_FAILED,
            )
        number = text_of(chancy[0].get("probability"))
        yield self.finding(
            chancy[0],
            f"When it wins the group {quote(key)}, it may still fail its own roll of {number} %, and then nobody of "
            "the group comes.",
            chancy[0].path_of("probability"),
            others=[member for member in members if member is not chancy[0]],
            witness=proof,
        )


class AlternativesWithoutGroup(GroupRule):
    """Entries with the same keys whose probabilities add up to about 100, and that are in no group.

    Why: They are meant as alternatives, but SillyTavern 1.19 rolls for each by itself: of two with 50 %, none comes in
    a quarter of the turns, and both in another. An inclusion group draws exactly one, by weight.
    Example: "The lock opens" and "The pick breaks", both with the key `pick` and 50 %.
    Do: put them into one inclusion group, with the percentages as weights and the probability at 100.
    Source: SillyTavern 1.19; the dice recipe of the guides.
    """

    code = "GRP008"
    name = "alternatives-without-group"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    options = (Option("tolerance", 5, "How far from 100 the sum of the probabilities may be, in percent."),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["pick"], "probability": 50, "group": "lock", "content": "x"},
                {"key": ["pick"], "probability": 50, "group": "lock", "content": "y"},
            )
        ),
        Example(
            (
                {"key": ["pick"], "probability": 50, "content": "x"},
                {"key": ["rope"], "probability": 50, "content": "y"},
            )
        ),
        Example(
            (
                {"key": ["pick"], "probability": 20, "content": "x"},
                {"key": ["pick"], "probability": 30, "content": "y"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["pick", "lock"], "probability": 60, "content": "x"},
                {"key": ["Lock", "pick"], "probability": 40, "content": "y"},
            ),
            fixed=(
                {"group": "pick", "groupWeight": 60, "probability": 100},
                {"group": "pick", "groupWeight": 40, "probability": 100},
            ),
        ),
        Example(
            (
                {"key": ["die"], "probability": 33, "content": "x"},
                {"key": ["die"], "probability": 33, "content": "y"},
                {"key": ["die"], "probability": 33, "content": "z"},
            ),
            fixed=({"group": "die", "groupWeight": 33}, {"group": "die", "groupWeight": 33}, {"group": "die"}),
        ),
    )

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        """Its keys and filter, if chance decides about it and no group does."""
        del context
        if not entry.is_enabled or not entry.is_keyed or not is_chancy(entry) or group_names(entry):
            return ()
        primary = frozenset(key.folded for key in entry.keys if not key.is_blank)
        secondary = frozenset(key.folded for key in entry.secondary) if entry.is_on("selective") else frozenset()
        return ((primary, secondary, to_number(entry.get("selectiveLogic"))),) if primary else ()

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Entries that look like the faces of a die."""
        del key
        chances = [to_number(member.get("probability")) for member in members]
        total = sum(chances)
        if len(members) == 1 or not abs(total - _WHOLE) <= context.options["tolerance"]:
            return
        none = math.prod(1 - chance / _WHOLE for chance in chances)
        name = next(key.trimmed for key in members[0].keys if not key.is_blank).replace(",", " ")
        changes = [
            SetField(member.entry.path, field, value)
            for member, chance in zip(members, chances, strict=True)
            for field, value in (("group", name), ("groupWeight", _plain(chance)), ("probability", _WHOLE))
        ]
        yield self.finding(
            members[0],
            f"It and {named(members[1:])} have the same keys and chances that add up to {number_text(total)} %, but "
            f"each is rolled by itself: in {none:.0%} of the turns none comes, and often several do.",
            members[0].path_of("probability"),
            others=members[1:],
            fix=Fix(f"put them into the group {quote(name)}, chances as weights", tuple(changes), Grade.OFFERED,
                    alters_activation=True),
            witness=_all_or_none(members[:_MOST_PROVED], context.settings),
        )  # fmt: skip


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number


def _all_or_none(members: Sequence[EntryView], settings: ScanSettings) -> Witness | None:
    """The first seed with which the dice bring none of them in."""
    call = call_of(members[0])
    if call is None or not is_proved(members[0]):
        return None
    for seed in range(1, _SEEDS + 1):
        told = "The dice are thrown for each by itself, and none comes."
        given = witness(told, members, [call], settings, seed=seed)
        assembly = run(given)
        if not assembly.error and all(reason_of(assembly, each) is Reason.ROLL_FAILED for each in members):
            return given
    return None


class UndrawableWeight(GroupRule):
    """A group weight that is no number or below nought, or a group in which all weights are nought.

    Why: SillyTavern 1.19 adds the weights up and draws a number below the sum. A text is glued to the sum instead of
    added, a negative weight takes from the others, and with nothing but noughts the first member wins every time.
    Example: `groupWeight` of "high".
    Do: write numbers from 1; 100 is the common one.
    Source: SillyTavern 1.19.
    """

    code = "GRP009"
    name = "undrawable-weight"
    severity = Severity.ERROR
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["sky"], "group": "weather", "groupWeight": None, "content": "x"},)),
        Example(
            (
                {"key": ["sky"], "group": "weather", "groupWeight": 0, "content": "x"},
                {"key": ["sky"], "group": "weather", "groupWeight": 1, "content": "y"},
            )
        ),
        Example(({"key": ["sky"], "groupWeight": "high", "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["sky"], "group": "weather", "groupWeight": "high"},), fixed=({"groupWeight": 100},)),
        Example(({"key": ["sky"], "group": "weather", "groupWeight": "30"},), fixed=({"groupWeight": 30},)),
        Example(({"key": ["sky"], "group": "weather", "groupWeight": -5},), fixed=({"groupWeight": 100},)),
        Example(
            (
                {"key": ["sky"], "group": "weather", "groupWeight": 0, "content": "x"},
                {"key": ["sky"], "group": "weather", "groupWeight": 0, "content": "y"},
            ),
            fixed=({"groupWeight": 100}, {"groupWeight": 100}),
        ),
    )

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        """Its groups, and itself if its own weight is none."""
        del context
        names = group_names(entry) if entry.is_enabled else ()
        own = (("entry", entry.entry.key),) if names and not _is_weight(entry) else ()
        return (*own, *(("group", name) for name in names))

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """One weight, or all of a group."""
        kind, name = key if isinstance(key, tuple) else ("", "")
        if kind == "entry":
            yield self._weightless(members[0])
        elif len(members) > 1 and all(weight_of(member) == 0 for member in members):
            first, second = in_load_order(members)[:2]
            call = common_call([first, second])
            proof = None
            if call is not None:
                proof = witness("The first one wins, whatever the dice.", [first, second], [call], context.settings)
            changes = tuple(SetField(member.entry.path, "groupWeight", _COMMON_WEIGHT) for member in members)
            yield self.finding(
                second,
                f"All weights of the group {quote(name)} are 0: {quote(first.entry.title)}, the first one, wins "
                "every draw.",
                second.path_of("groupWeight"),
                others=[member for member in members if member is not second],
                fix=Fix("set the weights to 100", changes, alters_activation=True),
                witness=shown(proof, second, Reason.GROUP_ROLL),
            )

    def _weightless(self, entry: EntryView) -> Finding:
        value = entry.get("groupWeight")
        number = to_number(value) if isinstance(value, str) and value.strip() else math.nan
        right = _plain(number) if number > 0 and math.isfinite(number) else _COMMON_WEIGHT
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            message = f"Its group weight is {number_text(value)}: it takes from the chances of the others."
        else:
            message = (
                f"Its group weight is {quote(value)}, which is no number: the draw of its group has no right winner."
            )
        fix = Fix(f"set the weight to {number_text(right)}", (SetField(entry.entry.path, "groupWeight", right),),
                  alters_activation=True)  # fmt: skip
        return self.finding(entry, message, entry.path_of("groupWeight"), fix=fix)


def _is_weight(entry: EntryView) -> bool:
    value = entry.get("groupWeight")
    if value is None or value is MISSING:
        return True
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0
