"""UnoRouter's books and the members of its entries: ranges, budgets that do not count, members that do nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.decorator_lines import ROLES, leading, number_of
from lorebook_tui.lint.findings import Fix, Grade, SetAt, Severity
from lorebook_tui.lint.products import (
    UNOROUTER_FIELDS,
    UNOROUTER_SETTINGS,
    UnoRouterRule,
    is_for_unorouter,
    raw_of,
    unorouter_settings,
)
from lorebook_tui.lint.rule import BookRule, Example, WorldRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.decorator_lines import DecoratorLine
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import BookView, EntryView, World
    from lorebook_tui.model.js import Json

_ENTRY: Final[dict[str, Any]] = {
    "id": 0, "keys": ["mill"], "secondaryKeys": [], "content": "It grinds.", "comment": "", "enabled": True,
    "constant": False, "selective": False, "matchWholeWords": True, "priority": 100, "orderIndex": 0,
    "injectionRole": "system",
}  # fmt: skip
_OVERRULED: Final = {
    "order": "orderIndex",
    "insertorder": "orderIndex",
    "priority": "priority",
    "role": "injectionRole",
}

_V3: Final = json.dumps({
    "spec": "lorebook_v3",
    "data": {"extensions": {}, "entries": [{
        "keys": ["mill"], "content": "@@depth 4\n@@role system\nIt grinds.", "enabled": True, "insertion_order": 1,
        "use_regex": False, "extensions": {},
    }]},
})  # fmt: skip


def book_text(*entries: dict[str, Any], **settings: Any) -> str:
    """A book of UnoRouter."""
    listed = [{**_ENTRY, "id": number, **fields} for number, fields in enumerate(entries or ({},))]
    return json.dumps({"name": "lore", "scanDepth": 4, "tokenBudget": 1500, **settings, "entries": listed}, indent=2)


def _is_whole(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and float(value).is_integer()


class SettingOutOfRange(BookRule):
    """A scan depth or token budget of a book that UnoRouter does not take.

    Why: The scan depth of a book is a whole number from 0 to 100, its token budget one from 100 to 32000.
    Example: a token budget of 50.
    Do: set a number in the range.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO008"
    name = "setting-out-of-range"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text(scanDepth=100, tokenBudget=100)),
        Example(source=book_text(scanDepth=0, tokenBudget=32000)),
        Example(source=json.dumps({"name": "x", "scan_depth": 900, "entries": [{"keys": ["x"], "content": "y"}]})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text(tokenBudget=50), fixed_source=book_text(tokenBudget=100)),
        Example(source=book_text(scanDepth="4", tokenBudget=40000), findings=2, fixed_source=book_text(
            scanDepth="4", tokenBudget=32000)),
    )  # fmt: skip

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Both settings."""
        del context
        settings = unorouter_settings(book)
        for name, (least, most) in UNOROUTER_SETTINGS.items():
            if name not in settings:
                continue
            value = settings[name]
            if _is_whole(value) and least <= value <= most:
                continue
            fix = None
            if _is_whole(value):
                better = min(max(int(value), least), most)
                fix = Fix(f"set {name} to {better}", (SetAt((*book.path, name), better),), Grade.OFFERED)
            message = f"{name} is {json.dumps(value)[:40]}; UnoRouter takes whole numbers from {least} to {most}."
            yield self.finding(book, message, (*book.path, name), fix=fix)


class OverruledBudget(WorldRule):
    """A book whose token budget does not count, because another attached one has a higher budget.

    Why: All books that are attached to a chat share one budget in UnoRouter; where they differ, the highest counts.
    Example: one book with a budget of 500 beside one with 4000.
    Do: nothing, if that is meant; else lower the other one.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO009"
    name = "overruled-budget"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text(tokenBudget=500)),
        Example(source=book_text(tokenBudget=500), more_files={"other.json": book_text(tokenBudget=500)}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text(tokenBudget=500), more_files={"other.json": book_text(tokenBudget=4000)}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Each lower budget beside the highest."""
        del context
        budgets = [(book, unorouter_settings(book).get("tokenBudget")) for book in world.books]
        listed = [(book, int(value)) for book, value in budgets if value is not None and _is_whole(value)]
        highest = max(listed, key=lambda item: item[1], default=None)
        if highest is None:
            return
        for book, value in listed:
            if value < highest[1]:
                message = (
                    f"Its budget of {value:,} tokens does not count beside {quote(highest[0].book.name)}, "
                    f"whose {highest[1]:,} hold for all books together."
                )
                yield self.finding(book, message, (*book.path, "tokenBudget"))


class NothingScanned(BookRule):
    """A book that scans no message although it has keys.

    Why: The scan depth is the number of messages in which UnoRouter looks for keys; with 0 only constant entries come
    in, unless an entry sets a depth of its own.
    Example: a scan depth of 0 and entries with keys.
    Do: set a scan depth, or make the entries constant.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO010"
    name = "nothing-scanned"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"constant": True}, scanDepth=0)),
        Example(source=book_text({"content": "@@scan_depth 4\nIt grinds."}, scanDepth=0)),
        Example(source=book_text({"enabled": False}, scanDepth=0)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (Example(source=book_text({}, {}, scanDepth=0)),)

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """One finding for the book."""
        del context
        if unorouter_settings(book).get("scanDepth") != 0:
            return
        deaf = [entry for entry in book.entries if self._is_deaf(entry)]
        if deaf:
            count = "1 entry waits" if len(deaf) == 1 else f"{len(deaf)} entries wait"
            message = f"The scan depth is 0: {count} for keys in no message at all."
            yield self.finding(book, message, (*book.path, "scanDepth"), others=deaf[:9])

    def _is_deaf(self, entry: EntryView) -> bool:
        if not entry.is_enabled or entry.is_on("constant") or not entry.keys:
            return False
        return not any(line.name in {"scan_depth", "activate"} for line in leading(entry.entry.content))


class SelectiveWithoutSecond(UnoRouterRule):
    """The selective mode without secondary keys, or secondary keys without it.

    Why: In the selective mode UnoRouter asks for a primary and a secondary key; without secondary keys it asks for
    nothing more, and with the mode off it does not look at them.
    Example: `selective` true and an empty list of secondary keys.
    Do: add the secondary keys, or turn the mode off.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO011"
    name = "selective-without-second"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"selective": True, "secondaryKeys": ["wheel"]})),
        Example(source=book_text({"selective": True, "constant": True})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"selective": True}), fixed_source=book_text({"selective": False})),
        Example(
            source=book_text({"secondaryKeys": ["wheel"]}),
            fixed_source=book_text({"secondaryKeys": ["wheel"], "selective": True}),
        ),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Members of UnoRouter's own entries; those of others have rules of their own."""
        del lines, context
        raw = raw_of(entry)
        if not any(name in raw for name in UNOROUTER_FIELDS) or raw.get("constant") is True:
            return
        second = raw.get("secondaryKeys")
        has_second = isinstance(second, list) and any(isinstance(key, str) and key.strip() for key in second)
        is_selective = raw.get("selective") is True
        if is_selective is has_second:
            return
        told = "turn the selective mode off" if is_selective else "turn the selective mode on"
        path = (*entry.entry.path, "selective")
        fix = Fix(told, (SetAt(path, not is_selective),), Grade.OFFERED, alters_activation=True)
        message = (
            "It is selective, but has no secondary keys: a primary key alone brings it in."
            if is_selective
            else "It has secondary keys, but is not selective: nobody looks at them."
        )
        yield self.finding(entry, message, path, fix=fix)


class RoleOfMessage(UnoRouterRule):
    """A role that no message can have.

    Why: Every entry becomes a message of its own with the role that was chosen: system, user or assistant.
    Example: `injectionRole` `System`.
    Do: choose one of the three.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO012"
    name = "unknown-injection-role"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"injectionRole": "assistant"})),
        Example(({"key": ["mill"], "content": "x", "role": 7},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"injectionRole": "System"}), fixed_source=book_text({"injectionRole": "system"})),
        Example(source=book_text({"injectionRole": "narrator"})),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """The member; the decorator is looked at elsewhere."""
        del lines, context
        raw = raw_of(entry)
        role = raw.get("injectionRole", "system")
        if role in ROLES:
            return
        path = (*entry.entry.path, "injectionRole")
        plain = role.strip().lower() if isinstance(role, str) else ""
        fix = Fix(f"write {plain}", (SetAt(path, plain),), Grade.OFFERED) if plain in ROLES else None
        message = f"Its role is {json.dumps(role)[:40]}; a message is system, user or assistant."
        yield self.finding(entry, message, path, fix=fix)


class OverruledMember(UnoRouterRule):
    """A member that a decorator overrules with something else.

    Why: `@@order`, `@@priority` and `@@role` take the place of the order, priority and role that the entry has; the
    editor goes on showing the ones that do not count.
    Example: a priority of 90 and `@@priority 5`.
    Do: say it once.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO013"
    name = "overruled-member"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"content": "@@priority 100\n@@role system\nIt grinds."})),
        Example(source=book_text({"content": "@@order 5\n@@priority 7\nIt grinds.", "orderIndex": 0})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source=book_text(
                {
                    "content": "@@priority 5\n@@role user\nIt grinds.",
                    "priority": 90,
                    "injectionRole": "assistant",
                }
            ),
            findings=2,
        ),
    )
    _USUAL: ClassVar[dict[str, Json]] = {"orderIndex": 0, "priority": 100, "injectionRole": "system"}
    """What a new entry has: nobody chose it."""

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Each decorator beside a member of its kind."""
        del context
        raw = raw_of(entry)
        for line in lines:
            member = _OVERRULED.get(line.name)
            if member is None or member not in raw or raw[member] == self._USUAL.get(member, ...):
                continue
            value = raw[member]
            said = line.argument.lower() if line.name == "role" else number_of(line.argument)
            if said is not None and said != value:
                unused = f"its {member}, {json.dumps(value)[:40]}, which does not count"
                message = f"{quote(line.text)} takes the place of {unused}."
                yield self.finding(entry, message, (*entry.entry.path, member))


class ConstantWithKeys(UnoRouterRule):
    """A constant entry with a scan depth or keys of its own.

    Why: Constant entries pass over the comparison and are always injected: keys, secondary keys and `@@scan_depth` are
    not looked at.
    Example: `constant` true and `@@scan_depth 8`.
    Do: remove what is not looked at, or make the entry keyed.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO014"
    name = "constant-that-scans"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"constant": True, "keys": [], "content": "@@order 3\nIt grinds."})),
        Example(source=book_text({"content": "@@scan_depth 8\nIt grinds."})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=book_text({"constant": True, "keys": [], "content": "@@scan_depth 8\nIt grinds."})),
        Example(source=book_text({"constant": True})),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """One finding for all of it."""
        del context
        if not entry.is_on("constant"):
            return
        idle = ["keys"] if any(not key.is_blank for key in entry.keys) and "orderIndex" in raw_of(entry) else []
        idle += ["scan depth"] if any(line.name == "scan_depth" for line in lines) else []
        if idle:
            yield self.finding(entry, f"It is constant: nobody looks at its {' and its '.join(idle)}.")


class PlaceOfItsOwn(UnoRouterRule):
    """A place of its own, which UnoRouter's entries do not have.

    Why: All active entries go to the one lorebook slot of the prompt template, each as a message of its own; there is
    no place for a single entry. `@@depth` and `@@position` are taken away without any effect.
    Example: `@@depth 4` beside `@@order 10`.
    Do: move the slot in the template, or sort the entries by their order.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO015"
    name = "place-of-its-own"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@depth 4\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@depth 4\n@@role system\n@@scan_depth 3\nIt grinds."},)),
        Example(source=book_text({"content": "@@order 4\nIt grinds."})),
        Example(source=_V3),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@order 3\n@@depth 4\nIt grinds."},)),
        Example(source=book_text({"content": "@@position after_desc\nIt grinds."})),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Decorators of the V3 specification that ask for a place."""
        del context
        for line in lines if is_for_unorouter(entry, lines) else ():
            if line.name in {"depth", "position", "reverse_depth", "instruct_depth", "reverse_instruct_depth"}:
                message = (
                    f"{quote(line.text)} asks for a place of its own; in UnoRouter all entries share the lorebook slot."
                )
                yield self.finding(entry, message, entry.path_of("content"))
