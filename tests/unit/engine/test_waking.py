from __future__ import annotations

import inspect
import sys

from lorebook_tui.engine.trace import Cause, PassKind, Reason
from lorebook_tui.engine.waking import WakingTree, waking_tree
from lorebook_tui.model.cast import InjectedPrompt
from lorebook_tui.model.scenario import ForcedEntry
from tests.unit.engine.lore import entry, index_of, scenario, turn, turns


def drawn(tree: WakingTree) -> list[str]:
    """The tree as somebody would draw it."""
    lines = []
    for row in tree.rows():
        rails = "".join("| " if goes_on else "  " for goes_on in row.rails)
        lines.append(f"{rails}{'`' if row.is_last else '+'} {row.waking.verdict.index} {row.waking.key}".rstrip())
    return lines


def test_children_stand_under_the_entry_whose_text_woke_them() -> None:
    assembly = turn(
        entry(0, "cat", content="a dog and a mill", order=109),
        entry(1, "dog", content="a wolf", order=108),
        entry(2, "mill", order=107),
        entry(3, "wolf", order=106),
        entry(4, constant=True, order=105),
        entry(5, "nothing", order=104),
    )
    tree = waking_tree(assembly)
    assert drawn(tree) == ["+ 0 cat", "| + 1 dog", "| | ` 3 wolf", "| ` 2 mill", "` 4"]
    assert [(group.turn_pass.number, [waking.index for waking in group.wakings]) for group in tree.passes] == [
        (1, [0, 4]), (2, [1, 2]), (3, [3]), (4, []),
    ]  # fmt: skip
    assert tree.woken_by(0) == 3
    assert tree.woken_by(4) == 0
    waking = tree.wakings[3]
    assert (waking.by, waking.words, waking.turn_pass, waking.cause) == (1, "wolf", 3, Cause.KEY)
    root = tree.wakings[0]
    assert root.hit is not None
    assert (root.by, root.words, root.hit.message) == (None, "cat", 0)


def test_a_key_in_the_chat_makes_a_root_even_if_a_text_holds_it_too() -> None:
    assembly = turn(
        entry(0, "cat", content="the second dog", order=101),
        entry(1, "second", "dog", delayUntilRecursion=True, order=100),
        chat=["A cat and a dog."],
    )
    tree = waking_tree(assembly)
    assert tree.wakings[1].by is None
    assert tree.wakings[1].key == "dog"
    assert tree.wakings[1].turn_pass == 2


def test_the_earliest_text_is_the_waker() -> None:
    assembly = turn(
        entry(0, "cat", content="dog", order=103),
        entry(1, "dog", content="late word", order=102),
        entry(2, "late", "dog", content="x", order=101),
    )
    tree = waking_tree(assembly)
    assert (tree.wakings[2].by, tree.wakings[2].key) == (0, "dog")


def test_sticky_forced_decorated_and_prompts_are_roots() -> None:
    made = scenario(
        entry(0, "cat", sticky=5, order=104),
        entry(1, "zebra", order=103),
        entry(2, content="@@activate\nx", order=102),
        entry(3, "memo", order=101),
        chat=["A cat.", "x", "x"],
        settings={"world_info_depth": 1},
        forced=(ForcedEntry("lore", 1),),
        injected=(InjectedPrompt("memory", "a memo", scan=True),),
    )
    tree = waking_tree(turns(made, [1, 3])[1])
    assert {index: waking.cause for index, waking in tree.wakings.items()} == {
        0: Cause.STICKY, 1: Cause.FORCED, 2: Cause.DECORATOR, 3: Cause.KEY,
    }  # fmt: skip
    assert tree.wakings[3].hit is not None
    assert tree.wakings[3].hit.origin == "prompt"
    assert [row.depth for row in tree.rows()] == [0, 0, 0, 0]


def test_who_was_cut_or_lost_a_roll_is_in_the_tree_with_its_verdict() -> None:
    assembly = turn(
        entry(0, "cat", content="x" * 500, order=102),
        entry(1, "cat", probability=0, useProbability=True, order=103),
        entry(2, "cat", group="g", groupOverride=True, order=105),
        entry(3, "cat", group="g", order=104),
        settings={"world_info_budget": 100},
        max_context=100,
        numbers=[0.5],
    )
    tree = waking_tree(assembly)
    reasons = {assembly.entry(index).uid: waking.verdict.reason for index, waking in tree.wakings.items()}
    assert reasons == {
        0: Reason.BUDGET_CUT, 1: Reason.ROLL_FAILED, 2: Reason.IN_PROMPT, 3: Reason.GROUP_OVERRIDE,
    }  # fmt: skip


def test_a_match_between_the_lines_names_the_key_and_no_place() -> None:
    assembly = turn(entry(0, "/x\\n\\x01y/"), chat=["y", "x"])
    waking = waking_tree(assembly).wakings[index_of(assembly, 0)]
    assert (waking.key, waking.words, waking.by) == ("/x\\n\\x01y/", "x", None)
    blank = waking_tree(turn(entry(0, " "))).wakings[0]
    assert (blank.key, blank.hit) == (" ", None)


def test_a_long_chain_is_drawn_without_recursion() -> None:
    """The chain is longer than the stack that is left to the tree."""
    count = 300
    chain = [entry(number, f"w{number}x", content=f"w{number + 1}x", order=9999 - number) for number in range(count)]
    assembly = turn(*chain, chat=["w0x"], settings={"world_info_budget": 100}, max_context=10**6)
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        tree = waking_tree(assembly)
        depths = [row.depth for row in tree.rows()]
        woken = tree.woken_by(0)
    finally:
        sys.setrecursionlimit(usual)
    assert depths == list(range(count))
    assert woken == count - 1
    assert tree.passes[1].turn_pass.kind is PassKind.RECURSION


def test_a_turn_that_stops_with_an_error_still_tells_its_roots() -> None:
    assembly = turn(entry(0, "cat", group="constructor"))
    tree = waking_tree(assembly)
    assert assembly.error
    assert tree.passes == ()
    assert [(waking.index, waking.key) for waking in tree.wakings.values()] == [(0, "")]
