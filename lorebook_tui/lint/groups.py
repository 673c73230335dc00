"""Inclusion groups as SillyTavern 1.19 reads them off entries, and names that are nearly the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.model.js import MISSING, key_order, nullish, text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.settings import ScanSettings

_PARTED: Final = re.compile(r",\s*")
_SHORTEST_NEAR: Final = 4
"""Letters from which one other letter is a slip and not another name."""


def group_text(view: EntryView) -> str:
    """The field as it stands; "" if it is empty or no text."""
    value = view.get("group")
    return value if isinstance(value, str) else ""


def group_names(view: EntryView) -> tuple[str, ...]:
    """The groups of an entry: parted at a comma and the blanks behind it, blanks before it kept."""
    text = group_text(view)
    return tuple(dict.fromkeys(name for name in _PARTED.split(text) if name)) if text else ()


def weight_of(view: EntryView) -> float:
    """Its weight in a group's roll; 100 if it has none, NaN if what stands there is no number."""
    value = view.get("groupWeight")
    return 100 if nullish(value) else to_number(value)


def order_of(view: EntryView) -> float:
    """Its insertion order; NaN if it has none."""
    return to_number(view.get("order"))


def scores(view: EntryView, settings: ScanSettings) -> bool:
    """Whether group scoring counts for it."""
    value = view.get("useGroupScoring", MISSING)
    return settings.world_info_use_group_scoring if nullish(value) else truthy(value)


def in_load_order(views: Iterable[EntryView]) -> list[EntryView]:
    """Entries of one book as the engine walks them when their orders are equal."""
    by_key = {view.entry.key: view for view in views}
    return [by_key[key] for key in key_order(by_key)]


def label(view: EntryView) -> str:
    """The group field for a message. Foreign text."""
    return quote(text_of(view.get("group")))


def near_name(name: str, others: Iterable[str]) -> str | None:
    """The first of some names that differs from a name by one letter, or in its punctuation only."""
    plain = _plain(name)
    if len(plain) < _SHORTEST_NEAR:
        return None
    return next((other for other in others if other != name and _is_slip(plain, _plain(other))), None)


def near_pairs(single: Sequence[str], everything: Sequence[str]) -> dict[str, str]:
    """For each of the single names a nearly equal one of all names; those without one are left out."""
    buckets: dict[str, list[str]] = {}
    for name in everything:
        for form in _forms(_plain(name)):
            buckets.setdefault(form, []).append(name)
    found = {}
    for name in single:
        likely = dict.fromkeys(other for form in _forms(_plain(name)) for other in buckets.get(form, ()))
        near = near_name(name, likely)
        if near is not None:
            found[name] = near
    return found


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _forms(plain: str) -> set[str]:
    """A name and all that one letter less makes of it: names one letter apart share one of these."""
    return {plain, *(plain[:place] + plain[place + 1 :] for place in range(len(plain)))}


def _is_slip(one: str, other: str) -> bool:
    """Whether two names are the same but for one letter; another digit is another name."""
    if one == other:
        return True
    if abs(len(one) - len(other)) > 1:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest_one, rest_other = one[start:], other[start:]
    if len(one) == len(other):
        return rest_one[1:] == rest_other[1:] and not (rest_one[0].isdigit() or rest_other[0].isdigit())
    longer, shorter = (rest_one, rest_other) if len(one) > len(other) else (rest_other, rest_one)
    return longer[1:] == shorter and not longer[0].isdigit()
