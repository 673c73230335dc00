"""The `config.toml` of a new user, each line with its meaning."""

from __future__ import annotations

from lorebook_tui.workspace.config import OPTIONS, defaults

_EXAMPLES = """\
# Keys by action; `lorebook keys` lists the names. An empty list takes an action's keys away.
# [keys]
# "global.undo" = ["u", "ctrl+z"]
# jump = "ctrl+g"

# Themes of your own: a few colours, the rest follows. Choose one by: theme = "dusk"
# [themes.dusk]
# base = "dark"
# background = "#1d1a26"
# foreground = "#ddd6e8"
# primary = "#c99bd6"
"""


def template() -> str:
    """The whole file."""
    import tomli_w  # noqa: PLC0415 - only for who writes

    values = defaults()
    parts = [
        "# Configuration of lorebook. `lorebook config` shows what is in force, `lorebook config --check` proves it.\n"
    ]
    table = ""
    for option in OPTIONS:
        if len(option.path) > 1 and option.path[0] != table:
            table = option.path[0]
            parts.append(f"[{table}]\n")
        parts.append(f"# {option.help} ({option.kind.expected})\n")
        parts.append(tomli_w.dumps({option.path[-1]: values[option.field]}) + "\n")
    return "\n".join((*("".join(parts).rstrip("\n"), ""), _EXAMPLES))
