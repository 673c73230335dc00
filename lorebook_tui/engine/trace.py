"""The trace: phases, reasons, passes, the budget's ledger and the assembly of a turn. Frozen values only.

Reasons are stable names: they appear in JSON output, lint, screens and tests alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.engine.chance import Draw


class Phase(IntEnum):
    """The seven phases of an assembly, in the words of the guide."""

    BUFFER = 1
    KEYS = 2
    FILTERS = 3
    RECURSION = 4
    BUDGET = 5
    ORDER = 6
    INJECT = 7

    @property
    def label(self) -> str:
        """Its name for people."""
        return self.name.capitalize()


class Outcome(Enum):
    """The short form of a verdict, one mark on the screen each."""

    IN = "in"
    CUT = "cut"
    ROLLED_OUT = "rolled_out"
    WAITING = "waiting"
    CLOSED_EXIT = "closed_exit"
    OUT = "out"


class Reason(Enum):
    """Why an entry is in or out: (stable name, phase, outcome)."""

    IN_PROMPT = ("in_prompt", Phase.INJECT, Outcome.IN)
    EMPTY_TEXT = ("empty_text", Phase.INJECT, Outcome.CLOSED_EXIT)
    UNKNOWN_POSITION = ("unknown_position", Phase.INJECT, Outcome.CLOSED_EXIT)
    NO_OUTLET_NAME = ("no_outlet_name", Phase.INJECT, Outcome.CLOSED_EXIT)
    NOTE_NOT_DUE = ("note_not_due", Phase.INJECT, Outcome.CLOSED_EXIT)
    BUDGET_CUT = ("budget_cut", Phase.BUDGET, Outcome.CUT)
    BEHIND_THE_CUT = ("behind_the_cut", Phase.BUDGET, Outcome.CUT)
    ROLL_FAILED = ("roll_failed", Phase.FILTERS, Outcome.ROLLED_OUT)
    GROUP_STICKY_MEMBER = ("group_sticky_member", Phase.FILTERS, Outcome.ROLLED_OUT)
    GROUP_COOLDOWN = ("group_cooldown", Phase.FILTERS, Outcome.WAITING)
    GROUP_SCORE = ("group_score", Phase.FILTERS, Outcome.ROLLED_OUT)
    GROUP_TAKEN = ("group_taken", Phase.FILTERS, Outcome.ROLLED_OUT)
    GROUP_OVERRIDE = ("group_override", Phase.FILTERS, Outcome.ROLLED_OUT)
    GROUP_ROLL = ("group_roll", Phase.FILTERS, Outcome.ROLLED_OUT)
    GROUP_COLLATERAL = ("group_collateral", Phase.FILTERS, Outcome.ROLLED_OUT)
    SECONDARY_FAILED = ("secondary_failed", Phase.KEYS, Outcome.OUT)
    PATTERN_TIMEOUT = ("pattern_timeout", Phase.KEYS, Outcome.OUT)
    NO_KEY_IN_TEXT = ("no_key_in_text", Phase.KEYS, Outcome.OUT)
    NO_KEYS = ("no_keys", Phase.KEYS, Outcome.OUT)
    SUPPRESSED = ("suppressed", Phase.FILTERS, Outcome.OUT)
    EXCLUDED_FROM_RECURSION = ("excluded_from_recursion", Phase.RECURSION, Outcome.OUT)
    LEVEL_NOT_OPEN = ("level_not_open", Phase.RECURSION, Outcome.WAITING)
    WAITS_FOR_RECURSION = ("waits_for_recursion", Phase.RECURSION, Outcome.WAITING)
    ON_COOLDOWN = ("on_cooldown", Phase.FILTERS, Outcome.WAITING)
    DELAYED = ("delayed", Phase.FILTERS, Outcome.WAITING)
    CHARACTER_TAG = ("character_tag", Phase.FILTERS, Outcome.OUT)
    CHARACTER_NAME = ("character_name", Phase.FILTERS, Outcome.OUT)
    TRIGGER = ("trigger", Phase.FILTERS, Outcome.OUT)
    DISABLED = ("disabled", Phase.FILTERS, Outcome.OUT)
    REPLACED = ("replaced", Phase.INJECT, Outcome.OUT)
    NOT_REACHED = ("not_reached", Phase.RECURSION, Outcome.OUT)
    STOPPED = ("stopped", Phase.FILTERS, Outcome.OUT)

    def __init__(self, code: str, phase: Phase, outcome: Outcome) -> None:
        self.code = code
        self.phase = phase
        self.outcome = outcome


class Cause(Enum):
    """What made an entry a candidate."""

    KEY = "key"
    CONSTANT = "constant"
    STICKY = "sticky"
    DECORATOR = "decorator"
    FORCED = "forced"


class PassKind(IntEnum):
    """Why a pass over the entries was made; the numbers are SillyTavern's."""

    NONE = 0
    INITIAL = 1
    RECURSION = 2
    MIN_ACTIVATIONS = 3


@dataclass(frozen=True, slots=True)
class Decision:
    """What one pass decided about one entry; compact, evidence comes on demand."""

    index: int
    """Load index of the entry in the plan."""
    turn_pass: int
    reason: Reason | None
    """None: it became a candidate and nothing stopped it so far."""
    cause: Cause | None = None
    group: str = ""
    winner: int | None = None
    """Load index of the entry it lost to."""
    score: int | None = None
    draw: Draw | None = None
    forced: bool = False
    """The given object of a forced activation, not the loaded entry."""


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One line of the budget: what was asked for, and what stood before."""

    index: int
    turn_pass: int
    tokens: int
    """Tokens that this text added to the running sum."""
    total: int
    """The sum after it: base of earlier passes and all texts of this pass so far."""
    admitted: bool
    ignores_budget: bool


@dataclass(frozen=True, slots=True)
class Pass:
    """One loop over the entries. Indices are load indices; `-1 - n` stands for the n-th forced object."""

    number: int
    kind: PassKind
    next_kind: PassKind
    candidates: tuple[int, ...]
    """After sorting and groups."""
    successful: tuple[int, ...]
    """Candidates that did not fail their roll (entries cut by the budget are among them)."""
    activated_total: int
    overflowed: bool
    base_tokens: int
    level: float
    """Delay level in force after the pass."""
    levels_left: tuple[float, ...]
    depth: int
    """Global scan depth in this pass (min activations widen it)."""
    recursed: tuple[tuple[int, str], ...] = ()
    """Contents that the next passes scan in addition, with the entries they came from."""


@dataclass(frozen=True, slots=True)
class Admitted:
    """An activated entry with its text as it goes into the prompt."""

    index: int
    turn_pass: int
    cause: Cause
    content: str
    """Macros replaced."""
    tokens: int


@dataclass(frozen=True, slots=True)
class DepthRecord:
    """Texts injected at one depth with one role."""

    depth: object
    role: object
    texts: tuple[str, ...]
    indices: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExampleEntry:
    """A text put before (0) or after (1) the example messages."""

    position: int
    content: str
    index: int


@dataclass(frozen=True, slots=True)
class NoteResult:
    """The author's note after the scan."""

    value: str
    position: int
    depth: int
    role: int
    scan: bool
    merged: bool
    """Lore is added; False: the note is not due in this generation."""
    exists: bool = True
    """False: with neither card nor group there is no note at all."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Where the texts went: each list in reading order of the prompt, with the entries they came from."""

    before: tuple[tuple[int, str], ...] = ()
    after: tuple[tuple[int, str], ...] = ()
    note_top: tuple[tuple[int, str], ...] = ()
    note_bottom: tuple[tuple[int, str], ...] = ()
    examples: tuple[ExampleEntry, ...] = ()
    depths: tuple[DepthRecord, ...] = ()
    outlets: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    nowhere: Mapping[int, Reason] = field(default_factory=dict)
    """Activated entries that got no place, and why."""
