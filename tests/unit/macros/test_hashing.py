"""The hash and the generator behind `{{pick}}`, against the values their authors give."""

from __future__ import annotations

import pytest

from lorebook_tui.engine.macros.hashing import cyrb53
from lorebook_tui.engine.macros.seedrandom import SeedRandom
from lorebook_tui.engine.macros.units import code_units, unit_offset


@pytest.mark.parametrize(
    ("text", "seed", "expected"),
    [
        ("a", 0, 7929297801672961),
        ("b", 0, 8684336938537663),
        ("revenge", 0, 4051478007546757),
        ("revenue", 0, 8309097637345594),
        ("revenue", 1, 8697026808958300),
        ("revenue", 2, 2021074995066978),
        ("revenue", 3, 4747903550515895),
    ],
)
def test_cyrb53(text: str, seed: int, expected: int) -> None:
    assert cyrb53(text, seed) == expected


def test_hash_counts_in_utf16_units() -> None:
    assert cyrb53("😀") == cyrb53("\ud83d\ude00")
    assert list(code_units("a😀")) == [0x61, 0xD83D, 0xDE00]


def test_seedrandom_of_the_library() -> None:
    stream = SeedRandom("hello.")
    assert [stream.next(), stream.next()] == [0.9282578795792454, 0.3752569768646784]


def test_seeds_longer_than_the_key_are_smeared_over_it() -> None:
    assert SeedRandom("x" * 300).next() != SeedRandom("x" * 256).next()
    assert SeedRandom("").next() == SeedRandom("\0").next()


def test_numbers_lie_in_the_unit_interval() -> None:
    stream = SeedRandom("lore")
    assert all(0 <= stream.next() < 1 for _ in range(1000))


@pytest.mark.parametrize(("text", "place", "expected"), [("abc", 2, 2), ("é😀b", 2, 3), ("😀😀", 1, 2), ("", 0, 0)])
def test_places_in_units(text: str, place: int, expected: int) -> None:
    assert unit_offset(text, place) == expected
