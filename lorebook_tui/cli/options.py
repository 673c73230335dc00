"""Options that commands share, and the decorator that gives a command everything about a workspace.

Typer reads annotations when the program starts, so this module and the commands evaluate theirs.
"""

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lorebook_tui.cli import choices
from lorebook_tui.cli.output import Writer

if TYPE_CHECKING:
    from lorebook_tui.workspace.workspace import Workspace

NoColor = Annotated[bool, typer.Option("--no-color", help="No colour; NO_COLOR in the environment does the same.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output.")]
Turns = Annotated[
    list[str] | None,
    typer.Option(
        "--turn", "-t", metavar="N", help="Turn, as the number of messages before the reply: 12, 3,5-9 or last."
    ),
]
TurnMode = Annotated[
    str,
    typer.Option(
        "--turns",
        metavar="user|each",
        autocompletion=choices.turn_modes,
        help="Which turns the chat had: after each message of the user, or after every message.",
    ),
]


@dataclass(frozen=True)
class Given:
    """The files and overrides of one command."""

    paths: list[Path] | None = None
    global_: list[Path] | None = None
    character: list[Path] | None = None
    persona: list[Path] | None = None
    chat_lore: list[Path] | None = None
    chat: Path | None = None
    user: str | None = None
    speaker: str | None = None
    say: list[str] | None = None
    engine: str | None = None
    tokenizer: str | None = None
    context: int | None = None
    seed: int | None = None
    trigger: str | None = None
    settings: list[str] | None = None
    api: str | None = None
    prompt_options: list[str] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether no file was named at all."""
        files = (self.paths, self.global_, self.character, self.persona, self.chat_lore, self.chat)
        return not any(files)

    def check(self) -> None:
        """Make sure of what can be known at once, before a screen is drawn: that the named files are there.

        Raises:
            UsageError: nothing to open.
            UnreadableError: a file that is not there.
        """
        from lorebook_tui.cli.opening import check  # noqa: PLC0415 - `--help` opens nothing

        check(self)

    def open(self, writer: Writer, *, quiet: bool = False) -> "Workspace":
        """Everything opened. Without any file the `lorebook.toml` of the current folder is opened.

        Args:
            writer: tells on standard error what the user should know about the files.
            quiet: tell nothing.

        Raises:
            UsageError: nothing to open, or an option that cannot be meant.
            UnreadableError: a file that is no lore.
        """
        from lorebook_tui.cli.opening import opened  # noqa: PLC0415 - `--help` opens nothing

        return opened(self, writer, quiet=quiet)


_PARAMETERS: tuple[tuple[str, Any], ...] = (
    (
        "paths",
        Annotated[
            list[Path] | None,
            typer.Argument(
                metavar="PATH",
                show_default=False,
                help="Worlds, cards, a chat, a lorebook.toml or a folder. Without one: the lorebook.toml here.",
            ),
        ],
    ),
    (
        "global_",
        Annotated[list[Path] | None, typer.Option("--global", metavar="FILE", help="Book of the global layer.")],
    ),
    (
        "character",
        Annotated[
            list[Path] | None,
            typer.Option(
                "--character", metavar="FILE", help="Book of the character layer; a card is the character too."
            ),
        ],
    ),
    (
        "persona",
        Annotated[list[Path] | None, typer.Option("--persona", metavar="FILE", help="Book of the persona layer.")],
    ),
    (
        "chat_lore",
        Annotated[list[Path] | None, typer.Option("--chat-lore", metavar="FILE", help="Book of the chat layer.")],
    ),
    ("chat", Annotated[Path | None, typer.Option("--chat", metavar="FILE", help="The chat to replay.")]),
    ("user", Annotated[str | None, typer.Option("--user", metavar="NAME", help="Name of the persona, {{user}}.")]),
    (
        "speaker",
        Annotated[
            str | None,
            typer.Option(
                "--speaker",
                metavar="NAME",
                help="Who answers, {{char}}: the card of that name with its lore, or anybody.",
            ),
        ],
    ),
    (
        "say",
        Annotated[
            list[str] | None,
            typer.Option(
                "--say",
                metavar="TEXT",
                help="One more message that was never sent, by the user or, as NAME: TEXT, by somebody in the chat.",
            ),
        ],
    ),
    (
        "engine",
        Annotated[
            str | None,
            typer.Option(
                "--engine", metavar="NAME", autocompletion=choices.engines, help="Whose rules: sillytavern by default."
            ),
        ],
    ),
    (
        "tokenizer",
        Annotated[
            str | None,
            typer.Option(
                "--tokenizer",
                metavar="NAME",
                autocompletion=choices.tokenizers,
                help="What counts tokens: `lorebook tokens`.",
            ),
        ],
    ),
    (
        "context",
        Annotated[
            int | None,
            typer.Option("--context", metavar="TOKENS", min=1, help="Context size less the length of the reply."),
        ],
    ),
    ("seed", Annotated[int | None, typer.Option("--seed", metavar="N", min=0, help="Seed of the dice.")]),
    (
        "trigger",
        Annotated[
            str | None,
            typer.Option(
                "--trigger",
                metavar="KIND",
                autocompletion=choices.triggers,
                help="Kind of generation: normal, swipe, …",
            ),
        ],
    ),
    (
        "settings",
        Annotated[
            list[str] | None,
            typer.Option(
                "--set",
                metavar="NAME=VALUE",
                autocompletion=choices.settings,
                help="One setting, such as world_info_depth=4: `lorebook fields --settings`.",
            ),
        ],
    ),
    (
        "api",
        Annotated[
            str | None,
            typer.Option(
                "--api", metavar="chat|text", autocompletion=choices.apis, help="Shape of the prompt: chat by default."
            ),
        ],
    ),
    (
        "prompt_options",
        Annotated[
            list[str] | None,
            typer.Option(
                "--prompt-set",
                metavar="NAME=VALUE",
                autocompletion=choices.prompt_options,
                help="One option of the prompt, such as instruct=ChatML: `lorebook fields --prompt`.",
            ),
        ],
    ),
)


def takes_workspace(command: Callable[..., None], own: Mapping[str, Any] | None = None) -> Callable[..., None]:
    """Give a command the parameters of a workspace in place of its parameter `given`.

    Args:
        command: takes `given`.
        own: other annotations of some of these parameters, by name.
    """
    signature = inspect.signature(command)
    kept: list[inspect.Parameter] = []
    for parameter in signature.parameters.values():
        if parameter.name != "given":
            kept.append(parameter.replace(kind=parameter.KEYWORD_ONLY))
            continue
        kept += [
            inspect.Parameter(name, parameter.KEYWORD_ONLY, default=None, annotation=(own or {}).get(name, annotation))
            for name, annotation in _PARAMETERS
        ]

    @functools.wraps(command)
    def run(**values: Any) -> None:
        given = Given(**{name: values.pop(name) for name, _ in _PARAMETERS})
        command(given=given, **values)

    ordered = sorted(kept, key=lambda parameter: parameter.default is not inspect.Parameter.empty)
    run.__signature__ = signature.replace(parameters=ordered)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in ordered}
    del run.__wrapped__
    return run
