"""`lorebook simulate --prompt`: the prompt for people and for tools, its options, and what hostile lore does to it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from typer.testing import Result

from lorebook_tui.cli import choices
from lorebook_tui.cli.output import Writer
from lorebook_tui.cli.prompt_text import write_blocks
from lorebook_tui.engine.prompt.sources import Source
from lorebook_tui.engine.prompt.views import prompt_view
from lorebook_tui.engine.trace_schema import SCHEMA
from lorebook_tui.glyphs import Glyphs
from lorebook_tui.tui.views.prompt import PromptBlocks, ink_of
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.turns import replay_of

SAMPLE = "sample_books/harrowmere"
ASK = ("simulate", SAMPLE, "--turn", "14", "--prompt")
Run = Callable[..., Result]
GOLDEN = {
    "prompt_chat": (*ASK, "--limit", "2"),
    "prompt_text": (*ASK, "--limit", "2", "--api", "text"),
    "prompt_instruct": (*ASK, "--limit", "3", "--api", "text", "--prompt-set", "instruct=ChatML", "--context", "900"),
    "prompt_trimmed": (*ASK, "--limit", "1", "--context", "900"),
    "prompt_too_long": (*ASK, "--context", "60"),
    "fields_prompt": ("fields", "--prompt"),
    "fields_prompt_some": ("fields", "--prompt", "instruct", "names-behavior", "prompts"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_output(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    result = run(*GOLDEN[name])
    assert (result.exit_code, result.stderr) == (0, "")
    golden(name, result.stdout)


@pytest.mark.parametrize("width", ["60", "80", "160"])
@pytest.mark.parametrize("api", ["chat", "text"])
def test_no_line_is_wider_than_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, width: str, api: str) -> None:
    monkeypatch.setenv("COLUMNS", width)
    lines = run(*ASK, "--api", api).stdout.partition("\nPrompt\n")[2].splitlines()
    assert len(lines) > 100
    assert [line for line in lines if len(line) > int(width)] == []


def test_without_limit_the_texts_are_whole(run: Run) -> None:
    shown = run(*ASK).stdout
    prompt = document(run, *ASK)["turns"][0]["prompt"]
    told = "".join(line[4:] for line in shown.splitlines() if line.startswith("  ▎"))
    for row in prompt["rows"]:
        assert "".join(row["text"].split()) in "".join(told.split())
    assert run(*ASK, "--limit", "0").stdout == shown


def document(run: Run, *arguments: str) -> dict[str, Any]:
    found = json.loads(run(*arguments, "--json").stdout)
    jsonschema.validate(found, SCHEMA)
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize("options", [(), ("--api", "text"), ("--context", "900"), ("--context", "60"), ("--evidence",)])
def test_json_follows_its_schema(run: Run, options: tuple[str, ...]) -> None:
    (turn,) = document(run, *ASK, *options)["turns"]
    prompt = turn["prompt"]
    assert prompt["api"] == ("text" if "text" in options else "chat")
    assert prompt["context"] == turn["budget"]["context"]
    assert sum(prompt["sources"].values()) == prompt["tokens"]
    for row in (*prompt["rows"], *prompt["dropped"]):
        assert [piece["start"] for piece in row["pieces"][1:]] == [piece["end"] for piece in row["pieces"][:-1]]
        assert row["pieces"][-1]["end"] == len(row["text"])


def test_json_tells_every_activated_entry_once_in_or_missing(run: Run) -> None:
    (turn,) = document(run, *ASK, "--context", "900")["turns"]
    prompt = turn["prompt"]
    inside = {piece["entry"] for row in prompt["rows"] for piece in row["pieces"]} - {None}
    lost = {item["entry"] for item in prompt["missing"]}
    assert inside | lost == set(turn["activated"])
    assert not inside & lost
    titles = {turn["entries"][item["entry"]]["title"]: item["reason"] for item in prompt["missing"]}
    assert titles == {"Tide table": "behind_the_cut"}


def test_without_the_option_the_trace_has_no_prompt(run: Run) -> None:
    assert all("prompt" not in turn for turn in document(run, "simulate", SAMPLE)["turns"])


def test_several_turns_have_a_prompt_each(run: Run) -> None:
    turns = document(run, "simulate", SAMPLE, "--turn", "2,14,16", "--prompt")["turns"]
    assert [turn["turn"] for turn in turns] == [2, 14, 16]
    sizes = [turn["prompt"]["tokens"] for turn in turns]
    assert sizes == sorted(sizes)
    assert run("simulate", SAMPLE, "--turn", "2,14", "--prompt").stdout.count("\nPrompt\n") == 2


def workspace(folder: Path, entry: dict[str, Any], more: str = "", chat: str = "Ann: bell\nBob: two\n") -> str:
    given = {"uid": 0, "key": ["bell"], "comment": "Bell", "content": "A bell.", "order": 100, "position": 0, **entry}
    (folder / "b.json").write_text(json.dumps({"entries": {"0": given}}), "utf-8")
    (folder / "c.txt").write_text(chat, "utf-8")
    text = '[books]\nglobal = "b.json"\n[chat]\nfile = "c.txt"\n[cast.persona]\nname = "Ann"\n'
    (folder / "lorebook.toml").write_text(text + more, "utf-8")
    return str(folder)


def test_the_workspace_file_says_which_shape(run: Run, tmp_path: Path) -> None:
    path = workspace(tmp_path, {}, "[prompt]\napi = 'text'\n[prompt.instruct]\ntemplate = 'ChatML'\n")
    prompt = document(run, "simulate", path, "--prompt")["turns"][0]["prompt"]
    assert prompt["api"] == "text"
    assert "<|im_start|>user\nbell" in "".join(row["text"] for row in prompt["rows"])
    over = document(run, "simulate", path, "--prompt", "--prompt-set", "instruct.wrap=off")["turns"][0]["prompt"]
    assert "<|im_start|>userbell" in "".join(row["text"] for row in over["rows"])


def test_options_without_effect_are_told(run: Run, tmp_path: Path) -> None:
    path = workspace(tmp_path, {}, "[prompt]\ninstruct = 'ChatML'\npin_examples = true\nwi_format = '{0}'\n")
    assert run("simulate", path, "--prompt").stderr == "Without effect on a chat completion: instruct (--api text).\n"
    told = run("simulate", path, "--prompt", "--api", "text").stderr
    assert told == "Without effect on a text completion: wi_format (--api chat).\n"


@pytest.mark.parametrize(
    ("option", "where", "hint"),
    [
        (("--api", "txt"), "--api txt", ""),
        (("--prompt-set", "instruct=ChatLM"), "--prompt-set instruct=ChatLM", "Did you mean ChatML?"),
        (("--prompt-set", "squash=on"), "--prompt-set squash=on", "squash_system_messages"),
        (("--prompt-set", "pin_examples"), "--prompt-set pin_examples", ""),
        (("--prompt-set", "instruct.wrap=perhaps"), "--prompt-set instruct.wrap=perhaps", ""),
    ],
)
def test_a_wrong_option_is_an_error_that_names_it(run: Run, option: tuple[str, str], where: str, hint: str) -> None:
    result = run(*ASK, *option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"where     {where}" in result.stderr
    assert hint in result.stderr
    assert "expected" in result.stderr


def test_an_unknown_option_of_the_listing_is_an_error(run: Run) -> None:
    result = run("fields", "--prompt", "instrukt")
    assert result.exit_code == 2
    assert "Did you mean instruct?" in result.stderr


def test_the_listing_for_tools(run: Run) -> None:
    rows = {row["name"]: row for row in json.loads(run("fields", "--prompt", "--json").stdout)}
    assert rows["api"]["default"] == "chat"
    assert rows["instruct"]["shape"] == "text"
    assert "ChatML" in rows["instruct"]["shipped"]
    assert "injection_depth" in rows["prompts"]["fields"]


def test_where_the_scan_stops_there_is_no_prompt(run: Run, tmp_path: Path) -> None:
    path = workspace(tmp_path, {"position": 4, "depth": {"a": 1}, "role": {"b": 2}, "scanDepth": -1, "useRegex": True})
    result = run("simulate", path, "--prompt")
    broken = workspace(tmp_path, {"content": {"a": 1}})
    failed = run("simulate", broken, "--prompt")
    assert result.exit_code == 0
    assert failed.exit_code == 1
    assert run("simulate", broken, "--prompt", "--json").exit_code == 1


def test_where_sillytavern_stops_nothing_is_sent(run: Run, tmp_path: Path) -> None:
    path = workspace(tmp_path, {}, "[prompt]\napi = 'text'\nuser_prompt_bias = 'Hm,'\n")
    result = run("simulate", path, "--prompt", "--context", "10", "--set", "budget=100")
    assert result.exit_code == 1
    assert "SillyTavern stops here with an error: " in result.stdout
    told = run("simulate", path, "--prompt", "--context", "10", "--json")
    assert told.exit_code == 1
    prompt = json.loads(told.stdout)["turns"][0]["prompt"]
    jsonschema.validate(json.loads(told.stdout), SCHEMA)
    assert (prompt["sent"], prompt["rows"]) == (False, [])


def test_a_story_string_that_is_no_template_is_an_error(run: Run) -> None:
    result = run(*ASK, "--api", "text", "--prompt-set", "context_template.story_string={{#if system}}")
    assert result.exit_code == 2
    assert "story string" in result.stderr


def test_what_macros_in_prompts_do_is_carried_on(run: Run, tmp_path: Path) -> None:
    more = "[prompt.prompts]\nnsfw = '{{incvar::turns}} times'\n"
    path = workspace(tmp_path, {}, more, "Ann: bell\nBob: two\nAnn: three\nBob: four\nAnn: five\n")
    turns = document(run, "simulate", path, "--turn", "3,5", "--prompt")["turns"]
    texts = [next(row["text"] for row in turn["prompt"]["rows"] if "times" in row["text"]) for turn in turns]
    assert texts == ["2 times", "3 times"]


HOSTILE = "\x1b]0;owned\x07\x1b[31mred\u202ekcab\u200b\x9b2J [bold]x[/bold]\r\n\tA \ud83d\udc68\u200d"


def test_hostile_text_reaches_the_terminal_as_pictures(run: Run, tmp_path: Path) -> None:
    path = workspace(tmp_path, {"comment": HOSTILE, "content": f"bell {HOSTILE}"})
    for options in ((), ("--api", "text"), ("--context", "40", "--set", "budget=100"), ("--json",)):
        result = run("simulate", path, "--prompt", *options)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]", result.stdout.replace("\r\n", "\n"))
    assert "[bold]x[/bold]" in run("simulate", path, "--prompt").stdout


def test_every_source_has_a_style_and_a_letter_of_its_own() -> None:
    workspace = open_workspace([Path(SAMPLE)])
    turn = next(replay_of(workspace).prompts([14], workspace.prompt_settings()))
    assert turn.prompt is not None
    blocks = PromptBlocks(prompt_view(turn.prompt), lambda _: None, Glyphs()).blocks()
    out = StringIO()
    write_blocks(blocks, Writer(colour=True, width=100, out=out))
    coloured = out.getvalue()
    styles = {style for style, letter in re.findall(r"\x1b\[(\d+)m([ECUNPX=]) ", coloured)}
    letters = {letter for style, letter in re.findall(r"\x1b\[(\d+)m([ECUNPX=]) ", coloured)}
    assert letters == {"E", "C", "U", "N", "P", "="}
    assert len(styles) == len(letters)
    assert len({source.letter for source in Source}) == len(Source) == len({ink_of(source) for source in Source})
    plain = StringIO()
    write_blocks(blocks, Writer(width=100, out=plain))
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain.getvalue()


def test_what_the_shell_completes() -> None:
    assert choices.apis("t") == ["text"]
    assert "instruct=" in choices.prompt_options("inst")
    assert choices.prompt_options("instruct=ChatML") == ["instruct=ChatML", "instruct=ChatML-Names"]
    assert choices.prompt_options("api=") == []
