"""Which plain keys are found inside of other entries' plain keys: one pass of all keys over all keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lorebook_tui.lint.keyrules import effective
from lorebook_tui.lint.scripts import WITHOUT_SPACES, scripts_of
from lorebook_tui.matching.literals import LiteralSet

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.settings import ScanSettings


@dataclass(frozen=True)
class Overlap:
    """A key and the entries whose keys hold it."""

    entry: EntryView
    key: KeyFact
    others: tuple[EntryView, ...]
    longer: tuple[str, ...]
    """The keys of the others, in the same order."""


def inside_of(book: BookView, settings: ScanSettings) -> Iterator[Overlap]:
    """Every key that is found inside of keys of other entries, where the whole-word switch does not guard it.

    Entries of one inclusion group are left out: only one of them comes in anyway.
    """
    loose: dict[str, list[tuple[EntryView, KeyFact]]] = {}
    taking_part = [entry for entry in book.entries if entry.is_enabled and entry.is_keyed]
    for entry in taking_part:
        guarded = effective(entry, "matchWholeWords", settings.world_info_match_whole_words)
        for key in entry.keys:
            is_guarded = guarded and is_guarded_by_whole_words(key)
            if key.is_plain and not is_guarded and not _has_filter(entry):
                loose.setdefault(key.folded, []).append((entry, key))
    if not loose:
        return
    texts = list(loose)
    literals = LiteralSet({text: number for number, text in enumerate(texts)}, {})
    found: dict[tuple[int, int], dict[int, tuple[EntryView, str]]] = {}
    for other in taking_part:
        for longer in other.keys:
            if not longer.is_plain:
                continue
            for text in (texts[number] for number in sorted(literals.numbers_in(longer.folded))):
                if text == longer.folded:
                    continue
                for entry, key in loose[text]:
                    if entry is not other and not _are_grouped(entry, other):
                        found.setdefault((entry.number, key.place), {}).setdefault(
                            other.number, (other, longer.trimmed)
                        )
    for number, place in sorted(found):
        entry = book.entries[number]
        key = next(each for each in entry.keys if each.place == place)
        others = found[number, place].values()
        yield Overlap(entry, key, tuple(other for other, _ in others), tuple(text for _, text in others))


def is_guarded_by_whole_words(key: KeyFact) -> bool:
    """Whether the whole-word switch keeps a key out of longer words.

    SillyTavern 1.19: it knows words of A-Z only, and looks for keys of several words letter by letter anyway.
    """
    return key.trimmed.isascii() and len(key.trimmed.split()) == 1 and not scripts_of(key.trimmed) & WITHOUT_SPACES


def is_inside_word(text: str, longer: str) -> bool:
    """Whether a text occurs with a letter or digit beside it, and nowhere as a word of its own."""
    start = longer.find(text)
    while start >= 0:
        end = start + len(text)
        if not longer[max(0, start - 1) : start].isalnum() and not longer[end : end + 1].isalnum():
            return False
        start = longer.find(text, start + 1)
    return True


def _has_filter(entry: EntryView) -> bool:
    return entry.is_on("selective") and any(not key.is_blank for key in entry.secondary)


def _are_grouped(one: EntryView, other: EntryView) -> bool:
    groups = [
        {part.strip() for part in str(each.get("group", "") or "").split(",") if part.strip()} for each in (one, other)
    ]
    return bool(groups[0] & groups[1])
