"""What the rules about contents are made of: loose signs, waste, likeness, macros, scripts, outlets, PLists."""

from __future__ import annotations

import random
from typing import Any

import pytest

from lorebook_tui.lint.alike import Sketches, alike, sketch
from lorebook_tui.lint.balance import loose_brackets, loose_quotes, mended
from lorebook_tui.lint.macro_names import meant, unknown_macros, writers
from lorebook_tui.lint.naming import without_length
from lorebook_tui.lint.outlets import names_in, references
from lorebook_tui.lint.plist import segments, shells
from lorebook_tui.lint.prompt_facts import Marker, hides_lore, marker, story_shows
from lorebook_tui.lint.regex_scripts import scripts_of
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.slots import slot_of, slot_text
from lorebook_tui.lint.waste import trimmed, without_markup
from tests.unit.lint.examples import world_of

SCRIPT = {"scriptName": "s", "findRegex": "/b(e)ll/", "placement": [5], "promptOnly": True, "markdownOnly": True}


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("(a [b] {c})", ""),
        ("(a [b)", "["),
        ("a] (b", "]("),
        ("{{random::(::)}} (", "("),
        ("1) one\n2) two :) ;-(", ""),
        ("`f(`", ""),
        (r"\[ is a bracket", ""),
        ("((a)", "("),
        ("max(a) [", "["),
        ("[Mill:(old)", "["),
        ("Three aims: 1) money, 2) fame.", ""),
        ("a) money, b) fame, c) love", ""),
        ("(aims: 1) money, 2) fame)", ""),
        ("(aims: 1) money, 2) fame", "("),
        ("Цели: 1) денег; 2) славы", ""),
        ("规则：1)不许说谎 2)不许偷窃", ""),
        ("1) money, 2) fame, and) more", ")"),
        ("It is old 2) and grey", ")"),
        ("Mood in [0, 1), luck in (-inf, 5]", ""),
        ("```js\nfoo({\n``` and ``a(`` and `if (x`", ""),
    ],
)
def test_loose_brackets(text: str, signs: str) -> None:
    assert "".join(loose.sign for loose in loose_brackets(text)) == signs


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ('"a" and "b"', ""),
        ('"a', '"'),
        ('5\'7" tall and 12" wide', ""),
        ('"One.\n\n"Two."', ""),
        ('"One.\n\nTwo."', ""),
        ('"One.\n\nTwo. "a"', '"'),
        ('Age("23")', ""),
        ('Mira wrote "Room 9" on it.', ""),
        ('[Mira: "elf", "age 120", "tall"]', ""),
        ('[Age("23") Height("5\'7"") Species("Human" + "Elf")]', ""),
        ('Height("5\'7") Kind("Elf")', ""),
        ('"He is 6" tall," she says.', ""),
        ('He is 6" tall and "old".', ""),
        ('Planks of 5" and 9" are "good.', '"'),
        ('"Room 9"\n\nHe says: "Come in.', '"'),
        ("«a» «b", "«"),
        ("„a“ “b”", ""),
    ],
)
def test_loose_quotes(text: str, signs: str) -> None:
    assert "".join(loose.sign for loose in loose_quotes(text))[:1] == signs


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("[a\n", "[a]\n"),
        ("f (a, b.\nc", "f (a, b).\nc"),
        ("mill)", "mill"),
        ("(a [b", None),
        ("{a", "{a}"),
        ("{:)", None),
    ],
)
def test_a_single_bracket_is_put_right(text: str, better: str | None) -> None:
    assert mended(text, loose_brackets(text)) == better
    assert better is None or loose_brackets(better) == []


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("a\n------\nb", "a\nb"),
        ("a\n---\nb\n", "a\n---\nb"),
        ("# A\n\n# A\nb", "# A\nb"),
        ("word\nword", "word\nword"),
        ("a", "a"),
        ("  a  ", "a"),
        ("a\nb\n======\r\n", "a\nb"),
        ("# A\r\n\r\n# A\r\nb\x0b", "# A\r\nb"),
    ],
)
def test_waste_is_trimmed_once(text: str, better: str) -> None:
    assert trimmed(text) == better
    assert trimmed(better) == better


def test_markup_is_taken_away_and_tags_of_prompts_stay() -> None:
    assert without_markup("<p class='x'>a<br/>b</p><mill>c &amp; d</mill><!-- e -->") == "a\nb\n<mill>c & d</mill>"
    assert without_markup("1 < 2 && 3 > 2") == "1 < 2 && 3 > 2"


WORDS = [
    f"{first}{second}"
    for first in ("mill", "bell", "salt", "rope", "tide")
    for second in ("e", "a", "en", "ing", "stone")
]


def invented(dice: random.Random, count: int) -> list[str]:
    return [
        f"{dice.choice(WORDS)}{dice.choice(WORDS)}" if dice.random() < 0.5 else dice.choice(WORDS) for _ in range(count)
    ]


@pytest.mark.parametrize("length", [20, 60, 300])
def test_nearly_equal_texts_are_found(length: int) -> None:
    """Of pairs with one word in twenty replaced nearly all are found, and no pair that is none."""
    dice = random.Random(length)
    texts = []
    for _ in range(100):
        words = invented(dice, length)
        texts.append(" ".join(words))
        for _ in range(max(1, length // 20)):
            words[dice.randrange(length)] = "heron"
        texts.append(" ".join(words))
    found = {(one, other) for one, other, _ in alike(texts, 85, Sketches())}
    pairs = {(place, place + 1) for place in range(0, len(texts), 2)}
    assert len(found & pairs) >= 95
    assert found <= pairs


def test_the_same_text_is_found_and_told_in_full() -> None:
    assert list(alike(["a b c", "x", "a b c", "a b c"], 85, Sketches())) == [(0, 2, 100.0), (0, 3, 100.0)]


@pytest.mark.parametrize(
    "text",
    ["磨坊在退潮时磨面。河水改道以后，轮子空转。", "кот на мху, ключ на гвозде, дождь по расписанию", "", "\ud800"],
)
def test_every_text_has_a_sketch(text: str) -> None:
    assert sketch(text) == sketch(text)
    assert len(sketch(text)) <= 6


def test_chinese_texts_that_are_alike() -> None:
    one = "磨坊在退潮时磨面，河道移了四十码，轮子就空转了。老板每年上两次油，不肯说是为谁。"
    assert [
        pair[:2]
        for pair in alike([one, one.replace("两次", "三次"), "苍鹭站在看得见的地方，单腿立着。"], 85, Sketches())
    ] == [(0, 1)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{{char}} {{ USER }} {{/if}} {{#if x}} {{!user}} {{// anything}}", []),
        ("{{chra}}", [("chra", "char")]),
        ("{{Персонаж}} {{юзер}}", [("Персонаж", "char"), ("юзер", "user")]),
        ("{{my own thing}}", [("my", "")]),
        ("{{random::{{usr}}::b}}", [("usr", "user")]),
        ("{{time_UTC+2}} {{roll 1d6}} {{.x}} {{$y += 1}}", []),
        ("{{}} {{ }}", [("", ""), ("", "")]),
        ("{{user::x}} {{wiBefore}} {{original}}", [("user", ""), ("wiBefore", ""), ("original", "")]),
        ("{{setvar::a}}b{{/setvar}} {{//}} {{chra}} {{///}} {{comment:: {{chra}} }}", []),
    ],
)
def test_unknown_macros(text: str, found: list[tuple[str, str]]) -> None:
    assert [(unknown.name, unknown.meant) for unknown in unknown_macros(text)] == found


def test_no_near_name_is_guessed_for_something_else() -> None:
    assert meant("weatherstation") == ""


@pytest.mark.parametrize(
    ("text", "accumulates"),
    [
        ("{{setvar::a::1}}", [False]),
        ("{{setvar::a::{{random::1::2}}}}", [True]),
        ("{{incvar::a}}{{.b = 2}}{{.c++}}", [True, False, True]),
        ("{{getvar::a}}{{.a > 2}}{{.a}}", []),
        ("{{setvar::a}}{{/setvar}}", [False]),
    ],
)
def test_macros_that_write(text: str, accumulates: list[bool]) -> None:
    assert [writer.accumulates for writer in writers(text)] == accumulates


def lore_scripts(**changes: Any) -> list[Any]:
    return list(scripts_of(world_of(Example(library={"regex_scripts": ({**SCRIPT, **changes},)}))))


@pytest.mark.parametrize(
    ("changes", "text", "after"),
    [
        ({"findRegex": "/bell/g", "replaceString": "gong"}, "bell A bell", "gong A gong"),
        ({"findRegex": "bell", "replaceString": "<{{match}}|$1>"}, "bell A bell", "<bell|> A bell"),
        ({"replaceString": "<{{match}}|$1|$0>", "trimStrings": ["e"]}, "bell A bell", "<bll||bll> A bell"),
        ({"findRegex": "/(?<x>b)/g", "replaceString": "$<x>$<y>!"}, "bb", "b!b!"),
    ],
)
def test_scripts_replace_as_sillytavern_does(changes: dict[str, Any], text: str, after: str) -> None:
    (script,) = lore_scripts(**changes)
    assert script.applied(text) == after


@pytest.mark.parametrize(
    "changes", [{"promptOnly": False}, {"placement": [1]}, {"disabled": True}, {"findRegex": ""}, {"findRegex": "("}]
)
def test_scripts_that_leave_lore_alone(changes: dict[str, Any]) -> None:
    assert lore_scripts(**changes) == []


@pytest.mark.parametrize(("depth", "acts"), [(None, True), (1, False), (2, True), (4, True), (5, False)])
def test_depths_of_scripts(depth: float | None, acts: bool) -> None:
    (script,) = lore_scripts(minDepth=2, maxDepth=4)
    assert script.acts_at(depth) is acts


def test_names_of_outlets_in_texts() -> None:
    assert list(names_in("{{outlet::a}} {{ OUTLET: b }} {{outlet::{{getvar::x}}}} {{outlets::c}} {{outlet}}")) == [
        "a",
        "b",
        "",
    ]


def test_a_prompt_that_is_off_asks_for_nothing() -> None:
    options = {
        "order": ["main", "-extra"],
        "prompts": {"extra": {"content": "{{outlet::a}}"}},
        "nested": [["{{outlet::b}}"]],
    }
    world = world_of(Example(prompt=options, note={"prompt": "{{outlet::c}}"}, chat=("You: {{outlet::d}}",)))
    assert [(each.name, each.where) for each in references(world)] == [
        ("b", "the option 'nested'"),
        ("c", "the author's note"),
        ("d", "the chat"),
    ]


def test_slots_of_the_manager() -> None:
    assert marker({}, "worldInfoBefore") is Marker.ON
    assert marker({"order": ["-worldInfoBefore"]}, "worldInfoBefore") is Marker.OFF
    assert marker({"order": ["main"]}, "worldInfoBefore") is Marker.MISSING
    assert hides_lore({"wi_format": "x"})
    assert not hides_lore({"wi_format": " "})


@pytest.mark.parametrize(
    ("template", "is_there"), [(None, True), ("Alpaca", True), ({"story_string": "{{char}}"}, False), ({}, True)]
)
def test_places_in_context_templates(template: Any, is_there: bool) -> None:
    assert story_shows({"context_template": template}, 0) is is_there


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"position": 4, "depth": None, "role": None}, "at depth 4 as system"),
        ({"position": 4, "depth": 1, "role": 9}, "at depth 1 as 9"),
        ({"position": 7, "outletName": "news"}, "in the outlet 'news'"),
        ({"position": 7, "outletName": ""}, None),
        ({"position": "0"}, None),
        ({"position": 2.5}, None),
        ({"position": 2}, "at the top of the author's note"),
    ],
)
def test_where_a_text_stands(fields: dict[str, Any], text: str | None) -> None:
    slot = slot_of(world_of(Example((fields,))).books[0].entries[0])
    assert (slot_text(slot) if slot is not None else None) == text


def test_halves_are_paired_at_the_same_place_first() -> None:
    half = {"constant": True}
    view = world_of(
        Example(
            (
                {**half, "content": "["},
                {**half, "content": "[", "position": 1},
                {**half, "content": "@@activate\n]", "position": 1, "constant": False},
                {**half, "content": "]", "disable": True},
            )
        )
    ).books[0]
    assert [[each.number for each in shell.halves] for shell in shells(view)] == [[1, 2], [0]]
    assert [shell.is_whole for shell in shells(view)] == [True, False]


def test_only_lists_of_traits_are_plists() -> None:
    assert [text[start:end] for text in ["[a: b] [sic] [OOC: x]"] for start, end in segments(text)] == [
        "[a: b]",
        "[OOC: x]",
    ]


def test_long_quotations_are_cut() -> None:
    long = "(" * 500
    assert without_length(f"{long!r} is slow.", long) == f"{'(' * 120 + '…'!r} is slow."
    assert without_length("'a' is slow.", "a") == "'a' is slow."
