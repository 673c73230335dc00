"""`lorebook simulate`: turns of a chat, phase by phase."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lorebook_tui.cli.options import AsJson, Given, NoColor, TurnMode, Turns, takes_workspace
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS, UsageError

if TYPE_CHECKING:
    from lorebook_tui.workspace.workspace import Workspace


@takes_workspace
def simulate(
    given: Given,
    *,
    turn: Turns = None,
    every: Annotated[bool, typer.Option("--all", help="Every turn of the chat, a line each.")] = False,
    turns: TurnMode = "user",
    phase: Annotated[
        list[int] | None,
        typer.Option(
            "--phase", metavar="N", min=1, max=7, help="Only this phase: 1 buffer … 7 inject. May be repeated."
        ),
    ] = None,
    prompt: Annotated[
        bool, typer.Option("--prompt", help="The assembled prompt, coloured by origin, and what is not in it.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", metavar="ROWS", min=0, help="Rows of each phase, lines of each text of a prompt; 0 shows all."
        ),
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="With --json: where each key hit or almost hit.")
    ] = False,
    witness: Annotated[
        Path | None,
        typer.Option("--witness", metavar="FILE", help="A scenario that lorebook check --witness wrote, instead."),
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Replay the chat and show the last turn (or those asked for): budget, verdicts, order and places in the prompt.

    The turns before are replayed too, so sticky entries, cooldowns, variables and dice stand as they would. The exit
    status is 1 if the simulated product could not load the lore at all, or would send no prompt.
    """
    from lorebook_tui.cli import turn_text  # noqa: PLC0415 - `--help` simulates nothing

    writer = Writer.for_terminal(no_color=no_color)
    workspace = _opened(given, witness, writer)
    asked = turn_text.Asked(tuple(turn or ()), every, turns, tuple(phase or ()), limit)
    if prompt:
        from lorebook_tui.cli import prompt_text  # noqa: PLC0415 - only for prompts

        if as_json:
            is_loaded = prompt_text.write_prompts_json(workspace, asked, writer, evidence=evidence)
        else:
            is_loaded = prompt_text.write_prompts(workspace, asked, writer)
    elif as_json:
        is_loaded = turn_text.write_json(workspace, asked, writer, evidence=evidence)
    else:
        is_loaded = turn_text.write_turns(workspace, asked, writer)
    if not is_loaded:
        raise typer.Exit(EXIT_FINDINGS)


def _opened(given: Given, witness: Path | None, writer: Writer) -> "Workspace":
    """The workspace of the options, or that of a witness."""
    if witness is None:
        return given.open(writer)
    if not given.is_empty:
        raise UsageError("A witness brings its own books and chat.", where="--witness", hint="Name no other file.")
    from lorebook_tui.display import plain  # noqa: PLC0415 - only for witnesses
    from lorebook_tui.workspace.witness_files import open_witness  # noqa: PLC0415 - as above

    workspace, shows = open_witness(witness)
    if shows:
        writer.narrate(plain(shows, " "))
    return workspace
