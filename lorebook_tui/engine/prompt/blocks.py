"""The prompt cut into blocks: the messages of a chat completion, the parts and lines of a text completion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.sources import slot_name
from lorebook_tui.engine.prompt.traced import EMPTY, Origin, OriginKind, Traced
from lorebook_tui.model.js import number_text, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lorebook_tui.engine.prompt.pieces import AssembledPrompt, DropReason, PromptMessage, TextParts

_CHAT = "chatHistory"
_TABLE_NAMES = {OriginKind.NOTE: table.NOTE, OriginKind.PERSONA: table.PERSONA}


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of the prompt that people see as one."""

    role: str
    title: str
    content: Traced
    tokens: int | None = None
    """As the program counts; None: not known, the text is to be counted."""
    name: str = ""
    identifier: str = ""
    reason: DropReason | None = None


def blocks_of(prompt: AssembledPrompt) -> list[Block]:
    """The blocks in reading order; together they are the whole prompt, if there is one that is sent."""
    if prompt.stops:
        return []
    if prompt.parts is None:
        return [_of_message(prompt, message) for message in prompt.messages]
    return list(_of_string(prompt, prompt.parts))


def _of_message(prompt: AssembledPrompt, message: PromptMessage) -> Block:
    title = slot_name(message.slot)
    if title == slot_name(_CHAT):
        title = _in_chat(prompt, message.content)
    return Block(message.role, title, message.content, message.tokens, message.name or "", message.identifier or "")


def _in_chat(prompt: AssembledPrompt, content: Traced) -> str:
    """What stands between messages, and at which depth; "" for a message itself."""
    if any(origin.kind is OriginKind.MESSAGE for _, origin in content.parts):
        return ""
    return placed_at(prompt, content)


def placed_at(prompt: AssembledPrompt, content: Traced) -> str:
    """`at depth 4` if that is where a text was put into the chat; "" if it was not."""
    for _, origin in content.parts:
        depth = _depth_of(prompt, origin)
        if depth is not None:
            return f"at depth {depth}"
    return ""


def _depth_of(prompt: AssembledPrompt, origin: Origin) -> str | None:
    """The depth at which a text of this origin was put into the chat."""
    name = _TABLE_NAMES.get(origin.kind, "")
    if origin.kind is OriginKind.ENTRY and origin.entry is not None:
        place = prompt.assembly.places.get(origin.entry)
        if place is None or place.slot not in {"depth", "note_top", "note_bottom"}:
            return None
        own = f"{table.DEPTH_PREFIX}{text_of(place.depth)}_{text_of(place.role)}"
        name = own if place.slot == "depth" else table.NOTE
    elif origin.kind is OriginKind.CARD and origin.name == "depth_prompt":
        name = table.CARD_NOTE
    elif origin.kind is OriginKind.EXTENSION:
        name = origin.name
    for row in prompt.injections:
        if row.name == name or (name == table.CARD_NOTE and row.name.startswith(f"{name}_")):
            return number_text(row.depth) if row.position == table.IN_CHAT else None
    return None


def _of_string(prompt: AssembledPrompt, parts: TextParts) -> Iterator[Block]:
    """Story string, examples, chat start, then line by line."""
    string = prompt.string
    lines = [*(line.content for line in parts.chat), *([parts.continued] if parts.continued else [])]
    sizes = _sizes(lines, string.text)
    head, *chat = _split(string, sizes)
    story, examples, start = _parts_of_head(head, parts.examples)
    for title, content in (("story string", story), ("example messages", examples), ("", start)):
        if content:
            yield Block("", title, content)
    for line in chat:
        if line:
            yield Block("", _in_chat(prompt, line), line)


def _sizes(lines: Sequence[Traced], whole: str) -> list[int]:
    """How many characters each line has in the finished string.

    Carriage returns are gone there; where line feeds were collapsed, those at the border belong to the line before.
    """
    texts = [line.text.replace("\r", "") for line in lines]
    if whole.endswith("".join(texts)):
        return [len(text) for text in texts]
    sizes, ends_line = [], False
    for line in lines:
        text = line.without_returns().single_line_feeds().text
        if ends_line:
            text = text.removeprefix("\n")
        ends_line = text.endswith("\n") if text else ends_line
        sizes.append(len(text))
    return sizes


def _split(text: Traced, sizes: Sequence[int]) -> list[Traced]:
    """What stands in front of the last stretches, and these; each stretch is given by its length."""
    bounds = [max(0, len(text) - sum(sizes))]
    for size in sizes:
        bounds.append(min(len(text), bounds[-1] + size))
    cuts = iter(bounds)
    cut = next(cuts)
    found: list[list[tuple[str, Origin]]] = [[]]
    place = 0
    for piece, origin in text.parts:
        rest = piece
        while place + len(rest) > cut and len(found) < len(bounds) + 1:
            found[-1].append((rest[: cut - place], origin))
            rest, place = rest[cut - place :], cut
            found.append([])
            cut = next(cuts, len(text))
        found[-1].append((rest, origin))
        place += len(rest)
    found.extend([] for _ in range(len(bounds) - len(found)))
    return [_made(parts) for parts in found]


def _made(parts: Iterable[tuple[str, Origin]]) -> Traced:
    return Traced(tuple((text, origin) for text, origin in parts if text))


def _parts_of_head(head: Traced, examples: Traced) -> tuple[Traced, Traced, Traced]:
    """Story string, examples and what parts them from the chat."""
    start = EMPTY
    if head and head.parts[-1][1].name == "chat_start":
        start = Traced(head.parts[-1:])
        head = Traced(head.parts[:-1])
    for shown in (examples.without_returns(), examples.without_returns().single_line_feeds()):
        if shown and head.text.endswith(shown.text):
            border = len(head) - len(shown)
            return head.cut(0, border), head.cut(border), start
    return head, EMPTY, start
