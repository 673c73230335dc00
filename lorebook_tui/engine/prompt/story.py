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
_TOLD_FIELDS = (
    ("description",),
    ("personality",),
    ("persona",),
    ("scenario",),
    ("wiBefore", "loreBefore"),
    ("wiAfter", "loreAfter"),
)


@lru_cache(maxsize=64)
def _template(text: str) -> list[Node]:
    return parsed(text)


def _field_values(material: Material) -> dict[str, Traced]:
    fields = material.fields
    return {
        "description": fields["description"],
        "personality": fields["personality"],
        "persona": fields["persona"] if material.persona_in_prompt else EMPTY,
        "scenario": fields["scenario"],
        "wiBefore": material.before,
        "wiAfter": material.after,
    }


def story_values(material: Material, examples: Traced) -> dict[str, Traced]:
    """What a story template can show, by name."""
    return {
        **_field_values(material),
        "anchorBefore": material.table.at(table.BEFORE_MAIN, material.expander).trim(),
        "anchorAfter": material.table.at(table.AFTER_MAIN, material.expander).trim(),
        "system": material.system_prompt,
        "char": Traced.of(material.char, TEMPLATE),
        "user": Traced.of(material.user, TEMPLATE),
        "loreBefore": material.before,
        "loreAfter": material.after,
        "mesExamples": examples,
        "mesExamplesRaw": Traced.joined(material.examples),
    }


def unshown_fields(material: Material) -> tuple[str, ...]:
    """Fields that have a text and are not in the template in so many letters, in the order in which they are told."""
    template, values = material.settings.story.story_string, _field_values(material)
    return tuple(
        names[0]
        for names in _TOLD_FIELDS
        if values[names[0]] and not any(f"{{{{{name}}}}}" in template for name in names)
    )


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
