"""Options of the prompt applied to the settings of a fresh install."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.prompt import PromptSettings
from lorebook_tui.engine.prompt.instruct_template import FRESH, InstructTemplate
from lorebook_tui.engine.prompt.instruct_templates import INSTRUCT_TEMPLATES
from lorebook_tui.engine.prompt.macro_texts import macro_texts
from lorebook_tui.engine.prompt.settings import (
    FRESH_ORDER,
    FRESH_PROMPTS,
    ChatSettings,
    GenerateOptions,
    ManagerPrompt,
    OrderRow,
    UserSettings,
)
from lorebook_tui.engine.prompt.story_template import FRESH_STORY, StoryTemplate
from lorebook_tui.engine.prompt.story_templates import STORY_TEMPLATES
from lorebook_tui.engine.prompt.system_prompt import SystemPrompt
from lorebook_tui.engine.prompt.system_prompts import SYSTEM_PROMPTS
from lorebook_tui.workspace.prompt_options import APIS, CHAT_KINDS, GENERATE_KINDS, OFF, PROMPTS, USER_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def settings_of(options: Mapping[str, Any]) -> PromptSettings:
    """A fresh install's settings of the prompt with the options applied, the texts that macros tell included."""
    story = _story(options.get("context_template"))
    user = UserSettings()
    if story.always_force_name2 is not None:
        user = replace(user, always_force_name2=story.always_force_name2)
    settings = PromptSettings(
        api=APIS[options.get("api", "chat")],
        chat=_replaced(ChatSettings(), options, CHAT_KINDS),
        user=_replaced(user, options, USER_KINDS),
        generate=_replaced(GenerateOptions(), options, GENERATE_KINDS),
        prompts=_manager_prompts(options.get(PROMPTS, {})),
        order=_order(options),
        instruct=_instruct(options.get("instruct")),
        story=story,
        system_prompt=_system_prompt(options.get("system_prompt")),
    )
    return replace(settings, texts=macro_texts(settings))


def _replaced(record: Any, options: Mapping[str, Any], kinds: Iterable[str]) -> Any:
    return replace(record, **{name: options[name] for name in kinds if name in options})


def _manager_prompts(given: Mapping[str, Mapping[str, Any]]) -> tuple[ManagerPrompt, ...]:
    prompts = {prompt.identifier: prompt for prompt in FRESH_PROMPTS}
    for identifier, row in given.items():
        known = prompts.get(identifier) or ManagerPrompt(identifier, role="system", system_prompt=False)
        prompts[identifier] = replace(known, **row)
    return tuple(prompts.values())


def _order(options: Mapping[str, Any]) -> tuple[OrderRow, ...]:
    """The order given, or that of a fresh install with the user's own prompts behind it."""
    if "order" in options:
        return tuple(OrderRow(row.removeprefix(OFF), not row.startswith(OFF)) for row in options["order"])
    known = {prompt.identifier for prompt in FRESH_PROMPTS}
    return (*FRESH_ORDER, *(OrderRow(name) for name in options.get(PROMPTS, ()) if name not in known))


def _instruct(given: Mapping[str, Any] | None) -> InstructTemplate:
    if given is None:
        return FRESH
    base = INSTRUCT_TEMPLATES[given["template"]] if "template" in given else FRESH
    return replace(base, **{"enabled": True, **_fields(given)})


def _story(given: Mapping[str, Any] | None) -> StoryTemplate:
    given = given or {}
    base = STORY_TEMPLATES[given["template"]] if "template" in given else FRESH_STORY
    return replace(base, **_fields(given))


def _system_prompt(given: Mapping[str, Any] | None) -> SystemPrompt:
    given = given or {}
    base = SYSTEM_PROMPTS[given["template"]] if "template" in given else SystemPrompt()
    return replace(base, **_fields(given))


def _fields(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name != "template"}
