"""What of a text completion fits into the context.

SillyTavern 1.19: injections are taken before any message of the chat, then the chat from its newest line, then
examples. Every text is counted on its own, and the sum keeps what was refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt.chat_lines import ChatLine
from lorebook_tui.engine.prompt.instruct import Place
from lorebook_tui.engine.prompt.material import CONTINUE, QUIET
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.traced import EMPTY, Origin, OriginKind, Traced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.prompt.pieces import PromptMessage
    from lorebook_tui.engine.prompt.text_completion import Sheet, TextCompletion

EXAMPLES, CHAT = "examples", "chat"


@dataclass(slots=True)
class _Kept:
    """A line that is in, with its place among all lines, newest first."""

    place: int
    text: Traced
    injected: bool


class Trimming:
    """One run over all lines.

    Args:
        completion: the prompt being made.
        sheet: which lines are injections.
        chat: formatted lines, newest first, without the one to be continued.
        continued: the line to be continued.
    """

    def __init__(self, completion: TextCompletion, sheet: Sheet, chat: list[Traced], continued: Traced) -> None:
        self._completion = completion
        self._material = completion.material
        self._sheet = sheet
        self._chat = chat
        self._continued = continued
        self._limit = self._material.context
        instruct = self._material.settings.instruct
        self._aligns = instruct.enabled and bool(instruct.user_alignment_message)
        self._alignment = self._aligning() if self._aligns else EMPTY
        self.lines: list[PromptMessage] = []
        self.examples = EMPTY
        self.in_context = 0

    def run(self) -> None:
        """Choose lines and examples, oldest first."""
        blocks = self._material.shown_examples
        pinned = self._material.settings.user.pin_examples
        self.examples = Traced.joined(blocks) if pinned else EMPTY
        kept = self._choose_lines()
        kept = self._align(kept)
        self.in_context = sum(not line.injected for line in kept)
        chosen = len(blocks) if pinned else self._choose_examples(blocks, kept)
        kept.reverse()
        texts = [self._last(line.text) if number == len(kept) - 1 else line.text for number, line in enumerate(kept)]
        if self._material.kind == CONTINUE and self._continued:
            chosen, texts, kept = self._check(blocks, chosen, texts, kept)
        if not pinned:
            self.examples = Traced.joined(blocks[:chosen])
        self.lines = [
            self._completion.message(text, injected=line.injected) for text, line in zip(texts, kept, strict=True)
        ]

    def _count(self, text: str) -> int:
        return self._material.counter.count(text.replace("\r", ""))

    def _whole(self, examples: str, chat: str) -> int:
        """Tokens of everything in one, and the padding."""
        completion = self._completion
        parts = (
            completion.story.text,
            examples,
            completion.chat_start().text,
            self._alignment.text,
            chat,
            completion.ending.after(EMPTY).text,
            self._continued.text,
        )
        return self._count("".join(parts)) + self._material.settings.user.token_padding

    def _finished(self, examples: Traced, lines: Sequence[Traced]) -> int:
        """Tokens of what is about to be sent, as the last check counts them."""
        completion = self._completion
        parts = (
            completion.story.text,
            examples.text,
            completion.chat_start().text,
            *(line.text for line in lines),
            "\n",
            completion.ending.after(EMPTY).text,
            self._continued.text,
        )
        return self._count("".join(parts)) + self._material.settings.user.token_padding

    def _choose_lines(self) -> list[_Kept]:
        """The lines that are in, newest first."""
        total = self._whole(self.examples.text, "")
        taken: dict[int, Traced] = {}
        self._taken_order: list[int] = []
        injected = [place for place in self._sheet.injected if 0 <= place < len(self._chat)]
        for queue in (injected, [place for place in range(len(self._chat)) if place not in injected]):
            for number, place in enumerate(queue):
                if place in taken:
                    continue
                total += self._count(self._chat[place].text)
                if total >= self._limit:
                    self._drop_lines(queue[number:])
                    break
                taken[place] = self._chat[place]
                self._taken_order.append(place)
        return [_Kept(place, taken[place], place in set(injected)) for place in sorted(taken)]

    def _drop_lines(self, places: list[int]) -> None:
        for number, place in enumerate(places):
            reason = DropReason.BEHIND_THE_CUT if number else DropReason.CONTEXT_FULL
            self._material.drop(self._chat[place], reason, CHAT)

    def _align(self, kept: list[_Kept]) -> list[_Kept]:
        """A message of the user on top, even an empty one, if the template wants one and the oldest line is none."""
        if not self._aligns:
            return kept
        place = kept[-1].place if kept else 0
        oldest = self._sheet.lines[place] if place < len(self._sheet.lines) else None
        if oldest is not None and oldest.is_user:
            return kept
        return [*kept, _Kept(len(self._chat), self._alignment, injected=True)]

    def _aligning(self) -> Traced:
        """The message of the user that the template may want on top."""
        template = self._material.settings.instruct
        text = Traced.of(template.user_alignment_message, Origin(OriginKind.TEMPLATE, "user_alignment_message"))
        content = self._material.expander.traced(text)
        return self._completion.format(ChatLine(self._material.user, content, is_user=True), Place.FIRST)

    def _choose_examples(self, blocks: list[Traced], kept: list[_Kept]) -> int:
        texts = {line.place: line.text for line in kept}
        aligned = self._alignment.text if kept and kept[-1].place == len(self._chat) else ""
        total = self._whole("", aligned + "".join(texts[place].text for place in self._taken_order))
        for number, block in enumerate(blocks):
            total += self._count(block.text)
            if total >= self._limit:
                for late, text in enumerate(blocks[number:]):
                    self._material.drop(text, DropReason.BEHIND_THE_CUT if late else DropReason.CONTEXT_FULL, EXAMPLES)
                return number
        return len(blocks)

    def _last(self, line: Traced) -> Traced:
        """The newest line: one line feed less, and the ending."""
        template = self._material.settings.instruct
        keeps = template.enabled and (self._material.kind == QUIET or not template.wrap)
        if self._material.kind != CONTINUE and not keeps and line.text.endswith("\n"):
            line = line.cut(0, len(line) - 1)
        return self._completion.ending.after(line)

    def _check(
        self, blocks: list[Traced], chosen: int, texts: list[Traced], kept: list[_Kept]
    ) -> tuple[int, list[Traced], list[_Kept]]:
        """Continue only: as long as the whole is too long, examples and then the oldest lines go.

        Each try puts the ending behind the last line anew.
        """
        pinned = self._material.settings.user.pin_examples
        chosen = 0 if pinned else chosen
        while True:
            examples = self.examples if pinned else Traced.joined(blocks[:chosen])
            if self._finished(examples, texts) <= self._limit:
                return chosen, texts, kept
            if chosen > 0:
                chosen -= 1
                self._material.drop(blocks[chosen], DropReason.CONTEXT_FULL, EXAMPLES)
            elif texts:
                self._material.drop(texts[0], DropReason.CONTEXT_FULL, CHAT)
                texts, kept = texts[1:], kept[1:]
            else:
                return chosen, texts, kept
            if texts:
                texts = [*texts[:-1], self._completion.ending.after(texts[-1])]
