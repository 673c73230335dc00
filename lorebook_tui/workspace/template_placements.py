"""Recipes for entries by where they stand: the last word, author's note, examples, outlets, behind other entries."""

from __future__ import annotations

from typing import Final

from lorebook_tui.workspace.templates import Blank, Template

_WHERE: Final = Blank("where", "Name of the place", "Mossford")
_WHO: Final = Blank("name", "Name of the person", "Mira")
_AFTER, _NOTE_TOP, _AT_DEPTH, _EXAMPLES, _OUTLET = 1, 2, 4, 5, 7

PLACEMENT_RECIPES: Final = (
    Template(
        "reminder",
        "The last word before the reply",
        "Stands behind all messages at every turn, where models listen best.",
        (
            {
                "comment": "Reminder",
                "content": "<<order>>",
                "constant": True,
                "position": _AT_DEPTH,
                "depth": 0,
                "role": 0,
                "order": 950,
                "preventRecursion": True,
            },
        ),
        (
            Blank(
                "order", "What must be kept", "Stay in the role of {{char}}; what {{user}} does is for {{user}} to say."
            ),
        ),
        ("Depth 0 to 4 for what must be heard, 10 and deeper for background.",),
    ),
    Template(
        "background",
        "Background that only other entries call up",
        "Comes along when the text of another active entry names it, never from the chat itself.",
        (
            {
                "comment": "<<topic>> · history",
                "key": ["<<topic>>"],
                "content": "<<topic>>: nine families who keep the river lit and are owed for it.",
                "delayUntilRecursion": 1,
                "preventRecursion": True,
                "position": _AFTER,
                "order": 50,
            },
            {
                "comment": "<<where>>",
                "key": ["<<where>>"],
                "content": "<<where>> stands under the protection of the <<topic>>.",
                "position": _AFTER,
                "order": 100,
            },
        ),
        (Blank("topic", "What the background is about", "Lantern guild"), _WHERE),
        ("Recursive scanning has to be on, as it is in a fresh SillyTavern.",),
        {"world_info_recursive": True},
    ),
    Template(
        "authors-note",
        "In the author's note",
        "Puts a scene's tone above the author's note while its words are said.",
        (
            {
                "comment": "Tone · <<scene>>",
                "key": ["<<scene>>"],
                "content": "[Tone: <<tone>>]",
                "position": _NOTE_TOP,
            },
        ),
        (
            Blank("scene", "Words of the scene, with commas", "storm, thunder"),
            Blank("tone", "Its tone", "short breath, wet cloth"),
        ),
        ("In turns that do not send the author's note (its interval) the text is lost.",),
    ),
    Template(
        "outlet",
        "Where a macro asks for it",
        "Goes nowhere by itself: {{outlet::NAME}} in a card, a prompt or the author's note fetches it.",
        (
            {
                "comment": "Outlet <<outlet>> · <<scene>>",
                "key": ["<<scene>>"],
                "content": "Fog lies on the water, and every voice sounds near.",
                "position": _OUTLET,
                "outletName": "<<outlet>>",
            },
        ),
        (
            Blank("outlet", "Name of the outlet", "weather"),
            Blank("scene", "Words that wake it, with commas", "fog, mist"),
        ),
        (
            "Blanks around the name are part of it.",
            "Several active entries of one outlet stand with the highest order first.",
            "Another entry cannot fetch it.",
        ),
    ),
    Template(
        "voice",
        "How somebody speaks",
        "Shows the model a few lines of a person's speech among the example messages when they are about.",
        (
            {
                "comment": "<<name>> · voice",
                "key": ["<<name>>"],
                "content": "<START>\n{{user}}: Is it safe?\n<<name>>: *taps the rail* Safe? It floats.",
                "position": _EXAMPLES,
            },
        ),
        (_WHO,),
        ("<START> begins an example; without it the text is part of the one before.",),
    ),
)
