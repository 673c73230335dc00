"""The rows of THE table that say what befalls a matched entry: filters, place, recursion, timing, groups.

Source: SillyTavern 1.19 (template, defaults and behaviour).
"""

from __future__ import annotations

from typing import Final

from lorebook_tui.model.field_types import Choice, Field, FieldGroup
from lorebook_tui.model.js import MISSING

_OFF: Final = "As false."
_NEVER: Final = "As 0 or null: it has no such effect."
_DEEPEST = 1000

POSITIONS: Final = (
    Choice(0, "before char", "Before the character's description."),
    Choice(1, "after char", "After the character's description."),
    Choice(2, "AN top", "Above the author's note; lost in turns without the note."),
    Choice(3, "AN bottom", "Below the author's note; lost in turns without the note."),
    Choice(4, "at depth", "Inside the chat, so many messages from its end, with a role."),
    Choice(5, "EM top", "Before the example messages."),
    Choice(6, "EM bottom", "After the example messages."),
    Choice(7, "outlet", "Nowhere by itself: where {{outlet::name}} asks for it."),
)
ROLES: Final = (Choice(0, "system"), Choice(1, "user"), Choice(2, "assistant"))
TRIGGER_CHOICES: Final = (
    Choice("normal", "normal", "An ordinary reply."),
    Choice("continue", "continue", "The last message is continued."),
    Choice("impersonate", "impersonate", "The model writes for the user."),
    Choice("swipe", "swipe", "Another version of the last reply."),
    Choice("regenerate", "regenerate", "The last reply is thrown away and written anew."),
    Choice("quiet", "quiet", "A generation in the background, for extensions and scripts."),
)

_FILTERS: Final = (
    Field(
        "probability",
        ("number",),
        100,
        "With the roll on, the entry never passes.",
        "The chance that a matched entry gets in; one failed roll bars it for the rest of the turn.",
        FieldGroup.FILTERS,
        "Probability",
        0,
        100,
        "percent",
        json_names={
            "v2": "extensions.probability",
            "risu": "activationPercent",
            "kobold": "probability",
            "wyvern": "activation_chance",
        },
        rule="There is no roll at 100 or while sticky holds it; else it passes if a draw from 0 to 100 is not "
        "above it: 0 passes on a draw of exactly 0, and null counts as 0.",
    ),
    Field(
        "useProbability",
        ("boolean",),
        True,
        "There is no roll: the entry always passes.",
        "Whether the probability is rolled at all; SillyTavern's editor always sets it.",
        FieldGroup.FILTERS,
        "Roll the probability",
        json_names={"v2": "extensions.useProbability"},
    ),
    Field(
        "triggers",
        ("strings",),
        [],
        "Every kind of generation is allowed, as with an empty list.",
        "The kinds of generation in which the entry may be activated; an empty list allows all.",
        FieldGroup.FILTERS,
        "Kinds of generation",
        choices=TRIGGER_CHOICES,
        json_names={"v2": "extensions.triggers"},
    ),
    Field(
        "characterFilter",
        ("object", "null"),
        MISSING,
        "There is no filter, as with null.",
        "Only for (or, with isExclude, not for) the named characters and tags: names are card file names without "
        "extension, tags are tag ids, and both lists must agree.",
        FieldGroup.FILTERS,
        "Character filter",
        null="There is no filter.",
    ),
    Field(
        "ignoreBudget",
        ("boolean",),
        False,
        _OFF,
        "The entry gets in even when the budget is spent; its text still counts against the entries after it.",
        FieldGroup.FILTERS,
        "Ignore budget",
        json_names={"v2": "extensions.ignore_budget"},
        rule="It is admitted though the budget is reached, even behind the cut; its text counts for those tried "
        "after it.",
    ),
)

_PLACEMENT: Final = (
    Field(
        "position",
        ("integer",),
        0,
        "It is activated and counted, but put nowhere.",
        "Where in the prompt the text goes.",
        FieldGroup.PLACEMENT,
        "Position",
        0,
        7,
        choices=POSITIONS,
        json_names={"v2": "extensions.position", "wyvern": "position"},
        rule="Only the numbers 0 to 7 are places; anything else, even the text 0, is activated and counted but put "
        "nowhere.",
    ),
    Field(
        "order",
        ("number",),
        100,
        "The sorting is undefined: the comparison is with no number.",
        "A higher order is tried earlier, so it survives the budget longer, and stands nearer the end of its place in "
        "the prompt; equal orders come out reversed.",
        FieldGroup.PLACEMENT,
        "Order",
        json_names={
            "v2": "insertion_order",
            "agnai": "weight",
            "risu": "insertorder",
            "novelai": "contextConfig.budgetPriority",
            "wyvern": "priority",
            "unorouter": "orderIndex",
            "yumina": "position",
        },
        engines=("sillytavern", "guide", "unorouter", "yumina"),
        rule="Candidates are tried from the highest order down; each text is put in front of its place's others, "
        "so the highest stands last and equal ones in reverse order of activation; outlets append.",
    ),
    Field(
        "depth",
        ("integer",),
        4,
        "It stands at depth 4.",
        "For position at depth: how many messages from the end of the chat the text stands; 0 is after the last one.",
        FieldGroup.PLACEMENT,
        "Depth",
        0,
        _DEEPEST,
        "messages",
        json_names={"v2": "extensions.depth", "wyvern": "insertion_order", "yumina": "depth"},
        engines=("sillytavern", "guide", "yumina"),
        rule="Texts of one depth and one role become one block at that depth, the highest order last in it.",
    ),
    Field(
        "role",
        ("integer", "null"),
        0,
        "As 0, system; null likewise.",
        "For position at depth: who seems to say the text.",
        FieldGroup.PLACEMENT,
        "Role",
        0,
        2,
        choices=ROLES,
        json_names={"v2": "extensions.role", "unorouter": "injectionRole", "yumina": "apiRole"},
        engines=("sillytavern", "guide", "unorouter", "yumina"),
        null="As 0, system.",
    ),
    Field(
        "outletName",
        ("string",),
        "",
        "With position outlet, the text is dropped.",
        "For position outlet: the name under which {{outlet::name}} fetches the text; blanks around it are part of it.",
        FieldGroup.PLACEMENT,
        "Outlet name",
        json_names={"v2": "extensions.outlet_name"},
    ),
)

_RECURSION: Final = (
    Field(
        "excludeRecursion",
        ("boolean",),
        False,
        _OFF,
        "The texts of other entries cannot trigger it: it is skipped in recursion passes while recursion is on.",
        FieldGroup.RECURSION,
        "Not triggered by entries",
        json_names={"v2": "extensions.exclude_recursion", "yumina": "excludeRecursion"},
        engines=("sillytavern", "guide", "yumina"),
        rule="It is not tried in recursion passes while recursion is on, unless sticky holds it; passes that delay "
        "levels open with recursion off do not honour it.",
    ),
    Field(
        "preventRecursion",
        ("boolean",),
        False,
        _OFF,
        "Its text triggers no other entries, and later passes do not count it against the budget.",
        FieldGroup.RECURSION,
        "Triggers no entries",
        json_names={"v2": "extensions.prevent_recursion", "yumina": "preventRecursion"},
        engines=("sillytavern", "guide", "yumina"),
        rule="Its text is not handed to later passes, which therefore do not count it against the budget either.",
    ),
    Field(
        "delayUntilRecursion",
        ("integer", "boolean"),
        0,
        "As 0: it is open from the first pass.",
        "Activated in recursion passes only; higher levels open one by one when all else is done, true is level 1.",
        FieldGroup.RECURSION,
        "Delay until recursion",
        0,
        unit="level",
        json_names={"v2": "extensions.delay_until_recursion"},
        rule="It is tried in recursion passes only, unless sticky holds it; the first level is open from the "
        "start, the others open one by one when all else is done, even with recursion off.",
    ),
)

_TIMING: Final = (
    Field(
        "sticky",
        ("integer", "null"),
        None,
        _NEVER,
        "After an activation with n messages in the chat the entry stays active, without its keys, while there are "
        "fewer than n + this many.",
        FieldGroup.TIMING,
        "Sticky",
        0,
        unit="messages",
        json_names={"v2": "extensions.sticky", "wyvern": "sticky"},
        null="As 0: it has no such effect.",
        rule="Activated with n messages in the chat, it stays without keys, roll or cooldown while there are fewer "
        "than n + this many; a match meanwhile does not prolong it.",
    ),
    Field(
        "cooldown",
        ("integer", "null"),
        None,
        _NEVER,
        "After an activation with n messages in the chat the entry is barred while there are fewer than n + this many; "
        "it starts anew when sticky ends.",
        FieldGroup.TIMING,
        "Cooldown",
        0,
        unit="messages",
        json_names={"v2": "extensions.cooldown", "wyvern": "cooldown"},
        null="As 0: it has no such effect.",
        rule="Activated with n messages in the chat, even while sticky holds it, it is barred while there are "
        "fewer than n + this many; when sticky ends, the cooldown starts anew.",
    ),
    Field(
        "delay",
        ("integer", "null"),
        None,
        _NEVER,
        "The entry is barred while the chat has fewer messages than this.",
        FieldGroup.TIMING,
        "Delay",
        0,
        unit="messages",
        json_names={"v2": "extensions.delay", "wyvern": "delay"},
        null="As 0: it has no such effect.",
    ),
)

_GROUP: Final = (
    Field(
        "group",
        ("string",),
        "",
        "It is in no inclusion group.",
        "Of all matched entries with the same group name only one gets in; several names are parted by commas.",
        FieldGroup.GROUP,
        "Inclusion group",
        json_names={"v2": "extensions.group"},
        rule="An entry activated earlier holds the group only if its whole field equals this one name; the losers "
        "are tried again in the next pass.",
    ),
    Field(
        "groupOverride",
        ("boolean",),
        False,
        _OFF,
        "If any member has it, the group is decided without a draw: the highest order among those that have it wins.",
        FieldGroup.GROUP,
        "Prioritise by order",
        json_names={"v2": "extensions.group_override"},
    ),
    Field(
        "groupWeight",
        ("number", "null"),
        100,
        "As 100; null likewise.",
        "The entry's share in the draw: weight 200 wins twice as often as weight 100.",
        FieldGroup.GROUP,
        "Group weight",
        1,
        10000,
        json_names={"v2": "extensions.group_weight"},
        null="As 100.",
        rule="A random share of the sum of all weights is drawn; the first member at which the running sum reaches "
        "it wins, and if all weights are 0 the first member does.",
    ),
    Field(
        "useGroupScoring",
        ("boolean", "null"),
        None,
        "The global setting decides, as with null.",
        "Whether the entry leaves its group's draw when another member matched more keys; true for one member starts "
        "the scoring for the group.",
        FieldGroup.GROUP,
        "Group scoring",
        json_names={"v2": "extensions.use_group_scoring"},
        null="The global setting decides.",
        rule="Each matching primary key scores 1, each secondary one too with AND ANY, or with AND ALL if all "
        "match; who is below the best of all members leaves the draw.",
    ),
)

EFFECT_FIELDS: Final = (*_FILTERS, *_PLACEMENT, *_RECURSION, *_TIMING, *_GROUP)
