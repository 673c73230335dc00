"""What SillyTavern 1.19.0 made of some thousand texts, in both engines: text, and how many numbers were drawn."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.engine.chance import Chance, RandomState
from lorebook_tui.engine.macros import MacroEnvironment, Member, card_of, is_constant, is_plain, substitute
from lorebook_tui.model.cast import Cast, Character, DepthPrompt, Group, Persona
from lorebook_tui.model.transcript import Message

FOLDER = Path(__file__).parents[2] / "golden" / "macros"
SETUPS: dict[str, dict[str, Any]] = json.loads((FOLDER / "setups.json").read_text("utf-8"))
FILES = sorted(path.stem for path in FOLDER.glob("*.jsonl"))
NOW = "2025-03-04T05:06:07Z"
SEED = 1
CONTEXT = 1_000_000


class Counted:
    """The scan's stream, with the number of draws."""

    def __init__(self) -> None:
        self.stream = Chance(RandomState(SEED))
        self.draws = 0

    def draw(self) -> float:
        self.draws += 1
        return self.stream.draw()


def character_of(fields: dict[str, Any]) -> Character:
    known = dict(fields)
    note = known.pop("depth_prompt", "")
    return Character(**known, depth_prompt=DepthPrompt(note))


def cast_of(setup: dict[str, Any]) -> Cast:
    base = SETUPS["base"]
    persona = Persona(**(base["persona"] | setup.get("persona", {})))
    given = setup.get("group")
    if given:
        members = tuple(character_of(member) for member in given["members"])
        rest = {key: value for key, value in given.items() if key not in {"members", "disabled"}}
        return Cast(persona, group=Group(members, disabled=frozenset(given.get("disabled", ())), **rest))
    card = setup.get("character", {})
    return Cast(persona, None if card is None else character_of(base["character"] | card))


def message_of(text: str, fields: dict[str, Any] | None = None) -> Message:
    known = dict(fields or {})
    told = {"lists_swipes": True, "swipe_id": known.get("swipe", 0)} if "swipes" in known else {}
    return Message(text, **{**known, "swipes": tuple(known.get("swipes", ()))}, **told)


def environment_of(name: str, engine: str, stream: Counted) -> MacroEnvironment:
    setup = SETUPS[name]
    metadata = setup.get("metadata", {})
    cast = cast_of(setup)
    members = cast.group.members if cast.group else ()
    disabled = cast.group.disabled if cast.group else frozenset()
    chat_hash, reroll = metadata.get("chat_id_hash"), metadata.get("pick_reroll_seed")
    environment = MacroEnvironment(
        user=cast.persona.name,
        group=", ".join(member.name for member in members),
        members=tuple(Member(member.name, number in disabled) for number, member in enumerate(members)),
        card=replace(
            card_of(cast, metadata),
            version=setup.get("version", ""),
            alternate_greetings=tuple(setup.get("alternate_greetings", ())),
        ),
        local=copy.deepcopy(setup.get("local", {})),
        globals=copy.deepcopy(setup.get("globals", {})),
        draw=stream.draw,
        draw_random=stream.draw,
        now=datetime.fromisoformat(setup.get("now", NOW)),
        messages=[message_of(*message) for message in setup.get("messages", SETUPS["base"]["messages"])],
        first_in_context=metadata.get("lastInContextMessageId"),
        chat_name="oracle-chat",
        chat_hash=chat_hash if isinstance(chat_hash, int) else None,
        reroll=None if reroll is None else str(reroll),
        max_context=CONTEXT,
        note=setup.get("note", ""),
        character_note=setup.get("character_note", ""),
        engine="legacy" if engine == "legacy" else "new",
    )
    return replace(environment, char=cast.speaker.name) if cast.speaker else environment


def rows_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", FILES)
def test_texts_come_out_as_in_the_program(name: str) -> None:
    wrong = []
    for row in rows_of(name):
        stream = Counted()
        text = substitute(row["text"], environment_of(row["setup"], row["engine"], stream))
        if (text, stream.draws) != (row["expected"], row.get("draws", 0)):
            wrong.append({**row, "got": text, "drawn": stream.draws})
    assert wrong == []


def test_there_are_rows_of_both_engines() -> None:
    engines = [row["engine"] for name in FILES for row in rows_of(name)]
    assert engines.count("new") > 2000
    assert engines.count("legacy") > 500


@pytest.mark.parametrize("name", FILES)
def test_no_text_that_changes_is_taken_for_plain_or_constant(name: str) -> None:
    for row in rows_of(name):
        if is_plain(row["text"]):
            assert row["expected"] == row["text"]
        if is_constant(row["text"]) and "{{" not in json.dumps(SETUPS[row["setup"]]):
            stream = Counted()
            names_only = environment_of(row["setup"], row["engine"], stream)
            assert substitute(row["text"], replace(names_only, card=None, messages=())) == row["expected"]
            assert stream.draws == 0
