"""The user's own templates and snippets: TOML or JSON in `templates/` and `snippets/` of the configuration folder.

A template's file holds `title`, `purpose`, `notes`, a table `blanks` (of `question` and `example`) and the list
`entries`; a JSON file may also be entries as they are copied, or a world. A file of snippets holds a table by name,
each with `text` and `description`. A file with a mistake is left out and told about; the others are not affected.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UnreadableError, UsageError
from lorebook_tui.formats import clip
from lorebook_tui.formats.base import seen
from lorebook_tui.formats.checks import expected_of
from lorebook_tui.formats.json_text import parse
from lorebook_tui.model.fields import field_named, suggest, type_matches
from lorebook_tui.workspace.files import located, read_text
from lorebook_tui.workspace.snippets import SNIPPETS, Snippet
from lorebook_tui.workspace.templates import Blank, Template, blanks_in, built_in
from lorebook_tui.workspace.toml_lines import line_of, place_of_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from lorebook_tui.model.js import Json

TEMPLATES: Final = "templates"
SNIPPET_FOLDER: Final = "snippets"
GROUP: Final = "Own"
_LARGEST: Final = 1 << 20
_MOST_FILES: Final = 500
_TEMPLATE_KEYS: Final = ("title", "purpose", "notes", "blanks", "entries")
_SNIPPET_KEYS: Final = ("text", "description")
_BLANK_KEYS: Final = ("question", "example")


@dataclass(frozen=True, slots=True)
class Shelf:
    """All templates and snippets, and what was wrong with files of the user."""

    templates: tuple[Template, ...] = ()
    snippets: tuple[Snippet, ...] = ()
    problems: tuple[LorebookError, ...] = ()
    """One for each file that could not be used; `where` names file, line and key."""

    def template(self, name: str) -> Template:
        """A template by its name.

        Raises:
            UsageError: there is none.
        """
        found = next((each for each in self.templates if each.name == name), None)
        if found is None:
            names = ", ".join(each.name for each in self.templates)
            raise UsageError(f"There is no template {quote(name)}.", expected=names, found=name)
        return found


def shelf(folder: Path | None) -> Shelf:
    """The user's templates and snippets before those of the program; the user's take the place of equal names.

    Args:
        folder: the configuration folder, which need not exist; None: only what came with the program.
    """
    problems: list[LorebookError] = []
    own: list[Template] = []
    snippets: list[Snippet] = []
    for path in _files(folder, TEMPLATES, problems):
        _collect(path, lambda path: own.append(read_template(path)), problems)
    for path in _files(folder, SNIPPET_FOLDER, problems):
        _collect(path, lambda path: snippets.extend(read_snippets(path)), problems)
    names = {each.name for each in own}
    snippet_names = {each.name for each in snippets}
    return Shelf(
        (*own, *(each for each in built_in() if each.name not in names)),
        (*snippets, *(each for each in SNIPPETS if each.name not in snippet_names)),
        tuple(problems),
    )


def _files(folder: Path | None, name: str, problems: list[LorebookError]) -> list[Path]:
    if folder is None or not (folder / name).is_dir():
        return []
    try:
        found = sorted(path for path in (folder / name).iterdir() if path.suffix.lower() in {".toml", ".json"})
    except OSError as error:
        reason = error.strerror or str(error)
        problems.append(UnreadableError("The folder cannot be read.", where=str(folder / name), found=reason))
        return []
    if len(found) > _MOST_FILES:
        problems.append(
            UsageError(f"Only the first {_MOST_FILES} files are read.", where=str(folder / name), found=str(len(found)))
        )
    return found[:_MOST_FILES]


def _collect(path: Path, read: Callable[[Path], None], problems: list[LorebookError]) -> None:
    try:
        read(path)
    except LorebookError as error:
        problems.append(located(error, str(path)))


def read_template(path: Path) -> Template:
    """One template; its name is that of the file.

    Raises:
        UnreadableError: no TOML or JSON.
        UsageError: something in it cannot be meant; says the line.
    """
    file = _File.read(path)
    root = file.root
    if not isinstance(root, dict) or root.get("kind") == clip.KIND or not isinstance(root.get("entries"), list):
        if file.is_toml:
            raise file.wrong(("entries",), "a list of entries, each under [[entries]]", _member(root, "entries"))
        return _copied(path, file.text)
    file.known((), root, _TEMPLATE_KEYS)
    entries = tuple(file.entry(number, fields) for number, fields in enumerate(root["entries"]))
    if not entries:
        raise file.wrong(("entries",), "at least one entry", [])
    blanks = file.blanks(root.get("blanks", {}))
    if missing := blanks_in(list(entries)) - {blank.name for blank in blanks}:
        blanks = (*blanks, *(Blank(name, name.replace("-", " ").capitalize(), name) for name in sorted(missing)))
    notes = root.get("notes", [])
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise file.wrong(("notes",), "a list of texts", notes)
    title = file.text_at(("title",), root, _title_of(path))
    purpose = file.text_at(("purpose",), root, "")
    return Template(_slug(path.stem), title, purpose, entries, blanks, tuple(notes), group=GROUP, source=str(path))


def _copied(path: Path, text: str) -> Template:
    """A template from entries as they were copied, or from a whole book."""
    fields = tuple(
        {name: value for name, value in each.items() if name not in clip.OWN_OF_A_FILE}
        for each in clip.read(text).entries
    )
    blanks = tuple(Blank(name, name.replace("-", " ").capitalize(), name) for name in sorted(blanks_in(fields)))
    return Template(_slug(path.stem), _title_of(path), "", fields, blanks, group=GROUP, source=str(path))


def read_snippets(path: Path) -> tuple[Snippet, ...]:
    """The snippets of a file.

    Raises:
        UnreadableError: no TOML or JSON.
        UsageError: something in it cannot be meant; says the line.
    """
    file = _File.read(path)
    if not isinstance(file.root, dict):
        raise file.wrong((), "a table of snippets", file.root)
    found = []
    for name, table in file.root.items():
        if not isinstance(table, dict):
            raise file.wrong((name,), "a table with text and description", table)
        file.known((name,), table, _SNIPPET_KEYS)
        written = file.text_at((name, "text"), table)
        found.append(Snippet(_slug(name), written, file.text_at((name, "description"), table, ""), GROUP, str(path)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _File:
    """A file of the user that knows where everything in it stands."""

    text: str
    root: Json
    is_toml: bool
    line: Callable[[tuple[str | int, ...]], int | None]

    @classmethod
    def read(cls, path: Path) -> _File:
        text = read_text(path, _LARGEST).replace("\r\n", "\n")
        if path.suffix.lower() == ".json":
            document = parse(text)
            return cls(text, document.value, False, document.line)
        try:
            root = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            words, line = place_of_error(str(error))
            place = f"line {line}" if line else "at its end"
            raise UnreadableError("The file is no TOML.", where=place, found=words) from error
        return cls(text, root, True, lambda steps: _toml_line(text, steps))

    def wrong(self, path: tuple[str | int, ...], expected: str, value: Json, hint: str = "") -> UsageError:
        """The error about a value that cannot be meant."""
        line = self.line(path) if path else None
        named = ".".join(str(step) for step in path)
        where = ", ".join(part for part in (f"line {line}" if line else "", named) if part)
        return UsageError(
            f"{named or 'The file'} cannot be meant so.", where=where, expected=expected, found=seen(value), hint=hint
        )

    def known(self, path: tuple[str | int, ...], table: Mapping[str, Json], names: Sequence[str]) -> None:
        """Refuse keys nobody knows."""
        for name, value in table.items():
            if name not in names:
                raise self.wrong((*path, name), f"one of {', '.join(names)}", value)

    def text_at(self, path: tuple[str | int, ...], table: Mapping[str, Json], default: str | None = None) -> str:
        """A text of a table; the default if it is missing."""
        value = _member(table, path[-1])
        if isinstance(value, str):
            return value
        if default is not None and path[-1] not in table:
            return default
        raise self.wrong(path, "a text", value)

    def entry(self, number: int, fields: Json) -> dict[str, Any]:
        """The fields of one entry, each checked against THE table."""
        path = ("entries", number)
        if not isinstance(fields, dict):
            raise self.wrong(path, "an entry", fields)
        for name, value in fields.items():
            row = field_named(name)
            if row is None:
                meant = suggest(name)
                hint = f"Did you mean {meant}?" if meant else "`lorebook fields` lists them all."
                raise self.wrong((*path, name), "a field of entries", value, hint)
            if not type_matches(row, value):
                raise self.wrong((*path, name), expected_of(row), value)
        return {name: value for name, value in fields.items() if name not in clip.OWN_OF_A_FILE}

    def blanks(self, table: Json) -> tuple[Blank, ...]:
        """What the template asks for."""
        if not isinstance(table, dict):
            raise self.wrong(("blanks",), "a table", table)
        found = []
        for name, row in table.items():
            path = ("blanks", name)
            if not isinstance(row, dict):
                raise self.wrong(path, "a table with question and example", row)
            self.known(path, row, _BLANK_KEYS)
            question = self.text_at((*path, "question"), row, name)
            found.append(Blank(name, question, self.text_at((*path, "example"), row, name)))
        return tuple(found)


def _member(value: Json, name: str | int) -> Json:
    return value.get(name) if isinstance(value, dict) else None


_LIST_HEADER: Final = re.compile(r"\s*\[\[\s*entries\s*\]\]")


def _toml_line(text: str, steps: tuple[str | int, ...]) -> int | None:
    """The line of a key; inside a list of tables it is looked for in the right table."""
    if len(steps) < 2 or not isinstance(steps[1], int):  # noqa: PLR2004 - the list and a number in it
        return line_of(text, tuple(str(step) for step in steps))
    lines = text.splitlines()
    headers = [number for number, line in enumerate(lines) if _LIST_HEADER.match(line)]
    if steps[1] >= len(headers):
        return line_of(text, (str(steps[0]),))
    start = headers[steps[1]]
    end = headers[steps[1] + 1] if steps[1] + 1 < len(headers) else len(lines)
    inner = line_of("\n".join(lines[start:end]), (str(steps[0]), *(str(step) for step in steps[2:])))
    return start + (inner or 1)


def _slug(text: str) -> str:
    return re.sub(r"[^\w+-]+", "-", text.strip().lower()).strip("-") or "unnamed"


def _title_of(path: Path) -> str:
    return path.stem.replace("_", " ").replace("-", " ").strip() or path.stem
