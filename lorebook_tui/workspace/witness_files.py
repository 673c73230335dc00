"""Witnesses of a check as files: written one for each finding, and opened like a workspace."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.formats.new_book import loaded_of
from lorebook_tui.lint.witness import scenario_of
from lorebook_tui.model.file_names import suggested_name
from lorebook_tui.workspace import store
from lorebook_tui.workspace.files import Source, read_bytes
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.lint.told import Told
    from lorebook_tui.model.book import Book

_LARGEST = 1 << 26


def write_witnesses(folder: Path, findings: Iterable[Told]) -> list[Path]:
    """A file for each finding that has a witness: name of its file, code, number.

    Args:
        folder: is made if it is not there; files of the same names give way.
        findings: as they are told.

    Raises:
        UsageError: the folder cannot be made.
        LorebookError: a file cannot be written.
    """
    proved = [told for told in findings if told.witness is not None]
    if not proved:
        return []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            "The folder for witnesses cannot be made.", where=str(folder), found=error.strerror or str(error)
        ) from error
    written: list[Path] = []
    counts: dict[str, int] = {}
    for told in proved:
        stem = f"{suggested_name(Path(told.file).stem)[:60]}-{told.code}"
        counts[stem] = counts.get(stem, 0) + 1
        path = folder / f"{stem}-{counts[stem]}.json"
        text = json.dumps(told.witness, indent=2, ensure_ascii=False)
        store.write(path, f"{text}\n".encode("utf-8", "surrogatepass"), None)
        written.append(path)
    return written


def read_witness(path: Path) -> Mapping[str, Any]:
    """What a witness file says.

    Raises:
        UnreadableError: there is no such file, or it is no JSON.
    """
    try:
        value = json.loads(read_bytes(path, _LARGEST).decode("utf-8-sig", "surrogatepass"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError("The witness is no JSON.", where=str(path), found=str(error)[:200]) from error
    return value if isinstance(value, dict) else {"value": value}


def open_witness(path: Path) -> tuple[Workspace, str]:
    """The scenario of a witness as a workspace, and what it shows.

    Raises:
        UnreadableError: it is no witness.
    """
    value = read_witness(path)
    try:
        scenario = scenario_of(value)
    except UnreadableError as error:
        error.where = str(path)
        raise
    books = [OpenedBook(layer, book, _source(book)) for layer, book in scenario.layers]
    workspace = Workspace(
        books=tuple(books),
        cast=scenario.cast,
        transcript=scenario.transcript,
        settings=scenario.settings,
        engine=scenario.engine,
        seed=scenario.random.seed,
        context=scenario.max_context,
        tokenizer=scenario.tokenizer,
        sources=tuple(opened.source for opened in books),
    )
    return workspace, str(value.get("shows", ""))


def _source(book: Book) -> Source:
    """The book as if it had come from a file."""
    name = f"{suggested_name(book.name)}.json"
    loaded = loaded_of({"entries": {entry.key: dict(entry.fields) for entry in book.entries}}, "sillytavern", name)
    return Source(Path(name), loaded)
