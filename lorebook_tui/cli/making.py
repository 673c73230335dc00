"""`lorebook new` and `lorebook add`: a new book, and new entries in one."""

from pathlib import Path
from typing import Annotated

import typer

from lorebook_tui.cli import choices
from lorebook_tui.cli.editing import DryRun
from lorebook_tui.cli.options import AsJson, NoColor
from lorebook_tui.cli.output import Writer

Templates = Annotated[
    list[str] | None,
    typer.Option(
        "--template", metavar="NAME", autocompletion=choices.templates, help="Entries of a template; may be repeated."
    ),
]
Answers = Annotated[
    list[str] | None,
    typer.Option("--answer", metavar="BLANK=TEXT", help="What goes into a blank of the templates."),
]
FromInput = Annotated[
    bool,
    typer.Option("--from-stdin", help="Entries from standard input: JSON of one, a list, a world or a card; or text."),
]


def new(
    path: Annotated[Path, typer.Argument(metavar="PATH", help="The new file; .json is added if it has no ending.")],
    *,
    format_name: Annotated[
        str,
        typer.Option(
            "--format", metavar="NAME", autocompletion=choices.new_formats, help="sillytavern, v2_book or lorebook_v3."
        ),
    ] = "sillytavern",
    entry: Annotated[
        list[str] | None,
        typer.Option(
            "--entry", metavar="'FIELD=VALUE...'", help="An entry, its fields in one argument; may be repeated."
        ),
    ] = None,
    template: Templates = None,
    answer: Answers = None,
    from_stdin: FromInput = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Make a new book, empty or with entries. A file that is there already is never overwritten.

    SillyTavern calls a world by the name of its file. Fields that nobody names are those of a new entry.
    """
    from lorebook_tui.cli import make_run  # noqa: PLC0415 - `--help` makes nothing

    writer = Writer.for_terminal(no_color=no_color)
    wanted = make_run.Wanted(tuple(entry or ()), tuple(template or ()), tuple(answer or ()), from_stdin=from_stdin)
    make_run.new_file(path, format_name, wanted, writer, dry_run=dry_run, as_json=as_json)


def add(
    path: Annotated[Path, typer.Argument(metavar="BOOK", help="A world or a card with a book; or a workspace.")],
    fields: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FIELD=VALUE]...", show_default=False, help="Fields of the new entry; FIELD=@FILE takes a file."
        ),
    ] = None,
    *,
    book: Annotated[
        str | None, typer.Option("--book", "-b", metavar="NAME", help="Which book, if several are open.")
    ] = None,
    template: Templates = None,
    answer: Answers = None,
    from_stdin: FromInput = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Add an entry to a book, written out in fields, from a template or from standard input.

    Fields that nobody names are those of a new entry. Fields that are named change what comes from elsewhere, too.
    """
    from lorebook_tui.cli import make_run  # noqa: PLC0415 - `--help` makes nothing

    writer = Writer.for_terminal(no_color=no_color)
    wanted = make_run.Wanted((), tuple(template or ()), tuple(answer or ()), tuple(fields or ()), from_stdin=from_stdin)
    make_run.add_entries(path, book, wanted, writer, dry_run=dry_run, as_json=as_json)
