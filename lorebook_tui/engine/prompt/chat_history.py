"""The chat in a chat completion: injections, names, the message to continue, and what fits."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.injections import inject
from lorebook_tui.engine.prompt.material import CONTINUE, IMPERSONATE
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.settings import Names
from lorebook_tui.engine.prompt.traced import NAME, Origin, OriginKind, Traced

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.chat_completion import ChatCompletion, OpenSlot
    from lorebook_tui.engine.prompt.chat_lines import ChatLine
    from lorebook_tui.engine.prompt.pieces import PromptMessage

SLOT, NUDGE = "chatHistory", "continueNudge"
LONGEST_NAME = 64
_ALLOWED = re.compile(r"[a-zA-Z0-9_]")
_BEYOND_BMP = 0xFFFF


class History:
    """The slot of the chat.

    Args:
        completion: the prompt it belongs to.
    """

    def __init__(self, completion: ChatCompletion) -> None:
        self._completion = completion
        self._material = completion.material
        self._settings = completion.settings
        self._page = completion.page
        self.lines = [self._shown(line) for line in self._material.lines]
        """What is left of the chat, oldest first."""

    def take_prefill(self) -> None:
        """Continue with prefill: the last message leaves the chat before depths are counted."""
        if self._material.kind != CONTINUE or not self._settings.continue_prefill or not self.lines:
            return
        line = self.lines.pop()
        name = field_name(line.name) if self._settings.names_behavior == Names.COMPLETION and line.name else None
        message = self._completion.message("continuePrefill", "controlPrompts", line.role, line.text, name)
        # SillyTavern 1.19: it is in whether it is empty or not, and paid for.
        message = replace(message, tokens=self._completion.cost(line.role, line.text.text, name, framed=True))
        self._completion.controls.messages.append(message)
        self._page.reserve(message)

    def inject(self) -> None:
        """Put the prompts of the table and the manager into the chat."""
        self.lines = inject(self.lines, self._completion.in_chat, self._material)

    def add(self, slot: OpenSlot, place: int) -> None:
        """Fill the slot from the newest message, as far as the context reaches."""
        self._page.take()
        self._page.put(slot, place)
        marker = self._completion.message("newMainChat", SLOT, "system", self._marker())
        self._page.reserve(marker)
        nudge = self._group_nudge()
        self._page.reserve(*nudge)
        continued = self._continued()
        self._page.reserve(*continued)
        self._fill_empty(slot)
        self._add_lines(slot)
        self._page.give_back(marker)
        self._page.take(marker)
        slot.insert(marker, 0)
        self._page.give_back(*nudge)
        self._page.take(*nudge)
        for message in nudge:
            slot.insert(message)
        if continued:
            self._page.give_back(*continued)
            self._page.take(*continued)
            self._completion.put_slot(NUDGE, continued)

    def _marker(self) -> Traced:
        settings = self._settings
        grouped = self._material.in_group
        return self._completion.setting(
            "newMainChat", settings.new_group_chat_prompt if grouped else settings.new_chat_prompt
        )

    def _group_nudge(self) -> list[PromptMessage]:
        prompt = self._completion.prompts.get("groupNudge")
        if not self._material.in_group or prompt is None or self._material.kind == IMPERSONATE:
            return []
        return [self._completion.of_prompt(prompt, SLOT)]

    def _continued(self) -> list[PromptMessage]:
        """The message to be continued, taken out of the chat, and the nudge.

        SillyTavern 1.19: there is neither if the message and what the reply goes on behind are both empty.
        """
        material = self._material
        if material.kind != CONTINUE or self._settings.continue_prefill:
            return []
        last = material.lines[-1].text.text if material.lines else ""
        if not last and not self._settings.continue_postfix:
            return []
        nudge = material.expander.with_macro("lastChatMessage", last.strip()).traced(
            Traced.of(self._settings.continue_nudge_prompt, Origin(OriginKind.PROMPT, NUDGE))
        )
        found = []
        place = next((number for number in reversed(range(len(self.lines))) if not self.lines[number].injected), None)
        if place is not None:
            line = self.lines.pop(place)
            found.append(self._completion.message(None, NUDGE, line.role, material.expander.traced(line.text)))
        found.append(self._completion.message(NUDGE, NUDGE, "system", material.expander.traced(nudge)))
        return found

    def _fill_empty(self, slot: OpenSlot) -> None:
        """Behind a message of the character stands the text for empty messages, if there is one and it fits."""
        text = self._settings.send_if_empty
        if not text or not self.lines or self.lines[-1].role != "assistant":
            return
        content = Traced.of(text, Origin(OriginKind.PROMPT, "send_if_empty"))
        message = self._completion.message("emptyUserMessageReplacement", SLOT, "user", content)
        if self._page.fits(message):
            self._page.take(message)
            slot.insert(message)

    def _add_lines(self, slot: OpenSlot) -> None:
        for number in range(len(self.lines), 0, -1):
            line = self.lines[number - 1]
            content = self._material.expander.traced(line.text)
            named = self._settings.names_behavior == Names.COMPLETION and line.name and not line.injected
            message = self._completion.message(
                f"chatHistory-{number}", SLOT, line.role, content, field_name(line.name) if named else None
            )
            if not self._page.fits(message):
                self._material.drop(content, DropReason.CONTEXT_FULL, SLOT)
                for late in reversed(self.lines[: number - 1]):
                    self._material.drop(late.text, DropReason.BEHIND_THE_CUT, SLOT)
                return
            self._page.take(message)
            slot.insert(message, 0)

    def _shown(self, line: ChatLine) -> ChatLine:
        """A message with its speaker's name in front where the settings put it."""
        text = line.text.without_returns()
        return replace(line, text=Traced.of(f"{line.name}: ", NAME) + text if self._is_named(line) else text)

    def _is_named(self, line: ChatLine) -> bool:
        behavior = self._settings.names_behavior
        if behavior == Names.CONTENT:
            return not line.is_narrator
        if behavior != Names.DEFAULT or line.name == self._material.user:
            return False
        return self._material.in_group or (line.is_forced and not line.is_narrator)


def field_name(name: str) -> str:
    """A speaker's name as the field `name` of a message allows it; JavaScript counts UTF-16 units."""
    units = (letter if _ALLOWED.fullmatch(letter) else "_" * (2 if ord(letter) > _BEYOND_BMP else 1) for letter in name)
    return "".join(units)[:LONGEST_NAME]
