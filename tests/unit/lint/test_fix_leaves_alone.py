"""Repairs touch what they say and nothing else: everything beside it keeps its characters."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Recode
from lorebook_tui.lint.fixing import fixed
from lorebook_tui.lint.repairs import meet, place_of
from lorebook_tui.lint.runner import Linter
from lorebook_tui.workspace.checking import Around, read_file, world_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.js import Json, JsonPath

ROOT = Path(__file__).parents[3]
SUFFIXES = {".json", ".png", ".charx", ".jsonl"}


def readable(folder: Path) -> list[Path]:
    found = []
    for path in sorted(folder.rglob("*")):
        if path.suffix in SUFFIXES:
            try:
                detect.load(path.read_bytes(), path.name)
            except LorebookError:
                continue
            found.append(path)
    return found


FILES = [*readable(ROOT / "sample_books"), *readable(ROOT / "tests" / "corpus")]


def leaves(value: Json, path: JsonPath = ()) -> Iterator[JsonPath]:
    if isinstance(value, dict) and value:
        for name, item in value.items():
            yield from leaves(item, (*path, name))
    elif isinstance(value, list) and value:
        for place, item in enumerate(value):
            yield from leaves(item, (*path, place))
    else:
        yield path


def spelt(document: JsonDocument, path: JsonPath) -> str:
    start, end = document.span(path)
    return document.text[start:end]


def test_there_are_files() -> None:
    assert len(FILES) > 100


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_rest_keeps_its_characters(path: Path) -> None:
    file = read_file(path)
    assert file.loaded is not None
    done = fixed(file, Linter(LintConfig(select=("FMT", "KEY", "RX", "PORT"))), lambda view: world_of(view, Around()))
    changes = [change for finding in done.applied if finding.fix for change in finding.fix.changes]
    if not changes:
        assert detect.dump(done.loaded) == path.read_bytes()
        return
    if file.loaded.container.kind in {"json", "png", "charx"}:
        touched = [entry_place(change) for change in changes if not isinstance(change, Recode)]
        before, after = file.loaded.document, done.loaded.document
        for place in leaves(before.value):
            if not any(meet(place, other) for other in touched):
                assert spelt(before, place) == spelt(after, place)
        assert list(before.value) == list(after.value)


def entry_place(change: object) -> JsonPath:
    """What a repair touches in the file; of a card's entry all that the field's name may stand for."""
    place = place_of(change)  # type: ignore[arg-type] # every change but those of text
    return place[:-1] if hasattr(change, "entry") and "character_book" in place else place
