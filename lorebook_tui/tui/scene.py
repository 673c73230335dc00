"""What the screen shows, as one frozen value: the books by layer, the scenario, and which loaded entry is which.

Workers get a scene and never look at a widget.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.model.layers import EntryRef, Layer

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.engine.prompt import PromptSettings
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layers
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.workspace.workspace import Workspace

USER_TURNS: Final = "user"
"""A turn after each message of the user."""
EVERY_TURN: Final = "each"
"""A turn after every message."""


@dataclass(frozen=True)
class Scene:
    """A workspace as the screen needs it."""

    title: str
    """What the workspace is called. Foreign text."""
    scenario: Scenario
    notes: tuple[str, ...] = ()
    """What loading had to say, a line each. Foreign text."""
    prompt_options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the prompt that differ from a fresh install's."""
    workspace: Workspace | None = field(default=None, repr=False, compare=False)
    """What it was made from, to edit; None: it can only be looked at."""

    @cached_property
    def prompt_settings(self) -> PromptSettings:
        """What shapes the prompts. For workers: it loads a part of the engine."""
        from lorebook_tui.workspace.prompt_settings import settings_of  # noqa: PLC0415 - only for prompts

        return settings_of(self.prompt_options)

    @cached_property
    def layers(self) -> Layers:
        """The books in force: a group's speaker brings its own character books."""
        layers = self.scenario.layers
        speaker = self.scenario.cast.speaker
        return replace(layers, character=speaker.books) if speaker and speaker.books else layers

    def book(self, layer: Layer, number: int) -> Book:
        """One book."""
        return self.layers.of(layer)[number]

    def entry(self, ref: EntryRef) -> Entry:
        """One entry."""
        return self.book(ref.layer, ref.book).entries[ref.entry]

    def refs(self) -> Iterator[EntryRef]:
        """Every entry, layer by layer, in file order."""
        for layer in Layer:
            for number, book in enumerate(self.layers.of(layer)):
                for place in range(len(book.entries)):
                    yield EntryRef(layer, number, place)

    def has(self, ref: EntryRef) -> bool:
        """Whether an entry stands there."""
        books = self.layers.of(ref.layer)
        return 0 <= ref.book < len(books) and 0 <= ref.entry < len(books[ref.book].entries)

    @cached_property
    def identities(self) -> dict[tuple[Layer, int], Hashable]:
        """What tells the books apart wherever they stand, by layer and place."""
        found: dict[tuple[Layer, int], Hashable] = {}
        for layer in Layer:
            opened = self.workspace.of(layer) if self.workspace is not None else ()
            for number, book in enumerate(self.layers.of(layer)):
                at = opened[number] if number < len(opened) else None
                found[layer, number] = (at.source.ident, at.position) if at is not None else book.name
        return found

    def unmoved(self, before: Scene) -> frozenset[tuple[Layer, int]]:
        """The books in which every entry stands where it stood before, by layer and place."""
        return frozenset(
            key
            for key, identity in self.identities.items()
            if before.identities.get(key) == identity and _is_same_row(before.book(*key), self.book(*key))
        )

    @cached_property
    def entry_count(self) -> int:
        """Entries of all books."""
        return sum(len(book.entries) for _, book in self.layers)


def _is_same_row(old: Book, new: Book) -> bool:
    """Whether two states of a book have the same entries in the same places."""
    if old is new:
        return True
    pairs = zip(old.entries, new.entries, strict=False)
    return len(old.entries) == len(new.entries) and all(a is b or a.key == b.key for a, b in pairs)


class Catalogue:
    """Which entry of the books is which loaded entry of a plan, both ways.

    An entry without a load index belongs to a book that another layer holds already, or nothing was loaded at all.
    """

    def __init__(self, scene: Scene, plan: Plan) -> None:
        by_object: dict[tuple[Layer, int], list[int]] = {}
        for compiled in plan.entries:
            by_object.setdefault((compiled.layer, id(compiled.entry)), []).append(compiled.index)
        self._index: dict[EntryRef, int] = {}
        self._ref: dict[int, EntryRef] = {}
        for ref in scene.refs():
            for index in by_object.get((ref.layer, id(scene.entry(ref))), ())[:1]:
                self._index.setdefault(ref, index)
                self._ref.setdefault(index, ref)

    def holds(self, scene: Scene, plan: Plan) -> bool:
        """Whether it says the same of other books, as it mostly does after an edit."""
        if not len(self._ref) == len(self._index) == len(plan.entries) == scene.entry_count:
            return False
        books = {layer: [book.entries for book in scene.layers.of(layer)] for layer in Layer}
        for index, ref in self._ref.items():
            listed = books[ref.layer]
            entries = listed[ref.book] if ref.book < len(listed) else ()
            compiled = plan.entries[index]
            if ref.entry >= len(entries) or compiled.entry is not entries[ref.entry] or compiled.layer is not ref.layer:
                return False
        return True

    def index(self, ref: EntryRef) -> int | None:
        """The load index of an entry; None if it is not loaded."""
        return self._index.get(ref)

    def ref(self, index: int) -> EntryRef | None:
        """The entry behind a load index."""
        return self._ref.get(index)


def scene_of(workspace: Workspace, previous: Scene | None = None) -> Scene:
    """A workspace as a scene.

    Args:
        workspace: what is open.
        previous: the scene before an edit; what did not change is used again, so that a replay can tell.
    """
    from lorebook_tui.workspace.workspace import scenario  # noqa: PLC0415 - only the program needs it, in a worker

    before = previous.workspace if previous is not None else None
    if previous is None or before is None or before.prompt is not workspace.prompt:
        return Scene(workspace.title, scenario(workspace), workspace.notices, workspace.prompt, workspace)
    old = previous.scenario
    made = replace(
        scenario(replace(workspace, prompt={})),
        macro_texts=old.macro_texts,
        example_format=old.example_format,
        unread_fields=old.unread_fields,
        collapse_newlines=old.collapse_newlines,
    )
    if before.books is workspace.books:
        made = made.with_layers(old.layers)
    scene = Scene(workspace.title, made, workspace.notices, workspace.prompt, workspace)
    if "prompt_settings" in vars(previous):
        vars(scene)["prompt_settings"] = previous.prompt_settings
    return scene
