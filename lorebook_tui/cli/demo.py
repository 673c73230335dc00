"""`lorebook demo` and `lorebook PATH…`: the workbench, or a proof that it would start."""

from typing import Annotated

import typer

from lorebook_tui.cli import choices
from lorebook_tui.cli.options import Given, NoColor, takes_workspace
from lorebook_tui.cli.output import Writer

Mouse = Annotated[
    bool | None, typer.Option("--mouse/--no-mouse", help="Whether the mouse is the workbench's or the terminal's.")
]


def demo(
    *,
    name: Annotated[
        str,
        typer.Option(
            "--name", metavar="SAMPLE", autocompletion=choices.samples, help="harrowmere, mossford or support."
        ),
    ] = "harrowmere",
    smoke: Annotated[
        bool, typer.Option("--smoke", help="Without a terminal: load, replay, start the screen once, leave.")
    ] = False,
    mouse: Mouse = None,
    no_color: NoColor = False,
) -> None:
    """Open the sample world that comes with the program."""
    from lorebook_tui.cli import screen  # noqa: PLC0415 - `--help` shows no screen
    from lorebook_tui.workspace.opening import open_workspace  # noqa: PLC0415 - as above
    from lorebook_tui.workspace.sample import sample  # noqa: PLC0415 - as above

    writer = Writer.for_terminal(no_color=no_color)
    if smoke:
        screen.smoke(name, writer)
        return
    path = sample(name)
    screen.refuse_without_terminal(f"lorebook simulate {path.parent}")
    raise typer.Exit(screen.show(lambda: open_workspace([path]), mouse=mouse, colour=not no_color, tour=True))


@takes_workspace
def open_screen(given: Given, *, mouse: Mouse = None, no_color: NoColor = False) -> None:
    """Open the workbench on worlds, cards, a chat, a lorebook.toml or a folder."""
    from lorebook_tui.cli import screen  # noqa: PLC0415 - `--help` shows no screen

    writer = Writer.for_terminal(no_color=no_color)
    screen.refuse_mistyped_command(given.paths or ())
    given.check()
    screen.refuse_without_terminal("lorebook simulate, why, ls and others")
    named = [*(given.paths or ()), *([given.chat] if given.chat else [])]
    raise typer.Exit(
        screen.show(lambda: given.open(writer, quiet=True), mouse=mouse, colour=not no_color, opened=named)
    )
