"""Keys that fire too often, or that the whole-word switch does not guard."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.chat_keys import ChatKeys
from lorebook_tui.lint.common_words import language_of
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.keyrules import KeyFault, KeyRule, effective
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option
from lorebook_tui.lint.scripts import WITHOUT_SPACES, ascii_word_class_fails, letters, scripts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.subjects import EntryView, World

_ALWAYS_THERE: Final = re.compile(r"\s*(?:\{\{(?:user|char)\}\}|<(?:USER|BOT|CHAR)>)\s*", re.IGNORECASE)
_FEW: Final = {"messages": 3}
_LEAST: Final = 3
"""Letters of a key that is long enough."""
_SPECIAL: Final = re.compile(r"([\\^$.*+?()[\]{}|/])")


def whole_words(entry: EntryView, context: Context) -> bool:
    """Whether the entry asks for whole words."""
    return effective(entry, "matchWholeWords", context.settings.world_info_match_whole_words)


def bounded(text: str) -> str:
    r"""A pattern for a text that no letter stands beside, in any script."""
    escaped = _SPECIAL.sub(r"\\\1", text)
    return rf"/(?<![\p{{L}}\p{{N}}]){escaped}(?![\p{{L}}\p{{N}}])/iu"


class ShortKey(EntryRule):
    """A very short key that is found inside of other words.

    Why: With whole words off, SillyTavern 1.19 looks for the letters anywhere; scripts that part no words have no
    boundaries at all.
    Example: `el` is found in "elf", "tell" and "gentle".
    Do: turn whole words on for the entry, or use a longer key or a pattern.
    Source: SillyTavern 1.19.
    """

    code = "KEY004"
    name = "short-key"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    options = (Option("letters", _LEAST, "a key needs so many letters to be long enough"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["el"], "matchWholeWords": True, "content": "x"},)),
        Example(({"key": ["elf", "/el/", "渡船", "서울"], "matchWholeWords": False, "content": "x"},)),
        Example(({"key": ["el"], "content": "x"},), settings={"world_info_match_whole_words": True}),
        Example(({"key": ["el"], "constant": True, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["el", "AI"], "matchWholeWords": False, "content": "x"},), fixed=({"matchWholeWords": True},)),
        Example(({"key": ["火"], "content": "x"},)),
        Example(({"key": ["불"], "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """One finding for all short keys of an entry."""
        if not entry.is_keyed:
            return
        guarded = whole_words(entry, context)
        short = [key for key in entry.keys if _is_short(key, context.options["letters"], guarded=guarded)]
        if not short:
            return
        names = ", ".join(quote(key.trimmed) for key in short)
        fix = None
        if all(key.trimmed.isascii() for key in short):
            change = SetField(entry.entry.path, "matchWholeWords", True)
            fix = Fix("turn whole words on", (change,), Grade.OFFERED, alters_activation=True)
        message = f"{names} is so short that it is found inside of other words."
        yield self.finding(entry, message, entry.path_of("key", short[0].place), fix=fix)


def _is_short(key: KeyFact, least: int, *, guarded: bool) -> bool:
    """Whether a key is found inside of other words; a syllable or character counts for more than a letter."""
    scripts = scripts_of(key.trimmed)
    enough = min(least, 2) if scripts & (WITHOUT_SPACES | {"HANGUL"}) else least
    is_guarded = guarded and key.trimmed.isascii()
    return key.is_plain and 0 < letters(key.trimmed) < enough and not is_guarded


def _is_short_name(key: KeyFact, entry: EntryView, context: Context) -> bool:
    """Whether a key is somebody's name that only looks like a small word; that it is short is said already."""
    name = key.trimmed
    if not name[:1].isupper() or not _is_short(key, _LEAST, guarded=whole_words(entry, context)):
        return False
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", f"{entry.entry.title}\n{entry.text}") is not None


class CommonWord(KeyRule):
    """A key that is one of the commonest words of a language, or that is found in very many turns of the given chats.

    Why: It stands in very many messages, whatever they are about: the entry is nearly always on, in disguise, and takes
    its share of the budget.
    Example: the key `time`, or `рука`; or `ferry` in a story that plays on one.
    Do: choose a word that is only said when the entry matters, add a secondary key, or make the entry constant.
    Source: word lists of this program; the chats.
    """

    code = "KEY005"
    name = "common-word"
    severity = Severity.WARNING
    options = (
        Option("percent", 20, "a key may be found in so many of a hundred turns of the chats"),
        Option("messages", 20, "chats with fewer messages together say nothing about keys"),
        Option("chats", 3, "from fewer chats it is a hint only: they may be about just that"),
    )
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["ferry", "time travel"], "content": "x"},)),
        Example(({"key": ["time"], "keysecondary": ["portal"], "content": "x"},)),
        Example(({"key": ["time"], "disable": True, "content": "x"},)),
        Example(({"key": ["Ли", "Ли Вэй"], "content": "Ли Вэй — ученик мастера, и он боится высоты."},)),
        Example(({"key": ["fare"], "content": "The fare is one coin, and it is paid on the landing."},)),
        Example(({"key": ["ferry"], "content": "x"},), chat=("You: The ferry.", *("You: Hm.",) * 10), options=_FEW),
        Example(({"key": ["ferry"], "content": "x"},), chat=("You: The ferry.",)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["Time", "ferry"], "content": "x"},)),
        Example(({"key": ["рука"], "content": "x"},)),
        Example(({"key": ["ли"], "content": "Ли Вэй — ученик мастера."},)),
        Example(({"key": ["время", "жизнь", "Глаза"], "content": "x"},), findings=3),
        Example(({"key": ["fare"], "content": "Si paga una moneta per la fare, non di più."},)),
        Example(
            ({"key": ["ferry"], "content": "x"},), chat=("You: The ferry.", "You: Hm.", "You: A ferry."), options=_FEW
        ),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A plain primary key that alone brings the entry in."""
        if name != "key" or not key.is_plain or not entry.is_keyed or not entry.is_enabled:
            return None
        filtered = entry.is_on("selective") and any(not each.is_blank for each in entry.secondary)
        language = language_of(key.folded, entry.text)
        if filtered or not language or entry.is_on("caseSensitive") or _is_short_name(key, entry, context):
            return None
        return KeyFault(
            f"{quote(key.trimmed)} is one of the commonest words of {language}: it fires in very many messages, "
            "whatever they are about."
        )

    def check_together(self, world: World, context: Context) -> Iterator[Finding]:
        """Keys that the chats say again and again; a hint only from a few chats, which may be about just that."""
        if sum(len(chat.messages) for chat in world.chats) < max(1, context.options["messages"]):
            return
        entries = [entry for book in world.books for entry in book.entries if _fires_alone(entry)]
        known = ChatKeys(entries, world.chats, context.settings)
        severity = Severity.INFO if len(world.chats) < context.options["chats"] else None
        for entry in entries:
            depth = entry.get("scanDepth", None)
            window = depth if isinstance(depth, int) and depth > 0 else context.settings.world_info_depth
            for key in entry.keys:
                if not key.is_plain or language_of(key.folded, entry.text):
                    continue
                percent = 100 * known.share(known.places(entry, key), window)
                if percent > context.options["percent"]:
                    message = f"{quote(key.trimmed)} is found in {percent:.0f} % of the turns of the chats."
                    yield self.finding(entry, message, entry.path_of("key", key.place), severity=severity)


def _fires_alone(entry: EntryView) -> bool:
    filtered = entry.is_on("selective") and any(not each.is_blank for each in entry.secondary)
    return entry.is_enabled and entry.is_keyed and not filtered


class WordsWithoutBoundaries(KeyRule):
    r"""A key for which the whole-word switch does nothing, or too little, as its letters are no ASCII letters.

    Why: SillyTavern 1.19 asks for a character beside the key that is not A to Z, a digit or the low line. Every letter
    of another alphabet is such a character, and scripts such as Chinese part no words.
    Example: `кот` with whole words on is found in "который".
    Do: use a pattern that names the letters: `/(?<!\p{L})кот(?!\p{L})/iu`.
    Source: SillyTavern 1.19.
    """

    code = "KEY016"
    name = "whole-words-without-effect"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "matchWholeWords": True, "content": "x"},)),
        Example(({"key": ["кот"], "matchWholeWords": False, "content": "x"},)),
        Example(({"key": ["кот"], "content": "x"},), settings={"world_info_match_whole_words": False}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["кот"], "matchWholeWords": True, "content": "x"},),
            fixed=({"key": [r"/(?<![\p{L}\p{N}])кот(?![\p{L}\p{N}])/iu"]},),
        ),
        Example(({"key": ["渡船"], "matchWholeWords": True, "content": "x"},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A plain word beyond ASCII under the switch, where the entry itself asks for it."""
        del name
        asked = entry.get("matchWholeWords", None) is True or context.world.settings is not None
        if not key.is_plain or not asked or not whole_words(entry, context) or " " in key.trimmed:
            return None
        if not ascii_word_class_fails(key.trimmed):
            return None
        if scripts_of(key.trimmed) & WITHOUT_SPACES:
            return KeyFault(f"Whole words do nothing for {quote(key.trimmed)}: its script parts no words.")
        message = f"Whole words do not guard {quote(key.trimmed)}: it is found inside of longer words of its language."
        return KeyFault(message, "write it as a pattern that names the letters", (bounded(key.trimmed),))


class PhraseWithoutBoundaries(KeyRule):
    """A key of several words in an entry that asks for whole words.

    Why: SillyTavern 1.19 checks boundaries only for keys of one word; a phrase is found anywhere.
    Example: `old mill` with whole words on is found in "the old miller".
    Do: nothing, if that is fine; else write it as a pattern.
    Source: SillyTavern 1.19.
    """

    code = "KEY017"
    name = "phrase-without-boundaries"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "matchWholeWords": True, "content": "x"},)),
        Example(({"key": ["old mill"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["old mill"], "matchWholeWords": True, "content": "x"},),
            fixed=({"key": [r"/(?<![\p{L}\p{N}])old mill(?![\p{L}\p{N}])/iu"]},),
        ),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """A phrase, where the entry itself asks for whole words."""
        del name, context
        if not key.is_plain or entry.get("matchWholeWords", None) is not True or not re.search(r"\s", key.trimmed):
            return None
        message = f"{quote(key.trimmed)} has several words: whole words are not checked for it."
        return KeyFault(message, "write it as a pattern with boundaries", (bounded(key.trimmed),))


class TooManyKeys(EntryRule):
    """Very many keys, or a key as long as a sentence.

    Why: An entry with many keys is about many things and comes in for all of them; a sentence is never said in the same
    words.
    Example: twelve keys, or `the bell that hangs under the landing of the ferry at night`.
    Do: split the entry; keep the few words that people say.
    Source: writers' experience.
    """

    code = "KEY020"
    name = "unfocused-keys"
    severity = Severity.INFO
    options = (
        Option("keys", 10, "an entry may have so many keys"),
        Option("characters", 60, "a plain key may be so long"),
    )
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a1", "a2", "a3"], "content": "x"},)),
        Example(({"key": [f"/{'bell|' * 30}gong/i"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": [f"word{number}" for number in range(11)], "content": "x"},)),
        Example(({"key": ["the bell that hangs under the landing of the ferry at night time"], "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Both."""
        count = sum(1 for key in entry.keys if not key.is_blank)
        if count > context.options["keys"]:
            yield self.finding(entry, f"It has {count} keys and comes in for all of them.", entry.path_of("key"))
        for key in entry.keys:
            if key.is_plain and len(key.trimmed) > context.options["characters"]:
                message = f"The key {quote(key.trimmed[:40] + '…')} is as long as a sentence: nobody says exactly that."
                yield self.finding(entry, message, entry.path_of("key", key.place))


class NameMacroKey(KeyRule):
    """A key of nothing but the user's or the character's name macro.

    Why: With names on, as in a fresh installation, SillyTavern 1.19 puts the speaker's name in front of every message
    it scans: such a key is found at every scan.
    Example: the key `{{user}}`.
    Do: make the entry constant if that is meant; else find a word for what it is about.
    Source: SillyTavern 1.19.
    """

    code = "KEY021"
    name = "name-macro-key"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["{{user}}'s coat"], "content": "x"},)),
        Example(({"key": ["{{user}}"], "content": "x"},), settings={"world_info_include_names": False}),
        Example(({"key": ["{{char}}"], "keysecondary": ["bell"], "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["{{user}}"], "content": "x"},)),
        Example(({"key": [" {{Char}} ", "bell"], "content": "x"},)),
    )

    def fault(self, key: KeyFact, name: str, entry: EntryView, context: Context) -> KeyFault | None:
        """The macro alone, as a primary key that needs nothing else."""
        filtered = entry.is_on("selective") and any(not each.is_blank for each in entry.secondary)
        if name != "key" or filtered or not context.settings.world_info_include_names or entry.is_on("constant"):
            return None
        if not _ALWAYS_THERE.fullmatch(key.text):
            return None
        return KeyFault(f"{quote(key.trimmed)} is a name in front of every message: it fires at every scan.")
