"""The top of the command line: paths without a command open the screen, errors become one block, help has sections."""

from __future__ import annotations

import os
import re
import sys
from typing import Any, Final

import typer
from typer.core import TyperGroup

from lorebook_tui.cli.output import Writer, show_error
from lorebook_tui.errors import LorebookError

OPEN: Final = "open"
"""The hidden command that paths without a command mean."""
_NO_COLOR: Final = "--no-color"
_OWN_OPTIONS: Final = ("--help", "-h", "--version", "--install-completion", "--show-completion")
_ASKED_FIRST: Final = ("set", "rm", "mv")
"""Commands that begin with a query, which may begin with a minus."""
_NEGATED: Final = re.compile(r"-(?=[^\W\d][\w.-]+(?:[:=<>]|!=))")
"""The minus of a negated term, which is no option."""
SECTIONS: Final = {
    "Look": ("demo", "ls", "show"),
    "Edit": ("new", "add", "set", "renumber", "replace", "tidy", "rm", "mv"),
    "Simulate": ("simulate", "why", "odds", "budget", "compare", "test-key"),
    "Check": ("check", "explain"),
    "Reference": ("fields", "tokens", "schema", "keys", "config"),
}
"""Commands by the headings of the help; what is in none stands under `More`."""


class LorebookGroup(TyperGroup):
    """All commands, and what happens around them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the hidden command in front of bare paths."""
        return super().parse_args(ctx, self.with_command(args, completing=bool(ctx.resilient_parsing)))

    def with_command(self, args: list[str], *, completing: bool = False) -> list[str]:
        """The arguments with a command in front, as in `lorebook --no-color ls` and `lorebook world.json`."""
        rest = list(args)
        options = []
        while rest and rest[0] == _NO_COLOR:
            options.append(rest.pop(0))
        if rest and rest[0].partition("=")[0] in _OWN_OPTIONS:
            return rest
        if rest and rest[0] in self.commands:
            given = (
                [re.sub(_NEGATED, "not ", word, count=1) if _NEGATED.match(word) else word for word in rest[1:]]
                if rest[0] in _ASKED_FIRST
                else rest[1:]
            )
            return [rest[0], *options, *given]
        if not rest and completing:
            return rest
        return [OPEN, *options, *rest]

    def invoke(self, ctx: Any) -> Any:
        """Run the command; what the user can understand ends without a traceback."""
        try:
            return super().invoke(ctx)
        except LorebookError as error:
            show_error(error, Writer.for_terminal(no_color=_NO_COLOR in sys.argv))
            raise typer.Exit(error.exit_status) from None
        except BrokenPipeError:
            let_go_of_output()
            raise typer.Exit(0) from None
        except OSError as error:
            if error.filename is not None:
                raise
            raise typer.Exit(report_lost_output(error)) from None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """The commands under their headings."""
        del ctx
        listed = {name: command for name, command in self.commands.items() if not command.hidden}
        placed = {name for names in SECTIONS.values() for name in names}
        sections = {**SECTIONS, "More": tuple(name for name in listed if name not in placed)}
        width = max(map(len, listed), default=0)
        for heading, names in sections.items():
            rows = [
                (name.ljust(width), listed[name].get_short_help_str(limit=formatter.width - width - 6))
                for name in names
                if name in listed
            ]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def report_lost_output(error: OSError) -> int:
    """Standard output could not be written (a full disk); says so and returns the exit status."""
    let_go_of_output()
    lost = LorebookError("The output could not be written.", found=error.strerror or str(error))
    show_error(lost, Writer.for_terminal(no_color=_NO_COLOR in sys.argv))
    return lost.exit_status


def let_go_of_output() -> None:
    """The reader is gone (`| head`): nothing more is written, and nobody complains about it at the end."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - lives as long as the process
