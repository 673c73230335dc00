"""The line under the form: what the row under the cursor is, and what may be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.model.fields import field_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.ink import Span
from lorebook_tui.tui.targets import ToField, ToGroup
from lorebook_tui.tui.views.findings import note_at, told
from lorebook_tui.tui.views.form_keys import told_of_key
from lorebook_tui.tui.views.form_lists import items_in
from lorebook_tui.tui.views.form_state import CONTENT, KEYS, NEW, RAW, SECONDARY, UNUSED
from lorebook_tui.tui.views.form_values import FieldKind, allowed_words, kind_of_field, same_json

if TYPE_CHECKING:
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.targets import Target
    from lorebook_tui.tui.views.form_state import Look, Subject


def help_of(target: Target | None, subject: Subject | None, look: Look) -> Line:
    """The line for what the cursor stands on.

    Args:
        target: of the row.
        subject: what the form shows.
        look: which item of a list is chosen.
    """
    if subject is None:
        return ()
    return (*_of_finding(target, look), *_of_place(target, subject, look))


def _of_finding(target: Target | None, look: Look) -> Line:
    """What the linter says of the field."""
    name = target.name.partition(".")[0] if isinstance(target, ToField) else ""
    return told(note_at(target, look.items.get(name), look.findings), len(look.findings.get(name, ())))


def _of_place(target: Target | None, subject: Subject, look: Look) -> Line:
    """The help of the field or group."""
    if isinstance(target, ToGroup):
        return (Span(_group_words(target.name, subject), "muted"),)
    if not isinstance(target, ToField):
        return ()
    if target.name in {KEYS, SECONDARY} and not subject.is_many:
        told = _of_key(target.name, subject, look)
        if told:
            return told
    field, _, part = target.name.partition(".")
    row = field_named(field)
    if row is None:
        return ()
    if part:
        words = "Names of card files without extension." if part == "names" else "Ids of tags."
        return (Span(words, "muted"), Span(" Enter on + adds, backspace deletes.", "faint"))
    return _of_field(row, subject)


def _group_words(name: str, subject: Subject) -> str:
    if name == RAW:
        return "Enter shows the whole entry as JSON, to be edited."
    if name == UNUSED:
        return (
            f"Fields that the engine {subject.engine} does not look at; they stay in the file. Enter opens the group."
        )
    return "Enter opens or closes the group; o does so with all."


def _of_key(name: str, subject: Subject, look: Look) -> Line:
    """About the chosen key."""
    items = items_in(name, subject.value)
    number = look.items.get(name, 0)
    if look.editing is not None and look.editing.item == NEW:
        return ()
    key = items[number] if number < len(items) else None
    if not isinstance(key, str):
        return ()
    found = subject.explanation.evidence if subject.explanation else None
    findings = (found.keys if name == KEYS else found.secondary) if found else ()
    turn = next((len(finding.hits) for finding in findings if finding.key == key), None)
    return told_of_key(
        key,
        whole_words=subject.whole_words,
        turn=turn,
        chat=subject.hits.get(key),
        owners=subject.owners.get(key, ()) if name == KEYS else (),
    )


def _of_field(row: Field, subject: Subject) -> Line:
    """Help, the chosen choice, and what may be typed."""
    spans = [Span(row.help, "muted")]
    value = subject.value(row.name)
    kind = kind_of_field(row)
    choice = next((item for item in row.choices if kind is FieldKind.CHOICE and same_json(item.value, value)), None)
    if choice is not None and choice.help:
        spans.insert(0, Span(f"{choice.label}: {choice.help} ", "text"))
    allowed = allowed_words(row) if kind is FieldKind.NUMBER else ""
    if allowed:
        spans.insert(0, Span(f"{allowed[0].upper()}{allowed[1:]}. ", "text"))
    if value is MISSING and row.name != CONTENT:
        spans.append(Span(f" Not in the file: {row.absent}", "faint"))
    if value is None and row.null:
        spans.append(Span(f" {row.null}", "faint"))
    return tuple(spans)
