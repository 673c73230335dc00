"""Pieces that the budget of a turn and that of a chat have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.display import elide, plain
from lorebook_tui.engine.budget_needs import always_on
from lorebook_tui.engine.wording import tokens_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.budget_advice import Advice
    from lorebook_tui.engine.budget_needs import Shares
    from lorebook_tui.workspace.workspace import Workspace


def write_title(workspace: Workspace, what: str, writer: Writer) -> None:
    """Where we are."""
    parts = [elide(workspace.title, 30)]
    if workspace.chat:
        parts.append(elide(workspace.chat.name, 30, at="middle"))
    writer.heading(f" {writer.glyphs.step} ".join([*parts, what]))


def entries_text(count: int) -> str:
    """A number of entries."""
    return "1 entry" if count == 1 else f"{count} entries"


def write_shares(found: Shares, writer: Writer) -> None:
    """Tokens by layer and book."""
    if not found.total:
        return
    writer.line()
    writer.heading("Who takes the tokens")
    rows = []
    for layer, tokens in sorted(found.layers.items(), key=lambda pair: pair[0].number):
        books = [(name, count) for (place, name), count in found.books.items() if place is layer]
        books.sort(key=lambda pair: (-pair[1], pair[0]))
        named = ", ".join(f"{elide(name, 30)} {count:,}" for name, count in books)
        rows.append((layer.value, f"{tokens:,}", f"{tokens / found.total * 100:.0f} %", named))
    writer.table(rows, right=(1, 2), indent="  ")


def write_always_on(ample: Assembly, limit: int, writer: Writer) -> None:
    """What asks for its place whatever is said, in a turn with room for everything."""
    found = always_on(ample)
    if not found:
        return
    total = sum(found.values())
    named = ", ".join(f"{elide(ample.entry(index).entry.title, 28)} {tokens}" for index, tokens in found.items())
    told = f"{entries_text(len(found))}, {tokens_text(total)}, {total / limit * 100:.0f} % of the budget"
    writer.wrapped(f"Always on: {told}: {named}.", indent="  ")


def write_advice(advice: Iterable[Advice], writer: Writer) -> None:
    """What to do, a point each."""
    listed = list(advice)
    if not listed:
        return
    writer.line()
    writer.heading("What would help")
    for item in listed:
        writer.wrapped(f"{writer.glyphs.dot} {plain(item.sentence, ' ')}", indent="  ", hang="    ")
