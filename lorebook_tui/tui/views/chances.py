"""Odds and margins in figures and words: how likely an entry is at a turn, and how much it could lose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lorebook_tui.engine.odds import Odds
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.replay import Prospect

PERCENT: Final = 100


def percent(share: float) -> str:
    """A share from 0 to 1; what is not quite all or nothing never looks so."""
    figure = share * PERCENT
    if 0 < figure < 1:
        return "<1%"
    if PERCENT - 1 < figure < PERCENT:
        return ">99%"
    return f"{figure:.0f}%"


def short_odds(prospect: Prospect | None, glyphs: Glyphs) -> str:
    """The chance in a column: `62%` exactly, `≈62%` by estimate; a dot while it is not known."""
    if prospect is None:
        return glyphs.free
    odds = prospect.odds.odds
    about = "" if odds.exact else "~" if glyphs.letters else "≈"
    return about + percent(odds.chance)


def short_room(prospect: Prospect | None, glyphs: Glyphs) -> str:
    """Tokens by which what stands before it may still grow; a dot while it is not known, `any` if nothing cuts it."""
    margin = prospect.margin if prospect is not None else None
    if margin is None:
        return glyphs.free
    return "any" if margin.tokens_left is None else f"{margin.tokens_left:,}"


def told_odds(prospect: Prospect, glyphs: Glyphs) -> str:
    """The chance as a sentence."""
    odds = prospect.odds.odds
    if odds.exact:
        return _told_exact(odds)
    plus_minus = "+-" if glyphs.letters else "±"
    spread = max(odds.high - odds.chance, odds.chance - odds.low) * PERCENT
    why = f" ({prospect.why_estimated})" if prospect.why_estimated else ""
    return f"{percent(odds.chance)} {plus_minus} {max(1, round(spread))}, from throws of the dice{why}."


def _told_exact(odds: Odds) -> str:
    if odds.chance in {0, 1}:
        return f"{percent(odds.chance)}, however the dice fall."
    return f"{odds.chance * PERCENT:.4g} %, worked out exactly."
