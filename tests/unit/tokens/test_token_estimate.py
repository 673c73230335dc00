from __future__ import annotations

import pytest

from lorebook_tui.tokens.base import well_formed
from lorebook_tui.tokens.estimate import EstimateCounter, utf8_length


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("abc", 1),
        ("abcd", 2),
        ("Hello world.\n", 4),
        ("Привет, мир\n", 7),
        ("京都の猫\n", 4),
        ("😀😀\n", 3),
        ("a" * 67, 20),
        ("a" * 68, 21),
    ],
)
def test_estimate_divides_utf8_bytes(text: str, tokens: int) -> None:
    assert EstimateCounter().count(text) == tokens


@pytest.mark.parametrize(
    ("text", "size"),
    [("a", 1), ("é", 2), ("\ud83d", 3), ("x\ude00y", 5), ("\ud83d\ude00", 4), ("\ude00\ud83d", 6), ("😀\ud83d", 7)],
)
def test_size_is_that_of_a_javascript_text_encoder(text: str, size: int) -> None:
    assert utf8_length(text) == size


def test_well_formed_replaces_only_lone_surrogates() -> None:
    assert well_formed("a\ud83db\ud83d\ude00é") == "a\ufffdb😀é"
    assert well_formed("é") == "é"


def test_running_estimate_joins_a_torn_surrogate_pair() -> None:
    running = EstimateCounter().running()
    assert running.total == 0
    assert running.add("abc\ud83d") == EstimateCounter().count("abc\ud83d") == 2
    assert running.add("\ude00") == EstimateCounter().count("abc😀") == 3
    assert running.add("") == running.total == 3


def test_stand_in_estimate_says_so() -> None:
    assert EstimateCounter("jamba", approximate=True).approximate
    assert not EstimateCounter().approximate
