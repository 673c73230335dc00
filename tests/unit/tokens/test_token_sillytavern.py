from __future__ import annotations

import importlib.util
import json
import os
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from lorebook_tui.errors import UnreadableError, UnsupportedError
from lorebook_tui.tokens.registry import counter
from lorebook_tui.tokens.sillytavern import FAMILIES, FileCounter, family_counter, find_file

GOLDEN = Path(__file__).parents[2] / "golden/tokens"
WORD_LEVEL = json.dumps(
    {
        "version": "1.0",
        "added_tokens": [],
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "[B]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}}],
            "pair": [{"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"[B]": {"id": "[B]", "ids": [0], "tokens": ["[B]"]}},
        },
        "model": {"type": "WordLevel", "vocab": {"[B]": 0, "bell": 1, "[U]": 2}, "unk_token": "[U]"},
    }
)


class WordProcessor:
    """Stands for sentencepiece: a token for each word."""

    def __init__(self, *, model_proto: bytes) -> None:
        if model_proto != b"a model":
            raise RuntimeError("Internal: could not parse ModelProto")

    def encode(self, text: str) -> list[str]:
        text.encode()
        return text.split()


class WordTokenizer:
    """Stands for tokenizers.Tokenizer: a token for each word, and a start token if asked for."""

    @staticmethod
    def from_str(text: str) -> WordTokenizer:
        if text != "{}":
            raise ValueError("expected value at line 1")
        return WordTokenizer()

    def encode(self, text: str, *, add_special_tokens: bool = True) -> SimpleNamespace:
        return SimpleNamespace(ids=["<s>"] * add_special_tokens + text.split())


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    inner = tmp_path / "src" / "tokenizers"
    inner.mkdir(parents=True)
    for family in FAMILIES.values():
        (inner / family.file_name).write_bytes(b"a model" if family.package == "sentencepiece" else b"{}")
    (tmp_path / "data" / "default-user").mkdir(parents=True)
    for name, members in (
        ("sentencepiece", {"SentencePieceProcessor": WordProcessor}),
        ("tokenizers", {"Tokenizer": WordTokenizer}),
    ):
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    return tmp_path


@pytest.mark.parametrize("name", list(FAMILIES))
def test_every_family_is_read_from_the_folder(name: str, folder: Path) -> None:
    found = counter(name, folder)
    assert found.count("three small words") == 3
    assert found.count("") == 0
    assert found.count("lone \ud83d half") == 3
    assert not found.approximate
    assert found.basis == FAMILIES[name].file_name


def test_running_count_counts_the_whole_text(folder: Path) -> None:
    running = counter("llama", folder).running()
    assert running.total == 0
    assert running.add("one tw") == 2
    assert running.add("") == 2
    assert running.add("o three") == running.total == 3


@pytest.mark.parametrize("inner", ["", "src", "src/tokenizers", "data", "data/default-user"])
def test_any_folder_of_the_installation_will_do(inner: str, folder: Path) -> None:
    found = find_file(folder / inner, "llama")
    assert found is not None
    assert found.samefile(folder / "src" / "tokenizers" / "llama.model")


def test_downloaded_tokenizer_is_used_once_it_is_there(folder: Path) -> None:
    before = family_counter("qwen2", folder)
    assert before.approximate
    assert before.basis == "llama3.json"
    (folder / "data" / "_cache").mkdir()
    (folder / "data" / "_cache" / "qwen2.json").write_text("{}", encoding="utf-8")
    after = family_counter("qwen2", folder)
    assert not after.approximate
    assert after.basis == "qwen2.json"
    assert after.count("two words") == 2


def test_best_match_is_llama_under_its_own_name(folder: Path) -> None:
    found = counter("best_match", folder)
    assert (found.name, found.basis) == ("best_match", "llama.model")


def test_missing_file_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="claude is not in this SillyTavern folder") as caught:
        counter("claude", tmp_path)
    assert caught.value.where == str(tmp_path)
    assert caught.value.expected.endswith("claude.json")


@pytest.mark.parametrize("package", ["sentencepiece", "tokenizers"])
def test_missing_package_is_explained(package: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    name = next(name for name, family in FAMILIES.items() if family.package == package)
    with pytest.raises(UnsupportedError, match=f"needs the package {package}") as caught:
        family_counter(name, folder).count("a")
    assert "st-tokenizers" in caught.value.hint


@pytest.mark.parametrize("name", ["llama", "claude"])
def test_damaged_file_is_explained(name: str, folder: Path) -> None:
    (folder / "src" / "tokenizers" / FAMILIES[name].file_name).write_bytes(b"\xff\xfe")
    with pytest.raises(UnreadableError, match="cannot be read as a tokenizer"):
        family_counter(name, folder).count("a")


@pytest.mark.skipif(importlib.util.find_spec("tokenizers") is None, reason="needs the extra st-tokenizers")
def test_real_tokenizers_package_adds_no_start_token(tmp_path: Path) -> None:
    path = tmp_path / "claude.json"
    path.write_text(WORD_LEVEL, encoding="utf-8")
    assert FileCounter("claude", path, "tokenizers").count("bell bell bell") == 3


@pytest.mark.skipif("LOREBOOK_SILLYTAVERN" not in os.environ, reason="set LOREBOOK_SILLYTAVERN to a SillyTavern folder")
@pytest.mark.parametrize("name", list(FAMILIES))
def test_counts_equal_those_recorded_from_sillytavern(name: str) -> None:
    texts = [row[0] for row in json.loads((GOLDEN / "counts.json").read_text(encoding="utf-8"))]
    seen: dict[str, list[int]] = json.loads((GOLDEN / "families.json").read_text(encoding="utf-8"))
    found = counter(name, Path(os.environ["LOREBOOK_SILLYTAVERN"]))
    assert [found.count(texts[index] + "\n") for index in seen["texts"]] == seen[name]
