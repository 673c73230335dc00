"""What belongs to the workspace and to no book, as plain values: options, and which file stands where.

The names are those of `lorebook.toml`; the journal keeps the same values.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace.workspace import OpenedBook

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.workspace import Workspace

PLAIN: Final = ("engine", "context", "tokenizer", "seed")
"""Options with one value."""
TRIGGER: Final = "trigger"
"""Is no option of the file, but of the session."""
SETTINGS: Final = "settings"
PERSONA: Final = "persona"
NOTE: Final = "note"
PROMPT: Final = "prompt"
SCAN: Final = "scan"
PERSONA_FIELDS: Final = ("name", "description", "position", "depth", "role")
NOTE_FIELDS: Final = ("prompt", "interval", "position", "depth", "role")


def options_of(workspace: Workspace) -> dict[str, Any]:
    """Every option: plain values, and tables of them for settings, persona, note and prompt."""
    persona, note = workspace.cast.persona, workspace.note
    return {
        **{name: getattr(workspace, name) for name in (*PLAIN, TRIGGER)},
        SETTINGS: asdict(workspace.settings),
        PERSONA: {name: getattr(persona, name) for name in PERSONA_FIELDS},
        NOTE: {**{name: getattr(note, name) for name in NOTE_FIELDS}, SCAN: workspace.scan_note},
        PROMPT: _plain(workspace.prompt),
    }


def changed_options(workspace: Workspace, opened: Workspace) -> dict[str, Any]:
    """The options that differ from another state of the workspace; tables as a whole."""
    before = options_of(opened)
    return {name: value for name, value in options_of(workspace).items() if value != before[name]}


def with_options(workspace: Workspace, options: Mapping[str, Any]) -> Workspace:
    """The workspace with some options, as `options_of` gives them.

    Raises:
        UsageError: a value that cannot be meant.
    """
    made = replace(workspace, **{name: options[name] for name in (*PLAIN, TRIGGER) if name in options})
    if SETTINGS in options:
        made = replace(made, settings=made.settings.with_values(options[SETTINGS]))
    if PERSONA in options:
        made = replace(made, cast=replace(made.cast, persona=replace(made.cast.persona, **options[PERSONA])))
    if NOTE in options:
        note = dict(options[NOTE])
        made = replace(made, scan_note=bool(note.pop(SCAN, made.scan_note)))
        made = replace(made, note=replace(made.note, **note))
    if PROMPT in options:
        from lorebook_tui.workspace import prompt_options  # noqa: PLC0415 - only for prompts

        made = replace(made, prompt=prompt_options.checked(options[PROMPT]))
    return made


def arrangement_of(workspace: Workspace) -> dict[str, Any]:
    """Which file stands where, by path: the books of each layer, with their place in the file; character and chat."""
    return {
        "books": {
            layer.value: [[str(opened.source.path), opened.position] for opened in workspace.of(layer)]
            for layer in Layer
        },
        "character": str(workspace.card.path) if workspace.card else None,
        "chat": str(workspace.chat.path) if workspace.chat else None,
    }


def arranged(workspace: Workspace, arrangement: Mapping[str, Any]) -> Workspace:
    """The workspace with its open files where an arrangement has them.

    Books that are not open are left out; where the character or the chat is not, the one that is there stays.
    """
    by_path = {str(source.path): source for source in workspace.sources}
    books = []
    for layer in Layer:
        for path, position in arrangement["books"].get(layer.value, ()):
            source = by_path.get(path)
            if source is not None and position < len(source.loaded.books):
                books.append(OpenedBook(layer, source.loaded.books[position], source, position))
    card = _among(by_path, arrangement["character"], workspace.card, lambda source: source.loaded.card is not None)
    chat = _among(by_path, arrangement["chat"], workspace.chat, lambda source: source.loaded.transcript is not None)
    character = card.loaded.card.character if card is not None and card.loaded.card is not None else None
    cast = workspace.cast if card is workspace.card else replace(workspace.cast, character=character)
    transcript = chat.loaded.transcript if chat is not None and chat.loaded.transcript is not None else None
    return replace(
        workspace,
        books=tuple(books),
        card=card,
        chat=chat,
        cast=cast,
        transcript=transcript if transcript is not None else workspace.transcript,
    )


def paths_in(arrangement: Mapping[str, Any]) -> tuple[str, ...]:
    """The files that an arrangement names, each once."""
    books = [path for listed in arrangement["books"].values() for path, _ in listed]
    named = (*books, arrangement["character"], arrangement["chat"])
    return tuple(dict.fromkeys(path for path in named if path))


def _among(
    by_path: Mapping[str, Source], path: str | None, now: Source | None, fits: Callable[[Source], bool]
) -> Source | None:
    """The source of a path; None if there is to be none."""
    source = by_path.get(path) if path else None
    if source is not None and fits(source):
        return source
    return now if path else None


def _plain(value: Any) -> Any:
    """A value in dicts and lists only."""
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
