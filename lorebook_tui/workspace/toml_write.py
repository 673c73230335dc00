"""Writes the options of a workspace back into its `lorebook.toml`: only lines whose value changed change."""

from __future__ import annotations

import os
import tomllib
from typing import TYPE_CHECKING, Any

from lorebook_tui.errors import UsageError
from lorebook_tui.model.cast import Persona
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.scenario import DEFAULT_CONTEXT
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.workspace import store, toml, values
from lorebook_tui.workspace.chat_metadata import note_of
from lorebook_tui.workspace.files import inside, read_bytes
from lorebook_tui.workspace.options import (
    NOTE,
    NOTE_FIELDS,
    PERSONA,
    PERSONA_FIELDS,
    PLAIN,
    PROMPT,
    SCAN,
    SETTINGS,
    options_of,
)
from lorebook_tui.workspace.toml import WorkspaceFile
from lorebook_tui.workspace.toml_edit import with_values
from lorebook_tui.workspace.workspace import DEFAULT_SEED, DEFAULT_TOKENIZER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from lorebook_tui.workspace.backups import BackupPolicy
    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.store import Saved
    from lorebook_tui.workspace.toml_spans import KeyPath
    from lorebook_tui.workspace.workspace import Workspace

_MARK = "\ufeff"


def save(workspace: Workspace, path: Path, backup: BackupPolicy | None = None) -> Saved:
    """Write the options into a workspace file, which is made if it is not there.

    Args:
        workspace: as it is.
        path: the workspace file. Books, card and chat must lie in its folder.
        backup: keeps what was there before.

    Raises:
        UsageError: a file lies elsewhere, or the workspace file is written in a way that cannot be changed in place.
        NotWrittenError: it cannot be written.
    """
    is_there = path.exists()
    data = read_bytes(path) if is_there else b""
    text = updated(data.decode("utf-8"), toml.read(path) if is_there else WorkspaceFile(path), workspace)
    expected = store.stamp_of(data) if is_there else store.MISSING_FILE
    return store.write(path, text.encode("utf-8"), expected, _check, backup)


def updated(text: str, file: WorkspaceFile, workspace: Workspace) -> str:
    """The text of a workspace file that says what the workspace is.

    Args:
        text: as it stands, line ends included; "" for a new one.
        file: what it says.
        workspace: what it is to say.

    Raises:
        UsageError: as in `save`.
    """
    mark = _MARK if text.startswith(_MARK) else ""
    bare = text.removeprefix(_MARK)
    return mark + with_values(bare, changes(tomllib.loads(bare), file, workspace, is_new=not bare.strip()))


def changes(
    raw: Mapping[str, Any], file: WorkspaceFile, workspace: Workspace, *, is_new: bool = False
) -> dict[KeyPath, Any]:
    """The keys whose values have to change, and their values; `MISSING` takes a key away.

    Args:
        raw: the file as TOML gives it.
        file: the same, read.
        workspace: what it is to say.
        is_new: say engine and seed also where they are those of a fresh install.
    """
    now = options_of(workspace)
    fresh = {"engine": "sillytavern", "context": DEFAULT_CONTEXT, "tokenizer": DEFAULT_TOKENIZER, "seed": DEFAULT_SEED}
    found: dict[KeyPath, Any] = {}
    for name in PLAIN:
        said = getattr(file, name)
        if now[name] != (fresh[name] if said is None else said) or (is_new and name in {"engine", "seed"}):
            found[name,] = now[name]
    found |= dict(_files(file, workspace))
    persona = {**_defaults(Persona(), PERSONA_FIELDS), "name": workspace.transcript.user_name or Persona().name}
    found |= _table(("cast", PERSONA), {**persona, **file.persona}, now[PERSONA])
    note = {**_defaults(note_of(workspace.transcript.metadata), NOTE_FIELDS), SCAN: False}
    found |= _table((NOTE,), {**note, **file.note}, now[NOTE])
    spelt = {values.setting(name).name: name for name in raw.get(SETTINGS, {})}
    settings = {**_defaults(ScanSettings(), tuple(now[SETTINGS])), **file.settings}
    for path, value in _table((SETTINGS,), settings, now[SETTINGS]).items():
        found[SETTINGS, spelt.get(path[1], path[1])] = value
    found |= dict(_below((PROMPT,), raw.get(PROMPT, {}), _listed(file.prompt), now[PROMPT]))
    return found


def _check(data: bytes) -> None:
    tomllib.loads(data.decode("utf-8-sig").replace("\r\n", "\n"))


def _defaults(record: Any, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in names}


def _table(path: KeyPath, said: Mapping[str, Any], now: Mapping[str, Any]) -> dict[KeyPath, Any]:
    return {(*path, name): value for name, value in now.items() if said.get(name, MISSING) != value}


def _files(file: WorkspaceFile, workspace: Workspace) -> Iterator[tuple[KeyPath, Any]]:
    """The books of each layer, the character and the chat, where they are not those that the file names."""
    for layer in Layer:
        sources = list({opened.source.ident: opened.source for opened in workspace.of(layer)}.values())
        said = [named.path.resolve() for named in file.books.get(layer, ())]
        if [source.path.resolve() for source in sources] != said:
            yield ("books", layer.value), [_written(file.path, source) for source in sources]
    in_books = next((each.source for each in workspace.of(Layer.CHARACTER) if each.source.loaded.card), None)
    for path, named, source, implied in (
        (("cast", "character"), file.character, workspace.card, in_books),
        (("chat", "file"), file.chat, workspace.chat, None),
    ):
        said_path = named.path.resolve() if named else implied.path.resolve() if implied else None
        if source is None and named is not None:
            yield path, MISSING
        elif source is not None and source.path.resolve() != said_path:
            yield path, _written(file.path, source)


def _written(file: Path, source: Source) -> str:
    """A path as the workspace file names it.

    Raises:
        UsageError: it leads out of the file's folder.
    """
    folder = file.parent.resolve()
    relative = os.path.relpath(source.path.resolve(), folder).replace(os.sep, "/")
    try:
        inside(folder, relative)
    except UsageError as error:
        error.where = str(source.path)
        error.hint = f"Save {source.name} in {folder}, or detach it first."
        raise
    return relative


def _listed(value: Any) -> Any:
    """A value in dicts and lists only."""
    if isinstance(value, dict):
        return {name: _listed(item) for name, item in value.items()}
    return [_listed(item) for item in value] if isinstance(value, (list, tuple)) else value


def _below(path: KeyPath, raw: Any, said: Any, now: Any) -> Iterator[tuple[KeyPath, Any]]:
    """What differs in a table; a value that the file spells in short is written out as a whole."""
    for name in dict.fromkeys((*said, *now)):
        here = (*path, name)
        old, new, spelt = said.get(name, MISSING), now.get(name, MISSING), raw.get(name, MISSING)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict) and isinstance(spelt, dict):
            yield from _below(here, spelt, old, new)
        else:
            yield here, new
