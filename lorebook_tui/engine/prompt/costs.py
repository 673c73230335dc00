"""What a message of a chat completion costs, by the model that is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lorebook_tui.tokens.chat import ChatCounter

if TYPE_CHECKING:
    from lorebook_tui.tokens.base import TokenCounter

REPLY_PRIMER = 3
"""Tokens that every reply begins with."""
_FRAME = 5
_USUAL_OVERHEAD = 6
_NAME, _OLD_NAME = 1, -1
"""What a name adds to its own tokens; the models with a greater overhead count it the old way."""


class Cost(Protocol):
    """What a message costs."""

    def __call__(self, role: str, text: str, name: str | None, *, framed: bool = False) -> int:
        """Tokens of a message; 0 for an empty text, unless the frame of a named one is asked for."""


def message_cost(counter: TokenCounter) -> Cost:
    """The cost of a message from role, text and name.

    SillyTavern 1.19: for OpenAI's models the frame costs 5 tokens, and a name one more than its own; for others the
    role, a blank line and the text are counted.
    """
    inner = getattr(counter, "counter", counter)
    chat = inner if isinstance(inner, ChatCounter) else None
    # A chat counter has the frame of a text in its counts already, which is one token more than that of a message.
    counted, frame = (chat.overhead, -1) if chat is not None else (0, _FRAME)
    extra = _NAME if counted <= _USUAL_OVERHEAD else _OLD_NAME
    is_plain = chat is not None and not chat.overhead

    def cost(role: str, text: str, name: str | None, *, framed: bool = False) -> int:
        if not text and not (framed and name):
            return 0
        if is_plain:
            return counter.count(_plain(role, text, name))
        return (
            frame + (counter.count(text) if text else counted) + (counter.count(name) - counted + extra if name else 0)
        )

    return cost


def _plain(role: str, text: str, name: str | None) -> str:
    return f"{name or role}\n\n{text}"
