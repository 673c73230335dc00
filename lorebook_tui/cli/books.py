"""`lorebook ls` and `lorebook show`: what is in the files, entry by entry and field by field."""

from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, Given, NoColor, takes_workspace
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS


@takes_workspace
def ls(
    given: Given,
    *,
    report: Annotated[
        bool, typer.Option("--report", help="What was odd about the files, instead of the entries.")
    ] = False,
    where: Annotated[
        str, typer.Option("--where", "-w", metavar="QUERY", help="Only these entries, as in `lorebook set --help`.")
    ] = "",
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """List layers, books and entries; or with --report what was odd about the files.

    With --report the exit status is 1 if anything is worse than an oddity, with --where if no entry matches.
    """
    from lorebook_tui.cli import books_text  # noqa: PLC0415 - `--help` lists nothing

    writer = Writer.for_terminal(no_color=no_color)
    workspace = given.open(writer, quiet=report)
    if where:
        from lorebook_tui.cli import edit_run  # noqa: PLC0415 - only for queries

        workspace = edit_run.narrowed(workspace, edit_run.Choice(where), writer)
    if report:
        is_fine = books_text.write_report(workspace, writer, as_json=as_json)
        if not is_fine:
            raise typer.Exit(EXIT_FINDINGS)
    elif as_json:
        writer.json(books_text.listing(workspace))
    else:
        books_text.write_listing(workspace, writer)


@takes_workspace
def show(
    what: Annotated[str, typer.Argument(metavar="ENTRY|FILE", help="A uid, BOOK#UID, a title, a key; or a file.")],
    given: Given,
    *,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Show one entry with all its fields and what they come to, or what a file is."""
    from lorebook_tui.cli import file_text, show_text  # noqa: PLC0415 - `--help` shows nothing

    writer = Writer.for_terminal(no_color=no_color)
    path = file_text.as_file(what)
    if path is not None and given.is_empty:
        file_text.write_file(path, writer, as_json=as_json)
    else:
        show_text.write_entry(given.open(writer), what, writer, as_json=as_json)
