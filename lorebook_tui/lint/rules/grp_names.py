"""Names of inclusion groups: groups of one, names that are meant to be the same, entries in several groups."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.display import quote
from lorebook_tui.engine.phases.filters import PROTOTYPE_NAMES
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.groups import group_names, group_text, near_pairs
from lorebook_tui.lint.naming import named, quoted
from lorebook_tui.lint.rule import BookRule, Context, Example
from lorebook_tui.lint.staging import call_of, extra, shown
from lorebook_tui.lint.witness import witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.settings import ScanSettings


def _folded(name: str) -> str:
    return name.strip().casefold()


def _members(grouped: list[tuple[EntryView, tuple[str, ...]]]) -> dict[str, list[EntryView]]:
    """The entries of each group."""
    found: dict[str, list[EntryView]] = {}
    for view, names in grouped:
        for name in names:
            found.setdefault(name, []).append(view)
    return found


def _fellows(view: EntryView, names: tuple[str, ...], members: dict[str, list[EntryView]]) -> list[EntryView]:
    """The other members of some groups, each once, in file order."""
    found = {other.number: other for name in names for other in members.get(name, ()) if other is not view}
    return [found[number] for number in sorted(found)]


class GroupOfOne(BookRule):
    """An inclusion group with one member.

    Why: SillyTavern 1.19 lets one member of a group in where several are called; with one member there is nothing to
    choose from. Often the name is misspelt, and the entry comes in beside the group it should belong to.
    Example: `tavern weather` in three entries, and `tavern wether` in a fourth.
    Do: write the name as the others do, or clear the group.
    Source: SillyTavern 1.19.
    """

    code = "GRP001"
    name = "group-of-one"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["fog"], "group": "weather", "content": "x"}, {"key": ["sun"], "group": "weather", "content": "y"})
        ),
        Example(
            ({"key": ["fog"], "group": "weather", "content": "x"},),
            more_files={
                "more.json": '{"entries": {"0": {"uid": 0, "key": ["sun"], "group": "weather", "content": "y"}}}'
            },
        ),
        Example(
            (
                {"key": ["fog"], "group": "weather", "content": "x"},
                {"key": ["sun"], "group": "weather", "content": "y", "disable": True},
            )
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["fog"], "group": "weather", "content": "x"},), fixed=({"group": ""},)),
        Example(
            (
                {"key": ["fog"], "group": "weather", "content": "x"},
                {"key": ["sun"], "group": "weather", "content": "y"},
                {"key": ["rain"], "group": "wether", "content": "z"},
            ),
            fixed=({"group": "weather"}, {"group": "weather"}, {"group": "weather"}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Groups that only one entry of all open books names."""
        grouped = [(view, names) for view in book.entries if (names := group_names(view))]
        if not grouped:
            return
        counts = Counter(name for _, names in grouped for name in names)
        for other in context.world.books:
            if other is not book and other.book is not book.book:
                counts.update(name for view in other.entries for name in group_names(view))
        spelt = Counter(map(_folded, counts))
        single = {
            name
            for name, count in counts.items()
            if count == 1 and spelt[_folded(name)] == 1 and name not in PROTOTYPE_NAMES
        }
        near = near_pairs(sorted(single), list(counts))
        for view, names in grouped:
            for name in names:
                if view.is_enabled and name in single:
                    yield self._alone(view, name, near.get(name), names)

    def _alone(self, view: EntryView, name: str, near: str | None, names: tuple[str, ...]) -> Finding:
        left = ", ".join(near or "" if each == name else each for each in names if near or each != name)
        told = f"write {quote(near)}" if near else "take it out of the group"
        fix = Fix(told, (SetField(view.entry.path, "group", left),), Grade.OFFERED, alters_activation=True)
        message = f"It is the only entry of the group {quote(name)}, so the group does nothing."
        if near:
            message = f"It is the only entry of the group {quote(name)}; is {quote(near)} meant?"
        severity = Severity.WARNING if near else None
        return self.finding(view, message, view.path_of("group"), severity=severity, fix=fix)


class GroupSpelling(BookRule):
    """A group with blanks around its name, in another letter case than its other members, or with a name that breaks.

    Why: SillyTavern 1.19 parts the field at commas and takes the names as they stand: a blank before a comma belongs to
    the name, and `Magic` is another group than `magic`. The entry then comes in beside the group. A group that is
    called as something that every object of JavaScript has, such as `constructor`, makes it break off: while one of its
    entries is called, no lore comes at all.
    Example: `weather ,night`, or `Weather` where three others say `weather`.
    Do: write the name the same way everywhere.
    Source: SillyTavern 1.19.
    """

    code = "GRP002"
    name = "group-spelling"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["fog"], "group": "weather, night", "content": "x"}, {"key": ["sun"], "group": "weather,night"})
        ),
        Example(({"key": ["fog"], "group": "Weather", "content": "x"}, {"key": ["sun"], "group": "Weather"})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["fog"], "group": "weather ,night", "content": "x"},
                {"key": ["sun"], "group": "weather", "content": "y"},
            ),
            fixed=({"group": "weather, night"}, {"group": "weather"}),
        ),
        Example(
            (
                {"key": ["fog"], "group": "weather", "content": "x"},
                {"key": ["sun"], "group": "Weather", "content": "y"},
                {"key": ["rain"], "group": "weather", "content": "z"},
            ),
            fixed=({"group": "weather"}, {"group": "weather"}, {"group": "weather"}),
        ),
        Example(
            (
                {"key": ["fog"], "group": "constructor", "content": "x"},
                {"key": ["sun"], "group": "weather,toString", "content": "y"},
            ),
            findings=2,
            fixed=({"group": "constructor group"}, {"group": "weather, toString group"}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Entries whose field would be another if it were spelt as most are."""
        grouped = [(view, names) for view in book.entries if (names := group_names(view))]
        if not grouped:
            return
        counts = Counter(name.strip() for _, names in grouped for name in names if name.strip())
        best: dict[str, str] = {}
        for name in sorted(counts, key=lambda each: -counts[each]):
            best.setdefault(_folded(name), name)
        members = _members(grouped)
        for view, names in grouped:
            if view.is_enabled and PROTOTYPE_NAMES.intersection(names):
                yield self._breaking(view, names)
                continue
            wanted = tuple(dict.fromkeys(best[_folded(name)] for name in names if name.strip()))
            if not view.is_enabled or wanted == names:
                continue
            fellows = _fellows(view, wanted, members)
            fix = Fix(f"write {quote(', '.join(wanted))}", (SetField(view.entry.path, "group", ", ".join(wanted)),),
                      alters_activation=True)  # fmt: skip
            wrong = [name for name in names if name not in wanted]
            message = (
                f"Its group {quoted(wrong)} is spelt with blanks or capitals that make it another group than "
                f"{quoted(name for name in wanted if name not in names)}: it comes in beside its members."
            )
            yield self.finding(
                view,
                message,
                view.path_of("group"),
                others=fellows,
                fix=fix,
                witness=_both_in(view, fellows, context.settings),
            )

    def _breaking(self, view: EntryView, names: tuple[str, ...]) -> Finding:
        wrong = [name for name in names if name in PROTOTYPE_NAMES]
        better = ", ".join(f"{name} group" if name in PROTOTYPE_NAMES else name for name in names)
        fix = Fix(f"write {quote(better)}", (SetField(view.entry.path, "group", better),), Grade.OFFERED,
                  alters_activation=True)  # fmt: skip
        message = (
            f"A group must not be called {quoted(wrong)}: when this entry is called, SillyTavern breaks off, and "
            "no lore comes at all."
        )
        return self.finding(view, message, view.path_of("group"), severity=Severity.ERROR, fix=fix)


def _both_in(view: EntryView, fellows: list[EntryView], settings: ScanSettings) -> Witness | None:
    """Both are called and both come, as they are in different groups."""
    for fellow in fellows[:2]:
        one, two = call_of(view), call_of(fellow)
        if one is not None and two is not None:
            told = "Two members of what looks like one group are called, and both come."
            given = witness(told, [view, fellow], [f"{one}, {two}"], settings)
            if shown(given, fellow, Reason.IN_PROMPT) is not None:
                return shown(given, view, Reason.IN_PROMPT)
    return None


class SeveralGroups(BookRule):
    """An entry in more than one inclusion group.

    Why: SillyTavern 1.19 keeps the groups apart badly. An entry that loses in two of them takes the last candidate of
    the turn along, whichever that is; and once it is in, its groups are not closed, so that further members come in a
    later pass.
    Example: `group` of `weather, night`.
    Do: leave it in one group; two copies of the entry, one in each group, do what is meant.
    Source: SillyTavern 1.19.
    """

    code = "GRP006"
    name = "several-groups"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["fog"], "group": "weather", "content": "x"}, {"key": ["sun"], "group": "weather"})),
        Example(({"key": ["fog"], "group": "weather, ", "content": "x"}, {"key": ["sun"], "group": "weather"})),
        Example(({"key": ["fog"], "group": "weather, night", "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {"key": ["fog"], "group": "night, weather", "content": "x"},
                {"key": ["sun"], "group": "weather", "content": "y"},
            ),
            fixed=({"group": "weather"}, {"group": "weather"}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Entries with several groups, of which one at least has other members."""
        grouped = [(view, names) for view in book.entries if view.is_enabled and (names := group_names(view))]
        counts = Counter(name for _, names in grouped for name in names)
        members = _members(grouped)
        for view, names in grouped:
            if len(names) == 1 or max(counts[name] for name in names) == 1:
                continue
            kept = max(names, key=lambda name: counts[name])
            fix = Fix(f"leave it in {quote(kept)} only", (SetField(view.entry.path, "group", kept),), Grade.OFFERED,
                      alters_activation=True)  # fmt: skip
            fellows = _fellows(view, names, members)
            yield self.finding(
                view,
                f"It is in {len(names)} groups, {quote(group_text(view))}, beside {named(fellows)}: SillyTavern does "
                "not close them when it comes, and where it loses in two, a stranger is thrown out with it.",
                view.path_of("group"),
                others=fellows,
                fix=fix,
                witness=_not_closed(view, fellows, context.settings),
            )


def _not_closed(view: EntryView, fellows: list[EntryView], settings: ScanSettings) -> Witness | None:
    """It comes in the first pass, another text wakes a member of its group, and that comes too."""
    call = call_of(view)
    for fellow in fellows[:4]:
        other = call_of(fellow)
        if call is None or other is None:
            continue
        told = "One is in already when the other is woken by another text, and still both come."
        given = witness(told, [view, fellow, extra(view.book, other)], [call], settings)
        if shown(given, view, Reason.IN_PROMPT) is not None:
            found = shown(given, fellow, Reason.IN_PROMPT)
            if found is not None:
                return found
    return None
