"""Which texts need no macro engine, which need it only once, and whether even the others act."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lorebook_tui.engine.macros.card import READ_ORDER
from lorebook_tui.engine.macros.definitions import ELSE_MARK
from lorebook_tui.engine.macros.names import TAG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.macros.card import Card
    from lorebook_tui.engine.macros.environment import MacroEnvironment

_CONSTANT = re.compile(
    r"\{\{\s*(?:user|char|group|groupNotMuted|charIfNotGroup|notChar|noop|trim|(?:newline|space)(?:::\s*[0-9]{1,4}\s*)?)\s*\}\}"
    r"|\{\{//[^{}]*\}\}",
    re.IGNORECASE | re.ASCII,
)


def is_plain(text: str) -> bool:
    """Whether both engines certainly leave the text as it is: no `{{`, no `<USER>` and its like, no escaped brace."""
    if "{" not in text and "\\}" not in text and "<" not in text:
        return ELSE_MARK not in text
    return not ("{{" in text or "\\{" in text or "\\}" in text or TAG.search(text) or ELSE_MARK in text)


def is_constant(text: str) -> bool:
    """Whether the text comes out the same at every turn of one cast, and nothing is drawn or changed on the way.

    So it holds names, line ends, blanks and comments only. (Names with braces in them may still differ in the legacy
    engine.)
    """
    return "{{" not in _CONSTANT.sub("", text)


def acts_always(environment: MacroEnvironment) -> bool:
    """Whether even a plain text acts: in the legacy engine, when the card rolls dice or changes variables."""
    card = environment.card
    if card is None or environment.engine != "legacy":
        return False
    return any(not is_constant(text) for text in texts_of(card))


def texts_of(card: Card) -> Iterator[str]:
    """Every text of a card whose macros are replaced."""
    for content in (*(getattr(card, name) for name in READ_ORDER), *card.alternate_greetings):
        if isinstance(content, str):
            yield content
        else:
            for part in content:
                yield from part.texts
