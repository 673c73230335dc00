from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook_tui.tokens.bpe import BpeCounter
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tokens.nearest import NEAREST, NearestCounter

GOLDEN = Path(__file__).parents[2] / "golden/tokens"
TEXTS: list[str] = [row[0] for row in json.loads((GOLDEN / "counts.json").read_text(encoding="utf-8"))]
SEEN: dict[str, list[int]] = json.loads((GOLDEN / "families.json").read_text(encoding="utf-8"))

LATIN = "Sotto l'approdo pende una campana che nessuno ha fuso."
CYRILLIC = "Под пристанью висит колокол, который никто не отливал."
HAN = "渡口下面挂着一口没有人铸造过的钟。"


# The recorded texts hold Arabic, Hindi and Thai too, which the second line spells in bytes.
@pytest.mark.parametrize(
    ("family", "tolerance"),
    [
        *((name, 0.1) for name in ("llama", "llama3", "mistral", "claude", "gemma")),
        *((name, 0.31) for name in ("yi", "jamba", "nerd", "nerd2", "gpt2")),
    ],
)
def test_totals_stay_near_those_of_the_real_tokenizer(family: str, tolerance: float) -> None:
    nearest = NearestCounter(family, family)
    ours = sum(nearest.count(TEXTS[index] + "\n") for index in SEEN["texts"])
    assert ours / sum(SEEN[family]) == pytest.approx(1, abs=tolerance)
    assert nearest.approximate


def test_script_of_the_text_chooses_the_stand_in() -> None:
    llama3 = NearestCounter("llama3", "llama3")
    assert llama3.count(LATIN) == BpeCounter("x", "cl100k_base").count(LATIN)
    assert llama3.count(CYRILLIC) == BpeCounter("x", "o200k_base").count(CYRILLIC)
    assert llama3.count(HAN) == BpeCounter("x", "o200k_base").count(HAN)
    jamba = NearestCounter("jamba", "jamba")
    assert jamba.count(CYRILLIC) == EstimateCounter().count(CYRILLIC)
    assert jamba.count(HAN) == BpeCounter("x", "cl100k_base").count(HAN)


def test_running_count_follows_a_change_of_script() -> None:
    nearest = NearestCounter("llama3", "llama3")
    running = nearest.running()
    assert running.total == 0
    assert running.add(LATIN) == nearest.count(LATIN)
    assert running.add(CYRILLIC * 3) == running.total == nearest.count(LATIN + CYRILLIC * 3)


def test_basis_names_every_stand_in_once() -> None:
    assert NearestCounter("llama", "llama").basis == "cl100k_base"
    assert NearestCounter("llama3", "llama3").basis == "cl100k_base or o200k_base"


def test_every_family_counts_empty_text_as_nothing() -> None:
    assert {NearestCounter(family, family).count("") for family in NEAREST} == {0}
