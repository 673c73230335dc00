from __future__ import annotations

import gzip
import json
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import code_point_offset

if TYPE_CHECKING:
    from collections.abc import Callable

RECORDED: dict[str, Any] = json.loads(
    gzip.decompress((Path(__file__).parents[2] / "golden/regex/agreement.json.gz").read_bytes())
)
TEXTS: list[str] = RECORDED["texts"]
ROWS: list[tuple[str, str, list[list[list[int]]] | None]] = RECORDED["rows"]


def compiled(source: str, flags: str) -> ecma.Pattern | None:
    try:
        return ecma.compile(source, flags)
    except ecma.PatternError:
        return None


def code_points(text: str, span: list[int]) -> tuple[int, int]:
    """The span in code points; half a pair becomes the whole character."""
    start, end = span
    first = code_point_offset(text, start)
    return first, first if start == end else code_point_offset(text, end - 1) + 1


def test_table_is_large_enough() -> None:
    assert len({row[0] for row in ROWS}) >= 150
    assert len(TEXTS) >= 20
    assert sum(row[2] is None for row in ROWS) > 100


def test_validity_equals_that_of_node() -> None:
    assert [
        (source, flags) for source, flags, answers in ROWS if (compiled(source, flags) is None) != (answers is None)
    ] == []


def test_answers_and_first_spans_equal_those_of_node() -> None:
    wrong = []
    for source, flags, answers in ROWS:
        pattern = compiled(source, flags)
        if pattern is None or answers is None:
            continue
        for text, spans in zip(TEXTS, answers, strict=True):
            first = code_points(text, spans[0]) if spans else None
            if pattern.test(text) != bool(spans) or pattern.search(text) != first:
                wrong.append((source, flags, text))
    assert wrong == []


def test_all_spans_equal_those_of_node() -> None:
    wrong = []
    for source, flags, answers in ROWS:
        pattern = compiled(source, flags)
        if pattern is None or answers is None:
            continue
        for text, spans in zip(TEXTS, answers, strict=True):
            if all(char <= "\uffff" for char in text) and [list(span) for span in pattern.find_all(text, 12)] != spans:
                wrong.append((source, flags, text))
    assert wrong == []


def test_newer_syntax_than_node_20_is_taken_as_browsers_do() -> None:
    assert ecma.compile("(?i:hello) World", "").test("HELLO World")
    assert ecma.compile("(?:(?<day>mon)|(?<day>tue))", "").test("tue")


@pytest.mark.parametrize(
    ("key", "source", "flags"),
    [
        ("/hello/", "hello", ""),
        ("/hello/i", "hello", "i"),
        ("/a b/gimsuy", "a b", "gimsuy"),
        ("/and\\/or/i", "and/or", "i"),
        ("/a\\/b\\/c/", "a/b\\/c", ""),
        ("/a\\\\/b/", "a\\/b", ""),
        ("/line\nbreak/", "line\nbreak", ""),
        ("/(storm|heavy, cold rain)/i", "(storm|heavy, cold rain)", "i"),
        ("/\\x01{1}Mira:/", "\\x01{1}Mira:", ""),
        ("/猫/u", "猫", "u"),
    ],
)
def test_keys_that_are_patterns(key: str, source: str, flags: str) -> None:
    assert ecma.parse_key(key) == ecma.RegexKey(source, flags)
    assert ecma.why_not_regex(key) is None


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("/abc", "no closing slash at offset 4"),
        ("/", "no closing slash at offset 1"),
        ("//", "nothing between the slashes at offset 1"),
        ("///", "unescaped slash at offset 1"),
        ("/and/or/i", "unescaped slash at offset 4"),
        ("/a/b/", "unescaped slash at offset 2"),
        ("/abc/q", 'unknown flag "q" at offset 5'),
        ("/abc/iv", 'unknown flag "v" at offset 6'),
        ("/abc/d", 'unknown flag "d" at offset 5'),
        ("/abc/I", 'unknown flag "I" at offset 5'),
        ("/home/user", "text after the last slash at offset 6"),
        ("/abc/ i", "text after the last slash at offset 5"),
        ("/abc/i\n", "text after the last slash at offset 5"),
        ("/abc/gig", 'flag "g" given twice at offset 7'),
        ("/(/", "unterminated group at offset 2"),
        ("/[b-a]/i", "range out of order in character class at offset 5"),
        ("/\\p{Foo}/u", "invalid property name at offset 8"),
        ("/a\\/(/", "unterminated group at offset 5"),
        ("/a\\/", "\\ at end of pattern at offset 3"),
    ],
)
def test_keys_that_fail_to_be_patterns(key: str, reason: str) -> None:
    assert ecma.parse_key(key) is None
    found = ecma.why_not_regex(key)
    assert found is not None
    assert found.startswith(reason)


@pytest.mark.parametrize("key", ["", "hello", " /hello/", "hello/i", "\\/x/"])
def test_plain_keys_need_no_reason(key: str) -> None:
    assert ecma.parse_key(key) is None
    assert ecma.why_not_regex(key) is None


def test_reason_without_an_offset_stands_alone() -> None:
    assert ecma._described(ecma.PatternError("too clever", None), "a") == "too clever"


def test_flags_without_memory() -> None:
    pattern = ecma.compile("bell", "g")
    assert pattern.test("bell")
    assert pattern.test("bell")
    sticky = ecma.compile("bell", "y")
    assert sticky.test("bell bell")
    assert not sticky.test("\x01bell")
    assert sticky.find_all("bellbell bell", 9) == ((0, 4), (4, 8))


def test_find_all_stops_at_its_limit() -> None:
    assert ecma.compile("a", "").find_all("aaaa", 2) == ((0, 1), (1, 2))
    assert ecma.compile("a", "").find_all("aaaa", 1) == ((0, 1),)
    assert ecma.compile("a", "").find_all("aaaa", 0) == ()
    assert ecma.compile("", "").find_all("ab", 9) == ((0, 0), (1, 1), (2, 2))


def test_lone_surrogates_in_the_text() -> None:
    assert ecma.compile("\\ude00b", "").search("a\ude00b") == (1, 3)
    assert ecma.compile("^.$", "u").test("\ud83d")


def test_compiled_patterns_are_kept() -> None:
    assert ecma.compile("kept", "i") is ecma.compile("kept", "i")
    assert ecma.compile("kept", "i", 0.1).timeout == 0.1


@pytest.mark.parametrize(
    ("source", "flags", "reason", "offset"),
    [
        ("(", "", "unterminated group", 1), ("𐀀(𐀀", "", "unterminated group", 3), ("𐀀(𐀀", "u", "unterminated group", 3),
        ("a", "x", "invalid flag 'x' in \"x\"", None),
    ],
)  # fmt: skip
def test_rejected_pattern_says_where(source: str, flags: str, reason: str, offset: int | None) -> None:
    for _ in range(2):
        with pytest.raises(ecma.PatternError) as caught:
            ecma.compile(source, flags)
        assert (caught.value.reason, caught.value.offset) == (reason, offset)


@pytest.mark.parametrize("method", ["test", "search", "find_all"])
def test_catastrophic_pattern_returns_in_time(method: str) -> None:
    text = "a" * 40 + "!"
    pattern = ecma.compile("(a+)+\\1$", "")
    ask: dict[str, Callable[[], object]] = {
        "test": lambda: pattern.test(text),
        "search": lambda: pattern.search(text),
        "find_all": lambda: pattern.find_all(text, 5),
    }
    seconds = []
    for _ in range(3):  # the best of three, as other work may hold the processor
        started = time.monotonic()
        assert not ecma.compile("(a+)+$", "").test(text)
        with pytest.raises(ecma.PatternTimeout, match="no answer within its limit") as caught:
            ask[method]()
        assert (caught.value.source, caught.value.flags) == ("(a+)+\\1$", "")
        seconds.append(time.monotonic() - started)
        if seconds[-1] < 0.5:
            break
    assert min(seconds) < 0.5


def test_other_threads_run_while_a_pattern_does() -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    with pytest.raises(ecma.PatternTimeout):
        ecma.compile("(a+)+\\1$", "").test("a" * 40 + "!")
    done.set()
    ticker.join()
    assert len(ticks) >= 5


def test_slow_matches_after_the_first_are_left_out() -> None:
    started = time.monotonic()
    assert ecma.compile("b|(a+)+\\1$", "").find_all("bb" + "a" * 40 + "!b", 5) == ((0, 1), (1, 2))
    assert time.monotonic() - started < 1


@pytest.mark.parametrize("source", ["(" * 2000 + ")" * 2000, "x" * (2**20 + 1)])
def test_too_large_pattern_is_a_pattern_without_an_answer(source: str) -> None:
    key = ecma.parse_key(f"/{source}/")
    assert key is not None
    with pytest.raises(ecma.PatternTimeout) as caught:
        ecma.compile(key.source, key.flags).test("x")
    assert "too large" in caught.value.found
