"""The grammar: what is read as a macro, what is mended, what stays text, and which tags belong together."""

from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.engine.macros import MacroEnvironment, substitute
from lorebook_tui.engine.macros.ceilings import MOST_DRAWS, Ceilings, TooCostlyError
from lorebook_tui.engine.macros.lexer import tokens_of
from lorebook_tui.engine.macros.pairing import branches_of, steps_of
from lorebook_tui.engine.macros.parser import calls_of
from lorebook_tui.engine.macros.trims import dedented, without_trims


def replaced(text: str, **given: Any) -> str:
    return substitute(text, MacroEnvironment(user="Bob", char="Anna", **given))


def test_tokens() -> None:
    text = "a{{ !user ::x}}{{.n += 1}}"
    assert [(kind, text[start:end]) for kind, start, end in tokens_of(text)] == [
        ("plain", "a"),
        ("start", "{{"),
        ("flag", "!"),
        ("name", "user"),
        ("double colon", "::"),
        ("word", "x"),
        ("end", "}}"),
        ("start", "{{"),
        ("prefix", "."),
        ("variable", "n"),
        ("operator", "+="),
        ("word", "1"),
        ("end", "}}"),
        ("end of text", ""),
    ]


def test_calls_tell_names_flags_and_arguments() -> None:
    text = "{{ #setvar:: a ::{{user}} b }}"
    (call,) = calls_of(text)
    assert (call.name, call.flags, call.closing) == ("setvar", "#", False)
    assert [text[argument.start : argument.end] for argument in call.arguments] == ["a", "{{user}} b"]


def test_macros_in_unfinished_ones_count() -> None:
    assert [(call.name, call.loose) for call in calls_of("{{x {{user}} {{y {{char}}")] == [
        ("user", True),
        ("char", True),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{user!}}", "Bob"),
        ("{{user", "{{user"),
        ("{{{user}}}", "{Bob}"),
        ("{{x {{user}}", "{{x Bob"),
        ("{{}} {{user}}", "{{}} Bob"),
        ("{{unknown::{{user}}}}", "{{unknown::Bob}}"),
        ("{{user}}a{{/user}}", "{{user}}a{{/user}}"),
        ("{{reverse}} ab {{/reverse}}", "ba"),
        ("{{#reverse}} ab {{/reverse}}", " ba "),
        ("{{unknown}}a{{/unknown}}", "{{unknown}}a}}"),
        ("{{// note }}x{{//}}y{{///}}", "x"),
        ("{{..x}}{{...x}}{{.}}", ""),
        ("{{.1}}{{.a + 1}}", "{{.1}}{{.a + 1}}"),
        ("{{.a! x}} {{user}}", "{{.a! x}} Bob"),
        ("\\{\\{user\\}\\}", "{{user}}"),
        ("{{else}}", ""),
        ("{{time_UTC+2}}", "2:00 PM"),
        ("<BOT> & <charIfNotGroup>", "Anna & Anna"),
    ],
)
def test_what_becomes_of_a_text(text: str, expected: str) -> None:
    assert replaced(text) == expected


def test_tags_are_paired_from_the_left() -> None:
    text = "{{user}}{{user}}{{/user}}{{reverse}}{{reverse::x}}{{/reverse}}"
    steps = [(step.call.name, step.kept, step.scope_end) for step in steps_of(text)]
    assert steps == [("user", True, None), ("user", False, None), ("user", True, None), ("reverse", False, 50)]


def test_branches_belong_to_their_own_condition() -> None:
    assert branches_of("a{{if 1}}b{{else}}c{{/if}}{{else}}d") == ("a{{if 1}}b{{else}}c{{/if}}", "d")
    assert branches_of("a{{x {{else}}") == ("a{{x {{else}}", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("\n  a\n    b\n c\n", "a\n  b\nc"), (" \n\ta\n  b", "a\n b"), ("  ", ""), ("\u3000a\n\u3000b", "a\n\u3000b")],
)
def test_indent_of_the_first_line_goes(text: str, expected: str) -> None:
    assert dedented(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\r\n\n{{trim}}\n\r\nb", "ab"),
        ("\r{{TRIM}}\r", "\r\r"),
        ("\n{{trim}}\n{{trim}}\n", ""),
        (" {{trim}} ", "  "),
        ("\n\n", "\n\n"),
    ],
)
def test_trim_takes_line_ends_alone(text: str, expected: str) -> None:
    assert without_trims(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "{{reverse::" * 5000 + "}}" * 5000,
        "{{if 1}}" * 2000 + "{{/if}}" * 2000,
        "".join("{{setvar::a::{{getvar::a}}{{getvar::a}}xxxxxxxx}}" for _ in range(60)),
        "{{roll 99999d6}}" * 11,
    ],
    ids=["deep", "nested", "doubling", "rolling"],
)
def test_a_text_that_costs_too_much_is_left_alone(text: str) -> None:
    assert replaced(text) == text


def test_ceilings() -> None:
    ceilings = Ceilings(lambda: 0.5, 10)
    assert [ceilings.draw() for _ in range(MOST_DRAWS)][-1] == 0.5
    with pytest.raises(TooCostlyError):
        ceilings.draw()


def test_too_many_tags_stay_unpaired() -> None:
    text = "{{reverse}}" * 3000 + "{{/reverse}}"
    assert replaced(text) == text


def test_macros_inside_each_other() -> None:
    (call,) = calls_of("{{random::a::" * 50 + "x" + "}}" * 50)
    assert (call.name, len(call.arguments)) == ("random", 2)
    inside = calls_of("{{random::{{user}}" * 50)
    assert len(inside) == 50
    assert all(each.name == "user" and each.loose for each in inside)


@pytest.mark.parametrize("piece", ["{{random::a::", "{{random::", "{{random::{{user}}", "{{.x = ", "{{"])
@pytest.mark.parametrize("end", ["", "x" + "}}" * 20_000])
def test_no_depth_ends_the_program(piece: str, end: str) -> None:
    text = piece * 20_000 + end
    assert replaced(text) == text
