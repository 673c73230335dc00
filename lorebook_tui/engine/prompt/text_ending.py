"""What a text completion ends with: the quiet prompt, the speaker's name, the sequence of the reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.chat_lines import ChatLine
from lorebook_tui.engine.prompt.material import CONTINUE, IMPERSONATE, QUIET
from lorebook_tui.engine.prompt.traced import JOINT, NAME, Origin, OriginKind, Traced

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.instruct import Instruct
    from lorebook_tui.engine.prompt.material import Material

_LINE_FEED = Traced.of("\n", JOINT)
QUIET_ORIGIN = Origin(OriginKind.PROMPT, "quietPrompt")


class Ending:
    """Puts the ending behind the last line.

    Args:
        material: gives the kind of generation, names and prompts.
        instruct: formats with the template.
    """

    def __init__(self, material: Material, instruct: Instruct) -> None:
        self._material = material
        self._instruct = instruct
        self._on = material.settings.instruct.enabled

    def after(self, line: Traced) -> Traced:
        """The last line with what follows it."""
        material = self._material
        loud = material.settings.generate.quiet_to_loud
        quiet = Traced.of(material.quiet, QUIET_ORIGIN)
        if quiet and self._on:
            line += self._instruct.line(ChatLine(material.user, quiet, is_narrator=True))
        elif quiet:
            line += _LINE_FEED + quiet
        if self._on:
            return line + self._reply(loud=loud) if material.kind != CONTINUE else line
        return self._named(line) if not quiet or loud else line

    def _reply(self, *, loud: bool) -> Traced:
        material = self._material
        impersonation = material.kind == IMPERSONATE
        name = material.user if impersonation else material.char
        if material.quiet and not loud and not impersonation:
            given = material.settings.generate.quiet_name
            name = "System" if given is None else given
        return self._instruct.reply(
            name,
            is_impersonation=impersonation,
            is_quiet=bool(material.quiet) and material.kind == QUIET,
            is_loud=loud,
            bias=material.bias,
        )

    def _forces_name(self) -> bool:
        material = self._material
        asked = material.settings.user.always_force_name2 or material.bias_of_message
        return asked or (material.kind == QUIET and not material.dry_run)

    def _named(self, line: Traced) -> Traced:
        """The name of whoever writes next, on a line of its own."""
        material = self._material
        continues = material.kind == CONTINUE
        if material.kind == IMPERSONATE:
            line = _on_new_line(line) + Traced.of(f"{material.user}:", NAME)
        elif self._forces_name() and not (continues and material.chat_length == 1):
            line = _on_new_line(line)
            if not continues or not material.last_is_user:
                line += Traced.of(f"{material.char}:", NAME)
        return line


def _on_new_line(line: Traced) -> Traced:
    return line if line.text.endswith("\n") else line + _LINE_FEED
