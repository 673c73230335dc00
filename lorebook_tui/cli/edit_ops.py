"""The changes that commands make of many entries: values, orders, texts, removal, moving to another book."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli import edit_run, edit_text
from lorebook_tui.cli.edit_run import Choice, How, Outcome
from lorebook_tui.cli.texts import field_text
from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.workspace import bulk, edits
from lorebook_tui.workspace.edits import Edited
from lorebook_tui.workspace.facts import LoreFacts
from lorebook_tui.workspace.field_input import assignment
from lorebook_tui.workspace.files import Opener
from lorebook_tui.workspace.renumbering import renumber
from lorebook_tui.workspace.replacing import Replaced, replace_text, summary

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.cli.options import Given
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.layers import EntryRef, Layer
    from lorebook_tui.workspace.field_input import FieldInput
    from lorebook_tui.workspace.renumbering import Numbering
    from lorebook_tui.workspace.replacing import Replacement
    from lorebook_tui.workspace.workspace import Workspace

_ASSIGNMENT: Final = re.compile(r"[^\W\d][\w .-]*=", re.ASCII)


@dataclass(frozen=True, slots=True)
class Made:
    """The workspace of a command, and what it is to do with it."""

    given: Given
    writer: Writer
    how: How

    def run(self, choice: Choice, change: Callable[[Workspace, tuple[EntryRef, ...]], Outcome]) -> None:
        """Open, choose, change, show and write."""
        workspace = self.given.open(self.writer)
        refs = edit_run.chosen(workspace, choice, self.writer)
        edit_run.finish(workspace, change(workspace, refs), self.how, self.writer)


def split_assignments(words: Sequence[str]) -> tuple[list[FieldInput], list[Path]]:
    """`FIELD=VALUE` arguments, then paths.

    Raises:
        UsageError: no assignment, or one that cannot be meant.
    """
    count = next((place for place, word in enumerate(words) if not _ASSIGNMENT.match(word)), len(words))
    if not count:
        raise UsageError(
            "There is nothing to set.", expected="FIELD=VALUE, such as order=100", found=" ".join(words) or "nothing",
            hint="`lorebook fields` lists all fields.",
        )  # fmt: skip
    return [assignment(field_text(word)) for word in words[:count]], [Path(word) for word in words[count:]]


def with_paths(given: Given, paths: Sequence[Path]) -> Given:
    """The options with other paths."""
    return replace(given, paths=list(paths) or None)


def set_values(workspace: Workspace, refs: Sequence[EntryRef], inputs: Sequence[FieldInput]) -> Outcome:
    """Values for fields, one after the other, so that later ones see what earlier ones made.

    Raises:
        UsageError: an entry cannot have a value; names the entry.
    """
    after = workspace
    for given in inputs:
        changes = bulk.set_value(after, refs, given)
        if changes:
            after = edits.set_fields(after, changes).workspace
    told = ", ".join(given.told for given in inputs)
    return Outcome(Edited(after, f"set {told} of {edits.counted(len(refs))}", tuple(refs)), len(refs))


def new_orders(workspace: Workspace, refs: Sequence[EntryRef], numbering: Numbering) -> Outcome:
    """Orders given anew."""
    changes = renumber(workspace, refs, numbering)
    edited = (
        edits.set_fields(workspace, changes, f"renumber {edits.counted(len(refs))}") if changes else _same(workspace)
    )
    return Outcome(edited, len(refs))


def _same(workspace: Workspace) -> Edited:
    return Edited(workspace, "")


def tidied(workspace: Workspace, refs: Sequence[EntryRef], *, titles: bool, keys: bool) -> Outcome:
    """Doubled and blank keys out, empty titles from first keys.

    Raises:
        UsageError: neither is asked for.
    """
    if not titles and not keys:
        raise UsageError("There is nothing to tidy.", expected="--titles, --keys or both")
    changes = (
        *(bulk.dedupe_keys(workspace, refs) if keys else ()),
        *(bulk.fill_titles(workspace, refs) if titles else ()),
    )
    return Outcome(edits.set_fields(workspace, changes) if changes else _same(workspace), len(refs))


def replace_texts(
    workspace: Workspace, refs: Sequence[EntryRef], wanted: Replacement, how: How, writer: Writer
) -> Outcome:
    """Texts replaced; when it is only tried, every hit is shown.

    Raises:
        NothingFoundError: the text is in none of the entries.
    """
    found = replace_text(workspace, refs, wanted)
    if not found.changes:
        raise bulk.NothingFoundError(
            "There is nothing to replace.", expected=f"{quote(wanted.find)} in {' or '.join(wanted.fields)}",
            found=f"{edits.counted(len(refs))} without it", hint="--in names other fields, -i ignores case.",
        )  # fmt: skip
    if how.dry_run and not how.as_json:
        lore = LoreFacts(workspace)
        titles = [
            f"{lore.opened(hit.ref).book.name}#{lore.entry(hit.ref).uid_text}  {lore.entry(hit.ref).title}"
            for hit in found.hits
        ]
        writer.heading(summary(found))
        edit_text.write_hits(found.hits, titles, writer)
        writer.line()
    edited = edits.set_fields(workspace, found.changes, f"replace in {edits.counted(len(refs))}")
    return Outcome(edited, len(refs), {"hits": _hits_json(workspace, found)}, is_shown=True)


def _hits_json(workspace: Workspace, found: Replaced) -> list[dict[str, object]]:
    lore = LoreFacts(workspace)
    return [
        {
            "reference": f"{lore.opened(hit.ref).book.name}#{lore.entry(hit.ref).uid_text}",
            "field": hit.name,
            "item": hit.item,
            "start": hit.start,
            "end": hit.end,
            "found": hit.found,
            "put": hit.put,
        }
        for hit in found.hits
    ]


def remove(workspace: Workspace, refs: Sequence[EntryRef]) -> Outcome:
    """Entries taken out."""
    return Outcome(edits.delete_entries(workspace, refs), len(refs))


def target_book(workspace: Workspace, name: str) -> tuple[Workspace, Layer, int]:
    """The book to move to: one that is open, by its name, or a file, which is opened beside the others.

    Raises:
        UsageError: neither is there, or several books have that name.
    """
    from lorebook_tui.model.layers import Layer  # noqa: PLC0415 - as a type above

    path = Path(name)
    places = [(layer, number, opened) for layer in Layer for number, opened in enumerate(workspace.of(layer))]
    if path.is_file():
        resolved = path.resolve()
        for layer, number, opened in places:
            if opened.source.path.resolve() == resolved:
                return workspace, layer, number
        added = edits.attach(workspace, Opener().open(path), Layer.GLOBAL).workspace
        return added, Layer.GLOBAL, len(workspace.of(Layer.GLOBAL))
    wanted = name.casefold()
    found = {
        opened.source.ident: (layer, number)
        for layer, number, opened in reversed(places)
        if wanted in {opened.book.name.casefold(), opened.source.name.casefold()}
    }
    if len(found) == 1:
        return workspace, *next(iter(found.values()))
    names = ", ".join(dict.fromkeys(opened.book.name for _, _, opened in places))
    raise UsageError(
        f"Several open books are called {quote(name)}." if found else f"There is no book {quote(name)}.",
        expected=f"a file, or one of {names}", found=name,
        hint="" if found else f"`lorebook new {name}` makes one." if path.suffix else "Name its file.",
    )  # fmt: skip


def move(workspace: Workspace, refs: Sequence[EntryRef], target: tuple[Layer, int], *, copy: bool) -> Outcome:
    """Entries moved or copied to another book; what its file cannot hold is told.

    Raises:
        NothingFoundError: all of them are in it already.
    """
    layer, number = target
    into = edits.opened_at(workspace, layer, number).source.ident
    moved = refs if copy else [ref for ref in refs if _ident(workspace, ref) != into]
    if not moved:
        raise bulk.NothingFoundError("All of these entries are in that book already.", found=edits.counted(len(refs)))
    do = edits.copy_entries if copy else edits.move_entries
    edited = do(workspace, moved, layer, number)
    return Outcome(replace(edited, note=_lost(workspace, moved, edited) or edited.note), len(refs))


def _ident(workspace: Workspace, ref: EntryRef) -> int:
    return edits.opened_at(workspace, ref.layer, ref.book).source.ident


def _lost(workspace: Workspace, moved: Sequence[EntryRef], edited: Edited) -> str:
    """What the other file gives back otherwise, for people."""
    return edit_text.lost_fields(
        [
            (edits.entry_at(workspace, ref).fields, edits.entry_at(edited.workspace, new))
            for ref, new in zip(moved, _in_target(edited, moved), strict=False)
        ]
    )


def _in_target(edited: Edited, moved: Sequence[EntryRef]) -> tuple[EntryRef, ...]:
    """Where the moved entries are now."""
    return edited.focus if len(edited.focus) == len(moved) else ()
