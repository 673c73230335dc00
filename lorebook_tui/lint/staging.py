"""Parts of witnesses: words that call an entry, an extra entry for the scene, a seed that shows chance."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.phases.keys import AND_ALL, AND_ANY
from lorebook_tui.errors import LorebookError
from lorebook_tui.lint.subjects import EntryView
from lorebook_tui.lint.witness import reason_of, run
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import template

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.trace import Reason
    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import BookView
    from lorebook_tui.model.js import Json

QUIET: Final = "..."
"""A message that says nothing."""
_SEEDS: Final = 60
_PROVED: Final = 500
"""Entries of a book for which every rule may run scenarios; of a larger book only every second, third …"""


def call_of(view: EntryView) -> str | None:
    """A message that holds a key of an entry, and what its secondary keys ask for; None if no plain text will do."""
    if view.is_on("constant"):
        return QUIET
    key = next((key for key in view.keys if key.is_plain), None)
    if key is None:
        return None
    wanted = [key.trimmed]
    if view.is_on("selective") and view.secondary:
        asked = [key for key in view.secondary if not key.is_blank]
        logic = view.get("selectiveLogic", AND_ANY)
        if logic in (AND_ANY, AND_ALL):
            if not all(key.is_plain for key in asked):
                return None
            wanted += [key.trimmed for key in (asked if logic == AND_ALL else asked[:1])]
        elif any(not other.is_plain or other.folded in key.folded for other in asked):
            return None
    return ", ".join(wanted)


def common_call(views: Sequence[EntryView]) -> str | None:
    """A message that calls all of some entries; None if there is none."""
    calls = [call_of(view) for view in views]
    return None if None in calls else ", ".join(dict.fromkeys(call for call in calls if call))


def extra(book: BookView, content: str, name: str = "witness", **fields: Json) -> EntryView:
    """A constant entry that is not in the file and sets the scene of a witness.

    Args:
        book: to which it belongs in the witness.
        content: its text.
        name: its title and its key in the book.
        fields: what else it is to have.
    """
    values = {**template(), "uid": name, "comment": name, "constant": True, "content": content, **fields}
    return EntryView(Entry(values, name), book, -1)


def with_fields(view: EntryView, **fields: Json) -> EntryView:
    """The same entry with other fields, for a witness only."""
    return EntryView(replace(view.entry, fields={**view.entry.fields, **fields}), view.book, view.number)


def is_proved(view: EntryView) -> bool:
    """Whether findings about an entry are to be proved: all of a common book, a share of one with thousands."""
    return view.number % max(1, len(view.book.book.entries) // _PROVED) == 0


def shown(given: Witness | None, view: EntryView, wanted: Reason) -> Witness | None:
    """The witness if running it gives an entry the claimed reason; else None, and so for most of a huge book."""
    if given is None or not is_proved(view):
        return None
    try:
        return given if reason_of(run(given), view) is wanted else None
    except LorebookError:
        return None


def first_seed(make: Callable[[int], Witness], view: EntryView, wanted: Reason) -> Witness | None:
    """The witness with the first seed whose dice give an entry the claimed reason; None if the first sixty do not."""
    for seed in range(1, _SEEDS + 1 if is_proved(view) else 0):
        found = shown(make(seed), view, wanted)
        if found is not None:
            return found
    return None
