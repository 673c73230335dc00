"""Exits that the prompt or the author's note keeps closed, and the strategy that a book asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.lint.findings import Finding, Need, Severity
from lorebook_tui.lint.prompt_facts import (
    EXAMPLES,
    MARKERS,
    Marker,
    hides_lore,
    is_text_completion,
    marker,
    story_shows,
)
from lorebook_tui.lint.rule import Context, Example, WorldRule
from lorebook_tui.lint.slots import (
    AFTER,
    BEFORE,
    EXAMPLES_BOTTOM,
    EXAMPLES_TOP,
    NOTE_BOTTOM,
    NOTE_TOP,
    position_of,
    slot_text,
)
from lorebook_tui.model.settings import STRATEGY_CHARACTER_FIRST, STRATEGY_EVENLY, STRATEGY_GLOBAL_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from lorebook_tui.lint.subjects import BookView, EntryView, World

_STRATEGIES: Final = {
    STRATEGY_EVENLY: "sorted evenly",
    STRATEGY_CHARACTER_FIRST: "character lore first",
    STRATEGY_GLOBAL_FIRST: "global lore first",
}
_ASKS: Final = {
    STRATEGY_EVENLY: re.compile(r"\bsort(?:ed)? evenly\b|равномерн\w* (?:сортировк|перемешив)|均匀", re.IGNORECASE),
    STRATEGY_CHARACTER_FIRST: re.compile(
        r"\bcharacter(?: lore)? first\b|сначала (?:лор )?персонаж|приоритет персонажа|角色优先", re.IGNORECASE
    ),
    STRATEGY_GLOBAL_FIRST: re.compile(
        r"\bglobal(?: lore)? first\b|сначала глобальн|приоритет глобальн|全局优先", re.IGNORECASE
    ),
}
_READ_ME: Final = re.compile(
    r"read\s*_?me|instruction|how to|settings|прочти|инструкци|настройк|说明|使用", re.IGNORECASE
)
_NOTES: Final = ("description", "creator_notes", "creatorNotes", "readme")


def _entries(world: World, *positions: int) -> Iterator[EntryView]:
    """Enabled entries at some positions."""
    for book in world.books:
        yield from (entry for entry in book.entries if entry.is_enabled and position_of(entry) in positions)


class NoteNotSent(WorldRule):
    """An entry in the author's note, while the note is sent seldom or never.

    Why: SillyTavern 1.19 sends the note when the number of the user's messages is a multiple of its interval; with
    interval 0, never. At all other turns an entry in the note is activated, counted against the budget, and lost.
    Example: position "top of the note", and a note with interval 0.
    Do: set the interval to 1, or choose "at depth" instead.
    Source: SillyTavern 1.19; its documentation.
    """

    code = "ORD011"
    name = "note-not-sent"
    severity = Severity.WARNING
    needs = frozenset({Need.NOTE})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": NOTE_TOP},), note={"interval": 1}),
        Example(({"key": ["a"], "content": "x", "position": BEFORE},), note={"interval": 0}),
        Example(({"key": ["a"], "content": "x", "position": NOTE_TOP, "disable": True},), note={"interval": 0}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": NOTE_TOP},), note={"interval": 0}),
        Example(({"key": ["a"], "content": "x", "position": NOTE_BOTTOM},), note={"interval": 4}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries of both ends of the note."""
        del context
        interval = world.note.interval if world.note is not None else 1
        if interval == 1:
            return
        for entry in _entries(world, NOTE_TOP, NOTE_BOTTOM):
            if interval < 1:
                message = "It stands in the author's note, which is never sent (interval 0): its text goes nowhere."
                yield self.finding(entry, message, entry.path_of("position"))
            else:
                message = (
                    f"It stands in the author's note, which is sent only at every message of the user whose number is "
                    f"a multiple of {interval}: at the others its text goes nowhere."
                )
                yield self.finding(entry, message, entry.path_of("position"), severity=Severity.INFO)


class ExamplesOff(WorldRule):
    """An entry among the example messages, while these are not sent.

    Why: SillyTavern 1.19 puts such entries before or behind the card's examples. With the slot of the examples off in
    the prompt manager, or examples stripped, nothing of them is sent.
    Example: position "before example messages", and `dialogueExamples` switched off.
    Do: switch the examples on, or choose another position.
    Source: SillyTavern 1.19.
    """

    code = "ORD012"
    name = "examples-off"
    severity = Severity.WARNING
    needs = frozenset({Need.PROMPT})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": EXAMPLES_TOP},), prompt={}),
        Example(({"key": ["a"], "content": "x", "position": BEFORE},), prompt={"strip_examples": True}),
        Example(
            ({"key": ["a"], "content": "x", "position": EXAMPLES_TOP},),
            prompt={"api": "text", "order": ["main", "-dialogueExamples"]},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": EXAMPLES_TOP},), prompt={"strip_examples": True}),
        Example(
            ({"key": ["a"], "content": "x", "position": EXAMPLES_BOTTOM},),
            prompt={"order": ["main", "-dialogueExamples", "chatHistory"]},
        ),
        Example(({"key": ["a"], "content": "x", "position": EXAMPLES_BOTTOM},), prompt={"order": ["main"]}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries of both ends of the examples."""
        del context
        options = world.prompt or {}
        is_off = not is_text_completion(options) and marker(options, EXAMPLES) is not Marker.ON
        if not is_off and not options.get("strip_examples"):
            return
        why = "the prompt manager leaves out" if is_off else "your settings strip"
        for entry in _entries(world, EXAMPLES_TOP, EXAMPLES_BOTTOM):
            message = f"It stands among the example messages, which {why}: its text goes nowhere."
            yield self.finding(entry, message, entry.path_of("position"))


class LoreSlotOff(WorldRule):
    """An entry before or after the character, while the prompt has no place for it.

    Why: In SillyTavern 1.19 a slot of the prompt manager that is off sends nothing; one that is missing is sent behind
    everything else; a context template shows only what it names; a lore format without `{0}` sends its own words.
    Example: position "before the character", and `worldInfoBefore` switched off.
    Do: switch the slot on, or choose another position.
    Source: SillyTavern 1.19.
    """

    code = "ORD013"
    name = "lore-slot-off"
    severity = Severity.WARNING
    needs = frozenset({Need.PROMPT})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "position": BEFORE},), prompt={}),
        Example(
            ({"key": ["a"], "content": "x", "position": AFTER},),
            prompt={"order": ["-worldInfoBefore", "worldInfoAfter"]},
        ),
        Example(({"key": ["a"], "content": "x", "position": BEFORE},), prompt={"wi_format": "[Lore: {0}]"}),
        Example(
            ({"key": ["a"], "content": "x", "position": BEFORE},),
            prompt={"api": "text", "context_template": {"story_string": "{{loreBefore}}"}},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "x", "position": BEFORE},),
            prompt={"order": ["-worldInfoBefore", "worldInfoAfter"]},
        ),
        Example(({"key": ["a"], "content": "x", "position": AFTER},), prompt={"order": ["worldInfoBefore"]}),
        Example(({"key": ["a"], "content": "x", "position": AFTER},), prompt={"wi_format": "Lore"}),
        Example(
            ({"key": ["a"], "content": "x", "position": AFTER},),
            prompt={"api": "text", "context_template": {"story_string": "{{wiBefore}}"}},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries of both slots."""
        del context
        options = world.prompt or {}
        for position in (BEFORE, AFTER):
            found = _closed(options, position)
            if found is None:
                continue
            why, severity = found
            for entry in _entries(world, position):
                message = f"It stands {slot_text((position,))}, but {why}."
                yield self.finding(entry, message, entry.path_of("position"), severity=severity)


def _closed(options: Mapping[str, Any], position: int) -> tuple[str, Severity] | None:
    """Why lore of a position is not sent, or not where it should be."""
    if is_text_completion(options):
        shown = story_shows(options, position)
        return None if shown else ("the context template shows no lore there: its text goes nowhere", Severity.WARNING)
    state = marker(options, MARKERS[position])
    if state is Marker.OFF:
        return "that slot is off in the prompt manager: its text goes nowhere", Severity.WARNING
    if hides_lore(options):
        return "the format of lore has no {0}: its own words are sent in place of the text", Severity.WARNING
    if state is Marker.MISSING:
        return "that slot is missing in the prompt manager: the text is sent behind everything else", Severity.INFO
    return None


class OtherStrategy(WorldRule):
    """An insertion strategy other than the one that a book asks for in its description or its notes.

    Why: In SillyTavern 1.19 the strategy decides whose entries come first into the budget, and who stands above whom
    when orders are equal: a book that was balanced for one of them is cut otherwise under another.
    Example: a description that says "use Sorted Evenly", under "character lore first".
    Do: set the strategy that the author asks for.
    Source: SillyTavern 1.19.
    """

    code = "ORD017"
    name = "other-strategy"
    severity = Severity.INFO
    needs = frozenset({Need.SETTINGS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"description": "Use Sorted Evenly.", "entries": {}}',
            settings={"world_info_character_strategy": STRATEGY_EVENLY},
        ),
        Example(source='{"description": "Sorted evenly or global first.", "entries": {}}', settings={}),
        Example(({"comment": "Mill", "key": ["a"], "content": "The character first greets."},), settings={}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"description": "Use Sorted Evenly.", "entries": {}}', settings={}),
        Example(
            ({"comment": "READ ME", "content": "Strategy: Global Lore First", "disable": True},),
            settings={"world_info_character_strategy": STRATEGY_EVENLY},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Books that ask for exactly one strategy."""
        current = context.settings.world_info_character_strategy
        for book in world.books:
            text = "\n".join(_notes(book))
            asked = [strategy for strategy, pattern in _ASKS.items() if pattern.search(text)]
            if len(asked) == 1 and asked[0] != current:
                now = _STRATEGIES.get(current, "another")
                message = f"The book asks for the strategy “{_STRATEGIES[asked[0]]}”, but “{now}” is set."
                yield self.finding(book, message)


def _notes(book: BookView) -> Iterator[str]:
    """What a book says of itself: its description, and entries that are notes to the reader."""
    extras = book.book.extras
    card = book.file.loaded.card if book.file.loaded is not None else None
    if card is not None:
        yield card.character.creator_notes
    for name in _NOTES:
        value = extras.get(name)
        if isinstance(value, str):
            yield value
    for entry in book.entries:
        if not entry.is_enabled and _READ_ME.search(entry.entry.title):
            yield entry.entry.content
