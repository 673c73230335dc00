"""Entries that matter and stand behind those that only come now and then."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.lint.budgeting import budget_of, came_in, is_always_on, kept_out, played, scene, tokens_of
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.plist import is_body, is_half
from lorebook_tui.lint.rule import BookRule, Context, Example, Option
from lorebook_tui.lint.slots import number_of, together
from lorebook_tui.lint.staging import call_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import BookView, EntryView

_IMPORTANT: Final = re.compile(
    r"\b(?:rules?|core|system|important|critical|canon|must|always)\b|правил|важн|главн|основ|规则|重要|核心",
    re.IGNORECASE,
)
_MOST: Final = 60
"""Entries that matter of one scene."""
_SMALL: Final = {"world_info_budget_cap": 200}
_TALK: Final = {"key": ["tavern"], "content": "x" * 500, "order": 200}


class RankedTooLow(BookRule):
    """A constant, or an entry that its title calls a rule, with a lower order than entries that only come now and then.

    Why: SillyTavern 1.19 gives the budget out by order, the highest first; being constant counts for nothing. So what
    must never be missing is the first to be cut when the chat calls enough of the others.
    Example: "World rules" with order 10, and forty entries about taverns with order 100.
    Do: give it a higher order than all keyed entries, or let it ignore the budget.
    Source: SillyTavern 1.19.
    """

    code = "ORD002"
    name = "ranked-too-low"
    severity = Severity.WARNING
    options = (Option("together", 8, "keyed entries that may come in at one turn"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x" * 300, "order": 300}, _TALK), settings=_SMALL),
        Example(({"constant": True, "content": "x" * 300, "order": 10, "ignoreBudget": True}, _TALK), settings=_SMALL),
        Example(({"constant": True, "content": "x" * 30, "order": 10}, _TALK), settings=_SMALL),
        Example(({"key": ["law"], "content": "x" * 300, "order": 10}, _TALK), settings=_SMALL),
        Example(({"constant": True, "content": "[", "order": 2}, {**_TALK, "content": "x" * 660}), settings=_SMALL),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x" * 300, "order": 10}, _TALK), settings=_SMALL),
        Example(
            ({"comment": "Rules of the tavern", "key": ["law"], "content": "x" * 300, "order": 10}, _TALK),
            settings=_SMALL,
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Who is cut in a scene of all that matter and the longest keyed ones above them, and only there."""
        ours = [view for view in book.entries if self._matters(view)][:_MOST]
        lowest = min((number_of(view) or 0 for view in ours), default=None)
        if lowest is None:
            return
        mine = {id(view) for view in ours}
        chatter = [
            view for view in book.entries
            if view.is_keyed and (number_of(view) or 0) > lowest and view.is_enabled and id(view) not in mine
        ]  # fmt: skip
        chatter.sort(key=lambda view: -len(view.entry.content))
        callable_ones = (view for view in chatter if call_of(view) is not None)
        some = [view for _, view in zip(range(4 * context.options["together"]), callable_ones, strict=False)]
        above = together(some)[: context.options["together"]]
        if sum(tokens_of(view, context) for view in (*ours, *above)) < budget_of(context):
            return
        proof = scene("All of them are called, and what matters is cut.", [*ours, *above], context)
        alone = came_in(played(scene("", ours, context), context), ours)
        for view in kept_out(played(proof, context), alone):
            higher = [other for other in above if (number_of(other) or 0) > (number_of(view) or 0)]
            if higher:
                what = "It is constant" if is_always_on(view) else "Its title says that it matters"
                message = f"{what}, but its order is lower than that of {named(higher)}: with these it is cut."
                yield self.finding(view, message, view.path_of("order"), others=higher, witness=proof)

    def _matters(self, view: EntryView) -> bool:
        """Whether it should never be missing; the parts of a PList have the orders of their recipe."""
        if not is_always_on(view) and not (view.is_enabled and _IMPORTANT.search(view.entry.title)):
            return False
        if view.is_on("ignoreBudget") or number_of(view) is None or call_of(view) is None:
            return False
        return not is_half(view) and not is_body(view)
