"""Broken JSON put right: what is wrong and where, and the text as it should be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook_tui.lint.mending import mended
from lorebook_tui.lint.rule import Context
from lorebook_tui.lint.rules.fmt_broken import BrokenJson
from lorebook_tui.lint.subjects import World
from tests.unit.lint.examples import file_of

CASES = [
    # text, what becomes of it, (offset, beginning of the cause) of each slip
    ('{"a": [1, 2,],}', '{"a": [1, 2]}', [(11, "There is a comma after"), (13, "There is a comma after")]),
    ('{"a": 1,, "b": 2}', '{"a": 1, "b": 2}', [(8, "There is a comma too many")]),
    ('{"a": 1 "b": ["x" "y"]}', '{"a": 1, "b": ["x", "y"]}', [(8, "A comma is missing"), (18, "A comma is missing")]),
    ('{"a" 1}', '{"a": 1}', [(5, "A colon is missing")]),
    ('{"a": , "b"}', '{"a": null , "b": null}', [(4, "There is no value"), (10, "There is no value")]),
    ("{'a': 'it's \"so\"'}", '{"a": "it\'s \\"so\\""}', [(1, "'"), (6, "'"), (12, "A quotation mark inside")]),
    ("{“a”: “b”}", '{"a": "b"}', [(1, "“"), (6, "“")]),
    ("{a: 1, b_2: 2}", '{"a": 1, "b_2": 2}', [(1, "The name a"), (7, "The name b_2")]),
    ('{"a": True, "b": None, "c": NaN}', '{"a": true, "b": null, "c": null}', [(6, "True"), (17, "None"), (28, "NaN")]),
    ('{"a": .5, "b": +3, "c": 007}', '{"a": 0.5, "b": 3, "c": 7}', [(6, "JSON does"), (15, "JSON does"), (24, "JSON")]),
    ('{"a": 0x1F, "b": 1_000}', '{"a": 31, "b": 1000}', [(6, "JSON does"), (17, "JSON does")]),
    ('{"a": "x\ny\tz"}', '{"a": "x\\ny\\tz"}', [(8, "A line break stands")]),
    ('{"a": "x\r\ny"}', '{"a": "x\\ny"}', [(8, "A line break stands")]),
    ('{"a": "say "hi", then go", "b": 1}', '{"a": "say \\"hi\\", then go", "b": 1}', [(11, "A quotation mark inside")]),
    ('{"a": "one,\n "b": 1}', '{"a": "one",\n "b": 1}', [(6, "A text begins here")]),
    ('{"a": "x, "b": "y"}', '{"a": "x", "b": "y"}', [(6, "A text begins here")]),
    ('{"a: 1, "b": 2}', '{"a": 1, "b": 2}', [(1, "A text begins here")]),
    ('{a": 1}', '{"a": 1}', [(1, 'The " before')]),
    (r'{"a": "\d+ \x41 it\'s"}', r'{"a": "\\d+ \u0041 it' + "'s\"}", [(7, "This backslash")]),
    ('{"a": 1 /* x */, // y\n "b": 2}', '{"a": 1 , \n "b": 2}', [(8, "This is a comment"), (17, "This is a comment")]),
    ('{"a": [1, {"b": "tr', '{"a": [1, {"b": "tr"}]}', [(16, "A text begins here"), (18, "The text ends")]),
    ('{"a": [1, {"b": tr', '{"a": [1, {"b": true}]}', [(16, "The word true"), (17, "The text ends")]),
    ('{"a": [1, 2}, "b": 3}', '{"a": [1, 2], "b": 3}', [(11, 'A "}" stands where')]),
    ('{"a": {"b": [1, 2}}', '{"a": {"b": [1, 2]}}', [(17, 'A "]" is missing')]),
    ('{"a": 1}}', '{"a": 1}', [(8, 'There is a "}" after')]),
    ('{"a": 1};', '{"a": 1}', [(8, 'There is a ";" after')]),
    ('{"a" = 1; "b" => 2}', '{"a" : 1, "b" : 2}', [(5, "An equals"), (8, "A semicolon"), (14, "An equals")]),
    ('{"a":: 1}', '{"a": 1}', [(5, "There is a colon too many")]),
    ('{"a":\u00a01}\x00', '{"a":1}', [(5, "A character that cannot be seen (U+00A0)"), (8, "A character that cannot")]),
    ('```json\n{"a": 1}\n```', '{"a": 1}\n', [(0, "A line of Markdown"), (17, "A line of Markdown")]),
    ('Here it is:\n\n```json\n{"a": 1}\n```\nEnjoy {it}!', '{"a": 1}\n', [(0, "Talk and a line"), (30, "A line of Markdown and talk")]),
    ('{"a": 1, "bc"', '{"a": 1, "bc": null}', [(12, "The text ends")]),
    ('{"a": 1}\n{"a": 1}', '{"a": 1}\n', [(9, "The whole JSON stands here a second time")]),
    ('{"a": Foo bar, "b": 1}', '{"a": "Foo bar", "b": 1}', [(6, "The text 'Foo bar'")]),
    ("[1, [2, 3]", "[1, [2, 3]]", [(9, "The text ends")]),
    ('{"a": "x\\', '{"a": "x\\\\"}', [(6, "A text"), (8, "This backslash"), (8, "The text ends")]),
]  # fmt: skip
HOPELESS = [
    ('{"a": 1}\n{"b": 2}', 9, "A second JSON document begins here"),
    ('{"a": 1} and more', 9, "Something that is no JSON follows"),
    ('{\x00"\x00a\x00', 1, "Every second character is a zero byte"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted", "slips"), CASES)
def test_slips_are_named_and_put_right(text: str, wanted: str, slips: list[tuple[int, str]]) -> None:
    found = mended(text)
    assert found.text == wanted
    assert [
        (slip.offset, slip.cause[: len(cause)]) for slip, (_, cause) in zip(found.slips, slips, strict=True)
    ] == slips
    assert all(slip.cause.endswith(".") and slip.told and slip.edits for slip in found.slips)
    assert mended(wanted).slips == ()
    json.loads(wanted)


@pytest.mark.parametrize(("text", "offset", "cause"), HOPELESS)
def test_what_cannot_be_mended_is_left_alone(text: str, offset: int, cause: str) -> None:
    found = mended(text)
    assert found.text is None
    assert (found.slips[-1].offset, found.slips[-1].cause[: len(cause)]) == (offset, cause)
    assert not any(slip.edits or slip.told for slip in found.slips)


@pytest.mark.parametrize("text", ["", "{]", "((", '{"a" "b" : : }', "[}{]", "[" * 3_000, '{"a": }}} =>'])
def test_nonsense_ends(text: str) -> None:
    found = mended(text)
    if found.text is not None:
        json.loads(found.text)


def test_right_json_has_no_slips() -> None:
    for path in sorted((Path(__file__).parents[3] / "sample_books").rglob("*.json")):
        assert mended(path.read_text("utf-8")).slips == ()


def test_a_large_broken_file_takes_no_time() -> None:
    entry = '"%d": {"uid": %d, "key": ["mill",], "content": "It grinds "all" day, and\nall night.",},\n'
    text = '{"entries": {' + "".join(entry % (number, number) for number in range(3_000)) + "}}"
    found = mended(text[: len(text) // 2])
    assert found.text is not None
    assert len(json.loads(found.text)["entries"]) > 1_000


@pytest.mark.parametrize(
    "text",
    [
        "{}" + "}" * 400_000,
        "[" + "True, " * 100_000 + "None]\n",
        "{" + '"a: 1,\n' * 20_000 + "}",
        '{"a": "' + 'x "b" ' * 60_000 + "\n",
        "// a\n" * 60_000 + "[1]",
        '{"a": "x\n' * 20_000,
    ],
    ids=["braces", "words", "names", "quotes", "comments", "texts"],
)
def test_large_nonsense_is_told(text: str) -> None:
    """Each takes minutes where anything looks back at what it has read."""
    file = file_of("a.json", text.encode())
    findings = [finding.place for finding in BrokenJson().check(file, Context(World((file,)), {}))]
    assert findings


@pytest.mark.parametrize(
    "text", ["a\n" * 200_000, " " * 200_000, "\n" * 200_000, "x" * 300_000, "a" + "\n \t" * 90_000]
)
def test_what_may_be_talk_is_looked_at_once(text: str) -> None:
    """Looked at from every line it would take minutes."""
    found = mended(text)
    assert found.text is None or json.loads(found.text)
