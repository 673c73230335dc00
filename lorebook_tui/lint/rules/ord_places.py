"""Positions, depths and roles that have no effect, or another than it looks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.macro_names import without_comments
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option
from lorebook_tui.model.js import MISSING, number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView

AT_DEPTH: Final = 4
OUTLET: Final = 7
ASSISTANT: Final = 2
_DEFAULT_DEPTH: Final = 4
_LARGEST_ORDER: Final = 9999
_OUTLET_MACRO: Final = re.compile(r"\{\{\s*outlet\s*::\s*([^}]*)\}\}", re.IGNORECASE)


def position_of(entry: EntryView) -> Any:
    """The position as it stands."""
    return entry.get("position", MISSING)


class NoDepth(EntryRule):
    """A position at a depth with no depth, or a depth beyond every message.

    Why: SillyTavern 1.19 puts an entry without a depth at depth 4; one deeper than the chat is long stands before its
    first message.
    Example: position "at depth", depth null.
    Do: write the depth that is meant.
    Source: SillyTavern 1.19.
    """

    code = "ORD004"
    name = "depth-missing"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 2},)),
        Example(({"key": ["a"], "content": "x", "position": 0, "depth": None},)),
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 50},), chat=("You: a",) * 60),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": None},), fixed=({"depth": 4},)),
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 50},), chat=("You: a", "Mira: b")),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """No number, or one that no given chat reaches."""
        if position_of(entry) != AT_DEPTH:
            return
        depth = entry.get("depth")
        if depth is None or depth is MISSING:
            fix = Fix(f"write depth {_DEFAULT_DEPTH}", (SetField(entry.entry.path, "depth", _DEFAULT_DEPTH),))
            yield self.finding(
                entry, f"It stands at a depth, but has none: {_DEFAULT_DEPTH} is used.", entry.path_of("depth"), fix=fix
            )
            return
        longest = max((len(chat) for chat in context.world.chats), default=0)
        if isinstance(depth, (int, float)) and longest and depth > longest:
            beyond = f"Its depth {number_text(depth)} is beyond the longest chat here ({longest} messages)"
            message = f"{beyond}: it stands before all."
            yield self.finding(entry, message, entry.path_of("depth"))


class IdleDepth(EntryRule):
    """A depth or role that differs from the usual one, in an entry that does not stand at a depth.

    Why: SillyTavern 1.19 reads depth and role only for the position "at depth".
    Example: position "before char" with role assistant.
    Do: choose the position "at depth", or clear them.
    Source: SillyTavern 1.19.
    """

    code = "ORD005"
    name = "idle-depth"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 2, "role": 2},)),
        Example(({"key": ["a"], "content": "x", "position": 0, "depth": 4, "role": 0},)),
        Example(({"key": ["a"], "content": "x", "position": 0, "depth": 0, "role": None},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": 1, "depth": 2},), fixed=({"depth": 4},)),
        Example(({"key": ["a"], "content": "x", "position": 0, "role": 2},), fixed=({"role": 0},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """What has no effect."""
        del context
        if position_of(entry) == AT_DEPTH:
            return
        idle = []
        depth, role = entry.get("depth"), entry.get("role")
        if isinstance(depth, int) and not isinstance(depth, bool) and depth not in {0, _DEFAULT_DEPTH}:
            idle.append(("depth", _DEFAULT_DEPTH))
        if isinstance(role, int) and not isinstance(role, bool) and role != 0:
            idle.append(("role", 0))
        if not idle:
            return
        changes = tuple(SetField(entry.entry.path, name, usual) for name, usual in idle)
        names = " and ".join(name for name, _ in idle)
        message = f"Its {names} does nothing, as it does not stand at a depth."
        yield self.finding(entry, message, entry.path_of(idle[0][0]), fix=Fix(f"clear its {names}", changes))


class NamelessOutlet(EntryRule):
    """The position "outlet" with no outlet name.

    Why: SillyTavern 1.19 collects outlet entries by name; an entry without one is activated and then put nowhere.
    Example: position "outlet", name empty.
    Do: give it the name that a prompt asks for with `{{outlet::name}}`.
    Source: SillyTavern 1.19.
    """

    code = "ORD006"
    name = "nameless-outlet"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": OUTLET, "outletName": "news"},)),
        Example(({"key": ["a"], "content": "x", "position": 0, "outletName": ""},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": OUTLET, "outletName": " "},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """No name."""
        del context
        if position_of(entry) == OUTLET and not str(entry.get("outletName", "") or "").strip():
            message = "It stands at an outlet without a name: it is activated and put nowhere."
            yield self.finding(entry, message, entry.path_of("outletName"))


class OutletInsideLore(EntryRule):
    """An outlet macro in the text of an entry.

    Why: Outlets are filled when the scan is over, so in SillyTavern 1.19 such a macro inside an entry stays empty, or
    tells what an earlier turn left.
    Example: an entry that says `{{outlet::news}}`.
    Do: ask for the outlet in a prompt, not in lore.
    Source: SillyTavern 1.19's documentation.
    """

    code = "ORD010"
    name = "outlet-inside-lore"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "The outlet of the mere."},)),
        Example(({"key": ["a"], "content": "{{outlet::news}}", "disable": True},)),
        Example(({"key": ["a"], "content": "{{// {{outlet::news}} }}{{//}}{{outlet::news}}{{///}}"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "Today: {{outlet::news}}."},)),
        Example(({"key": ["a"], "content": "{{// today }} {{outlet::news}}"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The macro."""
        del context
        content = entry.entry.content
        has_any = entry.is_enabled and _OUTLET_MACRO.search(content) is not None
        found = _OUTLET_MACRO.search(without_comments(content)) if has_any else None
        if found is not None:
            message = f"{found[0]} does not work inside an entry: outlets are filled after the scan."
            yield self.finding(entry, message, entry.path_of("content"))


class OddOrder(EntryRule):
    """An order that is negative, broken, or huge.

    Why: SillyTavern's editor takes whole numbers up to 9999; others are clamped or jump when the entry is saved there.
    Example: order -5, or 12.5.
    Do: renumber the book (`lorebook renumber`).
    Source: SillyTavern 1.19.
    """

    code = "ORD015"
    name = "odd-order"
    severity = Severity.INFO
    grade = Grade.OFFERED
    options = (Option("largest", _LARGEST_ORDER, "the highest order that an editor takes"),)
    valid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["a"], "content": "x", "order": 9999},)),)
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "order": -5},), fixed=({"order": 0},)),
        Example(({"key": ["a"], "content": "x", "order": 12.5},), fixed=({"order": 12},)),
        Example(({"key": ["a"], "content": "x", "order": 1_700_000_000_000},), fixed=({"order": 9999},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """A number out of the ordinary."""
        order = entry.get("order")
        if isinstance(order, bool) or not isinstance(order, (int, float)) or order != order:  # noqa: PLR0124 - NaN
            return
        largest = context.options["largest"]
        better = int(min(max(order, 0), largest))
        if better == order:
            return
        fix = Fix(
            f"write order {better}", (SetField(entry.entry.path, "order", better),), Grade.OFFERED,
            alters_activation=True,
        )  # fmt: skip
        message = f"Its order {number_text(order)} is none that SillyTavern's editor keeps."
        yield self.finding(entry, message, entry.path_of("order"), fix=fix)


class AssistantAtTheEnd(EntryRule):
    """Depth 0 with the role assistant.

    Why: At depth 0 the text is the very last message; spoken by the assistant, models take it for the beginning of
    their reply and go on from there.
    Example: depth 0, role assistant.
    Do: use the role system, or a depth of 1 or more, unless a prefilled reply is meant.
    Source: SillyTavern 1.19's documentation.
    """

    code = "ORD016"
    name = "assistant-at-the-end"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 0, "role": 0},)),
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 1, "role": ASSISTANT},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": AT_DEPTH, "depth": 0, "role": ASSISTANT},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Both."""
        del context
        if position_of(entry) == AT_DEPTH and entry.get("depth") == 0 and entry.get("role") == ASSISTANT:
            yield self.finding(entry, "At depth 0 as the assistant it reads as the start of the reply.")
