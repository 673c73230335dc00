"""What workers find out for the form. Frozen values go in, facts come out; no widget is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lorebook_tui.model.entry import Entry
from lorebook_tui.model.js import nullish
from lorebook_tui.tui.views.form_keys import told_of_key
from lorebook_tui.tui.views.form_lists import split_keys
from lorebook_tui.tui.views.form_text import by_line, waking_of
from lorebook_tui.tui.widgets.form_facts import EntryJudged

if TYPE_CHECKING:
    from lorebook_tui.engine.key_owners import KeyOwners
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tokens.base import TokenCounter
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.tui.pictures import Picture

LISTS: Final = ("key", "keysecondary")
_MOST_KEYS: Final = 60
"""Keys of one entry that are looked for among those of others."""


def judge(
    key: object, entry: Entry, ref: EntryRef, *, counter: TokenCounter, picture: Picture | None, owners: KeyOwners
) -> EntryJudged:
    """Everything the form tells about an entry beyond its fields.

    Args:
        key: tells the form's entries apart.
        entry: as it stands.
        ref: where it stands.
        counter: counts its text.
        picture: of the shown turn; None while there is none.
        owners: who has which key.
    """
    tokens = counter.count(entry.content)
    also = {each: owners.also(each, ref) for each in entry.keys[:_MOST_KEYS]}
    if picture is None:
        return EntryJudged(key, tokens, {}, also, {})
    plan = picture.assembly.plan
    hits = {found.key: found for name in LISTS for found in picture.replay.keys_in_chat(entry, name)}
    return EntryJudged(key, tokens, hits, also, by_line(entry.content, waking_of(plan, entry, entry.content)))


def told_while_typing(
    text: str,
    name: str,
    entry: Entry,
    ref: EntryRef,
    *,
    picture: Picture | None,
    owners: KeyOwners,
    settings: ScanSettings,
    is_new: bool,
) -> Line:
    """What there is to say about the key that is being typed, the last one of a list.

    Args:
        text: what stands in the line.
        name: of the list.
        entry: that it is typed for.
        ref: where that stands.
        picture: of the shown turn.
        owners: who has which key.
        settings: of the scan.
        is_new: commas part keys.
    """
    listed = split_keys(text) if is_new else [text]
    if not listed:
        return ()
    key = listed[-1]
    probe = Entry({**entry.fields, name: [key]}, entry.key)
    whole = entry.get("matchWholeWords")
    found = picture.replay.keys_in_chat(probe, name) if picture else ()
    return told_of_key(
        key,
        whole_words=settings.world_info_match_whole_words if nullish(whole) else entry.is_on("matchWholeWords"),
        chat=found[0] if found else None,
        owners=owners.also(key, ref) if name == LISTS[0] else (),
    )
