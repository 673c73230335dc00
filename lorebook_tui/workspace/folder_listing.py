"""What is in a folder, for choosing a file: names that begin like what is typed, and what a file holds."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lorebook_tui.errors import LorebookError, UnsupportedError
from lorebook_tui.workspace.files import read_bytes

SUFFIXES: Final = frozenset({".json", ".jsonl", ".png", ".charx", ".lorebook", ".txt", ".toml"})
"""Of files that can hold lore or a chat."""
_MOST: Final = 500
_LARGEST: Final = 8 << 20
"""Bytes of a file that is looked into for the list."""
_LONGEST_LOOK: Final = 60


@dataclass(frozen=True, slots=True)
class Found:
    """A folder, or a file that can hold lore."""

    path: Path
    is_folder: bool = False


def listing(typed: str) -> tuple[Path, tuple[Found, ...], str]:
    """What a path that is being typed can become.

    Args:
        typed: a path, its last part unfinished; `~` is the home.

    Returns:
        The folder, what is in it (folders first, hidden ones only for a dot), and why it cannot be listed, or "".
    """
    text = typed.strip()
    start = "" if text == "~" else _last(text)
    try:
        folder = Path(text[: len(text) - len(start)] or ".").expanduser().absolute()
    except RuntimeError as error:  # nobody has this home
        return Path(text), (), str(error)
    try:
        entries = sorted(folder.iterdir(), key=lambda entry: entry.name.casefold())
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "no such folder"
        return folder, (), f"The folder cannot be read: {reason}."
    wanted = start.casefold()
    shown = [entry for entry in entries if start.startswith(".") or not entry.name.startswith(".")]
    fitting = [entry for entry in shown if entry.name.casefold().startswith(wanted)]
    fitting = fitting or [entry for entry in shown if wanted in entry.name.casefold()]
    folders = [Found(entry, is_folder=True) for entry in fitting if _is_folder(entry)]
    files = [Found(entry) for entry in fitting if entry.suffix.lower() in SUFFIXES and not _is_folder(entry)]
    return folder, tuple([*folders, *files][:_MOST]), ""


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False


def look_into(found: Found) -> str:
    """What a file holds in a few words, "" if it is no lore; for a thread, as it reads it."""
    path = found.path
    try:
        size = path.stat().st_size
        if size > _LARGEST:
            return f"{size / (1 << 20):,.0f} MiB, not looked into"
        if path.suffix.lower() == ".toml":
            return "a workspace file" if path.name == "lorebook.toml" else ""
        from lorebook_tui.formats import detect  # noqa: PLC0415 - all formats, only when something is looked into

        loaded = detect.load(read_bytes(path), path.name)
    except UnsupportedError as error:
        return _importable(path, error)
    except (LorebookError, OSError, ValueError, RecursionError):
        return ""
    title = loaded.format.title.removeprefix("a ").removeprefix("an ")[:_LONGEST_LOOK]
    if loaded.transcript is not None:
        return f"{title}, {_counted(len(loaded.transcript), 'message')}"
    if not loaded.books:
        return f"{title} without a lorebook"
    count = sum(len(book.entries) for book in loaded.books)
    return f"{title}, {_counted(count, 'entry', 'entries')}"


def _importable(path: Path, error: UnsupportedError) -> str:
    """What another product's file is, if it can be made into a world."""
    from lorebook_tui.workspace.exchange import imported  # noqa: PLC0415 - only for other products' files

    try:
        made = imported(path)
    except (LorebookError, OSError, ValueError, RecursionError):
        return ""
    count = _counted(len(made.loaded.require_book().entries), "entry", "entries")
    title = error.found.removeprefix("an ").removeprefix("a ")[:_LONGEST_LOOK] or "another product's lorebook"
    return f"{title}, {count}, to import"


def _counted(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {many or one + 's'}"


def complete(typed: str, found: tuple[Found, ...], chosen: Path | None) -> str:
    """The typed path with as much more as all that is found has in common; if that is no more, what is chosen.

    Args:
        typed: what is typed.
        found: what it can become.
        chosen: what the cursor stands on.
    """
    head = typed[: len(typed) - len(_last(typed))]
    start = _last(typed)
    names = [each.path.name for each in found if each.path.name.casefold().startswith(start.casefold())]
    common = os.path.commonprefix(names)  # noqa: RUF071 - letters that names have in common are what is wanted
    if len(common) > len(start):
        sole = len(names) == 1 and any(each.is_folder and each.path.name == common for each in found)
        return head + common + ("/" if sole else "")
    if chosen is None or chosen.name not in {each.path.name for each in found}:
        return typed
    is_folder = any(each.is_folder and each.path == chosen for each in found)
    return head + chosen.name + ("/" if is_folder else "")


def _last(typed: str) -> str:
    """The part behind the last slash."""
    cut = max(typed.rfind("/"), typed.rfind(os.sep))
    return typed[cut + 1 :]
