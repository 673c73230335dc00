"""Edits of the workspace: pure functions from one frozen workspace to the next, and what was done in words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.clip import OWN_OF_A_FILE
from lorebook_tui.formats.entry_edits import stores_place, with_entries, with_fields, without_entries
from lorebook_tui.model.fields import field_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.workspace.workspace import OpenedBook

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field of one entry, and its new value."""

    ref: EntryRef
    name: str
    """SillyTavern's name."""
    value: Json
    """`MISSING` removes the field."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit made."""

    workspace: Workspace
    told: str
    """What was done, as an order: "move 3 entries". May quote foreign titles."""
    focus: tuple[EntryRef, ...] = ()
    """What to choose afterwards, in the new workspace."""
    note: str = ""
    """What the user should know about it, a sentence; "" for nothing."""


def opened_at(workspace: Workspace, layer: Layer, book: int) -> OpenedBook:
    """A book by its place in its layer.

    Raises:
        UsageError: there is none.
    """
    listed = workspace.of(layer)
    if not 0 <= book < len(listed):
        raise UsageError(f"The layer {layer.value} has no book {book + 1}.")
    return listed[book]


def entry_at(workspace: Workspace, ref: EntryRef) -> Entry:
    """An entry by where it stands.

    Raises:
        UsageError: there is none.
    """
    entries = opened_at(workspace, ref.layer, ref.book).book.entries
    if not 0 <= ref.entry < len(entries):
        raise UsageError("The entry is not there any more.")
    return entries[ref.entry]


def set_fields(workspace: Workspace, changes: Sequence[FieldChange], told: str = "") -> Edited:
    """Other values for fields of entries, all at once.

    Raises:
        UsageError: an entry is not there, or a value cannot be written as JSON.
    """
    by_file: dict[int, list[tuple[Entry, str, Json]]] = defaultdict(list)
    sources: dict[int, Source] = {}
    for change in changes:
        source = opened_at(workspace, change.ref.layer, change.ref.book).source
        sources[source.ident] = source
        by_file[source.ident].append((entry_at(workspace, change.ref), change.name, change.value))
    loaded = {ident: with_fields(sources[ident].loaded, listed) for ident, listed in by_file.items()}
    refs = tuple(dict.fromkeys(change.ref for change in changes))
    return Edited(with_files(workspace, loaded), told or _told_of_fields(workspace, changes, refs), refs)


def add_entries(
    workspace: Workspace,
    layer: Layer,
    book: int,
    entries: Sequence[Mapping[str, Json]],
    *,
    before: int | None = None,
    told: str = "",
) -> Edited:
    """More entries in a book.

    Args:
        workspace: has the book.
        layer: of the book.
        book: its place in the layer.
        entries: SillyTavern's fields; missing uids are filled in.
        before: place of the entry to stand before, where the file is a list; an object always grows at its end.
        told: what is done, in words.

    Raises:
        UsageError: there is no such book, or it cannot take entries.
    """
    opened = opened_at(workspace, layer, book)
    if all(map(stores_place, opened.book.entries)):
        last = max((_whole(entry.get("displayIndex")) for entry in opened.book.entries), default=-1)
        entries = [{**fields, "displayIndex": last + number} for number, fields in enumerate(entries, 1)]
    made, place = with_entries(opened.source.loaded, entries, before)
    title = f" {quote(_title(entries[0]))}" if len(entries) == 1 and _title(entries[0]) else ""
    focus = tuple(EntryRef(layer, book, place + number) for number in range(len(entries)))
    return Edited(
        with_files(workspace, {opened.source.ident: made}), told or f"add {counted(len(entries))}{title}", focus
    )


def delete_entries(workspace: Workspace, refs: Sequence[EntryRef], told: str = "") -> Edited:
    """The books without some entries.

    Raises:
        UsageError: an entry is not there.
    """
    by_file: dict[int, list[Entry]] = defaultdict(list)
    for ref in _unique(refs):
        by_file[_source(workspace, ref).ident].append(entry_at(workspace, ref))
    loaded = {
        source.ident: without_entries(source.loaded, by_file[source.ident])
        for source in workspace.sources
        if source.ident in by_file
    }
    after = with_files(workspace, loaded)
    return Edited(after, told or f"delete {_counted_or_titled(workspace, refs)}", _neighbour(after, refs))


def copy_entries(
    workspace: Workspace, refs: Sequence[EntryRef], layer: Layer, book: int, before: int | None = None
) -> Edited:
    """Copies of entries in another book.

    Raises:
        UsageError: an entry or the book is not there, or it cannot take entries.
    """
    target = opened_at(workspace, layer, book)
    fields = [copied_fields(entry_at(workspace, ref)) for ref in _unique(refs)]
    told = f"copy {_counted_or_titled(workspace, refs)} to {target.book.name}"
    return add_entries(workspace, layer, book, fields, before=before, told=told)


def move_entries(
    workspace: Workspace, refs: Sequence[EntryRef], layer: Layer, book: int, before: int | None = None
) -> Edited:
    """Entries taken out of their books and put into another one.

    Raises:
        UsageError: an entry or the book is not there, it cannot take entries, or the entries are in it already.
    """
    target = opened_at(workspace, layer, book)
    if any(_source(workspace, ref).ident == target.source.ident for ref in refs):
        raise UsageError("The entries are in this file already.", hint="Reorder them inside their book instead.")
    copied = copy_entries(workspace, refs, layer, book, before)
    removed = delete_entries(copied.workspace, refs)
    told = f"move {_counted_or_titled(workspace, refs)} to {target.book.name}"
    return Edited(removed.workspace, told, copied.focus)


def set_options(workspace: Workspace, told: str, **values: Any) -> Edited:
    """Other settings, seed, context, engine, cast or chat options; no file is touched."""
    return Edited(replace(workspace, **values), told)


def attach(workspace: Workspace, source: Source, layer: Layer, told: str = "") -> Edited:
    """All books of a file as the last ones of a layer.

    Raises:
        UnreadableError: the file holds no book.
        UsageError: the layer has the file already.
    """
    source.loaded.require_book()
    if any(opened.source.ident == source.ident for opened in workspace.of(layer)):
        raise UsageError(f"{source.name} is in the layer {layer.value} already.")
    more = tuple(OpenedBook(layer, book, source, number) for number, book in enumerate(source.loaded.books))
    by_layer = {each: workspace.of(each) + (more if each is layer else ()) for each in Layer}
    known = any(each.ident == source.ident for each in workspace.sources)
    made = replace(
        workspace,
        books=tuple(opened for each in Layer for opened in by_layer[each]),
        sources=workspace.sources if known else (*workspace.sources, source),
    )
    return Edited(made, told or f"attach {source.name} to the layer {layer.value}")


def detach(workspace: Workspace, layer: Layer, book: int) -> Edited:
    """The layer without a book; its file stays as it is.

    Raises:
        UsageError: there is no such book.
    """
    gone = opened_at(workspace, layer, book)
    kept = tuple(opened for opened in workspace.books if opened is not gone)
    return Edited(replace(workspace, books=kept), f"detach {gone.book.name} from the layer {layer.value}")


def with_files(workspace: Workspace, loaded: Mapping[int, Loaded]) -> Workspace:
    """The workspace with other contents of some files, by `Source.ident`; books and the chat in force follow."""
    if not loaded:
        return workspace
    sources = tuple(
        replace(source, loaded=loaded[source.ident]) if source.ident in loaded else source
        for source in workspace.sources
    )
    by_ident = {source.ident: source for source in sources}
    books = tuple(
        replace(opened, source=by_ident[opened.source.ident], book=loaded[opened.source.ident].books[opened.position])
        if opened.source.ident in loaded
        else opened
        for opened in workspace.books
    )
    card, chat = (by_ident.get(each.ident, each) if each else None for each in (workspace.card, workspace.chat))
    return replace(workspace, sources=sources, books=books, card=card, chat=chat)


def with_source(workspace: Workspace, ident: int, other: Source) -> Workspace:
    """The workspace with another file in place of one, in every layer that has it."""
    sources = tuple(other if source.ident == ident else source for source in workspace.sources)
    books = tuple(
        replace(opened, source=other, book=other.loaded.books[opened.position])
        if opened.source.ident == ident
        else opened
        for opened in workspace.books
    )
    card, chat = (
        other if each is not None and each.ident == ident else each for each in (workspace.card, workspace.chat)
    )
    return replace(workspace, sources=sources, books=books, card=card, chat=chat)


def copied_fields(entry: Entry) -> dict[str, Any]:
    """The fields of an entry without what only means something in its file."""
    return {name: value for name, value in entry.fields.items() if name not in OWN_OF_A_FILE}


def counted(number: int) -> str:
    """`1 entry`, `3 entries`."""
    return "1 entry" if number == 1 else f"{number:,} entries"


def _source(workspace: Workspace, ref: EntryRef) -> Source:
    return opened_at(workspace, ref.layer, ref.book).source


def _unique(refs: Iterable[EntryRef]) -> tuple[EntryRef, ...]:
    return tuple(dict.fromkeys(refs))


def _place(ref: EntryRef) -> tuple[int, int, int]:
    return ref.layer.number, ref.book, ref.entry


def _whole(value: Json) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _title(fields: Mapping[str, Json]) -> str:
    comment = fields.get("comment")
    return comment if isinstance(comment, str) else ""


def _counted_or_titled(workspace: Workspace, refs: Sequence[EntryRef]) -> str:
    listed = _unique(refs)
    return quote(entry_at(workspace, listed[0]).title) if len(listed) == 1 else counted(len(listed))


def _told_of_fields(workspace: Workspace, changes: Sequence[FieldChange], refs: Sequence[EntryRef]) -> str:
    names = dict.fromkeys(change.name for change in changes)
    row = field_named(next(iter(names))) if len(names) == 1 else None
    what = (row.label or row.name).lower() if row else next(iter(names)) if len(names) == 1 else f"{len(names)} fields"
    verb = "remove" if all(change.value is MISSING for change in changes) else "set"
    return f"{verb} {what} of {_counted_or_titled(workspace, refs)}"


def _neighbour(after: Workspace, refs: Sequence[EntryRef]) -> tuple[EntryRef, ...]:
    """The entry that stands where the first deleted one stood, or the one before."""
    first = min(refs, key=_place)
    left = len(after.of(first.layer)[first.book].book.entries)
    return (replace(first, entry=min(first.entry, left - 1)),) if left else ()
