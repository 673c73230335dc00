"""Token counts of one text, tokenizer beside tokenizer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.tokens.registry import CHAT_PREFIX, counter, names

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer


def write_counts(text: str, wanted: tuple[str, ...], writer: Writer, *, as_json: bool) -> None:
    """The counts, exact ones first.

    Raises:
        UsageError: no tokenizer has one of the names.
    """
    listed = wanted or tuple(name for name in names() if not name.startswith(CHAT_PREFIX) and name != "none")
    counters = [counter(name) for name in listed]
    if not wanted:
        counters.sort(key=lambda item: item.approximate)
    if as_json:
        writer.json(
            {
                "characters": len(text),
                "bytes": len(text.encode("utf-8", "surrogatepass")),
                "counts": [
                    {
                        "tokenizer": item.name,
                        "tokens": item.count(text),
                        "approximate": item.approximate,
                        "basis": item.basis,
                    }
                    for item in counters
                ],
            }
        )
        return
    writer.heading("Tokens", f"{len(text):,} characters, {len(text.encode('utf-8', 'surrogatepass')):,} bytes")
    rows = [("tokenizer", "tokens", "", "counted by")]
    rows += [
        (
            item.name,
            f"{item.count(text):,}",
            "≈"[: item.approximate] if not writer.glyphs.letters else "~"[: item.approximate],
            item.basis,
        )
        for item in counters
    ]
    writer.table(rows, right=(1,), indent="  ", has_head=True)
    if any(item.approximate for item in counters):
        sign = "~" if writer.glyphs.letters else "≈"
        writer.line(
            writer.styled(f"  {sign} stands in for that tokenizer, whose own vocabulary is not shipped.", "faint")
        )
