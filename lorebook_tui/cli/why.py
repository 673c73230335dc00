"""`lorebook why`: one entry at one turn, in or out, and the evidence."""

from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, Given, NoColor, TurnMode, Turns, takes_workspace
from lorebook_tui.cli.output import Writer


@takes_workspace
def why(
    entry: Annotated[str, typer.Argument(metavar="ENTRY", help="A uid, BOOK#UID, a title or a key.")],
    given: Given,
    *,
    turn: Turns = None,
    turns: TurnMode = "user",
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Say why an entry is or is not in the prompt at a turn (the last one, if none is named)."""
    from lorebook_tui.cli import why_text  # noqa: PLC0415 - `--help` explains nothing

    writer = Writer.for_terminal(no_color=no_color)
    workspace = given.open(writer)
    why_text.write_why(workspace, entry, tuple(turn or ()), turns, writer, as_json=as_json)
