"""The prompt manager: which prompts a chat completion has, in which order, and what they say."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeGuard

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.card_texts import PERSONA
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.settings import InjectionPlace
from lorebook_tui.engine.prompt.traced import EMPTY, TEMPLATE, Origin, OriginKind, Traced
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.material import Material
    from lorebook_tui.engine.prompt.pieces import Injection
    from lorebook_tui.engine.prompt.settings import ManagerPrompt

MAIN, JAILBREAK = "main", "jailbreak"
DEFAULT_PRIORITY = "100"
_NO_DEPTH = -1
KNOWN_EXTENSIONS = {
    "1_memory": "summary",
    table.NOTE: "authorsNote",
    "3_vectors": "vectorsMemory",
    "4_vectors_data_bank": "vectorsDataBank",
    "chromadb": "smartContext",
}
"""Identifiers of the injected prompts that the program knows by name, in its order."""
_NEVER_RELATIVE = {*KNOWN_EXTENSIONS, table.PERSONA, table.QUIET, table.CARD_NOTE}
_ALWAYS_SYSTEM = {"3_vectors", "chromadb"}
_NO_WORD = re.compile(r"\W", re.ASCII)
_ANY_ZERO = "{0}"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt of a generation."""

    identifier: str
    role: str
    """As the manager has it: none at all stands nowhere in the chat, and is the system's beside it."""
    content: Traced
    own: bool = False
    """Added by the user."""
    in_chat: bool = False
    depth: float = 0
    priority: str = DEFAULT_PRIORITY
    """The name of its group at one depth, as JavaScript spells the priority."""
    relative: str = ""
    """Beside the main prompt: `start` or `end`."""
    extension: bool = False


class Prompts:
    """The collection of one generation, in order. Prompts that are not in the order are appended.

    Args:
        material: settings, lore and texts; macros act while the prompts are read.
    """

    def __init__(self, material: Material) -> None:
        self._material = material
        self._expander = material.expander
        self._listed: list[Prompt] = []
        first_rows = {row.identifier: row for row in reversed(material.settings.order)}
        self.switched_off = {row.identifier for row in first_rows.values() if not row.enabled}
        own = self._own_texts()
        self._read_order()
        for prompt in own:
            self._put(prompt)
        self._override(MAIN, "system_prompt", preferred=material.settings.user.prefer_character_prompt)
        self._override(JAILBREAK, "post_history", preferred=material.settings.user.prefer_character_jailbreak)

    def __iter__(self):  # type: ignore[no-untyped-def]  # noqa: ANN204 - filled in below
        """All prompts in order."""
        return iter(self._listed)

    def get(self, identifier: str) -> Prompt | None:
        """A prompt."""
        place = self.index(identifier)
        return None if place is None else self._listed[place]

    def index(self, identifier: str) -> int | None:
        """Its place in the order."""
        return next((number for number, prompt in enumerate(self._listed) if prompt.identifier == identifier), None)

    def _read_order(self) -> None:
        settings = self._material.settings
        for row in settings.order:
            prompt = settings.prompt(row.identifier)
            if prompt is None:
                continue
            triggers = prompt.injection_trigger
            listed = triggers if isinstance(triggers, tuple) else ()
            if row.enabled and (not listed or self._material.kind in listed):
                self._listed.append(self._of_manager(prompt, self._expand(prompt.content, prompt.identifier)))
            elif prompt.identifier == MAIN:
                self._listed.append(self._of_manager(prompt, EMPTY))

    @staticmethod
    def _of_manager(prompt: ManagerPrompt, content: Traced) -> Prompt:
        """SillyTavern 1.19: place and depth must be numbers; without a depth a prompt in the chat stands nowhere."""
        place, depth, priority = prompt.injection_position, prompt.injection_depth, prompt.injection_order
        return Prompt(
            prompt.identifier,
            prompt.role or "",
            content,
            own=not prompt.system_prompt,
            in_chat=_is_number(place) and place == InjectionPlace.IN_CHAT,
            depth=depth if _is_number(depth) else _NO_DEPTH,
            priority=DEFAULT_PRIORITY if priority is None else text_of(priority),
        )

    def _expand(self, text: str, identifier: str) -> Traced:
        return self._expander.traced(Traced.of(text, Origin(OriginKind.PROMPT, identifier)))

    def _put(self, prompt: Prompt) -> None:
        """A text of the program takes the place of its marker, with role and placing of the marker if it has them."""
        place = self.index(prompt.identifier)
        marker = None if place is None else self._material.settings.prompt(prompt.identifier)
        content = self._expander.traced(prompt.content)
        if place is None or marker is None:
            self._listed.append(replace(prompt, content=content))
            return
        held = self._listed[place]
        self._listed[place] = replace(
            held,
            role=prompt.role if marker.role is None else marker.role,
            content=content,
            own=prompt.own,
            relative=prompt.relative,
        )

    def _override(self, identifier: str, field: str, *, preferred: bool) -> None:
        """The card's own text in place of a prompt; `{{original}}` in it is the former."""
        card = self._material.fields[field]
        place = self.index(identifier)
        manager = self._material.settings.prompt(identifier)
        if not preferred or not card or place is None or manager is None:
            return
        if manager.forbid_overrides or identifier in self.switched_off:
            return
        held = self._listed[place]
        self._listed[place] = replace(held, content=self._expander.traced(card, original=held.content.text))

    def _own_texts(self) -> list[Prompt]:
        """What the program itself brings, before its macros are replaced once more."""
        material = self._material
        chat = material.settings.chat
        scenario = self._formatted("scenario", chat.scenario_format)
        personality = self._formatted("personality", chat.personality_format)
        nudge = self._expand(chat.group_nudge_prompt, "groupNudge")
        impersonation = self._expand(chat.impersonation_prompt, "impersonate")
        found = [
            Prompt("worldInfoBefore", "system", self._lore(material.before, "worldInfoBefore")),
            Prompt("worldInfoAfter", "system", self._lore(material.after, "worldInfoAfter")),
            Prompt("charDescription", "system", material.fields["description"]),
            Prompt("charPersonality", "system", personality),
            Prompt("scenario", "system", scenario),
            Prompt("impersonate", "system", impersonation),
            Prompt("quietPrompt", "system", Traced.of(material.quiet, Origin(OriginKind.PROMPT, "quietPrompt"))),
            Prompt("groupNudge", "system", nudge),
            Prompt("bias", "assistant", Traced.of(material.bias, Origin(OriginKind.PROMPT, "bias"))),
        ]
        return [*found, *self._relative_prompts()]

    def _formatted(self, field: str, pattern: str) -> Traced:
        """A field in its format, which reads the field anew."""
        text = self._material.fields[field]
        if not text or not pattern:
            return text
        return Traced.of(self._expander.text(pattern), text.parts[0][1])

    def _lore(self, text: Traced, identifier: str) -> Traced:
        """Lore in the settings' format: every `{0}` is the lore; without one the format alone is left."""
        pattern = self._material.settings.chat.wi_format
        if not text or not pattern.strip():
            return text
        if _ANY_ZERO not in pattern:
            self._material.drop(text, DropReason.HIDDEN_BY_FORMAT, identifier)
        around = [Traced.of(part, TEMPLATE) for part in pattern.split(_ANY_ZERO)]
        pieces = [around[0]]
        for part in around[1:]:
            pieces += [text, part]
        return Traced.joined(pieces)

    def _relative_prompts(self) -> list[Prompt]:
        material = self._material
        found = []
        for name, identifier in KNOWN_EXTENSIONS.items():
            row = material.table.get(name)
            if row is not None and row.value:
                found.append(_beside_main(row, identifier))
        persona = Traced.of(material.cast.persona.description, PERSONA)
        if persona and material.persona_in_prompt:
            found.append(Prompt("personaDescription", "system", persona))
        for row in material.table.rows():
            if row.name in _NEVER_RELATIVE or not row.value or not _side(row):
                continue
            found.append(replace(_beside_main(row, _NO_WORD.sub("_", row.name)), extension=True))
        return found


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _side(row: Injection) -> str:
    if row.position == table.BEFORE_MAIN:
        return "start"
    return "end" if row.position == table.AFTER_MAIN else ""


def _beside_main(row: Injection, identifier: str) -> Prompt:
    role = "system" if row.name in _ALWAYS_SYSTEM else table.role_name(row.role) or "system"
    return Prompt(identifier, role, row.value, relative=_side(row))
