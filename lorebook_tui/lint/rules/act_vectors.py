"""Entries that only, or also, a search by meaning can wake."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option
from lorebook_tui.lint.staging import shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.decorators import ACTIVATE, DONT_ACTIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView


def _is_found_by_meaning(entry: EntryView) -> bool:
    decorators = entry.decorated.decorators
    return (
        entry.is_enabled
        and entry.is_on("vectorized")
        and not entry.is_on("constant")
        and ACTIVATE not in decorators
        and DONT_ACTIVATE not in decorators
    )


class OnlyByMeaning(EntryRule):
    """A vectorised entry without keys.

    Why: In SillyTavern 1.19 the scan knows nothing of "vectorized"; the extension Vector Storage wakes such entries,
    if its world info switch is on. Both are off on a fresh installation, and then nothing wakes this entry.
    Example: `vectorized` on and no key.
    Do: give it a key as well, or tell the readers of the book to switch Vector Storage on for world info. Where it is
    on, set the option `vectors` to "on"; where it is surely off, to "off", and this becomes a warning.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT011"
    name = "only-by-meaning"
    severity = Severity.WARNING
    options = (
        Option(
            "vectors", "unknown", "Whether Vector Storage searches world info where the book is used: on, off, unknown."
        ),
    )
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "vectorized": True, "content": "x"},)),
        Example(({"vectorized": True, "content": "x"},), options={"vectors": "on"}),
        Example(({"vectorized": True, "constant": True, "content": "x"},)),
        Example(({"vectorized": True, "content": "@@dont_activate\nx"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"vectorized": True, "content": "x"},)),
        Example(({"vectorized": True, "key": [""], "content": "x"},), options={"vectors": "off"}),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries that wait for an extension."""
        vectors = context.options["vectors"]
        if not _is_found_by_meaning(entry) or any(key.text for key in entry.keys) or vectors == "on":
            return
        is_off = vectors == "off"
        proof = witness("It has no key, and the scan passes it over.", [entry], [entry.text[:80]], context.settings)
        reason = Reason.NO_KEY_IN_TEXT if entry.keys else Reason.NO_KEYS
        yield self.finding(
            entry,
            "It has no key, and vector search is off: nothing wakes it."
            if is_off
            else "It has no key: only vector search wakes it, which is off on a fresh installation.",
            entry.path_of("vectorized"),
            severity=Severity.WARNING if is_off else Severity.INFO,
            witness=shown(proof, entry, reason),
        )


class ByKeyAndMeaning(EntryRule):
    """A vectorised entry that has keys, too.

    Why: In SillyTavern 1.19 both ways stand open: its keys wake it as those of any entry, and with Vector Storage on a
    likeness in meaning does so without any key, secondary keys not asked.
    Example: `vectorized` on and the key `battle`.
    Do: nothing, if both are meant; else remove the keys or switch "vectorized" off.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT012"
    name = "by-key-and-meaning"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["battle"], "content": "x"},)),
        Example(({"vectorized": True, "content": "x"},)),
        Example(({"vectorized": True, "key": ["battle"], "content": "x", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"vectorized": True, "key": ["battle"], "content": "x"},)),
        Example(({"vectorized": True, "key": ["battle"], "keysecondary": ["ford"], "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries with two doors."""
        del context
        if not _is_found_by_meaning(entry) or not any(not key.is_blank for key in entry.keys):
            return
        message = "Its keys wake it, and with vector search on a likeness in meaning does, too."
        if entry.is_on("selective") and any(not key.is_blank for key in entry.secondary):
            message = "Vector search wakes it without a look at its secondary keys; with a key they are asked."
        yield self.finding(entry, message, entry.path_of("vectorized"))
