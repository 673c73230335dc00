"""Scan depths of entries that see no text, or far more than they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option
from lorebook_tui.lint.staging import call_of, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.matching import ecma
from lorebook_tui.model.decorators import ACTIVATE
from lorebook_tui.model.js import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.subjects import EntryView

_MOST_SCANNED: Final = 1000


def own_depth(entry: EntryView) -> float | None:
    """The entry's own scan depth in messages; None if it has none."""
    value = entry.get("scanDepth")
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


class SeesNothing(EntryRule):
    """A keyed entry whose own scan depth is 0.

    Why: SillyTavern 1.19 gives an entry with scan depth 0 an empty text: no message, no recursed text, no injected
    prompt. Its documentation promises more. A depth of 1 is the last message.
    Example: `scanDepth` 0 and the key `bell`.
    Do: clear the scan depth, or set it to 1 for the last message.
    Source: SillyTavern 1.19.
    """

    code = "ACT009"
    name = "sees-no-text"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "scanDepth": 1, "content": "x"},)),
        Example(({"key": ["bell"], "scanDepth": None, "content": "x"},)),
        Example(({"key": ["/^$/"], "scanDepth": 0, "content": "x"},)),
        Example(({"key": ["bell"], "scanDepth": 0, "vectorized": True, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "scanDepth": 0, "content": "x"},), fixed=({"scanDepth": None},)),
        Example(({"key": ["/bell/i", "rope"], "scanDepth": -1, "content": "x"},), fixed=({"scanDepth": None},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Keys that are looked for in nothing."""
        depth = own_depth(entry)
        if depth is None or depth > 0 or not entry.is_enabled or not entry.is_keyed or not entry.keys:
            return
        if ACTIVATE in entry.decorated.decorators or any(map(_matches_nothing, entry.keys)):
            return
        call = call_of(entry)
        proof = witness("Its key is said, and it does not see it.", [entry], [call], context.settings) if call else None
        fix = Fix("clear the scan depth", (SetField(entry.entry.path, "scanDepth", None),), Grade.OFFERED,
                  alters_activation=True)  # fmt: skip
        yield self.finding(
            entry,
            f"Its scan depth is {number_text(depth)}: it sees no text at all, so no key of it is ever found.",
            entry.path_of("scanDepth"),
            fix=fix,
            witness=shown(proof, entry, Reason.NO_KEY_IN_TEXT),
        )


def _matches_nothing(key: KeyFact) -> bool:
    """Whether a key is found in the empty text, or may be."""
    pattern = key.pattern()
    if pattern is None:
        return bool(key.text) and (key.is_blank or key.has_macro)
    try:
        return pattern.test("")
    except ecma.PatternTimeout:
        return False


class SeesTooMuch(EntryRule):
    """A scan depth of very many messages.

    Why: SillyTavern 1.19 looks for the keys in that many of the last messages, at every turn: an old topic keeps the
    entry in long after everybody has gone on. Above 1000 the number is cut to 1000.
    Example: `scanDepth` 200.
    Do: lower it; for something that has to last, sticky ends by itself.
    Source: SillyTavern 1.19.
    """

    code = "ACT010"
    name = "scans-far-back"
    severity = Severity.INFO
    options = (Option("most", 50, "Messages that an entry may scan without a word."),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "scanDepth": 50, "content": "x"},)),
        Example(({"constant": True, "scanDepth": 400, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "scanDepth": 51, "content": "x"},)),
        Example(({"key": ["bell"], "scanDepth": 4000, "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Depths above the threshold."""
        depth = own_depth(entry)
        if depth is None or depth <= context.options["most"] or not entry.is_enabled or entry.is_on("constant"):
            return
        number = number_text(depth)
        if depth > _MOST_SCANNED:
            message = f"Its scan depth is {number}, but no entry sees more than {_MOST_SCANNED} messages."
        else:
            message = f"It looks for its keys in the last {number} messages: an old topic keeps it in for long."
        yield self.finding(entry, message, entry.path_of("scanDepth"))
