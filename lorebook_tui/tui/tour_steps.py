"""The six steps of the tour: what each tells, which pane it points at, which actions it waits for. Knows no Textual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.glyphs import Kind, Mark
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Block

EDITED: Final = "edited"
"""Stands among the awaited actions for any edit of a book."""


@dataclass(frozen=True, slots=True)
class TourStep:
    """One step.

    In the texts `{NAME}` is the key of an action, or a sign: a name of `Kind` or `Mark` in capitals.
    """

    pane: str
    title: str
    text: str
    task: str
    """What to do to go on, without a full stop."""
    waits_for: tuple[str, ...]
    """Ids of the actions that it teaches, or `EDITED`."""
    wants_cut: bool = False
    """Whether an entry that the budget cuts is to be shown."""
    field: str = ""
    """The field of the entry that the cursor is put on."""


STEPS: Final = (
    TourStep(
        "layers",
        "Books in four layers",
        "The tree holds the books of the world, the character, the persona and the chat. {CONSTANT} is always on, "
        "{KEYED} waits for a key, {VECTORISED} for a meaning, {DISABLED} is off. At the right stands what became of an "
        "entry at this turn: {IN} in the prompt, {CUT} cut by the budget, {NEAR} nearly woken, blank for not woken.",
        "Go to the next entry with {list.down}",
        ("list.down", "list.up"),
    ),
    TourStep(
        "chat",
        "Every turn of the chat",
        "The chat is replayed turn by turn, and every pane shows the same turn. The words that woke an entry are "
        "marked in the messages that were searched; the last line is where the model answers.",
        "Go one turn back with {global.previous_turn} (and on with {global.next_turn})",
        ("global.previous_turn", "global.next_turn"),
    ),
    TourStep(
        "layers",
        "Why it is in, or out",
        "For the chosen entry the program says in one sentence why it is in the prompt or out of it, then shows the "
        "proof: the key, the message, the roll, the entry that took its place, the key that nearly matched.",
        "Look at the reason with {global.to_why}",
        ("global.to_why", "list.choose"),
    ),
    TourStep(
        "why",
        "What the budget cuts, and what helps",
        "Lore has a budget of tokens. Entries are tried in order, and the first that would reach the budget ends the "
        "line: it and all behind it are cut {CUT}. Here stands what it lacked, and the smallest changes that would "
        "bring it in{fix}. Phase 5 draws the same as a bar.",
        "Look at the bar with {global.to_phases}",
        ("global.to_phases",),
        wants_cut=True,
    ),
    TourStep(
        "entry",
        "Change something and watch",
        "Everything about an entry stands here: keys, text, and what each field comes to. After a change the chat is "
        "replayed at once, and the bar, the marks and the reason follow. {global.reference} explains a field.",
        "Switch the field Ignore budget on with {entry.toggle_field}, and watch the bar at the top",
        (EDITED, "entry.toggle_field"),
        wants_cut=True,
        field="ignoreBudget",
    ),
    TourStep(
        "layers",
        "Nothing is lost",
        "{global.undo} takes back any edit{save}. {global.help} lists the keys of a pane, {global.jump} puts a letter "
        "on everything, and the palette finds every action, entry, turn, setting and field by a few letters.",
        "End the tour by opening the palette with {global.palette}",
        ("global.palette",),
    ),
)


def step_blocks(number: int, glyphs: Glyphs, key_of: Callable[[str], str]) -> list[Block]:
    """The card of a step.

    Args:
        number: of the step, from 0.
        glyphs: signs or letters.
        key_of: the key of an action by its id; "" if it has none or does not exist.
    """
    step = STEPS[number]
    is_last = number == len(STEPS) - 1
    return [
        Row((Span(step.title, "title"),), (Span(f"step {number + 1} of {len(STEPS)}", "muted"),)),
        Paragraph(tuple(_filled(step.text, glyphs, key_of))),
        BLANK,
        Paragraph((*_filled(step.task, glyphs, key_of), Span(".", "text"))),
        Row(
            (
                Span("enter ", "key-name"),
                Span("end   " if is_last else "next   ", "muted"),
                Span("esc ", "key-name"),
                Span("leave the tour", "muted"),
            )
        ),
    ]


def _filled(text: str, glyphs: Glyphs, key_of: Callable[[str], str]) -> Iterable[Span]:
    """The text with its names replaced by keys and signs."""
    for place, part in enumerate(text.split("{")):
        name, closed, rest = part.partition("}") if place else ("", "", part)
        if closed:
            yield from _named(name, glyphs, key_of)
        if rest:
            yield Span(rest)


def _named(name: str, glyphs: Glyphs, key_of: Callable[[str], str]) -> Iterable[Span]:
    if name in Kind.__members__:
        kind = Kind[name]
        return (Span(glyphs.kind(kind), kind.ink),)
    if name in Mark.__members__:
        mark = Mark[name]
        return (Span(glyphs.mark(mark), mark.ink),)
    if name == "save":
        key = key_of("global.save")
        return (Span(", "), Span(key, "key-name"), Span(" saves")) if key else ()
    if name == "fix":
        key = key_of("why.offer_1")
        return (Span(": "), Span(key, "key-name"), Span(" makes the first of them")) if key else ()
    return (Span(key_of(name) or "the palette", "key-name"),)
