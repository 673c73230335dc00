"""Repairs of contents and orders in files of every format: made once, nothing more the second time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_fields
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.fixing import fixed
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import FileView
from lorebook_tui.workspace.checking import Around, world_of

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

ROOT = Path(__file__).parents[3]
LINTER = Linter(LintConfig(select=("ORD", "BUD", "CNT")))
BAD = (
    "@@depth 2\n[Mill:old ;\nwheel: broken;] \n\n\n\n\nThe mill (which {{chra}} and {user} keep\n"
    "========================\nbell\u00adbook<br><br><br><br><br>."
)
GOOD = "[Mill: old; wheel: broken]\n\n\nThe mill (which {{char}} and {{user}} keep)\nbellbook\n\n\n."


def with_lore() -> list[Path]:
    """The smallest file of each format and wrapping that has an entry."""
    smallest: dict[tuple[str, str], Path] = {}
    for path in sorted(
        (*ROOT.glob("tests/corpus/*"), *ROOT.glob("sample_books/*/*")), key=lambda each: each.stat().st_size
    ):
        try:
            loaded = detect.load(path.read_bytes(), path.name)
        except LorebookError:
            continue
        if any(book.entries for book in loaded.books):
            smallest.setdefault((loaded.format.name, loaded.container.kind), path)
    return list(smallest.values())


FILES = with_lore()


def repaired(loaded: Loaded, *, offered: bool) -> Loaded:
    return fixed(FileView("f.json", loaded), LINTER, lambda view: world_of(view, Around()), offered=offered).loaded


def test_there_are_several_formats() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
@pytest.mark.parametrize("offered", [False, True])
def test_a_bad_content_is_repaired_once(path: Path, offered: bool) -> None:
    loaded = detect.load(path.read_bytes(), path.name)
    entry = next(entry for book in loaded.books for entry in book.entries)
    bad = with_fields(loaded, [(entry, "content", BAD), (entry, "disable", False)])
    once = repaired(bad, offered=offered)
    content = next(entry for book in once.books for entry in book.entries).content
    if offered:
        assert content.removeprefix("@@depth 2\n") == GOOD
    assert "\u00ad" not in content
    assert "==" not in content
    assert "[Mill: old; wheel: broken]" in content
    assert detect.dump(repaired(once, offered=offered)) == detect.dump(once)
    assert [other.fields for book in once.books for other in book.entries][1:] == [
        other.fields for book in bad.books for other in book.entries
    ][1:] or offered
