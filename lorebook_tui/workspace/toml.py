"""`lorebook.toml`: which books lie in which layer, who takes part, which chat, which settings. Read here, not applied.

Every mistake is an error that names the file, the line, the key, what was expected and what was found.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.engine.dialects import NAMES as ENGINES
from lorebook_tui.errors import LorebookError, UnreadableError, UsageError
from lorebook_tui.formats.base import seen
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import values
from lorebook_tui.workspace.files import inside, read_bytes
from lorebook_tui.workspace.kinds import ROLE, SWITCH, TEXT, Kind, one_of, whole
from lorebook_tui.workspace.toml_lines import line_of, place_of_error

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LARGEST = 1 << 20
_PERSONA_POSITIONS: Final = ("in_prompt", "top_an", "bottom_an", "at_depth", "none")
_DEEPEST = 10_000
_SPELLING = 0.6

KeyPath = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file as the workspace file names it."""

    path: Path
    where: str
    """The workspace file, line and key that name it."""


@dataclass(frozen=True, slots=True)
class WorkspaceFile:
    """What a `lorebook.toml` says; None or empty where it says nothing."""

    path: Path
    engine: str | None = None
    context: int | None = None
    """Tokens."""
    tokenizer: str | None = None
    seed: int | None = None
    books: Mapping[Layer, tuple[NamedFile, ...]] = field(default_factory=dict)
    character: NamedFile | None = None
    persona: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `Persona`."""
    chat: NamedFile | None = None
    note: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `AuthorsNote`, and `scan`."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    prompt: Mapping[str, Any] = field(default_factory=dict)
    """Options of the prompt, as `prompt_options` checks them."""


def read(path: Path) -> WorkspaceFile:
    """A workspace file.

    Raises:
        UnreadableError: it is no file, or no TOML.
        UsageError: a key nobody knows, or a value that cannot be meant.
    """
    return _Reader(path).file()


_TOP: Final = {
    "engine": one_of(*ENGINES),
    "context": whole(1),
    "tokenizer": TEXT,
    "seed": whole(0),
}
_PERSONA: Final = {
    "name": TEXT,
    "description": TEXT,
    "position": one_of(*_PERSONA_POSITIONS),
    "depth": whole(0, _DEEPEST),
    "role": ROLE,
}
_NOTE: Final = {
    "prompt": TEXT,
    "interval": whole(0),
    "position": whole(0, 2),
    "depth": whole(0, _DEEPEST),
    "role": ROLE,
    "scan": SWITCH,
}
_TABLES: Final = ("books", "cast", "chat", "note", "settings", "prompt", "check")


class _Reader:
    """Reads one file and knows where everything in it stands."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = _decoded(path)
        try:
            self.root = tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            words, line = place_of_error(str(error))
            place = f"line {line}" if line else "at its end"
            raise UnreadableError(
                "The workspace file is no TOML.",
                where=f"{path}, {place}",
                expected='lines such as engine = "sillytavern"',
                found=words,
            ) from error

    def file(self) -> WorkspaceFile:
        """Everything it says."""
        self._known((), self.root, (*_TOP, *_TABLES))
        top = self._values((), {name: item for name, item in self.root.items() if name in _TOP}, _TOP)
        cast = self._table(("cast",))
        self._known(("cast",), cast, ("character", "persona"))
        chat = self._table(("chat",))
        self._known(("chat",), chat, ("file",))
        return WorkspaceFile(
            self.path,
            engine=top.get("engine"),
            context=top.get("context"),
            tokenizer=top.get("tokenizer"),
            seed=top.get("seed"),
            books=self._books(),
            character=self._file(("cast", "character"), cast.get("character")),
            persona=self._values(("cast", "persona"), self._table(("cast", "persona")), _PERSONA),
            chat=self._file(("chat", "file"), chat.get("file")),
            note=self._values(("note",), self._table(("note",)), _NOTE),
            settings=self._settings(),
            prompt=self._prompt(),
        )

    def _table(self, path: KeyPath) -> dict[str, Any]:
        """A table, empty if it is missing."""
        value: Any = self.root
        for name in path:
            value = value.get(name, {})
            if not isinstance(value, dict):
                raise self.wrong(path, "a table", value)
        return dict(value)

    def _known(self, path: KeyPath, table: Mapping[str, Any], names: tuple[str, ...]) -> None:
        """Refuse keys nobody knows."""
        for name in table:
            if name not in names:
                close = difflib.get_close_matches(name, names, n=1, cutoff=_SPELLING)
                raise UsageError(
                    f"The workspace file has a key nobody knows: {'.'.join((*path, name))}.",
                    where=self.where((*path, name)),
                    expected=", ".join(names),
                    found=name,
                    hint=f"Did you mean {close[0]}?" if close else "",
                )

    def _values(self, path: KeyPath, table: Mapping[str, Any], kinds: Mapping[str, Kind]) -> dict[str, Any]:
        self._known(path, table, tuple(kinds))
        found = {}
        for name, value in table.items():
            try:
                found[name] = kinds[name].take(value)
            except ValueError:
                raise self.wrong((*path, name), kinds[name].expected, value) from None
        return found

    def _books(self) -> dict[Layer, tuple[NamedFile, ...]]:
        table = self._table(("books",))
        self._known(("books",), table, tuple(layer.value for layer in Layer))
        found = {}
        for layer in Layer:
            listed = table.get(layer.value, [])
            path = ("books", layer.value)
            if isinstance(listed, str):
                listed = [listed]
            if not isinstance(listed, list):
                raise self.wrong(path, "a list of file names", listed)
            files = (self._file(path, item) for item in listed)
            found[layer] = tuple(file for file in files if file is not None)
        return found

    def _file(self, path: KeyPath, written: Any) -> NamedFile | None:
        if written is None:
            return None
        if not isinstance(written, str) or not written:
            raise self.wrong(path, "a file name", written)
        where = self.where(path, written)
        try:
            return NamedFile(inside(self.path.parent, written), where)
        except LorebookError as error:
            error.where = where
            raise

    def _settings(self) -> dict[str, Any]:
        found = {}
        for name, value in self._table(("settings",)).items():
            try:
                row = values.setting(name)
                found[row.name] = values.checked(row, value)
            except LorebookError as error:
                error.where = self.where(("settings", name))
                raise
        return found

    def _prompt(self) -> dict[str, Any]:
        table = self._table(("prompt",))
        if not table:
            return {}
        from lorebook_tui.workspace import prompt_options  # noqa: PLC0415 - most files say nothing about the prompt

        try:
            return prompt_options.checked(table)
        except prompt_options.WrongOptionError as error:
            error.where = self.where(("prompt", *error.path))
            raise

    def where(self, path: KeyPath, value: str | None = None) -> str:
        """File, line if known, and key."""
        line = line_of(self.text, path, value)
        return f"{self.path}, {f'line {line}, ' if line else ''}{'.'.join(path)}"

    def wrong(self, path: KeyPath, expected: str, value: Any) -> UsageError:
        """The error about a value that cannot be meant."""
        return UsageError(
            f"The workspace file gives {'.'.join(path)} a value that cannot be meant.",
            where=self.where(path),
            expected=expected,
            found=seen(value),
        )


def _decoded(path: Path) -> str:
    try:
        return read_bytes(path, _LARGEST).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise UnreadableError(
            "The workspace file is not written in UTF-8.", where=f"{path}, byte {error.start}", expected="UTF-8"
        ) from error
