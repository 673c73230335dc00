"""Lorebooks of NovelAI, Agnai, RisuAI and KoboldAI made into worlds, as their authors would have written them there.

SillyTavern's own import, which `imports` repeats, forgets more: here the always-active entries of NovelAI stay so,
Agnai's wildcards become patterns, RisuAI's patterns keep their commas, folders and categories become folders. What has
no equal is kept aside in extension data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UnreadableError, UnsupportedError
from lorebook_tui.formats.aside import put_aside
from lorebook_tui.formats.base import seen
from lorebook_tui.formats.imports import product_of
from lorebook_tui.formats.json_text import parse
from lorebook_tui.formats.losses import Converted, Fate, Loss
from lorebook_tui.formats.new_book import loaded_of
from lorebook_tui.formats.product_entries import KOBOLD, READERS, TITLES, Reading, folder_names
from lorebook_tui.model.fields import template
from lorebook_tui.model.folders import NAMESPACE, cleaned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.model.js import Json

_ENTRIES: Final = {"novelai": "entries", "agnai": "entries", "risu": "data", KOBOLD: "worldinfo"}
_UNTOLD: Final = frozenset({
    "lorebookVersion", "kind", "type", "ver", "entries", "data", "worldinfo", "categories", "settings", "order", "name",
})  # fmt: skip
"""Members of a file that say nothing about the lore, or are read."""


def product_in(value: Json) -> str | None:
    """Which product's lorebook a document is, if this module reads it."""
    product = product_of(value)
    if product is not None:
        return product
    if isinstance(value, dict) and isinstance(value.get("worldinfo"), list):
        return KOBOLD
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return KOBOLD if all(isinstance(item.get("key"), str) and "content" in item for item in value) else None
    return None


def imported(data: bytes, name: str = "") -> Converted:
    """Another product's lorebook as a world.

    Args:
        data: the whole file.
        name: its file name; the world's is the same with another extension.

    Raises:
        UnsupportedError: no product that is known here wrote it.
        UnreadableError: it is broken (`JsonSyntaxError`: as JSON), or holds no entry.
        LimitError: a ceiling was reached.
    """
    value = parse(data).value
    product = product_in(value)
    if product is None:
        raise UnsupportedError(
            "This is no lorebook of another product that can be imported.",
            expected=", ".join(TITLES.values()),
            found=seen(value),
        )
    return converted(value, product, name)


def converted(value: Json, product: str, name: str = "") -> Converted:
    """A parsed lorebook as a world.

    Raises:
        UnreadableError: it holds no entry.
    """
    root: Mapping[str, Json] = value if isinstance(value, dict) else {_ENTRIES[product]: value}
    member = _ENTRIES[product]
    items = root.get(member)
    if not isinstance(items, list) or not any(isinstance(item, dict) for item in items):
        raise UnreadableError(
            f"This is {TITLES[product]} without entries.",
            where=member,
            expected="an array of objects",
            found=seen(items),
        )
    losses: list[Loss] = []
    folders = folder_names(root, product)
    entries: dict[str, Json] = {}
    for item in items:
        reading = READERS[product](item, folders) if isinstance(item, dict) else None
        if reading is not None:
            uid = len(entries)
            entries[str(uid)] = _entry(reading, product, uid, losses)
    world: dict[str, Any] = {"entries": entries}
    others = {key: each for key, each in root.items() if key not in _UNTOLD}
    losses += [Loss("book", "A world has no place for it.", Fate.ASIDE, None, key) for key in others]
    if others:
        world["extensions"] = put_aside({}, product, others)
    title = root.get("name")
    stem = title if isinstance(title, str) and title and not name else re.sub(r"\.[^./\\]*$", "", name)
    return Converted(loaded_of(world, "sillytavern", f"{stem or 'lore'}.json"), tuple(losses))


def _entry(reading: Reading, product: str, uid: int, losses: list[Loss]) -> dict[str, Any]:
    """A whole entry, its losses told."""
    fields = {**template(), **reading.fields, "uid": uid, "displayIndex": uid}
    if product == KOBOLD:
        fields["order"] += uid  # its list is the order of the prompt, and equal orders come out reversed
    fields["addMemo"] = bool(fields["comment"])
    title = str(fields["comment"] or next(iter(fields["key"]), f"#{uid}"))
    losses += [Loss(code, told, fate, title, field) for code, told, fate, field in reading.losses]
    losses += [
        Loss("member", "SillyTavern has no place for it.", Fate.ASIDE, title, name) for name in sorted(reading.aside)
    ]
    extensions = put_aside(reading.extensions, product, {**reading.aside, **reading.silent})
    if folder := cleaned(reading.folder):
        extensions = {**extensions, NAMESPACE: {**extensions.get(NAMESPACE, {}), "folder": folder}}
    return {**fields, "extensions": extensions} if extensions else fields
