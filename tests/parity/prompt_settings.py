"""Prompt settings from a mapping under SillyTavern's own names, as scenario files hold them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.prompt.instruct_template import FRESH
from lorebook_tui.engine.prompt.instruct_templates import INSTRUCT_TEMPLATES
from lorebook_tui.engine.prompt.macro_texts import macro_texts
from lorebook_tui.engine.prompt.settings import (
    FRESH_PROMPTS,
    Api,
    ChatSettings,
    GenerateOptions,
    ManagerPrompt,
    OrderRow,
    PromptSettings,
    UserSettings,
)
from lorebook_tui.engine.prompt.story_template import FRESH_STORY
from lorebook_tui.engine.prompt.story_templates import STORY_TEMPLATES
from lorebook_tui.engine.prompt.system_prompt import SystemPrompt
from lorebook_tui.engine.prompt.system_prompts import SYSTEM_PROMPTS
from lorebook_tui.errors import UnsupportedError, UsageError
from tests.parity.known_settings import OTHER_CHAT_SETTINGS, OTHER_USER_SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

KEYS = ("api", "preset", "oai", "prompts", "prompt_order", "instruct", "context", "sysprompt", "power", "generate")
PRESETS: Final = {
    "Default": ChatSettings(
        impersonation_prompt="[Write your next reply from the point of view of {{user}}, using the chat history so "
        "far as a guideline for the writing style of {{user}}. Don't write as {{char}} or system. Don't describe "
        "actions of {{char}}.]"
    )
}
"""Shipped presets of a chat completion."""
_OPTIONS = {"quietToLoud": "quiet_to_loud", "skipWIAN": "skip_lore", "quietName": "quiet_name"}
_PROMPT_KEYS = frozenset({field.name for field in fields(ManagerPrompt)} | {"name", "marker", "enabled", "extension"})
_UNUSED_TEMPLATE_KEYS = frozenset({
    "name", "preset", "activation_regex", "sequences_as_stop_strings", "bind_to_context", "use_stop_strings",
    "names_as_stop_strings", "trim_sentences", "single_line", "derived", "system_sequence_prefix",
    "system_sequence_suffix", "separator_sequence", "always_force_name2", "allow_jailbreak",
})  # fmt: skip


def settings_from(values: Mapping[str, Any] | bool) -> PromptSettings:
    """Settings of a fresh install with the given ones changed.

    Args:
        values: `api`, `preset`, `oai`, `prompts`, `prompt_order`, `instruct`, `context`, `sysprompt`, `power`,
            `generate`; true: nothing is changed.

    Raises:
        UsageError: a key or name that nobody knows.
        UnsupportedError: a shipped preset or template that this version has no data of.
    """
    if isinstance(values, bool):
        values = {}
    _refuse(values, KEYS, "prompt")
    preset = values.get("preset")
    if preset is not None and preset not in PRESETS:
        raise UnsupportedError(
            f"The chat-completion preset {preset!r} is not known here.",
            expected=" or ".join(PRESETS),
            found=str(preset),
        )
    shipped = PRESETS.get(preset, ChatSettings()) if preset is not None else ChatSettings()
    user, chat = values.get("power") or {}, values.get("oai") or {}
    settings = PromptSettings(
        api=_api(values.get("api", "openai")),
        chat=_changed(shipped, chat, OTHER_CHAT_SETTINGS, "oai"),
        prompts=_prompts(values.get("prompts") or ()),
        instruct=_instruct(values.get("instruct")),
        story=_story(values.get("context")),
        system_prompt=_system_prompt(values.get("sysprompt")),
        user=_changed(UserSettings(), user, OTHER_USER_SETTINGS, "power"),
        generate=_options(values.get("generate") or {}),
    )
    forced = settings.story.always_force_name2
    if forced is not None and "always_force_name2" not in user:
        settings = replace(settings, user=replace(settings.user, always_force_name2=forced))
    order = values.get("prompt_order")
    if order is not None:
        settings = replace(settings, order=_order(order))
    return replace(settings, texts=macro_texts(settings))


def _refuse(values: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    known = list(known)
    for key in values:
        if key not in known:
            raise UsageError(
                f"{where}: there is no {key!r}.", where=where, expected=", ".join(sorted(known)), found=key
            )


def _api(name: str) -> Api:
    for api in Api:
        if api.value == name:
            return api
    raise UsageError(f"There is no shape of prompts called {name!r}.", expected="openai or text", found=str(name))


def _changed(default: Any, values: Mapping[str, Any], unused: Iterable[str], where: str) -> Any:
    """A record with some fields changed; names that have no bearing on the prompt are passed over."""
    known = {field.name for field in fields(default)} - {"enabled"}
    _refuse(values, {*known, *unused}, where)
    return replace(default, **{key: value for key, value in values.items() if key in known})


def _prompts(rows: Sequence[Mapping[str, Any]]) -> tuple[ManagerPrompt, ...]:
    """The manager's prompts, changed or added to."""
    prompts = {prompt.identifier: prompt for prompt in FRESH_PROMPTS}
    for row in rows:
        _refuse(row, _PROMPT_KEYS, "prompts")
        identifier = row["identifier"]
        given = {key: row[key] for key in row if key in _PROMPT_KEYS - {"name", "marker", "enabled", "extension"}}
        if isinstance(given.get("injection_trigger"), list):
            given["injection_trigger"] = tuple(given["injection_trigger"])
        known = prompts.get(identifier) or ManagerPrompt(identifier, role="system", system_prompt=False)
        prompts[identifier] = replace(known, **given)
    return tuple(prompts.values())


def _order(rows: Sequence[str | Mapping[str, Any]]) -> tuple[OrderRow, ...]:
    found = []
    for row in rows:
        if isinstance(row, str):
            found.append(OrderRow(row))
            continue
        _refuse(row, ("identifier", "enabled"), "prompt_order")
        found.append(OrderRow(row["identifier"], bool(row.get("enabled", True))))
    return tuple(found)


def _named(name: str, known: Mapping[str, Any], what: str) -> Any:
    if name in known:
        return known[name]
    raise UnsupportedError(
        f"The {what} {name!r} is not known here.",
        expected=", ".join(sorted(known)),
        found=name,
        hint="Give its fields instead of its name.",
    )


def _instruct(value: Any) -> Any:
    if value is None or value is False:
        return FRESH
    if value is True:
        return replace(FRESH, enabled=True)
    if isinstance(value, str):
        return replace(_named(value, INSTRUCT_TEMPLATES, "instruct template"), enabled=True)
    on = bool(value.get("enabled", True))
    given = {key: item for key, item in value.items() if key != "enabled"}
    return replace(_changed(FRESH, given, _UNUSED_TEMPLATE_KEYS, "instruct"), enabled=on)


def _story(value: Any) -> Any:
    if value is None:
        return FRESH_STORY
    if isinstance(value, str):
        return _named(value, STORY_TEMPLATES, "context template")
    given = {key: item for key, item in value.items() if key != "always_force_name2"}
    return _changed(FRESH_STORY, given, _UNUSED_TEMPLATE_KEYS, "context")


def _system_prompt(value: Any) -> Any:
    if value is None or value is True:
        return SystemPrompt()
    if value is False:
        return SystemPrompt(enabled=False)
    if isinstance(value, str):
        return _named(value, SYSTEM_PROMPTS, "system prompt")
    given = {key: item for key, item in value.items() if key not in {"enabled", "name"}}
    return replace(_changed(SystemPrompt(), given, (), "sysprompt"), enabled=bool(value.get("enabled", True)))


def _options(values: Mapping[str, Any]) -> GenerateOptions:
    _refuse(values, _OPTIONS, "generate")
    return GenerateOptions(**{_OPTIONS[key]: value for key, value in values.items()})
