"""Files that mean each other: copies of books, bindings by name, names that do not travel."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, SetAt, Severity, TakeBook, TakeEntries
from lorebook_tui.lint.rule import Context, Example, FileRule, Option, ShelfRule, WorldRule
from lorebook_tui.lint.shelf import unknown_marks
from lorebook_tui.lint.subjects import Binding, FileView
from lorebook_tui.model.file_names import fault, suggested_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.shelf import Shelf, ShelfBook, ShelfItem
    from lorebook_tui.lint.subjects import World
    from lorebook_tui.model.js import JsonPath

_CARD: Final = (
    '{"spec": "chara_card_v2", "data": {"name": "Mira", "extensions": {"world": "Mill"}, "character_book": {"name": '
    '"Mill", "extensions": {}, "entries": [{"keys": ["mill"], "content": "%s", "enabled": true, "insertion_order": '
    '100, "extensions": {}}]}}}'
)
_BARE_CARD: Final = '{"spec": "chara_card_v2", "data": {"name": "Mira", "extensions": {"world": "%s"}}}'
_WORLD: Final = '{"entries": {"0": {"uid": 0, "key": ["mill"], "content": "It grinds.", "order": 100}%s}}'
_MORE: Final = ', "1": {"uid": 1, "key": ["b"], "content": "B."}, "2": {"uid": 2, "key": ["c"], "content": "C."}'
_LINK: Final[JsonPath] = ("data", "extensions", "world")
_COMMON: Final = 40
"""Books that share an entry before it counts as one that everybody has."""


class UnsafeName(FileRule):
    """A name of a file or book that not every system takes.

    Why: SillyTavern 1.19 makes file names of book names. A colon, slash, star, question mark, quotation mark, angle
    bracket or pipe, a dot or blank at the end, a name that Windows keeps for a device, or a very long one is changed
    on the way or fails, and whatever was bound to the name loses its book.
    Example: a book called `Mill: the wheel`.
    Do: use a plain name.
    Source: SillyTavern 1.19.
    """

    code = "FMT015"
    name = "unsafe-name"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    options = (Option("longest", 120, "bytes in UTF-8 that a name may have"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"]},), name="folder/Mill, the wheel & co.json"),
        Example(source=_CARD % "x"),
        Example(({"key": ["a"]},), name="Harrowmere (v1.2).json"),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"]},), name="Mill: the wheel.json"),
        Example(({"key": ["a"]},), name="con.json"),
        Example(({"key": ["a"]},), name=f"{'мельница' * 10}.json"),
        Example(
            source='{"name": "Mill: wheel?", "entries": [{"keys": ["a"], "content": "x", "enabled": true}]}',
            fixed_source='{"name": "Mill wheel", "entries": [{"keys": ["a"], "content": "x", "enabled": true}]}',
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """The file's own name, and the names its books say."""
        longest = int(context.options["longest"])
        base = file.name.replace("\\", "/").rpartition("/")[2]
        stem = base.rpartition(".")[0] or base
        reason = fault(stem, longest)
        if reason and file.loaded is not None:
            better = suggested_name(stem, longest=longest)
            yield self.finding(file, f"The file's name will not travel: {reason}. {quote(better)} would do.", ())
        for book in file.books:
            name = book.book.extras.get("name")
            if not isinstance(name, str) or not name or not (reason := fault(name, longest)):
                continue
            better = suggested_name(name, longest=longest)
            path = (*book.path, "name")
            fix = Fix(f"call it {quote(better)}", (SetAt(path, better),), Grade.OFFERED)
            message = f"The name of the book, {quote(name)}, cannot be a file name everywhere: {reason}."
            yield self.finding(book, message, path, fix=fix)


class StaleCopy(ShelfRule):
    """A card whose embedded book is not what the world says that it is linked to.

    Why: SillyTavern 1.19 plays the linked world; everybody who gets the card plays the copy inside. It is renewed
    only when the card is saved.
    Example: a card linked to `Mill.json`, which has an entry more than the card.
    Do: put the world into the card, which is what the repair does; or export the card from SillyTavern again.
    Source: SillyTavern 1.19.
    """

    code = "FMT016"
    name = "stale-copy"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=_CARD % "It grinds.", name="mira.json", more_files={"Mill.json": _WORLD % ""}),
        Example(source=_CARD % "Other.", name="mira.json", more_files={"Other.json": _WORLD % ""}),
        Example(source=_BARE_CARD % "Mill", name="mira.json", more_files={"Mill.json": _WORLD % ""}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source=_CARD % "It stands still.",
            name="mira.json",
            more_files={"Mill.json": _WORLD % ""},
            fixed=({"content": "It grinds.", "key": ["mill"], "order": 100},),
        ),
        Example(
            source=_CARD % "It grinds.",
            name="mira.json",
            more_files={"Mill.json": _WORLD % _MORE},
            fixed=({"content": "It grinds."}, {"content": "B."}, {"content": "C."}),
        ),
    )

    def check(self, shelf: Shelf, context: Context) -> Iterator[Finding]:
        """Cards beside the worlds they are linked to."""
        del context
        worlds = {
            book.name: (item, position)
            for item in shelf.items
            for position, book in enumerate(item.books)
            if not book.is_embedded
        }
        for card in shelf.items:
            linked = next((worlds[link] for link in card.links if link in worlds), None)
            if linked is not None and (card.is_checked or linked[0].is_checked):
                yield from self._of_card(card, *linked)

    def _of_card(self, card: ShelfItem, item: ShelfItem, position: int) -> Iterator[Finding]:
        """The books inside a card beside the world it is linked to; only a file that is checked gets repaired."""
        world = item.books[position].entries.keys()
        for copy in (book.entries.keys() for book in card.books if book.is_embedded):
            if copy == world:
                continue
            message = (
                f"The book inside the card is not what {quote(item.file)} says: {_counted(len(world - copy))} only "
                f"there so, {_counted(len(copy - world))} only in the card."
            )
            fix = Fix("put the world into the card", (TakeBook(item.file, position),), Grade.OFFERED,
                      alters_activation=True)  # fmt: skip
            yield self.finding(card.view, message, fix=fix if card.is_checked else None)


def _counted(count: int) -> str:
    return "1 entry is" if count == 1 else f"{count} entries are"


class LostBinding(WorldRule):
    """A card, persona, chat or setting that is bound to a book that is not there, or is called a little otherwise.

    Why: SillyTavern 1.19 binds books by name, letter by letter. After a rename the old name finds nothing, and nobody
    says so.
    Example: a card linked to `mill` where the file is called `Mill.json`.
    Do: bind the book again, or give the file its old name.
    Source: SillyTavern 1.19.
    """

    code = "FMT017"
    name = "lost-binding"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    spans = True
    needs = frozenset({Need.LIBRARY})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=_BARE_CARD % "Mill", name="mira.json", library={"books": frozenset({"Mill"})}),
        Example(source=_BARE_CARD % "", name="mira.json", library={"books": frozenset()}),
        Example(({"key": ["a"]},), library={"books": frozenset({"B"}), "bound": (Binding("Teo", "B", "persona"),)}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source=_BARE_CARD % "mill",
            name="mira.json",
            library={"books": frozenset({"Mill"})},
            fixed_source=_BARE_CARD % "Mill",
        ),
        Example(source=_BARE_CARD % "Old mill", name="mira.json", library={"books": frozenset({"Mill"})}),
        Example(
            ({"key": ["a"]},),
            library={"books": frozenset({"Mill"}), "bound": (Binding("Teo", "Wheel", "persona", "settings.json"),)},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """What the files say, and what was found around them."""
        del context
        library = world.library
        if library is None:
            return
        own = {book.book.name for file in world.files for book in file.books if file.loaded and not file.loaded.card}
        known = library.books | own
        for file in world.files:
            yield from self._of_file(file, known)
        is_whole = world.shelf is None or bool(world.shelf.items) or not world.files
        for binding in library.bound if is_whole else ():
            if binding.book not in known:
                subject = FileView(binding.file or binding.who)
                yield self.finding(subject, f"{_who(binding)} {_missing(binding.book, known)}")

    def _of_file(self, file: FileView, known: frozenset[str]) -> Iterator[Finding]:
        loaded = file.loaded
        if loaded is None:
            return
        if loaded.card is not None and loaded.card.world.strip() and loaded.card.world not in known:
            other = _other_case(loaded.card.world, known)
            change = SetAt(_LINK, other)
            fix = Fix(f"link it to {quote(other)}", (change,), Grade.OFFERED) if other else None
            yield self.finding(file, f"The card {_missing(loaded.card.world, known)}", _LINK, fix=fix)
        bound = loaded.transcript.metadata.get("world_info") if loaded.transcript is not None else None
        if isinstance(bound, str) and bound.strip() and bound not in known:
            yield self.finding(file, f"The chat {_missing(bound, known)}")


def _other_case(name: str, known: frozenset[str]) -> str:
    """The book that only letter case or blanks keep from being meant."""
    folded = "".join(name.casefold().split())
    return next((other for other in sorted(known) if "".join(other.casefold().split()) == folded), "")


def _missing(name: str, known: frozenset[str]) -> str:
    other = _other_case(name, known)
    if other:
        return f"is bound to {quote(name)}, but the book is called {quote(other)}: SillyTavern does not find it."
    return f"is bound to {quote(name)}, and there is no such book: it plays without that lore."


def _who(binding: Binding) -> str:
    kinds = {"persona": "The persona", "extra": "The character", "chat": "The chat", "card": "The card"}
    return f"{kinds[binding.kind]} {quote(binding.who)}" if binding.kind in kinds else "The list of active books"


class AlikeBooks(ShelfRule):
    """A book that is there twice, or almost.

    Why: every import of a card can leave another copy of its book; who edits one of them does not know which is played.
    Example: `Mill.json` and `Mill (1).json` with the same entries.
    Do: keep one, and bind everything to that; two characters may share a book, and then it is better a world that both
    cards are linked to. The repair takes over entries that only the other one has, so that this
    one can be kept.
    Source: SillyTavern 1.19.
    """

    code = "FMT018"
    name = "alike-books"
    severity = Severity.INFO
    grade = Grade.OFFERED
    options = (Option("alike", 80, "percent of entries in common from which two books count as alike"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=_WORLD % _MORE, name="a.json", more_files={"b.json": _WORLD % ""}),
        Example(source=_CARD % "It grinds.", name="mira.json", more_files={"Mill.json": _WORLD % ""}),
        Example(source='{"entries": {}}', name="a.json", more_files={"b.json": '{"entries": {}}'}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=_WORLD % "", name="a.json", more_files={"b.json": _WORLD % ""}),
        Example(source=_CARD % "x", name="mira.json", more_files={"kit.json": _CARD.replace("Mira", "Kit") % "x"}),
        Example(
            source=_WORLD % _MORE,
            name="a.json",
            more_files={"b.json": _WORLD % _MORE.replace("C.", "D.")},
            options={"alike": 50},
        ),
        Example(
            source=_WORLD % "",
            name="b.json",
            more_files={"a.json": _WORLD % _MORE},
            options={"alike": 30},
            fixed=({"key": ["mill"]}, {"key": ["b"], "content": "B."}, {"key": ["c"], "content": "C."}),
        ),
    )

    def check(self, shelf: Shelf, context: Context) -> Iterator[Finding]:
        """Every book beside the first one that is like it; those of the library come first."""
        listed = sorted(
            ((item, book) for item in shelf.items for book in item.books if book.entries),
            key=lambda pair: (pair[0].is_checked, pair[0].file),
        )
        holders: dict[int, list[int]] = defaultdict(list)
        for number, (item, book) in enumerate(listed):
            shared = Counter(other for mark in book.entries if len(holders[mark]) < _COMMON for other in holders[mark])
            if item.is_checked:
                yield from self._of_book(
                    item, book, [(*listed[other], count) for other, count in shared.items()], context
                )
            for mark in book.entries:
                holders[mark].append(number)

    def _of_book(
        self, item: ShelfItem, book: ShelfBook, others: list[tuple[ShelfItem, ShelfBook, int]], context: Context
    ) -> Iterator[Finding]:
        """The book that is most like it."""
        alike = [
            (100 * count / (len(book.entries) + len(other.entries) - count), theirs, other)
            for theirs, other, count in others
            if theirs.file != item.file and not _belong(item, book, theirs, other)
        ]
        percent, theirs, other = max(alike, key=lambda pair: pair[0], default=(0.0, item, book))
        if alike and percent >= context.options["alike"]:
            fix = None
            if len(item.books) == 1 and (news := unknown_marks(other.entries, book.entries)):
                change = TakeEntries(theirs.file, theirs.books.index(other))
                told = f"take over {_entries(len(news))} that only {quote(theirs.file)} has"
                fix = Fix(told, (change,), Grade.OFFERED, alters_activation=True)
            yield self.finding(item.view, _alike(item, book, theirs, other, percent), fix=fix)


def _belong(item: ShelfItem, book: ShelfBook, theirs: ShelfItem, other: ShelfBook) -> bool:
    """Whether one is the copy inside the card that is linked to the other."""
    if book.is_embedded == other.is_embedded:
        return False
    card, world = (item, other) if book.is_embedded else (theirs, book)
    return world.name in card.links


def _alike(item: ShelfItem, book: ShelfBook, theirs: ShelfItem, other: ShelfBook, percent: float) -> str:
    if percent >= 100:  # noqa: PLR2004 - all of them
        if book.is_embedded and other.is_embedded and item.character.strip() != theirs.character.strip():
            return (
                f"Its book is the same as that of {quote(theirs.character)} ({quote(theirs.file)}), entry for entry "
                f"({len(book.entries)}): what is edited in one card has to be edited in the other."
            )
        return f"It says the same as {quote(theirs.file)}, entry for entry ({len(book.entries)}): one of them can go."
    only_here, only_there = book.entries.keys() - other.entries.keys(), other.entries.keys() - book.entries.keys()
    return (
        f"{percent:.0f} % of its entries are those of {quote(theirs.file)} too; {_counted(len(only_there))} only there "
        f"so, {_counted(len(only_here))} only here."
    )


def _entries(count: int) -> str:
    return "the entry" if count == 1 else f"the {count} entries"
