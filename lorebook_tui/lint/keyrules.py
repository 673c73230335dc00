"""Rules that look at the keys of an entry one by one, primary and secondary alike."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.lint.findings import Fix, Grade, SetField
from lorebook_tui.lint.naming import without_length
from lorebook_tui.lint.rule import EntryRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Finding, Severity
    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.js import Json


@dataclass(frozen=True, slots=True)
class KeyFault:
    """What is wrong with one key, and what should stand there instead."""

    message: str
    told: str = ""
    """What the repair does, as an order; "": nothing repairs it."""
    instead: tuple[str, ...] = ()
    """The keys that take its place."""
    alters_activation: bool = True
    severity: Severity | None = None
    """If it differs from the rule's."""


class KeyRule(EntryRule):
    """Finds faults of single keys; all repairs of an entry's list are one change of that list."""

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The faults of the primary keys, then of the secondary ones."""
        for name, facts in (("key", entry.keys), ("keysecondary", entry.secondary)):
            if not facts:
                continue
            faults = [(fact, fault) for fact in facts if (fault := self.fault(fact, name, entry, context)) is not None]
            if not faults:
                continue
            repairs = {fact.place: fault for fact, fault in faults if fault.told}
            for fact, fault in faults:
                fix = self._fix(entry, name, fault, repairs) if fault.told else None
                path = entry.path_of(name, fact.place)
                message = without_length(fault.message, fact.text, fact.trimmed)
                yield self.finding(entry, message, path, fix=fix, severity=fault.severity)

    def _fix(self, entry: EntryView, name: str, fault: KeyFault, repairs: dict[int, KeyFault]) -> Fix:
        """One change of the whole list, whichever of its keys is asked about."""
        keys: list[Json] = []
        for place, key in enumerate(entry.get(name)):
            keys += repairs[place].instead if place in repairs else (key,)
        alters = any(each.alters_activation for each in repairs.values())
        grade = self.grade if self.grade is not Grade.NONE else Grade.OFFERED
        return Fix(fault.told, (SetField(entry.entry.path, name, keys),), grade, alters)

    @abstractmethod
    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """What is wrong with a key; None for nothing.

        Args:
            key: a text of the list.
            name: `key` or `keysecondary`.
            entry: whose key it is.
            context: settings and options.
        """


def effective(entry: EntryView, name: str, setting: bool) -> bool:
    """A switch of an entry, or the global setting where the entry leaves it open."""
    value = entry.get(name, None)
    return value if isinstance(value, bool) else setting
