"""Templates: ready-made entries with blanks to fill in, and the list of all that there are.

A blank is written `<<name>>` anywhere in a field. In a key that is a pattern its answer is taken literally; a key that
is nothing but a blank becomes as many keys as the answer has parts between commas.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import template as new_entry
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.js import Json

_BLANK: Final = re.compile(r"<<([\w-]+)>>")
_SPECIAL: Final = re.compile(r"[\\^$.*+?()[\]{}|/]")
_KEY_FIELDS: Final = ("key", "keysecondary")
_SEPARATORS: Final = re.compile("[,，、]")


@dataclass(frozen=True, slots=True)
class Blank:
    """Something that a template asks for."""

    name: str
    question: str
    """For people: `Name of the place`."""
    example: str
    """What stands there if nobody answers."""


@dataclass(frozen=True, slots=True)
class Template:
    """Entries to start from."""

    name: str
    """Stable, in lower case with hyphens."""
    title: str
    purpose: str
    """One sentence: what it does."""
    entries: tuple[Mapping[str, Json], ...]
    """SillyTavern's fields of each that differ from a new entry's."""
    blanks: tuple[Blank, ...] = ()
    notes: tuple[str, ...] = ()
    """What the author should know, a sentence each."""
    needs: Mapping[str, Json] = field(default_factory=dict)
    """Settings that must be in force, where a fresh SillyTavern's are not enough or are often changed."""
    group: str = "Recipes"
    """Where it stands in the list."""
    source: str = ""
    """The file of the user that it comes from, "" if it came with the program."""

    def filled(self, answers: Mapping[str, str] | None = None) -> tuple[dict[str, Any], ...]:
        """The entries, complete and fresh, with the answers in their blanks; examples stand in for missing ones.

        Raises:
            UsageError: an answer for a blank that the template does not have.
        """
        given = {name: trim(answer) for name, answer in (answers or {}).items()}
        if unknown := set(given) - {blank.name for blank in self.blanks}:
            raise UsageError(
                f"The template {self.name} has no blank {quote(min(unknown))}.",
                expected=", ".join(blank.name for blank in self.blanks) or "no answers",
            )
        known = {blank.name: given.get(blank.name) or blank.example for blank in self.blanks}
        return tuple(
            {**new_entry(), **{name: _field(name, value, known) for name, value in fields.items()}}
            for fields in self.entries
        )


def _field(name: str, value: Json, known: Mapping[str, str]) -> Json:
    if name in _KEY_FIELDS and isinstance(value, list):
        return [key for each in value for key in _keys(each, known)]
    return _inserted(value, known)


def _keys(key: Json, known: Mapping[str, str]) -> list[Json]:
    if not isinstance(key, str):
        return [key]
    alone = _BLANK.fullmatch(key)
    if alone and alone[1] in known:
        return [part for piece in _SEPARATORS.split(known[alone[1]]) if (part := trim(piece))]
    if key.startswith("/"):
        literal = {name: _SPECIAL.sub(r"\\\g<0>", answer) for name, answer in known.items()}
        return [_inserted(key, literal)]
    return [_inserted(key, known)]


def _inserted(value: Json, known: Mapping[str, str]) -> Json:
    """The value with answers in place of blanks, in all texts inside it."""
    if isinstance(value, str):
        return _BLANK.sub(lambda found: known.get(found[1], found[0]), value)
    if isinstance(value, list):
        return [_inserted(item, known) for item in value]
    if isinstance(value, dict):
        return {name: _inserted(item, known) for name, item in value.items()}
    return copy.deepcopy(value)


def blanks_in(value: Json) -> set[str]:
    """Names of all blanks in a value."""
    if isinstance(value, str):
        return set(_BLANK.findall(value))
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return {name for item in items for name in blanks_in(item)}


def built_in() -> tuple[Template, ...]:
    """The templates that come with the program: recipes first, then an empty entry for each product."""
    from lorebook_tui.workspace.template_blanks import BLANK_ENTRIES  # noqa: PLC0415 - only when somebody asks for them
    from lorebook_tui.workspace.template_placements import PLACEMENT_RECIPES  # noqa: PLC0415 - as above
    from lorebook_tui.workspace.template_recipes import RECIPES  # noqa: PLC0415 - as above
    from lorebook_tui.workspace.template_states import STATE_RECIPES  # noqa: PLC0415 - as above

    return (*RECIPES, *PLACEMENT_RECIPES, *STATE_RECIPES, *BLANK_ENTRIES)
