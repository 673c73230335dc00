"""The fields of the card and persona as one generation reads them: before the scan, macros replaced, origins kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.card import JOIN_ALL, JOIN_WITHOUT_MUTED, READ_ORDER, CardReader
from lorebook_tui.engine.prompt.traced import JOINT, Origin, OriginKind, Traced, aligned
from lorebook_tui.model.cast import Character

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.macros import Card
    from lorebook_tui.engine.prompt.expanding import Expander
    from lorebook_tui.model.cast import Cast

PERSONA = Origin(OriginKind.PERSONA)


@dataclass(frozen=True, slots=True)
class CardNote:
    """The note of a card for the table of injected prompts."""

    name: str
    text: Traced
    depth: object
    role: object


class CardTexts:
    """Reads every field once, in the program's order, so that variables in them act as they do there.

    Args:
        cast: persona and character or group.
        card: the fields, macros unreplaced.
        expander: replaces macros; inside a field those of the card are empty.
    """

    def __init__(self, cast: Cast, card: Card, expander: Expander) -> None:
        self._cast = cast
        self._expander = expander
        self._reader = CardReader(card, expander.in_card)
        self._texts = {name: self._read(name) for name in READ_ORDER}

    def __getitem__(self, name: str) -> Traced:
        """A field by the name it has in `Card`."""
        return self._texts[name]

    def _read(self, name: str) -> Traced:
        content = getattr(self._reader.card, name)
        if isinstance(content, str):
            return Traced.of(self._reader.field(name), origin_of(name, self._cast))
        look = self._expander.look_in_card()
        if content and content[0].overrides:
            if look(content[0].text, None).strip():
                return Traced.of(self._reader.field(name), origin_of(name, self._cast))
            content = content[1:]
        expected: list[tuple[str, Origin]] = []
        for number, part in enumerate(content):
            if number:
                expected.append(("\n", JOINT))
            texts = "".join(look(text, part.char) for text in (part.prefix, part.text, part.suffix))
            expected.append((texts.replace("\r", ""), Origin(OriginKind.CARD, name, owner=part.char)))
        return aligned(self._reader.field(name), expected)

    def notes(self) -> list[CardNote]:
        """The notes of the cards.

        SillyTavern 1.19: one, or in groups with joined cards one for each member with a note, numbered in group order;
        muted members only while they speak.
        """
        read = [(member, self._reader.text(member.depth_prompt.prompt, member.name)) for member in self._joined()]
        noted = [(member, text) for member, text in read if text]
        if noted:
            return [
                _note(f"DEPTH_PROMPT_{number}", Traced.of(text, _note_of(member)), member)
                for number, (member, text) in enumerate(noted)
            ]
        return [_note("DEPTH_PROMPT", self["depth_prompt"], self._cast.speaker or Character())]

    def _joined(self) -> Iterator[Character]:
        group = self._cast.group
        if group is None or group.generation_mode not in {JOIN_WITHOUT_MUTED, JOIN_ALL}:
            return
        for number, member in enumerate(group.members):
            if number not in group.disabled or number == group.speaker:
                yield member


def _note(name: str, text: Traced, member: Character) -> CardNote:
    return CardNote(name, text, member.depth_prompt.depth, member.depth_prompt.role)


def _note_of(member: Character) -> Origin:
    return Origin(OriginKind.CARD, "depth_prompt", owner=member.name)


def origin_of(field: str, cast: Cast) -> Origin:
    """Where a field of the speaking card comes from."""
    if field == "persona":
        return PERSONA
    return Origin(OriginKind.CARD, field, owner=cast.speaker.name if cast.speaker else "")
