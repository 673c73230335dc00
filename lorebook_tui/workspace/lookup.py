"""Which entry somebody means: a uid, `BOOK#UID`, a title or a key."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.workspace.workspace import OpenedBook, Workspace

_LISTED = 8


@dataclass(frozen=True, slots=True)
class Found:
    """An entry and the book it is in."""

    opened: OpenedBook
    entry: Entry

    @property
    def reference(self) -> str:
        """What names this entry: `BOOK#UID`. Holds foreign text."""
        return f"{self.opened.book.name}#{self.entry.uid_text}"

    @property
    def full_reference(self) -> str:
        """What names it among entries with the same uid: `BOOK#UID:NAME`, with its name in the file."""
        return f"{self.reference}:{self.entry.key}"


def entries_of(workspace: Workspace) -> list[Found]:
    """All entries, layer by layer, in file order; a book that is in several layers counts once."""
    found: list[Found] = []
    seen: set[int] = set()
    for opened in workspace.books:
        if id(opened.book) not in seen:
            seen.add(id(opened.book))
            found += [Found(opened, entry) for entry in opened.book.entries]
    return found


def matching(workspace: Workspace, text: str) -> list[Found]:
    """Entries that a word can mean, by the first of these that names any.

    `BOOK#UID`, `BOOK.UID` or `BOOK#UID:NAME`, the uid, the exact title, a key as it stands, a part of a title or key.
    """
    everything = entries_of(workspace)
    wanted = text.strip().casefold()
    number = wanted.removeprefix("#")
    tests = (
        lambda found: wanted in {found.reference.casefold(), found.reference.casefold().replace("#", ".")},
        lambda found: found.full_reference.casefold() == wanted,
        lambda found: found.entry.uid_text == number,
        lambda found: found.entry.title.strip().casefold() == wanted,
        lambda found: any(key.strip().casefold() == wanted for key in found.entry.keys),
        lambda found: (
            bool(wanted)
            and (wanted in found.entry.title.casefold() or any(wanted in key.casefold() for key in found.entry.keys))
        ),
    )
    return next((hits for test in tests if (hits := [found for found in everything if test(found)])), [])


def find_one(workspace: Workspace, text: str) -> Found:
    """The one entry that is meant.

    Raises:
        UsageError: nothing matches, or several do; names them.
    """
    hits = matching(workspace, text)
    if len(hits) == 1:
        return hits[0]
    if hits:
        is_shared = len({found.reference for found in hits}) < len(hits)
        names = [found.full_reference if is_shared else found.reference for found in hits]
        titles = [" ".join(found.entry.title.split()) for found in hits]
        listed = [f"{name}  {title}" for name, title in zip(names[:_LISTED], titles, strict=False)]
        if len(hits) > _LISTED:
            listed.append(f"and {len(hits) - _LISTED} more")
        raise UsageError(
            f"{quote(text)} can mean {len(hits)} entries.",
            expected=f"one entry, such as {names[0]}",
            found="\n".join(listed),
        )
    known = {found.entry.title.casefold(): found.entry.title for found in entries_of(workspace)}
    close = difflib.get_close_matches(text.casefold(), known, n=1)
    raise UsageError(
        f"No entry is called {quote(text)}.",
        expected="a uid, BOOK#UID, a title or a key",
        hint=f"Did you mean {quote(known[close[0]])}?" if close else "`lorebook ls` lists all entries.",
    )
