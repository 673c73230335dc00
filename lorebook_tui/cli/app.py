"""All commands of `lorebook`. Each loads what it needs when it runs, so that help and version come at once."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from lorebook_tui import __version__
from lorebook_tui.cli.books import ls, show
from lorebook_tui.cli.budget import budget
from lorebook_tui.cli.check import check, explain
from lorebook_tui.cli.compare import compare
from lorebook_tui.cli.config import config, keys
from lorebook_tui.cli.demo import demo, open_screen
from lorebook_tui.cli.editing import mv, renumber, replace, rm, set_values, tidy
from lorebook_tui.cli.group import OPEN, LorebookGroup, let_go_of_output, report_lost_output
from lorebook_tui.cli.making import add, new
from lorebook_tui.cli.odds import odds
from lorebook_tui.cli.output import prepare_streams
from lorebook_tui.cli.reference import fields, schema, tokens
from lorebook_tui.cli.simulate import simulate
from lorebook_tui.cli.try_key import try_key
from lorebook_tui.cli.why import why

NAMES = ("lorebook", "lorebook-tui")
"""The command and its alias."""

STATUSES = """\b
Exit status: 0 fine, 1 findings or failures, 2 the command cannot be meant,
3 a file cannot be read as lore. Data goes to standard output, everything
else to standard error."""

QUERIES = """\b
Queries: words are looked for in titles and keys; beside them
  order:>100  order:10..20  constant:yes  sticky:none  position:at-depth
  key:bell  key:/bells?/i  title="the bell"  enabled:no  group:weather
  layer:chat  book:NAME  folder:NPC  tokens:>200  kind:keyed  locked:yes
  with a chat: fired:never  fired:>3  in:prompt  cut:yes  hits:>5
  a b (both)   a or b   not a   (…)   field:a,b (one of them)   * (all)"""
WITH_QUERIES = ("ls", "set", "rm", "mv", "renumber", "replace", "tidy")

EXAMPLES = {
    "demo": ("lorebook demo", "lorebook demo --name mossford"),
    "ls": (
        "lorebook ls world.json card.png",
        "lorebook ls my-world/ --where 'cut:yes or fired:never'",
        "lorebook ls --report world.json",
    ),
    "show": ("lorebook show 'drowned bell' world.json", "lorebook show card.png"),
    "new": (
        'lorebook new bells.json --entry \'title="The bell" key=bell,gong content="No one has cast it."\'',
        "generate-lore | lorebook new places.json --from-stdin",
    ),
    "add": (
        "lorebook add world.json 'title=The bell' key=bell,gong content=@bell.txt position=at-depth depth=2",
        "lorebook add card.png --template tavern",
    ),
    "set": (
        "lorebook set 'folder:NPC' sticky=3 world.json --dry-run",
        "lorebook set 'order:>100 not constant:yes' order=-10 key=+bell my-world/",
        "lorebook set fired:never enabled=no world.json chat.jsonl",
    ),
    "renumber": (
        "lorebook renumber world.json --step 5 --dry-run",
        "lorebook renumber my-world/ --where layer:chat --by tree --descending",
    ),
    "replace": (
        "lorebook replace 'Harrow Town' Harrowmere world.json --in content --in keys --dry-run",
        "lorebook replace '/(\\d+) miles/' '$1 leagues' world.json",
    ),
    "tidy": ("lorebook tidy world.json --titles --keys --dry-run",),
    "rm": ("lorebook rm 'fired:never tokens:>200' my-world/ --dry-run", "lorebook rm uid:4,7 world.json"),
    "mv": ("lorebook mv folder:NPC world.json --to npcs.json", "lorebook mv bell my-world/ --to traveller --copy"),
    "simulate": (
        "lorebook simulate my-world/",
        "lorebook simulate world.json card.png chat.jsonl --turn 14",
        "lorebook simulate my-world/ --all --set depth=6",
        "lorebook simulate my-world/ --say 'I ring the bell.'",
        "lorebook simulate my-world/ --turn 14 --prompt --api text",
    ),
    "why": ("lorebook why 'drowned bell' my-world/ --turn 14", "lorebook why harrowmere#4 my-world/ --json"),
    "odds": ("lorebook odds my-world/ --turn 24", "lorebook odds my-world/ --all --runs 1000 --entry weather"),
    "budget": ("lorebook budget my-world/ --turn 14", "lorebook budget my-world/ --all --context 16384"),
    "compare": (
        "lorebook compare old.json new.json --chat chat.jsonl",
        "lorebook compare my-world/ --set-b world_info_depth=6",
    ),
    "test-key": ("lorebook test-key bell 'The bells of Harrow'", "lorebook test-key '/\\bbells?\\b/i' @chat.txt"),
    "check": (
        "lorebook check world.json",
        "lorebook check my-world/ --diff",
        "lorebook check worlds/ --fix --select KEY,RX",
        "lorebook check . --format github",
    ),
    "explain": ("lorebook explain KEY002", "lorebook explain --list"),
    "fields": ("lorebook fields", "lorebook fields position sticky", "lorebook fields --settings"),
    "tokens": ("lorebook tokens 'Nine planks and a post.'", "lorebook tokens @notes.txt --tokenizer llama3"),
    "schema": ("lorebook schema trace", "lorebook schema odds", "lorebook schema reasons"),
    "config": ("lorebook config", "lorebook config --init", "lorebook config --check"),
    "keys": ("lorebook keys", "lorebook keys turn"),
}
SHORT = {
    "demo": "Open the sample world in the workbench.",
    "ls": "List books and entries; --report: what was odd.",
    "show": "Show all fields of an entry, or what a file is.",
    "new": "Make a new book, empty or with entries.",
    "add": "Add an entry to a book.",
    "set": "Set fields of all entries that a query means.",
    "renumber": "Give entries evenly spaced orders.",
    "replace": "Find and replace in contents, keys or titles.",
    "tidy": "Fill empty titles, take out doubled keys.",
    "rm": "Remove entries.",
    "mv": "Move or copy entries to another book.",
    "simulate": "Replay a chat: budget, verdicts, prompt places.",
    "why": "Why an entry is in or out at a turn.",
    "odds": "The chance of entries at a turn or over the chat.",
    "budget": "What other budgets let in, and what a chat needs.",
    "compare": "Two books, settings or seeds over one chat.",
    "test-key": "Try a key on a text in every way of matching.",
    "check": "What is wrong with files, and repairing it.",
    "explain": "A rule of check: why it matters, what to do.",
    "fields": "All fields and settings with their meaning.",
    "tokens": "Count a text with every tokenizer.",
    "schema": "JSON Schemas, and the reasons of verdicts.",
    "config": "Your configuration: where, what, what is wrong.",
    "keys": "All actions of the screen with their keys.",
}


def _epilog(name: str) -> str:
    """Examples, then what every command's status means."""
    examples = "\n".join(("\b", "Examples:", *(f"  {line}" for line in EXAMPLES[name])))
    return "\n\n".join((examples, *((QUERIES,) if name in WITH_QUERIES else ()), STATUSES))


app = typer.Typer(
    name="lorebook",
    cls=LorebookGroup,
    epilog=STATUSES,
    subcommand_metavar="[PATH]... | COMMAND [ARGS]...",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"lorebook {__version__}\n")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    """Write lorebooks, see why each entry did or did not reach the prompt, and check files before you share them.

    With paths and no command it opens the workbench on worlds, cards, a chat, a lorebook.toml or a folder.
    """
    del version


app.command(OPEN, hidden=True)(open_screen)
for name, command in (
    ("demo", demo),
    ("ls", ls),
    ("show", show),
    ("new", new),
    ("add", add),
    ("set", set_values),
    ("renumber", renumber),
    ("replace", replace),
    ("tidy", tidy),
    ("rm", rm),
    ("mv", mv),
    ("simulate", simulate),
    ("why", why),
    ("odds", odds),
    ("budget", budget),
    ("compare", compare),
    ("test-key", try_key),
    ("check", check),
    ("explain", explain),
    ("fields", fields),
    ("tokens", tokens),
    ("schema", schema),
    ("config", config),
    ("keys", keys),
):
    app.command(name, epilog=_epilog(name), short_help=SHORT[name])(command)


def run() -> None:
    """Run the command line; never returns."""
    prepare_streams()
    called = Path(sys.argv[0]).stem
    try:
        app(prog_name=called if called in NAMES else NAMES[0])
    finally:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            let_go_of_output()
        except OSError as error:
            sys.exit(report_lost_output(error))
