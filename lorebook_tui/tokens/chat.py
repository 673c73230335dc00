"""Chat-completion counting: which tokenizer belongs to a model's name, and what the message around the text costs.

The routing is SillyTavern 1.19's as observed from outside: it looks for parts of the name, in this order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.tokens.base import RunningCount, TokenCounter

MESSAGE_OVERHEAD: Final = 6
"""Tokens that SillyTavern 1.19 adds to every text for OpenAI's models: `3 + tokens + 3`."""
_TURBO_0301: Final = "gpt-3.5-turbo-0301"
_TURBO_0301_EXTRA: Final = 10

_O200K_PARTS: Final = ("gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-5", "o3", "o4-mini", "o1-mini", "o1-preview")
_CL100K_PARTS: Final = ("gpt-4", "gpt-3.5-turbo")
_FAMILY_PARTS: Final = (
    ("claude", "claude"),
    ("llama3", "llama3"),
    ("llama-3", "llama3"),
    ("llama", "llama"),
    ("mistral", "mistral"),
    ("yi", "yi"),
    ("deepseek", "deepseek"),
    ("gemma", "gemma"),
    ("gemini", "gemma"),
    ("learnlm", "gemma"),
    ("jamba", "jamba"),
    ("qwen2", "qwen2"),
    ("command-r", "command-r"),
    ("command-a", "command-a"),
    ("nemo", "nemo"),
)
_P50K_MODELS: Final = frozenset(
    f"{kind}-00{version}"
    for kind, versions in (("text-davinci", "23"), ("code-davinci", "12"), ("code-cushman", "12"))
    for version in versions
)
_R50K_MODELS: Final = frozenset(("text-davinci-001", "text-curie-001", "text-babbage-001", "text-ada-001"))


@dataclass(frozen=True, slots=True)
class Route:
    """The tokenizer for a model, and the tokens added to every non-empty text."""

    tokenizer: str
    overhead: int


def route(model: str) -> Route:
    """The tokenizer and overhead of a chat-completion model in SillyTavern 1.19; cl100k_base for unknown names."""
    name = model.strip().lower()
    if name.startswith("claude"):
        return Route("claude", 0)
    extra = _TURBO_0301_EXTRA if _TURBO_0301 in name else 0
    if name == "o1" or any(part in name for part in _O200K_PARTS):
        return Route("o200k_base", MESSAGE_OVERHEAD + extra)
    if any(part in name for part in _CL100K_PARTS):
        return Route("cl100k_base", MESSAGE_OVERHEAD + extra)
    for part, family in _FAMILY_PARTS:
        if part in name:
            return Route(family, 0)
    if name in _P50K_MODELS or name in _R50K_MODELS:
        return Route("p50k_base" if name in _P50K_MODELS else "r50k_base", MESSAGE_OVERHEAD)
    return Route("cl100k_base", MESSAGE_OVERHEAD)


class ChatCounter:
    """Counts a text as the one message that SillyTavern makes of it; the empty text is no message and counts 0.

    Args:
        name: the name it answers to, "chat:MODEL".
        text_counter: counts the text alone.
        overhead: tokens added to every non-empty text.
    """

    def __init__(self, name: str, text_counter: TokenCounter, overhead: int) -> None:
        self.name = name
        self.basis = text_counter.basis
        self.approximate = text_counter.approximate
        self.text_counter = text_counter
        self.overhead = overhead

    def count(self, text: str) -> int:
        """Tokens of the text as a message; text with a special token costs the overhead alone."""
        return self.overhead + self.text_counter.count(text) if text else 0

    def running(self) -> RunningCount:
        """A running count, at 0: one message that grows, so the overhead is added once."""
        return _RunningChat(self.text_counter.running(), self.overhead)


class _RunningChat:
    """A running count with the overhead of one message."""

    def __init__(self, text: RunningCount, overhead: int) -> None:
        self._text = text
        self._overhead = overhead
        self._begun = False

    @property
    def total(self) -> int:
        """Tokens of everything added so far."""
        return self._text.total + self._overhead if self._begun else 0

    def add(self, piece: str) -> int:
        """Append a piece; the message begins with the first character."""
        self._begun = self._begun or piece != ""
        self._text.add(piece)
        return self.total
