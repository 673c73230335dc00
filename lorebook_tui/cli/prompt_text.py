"""The finished prompt of a turn on the command line: for people, and as part of the JSON trace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.cli.output import Progress
from lorebook_tui.cli.turn_text import write_head
from lorebook_tui.display import plain
from lorebook_tui.engine.prompt import Api
from lorebook_tui.engine.prompt.sources import Source
from lorebook_tui.engine.prompt.views import prompt_view
from lorebook_tui.tui.views.prompt import PromptBlocks, ink_of
from lorebook_tui.workspace.prompt_options import ONLY_CHAT, ONLY_TEXT
from lorebook_tui.workspace.turns import replay_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.cli.turn_text import Asked
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.workspace.turns import PromptTurn
    from lorebook_tui.workspace.workspace import Workspace

_STYLES: Final = {
    "cut": "bad",
    "waiting": "warn",
    "muted": "faint",
    "faint": "faint",
    "number": "faint",
    "bar-free": "faint",
    "heading": "bold",
    "strong": "bold",
    **{ink_of(source): ink_of(source) for source in Source if source is not Source.MESSAGE},
}
"""Inks of the screen as styles of the command line; the others, those of messages among them, have none."""


def write_prompts(workspace: Workspace, asked: Asked, writer: Writer) -> bool:
    """The prompts of the turns, each under the head of its turn; returns whether there is one for every turn."""
    _tell_without_effect(workspace, writer)
    is_fine = True
    for number, turn in enumerate(_turns(workspace, asked, writer)):
        if number:
            writer.line()
        write_head(workspace, turn.assembly, writer)
        writer.line()
        writer.heading("Prompt")
        if turn.prompt is None:
            writer.wrapped(plain(f"SillyTavern stops here with an error: {turn.assembly.error}", " "), style="bad")
            is_fine = False
            continue
        view = prompt_view(turn.prompt)
        write_blocks(PromptBlocks(view, lambda _: None, writer.glyphs, asked.limit or None).blocks(), writer)
        is_fine = is_fine and not view.stops and not turn.assembly.plan.load_error
    return is_fine


def write_prompts_json(workspace: Workspace, asked: Asked, writer: Writer, *, evidence: bool) -> bool:
    """The trace of the turns with their prompts; returns whether there is one for every turn."""
    from lorebook_tui.cli.books_text import workspace_json  # noqa: PLC0415 - only for JSON
    from lorebook_tui.engine.prompt_json import prompt_json  # noqa: PLC0415 - as above
    from lorebook_tui.engine.trace_json import document, trace  # noqa: PLC0415 - as above

    turns: list[dict[str, Any]] = []
    for turn in _turns(workspace, asked, writer):
        prompt = prompt_json(turn.prompt) if turn.prompt else None
        turns.append({**trace(turn.assembly, evidence=evidence), "prompt": prompt})
    writer.json(document(turns, workspace_json(workspace)))
    return not any(turn["load_error"] or not turn["prompt"] or not turn["prompt"]["sent"] for turn in turns)


def _turns(workspace: Workspace, asked: Asked, writer: Writer) -> Iterator[PromptTurn]:
    replayed = replay_of(workspace, asked.mode)
    numbers = asked.numbers(replayed, len(workspace.transcript))
    with Progress(writer, "Replaying", min(numbers)) as progress:
        turns = replayed.prompts(numbers, workspace.prompt_settings(), progress)
        first = next(turns)
    yield first
    yield from turns


def _tell_without_effect(workspace: Workspace, writer: Writer) -> None:
    """Options that the shape of the prompt makes idle."""
    is_chat = workspace.prompt_settings().api is Api.CHAT
    idle = [name for name in workspace.prompt if name in (ONLY_TEXT if is_chat else ONLY_CHAT)]
    if idle:
        shape, other = ("chat", "text") if is_chat else ("text", "chat")
        writer.narrate(f"Without effect on a {shape} completion: {', '.join(idle)} (--api {other}).")


def write_blocks(blocks: Iterable[Block], writer: Writer) -> None:
    """Blocks of the screen as lines of the command line."""
    for block in blocks:
        for line in block.lines(writer.width):
            writer.line(_styled(line, writer))


def _styled(line: Line, writer: Writer) -> str:
    """The line with its styles, without blanks at its end."""
    spans = list(line)
    while spans and not spans[-1].text.strip(" "):
        spans.pop()
    last = len(spans) - 1
    return "".join(
        writer.styled(span.text.rstrip(" ") if place == last else span.text, _STYLES.get(span.ink, ""))
        for place, span in enumerate(spans)
    )
