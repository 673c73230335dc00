"""The chat as a prompt shows it: which messages exist for this kind of generation, and what of them is text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.chat import with_attachments
from lorebook_tui.engine.prompt.traced import Origin, OriginKind, Traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.chat import ChatView
    from lorebook_tui.model.transcript import Message

NARRATOR = "narrator"


@dataclass(frozen=True, slots=True)
class ChatLine:
    """One visible message, or a text put into the chat."""

    name: str
    text: Traced
    is_user: bool = False
    is_narrator: bool = False
    is_forced: bool = False
    """Its avatar is forced: somebody else than card and persona speaks."""
    injected: bool = False

    @property
    def role(self) -> str:
        """Its role in a chat completion."""
        return "system" if self.is_narrator else "user" if self.is_user else "assistant"


def chat_lines(view: ChatView, messages: Sequence[Message], trigger: str) -> list[ChatLine]:
    """Visible messages, oldest first.

    Args:
        view: knows the speakers' names.
        messages: those that exist, the first with its macros replaced.
        trigger: kind of generation; `swipe` takes the last visible one away.
    """
    lines = [_line(view, number, message) for number, message in enumerate(messages) if not message.is_hidden]
    return lines[:-1] if trigger == "swipe" else lines


def _line(view: ChatView, number: int, message: Message) -> ChatLine:
    name = view.name_of(message)
    return ChatLine(
        name=name,
        text=Traced.of(with_attachments(message, message.text), Origin(OriginKind.MESSAGE, name, message=number)),
        is_user=message.is_user,
        is_narrator=message.extra.get("type") == NARRATOR,
        is_forced=bool(message.extra.get("force_avatar")),
    )


def with_first_replaced(messages: Sequence[Message], text: str) -> tuple[Message, ...]:
    """The same messages, another text in the first."""
    return (replace(messages[0], text=text), *messages[1:])


def user_bias(messages: Sequence[Message], trigger: str) -> str:
    """A bias that the last message of the user, a narrator or the system carries; "" if none does."""
    for number in range(len(messages) - 1, -1, -1):
        if trigger == "swipe" and number == len(messages) - 1:
            continue
        message = messages[number]
        if message.is_user or message.is_hidden or message.extra.get("type") == NARRATOR:
            bias = message.extra.get("bias")
            return bias if isinstance(bias, str) and bias.strip() else ""
    return ""
