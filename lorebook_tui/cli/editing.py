"""`lorebook set`, `renumber`, `replace`, `rm` and `mv`: changes of many entries, shown first if that is wanted."""

from functools import partial
from typing import Annotated

import typer

from lorebook_tui.cli.options import AsJson, Given, NoColor, takes_workspace
from lorebook_tui.cli.output import Writer

DryRun = Annotated[bool, typer.Option("--dry-run", "-n", help="Show what would change, and write nothing.")]
Force = Annotated[
    bool, typer.Option("--force", help="Change locked entries, and let contents lose most of their text.")
]
Books = Annotated[
    list[str] | None, typer.Option("--book", "-b", metavar="NAME", help="Only entries of this book or file.")
]
Where = Annotated[str, typer.Option("--where", "-w", metavar="QUERY", help="Only these entries; all without it.")]
Query = Annotated[
    str,
    typer.Argument(
        metavar="QUERY", help="Words, FIELD:VALUE, tokens:>200, folder:NPC, not, or; '*' is all: see the examples."
    ),
]
_WORDS = {
    "paths": Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FIELD=VALUE... [PATH]...",
            show_default=False,
            help="100, yes, at-depth, null; +10, -10, *2; lists: a, b or +a or -a; @FILE. Then the files.",
        ),
    ]
}


@partial(takes_workspace, own=_WORDS)
def set_values(
    query: Query,
    given: Given,
    *,
    books: Books = None,
    dry_run: DryRun = False,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Set fields of all entries that a query means.

    A field is called by its own name, its label or in short. A value is checked against the field's type, choices and
    range. One more = takes it as it is: order==-10, title==null.
    """
    from lorebook_tui.cli import edit_ops, edit_run  # noqa: PLC0415 - `--help` changes nothing

    writer = Writer.for_terminal(no_color=no_color)
    asked = edit_run.given_query(query)
    inputs, paths = edit_ops.split_assignments([str(word) for word in given.paths or ()])
    made = edit_ops.Made(edit_ops.with_paths(given, paths), writer, edit_run.How(dry_run, force, as_json))
    made.run(
        edit_run.Choice(asked, tuple(books or ())),
        lambda workspace, refs: edit_ops.set_values(workspace, refs, inputs),
    )


@takes_workspace
def renumber(
    given: Given,
    *,
    where: Where = "*",
    books: Books = None,
    ascending: Annotated[
        bool, typer.Option("--ascending/--descending", help="The first entry gets the lowest order, or the highest.")
    ] = True,
    start: Annotated[float, typer.Option("--start", metavar="N", help="The lowest order given.")] = 100,
    step: Annotated[float, typer.Option("--step", metavar="N", help="Between two orders.")] = 10,
    by: Annotated[
        str, typer.Option("--by", metavar="order|tree", help="Which is first: by the orders they have, or as listed.")
    ] = "order",
    within: Annotated[
        str,
        typer.Option(
            "--within", metavar="all|book|folder|group", help="All together, or each from the start on its own."
        ),
    ] = "all",
    dry_run: DryRun = False,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Give entries evenly spaced orders.

    Ascending by order leaves the prompt as it is. A higher order survives the budget longer and stands lower in the
    prompt.
    """
    from lorebook_tui.cli import edit_ops, edit_run  # noqa: PLC0415 - `--help` changes nothing
    from lorebook_tui.workspace.renumbering import Numbering  # noqa: PLC0415 - as above

    writer = Writer.for_terminal(no_color=no_color)
    numbering = Numbering(start, step, not ascending, by, within)
    made = edit_ops.Made(given, writer, edit_run.How(dry_run, force, as_json))
    made.run(
        edit_run.Choice(where, tuple(books or ())),
        lambda workspace, refs: edit_ops.new_orders(workspace, refs, numbering),
    )


@takes_workspace
def replace(
    find: Annotated[str, typer.Argument(metavar="FIND", help="A text, or a JavaScript /pattern/flags.")],
    put: Annotated[str, typer.Argument(metavar="PUT", help="What takes its place; of a pattern with $1, $<name>, $&.")],
    given: Given,
    *,
    where: Where = "*",
    books: Books = None,
    places: Annotated[
        list[str] | None,
        typer.Option("--in", metavar="PLACE", help="content (without this), keys, secondary, title; may be repeated."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="FIND is a text even if it looks like a pattern.")] = False,
    ignore_case: Annotated[bool, typer.Option("--ignore-case", "-i", help="Capitals do not matter.")] = False,
    words: Annotated[bool, typer.Option("--words", help="Only whole words.")] = False,
    dry_run: DryRun = False,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Find and replace in contents, keys or titles. With --dry-run every hit is shown.

    A pattern replaces all its hits, with or without g. The exit status is 1 if there is nothing to replace.
    """
    from lorebook_tui.cli import edit_ops, edit_run  # noqa: PLC0415 - `--help` changes nothing
    from lorebook_tui.workspace.replacing import replacement  # noqa: PLC0415 - as above

    writer = Writer.for_terminal(no_color=no_color)
    wanted = replacement(find, put, places or ["content"], plain=plain, ignore_case=ignore_case, whole_words=words)
    how = edit_run.How(dry_run, force, as_json)
    edit_ops.Made(given, writer, how).run(
        edit_run.Choice(where, tuple(books or ())),
        lambda workspace, refs: edit_ops.replace_texts(workspace, refs, wanted, how, writer),
    )


@takes_workspace
def tidy(
    given: Given,
    *,
    where: Where = "*",
    books: Books = None,
    titles: Annotated[bool, typer.Option("--titles", help="Give entries without a title their first key.")] = False,
    keys: Annotated[bool, typer.Option("--keys", help="Take out blank keys and those an entry has twice.")] = False,
    dry_run: DryRun = False,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Fill empty titles from first keys, and take out doubled keys."""
    from lorebook_tui.cli import edit_ops, edit_run  # noqa: PLC0415 - `--help` changes nothing

    writer = Writer.for_terminal(no_color=no_color)
    made = edit_ops.Made(given, writer, edit_run.How(dry_run, force, as_json))
    made.run(
        edit_run.Choice(where, tuple(books or ())),
        lambda workspace, refs: edit_ops.tidied(workspace, refs, titles=titles, keys=keys),
    )


@takes_workspace
def rm(
    query: Query,
    given: Given,
    *,
    books: Books = None,
    dry_run: DryRun = False,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Remove all entries that a query means; the files keep everything else as it is."""
    from lorebook_tui.cli import edit_ops, edit_run  # noqa: PLC0415 - `--help` changes nothing

    writer = Writer.for_terminal(no_color=no_color)
    asked = edit_run.given_query(query)
    made = edit_ops.Made(given, writer, edit_run.How(dry_run, force, as_json))
    made.run(edit_run.Choice(asked, tuple(books or ())), edit_ops.remove)


@takes_workspace
def mv(
    query: Query,
    given: Given,
    *,
    to: Annotated[str, typer.Option("--to", metavar="BOOK|FILE", help="The book that they go to.")],
    copy: Annotated[bool, typer.Option("--copy", help="Leave the entries where they are too.")] = False,
    books: Books = None,
    dry_run: DryRun = False,
    force: Force = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Move all entries that a query means to another book, in whatever format that is."""
    from lorebook_tui.cli import edit_ops, edit_run  # noqa: PLC0415 - `--help` changes nothing

    writer = Writer.for_terminal(no_color=no_color)
    asked = edit_run.given_query(query)
    how = edit_run.How(dry_run, force, as_json)
    workspace = given.open(writer)
    refs = edit_run.chosen(workspace, edit_run.Choice(asked, tuple(books or ())), writer)
    both, layer, number = edit_ops.target_book(workspace, to)
    edit_run.finish(both, edit_ops.move(both, refs, (layer, number), copy=copy), how, writer)
