"""Orders that say less than they seem to: equal ones, those of several roles, those of an outlet."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.rule import BookRule, Context, Example
from lorebook_tui.lint.slots import (
    AT_DEPTH,
    OUTLET,
    are_rivals,
    by_order,
    depth_of,
    number_of,
    outlet_of,
    position_of,
    role_of,
    slot_of,
    slot_text,
    together,
)
from lorebook_tui.lint.staging import common_call
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.slots import Slot
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.settings import ScanSettings

_MOST_SETS: Final = 8
"""More places with equal orders than these are told in one finding."""
_NEARLY_ALL: Final = 0.8
_A_BOOK: Final = 4
"""Entries from which one order everywhere is said of the book."""
_STEP: Final = 10
_LARGEST_ORDER: Final = 9999


class EqualOrders(BookRule):
    """Entries with the same order that stand at the same place of the prompt.

    Why: SillyTavern 1.19 puts each text in front of those of a higher order, so of equal ones the later in the file
    stands above the earlier (in an outlet below). And when the budget is full, the later one is cut first. A book in
    which all orders are 100 leaves both to the places in the file.
    Example: "The mill" and "The miller", both with order 100 and before the character.
    Do: give them different orders; the repair keeps what SillyTavern makes of them now.
    Source: SillyTavern 1.19.
    """

    code = "ORD001"
    name = "equal-orders"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "order": 10}, {"key": ["b"], "content": "y", "order": 20})),
        Example(({"key": ["a"], "content": "x"}, {"key": ["b"], "content": "y", "position": 1})),
        Example(({"key": ["a"], "content": "x", "group": "g"}, {"key": ["a"], "content": "y", "group": "g"})),
        Example(({"key": ["a"], "content": "x"}, {"key": ["b"], "content": "y", "disable": True})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "x"}, {"key": ["b"], "content": "y"}, {"key": ["c"], "order": 150}),
            fixed=({"order": 101}, {"order": 100}, {"order": 150}),
        ),
        Example(
            ({"key": ["a"], "order": 5}, {"key": ["b"], "order": 5}, {"key": ["c"], "order": 6}),
            fixed=({"order": 20}, {"order": 10}, {"order": 30}),
        ),
        Example(
            tuple({"key": [key], "content": "x"} for key in ("a", "b", "c", "d", "e")),
            fixed=({"order": 50}, {"order": 40}, {"order": 30}, {"order": 20}, {"order": 10}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """All of them in one finding if there are many."""
        alike: dict[tuple[Slot, float], list[EntryView]] = defaultdict(list)
        orders: Counter[float] = Counter()
        for entry in book.entries:
            order, slot = number_of(entry), slot_of(entry)
            if entry.is_enabled and order is not None and slot is not None:
                alike[slot, order].append(entry)
                orders[order] += 1
        equal = {key: views for key, views in alike.items() if len(views) > 1 and not are_rivals(views)}
        if not equal:
            return
        usual, count = orders.most_common(1)[0]
        if orders.total() >= _A_BOOK and count >= _NEARLY_ALL * orders.total():
            message = (
                f"{count} of {orders.total()} entries have order {number_text(usual)}: their places in the file decide "
                "which text stands above which, and which is cut first."
            )
            yield self.finding(book, message, fix=renumbered(book))
        elif len(equal) > _MOST_SETS:
            most = max(equal.values(), key=len)
            message = f"{len(equal)} orders are shared by entries at the same place, as by {named(most)}."
            yield self.finding(book, message, fix=renumbered(book))
        else:
            for (slot, order), views in equal.items():
                yield self._of_set(book, slot, order, views, context)

    def _of_set(self, book: BookView, slot: Slot, order: float, views: list[EntryView], context: Context) -> Finding:
        where = "below" if slot[0] == OUTLET else "above"
        message = (
            f"{named(views)} all have order {number_text(order)} {slot_text(slot)}: "
            f"the later in the file stands {where} the earlier."
        )
        return self.finding(
            views[0], message, views[0].path_of("order"), others=views[1:], fix=_spread(book, order),
            witness=_both(f"The later of the two stands {where} the earlier.", together(views)[:2], context.settings),
        )  # fmt: skip


def renumbered(book: BookView) -> Fix | None:
    """Orders in steps for a whole book that leave its sequence as it is; None if there are too many entries."""
    listed = by_order(book)[::-1]
    step = _STEP if _STEP * len(listed) <= _LARGEST_ORDER else 1
    if step * len(listed) > _LARGEST_ORDER:
        return None
    wanted = {view.number: step * place for place, view in enumerate(listed, 1)}
    changes = tuple(
        SetField(view.entry.path, "order", wanted[view.number])
        for view in sorted(listed, key=lambda view: view.number)
        if number_of(view) != wanted[view.number]
    )
    return Fix("renumber the book in its present sequence", changes, Grade.OFFERED) if changes else None


def _spread(book: BookView, order: float) -> Fix | None:
    """Different orders for the entries of one order, if there is room below the next; else for the whole book."""
    listed = by_order(book)
    same = [view for view in listed if number_of(view) == order]
    higher = min((value for view in listed if (value := number_of(view) or 0) > order), default=_LARGEST_ORDER + 1)
    first = order + len(same) - 1
    if first >= higher or order != int(order):
        return renumbered(book)
    changes = tuple(SetField(view.entry.path, "order", int(first - place)) for place, view in enumerate(same[:-1]))
    return Fix("give them different orders in their present sequence", changes, Grade.OFFERED)


class OrderAcrossRoles(BookRule):
    """Orders at one depth that go back and forth between roles.

    Why: SillyTavern 1.19 makes one message of all texts of a depth and a role; the messages stand in the sequence
    assistant, user, system. Orders only sort the texts inside each message.
    Example: at depth 2 a system text with order 10, a user text with order 20, a system text with order 30.
    Do: use different depths for texts of different roles that are to alternate.
    Source: SillyTavern 1.19.
    """

    code = "ORD003"
    name = "order-across-roles"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["a"], "content": "x", "position": 4, "depth": 2, "role": 0, "order": 10},
                {"key": ["b"], "content": "y", "position": 4, "depth": 2, "role": 0, "order": 20},
                {"key": ["c"], "content": "z", "position": 4, "depth": 2, "role": 1, "order": 30},
            )
        ),
        Example(
            (
                {"key": ["a"], "content": "x", "position": 4, "depth": 2, "role": 0, "order": 10},
                {"key": ["b"], "content": "y", "position": 4, "depth": 3, "role": 1, "order": 20},
                {"key": ["c"], "content": "z", "position": 4, "depth": 2, "role": 0, "order": 30},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["a"], "content": "x", "position": 4, "depth": 2, "role": 0, "order": 10},
                {"key": ["b"], "content": "y", "position": 4, "depth": 2, "role": 1, "order": 20},
                {"key": ["c"], "content": "z", "position": 4, "depth": 2, "role": 0, "order": 30},
            )
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Depths whose roles alternate when they are sorted by order."""
        depths: dict[object, list[EntryView]] = defaultdict(list)
        for entry in book.entries:
            if entry.is_enabled and position_of(entry) == AT_DEPTH and number_of(entry) is not None:
                depths[depth_of(entry)].append(entry)
        for depth, views in depths.items():
            roles = {role_of(view) for view in views}
            listed = sorted(together(views), key=lambda view: number_of(view) or 0)
            turns = 1 + sum(role_of(one) != role_of(other) for one, other in pairwise(listed))
            if len(roles) == 1 or turns <= len(roles):
                continue
            middle = next(place for place, (a, b) in enumerate(pairwise(listed)) if role_of(a) != role_of(b))
            shown = listed[middle : middle + 3]
            message = (
                f"By their orders, the texts at depth {depth} would alternate between roles. They will not: each role "
                "gets one message, and these stand in the sequence assistant, user, system."
            )
            yield self.finding(
                listed[middle + 1], message, listed[middle + 1].path_of("order"),
                others=[view for view in listed if view is not listed[middle + 1]],
                witness=_both("Each role has one record, whatever the orders.", shown, context.settings),
            )  # fmt: skip


class OutletSequence(BookRule):
    """Several entries with different orders in one outlet.

    Why: SillyTavern 1.19 joins the texts of an outlet with the highest order first. Everywhere else the highest order
    stands last.
    Example: in the outlet `news`, "Opening line" with order 10 and "Closing line" with order 20.
    Do: number them the other way round there, if the sequence matters.
    Source: SillyTavern 1.19.
    """

    code = "ORD014"
    name = "outlet-sequence"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["a"], "content": "x", "position": 7, "outletName": "news", "order": 10},
                {"key": ["b"], "content": "y", "position": 7, "outletName": "hints", "order": 20},
            )
        ),
        Example(
            (
                {"key": ["a"], "content": "x", "position": 7, "outletName": "news", "order": 10, "group": "g"},
                {"key": ["a"], "content": "y", "position": 7, "outletName": "news", "order": 20, "group": "g"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["a"], "content": "x", "position": 7, "outletName": "news", "order": 10},
                {"key": ["b"], "content": "y", "position": 7, "outletName": "news", "order": 20},
            )
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Outlets that hold more than one text."""
        outlets: dict[str, list[EntryView]] = defaultdict(list)
        for entry in book.entries:
            if entry.is_enabled and position_of(entry) == OUTLET and number_of(entry) is not None and outlet_of(entry):
                outlets[outlet_of(entry)].append(entry)
        for name, views in outlets.items():
            listed = sorted(views, key=lambda view: -(number_of(view) or 0))
            if len({number_of(view) for view in listed}) == 1 or are_rivals(listed):
                continue
            message = (
                f"In the outlet {quote(name)} the highest order stands first, unlike everywhere else: "
                f"{quote(listed[0].entry.title)} before {quote(listed[-1].entry.title)}."
            )
            yield self.finding(
                listed[0], message, listed[0].path_of("order"), others=listed[1:],
                witness=_both("The higher order stands first.", together(listed)[:2], context.settings),
            )  # fmt: skip


def _both(shows: str, views: Sequence[EntryView], settings: ScanSettings) -> Witness | None:
    """A scene in which some entries come in together; None if no plain text calls them all."""
    call = common_call(views)
    return witness(shows, views, [call], settings) if call is not None and len(views) > 1 else None
