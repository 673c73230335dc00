"""An empty entry for each product that THE table knows: its fields, as the product's own editor would begin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.model.fields import ENTRY_FIELDS, json_name
from lorebook_tui.workspace.templates import Template

if TYPE_CHECKING:
    from collections.abc import Mapping

GROUP: Final = "Empty entries"
_AT_DEPTH = 4
_NO_RECURSION: Final = {"excludeRecursion": True, "preventRecursion": True}


def carried(format_name: str) -> tuple[str, ...]:
    """Names of the entry fields that a format can hold, in the order of the form."""
    return tuple(row.name for row in ENTRY_FIELDS if json_name(row, format_name) is not None)


def _blank(name: str, format_name: str, product: str, told: str, *notes: str, **fields: Any) -> Template:
    held = carried(format_name)
    labels = [row.label or row.name for row in ENTRY_FIELDS if row.name in held]
    known = f"The format has a place for: {', '.join(labels)}."
    few = len(held) < len(carried("sillytavern"))
    return Template(
        f"empty-{name}",
        f"Empty entry for {product}",
        f"An entry as {product} begins it{told}.",
        (fields,),
        notes=(*((known,) if few else ()), *notes),
        group=GROUP,
    )


_YUMINA: Final[Mapping[str, Any]] = {
    "section": "chat-history",
    "useFuzzyMatch": False,
    "conditions": [],
    "conditionLogic": "all",
}

BLANK_ENTRIES: Final = (
    _blank("sillytavern", "sillytavern", "SillyTavern", ""),
    _blank(
        "card",
        "v2",
        "a V2 or V3 card's book",
        ", with what SillyTavern keeps in extensions",
        "Other programs read before or after the character only, and no group, sticky or filter.",
        position=1,
    ),
    _blank(
        "unorouter",
        "unorouter",
        "UnoRouter",
        ": one list, priority for the budget, order for the place",
        "Probability, scan depth and waiting are lines with @@ at the top of the content; see the snippets.",
        "A higher order stands earlier there, and later in SillyTavern.",
        selective=False,
        matchWholeWords=False,
        order=0,
        extensions={"priority": 100},
    ),
    _blank(
        "yumina",
        "yumina",
        "Yumina",
        ": a section and a place in it, four messages from the end of the chat",
        "A smaller position stands earlier within its section.",
        "The parts that SillyTavern does not have are kept in extensions.",
        matchWholeWords=False,
        order=0,
        position=_AT_DEPTH,
        depth=4,
        extensions={"yumina": dict(_YUMINA)},
    ),
    _blank(
        "novelai",
        "novelai",
        "NovelAI",
        ": budget priority 400, whole words, not woken by other entries",
        "The search range counts characters there, so there is no equal of the scan depth.",
        order=400,
        matchWholeWords=True,
        excludeRecursion=True,
    ),
    _blank(
        "agnai",
        "agnai",
        "Agnai",
        ": weight for the place, priority for the budget",
        "Keys may hold * and ?; in SillyTavern these are plain characters.",
        matchWholeWords=True,
        extensions={"priority": 0},
    ),
    _blank(
        "risu",
        "risu",
        "RisuAI",
        ": order 100, no secondary keys in force",
        "Keys are written with commas there, so a pattern cannot hold one.",
        selective=False,
    ),
    _blank(
        "kobold",
        "kobold",
        "KoboldAI Lite",
        ": plain substrings, no recursion",
        "The order of the list is the order in the prompt.",
        selective=False,
        matchWholeWords=False,
        **_NO_RECURSION,
    ),
    _blank(
        "kobold-united",
        "kobold_united",
        "KoboldAI United",
        ": capitals matter, no recursion",
        caseSensitive=True,
        matchWholeWords=False,
        **_NO_RECURSION,
    ),
    _blank(
        "wyvern",
        "wyvern",
        "Wyvern",
        ": keys match inside of words too",
        matchWholeWords=False,
        selective=False,
    ),
)
