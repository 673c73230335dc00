"""The transcript as blocks: numbered messages with highlighted hits, the scan window, and the turn cursor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.tui.ink import BLANK, Paragraph, Span, marked
from lorebook_tui.tui.targets import ToMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.model.transcript import Message
    from lorebook_tui.tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture
    from lorebook_tui.tui.scene import Scene


@dataclass(slots=True)
class Look:
    """What all messages are drawn with; shared by them, so that another entry is highlighted without new blocks."""

    scene: Scene
    picture: Picture | None
    upto: int
    """Messages that exist at the turn."""
    chosen: int | None
    """Load index of the chosen entry."""
    glyphs: Glyphs

    @property
    def hits(self) -> Mapping[int, tuple[tuple[int, int, int], ...]]:
        """Hits by message; none while nothing is simulated."""
        return self.picture.hits if self.picture else {}


@dataclass(frozen=True, slots=True)
class MessageBlock:
    """One message, made into a paragraph only when it comes into sight."""

    number: int
    message: Message
    look: Look

    @property
    def target(self) -> ToMessage:
        """The message itself."""
        return ToMessage(self.number)

    def estimate(self, width: int) -> int:
        """From the length of its text."""
        text = self.message.text
        return len(text) // max(8, width - 5) + 2 + text.count("\n")

    def lines(self, width: int) -> Sequence[Line]:
        """Number and name in front, the text hanging behind the gutter of the scan window."""
        look = self.look
        future = self.number >= look.upto
        in_window = look.picture is not None and self.number in look.picture.window and not future
        gutter = Span(f"{look.glyphs.edge} " if in_window else "  ", "window")
        hidden = self.message.is_hidden
        ink = "faint" if future or hidden else "text"
        lead = (
            Span(f"{self.number + 1} ", "faint"),
            Span(name_of(look.scene, self.message), "faint" if future else "label"),
            Span(" (hidden) " if hidden else "  ", "faint"),
        )
        marks = [
            (start, end, "hit-chosen" if index == look.chosen else "hit")
            for start, end, index in sorted(look.hits.get(self.number, ()), key=lambda hit: hit[2] == look.chosen)
        ]
        text = marked(self.message.text, [] if future else marks, ink)
        return Paragraph(text, self.target, lead, 2, gutter).lines(width)


def chat_blocks(look: Look) -> tuple[list[Block], int]:
    """The blocks of a whole chat, and the place of the turn cursor among them."""
    messages = look.scene.scenario.transcript.messages
    blocks: list[Block] = [MessageBlock(number, message, look) for number, message in enumerate(messages[: look.upto])]
    place = len(blocks)
    blocks.append(cursor_block(look))
    later = range(look.upto, len(messages))
    if later:
        blocks.append(BLANK)
    blocks += [MessageBlock(number, messages[number], look) for number in later]
    return blocks, place


def cursor_block(look: Look) -> Paragraph:
    """The line where the reply of this turn is generated."""
    speaker = look.scene.scenario.cast.speaker
    name = speaker.name if speaker and speaker.name else look.scene.scenario.transcript.character_name or "The reply"
    lead = (Span(f"{look.glyphs.step} ", "cursor-turn"),)
    text = (Span(name, "cursor-turn"), Span(f" answers here: turn {look.upto}", "cursor-turn"))
    return Paragraph(text, None, lead, 2, most=1)


def name_of(scene: Scene, message: Message) -> str:
    """Who speaks, as the scan names the message."""
    if message.name is not None:
        return message.name
    cast = scene.scenario.cast
    if message.is_user:
        return cast.persona.name
    return cast.speaker.name if cast.speaker else scene.scenario.transcript.character_name
