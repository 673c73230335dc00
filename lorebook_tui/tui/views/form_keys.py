"""Keys for people: the sign of each kind, and what is told about a key that is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.key_badges import KeyKind, key_badge
from lorebook_tui.tui.ink import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.chat_hits import KeyInChat
    from lorebook_tui.engine.key_owners import Owner
    from lorebook_tui.tui.ink import Line

SIGNS: Final = {KeyKind.PLAIN: "", KeyKind.PATTERN: "re", KeyKind.MACROS: "{}", KeyKind.BROKEN: "!"}
"""On a chip; every other kind is a doubt."""
DOUBT: Final = "?"
_MOST_OWNERS: Final = 3


def sign_of(kind: KeyKind) -> str:
    """What a chip shows of a kind of key."""
    return SIGNS.get(kind, DOUBT)


def told_of_key(
    key: str, *, whole_words: bool, turn: int | None = None, chat: KeyInChat | None = None, owners: Sequence[Owner] = ()
) -> Line:
    """What is known about a key, as one line: its kind, its hits, who else has it.

    Args:
        key: as it is written.
        whole_words: the option in force for its entry.
        turn: hits in what the shown turn scans; None: not known.
        chat: its messages in the whole chat; None: not known.
        owners: other entries with such a key.
    """
    badge = key_badge(key, whole_words=whole_words)
    spans = [Span(badge.kind.word, "cut" if badge.kind.doubtful else "strong")]
    hits = hits_words(turn, chat)
    if hits:
        spans.append(Span(f", {hits}", "in" if chat and chat.messages else "muted"))
    spans.append(Span(". ", "muted"))
    if owners:
        titles = ", ".join(f"“{owner.entry.title}”" for owner in owners[:_MOST_OWNERS])
        more = f" and {len(owners) - _MOST_OWNERS} more" if len(owners) > _MOST_OWNERS else ""
        word = owners[0].likeness.value
        spans.append(Span(f"{word[0].upper()}{word[1:]} {titles}{more}. ", "near"))
    if badge.note:
        spans.append(Span(badge.note, "muted"))
    if chat is not None and chat.note and chat.note not in badge.note:
        spans.append(Span(f" {chat.note}", "muted"))
    return tuple(spans)


def hits_words(turn: int | None, chat: KeyInChat | None) -> str:
    """`2 hits at this turn, in 7 messages of the chat`; "" if nothing is known."""
    words = []
    if turn is not None:
        words.append(f"{turn} hit{'s' if turn != 1 else ''} at this turn")
    if chat is not None and chat.kind != "macro":
        count = len(chat.messages)
        place = f"in {count:,} message{'s' if count != 1 else ''} of the chat" if count else "nowhere in the chat"
        words.append(place)
    return ", ".join(words)
