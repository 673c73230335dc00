"""One entry of NovelAI, Agnai, RisuAI or KoboldAI read into SillyTavern's fields, with what cannot be said there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.formats.imports import TITLES as IMPORTED
from lorebook_tui.formats.losses import Fate
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.model.js import Json

KOBOLD: Final = "kobold"
TITLES: Final = {**IMPORTED, KOBOLD: "KoboldAI world info"}
_WILDCARD: Final = re.compile(r"[*?]")
_SPECIAL: Final = re.compile(r"[\\^$.+()\[\]{}|/]")
_USUAL_RANGE: Final = 1000
_NOT_ANY: Final = 2
_ALL: Final = 100


@dataclass(slots=True)
class Reading:
    """What an entry says."""

    fields: dict[str, Any]
    """SillyTavern's fields that differ from a new entry's."""
    folder: str = ""
    extensions: dict[str, Any] = field(default_factory=dict)
    aside: dict[str, Json] = field(default_factory=dict)
    """Members that have no equal and are told about."""
    silent: dict[str, Json] = field(default_factory=dict)
    """Members that are kept without a word, because they say nothing about the lore."""
    losses: list[tuple[str, str, Fate, str]] = field(default_factory=list)
    """Code, sentence, fate and member."""

    def bent(self, code: str, told: str, member: str) -> None:
        """Note something that reads otherwise now."""
        self.losses.append((code, told, Fate.BENT, member))

    def adapted(self, code: str, told: str, member: str) -> None:
        """Note something that is said in SillyTavern's way now."""
        self.losses.append((code, told, Fate.ADAPTED, member))


def folder_names(root: Mapping[str, Json], product: str) -> dict[str, tuple[str, bool]]:
    """Folders of a file by the id that entries name: their name, and whether they are switched on."""
    found: dict[str, tuple[str, bool]] = {}
    listed = root.get("categories" if product == "novelai" else "data")
    for item in listed if isinstance(listed, list) else []:
        if not isinstance(item, dict):
            continue
        if product == "novelai":
            found[str(item.get("id"))] = (_plain(item.get("name")), item.get("enabled") is not False)
        elif item.get("mode") == "folder":
            found[_text(item.get("key"))] = (_plain(item.get("comment")), True)
    return found


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _plain(value: Json) -> str:
    """A folder's name in which a slash parts nothing."""
    return _text(value).replace("/", "\u2215")


def _texts(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _split(value: Json) -> list[str]:
    """Keys with commas between them, or a list of them."""
    parts = _text(value).split(",") if isinstance(value, str) else _texts(value)
    return [part for each in parts if (part := trim(each))]


def _number(value: Json, default: float) -> float:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else default


def _rest(raw: Mapping[str, Json], *read: str) -> dict[str, Json]:
    """Members that nobody read and that say something."""
    return {name: value for name, value in raw.items() if name not in read and value not in (None, "", [], {})}


def _novelai(raw: Mapping[str, Json], folders: Mapping[str, tuple[str, bool]]) -> Reading:
    config = raw.get("contextConfig")
    config = dict(config) if isinstance(config, dict) else {}
    category, is_on = folders.get(str(raw.get("category")), ("", True))
    prefix, suffix = _text(config.pop("prefix", "")), _text(config.pop("suffix", "\n"))
    content = _text(raw.get("text"))
    wakes = raw.get("nonStoryActivatable") is True
    reading = Reading(
        {
            "key": _texts(raw.get("keys")),
            "comment": _text(raw.get("displayName")),
            "content": f"{prefix}{content}{suffix.removesuffix(chr(10))}" if content else "",
            "constant": raw.get("forceActivation") is True,
            "disable": raw.get("enabled") is False or not is_on,
            "order": _number(config.pop("budgetPriority", None), 400),
            "matchWholeWords": True,
            "excludeRecursion": not wakes,
            "selective": False,
        },
        category,
    )
    reading.aside = _rest(
        raw, "text", "keys", "displayName", "enabled", "forceActivation", "nonStoryActivatable", "category",
        "contextConfig", "searchRange", "id", "lastUpdatedAt", "loreBiasGroups", "hidden",
    )  # fmt: skip
    reading.aside = {name: value for name, value in reading.aside.items() if value is not False}
    reading.silent = {name: raw[name] for name in ("id", "lastUpdatedAt", "loreBiasGroups", "hidden") if name in raw}
    reading.silent["contextConfig"] = config
    if _number(raw.get("searchRange"), _USUAL_RANGE) != _USUAL_RANGE:
        reading.aside["searchRange"] = raw["searchRange"]
    if prefix or suffix not in {"", "\n"}:
        reading.adapted("affixes", "Prefix and suffix are part of the content now.", "contextConfig")
    if not is_on:
        reading.adapted("category", "Its category is switched off, so the entry is disabled.", "category")
    return reading


def _agnai(raw: Mapping[str, Json], _folders: Mapping[str, tuple[str, bool]]) -> Reading:
    keys = _texts(raw.get("keywords"))
    reading = Reading(
        {
            "key": [_unwild(key) for key in keys],
            "keysecondary": _texts(raw.get("secondaryKeys")),
            "comment": _text(raw.get("name")),
            "content": _text(raw.get("entry")),
            "constant": raw.get("constant") is True,
            "selective": raw.get("selective") is True,
            "disable": raw.get("enabled") is False,
            "order": _number(raw.get("weight"), _ALL),
            "probability": _number(raw.get("probability"), _ALL),
            "excludeRecursion": raw.get("excludeRecursion") is True,
            "matchWholeWords": True,
            "caseSensitive": False,
            "position": 1 if raw.get("position") == "after_char" else 0,
        }
    )
    if "priority" in raw:
        reading.extensions["priority"] = raw["priority"]
        told = "SillyTavern decides by the order alone who stays in the budget."
        reading.losses.append(("priority", told, Fate.ASIDE, "priority"))
    if any(_WILDCARD.search(key) for key in keys):
        reading.adapted("wildcard", "Keys with * or ? are patterns now.", "keywords")
    reading.aside = _rest(
        raw, "keywords", "secondaryKeys", "name", "entry", "constant", "selective", "enabled", "weight", "priority",
        "probability", "excludeRecursion", "position", "id", "useProbability", "selectiveLogic",
    )  # fmt: skip
    logic = raw.get("selectiveLogic")
    if isinstance(logic, int) and not isinstance(logic, bool) and logic in range(4):
        reading.fields["selectiveLogic"] = logic
    reading.silent = {"id": raw["id"]} if "id" in raw else {}
    return reading


def _unwild(key: str) -> str:
    """A key with wildcards as a pattern: `*` is any word characters, `?` is one of them."""
    if not _WILDCARD.search(key):
        return key
    literal = _SPECIAL.sub(r"\\\g<0>", trim(key))
    return "/\\b" + literal.replace("*", "\\w*").replace("?", "\\w") + "\\b/i"


def _risu(raw: Mapping[str, Json], folders: Mapping[str, tuple[str, bool]]) -> Reading | None:
    if raw.get("mode") == "folder":
        return None
    is_regex = raw.get("useRegex") is True
    extra = raw.get("extentions")
    sensitive = extra.get("risu_case_sensitive") if isinstance(extra, dict) else None
    key = _text(raw.get("key"))
    reading = Reading(
        {
            "key": [trim(key)] if is_regex and trim(key) else _split(raw.get("key")),
            "keysecondary": _split(raw.get("secondkey")),
            "comment": _text(raw.get("comment")),
            "content": _text(raw.get("content")),
            "constant": raw.get("alwaysActive") is True or raw.get("mode") == "constant",
            "selective": raw.get("selective") is True,
            "order": _number(raw.get("insertorder"), _ALL),
            "probability": _number(raw.get("activationPercent"), _ALL),
            **({"caseSensitive": sensitive} if isinstance(sensitive, bool) else {}),
        },
        folders.get(_text(raw.get("folder")), ("", True))[0],
    )
    reading.aside = _rest(
        raw, "key", "secondkey", "comment", "content", "mode", "alwaysActive", "selective", "insertorder",
        "activationPercent", "useRegex", "extentions", "id", "bookVersion", "loreCache", "folder",
    )  # fmt: skip
    reading.silent = {name: raw[name] for name in ("id", "bookVersion", "mode") if name in raw}
    for line in reading.fields["content"].split("\n"):
        if not line.startswith("@"):
            break
        reading.bent("decorator", f"SillyTavern does not act on {line.split()[0]}.", "content")
    return reading


def _kobold(raw: Mapping[str, Json], _folders: Mapping[str, tuple[str, bool]]) -> Reading | None:
    keys, second, anti = (_split(raw.get(name)) for name in ("key", "keysecondary", "keyanti"))
    content = _text(raw.get("content"))
    if not keys and not content:
        return None
    selective = raw.get("selective") is True
    reading = Reading(
        {
            "key": keys,
            "keysecondary": second or anti,
            "selectiveLogic": _NOT_ANY if anti and not second else 0,
            "selective": selective,
            "comment": _text(raw.get("comment")),
            "content": content,
            "constant": raw.get("constant") is True,
            "probability": _number(raw.get("probability"), _ALL),
            "disable": raw.get("widisabled") is True,
            "matchWholeWords": False,
            "excludeRecursion": True,
            "preventRecursion": True,
        },
        _plain(raw.get("wigroup")),
    )
    reading.aside = _rest(
        raw, "key", "keysecondary", "selective", "comment", "content", "constant", "probability", "widisabled",
        "wigroup", "folder", "uid", "num", "init", "keyanti",
    )  # fmt: skip
    if second and anti and selective:
        reading.aside["keyanti"] = raw["keyanti"]
        reading.bent(
            "anti-keys", "Secondary and forbidden keys cannot both be said; the forbidden are dropped.", "keyanti"
        )
    return reading


READERS: Final[Mapping[str, Callable[[Mapping[str, Json], Mapping[str, tuple[str, bool]]], Reading | None]]] = {
    "novelai": _novelai,
    "agnai": _agnai,
    "risu": _risu,
    KOBOLD: _kobold,
}
"""By product; None for what is no entry, such as a folder."""
