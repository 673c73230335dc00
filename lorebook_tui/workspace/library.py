"""What lies around the files of a check: a SillyTavern data folder, or any folder of cards, books and chats."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LorebookError, UnreadableError
from lorebook_tui.formats import detect
from lorebook_tui.formats.base import stem_of
from lorebook_tui.lint.shelf import ShelfItem, item_of
from lorebook_tui.lint.subjects import Binding, FileView, Library
from lorebook_tui.workspace.files import read_bytes, require
from lorebook_tui.workspace.settings_file import scripts_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

SETTINGS: Final = "settings.json"
_LORE: Final = frozenset({".json", ".png", ".apng", ".charx"})
_CHATS: Final = frozenset({".jsonl"})
_SCRIPTS: Final = "quickreplies"
_NO_LORE: Final = frozenset({
    "assets", "backgrounds", "backups", "extensions", "node_modules", "thumbnails", "user", "user avatars", "vectors",
    "themes", "instruct", "context", "sysprompt", "openai settings", "textgen settings", "koboldai settings",
    "novelai settings", "movingui", "reasoning",
})  # fmt: skip
"""Folders of SillyTavern's data that hold no lore, in lower case."""
_HEAD: Final = 1 << 20
"""Bytes of a chat that are read for its first line."""


@dataclass(frozen=True)
class Surroundings:
    """A library, and its files in short."""

    library: Library
    items: tuple[ShelfItem, ...] = ()
    settings: Path | None = None
    """SillyTavern's settings file, if there is one."""


def surroundings(folder: Path, progress: Callable[[int], None] | None = None) -> Surroundings:
    """Everything in a folder that cards, chats and settings may refer to.

    Args:
        folder: SillyTavern's data folder of a user, or any other; links to folders are not followed.
        progress: told how many files were looked at.

    Raises:
        UnreadableError: there is no such folder.
    """
    require(folder)
    if not folder.is_dir():
        raise UnreadableError("This is no folder.", where=str(folder), expected="a folder of cards, books and chats")
    found = _Found()
    for number, path in enumerate(_files(folder)):
        found.take(path)
        if progress:
            progress(number + 1)
    return found.whole()


def _files(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name.lower() not in _NO_LORE)
        for name in sorted(names):
            if not name.startswith(".") and Path(name).suffix.lower() in _LORE | _CHATS:
                yield Path(here, name)


class _Found:
    """What was found so far."""

    def __init__(self) -> None:
        self.items: list[ShelfItem] = []
        self.bound: list[Binding] = []
        self.characters: set[str] = set()
        self.automations: set[str] | None = None
        self.settings: Path | None = None
        self.regex_scripts: tuple[Mapping[str, Any], ...] | None = None

    def whole(self) -> Surroundings:
        """All of it."""
        books = frozenset(book.name for item in self.items for book in item.books if not book.is_embedded)
        scripts = None if self.automations is None else frozenset(self.automations)
        library = Library(books, frozenset(self.characters), tuple(self.bound), scripts, self.regex_scripts)
        return Surroundings(library, tuple(self.items), self.settings)

    def take(self, path: Path) -> None:
        """One more file; what cannot be read is left out."""
        try:
            if path.suffix.lower() in _CHATS:
                self.chat(path)
            elif path.name.lower() == SETTINGS:
                self.take_settings(path)
            elif path.parent.name.lower() == _SCRIPTS:
                self.scripts(path)
            else:
                self.lore(path)
        except (LorebookError, ValueError, RecursionError):
            return

    def lore(self, path: Path) -> None:
        """A world or a card."""
        loaded = detect.load(read_bytes(path), path.name)
        item = item_of(FileView(str(path), loaded))
        if item is None:
            return
        self.items.append(_unchecked(item))
        if item.character:
            self.characters |= {item.character, path.stem}
            self.bound += [Binding(path.stem, link, "card", str(path)) for link in item.links]
        elif loaded.transcript is not None:
            self.bound += [Binding(path.stem, link, "chat", str(path)) for link in item.links]

    def chat(self, path: Path) -> None:
        """The header of a chat."""
        with path.open("rb") as file:
            head = file.readline(_HEAD)
        metadata = _member(json.loads(head.decode("utf-8-sig")), "chat_metadata")
        self.bind(path.stem, _member(metadata, "world_info"), "chat", path)

    def scripts(self, path: Path) -> None:
        """A set of quick replies."""
        self.automations = self.automations or set()
        replies = _member(json.loads(read_bytes(path).decode("utf-8-sig")), "qrList")
        for reply in replies if isinstance(replies, list) else ():
            name = _member(reply, "automationId")
            if isinstance(name, str) and name.strip():
                self.automations.add(name)

    def take_settings(self, path: Path) -> None:
        """Bindings of the settings: active books, additional books of characters, books of personas."""
        value = json.loads(read_bytes(path).decode("utf-8-sig"))
        scan = _member(value, "world_info_settings")
        if not isinstance(scan, dict):
            return
        self.settings = path
        self.regex_scripts = scripts_in(value) or ()
        chosen = _member(scan, "world_info")
        for name in _list(_member(chosen, "globalSelect")):
            self.bind("", name, "global", path)
        for extra in _list(_member(chosen, "charLore")):
            for name in _list(_member(extra, "extraBooks")):
                self.bind(str(_member(extra, "name") or ""), name, "extra", path)
        user = _member(value, "power_user")
        names = _member(user, "personas")
        described = _member(user, "persona_descriptions")
        for avatar, persona in (described if isinstance(described, dict) else {}).items():
            called = _member(names, avatar)
            self.bind(called if isinstance(called, str) else avatar, _member(persona, "lorebook"), "persona", path)

    def bind(self, who: str, book: Any, kind: str, path: Path) -> None:
        """Note a binding, if there is one."""
        if isinstance(book, str) and book.strip():
            self.bound.append(Binding(who, book, kind, str(path)))


def _unchecked(item: ShelfItem) -> ShelfItem:
    return ShelfItem(item.file, item.books, item.character, item.links, is_checked=False)


def _member(value: Any, name: str) -> Any:
    members: Mapping[str, Any] = value if isinstance(value, dict) else {}
    return members.get(name)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def stem_names(paths: list[Path]) -> frozenset[str]:
    """How SillyTavern would call books in files of these names."""
    return frozenset(stem_of(path.name) for path in paths)
