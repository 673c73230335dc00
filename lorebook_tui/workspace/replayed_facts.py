"""What a replay of the workspace's chat tells about its entries, for queries such as `fired:never` and `cut:yes`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lorebook_tui.engine.keys import BlankKey, PatternKey, PlainKey
from lorebook_tui.engine.trace import Outcome
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.matching import ecma
from lorebook_tui.workspace.facts import LoreFacts, TurnFacts
from lorebook_tui.workspace.turns import replay_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.workspace import Workspace


def replayed_facts(workspace: Workspace, mode: str = "user", watch: Callable[[int], None] | None = None) -> TurnFacts:
    """The facts of all turns of the chat; what is in the prompt or cut is told of the last one.

    Args:
        workspace: has books and chat.
        mode: which turns the chat had, as in `turns.schedule`.
        watch: told of every turn that is assembled.

    Raises:
        UsageError: an unknown tokenizer, engine or mode.
    """
    lore = LoreFacts(workspace)
    refs = {id(lore.entry(ref)): ref for ref in lore.refs()}
    replayed = replay_of(workspace, mode)
    fired: Counter[EntryRef] = Counter()
    inside: set[EntryRef] = set()
    cut: set[EntryRef] = set()
    for assembly in replayed.run(replayed.turns):
        if watch is not None:
            watch(assembly.upto)
        by_index = {entry.index: refs.get(id(entry.entry)) for entry in assembly.plan.entries}
        fired.update(ref for index in assembly.admitted_by_index if (ref := by_index[index]) is not None)
        if assembly.upto == replayed.last:
            outcomes = {index: verdict(assembly, index).outcome for index in by_index}
            inside = {ref for index, ref in by_index.items() if ref and outcomes[index] is Outcome.IN}
            cut = {ref for index, ref in by_index.items() if ref and outcomes[index] is Outcome.CUT}
    simulation = replayed.simulation
    lines = simulation.chat(include_names=workspace.settings.world_info_include_names).lines
    hits = key_hits(simulation.plan(), refs, lines)
    return TurnFacts(len(replayed.turns), fired, frozenset(inside), frozenset(cut), hits)


def key_hits(plan: Plan, refs: dict[int, EntryRef], lines: Sequence[str]) -> Counter[EntryRef]:
    """How many lines hold a primary key of each entry; keys whose macros change are left out.

    Args:
        plan: the loaded entries with their keys.
        refs: where each entry stands, by its identity as an object.
        lines: the messages as they are scanned.
    """
    plain: dict[int, set[EntryRef]] = {}
    patterns: list[tuple[PatternKey, EntryRef]] = []
    always: set[EntryRef] = set()
    for compiled in plan.entries:
        ref = refs.get(id(compiled.entry))
        if ref is None:
            continue
        for key in compiled.keys:
            if isinstance(key, PlainKey):
                plain.setdefault(key.number, set()).add(ref)
            elif isinstance(key, PatternKey):
                patterns.append((key, ref))
            elif isinstance(key, BlankKey):
                always.add(ref)
    found: Counter[EntryRef] = Counter()
    late: set[tuple[str, str]] = set()
    for line in lines:
        numbers = plan.index.hits(line)
        woken = set(always)
        for number in numbers:
            woken |= plain.get(number, set())
        woken |= {ref for key, ref in patterns if ref not in woken and _occurs(key, line, numbers, late)}
        found.update(woken)
    return found


def _occurs(key: PatternKey, line: str, numbers: frozenset[int], late: set[tuple[str, str]]) -> bool:
    """Whether a pattern matches a line; one that once gave no answer in time is not tried again."""
    known = (key.source, key.flags)
    if known in late or (key.gates is not None and not numbers.intersection(key.gates)):
        return False
    try:
        return ecma.compile(key.source, key.flags).test(line)
    except ecma.PatternTimeout:
        late.add(known)
        return False
