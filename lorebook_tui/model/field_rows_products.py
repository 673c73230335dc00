"""The rows of THE table that SillyTavern does not have: what UnoRouter's and Yumina's entries say besides.

Source: the products' own documents for authors. In a SillyTavern file they are kept under `extensions`.
"""

from __future__ import annotations

from typing import Final

from lorebook_tui.model.field_types import Choice, Field, FieldGroup
from lorebook_tui.model.js import MISSING

SECTIONS: Final = (
    Choice("system-presets", "system presets", "At the top of the prompt, what the model reads first."),
    Choice("examples", "examples", "Among the example dialogues."),
    Choice("chat-history", "chat history", "Inside the chat, `depth` messages from its end."),
    Choice("post-history", "post history", "After all messages, what the model reads last."),
)
CONDITION_LOGICS: Final = (
    Choice("all", "all", "Every condition must hold."),
    Choice("any", "any", "One condition is enough."),
)

PRODUCT_FIELDS: Final = (
    Field(
        "priority",
        ("number",),
        MISSING,
        "UnoRouter takes 0; other readers of card books take the order.",
        "Who stays when the budget is short: the lowest priority falls first, whatever its order.",
        FieldGroup.OTHER,
        "Priority",
        json_names={
            "sillytavern": "extensions.priority",
            "v2": "priority",
            "agnai": "priority",
            "unorouter": "priority",
        },
        engines=("unorouter",),
    ),
    Field(
        "section",
        ("string",),
        MISSING,
        "Yumina puts it into the system presets.",
        "The part of Yumina's prompt that the text goes to; the order sorts within it, smaller first.",
        FieldGroup.OTHER,
        "Section",
        choices=SECTIONS,
        json_names={"sillytavern": "extensions.yumina.section", "yumina": "section"},
        engines=("yumina",),
    ),
    Field(
        "useFuzzyMatch",
        ("boolean",),
        MISSING,
        "As false.",
        "Forgives typing errors in Latin keys: one in a key of up to five letters, two in longer ones.",
        FieldGroup.OTHER,
        "Fuzzy match",
        json_names={"sillytavern": "extensions.yumina.useFuzzyMatch", "yumina": "useFuzzyMatch"},
        engines=("yumina",),
    ),
    Field(
        "conditions",
        ("objects",),
        MISSING,
        "There are no conditions, so the keys decide alone.",
        "Comparisons of variables with values; a variable that does not exist makes its condition fail.",
        FieldGroup.OTHER,
        "Conditions",
        json_names={"sillytavern": "extensions.yumina.conditions", "yumina": "conditions"},
        engines=("yumina",),
    ),
    Field(
        "conditionLogic",
        ("string",),
        MISSING,
        "Every condition must hold.",
        "Whether all conditions must hold or one is enough.",
        FieldGroup.OTHER,
        "Condition logic",
        choices=CONDITION_LOGICS,
        json_names={"sillytavern": "extensions.yumina.conditionLogic", "yumina": "conditionLogic"},
        engines=("yumina",),
    ),
)
