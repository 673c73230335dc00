"""The rows of THE table that are settings: SillyTavern's global World Info settings, as a fresh install has them.

Source: SillyTavern 1.19. The ranges are those of its editor; the scan itself takes any number.
"""

from __future__ import annotations

from lorebook_tui.model.field_types import Choice, Field, FieldGroup

_ABSENT = "A fresh install's value is used."

STRATEGIES = (
    Choice(0, "evenly", "Global and character entries are sorted as one list."),
    Choice(1, "character first", "All character entries come before the global ones."),
    Choice(2, "global first", "All global entries come before those of the character."),
)

SETTING_FIELDS: tuple[Field, ...] = (
    Field(
        "world_info_depth",
        ("integer",),
        2,
        _ABSENT,
        "How many of the latest messages are searched for keys; 0 blinds every entry without a scan depth of its own, "
        "recursion included.",
        FieldGroup.ACTIVATION,
        "Scan depth",
        0,
        1000,
        "messages",
        json_names={"v2": "scan_depth", "agnai": "scanDepth"},
    ),
    Field(
        "world_info_budget",
        ("number",),
        25,
        _ABSENT,
        "The share of the context that lore may fill; the total has to stay below it, and the first entry that reaches "
        "it ends the normal entries.",
        FieldGroup.PLACEMENT,
        "Context %",
        1,
        100,
        "percent",
    ),
    Field(
        "world_info_budget_cap",
        ("integer",),
        0,
        _ABSENT,
        "An upper limit on the budget that the percentage gives; 0 means no limit.",
        FieldGroup.PLACEMENT,
        "Budget cap",
        0,
        65536,
        "tokens",
        json_names={"v2": "token_budget", "agnai": "tokenBudget"},
    ),
    Field(
        "world_info_min_activations",
        ("integer",),
        0,
        _ABSENT,
        "While fewer entries than this are active, the scan looks one message further back and tries again; constants "
        "count, and 0 switches it off.",
        FieldGroup.ACTIVATION,
        "Min activations",
        0,
        100,
        "entries",
    ),
    Field(
        "world_info_min_activations_depth_max",
        ("integer",),
        0,
        _ABSENT,
        "How far back min activations may look; the scan can reach one message beyond it, and 0 means the whole chat.",
        FieldGroup.ACTIVATION,
        "Max depth of min activations",
        0,
        100,
        "messages",
    ),
    Field(
        "world_info_max_recursion_steps",
        ("integer",),
        0,
        _ABSENT,
        "The greatest number of passes, the first one included, so 1 means no recursion, no min activations and no "
        "delay levels; 0 means no limit.",
        FieldGroup.RECURSION,
        "Max recursion steps",
        0,
        10,
        "passes",
    ),
    Field(
        "world_info_recursive",
        ("boolean",),
        True,
        _ABSENT,
        "The texts of activated entries are searched for keys too, so that one entry can pull in others.",
        FieldGroup.RECURSION,
        "Recursive scan",
        json_names={"v2": "recursive_scanning", "agnai": "recursiveScanning"},
    ),
    Field(
        "world_info_match_whole_words",
        ("boolean",),
        True,
        _ABSENT,
        "A key of one word must stand between characters other than A-Z, a-z, 0-9 and _, so accented and non-Latin "
        "letters count as borders; a key of several words is found anywhere.",
        FieldGroup.ACTIVATION,
        "Match whole words",
    ),
    Field(
        "world_info_case_sensitive",
        ("boolean",),
        False,
        _ABSENT,
        "Plain keys must have the same capitals as the text; regex keys decide for themselves by their i flag.",
        FieldGroup.ACTIVATION,
        "Case-sensitive",
    ),
    Field(
        "world_info_include_names",
        ("boolean",),
        True,
        _ABSENT,
        "Each message is searched as `Name: text`, so a key can match the name of its author.",
        FieldGroup.ACTIVATION,
        "Include names",
    ),
    Field(
        "world_info_use_group_scoring",
        ("boolean",),
        False,
        _ABSENT,
        "Within an inclusion group only the entries with the most matching keys stay in the draw.",
        FieldGroup.GROUP,
        "Group scoring",
    ),
    Field(
        "world_info_overflow_alert",
        ("boolean",),
        False,
        _ABSENT,
        "The product shows a notice when the budget is reached; nothing else changes.",
        FieldGroup.OTHER,
        "Alert on overflow",
        engines=(),
    ),
    Field(
        "world_info_character_strategy",
        ("integer",),
        1,
        "As 0, evenly: any value but 1 and 2 is taken so.",
        "Whether global and character entries are one list by order, or one of the two layers is always tried first; "
        "chat and persona entries precede both.",
        FieldGroup.PLACEMENT,
        "Insertion strategy",
        0,
        2,
        choices=STRATEGIES,
    ),
)
