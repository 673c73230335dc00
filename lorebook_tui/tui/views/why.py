"""Why an entry is in or out: the sentence, then the evidence, each hit with the words around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.near import merged
from lorebook_tui.engine.wording import messages_text
from lorebook_tui.glyphs import Mark, mark_of
from lorebook_tui.tui.ink import BLANK, Paragraph, Row, Span, heading
from lorebook_tui.tui.targets import ToEntry, ToMessage, ToOffer
from lorebook_tui.tui.views.chances import told_odds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.findings import Hit, KeyFinding
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block
    from lorebook_tui.tui.replay import Prospect, Remedies

_SHOWN_BELOW = ("Key ", "Secondary key ", " ", "Woken by ", "Before it: ")
"""How the details begin that have a form of their own in this pane."""
MOST_OFFERS = 9
"""Proposals that have a key of their own."""
_MOST_HITS = 5
_AROUND = 28
"""Characters of context on each side of a hit."""


def why_blocks(
    explanation: Explanation,
    assembly: Assembly,
    ref_of: Callable[[int], EntryRef | None],
    glyphs: Glyphs,
    *,
    remedies: Remedies | None = None,
    prospect: Prospect | None = None,
) -> list[Block]:
    """The blocks of the pane: the sentence, the odds, what would change it, then the evidence."""
    mark = mark_of(explanation.verdict)
    ink = mark.ink if mark else "muted"
    lead = (Span(f"{glyphs.mark(mark)} " if mark else "", ink),)
    word, _, rest = explanation.sentence.partition(":")
    blocks: list[Block] = [Paragraph((Span(f"{word}:", ink), Span(rest, "strong")), None, lead, 2 if mark else 0)]
    facts = [detail for detail in explanation.details if not detail.startswith(_SHOWN_BELOW)]
    if facts:
        blocks.append(Paragraph((Span(" ".join(facts), "muted"),), None, (), 0))
    if prospect is not None:
        blocks.append(Paragraph((Span("Odds ", "label"), Span(told_odds(prospect, glyphs))), None, (), 2))
    if remedies is not None and remedies.sentences:
        blocks += [BLANK, *_remedies(remedies)]
    path = explanation.evidence.path
    if len(path) > 1:
        blocks += [BLANK, heading("Woken by")]
        blocks += list(_path(path, assembly, ref_of, glyphs))
    for title, findings in (("Keys", explanation.evidence.keys), ("Secondary keys", explanation.evidence.secondary)):
        if findings:
            hit = sum(finding.matched for finding in findings)
            blocks += [BLANK, heading(title, f"{hit} of {len(findings)} in the text")]
            for finding in findings:
                blocks += list(_finding(finding, assembly, ref_of, glyphs))
    blocks += list(_standing_before(explanation, assembly, ref_of))
    return blocks


def _remedies(remedies: Remedies) -> Iterator[Block]:
    """What would change it: each with the key that applies it; or how safe it is."""
    can_apply = any(offer.can_apply for offer in remedies.offers)
    yield heading(remedies.heading, "its number or enter applies it" if can_apply else "")
    if not remedies.offers:
        for sentence in remedies.sentences:
            yield Paragraph((Span(sentence),), None, (Span("  "),), 2)
    for number, offer in enumerate(remedies.offers, 1):
        key = f"{number} " if number <= MOST_OFFERS else "  "
        if offer.can_apply:
            yield Paragraph((Span(offer.sentence),), ToOffer(number), (Span(key, "key-name"),), 2)
        else:
            spans = (Span(offer.sentence, "muted"), Span(f" {offer.why_not}", "faint"))
            yield Paragraph(spans, ToOffer(number), (Span("  "),), 2)


def _path(
    path: tuple[int, ...], assembly: Assembly, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs
) -> Iterator[Block]:
    for depth, index in enumerate(path):
        ref = ref_of(index)
        arrow = "  " * depth + (f"{glyphs.step} " if depth else "")
        yield Row(
            (Span(f"  {arrow}", "faint"), Span(assembly.entry(index).entry.title, "link" if ref else "text")),
            target=ToEntry(ref) if ref else None,
        )


def _finding(
    finding: KeyFinding, assembly: Assembly, ref_of: Callable[[int], EntryRef | None], glyphs: Glyphs
) -> Iterator[Block]:
    count = f"{len(finding.hits)} hits" if len(finding.hits) > 1 else ""
    if not finding.matched:
        count = "not in the text"
    yield Paragraph(
        (Span(finding.key, "key" if finding.matched else "key-missed"), Span(f"  {count}", "faint")),
        None,
        (Span("  "),),
        4,
    )
    for hit in finding.hits[:_MOST_HITS]:
        yield _hit(hit, assembly, ref_of)
    if len(finding.hits) > _MOST_HITS:
        yield Row((Span(f"      and {len(finding.hits) - _MOST_HITS} more", "faint"),))
    for near, messages in merged(finding.near):
        where = (Span(f"  {messages_text(messages)}", "link"),) if messages else ()
        yield Paragraph(
            (Span(near.found, "near"), *where, Span(f"  {near.note}", "muted")),
            ToMessage(messages[0]) if messages else None,
            (Span(f"    {glyphs.mark(Mark.NEAR)} ", "near"),), 6,
        )  # fmt: skip
    if finding.note:
        yield Paragraph((Span(finding.note, "muted"),), None, (Span("    "),), 4)


def _hit(hit: Hit, assembly: Assembly, ref_of: Callable[[int], EntryRef | None]) -> Block:
    """Where it stands, and the words around it."""
    target: ToEntry | ToMessage | None = None
    if hit.message is not None:
        where, target = f"message {hit.message + 1}", ToMessage(hit.message)
    elif hit.woken_by is not None:
        where = assembly.entry(hit.woken_by).entry.title
        ref = ref_of(hit.woken_by)
        target = ToEntry(ref) if ref else None
    else:
        where = hit.name
    first, last = max(0, hit.start - _AROUND), min(len(hit.text), hit.end + _AROUND)
    front = ("…" if first else "") + hit.text[first : hit.start]
    back = hit.text[hit.end : last] + ("…" if last < len(hit.text) else "")
    return Row(
        (
            Span("    "),
            Span(where, "link" if target else "label"),
            Span("  "),
            Span(front, "muted"),
            Span(hit.text[hit.start : hit.end], "hit-chosen"),
            Span(back, "muted"),
        ),
        target=target,
    )


def _standing_before(
    explanation: Explanation, assembly: Assembly, ref_of: Callable[[int], EntryRef | None]
) -> Iterator[Block]:
    """For an entry that was cut: what had its tokens first."""
    own = explanation.evidence.own_row
    if own is None or own.admitted:
        return
    yield BLANK
    yield heading("Admitted before it", f"{own.total - own.tokens} of {assembly.budget} tokens")
    for row in explanation.evidence.standing_before:
        if row.admitted:
            ref = ref_of(row.index)
            yield Row(
                (Span("  "), Span(assembly.entry(row.index).entry.title, "link" if ref else "text")),
                (Span(str(row.tokens), "number"),),
                ToEntry(ref) if ref else None,
            )
