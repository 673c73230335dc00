"""`lorebook config` and `lorebook keys`: what the user wants of the program, and which keys do what."""

from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, NoColor
from lorebook_tui.cli.output import Writer


def config(
    check: Annotated[
        bool, typer.Option("--check", help="Only look for mistakes; exit status 1 if there are any.")
    ] = False,
    init: Annotated[bool, typer.Option("--init", help="Write a file with every option and its meaning.")] = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Show where your configuration lies, what is in force, and what is wrong with it."""
    from lorebook_tui.cli import config_text  # noqa: PLC0415 - `--help` reads no file

    writer = Writer.for_terminal(no_color=no_color)
    if init:
        config_text.write_new(writer)
    elif check:
        raise typer.Exit(config_text.write_check(writer, as_json=as_json))
    else:
        config_text.write_config(writer, as_json=as_json)


def keys(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD", show_default=False, help="Only actions with these words in name, key or help."),
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """List every action of the screen with its name for the configuration and its keys."""
    from lorebook_tui.cli import config_text  # noqa: PLC0415 - `--help` lists nothing

    config_text.write_keys(tuple(words or ()), Writer.for_terminal(no_color=no_color), as_json=as_json)
