"""Sticky and cooldown: state in, state out. Lengths are counted in visible messages, not in turns.

SillyTavern 1.19: effects are kept per `BOOK.UID` with the fingerprint of the entry that caused them; delay is
never stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.model.js import to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from lorebook_tui.engine.compiled_entry import CompiledEntry

KINDS = ("sticky", "cooldown")


@dataclass(frozen=True, slots=True)
class Effect:
    """One running effect: active while start < length < end."""

    fingerprint: str
    """The entry that caused it; "" never belongs to an entry."""
    start: float
    end: float
    protected: bool = False
    """A cooldown that an ended sticky effect left: it survives when the chat did not advance."""


@dataclass(frozen=True, slots=True)
class TimedState:
    """Effects by identity `BOOK.UID`, in the order they were set."""

    sticky: Mapping[str, Effect]
    cooldown: Mapping[str, Effect]

    @classmethod
    def empty(cls) -> TimedState:
        """No effect at all."""
        return cls({}, {})


@dataclass(slots=True)
class TimedEffects:
    """The effects of one turn: what the state says at this length, and the maps to hand on."""

    sticky: dict[str, Effect]
    cooldown: dict[str, Effect]
    sticky_now: dict[str, Effect]
    """Active sticky effects by fingerprint."""
    cooldown_now: dict[str, Effect]

    def state(self) -> TimedState:
        """The maps as a value for the next turn."""
        return TimedState(self.sticky, self.cooldown)

    def is_sticky(self, entry: CompiledEntry) -> bool:
        """Whether a sticky effect holds the entry now."""
        return bool(self.sticky_now) and entry.fingerprint in self.sticky_now

    def on_cooldown(self, entry: CompiledEntry) -> bool:
        """Whether a cooldown blocks the entry now."""
        return bool(self.cooldown_now) and entry.fingerprint in self.cooldown_now


def begin(
    state: TimedState, length: int, loaded: Callable[[str, str], CompiledEntry | None], *, dry_run: bool
) -> TimedEffects:
    """Check all effects at the start of a scan: first every sticky one, then every cooldown.

    Args:
        state: what the turns before left.
        length: visible messages handed to this scan.
        loaded: the loaded entry with an identity and fingerprint, None if there is none any more.
        dry_run: dry runs neither honour nor change effects.
    """
    effects = TimedEffects(dict(state.sticky), dict(state.cooldown), {}, {})
    if dry_run or not (state.sticky or state.cooldown):
        return effects
    for kind in KINDS:
        _check(effects, kind, length, loaded)
    return effects


def _check(effects: TimedEffects, kind: str, length: int, loaded: Callable[[str, str], CompiledEntry | None]) -> None:
    records = effects.sticky if kind == "sticky" else effects.cooldown
    active = effects.sticky_now if kind == "sticky" else effects.cooldown_now
    for identity, effect in list(records.items()):
        entry = loaded(identity, effect.fingerprint)
        if length <= effect.start and not effect.protected:
            del records[identity]
        elif entry is None:
            if length >= effect.end:
                del records[identity]
        elif not truthy(entry.entry.get(kind)):
            del records[identity]
        elif length >= effect.end:
            del records[identity]
            if kind == "sticky" and truthy(entry.entry.get("cooldown")):
                _cool_down(effects, entry, length)
        else:
            active[effect.fingerprint] = effect


def _cool_down(effects: TimedEffects, entry: CompiledEntry, length: int) -> None:
    """The cooldown after an ended sticky effect: protected, and in force in this very scan whatever its length."""
    end = length + to_number(entry.entry.get("cooldown"))
    effect = Effect(entry.fingerprint, length, end, protected=True)
    effects.cooldown[entry.identity] = effects.cooldown_now[entry.fingerprint] = effect


def finish(effects: TimedEffects, activated: Iterable[CompiledEntry], length: int) -> None:
    """Start the effects of the entries that were activated, unless a record of the identity stands already."""
    for entry in activated:
        if not entry.has_timed_effects:
            continue
        for kind in KINDS:
            value = entry.entry.get(kind)
            records = effects.sticky if kind == "sticky" else effects.cooldown
            if truthy(value) and entry.identity not in records:
                records[entry.identity] = Effect(entry.fingerprint, length, length + to_number(value))
