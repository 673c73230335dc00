"""Cases of files and history. The small books lie nowhere, so that saving one asks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tui.screens.deciding import Decision
from lorebook_tui.tui.screens.file_picker import FilePicker
from tests.tui.action_cases.base import Case

_MILL = EntryRef(Layer.GLOBAL, 0, 3)


def is_off(bench: Any) -> bool:
    """Whether the chosen entry was disabled, as the space key does."""
    return bool(bench.screen.scene.entry(_MILL).is_on("disable"))


CASES: dict[str, Case] = {
    "global.undo": Case(lambda bench: not is_off(bench) and bench.screen.desk.dirty == (), ("space",)),
    "global.redo": Case(lambda bench: is_off(bench) and bench.screen.desk.undo_told != "", ("space", "u")),
    "global.save": Case(lambda bench: is_off(bench) and isinstance(bench.app.screen, Decision), ("space",)),
    "global.save_all": Case(lambda bench: is_off(bench) and isinstance(bench.app.screen, Decision), ("space",)),
    "global.save_as": Case(lambda bench: isinstance(bench.app.screen, FilePicker)),
    "global.save_options": Case(lambda _: "seed = 7" in Path("lorebook.toml").read_text("utf-8")),
}
