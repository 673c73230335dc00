"""JSON that was broken in one of the ways people break it comes back as it was."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats.json_text import parse
from lorebook_tui.lint.mending import mended

WORDS = st.text(st.sampled_from("abc 'é猫.,:-{}[]\n\"\\"), max_size=12)
TAME = st.text(st.sampled_from("abc é猫.-"), max_size=12)
NAMES = st.text(st.sampled_from("abcdef_"), min_size=1, max_size=6)


def values(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    leaf = st.one_of(texts, st.integers(-99, 99), st.booleans(), st.none())
    return st.recursive(
        leaf, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
    )


def documents(texts: st.SearchStrategy[str] = WORDS) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(NAMES, values(texts), min_size=1, max_size=4)


def outside(text: str, pattern: str) -> list[re.Match[str]]:
    """Where a pattern stands outside of texts."""
    return [match for match in re.finditer(rf'"(?:[^"\\]|\\.)*"|({pattern})', text) if match.group(1) is not None]


def back(text: str) -> Any:
    found = mended(text)
    assert found.slips
    assert found.text is not None
    return json.loads(found.text)


@given(documents())
def test_right_json_is_left_alone(value: dict[str, Any]) -> None:
    for text in (json.dumps(value), json.dumps(value, indent=2, ensure_ascii=False)):
        assert mended(text).slips == ()


@given(documents(), st.data())
def test_commas_too_many(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, indent=1)
    ends = [match.start() for match in outside(text, r"[}\]]") if text[: match.start()].rstrip()[-1:] not in "{["]
    place = data.draw(st.sampled_from(ends))
    assert back(text[:place] + "," + text[place:]) == value


@given(documents(), st.data())
def test_a_comma_missing(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, indent=1)
    commas = [match.start() for match in outside(text, ",")]
    if commas:
        place = data.draw(st.sampled_from(commas))
        assert back(text[:place] + text[place + 1 :]) == value


@given(documents())
def test_comments_and_python(value: dict[str, Any]) -> None:
    text = json.dumps(value, indent=1)
    assert back(text.replace("{\n", "{ // a note\n", 1)) == value
    words = {"true": "True", "false": "False", "null": "None"}
    made = re.sub(r'"(?:[^"\\]|\\.)*"|true|false|null', lambda match: words.get(match.group(), match.group()), text)
    if made != text:
        assert back(made) == value


@given(documents(st.text(st.sampled_from("abc é猫\n\t."), max_size=12)))
def test_line_breaks_inside_texts(value: dict[str, Any]) -> None:
    text = json.dumps(value, ensure_ascii=False)
    made = text.replace("\\n", "\n").replace("\\t", "\t")
    if made != text:
        assert back(made) == value


@given(documents(TAME))
def test_other_quotation_marks(value: dict[str, Any]) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=1)
    assert back(text.replace('"', "'")) == value
    assert back(re.sub(r'"([^"]*)"', r"“\1”", text)) == value


@given(documents(), st.data())
def test_a_cut_loses_nothing_of_what_is_there(value: dict[str, Any], data: st.DataObject) -> None:
    text = json.dumps(value, ensure_ascii=False)
    cut = text[: data.draw(st.integers(1, len(text) - 1))]
    found = mended(cut)
    assert found.text is not None
    parse(found.text)
    letters = "".join(char for char in found.text if char.isalpha() and char not in "truefalsn")
    assert "".join(char for char in cut if char.isalpha() and char not in "truefalsn") in letters


@given(st.text(st.sampled_from("{}[]\",:'ab1 \n\\/=-t"), max_size=40))
def test_anything_at_all_ends_in_json_or_in_nothing(text: str) -> None:
    found = mended(text)
    if found.text is not None:
        try:
            parse(found.text)
        except LorebookError as error:  # pragma: no cover - the claim of this test
            raise AssertionError(found.text) from error
        kept = [char for char in text if char.isalnum() and "//" not in text]  # what a comment says goes with it
        left = iter(found.text)
        assert all(any(char == other for other in left) for char in kept if char in "b1")
