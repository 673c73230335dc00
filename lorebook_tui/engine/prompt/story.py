"""The story string: card, persona and lore in the words of the context template."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.handlebars import Node, parsed, rendered
from lorebook_tui.engine.prompt.traced import EMPTY, TEMPLATE, Traced

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.material import Material

TRIM = "{{trim}}"


@lru_cache(maxsize=64)
def _template(text: str) -> list[Node]:
    return parsed(text)


def story_values(material: Material, examples: Traced) -> dict[str, Traced]:
    """What a story template can show, by name."""
    fields = material.fields
    return {
        "anchorBefore": material.table.at(table.BEFORE_MAIN, material.expander).trim(),
        "anchorAfter": material.table.at(table.AFTER_MAIN, material.expander).trim(),
        "description": fields["description"],
        "personality": fields["personality"],
        "persona": fields["persona"] if material.persona_in_prompt else EMPTY,
        "scenario": fields["scenario"],
        "system": material.system_prompt,
        "char": Traced.of(material.char, TEMPLATE),
        "user": Traced.of(material.user, TEMPLATE),
        "wiBefore": material.before,
        "wiAfter": material.after,
        "loreBefore": material.before,
        "loreAfter": material.after,
        "mesExamples": examples,
        "mesExamplesRaw": Traced.joined(material.examples),
    }


def render_story(material: Material, examples: Traced) -> Traced:
    """The story string, its macros replaced, without line feeds in front.

    SillyTavern 1.19 renders it for a chat completion too, where it shows nowhere but macros in lore act once more.

    Args:
        material: fields, lore and table.
        examples: all example messages in one text, formatted.
    """
    template = material.settings.story.story_string
    expander = material.expander

    def missing(name: str) -> Traced:
        macro = f"{{{{{name}}}}}"
        return Traced.of(macro if macro == TRIM else expander.text(macro), TEMPLATE)

    text = expander.traced(rendered(_template(template), story_values(material, examples), missing))
    return text.cut(len(text) - len(text.text.lstrip("\n")))
