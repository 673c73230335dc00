"""The reference of a field as blocks: what it does, the engine's exact rule, its value here and in files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.model.field_reference import default_text, range_text, type_text
from lorebook_tui.model.fields import json_name, setting_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span, heading
from lorebook_tui.tui.views.form_values import INHERITED, plain_value, what_is_wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tui.ink import Block

ENGINES: Final = {"sillytavern": "SillyTavern 1.19", "guide": "Guide", "unorouter": "UnoRouter", "yumina": "Yumina"}
"""What the engines of the table are called."""
FORMATS: Final = {
    "sillytavern": "SillyTavern world",
    "v2": "character card",
    "agnai": "Agnai",
    "risu": "RisuAI",
    "novelai": "NovelAI",
    "kobold": "KoboldAI Lite",
    "kobold_united": "KoboldAI United",
    "wyvern": "Wyvern",
    "unorouter": "UnoRouter",
    "yumina": "Yumina",
}
"""What the formats of the table are called."""
_LABEL_CELLS: Final = 21


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a field is looked at."""

    entry: Entry | None = None
    """The chosen entry."""
    settings: ScanSettings | None = None
    engine: str = "sillytavern"


def in_effect(row: Field, value: Any, settings: ScanSettings | None) -> str:
    """What a stored value comes to, as a sentence; "" where it is what it says.

    Args:
        row: of the field.
        value: as stored; `MISSING` if it is not.
        settings: of the scan.
    """
    if value is not MISSING and value is not None:
        return ""
    inherited = setting_named(INHERITED.get(row.name, ""))
    if inherited is not None and settings is not None:
        effective = plain_value(inherited, getattr(settings, inherited.name))
        return f"{effective}, from the setting {inherited.label}"
    return row.absent if value is MISSING else row.null


def field_blocks(row: Field, standing: Standing) -> list[Block]:
    """The whole reference of a field of an entry, or of a setting."""
    is_setting = setting_named(row.name) is row
    blocks: list[Block] = [
        Row((Span(row.label or row.name, "title"),), (Span(row.name, "muted"),)),
        *([Paragraph((Span(row.help),))] if row.rule else []),
        BLANK,
        heading("The exact rule"),
        *_rules(row, standing.engine),
        BLANK,
        heading("Now" if is_setting else "In this entry"),
        *_standing(row, standing, is_setting=is_setting),
        BLANK,
        heading("Values"),
        *_values(row),
    ]
    if row.json_names or not is_setting:
        blocks += [BLANK, heading("In files"), *_names(row, is_setting=is_setting)]
    return blocks


def _fact(label: str, text: str, ink: str = "text") -> Paragraph:
    return Paragraph((Span(text, ink),), None, (Span(f"  {label:<{_LABEL_CELLS - 3}} ", "label"),), _LABEL_CELLS)


def _standing(row: Field, standing: Standing, *, is_setting: bool) -> Iterator[Block]:
    if is_setting:
        if standing.settings is not None:
            yield _fact("value", plain_value(row, getattr(standing.settings, row.name)), "strong")
        return
    if standing.entry is None:
        yield _fact("value", "no entry is chosen", "muted")
        return
    value = standing.entry.get(row.name)
    stored = "not in the file" if value is MISSING else "null" if value is None else plain_value(row, value)
    yield _fact("stored", stored, "strong")
    wrong = what_is_wrong(row, value) if value is not MISSING else ""
    if wrong:
        yield _fact("wrong", wrong, "near")
    effect = in_effect(row, value, standing.settings)
    if effect:
        yield _fact("in effect", effect)


def _rules(row: Field, engine: str) -> Iterator[Block]:
    """One sentence per engine, the one in use first."""
    if not row.engines:
        yield _fact("for people", row.help)
        yield _fact("every engine", "Does not look at it: it changes nothing in the prompt.")
        return
    for name in sorted(ENGINES, key=lambda name: name != engine):
        ink = "strong" if name == engine else "muted"
        yield _fact(ENGINES[name], _rule(row, name), ink)
    yield _fact("missing", row.absent)
    if row.null:
        yield _fact("null", row.null)


def _rule(row: Field, engine: str) -> str:
    """What an engine does with a field, in one sentence."""
    if engine not in row.engines:
        return "Does not look at it."
    if engine == "sillytavern" or "sillytavern" not in row.engines:
        return row.rule or row.help
    if engine == "guide":
        return "As in SillyTavern."
    own = json_name(row, engine)
    return f"Looks at it, as {own}." if own else "Looks at it."


def _values(row: Field) -> Iterator[Block]:
    yield _fact("type", type_text(row))
    if range_text(row):
        yield _fact("range", range_text(row))
    if default_text(row):
        yield _fact("new entry", default_text(row))
    for number, choice in enumerate(row.choices):
        told = str(choice.value) if str(choice.value) == choice.label else f"{choice.value} {choice.label}"
        yield _fact("" if number else "choices", f"{told}: {choice.help}" if choice.help else told)
    if row.since:
        yield _fact("since", f"SillyTavern {row.since}")


def _names(row: Field, *, is_setting: bool) -> Iterator[Block]:
    for name, label in FORMATS.items():
        path = row.json_names.get(name) if is_setting else json_name(row, name)
        if path:
            yield _fact(label, f"the opposite of {path[1:]}" if path.startswith("!") else path)
