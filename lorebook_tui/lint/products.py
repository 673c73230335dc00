"""What entries and books say to UnoRouter and to Yumina, in those products' own files or inside of others."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.lint.decorator_lines import OWN, leading
from lorebook_tui.lint.rule import EntryRule
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.lint.decorator_lines import DecoratorLine
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import BookView, EntryView
    from lorebook_tui.model.js import Json, JsonPath

UNOROUTER_FIELDS: Final = ("orderIndex", "injectionRole", "secondaryKeys")
"""Members that only UnoRouter's entries have."""
UNOROUTER_SETTINGS: Final = {"scanDepth": (0, 100), "tokenBudget": (100, 32000)}
"""Settings of a book: the least and the most."""
SECTIONS: Final = ("system-presets", "examples", "chat-history", "post-history")
HOME: Final = "yumina"
"""Where the extension data of other files keeps what Yumina's entries say besides."""
_UNOROUTER: Final = "unorouter"
_PRODUCT: Final = "product"
_SECOND: Final = "secondaryKeys"
_OF_V2: Final = ("secondary_keys", "insertion_order", "extensions")
"""Members beside which a stray `secondaryKeys` is a slip of the pen."""
_ONLY_UNOROUTERS: Final = frozenset({"order", "insertorder", "priority", "keep"})
"""Decorators that neither the V3 card specification nor RisuAI has."""
_YUMINA_FIELDS: Final = ("section", "alwaysSend", "keywords", "useFuzzyMatch", "secondaryKeywordLogic", "apiRole")


def raw_of(entry: EntryView) -> Mapping[str, Any]:
    """The entry as it stands in its file."""
    return entry.entry.source if entry.entry.source is not None else entry.entry.fields


class UnoRouterRule(EntryRule):
    """Looks at entries that are written for UnoRouter: by its members, or by its decorators."""

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries of other programs are passed over."""
        facts = entry.facts
        lines = facts[_UNOROUTER] if _UNOROUTER in facts else facts.setdefault(_UNOROUTER, _decorators_of(entry))
        if lines is not None:
            yield from self.look(entry, lines, context)

    @abstractmethod
    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """What there is to say.

        Args:
            entry: written for UnoRouter.
            lines: its decorators.
            context: settings and options.
        """


def _decorators_of(entry: EntryView) -> tuple[DecoratorLine, ...] | None:
    """The decorators of an entry that is written for UnoRouter; None if it is not."""
    raw = raw_of(entry)
    lines = leading(entry.entry.content)
    is_own = any(name in raw for name in UNOROUTER_FIELDS) or any(line.name in OWN for line in lines)
    return lines if is_own else None


def is_for_unorouter(entry: EntryView, lines: tuple[DecoratorLine, ...]) -> bool:
    """Whether something says that an entry is meant for UnoRouter rather than for any reader of decorators."""
    raw = raw_of(entry)
    return any(name in raw for name in UNOROUTER_FIELDS) or any(line.name in _ONLY_UNOROUTERS for line in lines)


def product_of(entry: EntryView) -> str:
    """The product in whose own file an entry stands; "" if in none, so that SillyTavern's shape counts."""
    known: str | None = entry.facts.get(_PRODUCT)
    if known is None:
        known = entry.facts[_PRODUCT] = _product_of(entry)
    return known


def _product_of(entry: EntryView) -> str:
    raw = entry.entry.source
    if raw is None or entry.book.book.format != "v2_book":
        return ""
    has_second = _SECOND in raw and not any(name in raw for name in _OF_V2)
    if has_second or any(name in raw for name in UNOROUTER_FIELDS if name != _SECOND):
        return "UnoRouter"
    return "Yumina" if (found := yumina_of(entry)) is not None and found.is_native else ""


def unorouter_settings(book: BookView) -> Mapping[str, Json]:
    """What a book of UnoRouter says of itself; nothing if it is none."""
    extras = book.book.extras
    if not any(name in extras for name in ("tokenBudget", "recursiveScanning", "scanDepth")):
        return {}
    return {name: extras[name] for name in ("scanDepth", "tokenBudget", "recursiveScanning") if name in extras}


@dataclass(frozen=True, slots=True)
class YuminaEntry:
    """An entry as Yumina takes it."""

    view: EntryView
    values: Mapping[str, Json]
    """Its own members, or those in the extension data."""
    home: JsonPath
    """Where these stand."""
    is_native: bool
    """Whether it is an entry of Yumina's own file."""

    def get(self, name: str, default: Json = MISSING) -> Json:
        """A member as it stands."""
        return self.values.get(name, default)

    def path(self, name: str, *rest: str | int) -> JsonPath:
        """Where a member stands, or would."""
        return (*self.home, name, *rest)

    @property
    def section(self) -> Json:
        """The part of the prompt it goes to."""
        return self.get("section")

    @property
    def role(self) -> str:
        """What kind of entry it is."""
        value = self.get("role", "")
        return value if isinstance(value, str) else ""

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its keys."""
        return _texts(self.get("keywords")) if self.is_native else self.view.entry.keys

    @property
    def secondary(self) -> tuple[str, ...]:
        """Its secondary keys."""
        return _texts(self.get("secondaryKeywords")) if self.is_native else self.view.entry.secondary_keys

    @property
    def is_always_sent(self) -> bool:
        """Whether it needs no key."""
        return self.get("alwaysSend") is True if self.is_native else self.view.is_on("constant")

    @property
    def conditions(self) -> tuple[Mapping[str, Json], ...]:
        """Its conditions that are objects."""
        value = self.get("conditions")
        return tuple(each for each in value if isinstance(each, dict)) if isinstance(value, list) else ()

    @property
    def is_greeting(self) -> bool:
        """Whether it opens the chat, and is no lore."""
        return self.role == "greeting"


def yumina_of(entry: EntryView) -> YuminaEntry | None:
    """What an entry says to Yumina; None if it is not written for it."""
    if HOME not in entry.facts:
        entry.facts[HOME] = _read(entry)
    found: YuminaEntry | None = entry.facts[HOME]
    # the place may have moved since
    if found is not None and found.home[: len(entry.entry.path)] != entry.entry.path:
        found = entry.facts[HOME] = _read(entry)
    return found


def _read(entry: EntryView) -> YuminaEntry | None:
    raw = raw_of(entry)
    extensions = raw.get("extensions")
    inside = extensions.get(HOME) if isinstance(extensions, dict) else None
    if isinstance(inside, dict):
        return YuminaEntry(entry, inside, (*entry.entry.path, "extensions", HOME), is_native=False)
    if entry.entry.source is not None and any(name in raw for name in _YUMINA_FIELDS):
        return YuminaEntry(entry, raw, entry.entry.path, is_native=True)
    return None


class YuminaRule(EntryRule):
    """Looks at entries that are written for Yumina: in its own file, or with its part of the extension data."""

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries of other programs are passed over."""
        del context
        found = yumina_of(entry)
        if found is not None:
            yield from self.look(found)

    @abstractmethod
    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """What there is to say."""


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()
