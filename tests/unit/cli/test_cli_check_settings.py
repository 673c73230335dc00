"""`lorebook check` with SillyTavern's settings.json: its prompt manager and its regex scripts count."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.workspace.settings_file import Extras, extras_from
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

    Run = Callable[..., Result]

SCRIPT: dict[str, Any] = {
    "scriptName": "Strip", "findRegex": "/\\[.*?\\]/g", "replaceString": "", "placement": [5], "promptOnly": True,
}  # fmt: skip
ROWS = [("main", True), ("worldInfoBefore", False), ("mine", True), ("dialogueExamples", False), ("other", False)]
CHAT: dict[str, Any] = {
    "wi_format": "{0}",
    "prompts": [
        {"identifier": "mine", "content": "Today: {{outlet::weather}}"},
        {"identifier": "other", "content": "{{outlet::news}}"},
        {"identifier": "unlisted", "content": "{{outlet::news}}"},
        {"identifier": "worldInfoBefore", "marker": True},
        7,
    ],
    "prompt_order": [
        {"character_id": 100000, "order": []},
        {"character_id": 100001, "order": [{"identifier": name, "enabled": on} for name, on in ROWS]},
    ],
}
SETTINGS: dict[str, Any] = {
    "main_api": "openai",
    "world_info_settings": {"world_info_depth": 2},
    "oai_settings": CHAT,
    "extension_settings": {"regex": [SCRIPT]},
}
ENTRIES = (
    {"key": ["gong"], "content": "The [old] gong hangs.", "position": 0},
    {"key": ["bell"], "content": "The bell.", "position": 7, "outletName": "news"},
    {"key": ["weir"], "content": "The weir.", "position": 5},
)
CODES = {"CNT020", "ORD007", "ORD008", "ORD012", "ORD013"}
ONLY = ("--select", ",".join(sorted(CODES)), "--format", "json")


def written(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), "utf-8")
    return path


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "book.json"
    path.write_text(world_text(ENTRIES), "utf-8")
    return path


def found(shown: Result) -> tuple[set[str], set[str]]:
    """Codes that found something, and those that could not run."""
    told = json.loads(shown.stdout)
    codes = {each["code"] for file in told["files"] for each in file["findings"]}
    return codes, {code for row in told["skipped"] for code in row["codes"]}


def test_settings_tell_prompts_and_scripts(run: Run, book: Path, tmp_path: Path) -> None:
    settings = written(tmp_path / "settings.json", SETTINGS)
    assert found(run("check", str(book), *ONLY, "--settings", str(settings))) == (CODES, set())
    library = tmp_path / "library"
    library.mkdir()
    written(library / "settings.json", SETTINGS)
    assert found(run("check", str(book), *ONLY, "--library", str(library))) == (CODES, set())


def test_what_is_not_checked_says_what_to_give(run: Run, book: Path, tmp_path: Path) -> None:
    part = written(tmp_path / "part.json", {"world_info_settings": {"world_info_depth": 2}})
    assert found(run("check", str(book), *ONLY, "--settings", str(part))) == (set(), CODES)
    said = " ".join(run("check", str(book), "--select", "CNT020,ORD013").stdout.split())
    assert "no regex scripts were given (--settings SETTINGS.JSON): CNT020" in said
    assert "no prompt options were given (--settings SETTINGS.JSON, or [prompt] in a lorebook.toml): ORD013" in said


def test_options_of_a_chat_completion(tmp_path: Path) -> None:
    extras = extras_from(written(tmp_path / "s.json", SETTINGS))
    assert extras.prompt == {
        "api": "chat",
        "wi_format": "{0}",
        "order": ["main", "-worldInfoBefore", "mine", "-dialogueExamples", "-other"],
        "prompts": {
            "mine": {"content": "Today: {{outlet::weather}}"},
            "other": {"content": "{{outlet::news}}"},
        },
    }
    assert extras.regex_scripts == (SCRIPT,)
    no_order = extras_from(written(tmp_path / "s.json", {"oai_settings": {**CHAT, "prompt_order": None}})).prompt or {}
    assert "order" not in no_order
    assert set(no_order["prompts"]) == {"mine", "other", "unlisted"}


def test_options_of_a_text_completion(tmp_path: Path) -> None:
    user = {"strip_examples": True, "context": {"story_string": "{{wiBefore}}"}, "sysprompt": {"content": "x", "n": 1}}
    settings = {**SETTINGS, "main_api": "textgenerationwebui", "power_user": user}
    assert extras_from(written(tmp_path / "s.json", settings)).prompt == {
        "api": "text",
        "strip_examples": True,
        "context_template": {"story_string": "{{wiBefore}}"},
        "system_prompt": {"content": "x"},
    }
    assert extras_from(written(tmp_path / "s.json", {"main_api": "kobold"})) == Extras()


@pytest.mark.parametrize("value", [[], 7, {"oai_settings": 7, "extension_settings": 7}])
def test_settings_of_another_shape_say_nothing(tmp_path: Path, value: Any) -> None:
    assert extras_from(written(tmp_path / "s.json", value)) == Extras()


def test_settings_that_are_no_json(tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_text("{", "utf-8")
    with pytest.raises(UnreadableError):
        extras_from(path)
