from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.tokens.bpe import VOCABULARIES, BpeCounter, last_safe_split
from lorebook_tui.tokens.registry import counter

# What decides where the patterns split: every kind of space, letters of each case class, marks, digits, contractions.
PARTS = [
    " ",
    "  ",
    "\n",
    "\r",
    "\t",
    "\x0b",
    "\x1c",
    "\x85",
    "\xa0",
    "\u2028",
    "\u3000",
    "/",
    "!",
    "'",
    "’",
    "s",
    "ll",
    "RE",
    "A",
    "b",
    "Bc",
    "中",
    "ʰ",
    "ǅ",
    "\u0301",
    "1",
    "234",
    "½",
    "😀",
    "\ud83d",
    "\ude00",
    "<|endof",
    "text|>",
    "<|",
    "word",
    "Слово",
    ".",
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=12).map("".join) | st.text(max_size=20)


@pytest.mark.parametrize("name", ["estimate", "cl100k_base", "o200k_base", "chat:gpt-4o", "llama3", "jamba"])
@given(pieces=st.lists(TEXTS, max_size=6))
@settings(max_examples=150, deadline=None)
def test_running_count_equals_counting_the_whole_text(name: str, pieces: list[str]) -> None:
    known = counter(name)
    running = known.running()
    whole = ""
    for piece in pieces:
        whole += piece
        assert running.add(piece) == running.total == known.count(whole)


@pytest.mark.parametrize("vocabulary", list(VOCABULARIES))
@given(text=TEXTS, appended=TEXTS)
@settings(max_examples=300, deadline=None)
def test_safe_split_holds_whatever_is_appended(vocabulary: str, text: str, appended: str) -> None:
    known = BpeCounter("x", vocabulary)
    split = last_safe_split(text)
    whole = text + appended
    assert known.count_ordinary(whole) == known.count_ordinary(whole[:split]) + known.count_ordinary(whole[split:])
