"""Example messages in the sequences of an instruct template, as the prompt and `{{mesExamples}}` show them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros import substitute
from lorebook_tui.engine.macros.card import EXAMPLE_START
from lorebook_tui.engine.prompt.examples import START, ExampleMessage, ExampleReader, blocks
from lorebook_tui.engine.prompt.traced import NAME, TEMPLATE, Traced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.macros import MacroEnvironment
    from lorebook_tui.engine.prompt.instruct_template import InstructTemplate

_NAME_MACRO = re.compile(r"\{\{name\}\}", re.IGNORECASE)
_HEADING = re.compile(r"<START>\n", re.IGNORECASE)


def named_sequence(text: str, name: str) -> str:
    """A sequence whose `{{name}}` is a name."""
    return _NAME_MACRO.sub(lambda _: name, text)


@dataclass(frozen=True, slots=True)
class Speakers:
    """Who can speak in examples."""

    user: str
    char: str
    members: tuple[str, ...] = ()
    """Names of the group's members; empty outside a group."""


@dataclass(frozen=True, slots=True)
class ExampleFormat:
    """How one prompt shows example blocks.

    SillyTavern 1.19: with an instruct template they become messages between its sequences. Blocks without a named line
    vanish, unless all are such.
    """

    template: InstructTemplate | None
    """None: blocks stay as they are."""
    separator: str
    """What stands above each block, macros unreplaced."""
    starts: bool
    """Above each block stands `<START>` until it is formatted; the separator acts all the same."""

    def __call__(self, raw: str, environment: MacroEnvironment) -> str:
        """What `{{mesExamples}}` makes of a card's examples; texts of the settings are replaced on their own."""
        apart = replace(environment, lent={})

        def replaced(text: str) -> str:
            return substitute(text, apart) if text else ""

        speakers = Speakers(apart.user, apart.char, tuple(member.name for member in apart.members))
        return Traced.joined(self.shown(self.blocks(Traced.of(raw, TEMPLATE), replaced), speakers, replaced)).text

    def blocks(self, text: Traced, replaced: Callable[[str], str]) -> list[Traced]:
        """The blocks of an example text, each under its heading."""
        if not text or text.text == EXAMPLE_START:
            return []
        heading = self._heading(replaced)
        return blocks(text, START if self.starts else heading)

    def shown(self, found: Sequence[Traced], speakers: Speakers, replaced: Callable[[str], str]) -> list[Traced]:
        """Headings and messages, each a text of its own."""
        if self.template is None:
            return list(found)
        heading = self._heading(replaced)
        plain = [_with_heading(block, heading) for block in found]
        if self.template.skip_examples:
            return plain
        reader = ExampleReader(speakers.user, speakers.char, speakers.members, named=self._names_groups(speakers))
        made: list[Traced] = []
        for block in found:
            messages = reader.messages(block)
            if messages and heading:
                made.append(Traced.of(heading, TEMPLATE))
            made.extend(
                _message(self.template, one, speakers, replaced, grouped=self._names_groups(speakers))
                for one in messages
            )
        return made or plain

    def _heading(self, replaced: Callable[[str], str]) -> str:
        return f"{replaced(self.separator)}\n" if self.separator else ""

    def _names_groups(self, speakers: Speakers) -> bool:
        named = self.template is not None and self.template.names_behavior in {"always", "force"}
        return named and bool(speakers.members)


def _message(
    template: InstructTemplate,
    message: ExampleMessage,
    speakers: Speakers,
    replaced: Callable[[str], str],
    *,
    grouped: bool,
) -> Traced:
    """One message between its sequences; in groups its name is in front of it already."""
    is_user, text = message.is_user, message.text
    name = speakers.user if is_user else speakers.char
    behavior = template.names_behavior
    if not grouped and (behavior == "always" or (behavior == "force" and is_user)):
        text = Traced.of(f"{name}: ", NAME) + text

    def sequence(one: str) -> str:
        return named_sequence(replaced(one), name) if template.macro else one

    joint = "\n" if template.wrap else ""
    prefix = sequence(template.input_sequence if is_user else template.output_sequence)
    suffix = sequence(template.input_suffix if is_user else template.output_suffix) or joint
    body = text + Traced.of(suffix, TEMPLATE)
    return Traced.of(prefix + (joint if prefix and body else ""), TEMPLATE) + body


def _with_heading(block: Traced, heading: str) -> Traced:
    found = _HEADING.search(block.text)
    if not found:
        return block
    return block.cut(0, found.start()) + Traced.of(heading, TEMPLATE) + block.cut(found.end())
