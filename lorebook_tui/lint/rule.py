"""What a rule is: a class with its code, its words, its proof, and one method that looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from lorebook_tui.lint.findings import Finding, Grade, Scope
from lorebook_tui.lint.subjects import BookView, EntryView, FileView
from lorebook_tui.model.settings import ScanSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from lorebook_tui.lint.findings import Fix, Need, Severity, Witness
    from lorebook_tui.lint.shelf import Shelf
    from lorebook_tui.lint.subjects import World
    from lorebook_tui.model.js import JsonPath


@dataclass(frozen=True, slots=True)
class Option:
    """A threshold that can be set in the configuration."""

    name: str
    default: Any
    help: str


@dataclass(frozen=True)
class Example:
    """A small book (or whole file) that a rule has, or has not, something to say about."""

    entries: tuple[Mapping[str, Any], ...] = ()
    """SillyTavern's fields; what is missing is filled in from the template of a new entry."""
    source: str | bytes | None = None
    """The whole file instead."""
    name: str = "example.json"
    """Name of the file."""
    findings: int = 1
    """How many there are (of an invalid example)."""
    fixed: tuple[Mapping[str, Any], ...] | None = None
    """Fields that the entries have after the fix, in order (only those worth naming); None: not repaired by itself."""
    fixed_source: str | bytes | None = None
    """The whole file after the fix."""
    settings: Mapping[str, Any] | None = None
    """Global settings, as in a workspace file; None: not given."""
    context: int | None = None
    chat: tuple[str, ...] | None = None
    """Messages, `Name: text`; those of `You` are the user's. None: not given."""
    prompt: Mapping[str, Any] | None = None
    character: Mapping[str, Any] | None = None
    """Fields of the character (`name` at least)."""
    persona: str | None = None
    more_files: Mapping[str, str] = field(default_factory=dict)
    """Other files that are open with it: name and content."""
    library: Mapping[str, Any] | None = None
    note: Mapping[str, Any] | None = None
    """Fields of the author's note; None: not given."""
    earlier: tuple[Mapping[str, Any], ...] | None = None
    """The entries when the file was last saved, as `entries` has them; None: not known."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """Options of the rule."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a rule may ask beside its subject."""

    world: World
    options: Mapping[str, Any]
    """Of this rule: defaults, and what the configuration says."""
    count: Any = None
    """Counts the tokens of a text: `Callable[[str], int]`."""
    clock: Callable[[], float] | None = None
    """Seconds of a steady clock, for rules that time something; None: they do not."""

    @property
    def settings(self) -> ScanSettings:
        """The global settings; those of a fresh installation if none were given."""
        return self.world.settings or ScanSettings()


class Rule:
    """A check. Subclass one of the kinds below.

    The docstring has the parts, in this order, each begun by its name and a colon: (a first line: what it finds),
    `Why:`, `Example:`, `Do:`, `Source:`; `Options:` is made from `options`.
    """

    code: ClassVar[str]
    name: ClassVar[str]
    """Of the fault, after which one could say "allow …": `blank-key`."""
    severity: ClassVar[Severity]
    scope: ClassVar[Scope]
    grade: ClassVar[Grade] = Grade.NONE
    """Of the best fix it can offer."""
    options: ClassVar[tuple[Option, ...]] = ()
    preview: ClassVar[bool] = False
    """Only with preview rules on."""
    spans: ClassVar[bool] = False
    """Whether it has something to say of many files at once, besides of each by itself."""
    of_settings: ClassVar[bool] = False
    """Whether it is about the settings alone, so that it is said once, however many files there are."""
    needs: ClassVar[frozenset[Need]] = frozenset()
    """What it cannot do without."""
    valid: ClassVar[tuple[Example, ...]] = ()
    invalid: ClassVar[tuple[Example, ...]] = ()

    def finding(
        self,
        subject: EntryView | BookView | FileView,
        message: str,
        path: JsonPath | None = None,
        *,
        severity: Severity | None = None,
        others: Iterable[EntryView] = (),
        fix: Fix | None = None,
        witness: Witness | None = None,
        offset: int | None = None,
    ) -> Finding:
        """A finding about an entry, a book or a file.

        Args:
            subject: what it is about.
            message: what is wrong, in the author's words; foreign text in it is made harmless where it is shown.
            path: where in the file; None: the subject itself.
            severity: if it differs from the rule's.
            others: entries that belong to it too.
            fix: what would repair it.
            witness: a scenario that shows it.
            offset: character of the file's text, where no path says it.
        """
        entry = subject if isinstance(subject, EntryView) else None
        file = subject if isinstance(subject, FileView) else subject.file
        if path is None:
            path = entry.entry.path if entry else subject.path if isinstance(subject, BookView) else ()
        return Finding(
            self.code, self.name, severity or self.severity, message, file, path, entry, tuple(others), fix, witness,
            offset,
        )  # fmt: skip


class FileRule(Rule):
    """Looks at a file as it was read, or was not."""

    scope: ClassVar[Scope] = Scope.FILE

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """Everything it has to say about a file."""
        raise NotImplementedError


class EntryRule(Rule):
    """Looks at one entry by itself: its answer is kept as long as the entry stays the same."""

    scope: ClassVar[Scope] = Scope.ENTRY

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Everything it has to say about an entry."""
        raise NotImplementedError

    def check_together(self, world: World, context: Context) -> Iterator[Finding]:
        """What it has to say besides where more is open, such as chats; nothing, as a rule."""
        del world, context
        yield from ()


class GroupRule(Rule):
    """Looks at entries of a book that have something in common; an edit has only its own groups looked at again."""

    scope: ClassVar[Scope] = Scope.BOOK

    def keys(self, entry: EntryView, context: Context) -> Iterable[Hashable]:
        """The groups that an entry belongs to, by what its members have in common."""
        raise NotImplementedError

    def check(self, key: Hashable, members: Sequence[EntryView], context: Context) -> Iterator[Finding]:
        """Everything it has to say about the entries of a group, in file order."""
        raise NotImplementedError


class BookRule(Rule):
    """Looks at a book as a whole."""

    scope: ClassVar[Scope] = Scope.BOOK

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Everything it has to say about a book."""
        raise NotImplementedError


class ShelfRule(Rule):
    """Looks at what many files say of themselves and of each other, without having them all open."""

    scope: ClassVar[Scope] = Scope.SET

    def check(self, shelf: Shelf, context: Context) -> Iterator[Finding]:
        """Everything it has to say."""
        raise NotImplementedError


class WorldRule(Rule):
    """Looks at all that is open together: books, settings, cast, prompt, chats."""

    scope: ClassVar[Scope] = Scope.SET

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Everything it has to say."""
        raise NotImplementedError
