"""Yumina's keywords and conditions: switches that do nothing for a script, patterns, comparisons that never hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint import condition_logic as logic
from lorebook_tui.lint.findings import Fix, Grade, SetAt, Severity
from lorebook_tui.lint.keyfacts import key_fact
from lorebook_tui.lint.products import YuminaRule, yumina_of
from lorebook_tui.lint.rule import BookRule, Example
from lorebook_tui.lint.rules.yum_places import HISTORY, inside, yumina_text
from lorebook_tui.lint.scripts import WITHOUT_SPACES, letters, scripts_of
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.products import YuminaEntry
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import BookView
    from lorebook_tui.model.js import Json

_SHORT: Final = 3
_SETTINGS: Final[Mapping[str, tuple[float, float | None]]] = {
    "lorebookScanDepth": (1, None),
    "lorebookRecursionDepth": (0, 10),
    "lorebookBudgetPercent": (0, 100),
    "lorebookBudgetCap": (0, None),
}


def _hp(operator: str, value: Json, variable: str = "hp") -> dict[str, Json]:
    return {"variableId": variable, "operator": operator, "value": value}


class FuzzyWithoutLatin(YuminaRule):
    """Fuzzy matching for keywords in which it does nothing.

    Why: Yumina forgives typing errors in keywords of Latin letters only; keywords in Chinese, Japanese or Korean are
    looked for exactly as they stand, and patterns too.
    Example: `useFuzzyMatch` true and the keyword `森林`.
    Do: add the spellings that are meant, and turn the switch off.
    Source: Yumina's document on entries.
    """

    code = "YUM009"
    name = "fuzzy-without-latin"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"useFuzzyMatch": True, "keywords": ["forest"]})),
        Example(source=yumina_text({"useFuzzyMatch": False, "keywords": ["森林"]})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"keywords": ["森林", "树林"], "useFuzzyMatch": True}),
                fixed_source=yumina_text({"keywords": ["森林", "树林"], "useFuzzyMatch": False})),
        Example(({"key": ["/forest/i"], "content": "y", "position": 4, **inside(useFuzzyMatch=True)},),
                fixed=({"extensions": {"yumina": {"section": "chat-history", "useFuzzyMatch": False}}},)),
        Example(source=yumina_text({"keywords": ["森林", "forest"], "useFuzzyMatch": True})),
    )  # fmt: skip

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """All keywords, or some."""
        if entry.get("useFuzzyMatch") is not True:
            return
        idle = [key for key in entry.keywords if key.strip() and not _is_fuzzy(key)]
        if not idle:
            return
        names = ", ".join(map(quote, idle[:4]))
        if len(idle) == len([key for key in entry.keywords if key.strip()]):
            fix = Fix("turn fuzzy matching off", (SetAt(entry.path("useFuzzyMatch"), False),), Grade.OFFERED)
            message = f"Fuzzy matching does nothing here: {names} is looked for exactly as it stands."
            yield self.finding(entry.view, message, entry.path("useFuzzyMatch"), fix=fix)
        else:
            message = f"Fuzzy matching does nothing for {names}."
            yield self.finding(entry.view, message, entry.path("useFuzzyMatch"), severity=Severity.INFO)


def _is_fuzzy(key: str) -> bool:
    return key_fact(key, 0).regex is None and scripts_of(key) == {"LATIN"}


class FuzzyShortKey(YuminaRule):
    """Fuzzy matching for a very short keyword.

    Why: In a keyword of up to five letters Yumina forgives one; of two letters any word of two, and many of three, will
    do when one of them fits.
    Example: `useFuzzyMatch` true and the keyword `el`.
    Do: turn the switch off, or use longer keywords.
    Source: Yumina's document on entries.
    """

    code = "YUM010"
    name = "fuzzy-short-key"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"useFuzzyMatch": True, "keywords": ["elf"]})),
        Example(source=yumina_text({"useFuzzyMatch": False, "keywords": ["el"]})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"useFuzzyMatch": True, "keywords": ["el", "forest"]})),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """All of them in one finding."""
        if entry.get("useFuzzyMatch") is not True:
            return
        short = [key for key in entry.keywords if _is_fuzzy(key) and letters(key) < _SHORT]
        if short:
            message = f"{', '.join(map(quote, short[:4]))} with one letter forgiven is found in many words."
            yield self.finding(entry.view, message, entry.path("useFuzzyMatch"))


class WholeWordsWithoutSpaces(YuminaRule):
    """Whole words for keywords of a script that parts no words.

    Why: The switch asks for the edge of a word beside the keyword; Chinese and Japanese write no such edges, so that
    the keyword may not be found at all, and the switch never helps.
    Example: `matchWholeWords` true and the keyword `树林`.
    Do: turn the switch off.
    Source: Yumina's document on entries.
    """

    code = "YUM011"
    name = "whole-words-without-spaces"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"matchWholeWords": True})),
        Example(source=yumina_text({"matchWholeWords": False, "keywords": ["树林"]})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"matchWholeWords": True, "keywords": ["树林"]}),
                fixed_source=yumina_text({"matchWholeWords": False, "keywords": ["树林"]})),
    )  # fmt: skip

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Yumina's own member; SillyTavern's has a rule of its own."""
        if not entry.is_native or entry.get("matchWholeWords") is not True:
            return
        found = [key for key in entry.keywords if scripts_of(key) & WITHOUT_SPACES]
        if found:
            change = SetAt(entry.path("matchWholeWords"), False)
            fix = Fix("turn whole words off", (change,), Grade.OFFERED, alters_activation=True)
            message = f"Whole words do not fit {', '.join(map(quote, found[:4]))}: its script parts no words."
            yield self.finding(entry.view, message, entry.path("matchWholeWords"), fix=fix)


class BrokenPattern(YuminaRule):
    """A keyword between slashes that is no valid pattern.

    Why: Yumina runs a keyword of the form `/pattern/flags` as a regular expression; one that is broken finds nothing of
    what was meant.
    Example: the keyword `/dark(/i`.
    Do: mend the pattern, or write the words without slashes.
    Source: Yumina's document on entries.
    """

    code = "YUM012"
    name = "broken-keyword-pattern"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"keywords": [r"/dark\s*forest/i", "and/or"]})),
        Example(({"key": ["/dark(/i"], "content": "y", "position": 4, **inside()},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"keywords": ["/dark(/i"], "secondaryKeywords": ["/[/"]}), findings=2),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Yumina's own lists; SillyTavern's keys have rules of their own."""
        if not entry.is_native:
            return
        for name, keys in (("keywords", entry.keywords), ("secondaryKeywords", entry.secondary)):
            for place, key in enumerate(keys):
                fact = key_fact(key, place)
                if fact.fault:
                    message = f"{quote(key)} looks like a pattern, but is none: {fact.fault.rstrip('.')}."
                    yield self.finding(entry.view, message, entry.path(name))


class NeverTriggered(YuminaRule):
    """An entry of the chat history that nothing can bring in.

    Why: What stands in the chat history comes in by a keyword, by its conditions, or because it is always sent; this
    one has none of them.
    Example: no keywords, no conditions, `alwaysSend` false.
    Do: give it a keyword, or send it always.
    Source: Yumina's document on entries.
    """

    code = "YUM013"
    name = "never-triggered"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"keywords": [], "alwaysSend": True})),
        Example(source=yumina_text({"keywords": [], "conditions": [_hp("lt", 20)]})),
        Example(source=yumina_text({"keywords": [], "enabled": False})),
        Example(source=yumina_text({"keywords": [], "section": "system-presets"})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"keywords": []})),
        Example(source=yumina_text({"keywords": [" "], "secondaryKeywords": ["elf"]})),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Entries of Yumina's own files; keys of others have a rule of their own."""
        if not entry.is_native or entry.section != HISTORY or entry.is_greeting or entry.get("enabled") is False:
            return
        if not entry.is_always_sent and not entry.conditions and not any(key.strip() for key in entry.keywords):
            message = "It has no keyword and no condition, and is not sent always: nothing brings it in."
            yield self.finding(entry.view, message, entry.path("keywords"))


class BrokenCondition(YuminaRule):
    """A condition that cannot be read: no variable, an unknown operator, a value of the wrong kind.

    Why: A condition compares a variable with a value by eq, neq, gt, gte, lt, lte or contains. Sizes are compared of
    numbers only, and contains looks into texts; anything else does not hold.
    Example: `hp` `lt` `"20"`, with the number as a text.
    Do: mend the condition.
    Source: Yumina's document on entries.
    """

    code = "YUM014"
    name = "broken-condition"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"conditions": [_hp("lt", 20), _hp("contains", "wet", "state")]})),
        Example(({"key": ["x"], "content": "y", "position": 4, **inside(conditions=[_hp("eq", "20")])},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"conditions": [_hp("lt", "20"), _hp("<", 20), _hp("eq", 1, "")]}), findings=3),
        Example(({"key": ["x"], "content": "y", "position": 4, **inside(conditions=[_hp("contains", 5)])},)),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Each condition by itself."""
        for place, condition in enumerate(entry.conditions):
            fault = logic.fault_of(condition)
            if fault:
                message = f"Condition {place + 1} {fault}: it never holds."
                yield self.finding(entry.view, message, entry.path("conditions", place))


class ContradictingConditions(YuminaRule):
    """Conditions that can never hold together, or of which one always does.

    Why: With the logic "all" every condition has to hold, so two that exclude each other keep the entry out for ever;
    with "any" one is enough, so two that cover everything let it in always.
    Example: `hp` below 20 and `hp` above 50, all of them.
    Do: mend one of them, or choose the other logic.
    Source: Yumina's document on entries.
    """

    code = "YUM015"
    name = "contradicting-conditions"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"conditions": [_hp("gt", 20), _hp("lt", 50)]})),
        Example(source=yumina_text({"conditions": [_hp("lt", 20), _hp("gt", 50)], "conditionLogic": "any"})),
        Example(source=yumina_text({"conditions": [_hp("gte", 20), _hp("lte", 20), _hp("lt", 9, "mana")]})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"conditions": [_hp("lt", 20), _hp("gt", 50)]})),
        Example(source=yumina_text({"conditions": [_hp("eq", 1), _hp("neq", 1)]})),
        Example(source=yumina_text({"conditions": [_hp("eq", "a"), _hp("gt", 1)]})),
        Example(source=yumina_text({"conditions": [_hp("lt", 20), _hp("gte", 20)], "conditionLogic": "any"})),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """The first pair of an entry."""
        listed = logic.readable(entry.conditions)
        if entry.get("conditionLogic") == "any":
            pair = logic.always(listed)
            if pair is not None:
                message = f"{quote(pair[0].told)} or {quote(pair[1].told)} always holds: the conditions filter nothing."
                yield self.finding(entry.view, message, entry.path("conditions"), severity=Severity.WARNING)
            return
        pair = logic.contradiction(listed)
        if pair is not None:
            message = f"{quote(pair[0].told)} and {quote(pair[1].told)} never hold together: it never comes in."
            yield self.finding(entry.view, message, entry.path("conditions"))


class UnknownVariable(BookRule):
    """A condition on a variable that the world does not have.

    Why: A condition on a variable that does not exist never holds, whatever its operator.
    Example: `hP` in a condition, `hp` among the variables.
    Do: write the id of the variable as the world has it.
    Source: Yumina's document on entries.
    """

    code = "YUM016"
    name = "unknown-variable"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"conditions": [_hp("lt", 20)]}, variables=[{"id": "hp", "name": "HP"}])),
        Example(source=yumina_text({"conditions": [_hp("lt", 20)]})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"conditions": [_hp("lt", 20, "hP")]}, variables=[{"id": "hp"}])),
        Example(source=yumina_text({"conditions": [_hp("eq", 1, "mana")]}, variables={"hp": {"default": 1}})),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Only where the file lists its variables."""
        del context
        known = _variables(book.book.extras.get("variables"))
        if known is None:
            return
        for view in book.entries:
            entry = yumina_of(view)
            for place, condition in enumerate(entry.conditions if entry else ()):
                name = condition.get("variableId")
                if entry is not None and isinstance(name, str) and name and name not in known:
                    meant = next((each for each in known if each.lower() == name.lower()), "")
                    hint = f" Was {quote(meant)} meant?" if meant else ""
                    message = f"The world has no variable {quote(name)}: the condition never holds.{hint}"
                    yield self.finding(view, message, entry.path("conditions", place))


def _variables(value: Any) -> set[str] | None:
    """Ids of the variables of a world; None if it lists none."""
    if isinstance(value, dict):
        return set(value)
    if not isinstance(value, list):
        return None
    return {str(each["id"]) for each in value if isinstance(each, dict) and "id" in each}


class WorldSetting(BookRule):
    """A setting of the world that Yumina does not take.

    Why: The recursion goes from 0 to 10 steps, the budget is a percentage and a cap from 0, which means none; a scan
    depth of 0 would leave nothing to look at.
    Example: a recursion depth of 20.
    Do: set a number in the range.
    Source: Yumina's document on entries.
    """

    code = "YUM017"
    name = "world-setting-out-of-range"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text(settings={"lorebookScanDepth": 2, "lorebookRecursionDepth": 10})),
        Example(source=yumina_text(lorebookBudgetPercent=100, lorebookBudgetCap=0)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text(settings={"lorebookRecursionDepth": 20, "lorebookScanDepth": 0}), findings=2,
                fixed_source=yumina_text(settings={"lorebookRecursionDepth": 10, "lorebookScanDepth": 1})),
        Example(source=yumina_text(lorebookBudgetPercent="half")),
    )  # fmt: skip

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """At the top of the file, or among its settings."""
        del context
        extras = book.book.extras
        inner = extras.get("settings")
        for home, values in (((), extras), (("settings",), inner if isinstance(inner, dict) else {})):
            for name, (least, most) in _SETTINGS.items():
                value = values.get(name, MISSING)
                if value is MISSING or (logic.is_number(value) and least <= value <= (most or value)):
                    continue
                path = (*book.path, *home, name)
                fix = None
                if logic.is_number(value):
                    better = least if value < least else most
                    fix = Fix(f"set {name} to {better}", (SetAt(path, better),), Grade.OFFERED)
                upto = f" to {most:g}" if most is not None else ""
                message = f"{name} is {json.dumps(value)[:40]}; Yumina takes numbers from {least:g}{upto}."
                yield self.finding(book, message, path, fix=fix)
