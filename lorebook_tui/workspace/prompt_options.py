"""Options of the prompt, as `[prompt]` of a workspace file and `--prompt-set` give them: checked and merged.

The names are SillyTavern's own. What a fresh install has stands in `PromptSettings`; options are what differs from it,
and `prompt_settings` applies them.
"""

from __future__ import annotations

import difflib
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.prompt import Api
from lorebook_tui.engine.prompt.instruct_template import FRESH
from lorebook_tui.engine.prompt.instruct_templates import INSTRUCT_TEMPLATES
from lorebook_tui.engine.prompt.settings import (
    FRESH_PROMPTS,
    ChatSettings,
    GenerateOptions,
    InjectionPlace,
    Names,
    UserSettings,
)
from lorebook_tui.engine.prompt.story_template import FRESH_STORY
from lorebook_tui.engine.prompt.story_templates import STORY_TEMPLATES
from lorebook_tui.engine.prompt.system_prompt import SystemPrompt
from lorebook_tui.engine.prompt.system_prompts import SYSTEM_PROMPTS
from lorebook_tui.errors import UsageError
from lorebook_tui.formats.base import seen
from lorebook_tui.model.scenario import TRIGGERS
from lorebook_tui.workspace.kinds import ROLE, ROLES, SWITCH, TEXT, Kind, choice, one_of, switch_or_text, texts, whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Path = tuple[str, ...]
Options = dict[str, Any]

APIS: Final = {"chat": Api.CHAT, "text": Api.TEXT}
"""The two shapes of a prompt by the names people use."""
_SPELLING = 0.6
_DEEPEST = 10_000
OFF = "-"
"""In front of a prompt of the order that is switched off."""
_KINDS_BY_TYPE: Final[dict[type, Kind]] = {str: TEXT, bool: SWITCH, int: whole(0)}
_NAMES: Final = {name.name.casefold(): int(name) for name in Names}
_PLACES: Final = {"relative": int(InjectionPlace.RELATIVE), "in_chat": int(InjectionPlace.IN_CHAT)}
_INSTRUCT_NAMES: Final = one_of("none", "force", "always")


def _kinds_of(record: Any, **own: Kind) -> dict[str, Kind]:
    """What the fields of a record of settings have to be, by the types of their defaults; no default, no option."""
    found = {}
    for field in fields(record):
        kind = own.get(field.name) or _KINDS_BY_TYPE.get(type(getattr(record, field.name)))
        if kind is not None and field.name != "enabled":
            found[field.name] = kind
    return found


CHAT_KINDS: Final = _kinds_of(ChatSettings(), names_behavior=choice(_NAMES))
USER_KINDS: Final = _kinds_of(UserSettings())
GENERATE_KINDS: Final = _kinds_of(GenerateOptions(), quiet_name=TEXT)
_INSTRUCT: Final = _kinds_of(FRESH, names_behavior=_INSTRUCT_NAMES)
_STORY: Final = _kinds_of(
    FRESH_STORY,
    story_string_position=choice({"before_chat": 0, "in_chat": 1}),
    story_string_depth=whole(0, _DEEPEST),
    story_string_role=ROLE,
)
_SYSTEM: Final = _kinds_of(SystemPrompt())
_PROMPT: Final = {
    "content": TEXT,
    "role": one_of(*ROLES),
    "injection_position": choice(_PLACES),
    "injection_depth": whole(0, _DEEPEST),
    "injection_order": whole(0),
    "injection_trigger": texts(),
    "forbid_overrides": SWITCH,
}
_PLAIN: Final = {"api": one_of(*APIS), "order": texts(), **CHAT_KINDS, **USER_KINDS, **GENERATE_KINDS}
_TEMPLATES: Final[dict[str, tuple[Mapping[str, Any], Mapping[str, Kind]]]] = {
    "instruct": (INSTRUCT_TEMPLATES, _INSTRUCT),
    "context_template": (STORY_TEMPLATES, _STORY),
    "system_prompt": (SYSTEM_PROMPTS, _SYSTEM),
}
"""Options that name something shipped, or change some of its fields; the first and the last can be switched off."""
_ALWAYS_ON: Final = "context_template"
PROMPTS: Final = "prompts"
NAMES: Final = (*_PLAIN, *_TEMPLATES, PROMPTS)
ONLY_TEXT: Final = frozenset({*_TEMPLATES, "always_force_name2", "token_padding"})
"""Options without effect on a chat completion."""
ONLY_CHAT: Final = frozenset({*CHAT_KINDS, "order", PROMPTS})
"""Options without effect on a text completion."""


def shipped(name: str) -> tuple[str, ...]:
    """What an option can name that is shipped; empty for others."""
    return tuple(sorted(_TEMPLATES[name][0])) if name in _TEMPLATES else ()


def fields_of(name: str) -> tuple[str, ...]:
    """What a table given for an option can hold; empty for options that are no table."""
    if name in _TEMPLATES:
        return ("template", *(() if name == _ALWAYS_ON else ("enabled",)), *_TEMPLATES[name][1])
    return tuple(_PROMPT) if name == PROMPTS else ()


def expected_of(name: str) -> str:
    """What an option has to be, in words."""
    if name in _TEMPLATES:
        return "a name or a table" if name == _ALWAYS_ON else "a name, true or false, or a table"
    return _PLAIN[name].expected if name in _PLAIN else "a table of texts or tables"


def option_named(name: str) -> str:
    """The option that is meant.

    Raises:
        WrongOptionError: there is none of that name; says which one was probably meant.
    """
    found = name.strip().replace("-", "_")
    if found not in NAMES:
        raise _unknown((found,), NAMES)
    return found


class WrongOptionError(UsageError):
    """An option that cannot be meant.

    Args:
        path: the option, and the way into it.
        message: one sentence.
        expected: what would have been right.
        found: what was there.
        hint: what was probably meant.
    """

    def __init__(self, path: Path, message: str, *, expected: str, found: str, hint: str = "") -> None:
        super().__init__(message, expected=expected, found=found, hint=hint)
        self.path = path


def checked(table: Mapping[str, Any]) -> Options:
    """Options as a workspace file holds them, ready for `prompt_settings.settings_of`.

    Raises:
        WrongOptionError: an option nobody knows, or a value it cannot have.
    """
    found = {name: _checked(name, value) for name, value in table.items()}
    _check_order(found)
    return found


def _checked(name: str, value: Any) -> Any:
    if name in _PLAIN:
        return _taken((name,), _PLAIN[name], value)
    if name in _TEMPLATES:
        return _template(name, value)
    if name == PROMPTS:
        return _prompts(value)
    raise _unknown((name,), NAMES)


def _taken(path: Path, kind: Kind, value: Any) -> Any:
    try:
        return kind.take(value)
    except ValueError:
        raise _wrong(path, kind.expected, value) from None


def _wrong(path: Path, expected: str, value: Any) -> WrongOptionError:
    return WrongOptionError(
        path, f"The option {'.'.join(path)} of the prompt cannot have this value.", expected=expected, found=seen(value)
    )


def _unknown(path: Path, known: Iterable[str]) -> WrongOptionError:
    listed = list(known)
    close = difflib.get_close_matches(path[-1], listed, n=1, cutoff=_SPELLING)
    return WrongOptionError(
        path,
        f"The prompt has no option {'.'.join(path)}.",
        expected=", ".join(listed),
        found=path[-1],
        hint=f"Did you mean {close[0]}?" if close else "",
    )


def _template(name: str, value: Any) -> Options:
    """A template by name, switched on or off, or with some fields changed."""
    shipped, kinds = _TEMPLATES[name]
    if isinstance(value, bool) and name != _ALWAYS_ON:
        return {"enabled": value}
    if isinstance(value, str):
        return {"template": _shipped((name,), shipped, value)}
    if not isinstance(value, dict):
        switch = "" if name == _ALWAYS_ON else ", true or false"
        raise _wrong((name,), f"a name{switch}, or a table of fields", value)
    found: Options = {}
    for key, item in value.items():
        if key == "template":
            found[key] = _shipped((name, key), shipped, item)
        elif key == "enabled" and name != _ALWAYS_ON:
            found[key] = _taken((name, key), SWITCH, item)
        elif key in kinds:
            found[key] = _taken((name, key), kinds[key], item)
        else:
            raise _unknown((name, key), fields_of(name))
    return found


def _shipped(path: Path, known: Mapping[str, Any], value: Any) -> str:
    """The name of something shipped, in any case."""
    if isinstance(value, str):
        if value in known:
            return value
        folded = {name.casefold(): name for name in known}
        if value.casefold() in folded:
            return folded[value.casefold()]
        close = difflib.get_close_matches(value.casefold(), folded, n=1, cutoff=_SPELLING)
        raise WrongOptionError(
            path,
            f"No shipped {path[0].replace('_', ' ')} is called {quote(value)}.",
            expected=", ".join(sorted(known)),
            found=value,
            hint=f"Did you mean {folded[close[0]]}?" if close else "Give its fields instead of its name.",
        )
    raise _wrong(path, "the name of a shipped one", value)


def _prompts(value: Any) -> Options:
    """Prompts of the manager by identifier; a text alone is the content."""
    if not isinstance(value, dict):
        raise _wrong((PROMPTS,), 'a table such as prompts.main = "…"', value)
    found: Options = {}
    for identifier, given in value.items():
        path = (PROMPTS, identifier)
        table = {"content": given} if isinstance(given, str) else given
        if not isinstance(table, dict):
            raise _wrong(path, "a text, or a table of fields", given)
        found[identifier] = {}
        for key, item in table.items():
            if key not in _PROMPT:
                raise _unknown((*path, key), _PROMPT)
            found[identifier][key] = _taken((*path, key), _PROMPT[key], item)
        unknown = [word for word in found[identifier].get("injection_trigger", ()) if word not in TRIGGERS]
        if unknown:
            raise _wrong((*path, "injection_trigger"), ", ".join(TRIGGERS), unknown[0])
    return found


def _check_order(options: Mapping[str, Any]) -> None:
    """Make sure that the order names prompts that exist."""
    known = [prompt.identifier for prompt in FRESH_PROMPTS]
    known += [identifier for identifier in options.get(PROMPTS, ()) if identifier not in known]
    for row in options.get("order", ()):
        if row.removeprefix(OFF) not in known:
            close = difflib.get_close_matches(row.removeprefix(OFF), known, n=1, cutoff=_SPELLING)
            raise WrongOptionError(
                ("order",),
                "The order of the prompt names a prompt that does not exist.",
                expected=f"{', '.join(known)}; with {OFF} in front: switched off",
                found=row,
                hint=f"Did you mean {close[0]}?" if close else "Define it under prompts.",
            )


def assignment(text: str) -> Options:
    """`NAME=VALUE` as one option: `instruct=ChatML`, `instruct.wrap=off`, `prompts.main.content=Write.`.

    Raises:
        WrongOptionError: an option nobody knows, a value it cannot have, or no equals sign.
    """
    name, equals, written = text.partition("=")
    path = tuple(
        part.strip().replace("-", "_") if place == 0 else part.strip() for place, part in enumerate(name.split("."))
    )
    if not equals:
        raise WrongOptionError((), f"{quote(text)} sets nothing.", expected="NAME=VALUE, such as api=text", found=text)
    value: Any = _read(path, written)
    for part in reversed(path[1:]):
        value = {part: value}
    return {path[0]: _checked(path[0], value)}


def _read(path: Path, text: str) -> Any:
    """What a text of the command line stands for."""
    head, *rest = path
    if not rest:
        return _PLAIN[head].read(text) if head in _PLAIN else switch_or_text(text)
    kinds = _PROMPT if head == PROMPTS else _TEMPLATES[head][1] if head in _TEMPLATES else {}
    if rest[-1] == "enabled":
        return switch_or_text(text)
    return kinds[rest[-1]].read(text) if rest[-1] in kinds else text


def added(options: Mapping[str, Any], text: str) -> Options:
    """Options with one of the command line above them; an order is checked once the file's prompts are known.

    Raises:
        WrongOptionError: an option nobody knows, a value it cannot have, or no equals sign.
    """
    return _above(options, assignment(text))


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> Options:
    """Options with others above them. A template that is named anew loses the changes to the one before.

    Raises:
        WrongOptionError: the order then names a prompt that does not exist.
    """
    found = _above(base, over)
    _check_order(found)
    return found


def _above(base: Mapping[str, Any], over: Mapping[str, Any]) -> Options:
    found = dict(base)
    for name, value in over.items():
        if name in _TEMPLATES and "template" not in value:
            found[name] = {**found.get(name, {}), **value}
        elif name == PROMPTS:
            prompts = found.get(PROMPTS, {})
            found[PROMPTS] = {**prompts, **{key: {**prompts.get(key, {}), **row} for key, row in value.items()}}
        else:
            found[name] = value
    return found
