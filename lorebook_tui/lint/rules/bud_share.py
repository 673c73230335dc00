"""Who takes the budget: what is always on, what never fits, what starves the rest, what ignores it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.lint.budgeting import (
    asked_for,
    budget_of,
    came_in,
    in_scan_order,
    is_always_on,
    kept_out,
    opened,
    played,
    scene,
    size_of,
    tokens_of,
)
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.rule import Context, Example, Option, WorldRule
from lorebook_tui.lint.slots import number_of, together
from lorebook_tui.lint.staging import QUIET, call_of, extra
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.decorators import DONT_ACTIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import BookView, EntryView, World

_WHOLE: Final = 100
_MOST_RUN: Final = 20
"""Scenes of one rule that are run."""
_MOST_BIG: Final = 5
_MOST_BESIDES: Final = 4
"""Keyed entries of a scene above, and as many below."""
_FEWEST_STARVED: Final = 2
_LONG: Final = "Salt, rope and eel oil. " * 20
_SMALL: Final = {"world_info_budget_cap": 200}


def _source(context: Context) -> str:
    """Whose budget it is."""
    return "the budget" if context.world.settings is not None else "a fresh installation's budget"


def _milder(context: Context, severity: Severity) -> Severity:
    """One step less where the settings are only assumed."""
    if context.world.settings is not None:
        return severity
    return Severity.WARNING if severity is Severity.ERROR else Severity.INFO


def _largest_book(views: Sequence[EntryView], tokens: dict[int, int]) -> BookView:
    """The book with most of the tokens."""
    totals: dict[int, int] = {}
    books = {}
    for number, count in tokens.items():
        book = views[number].book
        books[id(book)] = book
        totals[id(book)] = totals.get(id(book), 0) + count
    return books[max(totals, key=lambda ident: totals[ident])]


class AlwaysOnShare(WorldRule):
    """Entries that are always on and together take most of the budget, or more than all of it.

    Why: In SillyTavern 1.19 constants have no privilege: they ask for their place like others, by order. What they take
    is missing for the entries that the chat calls; once they are more than the budget, they cut each other.
    Example: constants of 700 tokens, and a budget of 1,000.
    Do: shorten them, give them keys, raise the budget, or let the few that must stay ignore it.
    Source: SillyTavern 1.19.
    """

    code = "BUD002"
    name = "always-on-share"
    severity = Severity.WARNING
    options = (Option("share", 50, "percent of the budget that constants may take"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x" * 200}, {"key": ["a"], "content": _LONG}), settings=_SMALL),
        Example(({"constant": True, "content": _LONG, "disable": True},), settings=_SMALL),
        Example(({"constant": True, "content": f"@@dont_activate\n{_LONG}"},), settings=_SMALL),
        Example(
            (
                {"constant": True, "content": "x" * 200, "group": "g"},
                {"constant": True, "content": "y" * 200, "group": "g"},
            ),
            settings=_SMALL,
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x" * 400},), settings=_SMALL),
        Example(({"constant": True, "content": "x" * 400}, {"constant": True, "content": "y" * 400}), settings=_SMALL),
        Example(({"content": f"@@activate\n{'x' * 400}"},), settings=_SMALL),
        Example(({"constant": True, "content": "x" * 4000},)),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """One finding for everything that is open."""
        views = [view for book in world.books for view in book.entries if is_always_on(view)]
        budget = budget_of(context)
        if sum(tokens_of(view, context) for view in views) * _WHOLE <= context.options["share"] * budget:
            return
        tokens = asked_for(views, context)
        total = sum(tokens.values())
        if total * _WHOLE <= context.options["share"] * budget:
            return
        asking = [views[number] for number in sorted(tokens, key=lambda number: -tokens[number])]
        real = witness("Nothing is said, and constants cut each other.", asking, [QUIET], context.settings,
                       context=size_of(context))  # fmt: skip
        cut = kept_out(played(real, context), asking)
        share = round(total * _WHOLE / budget)
        message = (
            f"{_entries(len(asking))} always on and {_takes(len(asking))} {total:,} tokens, {share} % of "
            f"{_source(context)} of {budget:,}."
        )
        severity = Severity.WARNING
        if cut:
            severity = Severity.ERROR
            message = f"{message[:-1]}: {named(cut)} {'is' if len(cut) == 1 else 'are'} cut even when nothing is said."
        yield self.finding(
            _largest_book(views, tokens), message, severity=_milder(context, severity), others=asking,
            witness=real if cut else None,
        )  # fmt: skip


def _entries(count: int) -> str:
    return "1 entry is" if count == 1 else f"{count} entries are"


def _takes(count: int) -> str:
    return "takes" if count == 1 else "take"


class NeverFits(WorldRule):
    """An entry that is larger than the whole budget.

    Why: SillyTavern 1.19 goes down by order and ends at the first entry that does not fit; so this one never comes in,
    and whenever it is called, nothing with a lower order comes in either.
    Example: an entry of 2,500 tokens, and a budget of 2,048.
    Do: part it into several entries, shorten it, raise the budget, or let it ignore the budget.
    Source: SillyTavern 1.19.
    """

    code = "BUD003"
    name = "never-fits"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 600},), settings=_SMALL),
        Example(({"key": ["a"], "content": "x" * 800, "ignoreBudget": True},), settings=_SMALL),
        Example(({"key": ["a"], "content": "x" * 800, "disable": True},), settings=_SMALL),
        Example(({"key": ["a"], "content": f"x{{{{//{'y' * 800}}}}}"},), settings=_SMALL),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 800},), settings=_SMALL),
        Example(({"key": ["/a/"], "content": "x" * 800},), settings=_SMALL),
        Example(({"key": ["a"], "content": "x" * 9000},)),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries by themselves, with nobody beside them."""
        budget = budget_of(context)
        runs = 0
        for book in world.books:
            for view in book.entries:
                tokens = 0 if not view.is_enabled or view.is_on("ignoreBudget") else tokens_of(view, context)
                if tokens < budget or DONT_ACTIVATE in view.decorated.decorators:
                    continue
                runs += 1
                proof = self._proof(view, context)
                if runs <= _MOST_RUN and not kept_out(played(proof, context), [view]):
                    continue
                message = (
                    f"Its {tokens:,} tokens are more than {_source(context)} of {budget:,}: it never comes in, and "
                    "keeps out all with a lower order whenever it is called."
                )
                yield self.finding(
                    view, message, view.path_of("content"), severity=_milder(context, Severity.ERROR),
                    witness=proof if runs <= _MOST_RUN else None,
                )  # fmt: skip

    def _proof(self, view: EntryView, context: Context) -> Witness:
        """The entry alone, called by its key or by force."""
        call = call_of(view)
        shown = opened(view) if call is None else view
        told = "It is called, nothing else is in, and it is cut."
        return witness(told, [shown], [call or QUIET], context.settings, context=size_of(context))


class StarvesOthers(WorldRule):
    """A big entry with a high order that does not fit when others come too, and keeps out smaller ones behind it.

    Why: SillyTavern 1.19 goes down by order, and the first entry that does not fit ends it: smaller ones behind it are
    not tried any more, though there would be room for them.
    Example: order 200 with 900 tokens, and small entries with order 100, in a budget of 1,000 with constants in it.
    Do: give it a lower order than the small ones, let it ignore the budget, or part it.
    Source: SillyTavern 1.19.
    """

    code = "BUD004"
    name = "starves-others"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    options = (Option("share", 50, "percent of the budget from which an entry is big"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"constant": True, "content": "x" * 300, "order": 300},
                {"key": ["b"], "content": "y" * 400, "order": 10},
                {"key": ["c"], "content": "z" * 40, "order": 50},
                {"key": ["d"], "content": "z" * 40, "order": 60},
            ),
            settings=_SMALL,
        ),
        Example(
            (
                {"constant": True, "content": "x" * 300, "order": 300},
                {"key": ["b"], "content": "y" * 400, "order": 200, "ignoreBudget": True},
                {"key": ["c"], "content": "z" * 40, "order": 50},
                {"key": ["d"], "content": "z" * 40, "order": 60},
            ),
            settings=_SMALL,
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"constant": True, "content": "x" * 300, "order": 300},
                {"key": ["b"], "content": "y" * 400, "order": 200},
                {"key": ["c"], "content": "z" * 40, "order": 50},
                {"key": ["d"], "content": "z" * 40, "order": 60},
            ),
            settings=_SMALL,
            fixed=({"order": 300}, {"order": 49}, {"order": 50}, {"order": 60}),
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """The biggest ones, each in a scene with others above and below it."""
        budget = budget_of(context)
        least = context.options["share"] * budget / _WHOLE
        sizes = {
            id(view): tokens for book in world.books for view in book.entries
            if view.is_enabled and not view.is_on("ignoreBudget")
            and least <= (tokens := tokens_of(view, context)) < budget
        }  # fmt: skip
        if not sizes:
            return
        listed = in_scan_order(world, context.settings)
        big = sorted((view for view in listed if id(view) in sizes), key=lambda view: -sizes[id(view)])
        for view in big[:_MOST_BIG]:
            found = self._starved(view, listed, budget, context)
            if found is not None:
                proof, starved = found
                message = (
                    f"With its {sizes[id(view)]:,} tokens it does not fit into {_source(context)} of {budget:,} when "
                    f"others come too, and keeps out {named(starved)}, for which there would be room."
                )
                yield self.finding(
                    view, message, view.path_of("order"), severity=_milder(context, Severity.WARNING), others=starved,
                    fix=_stepped_back(view, starved), witness=proof,
                )  # fmt: skip

    def _starved(
        self, view: EntryView, listed: list[EntryView], budget: int, context: Context
    ) -> tuple[Witness, list[EntryView]] | None:
        """The scene, and who is kept out in it only because of the entry."""
        place = next(number for number, other in enumerate(listed) if other is view)
        size = tokens_of(view, context)
        above: list[EntryView] = []
        room = budget
        ahead = [other for other in listed[:place] if call_of(other) is not None]
        for other in together(sorted(ahead, key=lambda each: not is_always_on(each)))[: _MOST_BESIDES + _MOST_RUN]:
            tokens = tokens_of(other, context)
            if room <= size:
                break
            if tokens < room:
                above.append(other)
                room -= tokens
        behind = (
            other for other in listed[place + 1 :]
            if call_of(other) is not None and tokens_of(other, context) * _FEWEST_STARVED < room
        )  # fmt: skip
        below = together([other for _, other in zip(range(_MOST_BESIDES * 4), behind, strict=False)])[:_MOST_BESIDES]
        if room > size or len(below) < _FEWEST_STARVED:
            return None
        told = "The big entry does not fit, and smaller ones behind it stay out with it."
        proof = scene(told, [*above, view, *below], context)
        with_it = played(proof, context)
        without = played(scene("", [*above, *below], context), context)
        starved = came_in(without, kept_out(with_it, below))
        if proof is None or not kept_out(with_it, [view]) or len(starved) < _FEWEST_STARVED:
            return None
        return proof, starved


def _stepped_back(view: EntryView, starved: Sequence[EntryView]) -> Fix | None:
    """The entry behind all that it keeps out."""
    lowest = min((order for other in starved if (order := number_of(other)) is not None), default=0)
    if lowest < 1:
        change = SetField(view.entry.path, "ignoreBudget", True)
        return Fix("let it ignore the budget", (change,), Grade.OFFERED, alters_activation=True)
    order = int(lowest) - 1
    change = SetField(view.entry.path, "order", order)
    return Fix(f"give it order {order}, behind the smaller ones", (change,), Grade.OFFERED, alters_activation=True)


class IgnoresTooMuch(WorldRule):
    """Entries that ignore the budget and together take a large part of the context.

    Why: In SillyTavern 1.19 such entries always get in, but their texts are counted all the same: the next entry that
    does not ignore the budget may be cut because of them. And what they take is missing for the chat.
    Example: three entries of 900 tokens each that ignore the budget, in a context of 8,192.
    Do: keep "ignore budget" for the few that must never be missing.
    Source: SillyTavern 1.19.
    """

    code = "BUD005"
    name = "ignores-too-much"
    severity = Severity.WARNING
    options = (Option("share", 25, "percent of the context that they may take together"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 600, "ignoreBudget": True},), settings={}, context=1000),
        Example(({"key": ["a"], "content": "x" * 1600},), settings={}, context=1000),
        Example(({"key": ["a"], "content": "x" * 1600, "ignoreBudget": True, "disable": True},), context=1000),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["a"], "content": "x" * 600, "ignoreBudget": True},
                {"key": ["b"], "content": "y" * 600, "ignoreBudget": True},
            ),
            settings={},
            context=1000,
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """All of them at once, of each inclusion group one."""
        listed = [
            view for book in world.books for view in book.entries
            if view.is_enabled and view.is_on("ignoreBudget") and DONT_ACTIVATE not in view.decorated.decorators
        ]  # fmt: skip
        views = together(listed)
        total = sum(tokens_of(view, context) for view in views)
        size = size_of(context)
        if total * _WHOLE <= context.options["share"] * size:
            return
        views.sort(key=lambda view: -tokens_of(view, context))
        message = (
            f"{named(views)}, which ignore{'s' if len(views) == 1 else ''} the budget, {_takes(len(views))} up to "
            f"{total:,} tokens, {round(total * _WHOLE / size)} % of the context of {size:,}. What they take counts "
            "against the others."
        )
        yield self.finding(
            views[0], message, views[0].path_of("ignoreBudget"), others=views[1:],
            severity=_milder(context, Severity.WARNING), witness=self._proof(views, context),
        )  # fmt: skip

    def _proof(self, views: Sequence[EntryView], context: Context) -> Witness | None:
        """All of them, and a small one that is cut because of them."""
        called = [view for view in views if call_of(view) is not None]
        if not called:
            return None
        small = extra(called[0].book, "A small text.", order=-1)
        proof = scene("They are all in, and a small constant is cut because of them.", [*called, small], context)
        return proof if kept_out(played(proof, context), [small]) else None
