"""The filters of an entry that its fields and the speaking card decide once and for all: triggers, names, tags, delays.

SillyTavern 1.19 takes stored values as they are, whatever their type; so does this module.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from lorebook_tui.model.decorators import ACTIVATE, DONT_ACTIVATE
from lorebook_tui.model.js import MISSING, text_of, to_number, truthy

if TYPE_CHECKING:
    from lorebook_tui.model.cast import Character
    from lorebook_tui.model.decorators import Decorated
    from lorebook_tui.model.entry import Entry


class Gates(NamedTuple):
    """Filters of an entry that do not depend on its text; entries with the same gates are counted together."""

    disabled: bool
    name_blocked: bool
    tag_blocked: bool
    triggers: frozenset[str] | None
    """Kinds of generation it is for; None: any."""
    delay: float
    """Messages the chat must have; 0: none."""
    level: Any
    """Delay-until-recursion level as it stands (true is 1, lists as their text); None: none."""
    excludes_recursion: bool
    suppressed: bool
    has_keys: bool
    faulty_filter: str = ""
    """The list of the character filter at which the program breaks off, unless an earlier gate is closed."""

    @property
    def closed(self) -> bool:
        """Whether no turn of this plan can open them."""
        return self.disabled or self.name_blocked or self.tag_blocked


class Card(NamedTuple):
    """What character filters know of the speaking card."""

    file_name: str
    """Without its extension."""
    tags: tuple[str, ...] | None

    @classmethod
    def of(cls, speaker: Character | None) -> Card | None:
        """The card of a speaker; None if nobody speaks."""
        return cls(re.sub(r"\.[^/.]+$", "", speaker.avatar), speaker.tags) if speaker else None


def gates_of(entry: Entry, card: Card | None, *, has_keys: bool, decorated: Decorated) -> Gates:
    """The filters of an entry that only its fields and the speaking card decide."""
    fields = entry.fields
    triggers = fields.get("triggers")
    delay = fields.get("delay", MISSING)
    level = fields.get("delayUntilRecursion", MISSING)
    name_blocked, tag_blocked, faulty_filter = _character_filter(fields.get("characterFilter"), card)
    return Gates(
        disabled=to_number(fields.get("disable", MISSING)) == 1,
        name_blocked=name_blocked,
        tag_blocked=tag_blocked,
        triggers=frozenset(item for item in triggers if isinstance(item, str))
        if isinstance(triggers, list) and triggers
        else None,
        delay=to_number(delay) if truthy(delay) else 0,
        level=_plain_level(level) if truthy(level) else None,
        excludes_recursion=truthy(fields.get("excludeRecursion", MISSING)),
        suppressed=ACTIVATE not in decorated.decorators and DONT_ACTIVATE in decorated.decorators,
        has_keys=has_keys,
        faulty_filter=faulty_filter,
    )


def _plain_level(level: Any) -> Any:
    """A level that can be hashed and compares as the stored one does."""
    if level is True:
        return 1
    return text_of(level) if isinstance(level, (list, dict)) else level


def _character_filter(stored: Any, card: Card | None) -> tuple[bool, bool, str]:
    """Whether the filter's names and its tags shut the entry out, and which of them cannot be searched.

    SillyTavern 1.19: names are file names without extension; without a card the answer is no. Tags are ids, and are
    skipped if the card has no entry in the tag map.
    """
    if not isinstance(stored, dict):
        return False, False, ""
    exclude = truthy(stored.get("isExclude", MISSING))
    names, tags = stored.get("names"), stored.get("tags")
    if _has_items(names) and isinstance(names, dict):
        return False, False, "names"
    name_blocked = _has_items(names) and exclude == (card is not None and card.file_name in names)
    if not _has_items(tags) or card is None or card.tags is None:
        return name_blocked, False, ""
    if card.tags and isinstance(tags, dict):
        return name_blocked, False, "" if name_blocked else "tags"
    return name_blocked, exclude == any(tag in tags for tag in card.tags), ""


def _has_items(stored: Any) -> TypeGuard[list[Any] | dict[str, Any] | str]:
    """Whether a list of a filter asks for anything; a text in its place is searched as text, an object by length."""
    if isinstance(stored, dict):
        return to_number(stored.get("length", MISSING)) > 0
    return isinstance(stored, (list, str)) and bool(stored)
