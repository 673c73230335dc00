"""The rows of THE table that are entry fields: what an entry is and what activates it; and all rows together.

Source: SillyTavern 1.19 (template, defaults and behaviour). Order and grouping are those of the form. What else befalls
an entry is in `field_rows_effects`; what only other products have, in `field_rows_products`.
"""

from __future__ import annotations

from typing import Final

from lorebook_tui.model.field_rows_effects import EFFECT_FIELDS
from lorebook_tui.model.field_rows_products import PRODUCT_FIELDS
from lorebook_tui.model.field_types import Choice, Field, FieldGroup
from lorebook_tui.model.js import MISSING

_ALL: Final = ("sillytavern", "guide", "unorouter", "yumina")
_GLOBAL: Final = "The global setting decides, as with null."
_NO_EFFECT: Final = "Nothing: the scan does not look at it."
_OFF: Final = "As false."
_DEEPEST = 1000

LOGICS: Final = (
    Choice(0, "AND ANY", "At least one secondary key must match."),
    Choice(1, "NOT ALL", "At least one secondary key must be absent."),
    Choice(2, "NOT ANY", "No secondary key may match."),
    Choice(3, "AND ALL", "Every secondary key must match."),
)
_IDENTITY: Final = (
    Field(
        "uid",
        ("integer",),
        MISSING,
        "Its identity is `BOOK.undefined`, so several such entries count as one.",
        "The number that, with the book's name, identifies the entry in chats and timed effects; a new entry gets the "
        "smallest free one.",
        FieldGroup.IDENTITY,
        "UID",
        0,
        json_names={"v2": "id", "kobold_united": "uid", "unorouter": "id", "yumina": "id"},
        engines=_ALL,
    ),
    Field(
        "comment",
        ("string",),
        "",
        _NO_EFFECT,
        "The title, for people only: it is never searched and never sent.",
        FieldGroup.IDENTITY,
        "Title",
        json_names={
            "v2": "comment",
            "agnai": "name",
            "risu": "comment",
            "novelai": "displayName",
            "kobold": "comment",
            "kobold_united": "title",
            "wyvern": "comment",
            "unorouter": "comment",
            "yumina": "name",
        },
        engines=(),
    ),
    Field(
        "addMemo",
        ("boolean",),
        False,
        _NO_EFFECT,
        "Whether SillyTavern's editor shows the title.",
        FieldGroup.IDENTITY,
        "Show title",
        engines=(),
    ),
    Field(
        "content",
        ("string",),
        "",
        "As an empty text: the entry can be activated, opens a recursion pass, and puts nothing into the prompt.",
        "What the model reads; macros are replaced, and the text may trigger other entries by recursion.",
        FieldGroup.IDENTITY,
        "Content",
        json_names={
            "v2": "content",
            "agnai": "entry",
            "risu": "content",
            "novelai": "text",
            "kobold": "content",
            "kobold_united": "content",
            "wyvern": "content",
            "unorouter": "content",
            "yumina": "content",
        },
        engines=_ALL,
    ),
    Field(
        "disable",
        ("boolean",),
        False,
        "As false; but in a card's book an entry without `enabled` is disabled.",
        "A disabled entry takes no part in anything, except that its recursion level is still counted.",
        FieldGroup.IDENTITY,
        "Disabled",
        json_names={
            "v2": "!enabled",
            "agnai": "!enabled",
            "novelai": "!enabled",
            "kobold": "widisabled",
            "wyvern": "!enabled",
            "unorouter": "!enabled",
            "yumina": "!enabled",
        },
        engines=_ALL,
    ),
    Field(
        "displayIndex",
        ("integer",),
        MISSING,
        _NO_EFFECT,
        "The place in SillyTavern's editor when it sorts by hand; it has no say in the prompt.",
        FieldGroup.IDENTITY,
        "Place in the editor",
        0,
        json_names={"v2": "extensions.display_index"},
        engines=(),
    ),
    Field(
        "automationId",
        ("string",),
        "",
        _NO_EFFECT,
        "Quick Replies with the same automation ID run when the entry is activated.",
        FieldGroup.IDENTITY,
        "Automation ID",
        json_names={"v2": "extensions.automation_id"},
        engines=(),
    ),
    Field(
        "extensions",
        ("object",),
        MISSING,
        _NO_EFFECT,
        "What other programs keep with the entry; it is carried along untouched.",
        FieldGroup.IDENTITY,
        "Extensions",
        json_names={"v2": "extensions", "wyvern": "extensions"},
        engines=(),
    ),
)

_ACTIVATION: Final = (
    Field(
        "key",
        ("strings",),
        [],
        "No key can activate it: it needs to be constant, forced or sticky, or to begin with @@activate.",
        "Words or /patterns/flags, one of which must occur in the scanned text; a comma inside a word is part of it.",
        FieldGroup.ACTIVATION,
        "Keys",
        json_names={
            "v2": "keys",
            "agnai": "keywords",
            "risu": "key",
            "novelai": "keys",
            "kobold": "key",
            "kobold_united": "key",
            "wyvern": "keys",
            "unorouter": "keys",
            "yumina": "keywords",
        },
        engines=_ALL,
    ),
    Field(
        "keysecondary",
        ("strings",),
        [],
        "There are no secondary keys, so a primary key is enough.",
        "Further words or patterns that are checked once a primary key has matched, by the secondary logic.",
        FieldGroup.ACTIVATION,
        "Secondary keys",
        json_names={
            "v2": "secondary_keys",
            "risu": "secondkey",
            "kobold": "keysecondary",
            "kobold_united": "keysecondary",
            "wyvern": "secondary_keys",
            "unorouter": "secondaryKeys",
            "yumina": "secondaryKeywords",
        },
        engines=_ALL,
    ),
    Field(
        "selective",
        ("boolean",),
        True,
        "Secondary keys are ignored, as with false.",
        "Whether the secondary keys count; group scoring counts them all the same.",
        FieldGroup.ACTIVATION,
        "Use secondary keys",
        json_names={
            "v2": "selective",
            "risu": "selective",
            "kobold": "selective",
            "kobold_united": "selective",
            "wyvern": "selective",
            "unorouter": "selective",
        },
        engines=("sillytavern", "guide", "unorouter"),
    ),
    Field(
        "selectiveLogic",
        ("integer",),
        0,
        "As 0, AND ANY.",
        "How the secondary keys decide; a number outside 0 to 3 never matches.",
        FieldGroup.ACTIVATION,
        "Secondary logic",
        0,
        3,
        choices=LOGICS,
        json_names={"v2": "extensions.selectiveLogic", "wyvern": "key_logic", "yumina": "secondaryKeywordLogic"},
        engines=("sillytavern", "guide", "yumina"),
    ),
    Field(
        "constant",
        ("boolean",),
        False,
        _OFF,
        "Active without keys; filters, delay, groups, probability and the budget still apply, and nothing reserves a "
        "place for it.",
        FieldGroup.ACTIVATION,
        "Constant",
        json_names={
            "v2": "constant",
            "risu": "alwaysActive",
            "novelai": "forceActivation",
            "kobold": "constant",
            "kobold_united": "constant",
            "wyvern": "constant",
            "unorouter": "constant",
            "yumina": "alwaysSend",
        },
        engines=_ALL,
    ),
    Field(
        "vectorized",
        ("boolean",),
        False,
        _OFF,
        "May also be activated by similarity of meaning when the vector extension is on; the key scan ignores it.",
        FieldGroup.ACTIVATION,
        "Vectorised",
        json_names={"v2": "extensions.vectorized"},
    ),
    Field(
        "scanDepth",
        ("integer", "null"),
        None,
        "The global scan depth, as with null.",
        "How many of the latest messages this entry searches, in place of the global depth; 0 blinds it to everything, "
        "and min activations does not widen it.",
        FieldGroup.ACTIVATION,
        "Scan depth",
        0,
        _DEEPEST,
        "messages",
        json_names={"v2": "extensions.scan_depth"},
        null="The global scan depth is used.",
    ),
    Field(
        "caseSensitive",
        ("boolean", "null"),
        None,
        _GLOBAL,
        "Whether capitals of plain keys matter for this entry; regex keys use their i flag instead.",
        FieldGroup.ACTIVATION,
        "Case-sensitive",
        json_names={
            "v2": "extensions.case_sensitive",
            "risu": "extentions.risu_case_sensitive",
            "wyvern": "case_sensitive",
        },
        null="The global setting decides.",
    ),
    Field(
        "matchWholeWords",
        ("boolean", "null"),
        None,
        _GLOBAL,
        "Whether a one-word key must stand between characters other than A-Z, a-z, 0-9 and _; switch it off for "
        "languages written without spaces.",
        FieldGroup.ACTIVATION,
        "Match whole words",
        json_names={
            "v2": "extensions.match_whole_words",
            "wyvern": "whole_words_only",
            "unorouter": "matchWholeWords",
            "yumina": "matchWholeWords",
        },
        engines=_ALL,
        null="The global setting decides.",
    ),
)


def _source(name: str, json_tail: str, what: str, **other_names: str) -> Field:
    """One of the six flags that add a text of the cast to what is searched."""
    return Field(
        name,
        ("boolean",),
        False,
        _OFF,
        f"Searches {what} for this entry's keys too, after the messages.",
        FieldGroup.SOURCES,
        what[0].upper() + what[1:],
        json_names={"v2": f"extensions.{json_tail}", **other_names},
    )


_SOURCES: Final = (
    _source("matchPersonaDescription", "match_persona_description", "the persona's description", wyvern="scan_persona"),
    _source("matchCharacterDescription", "match_character_description", "the character's description"),
    _source("matchCharacterPersonality", "match_character_personality", "the character's personality"),
    _source("matchCharacterDepthPrompt", "match_character_depth_prompt", "the character's note"),
    _source("matchScenario", "match_scenario", "the scenario"),
    _source("matchCreatorNotes", "match_creator_notes", "the creator's notes"),
)

ENTRY_FIELDS: Final[tuple[Field, ...]] = (*_IDENTITY, *_ACTIVATION, *_SOURCES, *EFFECT_FIELDS, *PRODUCT_FIELDS)
