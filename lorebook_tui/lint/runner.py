"""Runs the rules over what is open; what an edit did not touch is not looked at again."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.lint.catalogue import all_rules
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Finding, Need, Severity
from lorebook_tui.lint.memory import NOTHING, BookMemory, CheckStopped, Said, total
from lorebook_tui.lint.regex_scripts import are_known
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, FileRule, GroupRule, ShelfRule, WorldRule
from lorebook_tui.lint.shelf import shelf_of
from lorebook_tui.lint.suppress import codes_in, is_suppressed
from lorebook_tui.tokens.estimate import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from lorebook_tui.lint.rule import Rule
    from lorebook_tui.lint.subjects import EntryView, FileView, World


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
        clock: seconds of a steady clock, for rules that time something; they do not without one.
    """

    def __init__(
        self,
        config: LintConfig | None = None,
        count: Callable[[str], int] | None = None,
        rules: Sequence[Rule] | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.config = config or LintConfig()
        self.clock = clock
        self.count = count or EstimateCounter().count
        listed = all_rules() if rules is None else rules
        self.rules = tuple(rule for rule in listed if self.config.runs(rule))
        self._settings: tuple[Any, ...] = ()
        self._around: tuple[Any, ...] = ()
        self._books: dict[tuple[str, int], BookMemory] = {}
        self._of_files: dict[tuple[str, str], tuple[FileView, object, Said]] = {}

    def check(self, world: World, *, deep: bool = True, is_stopped: Callable[[], bool] = lambda: False) -> Report:
        """Everything the rules have to say.

        Args:
            world: what is open. Views that an earlier check has seen are not looked at again where nothing changed.
            deep: False leaves out the rules that look at whole files and books and at everything together; for answers
                while somebody types.
            is_stopped: asked now and then: whether nobody waits for the answer any more.

        Raises:
            CheckStopped: it was stopped; the next check goes on from there.
        """
        missing = missing_needs(world)
        self._forget_what_depends_on(world, missing)
        runnable, skipped = self._ready(missing)
        said = [self._of_file(file, world, runnable, is_stopped, deep=deep) for file in world.files]
        for rule in runnable if deep else ():
            context = Context(world, self.config.options_of(rule), self.count, self.clock)
            if is_stopped():
                raise CheckStopped
            if isinstance(rule, WorldRule):
                said.append(self._said(rule, rule.check(world, context)))
            elif isinstance(rule, EntryRule):
                said.append(self._said(rule, rule.check_together(world, context)))
            elif isinstance(rule, ShelfRule):
                found = rule.check(world.shelf or shelf_of(world.files), context)
                said.append(self._said(rule, (_in_sight(each, world) for each in found)))
        together = total(said)
        order = {id(file): number for number, file in enumerate(world.files)}
        listed = sorted(
            together.findings, key=lambda each: (order.get(id(each.file), 0), each.entry.number if each.entry else -1)
        )
        counts = dict(Counter(finding.code for finding in listed))
        return Report(tuple(listed), skipped, together.passed, together.known, counts)

    def _forget_what_depends_on(self, world: World, missing: frozenset[Need]) -> None:
        """Forget what was said under other settings; of whole books and files also with other things around them."""
        settings = (world.settings, missing)
        around = (
            world.chats, world.cast, world.prompt, world.context, world.library, world.note, world.earlier,
            world.regex_scripts,
        )  # fmt: skip
        if settings != self._settings:
            self._books.clear()
        elif around != self._around:
            for memory in self._books.values():
                memory.forget_whole()
        if (settings, around) != (self._settings, self._around):
            self._of_files.clear()
        self._settings, self._around = settings, around

    def _ready(self, missing: frozenset[Need]) -> tuple[tuple[Rule, ...], tuple[Skipped, ...]]:
        """The rules that can run, and those that cannot."""
        runnable: list[Rule] = []
        skipped: dict[Need, list[str]] = defaultdict(list)
        for rule in self.rules:
            lacking = sorted(rule.needs & missing, key=lambda need: list(Need).index(need))
            if lacking:
                skipped[lacking[0]].append(rule.code)
            else:
                runnable.append(rule)
        return tuple(runnable), tuple(Skipped(need, tuple(codes)) for need, codes in skipped.items())

    def _of_file(
        self, file: FileView, world: World, rules: Sequence[Rule], is_stopped: Callable[[], bool], *, deep: bool
    ) -> Said:
        said: list[Said] = []
        ready = [(rule, Context(world, self.config.options_of(rule), self.count, self.clock)) for rule in rules]
        for rule, context in ready if deep else ():
            if isinstance(rule, FileRule):
                if is_stopped():
                    raise CheckStopped
                known = self._of_files.get((rule.code, file.name))
                if known is None or known[0] is not file or known[1] is not file.loaded:
                    known = (file, file.loaded, self._said(rule, rule.check(file, context)))
                    self._of_files[rule.code, file.name] = known
                said.append(known[2])
        for number, book in enumerate(file.books):
            memory = self._books.get((file.name, number))
            ignored = codes_in(book.book.extras)
            if memory is None or memory.book is not book or memory.ignored != ignored:
                memory = self._books[file.name, number] = BookMemory(book, ignored)
            said += self._of_book(memory, ready, is_stopped, deep=deep)
        return total(said)

    def _of_book(
        self,
        memory: BookMemory,
        ready: Sequence[tuple[Rule, Context]],
        is_stopped: Callable[[], bool],
        *,
        deep: bool,
    ) -> list[Said]:
        book = memory.book
        alone = [(rule, rule.check, context) for rule, context in ready if isinstance(rule, EntryRule)]

        def look(entry: EntryView) -> Said:
            found = [(rule, each) for rule, check, context in alone for each in check(entry, context)]
            return total([self._said(rule, (each,)) for rule, each in found]) if found else NOTHING

        said = list(memory.of_entries(look, is_stopped))
        for rule, context in ready:
            if isinstance(rule, GroupRule):
                said += memory.of_groups(
                    rule.code,
                    lambda entry, rule=rule, context=context: rule.keys(entry, context),  # type: ignore[misc]
                    lambda key, members, rule=rule, context=context: self._said(  # type: ignore[misc]
                        rule, rule.check(key, members, context)
                    ),
                )
            elif isinstance(rule, BookRule) and deep:
                if is_stopped():
                    raise CheckStopped
                said.append(
                    memory.of_book(
                        rule.code,
                        lambda rule=rule, context=context: self._said(rule, rule.check(book, context)),  # type: ignore[misc]
                    )
                )
        return said

    def _said(self, rule: Rule, found: Iterable[Finding]) -> Said:
        """What is left of findings once configuration, baseline and authors have had their say."""
        kept, passed, known = [], 0, 0
        for each in found:
            severity = self.config.severity_of(rule, each.severity)
            finding = each if severity is each.severity else replace(each, severity=severity)
            if severity is Severity.OFF:
                continue
            if self.config.lets_pass(finding.file.name, finding.code) or is_suppressed(finding):
                passed += 1
            elif self.config.knows(finding):
                known += 1
            else:
                kept.append(finding)
        return Said(tuple(kept), passed, known) if kept or passed or known else NOTHING


def _in_sight(finding: Finding, world: World) -> Finding:
    """A finding about a file that was looked at in short, as one about the file itself where that is open."""
    file = next((file for file in world.files if file.name == finding.file.name), finding.file)
    return replace(finding, file=file)


def missing_needs(world: World) -> frozenset[Need]:
    """What was not given."""
    given = {
        Need.SETTINGS: world.settings is not None,
        Need.PROMPT: world.prompt is not None,
        Need.CHATS: bool(world.chats),
        Need.CAST: world.cast is not None,
        Need.LIBRARY: world.library is not None,
        Need.NOTE: world.note is not None,
        Need.SCRIPTS: are_known(world),
        Need.EARLIER: world.earlier is not None,
    }
    return frozenset(need for need, is_given in given.items() if not is_given)
