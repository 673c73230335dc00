"""One entry at one turn, as those who look for remedies see it: the verdict, the evidence, and a way to try changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from lorebook_tui.engine.evidence import Evidence, deciding_pass, evidence, pieces_seen
from lorebook_tui.engine.phases.buffer import JOINER, MARK, MOST_DEPTH, Piece
from lorebook_tui.engine.remedies.changes import Changes, EntryChange, SettingChange, merged
from lorebook_tui.engine.remedies.key_forms import is_telling, key_in_text
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.verdicts import PROGRESS, Verdict, verdict
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.remedies.changes import Change
    from lorebook_tui.engine.remedies.trials import Trial, Trials
    from lorebook_tui.model.scenario import Scenario

T = TypeVar("T")
_LAST = (Reason.BEHIND_THE_CUT, Reason.ROLL_FAILED, Reason.BUDGET_CUT, Reason.REPLACED)
"""The order of the last gates: what stands behind the cut does not roll."""
_RANK = {reason: rank for rank, reason in enumerate((*(seen for seen in PROGRESS if seen not in _LAST), *_LAST))}


@dataclass(frozen=True)
class Case:
    """An entry in a turn that ran, perhaps with changes already.

    Args:
        trials: runs the turn again.
        trial: the turn as it is looked at.
        target: load index of the entry in the turn that was asked about.
    """

    trials: Trials
    trial: Trial
    target: int

    @property
    def assembly(self) -> Assembly:
        """The turn."""
        return self.trial.assembly

    @property
    def scenario(self) -> Scenario:
        """The scenario without changes."""
        return self.trials.simulation.scenario

    @cached_property
    def index(self) -> int:
        """The entry's load index in this turn."""
        return self.trial.here(self.target)

    @property
    def entry(self) -> CompiledEntry:
        """The entry as this turn has it."""
        return self.assembly.entry(self.index)

    @property
    def fields(self) -> Mapping[str, Any]:
        """Its fields."""
        return self.entry.entry.fields

    @cached_property
    def found(self) -> Verdict:
        """The verdict."""
        return verdict(self.assembly, self.index)

    @cached_property
    def proof(self) -> Evidence:
        """The evidence."""
        return evidence(self.assembly, self.index)

    @cached_property
    def pieces(self) -> list[Piece]:
        """What the entry was matched against in the deciding pass."""
        return pieces_seen(self.assembly, self.index, deciding_pass(self.assembly, self.index))

    @cached_property
    def seen_text(self) -> str:
        """The same as one text."""
        return MARK + JOINER.join(piece.text for piece in self.pieces) if self.pieces else ""

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """All visible lines that a scan can reach, newest first."""
        return self.assembly.turn.newest(MOST_DEPTH)

    @property
    def secondary_keys(self) -> tuple[str, ...]:
        """Secondary keys as they stand, if they are in force."""
        return self.entry.entry.secondary_keys if self.entry.secondary else ()

    def stored_keys(self, field: str) -> list[Any]:
        """A list of keys as it stands."""
        stored = self.fields.get(field)
        return list(stored) if isinstance(stored, list) else []

    def flag(self, name: str) -> bool:
        """Whether a flag of the entry is set."""
        return self.entry.entry.is_on(name)

    def occurs(self, key: str, text: str) -> bool:
        """Whether a key as it stands in the entry occurs in a text, by the entry's options."""
        plan, entry = self.assembly.plan, self.entry.entry
        expanded = trim(self.assembly.expand(key))
        return bool(expanded) and key_in_text(
            expanded, text, case_sensitive=plan.case_sensitive(entry), whole_words=plan.whole_words(entry)
        )

    @cached_property
    def _lower_lines(self) -> tuple[str, ...]:
        return tuple(line.lower() for line in self.lines)

    def fits(self, word: str) -> bool:
        """Whether a word as a key would match now, and is rare enough in the chat to be one."""
        return self.is_telling(word) and self.occurs(word, self.seen_text)

    def is_telling(self, word: str) -> bool:
        """Whether a word is rare enough in the chat to be a key."""
        return is_telling(word, self._lower_lines)

    def any_occurs(self, keys: Iterable[str], text: str) -> bool:
        """Whether any of the keys occurs in a text."""
        return any(self.occurs(key, text) for key in keys)

    def change(self, field: str, new: Any, index: int | None = None) -> EntryChange:
        """Another value in a field of the entry, or of another one by its load index in this turn."""
        number = self.index if index is None else index
        old = self.assembly.entry(number).entry.get(field)
        return EntryChange(self.trials.first(self.trial.back(number)), field, old, new)

    def setting(self, name: str, new: Any) -> SettingChange:
        """Another value of a scan setting."""
        return SettingChange(name, getattr(self.assembly.plan.settings, name), new)

    def run(self, *changes: Change) -> Trial:
        """The turn with these changes on top of those it has."""
        return self.trials.run(self.with_changes(changes))

    def with_changes(self, changes: Iterable[Change]) -> Changes:
        """The changes of this turn and more."""
        return merged(self.trial.changes, changes)

    def gets_further(self, *changes: Change) -> bool:
        """Whether the entry comes further with these changes than without."""
        return progress(self.run(*changes).verdict(self.target)) > progress(self.found)

    def gets_active(self, *changes: Change) -> bool:
        """Whether the entry is activated with these changes, wherever its text then goes."""
        return self.run(*changes).verdict(self.target).admitted is not None

    def title(self, index: int) -> str:
        """What an entry is called."""
        return self.assembly.entry(index).entry.title


def progress(found: Verdict) -> int:
    """How far an entry came; more is further."""
    if found.reason is Reason.IN_PROMPT:
        return len(PROGRESS) + 2
    if found.admitted is not None:
        return len(PROGRESS) + (found.reason is not Reason.EMPTY_TEXT)
    return _RANK.get(found.reason, -1)


def smallest(values: Sequence[T], works: Callable[[T], bool], guess: int | None = None) -> T | None:
    """The first value that works, if every one behind it does too; None if none does.

    Args:
        values: in the order of growing effect.
        works: whether a value does.
        guess: place of the value that is likely the first to work; a good one saves most of the trials.
    """
    low, high = -1, len(values)
    if guess is not None and 0 <= guess < len(values):
        if works(values[guess]):
            high = guess
            if guess and not works(values[guess - 1]):
                return values[guess]
        else:
            low = guess
    if high == len(values):
        if low == high - 1 or not works(values[-1]):
            return None
        high -= 1
    while high - low > 1:
        middle = (low + high) // 2
        if works(values[middle]):
            high = middle
        else:
            low = middle
    return values[high]
