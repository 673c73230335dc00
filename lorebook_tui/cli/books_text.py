"""The listing of a workspace: layers, books, entries; and the report of what was odd about its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.cli.entry_text import keys_text, position_text
from lorebook_tui.display import cell_width, elide, plain, row
from lorebook_tui.engine.wording import order_text
from lorebook_tui.glyphs import kind_of
from lorebook_tui.model.js import to_number
from lorebook_tui.model.layers import Layer

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.workspace.files import Finding
    from lorebook_tui.workspace.workspace import OpenedBook, Workspace

_POSITION_CELLS = 18
_UID_CELLS = 12
_LEAST_TITLE = 10
_INDENT = "    "
_SEVERITY_STYLES = {"error": "bad", "warning": "warn", "info": "faint"}


def workspace_json(workspace: Workspace) -> dict[str, Any]:
    """What is open, for the head of every JSON document."""
    from dataclasses import asdict  # noqa: PLC0415 - only for JSON

    return {
        "file": str(workspace.file) if workspace.file else None,
        "chat": str(workspace.chat.path) if workspace.chat else None,
        "engine": workspace.engine,
        "seed": workspace.seed,
        "context": workspace.context,
        "tokenizer": workspace.tokenizer,
        "settings": asdict(workspace.settings),
        "books": [
            {
                "layer": opened.layer.value,
                "name": opened.book.name,
                "file": str(opened.source.path),
                "entries": len(opened.book.entries),
            }
            for opened in workspace.books
        ],
    }


def listing(workspace: Workspace) -> dict[str, Any]:
    """The listing as JSON."""
    counter = workspace.counter()
    books = [
        {
            "layer": opened.layer.value,
            "name": opened.book.name,
            "file": str(opened.source.path),
            "format": opened.book.format,
            "entries": [_entry_json(entry, counter) for entry in opened.book.entries],
        }
        for opened in workspace.books
    ]
    return {**workspace_json(workspace), "books": books}


def _entry_json(entry: Entry, counter: TokenCounter) -> dict[str, Any]:
    from lorebook_tui.engine.document_json import json_value  # noqa: PLC0415 - only for JSON

    return {
        "uid": json_value(entry.uid),
        "key": entry.key,
        "title": entry.title,
        "kind": kind_of(entry).word,
        "keys": list(entry.keys),
        "secondary_keys": list(entry.secondary_keys),
        "order": json_value(to_number(entry.get("order"))),
        "position": position_text(entry),
        "tokens": counter.count(entry.content),
    }


def write_listing(workspace: Workspace, writer: Writer) -> None:
    """The listing for people."""
    counter = workspace.counter()
    total = sum(len(opened.book.entries) for opened in workspace.books)
    name = elide(workspace.title, 40)
    writer.heading(name, f"{_entries(total)}, tokens by {'≈ ' if counter.approximate else ''}{counter.name}")
    for layer in Layer:
        books = workspace.of(layer)
        if not books:
            continue
        writer.line()
        writer.heading(f"{layer.number} {layer.value.capitalize()}")
        for opened in books:
            _write_book(opened, counter, writer)
    if not workspace.books:
        writer.line("No lore is open.")
    if workspace.chat:
        chat = workspace.transcript
        people = " and ".join(plain(who, " ") for who in (chat.character_name, chat.user_name) if who)
        writer.line()
        writer.heading(
            "Chat", f"{elide(workspace.chat.name, 40, at='middle')}, {len(chat)} messages, {people}".rstrip(", ")
        )


def _write_book(opened: OpenedBook, counter: TokenCounter, writer: Writer) -> None:
    glyphs = writer.glyphs
    tokens = [counter.count(entry.content) for entry in opened.book.entries]
    called = elide(opened.book.name, writer.width // 3)
    file = elide(opened.source.name, writer.width // 3, at="middle")
    note = f"{file}, {_entries(len(tokens))}, {sum(tokens):,} tokens"
    writer.line(f"  {writer.styled(called, 'bold')}  {writer.styled(note, 'faint')}")
    heads = ("", "uid", "order", "tokens", "position")
    narrow = [
        (
            glyphs.kind(kind_of(entry)),
            row(entry.uid_text, _UID_CELLS),
            order_text(to_number(entry.get("order"))),
            f"{count:,}",
            row(position_text(entry), _POSITION_CELLS),
        )
        for entry, count in zip(opened.book.entries, tokens, strict=True)
    ]
    fixed = sum(max(map(cell_width, column)) + 2 for column in zip(heads, *narrow, strict=True)) + len(_INDENT)
    titles = max(_LEAST_TITLE, (writer.width - fixed) * 3 // 5)
    rows = [(*heads, "title", "keys")]
    rows += [
        (*cells, row(entry.title, titles), row(keys_text(entry), writer.width))
        for cells, entry in zip(narrow, opened.book.entries, strict=True)
    ]
    writer.table(rows, right=(1, 2, 3), indent=_INDENT, has_head=True)


def _entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count:,} entries"


def write_report(workspace: Workspace, writer: Writer, *, as_json: bool) -> bool:
    """What was odd about the files; returns whether nothing is worse than an oddity."""
    if as_json:
        writer.json(
            {
                "files": [
                    {
                        "file": str(source.path),
                        "format": source.loaded.format.name,
                        "findings": [finding_json(finding) for finding in source.report],
                    }
                    for source in workspace.sources
                ]
            }
        )
    else:
        for source in workspace.sources:
            writer.heading(elide(source.name, 60, at="middle"), source.format_title)
            write_findings(source.report.findings, writer)
    return not any(source.worth_telling for source in workspace.sources)


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding as JSON."""
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": list(finding.path),
        "line": finding.line,
        "expected": finding.expected or None,
        "found": finding.found or None,
    }


def write_findings(findings: tuple[Finding, ...], writer: Writer) -> None:
    """Findings for people, a block each; says so if there are none."""
    if not findings:
        writer.line("  nothing odd")
    for finding in findings:
        place = ".".join(plain(str(part), " ") for part in finding.path)
        line = f"line {finding.line}" if finding.line else ""
        where = ", ".join(part for part in (line, place) if part)
        head = writer.styled(f"{finding.severity.value} {finding.code}", _SEVERITY_STYLES[finding.severity.value])
        writer.line(f"  {head}" + (f"  {writer.styled(where, 'faint')}" if where else ""))
        writer.wrapped(plain(finding.message, " "), indent="    ")
        told = [f"{label} {text}" for label, text in (("expected", finding.expected), ("found", finding.found)) if text]
        if told:
            writer.wrapped(plain("; ".join(told), " "), indent="    ", style="faint")
