"""What every format shares: ceilings, findings, the result of loading, and the protocols of containers and formats."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, Protocol

from lorebook_tui.display import quote
from lorebook_tui.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.book import Book
    from lorebook_tui.model.cast import Character
    from lorebook_tui.model.js import Json, JsonPath
    from lorebook_tui.model.transcript import Transcript

MEBIBYTE: Final = 1 << 20
_EXCERPT = 40


@dataclass(frozen=True, slots=True)
class Limits:
    """Ceilings for files from strangers; sizes in bytes. Beyond one of them loading ends with a `LimitError`."""

    file_bytes: int = 64 * MEBIBYTE
    nesting: int = 100
    """Depth of arrays and objects inside each other; edits recurse, so it stays far below Python's own limit."""
    png_chunks: int = 100_000
    png_text_bytes: int = 64 * MEBIBYTE
    """One text of an image, after expansion and base64."""
    zip_members: int = 10_000
    zip_member_bytes: int = 64 * MEBIBYTE
    """The card of an archive, after expansion."""


DEFAULT_LIMITS: Final = Limits()


class Severity(Enum):
    """How much a finding matters."""

    INFO = "info"
    """Tolerated; nothing is lost and nothing changes its meaning."""
    WARNING = "warning"
    """The product reads it otherwise than the author may think."""
    ERROR = "error"
    """Something could not be read and is left out."""


def _nowhere() -> int | None:
    return None


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd that loading tolerated."""

    code: str
    """Stable name of the kind: `type`, `duplicate-id`, `broken-entry`, …"""
    message: str
    path: JsonPath = ()
    """Where in the document; () for the file as a whole."""
    expected: str = ""
    found: str = ""
    severity: Severity = Severity.WARNING
    locate: Callable[[], int | None] = field(default=_nowhere, compare=False, repr=False)

    @property
    def line(self) -> int | None:
        """Line in the file (for an embedded card: in its JSON), from 1; found when asked for, None if unknown."""
        return self.locate()

    def moved(self, document: JsonDocument) -> Finding:
        """The finding with its line looked up in another state of the document, if it is one to be looked up."""
        if not isinstance(self.locate, partial) or self.locate.func is _constant:
            return self
        locate = partial(document.line, self.path)
        return Finding(self.code, self.message, self.path, self.expected, self.found, self.severity, locate)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Everything odd about a file, in the order it was found."""

    findings: tuple[Finding, ...] = ()

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.findings)

    def of(self, code: str) -> tuple[Finding, ...]:
        """The findings of one kind."""
        return tuple(finding for finding in self.findings if finding.code == code)


class Reporter:
    """Collects findings while a file is read."""

    def __init__(self, document: JsonDocument | None = None) -> None:
        self.document = document
        self.findings: list[Finding] = []

    def add(
        self,
        code: str,
        message: str,
        path: JsonPath = (),
        *,
        expected: str = "",
        found: str = "",
        severity: Severity = Severity.WARNING,
        line: int | None = None,
    ) -> None:
        """Note a finding; without a line it is looked up in the current document when somebody asks."""
        locate: Callable[[], int | None] = _nowhere
        if line is not None:
            locate = partial(_constant, line)
        elif self.document is not None:
            locate = partial(self.document.line, path)
        self.findings.append(Finding(code, message, path, expected, found, severity, locate))

    def add_doubled(self, document: JsonDocument) -> None:
        """Note members that an equal name after them hides."""
        for path, line in document.doubled():
            self.add(
                "doubled-name",
                f"An object has the name {quote(path[-1])} twice; the last one counts.",
                path,
                expected="every name once",
                found="the name again",
                line=line,
            )


def _constant(line: int) -> int | None:
    return line


@dataclass(frozen=True, slots=True)
class CardInfo:
    """A character card beside its book."""

    character: Character
    spec: str = ""
    """`chara_card_v1`, `chara_card_v2` or `chara_card_v3`."""
    spec_version: str = ""
    world: str = ""
    """`extensions.world`: the name of the main book in the application, "" if none is linked."""
    nickname: str = ""
    """V3: the name that `{{char}}` stands for in programs that honour it (SillyTavern 1.19 does not)."""
    creator: str = ""
    version: str = ""
    greetings: tuple[str, ...] = ()
    """First message, then the alternate ones."""
    group_greetings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Content:
    """The lore found in a file."""

    books: tuple[Book, ...] = ()
    card: CardInfo | None = None
    transcript: Transcript | None = None
    sound: tuple[JsonPath, ...] = field(default=(), compare=False, repr=False)
    """Entries about which there was nothing to report; they need no second check while they stay as they are."""


class Container(Protocol):
    """The bytes around the documents: nothing, lines, an image, an archive."""

    @property
    def kind(self) -> str:
        """`json`, `png`, `charx`, `lines` or `text`."""

    @property
    def documents(self) -> tuple[JsonDocument, ...]:
        """The documents as they were read."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was odd about the wrapping."""

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:
        """The file with these documents in place of the ones that were read; the same ones give the same bytes."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a format reads from."""

    documents: tuple[JsonDocument, ...]
    name: str
    """File name."""
    reporter: Reporter
    user: str = ""
    """Who the user is, for transcripts that do not say."""
    strict: bool = False
    """Of equal ids in a card's book the later entry replaces the earlier one, as in SillyTavern."""
    text: str = ""
    """The whole text of a file that holds no JSON."""
    previous: Content = Content()
    """What the file held before an edit: entries that did not change are taken from here as they are."""
    sound: list[JsonPath] = field(default_factory=list)
    """Filled while reading: entries with nothing to report."""

    @property
    def document(self) -> JsonDocument:
        """The first document."""
        return self.documents[0]

    @property
    def stem(self) -> str:
        """File name without folders and extension."""
        return stem_of(self.name)


class Format(Protocol):
    """One way of writing lore down."""

    @property
    def name(self) -> str:
        """Stable name, such as `sillytavern`, `card` or `v2_book`."""

    @property
    def title(self) -> str:
        """Name for people, with its article."""

    def recognises(self, value: Json) -> bool:
        """Whether a parsed document looks like this format."""

    def read(self, source: Source) -> Content:
        """The lore in the documents; oddities go to the source's reporter.

        Raises:
            UnreadableError: there is nothing of this format after all.
        """


@dataclass(frozen=True, slots=True)
class Loaded:
    """A file that was read: its lore, the documents it came from, and what was odd."""

    name: str
    """File name as given."""
    format: Format
    container: Container
    documents: tuple[JsonDocument, ...]
    content: Content
    report: LoadReport
    user: str = ""
    strict: bool = False

    @property
    def document(self) -> JsonDocument:
        """The document that holds the lore (of a chat in lines: the first line).

        Raises:
            UnreadableError: a plain text has none.
        """
        if not self.documents:
            raise UnreadableError(f"{self.name or 'The file'} is {self.format.title}; it holds no JSON.")
        return self.documents[0]

    @property
    def books(self) -> tuple[Book, ...]:
        """The books in the file."""
        return self.content.books

    @property
    def card(self) -> CardInfo | None:
        """The character card, if it is one."""
        return self.content.card

    @property
    def transcript(self) -> Transcript | None:
        """The chat, if it is one."""
        return self.content.transcript

    def require_book(self) -> Book:
        """The book, for callers that need one.

        Raises:
            UnreadableError: the file is fine but holds no book; says what it is instead.
        """
        if self.books:
            return self.books[0]
        reason = next((finding.message for finding in self.report.of("no-book")), "")
        raise UnreadableError(
            f"{self.name or 'The file'} is {self.format.title} without a lorebook." + (f" {reason}" if reason else ""),
            expected="a lorebook or a card with an embedded one",
            found=self.format.title,
            hint="A card only names a linked book; open that world file itself." if self.card else "",
        )

    def renamed(self, name: str) -> Loaded:
        """The file under another name, by which it may call its book."""
        return replace(self, name=name).read_anew(self.documents) if self.documents else replace(self, name=name)

    def edited(self, document: JsonDocument, index: int = 0) -> Loaded:
        """The file with one document changed. Entries that did not change stay the same objects."""
        return self.with_documents((*self.documents[:index], document, *self.documents[index + 1 :]))

    def with_documents(self, documents: tuple[JsonDocument, ...]) -> Loaded:
        """The file with other documents. Entries that did not change stay the same objects."""
        from lorebook_tui.formats.rereading import reread  # noqa: PLC0415 - it knows the formats, which know this module

        if len(documents) == len(self.documents) == 1 and (quick := reread(self, documents[0])) is not None:
            return quick
        return self.read_anew(documents)

    def read_anew(self, documents: tuple[JsonDocument, ...]) -> Loaded:
        """The same, every part of it looked at again."""
        reporter = Reporter(documents[0])
        source = Source(documents, self.name, reporter, self.user, self.strict, previous=self.content)
        for each in documents:
            reporter.add_doubled(each)
        content = self.format.read(source)
        report = LoadReport((*self.container.findings, *reporter.findings))
        content = replace(content, sound=tuple(source.sound))
        return replace(self, documents=documents, content=content, report=report)


def stem_of(name: str) -> str:
    """A file name without folders and extension."""
    base = name.replace("\\", "/").rpartition("/")[2]
    return base.rpartition(".")[0] or base


def seen(value: Json) -> str:
    """A JSON value in a few words, for `found`. It quotes foreign text as it is: `display` is for whoever shows it."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return f"the number {quote(value)}"[: _EXCERPT * 2]
    if isinstance(value, str):
        return f'the text "{value if len(value) <= _EXCERPT else value[:_EXCERPT] + "…"}"'
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, dict):
        names = ", ".join(str(name)[:_EXCERPT] for name in list(value)[:6])
        return f"an object with {names}{', …' if len(value) > 6 else ''}" if value else "an empty object"  # noqa: PLR2004 - enough to recognise it by
    return "nothing"
