from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook_tui.tokens.bpe import BpeCounter
from lorebook_tui.tokens.chat import ChatCounter, Route, route
from lorebook_tui.tokens.registry import counter
from lorebook_tui.tokens.sillytavern import DOWNLOADED

OBSERVED: dict[str, list[str]] = json.loads(
    (Path(__file__).parents[2] / "golden/tokens/routes.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("seen", list(OBSERVED))
def test_models_go_where_sillytavern_sent_them(seen: str) -> None:
    tokenizer, overhead = seen.split()
    for model in OBSERVED[seen]:
        way = route(model)
        counted_with = "llama3" if way.tokenizer in DOWNLOADED else way.tokenizer
        assert (counted_with, way.overhead) == (tokenizer, int(overhead)), model


@pytest.mark.parametrize(
    ("model", "way"),
    [
        ("gpt-4o", Route("o200k_base", 6)),
        ("gpt-4.1-mini", Route("o200k_base", 6)),
        ("gpt-5", Route("o200k_base", 6)),
        ("o1", Route("o200k_base", 6)),
        ("o3-mini", Route("o200k_base", 6)),
        ("o4-mini", Route("o200k_base", 6)),
        ("gpt-4", Route("cl100k_base", 6)),
        ("gpt-3.5-turbo", Route("cl100k_base", 6)),
        ("gpt-3.5-turbo-0301", Route("cl100k_base", 16)),
        ("Claude-3-Opus", Route("claude", 0)),
        ("anthropic/claude-3", Route("claude", 0)),
        ("deepseek-chat", Route("deepseek", 0)),
        ("text-davinci-003", Route("p50k_base", 6)),
        ("text-ada-001", Route("r50k_base", 6)),
        ("somebody's model", Route("cl100k_base", 6)),
        ("", Route("cl100k_base", 6)),
    ],
)
def test_well_known_models(model: str, way: Route) -> None:
    assert route(model) == way


@pytest.mark.parametrize(
    ("model", "text", "tokens"),
    [
        ("gpt-4o", "", 0),
        ("gpt-4o", "Hello world.\n", 9),
        ("gpt-4o", "Привет, мир\n", 11),
        ("gpt-4o", "<|endoftext|>\n", 6),
        ("gpt-4o", "x <|endoftext|> y\n", 6),
        ("gpt-4o", "<|fim_prefix|>\n", 12),
        ("gpt-4", "<|fim_prefix|>\n", 6),
        ("gpt-3.5-turbo", "京都の猫\n", 13),
    ],
)
def test_counts_seen_in_sillytavern(model: str, text: str, tokens: int) -> None:
    assert counter(f"chat:{model}").count(text) == tokens


def test_running_chat_is_one_growing_message() -> None:
    running = ChatCounter("chat:gpt-4", BpeCounter("openai", "cl100k_base"), 6).running()
    assert running.total == 0
    assert running.add("") == 0
    assert running.add("Hello") == 7
    assert running.add(" world.") == running.total == 9
    assert running.add("<|endoftext|>") == 6


def test_unshipped_chat_tokenizers_are_marked() -> None:
    assert counter("chat:claude-3-opus").approximate
    assert counter("chat:claude-3-opus").count("") == 0
    assert not counter("chat:gpt-4o").approximate
    assert counter("chat:gpt-4o").basis == "o200k_base"
