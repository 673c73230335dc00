"""Empty books, ready to be filled and saved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UnsupportedError
from lorebook_tui.formats.bare_book import BareBookFormat
from lorebook_tui.formats.base import Loaded, LoadReport, Reporter, Source
from lorebook_tui.formats.detect import JsonContainer
from lorebook_tui.formats.json_text import parse
from lorebook_tui.formats.lorebook_v3 import LorebookV3Format
from lorebook_tui.formats.sillytavern import SillyTavernFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.formats.base import Format
    from lorebook_tui.model.js import Json

FORMATS: Final[Mapping[str, Format]] = {
    form.name: form for form in (SillyTavernFormat(), BareBookFormat(), LorebookV3Format())
}
"""Formats that a new book can have, by name; the first is the usual one."""


def new_book(format_name: str = "sillytavern", name: str = "") -> Loaded:
    """An empty book.

    Args:
        format_name: one of `FORMATS`.
        name: its file name, with or without extension; SillyTavern calls a world by it, the others hold it inside too.

    Raises:
        UnsupportedError: books of this format cannot be made.
    """
    empty: dict[str, Any] = {"name": _stem(name), "extensions": {}, "entries": []}
    if format_name == "lorebook_v3":
        return loaded_of({"spec": "lorebook_v3", "data": empty}, format_name, name)
    return loaded_of({"entries": {}} if format_name == "sillytavern" else empty, format_name, name)


def loaded_of(value: Json, format_name: str, name: str) -> Loaded:
    """A book as a file that was just read.

    Args:
        value: the whole file.
        format_name: one of `FORMATS`.
        name: its file name, with or without extension.

    Raises:
        UnsupportedError: books of this format cannot be made.
    """
    form = FORMATS.get(format_name)
    if form is None:
        raise UnsupportedError(
            f"A book cannot be written as {quote(format_name)}.", expected=" or ".join(FORMATS), found=format_name
        )
    text = json.dumps(value, ensure_ascii=False, indent=4) + "\n"
    document = parse(text.encode("utf-8", "surrogatepass"))
    file_name = name if name.lower().endswith(".json") or not name else f"{name}.json"
    reporter = Reporter(document)
    content = form.read(Source((document,), file_name, reporter))
    report = LoadReport(tuple(reporter.findings))
    return Loaded(file_name, form, JsonContainer(document), (document,), content, report)


def _stem(name: str) -> str:
    base = name.replace("\\", "/").rpartition("/")[2]
    return base[: -len(".json")] if base.lower().endswith(".json") else base
