"""Shapes of a directed graph given as lists of targets: packs that reach each other, reach, longest chains."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def components(out: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components, each after all that it leads to (Tarjan, without recursion)."""
    order: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    inside: set[int] = set()
    found: list[list[int]] = []
    for start in range(len(out)):
        if start in order:
            continue
        walk: list[tuple[int, Iterator[int]]] = [(start, iter(out[start]))]
        order[start] = low[start] = len(order)
        stack.append(start)
        inside.add(start)
        while walk:
            node, targets = walk[-1]
            fresh = _next_fresh(node, targets, order, low, inside)
            if fresh is not None:
                order[fresh] = low[fresh] = len(order)
                stack.append(fresh)
                inside.add(fresh)
                walk.append((fresh, iter(out[fresh])))
                continue
            walk.pop()
            if walk:
                low[walk[-1][0]] = min(low[walk[-1][0]], low[node])
            if low[node] == order[node]:
                found.append(_popped(stack, inside, node))
    return found


def _next_fresh(
    node: int, targets: Iterator[int], order: dict[int, int], low: dict[int, int], inside: set[int]
) -> int | None:
    """The next target that was not met yet; notes on the way how far back the others lead."""
    for target in targets:
        if target not in order:
            return target
        if target in inside:
            low[node] = min(low[node], order[target])
    return None


def _popped(stack: list[int], inside: set[int], node: int) -> list[int]:
    """The component of its first node, taken from the stack."""
    pack = []
    while True:
        top = stack.pop()
        inside.discard(top)
        pack.append(top)
        if top == node:
            return pack


def reached(out: Sequence[Sequence[int]], packs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """For each node how many others it leads to.

    Args:
        out: targets of each node.
        packs: the components, each after all that it leads to.
    """
    masks = [0] * len(out)
    counts = [0] * len(out)
    for pack in packs:
        mask = 0
        for node in pack:
            for target in out[node]:
                mask |= masks[target] | (1 << target)
        for node in pack:
            mask |= 1 << node if len(pack) > 1 else 0
        for node in pack:
            masks[node] = mask
            counts[node] = mask.bit_count() - (mask >> node & 1)
    return tuple(counts)


def longest_chains(out: Sequence[Sequence[int]], packs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """For each node an upper bound of the steps that lead on from it: each pack counts as the chain of its nodes."""
    steps = [0] * len(out)
    for pack in packs:
        members = set(pack)
        onward = max((steps[target] + 1 for node in pack for target in out[node] if target not in members), default=0)
        for node in pack:
            steps[node] = onward + len(pack) - 1
    return tuple(steps)


def breakers(out: Sequence[Sequence[int]], pack: Sequence[int]) -> tuple[int, ...]:
    """Few nodes of a pack without whose outgoing edges none of its nodes reaches itself, chosen one after the other."""
    members = set(pack)
    edges = {node: {target for target in out[node] if target in members and target != node} for node in pack}
    chosen: list[int] = []
    waiting = [list(pack)]
    while waiting:
        group = waiting.pop()
        inside = set(group)
        into = dict.fromkeys(group, 0)
        for node in group:
            for target in edges[node] & inside:
                into[target] += 1
        worst = max(group, key=lambda node: (into[node] * len(edges[node] & inside), node))
        chosen.append(worst)
        edges[worst] = set()
        places = {node: place for place, node in enumerate(group)}
        below = [[places[target] for target in edges[node] & inside] for node in group]
        waiting += [[group[place] for place in part] for part in components(below) if len(part) > 1]
    return tuple(sorted(chosen))


def way_to(wakers: Mapping[int, int], target: int) -> tuple[int, ...]:
    """The shortest way from the start of a map of wakers to an entry, both included."""
    way = [target]
    while wakers[way[-1]] != way[-1]:
        way.append(wakers[way[-1]])
    return tuple(reversed(way))
