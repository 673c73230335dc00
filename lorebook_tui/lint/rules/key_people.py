"""Keys that are names of who speaks, and filters that look for what cannot be in the text yet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.phases.keys import NOT_ALL, NOT_ANY
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, Scope, SetField, Severity
from lorebook_tui.lint.keyrules import effective
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.rule import BookRule, Context, Example, WorldRule
from lorebook_tui.lint.sayable import is_sayable
from lorebook_tui.lint.staging import QUIET, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.literals import LiteralSet
from lorebook_tui.matching.words import match_plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.subjects import BookView, EntryView, World
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.settings import ScanSettings

_MIRA: Final = {"name": "Mira"}
_IN_BRACKETS: Final = re.compile(r"\[[^\[\]]+\]")
_SAID_IN_BRACKETS: Final = "[ooc]"


def has_filter(entry: EntryView) -> bool:
    """Whether secondary keys have a say."""
    return entry.is_on("selective") and any(not key.is_blank for key in entry.secondary)


class NameAsKey(WorldRule):
    """A key that is found in the name of somebody who takes part.

    Why: With names on, SillyTavern 1.19 puts the speaker's name in front of every message it scans: the key is found
    whenever that person has spoken, which is nearly always.
    Example: the key `Mira` in a chat with Mira.
    Do: add a secondary key, make the entry constant if it is always needed, or turn names off.
    Source: SillyTavern 1.19.
    """

    code = "KEY022"
    name = "name-as-key"
    severity = Severity.WARNING
    scope = Scope.SET
    needs: ClassVar[frozenset[Need]] = frozenset({Need.CAST})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["Mirador"], "content": "x"},), character=_MIRA),
        Example(({"key": ["Mira"], "content": "x", "keysecondary": ["oath"]},), character=_MIRA),
        Example(({"key": ["Mira"], "content": "x"},), character=_MIRA, settings={"world_info_include_names": False}),
        Example(({"key": ["mira"], "content": "x", "caseSensitive": True},), character=_MIRA),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mira", "bell"], "content": "x"},), character=_MIRA),
        Example(({"key": ["Rowan"], "content": "x"},), persona="Rowan Ash", character=_MIRA),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Each key once, with the name it is found in."""
        settings = context.settings
        names = _names(world.cast) if world.cast is not None and settings.world_info_include_names else []
        if not names:
            return
        for book in world.books:
            for entry in book.entries:
                if entry.is_enabled and entry.is_keyed and not has_filter(entry):
                    yield from self._of_entry(entry, names, settings)

    def _of_entry(self, entry: EntryView, names: list[str], settings: ScanSettings) -> Iterator[Finding]:
        whole = effective(entry, "matchWholeWords", settings.world_info_match_whole_words)
        sensitive = effective(entry, "caseSensitive", settings.world_info_case_sensitive)
        for key in entry.keys:
            if not key.is_plain:
                continue
            text = key.trimmed if sensitive else key.folded
            name = next(
                (
                    each
                    for each in names
                    if match_plain(f"{each if sensitive else lower(each)}: ", text, whole_words=whole)
                ),
                None,
            )
            if name is not None:
                where = f"the name {quote(name)}, which is in front of every message of theirs"
                message = f"{quote(key.trimmed)} stands in {where}."
                yield self.finding(entry, message, entry.path_of("key", key.place))


def _names(cast: Cast) -> list[str]:
    """Everybody who speaks."""
    members = cast.group.members if cast.group else (cast.character,) if cast.character else ()
    return [name for name in (cast.persona.name, *(member.name for member in members)) if name.strip()]


class LateFilter(BookRule):
    """A NOT key that only texts of entries hold which come in at the same time.

    Why: SillyTavern 1.19 judges all entries of a pass over the same text; what the others bring in is scanned in the
    next pass only. A mark that is meant to keep this entry out comes too late. Keys in square brackets are taken for
    marks, and what else nobody says in a chat.
    Example: `[night]` stands in the text of a constant entry, and another entry has it as a secondary key under NOT
    ANY.
    Do: let the entry wait for recursion, so that it is judged when the texts of the others are there.
    Source: SillyTavern 1.19.
    """

    code = "KEY027"
    name = "late-filter"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example((
            {"comment": "a", "constant": True, "content": "[[night]] falls."},
            {"comment": "b", "key": ["lamp"], "keysecondary": ["[[night]]"], "selectiveLogic": NOT_ANY, "content": "x",
             "delayUntilRecursion": True},
        )),
        Example((
            {"comment": "a", "constant": True, "content": "The night falls."},
            {"comment": "b", "key": ["lamp"], "keysecondary": ["night"], "selectiveLogic": NOT_ANY, "content": "x"},
        )),
        Example((
            {"comment": "a", "constant": True, "content": "[OOC] falls."},
            {"comment": "b", "key": ["lamp"], "keysecondary": ["[OOC]"], "selectiveLogic": NOT_ANY, "content": "x"},
        )),
        Example((
            {"comment": "a", "constant": True, "content": "Nothing."},
            {"comment": "b", "key": ["lamp"], "keysecondary": ["[[night]]"], "selectiveLogic": NOT_ANY, "content": "x"},
        )),
    )  # fmt: skip
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((
            {"comment": "a", "constant": True, "content": "[night] falls on the town."},
            {"comment": "b", "key": ["lamp"], "keysecondary": ["[night]"], "selectiveLogic": NOT_ANY, "content": "x"},
        ), fixed=({}, {"delayUntilRecursion": 1})),
        Example((
            {"comment": "a", "constant": True, "content": "[[night]] falls."},
            {"comment": "b", "key": ["lamp"], "keysecondary": ["[[night]]"], "selectiveLogic": NOT_ANY, "content": "x"},
        ), fixed=({}, {"delayUntilRecursion": 1})),
        Example((
            {"comment": "a", "key": ["lamp"], "content": "[[night]] falls."},
            {"comment": "b", "key": ["Lamp"], "keysecondary": ["[[night]]"], "selectiveLogic": NOT_ALL, "content": "x"},
        ), fixed=({}, {"delayUntilRecursion": 1})),
    )  # fmt: skip

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Marks that nobody says in a chat, and that stand in texts of the same pass only."""
        late = [(entry, key) for entry in book.entries for key in self._marks(entry)]
        if not late:
            return
        literals = LiteralSet({key.folded: 0 for _, key in late}, {})
        holders = [
            other
            for other in book.entries
            if other.is_enabled and other.text and literals.numbers_in(lower(other.text))
        ]
        for entry, key in late:
            inside = [other for other in holders if other is not entry and key.folded in lower(other.text)]
            if inside and all(_comes_with(other, entry) for other in inside):
                first = inside[0]
                proof = _proof(first, entry, key, context.settings)
                change = SetField(entry.entry.path, "delayUntilRecursion", 1)
                fix = Fix("let it wait for recursion", (change,), Grade.OFFERED, alters_activation=True)
                message = (
                    f"{quote(key.trimmed)} is to keep it out, but stands only in the text of {named(inside)}, "
                    "which comes in at the same time: it is too late."
                )
                path = entry.path_of("keysecondary", key.place)
                yield self.finding(entry, message, path, others=inside, fix=fix, witness=proof)

    def _marks(self, entry: EntryView) -> list[KeyFact]:
        if not entry.is_enabled or not entry.is_keyed or not has_filter(entry) or entry.is_on("delayUntilRecursion"):
            return []
        if entry.get("selectiveLogic", 0) not in (NOT_ANY, NOT_ALL):
            return []
        return [key for key in entry.secondary if key.is_plain and _is_mark(key)]


def _is_mark(key: KeyFact) -> bool:
    """Whether a key is written for other entries and not for what people say, as far as its form tells."""
    if not is_sayable(key.trimmed):
        return True
    return bool(_IN_BRACKETS.fullmatch(key.folded)) and key.folded != _SAID_IN_BRACKETS


def _comes_with(other: EntryView, entry: EntryView) -> bool:
    """Whether an entry comes in no earlier pass than another one."""
    if other.is_on("delayUntilRecursion"):
        return False
    shared = {key.folded for key in other.keys if key.is_plain} & {key.folded for key in entry.keys if key.is_plain}
    return other.is_on("constant") or bool(shared)


def _proof(other: EntryView, entry: EntryView, key: KeyFact, settings: ScanSettings) -> Witness | None:
    """A turn in which both come in."""
    call = next((each.trimmed for each in entry.keys if each.is_plain), None)
    if call is None:
        return None
    shows = f"Both come in, although {quote(key.trimmed)} stands in the text of {quote(other.entry.title)}."
    return shown(witness(shows, [other, entry], [QUIET, QUIET, call], settings), entry, Reason.IN_PROMPT)
