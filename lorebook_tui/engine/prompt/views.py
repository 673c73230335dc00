"""The finished prompt as rows for people: a block per message, its pieces with their origins, and what is not in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.absence import why_dropped, why_missing
from lorebook_tui.engine.prompt.blocks import Block, blocks_of, placed_at
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.sources import Source, label_of, source_of, where_name
from lorebook_tui.engine.prompt.stretches import stretches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lorebook_tui.engine.prompt.pieces import AssembledPrompt
    from lorebook_tui.engine.prompt.settings import Api
    from lorebook_tui.engine.prompt.traced import Traced


@dataclass(frozen=True, slots=True)
class PromptPiece:
    """A stretch of a row that has one origin. Label and text are foreign."""

    source: Source
    label: str
    spans: tuple[tuple[str, Source], ...]
    """Its text, with the names, sequences and line ends that frame it."""
    start: int
    """Offset of its first span in the row."""
    tokens: int
    """Of its own text, counted alone."""
    index: int | None = None
    """Load index of the entry it is from."""
    message: int | None = None
    """Transcript index of the message it is from."""
    is_inline: bool = False
    """It goes on in the line in which the piece before ends."""

    @property
    def text(self) -> str:
        """The text with what frames it."""
        return "".join(text for text, _ in self.spans)


@dataclass(frozen=True, slots=True)
class PromptRow:
    """One message of a chat completion, one part or line of a text completion, or one text that was dropped."""

    role: str
    """system, user or assistant; "" in a text completion and for dropped texts."""
    title: str
    """The part of the prompt it is; "" where its only piece says enough. May hold foreign text."""
    pieces: tuple[PromptPiece, ...]
    tokens: int
    """What it costs, name and frame included."""
    number: int | None = None
    """Counted from 1, as the model reads them; None: it is not in the prompt."""
    name: str = ""
    """The field `name` of the message."""
    identifier: str = ""
    """What SillyTavern calls the message."""
    reason: DropReason | None = None
    """Why it was dropped."""

    @property
    def text(self) -> str:
        """All of it."""
        return "".join(piece.text for piece in self.pieces)

    @property
    def first_message(self) -> int:
        """Transcript index of the first message in it; 0 if there is none."""
        return min((piece.message for piece in self.pieces if piece.message is not None), default=0)

    @property
    def is_chat(self) -> bool:
        """Whether there is nothing in it but messages of the chat."""
        return bool(self.pieces) and all(piece.source in {Source.MESSAGE, Source.MARKER} for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class MissingEntry:
    """An activated entry of which nothing is in the prompt."""

    index: int
    title: str
    """Foreign text."""
    code: str
    """A stable name: that of a `DropReason` or of a verdict's reason."""
    why: str
    """One sentence."""
    tokens: int
    """That the scan counted for it."""


@dataclass(frozen=True, slots=True)
class PromptView:
    """Everything about one prompt."""

    api: Api
    rows: tuple[PromptRow, ...]
    dropped: tuple[PromptRow, ...]
    """Texts that were left out: the chat last, its oldest message first."""
    missing: tuple[MissingEntry, ...]
    """Activated entries of which nothing is in the prompt, those in `dropped` too."""
    tokens: int
    context: int
    """Tokens for the prompt: the context less the reply."""
    shares: tuple[tuple[Source, int], ...]
    """Tokens by source; frames, names and line ends are what is left of the whole."""
    error: str = ""
    """Why the prompt is not complete, or is not sent at all."""
    stops: bool = False
    """SillyTavern stops here with an error and sends nothing."""
    unread: tuple[int, ...] = ()
    """Transcript indices of visible messages that were never tried, since the prompt ended before the chat."""
    changed: bool = False
    """SillyTavern runs this generation otherwise than it was asked to."""


def prompt_view(prompt: AssembledPrompt) -> PromptView:
    """The rows of a prompt, and what became of the rest."""
    blocks = blocks_of(prompt)
    rows = tuple(_row(prompt, block, number) for number, block in enumerate(blocks, 1))
    dropped = _dropped(prompt)
    tokens = 0 if prompt.stops else prompt.tokens
    return PromptView(
        unread=_unread(prompt, (*rows, *dropped)),
        api=prompt.api,
        rows=rows,
        dropped=tuple(dropped),
        missing=tuple(_missing(prompt, rows, dropped)),
        tokens=tokens,
        context=prompt.assembly.turn.max_context,
        shares=_shares(rows, tokens),
        error=prompt.error,
        stops=prompt.stops,
        changed=prompt.changed,
    )


def _row(prompt: AssembledPrompt, block: Block, number: int | None) -> PromptRow:
    tokens = prompt.counter.count(block.content.text) if block.tokens is None else block.tokens
    return PromptRow(
        role=block.role,
        title=block.title,
        pieces=tuple(_pieces(prompt, block.content)),
        tokens=tokens,
        number=number,
        name=block.name,
        identifier=block.identifier,
        reason=block.reason,
    )


def _pieces(prompt: AssembledPrompt, content: Traced) -> Iterator[PromptPiece]:
    place, last = 0, "\n"
    for stretch in stretches(content.parts):
        text = "".join(part for part, _ in stretch.parts)
        own = prompt.counter.count(stretch.own)
        yield PromptPiece(
            source_of(stretch.origin),
            label_of(stretch.origin, lambda index: title_of(prompt, index)),
            tuple((part, source_of(origin)) for part, origin in stretch.parts),
            place,
            own,
            stretch.origin.entry,
            stretch.origin.message,
            is_inline=last != "\n",
        )
        place, last = place + len(text), text[-1:] or last


def title_of(prompt: AssembledPrompt, index: int) -> str:
    """The title of an entry of the prompt. Foreign text."""
    return prompt.assembly.entry(index).entry.title


def _dropped(prompt: AssembledPrompt) -> list[PromptRow]:
    found = []
    for dropped in prompt.dropped:
        title = placed_at(prompt, dropped.content) or where_name(dropped.where, dropped.reason)
        found.append(_row(prompt, Block("", title, dropped.content, reason=dropped.reason), None))
    return sorted(found, key=lambda row: (row.is_chat, row.first_message if row.is_chat else 0))


def _missing(
    prompt: AssembledPrompt, rows: Iterable[PromptRow], dropped: Iterable[PromptRow]
) -> Iterator[MissingEntry]:
    """SillyTavern 1.19: the scan's budget knows nothing of the prompt's, so what is activated can be lost later."""
    assembly = prompt.assembly
    kept = {piece.index for row in rows for piece in row.pieces}
    reasons: dict[int, DropReason] = {}
    for row in dropped:
        for piece in row.pieces:
            if piece.index is not None and row.reason is not None:
                reasons.setdefault(piece.index, row.reason)
    whole = ""
    for admitted in assembly.admitted:
        index = admitted.index
        if index in kept:
            continue
        if index not in reasons and index not in assembly.nowhere:
            # Where macros changed a text beyond recognition its neighbour may hold its place.
            whole = whole or "\n".join(row.text for row in rows)
            if admitted.content.strip() and admitted.content.strip() in whole:
                continue
        code, why = why_missing(prompt, index, reasons.get(index))
        yield MissingEntry(index, title_of(prompt, index), code, why, admitted.tokens)


def _unread(prompt: AssembledPrompt, rows: Iterable[PromptRow]) -> tuple[int, ...]:
    """SillyTavern 1.19: where the mandatory prompts exceed the context, they are sent without the chat."""
    if not prompt.error:
        return ()
    assembly = prompt.assembly
    seen = {piece.message for row in rows for piece in row.pieces}
    messages = enumerate(assembly.chat.messages[: assembly.turn.upto])
    return tuple(number for number, message in messages if not message.is_hidden and number not in seen)


def _shares(rows: Sequence[PromptRow], total: int) -> tuple[tuple[Source, int], ...]:
    sums = dict.fromkeys(Source, 0)
    for row in rows:
        for piece in row.pieces:
            sums[piece.source] += piece.tokens
    sums[Source.MARKER] = 0
    sums[Source.MARKER] = max(0, total - sum(sums.values()))
    return tuple((source, tokens) for source, tokens in sums.items() if tokens)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One line about what is not in the prompt: an entry, another text, or a run of messages."""

    source: Source
    label: str
    """Foreign text."""
    why: str
    """One sentence."""
    tokens: int | None
    """None: nobody counted them."""
    index: int | None = None
    """Load index of the entry."""
    message: int | None = None
    """Transcript index of the first message."""


def left_out(view: PromptView) -> tuple[LeftOut, ...]:
    """Everything that is not in the prompt: activated entries, other texts, and the chat in runs of one reason."""
    missing = {entry.index for entry in view.missing}
    lines = [LeftOut(Source.ENTRY, entry.title, entry.why, entry.tokens, entry.index) for entry in view.missing]
    alike: dict[tuple[Source, str, str, int | None], list[PromptPiece]] = {}
    runs: dict[str, list[PromptPiece]] = {}
    for row in view.dropped:
        why = why_dropped(row.reason) if row.reason else ""
        for piece in row.pieces:
            if row.is_chat and piece.message is not None:
                runs.setdefault(why, []).append(piece)
            elif piece.source is not Source.MARKER and piece.index not in missing:
                label = piece.label if row.title in piece.label else f"{piece.label}, {row.title}"
                alike.setdefault((piece.source, label, why, piece.index), []).append(piece)
    for (source, label, why, index), pieces in alike.items():
        tokens = sum(piece.tokens for piece in pieces)
        lines.append(LeftOut(source, label, why, tokens, index, pieces[0].message))
    if view.unread:
        label = _numbered(view.unread[0], view.unread[-1])
        why = why_dropped(DropReason.MANDATORY_TOO_LONG)
        lines.append(LeftOut(Source.MESSAGE, label, why, None, message=view.unread[0]))
    return (*lines, *(_run(why, pieces) for why, pieces in runs.items()))


def _run(why: str, pieces: Sequence[PromptPiece]) -> LeftOut:
    """Messages that one reason keeps out."""
    numbers = sorted(piece.message for piece in pieces if piece.message is not None)
    label = pieces[0].label if len(pieces) == 1 else _numbered(numbers[0], numbers[-1])
    return LeftOut(Source.MESSAGE, label, why, sum(piece.tokens for piece in pieces), message=numbers[0])


def _numbered(first: int, last: int) -> str:
    """Messages by their numbers, as people count."""
    return f"message {first + 1}" if first == last else f"messages {first + 1} to {last + 1}"
