from __future__ import annotations

import pytest

from lorebook_tui.engine.chance import Chance, Draw, RandomState
from lorebook_tui.model.scenario import RandomSource

MASK = 0xFFFFFFFF


def unsigned_right(value: int, count: int) -> int:
    return (value & MASK) >> count


def imul(left: int, right: int) -> int:
    """The low half of a product of 32-bit numbers, as a signed number."""
    product = (left & MASK) * (right & MASK) & MASK
    return product - 2**32 if product & 0x80000000 else product


def mulberry32(seed: int, count: int) -> list[float]:
    """The generator by its definition, with signed 32-bit numbers as JavaScript has them."""
    found = []
    state = seed
    for _ in range(count):
        state = state + 0x6D2B79F5 & MASK
        mixed = imul(state ^ unsigned_right(state, 15), state | 1)
        mixed = (mixed + imul(mixed ^ unsigned_right(mixed, 7), mixed | 61)) ^ mixed
        found.append(unsigned_right(mixed ^ unsigned_right(mixed, 14), 0) / 4294967296)
    return found


def drawn(source: RandomSource, count: int) -> list[float]:
    chance = Chance(RandomState.start(source))
    return [chance.draw() for _ in range(count)]


@pytest.mark.parametrize("seed", [0, 1, 7, 12345, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF])
def test_seed_gives_mulberry32(seed: int) -> None:
    assert drawn(RandomSource(seed), 200) == mulberry32(seed & MASK, 200)


def test_first_numbers_of_seed_one() -> None:
    assert drawn(RandomSource(1), 3) == [0.6270739405881613, 0.002735721180215478, 0.5274470399599522]


def test_seed_is_cut_to_32_bits() -> None:
    assert drawn(RandomSource(2**40 + 5), 3) == drawn(RandomSource(5), 3)
    assert drawn(RandomSource(-1), 3) == drawn(RandomSource(0xFFFFFFFF), 3)


def test_list_of_numbers_runs_out_at_one_half() -> None:
    chance = Chance(RandomState.start(RandomSource(numbers=(0.25, 0.75))))
    assert [chance.draw(), chance.draw()] == [0.25, 0.75]
    assert not chance.state.exhausted
    assert [chance.draw(), chance.draw()] == [0.5, 0.5]
    assert chance.state.exhausted


def test_empty_list_of_numbers_is_no_seed() -> None:
    assert drawn(RandomSource(9, numbers=()), 2) == [0.5, 0.5]


@pytest.mark.parametrize("source", [RandomSource(3), RandomSource(numbers=(0.1, 0.2, 0.3, 0.4))])
def test_stored_state_continues_the_stream(source: RandomSource) -> None:
    whole = drawn(source, 4)
    chance = Chance(RandomState.start(source))
    first = [chance.draw(), chance.draw()]
    later = Chance(chance.state)
    assert [*first, later.draw(), later.draw()] == whole


@pytest.mark.parametrize(
    ("value", "percent", "passed"),
    [
        (0.5, 50, True),
        (0.500001, 50, False),
        (0, 0, True),
        (1e-9, 0, False),
        (0.999999, 100, True),
        (0, float("nan"), False),
    ],
)
def test_roll_passes_up_to_its_percentage(value: float, percent: float, passed: bool) -> None:
    chance = Chance(RandomState.start(RandomSource(numbers=(value,))))
    chance.turn_pass = 3
    assert chance.roll(4, percent) is passed
    assert chance.log == [Draw(value, "probability", 3, index=4, passed=passed)]


def test_draws_are_logged_with_their_purpose() -> None:
    chance = Chance(RandomState.start(RandomSource(numbers=(0.1, 0.2, 0.3))), turn_pass=2)
    chance.for_group("g")
    assert chance.for_macro() == 0.2
    chance.draw()
    assert chance.log == [Draw(0.1, "group", 2, group="g"), Draw(0.2, "macro", 2)]
