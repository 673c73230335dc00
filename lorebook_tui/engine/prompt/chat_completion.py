"""The chat completion: slots in order, filled within the context."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.chat_history import History
from lorebook_tui.engine.prompt.costs import REPLY_PRIMER, message_cost
from lorebook_tui.engine.prompt.examples import ExampleReader
from lorebook_tui.engine.prompt.injections import drop_unplaceable
from lorebook_tui.engine.prompt.manager import KNOWN_EXTENSIONS, MAIN, Prompt, Prompts
from lorebook_tui.engine.prompt.material import IMPERSONATE
from lorebook_tui.engine.prompt.pieces import DropReason, PromptMessage, Slot
from lorebook_tui.engine.prompt.traced import Origin, OriginKind, Traced

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt.material import Material

MANDATORY = (
    "worldInfoBefore", "main", "worldInfoAfter", "charDescription", "charPersonality", "scenario", "personaDescription",
)  # fmt: skip
TOO_LONG = "Not enough free tokens for mandatory prompts. Raise your token limit or disable custom prompts."
TOO_LONG_TOAST = "error: Mandatory prompts exceed the context size."


class TooLongError(Exception):
    """Something mandatory does not fit."""


@dataclass
class OpenSlot:
    """A slot while it is being filled."""

    identifier: str
    messages: list[PromptMessage] = field(default_factory=list)

    def insert(self, message: PromptMessage, place: int | None = None) -> None:
        """Put a message among the others; an empty one is left out."""
        if message.content:
            self.messages.insert(len(self.messages) if place is None else place, message)

    def closed(self) -> Slot:
        """The slot as a value."""
        return Slot(self.identifier, tuple(self.messages))


class Page:
    """Slots by place and the tokens left, as the program keeps them: what comes to a taken place replaces it."""

    def __init__(self, context: int) -> None:
        self.left = context - REPLY_PRIMER
        self._slots: list[OpenSlot | None] = []
        self.replaced: list[OpenSlot] = []

    def put(self, slot: OpenSlot, place: int | None = None) -> None:
        """Put a slot at its place in the order, or behind everything."""
        if place is None:
            self._slots.append(slot)
            return
        self._slots.extend([None] * (place + 1 - len(self._slots)))
        earlier = self._slots[place]
        if earlier is not None:
            self.replaced.append(earlier)
        self._slots[place] = slot

    def slot(self, identifier: str) -> OpenSlot | None:
        """The slot of an identifier, if it is there."""
        return next((slot for slot in self._slots if slot is not None and slot.identifier == identifier), None)

    def slots(self) -> list[OpenSlot]:
        """All slots in order."""
        return [slot for slot in self._slots if slot is not None]

    def fits(self, *messages: PromptMessage) -> bool:
        """Whether there is room for all of them."""
        return sum(message.tokens for message in messages) <= self.left

    def take(self, *messages: PromptMessage) -> None:
        """Pay for messages, all or none; for none of them too there must be room left.

        Raises:
            TooLongError: there is no room.
        """
        if not self.fits(*messages):
            raise TooLongError
        self.left -= sum(message.tokens for message in messages)

    def reserve(self, *messages: PromptMessage) -> None:
        """Keep room free, whether there is any or not."""
        self.left -= sum(message.tokens for message in messages)

    def give_back(self, *messages: PromptMessage) -> None:
        """End a reservation."""
        self.left += sum(message.tokens for message in messages)


class ChatCompletion:
    """One chat completion in the making.

    Args:
        material: everything it is made of; its list of dropped texts grows.
    """

    def __init__(self, material: Material) -> None:
        self.material = material
        self.settings = material.settings.chat
        self.cost = message_cost(material.counter)
        self.page = Page(material.context)
        self.prompts = Prompts(material)
        self.error = ""
        self.controls = OpenSlot("controlPrompts")
        self.in_chat: list[Prompt] = []
        """Prompts of the manager that stand in the chat, and what stands beside the main prompt there."""

    def build(self) -> list[Slot]:
        """All slots in order; `error` is set if the mandatory prompts do not fit."""
        drop_unplaceable(self.material)
        try:
            self._populate()
        except TooLongError:
            self.error = TOO_LONG
        for slot in self.page.replaced:
            for message in slot.messages:
                self.material.drop(message.content, DropReason.REPLACED_SLOT, slot.identifier)
        return [slot.closed() for slot in self.page.slots()]

    def message(
        self, identifier: str | None, slot: str, role: str, content: Traced, name: str | None = None
    ) -> PromptMessage:
        """A message with its cost."""
        return PromptMessage(identifier, slot, role, content, name, self.cost(role, content.text, name))

    def setting(self, name: str, text: str) -> Traced:
        """A text of the settings, its macros replaced."""
        return self.material.expander.traced(Traced.of(text, Origin(OriginKind.PROMPT, name)))

    def _populate(self) -> None:
        for identifier in MANDATORY:
            self._add(identifier)
        self._add_controls()
        self.page.reserve(*self.controls.messages)
        own = [prompt.identifier for prompt in self.prompts if prompt.own]
        for identifier in ("nsfw", "jailbreak", *own, "enhanceDefinitions"):
            self._add(identifier)
        if self.material.bias.strip():
            self._add("bias")
        self._add_beside_main()
        history = History(self)
        history.take_prefill()
        history.inject()
        if self.material.settings.user.pin_examples:
            self._add_examples()
            self._add_history(history)
        else:
            self._add_history(history)
            self._add_examples()
        self.page.give_back(*self.controls.messages)
        if self.controls.messages:
            self.page.take(*self.controls.messages)
            self.page.put(self.controls)

    def put_slot(self, identifier: str, messages: list[PromptMessage]) -> None:
        """A slot behind everything that is there."""
        self.page.put(OpenSlot(identifier, messages))

    def of_prompt(self, prompt: Prompt, slot: str | None = None) -> PromptMessage:
        """The message of a prompt."""
        return self.message(prompt.identifier, slot or prompt.identifier, prompt.role or "system", prompt.content)

    def _add(self, identifier: str) -> None:
        """A prompt as a slot of its own, unless it is missing, switched off or stands in the chat."""
        prompt = self.prompts.get(identifier)
        if prompt is None:
            return
        if identifier in self.prompts.switched_off and identifier != MAIN:
            self.material.drop(prompt.content, DropReason.SLOT_OFF, identifier)
            return
        if prompt.in_chat:
            return
        message = self.of_prompt(prompt)
        self.page.take(message)
        self.page.put(OpenSlot(identifier, [message]), self.prompts.index(identifier))

    def _add_controls(self) -> None:
        """What stands behind everything: the impersonation prompt and the quiet prompt."""
        impersonation, quiet = self.prompts.get("impersonate"), self.prompts.get("quietPrompt")
        if self.material.kind == IMPERSONATE and impersonation is not None:
            self.controls.messages.append(self.of_prompt(impersonation, "controlPrompts"))
        if quiet is not None and quiet.content:
            self.controls.messages.append(self.of_prompt(quiet, "controlPrompts"))

    def _add_beside_main(self) -> None:
        """Injected prompts at the top or the end of the main prompt's slot."""
        slot = self.page.slot(MAIN)
        self.in_chat = [prompt for prompt in self.prompts if prompt.in_chat]
        known = [prompt for name in KNOWN_EXTENSIONS.values() if (prompt := self.prompts.get(name)) is not None]
        for prompt in (*known, *(prompt for prompt in self.prompts if prompt.extension)):
            if not prompt.relative:
                continue
            if slot is None:
                self._add_beside_main_in_chat(prompt)
                continue
            message = self.of_prompt(prompt, MAIN)
            self.page.take(message)
            slot.insert(message, 0 if prompt.relative == "start" else None)

    def _add_beside_main_in_chat(self, prompt: Prompt) -> None:
        """The main prompt stands in the chat: the text takes its depth, role and priority; without one it is lost."""
        place = next((number for number, other in enumerate(self.in_chat) if other.identifier == MAIN), None)
        if place is None:
            self.material.drop(prompt.content, DropReason.SLOT_OFF, MAIN)
            return
        held = replace(self.in_chat[place], identifier=prompt.identifier, content=prompt.content)
        self.in_chat.insert(place + (prompt.relative == "end"), held)

    def _add_history(self, history: History) -> None:
        place = self.prompts.index("chatHistory")
        if place is not None:
            history.add(OpenSlot("chatHistory"), place)
            return
        for line in history.lines:
            self.material.drop(line.text, DropReason.SLOT_OFF, "chatHistory")

    def _add_examples(self) -> None:
        place = self.prompts.index("dialogueExamples")
        material = self.material
        if place is None:
            for block in material.examples:
                material.drop(block, DropReason.SLOT_OFF, "dialogueExamples")
            return
        slot = OpenSlot("dialogueExamples")
        self.page.take()
        self.page.put(slot, place)
        reader = ExampleReader(material.user, material.char, material.members, named=True)
        blocks = [reader.messages(block) for block in material.examples]
        marker = self.message("newChat", slot.identifier, "system", self._example_marker()) if blocks else None
        for number, (block, messages) in enumerate(zip(material.examples, blocks, strict=True)):
            made = [
                self.message(f"dialogueExamples {number}-{place}", slot.identifier, "system", item.text, item.name)
                for place, item in enumerate(messages)
            ]
            if marker is None or not self._fit_examples(marker, made):
                for late in material.examples[number:]:
                    reason = DropReason.CONTEXT_FULL if late is block else DropReason.BEHIND_THE_CUT
                    material.drop(late, reason, slot.identifier)
                return
            if not made:
                material.drop(block, DropReason.NO_NAMED_LINE, slot.identifier)
            for message in (marker, *made):
                self.page.take(message)
                slot.insert(message)

    def _fit_examples(self, marker: PromptMessage, messages: list[PromptMessage]) -> bool:
        """SillyTavern 1.19: an empty message is reckoned with its frame and name, and costs nothing once it is in."""
        costs = [self.cost(one.role, one.content.text, one.name, framed=True) for one in messages]
        return marker.tokens + sum(costs) <= self.page.left

    def _example_marker(self) -> Traced:
        return self.setting("newChat", self.settings.new_example_chat_prompt)
