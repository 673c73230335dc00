"""Lore of other products made into SillyTavern worlds, as SillyTavern 1.19 imports it: NovelAI, Agnai, RisuAI.

Every entry begins as a new one of SillyTavern; uid and place in the editor are its index.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.base import seen
from lorebook_tui.model.fields import template
from lorebook_tui.model.js import MISSING, trim, truthy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.model.js import Json

NOVELAI: Final = "novelai"
AGNAI: Final = "agnai"
RISU: Final = "risu"
TITLES: Final = {NOVELAI: "a NovelAI lorebook", AGNAI: "an Agnai memory book", RISU: "a RisuAI lorebook"}
_ENTRIES: Final = {NOVELAI: "entries", AGNAI: "entries", RISU: "data"}


def product_of(value: Json) -> str | None:
    """Which of the products wrote a document; None if none of them did. SillyTavern tests in this order."""
    return next(iter(_products_of(value)), None)


def _products_of(value: Json) -> list[str]:
    """All products whose mark a document bears."""
    if not isinstance(value, dict):
        return []
    marks = {
        NOVELAI: "lorebookVersion" in value,
        AGNAI: value.get("kind") == "memory",
        RISU: value.get("type") == "risu",
    }
    return [product for product, is_there in marks.items() if is_there]


def world_of(value: Mapping[str, Json], product: str) -> dict[str, Json]:
    """The world that SillyTavern makes of another product's lorebook.

    Args:
        value: the document.
        product: one of `TITLES`.

    Raises:
        UnreadableError: its list of entries is missing or holds something else, or it bears the marks of several
            products; SillyTavern imports neither.
    """
    marks = _products_of(value)
    if len(marks) > 1:
        raise UnreadableError("This bears the marks of several products.", found=", ".join(marks))
    member = _ENTRIES[product]
    items = value.get(member, MISSING)
    if not isinstance(items, list):
        raise UnreadableError(
            f"This is {TITLES[product]} without entries.",
            where=member,
            expected="an array of objects",
            found=seen(items),
        )
    entries: dict[str, Json] = {}
    for index, raw in enumerate(items):
        if raw is None:
            raise UnreadableError("An entry is null.", where=f"{member}.{index}", expected="an object", found="null")
        try:
            read = _READERS[product](raw if isinstance(raw, dict) else {})
        except TypeError as error:
            raise UnreadableError(
                f"An entry of {TITLES[product]} is broken.", where=f"{member}.{index}.{error}", expected="a text"
            ) from error
        made = {**template(), **read, "delayUntilRecursion": False, "uid": index, "displayIndex": index}
        entries[str(index)] = {name: item for name, item in made.items() if item is not MISSING}
    return {"entries": entries}


def _novelai(raw: Mapping[str, Json]) -> dict[str, Any]:
    config = raw.get("contextConfig")
    priority = config.get("budgetPriority") if isinstance(config, dict) else None
    title = None if raw.get("displayName") is None else _text(raw, "displayName")
    return {
        "key": raw.get("keys", MISSING),
        "comment": title or "",
        "content": raw.get("text", MISSING),
        "selective": False,
        "addMemo": bool(trim(title or "")),
        "order": 0 if priority is None else priority,
        "disable": not truthy(raw.get("enabled", MISSING)),
    }


def _agnai(raw: Mapping[str, Json]) -> dict[str, Any]:
    return {
        "key": raw.get("keywords", MISSING),
        "comment": raw.get("name", MISSING),
        "content": raw.get("entry", MISSING),
        "selective": False,
        "addMemo": truthy(raw.get("name", MISSING)),
        "order": raw.get("weight", MISSING),
        "disable": not truthy(raw.get("enabled", MISSING)),
    }


def _risu(raw: Mapping[str, Json]) -> dict[str, Any]:
    percent = raw.get("activationPercent")
    has_second = truthy(raw.get("secondkey", MISSING))
    return {
        "key": _parts(_text(raw, "key")),
        "keysecondary": _parts(_text(raw, "secondkey")) if has_second else [],
        "comment": raw.get("comment", MISSING),
        "content": raw.get("content", MISSING),
        "constant": raw.get("alwaysActive", MISSING),
        "selective": raw.get("selective", MISSING),
        "addMemo": True,
        "order": raw.get("insertorder", MISSING),
        "disable": False,
        "probability": 100 if percent is None else percent,
        "useProbability": True if percent is None else percent,
    }


def _text(raw: Mapping[str, Json], name: str) -> str:
    """A member whose text the importer takes apart; it stops at anything else."""
    value = raw.get(name)
    if not isinstance(value, str):
        raise TypeError(name)
    return value


def _parts(text: str) -> list[str]:
    """`text.split(',').map(trim)`: an empty text gives one empty key."""
    return [trim(part) for part in text.split(",")]


_READERS: Final[Mapping[str, Callable[[Mapping[str, Json]], dict[str, Any]]]] = {
    NOVELAI: _novelai,
    AGNAI: _agnai,
    RISU: _risu,
}
