"""Makes new books and new entries from fields, templates and standard input."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lorebook_tui.cli import edit_run, edit_text
from lorebook_tui.cli.texts import field_text
from lorebook_tui.display import elide, plain, quote
from lorebook_tui.errors import UsageError
from lorebook_tui.model.fields import template as new_entry
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import clips, edits
from lorebook_tui.workspace.desk import Desk
from lorebook_tui.workspace.field_input import assignment
from lorebook_tui.workspace.file_names import safe_name
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.own_templates import shelf
from lorebook_tui.workspace.places import config_folder
from lorebook_tui.workspace.shapes import SHAPES, new_book
from lorebook_tui.workspace.store_errors import file_there
from lorebook_tui.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.workspace.edits import Edited

_SUFFIX = ".json"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The entries that somebody asks for."""

    entries: tuple[str, ...] = ()
    """Each its fields in one text, as a shell would part them."""
    templates: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    """Fields of one entry, or what is changed in those from templates and standard input."""
    from_stdin: bool = False

    def made(self) -> list[dict[str, Any]]:
        """The fields of every entry, complete.

        Raises:
            UsageError: a field, template or answer that cannot be meant.
            UnreadableError: standard input holds no entries.
        """
        found = [*self._filled(), *(self._read() if self.from_stdin else ())]
        found += [_entry(_parted(text)) for text in self.entries]
        if not found and self.fields:
            found = [new_entry()]
        return [_with(fields, self.fields) for fields in found]

    def _filled(self) -> list[dict[str, Any]]:
        if not self.templates:
            if self.answers:
                raise UsageError("There is no template to answer.", expected="--template NAME before --answer")
            return []
        known = shelf(config_folder())
        answers = dict(map(_answer, self.answers))
        asked = {blank.name for name in self.templates for blank in known.template(name).blanks}
        if unknown := set(answers) - asked:
            raise UsageError(
                f"No template has a blank {quote(min(unknown))}.",
                expected=", ".join(sorted(asked)) or "no answers",
                found=min(unknown),
            )
        entries: list[dict[str, Any]] = []
        for name in self.templates:
            chosen = known.template(name)
            own = {blank.name for blank in chosen.blanks}
            entries += chosen.filled({blank: text for blank, text in answers.items() if blank in own})
        return entries

    def _read(self) -> list[dict[str, Any]]:
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        return [{**new_entry(), **fields} for fields in clips.read(text.removeprefix("\ufeff")).entries]


def _answer(text: str) -> tuple[str, str]:
    name, equals, answer = text.partition("=")
    if not equals:
        raise UsageError(f"{quote(text)} answers nothing.", expected="BLANK=TEXT", found=text)
    return name.strip(), answer


def _parted(text: str) -> list[str]:
    """The fields of an entry in one argument, parted as a shell would."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise UsageError(
            "The fields of this entry cannot be told apart.",
            expected="'title=\"The bell\" key=bell,gong'",
            found=text,
            hint="Put values with blanks into quotes, and close every quote.",
        ) from error


def _entry(words: Sequence[str]) -> dict[str, Any]:
    if not words:
        raise UsageError("An entry without any field.", expected="'title=\"The bell\" key=bell,gong'", found="nothing")
    return _with(new_entry(), words)


def _with(fields: Mapping[str, Any], words: Sequence[str]) -> dict[str, Any]:
    """Fields with some of them set anew; a title is shown in SillyTavern's editor."""
    made = dict(fields)
    for word in words:
        given = assignment(field_text(word))
        value = given.new(made.get(given.row.name, MISSING))
        if value is MISSING:
            made.pop(given.row.name, None)
        else:
            made[given.row.name] = value
        if given.row.name == "comment":
            made["addMemo"] = bool(value)
    return made


def new_file(path: Path, format_name: str, wanted: Wanted, writer: Writer, *, dry_run: bool, as_json: bool) -> None:
    """Write a new book.

    Raises:
        FileThereError: there is a file of that name.
        UsageError: a name that no file may have, an unknown format, entries that cannot be meant.
        NotWrittenError: it cannot be written.
    """
    if format_name not in SHAPES:
        raise UsageError(
            f"New books have no format {quote(format_name)}.", expected=" or ".join(SHAPES), found=format_name
        )
    target = path if path.suffix else path.with_name(safe_name(path.name + _SUFFIX))
    safe_name(target.name)
    if target.exists():
        raise file_there(target)
    desk = Desk(Workspace())
    desk.do(edits.attach(desk.workspace, Source(target, new_book(format_name, target.name)), Layer.GLOBAL))
    entries = wanted.made()
    if entries:
        desk.do(edits.add_entries(desk.workspace, Layer.GLOBAL, 0, entries))
    source = desk.workspace.sources[0]
    if not dry_run:
        desk.save(source)
    if as_json:
        writer.json(_file_json(source, dry_run=dry_run))
        return
    loaded = source.loaded
    entry_list = loaded.books[0].entries
    writer.heading(
        elide(target.name, writer.width // 2, at="middle"),
        f"{loaded.format.title}, {edits.counted(len(entry_list))}" + (", not written (--dry-run)" if dry_run else ""),
    )
    for entry in entry_list:
        writer.line(f"  + #{elide(entry.uid_text, 12)}  {elide(entry.title, writer.width - 20)}")
    if not dry_run:
        writer.narrate(f"Open it with: lorebook {_quoted(target)}")


def _quoted(path: Path) -> str:
    return plain(shlex.quote(str(path)), " ")


def _file_json(source: Source, *, dry_run: bool) -> dict[str, Any]:
    from lorebook_tui.engine.document_json import json_value  # noqa: PLC0415 - only for JSON

    return {
        "dry_run": dry_run,
        "file": str(source.path),
        "format": source.loaded.format.name,
        "written": not dry_run,
        "entries": [
            {"uid": json_value(entry.uid), "title": entry.title, "keys": list(entry.keys)}
            for entry in source.loaded.books[0].entries
        ],
    }


def add_entries(path: Path, book: str | None, wanted: Wanted, writer: Writer, *, dry_run: bool, as_json: bool) -> None:
    """Write new entries into a book.

    Raises:
        UsageError: nothing to add, or no such book.
        UnreadableError: the file holds no book.
        NotWrittenError: it cannot be written.
    """
    workspace = open_workspace([path])
    layer, number = _book(workspace, book)
    entries = wanted.made()
    if not entries:
        raise UsageError(
            "There is nothing to add.", expected="FIELD=VALUE, --template or --from-stdin",
            hint='lorebook add world.json title="The bell" key=bell,gong content="No one has cast it."',
        )  # fmt: skip
    edited = edits.add_entries(workspace, layer, number, entries)
    _tell_lost(edited, entries, writer)
    how = edit_run.How(dry_run=dry_run, as_json=as_json)
    edit_run.finish(workspace, edit_run.Outcome(edited, len(entries)), how, writer)


def _tell_lost(edited: Edited, entries: Sequence[Mapping[str, Any]], writer: Writer) -> None:
    """What the file gives back otherwise, for people."""
    lost = edit_text.lost_fields(
        [(fields, edits.entry_at(edited.workspace, ref)) for fields, ref in zip(entries, edited.focus, strict=True)]
    )
    if lost:
        writer.narrate(lost)


def _book(workspace: Workspace, name: str | None) -> tuple[Layer, int]:
    """The book that gets the entries."""
    for source in workspace.sources if not workspace.books else ():
        source.loaded.require_book()
    places = [(opened.layer, workspace.of(opened.layer).index(opened), opened) for opened in workspace.books]
    wanted = (name or "").casefold()
    found = {
        (opened.source.ident, opened.position): (layer, number)
        for layer, number, opened in reversed(places)
        if name is None or wanted in {opened.book.name.casefold(), opened.source.name.casefold()}
    }
    if len(found) == 1:
        return next(iter(found.values()))
    names = ", ".join(dict.fromkeys(opened.book.name for _, _, opened in places))
    raise UsageError(
        "Several books are open." if name is None else f"No one open book is called {quote(name)}.",
        expected=f"--book with one of {names}",
        found=name or f"{len(places)} books",
    )
