"""Remedies in words: the phrases of changes, and sentences with what else happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.explain import LOGIC_NAMES
from lorebook_tui.engine.trace import Outcome, Reason
from lorebook_tui.engine.wording import SLOT_NAMES, counted, quoted, tokens_text
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.remedies.trials import SideEffect

MOST_NAMED: Final = 3
_POSITIONS: Final = {0: SLOT_NAMES["before"], 1: SLOT_NAMES["after"], 4: "in the chat at a depth"}
_LOSSES: Final = {
    Outcome.CUT: ("is cut", "are cut"),
    Outcome.ROLLED_OUT: ("loses its roll", "lose their rolls"),
    Outcome.WAITING: ("has to wait", "have to wait"),
}
_GROUP_REASONS: Final = frozenset(
    reason for reason in Reason if reason.name.startswith("GROUP_") and reason is not Reason.GROUP_COOLDOWN
)
_FIRST_WORDS: Final = ("with", "without", "as", "outside")


def number(value: Any) -> str:
    """A number as a file spells it."""
    return text_of(value)


def order(value: float) -> str:
    """Insertion order."""
    return f"with order {number(value)}"


def scan_depth(value: int) -> str:
    """The entry's own scan depth."""
    return f"with its own scan depth of {counted(value, 'message')}"


def global_depth(value: int) -> str:
    """The scan depth of all entries."""
    return f"with a global scan depth of {counted(value, 'message')}"


def key_added(key: str, *, secondary: bool = False) -> str:
    """One more key."""
    return f"with {quoted(key)} as another {'secondary ' if secondary else ''}key"


def key_replaced(old: str, new: Sequence[str]) -> str:
    """A key in another form."""
    words = "the key" if len(new) == 1 else "the keys"
    return f"with {words} {listed([quoted(key) for key in new])} in place of {quoted(old)}"


def secondary_removed(keys: Sequence[str]) -> str:
    """Fewer secondary keys."""
    return f"without the secondary {'key' if len(keys) == 1 else 'keys'} {listed([quoted(key) for key in keys])}"


def logic(value: int) -> str:
    """Another logic of secondary keys."""
    return f"with the secondary logic {LOGIC_NAMES[value]}"


def switched(option: str, *, on: bool, whole: bool = False) -> str:
    """An option of the entry, or of all entries."""
    return f"with {quoted(option)} {'on' if on else 'off'}{' for all entries' if whole else ''}"


def source(name: str) -> str:
    """One more text that is scanned."""
    words = {
        "personaDescription": "the persona's description",
        "characterDescription": "the character's description",
        "characterPersonality": "the character's personality",
        "characterDepthPrompt": "the character's note",
        "scenario": "the scenario",
        "creatorNotes": "the creator's notes",
    }
    return f"with {words[name]} scanned too"


def length(kind: str, value: int) -> str:
    """A timed effect of another length."""
    return f"with a {kind} of {counted(value, 'message')}" if value else f"without its {kind}"


def filtered(word: str, *, added: bool, whose: str) -> str:
    """A name or tag in a filter or list."""
    return f"with {quoted(word)} among {whose}" if added else f"without {quoted(word)} among {whose}"


def probability(value: int) -> str:
    """A percentage."""
    return f"with a probability of {value} %"


def weight(value: int) -> str:
    """A weight in a group's roll."""
    return f"with a group weight of {value}"


def left_group(names: Sequence[str]) -> str:
    """Out of one or more groups."""
    return f"outside the {'group' if len(names) == 1 else 'groups'} {listed([quoted(name) for name in names])}"


def shortened(tokens: int, fewer: int, title: str = "") -> str:
    """A shorter text of the entry or of another."""
    size = f"to {tokens_text(tokens)} ({fewer} fewer)"
    return f"with {quoted(title)} shortened {size}" if title else f"shortened {size}"


def position(value: int, depth: Any) -> str:
    """Another place in the prompt."""
    if value == 4:  # noqa: PLR2004 - SillyTavern's number for "at depth"
        return f"with the position at depth {number(depth)}"
    return f"with a position {_POSITIONS[value]}"


def listed(words: Sequence[str], joint: str = "and") -> str:
    """A, B and C."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {joint} {words[-1]}"


def sentence(phrases: Sequence[str], effects: Sequence[SideEffect], title: Callable[[int], str]) -> str:
    """A proposal in one sentence.

    Args:
        phrases: the changes, such as "with order 121".
        effects: what happens to other entries.
        title: what an entry is called, by load index.
    """
    told = listed(_run_on(phrases))
    comma = "" if phrases[0].split(" ", 1)[0] in _FIRST_WORDS else ","
    also = consequences(effects, title)
    return f"{told[0].upper()}{told[1:]}{comma} it is in{f' (then {also})' if also else ''}."


def _run_on(phrases: Sequence[str]) -> list[str]:
    """Phrases one behind the other: "with A" and "with B" are "with A and B"."""
    told: list[str] = []
    for place, phrase in enumerate(phrases):
        repeats = place and phrase.startswith("with ") and phrases[place - 1].startswith("with ")
        told.append(phrase.removeprefix("with ") if repeats else phrase)
    return told


def consequences(effects: Sequence[SideEffect], title: Callable[[int], str]) -> str:
    """What happens to other entries: "A is cut and B comes in"; "" if nothing does."""
    groups: dict[tuple[str, str], list[str]] = {}
    for effect in sorted(effects, key=lambda effect: not effect.is_loss):
        groups.setdefault(_verb(effect), []).append(quoted(title(effect.index)))
    return listed([f"{_named(names)} {verb[len(names) > 1]}" for verb, names in groups.items()]) if groups else ""


def _named(names: Sequence[str]) -> str:
    """A few names, and how many more there are."""
    if len(names) <= MOST_NAMED + 1:
        return listed(names)
    return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} more"


def _verb(effect: SideEffect) -> tuple[str, str]:
    if not effect.is_loss:
        return "comes in", "come in"
    if effect.after in _GROUP_REASONS:
        return "loses its group", "lose their groups"
    return _LOSSES.get(effect.after.outcome, ("drops out", "drop out"))
