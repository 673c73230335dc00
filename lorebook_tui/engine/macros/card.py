"""The texts of the card that macros can ask for, replaced when they are asked for.

SillyTavern 1.19 keeps no replaced card: every text whose macros are replaced reads the fields anew. The new engine
reads a field when its macro comes and remembers it for that text; the legacy engine reads all fields before every text,
so dice and variables in a card act even if nobody asks for it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.model.js import text_of, trim, truthy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from lorebook_tui.model.cast import Cast, Character, Group

JOIN_WITHOUT_MUTED, JOIN_ALL = 1, 2
EXAMPLE_START = "<START>"
EXAMPLE_SEPARATOR = "***"
_LINE_FEEDS = re.compile(r"\n+")
_START = re.compile(EXAMPLE_START, re.IGNORECASE)
_FIELD_NAME = re.compile("<FIELDNAME>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardPart:
    """The text of one member in a joined card; prefix and suffix are replaced apart from it."""

    text: str
    char: str
    """Who `{{char}}` is in this part."""
    prefix: str = ""
    suffix: str = ""
    overrides: bool = False
    """The chat's own text: if anything is left of it, it stands alone, and is no part at all."""

    @property
    def texts(self) -> tuple[str, str, str]:
        """What is replaced, in order."""
        return self.prefix, self.text, self.suffix


@dataclass(frozen=True, slots=True)
class Card:
    """Fields of the speaking card and of the persona, macros unreplaced; joined cards of a group come in parts."""

    system_prompt: str = ""
    examples: str | tuple[CardPart, ...] = ""
    description: str | tuple[CardPart, ...] = ""
    personality: str | tuple[CardPart, ...] = ""
    persona: str = ""
    scenario: str | tuple[CardPart, ...] = ""
    post_history: str = ""
    depth_prompt: str = ""
    creator_notes: str = ""
    first_message: str = ""
    alternate_greetings: tuple[str, ...] = ()
    version: str = ""
    """Never replaced."""
    collapses: bool = False
    """Runs of line feeds become one, as the user's settings can say."""


READ_ORDER = (
    "system_prompt",
    "examples",
    "description",
    "personality",
    "persona",
    "scenario",
    "post_history",
    "depth_prompt",
    "creator_notes",
    "first_message",
)
"""The order in which the legacy engine reads the fields; alternate greetings come last."""


def card_of(cast: Cast, metadata: Mapping[str, Any]) -> Card:
    """The card of a cast, as the speaker's turn sees it.

    Args:
        cast: persona and character or group.
        metadata: the chat's; its `scenario`, `system_prompt` and `mes_example` stand in for the card's.
    """
    speaker = cast.speaker
    if speaker is None:
        return Card(persona=cast.persona.description)

    def chosen(key: str, own: str) -> str:
        value = metadata.get(key)
        return text_of(value) if truthy(value) else own

    group = cast.group if cast.group and cast.group.generation_mode in {JOIN_WITHOUT_MUTED, JOIN_ALL} else None

    def joined(field: str, label: str, key: str = "") -> str | tuple[CardPart, ...]:
        own = chosen(key, "") if key else ""
        if group is None:
            return own or str(getattr(speaker, field))
        first = (CardPart(own, speaker.name, overrides=True),) if own else ()
        return (*first, *_parts(group, field, label))

    return Card(
        system_prompt=chosen("system_prompt", speaker.system_prompt),
        examples=joined("example_messages", "Example Messages", "mes_example"),
        description=joined("description", "Description"),
        personality=joined("personality", "Personality"),
        persona=cast.persona.description,
        scenario=joined("scenario", "Scenario", "scenario"),
        post_history=speaker.post_history,
        depth_prompt=speaker.depth_prompt.prompt,
        creator_notes=speaker.creator_notes,
        first_message=speaker.first_message,
        alternate_greetings=speaker.alternate_greetings,
        version=speaker.version,
    )


def joining_members(group: Group) -> Iterator[Character]:
    """Members whose cards are joined; muted ones only in mode 2 or while they speak."""
    for number, member in enumerate(group.members):
        if group.generation_mode == JOIN_ALL or number not in group.disabled or number == group.speaker:
            yield member


def _parts(group: Group, field: str, label: str) -> Iterator[CardPart]:
    for member in joining_members(group):
        text = trim(getattr(member, field))
        if not text:
            continue
        if field == "example_messages" and not text.startswith(EXAMPLE_START):
            text = f"{EXAMPLE_START}\n{text}"
        yield CardPart(
            text,
            member.name,
            _FIELD_NAME.sub(lambda _: label, group.join_prefix),
            _FIELD_NAME.sub(lambda _: label, group.join_suffix),
        )


def chat_examples(raw: str, _: object) -> str:
    """What `{{mesExamples}}` gives with a fresh install's chat completion."""
    return format_examples(raw, f"{EXAMPLE_START}\n")


def format_examples(raw: str, heading: str = f"{EXAMPLE_SEPARATOR}\n") -> str:
    """Example messages as `{{mesExamples}}` shows them: every block under a heading."""
    if raw in {"", EXAMPLE_START}:
        return ""
    if not raw.startswith(EXAMPLE_START):
        raw = f"{EXAMPLE_START}\n{trim(raw)}"
    return "".join(f"{heading}{trim(block)}\n" for block in _START.split(raw)[1:])


class CardReader:
    """Reads the fields of a card for one text and remembers them.

    Args:
        card: what to read.
        replaced: replaces the macros of a field; the second argument is who `{{char}}` is (None: the speaker).
    """

    def __init__(self, card: Card, replaced: Callable[[str, str | None], str]) -> None:
        self.card = card
        self._replaced = replaced
        self._known: dict[str, str] = {}

    def field(self, name: str) -> str:
        """A field by the name it has in `Card`, macros replaced."""
        if name not in self._known:
            self._known[name] = self._read(getattr(self.card, name))
        return self._known[name]

    def greeting(self, number: int) -> str:
        """The first message (0) or an alternate greeting (1 …); "" if there is none."""
        if number == 0:
            return self.field("first_message")
        name = f"greeting {number}"
        if name not in self._known:
            greetings = self.card.alternate_greetings
            self._known[name] = self._read(greetings[number - 1]) if 0 < number <= len(greetings) else ""
        return self._known[name]

    def text(self, raw: str, char: str) -> str:
        """Any text of a member, read as a field of its card."""
        return self._cleaned(self._replaced(trim(raw), char))

    def _cleaned(self, text: str) -> str:
        """Without carriage returns, and with single line feeds if the settings say so."""
        return (_LINE_FEEDS.sub("\n", text) if self.card.collapses else text).replace("\r", "")

    def _read(self, content: str | tuple[CardPart, ...]) -> str:
        if isinstance(content, str):
            return self._cleaned(self._replaced(trim(content), None))
        if content and content[0].overrides:
            own = self._read(content[0].text)
            if own:
                return own
            content = content[1:]
        texts = ["".join(self._replaced(piece, part.char) for piece in part.texts) for part in content]
        return "\n".join(self._cleaned(text) for text in texts if text)
