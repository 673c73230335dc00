from __future__ import annotations

import gzip
import hashlib
import importlib
import json
import socket
import sys
import threading
from importlib import resources
from pathlib import Path
from typing import NoReturn

import pytest

from lorebook_tui.errors import UnreadableError, UnsupportedError
from lorebook_tui.tokens import bpe
from lorebook_tui.tokens.bpe import VOCABULARIES, BpeCounter, last_safe_split, read_ranks

RECORDED: list[tuple[str, int, int]] = [
    tuple(row)
    for row in json.loads((Path(__file__).parents[2] / "golden/tokens/counts.json").read_text(encoding="utf-8"))
]
SHA256 = {
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
}


@pytest.fixture
def nothing_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bpe, "_loaded", {})


@pytest.mark.parametrize("name", list(VOCABULARIES))
def test_shipped_file_is_the_official_one_and_written_without_a_clock(name: str) -> None:
    data = (resources.files("lorebook_tui.tokens") / "data" / f"{name}.tiktoken.gz").read_bytes()
    assert hashlib.sha256(gzip.decompress(data)).hexdigest() == SHA256[name]
    assert data[4:8] == b"\0\0\0\0"


@pytest.mark.parametrize("name", list(VOCABULARIES))
def test_pattern_and_special_tokens_equal_those_of_tiktoken(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    official = importlib.import_module("tiktoken_ext.openai_public")
    ranks: dict[bytes, int] = {b"a": 0}
    hashes: list[str] = []

    def load(_url: str, expected_hash: str) -> dict[bytes, int]:
        hashes.append(expected_hash)
        return ranks

    monkeypatch.setattr(official, "load_tiktoken_bpe", load)
    arguments = getattr(official, name)()
    assert arguments["pat_str"] == VOCABULARIES[name].pattern
    assert arguments["special_tokens"] == VOCABULARIES[name].special_tokens
    assert arguments["name"] == name
    assert hashes == [SHA256[name]]


@pytest.mark.parametrize("column", [1, 2])
def test_counts_equal_those_recorded_from_npm_tiktoken(column: int) -> None:
    counter = BpeCounter("x", ["", "cl100k_base", "o200k_base"][column])
    assert len(RECORDED) == 300
    assert [counter.count(row[0]) for row in RECORDED] == [row[column] for row in RECORDED]


@pytest.mark.usefixtures("nothing_loaded")
def test_counting_opens_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_args: object, **_kwargs: object) -> NoReturn:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert BpeCounter("openai", "cl100k_base").count("Hello world.") == 3
    assert BpeCounter("o200k_base", "o200k_base").count("Привет, мир!") == 5


@pytest.mark.parametrize(
    ("vocabulary", "text", "tokens"),
    [
        ("cl100k_base", "x <|endoftext|> y", 0),
        ("cl100k_base", "<|fim_prefix|>", 0),
        ("o200k_base", "<|fim_prefix|>", 6),
        ("o200k_base", "<|endofprompt|>", 0),
        ("cl100k_base", "<|im_start|>", 6),
        ("cl100k_base", "", 0),
    ],
)
def test_text_with_a_special_token_counts_nothing(vocabulary: str, text: str, tokens: int) -> None:
    assert BpeCounter("x", vocabulary).count(text) == tokens


def test_stand_in_takes_special_tokens_as_text() -> None:
    assert BpeCounter("llama", "cl100k_base", approximate=True).count("<|endoftext|>") == 7


def test_lone_surrogates_count_as_the_replacement_character() -> None:
    counter = BpeCounter("openai", "cl100k_base")
    assert counter.count("a\ud83db") == counter.count("a\ufffdb")


@pytest.mark.parametrize("blank", [" ", "\n", "\u3000"])
def test_endless_white_space_does_not_break_the_encoder(blank: str) -> None:
    counter = BpeCounter("o200k_base", "o200k_base")
    tokens = counter.count(f"x{blank * 1_100_000}y z")
    assert 1_000 < tokens < 1_100_100
    running = counter.running()
    running.add(f"x{blank * 1_100_000}")
    assert running.add("y z") == tokens


def test_special_token_that_forms_across_pieces_refuses_the_rest() -> None:
    running = BpeCounter("openai", "cl100k_base").running()
    assert running.add("some words <|endof") > 0
    assert running.add("text|> more") == 0
    assert running.add(" and more") == running.total == 0


def test_running_count_encodes_only_what_follows_the_last_safe_split() -> None:
    encoded: list[str] = []

    class Spy(BpeCounter):
        def count_ordinary(self, text: str) -> int:
            encoded.append(text)
            return super().count_ordinary(text)

    running = Spy("openai", "cl100k_base").running()
    running.add("The bell rings. " * 1_000 + "\n")
    encoded.clear()
    assert running.add("Mira waits.\n") == BpeCounter("openai", "cl100k_base").count(
        "The bell rings. " * 1_000 + "\nMira waits.\n"
    )
    assert sum(map(len, encoded)) < 40


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("", 0),
        ("word", 0),
        ("two words", 3),
        ("two  words", 3),
        (" x", 0),
        ("line\nnext", 5),
        ("path!\n/x", 0),
        ("a\r\nb", 3),
        ("a b\n", 1),
        ("x y" + "z" * 400, 1),
    ],
)
def test_safe_split_is_before_a_space_or_after_a_line_end(text: str, split: int) -> None:
    assert last_safe_split(text) == split


@pytest.mark.usefixtures("nothing_loaded")
def test_encoding_is_built_once_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def slow_read(name: str) -> dict[bytes, int]:
        read.append(name)
        return ranks

    ranks = read_ranks("cl100k_base")
    monkeypatch.setattr(bpe, "read_ranks", slow_read)
    counts: list[int] = []
    threads = [
        threading.Thread(target=lambda: counts.append(BpeCounter("x", "cl100k_base").count("Hello world.")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts == [3, 3, 3, 3]
    assert read == ["cl100k_base"]


@pytest.mark.usefixtures("nothing_loaded")
def test_missing_tiktoken_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(UnsupportedError, match="needs the package tiktoken") as caught:
        BpeCounter("openai", "cl100k_base").count("a")
    assert "estimate" in caught.value.hint


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"not gzip",
        gzip.compress(b"only-one-column\n"),
        gzip.compress(b"YQ== x\n"),
        gzip.compress(b"YQ== 0\n")[:-4],
    ],
    ids=["missing", "not packed", "one column", "no rank", "cut"],
)
def test_damaged_vocabulary_is_explained(
    content: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    if content is not None:
        (tmp_path / "data" / "cl100k_base.tiktoken.gz").write_bytes(content)
    monkeypatch.setattr(resources, "files", lambda _package: tmp_path)
    with pytest.raises(UnreadableError, match="cl100k_base cannot be read") as caught:
        read_ranks("cl100k_base")
    assert "install" in caught.value.hint
