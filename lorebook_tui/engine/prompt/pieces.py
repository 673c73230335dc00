"""What a prompt is made of: messages, their pieces, what was left out and why, and the finished prompt."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.traced import EMPTY, Origin, Traced

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.prompt.settings import Api
    from lorebook_tui.tokens.base import TokenCounter


class DropReason(Enum):
    """Why a text is not in the prompt: (stable name, sentence)."""

    CONTEXT_FULL = ("context_full", "it does not fit into the context any more")
    BEHIND_THE_CUT = ("behind_the_cut", "an earlier candidate did not fit, and nothing after it is tried")
    MANDATORY_TOO_LONG = ("mandatory_too_long", "the mandatory prompts exceed the context")
    SLOT_OFF = ("slot_off", "its slot is switched off or missing in the prompt manager")
    REPLACED_SLOT = ("replaced_slot", "another part of the prompt takes its place")
    NO_NAMED_LINE = ("no_named_line", "no line of the block begins with a name")
    STRIPPED = ("stripped", "example messages are stripped")
    OVERWRITTEN = ("overwritten", "another text with the same name in the table overwrites it")
    NO_SUCH_DEPTH = ("no_such_depth", "its depth is no whole number from 0 to 10000")
    NO_SUCH_ROLE = ("no_such_role", "its role is none of system, user and assistant")
    NO_PLACE = ("no_place", "its position is none of the known ones")
    NOTE_NOT_DUE = ("note_not_due", "the author's note is not due in this generation")
    NOT_ASKED_FOR = ("not_asked_for", "no macro asks for this outlet")
    SKIPPED = ("skipped", "this generation asks for no depth entries and outlets")
    NOT_IN_TEMPLATE = ("not_in_template", "the template does not show this field")
    HIDDEN_BY_FORMAT = ("hidden_by_format", "the format has no place for it")
    EMPTY = ("empty", "nothing is left of it after trimming and replacing macros")

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class PromptMessage:
    """One message of a chat completion, or one line or block of a text completion."""

    identifier: str | None
    slot: str
    """Identifier of the slot it stands in."""
    role: str
    content: Traced
    name: str | None = None
    tokens: int = 0
    """What it costs, name and frame included."""
    injected: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot with what stands in it."""

    identifier: str
    messages: tuple[PromptMessage, ...]

    @property
    def filled(self) -> tuple[PromptMessage, ...]:
        """Messages that leave a trace."""
        return tuple(message for message in self.messages if message.content)

    @property
    def tokens(self) -> int:
        """Cost of its messages."""
        return sum(message.tokens for message in self.messages)


@dataclass(frozen=True, slots=True)
class Dropped:
    """A text that is not in the prompt."""

    content: Traced
    reason: DropReason
    where: str = ""
    """The slot or name it would have stood under."""


@dataclass(frozen=True, slots=True)
class Injection:
    """A row of the table of injected prompts."""

    name: str
    value: Traced
    position: float
    """1 in the chat, 0 after the main prompt, 2 before it, -1 nowhere."""
    depth: float
    role: float


@dataclass(frozen=True, slots=True)
class TextParts:
    """A text completion in parts, before they become one string."""

    story: Traced
    """Before an instruct template wraps it."""
    examples: Traced
    chat: tuple[PromptMessage, ...]
    continued: Traced


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text from one origin: in the prompt, or dropped."""

    text: str
    origin: Origin
    tokens: int
    """Counted on its own; the sum over a message differs a little from the message's count."""
    message: int | None = None
    """Number of the message (chat completion) that it stands in; None in a text completion and if dropped."""
    start: int = 0
    """Offset in the message, or in the string of a text completion."""
    reason: DropReason | None = None
    """Why it was dropped; None: it is in the prompt."""

    @property
    def kept(self) -> bool:
        """Whether it is in the prompt."""
        return self.reason is None


@dataclass(frozen=True, eq=False)
class AssembledPrompt:
    """The finished prompt of one turn."""

    api: Api
    assembly: Assembly
    """The scan it was made from: another one than was asked for where the program changes the request."""
    changed: bool
    """The program ran the generation otherwise than it was asked to."""
    state: State
    """What it hands to the next turn."""
    counter: TokenCounter
    tokens: int
    """Tokens of the whole, as the program counts."""
    slots: tuple[Slot, ...] = ()
    """Chat completion: slots in order, empty ones too; after squashing one for each message."""
    string: Traced = EMPTY
    """Text completion: the final string."""
    parts: TextParts | None = None
    dropped: tuple[Dropped, ...] = ()
    injections: tuple[Injection, ...] = ()
    """The table as it stood, in its order."""
    outlets: Mapping[str, str] = field(default_factory=dict)
    first_in_context: int | None = None
    """Number of the first message of the chat that is in the prompt, as the program counts (injections count)."""
    error: str = ""
    """What the program complains about."""
    stops: bool = False
    """The program itself would stop here with an error and send nothing."""
    toasts: tuple[str, ...] = ()

    @cached_property
    def messages(self) -> tuple[PromptMessage, ...]:
        """Chat completion: the list of messages."""
        return tuple(message for slot in self.slots for message in slot.filled)

    @property
    def text(self) -> str:
        """Text completion: the final string."""
        return self.string.text

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """Everything that is in the prompt or was dropped, in reading order, dropped ones last."""
        return tuple(self._pieces())

    def _pieces(self) -> Iterator[Piece]:
        texts: list[tuple[int | None, Traced]] = [(None, self.string)]
        if self.parts is None:
            texts = [(number, message.content) for number, message in enumerate(self.messages)]
        for message, content in texts:
            for span, (text, origin) in zip(content.spans(), content.parts, strict=True):
                yield Piece(text, origin, self.counter.count(text), message, span.start)
        for dropped in self.dropped:
            for text, origin in dropped.content.parts:
                yield Piece(text, origin, self.counter.count(text), reason=dropped.reason)
