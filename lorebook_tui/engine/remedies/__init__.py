"""What would turn a verdict: the smallest changes that bring an entry in, and what would lose one that is in."""

from lorebook_tui.engine.remedies.changes import Change, EntryChange, SettingChange
from lorebook_tui.engine.remedies.margin import Margin, Roll, margin
from lorebook_tui.engine.remedies.proposal import Kind, Proposal
from lorebook_tui.engine.remedies.search import proposals
from lorebook_tui.engine.remedies.trials import Earlier, SideEffect

__all__ = [
    "Change",
    "Earlier",
    "EntryChange",
    "Kind",
    "Margin",
    "Proposal",
    "Roll",
    "SettingChange",
    "SideEffect",
    "margin",
    "proposals",
]
