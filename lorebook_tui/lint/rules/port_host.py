"""What a book or card leaves to the SillyTavern around it: settings, other books, scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, SetField, Severity
from lorebook_tui.lint.rule import BookRule, Context, Example, WorldRule
from lorebook_tui.lint.subjects import Binding
from lorebook_tui.model.fields import setting_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.settings import ScanSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import BookView, EntryView, FileView, World

_PINS: Final = {
    "world_info_depth": "scanDepth",
    "world_info_case_sensitive": "caseSensitive",
    "world_info_match_whole_words": "matchWholeWords",
}
"""Settings that single entries can overrule, and how."""
_OTHERS: Final = ("world_info_recursive", "world_info_include_names", "world_info_character_strategy")
_CARD: Final = '{"spec": "chara_card_v2", "data": {"name": "Mira", "extensions": {"world": "Mill"}}}'


class RestsOnSettings(BookRule):
    """A book that was written with settings that others do not have.

    Why: in SillyTavern 1.19, whole words, letter case, recursion, scan depth, names in the scanned text and the order
    of sources are the user's settings. Whoever gets the book plays it with a fresh installation's, and other entries
    fire.
    Example: whole words are off in your settings, and the entries leave it to the settings.
    Do: say in the book's description which settings it wants, or let the entries say it themselves where they can.
    Source: SillyTavern 1.19.
    """

    code = "PORT002"
    name = "rests-on-settings"
    severity = Severity.INFO
    grade = Grade.OFFERED
    needs = frozenset({Need.SETTINGS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"]},), settings={}),
        Example(
            ({"key": ["a"], "matchWholeWords": False},),
            settings={"world_info_match_whole_words": False},
        ),
        Example(({"constant": True},), settings={"world_info_depth": 9, "world_info_match_whole_words": False}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"]}, {"key": ["b"], "scanDepth": 2}),
            settings={"world_info_depth": 9, "world_info_match_whole_words": False},
            fixed=({"scanDepth": 9, "matchWholeWords": False}, {"scanDepth": 2, "matchWholeWords": False}),
        ),
        Example(({"key": ["a"]},), settings={"world_info_recursive": False}),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """The settings that differ from a fresh installation's, where entries depend on them."""
        ours, fresh = context.settings, ScanSettings()
        keyed = [entry for entry in book.entries if entry.is_enabled and entry.keys and not entry.is_on("constant")]
        parts: list[str] = []
        changes: list[SetField] = []
        for name, pin in _PINS.items():
            value = getattr(ours, name)
            open_ = [entry for entry in keyed if entry.get(pin) in (None, MISSING)]
            if value != getattr(fresh, name) and open_:
                parts.append(f"{_label(name)} is {_shown(value)} ({_entries(open_)})")
                changes += [SetField(entry.entry.path, pin, value) for entry in open_]
        parts += [
            f"{_label(name)} is {_shown(getattr(ours, name))}"
            for name in _OTHERS
            if keyed and getattr(ours, name) != getattr(fresh, name)
        ]
        if parts:
            fix = Fix("let the entries say it themselves", tuple(changes), Grade.OFFERED) if changes else None
            listed = "; ".join(parts)
            message = f"Others will play it otherwise, because your settings are not a fresh installation's: {listed}."
            yield self.finding(book, message, fix=fix)


def _label(name: str) -> str:
    row = setting_named(name)
    return f"“{row.label}”" if row is not None and row.label else name


def _shown(value: object) -> str:
    return {True: "on", False: "off"}[value] if isinstance(value, bool) else str(value)


def _entries(entries: list[EntryView]) -> str:
    return "1 entry rests on it" if len(entries) == 1 else f"{len(entries)} entries rest on it"


class BooksLeftBehind(WorldRule):
    """A character with more books than the card can carry.

    Why: SillyTavern 1.19 puts the main book into an exported card; books that the character has besides are a
    setting of the user's and stay behind.
    Example: a card linked to `Mill`, with `River` as an additional book.
    Do: share the other books too, or move their entries into the main one.
    Source: SillyTavern 1.19.
    """

    code = "PORT005"
    name = "books-left-behind"
    severity = Severity.INFO
    needs = frozenset({Need.LIBRARY})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=_CARD, name="mira.json", library={"books": frozenset({"Mill"})}),
        Example(source=_CARD, name="mira.json", library={"bound": (Binding("teo", "River", "extra"),)}),
        Example(source=_CARD, name="mira.json", library={"bound": (Binding("mira", "Mill", "card"),)}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=_CARD, name="x/mira.json", library={"bound": (Binding("mira", "River", "extra"),)}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Cards whose file has additional books in the settings."""
        del context
        bound = world.library.bound if world.library is not None else ()
        for file in world.files:
            if file.loaded is None or file.loaded.card is None:
                continue
            extra = [each.book for each in bound if each.kind == "extra" and each.who == _stem(file)]
            if extra:
                listed = ", ".join(quote(name) for name in extra)
                message = f"The character has {listed} besides: an exported card leaves that behind."
                yield self.finding(file, message)


def _stem(file: FileView) -> str:
    return file.name.replace("\\", "/").rpartition("/")[2].rpartition(".")[0]


class NoScript(WorldRule):
    """An entry with an automation id that no script listens to.

    Why: SillyTavern 1.19 runs the quick replies with the automation id of an activated entry; without one, nothing
    happens.
    Example: an entry with `"automationId": "weather"`, and no quick reply of that id.
    Do: share the set of quick replies with the book, or clear the id.
    Source: SillyTavern 1.19.
    """

    code = "PORT006"
    name = "no-script"
    severity = Severity.INFO
    needs = frozenset({Need.LIBRARY})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "automationId": "x"},), library={"automations": frozenset({"x"})}),
        Example(({"key": ["a"], "automationId": ""},), library={"automations": frozenset()}),
        Example(({"key": ["a"], "automationId": "x"},), library={}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "automationId": "x"},), library={"automations": frozenset({"y"})}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries of all books."""
        del context
        known = world.library.automations if world.library is not None else None
        if known is None:
            return
        for file in world.files:
            for book in file.books:
                for entry in book.entries:
                    wanted = entry.get("automationId")
                    if isinstance(wanted, str) and wanted.strip() and wanted not in known:
                        message = f"It should run the quick reply {quote(wanted)}, but there is none of that id."
                        yield self.finding(entry, message, entry.path_of("automationId"))
