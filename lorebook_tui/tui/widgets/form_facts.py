"""Facts for the form that workers find out: hits of keys in the chat, and what a text costs and would wake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.engine.chat_hits import KeyInChat
    from lorebook_tui.engine.key_owners import Owner
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.views.form_text import Waking


class EntryJudged(Message):
    """It is known what the text of an entry costs and would wake, where its keys are, and who else has them."""

    def __init__(
        self,
        key: object,
        tokens: int,
        hits: Mapping[str, KeyInChat],
        owners: Mapping[str, Sequence[Owner]],
        waking: Mapping[int, Sequence[Waking]],
    ) -> None:
        super().__init__()
        self.key = key
        """Tells the form's entries apart."""
        self.tokens = tokens
        self.hits = hits
        """By key of either list."""
        self.owners = owners
        """By primary key: other entries that have it."""
        self.waking = waking
        """By line of the text."""


class KeyTold(Message):
    """It is known what there is to say about a key that is typed."""

    def __init__(self, text: str, told: Line) -> None:
        super().__init__()
        self.text = text
        """What stood in the line."""
        self.told = told
