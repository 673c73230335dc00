"""Messages in the sequences of an instruct template."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.example_format import named_sequence
from lorebook_tui.engine.prompt.traced import NAME, TEMPLATE, Traced
from lorebook_tui.model.js import WHITE_SPACE

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.chat_lines import ChatLine
    from lorebook_tui.engine.prompt.material import Material

NOBODY = "System"


class Place(Enum):
    """Which of its sequences a message gets."""

    FIRST = "first"
    LAST = "last"
    BETWEEN = "between"


class Instruct:
    """Formats with one template.

    Args:
        material: gives the template, names and macros.
    """

    def __init__(self, material: Material) -> None:
        self._material = material
        self._template = material.settings.instruct
        self._joint = "\n" if self._template.wrap else ""

    def sequence(self, text: str, name: str) -> str:
        """A sequence with its macros replaced; `{{name}}` is somebody where there is no name."""
        if not self._template.macro:
            return text
        return named_sequence(self._material.expander.text(text), name or NOBODY)

    def line(self, line: ChatLine, place: Place = Place.BETWEEN) -> Traced:
        """A message between its sequences."""
        prefix = self.sequence(self._prefix(line, place), self._speaker(line))
        suffix = self.suffix(line)
        text = line.text
        name = self._speaker(line)
        if name and self._is_named(line, name):
            text = Traced.of(f"{name}: ", NAME) + text
        body = text + Traced.of(suffix, TEMPLATE)
        if not prefix:
            return body
        return Traced.joined((Traced.of(prefix + (self._joint if body else ""), TEMPLATE), body))

    def suffix(self, line: ChatLine) -> str:
        """What stands behind a message."""
        return self.sequence(self._suffix(line), self._speaker(line)) or self._joint

    def _speaker(self, line: ChatLine) -> str:
        """Who `{{name}}` is in the sequences of a line."""
        return line.name or ("" if line.is_user else self._material.char)

    def _prefix(self, line: ChatLine, place: Place) -> str:
        template = self._template
        if line.is_narrator:
            return template.input_sequence if template.system_same_as_user else template.system_sequence
        first, last, usual = (
            (template.first_input_sequence, template.last_input_sequence, template.input_sequence)
            if line.is_user
            else (template.first_output_sequence, template.last_output_sequence, template.output_sequence)
        )
        return {Place.FIRST: first, Place.LAST: last, Place.BETWEEN: ""}[place] or usual

    def _suffix(self, line: ChatLine) -> str:
        template = self._template
        if line.is_narrator:
            return template.input_suffix if template.system_same_as_user else template.system_suffix
        return template.input_suffix if line.is_user else template.output_suffix

    def _is_named(self, line: ChatLine, name: str) -> bool:
        behavior = self._template.names_behavior
        if line.is_narrator:
            return False
        if behavior == "always":
            return True
        other = name != self._material.user
        return behavior == "force" and other and (self._material.in_group or line.is_forced)

    def story(self, text: Traced) -> Traced:
        """The story string between its sequences."""
        template, expander = self._template, self._material.expander
        before = named_sequence(template.story_string_prefix, NOBODY)
        if before:
            text = expander.traced(Traced.of(before, TEMPLATE)) + Traced.of(self._joint, TEMPLATE) + text
        return text + expander.traced(Traced.of(template.story_string_suffix, TEMPLATE))

    def reply(self, name: str, *, is_impersonation: bool, is_quiet: bool, is_loud: bool, bias: str) -> Traced:
        """What the prompt ends with."""
        template = self._template
        hushed = is_quiet and not is_loud
        behavior = template.names_behavior
        asked = behavior == "always" or (behavior == "force" and self._material.in_group)
        named = bool(name) and asked and not hushed
        usual = template.last_output_sequence or template.output_sequence
        if is_impersonation:
            usual = template.last_input_sequence or template.input_sequence
        elif hushed:
            usual = template.last_system_sequence or template.output_sequence
        filler = self._filler(usual) if named else ""
        sequence = self.sequence(usual, name)
        text = self._joint + sequence + (f"{self._joint}{filler}{name}:" if named else "")
        if is_quiet:
            text = text.removeprefix(self._joint)
        if bias and not is_impersonation:
            text += bias if named else self._joint + bias.lstrip(WHITE_SPACE)
        if template.wrap:
            text = text.rstrip(WHITE_SPACE)
        return Traced.of(text + ("" if named else self._joint), TEMPLATE)

    def _filler(self, sequence: str) -> str:
        """The blank that a usual sequence ends with and a last one lacks."""
        template = self._template
        usual, last = template.output_sequence, template.last_output_sequence
        ends = usual[-1:].strip(WHITE_SPACE) == "" and usual
        return usual[-1] if last and ends and sequence == last and last[-1:].strip(WHITE_SPACE) else ""
