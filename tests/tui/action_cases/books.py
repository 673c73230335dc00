"""Cases of the tree. At first the cursor stands on "The mill", the fourth entry of ten."""

from __future__ import annotations

from typing import Any

from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.screens.asking import Confirmation
from lorebook_tui.tui.screens.chooser import Chooser
from lorebook_tui.tui.screens.file_picker import FilePicker
from lorebook_tui.tui.screens.tree_targets import InPlace
from tests.tui.action_cases.base import Case, dialog


def entries(bench: Any) -> list[Any]:
    return list(bench.screen.scene.book(Layer.GLOBAL, 0).entries)


def rows(bench: Any) -> list[str]:
    """Titles of the first book as the tree shows them."""
    scene = bench.screen.scene
    return [scene.entry(ref).title for ref in bench.screen.layer_tree.listed() if ref.layer is Layer.GLOBAL]


def marked(bench: Any) -> list[str]:
    return [bench.screen.scene.entry(ref).title for ref in bench.screen.layer_tree.marked]


def asked(bench: Any, kind: type) -> bool:
    return isinstance(bench.app.screen, kind)


def heading(bench: Any) -> str:
    return dialog(bench).heading if asked(bench, Chooser) else ""


CASES: dict[str, Case] = {
    "layers.new_entry": Case(lambda bench: len(entries(bench)) == 11 and bench.screen.query(InPlace)),
    "layers.new_from": Case(lambda bench: heading(bench) == "Add from a template"),
    "layers.rename": Case(lambda bench: bench.screen.query_one(InPlace).value == "The mill"),
    "layers.switch": Case(lambda bench: entries(bench)[3].is_on("disable")),
    "layers.delete": Case(lambda bench: asked(bench, Confirmation) and "The mill" in bench.text()),
    "layers.duplicate": Case(lambda bench: entries(bench)[10].title == "The mill (copy)"),
    "layers.move_to": Case(lambda bench: heading(bench) == "Move 1 entry to"),
    "layers.copy_to": Case(lambda bench: heading(bench) == "Copy 1 entry to"),
    "layers.raise": Case(lambda bench: rows(bench)[2:4] == ["The mill", "The ferry"]),
    "layers.lower": Case(lambda bench: rows(bench)[3:5] == ["The guild", "The mill"]),
    "layers.folder": Case(lambda bench: heading(bench) == "Put 1 entry into"),
    "layers.mark": Case(lambda bench: marked(bench) == ["The mill"] and bench.title == "The guild"),
    "layers.mark_up": Case(lambda bench: marked(bench) == ["The mill", "The ferry"]),
    "layers.mark_down": Case(lambda bench: marked(bench) == ["The mill", "The guild"]),
    "layers.mark_range": Case(lambda bench: len(marked(bench)) == 4, ("v", "down", "down")),
    "layers.mark_all": Case(lambda bench: len(marked(bench)) == 10),
    "layers.copy": Case(lambda bench: '"The mill"' in bench.app.clipboard and len(entries(bench)) == 10),
    "layers.cut": Case(lambda bench: '"The mill"' in bench.app.clipboard and len(entries(bench)) == 9),
    "layers.paste": Case(lambda bench: [entry.title for entry in entries(bench)].count("The mill") == 2, ("y",)),
    "layers.new_book": Case(lambda bench: heading(bench) == "New book in the layer global"),
    "layers.attach": Case(lambda bench: asked(bench, FilePicker)),
    "layers.export": Case(lambda bench: heading(bench) == "Export the book as"),
}
