"""What all commands that change books do: find entries, show the change, guard, write, and tell what was written."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.cli import edit_text
from lorebook_tui.cli.output import Progress
from lorebook_tui.display import elide, plain, quote
from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.workspace import guards, query
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.bulk import NothingFoundError
from lorebook_tui.workspace.bulk_changes import differences
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.facts import REPLAYED, LoreFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.bulk_changes import FileChange
    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.query import Query
    from lorebook_tui.workspace.store import Saved
    from lorebook_tui.workspace.workspace import Workspace

_LISTED: Final = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """Which entries are meant."""

    query: str
    books: tuple[str, ...] = ()
    """Names of books or files that they must be in; empty: any."""


@dataclass(frozen=True, slots=True)
class How:
    """How a change is made."""

    dry_run: bool = False
    force: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a command found, and what it made of it."""

    edited: Edited
    matched: int
    """Entries that were asked for."""
    more: dict[str, Any] = field(default_factory=dict)
    """What the JSON tells besides."""
    is_shown: bool = False
    """What becomes of the entries is shown already."""


def given_query(text: str) -> str:
    """A query that means some entries.

    Raises:
        UsageError: it is empty, which a forgotten variable of the shell makes it, or it is a file.
    """
    if not text.strip():
        raise UsageError("The query is empty.", expected="a query", hint="'*' means all entries.")
    if Path(text).is_file():
        raise UsageError(
            "The query is missing: this is a file.", expected="a query before the paths", found=text,
            hint="'*' means all entries, title:… those with a title.",
        )  # fmt: skip
    return text


def chosen(workspace: Workspace, choice: Choice, writer: Writer) -> tuple[EntryRef, ...]:
    """The entries that are meant; the chat is replayed if the query asks about it.

    Raises:
        NothingFoundError: none is.
        UsageError: a query that cannot be understood, or a book that is not open.
    """
    asked = query.parse(choice.query)
    lore = _facts(workspace, asked, writer)
    found = query.select(lore, asked)
    if choice.books:
        found = _in_books(lore, found, choice.books)
    if found:
        return found
    if not any(opened.book.entries for opened in workspace.books):
        raise NothingFoundError("There are no entries in these files.", found=plain(workspace.title, " "))
    similar = query.select(lore, asked, similar=True) if asked.words else ()
    titles = [" ".join(lore.entry(ref).title.split()) for ref in similar[:_LISTED]]
    raise NothingFoundError(
        f"No entry matches {quote(choice.query)}.",
        expected="at least one entry" + (f" in {' or '.join(choice.books)}" if choice.books else ""),
        hint=f"Did you mean {' or '.join(map(quote, titles))}?" if titles else "`lorebook ls` lists all entries.",
    )


def narrowed(workspace: Workspace, choice: Choice, writer: Writer) -> Workspace:
    """The workspace with only the entries that are meant, to be looked at and not to be edited.

    Raises:
        NothingFoundError: none is.
        UsageError: a query that cannot be understood, or a book that is not open.
    """
    refs = chosen(workspace, choice, writer)
    kept: dict[tuple[int, int], list[Entry]] = {}
    lore = LoreFacts(workspace)
    for ref in refs:
        opened = lore.opened(ref)
        kept.setdefault((opened.source.ident, opened.position), []).append(lore.entry(ref))
    books = tuple(
        replace(opened, book=replace(opened.book, entries=tuple(kept[opened.source.ident, opened.position])))
        for opened in workspace.books
        if (opened.source.ident, opened.position) in kept
    )
    return replace(workspace, books=books)


def _facts(workspace: Workspace, asked: Query, writer: Writer) -> LoreFacts:
    if not asked.needs & REPLAYED or workspace.chat is None:
        return LoreFacts(workspace)
    from lorebook_tui.workspace.replayed_facts import replayed_facts  # noqa: PLC0415 - replays only if it is asked

    with Progress(writer, "Replaying", len(workspace.transcript)) as progress:
        return LoreFacts(workspace, replayed_facts(workspace, watch=progress))


def _in_books(lore: LoreFacts, refs: Sequence[EntryRef], names: Sequence[str]) -> tuple[EntryRef, ...]:
    known = {
        place_name for opened in lore.workspace.books for place_name in _names(opened.book.name, opened.source.path)
    }
    for name in names:
        if name.casefold() not in known:
            books = dict.fromkeys(opened.book.name for opened in lore.workspace.books)
            raise UsageError(f"No open book is called {quote(name)}.", expected=", ".join(books), found=name)
    wanted = {name.casefold() for name in names}

    def is_in(ref: EntryRef) -> bool:
        opened = lore.opened(ref)
        return bool(wanted & _names(opened.book.name, opened.source.path))

    return tuple(ref for ref in refs if is_in(ref))


def _names(book: str, path: Path) -> set[str]:
    return {book.casefold(), path.name.casefold(), path.stem.casefold()}


def finish(before: Workspace, outcome: Outcome, how: How, writer: Writer) -> None:
    """Show the change and, unless it is only tried, write it.

    Raises:
        GuardError: it touches a locked entry or loses most of a content, and is not forced.
        NotWrittenError: a file could not be written.
    """
    changes = differences(before, outcome.edited.workspace)
    if not how.force and not how.dry_run:
        guards.check([entry for change in changes for entry in change.entries])
    saved: list[Saved] = []
    if how.dry_run and not how.as_json:
        edit_text.write_changes(changes, writer, only_files=outcome.is_shown)
        _warn(changes, how, writer)
    elif not how.dry_run:
        saved = _save(before, outcome.edited, changes, writer)
    if how.as_json:
        writer.json(_json(outcome, changes, saved, how))
        return
    if not changes:
        writer.narrate(f"{_entries(outcome.matched)} found; all of them are like that already.")
    for change, written in zip(changes, saved, strict=False):
        write_saved(change, written, writer)
    if how.dry_run and changes:
        writer.narrate("Nothing is written (--dry-run).")
    if outcome.edited.note:
        writer.narrate(plain(outcome.edited.note, " "))


def _warn(changes: Sequence[FileChange], how: How, writer: Writer) -> None:
    """Say that the change would be refused."""
    if how.force:
        return
    try:
        guards.check([entry for change in changes for entry in change.entries])
    except guards.GuardError as error:
        writer.narrate(f"Needs --force: {plain(error.message, ' ')}")


def _save(before: Workspace, edited: Edited, changes: Sequence[FileChange], writer: Writer) -> list[Saved]:
    """Write every file that changed, those that only grow first, so that nothing moved is ever on no disk."""
    desk = Desk(before, backup=BackupPolicy(every=True))
    desk.do(edited)
    saved: dict[int, Saved] = {}
    for change in sorted(changes, key=lambda each: any(entry.after is None for entry in each.entries)):
        try:
            saved[change.source.ident] = desk.save(change.source)
        except LorebookError:
            for written in saved.values():
                writer.narrate(f"{plain(str(written.path), ' ')} is written already.")
            raise
    return [saved[change.source.ident] for change in changes]


def write_saved(change: FileChange, saved: Saved, writer: Writer) -> None:
    """What was written, and where the backup is."""
    name = elide(change.source.name, writer.width // 2, at="middle")
    writer.line(f"{writer.styled(name, 'bold')}  {edit_text.told_of_file(change)}")
    if saved.backup is not None:
        writer.line(writer.styled(f"  backup  {plain(str(saved.backup), ' ')}", "faint"))


def _json(outcome: Outcome, changes: Sequence[FileChange], saved: Sequence[Saved], how: How) -> dict[str, Any]:
    files = []
    for number, change in enumerate(changes):
        written = saved[number] if number < len(saved) else None
        files.append(
            {
                "file": str(change.source.path),
                "lines": change.lines,
                "written": written is not None,
                "backup": str(written.backup) if written is not None and written.backup else None,
                "entries": [edit_text.change_json(entry) for entry in change.entries],
            }
        )
    return {"dry_run": how.dry_run, "matched": outcome.matched, **outcome.more, "files": files}


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"
