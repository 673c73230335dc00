"""What macros can see: people, card, chat, variables, chance and clock. The one mutable value of the engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from lorebook_tui.engine.macros.hashing import cyrb53
from lorebook_tui.engine.macros.seedrandom import SeedRandom

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lorebook_tui.engine.macros.card import Card
    from lorebook_tui.model.transcript import Message

UNSEEDED = 0.5
"""What an environment without a random stream draws."""
_NOW = datetime(2025, 1, 1, 12, 0, tzinfo=UTC)


def _no_stream() -> float:
    return UNSEEDED


class Entropy:
    """A stream beside the scan's, shared by all views of one environment; seeded when it is first used."""

    def __init__(self) -> None:
        self._stream: SeedRandom | None = None

    def next(self, seed: str) -> float:
        """The next number; the seed counts the first time."""
        if self._stream is None:
            self._stream = SeedRandom(seed)
        return self._stream.next()


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a group."""

    name: str
    muted: bool = False


@dataclass(slots=True)
class MacroEnvironment:
    """Everything a text with macros can depend on.

    `local` and `globals` change while texts are replaced, `draw` and `draw_random` move on. `dataclasses.replace` gives
    a view with another name or card over the same variables and streams.
    """

    user: str = "User"
    char: str = "Assistant"
    """The speaking character; SillyTavern says `Assistant` when no card is selected."""
    group: str = ""
    """Names of all members, as `{{group}}` lists them; "" outside a group."""
    members: tuple[Member, ...] = ()
    """The members one by one, for `{{groupNotMuted}}` and `{{notChar}}`."""
    card: Card | None = None
    """None: macros of the card are empty (new engine) or stay as they are (legacy), as inside card fields."""
    local: dict[str, Any] = field(default_factory=dict)
    globals: dict[str, Any] = field(default_factory=dict)
    draw: Callable[[], float] = _no_stream
    """The scan's `Math.random`: dice, and `{{random}}` when `draw_random` says so."""
    draw_random: Callable[[], float] | None = None
    """For `{{random}}` of the new engine; None: a stream apart, seeded by the chat's name."""
    now: datetime = _NOW
    """The clock with its time zone; local times are told in that zone."""
    outlets: Mapping[str, str] = field(default_factory=dict)
    messages: Sequence[Message] = ()
    """The chat as it stands, oldest first, hidden messages among them."""
    first_in_context: int | str | None = None
    """The chat's `lastInContextMessageId`, told by `{{firstIncludedMessageId}}`."""
    chat_name: str = "chat"
    chat_hash: int | None = None
    """The chat's `chat_id_hash` if it has one; else the hash of its name seeds `{{pick}}`."""
    reroll: str | None = None
    """The chat's `pick_reroll_seed`."""
    max_context: int = 8192
    """Tokens of the context less the response."""
    max_response: int = 0
    generation_type: str = ""
    """`{{lastGenerationType}}`: the kind of the running generation, or of the last one."""
    asked: set[str] = field(default_factory=set, repr=False, compare=False)
    """Macros that told what only a running generation knows, shared by all views."""
    note: str = ""
    """The author's note as it was written."""
    character_note: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Other values of the macros listed in `constants.TEXTS` (model, instruct sequences …), by name in lower case."""
    extensions: frozenset[str] = frozenset({"regex"})
    """Names for `{{hasExtension}}` in lower case."""
    example_format: Callable[[str, MacroEnvironment], str] | None = None
    """What `{{mesExamples}}` makes of the card's examples; None: blocks under a separator."""
    lent: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    """Macros that exist for one text only, by name in lower case (`original` in a card's own prompts)."""
    engine: Literal["new", "legacy"] = "new"
    entropy: Entropy = field(default_factory=Entropy, repr=False, compare=False)

    def chat_key(self) -> int:
        """The hash that stands for the chat in the seed of `{{pick}}`."""
        return cyrb53(self.chat_name) if self.chat_hash is None else self.chat_hash

    def draw_apart(self) -> float:
        """One number for `{{random}}` that leaves the scan's stream alone, as SillyTavern's entropy does."""
        return self.entropy.next(f"{self.chat_key()}/{self.now.isoformat()}")
