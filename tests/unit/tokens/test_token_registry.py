from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.tokens.cache import CachedCounter
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tokens.registry import counter, names

GOLDEN = Path(__file__).parents[2] / "golden/tokens"


def test_every_name_counts() -> None:
    for name in names():
        found = counter("chat:gpt-4o" if name == "chat:MODEL" else name)
        assert found.count("") == 0
        assert found.count("The bell rings.") > 2
        assert found.running().add("The bell rings.") == found.count("The bell rings.")


def test_exact_and_approximate_are_told_apart() -> None:
    exact = {name for name in names() if not counter("chat:gpt-4" if name == "chat:MODEL" else name).approximate}
    assert exact == {"none", "estimate", "openai", "cl100k_base", "o200k_base", "chat:MODEL"}


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match='No tokenizer is called "gpt9"') as caught:
        counter("gpt9")
    assert "openai" in caught.value.expected
    assert "chat:MODEL" in caught.value.expected


def test_same_name_is_the_same_counter() -> None:
    assert counter("openai") is counter(" openai ")
    assert counter("OpenAI").name == "openai"
    assert counter("chat:GPT-4o").name == "chat:GPT-4o"


@pytest.mark.parametrize("name", ["none", "openai", "chat:gpt-4o"])
def test_counts_equal_those_recorded_from_sillytavern(name: str) -> None:
    texts = [row[0] for row in json.loads((GOLDEN / "counts.json").read_text(encoding="utf-8"))]
    seen: dict[str, list[int]] = json.loads((GOLDEN / "families.json").read_text(encoding="utf-8"))
    assert [counter(name).count(texts[index] + "\n") for index in seen["texts"]] == seen[name]


def test_importing_the_registry_loads_no_tokenizer() -> None:
    code = "import sys, lorebook_tui.tokens.registry as r; r.counter('openai'); r.counter('chat:claude'); print([m for m in ('tiktoken', 'regex', 'sentencepiece', 'tokenizers') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


class Tally(EstimateCounter):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__("tally")
        self.asked: list[str] = []

    def count(self, text: str) -> int:
        self.asked.append(text)
        return super().count(text)


def test_cache_counts_each_text_once() -> None:
    tally = Tally()
    cached = CachedCounter(tally)
    assert [cached.count("abcd"), cached.count("abcd"), cached.count(""), cached.count("")] == [2, 2, 0, 0]
    assert tally.asked == ["abcd", ""]


def test_cache_forgets_the_least_recently_asked() -> None:
    tally = Tally()
    cached = CachedCounter(tally, characters_kept=10)
    for text in ("aaaa", "bbbb", "aaaa", "cccc", "aaaa", "bbbb"):
        cached.count(text)
    assert tally.asked == ["aaaa", "bbbb", "cccc", "bbbb"]


def test_text_longer_than_the_cache_is_not_kept() -> None:
    tally = Tally()
    cached = CachedCounter(tally, characters_kept=10)
    assert cached.count("x" * 11) == cached.count("x" * 11) == 4
    assert len(tally.asked) == 2
    cached.count("ab")
    cached.count("ab")
    assert len(tally.asked) == 3


def test_text_counted_by_two_threads_at_once_is_kept_once() -> None:
    class Slow(EstimateCounter):
        """Another caller finishes the same text while this one is still counting."""

        def count(self, text: str) -> int:
            if text == "abcd" and not other:
                other.append(text)
                assert cached.count(text) == 2
            return super().count(text)

    other: list[str] = []
    cached = CachedCounter(Slow(), characters_kept=8)
    assert cached.count("abcd") == 2
    cached.count("efgh")
    other.clear()
    assert cached.count("abcd") == 2
    assert not other, "abcd was forgotten because its length was added twice"
