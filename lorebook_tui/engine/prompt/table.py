"""The table of injected prompts, and how prompts of one depth and role become one text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.pieces import Injection
from lorebook_tui.engine.prompt.traced import EMPTY, JOINT, Traced
from lorebook_tui.model.js import key_order, to_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.prompt.expanding import Expander
    from lorebook_tui.model.js import Json

NOWHERE, AFTER_MAIN, IN_CHAT, BEFORE_MAIN = -1, 0, 1, 2
NOTE, CARD_NOTE, PERSONA, QUIET, STORY = (
    "2_floating_prompt",
    "DEPTH_PROMPT",
    "PERSONA_DESCRIPTION",
    "QUIET_PROMPT",
    "__STORY_STRING__",
)
DEPTH_PREFIX, OUTLET_PREFIX = "customDepthWI_", "customWIOutlet_"
ROLES = ("system", "user", "assistant")
GREATEST_DEPTH = 10_000


def role_number(role: Json) -> float:
    """A role as the table holds it: a name (system if unknown) or a number."""
    if isinstance(role, str) and role in ROLES:
        return float(ROLES.index(role))
    return 0.0 if isinstance(role, str) else to_number(role)


def role_name(role: float) -> str | None:
    """The name of a role; None if there is none with this number."""
    return ROLES[int(role)] if role in {0, 1, 2} else None


class Table:
    """Named prompts with position, depth and role; a second one of the same name takes the first one's place."""

    def __init__(self) -> None:
        self._rows: dict[str, Injection] = {}
        self.overwritten: list[Injection] = []

    def set(self, name: str, value: Traced, position: Json, depth: Json, role: Json = 0) -> None:
        """Put a prompt into the table; numbers are read as JavaScript would."""
        earlier = self._rows.get(name)
        if earlier is not None and earlier.value:
            self.overwritten.append(earlier)
        self._rows[name] = Injection(name, value, to_number(position), to_number(depth), to_number(role))

    def replace(self, row: Injection) -> None:
        """Another text for a prompt that is there."""
        self._rows[row.name] = row

    def forget(self, prefix: str) -> None:
        """Drop every prompt whose name begins so."""
        self._rows = {name: row for name, row in self._rows.items() if not name.startswith(prefix)}

    def get(self, name: str) -> Injection | None:
        """A prompt by name."""
        return self._rows.get(name)

    def rows(self) -> tuple[Injection, ...]:
        """All prompts in the order in which JavaScript lists them."""
        return tuple(self._rows[name] for name in key_order(self._rows))

    def sorted_rows(self) -> list[Injection]:
        """All prompts sorted by name, in UTF-16 order."""
        return sorted(self._rows.values(), key=lambda row: row.name.encode("utf-16-be", "surrogatepass"))

    def everything(self, expander: Expander) -> None:
        """Replace the macros of all prompts once more, as the program does for its own records; variables act."""
        texts = [text for row in self.rows() if (text := row.value.trim().text)]
        expander.text("\n".join(texts))

    def depths(self) -> list[int]:
        """Depths at which something can stand, ascending."""
        found = {
            int(row.depth)
            for row in self._rows.values()
            if row.position == IN_CHAT and row.value and placeable(row.depth) and role_name(row.role)
        }
        return sorted(found)

    def at(self, position: int, expander: Expander, depth: int | None = None, role: str | None = None) -> Traced:
        """The prompts of a position (and depth and role), sorted, trimmed, joined, macros replaced.

        SillyTavern 1.19: outside the chat a line feed stands on both sides of the text, which `{{pick}}` can tell.
        """
        text = Traced.joined([row.value.trim() for row in self._selected(position, depth, role)], "\n")
        if text and position != IN_CHAT:
            around = ["" if text.text[end] == "\n" else "\n" for end in (0, -1)]
            text = Traced.joined((Traced.of(around[0], JOINT), text, Traced.of(around[1], JOINT)))
        return expander.traced(text) if text else EMPTY

    def _selected(self, position: int, depth: int | None, role: str | None) -> Iterator[Injection]:
        for row in self.sorted_rows():
            if row.position != position or not row.value:
                continue
            if (depth is None or row.depth == depth) and (role is None or role_name(row.role) == role):
                yield row


def placeable(depth: float) -> bool:
    """Whether a depth is a whole number that is ever visited."""
    return math.isfinite(depth) and float(depth).is_integer() and 0 <= depth <= GREATEST_DEPTH
