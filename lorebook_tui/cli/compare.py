"""`lorebook compare`: two books, settings, seeds or engines over one chat, turn by turn."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from lorebook_tui.cli import choices
from lorebook_tui.cli.options import AsJson, Given, NoColor, TurnMode, Turns, takes_workspace
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS

Books = list[Path] | None

_OWN = {
    "paths": Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="A [B]",
            show_default=False,
            help="Two worlds, cards or workspaces; one if B differs by options. Without any: the lorebook.toml here.",
        ),
    ]
}


@partial(takes_workspace, own=_OWN)
def compare(
    given: Given,
    *,
    turn: Turns = None,
    turns: TurnMode = "user",
    settings_b: Annotated[
        list[str] | None,
        typer.Option("--set-b", metavar="NAME=VALUE", autocompletion=choices.settings, help="One setting of B alone."),
    ] = None,
    seed_b: Annotated[int | None, typer.Option("--seed-b", metavar="N", min=0, help="Seed of B's dice.")] = None,
    context_b: Annotated[
        int | None, typer.Option("--context-b", metavar="TOKENS", min=1, help="Context of B less the reply.")
    ] = None,
    engines: Annotated[
        str | None, typer.Option("--engines", metavar="A,B", help="The engines of A and B, a comma between.")
    ] = None,
    tokenizer_b: Annotated[
        str | None,
        typer.Option(
            "--tokenizer-b", metavar="NAME", autocompletion=choices.tokenizers, help="What counts tokens for B."
        ),
    ] = None,
    trigger_b: Annotated[
        str | None,
        typer.Option("--trigger-b", metavar="KIND", autocompletion=choices.triggers, help="Kind of generation in B."),
    ] = None,
    global_b: Annotated[Books, typer.Option("--global-b", metavar="FILE", help="Book of B's global layer.")] = None,
    character_b: Annotated[
        Books, typer.Option("--character-b", metavar="FILE", help="Book of B's character layer.")
    ] = None,
    persona_b: Annotated[Books, typer.Option("--persona-b", metavar="FILE", help="Book of B's persona layer.")] = None,
    chat_lore_b: Annotated[Books, typer.Option("--chat-lore-b", metavar="FILE", help="Book of B's chat layer.")] = None,
    same: Annotated[
        list[str] | None,
        typer.Option("--same", metavar="A=B", help="A book of A and its name in B, if they do not tell."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="ROWS", min=0, help="Rows of a turn; 0 shows all.")] = 12,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Run a chat with two books, settings, seeds or engines and list what the prompt of one has and the other has not.

    Options hold for both sides unless they end in -b; --chat gives two books the same chat. Entries are paired by book
    and uid, books by name, else by what they look like. The exit status is 1 if anything differs, else 0.
    """
    from lorebook_tui.cli import compare_text  # noqa: PLC0415 - `--help` compares nothing

    writer = Writer.for_terminal(no_color=no_color)
    other = compare_text.Other(
        settings=tuple(settings_b or ()),
        seed=seed_b,
        context=context_b,
        engines=engines,
        tokenizer=tokenizer_b,
        trigger=trigger_b,
        global_=global_b,
        character=character_b,
        persona=persona_b,
        chat_lore=chat_lore_b,
    )
    asked = compare_text.AskedComparison(tuple(turn or ()), turns, tuple(same or ()), limit)
    if not compare_text.write_comparison(given, other, asked, writer, as_json=as_json):
        raise typer.Exit(EXIT_FINDINGS)
