"""`lorebook odds`: the chance that an entry is in the prompt, at a turn and over the chat."""

from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, Given, NoColor, TurnMode, Turns, takes_workspace
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS


@takes_workspace
def odds(
    given: Given,
    *,
    turn: Turns = None,
    every: Annotated[bool, typer.Option("--all", help="The whole chat, whatever happens at the turns before.")] = False,
    turns: TurnMode = "user",
    entry: Annotated[
        list[str] | None,
        typer.Option("--entry", "-e", metavar="ENTRY", help="Only this one: a uid, BOOK#UID, a title or a key."),
    ] = None,
    runs: Annotated[
        int | None,
        typer.Option("--runs", metavar="N", min=1, help="Runs where odds are estimated: 1000 of a turn, 400 chats."),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=0, help="Processes; 0: one per processor. Changes no result.")
    ] = 0,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Show the chance of each entry to be in the prompt at the last turn, at those asked for, or over the chat.

    A turn is judged after the turns before it went as the seed has it. With --all nothing is given: each turn counts
    with everything that can have happened before, and each entry with its chance to come at least once. Odds are worked
    out where the dice can fall in few ways, and else estimated from runs with the seeds from --seed on.
    """
    from lorebook_tui.cli import odds_text  # noqa: PLC0415 - `--help` throws no dice

    writer = Writer.for_terminal(no_color=no_color)
    workspace = given.open(writer)
    asked = odds_text.AskedOdds(tuple(turn or ()), every, turns, tuple(entry or ()), runs, jobs)
    if not odds_text.write_odds(workspace, asked, writer, as_json=as_json):
        raise typer.Exit(EXIT_FINDINGS)
