"""The prompt in a workspace: `[prompt]` of lorebook.toml, options above it, and the settings that come of both."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.engine.macros.constants import TEXTS
from lorebook_tui.engine.prompt import Api, PromptSettings
from lorebook_tui.engine.prompt.instruct_templates import INSTRUCT_TEMPLATES
from lorebook_tui.engine.prompt.macro_texts import macro_texts
from lorebook_tui.engine.prompt.settings import FRESH_ORDER, ChatSettings, GenerateOptions, OrderRow, UserSettings
from lorebook_tui.engine.prompt.story_templates import STORY_TEMPLATES
from lorebook_tui.engine.prompt.system_prompts import SYSTEM_PROMPTS
from lorebook_tui.errors import UsageError
from lorebook_tui.workspace import toml
from lorebook_tui.workspace.opening import Overrides, open_workspace
from lorebook_tui.workspace.prompt_option_help import HELP, option_rows
from lorebook_tui.workspace.prompt_options import (
    NAMES,
    ONLY_CHAT,
    ONLY_TEXT,
    WrongOptionError,
    assignment,
    checked,
    merged,
)
from lorebook_tui.workspace.prompt_settings import settings_of
from lorebook_tui.workspace.workspace import Workspace, scenario

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = """\
context = 4096

[prompt]
api = "text"
context_template = "ChatML"
system_prompt = "actor"
names_behavior = "content"
squash_system_messages = true
wi_format = "[Lore: {0}]"
pin_examples = true
collapse_newlines = true
order = ["main", "-nsfw", "mine", "chatHistory"]

[prompt.instruct]
template = "chatml"
wrap = false

[prompt.prompts]
main = "Write as {{char}}."

[prompt.prompts.mine]
content = "Slowly."
role = "user"
injection_position = "in_chat"
injection_depth = 2
injection_trigger = ["normal", "swipe"]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "lorebook.toml"
    path.write_text(text, "utf-8")
    return path


def settings(text: str) -> PromptSettings:
    return settings_of(checked(tomllib.loads(text)))


def test_a_whole_table_becomes_settings(tmp_path: Path) -> None:
    made = open_workspace([written(tmp_path, WHOLE)]).prompt_settings()
    assert made.api is Api.TEXT
    assert made.story == STORY_TEMPLATES["ChatML"]
    assert made.system_prompt == SYSTEM_PROMPTS["Actor"]
    assert (made.chat.names_behavior, made.chat.squash_system_messages, made.chat.wi_format) == (2, True, "[Lore: {0}]")
    assert (made.user.pin_examples, made.user.collapse_newlines, made.user.strip_examples) == (True, True, False)
    assert (made.instruct.enabled, made.instruct.wrap) == (True, False)
    assert made.instruct.input_sequence == INSTRUCT_TEMPLATES["ChatML"].input_sequence
    assert made.order == (
        OrderRow("main"), OrderRow("nsfw", enabled=False), OrderRow("mine"), OrderRow("chatHistory"),
    )  # fmt: skip
    main, mine = made.prompt("main"), made.prompt("mine")
    assert main is not None
    assert (main.content, main.system_prompt) == ("Write as {{char}}.", True)
    assert mine is not None
    assert (mine.content, mine.role, mine.system_prompt) == ("Slowly.", "user", False)
    assert (mine.injection_position, mine.injection_depth, mine.injection_trigger) == (1, 2, ("normal", "swipe"))


def test_without_options_everything_is_as_on_a_fresh_install() -> None:
    assert settings_of({}) == PromptSettings(texts=macro_texts(PromptSettings()))
    assert Workspace().prompt_settings() == settings_of({})


def test_what_macros_tell_does_not_depend_on_saying_nothing() -> None:
    told, silent = settings_of({}).texts, scenario(Workspace()).macro_texts
    defaults = {name.lower(): text for name, text in TEXTS.items()}
    assert {name: text for name, text in told.items() if defaults.get(name, text) != text} == {}
    assert set(told) - set(defaults) == {*silent, "systemprompt"}
    assert {name: told[name] for name in silent} == silent


def test_the_scan_hears_of_the_prompt(tmp_path: Path) -> None:
    made = scenario(open_workspace([written(tmp_path, WHOLE)]))
    assert made.macro_texts["instructinput"] == "<|im_start|>user"
    assert made.collapse_newlines
    assert made.unread_fields == frozenset()
    path = written(tmp_path, "[prompt]\nprefer_character_prompt = false\n")
    assert scenario(open_workspace([path])).unread_fields == {"system_prompt"}


def test_own_prompts_stand_behind_the_usual_order() -> None:
    made = settings("[prompts]\nmine = 'Slowly.'\nnsfw = 'Gently.'")
    assert made.order == (*FRESH_ORDER, OrderRow("mine"))


@pytest.mark.parametrize(
    ("text", "enabled", "sequence"),
    [
        ("instruct = true", True, "### Instruction:"),
        ("instruct = false", False, "### Instruction:"),
        ("instruct = 'ChatML'", True, "<|im_start|>user"),
        ("instruct.wrap = false", True, "### Instruction:"),
        ("instruct = { template = 'ChatML', enabled = false }", False, "<|im_start|>user"),
    ],
)
def test_instruct_in_every_spelling(text: str, enabled: bool, sequence: str) -> None:
    made = settings(text).instruct
    assert (made.enabled, made.input_sequence) == (enabled, sequence)


def test_a_system_prompt_can_be_switched_off_and_rewritten() -> None:
    assert not settings("system_prompt = false").system_prompt.enabled
    made = settings("system_prompt.post_history = 'Stay in the scene.'").system_prompt
    assert (made.enabled, made.post_history, "{{char}}" in made.content) == (True, "Stay in the scene.", True)


@pytest.mark.parametrize(
    ("text", "where", "found", "hint"),
    [
        ("[prompt]\nappi = 'chat'", "line 2, prompt.appi", "appi", "api"),
        ("[prompt]\ninstruct = 'ChatMl2'", "line 2, prompt.instruct", "ChatMl2", "ChatML"),
        ("[prompt]\n\ncontext_template = 'Defaul'", "line 3, prompt.context_template", "Defaul", "Default"),
        (
            "[prompt]\nsystem_prompt = 'Roleplay - Simpel'",
            "line 2, prompt.system_prompt",
            "Simpel",
            "Roleplay - Simple",
        ),
        ("[prompt.instruct]\nwarp = true", "line 2, prompt.instruct.warp", "warp", "wrap"),
        ("[prompt.prompts.main]\nrol = 'user'", "line 2, prompt.prompts.main.rol", "rol", "role"),
        ("[prompt]\norder = ['worldInfoBefor']", "line 2, prompt.order", "worldInfoBefor", "worldInfoBefore"),
    ],
)
def test_a_misspelt_option_is_named_with_its_line_and_what_was_meant(
    tmp_path: Path, text: str, where: str, found: str, hint: str
) -> None:
    with pytest.raises(UsageError) as caught:
        toml.read(written(tmp_path, text))
    assert caught.value.where.endswith(where)
    assert found in caught.value.found
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("text", "key", "expected"),
    [
        ("api = 'openai'", "api", "chat or text"),
        ("api = 1", "api", "chat or text"),
        ("squash_system_messages = 1", "squash_system_messages", "true or false"),
        ("names_behavior = 'loud'", "names_behavior", "none, default, completion or content (or -1, 0, 1, 2)"),
        ("names_behavior = true", "names_behavior", "none"),
        ("names_behavior = 3", "names_behavior", "none"),
        ("wi_format = 0", "wi_format", "a text"),
        ("token_padding = -1", "token_padding", "from 0"),
        ("order = 'main'", "order", "a list"),
        ("instruct = 7", "instruct", "a name, true or false, or a table"),
        ("instruct.template = 7", "instruct.template", "shipped"),
        ("context_template = true", "context_template", "a name, or a table"),
        ("context_template.enabled = true", "context_template.enabled", "template, story_string"),
        ("prompts = ['main']", "prompts", "a table"),
        ("prompts.main = 3", "prompts.main", "a text, or a table"),
        ("prompts.main.role = 'narrator'", "prompts.main.role", "system, user or assistant"),
        ("prompts.main.injection_trigger = ['often']", "prompts.main.injection_trigger", "normal"),
        ("prompts.main.injection_position = 'before'", "prompts.main.injection_position", "relative or in_chat"),
    ],
)
def test_a_value_that_cannot_be_meant_says_what_can(text: str, key: str, expected: str) -> None:
    with pytest.raises(WrongOptionError) as caught:
        settings(text)
    assert ".".join(caught.value.path) == key
    assert expected in caught.value.expected
    assert caught.value.found


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("api=text", {"api": "text"}),
        ("pin-examples=on", {"pin_examples": True}),
        ("names_behavior=content", {"names_behavior": 2}),
        ("names_behavior=-1", {"names_behavior": -1}),
        ("token_padding=0", {"token_padding": 0}),
        ("wi_format=a=b", {"wi_format": "a=b"}),
        ("instruct=off", {"instruct": {"enabled": False}}),
        ("instruct=alpaca", {"instruct": {"template": "Alpaca"}}),
        ("instruct.wrap=off", {"instruct": {"wrap": False}}),
        ("instruct.enabled=no", {"instruct": {"enabled": False}}),
        ("system_prompt.content=true", {"system_prompt": {"content": "true"}}),
        ("order=main, -nsfw,", {"order": ("main", "-nsfw")}),
        ("prompts.main=Write.", {"prompts": {"main": {"content": "Write."}}}),
        ("prompts.main.injection_depth=3", {"prompts": {"main": {"injection_depth": 3}}}),
        ("prompts.main.injection_trigger=swipe", {"prompts": {"main": {"injection_trigger": ("swipe",)}}}),
    ],
)
def test_the_command_line_spells_options_as_text(text: str, option: dict[str, Any]) -> None:
    assert assignment(text) == option


@pytest.mark.parametrize("text", ["api", "apy=chat", "api.x=chat", "instruct.wrap=perhaps", "prompts.main.rol=user"])
def test_the_command_line_refuses_what_cannot_be_meant(text: str) -> None:
    with pytest.raises(WrongOptionError):
        assignment(text)


def test_options_stand_above_the_file(tmp_path: Path) -> None:
    over = merged(assignment("instruct.wrap=on"), assignment("prompts.mine.role=system"))
    made = open_workspace([written(tmp_path, WHOLE)], Overrides(prompt=over)).prompt_settings()
    assert (made.instruct.wrap, made.instruct.input_sequence) == (True, "<|im_start|>user")
    mine = made.prompt("mine")
    assert mine is not None
    assert (mine.content, mine.role) == ("Slowly.", "system")


def test_another_template_drops_the_changes_to_the_one_before() -> None:
    base = checked({"instruct": {"template": "ChatML", "wrap": False}})
    assert settings_of(merged(base, assignment("instruct=Alpaca"))).instruct.wrap
    assert not settings_of(merged(base, assignment("instruct=off"))).instruct.wrap


def test_an_order_is_checked_against_the_prompts_of_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, "[prompt.prompts]\nmine = 'Slowly.'\n")
    made = open_workspace([path], Overrides(prompt=assignment("order=main,mine"))).prompt_settings()
    assert made.order == (OrderRow("main"), OrderRow("mine"))
    with pytest.raises(WrongOptionError, match="does not exist"):
        open_workspace([path], Overrides(prompt=assignment("order=main,yours")))


def test_a_context_template_can_bring_a_setting_of_the_user() -> None:
    forcing = next((name for name, made in STORY_TEMPLATES.items() if made.always_force_name2 is False), None)
    assert forcing is not None
    assert not settings(f"context_template = '{forcing}'").user.always_force_name2
    assert settings(f"context_template = '{forcing}'\nalways_force_name2 = true").user.always_force_name2


def test_every_option_belongs_to_one_shape_or_both_and_is_documented() -> None:
    assert set(NAMES) >= ONLY_CHAT | ONLY_TEXT
    assert not ONLY_CHAT & ONLY_TEXT
    assert set(HELP) == set(NAMES)
    assert len(set(HELP.values())) == len(HELP)


def test_the_listing_gives_defaults_that_can_be_given_back() -> None:
    given = {row.name: row.default for row in option_rows() if row.default is not None}
    made = settings_of(checked(given))
    assert (made.chat, made.user, made.generate) == (ChatSettings(), UserSettings(), GenerateOptions())
    assert [row for row in FRESH_ORDER if row.enabled] == list(made.order)
