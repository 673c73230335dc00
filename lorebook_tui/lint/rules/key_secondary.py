"""Secondary keys that do nothing, or shut out what the primary keys let in."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.keyrules import effective
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.subjects import EntryView

AND_ANY: Final = 0
NOT_ALL: Final = 1
NOT_ANY: Final = 2
AND_ALL: Final = 3
_NOT: Final = {NOT_ALL, NOT_ANY}


def _logic(entry: EntryView) -> int:
    value = entry.get("selectiveLogic")
    return value if isinstance(value, int) and not isinstance(value, bool) else AND_ANY


def _has_filter(entry: EntryView) -> bool:
    return any(not key.is_blank for key in entry.secondary)


class InertFilter(EntryRule):
    """Secondary keys in an entry whose `selective` is off.

    Why: SillyTavern 1.19 looks at secondary keys only if `selective` is on; the entry fires on its primary keys alone.
    Example: the key `bell`, the secondary key `ferry`, and `selective` false.
    Do: turn `selective` on, or remove the secondary keys.
    Source: SillyTavern 1.19; the V2 card specification.
    """

    code = "KEY023"
    name = "inert-filter"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": ["ferry"], "selective": True, "content": "x"},)),
        Example(({"key": ["bell"], "keysecondary": [], "selective": False, "content": "x"},)),
        Example(({"constant": True, "keysecondary": ["ferry"], "selective": False, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["bell"], "keysecondary": ["ferry"], "selective": False, "content": "x"},),
            fixed=({"selective": True},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """A filter that nobody asks."""
        del context
        if entry.is_on("selective") or not _has_filter(entry) or entry.is_on("constant"):
            return
        fix = Fix("turn selective on", (SetField(entry.entry.path, "selective", True),), alters_activation=True)
        message = "Its secondary keys do nothing, as selective is off: the primary keys alone decide."
        yield self.finding(entry, message, entry.path_of("selective"), fix=fix)


class LogicWithoutKeys(EntryRule):
    """A logic other than AND ANY with no secondary keys.

    Why: SillyTavern 1.19 passes over the logic if there are no secondary keys; a NOT that should keep the entry out
    does nothing.
    Example: NOT ANY with an empty list.
    Do: add the secondary keys, or set the logic back to AND ANY.
    Source: SillyTavern 1.19.
    """

    code = "KEY024"
    name = "logic-without-keys"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": ["dream"], "selectiveLogic": NOT_ANY, "content": "x"},)),
        Example(({"key": ["bell"], "keysecondary": [], "selectiveLogic": AND_ANY, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": [], "selectiveLogic": NOT_ANY, "content": "x"},)),
        Example(({"key": ["bell"], "keysecondary": [""], "selectiveLogic": AND_ALL, "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """A logic with nothing to work on."""
        del context
        logic = _logic(entry)
        if logic == AND_ANY or _has_filter(entry) or entry.is_on("constant"):
            return
        name = {NOT_ALL: "NOT ALL", NOT_ANY: "NOT ANY", AND_ALL: "AND ALL"}.get(logic, str(logic))
        message = f"Its logic is {name}, but it has no secondary keys: nothing is filtered."
        yield self.finding(entry, message, entry.path_of("selectiveLogic"))


class ShutOut(EntryRule):
    """Primary keys that are secondary keys under NOT ANY.

    Why: Under NOT ANY, SillyTavern 1.19 drops the entry when any secondary key is in the scanned text; a key on both
    sides calls the entry and sends it away at once.
    Example: the key `bell`, and NOT ANY `bell`.
    Do: remove the key from one side.
    Source: SillyTavern 1.19.
    """

    code = "KEY025"
    name = "shut-out-by-own-key"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": ["dream"], "selectiveLogic": NOT_ANY, "content": "x"},)),
        Example(({"key": ["bell"], "keysecondary": ["bell"], "selectiveLogic": AND_ALL, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": ["Bell"], "selectiveLogic": NOT_ANY, "content": "x"},)),
        Example(({"key": ["bell", "gong"], "keysecondary": ["bell"], "selectiveLogic": NOT_ANY, "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """All keys, or some."""
        if not entry.is_on("selective") or _logic(entry) != NOT_ANY or entry.is_on("constant"):
            return
        barred = {key.folded for key in entry.secondary if not key.is_blank}
        called = [key for key in entry.keys if not key.is_blank]
        both = [key for key in called if key.folded in barred]
        if not both:
            return
        is_all = len(both) == len(called)
        names = ", ".join(quote(key.trimmed) for key in both)
        told = "so it can never fire by its keys" if is_all else "so these keys never bring it in"
        proof = witness(f"{names} is said, and the entry stays out.", [entry], [both[0].trimmed], context.settings)
        yield self.finding(
            entry,
            f"It is called by {names} and kept out by the same, {told}.",
            entry.path_of("keysecondary"),
            severity=Severity.ERROR if is_all else Severity.WARNING,
            witness=proof if both[0].is_plain else None,
        )


class FilterAlwaysMet(EntryRule):
    """A secondary key under AND ANY that is a primary key too.

    Why: Whenever that primary key is found, the secondary one is found with it: the filter lets it through. If that
    holds for every key, the filter does nothing; taking only the doubled ones out of it would make it bite.
    Example: the key `bell`, and AND ANY `bell`, `ferry`.
    Do: remove all secondary keys if the entry works as it should; only the doubled ones if the others were to decide.
    Source: SillyTavern 1.19.
    """

    code = "KEY026"
    name = "filter-always-met"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": ["ferry"], "content": "x"},)),
        Example(({"key": ["bell"], "keysecondary": ["bell"], "selectiveLogic": AND_ALL, "content": "x"},)),
        Example(({"key": ["Bell"], "keysecondary": ["bell", "ferry"], "caseSensitive": True, "content": "x"},)),
        Example(({"key": ["/Bell/"], "keysecondary": ["/bell/"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "keysecondary": ["bell", "ferry"], "content": "x"},), fixed=({"keysecondary": []},)),
        Example(({"key": ["/bell/"], "keysecondary": ["/bell/"], "content": "x"},), fixed=({"keysecondary": []},)),
        Example(({"key": ["bell", "gong"], "keysecondary": ["Bell", "ferry"], "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Keys on both sides."""
        if not entry.is_on("selective") or _logic(entry) != AND_ANY:
            return
        is_exact = effective(entry, "caseSensitive", context.settings.world_info_case_sensitive)
        called = {_sought(key, is_exact=is_exact) for key in entry.keys if not key.is_blank}
        asked = {_sought(key, is_exact=is_exact): key for key in entry.secondary if not key.is_blank}
        both = [key for text, key in asked.items() if text in called and not _is_chancy(key)]
        if not both:
            return
        is_met = called <= {_sought(key, is_exact=is_exact) for key in both}
        message = f"{quote(both[0].trimmed)} is a key and a secondary key: where it is said, the filter is met already."
        if not is_met:
            message = f"{message[:-1]}, and counts for the other keys only."
        fix = _without_filter(entry, context) if is_met else None
        yield self.finding(entry, message, entry.path_of("keysecondary", both[0].place), fix=fix)


def _is_chancy(key: KeyFact) -> bool:
    """Whether a key may be another one each time it is read, as macros with arguments can."""
    return key.has_macro and ":" in key.text


def _sought(key: KeyFact, *, is_exact: bool) -> str:
    """What is looked for, as far as it tells keys apart."""
    return key.text if key.regex else key.trimmed if is_exact or key.has_macro else key.folded


def _without_filter(entry: EntryView, context: Context) -> Fix:
    """Nothing changes by it, except where the found keys of a group are counted: secondary ones count, too."""
    scores = entry.is_on("group") and effective(entry, "useGroupScoring", context.settings.world_info_use_group_scoring)
    change = SetField(entry.entry.path, "keysecondary", [])
    grade = Grade.OFFERED if scores else Grade.SAFE
    return Fix("remove the secondary keys", (change,), grade, alters_activation=bool(scores))


class SpecificationRegex(EntryRule):
    """`use_regex` of the V3 specification together with keys between slashes, or with secondary keys.

    Why: In the V3 card specification `use_regex` makes every key a pattern as it stands, and secondary keys do not
    count then; SillyTavern 1.19 does not read it and goes by the slashes. Programs will disagree about this entry.
    Example: `use_regex` true and the key `/bell/i`.
    Do: for SillyTavern, keep the slashes and drop `use_regex`; for others, drop the slashes.
    Source: the V3 card specification; SillyTavern 1.19.
    """

    code = "KEY029"
    name = "two-kinds-of-pattern"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "use_regex": True, "content": "x"},)),
        Example(({"key": ["/bell/i"], "keysecondary": ["ferry"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["/bell/i"], "use_regex": True, "content": "x"},)),
        Example(({"key": ["bell"], "keysecondary": ["ferry"], "use_regex": True, "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The flag, and what contradicts it."""
        del context
        raw = entry.entry.source if entry.entry.source is not None else entry.entry.fields
        if raw.get("use_regex", MISSING) is not True:
            return
        if any(key.regex for key in entry.keys):
            yield self.finding(entry, "use_regex is on and a key has slashes: programs read it in two ways.")
        elif _has_filter(entry):
            message = "use_regex is on: programs that honour it pass over the secondary keys."
            yield self.finding(entry, message, entry.path_of("keysecondary"))
