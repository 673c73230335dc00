"""Small pieces of wording that verdicts and views share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.model.js import MISSING, number_text, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.verdicts import Place

ROLE_NAMES = {0: "system", 1: "user", 2: "assistant"}
SLOT_NAMES = {
    "before": "before the character definitions",
    "after": "after the character definitions",
    "note_top": "top of the author's note",
    "note_bottom": "bottom of the author's note",
    "examples_top": "before the example messages",
    "examples_bottom": "after the example messages",
}


def quoted(text: str) -> str:
    """A foreign text in quotation marks."""
    return f"“{text}”"


def order_text(value: float) -> str:
    """A number as it stands in the file; "none" if there is none."""
    return "none" if value != value else number_text(value)  # noqa: PLR0124 - NaN is the only value unlike itself


def counted(count: int, noun: str) -> str:
    """A number of things."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def messages_text(messages: Sequence[int]) -> str:
    """Messages by their numbers.

    Args:
        messages: indices in the transcript, at least one.
    """
    return f"message{'s' if len(messages) > 1 else ''} {', '.join(str(message + 1) for message in messages)}"


def tokens_text(count: int) -> str:
    """A number of tokens."""
    return counted(count, "token")


def role_text(role: Any) -> str:
    """A role by name; what it says if it is none."""
    return ROLE_NAMES.get(role, text_of(role)) if not isinstance(role, (list, dict)) else text_of(role)


def slot_text(slot: str, depth: Any = None, role: Any = None, outlet: str = "") -> str:
    """A slot by name."""
    if slot == "depth":
        shown = "4 (none given)" if depth is None or depth is MISSING else text_of(depth)
        return f"at depth {shown} as {role_text(role)}"
    if slot == "outlet":
        return f"in outlet {quoted(outlet)}"
    return SLOT_NAMES[slot]


def place_text(place: Place | None) -> str:
    """A place in the prompt; "nowhere" if there is none."""
    if place is None:
        return "nowhere"
    ordinal = f", text {place.number} of {place.count}" if place.count > 1 else ""
    return slot_text(place.slot, place.depth, place.role, place.outlet) + ordinal
