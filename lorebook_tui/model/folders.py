"""Folders of a book: kept in the extension data of its entries, and recognised from entries that only part others.

An entry says `extensions.lorebook_tui.folder`: a path with `/` between names, "" for outside of all folders.
SillyTavern 1.19 keeps that in worlds, in cards and from one to the other; no engine reads it. The book's own
`extensions.lorebook_tui.folders` lists folders in their order, empty ones too; only a trip through a card loses it.

A separator is an entry that is disabled, has neither keys nor content, and a title such as `--- NPCs ---`, `=== NPCs`,
`## NPCs`, `▼ NPCs` or `📁 NPCs`. It heads the entries after it, in the order of SillyTavern's editor, up to the next;
more `#` nest deeper, and a rule without a name (`-----`) ends a folder. What an entry says itself goes before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

NAMESPACE: Final = "lorebook_tui"
"""Our member of `extensions`, of entries and of books."""
OUTSIDE: Final = ""
"""The path of what is in no folder."""
DEEPEST: Final = 20
"""So many folders may lie inside each other; files come from strangers."""
_LONGEST_TITLE: Final = 200
_RULE: Final = r"[-=*_~+─━═—–•·]"
_HASHED: Final = re.compile(r"(?P<hashes>#{1,6})\s+(?P<name>.*?)\s*#*")
_FRAMED: Final = re.compile(rf"{_RULE}{{2,}}\s*(?P<name>.*?)\s*{_RULE}{{2,}}|{_RULE}{{3,}}\s*(?P<open>.*)", re.DOTALL)
_MARKED: Final = re.compile("(?:[▼▽▾▿▶▷▸▹►▻]|📁|📂|🗂)\ufe0f?\\s*(?P<name>.+)", re.DOTALL)
_BARE_RULE: Final = re.compile(rf"(?:{_RULE}|#){{3,}}")


@dataclass(frozen=True, slots=True)
class Separator:
    """What a separator entry says in its title."""

    name: str
    """The folder it heads, "" if it only ends one."""
    level: int = 0
    """How many `#` it has."""
    start: int = 0
    """Where the name begins in the title."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder with what is directly in it."""

    path: str
    entries: tuple[int, ...] = ()
    """Places of its entries in the book, in file order."""
    folders: tuple[Folder, ...] = ()
    separators: tuple[int, ...] = ()
    """Places of the entries that head it."""

    @property
    def name(self) -> str:
        """The last part of its path; foreign text."""
        return self.path.rpartition("/")[2]

    def walk(self) -> Iterator[Folder]:
        """The folder and all below it, from top to bottom."""
        yield self
        for folder in self.folders:
            yield from folder.walk()

    def find(self, path: str) -> Folder | None:
        """The folder with this path, here or below."""
        return next((folder for folder in self.walk() if folder.path == path), None)

    @property
    def everything(self) -> tuple[int, ...]:
        """Places of all entries here and below, separators left out, in file order."""
        return tuple(sorted(place for folder in self.walk() for place in folder.entries))


@dataclass(slots=True)
class _Growing:
    entries: list[int] = field(default_factory=list)
    separators: list[int] = field(default_factory=list)


def cleaned(path: str) -> str:
    """A path with every name trimmed and empty names left out, cut off below `DEEPEST` folders."""
    return "/".join([name for part in path.split("/") if (name := part.strip())][:DEEPEST])


def parent_of(path: str) -> str:
    """The folder around a folder; `OUTSIDE` for one at the top."""
    return path.rpartition("/")[0]


def is_within(path: str, folder: str) -> bool:
    """Whether a folder is another one or below it."""
    return path == folder or path.startswith(f"{folder}/") or folder == OUTSIDE


def folder_of(entry: Entry) -> str | None:
    """The folder that the entry itself names, `OUTSIDE` if it wants none; None if it says nothing."""
    ours = _ours(entry.get("extensions"))
    found = ours.get("folder")
    return cleaned(found) if isinstance(found, str) else None


def listed_folders(book: Book) -> tuple[str, ...]:
    """The folders that the book lists, in order."""
    found = _ours(book.extras.get("extensions", MISSING)).get("folders")
    paths = (cleaned(path) for path in found if isinstance(path, str)) if isinstance(found, list) else ()
    return tuple(dict.fromkeys(path for path in paths if path))


def _ours(extensions: Json) -> Mapping[str, Json]:
    ours = extensions.get(NAMESPACE) if isinstance(extensions, dict) else None
    return ours if isinstance(ours, dict) else {}


def separator_of(entry: Entry) -> Separator | None:
    """What the entry parts off, None if it is an ordinary entry."""
    if not entry.is_on("disable") or entry.content.strip() or any(key.strip() for key in entry.keys):
        return None
    if entry.is_on("delayUntilRecursion"):  # the one thing that an engine reads of a disabled entry
        return None
    comment = entry.get("comment")
    title = comment.strip() if isinstance(comment, str) else ""
    if len(title) > _LONGEST_TITLE:
        return None
    if not title or _BARE_RULE.fullmatch(title):
        return Separator("") if title else None
    for pattern in (_HASHED, _FRAMED, _MARKED):
        found = pattern.fullmatch(title)
        if found is None:
            continue
        groups = found.groupdict()
        group = "name" if groups.get("name") is not None else "open"
        name = cleaned(groups[group])
        if any(char.isalnum() for char in name):
            offset = len(comment) - len(comment.lstrip())
            return Separator(name, len(groups.get("hashes") or ""), offset + found.start(group))
    return None


def separators_of(book: Book) -> dict[int, Separator]:
    """The separators of a book by their places."""
    found = ((place, separator_of(entry)) for place, entry in enumerate(book.entries))
    return {place: separator for place, separator in found if separator is not None}


def editor_order(book: Book) -> list[int]:
    """Places of the entries as SillyTavern's editor sorts them by hand: by `displayIndex` if each has its own."""
    shown = [entry.get("displayIndex") for entry in book.entries]
    if all(isinstance(index, int) and not isinstance(index, bool) for index in shown) and len(set(shown)) == len(shown):
        return sorted(range(len(shown)), key=shown.__getitem__)
    return list(range(len(shown)))


def parted(book: Book, separators: Mapping[int, Separator]) -> list[str]:
    """The folder of every place as separators alone give it; that of a separator is the one it heads."""
    paths = [OUTSIDE] * len(book.entries)
    if not separators:
        return paths
    current = OUTSIDE
    nested: list[tuple[int, str]] = []
    for place in editor_order(book):
        separator = separators.get(place)
        if separator is not None:
            while nested and (not separator.level or nested[-1][0] >= separator.level):
                nested.pop()
            around = nested[-1][1] if nested else OUTSIDE
            current = joined(around, separator.name) if separator.name else OUTSIDE
            if separator.level:
                nested.append((separator.level, current))
        paths[place] = current
    return paths


def joined(parent: str, name: str) -> str:
    """The path of a folder inside another."""
    return f"{parent}/{name}" if parent else name


def folders_of(book: Book) -> tuple[str, ...]:
    """The folder of every entry, by its place in the book; of a separator the one it heads."""
    separators = separators_of(book)
    paths = parted(book, separators)
    for place, entry in enumerate(book.entries):
        own = folder_of(entry) if place not in separators else None
        if own is not None:
            paths[place] = own
    return tuple(paths)


def tree(book: Book) -> Folder:
    """All folders of a book with their entries; the root, whose path is `OUTSIDE`, holds what is in none.

    Folders that the book lists come first, in that order; then the others, as they appear.
    """
    separators = separators_of(book)
    paths = folders_of(book)
    growing: dict[str, _Growing] = {}
    for path in listed_folders(book):
        _grow(growing, path)
    for place in editor_order(book):
        _grow(growing, paths[place])
    for place, path in enumerate(paths):
        heads = place in separators and separators[place].name
        (growing[path].separators if heads else growing[path].entries).append(place)
    below: dict[str, list[str]] = {}
    for path in growing:
        if path:
            below.setdefault(parent_of(path), []).append(path)
    return _made(OUTSIDE, growing, below)


def _grow(growing: dict[str, _Growing], path: str) -> None:
    """Note a folder and those around it."""
    parts = path.split("/") if path else []
    for count in range(len(parts) + 1):
        growing.setdefault("/".join(parts[:count]), _Growing())


def _made(path: str, growing: Mapping[str, _Growing], below: Mapping[str, list[str]]) -> Folder:
    own = growing.get(path, _Growing())
    inner = tuple(_made(each, growing, below) for each in below.get(path, ()))
    return Folder(path, tuple(own.entries), inner, tuple(own.separators))


def order_of(root: Folder) -> tuple[str, ...]:
    """The paths of all folders from top to bottom, as a book lists them."""
    return tuple(folder.path for folder in root.walk() if folder.path)
