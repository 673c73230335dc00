"""What the keys of an entry ask for, spelled out as a sentence: primary keys, secondary keys, and how they decide.

SillyTavern 1.19. The other filters (probability, groups, delays, the budget) are no part of the sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from lorebook_tui.matching import ecma
from lorebook_tui.model.decorators import ACTIVATE, DONT_ACTIVATE, split_sillytavern
from lorebook_tui.model.js import MISSING, nullish, text_of, to_number, trim

if TYPE_CHECKING:
    from lorebook_tui.model.entry import Entry

AND_ANY, NOT_ALL, NOT_ANY, AND_ALL = range(4)


class Firing(Enum):
    """Whether the keys decide at all."""

    ALWAYS = "always"
    NEVER = "never"
    KEYS = "keys"


class Piece(NamedTuple):
    """A part of the sentence."""

    text: str
    is_key: bool = False
    """A key as it is written, foreign text; to be drawn apart from the words around it."""


@dataclass(frozen=True, slots=True)
class KeyLogic:
    """What has to be said for an entry."""

    firing: Firing
    pieces: tuple[Piece, ...]
    """The sentence, beginning with a capital and ending with a full stop."""

    @property
    def text(self) -> str:
        """The sentence with its keys in quotation marks."""
        return "".join(f"“{piece.text}”" if piece.is_key else piece.text for piece in self.pieces)


_OFF: Final = "Disabled. Without that it "


def key_logic(entry: Entry) -> KeyLogic:
    """What an entry's keys ask for."""
    firing, pieces = _active(entry)
    if to_number(entry.get("disable")) == 1:
        return KeyLogic(Firing.NEVER, (Piece(_OFF), *pieces, Piece(".")))
    first = pieces[0].text
    return KeyLogic(firing, (Piece(first[0].upper() + first[1:]), *pieces[1:], Piece(".")))


def _always(why: str) -> tuple[Firing, list[Piece]]:
    return Firing.ALWAYS, [Piece(f"fires at every turn: {why}")]


def _never(why: str) -> tuple[Firing, list[Piece]]:
    return Firing.NEVER, [Piece(f"never fires by itself: {why}")]


def _active(entry: Entry) -> tuple[Firing, list[Piece]]:
    """The same for an entry that is not disabled."""
    decorators = split_sillytavern(entry.content).decorators
    if ACTIVATE in decorators:
        return _always(f"its text begins with {ACTIVATE}")
    if DONT_ACTIVATE in decorators:
        return _never(f"its text begins with {DONT_ACTIVATE}")
    if entry.is_on("constant"):
        return _always("it is constant, its keys are not looked at" if entry.keys else "it is constant")
    keys = entry.get("key")
    if not isinstance(keys, list) or not keys:
        return _never("it has no keys" + (", only similar meaning wakes it" if entry.is_on("vectorized") else ""))
    stored = [key for key in map(_key_text, keys) if key]
    if not stored:
        return _never("its keys are empty")
    secondary = entry.get("keysecondary")
    given = [_key_text(key) for key in secondary] if isinstance(secondary, list) else []
    in_force = bool(given) and entry.is_on("selective")
    after = _filter(entry, given) if in_force else _Filter(Firing.ALWAYS)
    if after.firing is Firing.NEVER:
        return _never(after.why)
    everything = any(not trim(key) for key in stored)
    start = [Piece("fires at every turn, because a key of blanks matches every text")] if everything else _said(stored)
    pieces = [*start, *after.pieces]
    if given and not in_force:
        pieces.append(Piece("; its secondary keys are switched off"))
    elif after.why:
        pieces.append(Piece(f"; {after.why}"))
    return (Firing.ALWAYS if everything and after.firing is Firing.ALWAYS else Firing.KEYS), pieces


def _key_text(key: object) -> str:
    return key if isinstance(key, str) else text_of(key)


def _is_pattern(key: str) -> bool:
    return ecma.parse_key(trim(key)) is not None


def _said(keys: list[str]) -> list[Piece]:
    """`fires when “bell” or “колокол” is said`, `… or /bells?/ matches`."""
    words = [key for key in keys if not _is_pattern(key)]
    patterns = [key for key in keys if _is_pattern(key)]
    pieces = [Piece("fires when ")]
    if words:
        pieces += [*_listed(words, "or"), Piece(" is said")]
    if patterns:
        pieces += [Piece(" or ")] if words else []
        pieces += [*_listed(patterns, "or"), Piece(" matches")]
    return pieces


def _listed(keys: list[str], word: str) -> list[Piece]:
    """Keys with commas between them and a word before the last."""
    pieces: list[Piece] = []
    for number, key in enumerate(keys):
        if number:
            pieces.append(Piece(f" {word} " if number == len(keys) - 1 else ", "))
        pieces.append(Piece(key, is_key=True))
    return pieces


@dataclass(frozen=True, slots=True)
class _Filter:
    """What the secondary keys add."""

    firing: Firing
    """ALWAYS: they let everything through. NEVER: nothing."""
    pieces: tuple[Piece, ...] = ()
    why: str = ""


def _filter(entry: Entry, given: list[str]) -> _Filter:
    """What secondary keys in force ask for; an empty one never matches, one of blanks always does."""
    stored = entry.get("selectiveLogic")
    logic = 0 if nullish(stored) else stored if isinstance(stored, (int, float)) else MISSING
    if isinstance(logic, bool) or logic not in (AND_ANY, NOT_ALL, NOT_ANY, AND_ALL):
        return _Filter(Firing.NEVER, why=f"its secondary logic {text_of(stored)} is none of the four")
    has_empty, has_blank = "" in given, any(key and not trim(key) for key in given)
    keys = [key for key in given if trim(key)]
    if logic == AND_ANY:
        if has_blank:
            return _Filter(Firing.ALWAYS, why="a secondary key of blanks always matches")
        return _Filter(Firing.KEYS, _and_any(keys)) if keys else _empty_only()
    if logic == NOT_ANY:
        if has_blank:
            return _Filter(Firing.NEVER, why="a secondary key of blanks always matches, and none may")
        return _Filter(Firing.KEYS, _not_any(keys)) if keys else _Filter(Firing.ALWAYS, why=_EMPTY)
    if logic == NOT_ALL:
        if has_empty:
            return _Filter(Firing.ALWAYS, why=_EMPTY)
        return (
            _Filter(Firing.KEYS, _not_all(keys)) if keys else _Filter(Firing.NEVER, why=f"{_BLANKS}, and one must not")
        )
    if has_empty:
        return _Filter(Firing.NEVER, why="an empty secondary key never matches, and all must")
    return _Filter(Firing.KEYS, _and_all(keys)) if keys else _Filter(Firing.ALWAYS, why=_BLANKS)


_EMPTY: Final = "an empty secondary key never matches, so they let everything through"
_BLANKS: Final = "secondary keys of blanks always match"


def _empty_only() -> _Filter:
    return _Filter(Firing.NEVER, why="its secondary keys are empty, and one must match")


def _and_any(keys: list[str]) -> tuple[Piece, ...]:
    """`, and “dream” too` or `, and at least one of “dream”, “sleep” too`."""
    if len(keys) == 1:
        return (Piece(", and "), *_listed(keys, "or"), Piece(" too"))
    return (Piece(", and at least one of "), *_listed(keys, "or"), Piece(" too"))


def _not_any(keys: list[str]) -> tuple[Piece, ...]:
    if len(keys) == 1:
        return (Piece(", and "), *_listed(keys, "or"), Piece(" is not"))
    return (Piece(", and none of "), *_listed(keys, "or"), Piece(" is"))


def _not_all(keys: list[str]) -> tuple[Piece, ...]:
    if len(keys) == 1:
        return (Piece(", unless "), *_listed(keys, "and"), Piece(" is said too"))
    return (Piece(", unless "), *_listed(keys, "and"), Piece(" are all said too"))


def _and_all(keys: list[str]) -> tuple[Piece, ...]:
    return (Piece(", and "), *_listed(keys, "and"), Piece(" too"))
