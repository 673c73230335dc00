"""Macros in texts of lore, as SillyTavern 1.19's two engines replace them."""

from __future__ import annotations

from lorebook_tui.engine.macros.card import Card, CardPart, card_of
from lorebook_tui.engine.macros.ceilings import TooCostlyError
from lorebook_tui.engine.macros.constancy import acts_always, is_constant, is_plain
from lorebook_tui.engine.macros.environment import MacroEnvironment, Member
from lorebook_tui.engine.macros.evaluate import Evaluation
from lorebook_tui.engine.macros.legacy import LegacyEvaluation


def substitute(text: str, environment: MacroEnvironment) -> str:
    """The text with its macros replaced. Variables, random streams and the card's dice act on the way.

    A text that is nested too deeply, or that rolls or grows beyond the ceilings, comes back as it is.
    """
    legacy = environment.engine == "legacy"
    if not legacy and is_plain(text):
        return text
    try:
        return (LegacyEvaluation if legacy else Evaluation)(text, environment).run()
    except (RecursionError, TooCostlyError):
        return text


__all__ = [
    "Card",
    "CardPart",
    "MacroEnvironment",
    "Member",
    "acts_always",
    "card_of",
    "is_constant",
    "is_plain",
    "substitute",
]
