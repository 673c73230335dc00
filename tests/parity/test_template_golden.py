"""Books made from the templates, and books with folders, as the real program scanned them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from lorebook_tui.workspace.templates import built_in
from tests.parity.compare import differences
from tests.parity.run import run

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "convert" / "templates.jsonl.gz"
CASES: dict[str, dict[str, Any]] = {
    case["ask"]["id"]: case for case in map(json.loads, gzip.decompress(GOLDEN.read_bytes()).splitlines())
}


@pytest.mark.parametrize("name", CASES)
def test_the_real_program_gave_the_same(name: str) -> None:
    case = CASES[name]
    assert list(differences(case["answer"], run(case["ask"]))) == []


def test_every_recipe_was_played_by_the_real_program() -> None:
    assert {template.name for template in built_in() if template.group == "Recipes"} <= CASES.keys()
    for name, case in CASES.items():
        assert any(each["activated"] for each in case["answer"].get("runs", [{"activated": [1]}])), name


def test_folders_change_nothing_in_the_real_program() -> None:
    before, after = (
        [(each["activated"], each["worldInfoBefore"], each["loops"]) for each in CASES[name]["answer"]["runs"]]
        for name in ("folders-before", "folders-after")
    )
    assert before == after
    book = CASES["folders-import"]["answer"]["book"]
    assert book == CASES["folders-import"]["ask"]["import"]["data"], "the application keeps all of it"
    made = CASES["folders-export"]["answer"]["character_book"]["entries"]
    assert [each["extensions"].get("lorebook_tui") for each in made] == [
        {"folder": "World/Sounds"}, None, None, {"folder": "World/Sounds"}, None,
    ]  # fmt: skip
