"""Keys that are empty or missing: entries that never fire, or fire at every scan."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.products import product_of
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.rules.fmt_values import YUMINA
from lorebook_tui.model.decorators import ACTIVATE
from lorebook_tui.model.js import MISSING

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
        Example(source=YUMINA),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(({"comment": "The old mill", "content": "It grinds."},)),)

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries that take part, but that nothing can bring in; other products have keys of another name."""
        del context
        if product_of(entry):
            return
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


class EmptyKey(EntryRule):
    """An empty text among the keys, as a trailing comma leaves it.

    Why: SillyTavern 1.19 skips an empty key, so it does nothing; it only makes the list longer.
    Example: the keys `mill` and an empty text.
    Do: remove it.
    Source: SillyTavern 1.19.
    """

    code = "KEY003"
    name = "empty-key"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["mill"], "content": "It grinds."},)),)
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill", ""], "content": "It grinds."},), fixed=({"key": ["mill"]},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Empty texts beside other keys."""
        del context
        for name, facts in (("key", entry.keys), ("keysecondary", entry.secondary)):
            empty = [fact for fact in facts if not fact.text]
            if not empty or len(empty) == len(facts):
                continue
            left = [key for key in entry.get(name) if key != ""]
            fix = Fix("remove the empty key", (SetField(entry.entry.path, name, left),))
            path = entry.path_of(name, empty[0].place)
            yield self.finding(entry, "One of its keys is an empty text, which does nothing.", path, fix=fix)


class DoubledKey(EntryRule):
    """A key that an entry has twice, letter case and blanks at its ends aside.

    Why: The second one finds nothing that the first does not; with group scoring on, SillyTavern 1.19 counts both, so
    the entry gets a point too many.
    Example: the keys `Mill` and `mill `, case not mattering.
    Do: remove the second one.
    Source: SillyTavern 1.19.
    """

    code = "KEY008"
    name = "doubled-key"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill", "mills"], "content": "It grinds."},)),
        Example(({"key": ["Mill", "mill"], "caseSensitive": True, "content": "It grinds."},)),
        Example(({"key": ["/mill/", "/mill/i"], "content": "It grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["Mill", "mill", "wheel"], "content": "It grinds."},), fixed=({"key": ["Mill", "wheel"]},)),
        Example(({"key": ["/mill/i", "/mill/i"], "content": "It grinds."},), fixed=({"key": ["/mill/i"]},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Keys that are there already."""
        sensitive = entry.get("caseSensitive", None)
        if sensitive is None or sensitive is MISSING:
            sensitive = context.settings.world_info_case_sensitive
        for name, facts in (("key", entry.keys), ("keysecondary", entry.secondary)):
            seen: dict[str, str] = {}
            doubled = []
            for fact in facts:
                same = fact.trimmed if fact.regex or sensitive else fact.folded
                if fact.is_blank:
                    continue
                if same in seen:
                    doubled.append(fact)
                seen.setdefault(same, fact.text)
            if doubled:
                places = {fact.place for fact in doubled}
                left = [key for place, key in enumerate(entry.get(name)) if place not in places]
                fix = Fix(f"remove the second {quote(doubled[0].trimmed)}", (SetField(entry.entry.path, name, left),))
                path = entry.path_of(name, doubled[0].place)
                yield self.finding(entry, f"It has the key {quote(doubled[0].trimmed)} twice.", path, fix=fix)
