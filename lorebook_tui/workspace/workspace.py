"""The workspace: books by layer, cast, chat, settings and engine, as one frozen value for screens and commands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.cast import AuthorsNote, Cast
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import DEFAULT_CONTEXT, RandomSource, Scenario
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping
    from pathlib import Path

    from lorebook_tui.engine.prompt import PromptSettings
    from lorebook_tui.model.book import Book
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.workspace.asides import Aside
    from lorebook_tui.workspace.files import Source

DEFAULT_TOKENIZER = "cl100k_base"
DEFAULT_SEED = 1


@dataclass(frozen=True, slots=True)
class OpenedBook:
    """A book in a layer, and where it came from."""

    layer: Layer
    book: Book
    source: Source
    position: int = 0
    """Index among the books of its file."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """Everything that is open."""

    books: tuple[OpenedBook, ...] = ()
    """Global first, then character, persona and chat; within a layer in the order of selection."""
    cast: Cast = Cast()
    transcript: Transcript = Transcript()
    settings: ScanSettings = ScanSettings()
    engine: str = "sillytavern"
    seed: int = DEFAULT_SEED
    context: int = DEFAULT_CONTEXT
    """Tokens: context size less response length."""
    tokenizer: str = DEFAULT_TOKENIZER
    trigger: str = "normal"
    note: AuthorsNote = AuthorsNote()
    scan_note: bool = False
    """Whether the author's note and the character's note are searched for keys."""
    variables: Mapping[str, Any] = field(default_factory=dict)
    """The chat's variables."""
    prompt: Mapping[str, Any] = field(default_factory=dict)
    """Options of the prompt that differ from a fresh install's; see `prompt_options`."""
    file: Path | None = None
    """The workspace file, if it came from one."""
    card: Source | None = None
    """The file of the character."""
    chat: Source | None = None
    """The file of the transcript."""
    sources: tuple[Source, ...] = ()
    """Every file that was opened, once, in order."""
    notices: tuple[str, ...] = ()
    """What the user should know about how the files were taken; may hold foreign text."""
    parked: Mapping[tuple[Layer, Hashable], Aside] = field(default_factory=dict)
    """What layers held for chats, cards and personas that are not in force now; see `asides`."""

    @property
    def layers(self) -> Layers:
        """The books as an engine receives them."""
        return Layers(*(tuple(opened.book for opened in self.of(layer)) for layer in Layer))

    def of(self, layer: Layer) -> tuple[OpenedBook, ...]:
        """The books of one layer."""
        return tuple(opened for opened in self.books if opened.layer is layer)

    @property
    def title(self) -> str:
        """What to call it: the folder of its workspace file, else its first file; may hold foreign text."""
        if self.file is not None:
            return self.file.resolve().parent.name
        return self.sources[0].name if self.sources else "nothing"

    def counter(self) -> TokenCounter:
        """What counts tokens here.

        Raises:
            UsageError: no tokenizer has that name.
        """
        from lorebook_tui.tokens.registry import counter  # noqa: PLC0415 - counting is not needed to list books

        return counter(self.tokenizer)

    def prompt_settings(self) -> PromptSettings:
        """The settings of the prompt."""
        from lorebook_tui.workspace.prompt_settings import settings_of  # noqa: PLC0415 - only for prompts

        return settings_of(self.prompt)


def scenario(workspace: Workspace) -> Scenario:
    """The simulation's input. Timed effects stored in the chat are left out: a replay works them out itself."""
    prompt = workspace.prompt_settings() if workspace.prompt else None
    return Scenario(
        layers=workspace.layers,
        settings=workspace.settings,
        cast=workspace.cast,
        transcript=workspace.transcript,
        note=workspace.note,
        engine=workspace.engine,
        trigger=workspace.trigger,
        max_context=workspace.context,
        tokenizer=workspace.tokenizer,
        random=RandomSource(seed=workspace.seed),
        allow_wi_scan=workspace.scan_note,
        local_variables=workspace.variables,
        macro_texts=prompt.texts if prompt else {},
        example_format=prompt.example_format if prompt else _examples_of_chats(),
        unread_fields=prompt.user.unread_fields if prompt else frozenset(),
        collapse_newlines=prompt.user.collapse_newlines if prompt else False,
    )


def _examples_of_chats() -> Callable[[str, Any], str]:
    """How a fresh install's chat completion shows examples."""
    from lorebook_tui.engine.macros.card import chat_examples  # noqa: PLC0415 - files are listed without any macro

    return chat_examples
