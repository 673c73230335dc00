"""The options of the prompt on the screen: a line per option with its meaning, default and values."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from lorebook_tui.display import json_excerpt
from lorebook_tui.workspace.prompt_option_help import option_rows
from lorebook_tui.workspace.prompt_options import option_named

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.workspace.prompt_option_help import OptionRow

_SHAPES = {"chat": "chat completions only", "text": "text completions only"}
_EXCERPT_CELLS = 44


def write_options(names: tuple[str, ...], writer: Writer, *, as_json: bool) -> None:
    """The named options in full, or all of them in short.

    Raises:
        UsageError: there is no such option.
    """
    wanted = {option_named(name) for name in names}
    rows = [row for row in option_rows() if not wanted or row.name in wanted]
    if as_json:
        writer.json([asdict(row) for row in rows])
        return
    if not names:
        writer.heading("Options of the prompt", "[prompt] in lorebook.toml, --prompt-set NAME=VALUE")
    for row in rows:
        _write_row(row, writer, in_full=bool(names))


def _write_row(row: OptionRow, writer: Writer, *, in_full: bool) -> None:
    default = "" if row.default is None else f"default {json_excerpt(row.default, _EXCERPT_CELLS)}"
    notes = ", ".join(part for part in (row.expected, default, _SHAPES.get(row.shape, "")) if part)
    writer.line(f"  {writer.styled(row.name, 'bold')}")
    writer.wrapped(row.help, indent="    ")
    writer.wrapped(notes, indent="    ", style="faint")
    if in_full:
        for label, listed in (("fields", row.fields), ("shipped", row.shipped)):
            if listed:
                writer.wrapped(f"{label}: {', '.join(listed)}", indent="    ", hang="      ", style="faint")
