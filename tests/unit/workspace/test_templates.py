"""Every template does what it says: simulated over small chats."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.key_badges import KeyKind, key_badge
from lorebook_tui.engine.macros import MacroEnvironment, substitute
from lorebook_tui.errors import UsageError
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, Persona
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS, field_named, type_matches
from lorebook_tui.model.fields import template as new_entry
from lorebook_tui.model.scenario import RandomSource
from lorebook_tui.workspace.snippets import CARET, SNIPPETS
from lorebook_tui.workspace.template_blanks import carried
from lorebook_tui.workspace.templates import Blank, Template, blanks_in, built_in
from tests.unit.engine.lore import scenario, turns

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly

TEMPLATES = {template.name: template for template in built_in()}


def played(name: str, *chat: str, upto: list[int] | None = None, **parts: Any) -> list[Assembly]:
    """The turns of a chat with one template's entries; the user speaks first."""
    template = TEMPLATES[name]
    entries = [Entry({**fields, "uid": uid}, str(uid)) for uid, fields in enumerate(template.filled())]
    made = scenario(*entries, chat=chat, settings=dict(template.needs), **parts)
    return turns(made, upto or range(1, len(chat) + 1))


def active(assembly: Assembly) -> list[int]:
    return sorted(assembly.entry(each.index).uid for each in assembly.admitted)


def fired(name: str, *chat: str, **parts: Any) -> list[list[int]]:
    return [active(assembly) for assembly in played(name, *chat, **parts)]


def depths(assembly: Assembly) -> dict[Any, list[str]]:
    return {record.depth: list(record.texts) for record in assembly.slots.depths}


def test_place() -> None:
    assert fired("place", "hello", "Mossford!", "the moss town", "x", "y", "z") == [[], [0], [0], [0], [], []]
    assert played("place", "Mossford")[0].slots.after


def test_person_needs_one_word_more() -> None:
    assert fired("person", "I have hope", upto=[1]) == [[]]
    assert fired("person", "Hope waits at the ferry", upto=[1]) == [[0]]


@pytest.mark.parametrize(
    ("said", "hits"),
    [
        ("В Моссфорде тихо", True), ("Моссфорд.", True), ("за моссфордом", True), ("МОССФОРДА", True),
        ("моссфордский", False), ("неМоссфорд", False), ("о Моссфордах", True),
    ],
)  # fmt: skip
def test_inflected(said: str, *, hits: bool) -> None:
    assert fired("inflected", said) == [[0] if hits else []]


@pytest.mark.parametrize(
    ("said", "hits"),
    [("The AI counts", True), ("AI", True), ("MAID", False), ("ai", False), ("ИAI", False), ("«AI»", True)],
)
def test_short_word(said: str, *, hits: bool) -> None:
    assert fired("short-word", said) == [[0] if hits else []]


def test_world_rules_stay_although_the_budget_is_spent() -> None:
    rules = TEMPLATES["world-rules"].filled()[0]
    big = {**new_entry(), "key": [], "constant": True, "content": "x" * 500, "order": 100}
    entries = [Entry({**fields, "uid": uid}, str(uid)) for uid, fields in enumerate([rules, big])]
    (assembly,) = turns(scenario(*entries, chat=("hello",), settings={"world_info_budget_cap": 100}), [1])
    assert active(assembly) == [0]
    assert assembly.overflowed


def test_plist_is_one_block() -> None:
    (assembly,) = played("plist", "Mossford")
    text = "\n".join(text for _, text in assembly.slots.before)
    assert text == "[\nMossford: green, mossy, unlocked, full of cats;\n]"


def test_not_filter_never_tells_both() -> None:
    chat = ("Mossford", "Mossford burned down", "yes", "hm", "Mossford")
    assert fired("not-filter", *chat) == [[0], [1], [1], [], [0]]


def test_all_of_them() -> None:
    assert fired("all-of-them", "the altar, a candle", "at midnight", "x") == [[], [0], []]


def test_dice_give_one_outcome_each_time_and_both_in_the_end() -> None:
    seen = set()
    for seed in range(30):
        (assembly,) = played("dice", "I take the lockpick", random=RandomSource(seed))
        assert len(active(assembly)) == 1
        seen.add(active(assembly)[0])
        assert depths(assembly).keys() == {0}
    assert seen == {0, 1}


def test_random_events_are_rare_single_and_rest_afterwards() -> None:
    told = fired("random-event", *["hm"] * 400)
    assert all(len(each) <= 1 for each in told)
    rate = sum(map(bool, told)) / len(told)
    assert 0.05 < rate < 0.25
    happened = [[number for number, each in enumerate(told) if each == [uid]] for uid in range(3)]
    assert all(happened)
    assert all(later - earlier >= 10 for each in happened for earlier, later in pairwise(each))


def test_reminder_is_the_last_word() -> None:
    assert all(list(depths(each)) == [0] for each in played("reminder", "a", "b"))


def test_background_comes_with_another_entry_only() -> None:
    assert fired("background", "the Lantern guild", upto=[1]) == [[]]
    assert fired("background", "Mossford", upto=[1]) == [[0, 1]]


def test_authors_note() -> None:
    (assembly,) = played("authors-note", "A storm", note=AuthorsNote(prompt="Note."))
    assert assembly.note.value == "[Tone: short breath, wet cloth]\nNote."


def test_outlet() -> None:
    (assembly,) = played("outlet", "the fog")
    assert list(assembly.slots.outlets) == ["weather"]
    assert not assembly.slots.before


def test_voice_is_an_example() -> None:
    (assembly,) = played("voice", "Mira!")
    assert [example.position for example in assembly.slots.examples] == [0]
    assert assembly.slots.examples[0].content.startswith("<START>")


def test_one_speaker() -> None:
    assert fired("one-speaker", "who rang?", cast=Cast(Persona("U"), Character("Mira", "mira.png"))) == [[0]]
    assert fired("one-speaker", "who rang?", cast=Cast(Persona("U"), Character("Mira", "other.png"))) == [[]]


def test_state_stays_then_rests() -> None:
    chat = ["drinks the poison", *["x"] * 7, "venom", "x", "venom", *["x"] * 3]
    told = [bool(each) for each in fired("state", *chat)]
    assert told[:5] == [True] * 5, "four messages longer than its word"
    assert not any(told[5:11]), "the word does not bring it back while it rests"
    assert told[11], "after that it does"


def test_moods_take_turns() -> None:
    chat = [text for _ in range(6) for text in ("Tobin?", "Well.")]
    told = fired("take-turns", *chat, upto=[1, 3, 5, 7, 9, 11])
    assert all(len(each) == 1 for each in told)
    assert all(earlier != later for earlier, later in pairwise(told))


def test_a_stance_switches_and_stays() -> None:
    chat = ["hello", "x", "you liar", "x", "x", "x", "x", "x", "sorry", "x", "x"]
    told = [depths(each)[1][0] for each in played("stance", *chat)]
    calm, furious = "The harbour master is calm.", "The harbour master is furious."
    assert told == [calm] * 2 + [furious] * 6 + [calm] * 3


def test_an_effect_comes_later() -> None:
    told = fired("after-effect", "x", "y", "something bites", *["x"] * 22)
    assert told[2:8] == [[0, 1]] * 6
    assert told[8:22] == [[0, 2]] * 14
    assert told[22:] == [[]] * 3


def test_not_before_the_story_has_begun() -> None:
    told = fired("later", *["the crown"] * 14)
    assert told == [[]] * 11 + [[0]] * 3


def test_only_now() -> None:
    assert fired("only-now", "a knock", "yes") == [[0], []]


def test_a_scene_stands_inside_the_chat() -> None:
    for said in ("the shadow forest", "我走进了暗影森林里"):
        (assembly,) = played("scene", said)
        assert list(depths(assembly)) == [4]


def test_a_character_is_always_there_looks_first() -> None:
    (assembly,) = played("character", "hello")
    assert [text.partition(" ")[0] for _, text in assembly.slots.before] == ["Alice:", "Alice's"]


def test_a_number_decides() -> None:
    chat = ["hello", "x", "it hits you", "x", "you are wounded", "x", "x"]
    told = [depths(each).get(0, [""])[0] for each in played("threshold", *chat)]
    low = "User is dying: slow, coughing, never giving up."
    assert told == [""] * 4 + [low] * 3


def test_for_good() -> None:
    assert fired("for-good", "x", "the heir!", *["x"] * 60) == [[]] + [[0]] * 61


def test_only_once() -> None:
    told = fired("only-once", "x", "the cellar", *["the cellar"] * 60)
    assert told == [[], [0]] + [[]] * 60


def test_every_so_often() -> None:
    told = fired("every-so-often", *["x"] * 33)
    assert [number for number, each in enumerate(told) if each] == [0, 8, 16, 24, 32]


def test_every_recipe_is_simulated_above() -> None:
    played_names = re.findall(r'(?:played|fired)\(\s*"([\w-]+)"', Path(__file__).read_text("utf-8"))
    recipes = {name for name in TEMPLATES if not name.startswith("empty-")}
    assert recipes - {*played_names, "world-rules"} == set()


@pytest.mark.parametrize("template", TEMPLATES.values(), ids=lambda template: template.name)
def test_templates_are_well_formed(template: Template) -> None:
    assert template.purpose.endswith(".")
    assert all(note.endswith(".") for note in template.notes)
    assert template.needs.keys() <= {row.name for row in SETTING_FIELDS}
    named = {blank.name for blank in template.blanks}
    assert blanks_in(list(template.entries)) == named
    for fields in template.filled():
        assert not blanks_in(fields)
        for name, value in fields.items():
            row = field_named(name)
            assert row is not None
            assert type_matches(row, value), name
        keys = [*fields["key"], *fields["keysecondary"]]
        assert all(key_badge(key).kind in {KeyKind.PLAIN, KeyKind.PATTERN, KeyKind.MACROS} for key in keys), keys


def test_there_is_an_empty_entry_for_every_product_of_the_table() -> None:
    products = {name.replace("_", "-") for row in ENTRY_FIELDS for name in row.json_names} - {"v2"}
    assert {f"empty-{name}" for name in products | {"sillytavern", "card"}} == {
        name for name in TEMPLATES if name.startswith("empty-")
    }
    assert "key" in carried("novelai")
    assert "sticky" not in carried("novelai")
    assert len(carried("sillytavern")) >= len(new_entry())


def test_answers_fill_blanks() -> None:
    (fields,) = TEMPLATES["place"].filled({"where": " Harrow ", "aliases": "the mill, 磨坊，old mill"})
    assert fields["key"] == ["Harrow", "the mill", "磨坊", "old mill"]
    assert fields["comment"] == "Harrow"
    (fields,) = TEMPLATES["short-word"].filled({"word": "C++ (1/2)"})
    assert fields["key"] == [r"/(?<![\p{L}\p{N}])C\+\+ \(1\/2\)(?![\p{L}\p{N}])/u"]
    assert TEMPLATES["place"].filled({"where": ""})[0]["comment"] == "Mossford"
    with pytest.raises(UsageError):
        TEMPLATES["place"].filled({"whre": "x"})


def test_entries_are_fresh_every_time() -> None:
    template = Template(
        "t", "T", "P.", ({"extensions": {"a": ["<<b>>"]}, "key": ["<<b>>x", "<<c>>", 3]},), (Blank("b", "B", "bb"),)
    )
    first, second = template.filled()[0], template.filled()[0]
    assert first == second
    assert first["extensions"] == {"a": ["bb"]}
    assert first["key"] == ["bbx", "<<c>>", 3], "what is no blank of the template stays"
    first["extensions"]["a"].append(1)
    first["key"].append(1)
    assert template.filled()[0] == second


def test_snippets_are_well_formed() -> None:
    assert len({snippet.name for snippet in SNIPPETS}) == len(SNIPPETS)
    for snippet in SNIPPETS:
        assert snippet.description.endswith(".")
        assert CARET not in snippet.text
        assert snippet.written.count(CARET) <= 1
        assert 0 <= snippet.caret <= len(snippet.text)
        assert snippet.text[: snippet.caret] + CARET in snippet.written + CARET


@pytest.mark.parametrize("name", ["char", "user", "setvar", "getvar", "addvar", "if", "comment", "trim", "newline"])
def test_macros_are_ones_that_the_engine_knows(name: str) -> None:
    text = next(snippet.text for snippet in SNIPPETS if snippet.name == name)
    assert "{{" not in substitute(text, MacroEnvironment(user="Rowan", char="Mira"))
