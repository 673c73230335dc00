"""Chats and cards read from the disk while others are open, with the worlds that they are bound to."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.workspace.chat_choices import take_card, take_chat
from lorebook_tui.workspace.chat_metadata import linked_world
from lorebook_tui.workspace.files import Opener

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.edits import Edited
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import Workspace

_UP: Final = 4
"""Folders above a file in which its world is looked for: chats/CHARACTER/x.jsonl and worlds/ are cousins."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A file that was read, and the worlds it is bound to."""

    source: Source
    worlds: tuple[Source, ...] = ()
    missing: str = ""
    """Name of the world that was not found. Foreign text."""
    fresh: tuple[Source, ...] = ()
    """What was read from the disk just now."""

    def edited(self, workspace: Workspace) -> Edited:
        """The workspace with it in force, as a chat or as the character.

        Raises:
            UsageError: it is neither.
        """
        if self.source.loaded.transcript is not None:
            return take_chat(workspace, self.source, self.worlds)
        if self.source.loaded.card is not None:
            return take_card(workspace, self.source, self.worlds)
        raise UsageError(
            f"{self.source.name} is {self.source.format_title}, neither a chat nor a card.",
            hint="Books are attached to a layer in the tree.",
        )


def read(workspace: Workspace, path: Path) -> Arrival:
    """A file and the world it is bound to. One that is open already is taken as it is now, with its edits.

    Raises:
        LorebookError: the file cannot be read, or is no lore.
    """
    opener = _opener(workspace)
    return _arrived(workspace, opener.open(path), opener)


def arrival(workspace: Workspace, source: Source) -> Arrival:
    """An open file with the world it is bound to, if that can be found."""
    return _arrived(workspace, source, _opener(workspace))


def _arrived(workspace: Workspace, source: Source, opener: Opener) -> Arrival:
    name = _bound_to(source)
    is_open = any(book.name == name for each in workspace.sources for book in each.loaded.books)
    path = None if not name or is_open else world_path(workspace, source, name)
    worlds: tuple[Source, ...] = ()
    if path is not None:
        with contextlib.suppress(LorebookError):
            worlds = (opener.open(path),)
    worlds = tuple(world for world in worlds if world.loaded.books)
    known = {each.ident for each in workspace.sources}
    fresh = tuple(each for each in opener.sources.values() if each.ident not in known)
    return Arrival(source, worlds, "" if is_open or worlds else name, fresh)


def world_path(workspace: Workspace, source: Source, name: str) -> Path | None:
    """Where the world of a name is: beside the file that names it, or in a folder `worlds` near it or the workspace.

    A name that is no plain file name leads nowhere.
    """
    file = f"{name}.json"
    if set(file) & set("/\\:\0") or name.startswith("."):
        return None
    starts: list[Path] = [source.path, *((workspace.file,) if workspace.file else ())]
    for start in starts:
        folder = start.resolve().parent
        above: list[Path] = [folder, *list(folder.parents)[:_UP]]
        for near in (folder, *(up / "worlds" for up in above)):
            candidate = near / file
            try:
                if candidate.is_file():
                    return candidate
            except (OSError, ValueError):
                return None
    return None


def _bound_to(source: Source) -> str:
    """The name of the world that a chat or a card without a book of its own is bound to."""
    transcript, card = source.loaded.transcript, source.loaded.card
    if transcript is not None:
        return linked_world(transcript.metadata)
    return card.world.strip() if card is not None and not source.loaded.books else ""


def _opener(workspace: Workspace) -> Opener:
    opener = Opener(user=workspace.cast.persona.name)
    opener.sources = {source.path.resolve(): source for source in workspace.sources}
    return opener
