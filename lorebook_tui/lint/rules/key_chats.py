"""Keys beside what was really said: those that no chat holds, and those written in another letter case."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.chat_keys import ChatKeys
from lorebook_tui.lint.findings import Finding, Need, Scope, Severity
from lorebook_tui.lint.keyrules import effective
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.rule import Context, Example, Option, WorldRule
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import match_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView, World

_CASED: Final = {"key": ["Bell"], "content": "x", "caseSensitive": True}


def _waiting(world: World) -> list[EntryView]:
    """Entries that take part and that only a key can wake."""
    return [entry for book in world.books for entry in book.entries if entry.is_enabled and entry.is_keyed]


class OtherCase(WorldRule):
    """A key whose letter case counts, while the chats write it in another one.

    Why: With the case-sensitive switch on, SillyTavern 1.19 compares letters as they stand: `Bell` is not found in "the
    bell".
    Example: the key `Bell` with case-sensitive on, and a chat that only says "bell".
    Do: turn the switch off for the entry, or add the other spelling.
    Source: SillyTavern 1.19's documentation.
    """

    code = "KEY018"
    name = "other-letter-case"
    severity = Severity.WARNING
    scope = Scope.CHATS
    needs: ClassVar[frozenset[Need]] = frozenset({Need.CHATS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_CASED,), chat=("You: The Bell rings, and another bell.",)),
        Example(({**_CASED, "caseSensitive": False},), chat=("You: The bell rings.",)),
        Example((_CASED,), chat=("You: Nothing rings.",)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((_CASED,), chat=("You: The bell rings.", "Mira: BELL?")),
        Example(
            ({**_CASED, "caseSensitive": None},),
            settings={"world_info_case_sensitive": True},
            chat=("You: The bell rings.",),
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Keys that would be found if case did not count, and never are."""
        settings = context.settings
        entries = [
            entry
            for entry in _waiting(world)
            if effective(entry, "caseSensitive", settings.world_info_case_sensitive)
            and any(key.is_plain and key.folded != key.trimmed for key in entry.keys)
        ]
        if not entries:
            return
        known = ChatKeys(entries, world.chats, settings)
        folded = [lower(text) for text in known.texts]
        for entry in entries:
            whole = effective(entry, "matchWholeWords", settings.world_info_match_whole_words)
            for key in entry.keys:
                if not key.is_plain or key.folded == key.trimmed or known.places(entry, key):
                    continue
                count = sum(1 for text in folded if match_plain(text, key.folded, whole_words=whole))
                if count:
                    times = "once" if count == 1 else f"in {count} messages"
                    message = (
                        f"The chats write {quote(key.trimmed)} in another letter case ({times}): it is never found."
                    )
                    yield self.finding(entry, message, entry.path_of("key", key.place))


class NeverSaid(WorldRule):
    """A key that occurs in none of the given chats.

    Why: What nobody has said in a long chat will hardly be said in the next one: the key, or the whole entry, is dead
    weight.
    Example: the key `astrolabe`, and 200 messages without it.
    Do: choose words that people use, or leave it if the entry waits for something to come.
    Source: writers' experience.
    """

    code = "KEY028"
    name = "key-never-said"
    severity = Severity.INFO
    scope = Scope.CHATS
    needs: ClassVar[frozenset[Need]] = frozenset({Need.CHATS})
    options = (Option("messages", 40, "chats with fewer messages together say nothing about keys"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x"},), chat=("You: The bell.",), options={"messages": 1}),
        Example(({"key": ["/be+ll/i"], "content": "x"},), chat=("You: A Beell.",), options={"messages": 1}),
        Example(({"key": ["gong"], "content": "x"},), chat=("You: The bell.",)),
        Example(({"key": ["gong"], "content": "x", "constant": True},), chat=("You: Hm.",), options={"messages": 1}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["gong", "bell"], "content": "x"},), chat=("You: The bell.",), options={"messages": 1}),
        Example(({"key": ["gong", "/drum/"], "content": "x"},), chat=("You: The bell.",), options={"messages": 1}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """One finding for each entry."""
        if sum(len(chat.messages) for chat in world.chats) < context.options["messages"]:
            return
        entries = _waiting(world)
        known = ChatKeys(entries, world.chats, context.settings)
        for entry in entries:
            keys = [key for key in entry.keys if key.is_plain or key.regex]
            silent = [key for key in keys if not known.places(entry, key)]
            if not silent:
                continue
            names = quoted(key.trimmed for key in silent)
            message = f"Nobody says {names} in the chats."
            if len(silent) == len(keys):
                message = f"Nobody says {names} in the chats: no key of it is ever found."
            yield self.finding(entry, message, entry.path_of("key", silent[0].place))
