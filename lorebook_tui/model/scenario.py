"""Everything one simulation depends on, in one frozen value; and the steps of a replay."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.cast import AuthorsNote, Cast
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Transcript

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.model.cast import InjectedPrompt

TRIGGERS = ("normal", "continue", "impersonate", "swipe", "regenerate", "quiet")
DEFAULT_CONTEXT = 8192
DEFAULT_NOW = datetime(2025, 1, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class RandomSource:
    """Where random numbers come from: a mulberry32 seed, or a list of numbers in [0, 1)."""

    seed: int = 1
    numbers: tuple[float, ...] | None = None
    """Used in order instead of the seed; 0.5 when it runs out."""
    per_turn: bool = False
    """Start anew from the seed at every turn."""


@dataclass(frozen=True, slots=True)
class ForcedEntry:
    """An entry activated from outside (vector search): given fields take the place of the loaded ones."""

    world: Any
    uid: Any
    fields: Mapping[str, Any] = field(default_factory=dict)
    bare: bool = False
    """It was given while no lore was loaded at all: the given fields are all it has."""


@dataclass(frozen=True, slots=True)
class Step:
    """One generation of a replay. None: as in the scenario (or as the step before changed it)."""

    upto: int
    """Number of messages of the transcript that exist at this turn."""
    trigger: str | None = None
    dry_run: bool | None = None
    settings: Mapping[str, Any] | None = None
    """Settings that change here and stay changed."""
    layers: Layers | None = None
    """Books that change here and stay changed."""
    random: RandomSource | None = None
    """The random stream starts anew from this source here."""
    quiet_prompt: str | None = None
    forced: tuple[ForcedEntry, ...] | None = None
    now: datetime | None = None
    max_context: int | None = None
    report: bool = True


@dataclass(frozen=True, slots=True)
class Scenario:
    """The input of a simulation: lore, settings, people, chat, chance and clock."""

    layers: Layers = Layers()
    settings: ScanSettings = ScanSettings()
    cast: Cast = Cast()
    transcript: Transcript = Transcript()
    note: AuthorsNote = AuthorsNote()
    injected: tuple[InjectedPrompt, ...] = ()
    engine: str = "sillytavern"
    trigger: str = "normal"
    dry_run: bool = False
    max_context: int = DEFAULT_CONTEXT
    """Tokens that the scan may take its budget from (context size less response length)."""
    tokenizer: str = "estimate"
    random: RandomSource = RandomSource()
    random_macro: str = "stream"
    """`stream`: `{{random}}` draws from the random source; `native`: unpredictable, drawn apart."""
    macro_engine: str = "new"
    """`new` (SillyTavern 1.19's parser) or `legacy` (the old regular expressions)."""
    macro_texts: Mapping[str, str] = field(default_factory=dict)
    """What macros tell about settings of the prompt (instruct sequences, separators …), by name in lower case."""
    example_format: Callable[[str, Any], str] | None = None
    """What `{{mesExamples}}` makes of the card's examples in an environment of macros; None: plain blocks."""
    unread_fields: frozenset[str] = frozenset()
    """Fields of the card that the settings of the prompt pass over (`system_prompt`, `post_history`)."""
    collapse_newlines: bool = False
    """Runs of line feeds in card fields become one."""
    now: datetime = DEFAULT_NOW
    quiet_prompt: str = ""
    forced: tuple[ForcedEntry, ...] = ()
    allow_wi_scan: bool = False
    """Whether the author's note and character's notes are scanned for keys."""
    scan_data: Mapping[str, str] = field(default_factory=dict)
    """Overrides of `personaDescription`, `characterDescription`, `characterPersonality`, `characterDepthPrompt`,
    `scenario`, `creatorNotes` and `trigger`."""
    scan_texts: tuple[str, ...] | None = None
    """Override: the strings handed to the scan, newest first."""
    timed: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    """Earlier timed effects: `sticky` and `cooldown`, each by `BOOK.UID`."""
    local_variables: Mapping[str, Any] = field(default_factory=dict)
    global_variables: Mapping[str, Any] = field(default_factory=dict)

    def with_layers(self, layers: Layers) -> Scenario:
        """The same scenario over other books."""
        return replace(self, layers=layers)
