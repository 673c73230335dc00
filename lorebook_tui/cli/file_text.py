"""What one file is: its format, and the lore, card or chat in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from lorebook_tui.cli.books_text import finding_json, write_findings
from lorebook_tui.display import elide, json_excerpt, plain
from lorebook_tui.workspace.files import Opener

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.workspace.files import Source

_LABEL_CELLS = 12


def as_file(text: str) -> Path | None:
    """The file that a word names; None if it names none."""
    path = Path(text)
    try:
        return path if path.is_file() else None
    except (OSError, ValueError):
        return None


def write_file(path: Path, writer: Writer, *, as_json: bool) -> None:
    """What the file is.

    Raises:
        UnreadableError: it is no lore.
    """
    source = Opener().open(path)
    if as_json:
        writer.json(file_json(source))
        return
    writer.heading(elide(source.name, 60, at="middle"), source.format_title)
    for label, text in _facts(source):
        writer.wrapped(f"{label:<{_LABEL_CELLS}}{plain(text, ' ')}", indent="  ", hang=" " * (_LABEL_CELLS + 2))
    writer.line()
    writer.heading("Odd things")
    write_findings(source.report.findings, writer)


def _facts(source: Source) -> list[tuple[str, str]]:
    """Label and text, one line each."""
    loaded = source.loaded
    facts = [("container", loaded.container.kind)]
    for book in loaded.books:
        extras = ", ".join(f"{name}: {json_excerpt(value, 40)}" for name, value in book.extras.items())
        facts.append(("book", f"{book.name}, {len(book.entries)} entries" + (f"; {extras}" if extras else "")))
    if card := loaded.card:
        made = " ".join(part for part in (card.version, f"by {card.creator}" if card.creator else "") if part)
        facts.append(("character", card.character.name + (f", {made}" if made else "")))
        facts.append(("card", f"{card.spec} {card.spec_version}".strip() + f", {len(card.greetings)} greetings"))
        if card.world:
            facts.append(("linked book", card.world))
    if chat := loaded.transcript:
        users = sum(message.is_user for message in chat.messages)
        facts.append(("messages", f"{len(chat)}, {users} of them by the user"))
        facts.append(("people", ", ".join(name for name in (chat.character_name, chat.user_name) if name) or "unnamed"))
        if chat.metadata:
            facts.append(("metadata", ", ".join(map(str, chat.metadata))))
    return facts


def file_json(source: Source) -> dict[str, Any]:
    """The same as JSON."""
    loaded = source.loaded
    card, chat = loaded.card, loaded.transcript
    return {
        "file": str(source.path),
        "format": loaded.format.name,
        "container": loaded.container.kind,
        "books": [{"name": book.name, "entries": len(book.entries)} for book in loaded.books],
        "card": {
            "name": card.character.name,
            "spec": card.spec,
            "spec_version": card.spec_version,
            "creator": card.creator,
            "version": card.version,
            "greetings": len(card.greetings),
            "world": card.world or None,
        }
        if card
        else None,
        "chat": {
            "messages": len(chat),
            "user": chat.user_name or None,
            "character": chat.character_name or None,
        }
        if chat
        else None,
        "findings": [finding_json(finding) for finding in loaded.report],
    }
