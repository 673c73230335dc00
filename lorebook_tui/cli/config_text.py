"""The configuration as text: options in force, mistakes, keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.display import plain
from lorebook_tui.errors import EXIT_FINDINGS, EXIT_FINE, LorebookError, UsageError
from lorebook_tui.tui.actions import ACTIONS, Scope, effective, use_keys
from lorebook_tui.tui.keymap import settled
from lorebook_tui.tui.themes import CYCLE, OTHERS, users_theme
from lorebook_tui.workspace import memory
from lorebook_tui.workspace.config import OPTIONS, ConfigError, Preferences, defaults, load, told
from lorebook_tui.workspace.config_template import template
from lorebook_tui.workspace.places import config_file, made

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.tui.actions import Action


def write_config(writer: Writer, *, as_json: bool) -> None:
    """Path, options in force, and the mistakes as narration."""
    path = config_file()
    wanted = load(path)
    remembered = memory.load(memory.memory_file())
    if as_json:
        writer.json(_config_json(wanted))
        return
    writer.heading("Configuration", plain(str(path)))
    if not path.exists():
        writer.line("  There is no such file yet; `lorebook config --init` writes one.")
    usual = defaults()
    rows = []
    for option in OPTIONS:
        value = getattr(wanted, option.field)
        state = "" if value == usual[option.field] else "yours"
        rows.append((option.name, _shown(value), state, option.help))
    writer.table(rows, indent="  ")
    _write_wishes(wanted, writer)
    writer.heading("Remembered", plain(str(memory.memory_file())))
    recent = [(plain(item),) for item in remembered.recent]
    writer.table([("theme", remembered.theme or "–"), ("tour", "seen" if remembered.tour_seen else "new")], indent="  ")
    writer.table([("recent", *row) if not number else ("", *row) for number, row in enumerate(recent)], indent="  ")
    for notice in doubts(wanted):
        writer.narrate(plain(notice, " "))


def _write_wishes(wanted: Preferences, writer: Writer) -> None:
    if wanted.keys:
        writer.heading("Keys")
        writer.table([(plain(wish.action), plain(" ".join(wish.keys)) or "none") for wish in wanted.keys], indent="  ")
    if wanted.themes:
        writer.heading("Themes")
        writer.table([(plain(wish.name), f"from {wish.base}", *wish.colours) for wish in wanted.themes], indent="  ")


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return plain(str(value)) or "–"


def _config_json(wanted: Preferences) -> dict[str, Any]:
    """Everything for tools."""
    path = config_file()
    return {
        "path": str(path),
        "exists": path.exists(),
        "options": {option.name: getattr(wanted, option.field) for option in OPTIONS},
        "keys": {wish.action: list(wish.keys) for wish in wanted.keys},
        "themes": {wish.name: {"base": wish.base, **wish.colours} for wish in wanted.themes},
        "notices": [{"message": item.message, "where": item.where} for item in wanted.notices],
        "doubts": doubts(wanted)[len(wanted.notices) :],
        "memory": str(memory.memory_file()),
        "recent": list(memory.load(memory.memory_file()).recent),
    }


def doubts(wanted: Preferences) -> list[str]:
    """All that is wrong or doubtful: what cannot be read, keys that clash, themes and tokenizers that do not exist."""
    found = [told(notice) for notice in wanted.notices]
    found += settled(wanted.keys).notices
    names = {*CYCLE, *(wish.name for wish in wanted.themes)}
    for wish in wanted.themes:
        doubt = f"There is a theme {wish.name} already. ({wish.where})" if wish.name in CYCLE else users_theme(wish)[1]
        found += [doubt] if doubt else []
    if wanted.theme and wanted.theme not in names and wanted.theme not in OTHERS:
        found.append(f"There is no theme {wanted.theme}. (themes: {', '.join(sorted(names))})")
    if wanted.tokenizer:
        from lorebook_tui.tokens.registry import counter  # noqa: PLC0415 - only where one is named

        try:
            counter(wanted.tokenizer)
        except LorebookError as error:
            found.append(f"{error.message} (tokenizer)")
    return found


def write_check(writer: Writer, *, as_json: bool) -> int:
    """Every mistake on a line; returns the exit status."""
    path = config_file()
    found = doubts(load(path))
    if as_json:
        writer.json({"path": str(path), "exists": path.exists(), "doubts": found})
    elif found:
        for notice in found:
            writer.wrapped(plain(notice, " "), hang="  ")
    else:
        writer.line(
            f"{plain(str(path))}: {'nothing is wrong' if path.exists() else 'no such file, and none is needed'}"
        )
    return EXIT_FINDINGS if found else EXIT_FINE


def write_new(writer: Writer) -> None:
    """Write the file of a new user.

    Raises:
        UsageError: there is one already, or it cannot be written.
    """
    path = config_file()
    made(path.parent)
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(template())
    except FileExistsError:
        raise UsageError(
            "There is a configuration already.", where=str(path), hint="`lorebook config` shows what is in it."
        ) from None
    except OSError as error:
        raise ConfigError(
            "The configuration cannot be written.", where=str(path), found=error.strerror or str(error)
        ) from error
    writer.line(plain(str(path)))


def write_keys(words: tuple[str, ...], writer: Writer, *, as_json: bool) -> None:
    """The actions, with the keys that they have for this user."""
    keymap = settled(load(config_file()).keys)
    use_keys(keymap.keys)
    wanted = [word.casefold() for word in words]
    listed = [effective(action) for action in ACTIONS]
    listed = [action for action in listed if all(word in _searched(action) for word in wanted)]
    if as_json:
        writer.json([_key_json(action, keymap.keys) for action in listed])
        return
    for scope in Scope:
        rows = [
            (
                action.keys_text or "–",
                action.id,
                action.help if action.id not in keymap.keys else f"{action.help} (yours)",
            )
            for action in listed
            if action.scope is scope
        ]
        if rows:
            writer.heading(scope.value)
            writer.table(rows, indent="  ")
    for notice in keymap.notices:
        writer.narrate(plain(notice, " "))


def _searched(action: Action) -> str:
    return " ".join((action.id, action.keys_text, *action.keys, action.label, action.help)).casefold()


def _key_json(action: Action, own: Any) -> dict[str, Any]:
    return {
        "id": action.id,
        "scope": action.scope.value,
        "label": action.label,
        "help": action.help,
        "keys": list(action.keys),
        "shown": action.keys_text,
        "yours": action.id in own,
    }
