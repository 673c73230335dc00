from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.required import required_literals

LETTERS = "aAbkKsSſKвВᲀоОᲂёЁσςΣμµβϐİıßẞ猫京가1 .-'"
ATOMS = st.sampled_from(
    [
        *(char if char != "." else "\\." for char in LETTERS),
        ".",
        "\\w",
        "\\b",
        "\\d",
        "^",
        "$",
        "[Вв]",
        "[аАa]",
        "[^b]",
        "[a-k]",
        "[\\]k]",
        "\\x41",
        "\\u0412",
        "\\u{41}",
        "\\u{2}",
        "\\n",
        "\\x01",
        "\\1",
        "\\p{L}",
        "\\p{2}",
        "\\cA",
        "{",
        "}",
        "]",
        "😀",
        "\\k",
        "\\ud83d",
        "[]",
        "[^]",
        "\\t",
        "\\/",
    ]
)
QUANTIFIERS = st.sampled_from(
    ["", "", "", "", "*", "+", "?", "{2}", "{1,2}", "{0}", "{2,}", "+?", "{0,1}?", "{1,1}", "{33}"]
)


def join_sequence(items: list[tuple[str, str]]) -> str:
    return "".join(atom + quantifier for atom, quantifier in items)


def extend(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    opener = st.sampled_from(["(", "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", "(?i:", "(?-i:", "(?m-s:"])
    group = st.builds(lambda start, body: f"{start}{body})", opener, inner)
    sequence = st.lists(st.tuples(ATOMS | group, QUANTIFIERS), max_size=5).map(join_sequence)
    return st.lists(sequence, min_size=1, max_size=3).map("|".join)


PATTERNS = st.recursive(st.lists(st.tuples(ATOMS, QUANTIFIERS), max_size=5).map(join_sequence), extend, max_leaves=6)
TEXTS = st.lists(
    st.sampled_from([*LETTERS, "\n", "\x01", "😀", "\ud83d", "\x08", "\t", "/", "n", "u", "p"]), max_size=12
).map("".join)


def broken(pattern: ecma.Pattern, literals: tuple[str, ...], text: str) -> bool:
    pieces = lower(text).replace("\x01", "\n").split("\n")
    return not any(literal in piece for piece in pieces for literal in literals) and pattern.test(text)


@given(
    source=PATTERNS,
    flags=st.sampled_from(["", "i", "u", "iu", "is", "m"]),
    texts=st.lists(TEXTS, min_size=8, max_size=8),
)
@settings(max_examples=600, deadline=None)
def test_every_match_holds_a_literal(source: str, flags: str, texts: list[str]) -> None:
    try:
        pattern = ecma.compile(source, flags)
    except ecma.PatternError:
        assume(condition=False)
    literals = required_literals(source, flags)
    assert literals is None or "" not in literals
    assert literals is None or [text for text in texts if broken(pattern, literals, text)] == []


@pytest.mark.parametrize("seed", range(4))
def test_matches_grown_from_the_pattern_hold_a_literal(seed: int) -> None:
    """Texts made by writing out plain patterns with another case or a relative, so that most of them match."""
    rng = random.Random(seed)
    twins = {
        "s": "sSſ",
        "k": "kKK",
        "в": "вВᲀ",
        "о": "оОᲂ",
        "т": "тТᲄᲅ",
        "а": "аА",
        "ё": "ёЁ",
        "μ": "μΜµ",
        "ι": "ιΙ\u0345\u1fbe",
        "猫": "猫",
        "1": "1",
        "ß": "ßẞ",
        "σ": "σΣς",
    }
    matches = 0
    for _ in range(1500):
        letters = [rng.choice(list(twins)) for _ in range(rng.randint(1, 6))]
        source = "".join(letter + rng.choice(["", "", "+", "?", "{1,2}"]) for letter in letters)
        flags = rng.choice(["i", "iu"])
        literals = required_literals(source, flags)
        text = "".join(rng.choice(twins[letter]) for letter in letters)
        pattern = ecma.compile(source, flags)
        matches += pattern.test(text)
        assert literals is None or not broken(pattern, literals, text), (source, flags, text)
    assert matches > 500
