"""The signs of the screen, each with a letter for terminals without the sign; which sign an entry or verdict gets."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.trace import Cause, Outcome, Reason

if TYPE_CHECKING:
    from lorebook_tui.engine.verdicts import Verdict
    from lorebook_tui.model.entry import Entry


class Kind(Enum):
    """What makes an entry activate: (sign, letter, ink, word)."""

    CONSTANT = ("●", "*", "strong", "constant")
    KEYED = ("○", "o", "text", "keyed")
    VECTORISED = ("◇", "v", "text", "vectorised")
    DISABLED = ("–", "-", "off", "disabled")

    def __init__(self, sign: str, letter: str, ink: str, word: str) -> None:
        self.sign = sign
        self.letter = letter
        self.ink = ink
        self.word = word


class Mark(Enum):
    """What became of an entry at a turn: (sign, letter, ink, word)."""

    IN = ("✓", "I", "in", "in the prompt")
    STICKY = ("━", "S", "sticky", "in, held by sticky")
    CLOSED = ("⊘", "X", "closed", "activated, but its exit is closed")
    CUT = ("✂", "C", "cut", "cut by the budget")
    ROLLED = ("⚄", "R", "rolled", "lost its roll or its group")
    WAITING = ("◷", "W", "waiting", "waits: delay, cooldown or recursion level")
    NEAR = ("≈", "N", "near", "a key almost matched")

    def __init__(self, sign: str, letter: str, ink: str, word: str) -> None:
        self.sign = sign
        self.letter = letter
        self.ink = ink
        self.word = word

    @property
    def in_prompt(self) -> bool:
        """Whether the model reads the entry."""
        return self in {Mark.IN, Mark.STICKY}


_BY_OUTCOME: Final = {
    Outcome.IN: Mark.IN,
    Outcome.CUT: Mark.CUT,
    Outcome.ROLLED_OUT: Mark.ROLLED,
    Outcome.WAITING: Mark.WAITING,
    Outcome.CLOSED_EXIT: Mark.CLOSED,
}


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One set of signs."""

    letters: bool = False
    """Only characters that every terminal has."""

    def kind(self, kind: Kind) -> str:
        """The icon of a kind."""
        return kind.letter if self.letters else kind.sign

    def mark(self, mark: Mark | None) -> str:
        """The mark of a turn; a blank if there is none."""
        if mark is None:
            return " "
        return mark.letter if self.letters else mark.sign

    @property
    def open(self) -> str:
        """In front of an open branch."""
        return "v" if self.letters else "▾"

    @property
    def shut(self) -> str:
        """In front of a closed branch, and where the way leads on."""
        return ">" if self.letters else "▸"

    @property
    def step(self) -> str:
        """Between the parts of a path."""
        return ">" if self.letters else "▸"

    @property
    def up(self) -> str:
        """Sorted upwards."""
        return "^" if self.letters else "↑"

    @property
    def down(self) -> str:
        """Sorted downwards."""
        return "v" if self.letters else "↓"

    @property
    def picked(self) -> str:
        """In front of what is marked together with others."""
        return "#" if self.letters else "■"

    @property
    def unsaved(self) -> str:
        """Behind a book with changes that are not saved."""
        return "*" if self.letters else "●"

    @property
    def bars(self) -> str:
        """Heights from nothing to full."""
        return " _-~=+*#@" if self.letters else " ▁▂▃▄▅▆▇█"

    @property
    def filled(self) -> tuple[str, str]:
        """Two fillings of a bar that stand apart without colour."""
        return ("#", "=") if self.letters else ("█", "▓")

    @property
    def free(self) -> str:
        """What is left of a bar."""
        return "." if self.letters else "·"

    @property
    def lost(self) -> str:
        """What did not fit."""
        return "x" if self.letters else "░"

    @property
    def limit(self) -> str:
        """The line of a bar that must not be reached."""
        return "|" if self.letters else "┃"

    @property
    def edge(self) -> str:
        """At the left of what belongs together."""
        return "|" if self.letters else "▎"

    @property
    def unlimited(self) -> str:
        """Over what may pass a limit."""
        return "!" if self.letters else "∞"

    @property
    def gone(self) -> str:
        """In front of what is there no more; "+" is the sign of what is new."""
        return "-" if self.letters else "−"

    @property
    def moved(self) -> str:
        """In front of what stands elsewhere now."""
        return "m" if self.letters else "↕"

    @property
    def unequal(self) -> str:
        """In front of what is otherwise now."""
        return "/" if self.letters else "≠"

    @property
    def rails(self) -> tuple[str, str, str]:
        """Of a drawn tree: a line that goes on, a child, the last child; two cells each."""
        return ("| ", "|-", "`-") if self.letters else ("│ ", "├╴", "╰╴")

    @property
    def knob(self) -> str:
        """Where a slider stands."""
        return "O" if self.letters else "●"

    @property
    def rule(self) -> str:
        """Horizontal lines."""
        return "-" if self.letters else "─"

    @property
    def dot(self) -> str:
        """Between things on one line."""
        return "-" if self.letters else "·"


def kind_of(entry: Entry) -> Kind:
    """The kind of an entry; a disabled one is only that."""
    if entry.is_on("disable"):
        return Kind.DISABLED
    if entry.is_on("constant"):
        return Kind.CONSTANT
    return Kind.VECTORISED if entry.is_on("vectorized") else Kind.KEYED


def mark_of_outcome(outcome: Outcome | None) -> Mark | None:
    """The mark of an outcome; None for plainly out."""
    return _BY_OUTCOME.get(outcome) if outcome else None


def mark_of(verdict: Verdict) -> Mark | None:
    """The mark of a verdict; None: nothing worth a mark became of the entry."""
    if verdict.reason is Reason.IN_PROMPT and verdict.cause is Cause.STICKY:
        return Mark.STICKY
    return mark_of_outcome(verdict.outcome)
