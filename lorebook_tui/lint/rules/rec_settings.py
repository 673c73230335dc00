"""Recursion and the global settings; and what recursion finds in an entry's own text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Need, Scope, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.recursion_graph import graph_of
from lorebook_tui.lint.rule import BookRule, Context, Example, WorldRule
from lorebook_tui.lint.staging import QUIET, call_of, extra, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import nullish

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import BookView, World
    from lorebook_tui.model.settings import ScanSettings

_MOST_TRIED = 20


class StepsAndLeast(WorldRule):
    """A maximum of recursion steps together with a minimum of activations.

    Why: The two exclude each other; the editor of SillyTavern 1.19 sets one to 0 when the other is set. A settings file
    that has both is honoured as it stands: the number of steps counts every pass, also those that look further back for
    the minimum, so that the search for more entries ends early.
    Example: `world_info_max_recursion_steps` 2 and `world_info_min_activations` 3.
    Do: set one of them to 0.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "REC007"
    name = "steps-and-minimum"
    severity = Severity.WARNING
    scope = Scope.SET
    of_settings = True
    needs = frozenset({Need.SETTINGS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x"},), settings={"world_info_max_recursion_steps": 2}),
        Example(({"key": ["bell"], "content": "x"},), settings={"world_info_min_activations": 3}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["bell"], "content": "x"},),
            settings={"world_info_max_recursion_steps": 2, "world_info_min_activations": 3},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Both settings at once."""
        settings = context.settings
        steps, least = settings.world_info_max_recursion_steps, settings.world_info_min_activations
        if not steps or not least or not world.files:
            return
        message = (
            f"The settings allow {steps} recursion steps and ask for {least} activations: the steps count the search "
            "for more, too, so it ends early. SillyTavern lets only one of them be set."
        )
        yield self.finding(world.files[0], message, witness=_out_of_reach(world, settings))


def _out_of_reach(world: World, settings: ScanSettings) -> Witness | None:
    """A key so far back that the search for more would find it, had it not run out of steps."""
    back = int(settings.world_info_depth + settings.world_info_max_recursion_steps)
    tried = 0
    for book in world.books:
        for view in book.entries:
            call = call_of(view) if view.is_enabled and view.is_keyed and nullish(view.get("scanDepth")) else None
            if call is None or tried == _MOST_TRIED:
                continue
            tried += 1
            told = "Too few entries are in, its key stands a little further back, and the search has run out of steps."
            given = witness(told, [view], [call, *[QUIET] * (back - 1)], settings)
            found = shown(given, view, Reason.NO_KEY_IN_TEXT)
            if found is not None:
                return found
    return None


class NoStepForDelayed(WorldRule):
    """A maximum of one recursion step, and entries that wait for recursion.

    Why: SillyTavern 1.19 counts every pass as a step, the first one as well. With a maximum of 1 there is no recursion,
    and an entry with "delay until recursion" never comes.
    Example: `world_info_max_recursion_steps` 1, and an entry of delay level 1.
    Do: set the maximum to 0 (no limit) or to 2 and more.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "REC008"
    name = "no-step-for-delayed"
    severity = Severity.INFO
    scope = Scope.SET
    needs = frozenset({Need.SETTINGS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "delayUntilRecursion": 1, "content": "x"},), settings={"world_info_depth": 3}),
        Example(
            ({"key": ["bell"], "delayUntilRecursion": 1, "content": "x"},),
            settings={"world_info_max_recursion_steps": 2},
        ),
        Example(({"key": ["bell"], "content": "x"},), settings={"world_info_max_recursion_steps": 1}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["bell"], "delayUntilRecursion": 1, "content": "x"},),
            settings={"world_info_max_recursion_steps": 1},
        ),
        Example(
            (
                {"key": ["bell"], "delayUntilRecursion": 1, "content": "x"},
                {"key": ["rope"], "delayUntilRecursion": 2, "content": "y"},
            ),
            settings={"world_info_max_recursion_steps": 1, "world_info_recursive": False},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """The delayed entries of each book, in one finding."""
        if context.settings.world_info_max_recursion_steps != 1:
            return
        for book in world.books:
            delayed = [view for view in book.entries if view.is_enabled and view.is_on("delayUntilRecursion")]
            if not delayed:
                continue
            call = call_of(delayed[0])
            proof = None
            if call is not None:
                told = "The chat and another entry's text call it, and there is no second pass."
                entries = [delayed[0], extra(book, call)]
                proof = witness(told, entries, [call], context.settings)
            yield self.finding(
                delayed[0],
                f"The settings allow one step, which is the first pass: {named(delayed)}, waiting for recursion, "
                "can never come.",
                delayed[0].path_of("delayUntilRecursion"),
                others=delayed[1:],
                witness=shown(proof, delayed[0], Reason.WAITS_FOR_RECURSION),
            )


class OnlyItself(BookRule):
    """A text that recursion finds only its own entry's key in.

    Why: SillyTavern 1.19 does not look at an entry again that is in; its own key in its own text is harmless, and other
    hosts and readers even want it there. Off unless it is asked for.
    Example: "The mill" with the text "The mill grinds by night."
    Do: nothing.
    Source: SillyTavern 1.19.
    """

    code = "REC009"
    name = "wakes-only-itself"
    severity = Severity.OFF
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds."},)),
        Example(
            (
                {"key": ["mill"], "content": "The mill by the ferry."},
                {"key": ["ferry"], "content": "It crosses."},
            )
        ),
        Example(({"key": ["mill"], "content": "The mill.", "preventRecursion": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["mill"], "content": "The mill grinds."},)),)

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Texts whose only way out leads back."""
        graph = graph_of(book, context.settings)
        for number, edges in enumerate(graph.out if graph.is_on else ()):
            if edges or not graph.speaks(number):
                continue
            view = book.entries[number]
            if list(graph.woken_by(view.text)) == [number]:
                message = "Recursion finds its own key in its text and no other: that is harmless."
                yield self.finding(view, message, view.path_of("content"), severity=Severity.INFO)
