"""The transcript as blocks: numbered messages with highlighted hits, the scan window, and the turn cursor."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lorebook_tui.tui.ink import BLANK, Paragraph, Span, fit, marked, width_of
from lorebook_tui.tui.targets import ToAction, ToMessage, ToSwipe, ToTurn

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.transcript import Message
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture
    from lorebook_tui.tui.scene import Scene


LONGEST: Final = 12_000
"""Characters of one message that are drawn, so that a huge one is as quick as any other."""


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
    edited: frozenset[int] = frozenset()
    """Messages that are not as they were saved."""
    unsent: int | None = None
    """The message that was never sent."""
    found: str = ""
    """Words that are searched, in lower case."""

    def marks(self, message: int) -> list[tuple[int, int, str]]:
        """What is highlighted in a message: hits of activated entries, then over them those of the chosen one."""
        hits = self.picture.hits.get(message, ()) if self.picture else ()
        found = [(start, end, "hit") for start, end, index in hits if index != self.chosen]
        found += [(start, end, "hit-chosen") for start, end, index in hits if index == self.chosen]
        return [*found, *((start, end, "hit-chosen") for start, end in self.own.get(message, ()))]

    def places_of(self, text: str) -> list[tuple[int, int, str]]:
        """Where the searched words stand in a text."""
        return [(start, start + len(self.found), "found") for start in places_in(text, self.found)]


def places_in(text: str, words: str) -> list[int]:
    """Where words stand in a text, whatever their case.

    Args:
        text: of a message.
        words: in lower case; "" stands nowhere.
    """
    lowered = text.lower()
    if not words or len(lowered) != len(text):  # an İ grows in lower case: then only exact spellings have a place
        lowered = text
    found: list[int] = []
    start = lowered.find(words) if words else -1
    while start >= 0:
        found.append(start)
        start = lowered.find(words, start + len(words))
    return found


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
        if len(text) > LONGEST:
            text = text[:LONGEST]
        return len(text) // max(8, width - 5) + 2 + text.count("\n")

    def lines(self, width: int) -> Sequence[Line]:
        """Number and name in front, the text hanging behind the gutter of the scan window."""
        look = self.look
        future = self.number >= look.upto
        in_window = look.picture is not None and self.number in look.picture.window and not future
        gutter = Span(f"{look.glyphs.edge} " if in_window else "  ", "window")
        ink = "faint" if future or self.message.is_hidden else "text"
        said = self.message.text
        marks = [*([] if future else look.marks(self.number)), *look.places_of(said)]
        text = marked(said[:LONGEST], marks, ink)
        if len(said) > LONGEST:
            text = (*text, Span(f" … {len(said) - LONGEST:,} more characters", "muted"))
        return Paragraph(text, self.target, self._lead(future=future), 2, gutter).lines(width)

    def _lead(self, *, future: bool) -> Line:
        """Number, name, what is special about the message, and its swipes."""
        look, message = self.look, self.message
        unsent, edited = self.number == look.unsent, self.number in look.edited
        notes = (message.is_hidden, "hidden"), (unsent, "not sent"), (edited and not unsent, "edited")
        told = ", ".join(word for holds, word in notes if holds)
        return (
            Span(f"{self.number + 1} ", "faint"),
            Span(name_of(look.scene, message), "faint" if future else "label"),
            Span(f" ({told})" if told else "", "near" if edited or unsent else "faint"),
            *swipe_spans(self.number, message, look.glyphs),
            Span("  " if not told or len(message.swipes) > 1 else " "),
        )


def swipe_spans(number: int, message: Message, glyphs: Glyphs) -> Line:
    """Which version of a message this is, between arrows that can be clicked; nothing for the only one."""
    if len(message.swipes) <= 1:
        return ()
    back, on = ("<", ">") if glyphs.letters else ("‹", "›")
    return (
        Span(f" {back} ", "link", ToSwipe(number, -1)),
        Span(f"{message.swipe + 1}/{len(message.swipes)}", "muted"),
        Span(f" {on}", "link", ToSwipe(number, 1)),
    )


def chat_blocks(look: Look) -> tuple[list[Block], int]:
    """The blocks of a whole chat, and the place of the turn cursor among them."""
    messages = look.scene.scenario.transcript.messages
    blocks: list[Block] = [MessageBlock(number, message, look) for number, message in enumerate(messages[: look.upto])]
    if not messages:
        blocks += nothing_yet()
    place = len(blocks)
    blocks.append(cursor_block(look))
    later = range(look.upto, len(messages))
    if later:
        blocks.append(BLANK)
    blocks += [MessageBlock(number, messages[number], look) for number in later]
    return blocks, place


def nothing_yet() -> list[Block]:
    """What can be done while there is no chat."""
    return [
        Paragraph((Span("Nobody has said anything yet.", "muted"),)),
        Paragraph((
            Span("Type a message", "link", ToAction("chat.type_message")), Span(" below, ", "muted"),
            Span("open a chat", "link", ToAction("chat.choose_chat")), Span(", or ", "muted"),
            Span("paste one", "link", ToAction("chat.paste_chat")), Span(".", "muted"),
        )),
        BLANK,
    ]  # fmt: skip


def scrub_line(chosen: int, count: int, glyphs: Glyphs, width: int) -> Line:
    """The turns as a bar with a knob.

    Args:
        chosen: turn, counted from 0.
        count: of turns.
        glyphs: signs or letters.
        width: cells.
    """
    if count <= 0 or width <= 0:
        return (Span(""),)
    past, knob, rest = ("=", "O", "-") if glyphs.letters else ("━", "●", "─")
    place = 0 if count == 1 else round(chosen * (width - 1) / (count - 1))
    return (
        Span(past * place, "window", ToTurn(max(0, chosen - 1))),
        Span(knob, "cursor-turn"),
        Span(rest * (width - 1 - place), "faint", ToTurn(min(count - 1, chosen + 1))),
    )


def turn_at(cell: int, count: int, width: int) -> int:
    """The turn at a cell of the bar, counted from 0."""
    if count <= 1 or width <= 1:
        return 0
    return round(min(max(0, cell), width - 1) * (count - 1) / (width - 1))


def who_line(number: int, name: str, glyphs: Glyphs, width: int) -> Line:
    """Who is about to say the message, and where it would stand."""
    lead = fit((Span(f"{number + 1} ", "faint"), Span(name, "label")), max(1, width - 2))
    return (*lead, Span(f" {glyphs.step}", "cursor-turn"))


def fate_lines(picture: Picture | None, titles: Sequence[str], *, waiting: bool, width: int) -> list[Line]:
    """What the message would trigger: how many entries its words hit, the budget, and where there is room their titles.

    Args:
        picture: of the turn that would follow it; None while nothing is typed.
        titles: of the entries whose keys stand in it. Foreign text.
        waiting: a newer picture is on its way.
        width: cells.
    """
    if picture is None:
        return [(Span("…" if waiting else "", "faint"),)]
    turn = picture.turn
    hits = f"{len(titles)} hit" if len(titles) == 1 else f"{len(titles)} hits"
    cut = f" {turn.cut} cut" if turn.cut else ""
    told: Line = (
        Span(hits, "in" if titles else "muted"), Span(cut, "cut"), Span(f" {turn.tokens:,}/{turn.budget:,}", "muted"),
    )  # fmt: skip
    if width_of(told) > width:
        told = told[:2]
    return [told, *(fit((Span(title, "text"),), width) for title in titles)]


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
    trigger = look.scene.scenario.trigger
    kind = f", as {trigger}" if trigger != "normal" else ""
    text = (Span(name, "cursor-turn"), Span(f" answers here: turn {look.upto}{kind}", "cursor-turn"))
    return Paragraph(text, None, lead, 2, most=1)


def name_of(scene: Scene, message: Message) -> str:
    """Who speaks, as the scan names the message."""
    if message.name is not None:
        return message.name
    cast = scene.scenario.cast
    if message.is_user:
        return cast.persona.name
    return cast.speaker.name if cast.speaker else scene.scenario.transcript.character_name
