"""From options to a workspace, with what the user should know about the files on standard error."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lorebook_tui.display import elide, plain
from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import config
from lorebook_tui.workspace.files import require
from lorebook_tui.workspace.opening import Overrides, open_workspace
from lorebook_tui.workspace.places import config_file
from lorebook_tui.workspace.sample import WORKSPACE_FILE
from lorebook_tui.workspace.values import assignment

if TYPE_CHECKING:
    from lorebook_tui.cli.options import Given
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.workspace.workspace import Workspace


def opened(given: Given, writer: Writer, *, quiet: bool = False) -> Workspace:
    """The workspace that the options mean; what is odd about it is told unless it shall be quiet.

    Raises:
        UsageError: nothing to open, or an option that cannot be meant.
        UnreadableError: a file that is no lore.
    """
    workspace = _spoken(open_workspace(_paths(given), overrides_of(given)), given)
    if not quiet:
        tell(workspace, writer)
    return workspace


def _spoken(workspace: Workspace, given: Given) -> Workspace:
    """Who answers, and messages that were never sent; no file knows of either."""
    if given.speaker is None and not given.say:
        return workspace
    from lorebook_tui.workspace.chat_choices import said, take_name  # noqa: PLC0415 - most commands take the chat as it is

    if given.speaker is not None:
        workspace = take_name(workspace, given.speaker).workspace
    for text in given.say or ():
        workspace = said(workspace, text)
    return workspace


def check(given: Given) -> None:
    """Make sure that there is something to open, and that the named files are there.

    Raises:
        UsageError: nothing to open, or an option that cannot be meant.
        UnreadableError: a file that is not there.
    """
    overrides = overrides_of(given)
    named = [*_paths(given), *(path for books in overrides.books.values() for path in books)]
    for path in [*named, *([overrides.chat] if overrides.chat else [])]:
        require(path)


def _paths(given: Given) -> list[Path]:
    paths = list(given.paths or ())
    if given.is_empty:
        here = Path(WORKSPACE_FILE)
        if not here.is_file():
            raise UsageError(
                "There is nothing to open.",
                expected=f"a path, or a {WORKSPACE_FILE} in this folder",
                hint="Name a world, a card, a chat or a folder (`lorebook .`: this one). `lorebook new world.json` "
                "makes a book to begin with, `lorebook demo` opens the sample, `lorebook --help` lists all commands.",
            )
        paths = [here]
    return paths


def overrides_of(given: Given) -> Overrides:
    """The options that stand above the files.

    Raises:
        UsageError: a setting that does not exist, or a value it cannot have.
    """
    layers = {
        Layer.GLOBAL: given.global_,
        Layer.CHARACTER: given.character,
        Layer.PERSONA: given.persona,
        Layer.CHAT: given.chat_lore,
    }
    settings = {}
    for text in given.settings or ():
        try:
            name, value = assignment(text)
        except LorebookError as error:
            error.where = f"--set {text}"
            raise
        settings[name] = value
    return Overrides(
        prompt=_prompt_options(given),
        books={layer: books for layer, books in layers.items() if books},
        chat=given.chat,
        settings=settings,
        engine=given.engine,
        seed=given.seed,
        context=given.context,
        tokenizer=given.tokenizer,
        usual_tokenizer=usual_tokenizer(),
        trigger=given.trigger,
        user=given.user,
    )


def usual_tokenizer() -> str | None:
    """The tokenizer of the user's configuration; None if it names none that exists."""
    name = config.load(config_file()).tokenizer
    if not name:
        return None
    from lorebook_tui.tokens.registry import counter  # noqa: PLC0415 - only where one is named

    try:
        counter(name)
    except LorebookError:
        return None  # `lorebook config` says so; a file that is opened is not to suffer for it
    return name


def _prompt_options(given: Given) -> dict[str, Any]:
    """The options of the prompt, later ones above earlier ones."""
    texts = [*([f"api={given.api}"] if given.api else []), *(given.prompt_options or ())]
    if not texts:
        return {}
    from lorebook_tui.workspace.prompt_options import added  # noqa: PLC0415 - only for prompts

    found: dict[str, Any] = {}
    for text in texts:
        try:
            found = added(found, text)
        except LorebookError as error:
            error.where = f"--api {given.api}" if text == f"api={given.api}" else f"--prompt-set {text}"
            raise
    return found


def tell(workspace: Workspace, writer: Writer) -> None:
    """What was odd about the files, a line each, and how they were taken."""
    for source in workspace.sources:
        count = len(source.worth_telling)
        if count:
            things = "1 odd thing" if count == 1 else f"{count} odd things"
            path = f'"{source.path}"' if " " in str(source.path) else str(source.path)
            writer.narrate(f"{elide(source.name, 40, at='middle')}: {things}, see lorebook ls --report {plain(path)}")
    for notice in workspace.notices:
        writer.narrate(plain(notice, " "))
