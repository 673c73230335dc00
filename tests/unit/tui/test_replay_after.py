from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.fates import Fate
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.turn_diff import Shift
from lorebook_tui.errors import EngineError, UsageError
from lorebook_tui.model.layers import EntryRef, Layer
from lorebook_tui.tokens.registry import counter
from lorebook_tui.tui.proposals import Offer, SettingEdit, offer_of
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import Scene, scene_of
from lorebook_tui.workspace.edits import FieldChange, set_fields, set_options
from lorebook_tui.workspace.opening import open_workspace
from tests.unit.engine.lore import COUNTER, entry, scenario

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.scenario import Scenario

CHAT = ["a cat", "a dog", "a mill", "x", "a cat"]
CAT, DOG, MILL = (entry(number, word, order=110 - number) for number, word in enumerate(("cat", "dog", "mill")))
ROLLS = entry(3, "x", useProbability=True, probability=50, order=10)


def scene(*listed: Entry, **parts: Any) -> Scene:
    made: Scenario = scenario(*listed, **{"chat": CHAT, "settings": {"world_info_depth": 1}} | parts)
    return Scene("test", made)


def edited(before: Scene, *listed: Entry) -> Scene:
    return Scene("test", before.scenario.with_layers(scene(*listed).scenario.layers))


def finished(replay: Replay) -> Replay:
    replay.prepare()
    while not replay.complete:
        replay.advance()
    return replay


def replayed(*listed: Entry, **parts: Any) -> Replay:
    return finished(Replay(scene(*listed, **parts), COUNTER, "each"))


def test_only_touched_turns_are_run_again() -> None:
    first = replayed(CAT, DOG, MILL)
    second = first.after(edited(first.scene, CAT, entry(1, "dog", order=109, content="new"), MILL))
    second.prepare()
    assert second.is_grown
    assert second.take_over() == 1
    finished(second)
    assert second.taken_over == 4
    assert [turn.number for turn in second.turns] == [0, 1, 2, 3, 4]
    assert second.turns[0].fates is first.turns[0].fates
    assert not second.is_grown
    assert first.turns[1].tokens != second.turns[1].tokens


def test_load_indices_follow_a_new_order() -> None:
    first = replayed(CAT, DOG, MILL)
    second = finished(first.after(edited(first.scene, entry(8, "x", order=500), CAT, DOG, MILL)))
    assert second.taken_over == 4
    assert second.turns[0].fates == {1: Fate.IN}
    assert second.turns[3].fates == {0: Fate.IN}
    assert second.catalogue
    assert second.catalogue.ref(0) == EntryRef(Layer.GLOBAL, 0, 0)
    assert second.catalogue.index(EntryRef(Layer.GLOBAL, 0, 3)) == 3


def test_what_an_unfinished_replay_has_not_reached_comes_from_the_one_before() -> None:
    first = replayed(CAT, DOG, MILL)
    second = first.after(edited(first.scene, CAT, entry(1, "dog", order=109, content="new"), MILL))
    second.prepare()
    third = finished(second.after(edited(first.scene, CAT, entry(1, "dog", order=109, content="newer"), MILL)))
    assert third.taken_over == 4
    partly = first.after(edited(first.scene, CAT, DOG, entry(2, "mill", order=108, content="new")))
    partly.prepare()
    partly.advance()
    fourth = finished(partly.after(edited(first.scene, CAT, DOG, entry(2, "mill", order=108, content="newer"))))
    assert fourth.taken_over == 4
    assert len(fourth.turns) == 5


def test_the_catalogue_serves_again_while_every_entry_stands_where_it_stood() -> None:
    first = replayed(CAT, DOG, MILL)
    second = finished(first.after(edited(first.scene, CAT, entry(1, "zebra", order=109), MILL)))
    assert second.catalogue is first.catalogue
    third = finished(second.after(edited(first.scene, CAT, entry(1, "zebra", order=1), MILL)))
    assert third.catalogue is not first.catalogue
    assert third.catalogue
    assert third.catalogue.ref(2) == EntryRef(Layer.GLOBAL, 0, 1)
    fourth = finished(third.after(edited(first.scene, CAT)))
    assert fourth.catalogue
    assert fourth.catalogue.index(EntryRef(Layer.GLOBAL, 0, 1)) is None


def test_a_turn_is_looked_at_before_the_others_where_turns_leave_nothing() -> None:
    first = replayed(CAT, DOG, MILL)
    second = first.after(edited(first.scene, entry(0, "cat", order=110, content="new"), DOG, MILL))
    picture = second.look(4)
    assert picture.settled
    assert second.turns == []
    finished(second)
    assert second.picture(4) is picture
    assert picture.assembly.slots.before[0][1] == "new"


def test_where_turns_leave_something_the_first_look_is_a_guess() -> None:
    first = replayed(CAT, ROLLS)
    second = first.after(edited(first.scene, entry(0, "cat", order=110, content="new"), ROLLS))
    guess = second.look(4)
    assert not guess.settled
    assert second.kept(4) is None
    second.explain(guess, 0)
    assert second.explained(guess, 0) is None
    finished(second)
    settled = second.picture(4)
    assert settled.settled
    assert settled.assembly is guess.assembly
    assert second.kept(4) is settled


def test_a_wrong_guess_is_dropped() -> None:
    first = replayed(CAT, ROLLS)
    rolls_first = entry(0, "cat", order=110, useProbability=True, probability=50)
    second = first.after(edited(first.scene, rolls_first, ROLLS))
    guess = second.look(4)
    finished(second)
    assert second.picture(4).assembly is not guess.assembly
    assert second.picture(4).assembly.before.random != guess.assembly.before.random


def test_without_an_older_replay_a_look_runs_the_turns_before() -> None:
    replay = Replay(scene(CAT, ROLLS), COUNTER, "each")
    assert replay.look(3).settled
    assert len(replay.turns) == 3
    assert replay.look(3) is replay.look(3)
    longer = replay.after(scene(CAT, ROLLS, chat=["{{roll:6}}"]))
    assert longer.look(0).settled


def test_the_difference_to_the_turn_before_and_to_before_the_edit() -> None:
    first = replayed(CAT, DOG, MILL)
    second = finished(first.after(edited(first.scene, CAT, entry(1, "mill", order=109), MILL)))
    turned = second.picture(2).since(second.picture(1))
    assert [change.shift for change in turned.changes] == [Shift.ENTERED, Shift.ENTERED]
    since = second.picture(1).since(first.picture(1))
    assert [change.shift for change in since.changes] == [Shift.LEFT]


def test_picture_holds_tree_budget_and_timers() -> None:
    replay = replayed(entry(0, "cat", sticky=4, order=110), DOG)
    picture = replay.picture(0)
    assert list(picture.waking.wakings) == [0]
    assert picture.budget.used == picture.turn.tokens
    assert picture.timers(0).sticky == 4
    assert picture.running == {0: picture.timers(0)}
    assert picture.woken == {0: ("cat", "in message 1")}
    assert replay.chronicle.facts(0).fired == (0, 1, 2, 3, 4)
    assert replay.chronicle is replay.chronicle


def test_where_the_words_stand_that_woke_an_entry() -> None:
    fed = entry(0, "cat", content="a wolf", order=110)
    replay = replayed(fed, entry(1, "wolf"), entry(2, "Anna", matchScenario=True), scan_data={"scenario": "by Anna"})
    picture = replay.picture(0)
    told = {picture.assembly.entry(index).uid: words for index, words in picture.woken.items()}
    assert told == {0: ("cat", "in message 1"), 1: ("wolf", "in the text of e0"), 2: ("Anna", "in scenario")}


def test_a_prompt_is_kept_and_an_explanation_too() -> None:
    replay = replayed(CAT)
    picture = replay.picture(0)
    assert replay.prompt(picture) is replay.prompt(picture)
    assert replay.explained(picture, None) is None
    assert replay.explained(picture, 0) is None
    assert replay.explain(picture, 0) is replay.explained(picture, 0)


def test_another_way_of_counting_uses_what_is_compiled() -> None:
    replay = replayed(CAT, DOG)
    other = replay.counted_by(counter("none"))
    assert finished(other).simulation.plan() is replay.simulation.plan()
    assert other.catalogue is replay.catalogue
    assert not other.is_provisional


def test_prospects_come_cheap_first_and_stop_when_unwanted() -> None:
    replay = replayed(CAT, entry(4, "cat", useProbability=True, probability=25, order=5), DOG)
    picture = replay.picture(0)
    found = list(replay.prospects(picture, [2, 1, 0, 1]))
    assert [(prospect.index, prospect.margin is not None) for prospect in found][:3] == [
        (2, False),
        (1, False),
        (0, False),
    ]
    assert {prospect.index for prospect in found[3:] if prospect.margin} == set(picture.assembly.places)
    assert {prospect.index: prospect.odds.odds.chance for prospect in found[:3]} == {
        0: 1.0, 1: 0.0, 2: pytest.approx(0.25, abs=0.001),
    }  # fmt: skip
    assert not any(prospect.why_estimated for prospect in found)
    assert list(replay.prospects(picture, [0], lambda: True)) == []
    asked = iter((False, True))
    assert len(list(replay.prospects(picture, [0], lambda: next(asked)))) == 1
    assert replay.odds(picture) is replay.odds(picture)
    assert replay.margin(picture, 0) is replay.margin(picture, 0)


def test_odds_that_cannot_be_worked_out_are_estimated() -> None:
    many = [entry(number, "cat", useProbability=True, probability=50) for number in range(9)]
    replay = replayed(*many)
    found = replay.odds(replay.picture(0))
    assert found.why_estimated
    assert found.runs == 200
    assert 0.3 < found.of(0).odds.chance < 0.7


def test_a_turn_with_an_error_has_no_prospects_and_no_prompt() -> None:
    replay = replayed(entry(0, "cat", group="constructor"))
    picture = replay.picture(0)
    assert list(replay.prospects(picture, [0])) == []
    with pytest.raises(EngineError):
        replay.prompt(picture)


def test_keys_over_the_chat_and_near_misses() -> None:
    replay = replayed(CAT, entry(1, "Cats", caseSensitive=True), entry(2, "mils"))
    assert replay.keys_in_chat(CAT)[0].messages == (0, 4)
    picture = replay.picture(2)
    assert replay.is_near(picture, 1) is False
    assert replay.is_near(picture, 0) is True
    assert replay.is_near(replay.picture(0), 0) is False


def test_near_misses_over_the_chat_for_the_grid() -> None:
    replay = replayed(entry(0, "cats", order=110), DOG)
    assert [number for number in range(5) if replay.near_at(number, [0])] == [0, 4]
    assert 0 in replay.near_at(0, [0, 1])
    assert replay.near_at(0, []) == frozenset()


def test_who_looks_goes_before_the_rest_of_the_timeline() -> None:
    replay = Replay(scene(CAT, ROLLS, chat=["a cat", "x"] * 800), COUNTER, "each")
    replay.prepare()
    for _ in range(5):
        replay.advance()
    seen: list[int] = []

    def look() -> None:
        for number in range(5):
            replay.picture(number)
            seen.append(len(replay.turns))

    runner, looker = threading.Thread(target=finished, args=(replay,)), threading.Thread(target=look)
    runner.start()
    looker.start()
    looker.join()
    runner.join()
    assert replay.complete
    assert seen[0] < len(replay.steps)


def test_many_threads_may_ask_at_once() -> None:
    first = replayed(CAT, ROLLS, DOG)
    second = first.after(edited(first.scene, entry(0, "cat", order=110, content="new"), ROLLS, DOG))
    troubles: list[BaseException] = []

    def ask(number: int) -> None:
        try:
            picture = second.look(number)
            second.explain(picture, 0)
            second.remedies(picture, 1)
            while not second.complete:
                second.take_over()
                second.look(number)
                break
        except BaseException as trouble:  # noqa: BLE001 - told by the test
            troubles.append(trouble)

    threads = [threading.Thread(target=ask, args=(number % 5,)) for number in range(12)]
    runner = threading.Thread(target=finished, args=(second,))
    for thread in (*threads, runner):
        thread.start()
    for thread in (*threads, runner):
        thread.join()
    assert troubles == []
    assert [turn.number for turn in second.turns] == [0, 1, 2, 3, 4]


def written(folder: Path) -> Scene:
    (folder / "lore.json").write_text(
        '{"entries":{"0":{"uid":0,"key":["cat"],"content":"a cat","order":100,"position":0,"disable":true},'
        '"1":{"uid":1,"key":["dog"],"content":"a dog","order":90,"position":0}}}',
        "utf-8",
    )
    (folder / "chat.jsonl").write_text(
        '{"user_name":"You","character_name":"Mira","chat_metadata":{}}\n{"name":"You","is_user":true,"mes":"a cat"}\n',
        "utf-8",
    )
    return scene_of(replace(open_workspace([folder / "lore.json", folder / "chat.jsonl"]), tokenizer="none"))


def test_a_scene_after_an_edit_keeps_what_did_not_change(tmp_path: Path) -> None:
    first = written(tmp_path)
    assert first.workspace
    ref = EntryRef(Layer.GLOBAL, 0, 0)
    second = scene_of(set_fields(first.workspace, [FieldChange(ref, "content", "new")]).workspace, first)
    assert second.workspace
    assert second.entry(EntryRef(Layer.GLOBAL, 0, 1)) is first.entry(EntryRef(Layer.GLOBAL, 0, 1))
    assert second.entry(ref).content == "new"
    assert second.scenario.macro_texts is first.scenario.macro_texts
    _ = second.prompt_settings
    third = scene_of(set_options(second.workspace, "more context", context=99).workspace, second)
    assert third.scenario.layers is second.scenario.layers
    assert third.scenario.max_context == 99
    assert third.prompt_settings is second.prompt_settings
    assert third.workspace
    other = scene_of(replace(third.workspace, prompt={"main": "x"}), third)
    assert "prompt_settings" not in vars(other)
    assert scene_of(third.workspace, replace(third, workspace=None)).scenario == third.scenario


def test_proposals_are_edits_that_do_what_they_say(tmp_path: Path) -> None:
    first = written(tmp_path)
    assert first.workspace
    replay = finished(Replay(first, COUNTER))
    remedies = replay.remedies(replay.picture(0), 0)
    assert remedies.margin is None
    assert len(remedies.offers) == len(remedies.sentences)
    offer = remedies.offers[0]
    assert offer.can_apply
    assert offer.fields == (FieldChange(EntryRef(Layer.GLOBAL, 0, 0), "disable", False),)
    made = offer.make(first.workspace)
    assert made.focus == (EntryRef(Layer.GLOBAL, 0, 0),)
    after = finished(replay.after(scene_of(made.workspace, first)))
    assert after.turns[0].fates == {0: Fate.IN}
    safe = after.remedies(after.picture(0), 0)
    assert safe.margin
    assert safe.sentences == safe.margin.sentences
    assert after.remedies(after.picture(0), 0) is safe


def test_settings_are_set_without_touching_a_file(tmp_path: Path) -> None:
    workspace = written(tmp_path).workspace
    assert workspace
    offer = Offer(
        "x", (), (SettingEdit("max_context", 77), SettingEdit("note_interval", 3), SettingEdit("world_info_depth", 9))
    )
    made = offer.make(workspace)
    assert (made.workspace.context, made.workspace.note.interval, made.workspace.settings.world_info_depth) == (
        77,
        3,
        9,
    )
    assert made.workspace.books is workspace.books
    assert made.told == "set max_context to 77 and set note_interval to 3 and set world_info_depth to 9"


def test_what_only_its_author_can_write_is_not_applied() -> None:
    replay = replayed(entry(0, "cat", content=""))
    remedies = replay.remedies(replay.picture(0), 0)
    example = next(offer for offer in remedies.offers if offer.is_example)
    assert not example.can_apply
    with pytest.raises(UsageError, match="its author"):
        example.make(None)  # type: ignore[arg-type]


def test_an_entry_that_is_not_on_the_screen_is_not_changed() -> None:
    from lorebook_tui.engine.remedies import proposals

    replay = replayed(entry(0, "cat", disable=True))
    assembly = replay.picture(0).assembly
    found = proposals(replay.simulation, replay.steps[0], assembly.before, assembly, 0)
    offer = offer_of(found[0], lambda _: None)
    assert not offer.can_apply
    assert offer.fields == ()
    assert assembly.last_decisions == {}
    assert found[0].verdict_after.reason is Reason.IN_PROMPT
