"""Where the texts of entries stand in the prompt, and which of them can stand there together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.groups import group_names, in_load_order
from lorebook_tui.model.js import MISSING, nullish, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.lint.subjects import BookView, EntryView

BEFORE: Final = 0
AFTER: Final = 1
NOTE_TOP: Final = 2
NOTE_BOTTOM: Final = 3
AT_DEPTH: Final = 4
EXAMPLES_TOP: Final = 5
EXAMPLES_BOTTOM: Final = 6
OUTLET: Final = 7
_DEFAULT_DEPTH: Final = 4
_ENDLESS: Final = 1e15
_NAMES: Final = {
    BEFORE: "before the character",
    AFTER: "after the character",
    NOTE_TOP: "at the top of the author's note",
    NOTE_BOTTOM: "at the bottom of the author's note",
    EXAMPLES_TOP: "before the example messages",
    EXAMPLES_BOTTOM: "after the example messages",
}
_ROLES: Final = ("system", "user", "assistant")

Slot = tuple[Any, ...]


def position_of(entry: EntryView) -> int | None:
    """Its position; None if what stands there is none, so that the text is put nowhere."""
    value = entry.get("position", MISSING)
    is_known = isinstance(value, (int, float)) and not isinstance(value, bool) and BEFORE <= value <= OUTLET
    return int(value) if is_known and value == int(value) else None


def depth_of(entry: EntryView) -> Any:
    """The depth at which SillyTavern 1.19 puts it; what can be no depth as text."""
    value = entry.get("depth", MISSING)
    return _DEFAULT_DEPTH if nullish(value) else _plain(value)


def role_of(entry: EntryView) -> Any:
    """Who speaks it at its depth; what can be no role as text."""
    value = entry.get("role", MISSING)
    return 0 if nullish(value) else _plain(value)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (int, float, str)) else text_of(value)


def outlet_of(entry: EntryView) -> str:
    """The name of its outlet as it stands; "" if it has none. Foreign text."""
    value = entry.get("outletName", MISSING)
    return value if isinstance(value, str) else ""


def slot_of(entry: EntryView) -> Slot | None:
    """What entries have in common whose texts are joined; None if the text is put nowhere."""
    position = position_of(entry)
    if position == AT_DEPTH:
        return (position, depth_of(entry), role_of(entry))
    if position == OUTLET:
        return (position, outlet_of(entry)) if outlet_of(entry) else None
    return None if position is None else (position,)


def slot_text(slot: Slot) -> str:
    """`at depth 4 as system`. May quote foreign text."""
    if slot[0] == AT_DEPTH:
        role = _ROLES[slot[2]] if slot[2] in range(len(_ROLES)) else quote(slot[2])
        return f"at depth {slot[1]} as {role}"
    return f"in the outlet {quote(slot[1])}" if slot[0] == OUTLET else _NAMES[slot[0]]


def number_of(entry: EntryView) -> float | None:
    """Its order if it is a finite number."""
    value = entry.get("order", MISSING)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < _ENDLESS
    return value if is_number else None


def are_rivals(entries: Iterable[EntryView]) -> bool:
    """Whether all of some entries are in one inclusion group, so that only one of them comes in."""
    shared: set[str] | None = None
    for entry in entries:
        names = set(group_names(entry))
        shared = names if shared is None else shared & names
        if not shared:
            return False
    return bool(shared)


def by_order(book: BookView) -> list[EntryView]:
    """The entries of a book that have an order, in the order in which a scan walks them: the highest first."""
    listed = [entry for entry in in_load_order(book.entries) if number_of(entry) is not None]
    return sorted(listed, key=lambda entry: -(number_of(entry) or 0))


def together(entries: Sequence[EntryView]) -> list[EntryView]:
    """The first entries that can come in with each other: of each inclusion group only one."""
    found: list[EntryView] = []
    taken: set[str] = set()
    for entry in entries:
        names = set(group_names(entry))
        if not names & taken:
            found.append(entry)
            taken |= names
    return found
