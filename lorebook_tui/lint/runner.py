"""Runs the rules over what is open; what an edit did not touch is not looked at again."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.lint.catalogue import all_rules
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Finding, Need, Severity
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, FileRule, GroupRule, ShelfRule, WorldRule
from lorebook_tui.lint.shelf import shelf_of
from lorebook_tui.lint.suppress import is_suppressed
from lorebook_tui.tokens.estimate import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Sequence

    from lorebook_tui.lint.rule import Rule
    from lorebook_tui.lint.subjects import BookView, EntryView, World
    from lorebook_tui.model.settings import ScanSettings


@dataclass(frozen=True)
class Skipped:
    """Rules that could not run, and why."""

    need: Need
    codes: tuple[str, ...]


@dataclass(frozen=True)
class Report:
    """What the rules said."""

    findings: tuple[Finding, ...] = ()
    """By file, then by place."""
    skipped: tuple[Skipped, ...] = ()
    suppressed: int = 0
    """Findings that their author or the configuration lets pass."""
    known: int = 0
    """Findings that the baseline has."""
    counts: dict[str, int] = field(default_factory=dict)
    """By code."""

    @property
    def worst(self) -> Severity | None:
        """The worst severity there is."""
        return min((finding.severity for finding in self.findings), key=lambda each: each.rank, default=None)


class Linter:
    """Rules ready to run.

    Args:
        config: which of them, and how.
        count: counts the tokens of a text; an estimate if none is given.
        rules: all of the catalogue if none are given.
    """

    def __init__(
        self,
        config: LintConfig | None = None,
        count: Callable[[str], int] | None = None,
        rules: Sequence[Rule] | None = None,
    ) -> None:
        self.config = config or LintConfig()
        self.count = count or EstimateCounter().count
        listed = all_rules() if rules is None else rules
        self.rules = tuple(rule for rule in listed if self.config.runs(rule))
        self._settings: ScanSettings | None = None
        self._entries: dict[str, dict[int, tuple[Any, tuple[Finding, ...]]]] = defaultdict(dict)
        self._groups: dict[tuple[str, str, Hashable], tuple[tuple[int, ...], tuple[Any, ...], tuple[Finding, ...]]] = {}

    def check(self, world: World, *, deep: bool = True) -> Report:
        """Everything the rules have to say.

        Args:
            world: what is open. Entries that are the same objects as in an earlier check are not looked at again.
            deep: False leaves out the rules that look at everything together; for answers while somebody types.
        """
        if world.settings != self._settings:
            self._settings = world.settings
            self._entries.clear()
            self._groups.clear()
        found: list[Finding] = []
        skipped: dict[Need, list[str]] = defaultdict(list)
        missing = missing_needs(world)
        for rule in self.rules:
            lacking = sorted(rule.needs & missing, key=lambda need: list(Need).index(need))
            if lacking:
                skipped[lacking[0]].append(rule.code)
            elif deep or not isinstance(rule, (WorldRule, ShelfRule)):
                context = Context(world, self.config.options_of(rule), self.count)
                severity = self.config.severity_of
                found += (
                    replace(each, severity=severity(rule, each.severity)) for each in self._run(rule, world, context)
                )
        order = {id(file): number for number, file in enumerate(world.files)}
        found.sort(key=lambda each: (order.get(id(each.file), 0), each.entry.number if each.entry else -1))
        return self._report(found, skipped)

    def _run(self, rule: Rule, world: World, context: Context) -> Iterator[Finding]:
        if isinstance(rule, FileRule):
            for file in world.files:
                yield from rule.check(file, context)
        elif isinstance(rule, WorldRule):
            yield from rule.check(world, context)
        elif isinstance(rule, ShelfRule):
            yield from rule.check(world.shelf or shelf_of(world.files), context)
        else:
            for file in world.files:
                for book in file.books:
                    yield from self._of_book(rule, book, context)

    def _of_book(self, rule: Rule, book: BookView, context: Context) -> Iterator[Finding]:
        if isinstance(rule, EntryRule):
            kept = self._entries[rule.code]
            for entry in book.entries:
                yield from self._of_entry(rule, entry, context, kept)
        elif isinstance(rule, GroupRule):
            groups: dict[Hashable, list[EntryView]] = defaultdict(list)
            for entry in book.entries:
                for key in rule.keys(entry, context):
                    groups[key].append(entry)
            for key, members in groups.items():
                yield from self._of_group(rule, key, members, context)
        elif isinstance(rule, BookRule):
            yield from rule.check(book, context)

    def _of_entry(
        self,
        rule: EntryRule,
        entry: EntryView,
        context: Context,
        kept: dict[int, tuple[Any, tuple[Finding, ...]]],
    ) -> tuple[Finding, ...]:
        fields = entry.entry.fields
        known = kept.get(id(fields))
        if known is not None and known[0] is fields:
            return tuple(_moved(finding, entry) for finding in known[1])
        made = tuple(rule.check(entry, context))
        kept[id(fields)] = (fields, made)
        return made

    def _of_group(
        self, rule: GroupRule, key: Hashable, members: list[EntryView], context: Context
    ) -> tuple[Finding, ...]:
        fields = tuple(entry.entry.fields for entry in members)
        identities = tuple(id(each) for each in fields)
        place = (rule.code, members[0].file.name, key)
        known = self._groups.get(place)
        if known is not None and known[0] == identities:
            by_old = {id(entry.entry.fields): entry for entry in members}
            return tuple(_moved(finding, by_old.get(_identity(finding)), by_old) for finding in known[2])
        made = tuple(rule.check(key, members, context))
        self._groups[place] = (identities, fields, made)
        return made

    def _report(self, found: list[Finding], skipped: dict[Need, list[str]]) -> Report:
        kept, passed, known = [], 0, 0
        for finding in found:
            if finding.severity is Severity.OFF:
                continue
            if self.config.lets_pass(finding.file.name, finding.code) or is_suppressed(finding):
                passed += 1
            elif finding.fingerprint in self.config.baseline:
                known += 1
            else:
                kept.append(finding)
        told = tuple(Skipped(need, tuple(codes)) for need, codes in skipped.items())
        return Report(tuple(kept), told, passed, known, dict(Counter(finding.code for finding in kept)))


def missing_needs(world: World) -> frozenset[Need]:
    """What was not given."""
    given = {
        Need.SETTINGS: world.settings is not None,
        Need.PROMPT: world.prompt is not None,
        Need.CHATS: bool(world.chats),
        Need.CAST: world.cast is not None,
        Need.LIBRARY: world.library is not None,
    }
    return frozenset(need for need, is_given in given.items() if not is_given)


def _identity(finding: Finding) -> int:
    return id(finding.entry.entry.fields) if finding.entry else 0


def _moved(finding: Finding, entry: EntryView | None, others: dict[int, EntryView] | None = None) -> Finding:
    """A finding from an earlier check, at the place where its entry stands now."""
    if entry is None or finding.entry is entry:
        return finding
    old = finding.entry.entry.path if finding.entry else ()
    path = (*entry.entry.path, *finding.path[len(old) :]) if finding.path[: len(old)] == old else finding.path
    known = others or {}
    listed = tuple(known.get(id(other.entry.fields), other) for other in finding.others)
    fix = finding.fix
    if fix is not None and old != entry.entry.path:
        fix = replace(fix, changes=tuple(_moved_change(change, old, entry.entry.path) for change in fix.changes))
    return replace(finding, entry=entry, file=entry.file, path=path, others=listed, fix=fix)


def _moved_change(change: Any, old: tuple[Any, ...], new: tuple[Any, ...]) -> Any:
    for name in ("entry", "path"):
        path = getattr(change, name, None)
        if path is not None and path[: len(old)] == old:
            return replace(change, **{name: (*new, *path[len(old) :])})
    return change
