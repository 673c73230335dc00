"""Mine and theirs together: their bytes with my changes written into them, as an edit would."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import UsageError
from lorebook_tui.formats.entry_edits import container_of
from lorebook_tui.formats.json_edit import changed
from lorebook_tui.model.js import MISSING, text_of
from lorebook_tui.workspace.conflict import OTHERS, FieldWay, Side, ThreeWay, Who, entries_of, triples
from lorebook_tui.workspace.differences import raw_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json, JsonPath
    from lorebook_tui.workspace.conflict import EntryWay, Place


def merge(ways: ThreeWay, choices: Mapping[Place, Side] | None = None, default: Side | None = None) -> Loaded:
    """Their file with my changes in it; what only one side changed is never asked about and never lost.

    Args:
        ways: whose change is whose.
        choices: by place, whose value counts where both changed it. `BOTH` joins lists of texts and keeps an
            entry that one side removed; else it is mine.
        default: whose value counts where nothing is chosen.

    Raises:
        UsageError: something has to be chosen, and there is no default.
    """
    chosen = dict(choices or {})
    left = [place for place in ways.conflicts if place not in chosen]
    if left and default is None:
        raise UsageError(
            "Both sides changed the same field.",
            expected="a choice for each of them",
            found=f"{len(left)} without a choice",
            hint="Choose mine or theirs.",
        )
    return _Merging(ways, {**dict.fromkeys(left, default or Side.THEIRS), **chosen}).run()


@dataclass(slots=True)
class _Item:
    """What stands in the place of the entries: an entry, or something that is none."""

    token: int
    step: str | int
    raw: Json
    entry: Entry | None


class _Merging:
    """One merge."""

    def __init__(self, ways: ThreeWay, chosen: Mapping[Place, Side]) -> None:
        self.ways = ways
        self.chosen = chosen
        self.by_mine = {id(way.mine): way for way in ways.entries if way.mine is not None}
        self.by_theirs = {id(way.theirs): way for way in ways.entries if way.theirs is not None}

    def run(self) -> Loaded:
        """The file."""
        ways = self.ways
        taken = [field for field in ways.others if self.is_mine(OTHERS, field)]
        if any(not field.path for field in ways.others):
            return ways.mine if taken else ways.theirs
        if len(ways.theirs.documents) > 1 or ways.theirs.transcript is not None:
            return self.with_lines(taken)
        value = changed(ways.theirs.document.value, [(field.path, self.value(OTHERS, field)) for field in taken])
        for number, book in enumerate(ways.theirs.books):
            path = container_of(ways.theirs.document, book)
            container = ways.theirs.document.at(path)
            items = self.items(number, path, container)
            value = changed(value, [(path, _container(items, is_list=isinstance(container, list)))])
        return ways.theirs.edited(ways.theirs.document.replaced(value))

    def is_mine(self, number: int, field: FieldWay) -> bool:
        """Whether my value has to be written."""
        if field.who is Who.CONFLICT:
            return self.chosen[number, field.path] is not Side.THEIRS
        return field.who is Who.MINE

    def value(self, number: int, field: FieldWay) -> Json:
        """What is written."""
        return field.both() if self.chosen.get((number, field.path)) is Side.BOTH else field.mine

    def with_lines(self, taken: Sequence[FieldWay]) -> Loaded:
        """A chat: my changes line by line."""
        by_document: defaultdict[int, list[tuple[JsonPath, Json]]] = defaultdict(list)
        for field in taken:
            by_document[int(field.path[0])].append((field.path[1:], self.value(OTHERS, field)))
        theirs = self.ways.theirs
        if not by_document:
            return theirs
        return theirs.with_documents(
            tuple(
                document.changed(by_document[place]) if place in by_document else document
                for place, document in enumerate(theirs.documents)
            )
        )

    def items(self, book: int, path: JsonPath, container: Json) -> list[_Item]:
        """What stands in the place of the entries afterwards."""
        base, theirs, mine = (entries_of(each, book) for each in (self.ways.base, self.ways.theirs, self.ways.mine))
        found = list(triples(base, mine, theirs))
        token_of = {id(entry): token for token, triple in enumerate(found) for entry in triple if entry is not None}
        by_path = {entry.path: entry for entry in theirs}
        steps = container.items() if isinstance(container, dict) else enumerate(container)
        items = []
        for number, (step, raw) in enumerate(steps):
            entry = by_path.get((*path, step))
            if entry is None:
                items.append(_Item(-1 - number, step, raw, None))
            elif (made := self.kept(entry, raw)) is not MISSING:
                items.append(_Item(token_of[id(entry)], step, made, entry))
        added = [
            _Item(token, my.path[-1], dict(raw_of(my)), my)
            for token, (_, my, their) in enumerate(found)
            if my is not None and their is None and self.is_added(my)
        ]
        _identify(items, added, is_list=isinstance(container, list))
        orders = ([token_of[id(entry)] for entry in each] for each in (base, mine))
        return _ordered(items, added, *orders)

    def kept(self, entry: Entry, raw: Json) -> Json:
        """An entry of theirs with my changes; `MISSING` if I removed it."""
        way = self.by_theirs.get(id(entry))
        if way is None or (way.base is None and way.mine is None):
            return raw
        if way.mine is None:
            return MISSING if not way.fields or self.chosen[way.number, ()] is Side.MINE else raw
        taken = [field for field in way.fields if self.is_mine(way.number, field)]
        return changed(raw, [(field.path, self.value(way.number, field)) for field in taken])

    def is_added(self, entry: Entry) -> bool:
        """Whether an entry of mine that theirs has not is to be there."""
        way: EntryWay | None = self.by_mine.get(id(entry))
        if way is None or way.base is None:
            return way is not None
        return bool(way.fields) and self.chosen[way.number, ()] is not Side.THEIRS


def _identify(items: Sequence[_Item], added: Sequence[_Item], *, is_list: bool) -> None:
    """Give added entries a uid and a name of their own where theirs have them already."""
    uids = {item.entry.uid_text for item in items if item.entry is not None}
    steps: set[str] = set() if is_list else {str(item.step) for item in items}
    for item in added:
        entry = item.entry
        if entry is not None and entry.uid is not MISSING and entry.uid_text in uids:
            number = _free(uids | steps)
            item.raw["uid" if entry.source is None else "id"] = number
            item.step = item.step if is_list else str(number)
        if not is_list and str(item.step) in steps:
            item.step = str(_free(uids | steps))
        steps |= set() if is_list else {str(item.step)}
        uids.add(text_of(item.raw.get("uid", item.raw.get("id", MISSING))))


def _free(taken: set[str]) -> int:
    """The smallest number that nobody has."""
    return next(number for number in range(len(taken) + 1) if str(number) not in taken)


def _ordered(items: list[_Item], added: list[_Item], base: Sequence[int], mine: Sequence[int]) -> list[_Item]:
    """In their order, or in mine if only I moved entries; what one side alone has stands behind its neighbour."""
    by_token = {item.token: item for item in (*items, *added)}
    in_theirs = [item.token for item in items]
    in_mine = [token for token in mine if token in by_token]
    is_moved_here = not _is_in_order(mine, base)
    is_moved_there = not _is_in_order(in_theirs, base)
    first, second = (in_mine, in_theirs) if is_moved_here and not is_moved_there else (in_theirs, in_mine)
    order = list(first)
    before: int | None = None
    known = set(first)
    for token in second:
        if token not in known:
            order.insert(order.index(before) + 1 if before is not None else 0, token)
        before = token
    return [by_token[token] for token in order]


def _is_in_order(tokens: Sequence[int], base: Sequence[int]) -> bool:
    """Whether those that are in both follow each other as in the base."""
    places = {token: place for place, token in enumerate(base)}
    known = [places[token] for token in tokens if token in places]
    return known == sorted(known)


def _container(items: Sequence[_Item], *, is_list: bool) -> Any:
    if is_list:
        return [item.raw for item in items]
    return {str(item.step): item.raw for item in items}
