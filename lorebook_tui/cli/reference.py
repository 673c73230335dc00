"""`lorebook fields`, `lorebook tokens` and `lorebook schema`: what there is to know."""

from typing import Annotated

import typer

from lorebook_tui.cli import choices
from lorebook_tui.cli.options import AsJson, NoColor
from lorebook_tui.cli.output import Writer
from lorebook_tui.display import plain


def fields(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            show_default=False,
            autocompletion=choices.field_names,
            help="Fields or settings, in full.",
        ),
    ] = None,
    settings: Annotated[
        bool, typer.Option("--settings", help="The settings of the scan instead of the fields.")
    ] = False,
    prompt: Annotated[bool, typer.Option("--prompt", help="The options of the prompt instead of the fields.")] = False,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """List the fields of an entry or the settings: type, range, default, meaning, and what happens without them."""
    from lorebook_tui.cli import fields_text  # noqa: PLC0415 - `--help` lists nothing

    writer = Writer.for_terminal(no_color=no_color)
    if prompt:
        from lorebook_tui.cli.prompt_options_text import write_options  # noqa: PLC0415 - as above

        write_options(tuple(names or ()), writer, as_json=as_json)
        return
    fields_text.write_fields(tuple(names or ()), writer, settings=settings, as_json=as_json)


def tokens(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A text; @FILE reads a file, - standard input.")],
    tokenizer: Annotated[
        list[str] | None,
        typer.Option("--tokenizer", metavar="NAME", autocompletion=choices.tokenizers, help="Only these."),
    ] = None,
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Count the tokens of a text with every tokenizer that comes with the program."""
    from lorebook_tui.cli import tokens_text  # noqa: PLC0415 - `--help` counts nothing
    from lorebook_tui.cli.file_text import as_file  # noqa: PLC0415 - as above
    from lorebook_tui.cli.texts import given_text  # noqa: PLC0415 - as above

    writer = Writer.for_terminal(no_color=no_color)
    if as_file(text):
        writer.narrate(f"This counts the name; @{plain(text, ' ')} counts what is in the file.")
    tokens_text.write_counts(given_text(text), tuple(tokenizer or ()), writer, as_json=as_json)


def schema(
    what: Annotated[
        str,
        typer.Argument(metavar="WHAT", autocompletion=choices.schemas, help=f"One of {', '.join(choices.SCHEMAS)}."),
    ] = "trace",
    as_json: AsJson = False,
    no_color: NoColor = False,
) -> None:
    """Print the JSON Schema of what a command writes, of an entry or of the settings; or list the reasons of verdicts.

    trace is what `simulate --json` writes; why, odds, budget, compare and check are what these commands write.
    """
    from lorebook_tui.cli import schema_text  # noqa: PLC0415 - `--help` describes nothing

    writer = Writer.for_terminal(no_color=no_color)
    schema_text.write_schema(what, writer, as_json=as_json)
