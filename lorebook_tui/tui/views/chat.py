"""The transcript as blocks: numbered messages with highlighted hits, the scan window, and the turn cursor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.tui.ink import BLANK, Paragraph, Span, marked
from lorebook_tui.tui.targets import ToMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.explain import Explanation
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
    own: Mapping[int, Sequence[tuple[int, int]]] = field(default_factory=dict)
    """Hits of the chosen entry by message, whether it came into the prompt or not."""

    def marks(self, message: int) -> list[tuple[int, int, str]]:
        """What is highlighted in a message: hits of activated entries, then over them those of the chosen one."""
        hits = self.picture.hits.get(message, ()) if self.picture else ()
        found = [(start, end, "hit") for start, end, index in hits if index != self.chosen]
        found += [(start, end, "hit-chosen") for start, end, index in hits if index == self.chosen]
        return [*found, *((start, end, "hit-chosen") for start, end in self.own.get(message, ()))]


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
        text = marked(self.message.text, [] if future else look.marks(self.number), ink)
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


def own_hits(explanation: Explanation | None, assembly: Assembly) -> dict[int, list[tuple[int, int]]]:
    """Where the keys of one entry stand in the messages, as offsets in the text of each."""
    found: dict[int, list[tuple[int, int]]] = {}
    if explanation is None or assembly.turn.lines is not assembly.chat.lines:
        return found
    for finding in (*explanation.evidence.keys, *explanation.evidence.secondary):
        for hit in finding.hits:
            if hit.message is None:
                continue
            span = assembly.chat.own_span(hit.message, hit.text, hit.start, hit.end)
            if span is not None:
                found.setdefault(hit.message, []).append(span)
    return found


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
