"""What a dialect hands over when its passes are done."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lorebook_tui.engine.timed import TimedEffects
from lorebook_tui.engine.trace import Slots

if TYPE_CHECKING:
    from lorebook_tui.engine.trace import Admitted, Decision, LedgerRow, Pass


@dataclass(slots=True)
class ScanOutcome:
    """Passes, decisions and places of one scan; filled by a dialect, frozen into an assembly afterwards."""

    passes: list[Pass] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    ledger: list[LedgerRow] = field(default_factory=list)
    admitted: list[Admitted] = field(default_factory=list)
    """In the order of activation."""
    slots: Slots = field(default_factory=Slots)
    budget: int = 0
    overflowed: bool = False
    error: str = ""
    """Why the product itself would stop here; then nothing is admitted."""
    effects: TimedEffects = field(default_factory=lambda: TimedEffects({}, {}, {}, {}))
