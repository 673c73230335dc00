"""What the rules said of a book before, kept so that an edit has only its own entries and groups looked at again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.js import JsonPath

_EVERY = 32
"""Entries between two looks at whether the check is still wanted."""
_SLACK = 1000
"""Entries that are gone and may still be remembered."""


class CheckStopped(Exception):  # noqa: N818 - nothing went wrong
    """Nobody waits for the check any more."""


class Said(NamedTuple):
    """What came out of some rules."""

    findings: tuple[Finding, ...] = ()
    passed: int = 0
    """Findings that their author or the configuration lets pass."""
    known: int = 0
    """Findings that the baseline has."""


NOTHING = Said()


class _Kept(NamedTuple):
    """What was said of an entry, and where it stood then."""

    view: EntryView
    path: JsonPath
    said: Said


@dataclass
class Groups:
    """The groups of one rule in one book."""

    views: tuple[EntryView, ...] = ()
    """The entries that they were made of."""
    shifts: int = 0
    keys: dict[int, tuple[Hashable, ...]] = field(default_factory=dict)
    """By identity of an entry's view."""
    members: dict[Hashable, list[EntryView]] = field(default_factory=dict)
    said: dict[Hashable, Said] = field(default_factory=dict)
    """Only of groups that there is something to say about."""


class BookMemory:
    """One book.

    Args:
        book: its view; another view has another memory.
        ignored: codes that the book lets pass; with others everything is to be looked at again.
    """

    def __init__(self, book: BookView, ignored: tuple[str, ...] = ()) -> None:
        self.book = book
        self.ignored = ignored
        self._kept: dict[int, _Kept] = {}
        self._views: tuple[EntryView, ...] = ()
        self._listed: list[Said] = []
        self._shifts = 0
        self._groups: dict[str, Groups] = {}
        self._whole: dict[str, tuple[object, Said]] = {}
        self._difference: tuple[object, object, tuple[list[EntryView], list[EntryView]]] | None = None

    def of_entries(self, look: Callable[[EntryView], Said], is_stopped: Callable[[], bool]) -> list[Said]:
        """What is said of each entry by itself, in file order; `look` is only asked about those that are new here.

        Raises:
            CheckStopped: in the middle of many; what was found so far is kept.
        """
        views = self.book.entries
        has_shifted = self._shifts != self.book.shifts
        gone, come = self.difference(self._views, views)
        if not has_shifted and len(gone) == len(come) == 1 and gone[0].number == come[0].number:
            self._kept.pop(id(gone[0]), None)
            self._listed[come[0].number] = self._of_entry(come[0], look)
        elif gone or come or has_shifted:
            listed = []
            for number, view in enumerate(views):
                if number % _EVERY == 0 and is_stopped():
                    raise CheckStopped
                listed.append(self._of_entry(view, look))
            self._listed = listed
        self._views, self._shifts = views, self.book.shifts
        if len(self._kept) > len(views) + _SLACK:
            present = {id(view) for view in views}
            self._kept = {key: kept for key, kept in self._kept.items() if key in present}
        return self._listed

    def _of_entry(self, view: EntryView, look: Callable[[EntryView], Said]) -> Said:
        kept = self._kept.get(id(view))
        path = view.entry.path
        if kept is None:
            kept = _Kept(view, path, look(view))
        elif kept.path is not path and kept.path != path:
            moved = tuple(moved_to(finding, kept.path, path) for finding in kept.said.findings)
            kept = _Kept(view, path, kept.said._replace(findings=moved))
        self._kept[id(view)] = kept
        return kept.said

    def of_groups(
        self,
        code: str,
        keys: Callable[[EntryView], Iterable[Hashable]],
        look: Callable[[Hashable, Sequence[EntryView]], Said],
    ) -> Iterable[Said]:
        """What a rule says of the groups of the book; `look` is only asked about groups whose members changed.

        Args:
            code: of the rule.
            keys: the groups of an entry.
            look: at a group and its members in file order.
        """
        groups = self._groups.get(code)
        if groups is None or groups.shifts != self.book.shifts:
            groups = self._groups[code] = Groups(shifts=self.book.shifts)
        gone, come = self.difference(groups.views, self.book.entries)
        touched: dict[Hashable, None] = {}
        for view in gone:
            for key in groups.keys.pop(id(view), ()):
                groups.members[key].remove(view)
                touched[key] = None
        for view in come:
            listed = groups.keys[id(view)] = tuple(dict.fromkeys(keys(view)))
            for key in listed:
                groups.members.setdefault(key, []).append(view)
                touched[key] = None
        for key in touched:
            members = groups.members[key]
            members.sort(key=_number)
            groups.said.pop(key, None)
            if not members:
                del groups.members[key]
            elif (said := look(key, members)) != NOTHING:
                groups.said[key] = said
        groups.views = self.book.entries
        return groups.said.values()

    def of_book(self, code: str, look: Callable[[], Said]) -> Said:
        """What a rule says of the whole book; `look` is only asked if the book is another one than before."""
        known = self._whole.get(code)
        if known is None or known[0] is not self.book.book:
            known = self._whole[code] = (self.book.book, look())
        return known[1]

    def forget_whole(self) -> None:
        """Forget what was said of the book as a whole."""
        self._whole.clear()

    def difference(
        self, old: tuple[EntryView, ...], new: tuple[EntryView, ...]
    ) -> tuple[list[EntryView], list[EntryView]]:
        """Entries that are gone, and those that have come."""
        known = self._difference
        if known is not None and known[0] is old and known[1] is new:
            return known[2]
        if old is new:
            found: tuple[list[EntryView], list[EntryView]] = ([], [])
        elif len(old) == len(new):
            changed = [(one, other) for one, other in zip(old, new, strict=True) if one is not other]
            found = _apart([one for one, _ in changed], [other for _, other in changed])
        else:
            found = _apart(old, new)
        self._difference = (old, new, found)
        return found


def _apart(old: Sequence[EntryView], new: Sequence[EntryView]) -> tuple[list[EntryView], list[EntryView]]:
    before, after = {id(view) for view in old}, {id(view) for view in new}
    return [view for view in old if id(view) not in after], [view for view in new if id(view) not in before]


def _number(view: EntryView) -> int:
    return view.number


def total(said: Sequence[Said]) -> Said:
    """Several together."""
    findings = tuple(chain.from_iterable(each[0] for each in said))
    return Said(findings, sum(each[1] for each in said), sum(each[2] for each in said))


def moved_to(finding: Finding, old: JsonPath, new: JsonPath) -> Finding:
    """A finding of an entry that stands at another place now."""
    path = (*new, *finding.path[len(old) :]) if finding.path[: len(old)] == old else finding.path
    fix = finding.fix
    if fix is not None:
        fix = replace(fix, changes=tuple(_moved_change(change, old, new) for change in fix.changes))
    return replace(finding, path=path, fix=fix)


def _moved_change(change: Any, old: JsonPath, new: JsonPath) -> Any:
    for name in ("entry", "path"):
        path = getattr(change, name, None)
        if path is not None and path[: len(old)] == old:
            return replace(change, **{name: (*new, *path[len(old) :])})
    return change
