"""Who an entry is for: kinds of generation and characters that never come, or texts that call it at every turn."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.evidence import evidence
from lorebook_tui.engine.plan import SOURCES
from lorebook_tui.engine.trace import Cause, Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, Scope, SetField, Severity
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.rule import Context, EntryRule, Example, WorldRule
from lorebook_tui.lint.rules.act_constant import is_chancy
from lorebook_tui.lint.staging import call_of, shown, with_fields
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.book import Book
from lorebook_tui.model.layers import Layer, Layers
from lorebook_tui.model.scenario import TRIGGERS, Scenario, Step
from lorebook_tui.tokens.estimate import EstimateCounter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.lint.subjects import EntryView, World
    from lorebook_tui.model.cast import Character
    from lorebook_tui.model.settings import ScanSettings

_PICTURE: Final = re.compile(r"\.(?:png|webp|jpe?g|json|charx)$", re.IGNORECASE)
_GROUP_MACRO: Final = re.compile(r"\{\{\s*(?:group|groupNotMuted|charIfNotGroup|notChar)\b", re.IGNORECASE)
_ROOMY: Final = 10_000_000
"""Tokens: so many that no budget hides an entry."""


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


class FilterForNobody(WorldRule):
    """A character filter with names that no card has, or that shuts everybody out.

    Why: SillyTavern 1.19 compares the names of a filter with the file name of the card without its extension, letter
    by letter; the name that is shown does not count. A filter that includes only a name nobody has is closed for ever;
    one that excludes only such a name does nothing.
    Example: the filter includes `Mira`, and the card is `mira_v2.png`.
    Do: write the file name of the card. (Whether a name belongs to any card is checked where a folder of cards is
    given.)
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT013"
    name = "filter-for-nobody"
    severity = Severity.WARNING
    scope = Scope.SET
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "content": "x", "characterFilter": {"isExclude": False, "names": [], "tags": []}},)),
        Example(
            (
                {
                    "key": ["bell"],
                    "content": "x",
                    "characterFilter": {"isExclude": False, "names": ["mira"], "tags": []},
                },
            ),
            character={"name": "Mira", "avatar": "mira.png"},
            library={"characters": frozenset({"mira", "pell"})},
        ),
        Example(
            ({"key": ["bell"], "content": "x", "characterFilter": {"isExclude": True, "names": ["mira"], "tags": []}},),
            library={"characters": frozenset({"mira", "pell"})},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            (
                {
                    "key": ["bell"],
                    "content": "x",
                    "characterFilter": {"isExclude": False, "names": ["mira.png"], "tags": []},
                },
            ),
            fixed=({"characterFilter": {"isExclude": False, "names": ["mira"], "tags": []}},),
        ),
        Example(
            (
                {
                    "key": ["bell"],
                    "content": "x",
                    "characterFilter": {"isExclude": False, "names": ["Mira"], "tags": []},
                },
            ),
            character={"name": "Mira", "avatar": "mira_v2.png"},
            fixed=({"characterFilter": {"isExclude": False, "names": ["mira_v2"], "tags": []}},),
        ),
        Example(
            (
                {
                    "key": ["bell"],
                    "content": "x",
                    "characterFilter": {"isExclude": False, "names": ["Ysolt"], "tags": []},
                },
            ),
            library={"characters": frozenset({"mira", "pell"})},
        ),
        Example(
            (
                {
                    "key": ["bell"],
                    "content": "x",
                    "characterFilter": {"isExclude": True, "names": ["mira", "pell"], "tags": []},
                },
            ),
            library={"characters": frozenset({"mira", "pell"})},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Filters of all open books."""
        del context
        people = _people(world)
        files = {_stem(person) for person in people if person.avatar}
        listed = frozenset(_PICTURE.sub("", name) for name in world.library.characters) if world.library else None
        for book in world.books:
            for entry in book.entries:
                stored = entry.get("characterFilter")
                names = _texts(stored.get("names")) if isinstance(stored, dict) else []
                if not names or not entry.is_enabled:
                    continue
                right = {name: better for name in names if (better := _better(name, people, files)) is not None}
                if right:
                    yield self._misspelt(entry, stored, names, right)
                elif listed:
                    yield from self._unknown(entry, stored, names, listed | files)

    def _misspelt(self, entry: EntryView, stored: dict[str, Any], names: list[str], right: dict[str, str]) -> Finding:
        """Names that are no file names, where the right one is known."""
        better = [right.get(name, name) for name in names]
        change = SetField(entry.entry.path, "characterFilter", {**stored, "names": better})
        wrong = next(iter(right))
        return self.finding(
            entry,
            f"Its character filter asks for {quote(wrong)}, but it is compared with the file name of the card, "
            f"{quote(right[wrong])}: it never agrees.",
            entry.path_of("characterFilter"),
            fix=Fix(f"write {quoted(right.values())} in the filter", (change,), Grade.OFFERED, alters_activation=True),
        )

    def _unknown(
        self, entry: EntryView, stored: dict[str, Any], names: list[str], known: frozenset[str]
    ) -> Iterator[Finding]:
        """Filters that let nobody in, or keep nobody out."""
        excludes = bool(stored.get("isExclude"))
        strangers = [name for name in names if name not in known]
        message = ""
        if excludes and known <= set(names):
            message = "Its character filter excludes every card there is: it never comes."
        elif len(strangers) == len(names):
            what = "so it never comes" if not excludes else "so it keeps nobody out"
            verb = "excludes" if excludes else "asks for"
            message = f"Its character filter {verb} {quoted(names)}, which no card is called, {what}."
        if message:
            yield self.finding(entry, message, entry.path_of("characterFilter"))


def _people(world: World) -> list[Character]:
    if world.cast is None:
        return []
    members = list(world.cast.group.members) if world.cast.group else []
    return members + ([world.cast.character] if world.cast.character else [])


def _stem(person: Character) -> str:
    return re.sub(r"\.[^/.]+$", "", person.avatar)


def _better(name: str, people: list[Character], files: set[str]) -> str | None:
    """The file name that a filter's name means; None if it is one already, or nobody knows."""
    if name in files:
        return None
    if _PICTURE.search(name):
        return _PICTURE.sub("", name)
    return next((_stem(person) for person in people if person.avatar and person.name == name), None)


class NotForReplies(EntryRule):
    """A list of triggers without `normal`.

    Why: SillyTavern 1.19 looks at an entry with triggers only in generations of those kinds; the reply to a message
    that was sent is `normal`. Without it the entry is missing in the first reply and may come with a swipe. (In a
    constant, which is an instruction for that kind of generation, it is only noted.)
    Example: the key `bell`, and `triggers` of `continue`.
    Do: add `normal`, or clear the list, unless that is meant.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT014"
    name = "not-for-replies"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "triggers": [], "content": "x"},)),
        Example(({"key": ["bell"], "triggers": ["normal", "swipe"], "content": "x"},)),
        Example(({"key": ["bell"], "triggers": ["swipe"], "content": "x", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "triggers": ["swipe", "continue"], "content": "x"},)),
        Example(({"constant": True, "triggers": ["impersonate"], "content": "Write as {{user}}."},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Triggers for everything but a reply."""
        triggers = _texts(entry.get("triggers"))
        if not triggers or not entry.is_enabled or TRIGGERS[0] in triggers:
            return
        call = call_of(entry)
        proof = (
            witness("It is called, and a reply is written without it.", [entry], [call], context.settings)
            if call
            else None
        )
        yield self.finding(
            entry,
            f"It comes only for {', '.join(triggers)}: an ordinary reply is written without it.",
            entry.path_of("triggers"),
            severity=Severity.INFO if entry.is_on("constant") else None,
            witness=shown(proof, entry, Reason.TRIGGER),
        )


class NoRegenerateInGroups(WorldRule):
    """The trigger `regenerate` in an entry for group chats.

    Why: A group chat of SillyTavern 1.19 has no generation of that kind: there, "regenerate" removes the replies and
    asks anew, as for any message. So the trigger does nothing. An entry is taken for one of a group chat if its text
    names `{{group}}`, or if a group is given.
    Example: `triggers` of `swipe` and `regenerate`, and a text that begins with `{{group}}`.
    Do: add `normal`, or leave `regenerate` out.
    Source: the documentation of World Info of SillyTavern.
    """

    code = "ACT015"
    name = "no-regenerate-in-groups"
    severity = Severity.INFO
    scope = Scope.SET
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "triggers": ["regenerate"], "content": "For {{char}}."},)),
        Example(({"key": ["bell"], "triggers": ["swipe"], "content": "For {{group}}."},)),
        Example(({"key": ["bell"], "triggers": ["normal", "regenerate"], "content": "For {{group}}."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "triggers": ["swipe", "regenerate"], "content": "For {{group}}."},)),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries for groups with that trigger, and none that stands in for it."""
        del context
        is_group = world.cast is not None and world.cast.group is not None
        for book in world.books:
            for entry in book.entries:
                triggers = _texts(entry.get("triggers"))
                if not entry.is_enabled or "regenerate" not in triggers or TRIGGERS[0] in triggers:
                    continue
                if is_group or _GROUP_MACRO.search(entry.text):
                    message = "It is to come when a reply is regenerated, which a group chat does not know."
                    yield self.finding(entry, message, entry.path_of("triggers"))


class AlwaysCalledByCard(WorldRule):
    """An entry that scans a text of the card or persona which always holds its key.

    Why: With "match persona description" and its like, SillyTavern 1.19 puts that text behind the messages of every
    scan. If a key of the entry stands in it, the entry is called at every turn, as if it were constant. (In a book that
    is shared by many characters that may be the purpose, and is only noted; so is an entry that rests or rolls dice.)
    Example: `matchPersonaDescription` on, the key `ferry`, and a persona who "works on a ferry".
    Do: make it constant, if that is meant; else switch the matching off or choose other keys.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT024"
    name = "always-called-by-card"
    severity = Severity.WARNING
    scope = Scope.SET
    needs = frozenset({Need.CAST})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["ferry"], "matchCharacterDescription": True, "content": "x"},),
            character={"name": "Mira", "description": "She mends nets."},
        ),
        Example(
            ({"key": ["ferry"], "content": "x"},), character={"name": "Mira", "description": "She works on a ferry."}
        ),
        Example(
            ({"key": ["ferry"], "keysecondary": ["fog"], "matchCharacterDescription": True, "content": "x"},),
            character={"name": "Mira", "description": "She works on a ferry."},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["ferry"], "matchCharacterDescription": True, "content": "x"},),
            character={"name": "Mira", "description": "She works on a ferry."},
        ),
        Example(
            ({"key": ["/nets?/i"], "matchScenario": True, "content": "x"},),
            character={"name": "Mira", "scenario": "Nets dry in the sun."},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries that the cast alone calls, found by a scan without any chat."""
        flagged = [
            entry
            for book in world.books
            for entry in book.entries
            if entry.is_enabled
            and entry.is_keyed
            and not entry.is_on("delayUntilRecursion")
            and any(entry.is_on(flag) for flag, _ in SOURCES)
        ]
        if not flagged or world.cast is None:
            return
        assembly = _scan_of_cast(flagged, world, context.settings)
        for admitted in assembly.admitted:
            if admitted.cause is Cause.KEY:
                entry = flagged[int(assembly.entry(admitted.index).entry.key)]
                key, source = _called_by(assembly, admitted.index)
                is_own = _belongs_to(entry, source) and not is_chancy(entry) and not entry.is_on("cooldown")
                yield self.finding(
                    entry,
                    f"Its key {quote(key)} stands in {source}, which it scans: it is called at every turn.",
                    entry.path_of("key"),
                    severity=Severity.WARNING if is_own else Severity.INFO,
                )


def _belongs_to(entry: EntryView, source: str) -> bool:
    """Whether its book is the card's or persona's own, so that the text that is scanned never becomes another."""
    if source.startswith("the persona"):
        return entry.book.layer is Layer.PERSONA
    loaded = entry.file.loaded
    return entry.book.layer is Layer.CHARACTER or (loaded is not None and loaded.card is not None)


def _scan_of_cast(flagged: list[EntryView], world: World, settings: ScanSettings) -> Assembly:
    """One scan of the texts of the cast alone, with the entries free of everything but their keys."""
    free: dict[str, Any] = {
        "triggers": [],
        "characterFilter": None,
        "delay": None,
        "group": "",
        "useProbability": False,
    }
    entries = tuple(
        replace(with_fields(view, uid=number, **free).entry, key=str(number)) for number, view in enumerate(flagged)
    )
    scenario = Scenario(
        layers=Layers((Book("cast", entries),)),
        settings=replace(settings, world_info_recursive=False, world_info_budget_cap=0),
        cast=world.cast or Scenario().cast,
        max_context=_ROOMY,
        scan_texts=(),
    )
    simulation = Simulation(scenario, EstimateCounter())
    return simulation.assemble(Step(0), simulation.initial_state())


def _called_by(assembly: Assembly, index: int) -> tuple[str, str]:
    """The key that was found, and the name of the text it stands in."""
    for finding in evidence(assembly, index).keys:
        if finding.matched:
            name = finding.hits[0].name if finding.hits else ""
            words = re.sub(r"([A-Z])", r" \1", name).lower()
            return finding.key, f"the {words}" if words else "a text of the cast"
    return "", "a text of the cast"
