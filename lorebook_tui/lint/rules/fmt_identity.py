"""Who is who in a book: uids, the names of entries in the file, places in the editor."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetAt, SetField, Severity
from lorebook_tui.lint.rule import BookRule, Context, EntryRule, Example, FileRule
from lorebook_tui.model.js import MISSING, is_index, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.lint.subjects import BookView, EntryView, FileView

_TWO_IDS = (
    '{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": ['
    '{"id": 1, "keys": ["a"], "content": "x", "enabled": true, "insertion_order": 1, "extensions": {}}, '
    '{"id": %s, "keys": ["b"], "content": "y", "enabled": true, "insertion_order": 2, "extensions": {}}]}}}'
)


def _identity(entry: EntryView) -> str | None:
    """The id as it stands in the file; None if there is none."""
    source = entry.entry.source
    value = entry.get("uid") if source is None else source.get("id", MISSING)
    return None if value is MISSING else text_of(value)


class SameUid(BookRule):
    """Two entries with the same `uid`, or two entries of a card with the same `id`.

    Why: SillyTavern 1.19 knows an activated entry by book and uid: of two with the same one, both take their share of
    the budget and only the later text survives. From a card, only the last entry of an id is imported at all.
    Example: two entries with `"uid": 4`.
    Do: give one of them a number of its own.
    Source: SillyTavern 1.19.
    """

    code = "FMT006"
    name = "same-uid"
    severity = Severity.ERROR
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x"}, {"key": ["b"], "content": "y"})),
        Example(source=_TWO_IDS % "2"),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}, "1": {"uid": 0, "key": ["b"], '
            '"content": "y"}}}',
            fixed=({"uid": 0}, {"uid": 1}),
        ),
        Example(source=_TWO_IDS % "1", fixed=({"uid": 1}, {"uid": 0})),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Entries whose number an earlier one has."""
        del context
        first: dict[str, EntryView] = {}
        taken = {uid for entry in book.entries if (uid := _identity(entry)) is not None}
        for entry in book.entries:
            uid = _identity(entry)
            if uid is None:
                continue
            earlier = first.setdefault(uid, entry)
            if earlier is entry:
                continue
            number = _free(entry, taken)
            taken.add(str(number))
            fix = Fix(f"give it the number {number}", (_renumbered(entry, number),), alters_activation=True)
            lost = (
                "only one of them is imported" if entry.entry.source is not None else "only one of the texts survives"
            )
            message = f"It has the same number {uid} as {quote(earlier.entry.title)}: if both are activated, {lost}."
            if entry.entry.source is not None:
                message = f"It has the same id {uid} as {quote(earlier.entry.title)}: {lost}."
            name = "uid" if entry.entry.source is None else "id"
            yield self.finding(entry, message, (*entry.entry.path, name), others=(earlier,), fix=fix)


def _free(entry: EntryView, taken: set[str]) -> int:
    """Its own name in the file if that is a free number, else the smallest free one."""
    key = entry.entry.key
    if entry.entry.source is None and is_index(key) and key not in taken:
        return int(key)
    return next(number for number in range(len(taken) + 1) if str(number) not in taken)


def _renumbered(entry: EntryView, number: int) -> SetField | SetAt:
    if entry.entry.source is None:
        return SetField(entry.entry.path, "uid", number)
    return SetAt((*entry.entry.path, "id"), number)


class KeyIsNotUid(EntryRule):
    """An entry whose name in the file is not its `uid`.

    Why: SillyTavern 1.19's editor finds an entry by its name in `entries`, the scan knows it by its `uid`: edits and
    deletions may hit another entry.
    Example: `"7": {"uid": 3, …}`.
    Do: let both be the same number.
    Source: SillyTavern 1.19.
    """

    code = "FMT007"
    name = "key-is-not-uid"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x"},)),
        Example(source='{"entries": {"0": {"key": ["a"], "content": "x"}}}'),
        Example(source='{"entries": {"0": {"uid": "0", "key": ["a"], "content": "x"}}}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"entries": {"7": {"uid": 3, "key": ["a"], "content": "x"}}}',
            fixed_source='{"entries": {"7": {"uid": 7, "key": ["a"], "content": "x"}}}',
        ),
        Example(source='{"entries": {"mill": {"uid": 3, "key": ["a"], "content": "x"}}}'),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries of a world; a name that is no number is left to the author."""
        del context
        uid, key = entry.get("uid"), entry.entry.path[-1]
        if entry.entry.source is not None or uid is MISSING or not isinstance(key, str) or text_of(uid) == key:
            return
        fix = Fix(f"make {key} its uid", (SetField(entry.entry.path, "uid", int(key)),)) if is_index(key) else None
        message = (
            f"It is called {quote(key)} in the file, but its uid is {text_of(uid)}: an edit may hit another entry."
        )
        yield self.finding(entry, message, (*entry.entry.path, "uid"), fix=fix)


class EditorPlaces(FileRule):
    """Places in SillyTavern's editor that are missing, doubled, or leave gaps.

    Why: SillyTavern 1.19 sorts its list of entries by `displayIndex` when "custom" is chosen; without proper places
    entries jump when one of them is dragged. The scan does not look at it.
    Example: two entries with `"displayIndex": 0`.
    Do: number the places anew, in the order they have now.
    Source: SillyTavern 1.19.
    """

    code = "FMT008"
    name = "editor-places"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"]}, {"key": ["b"]})),
        Example(({"key": ["a"], "displayIndex": 1}, {"key": ["b"], "displayIndex": 0})),
        Example(source=_TWO_IDS % "2"),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "displayIndex": 5}, {"key": ["b"], "displayIndex": 0}, {"key": ["c"], "displayIndex": 0}),
            fixed=({"displayIndex": 2}, {"displayIndex": 0}, {"displayIndex": 1}),
        ),
        Example(
            ({"key": ["a"], "displayIndex": 1}, {"key": ["b"], "displayIndex": ...}),
            fixed=({"displayIndex": 0}, {"displayIndex": 1}),
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """One finding for each book of a world."""
        del context
        for book in file.books:
            views = [entry for entry in book.entries if entry.entry.source is None]
            places = [entry.get("displayIndex") for entry in views]
            fault = _fault(places)
            if not fault:
                continue
            listed = sorted(views, key=lambda entry: (_place(entry.get("displayIndex")), entry.number))
            changes = tuple(
                SetField(entry.entry.path, "displayIndex", place)
                for place, entry in enumerate(listed)
                if entry.get("displayIndex") != place or isinstance(entry.get("displayIndex"), bool)
            )
            message = f"In SillyTavern's editor {fault}; entries jump when one of them is dragged."
            yield self.finding(book, message, fix=Fix("number the places anew", changes))


def _place(value: object) -> float:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else float("inf")


def _fault(places: Sequence[object]) -> str:
    """What is wrong with the places, in words."""
    numbers = [place for place in places if isinstance(place, int) and not isinstance(place, bool)]
    missing = len(places) - len(numbers)
    doubled = sum(count - 1 for count in Counter(numbers).values())
    if missing:
        return f"{missing} of {len(places)} entries {'has' if missing == 1 else 'have'} no place"
    if doubled:
        return f"{doubled} of {len(places)} entries {'has' if doubled == 1 else 'have'} the place of another one"
    if numbers and sorted(numbers) != list(range(len(numbers))):
        return "the places leave gaps"
    return ""
