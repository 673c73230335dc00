"""Why an activated entry, or another text, is not in the prompt: the sentences for people."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.reason_help import REASON_HELP
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.wording import quoted, slot_text

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.pieces import AssembledPrompt

_ENTRY_SENTENCES: Final = {
    DropReason.NO_NAMED_LINE: "No line of this example begins with a name, so only the marker of the example is sent.",
    DropReason.OVERWRITTEN: "Another record of the same depth and role takes its name in the table and overwrites it.",
    DropReason.STRIPPED: "Example messages are stripped, and it stands among them.",
    DropReason.SLOT_OFF: "Its slot is switched off or missing in the prompt manager.",
    DropReason.NOT_IN_TEMPLATE: "The context template shows no lore at its position.",
    DropReason.HIDDEN_BY_FORMAT: "wi_format has no {0}, so the format's own text stands in place of the lore.",
    DropReason.EMPTY: "Nothing is left of it once macros are replaced in the prompt.",
}
_FULL: Final = {DropReason.CONTEXT_FULL, DropReason.BEHIND_THE_CUT}


def why_dropped(reason: DropReason) -> str:
    """One sentence about a text that was left out."""
    return f"{reason.sentence[0].upper()}{reason.sentence[1:]}."


def why_missing(prompt: AssembledPrompt, index: int, reason: DropReason | None) -> tuple[str, str]:
    """A stable name and one sentence: why nothing of an activated entry is in the prompt.

    Args:
        prompt: the whole prompt.
        index: load index of the entry.
        reason: why its text was dropped; None if nobody dropped it.
    """
    assembly = prompt.assembly
    nowhere = assembly.nowhere.get(index)
    if nowhere is not None:
        return nowhere.code, REASON_HELP[nowhere]
    if prompt.stops:
        return Reason.STOPPED.code, REASON_HELP[Reason.STOPPED]
    reason = reason or _unseen(prompt, index)
    place = assembly.places.get(index)
    if reason in _FULL and place is not None and place.slot in {"depth", "note_top", "note_bottom"}:
        where = slot_text("depth", place.depth, place.role) if place.slot == "depth" else "in the author's note"
        if prompt.parts is None:
            return reason.code, f"It stands {where}, where the chat does not fit any more, and goes with it."
        return reason.code, f"It stands {where}, and the context is full before any message of the chat is in."
    if reason in _FULL:
        return reason.code, "Examples get what the rest leaves of the context, and that is too little for it."
    if reason is DropReason.NOT_ASKED_FOR and place is not None:
        return reason.code, f"No macro asks for its outlet {quoted(place.outlet)}."
    if reason is DropReason.NO_NAMED_LINE and prompt.parts is not None:
        return reason.code, "No line of this example begins with a name, and the instruct template drops such blocks."
    return reason.code, _ENTRY_SENTENCES.get(reason) or why_dropped(reason)


def _unseen(prompt: AssembledPrompt, index: int) -> DropReason:
    """Why an entry that nobody dropped is not there."""
    if prompt.error:
        return DropReason.MANDATORY_TOO_LONG
    place = prompt.assembly.places.get(index)
    if prompt.parts is not None and place is not None and prompt.assembly.admitted_by_index[index].content.strip():
        if place.slot in {"before", "after"}:
            return DropReason.NOT_IN_TEMPLATE
        if place.slot.startswith("examples"):
            return DropReason.NO_NAMED_LINE
    return DropReason.EMPTY
