"""What SillyTavern's `settings.json` says besides the settings of the scan: options of the prompt, regex scripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lorebook_tui.errors import UnreadableError
from lorebook_tui.workspace.files import read_bytes
from lorebook_tui.workspace.prompt_options import CHAT_KINDS, OFF, USER_KINDS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CHAT_API: Final = "openai"
_GLOBAL_ORDER: Final = 100001
"""The `character_id` under which SillyTavern 1.19 keeps the one order of prompts that it uses."""


class Extras(NamedTuple):
    """What else a settings file holds; None: it does not say."""

    prompt: Mapping[str, Any] | None = None
    """Options of the prompt, as a workspace file has them."""
    regex_scripts: tuple[Mapping[str, Any], ...] | None = None
    """Scripts of the Regex extension, in order."""


def extras_from(path: Path) -> Extras:
    """Everything beside the settings of the scan.

    Raises:
        UnreadableError: the file is no JSON.
    """
    value = read(path)
    return Extras(_prompt(value), scripts_in(value))


def read(path: Path) -> Any:
    """The content of a settings file.

    Raises:
        UnreadableError: the file is no JSON.
    """
    try:
        return json.loads(read_bytes(path).decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableError("The settings are no JSON.", where=str(path), found=str(error)) from error


def scripts_in(value: Any) -> tuple[Mapping[str, Any], ...] | None:
    """The regex scripts in the content of a settings file; None if it is only a part of one."""
    extensions = _members(value).get("extension_settings")
    if not isinstance(extensions, dict):
        return None
    return tuple(row for row in _rows(extensions.get("regex")) if isinstance(row, dict))


def _prompt(value: Any) -> Mapping[str, Any] | None:
    """The options of the API that is chosen."""
    whole = _members(value)
    chat, user = whole.get("oai_settings"), _members(whole.get("power_user"))
    strips = _taken(user, USER_KINDS)
    if whole.get("main_api", _CHAT_API) == _CHAT_API:
        return {"api": "chat", **strips, **_chat_options(chat)} if isinstance(chat, dict) else None
    story = _members(user.get("context")).get("story_string")
    if not isinstance(story, str):
        return None
    system = {name: text for name, text in _members(user.get("sysprompt")).items() if isinstance(text, str)}
    return {"api": "text", **strips, "context_template": {"story_string": story}, "system_prompt": system}


def _chat_options(chat: Mapping[str, Any]) -> dict[str, Any]:
    """Formats and prompts of chat completions; of the prompts those that the order names."""
    options = _taken(chat, CHAT_KINDS)
    contents = {
        row["identifier"]: {"content": row["content"]}
        for row in map(_members, _rows(chat.get("prompts")))
        if isinstance(row.get("identifier"), str) and isinstance(row.get("content"), str)
    }
    order = next(
        (row for row in map(_members, _rows(chat.get("prompt_order"))) if row.get("character_id") == _GLOBAL_ORDER),
        None,
    )
    if order is None:
        return {**options, "prompts": contents}
    listed = [row for row in map(_members, _rows(order.get("order"))) if isinstance(row.get("identifier"), str)]
    names = {row["identifier"] for row in listed}
    return {
        **options,
        "order": [f"{'' if row.get('enabled') else OFF}{row['identifier']}" for row in listed],
        "prompts": {name: content for name, content in contents.items() if name in names},
    }


def _taken(given: Mapping[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Texts and switches of the options that are known."""
    return {name: given[name] for name in kinds if isinstance(given.get(name), (str, bool))}


def _members(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
