"""A workspace as something to check: all of its files together, with settings, cast, prompt and chats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.lint.subjects import BookView, FileView, World
from lorebook_tui.workspace import toml
from lorebook_tui.workspace.earlier import earlier_versions
from lorebook_tui.workspace.files import Opener
from lorebook_tui.workspace.opening import open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from lorebook_tui.workspace.workspace import Workspace


def world_from(path: Path, chats: Iterable[Path] = ()) -> World:
    """What a workspace file or its folder names.

    Raises:
        UnreadableError: a file that cannot be read.
        UsageError: something that cannot be meant.
    """
    opened = open_workspace([path])
    more = [Opener().open(chat).loaded.transcript for chat in chats]
    world = world_of(opened)
    world.chats = (*world.chats, *(chat for chat in more if chat is not None))
    world.earlier = earlier_versions(world.files)
    return world


def world_of(workspace: Workspace, files: Mapping[int, FileView] | None = None) -> World:
    """An open workspace.

    Args:
        workspace: as it is.
        files: views of its files by `Source.ident` that are still good.
    """
    views = {
        source.ident: (files or {}).get(source.ident) or FileView(str(source.path), source.loaded)
        for source in workspace.sources
    }
    return World(
        files=tuple(views.values()),
        books=tuple(_attached(workspace, views)),
        settings=workspace.settings,
        context=workspace.context,
        prompt=workspace.prompt,
        cast=workspace.cast,
        note=workspace.note,
        chats=(workspace.transcript,) if workspace.transcript.messages else (),
    )


def _attached(workspace: Workspace, views: Mapping[int, FileView]) -> Iterator[BookView]:
    """The books in their layers: the views that the files have, with another one for each further layer."""
    taken: set[int] = set()
    for opened in workspace.books:
        file = views[opened.source.ident]
        view = file.books[opened.position]
        if id(view) in taken:
            view = BookView(opened.book, file)
        taken.add(id(view))
        view.layer = opened.layer
        yield view


def names_lore(path: Path) -> bool:
    """Whether a workspace file names books or a card, and does not only say how to check.

    Raises:
        UnreadableError: it is no TOML.
        UsageError: something in it cannot be meant.
    """
    file = toml.read(path)
    return bool(any(file.books.values()) or file.character)


def files_of(path: Path) -> list[Path]:
    """The files that a workspace names, without the chat."""
    opened = open_workspace([path])
    return [source.path for source in opened.sources if source.loaded.transcript is None]
