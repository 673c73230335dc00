"""One loaded entry made ready for turns."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.gates import gates_of
from lorebook_tui.engine.keys import DynamicKey
from lorebook_tui.engine.macros import is_constant
from lorebook_tui.model.decorators import ACTIVATE, split_sillytavern
from lorebook_tui.model.js import MISSING, nullish, same, text_of, to_number, truthy

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import Layer


class CompiledEntry:
    """One loaded entry with everything a turn asks of it, the rarer things worked out on demand and then kept."""

    __slots__ = (
        "activates", "always_passes", "book", "constant", "content", "decorated", "entry", "excludes_recursion",
        "fingerprint", "gates", "group_override", "group_text", "group_weight", "has_timed_effects", "identity",
        "ignores_budget", "index", "keys", "layer", "leaves_traces", "logic", "order", "own_group_scoring",
        "prevents_recursion", "probability", "scan_depth", "secondary", "stored_content", "stored_logic", "window",
        "world",
    )  # fmt: skip

    world: Any
    """The book it names as its own; without such a field the one it stands in."""
    identity: str
    """`BOOK.UID`: what activation, timed effects and forced activation know it by."""
    fingerprint: str
    """Recognises the entry in the timed state: any edit changes it."""
    logic: float
    """0 AND ANY, 1 NOT ALL, 2 NOT ANY, 3 AND ALL; anything else never matches. Missing: 0."""
    stored_logic: float
    """The same as group scoring reads it: a missing one is none of the four."""
    excludes_recursion: bool
    """Its keys are not looked for in recursion passes."""
    prevents_recursion: bool
    """Its text wakes nobody."""
    ignores_budget: bool
    """It is admitted even after an overflow."""
    has_timed_effects: bool
    """Whether activation can start a sticky effect or a cooldown."""
    always_passes: bool
    """No roll is made: the percentage is switched off or exactly 100."""
    probability: float
    """Percent; NaN (never passes) if it is missing."""
    order: float
    """Insertion order; NaN if it is missing or no number."""
    group_text: str
    """The inclusion group field as it stands."""
    group_weight: Any
    """Weight in a group's roll as it stands; 100 if missing."""
    group_override: bool
    """It wins its group by order instead of by chance."""
    leaves_traces: bool
    """Whether a turn in which it comes to something can leave an effect, a roll or a variable; in doubt it can."""
    own_group_scoring: bool | None
    """Its own group-scoring switch; None: the global one."""

    def __init__(self, index: int, entry: Entry, layer: Layer, book: str, plan: Plan) -> None:
        fields = entry.fields
        self.index = index
        self.entry = entry
        self.layer = layer
        self.book = book
        content = fields.get("content")
        self.stored_content = content if isinstance(content, str) else ""
        self.decorated = split_sillytavern(self.stored_content)
        self.content = self.decorated.content
        self.activates = ACTIVATE in self.decorated.decorators
        self.constant = truthy(fields.get("constant", MISSING))
        self.scan_depth, self.window = plan.window_of(entry)
        key = fields.get("key")
        self.gates = gates_of(entry, plan.card, has_keys=isinstance(key, list) and bool(key), decorated=self.decorated)
        self.keys: tuple[Key, ...] = plan.read_keys(entry, "key") if self.gates.has_keys else ()
        secondary = fields.get("keysecondary")
        in_force = isinstance(secondary, list) and secondary and truthy(fields.get("selective", MISSING))
        self.secondary: tuple[Key, ...] = plan.read_keys(entry, "keysecondary") if in_force else ()

    def __getattr__(self, name: str) -> Any:
        """Fill a slot that nobody has asked for yet; books have thousands of entries, turns look at a few."""
        work = _ON_DEMAND.get(name)
        if work is None:
            raise AttributeError(name)
        value = work(self)
        setattr(self, name, value)
        return value

    @property
    def uid(self) -> Any:
        """The entry's own uid; None if it has none."""
        value = self.entry.uid
        return None if value is MISSING else value


def _flag(name: str) -> Callable[[CompiledEntry], bool]:
    return lambda compiled: truthy(compiled.entry.fields.get(name, MISSING))


def _number(name: str) -> Callable[[CompiledEntry], float]:
    return lambda compiled: to_number(compiled.entry.fields.get(name, MISSING))


def _world(compiled: CompiledEntry) -> Any:
    """SillyTavern 1.19: every entry is told the name of its book, but a stored `world` of any kind stays."""
    return compiled.entry.fields.get("world", compiled.book)


def _fingerprint(compiled: CompiledEntry) -> str:
    fields = compiled.entry.fields
    if "world" in fields:
        fields = {name: value for name, value in fields.items() if name != "world"}
    text = json.dumps([compiled.world, fields], sort_keys=False, default=str)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _logic(compiled: CompiledEntry) -> float:
    return 0 if nullish(compiled.entry.fields.get("selectiveLogic", MISSING)) else compiled.stored_logic


def _stored_logic(compiled: CompiledEntry) -> float:
    value = compiled.entry.fields.get("selectiveLogic", MISSING)
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else math.nan


def _has_timed_effects(compiled: CompiledEntry) -> bool:
    fields = compiled.entry.fields
    return truthy(fields.get("sticky", MISSING)) or truthy(fields.get("cooldown", MISSING))


def _always_passes(compiled: CompiledEntry) -> bool:
    fields = compiled.entry.fields
    return not truthy(fields.get("useProbability", MISSING)) or same(fields.get("probability", MISSING), 100)


def _group_text(compiled: CompiledEntry) -> str:
    value = compiled.entry.fields.get("group", MISSING)
    return text_of(value) or "[]" if truthy(value) else ""


def _group_weight(compiled: CompiledEntry) -> Any:
    value = compiled.entry.fields.get("groupWeight", MISSING)
    return 100 if nullish(value) else value


def _leaves_traces(compiled: CompiledEntry) -> bool:
    return (
        compiled.has_timed_effects
        or bool(compiled.group_text)
        or not compiled.always_passes
        or not is_constant(compiled.stored_content)
        or any(isinstance(key, DynamicKey) for key in (*compiled.keys, *compiled.secondary))
    )


def _own_group_scoring(compiled: CompiledEntry) -> bool | None:
    value = compiled.entry.fields.get("useGroupScoring", MISSING)
    return None if nullish(value) else truthy(value)


_ON_DEMAND: Final[Mapping[str, Callable[[CompiledEntry], Any]]] = {
    "world": _world,
    "identity": lambda compiled: f"{text_of(compiled.world)}.{compiled.entry.uid_text}",
    "fingerprint": _fingerprint,
    "logic": _logic,
    "stored_logic": _stored_logic,
    "excludes_recursion": _flag("excludeRecursion"),
    "prevents_recursion": _flag("preventRecursion"),
    "ignores_budget": _flag("ignoreBudget"),
    "has_timed_effects": _has_timed_effects,
    "always_passes": _always_passes,
    "probability": _number("probability"),
    "order": _number("order"),
    "group_text": _group_text,
    "group_weight": _group_weight,
    "group_override": _flag("groupOverride"),
    "leaves_traces": _leaves_traces,
    "own_group_scoring": _own_group_scoring,
}
