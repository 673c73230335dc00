"""Phase 7, inject: the activated texts go to their places.

SillyTavern 1.19: sorted by order, highest first; each text is put in front of its list, so that the highest
order ends up last, next to the chat, and equal orders come out reversed; outlets are appended instead.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.phases.order import sort_descending
from lorebook_tui.engine.trace import DepthRecord, ExampleEntry, Reason, Slots
from lorebook_tui.model.js import MISSING, nullish, same, text_of, truthy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.engine.candidate import Candidate

BEFORE, AFTER, NOTE_TOP, NOTE_BOTTOM, AT_DEPTH, EXAMPLES_TOP, EXAMPLES_BOTTOM, OUTLET = range(8)
PROTOTYPE = "__proto__"
"""An outlet of this name is lost in a JavaScript object."""
DEFAULT_DEPTH = 4
DEFAULT_ROLE = 0


@dataclass(slots=True)
class _Record:
    depth: Any
    role: Any
    texts: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Lists:
    plain: dict[int, list[tuple[int, str]]] = field(default_factory=lambda: {n: [] for n in range(4)})
    examples: list[ExampleEntry] = field(default_factory=list)
    records: list[_Record] = field(default_factory=list)
    outlets: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    nowhere: dict[int, Reason] = field(default_factory=dict)


def place(activated: Iterable[Candidate]) -> Slots:
    """Put activated entries into their slots."""
    lists = _Lists()
    for candidate in sort_descending(activated, lambda candidate: candidate.rules.order):
        _put(candidate, lists)
    plain = {number: tuple(reversed(texts)) for number, texts in lists.plain.items()}
    return Slots(
        before=plain[BEFORE],
        after=plain[AFTER],
        note_top=plain[NOTE_TOP],
        note_bottom=plain[NOTE_BOTTOM],
        examples=tuple(reversed(lists.examples)),
        depths=tuple(
            DepthRecord(
                record.depth,
                record.role,
                tuple(text for _, text in reversed(record.texts)),
                tuple(number for number, _ in reversed(record.texts)),
            )
            for record in lists.records
        ),
        outlets={name: tuple(texts) for name, texts in lists.outlets.items()},
        nowhere=lists.nowhere,
    )


def _put(candidate: Candidate, lists: _Lists) -> None:
    number, text = candidate.number, candidate.content
    if not text:
        lists.nowhere[number] = Reason.EMPTY_TEXT
        return
    fields = candidate.rules.entry.fields
    position = fields.get("position", MISSING)
    known = next((value for value in range(8) if same(position, value)), None)
    if known is None:
        lists.nowhere[number] = Reason.UNKNOWN_POSITION
    elif known <= NOTE_BOTTOM:
        lists.plain[known].append((number, text))
    elif known == AT_DEPTH:
        _put_at_depth(candidate, lists)
    elif known == OUTLET:
        name = fields.get("outletName", MISSING)
        if truthy(name) and text_of(name) != PROTOTYPE:
            lists.outlets.setdefault(text_of(name), []).append((number, text))
        else:
            lists.nowhere[number] = Reason.NO_OUTLET_NAME
    else:
        lists.examples.append(ExampleEntry(0 if known == EXAMPLES_TOP else 1, text, number))


def _put_at_depth(candidate: Candidate, lists: _Lists) -> None:
    """Add to the record of this depth and role, compared as `===` does; a new record keeps the depth as it is."""
    fields = candidate.rules.entry.fields
    stored_depth, stored_role = fields.get("depth", MISSING), fields.get("role", MISSING)
    depth = DEFAULT_DEPTH if nullish(stored_depth) else stored_depth
    role = DEFAULT_ROLE if nullish(stored_role) else stored_role
    for record in lists.records:
        if same(record.depth, depth) and same(record.role, role):
            break
    else:
        record = _Record(stored_depth, role)
        lists.records.append(record)
    record.texts.append((candidate.number, candidate.content))
