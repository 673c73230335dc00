"""What a book loses in another program, or in an older SillyTavern."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, Example, Option
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name
from lorebook_tui.model.js import MISSING, text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.field_types import Field

TARGETS: Final = {
    "v2": "programs that read V2 cards",
    "v3": "programs that read V3 cards",
    "chub": "Chub",
    "risu": "RisuAI",
    "agnai": "Agnai",
    "novelai": "NovelAI",
    "kobold": "KoboldAI Lite",
    "wyvern": "Wyvern",
    "unorouter": "UnoRouter",
    "yumina": "Yumina",
}
_TABLE: Final = {"v3": "v2", "chub": "v2"}
_NO_PATTERNS: Final = frozenset({"v2", "agnai", "kobold", "wyvern"})
_BESIDE_THE_POINT: Final = frozenset({"uid", "extensions", "addMemo", "groupWeight", "useProbability", "depth", "role"})
"""Fields that say nothing without another one that is reported."""
_OUTLET: Final = 7


def _asks(entry: EntryView, row: Field) -> bool:
    """Whether an entry wants something of a field that is not what everybody does."""
    value = entry.get(row.name)
    if value is MISSING or value is None or value == row.default or not truthy(value):
        return False
    if row.name == "characterFilter":
        return isinstance(value, dict) and bool(value.get("names") or value.get("tags"))
    if row.name == "position":
        return value not in (0, 1)
    if row.name == "keysecondary":
        return bool(value) and entry.is_on("selective")
    if row.name in {"selectiveLogic", "selective"}:
        return bool(entry.secondary) and row.name == "selectiveLogic"
    return True


def _lacks(target: str, row: Field) -> bool:
    place = json_name(row, _TABLE.get(target, target))
    return place is None or (_TABLE.get(target, target) == "v2" and place.startswith("extensions."))


class LostElsewhere(BookRule):
    """Features that the program chosen as target does not have.

    Why: other programs pass over what they do not know, so groups, timed effects, outlets, roles, triggers or patterns
    do nothing there, and the book plays otherwise.
    Example: sticky entries in a book for RisuAI.
    Do: name the target in the option, and do without these features, or say in the book's description what it needs.
    Source: the V2 card specification, the V3 card specification, the formats of the products.
    """

    code = "PORT001"
    name = "lost-elsewhere"
    severity = Severity.INFO
    options = (Option("target", "", f"the program: {', '.join(TARGETS)}; nothing is said without one"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "sticky": 3, "group": "g"},)),
        Example(({"key": ["a"], "order": 7, "constant": True},), options={"target": "risu"}),
        Example(({"key": ["a"], "group": "", "groupWeight": 50},), options={"target": "v2"}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "sticky": 3}, {"key": ["b"], "position": 7}), options={"target": "v2"}),
        Example(({"key": ["/a+/i"]},), options={"target": "agnai"}),
        Example(({"key": ["a"], "group": "g"},), options={"target": "risu"}),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """One finding for the book, the fields with how many entries use them."""
        target = str(context.options["target"]).strip().lower()
        if target not in TARGETS:
            return
        rows = [
            row for row in ENTRY_FIELDS if row.engines and row.name not in _BESIDE_THE_POINT and _lacks(target, row)
        ]
        found: dict[str, list[EntryView]] = {}
        for entry in book.entries:
            for row in rows:
                if _asks(entry, row):
                    found.setdefault(row.name, []).append(entry)
            if target in _NO_PATTERNS and any(fact.regex for fact in (*entry.keys, *entry.secondary)):
                found.setdefault("patterns as keys", []).append(entry)
        if found:
            listed = ", ".join(f"{name} ({len(entries)})" for name, entries in found.items())
            others = list({id(entry): entry for entries in found.values() for entry in entries}.values())
            message = f"{TARGETS[target]} will not act on this: {listed}."
            yield self.finding(book, message[:1].upper() + message[1:], others=others)


class ImportTraps(EntryRule):
    """Values that another program's import or export is known to turn into something else.

    Why: SillyTavern 1.19 has one number for budget and place, Agnai and the card specification have two: `priority` is
    dropped. From RisuAI, an activation of 0 % arrives as a roll that is switched off, so that the entry always fires.
    Example: an entry of a card with `"priority": 10` and `"insertion_order": 500`.
    Do: decide which number is meant, and write it as the order; disable what should never fire.
    Source: SillyTavern 1.19, the V2 card specification.
    """

    code = "PORT003"
    name = "import-trap"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "order": 50, "priority": 50},)),
        Example(({"key": ["a"], "useProbability": False, "probability": 100},)),
        Example(
            source='{"entries": [{"keys": ["a"], "content": "x", "enabled": 1, "insertion_order": 5, "priority": 5}]}'
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"entries": [{"keys": ["a"], "content": "x", "enabled": 1, "insertion_order": 5, "priority": 9}]}'
        ),
        Example(({"key": ["a"], "useProbability": 0},)),
        Example(({"key": ["a"], "order": 50, "extensions": {"weight": 7}},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Second numbers, and rolls that are a number."""
        del context
        source = entry.entry.source
        order = entry.get("order")
        extensions = entry.get("extensions", {})
        second = {"priority": (source or entry.entry.fields).get("priority", MISSING)}
        if isinstance(extensions, dict) and "weight" in extensions:
            second["weight"] = extensions["weight"]
        for name, value in second.items():
            if value is MISSING or value is None or order is MISSING or to_number(value) == to_number(order):
                continue
            message = (
                f"Its {name} is {text_of(value)} and its order {text_of(order)}: SillyTavern knows the order alone, "
                "Agnai and others take both."
            )
            steps = ("priority",) if name == "priority" else ("extensions", "weight")
            yield self.finding(entry, message, (*entry.entry.path, *steps))
        roll = entry.get("useProbability")
        if isinstance(roll, (int, float)) and not isinstance(roll, bool) and roll == 0:
            message = "Its roll is the number 0, as an import from RisuAI leaves it: there it never fired, here always."
            yield self.finding(entry, message, entry.path_of("useProbability"))


class NeedsNewer(BookRule):
    """Features that an older SillyTavern does not have.

    Why: a SillyTavern from before passes over the field without a word: levels of recursion came in September 2024,
    entries that ignore the budget in August 2025, outlets in September 2025.
    Example: an entry with the position outlet.
    Do: say in the book's description which SillyTavern it needs.
    Source: SillyTavern 1.19.
    """

    code = "PORT004"
    name = "needs-newer-host"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "delayUntilRecursion": True, "ignoreBudget": False, "outletName": "x"},)),
        Example(({"key": ["a"], "position": 4, "delayUntilRecursion": 1},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "ignoreBudget": True}, {"key": ["b"], "ignoreBudget": True})),
        Example(
            ({"key": ["a"], "position": 7, "outletName": "x"}, {"key": ["b"], "delayUntilRecursion": 2}), findings=2
        ),
    )
    _FEATURES: ClassVar[tuple[tuple[str, str, str], ...]] = (
        ("uses levels of recursion", "use levels of recursion", "September 2024"),
        ("ignores the budget", "ignore the budget", "August 2025"),
        ("goes into an outlet", "go into outlets", "September 2025"),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """One finding for each feature."""
        del context
        using: tuple[list[EntryView], ...] = ([], [], [])
        for entry in book.entries:
            fields = entry.entry.fields
            if _level(fields.get("delayUntilRecursion")) > 1:
                using[0].append(entry)
            if truthy(fields.get("ignoreBudget")):
                using[1].append(entry)
            if fields.get("position") == _OUTLET:
                using[2].append(entry)
        for (one, many, since), users in zip(self._FEATURES, using, strict=True):
            if users:
                count = f"1 entry {one}" if len(users) == 1 else f"{len(users)} entries {many}"
                message = f"{count}: a SillyTavern from before {since} passes over that."
                yield self.finding(book, message, users[0].entry.path, others=users)


def _level(value: object) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else 0
