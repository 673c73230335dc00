"""`lorebook budget`: what every budget would let in, what a chat needs, and what helps."""

from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, Given, NoColor, TurnMode, Turns, takes_workspace
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS


@takes_workspace
def budget(
    given: Given,
    *,
    turn: Turns = None,
    every: Annotated[
        bool, typer.Option("--all", help="The whole chat: what each turn needs, who comes and goes.")
    ] = False,
    turns: TurnMode = "user",
    tokens: Annotated[
        list[int] | None,
        typer.Option("--tokens", metavar="N", min=1, help="A budget in tokens to look at. May be repeated."),
    ] = None,
    contexts: Annotated[
        list[int] | None,
        typer.Option("--contexts", metavar="N", min=1, help="A size of the context to look at. May be repeated."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="ROWS", min=0, help="Rows of a table; 0 shows all.")] = 12,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Show what enters the prompt with every other budget at the last turn, at those asked for, or what a chat needs.

    A turn: the curve over all budgets and where it steps, other contexts, who takes the tokens, and what would let the
    rest in. With --all: the budget each turn needs, half of them, nearly all and the largest, and the entries that are
    in at some turns and cut at others.
    """
    from lorebook_tui.cli import budget_text  # noqa: PLC0415 - `--help` counts nothing

    writer = Writer.for_terminal(no_color=no_color)
    workspace = given.open(writer)
    asked = budget_text.AskedBudget(tuple(turn or ()), every, turns, tuple(tokens or ()), tuple(contexts or ()), limit)
    if not budget_text.write_budget(workspace, asked, writer, as_json=as_json):
        raise typer.Exit(EXIT_FINDINGS)
