"""Keys that are empty or missing: entries that never fire, or fire at every scan."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.model.decorators import ACTIVATE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView


class NoKey(EntryRule):
    """An entry that nothing can wake: no key, not constant, not vectorised, no `@@activate`.

    Why: SillyTavern 1.19 looks for the keys of an entry in the scanned text; an entry without any is skipped before
    its other fields are looked at.
    Example: an entry "The old mill" with a good text and an empty list of keys.
    Do: give it a key that the chat will say, make it constant, or disable it if it is a note to yourself.
    Source: SillyTavern 1.19.
    """

    code = "KEY001"
    name = "no-key"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds."},)),
        Example(({"constant": True, "content": "It grinds."},)),
        Example(({"vectorized": True, "content": "It grinds."},)),
        Example(({"content": "@@activate\nIt grinds."},)),
        Example(({"content": "A note.", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(({"comment": "The old mill", "content": "It grinds."},)),)

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries that take part, but that nothing can bring in."""
        del context
        if entry.is_enabled and entry.is_keyed and not entry.keys and ACTIVATE not in entry.decorated.decorators:
            yield self.finding(entry, "It has no key and is not constant: nothing can wake it.", entry.path_of("key"))


class BlankKey(EntryRule):
    """A key of nothing but white space.

    Why: SillyTavern 1.19 trims a key before it looks for it, and every text holds the empty text: the entry fires at
    every scan, as if it were constant, and takes its share of the budget.
    Example: the keys `mill` and ` `.
    Do: remove the key.
    Source: SillyTavern 1.19.
    """

    code = "KEY002"
    name = "blank-key"
    severity = Severity.ERROR
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds."},)),
        Example(({"key": ["mill", ""], "content": "It grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill", " "], "content": "It grinds."},), fixed=({"key": ["mill"]},)),
        Example(({"key": ["mill"], "keysecondary": ["\t"], "content": "It grinds."},), fixed=({"keysecondary": []},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Blank keys that are not the empty text, which SillyTavern skips."""
        del context
        for name, facts in (("key", entry.keys), ("keysecondary", entry.secondary)):
            blank = [fact for fact in facts if fact.is_blank and fact.text]
            if not blank:
                continue
            left = [key for key in entry.get(name) if key not in {fact.text for fact in blank}]
            fix = Fix("remove the blank key", (SetField(entry.entry.path, name, left),), alters_activation=True)
            which = "A key" if name == "key" else "A secondary key"
            message = f"{which} is nothing but white space: it is found in every text."
            yield self.finding(entry, message, entry.path_of(name, blank[0].place), fix=fix)
