"""Recorded imports and exports of the real program: each gives the same book here, or is refused like there."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.imports import AGNAI, NOVELAI, RISU, product_of, world_of
from tests.parity.compare import differences
from tests.parity.run import run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "convert"
LINES = gzip.decompress((GOLDEN / "products.jsonl.gz").read_bytes()) + (GOLDEN / "corners.jsonl").read_bytes()
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES.splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["ask"]["id"]))
def test_the_real_program_gave_the_same_book(case: dict[str, Any]) -> None:
    assert list(differences(case["answer"], run(case["ask"]))) == []


def test_there_are_all_kinds_and_refusals() -> None:
    kinds = [product_of(case["ask"].get("import", {}).get("data")) for case in CASES]
    assert min(kinds.count(product) for product in (NOVELAI, AGNAI, RISU)) > 40
    assert sum(case["answer"].get("book", 0) is None for case in CASES) > 30
    assert sum("export" in case["ask"] for case in CASES) > 15


@pytest.mark.parametrize(
    "ask",
    [
        {"import": {"data": {"entries": {}}}, "layers": {}},
        {"import": {"data": {}, "what": 1}},
        {"import": {"kind": "world", "data": {}}},
        {"import": {"kind": "character_book", "data": {}}},
        {"export": {"name": "x", "book": {"entries": {}}, "what": 1}},
    ],
)
def test_nothing_unknown_is_passed_over(ask: dict[str, Any]) -> None:
    assert run({"id": "x", **ask}).keys() == {"id", "error"}


@pytest.mark.parametrize(
    ("value", "where"),
    [
        ({"lorebookVersion": 5}, "entries"),
        ({"kind": "memory", "entries": [{}, None]}, "entries.1"),
        ({"type": "risu", "data": [{"key": 3}]}, "data.0.key"),
        ({"type": "risu", "data": [{"key": "a", "secondkey": ["b"]}]}, "data.0.secondkey"),
        ({"lorebookVersion": 5, "entries": [{"displayName": 3}]}, "entries.0.displayName"),
    ],
)
def test_what_stops_the_importer_is_told_with_its_place(value: dict[str, Any], where: str) -> None:
    product = product_of(value)
    assert product is not None
    with pytest.raises(UnreadableError) as told:
        world_of(value, product)
    assert told.value.where == where
