"""Who takes part: the persona, the character or group, and the author's note."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook_tui.model.book import Book


@dataclass(frozen=True, slots=True)
class DepthPrompt:
    """A character's note: a text that is injected into the chat at a depth."""

    prompt: str = ""
    depth: int = 4
    role: str = "system"


@dataclass(frozen=True, slots=True)
class Character:
    """What the engine needs of a card; texts as they stand in it, macros unreplaced."""

    name: str = ""
    avatar: str = ""
    """File name of the card image; the character filter compares it without its extension."""
    description: str = ""
    personality: str = ""
    scenario: str = ""
    creator_notes: str = ""
    first_message: str = ""
    alternate_greetings: tuple[str, ...] = ()
    example_messages: str = ""
    system_prompt: str = ""
    post_history: str = ""
    version: str = ""
    """The card's own `character_version`."""
    tags: tuple[str, ...] | None = ()
    """Tag ids; None: the card has no entry in the tag map, so tag filters do not apply."""
    depth_prompt: DepthPrompt = DepthPrompt()
    books: tuple[Book, ...] = ()
    """For a member of a group: its own books (the main book first)."""


@dataclass(frozen=True, slots=True)
class Group:
    """Several characters; `speaker` is about to speak."""

    members: tuple[Character, ...]
    speaker: int = 0
    disabled: frozenset[int] = frozenset()
    """Indices of muted members."""
    generation_mode: int = 0
    """0 swap cards, 1 join cards without muted members, 2 join all."""
    join_prefix: str = ""
    join_suffix: str = ""


@dataclass(frozen=True, slots=True)
class Persona:
    """The user's profile."""

    name: str = "User"
    description: str = ""
    position: str = "in_prompt"
    """in_prompt, top_an, bottom_an, at_depth or none."""
    depth: int = 2
    role: int = 0


@dataclass(frozen=True, slots=True)
class Cast:
    """The persona and either a character, a group, or nobody."""

    persona: Persona = Persona()
    character: Character | None = None
    group: Group | None = None

    @property
    def speaker(self) -> Character | None:
        """The card that is about to speak."""
        return self.group.members[self.group.speaker] if self.group and self.group.members else self.character


@dataclass(frozen=True, slots=True)
class AuthorsNote:
    """The chat's note. Interval 0: never; N: when the user's messages are a multiple of N."""

    prompt: str = ""
    interval: int = 1
    position: int = 1
    depth: int = 4
    role: int = 0
    character_prompt: str = ""
    """The character's own note, added where `character_position` says if `use_character` is on."""
    use_character: bool = False
    character_position: int = 0
    """0 replaces the chat's note, 1 stands before it, 2 after it."""


@dataclass(frozen=True, slots=True)
class InjectedPrompt:
    """A named prompt of an extension; with `scan` its text is searched for keys."""

    name: str
    value: str
    scan: bool = False
    position: int = 1
    depth: int = 4
    role: int = 0
