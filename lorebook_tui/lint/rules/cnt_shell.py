"""The PList shell: two constants, `[` and `]`, that put brackets around all entries between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.budgeting import came_in, is_always_on, kept_out, played, scene
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.plist import OPEN, is_body, is_half, looks_like_traits, shells
from lorebook_tui.lint.rule import BookRule, Context, Example, Option
from lorebook_tui.lint.slots import OUTLET, number_of, slot_of, slot_text, together
from lorebook_tui.lint.staging import call_of
from lorebook_tui.model.js import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.plist import Shell
    from lorebook_tui.lint.subjects import BookView, EntryView

_OPENING: Final = {"constant": True, "content": "[", "order": 2}
_CLOSING: Final = {"constant": True, "content": "]", "order": 998}
_BODY: Final = {"key": ["mill"], "content": "Mill: old, wooden;", "order": 100}
_SMALL: Final = {"world_info_budget_cap": 200}
_MOST_CONSTANTS: Final = 60
_MOST_KEYED: Final = 60


class ShellRecipe(BookRule):
    """A PList shell that does not follow its recipe.

    Why: SillyTavern 1.19 joins the texts of one place by order: `[` with order 2, traits with orders between, `]` with
    order 998 read as one PList. A half that is missing, that stands elsewhere or on the wrong side, or a part that
    stands outside, leaves brackets open; a part without a semicolon runs into the next.
    Example: `Mill: old, wooden` without a semicolon between the halves.
    Do: end each part with a semicolon, without brackets of its own, at the same place, its order between the halves.
    Source: the PList recipe of the Russian guide.
    """

    code = "CNT003"
    name = "shell-recipe"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_OPENING, _CLOSING, _BODY)),
        Example((_OPENING, _CLOSING, {**_BODY, "content": "It grinds.", "position": 1})),
        Example((_OPENING, _CLOSING, {**_BODY, "content": "It grinds.", "order": 999})),
        Example((_OPENING, _CLOSING, {**_BODY, "content": "Mill: old", "disable": True})),
        Example(({**_OPENING, "order": 1}, {**_CLOSING, "order": 900}, _BODY)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (_OPENING, _CLOSING, {**_BODY, "content": "Mill: old, wooden"}),
            fixed=({"content": "["}, {"content": "]"}, {"content": "Mill: old, wooden;"}),
        ),
        Example(
            (_OPENING, _CLOSING, {**_BODY, "content": "[Mill: old;]"}),
            fixed=({"content": "["}, {"content": "]"}, {"content": "Mill: old;"}),
        ),
        Example((_OPENING, _BODY)),
        Example((_OPENING, {**_CLOSING, "position": 1})),
        Example((_OPENING, _CLOSING, {**_BODY, "order": 999})),
        Example((_OPENING, _CLOSING, {**_BODY, "content": "The mill grinds."})),
        Example(({**_OPENING, "order": 998}, {**_CLOSING, "order": 2}, _BODY)),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Each shell, then what stands between its halves, or just outside."""
        del context
        for shell in shells(book):
            fault = _fault(shell)
            if fault is not None:
                yield self.finding(shell.halves[0], fault, others=shell.halves[1:])
                continue
            low, high = shell.ends
            for view in book.entries:
                if not view.is_enabled or is_half(view) or slot_of(view) != shell.slot:
                    continue
                order = number_of(view)
                if order is not None and low < order < high:
                    yield from self._inside(view, shell)
                elif is_body(view):
                    message = (
                        f"It is a part of a PList, but its order {number_text(order or 0)} is not between those of the "
                        f"brackets, {number_text(low)} and {number_text(high)}: it stands outside."
                    )
                    yield self.finding(view, message, view.path_of("order"), others=shell.halves)

    def _inside(self, view: EntryView, shell: Shell) -> Iterator[Finding]:
        """A part that is no good one."""
        text = view.text.strip()
        if not text or is_body(view):
            return
        bare = text
        if text.startswith("[") and text.endswith("]") and text.count("[") == 1:
            bare = text[1:-1].strip()
        if not looks_like_traits(bare):
            message = "It stands between the brackets of a PList, but is none of its parts (`name: trait, trait;`)."
            yield self.finding(view, message, view.path_of("content"), others=shell.halves)
            return
        what = "has brackets of its own" if bare != text else "does not end with a semicolon"
        if bare == text and text.endswith(";"):
            return
        better = view.entry.content.replace(text, f"{bare.rstrip(' ;,.')};")
        fix = Fix(f"write {quote(better.strip()[-24:])} at its end" if bare == text else "take its brackets away",
                  (SetField(view.entry.path, "content", better),), Grade.OFFERED)  # fmt: skip
        message = f"It is a part of a PList between two brackets, but {what}."
        yield self.finding(view, message, view.path_of("content"), others=shell.halves, fix=fix)


def _fault(shell: Shell) -> str | None:
    """What is wrong with the halves themselves."""
    first = shell.halves[0]
    if shell.opening is None or shell.closing is None:
        other = "closing" if first.text.strip() == OPEN else "opening"
        return f"It is a bracket that is always on, but the {other} one is missing."
    slots = slot_of(shell.opening), slot_of(shell.closing)
    if slots[0] is None or slots[1] is None:
        return "One of the two brackets is put nowhere."
    if slots[0] != slots[1]:
        return f"The opening bracket stands {slot_text(slots[0])}, the closing one {slot_text(slots[1])}."
    is_below = (number_of(shell.opening) or 0) > (number_of(shell.closing) or 0)
    if is_below != (slots[0][0] == OUTLET):
        return "By their orders, the closing bracket stands above the opening one."
    return None


class ShellCutApart(BookRule):
    """A PList shell of which one half can be cut by the budget while the other stays.

    Why: SillyTavern 1.19 gives the budget out by order, the highest first, constants not excepted. The half with order
    2 is the first to be cut when enough others come in; then the prompt holds a bracket that nothing opens.
    Example: `[` with order 2 and `]` with order 998, and a budget that ten long entries fill.
    Do: let both halves ignore the budget; they are one token each.
    Source: SillyTavern 1.19; the PList recipe of the Russian guide.
    """

    code = "CNT004"
    name = "shell-cut-apart"
    severity = Severity.WARNING
    options = (Option("together", 5, "keyed entries that may come in at one turn"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_OPENING, _CLOSING, _BODY), settings=_SMALL),
        Example(
            (
                {**_OPENING, "ignoreBudget": True},
                {**_CLOSING, "ignoreBudget": True},
                {**_BODY, "content": f"Mill: {'old ' * 200};"},
            ),
            settings=_SMALL,
        ),
        Example((_OPENING, {**_BODY, "content": f"Mill: {'old ' * 200};"}), settings=_SMALL),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((_OPENING, _CLOSING, {**_BODY, "content": f"Mill: {'old ' * 200};"}), settings=_SMALL),
        Example((_OPENING, {**_CLOSING, "ignoreBudget": True}, {**_BODY, "content": "x" * 700}), settings=_SMALL),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Each whole shell, in a scene with a few keyed entries, and in one with many."""
        for shell in shells(book):
            if not shell.is_whole or all(half.is_on("ignoreBudget") for half in shell.halves):
                continue
            found = self._cut(book, shell, context.options["together"], context)
            severity = Severity.WARNING
            if found is None:
                found, severity = self._cut(book, shell, _MOST_KEYED, context), Severity.INFO
            if found is None:
                continue
            lost, others, proof = found
            kept = next(half for half in shell.halves if half is not lost)
            count = "1 entry that the chat calls is" if others == 1 else f"{others} entries that the chat calls are"
            message = (
                f"{count} enough to cut this bracket (order {number_text(number_of(lost) or 0)}), while the other "
                f"(order {number_text(number_of(kept) or 0)}) stays in the prompt alone."
            )
            yield self.finding(lost, message, lost.path_of("order"), severity=severity, others=(kept,), witness=proof)

    def _cut(
        self, book: BookView, shell: Shell, most: int, context: Context
    ) -> tuple[EntryView, int, Witness | None] | None:
        """The half that is cut, how many keyed entries it took, and the scene."""
        constants = [view for view in book.entries if is_always_on(view) and view not in shell.halves]
        keyed = [view for view in book.entries if view.is_enabled and view.is_keyed and call_of(view) is not None]
        keyed.sort(key=lambda view: -len(view.entry.content))
        called = together(keyed[: 4 * most])[:most]
        listed: Sequence[EntryView] = [*shell.halves, *constants[:_MOST_CONSTANTS], *called]
        proof = scene("One half of the shell is cut, the other is in.", listed, context)
        assembly = played(proof, context)
        lost, kept = kept_out(assembly, shell.halves), came_in(assembly, shell.halves)
        return (lost[0], len(called), proof) if lost and kept else None
