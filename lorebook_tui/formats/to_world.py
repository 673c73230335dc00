"""An entry of any book as SillyTavern's, with what the card specification says and SillyTavern's import passes over."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.formats.aside import put_aside, taken_back
from lorebook_tui.formats.losses import Fate, Loss
from lorebook_tui.model.decorators import SILLYTAVERN_NAMES
from lorebook_tui.model.fields import ENTRY_FIELDS, json_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json

WORLD: Final = "sillytavern"
V2: Final = "v2_book"
PATTERN: Final = re.compile(r"/[\s\S]+?/[gimsuy]*")
"""The form of a key that SillyTavern runs as a pattern."""
_DECORATOR: Final = re.compile(r"@@@?[a-z_]+")
_READ: Final = frozenset(
    place.removeprefix("!").partition(".")[0] for row in ENTRY_FIELDS if (place := json_name(row, "v2"))
) - {"priority"} | {"position"}
"""Members of an entry of a card's book that SillyTavern's import reads."""
_TWINS: Final = frozenset(
    place.removeprefix("extensions.")
    for row in ENTRY_FIELDS
    if (place := json_name(row, "v2") or "").startswith("extensions.")
)
"""Extensions that are fields of their own in a world."""
_BY_SILLYTAVERN: Final = ("exclude_recursion", "selectiveLogic", "depth")
"""Extensions that show that SillyTavern wrote the entry."""


def world_entry(entry: Entry, losses: list[Loss]) -> dict[str, Any]:
    """The entry's fields for a world.

    Args:
        entry: of a world or a card's book.
        losses: receives what is not carried over as it is.
    """
    fields = dict(entry.fields)
    if entry.source is None:
        return fields
    raw = entry.source
    extensions, back = taken_back(fields.get("extensions"), WORLD)
    rest = {name: value for name, value in raw.items() if name not in _READ}
    fields |= _adapted(entry, rest, extensions, losses)
    losses += [Loss("member", "SillyTavern has no place for it.", Fate.ASIDE, entry.title, name) for name in rest]
    _report_decorators(entry, losses)
    extensions = {name: value for name, value in extensions.items() if name not in _TWINS}
    extensions = put_aside(extensions, V2, rest)
    fields |= back
    fields["extensions"] = extensions
    if not extensions:
        del fields["extensions"]
    return fields


def _adapted(entry: Entry, rest: dict[str, Json], extensions: dict[str, Json], losses: list[Loss]) -> dict[str, Json]:
    """Fields for members that SillyTavern's import passes over; what is said by them leaves `rest`."""
    title = entry.title
    made: dict[str, Json] = {}
    by_sillytavern = any(name in extensions for name in _BY_SILLYTAVERN)
    sensitive = rest.get("case_sensitive")
    if isinstance(sensitive, bool):
        del rest["case_sensitive"]
        if extensions.get("case_sensitive") is None:
            made["caseSensitive"] = sensitive
            losses.append(Loss("case", "It is the field caseSensitive now.", Fate.ADAPTED, title, "case_sensitive"))
    if rest.get("use_regex") is True and not by_sillytavern:
        del rest["use_regex"]
        flags = "" if sensitive is True else "i"
        wrapped = {name: _wrapped(entry.fields.get(name), flags) for name in ("key", "keysecondary")}
        if any(wrapped[name] != entry.fields.get(name) for name in wrapped):
            made |= wrapped
            losses.append(Loss("use-regex", "Its keys stand in slashes now.", Fate.ADAPTED, title, "use_regex"))
    elif "use_regex" in rest and (by_sillytavern or rest["use_regex"] is False):
        del rest["use_regex"]  # SillyTavern writes it always, and it says nothing there
    if "priority" in rest and "priority" not in extensions:
        extensions["priority"] = rest.pop("priority")
        told = "SillyTavern decides by the order alone who stays in the budget."
        losses.append(Loss("priority", told, Fate.ASIDE, title, "priority"))
    name = rest.get("name")
    if isinstance(name, str) and name and not entry.fields.get("comment"):
        del rest["name"]
        made |= {"comment": name, "addMemo": True}
    elif name == entry.fields.get("comment"):
        rest.pop("name", None)
    return made


def _wrapped(keys: Json, flags: str) -> Json:
    if not isinstance(keys, list):
        return keys
    return [
        f"/{_slashed(key)}/{flags}" if isinstance(key, str) and key.strip() and not PATTERN.fullmatch(key) else key
        for key in keys
    ]


def _slashed(pattern: str) -> str:
    r"""A pattern with every bare slash written `\/`."""
    return re.sub(r"(\\.)|/", lambda found: found[1] or r"\/", pattern, flags=re.DOTALL)


def _report_decorators(entry: Entry, losses: list[Loss]) -> None:
    """Lines at the top of the content that SillyTavern takes away without acting on them."""
    for line in entry.content.split("\n"):
        if not line.startswith("@@"):
            return
        found = _DECORATOR.match(line)
        if found and line not in SILLYTAVERN_NAMES:
            told = f"SillyTavern does not act on {found.group()}."
            losses.append(Loss("decorator", told, Fate.BENT, entry.title, found.group().lstrip("@")))


def is_pattern(key: Json) -> bool:
    """Whether a key has the form of a pattern."""
    return isinstance(key, str) and PATTERN.fullmatch(key.strip()) is not None


def differs(fields: Mapping[str, Json], name: str, *usual: Json) -> bool:
    """Whether a field says something else than the usual values or nothing."""
    value = fields.get(name)
    return value is not None and all(
        value != each or isinstance(value, bool) is not isinstance(each, bool) for each in usual
    )
