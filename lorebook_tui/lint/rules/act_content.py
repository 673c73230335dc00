"""Entries that come in with nothing to say, and those that are switched off beside their own double."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, Example
from lorebook_tui.lint.staging import call_of, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.decorators import ACTIVATE, DONT_ACTIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import BookView, EntryView

_SILENT: Final = re.compile(r"\{\{\s*(?://[^{}]*|noop|trim)\s*\}\}", re.IGNORECASE)


class SaysNothing(EntryRule):
    """An entry that can come in, but has no text.

    Why: SillyTavern 1.19 activates it like any other: it counts, wakes a recursion pass, may win its inclusion group,
    and prints nothing. Decorators, comments and blanks are no text. (An entry that runs a Quick Reply, and an empty
    member of a group, may be meant so: of the one nothing is said, of the other only a word.)
    Example: the key `bell` and an empty content.
    Do: write its text, disable it, or delete it.
    Source: SillyTavern 1.19.
    """

    code = "ACT016"
    name = "says-nothing"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x"},)),
        Example(({"key": ["bell"], "content": "{{setvar::rung::1}}"},)),
        Example(({"key": ["bell"], "content": "", "automationId": "ring"},)),
        Example(({"key": ["bell"], "content": "", "disable": True},)),
        Example(({"comment": "=== Places ===", "content": ""},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": ""},)),
        Example(({"constant": True, "content": " \n"},)),
        Example(({"content": "@@activate\n{{// to be written }}"},)),
        Example(({"key": ["bell"], "content": "", "group": "weather"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Enabled entries whose text is blank."""
        if not entry.is_enabled or entry.is_on("automationId") or not _is_silent(entry.text):
            return
        decorators = entry.decorated.decorators
        can_come = entry.is_on("constant") or any(key.text for key in entry.keys) or ACTIVATE in decorators
        if not can_come or (DONT_ACTIVATE in decorators and ACTIVATE not in decorators):
            return
        call = "" if ACTIVATE in decorators else call_of(entry)
        proof = None
        if call is not None:
            proof = witness("It is activated, and prints nothing.", [entry], [call], context.settings)
        in_group = entry.is_on("group")
        yield self.finding(
            entry,
            "It has no text: when it wins its group, nothing is printed at all."
            if in_group
            else "It has no text: it comes in and prints nothing.",
            entry.path_of("content"),
            severity=Severity.INFO if in_group else None,
            witness=shown(proof, entry, Reason.EMPTY_TEXT),
        )


def _is_silent(text: str) -> bool:
    """Whether nothing of it is printed."""
    return not (_SILENT.sub("", text) if "{{" in text else text).strip()


class DisabledDouble(BookRule):
    """A disabled entry with the same text as an enabled one.

    Why: SillyTavern 1.19 never looks at a disabled entry. A copy of one that is in use is left over from some work and
    makes the book harder to read and to search.
    Example: "The mill (old)", disabled, with the text of "The mill".
    Do: delete it.
    Source: what authors keep asking for when they clean their books.
    """

    code = "ACT023"
    name = "disabled-double"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["mill"], "content": "It grinds."},
                {"key": ["mill"], "content": "It burned down.", "disable": True},
            )
        ),
        Example(
            (
                {"key": ["mill"], "content": "It grinds.", "disable": True},
                {"key": ["mill"], "content": "It grinds.", "disable": True},
            )
        ),
        Example(({"key": ["mill"], "content": ""}, {"key": ["old"], "content": " ", "disable": True})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"comment": "The mill", "key": ["mill"], "content": "It grinds."},
                {"comment": "The mill (old)", "key": ["mills"], "content": "It grinds.\n", "disable": True},
            )
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Disabled entries whose text an enabled one has."""
        del context
        disabled = [view for view in book.entries if not view.is_enabled and view.entry.content.strip()]
        if not disabled:
            return
        wanted = {view.entry.content.strip() for view in disabled}
        active: dict[str, EntryView] = {}
        for view in book.entries:
            text = view.entry.content.strip()
            if view.is_enabled and text in wanted:
                active.setdefault(text, view)
        for view in disabled:
            double = active.get(view.entry.content.strip())
            if double is not None:
                message = f"It is disabled, and {quote(double.entry.title)}, which is in use, has the same text."
                yield self.finding(view, message, view.path_of("disable"), others=(double,))
