"""Entries on a clipboard, for screens: text from entries of a workspace, and entries from whatever was copied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import clip
from lorebook_tui.workspace.edits import entry_at, opened_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Pasted:
    """Entries that were on a clipboard."""

    entries: tuple[dict[str, Any], ...]
    """SillyTavern's fields of each, without what only means something in the file they came from."""
    book: str = ""
    """The book they are from, "" if nobody knows; foreign text."""
    is_text: bool = False
    """Plain text, which is now the content of one entry."""


def clip_of(workspace: Workspace, refs: Sequence[EntryRef]) -> str:
    """The text for a clipboard: JSON that says what it is.

    Raises:
        UsageError: an entry is not there, or there is none.
    """
    if not refs:
        raise UsageError("There is no entry to copy.")
    book = opened_at(workspace, refs[0].layer, refs[0].book).book
    return clip.write([entry_at(workspace, ref) for ref in refs], book)


def pasted(text: str) -> Pasted:
    """The entries in a clipboard's text.

    Raises:
        LorebookError: nothing to paste, broken JSON, JSON without entries, or more than the ceilings allow.
    """
    found = clip.read(text)
    return Pasted(clip.for_paste(found), found.book, found.format == clip.PLAIN_TEXT)
