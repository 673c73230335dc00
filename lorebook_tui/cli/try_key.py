"""`lorebook test-key`: does this key occur in this text, in every way of looking."""

from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, NoColor
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS


def try_key(
    key: Annotated[str, typer.Argument(metavar="KEY", help="A word or /pattern/flags, as in an entry.")],
    *,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A message; @FILE reads a file, - standard input.")],
    user: Annotated[str, typer.Option("--user", metavar="NAME", help="What {{user}} in the key stands for.")] = "User",
    char: Annotated[
        str, typer.Option("--char", metavar="NAME", help="What {{char}} in the key stands for.")
    ] = "Character",
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Try a key on a text: whole words or anywhere, any case or the same, as a pattern; and say why not.

    The exit status is 0 if it matches as in a fresh SillyTavern, and 1 if it does not.
    """
    from lorebook_tui.cli import key_text  # noqa: PLC0415 - `--help` matches nothing
    from lorebook_tui.cli.texts import given_text  # noqa: PLC0415 - as above

    writer = Writer.for_terminal(no_color=no_color)
    tried = key_text.Tried(key, key_text.resolved(key, user, char), given_text(text))
    if as_json:
        writer.json(tried.as_json())
    else:
        key_text.write_tried(tried, writer)
    if not tried.matches:
        raise typer.Exit(EXIT_FINDINGS)
