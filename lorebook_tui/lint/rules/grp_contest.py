"""How an inclusion group is won: priorities that tie or are upside down, a constant that is always first, scoring."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.groups import group_names, group_text, in_load_order, order_of, scores
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.rule import Context, EntryRule, Example, GroupRule
from lorebook_tui.lint.rules.act_constant import is_chancy
from lorebook_tui.lint.sayable import is_sayable
from lorebook_tui.lint.staging import call_of, common_call, extra, first_seed, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import number_text

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Sequence

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.settings import ScanSettings


class MembersRule(GroupRule):
    """Looks at the enabled members of each inclusion group of a book."""

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        """The names of its groups."""
        del context
        return group_names(entry) if entry.is_enabled else ()


class PriorityTie(MembersRule):
    """Prioritised members of a group with the same order.

    Why: Where several members of a group are prioritised, SillyTavern 1.19 takes the one with the highest order, and
    of equals the first one in its own walk through the books: always the same, not by chance.
    Example: two members of the group `landing` with "prioritize" on, both at order 100.
    Do: give the one that is to win a higher order, or switch "prioritize" off to have them drawn by weight.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "GRP003"
    name = "priority-tie"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["landing"], "group": "landing", "groupOverride": True, "order": 60, "content": "x"},
                {"key": ["landing"], "group": "landing", "groupOverride": True, "order": 62, "content": "y"},
            )
        ),
        Example(
            (
                {"key": ["landing"], "group": "landing", "groupOverride": True, "content": "x"},
                {"key": ["landing"], "group": "landing", "content": "y"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["landing"], "group": "landing", "groupOverride": True, "content": "x"},
                {"key": ["landing"], "group": "landing", "groupOverride": True, "content": "y"},
            ),
            fixed=({"order": 100}, {"order": 99}),
        ),
    )

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Ties among the prioritised ones."""
        ties: dict[float, list[EntryView]] = {}
        for member in members:
            if member.is_on("groupOverride"):
                ties.setdefault(order_of(member), []).append(member)
        taken = set(ties)
        for order, tied in ties.items():
            if len(tied) == 1 or order != order:  # noqa: PLR0124 - no number equals nothing, itself included
                continue
            winner, *losers = in_load_order(tied)
            call = common_call([winner, losers[0]])
            proof = None
            if call is not None:
                told = "Both are called with the same priority: the first one wins, whatever the dice."
                proof = witness(told, [winner, losers[0]], [call], context.settings)
            yield self.finding(
                losers[0],
                f"It is prioritised in the group {quote(key)} with the order {number_text(order)}, as is "
                f"{quote(winner.entry.title)}, which stands before it and wins every time.",
                losers[0].path_of("order"),
                others=[winner, *losers[1:]],
                fix=_renumbered(order, losers, taken),
                witness=shown(proof, losers[0], Reason.GROUP_OVERRIDE),
            )


def _renumbered(order: float, losers: list[EntryView], taken: set[float]) -> Fix:
    """Lower orders that no prioritised member has, so that the winner stays the same; they are entered in `taken`."""
    changes = []
    free = order
    for loser in losers:
        while free in taken:
            free -= 1
        taken.add(free)
        changes.append(SetField(loser.entry.path, "order", int(free) if free == int(free) else free))
    told = "give them different orders, the winner the highest"
    return Fix(told, tuple(changes), Grade.OFFERED, alters_activation=True)


class PriorityUpsideDown(MembersRule):
    """The only prioritised member of a group has the lowest order in it.

    Why: In SillyTavern 1.19 a prioritised member wins over all that are not, whatever the orders; its order counts
    against other prioritised ones, the highest wins, and for the budget, which a low order meets last. A low number in
    the sense of "first" is the wrong way round.
    Example: "prioritize" at order 1, the other members at 100.
    Do: raise its order if it is the important one; if it was to be the fallback, switch "prioritize" off.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "GRP004"
    name = "priority-upside-down"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["bell"], "group": "tower", "groupOverride": True, "order": 200, "content": "x"},
                {"key": ["bell"], "group": "tower", "order": 100, "content": "y"},
            )
        ),
        Example(
            (
                {"key": ["bell"], "group": "tower", "groupOverride": True, "order": 100, "content": "x"},
                {"key": ["bell"], "group": "tower", "order": 100, "content": "y"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["bell"], "group": "tower", "groupOverride": True, "order": 1, "content": "x"},
                {"key": ["bell"], "group": "tower", "order": 100, "content": "y"},
            )
        ),
    )

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """One member that is first by its switch and last by its number."""
        first = [member for member in members if member.is_on("groupOverride")]
        others = [member for member in members if not member.is_on("groupOverride")]
        if len(first) != 1 or not others or not all(order_of(first[0]) < order_of(other) for other in others):
            return
        call = common_call([first[0], others[0]])
        proof = None
        if call is not None:
            told = "Both are called: the prioritised one wins, though its order is the lowest."
            proof = witness(told, [first[0], others[0]], [call], context.settings)
        yield self.finding(
            first[0],
            f"It is prioritised in the group {quote(key)} with the lowest order, {number_text(order_of(first[0]))}: it "
            "wins whenever it is called, and a low order means last, not first.",
            first[0].path_of("order"),
            others=others,
            witness=shown(proof, others[0], Reason.GROUP_OVERRIDE),
        )


class ConstantWinsFirst(MembersRule):
    """A constant in one group with members that only recursion can wake.

    Why: SillyTavern 1.19 settles a group in every pass. In the first pass the constant is there and the others are not
    yet: it wins, and the group is closed for the rest of the turn, priority or not.
    Example: a constant "Short portrait", and "Full portrait" with "delay until recursion", both in the group `mira`.
    Do: take the constant out of the group, or let the others be called by the chat.
    Source: SillyTavern 1.19.
    """

    code = "GRP005"
    name = "constant-wins-first"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"constant": True, "group": "mira", "content": "x"},
                {"key": ["Mira Vell"], "group": "mira", "groupOverride": True, "content": "y"},
            )
        ),
        Example(
            (
                {"constant": True, "group": "mira", "delayUntilRecursion": 1, "content": "x"},
                {"key": ["Mira Vell"], "group": "mira", "delayUntilRecursion": 1, "content": "y"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"constant": True, "group": "mira", "content": "x"},
                {
                    "key": ["Mira Vell"],
                    "group": "mira",
                    "groupOverride": True,
                    "delayUntilRecursion": 1,
                    "content": "y",
                },
            ),
            fixed=({"group": ""}, {"group": "mira"}),
        ),
        Example(
            (
                {"constant": True, "group": "mira", "content": "x"},
                {"key": ["[[portrait]]"], "group": "mira", "content": "y"},
            ),
            fixed=({"group": ""}, {"group": "mira"}),
        ),
    )

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Groups that are over before some members can come."""
        first = [member for member in members if member.is_on("constant") and self._comes_first(member, key)]
        late = [member for member in members if _only_by_recursion(member)]
        if not first or not late:
            return
        constant, victim = first[0], late[0]
        call = call_of(victim)
        proof = None
        if call is not None:
            told = "Another text wakes the member in the second pass, and the group is taken."
            proof = witness(told, [constant, victim, extra(victim.book, call)], ["..."], context.settings)
        fix = Fix("take the constant out of the group", (SetField(constant.entry.path, "group", ""),), Grade.OFFERED,
                  alters_activation=True)  # fmt: skip
        yield self.finding(
            constant,
            f"It is constant and wins the group {quote(key)} before recursion can wake {named(late)}: they never come.",
            constant.path_of("group"),
            others=late,
            fix=fix,
            witness=shown(proof, victim, Reason.GROUP_TAKEN),
        )

    @staticmethod
    def _comes_first(member: EntryView, key: Hashable) -> bool:
        """Whether it is in, in the first pass of every turn, and closes the group (several groups close none)."""
        is_held = any(member.is_on(name) for name in ("delayUntilRecursion", "delay", "cooldown"))
        return not is_held and not member.get("triggers") and not is_chancy(member) and group_text(member) == key


def _only_by_recursion(member: EntryView) -> bool:
    if member.is_on("constant") or member.is_on("excludeRecursion") or not member.keys:
        return False
    return member.is_on("delayUntilRecursion") or not any(
        key.regex or key.has_macro or is_sayable(key.text) for key in member.keys
    )


class ScoredInPart(MembersRule):
    """A group in which scoring counts for some members only.

    Why: With group scoring SillyTavern 1.19 counts the matching keys of all members, but only those that use it leave
    when they have fewer points than the best; the others stay with a single key and may win the draw.
    Example: a group of three, of which two have `useGroupScoring` on.
    Do: switch it on for all members, or for none.
    Source: SillyTavern 1.19.
    """

    code = "GRP010"
    name = "scored-in-part"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["plan", "Nook"], "group": "plans", "useGroupScoring": True, "content": "x"},
                {"key": ["plan", "Shop"], "group": "plans", "useGroupScoring": True, "content": "y"},
            )
        ),
        Example(
            (
                {"key": ["plan", "Nook"], "group": "plans", "useGroupScoring": True, "content": "x"},
                {"key": ["plan", "Shop"], "group": "plans", "content": "y"},
            ),
            settings={"world_info_use_group_scoring": True},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["plan", "Nook"], "group": "plans", "useGroupScoring": True, "content": "x"},
                {"key": ["plan", "Shop"], "group": "plans", "content": "y"},
            ),
            fixed=({"useGroupScoring": True}, {"useGroupScoring": True}),
        ),
    )

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Groups of both kinds."""
        scored = [member for member in members if scores(member, context.settings)]
        unscored = [member for member in members if not scores(member, context.settings)]
        if not scored or not unscored:
            return
        changes = tuple(SetField(member.entry.path, "useGroupScoring", True) for member in unscored)
        yield self.finding(
            unscored[0],
            f"Group scoring does not count for it, but for {named(scored)} in the group {quote(key)}: with a single "
            "key it stays in the draw against a better match.",
            unscored[0].path_of("useGroupScoring"),
            others=[*unscored[1:], *scored],
            fix=Fix("use group scoring for all members", changes, Grade.OFFERED, alters_activation=True),
            witness=_worse_match_wins(scored[0], unscored[0], context.settings),
        )


def _worse_match_wins(better: EntryView, worse: EntryView, settings: ScanSettings) -> Witness | None:
    """All keys of one are said, one of the other's, and the dice choose the other."""
    call = common_call([worse, better])
    plain = [key.trimmed for key in better.keys if key.is_plain]
    if call is None or len(plain) < 2:  # noqa: PLR2004 - two points are more than one
        return None
    told = "More keys of the loser are said, and still the other wins the draw."
    said = ", ".join([call, *plain])
    return first_seed(
        lambda seed: witness(told, [better, worse], [said], settings, seed=seed), better, Reason.GROUP_ROLL
    )


class MacroKeysScoreNothing(EntryRule):
    """Keys with macros in an entry for which group scoring counts.

    Why: SillyTavern 1.19 counts points with the keys as they stand in the file, without replacing macros: `{{char}}` is
    looked for letter by letter, so it wakes the entry, but never scores.
    Example: the keys `{{char}}` and `song`, in a group with scoring.
    Do: write out the name, or do without scoring.
    Source: SillyTavern 1.19.
    """

    code = "GRP011"
    name = "macro-keys-score-nothing"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["{{user}}", "song"], "group": "songs", "content": "x"},)),
        Example(({"key": ["Mira", "song"], "group": "songs", "useGroupScoring": True, "content": "x"},)),
        Example(({"key": ["{{user}}", "song"], "useGroupScoring": True, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["{{user}}", "song"], "group": "songs", "useGroupScoring": True, "content": "x"},)),
        Example(
            ({"key": ["{{char}}"], "group": "songs", "content": "x"},),
            settings={"world_info_use_group_scoring": True},
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Scored entries with such keys."""
        if not entry.is_enabled or not group_names(entry) or not scores(entry, context.settings):
            return
        macros = [key for key in entry.keys if "{{" in key.text]
        if macros:
            message = f"Its key {quote(macros[0].text)} wakes it, but counts nothing where group scoring counts keys."
            proof = _outscored(entry, context.settings)
            yield self.finding(entry, message, entry.path_of("key", macros[0].place), witness=proof)


def _outscored(entry: EntryView, settings: ScanSettings) -> Witness | None:
    """A rival whose keys are the same, the macro written out, has one point more."""
    call = call_of(entry)
    if call is None or not any(key.trimmed.lower() == "{{user}}" for key in entry.keys):
        return None
    keys = ["You" if key.trimmed.lower() == "{{user}}" else key.text for key in entry.keys]
    rival = extra(entry.book, "The rival.", constant=False, key=keys, group=group_names(entry)[0])
    told = "All its keys are said, and a rival with the name written out has more points."
    return shown(witness(told, [entry, rival], [call], settings), entry, Reason.GROUP_SCORE)
