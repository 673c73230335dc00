"""Where the plain keys of entries stand in given chats: one pass over every message for all keys together."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lorebook_tui.lint.keyrules import effective
from lorebook_tui.matching.ecma import PatternTimeout
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.literals import LiteralSet
from lorebook_tui.matching.words import is_whole_word_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.model.transcript import Transcript

_Asked = tuple[str, bool, bool]
"""A text, whether letter case counts, whether it has to be a whole word."""


class ChatKeys:
    """Which messages hold which key.

    Args:
        entries: whose primary keys are looked for.
        chats: what was said; hidden messages are left out, as no scan sees them.
        settings: the global ones.
    """

    def __init__(self, entries: Iterable[EntryView], chats: Sequence[Transcript], settings: ScanSettings) -> None:
        self.settings = settings
        self.texts = tuple(
            message.text for chat in chats for message in chat.messages if not message.is_hidden and message.text
        )
        asked = dict.fromkeys(self._asked(entry, key) for entry in entries for key in entry.keys if key.is_plain)
        numbers = {each: number for number, each in enumerate(asked)}
        self._numbers = numbers
        self._found: dict[int, list[int]] = defaultdict(list)
        for sensitive in (False, True):
            listed = {each: number for each, number in numbers.items() if each[1] is sensitive}
            if not listed:
                continue
            literals = LiteralSet(
                {text: number for (text, _, is_word), number in listed.items() if not is_word},
                {text: number for (text, _, is_word), number in listed.items() if is_word},
            )
            for place, text in enumerate(self.texts):
                for number in literals.numbers_in(text if sensitive else lower(text)):
                    self._found[number].append(place)

    def _asked(self, entry: EntryView, key: KeyFact) -> _Asked:
        sensitive = effective(entry, "caseSensitive", self.settings.world_info_case_sensitive)
        whole = effective(entry, "matchWholeWords", self.settings.world_info_match_whole_words)
        text = key.trimmed if sensitive else key.folded
        return text, sensitive, whole and is_whole_word_key(text)

    def places(self, entry: EntryView, key: KeyFact) -> Sequence[int]:
        """Numbers of the messages that hold a plain key or match a pattern, ascending."""
        if key.is_plain:
            return self._found.get(self._numbers.get(self._asked(entry, key), -1), ())
        pattern = key.pattern()
        if pattern is None:
            return ()
        found = []
        for place, text in enumerate(self.texts):
            try:
                if pattern.test("\n\x01" + text):
                    found.append(place)
            except PatternTimeout:
                break
        return found

    def share(self, places: Sequence[int], depth: int) -> float:
        """The part of all turns, one after each message, whose window of messages holds one of the places."""
        if not self.texts or depth <= 0:
            return 0.0
        covered, upto = 0, 0
        for place in places:
            first = max(place, upto)
            upto = max(upto, min(len(self.texts), place + depth))
            covered += max(0, upto - first)
        return covered / len(self.texts)
