"""The trace as JSON: every turn of the samples follows the schema, and nothing of the trace is missing."""

from __future__ import annotations

import json
import math
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from lorebook_tui.engine.assemble import Assembly, Simulation
from lorebook_tui.engine.document_json import json_value
from lorebook_tui.engine.reason_help import REASON_HELP
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.trace_json import document, entry_trace, trace
from lorebook_tui.engine.trace_schema import SCHEMA
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import ForcedEntry, Scenario, Step
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from lorebook_tui.tokens.registry import counter
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import NAMES, sample
from lorebook_tui.workspace.turns import replay_of

VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def assembled(entries: dict[str, dict[str, Any]], *texts: str, **fields: Any) -> Assembly:
    """The last turn of a chat of user messages over one global book."""
    transcript = Transcript(tuple(Message(text, is_user=True) for text in texts))
    made = Scenario(layers=Layers(global_=(book_from_fields("b", entries),)), transcript=transcript, **fields)
    simulation = Simulation(made, counter("estimate"))
    return simulation.assemble(Step(len(texts)), simulation.initial_state())


def entry(number: int, **fields: Any) -> dict[str, Any]:
    return {"uid": number, "key": ["bell"], "content": f"text {number}", "order": 100, "position": 0, **fields}


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_of_the_samples_follows_the_schema(name: str) -> None:
    replayed = replay_of(open_workspace([sample(name)]))
    turns = [trace(assembly) for assembly in replayed.run(replayed.turns)]
    text = json.dumps(document(turns), allow_nan=False)
    VALIDATOR.validate(json.loads(text))


def test_evidence_follows_the_schema() -> None:
    replayed = replay_of(open_workspace([sample()]))
    turns = [trace(assembly, evidence=True) for assembly in replayed.run([14, 44])]
    VALIDATOR.validate(json.loads(json.dumps(document(turns), allow_nan=False)))
    kinds = {near["kind"] for turn in turns for item in turn["entries"] for key in item["evidence"]["keys"] for near in key["near"]}  # fmt: skip
    assert "outside_window" in kinds


def test_numbers_that_json_cannot_spell_are_null() -> None:
    assert [json_value(value) for value in (math.nan, math.inf, MISSING, 2.0, 2.5)] == [None, None, None, 2, 2.5]
    assert json_value({"a": (math.nan, {"b": 3.0})}) == {"a": [None, {"b": 3}]}


def test_odd_fields_follow_the_schema() -> None:
    odd = {
        "a": entry(1, order="none", position=4, depth=None, role=None),
        "b": {"key": ["bell"], "content": "no uid", "order": 1, "position": "0"},
        "c": entry(3, uid={"x": 1e999}, position=7, outletName="door"),
        "d": entry(4, constant=True, position=5, delayUntilRecursion=2, sticky=3, cooldown=-1),
    }
    settings = ScanSettings(world_info_min_activations=9)
    assembly = assembled(odd, "a bell", "rings", settings=settings, forced=(ForcedEntry("b", 1, {"content": "given"}),))
    VALIDATOR.validate(json.loads(json.dumps(document([trace(assembly, evidence=True)]), allow_nan=False)))


def test_a_turn_says_where_every_text_went() -> None:
    assembly = assembled({str(uid): entry(uid, position=uid % 8, outletName="x") for uid in range(8)}, "the bell")
    told = trace(assembly)
    listed = [
        row["entry"] for name in ("before", "after", "examples_top", "examples_bottom") for row in told["slots"][name]
    ]
    listed += [row["entry"] for record in told["slots"]["depths"] for row in record["texts"]]
    listed += [row["entry"] for row in told["slots"]["outlets"]["x"]]
    by_uid = {item["uid"]: item for item in told["entries"]}
    assert {told["entries"][index]["uid"] for index in listed} == {0, 1, 4, 5, 6, 7}
    assert by_uid[2]["verdict"]["reason"] == "note_not_due"
    assert by_uid[4]["verdict"]["place"] == {
        "slot": "depth", "number": 1, "count": 1, "depth": None, "role": 0, "outlet": None,
    }  # fmt: skip
    assert sum(told["counts"].values()) == len(told["entries"]) == 8


def test_a_loser_of_its_group_says_to_whom() -> None:
    members = {"0": entry(0, group="g", groupOverride=True), "1": entry(1, group="g", order=50)}
    told = entry_trace(assembled(members, "bell"), 1)
    assert told["verdict"] == {
        "reason": "group_override", "phase": "filters", "outcome": "rolled_out", "cause": None, "pass": 1,
        "tokens": None, "place": None, "group": "g", "winner": 0, "score": None, "roll": None,
    }  # fmt: skip
    assert told["text"] is None


def test_a_lost_roll_says_what_was_drawn() -> None:
    told = trace(assembled({"0": entry(0, probability=0, useProbability=True)}, "bell"))
    (draw,) = told["draws"]
    assert (draw["for"], draw["passed"], draw["entry"]) == ("probability", False, 0)
    assert told["entries"][0]["verdict"]["roll"] == draw["value"]


def test_books_in_two_layers_and_broken_contents_are_told() -> None:
    book = book_from_fields("b", {"0": entry(0)})
    made = Scenario(
        layers=Layers(global_=(book,), chat=(book,)), transcript=Transcript((Message("bell", is_user=True),))
    )
    simulation = Simulation(made, counter("estimate"))
    told = trace(simulation.assemble(Step(1), simulation.initial_state()))
    assert told["skipped_books"] == [{"layer": "chat", "name": "b", "held_by": "global"}]
    broken = trace(assembled({"0": entry(0, content=7)}, "bell"))
    assert "no text" in broken["load_error"]
    stopped = trace(assembled({"0": entry(0, group="constructor")}, "bell"))
    assert "'constructor'" in stopped["error"]
    assert (told["error"], broken["error"], stopped["load_error"]) == (None, None, None)
    VALIDATOR.validate(document([told, broken, stopped]))


def test_every_reason_is_documented_once() -> None:
    assert set(REASON_HELP) == set(Reason)
    assert len(set(REASON_HELP.values())) == len(REASON_HELP)
    assert all(text.endswith(".") for text in REASON_HELP.values())


def test_the_schema_knows_every_code() -> None:
    codes = {item["const"] for item in SCHEMA["$defs"]["reason"]["oneOf"]}
    assert codes == {reason.code for reason in Reason}


def test_the_verdict_is_that_of_the_engine() -> None:
    assembly = assembled({"0": entry(0, disable=True), "1": entry(1)}, "bell")
    told = trace(assembly)["entries"]
    assert [item["verdict"]["reason"] for item in told] == [verdict(assembly, index).reason.code for index in (0, 1)]
