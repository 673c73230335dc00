"""What a message of a chat completion costs, by the model that is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.tokens.chat import ChatCounter

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.tokens.base import TokenCounter

REPLY_PRIMER = 3
"""Tokens that every reply begins with."""
_FRAME = 5
_USUAL_OVERHEAD = 6
_NAME, _OLD_NAME = 1, -1
"""What a name adds to its own tokens; the models with a greater overhead count it the old way."""


def message_cost(counter: TokenCounter) -> Callable[[str, str, str | None], int]:
    """The cost of a message from role, text and name; 0 for an empty text.

    SillyTavern 1.19: for OpenAI's models the frame costs 5 tokens, and a name one more than its own; for others the
    role, a blank line and the text are counted.
    """
    inner = getattr(counter, "counter", counter)
    chat = inner if isinstance(inner, ChatCounter) else None
    if chat is not None and not chat.overhead:
        return lambda role, text, name: counter.count(_plain(role, text, name)) if text else 0
    # A chat counter has the frame of a text in its counts already, which is one token more than that of a message.
    counted, frame = (chat.overhead, -1) if chat is not None else (0, _FRAME)
    extra = _NAME if counted <= _USUAL_OVERHEAD else _OLD_NAME

    def cost(_role: str, text: str, name: str | None) -> int:
        if not text:
            return 0
        return frame + counter.count(text) + (counter.count(name) - counted + extra if name else 0)

    return cost


def _plain(role: str, text: str, name: str | None) -> str:
    return f"{name or role}\n\n{text}"
