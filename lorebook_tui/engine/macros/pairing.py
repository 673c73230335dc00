"""Which opening tags have a closing one: the plan by which a text is replaced.

SillyTavern 1.19: from left to right, an opening tag takes the first closing tag of its name that is left, past those
that belong to tags inside. If the macro can take a text, everything between is its last argument; if not, both tags
stay as they are and what is between them counts as before.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.definitions import CONDITION, CONDITION_ARGUMENTS, DEFINITIONS
from lorebook_tui.engine.macros.parser import calls_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.macros.parser import Call

_REMEMBERED_TEXTS = 4096
_MOST_STEPS = 200_000
"""Looks at other tags in one text; whoever nests so many tags gets the rest of them unpaired."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call that is replaced, or kept."""

    call: Call
    end: int
    """Where the text goes on behind it."""
    kept: bool = False
    """It stays as it is: a closing tag, or an opening one that cannot take a text."""
    scope_end: int | None = None
    """Where its closing tag starts, if it takes the text before that."""


def takes_scope(call: Call) -> bool:
    """Whether a text between tags can be an argument of this call; unknown macros take anything."""
    count = len(call.arguments)
    if call.key == CONDITION:
        return count == CONDITION_ARGUMENTS - 1
    definition = DEFINITIONS.get(call.key)
    return definition is None or definition.takes_scope(count)


class _Pairing:
    """Finds partners among the calls of one text."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self.calls = calls
        self.places: dict[str, list[int]] = {}
        """Numbers of the calls that matter, by name; only names that have a closing tag."""
        for call in calls:
            if call.closing:
                self.places.setdefault(call.key, [])
        for number, call in enumerate(calls):
            if call.key in self.places and not call.prefix:
                self.places[call.key].append(number)
        self.used: set[int] = set()
        self.left = _MOST_STEPS

    def partner(self, number: int) -> int | None:
        """The closing tag of an opening one."""
        places = self.places.get(self.calls[number].key, [])
        depth = 0
        for place in range(bisect_right(places, number), len(places)):
            self.left -= 1
            if self.left < 0:
                return None
            other = places[place]
            if not self.calls[other].closing:
                depth += takes_scope(self.calls[other])
            elif other not in self.used:
                if not depth:
                    return other
                depth -= 1
        return None

    def steps(self) -> list[Step]:
        """The plan for the whole text."""
        found: list[Step] = []
        number = 0
        while number < len(self.calls):
            call = self.calls[number]
            partner = None if call.closing or call.prefix else self.partner(number)
            if partner is None:
                found.append(Step(call, call.end, kept=call.closing))
            elif takes_scope(call):
                closing = self.calls[partner]
                found.append(Step(call, closing.end, scope_end=closing.start))
                number = partner
            else:
                self.used.add(partner)
                found.append(Step(call, call.end, kept=True))
            number += 1
        return found


@lru_cache(maxsize=_REMEMBERED_TEXTS)
def steps_of(text: str) -> tuple[Step, ...]:
    """The plan of a text, in order."""
    return tuple(_Pairing(calls_of(text)).steps()) if "{{" in text else ()


@lru_cache(maxsize=_REMEMBERED_TEXTS)
def branches_of(content: str) -> tuple[str, str]:
    """The two branches of an `{{if}}`, split at its own `{{else}}`."""
    depth = 0
    for call in calls_of(content):
        if call.loose or call.prefix:
            continue
        if call.name == CONDITION:
            depth += -1 if call.closing else takes_scope(call)
        elif call.name == "else" and not depth:
            return content[: call.start], content[call.end :]
    return content, ""
