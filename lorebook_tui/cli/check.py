"""`lorebook check` and `lorebook explain`: what is wrong with files, why it matters, and repairing it."""

from pathlib import Path
from typing import Annotated

import typer

from lorebook_tui.cli import choices
from lorebook_tui.cli.options import NoColor
from lorebook_tui.cli.output import Writer
from lorebook_tui.errors import EXIT_FINDINGS, EXIT_UNREADABLE


def check(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="PATH",
            show_default=False,
            help="Files, folders (looked through), or a lorebook.toml, whose files are checked together. "
            "Without one: this folder.",
        ),
    ] = None,
    *,
    select: Annotated[
        list[str] | None, typer.Option("--select", metavar="CODE", help="Only these rules: KEY002, KEY or ALL.")
    ] = None,
    ignore: Annotated[list[str] | None, typer.Option("--ignore", metavar="CODE", help="All but these rules.")] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Rules that are still on trial, too.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Make the safe repairs; a backup is kept.")] = False,
    unsafe_fixes: Annotated[
        bool, typer.Option("--unsafe-fixes", help="With --fix, --diff or --repair: also repairs that are guesses.")
    ] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Show what --fix would change; write nothing.")] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Show how a broken JSON file could be read again; with --fix, write it.")
    ] = False,
    report: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="text|json|sarif|github|junit|markdown",
            autocompletion=choices.report_formats,
            help="How to report.",
        ),
    ] = "text",
    statistics: Annotated[bool, typer.Option("--statistics", help="How often each rule found something.")] = False,
    least: Annotated[
        str,
        typer.Option("--severity", metavar="error|warning|info", help="Report and count only what is at least so bad."),
    ] = "info",
    skip_others: Annotated[
        bool,
        typer.Option(
            "--skip-others", help="Pass over files that are no lore, as in folders, also when they are named."
        ),
    ] = False,
    chat: Annotated[
        list[Path] | None, typer.Option("--chat", metavar="FILE", help="A chat, for rules that look at what is said.")
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option(
            "--settings",
            metavar="FILE",
            help="SillyTavern's settings.json, for rules that depend on it, on its prompt manager or on regex scripts.",
        ),
    ] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A setting of the scan, for the same.")
    ] = None,
    library: Annotated[
        Path | None,
        typer.Option(
            "--library",
            metavar="FOLDER",
            help="SillyTavern's data folder, or any folder of cards, books and chats, for rules that look at links. "
            "Its settings.json counts if no --settings are given.",
        ),
    ] = None,
    config: Annotated[
        Path | None, typer.Option("--config", metavar="FILE", help="Take [check] from this lorebook.toml.")
    ] = None,
    baseline: Annotated[
        Path | None,
        typer.Option("--write-baseline", metavar="FILE", help="Write what is found to a file that lets it pass."),
    ] = None,
    witness: Annotated[
        Path | None,
        typer.Option(
            "--witness",
            metavar="FOLDER",
            help="Write scenarios that show what findings say, for lorebook simulate --witness FILE.",
        ),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0: as many as are worth it.")
    ] = 0,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever a file changes, until Ctrl+C.")] = False,
    no_color: NoColor = False,
) -> None:
    """Say what is wrong with lorebooks, cards and worlds, where, why it matters, and what would repair it.

    The exit status is 1 if anything was found that is an error or a warning, 3 if a file cannot be read.
    """
    from lorebook_tui.cli.check_run import Asked, checked  # noqa: PLC0415 - `--help` checks nothing

    writer = Writer.for_terminal(no_color=no_color)
    asked = Asked(
        tuple(paths or ()), tuple(select or ()), tuple(ignore or ()), tuple(chat or ()), tuple(set_ or ()),
        preview=preview, fix=fix, offered=unsafe_fixes, diff=diff, repair=repair, report=report,
        statistics=statistics, least=least, settings=settings, config=config, baseline=baseline,
        library=library, witness=witness, skip_others=skip_others, jobs=jobs,
    )  # fmt: skip
    if watch:
        from lorebook_tui.cli.check_watch import watched  # noqa: PLC0415 - only to watch

        watched(asked, writer)
        return
    outcome = checked(asked, writer)
    if outcome.has_unreadable:
        raise typer.Exit(EXIT_UNREADABLE)
    if outcome.has_findings:
        raise typer.Exit(EXIT_FINDINGS)


def explain(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", show_default=False, autocompletion=choices.rules, help="A code or a name."),
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--list", help="All rules, a line each.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="The reference of all rules as Markdown.")] = False,
    no_color: NoColor = False,
) -> None:
    """Explain a rule of `lorebook check`: what it finds, why it matters, an example, what to do."""
    from lorebook_tui.cli import explain_text  # noqa: PLC0415 - `--help` explains nothing

    writer = Writer.for_terminal(no_color=no_color)
    if markdown:
        explain_text.write_reference(writer)
    elif code is None or every:
        explain_text.write_list(writer)
    else:
        explain_text.write_rule(code, writer)
