"""Entries that wait for recursion: those that never get it, and those that count levels for nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.engine.keys import BlankKey, DynamicKey
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.recursion_graph import graph_of
from lorebook_tui.lint.reliance import lost_wakers, woken_from_outside
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, Example
from lorebook_tui.lint.staging import call_of, extra, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import number_text, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.recursion_graph import RecursionGraph
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.settings import ScanSettings


def level_of(entry: EntryView) -> float:
    """Its delay level; 0 if it does not wait, NaN if what stands there is no number."""
    value = entry.get("delayUntilRecursion")
    return to_number(value) if truthy(value) else 0


class DeadInBothPasses(EntryRule):
    """An entry that waits for recursion and excludes itself from it.

    Why: SillyTavern 1.19 passes over an entry with "delay until recursion" until a recursion pass, and over one with
    "non-recursable" in every recursion pass. With both, no pass is left; being constant does not help.
    Example: `excludeRecursion` and `delayUntilRecursion` both on.
    Do: switch one off: "delay until recursion" if the chat is to call it, "non-recursable" if other entries are.
    Source: SillyTavern 1.19.
    """

    code = "ACT004"
    name = "dead-in-both-passes"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "excludeRecursion": True},)),
        Example(({"key": ["bell"], "content": "x", "delayUntilRecursion": 1},)),
        Example(({"key": ["bell"], "content": "x", "preventRecursion": True, "delayUntilRecursion": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["bell"], "content": "x", "excludeRecursion": True, "delayUntilRecursion": True},),
            fixed=({"excludeRecursion": False, "delayUntilRecursion": True},),
        ),
        Example(
            ({"constant": True, "content": "x", "excludeRecursion": True, "delayUntilRecursion": 2},),
            fixed=({"excludeRecursion": False},),
        ),
        Example(
            ({"key": ["bell"], "content": "x", "excludeRecursion": True, "delayUntilRecursion": True},),
            settings={"world_info_recursive": False},
            fixed=({"excludeRecursion": False},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries with both flags."""
        if not entry.is_enabled or not entry.is_on("excludeRecursion") or not entry.is_on("delayUntilRecursion"):
            return
        fix = Fix("let recursion wake it", (SetField(entry.entry.path, "excludeRecursion", False),), Grade.OFFERED,
                  alters_activation=True)  # fmt: skip
        path = entry.path_of("excludeRecursion")
        if not context.settings.world_info_recursive:
            message = "It waits for recursion and excludes itself from it: with recursion on it could never come."
            yield self.finding(entry, message, path, severity=Severity.WARNING, fix=fix)
            return
        call = call_of(entry)
        proof = None
        if call is not None:
            told = "It is called by the chat and by another entry's text, and stays out in both passes."
            proof = witness(told, [entry, extra(entry.book, call)], [call], context.settings)
        yield self.finding(
            entry,
            "It waits for recursion and excludes itself from it: no pass is left in which it could come.",
            path,
            fix=fix,
            witness=shown(proof, entry, Reason.EXCLUDED_FROM_RECURSION),
        )


class NobodyWakesIt(BookRule):
    """An entry that waits for recursion, while no other entry's text holds its keys, or recursion is off.

    Why: SillyTavern 1.19 looks at an entry with "delay until recursion" only in recursion passes. If no text of an
    activated entry holds its key, it comes only when the chat happens to say the key at a turn in which some other
    entry starts a recursion pass; with recursion off, and one delay level in all books, never. (Entries with secondary
    keys are left alone: to wait for the texts of others before a filter is asked is what the switch is good for.)
    Example: `delayUntilRecursion` on, the key `bell-book`, and no entry that speaks of the bell-book.
    Do: name the key in the text of the entry that is to lead there, or switch "delay until recursion" off.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT005"
    name = "nobody-wakes-it"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["bell-book"], "content": "x", "delayUntilRecursion": 1},
                {"key": ["sexton"], "content": "He keeps the bell-book."},
            )
        ),
        Example(
            (
                {
                    "key": ["flock"],
                    "keysecondary": ["wolf"],
                    "selectiveLogic": 2,
                    "content": "x",
                    "delayUntilRecursion": 1,
                },
                {"key": ["night"], "content": "Dark."},
            )
        ),
        Example(
            (
                {"key": ["bell"], "content": "x", "delayUntilRecursion": 1},
                {"key": ["rope"], "content": "y", "delayUntilRecursion": 2},
            ),
            settings={"world_info_recursive": False},
        ),
        Example(({"key": ["bell-book"], "content": "x"}, {"key": ["sexton"], "content": "y"})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["bell-book"], "content": "x", "delayUntilRecursion": 1},
                {"key": ["sexton"], "content": "He keeps the books."},
            )
        ),
        Example(
            (
                {"key": ["bell-book"], "content": "x", "delayUntilRecursion": 1},
                {"key": ["sexton"], "content": "He keeps the bell-book.", "preventRecursion": True},
            )
        ),
        Example(
            (
                {"key": ["bell-book"], "content": "x", "delayUntilRecursion": 1},
                {"key": ["sexton"], "content": "He keeps the bell-book."},
            ),
            settings={"world_info_recursive": False},
        ),
        Example(
            ({"constant": True, "content": "x", "delayUntilRecursion": True},),
            settings={"world_info_recursive": False},
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Delayed entries without anybody who wakes them."""
        waiting = [view for view in book.entries if view.is_enabled and view.is_on("delayUntilRecursion")]
        settings = context.settings
        if not waiting or settings.world_info_max_recursion_steps == 1:
            return
        graph = graph_of(book, settings)
        if not settings.world_info_recursive:
            if len(_levels(book, context)) == 1:
                for view in (each for each in waiting if not graph.is_dead(each.number)):
                    message = "It waits for recursion, and recursion is off: it never comes."
                    yield self.finding(
                        view, message, view.path_of("delayUntilRecursion"), witness=_unheard(view, settings)
                    )
            return
        waiting = [
            view
            for view in waiting
            if _only_keys_decide(graph, view.number) and not graph.into[view.number] and not view.secondary
        ]
        lost = lost_wakers(book, graph) if waiting else {}
        outside = woken_from_outside(book, graph, context.world) if waiting else set()
        for view in waiting:
            if view.number not in lost and view.number not in outside:
                message = (
                    "It waits for recursion, but no other entry's text holds a key of it: it comes only if the chat "
                    "says one at a turn in which something else recurses."
                )
                yield self.finding(view, message, view.path_of("delayUntilRecursion"), witness=_unheard(view, settings))


def _only_keys_decide(graph: RecursionGraph, number: int) -> bool:
    """Whether recursion could wake it by a key whose text is known here."""
    compiled = graph.compiled[number]
    return (
        compiled is not None
        and graph.listens(number)
        and bool(compiled.keys)
        and not any(isinstance(key, (DynamicKey, BlankKey)) for key in compiled.keys)
    )


def _levels(book: BookView, context: Context) -> set[float]:
    """The delay levels of everything that is open."""
    books = {id(each): each for each in (book, *context.world.books)}.values()
    return {level for each in books for view in each.entries if (level := level_of(view))}


def _unheard(view: EntryView, settings: ScanSettings) -> Witness | None:
    call = call_of(view)
    if call is None:
        return None
    given = witness("Its key is said, and it goes on waiting.", [view], [call], settings)
    return shown(given, view, Reason.WAITS_FOR_RECURSION)


class LoneLevel(BookRule):
    """Delay levels that begin above 1 and have no other level beside them.

    Why: SillyTavern 1.19 sorts the delay levels that the open books use and opens them one after the other; the first
    is open from the start, whatever its number. A level 3 alone is what a level 1 alone is.
    Example: one entry with `delayUntilRecursion` 3, and no other level in the book.
    Do: write 1, or add the levels that were to come before.
    Source: SillyTavern 1.19.
    """

    code = "ACT006"
    name = "lone-delay-level"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "delayUntilRecursion": 1},)),
        Example(({"key": ["bell"], "content": "x", "delayUntilRecursion": True},)),
        Example(
            (
                {"key": ["bell"], "content": "x", "delayUntilRecursion": 2},
                {"key": ["rope"], "content": "y", "delayUntilRecursion": 1},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "delayUntilRecursion": 3},), fixed=({"delayUntilRecursion": 1},)),
        Example(
            (
                {"key": ["bell"], "content": "x", "delayUntilRecursion": 2},
                {"key": ["rope"], "content": "y", "delayUntilRecursion": 2},
            ),
            fixed=({"delayUntilRecursion": 1}, {"delayUntilRecursion": 1}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """The only level of a book, if it is not the first."""
        delayed = [view for view in book.entries if view.is_on("delayUntilRecursion")]
        levels = {level_of(view) for view in delayed}
        if len(levels) != 1 or not min(levels) > 1 or len(_levels(book, context)) > 1:
            return
        changes = tuple(SetField(view.entry.path, "delayUntilRecursion", 1) for view in delayed)
        number = number_text(min(levels))
        call = call_of(delayed[0])
        proof = None
        if call is not None:
            told = "Another text wakes it in the first recursion pass, as if its level were 1."
            proof = witness(told, [delayed[0], extra(book, call)], [call], context.settings)
        yield self.finding(
            delayed[0],
            f"Its delay level {number} is the only level of the book, so it opens first: the number means nothing.",
            delayed[0].path_of("delayUntilRecursion"),
            others=delayed[1:],
            # a book with lower levels that is not open would make the number count
            fix=Fix("set the delay level to 1", changes, alters_activation=True),
            witness=shown(proof, delayed[0], Reason.IN_PROMPT),
        )


class MissingLink(BookRule):
    """A disabled entry whose text is all that could bring others in.

    Why: SillyTavern 1.19 never scans the text of a disabled entry. What waits for recursion, or has keys that nobody
    writes in a chat, stays out when the only entry that names it is switched off.
    Example: a disabled entry "The sexton" that speaks of the bell-book, and an entry for the bell-book that waits for
    recursion.
    Do: enable it, or name the key in the text of another entry.
    Source: SillyTavern 1.19.
    """

    code = "ACT022"
    name = "disabled-link"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["sexton"], "content": "He keeps the bell-book.", "disable": True},
                {"key": ["tower"], "content": "The bell-book is chained here."},
                {"key": ["bell-book"], "content": "x", "delayUntilRecursion": 1},
            )
        ),
        Example(
            (
                {"key": ["sexton"], "content": "He keeps the bell-book.", "disable": True},
                {"key": ["bell-book"], "content": "x"},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["sexton"], "content": "He keeps the bell-book.", "disable": True},
                {"key": ["bell-book"], "content": "x", "delayUntilRecursion": 1},
            )
        ),
        Example(
            (
                {"constant": True, "content": "Today: [[rain]].", "disable": True},
                {"key": ["[[rain]]"], "content": "It rains."},
            )
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Disabled entries that others rely on."""
        if not any(not view.is_enabled for view in book.entries):
            return
        graph = graph_of(book, context.settings)
        relying: dict[int, list[int]] = {}
        for target, holders in lost_wakers(book, graph).items():
            for holder in holders:
                relying.setdefault(holder, []).append(target)
        for holder, targets in sorted(relying.items()):
            view, others = book.entries[holder], [book.entries[target] for target in targets]
            call = call_of(view)
            proof = None
            if call is not None:
                told = "The disabled entry is called, and what it would lead to stays out."
                proof = witness(told, [view, others[0]], [call], context.settings)
            yield self.finding(
                view,
                f"It is disabled, but only its text could bring in {named(others)}.",
                view.path_of("disable"),
                others=others,
                witness=shown(proof, view, Reason.DISABLED),
            )
