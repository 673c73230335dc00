"""Phase 2, keys: does a key occur in a view, and the logic of secondary keys. Side effects only through macros.

SillyTavern 1.19: the first primary key that matches ends the search; AND ANY and NOT ALL stop at the deciding key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.display import quote
from lorebook_tui.engine.keys import BlankKey, DynamicKey, EmptyKey, PatternKey, PlainKey
from lorebook_tui.errors import EngineError
from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import match_plain
from lorebook_tui.model.js import text_of, trim

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.keys import Key
    from lorebook_tui.engine.phases.buffer import View

    Substitute = Callable[[str], str]

AND_ANY, NOT_ALL, NOT_ANY, AND_ALL = 0, 1, 2, 3


def occurs(key: Key, view: View, substitute: Substitute) -> bool:
    """Whether the key matches the view's text.

    Raises:
        PatternTimeout: a pattern gave no answer within its limit.
    """
    if isinstance(key, PlainKey):
        return _whole_text(key, view) if key.crosses else key.number in view.numbers
    if isinstance(key, PatternKey):
        if key.gates is not None and view.numbers.isdisjoint(key.gates):
            return False
        return view.matches(key.source, key.flags)
    if isinstance(key, EmptyKey):
        return False
    if isinstance(key, BlankKey):
        return True
    return _dynamic(key, view, substitute)


def _whole_text(key: PlainKey, view: View) -> bool:
    text = view.text if key.case_sensitive else lower(view.text)
    return match_plain(text, key.literal, whole_words=key.whole_word)


def _dynamic(key: DynamicKey, view: View, substitute: Substitute) -> bool:
    text = substitute(key.raw)
    return bool(text) and match_text(trim(text), view, key.case_sensitive, whole_words=key.whole_words)


def match_text(key: str, view: View, case_sensitive: bool, *, whole_words: bool) -> bool:
    """One key, as text, against the view's text: a pattern if it has the form of one, else plain.

    Raises:
        PatternTimeout: a pattern gave no answer within its limit.
    """
    pattern = ecma.parse_key(key)
    if pattern is not None:
        return view.matches(pattern.source, pattern.flags)
    if case_sensitive:
        return match_plain(view.text, key, whole_words=whole_words)
    return match_plain(lower(view.text), lower(key), whole_words=whole_words)


def first_match(entry: CompiledEntry, view: View, substitute: Substitute) -> int:
    """Position of the first primary key that matches; -1 if none does.

    Raises:
        PatternTimeout: none does, and a pattern among them gave no answer within its limit.
    """
    late: ecma.PatternTimeout | None = None
    for position, key in enumerate(entry.keys):
        try:
            if occurs(key, view, substitute):
                return position
        except ecma.PatternTimeout as timeout:
            late = late or timeout
    if late is not None:
        raise late
    return -1


def secondary_passes(entry: CompiledEntry, view: View, substitute: Substitute) -> bool:
    """Whether the secondary keys in force let the entry through.

    Raises:
        PatternTimeout: that depends on a pattern that gave no answer within its limit.
    """
    logic = entry.logic
    any_matches, all_match = False, True
    for key in entry.secondary:
        matches = occurs(key, view, substitute)
        any_matches = any_matches or matches
        all_match = all_match and matches
        if logic == AND_ANY and matches:
            return True
        if logic == NOT_ALL and not matches:
            return True
    return (logic == NOT_ANY and not any_matches) or (logic == AND_ALL and all_match)


def score(entry: CompiledEntry, view: View, case_sensitive: bool, *, whole_words: bool) -> int:
    """Points of a group member: matching keys in its own text; keys raw, `selective` not looked at.

    SillyTavern 1.19: no primary keys: 0; secondary keys add their number with AND ANY, and with AND ALL if all match.
    A pattern that gives no answer within its limit gives no point.

    Raises:
        EngineError: a key that is no text; the program stops there too.
    """
    primary, secondary = _raw_keys(entry, "key"), _raw_keys(entry, "keysecondary")
    if not primary:
        return 0

    def matches(key: str) -> bool:
        try:
            return match_text(key, view, case_sensitive, whole_words=whole_words)
        except ecma.PatternTimeout:
            return False

    def count(keys: list[str]) -> int:
        return sum(map(matches, keys))

    points = count(primary)
    if secondary:
        hits = count(secondary)
        if entry.stored_logic == AND_ANY or (entry.stored_logic == AND_ALL and hits == len(secondary)):
            points += hits
    return points


def _raw_keys(entry: CompiledEntry, name: str) -> list[str]:
    stored = entry.entry.fields.get(name)
    if not isinstance(stored, list):
        return []
    for key in stored:
        if not isinstance(key, str):
            raise EngineError(
                f"A key of entry {entry.entry.uid_text} in {quote(entry.book)} is no text: "
                "SillyTavern's group scoring stops the whole scan with an error.",
                expected="a text",
                found=text_of(key),
                hint="Put the key in quotation marks.",
            )
    return stored
