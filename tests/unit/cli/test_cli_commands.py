"""The commands: what goes where, which status, and what the options do."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from typer.testing import Result

from lorebook_tui.cli.app import app
from lorebook_tui.engine.trace_schema import SCHEMA

SAMPLE = "sample_books/harrowmere"
Run = Callable[..., Result]


def world(path: Path, **fields: Any) -> str:
    """A world with one entry, as a path."""
    entry = {"uid": 0, "key": ["bell"], "comment": "Bell", "content": "A bell.", "order": 100, "position": 0, **fields}
    path.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    return str(path)


def test_json_of_a_turn_follows_its_schema(run: Run) -> None:
    document = json.loads(run("simulate", SAMPLE, "--turn", "14", "--json", "--evidence").stdout)
    jsonschema.validate(document, SCHEMA)
    assert [turn["turn"] for turn in document["turns"]] == [14]
    assert document["seed"] == 7
    assert all("evidence" in entry for entry in document["turns"][0]["entries"])


def test_options_stand_above_the_workspace_file(run: Run) -> None:
    result = run(
        "simulate", SAMPLE, "--json", "--seed", "3", "--context", "800", "--tokenizer", "estimate", "--set", "depth=1",
        "--trigger", "swipe", "--user", "Zoe",
    )  # fmt: skip
    document = json.loads(result.stdout)
    assert (document["seed"], document["context"], document["tokenizer"]) == (3, 800, "estimate")
    assert document["settings"]["world_info_depth"] == 1
    assert document["turns"][0]["trigger"] == "swipe"
    assert document["turns"][0]["budget"]["limit"] == 200


def test_layers_are_given_one_by_one(run: Run, tmp_path: Path) -> None:
    a, b, c, d = (world(tmp_path / f"{name}.json") for name in "abcd")
    result = run("ls", "--json", "--global", a, "--character", b, "--persona", c, "--chat-lore", d)
    books = json.loads(result.stdout)["books"]
    assert [(book["layer"], book["name"]) for book in books] == [
        ("global", "a"), ("character", "b"), ("persona", "c"), ("chat", "d"),
    ]  # fmt: skip


def test_without_paths_the_workspace_of_the_folder_is_opened(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(SAMPLE))
    assert run("ls").stdout.startswith("harrowmere  65 entries")
    monkeypatch.chdir(Path.cwd().parent)
    refused = run("ls")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "nothing to open" in refused.stderr
    assert "lorebook new" in refused.stderr
    assert "lorebook new" in run("ls", "no-such-world.json").stderr


def test_turns_each_and_user_differ(run: Run) -> None:
    assert len(run("simulate", SAMPLE, "--all", "--turns", "each").stdout.splitlines()) > 44
    assert run("simulate", SAMPLE, "--all", "--turns", "never").exit_code == 2


def test_limit_leaves_rows_out_and_says_so(run: Run) -> None:
    shown = run("simulate", SAMPLE, "--turn", "14", "--phase", "5", "--limit", "3").stdout
    assert "more (--limit 0)" in shown
    assert "more (--limit 0)" not in run("simulate", SAMPLE, "--turn", "14", "--phase", "5", "--limit", "0").stdout


def test_why_as_json_has_the_evidence(run: Run) -> None:
    document = json.loads(run("why", "harrowmere#7", SAMPLE, "--turn", "14,20", "--json").stdout)
    assert document["reference"] == "harrowmere#7"
    first, _ = document["turns"]
    assert first["verdict"]["reason"] == "in_prompt"
    assert first["sentence"].startswith("IN: ")
    hit = first["evidence"]["keys"][0]["hits"][0]
    assert (hit["message"], hit["found"]) == (13, "bell")


@pytest.mark.parametrize("arguments", [("simulate",), ("simulate", "--json"), ("simulate", "--all")])
def test_lore_that_the_product_could_not_load_is_a_failure(
    run: Run, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    broken = world(tmp_path / "b.json", content={"a": 1})
    chat = tmp_path / "c.txt"
    chat.write_text("Ann: one\nBob: two\nAnn: three\nBob: four\n", "utf-8")
    result = run(*arguments, broken, str(chat), "--user", "Ann")
    assert result.exit_code == 1
    assert "is no text" in result.stdout


def test_a_turn_at_which_the_product_stops_says_why(run: Run, tmp_path: Path) -> None:
    lore = world(tmp_path / "b.json", group="constructor")
    chat = tmp_path / "c.txt"
    chat.write_text("Ann: bell\nBob: two\nAnn: three\nBob: four\n", "utf-8")
    told = run("simulate", lore, str(chat), "--user", "Ann", "--turn", "1")
    assert "cannot be called 'constructor'" in " ".join(told.stdout.split())
    every = run("simulate", lore, str(chat), "--user", "Ann", "--all")
    assert "no prompt" in every.stdout
    as_json = run("simulate", lore, str(chat), "--user", "Ann", "--turn", "1", "--json")
    assert (told.exit_code, every.exit_code, as_json.exit_code) == (1, 1, 1)


def test_an_entry_that_takes_no_part_is_told_so(run: Run, tmp_path: Path) -> None:
    result = run("why", "bell", world(tmp_path / "b.json", content={"a": 1}))
    assert (result.exit_code, result.stdout) == (1, "")
    assert "NOT_LOADED: b#0 (Bell) is not loaded: " in result.stderr


def test_an_ambiguous_entry_lists_the_candidates(run: Run) -> None:
    result = run("why", "bell", SAMPLE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Mira#4  Bell · she tells" in result.stderr


def test_show_gives_null_its_meaning(run: Run) -> None:
    shown = run("show", "harrowmere#7", SAMPLE, "--set", "depth=9").stdout
    assert "null  (9, from the settings)" in shown
    document = json.loads(run("show", "harrowmere#7", SAMPLE, "--json").stdout)
    assert document["effective"]["scanDepth"] == 4
    assert document["fields"]["scanDepth"] is None
    assert document["line"] == 343


def test_show_of_a_file_as_json(run: Run) -> None:
    document = json.loads(run("show", f"{SAMPLE}/mira.png", "--json").stdout)
    assert (document["container"], document["card"]["name"], document["books"][0]["entries"]) == ("png", "Mira", 12)


def test_report_of_odd_files(run: Run, tmp_path: Path) -> None:
    path = world(tmp_path / "odd one.json", depth="deep", position="9")
    told = run("ls", path)
    assert told.exit_code == 0
    assert f'see lorebook ls --report "{path}"' in told.stderr
    report = run("ls", "--report", path)
    assert (report.exit_code, report.stderr) == (1, "")
    assert "warning type" in report.stdout
    findings = json.loads(run("ls", "--report", "--json", path).stdout)["files"][0]["findings"]
    assert {finding["code"] for finding in findings} == {"type"}
    assert all(finding["line"] for finding in findings)
    assert run("ls", "--report", SAMPLE).exit_code == 0


@pytest.mark.parametrize(
    ("key", "text", "status"),
    [
        ("bell", "the bell", 0),
        ("bell", "the bells", 1),
        ("/bells?/", "the bells", 0),
        ("/bells?/", "the BELLS", 1),
        ("{{user}}", "user, come", 0),
        ("", "anything", 1),
        (" ", "anything", 0),
    ],
)
def test_the_status_of_test_key_is_the_answer(run: Run, key: str, text: str, status: int) -> None:
    assert run("test-key", key, text).exit_code == status
    document = json.loads(run("test-key", key, text, "--json").stdout)
    assert document["matches"] is (status == 0)


def test_texts_come_from_files_and_standard_input(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("a bell", "utf-8")
    assert run("test-key", "bell", f"@{path}").exit_code == 0
    assert run("test-key", "bell", "-", text="a bell\r\n").exit_code == 0
    assert run("test-key", "@bell", "@@bell").exit_code == 0
    missing = run("tokens", f"@{tmp_path / 'none.txt'}")
    assert (missing.exit_code, missing.stdout) == (3, "")


def test_the_name_of_a_file_is_counted_as_a_text_and_that_is_said(run: Run) -> None:
    named = run("tokens", "README.md", "--tokenizer", "estimate")
    assert "@README.md counts what is in the file" in named.stderr
    assert "9 characters" in named.stdout
    assert run("tokens", "no file", "--tokenizer", "estimate").stderr == ""


def test_the_answer_in_the_readme_is_what_why_says(run: Run) -> None:
    shown = re.search(r"The last one answers:\n\n```text\n(.+?)```", Path("README.md").read_text("utf-8"), re.DOTALL)
    assert shown is not None
    told = run("why", "salt tithe", SAMPLE, "--turn", "14").stdout
    above, below = shown[1].split("…\n")
    assert above in told
    assert below in told


def test_tokens_as_json(run: Run) -> None:
    document = json.loads(run("tokens", "bell", "--json", "--tokenizer", "cl100k_base", "--tokenizer", "llama").stdout)
    assert [(row["tokenizer"], row["approximate"]) for row in document["counts"]] == [
        ("cl100k_base", False), ("llama", True),
    ]  # fmt: skip
    assert run("tokens", "bell", "--tokenizer", "gtp2").exit_code == 2


def test_fields_as_json_and_by_a_wrong_name(run: Run) -> None:
    rows = json.loads(run("fields", "--json").stdout)
    assert "scanDepth" in {row["name"] for row in rows}
    setting = json.loads(run("fields", "depth", "--settings", "--json").stdout)[0]
    field = json.loads(run("fields", "depth", "--json").stdout)[0]
    assert (setting["name"], field["name"]) == ("world_info_depth", "depth")
    wrong = run("fields", "insertion_order")
    assert wrong.exit_code == 2
    assert "Did you mean order?" in wrong.stderr


def test_every_entry_of_the_samples_follows_the_schema_of_fields(run: Run) -> None:
    schema = json.loads(run("schema", "fields").stdout)
    document = json.loads(Path(SAMPLE, "harrowmere.json").read_text("utf-8"))
    for entry in document["entries"].values():
        jsonschema.validate(entry, schema)


def test_reasons_as_json_and_another_word(run: Run) -> None:
    reasons = json.loads(run("schema", "reasons", "--json").stdout)
    assert {"code", "phase", "outcome", "meaning"} == set(reasons[0])
    assert run("schema", "poem").exit_code == 2


def test_a_mistyped_command_is_suggested(run: Run) -> None:
    result = run("simlate", SAMPLE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Did you mean `lorebook simulate`?" in result.stderr


def test_a_path_without_a_terminal_points_to_the_commands(run: Run) -> None:
    result = run(SAMPLE)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "lorebook simulate" in result.stderr
    assert run("demo").exit_code == 2


def test_a_missing_path_is_told_before_any_screen(run: Run) -> None:
    assert run("sample_books/harrowmer").exit_code == 3
    assert run("--chat", "none.jsonl", SAMPLE).exit_code == 3


def test_no_color_may_stand_in_front(run: Run) -> None:
    assert run("--no-color", "ls", SAMPLE).stdout == run("ls", SAMPLE, "--no-color").stdout


@pytest.mark.parametrize("name", ["harrowmere", "mossford", "support"])
def test_the_smoke_run_of_the_demo_starts_the_screen_without_a_terminal(name: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lorebook_tui", "demo", "--smoke", "--name", name],
        capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL, encoding="utf-8",
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(
        rf"{name}: \d+ entries, \d+ turns replayed; the last has .* tokens; the screen starts\.\n", done.stdout
    )


def test_an_unknown_sample_is_usage(run: Run) -> None:
    assert run("demo", "--smoke", "--name", "atlantis").exit_code == 2


def test_version(run: Run) -> None:
    assert run("--version").stdout.startswith("lorebook 0.")


@pytest.mark.parametrize("arguments", [("simulate", "--sead", "1"), ("simulate", "--phase", "8", SAMPLE), ("why",)])
def test_what_the_parser_refuses_is_usage(run: Run, arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")


def test_every_command_ends_with_examples_and_statuses(run: Run) -> None:
    for command in app.registered_commands:
        if not command.hidden:
            shown = run(str(command.name), "--help").stdout
            assert "Examples:" in shown
            assert "Exit status: 0 fine" in shown
