"""Remedies for activated entries whose exit is closed, for a double uid, and for turns that stop with an error."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.phases.inject import AFTER, AT_DEPTH, BEFORE, NOTE_TOP, OUTLET
from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.changes import NOTE_INTERVAL, SettingChange
from lorebook_tui.engine.remedies.proposal import Kind, Option
from lorebook_tui.engine.wording import quoted
from lorebook_tui.model.js import MISSING, nullish, same, text_of, truthy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.remedies.case import Case

EXAMPLE_TEXT: Final = "…"
_OUTLET_MACRO: Final = re.compile(r"\{\{\s*outlet\s*::\s*([^}]*?)\s*\}\}", re.IGNORECASE)
_DEFAULT_DEPTH: Final = 4
MOST_INTERVALS: Final = 2


def empty_text(case: Case) -> Iterator[Option]:
    """Any text."""
    decorators = "".join(f"{line}\n" for line in case.entry.decorated.decorators)
    change = case.change("content", decorators + EXAMPLE_TEXT)
    yield Option(Kind.CONTENT, (change,), "with any text", is_example=True)


def positions(case: Case, listed: tuple[int, ...] = (BEFORE, AFTER, AT_DEPTH)) -> Iterator[Option]:
    """Places that are always open."""
    for position in listed:
        changes = [case.change("position", position)]
        depth: Any = case.fields.get("depth", MISSING)
        if position == AT_DEPTH and nullish(depth):
            depth = _DEFAULT_DEPTH
            changes.append(case.change("depth", depth))
        yield Option(Kind.POSITION, tuple(changes), wording.position(position, depth))


def outlet_name(case: Case) -> Iterator[Option]:
    """The name of an outlet that is read somewhere or filled by others; else its title's; or another place."""
    for name in list(dict.fromkeys(_outlets(case)))[:2]:
        change = case.change("outletName", name)
        yield Option(Kind.OUTLET_NAME, (change,), f"with the outlet name {quoted(name)}")
    yield from positions(case)


def _outlets(case: Case) -> Iterator[str]:
    """Names of outlets, those that are read first."""
    scenario = case.scenario
    speaker = scenario.cast.speaker
    texts = [scenario.note.prompt, scenario.note.character_prompt, scenario.cast.persona.description]
    texts += [prompt.value for prompt in scenario.injected]
    if speaker:
        texts += [speaker.description, speaker.personality, speaker.scenario, speaker.system_prompt]
        texts += [speaker.post_history, speaker.depth_prompt.prompt]
    for text in texts:
        yield from (name for name in _OUTLET_MACRO.findall(text) if name)
    for entry in case.assembly.plan.entries:
        name = entry.entry.get("outletName", "")
        if isinstance(name, str) and name.strip() and same(entry.entry.get("position"), OUTLET):
            yield name
    words = re.findall(r"\w+", case.title(case.index).lower())
    yield "-".join(words) or "lore"


def note_not_due(case: Case) -> Iterator[Option]:
    """The place of the note without the note, and an interval at which it is due."""
    stored = case.fields.get("position")
    note = case.scenario.note
    depth = _DEFAULT_DEPTH if nullish(case.fields.get("depth", MISSING)) else case.fields["depth"]
    yield from positions(case, (AT_DEPTH, BEFORE) if same(stored, NOTE_TOP) else (AT_DEPTH, AFTER))
    if not same(depth, note.depth) and note.position == 1:
        changes = (case.change("position", AT_DEPTH), case.change("depth", note.depth))
        yield Option(Kind.POSITION, changes, f"{wording.position(AT_DEPTH, note.depth)}, where the note stands")
    users = sum(message.is_user for message in case.assembly.chat.messages[: case.assembly.turn.upto])
    due = [interval for interval in range(1, max(users, 1) + 1) if users % interval == 0 or interval == 1]
    for interval in sorted(due, key=lambda interval: abs(interval - note.interval))[:MOST_INTERVALS]:
        change = SettingChange(NOTE_INTERVAL, note.interval, interval)
        yield Option(Kind.NOTE_INTERVAL, (change,), f"with an interval of {interval} for the author's note")


def replaced(case: Case) -> Iterator[Option]:
    """A uid that no entry of its book has."""
    used = {
        entry.uid for entry in case.assembly.plan.entries if entry.book == case.entry.book and entry.uid is not None
        and not isinstance(entry.uid, (list, dict))
    }  # fmt: skip
    free = next(number for number in range(len(used) + 1) if number not in used)
    yield Option(Kind.UID, (case.change("uid", free),), f"with a uid of its own ({free})")


def stopped(case: Case) -> Iterator[Option]:
    """Groups and keys at which the product stops, put right in every entry that has them."""
    groups, keys = [], []
    for entry in case.assembly.plan.entries:
        stored = entry.entry.get("group")
        if truthy(stored) and not isinstance(stored, str):
            groups.append(case.change("group", text_of(stored), entry.index))
        elif isinstance(stored, str) and any(quote(name) in case.assembly.error for name in re.split(r",\s*", stored)):
            groups.append(case.change("group", f"{stored} group", entry.index))
        for field in ("key", "keysecondary"):
            listed = entry.entry.get(field)
            if isinstance(listed, list) and not all(isinstance(key, str) for key in listed):
                keys.append(case.change(field, [text_of(key) for key in listed], entry.index))
    for kind, changes, phrase in (
        (Kind.GROUP_NAME, groups, "with another name for the group that stops the scan"),
        (Kind.KEY_TYPE, keys, "with every key a text"),
    ):
        if changes:
            yield Option(kind, tuple(changes), phrase)
