"""From paths to a workspace: a workspace file or single files, sorted by what they hold, and what overrides them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UnreadableError, UsageError
from lorebook_tui.model.cast import Cast, Character, Persona
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.scenario import DEFAULT_CONTEXT, TRIGGERS
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Transcript
from lorebook_tui.workspace import toml
from lorebook_tui.workspace.chat_metadata import linked_world, note_of, variables_of
from lorebook_tui.workspace.files import Opener, located
from lorebook_tui.workspace.sample import WORKSPACE_FILE
from lorebook_tui.workspace.workspace import DEFAULT_SEED, DEFAULT_TOKENIZER, OpenedBook, Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from lorebook_tui.workspace.files import Source
    from lorebook_tui.workspace.toml import NamedFile, WorkspaceFile

_SHOWN: Final = 5
_SUFFIXES: Final = (".json", ".jsonl", ".png", ".apng", ".charx")
"""Of the files of a folder that may be lore; one that is named is opened whatever it is called."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What stands above the files; None or empty leaves them as they are."""

    books: Mapping[Layer, Sequence[Path]] = field(default_factory=dict)
    """Books that take the place of a layer's."""
    chat: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    engine: str | None = None
    seed: int | None = None
    context: int | None = None
    tokenizer: str | None = None
    usual_tokenizer: str | None = None
    """Where no file names one and `tokenizer` neither."""
    trigger: str | None = None
    user: str | None = None
    """Name of the persona."""
    prompt: Mapping[str, Any] = field(default_factory=dict)
    """Options of the prompt."""


def open_workspace(paths: Sequence[Path], overrides: Overrides | None = None) -> Workspace:
    """Open files together.

    Args:
        paths: at most one workspace file or folder; worlds, cards and chats beside it are added. A world given by
            itself is global lore, the book in a card is character lore. Of a folder without a workspace file
            everything right in it that can be read as lore is opened; what cannot is among the notices.
        overrides: what takes the place of what the files say.

    Raises:
        UnreadableError: a file is missing or is no lore; names it, and the line of the workspace file that wants it.
        UsageError: something in the workspace file or the overrides cannot be meant.
    """
    return _Opening(overrides or Overrides()).run(paths)


class _Opening:
    """Collects what the files hold, layer by layer."""

    def __init__(self, overrides: Overrides) -> None:
        self.overrides = overrides
        self.opener = Opener()
        self.books: dict[Layer, list[OpenedBook]] = {layer: [] for layer in Layer}
        self.file: WorkspaceFile | None = None
        self.card: Source | None = None
        self.has_loose_card = False
        self.chat: Source | None = None
        self.notices: list[str] = []
        self.folder: Path | None = None
        """One without a workspace file."""

    def run(self, paths: Sequence[Path]) -> Workspace:
        """All of it."""
        loose = self._workspace_file(paths)
        persona = self.file.persona if self.file else {}
        self.opener.user = self.overrides.user or persona.get("name", "")
        if self.file:
            self._take_file(self.file)
        if self.folder is not None:
            self._take_folder(self.folder)
        for path in loose:
            self._sort(self.opener.open(path))
        for layer, given in self.overrides.books.items():
            self._replace(layer, given)
        if self.overrides.chat:
            self.chat = _with_transcript(self.opener.open(self.overrides.chat))
        return self._workspace()

    def _workspace_file(self, paths: Sequence[Path]) -> list[Path]:
        """Read the workspace file among the paths; the others are returned."""
        loose = []
        for path in paths:
            if not path.is_dir() and path.suffix.lower() != ".toml":
                loose.append(path)
                continue
            if before := self.file.path if self.file is not None else self.folder:
                raise UsageError("Only one workspace can be open at a time.", found=f"{before} and {path}")
            named = path / WORKSPACE_FILE if path.is_dir() else path
            if path.is_dir() and not named.is_file():
                self.folder = path
            else:
                self.file = toml.read(named)
        return loose

    def _take_folder(self, folder: Path) -> None:
        """Everything in a folder that can be read as lore."""
        listed = _lore_files(folder)
        left_out: list[tuple[str, LorebookError]] = []
        for path in listed:
            try:
                source = self.opener.open(path)
            except LorebookError as error:
                left_out.append((path.name, error))
            else:
                self._sort(source)
        if len(left_out) == len(listed):
            raise _no_lore(folder, left_out)
        self.notices += [f"{name} is left out: {error.message}" for name, error in left_out]

    def _take_file(self, file: WorkspaceFile) -> None:
        for layer, listed in file.books.items():
            if layer in self.overrides.books:
                continue
            for named in listed:
                source = self._named(named)
                try:
                    source.loaded.require_book()
                except LorebookError as error:
                    error.where = named.where
                    raise
                self._add(layer, source)
                if layer is Layer.CHARACTER and self.card is None and source.loaded.card is not None:
                    self.card = source
        if file.character is not None:
            self.card = self._named(file.character)
            if self.card.loaded.card is None:
                raise UnreadableError(
                    "The character is no character card.",
                    where=file.character.where,
                    expected="a card as PNG, JSON or CHARX",
                    found=self.card.format_title,
                )
        if file.chat is not None and self.overrides.chat is None:
            source = self._named(file.chat)
            try:
                self.chat = _with_transcript(source)
            except LorebookError as error:
                error.where = file.chat.where
                raise

    def _named(self, named: NamedFile) -> Source:
        """A file that the workspace file names; errors begin with the line that does."""
        try:
            return self.opener.open(named.path)
        except LorebookError as error:
            if named.where not in error.where:
                located(error, named.where)
            raise

    def _sort(self, source: Source) -> None:
        """Put a file where its content belongs."""
        if source.loaded.transcript is not None:
            if self.chat is not None and self.chat is not source:
                self.notices.append(f"{self.chat.name} gives way: the chat is {source.name}.")
            self.chat = source
        elif source.loaded.card is not None:
            self._take_card(source)
            self._add(Layer.CHARACTER, source)
        else:
            self._add(Layer.GLOBAL, source)

    def _take_card(self, source: Source) -> None:
        if self.has_loose_card and self.card is not None and self.card is not source:
            self.notices.append(f"{self.card.name} is the character; of {source.name} only the lore is used.")
            return
        self.card = source
        self.has_loose_card = True

    def _replace(self, layer: Layer, given: Sequence[Path]) -> None:
        """The books of one layer, given one by one; a card among those of the character becomes the character."""
        self.books[layer] = []
        has_card = False
        for path in given:
            source = self.opener.open(path)
            if layer is Layer.CHARACTER and source.loaded.card is not None and not has_card:
                self.card = source
                has_card = True
            elif not source.loaded.books:
                try:
                    source.loaded.require_book()
                except LorebookError as error:
                    raise located(error, str(path)) from None
            self._add(layer, source)

    def _add(self, layer: Layer, source: Source) -> None:
        if any(opened.source is source for opened in self.books[layer]):
            return
        self.books[layer] += [
            OpenedBook(layer, book, source, position) for position, book in enumerate(source.loaded.books)
        ]

    def _workspace(self) -> Workspace:
        given, file = self.overrides, self.file
        found = self.chat.loaded.transcript if self.chat else None
        transcript = Transcript() if found is None else found  # an empty one has names and metadata too
        note_values = dict(file.note) if file else {}
        scan_note = bool(note_values.pop("scan", False))
        self._mention_links(transcript)
        return Workspace(
            books=tuple(opened for layer in Layer for opened in self.books[layer]),
            cast=self._cast(transcript),
            transcript=transcript,
            settings=ScanSettings().with_values({**(file.settings if file else {}), **given.settings}),
            engine=_known_engine(_first(given.engine, file and file.engine, "sillytavern")),
            seed=_first(given.seed, file and file.seed, DEFAULT_SEED),
            context=_first(given.context, file and file.context, DEFAULT_CONTEXT),
            tokenizer=self._tokenizer(),
            trigger=_known_trigger(given.trigger or "normal"),
            note=replace(note_of(transcript.metadata), **note_values),
            scan_note=scan_note,
            variables=variables_of(transcript.metadata),
            prompt=_prompt(file.prompt if file else {}, given.prompt),
            file=file.path if file else None,
            card=self.card,
            chat=self.chat,
            sources=tuple(self.opener.sources.values()),
            notices=tuple(self.notices),
        )

    def _cast(self, transcript: Transcript) -> Cast:
        persona: dict[str, Any] = {"name": transcript.user_name} if transcript.user_name else {}
        persona |= self.file.persona if self.file else {}
        if self.overrides.user:
            persona["name"] = self.overrides.user
        info = self.card.loaded.card if self.card else None
        character = info.character if info else None
        if character is None and transcript.character_name:
            character = Character(name=transcript.character_name)
        return Cast(Persona(**persona), character)

    def _tokenizer(self) -> str:
        """The tokenizer, if there is one of that name."""
        wanted = self.overrides
        name = _first(wanted.tokenizer, self.file and self.file.tokenizer, wanted.usual_tokenizer, DEFAULT_TOKENIZER)
        from lorebook_tui.tokens.registry import counter  # noqa: PLC0415 - as late as can be

        try:
            counter(name)
        except LorebookError as error:
            if self.file is not None and self.overrides.tokenizer is None:
                error.where = str(self.file.path)
            raise
        return str(name)

    def _mention_links(self, transcript: Transcript) -> None:
        """Books that a card or chat is bound to in SillyTavern, but that nobody opened."""
        open_names = {opened.book.name for listed in self.books.values() for opened in listed}
        chat_world = linked_world(transcript.metadata)
        if chat_world and chat_world not in open_names:
            self.notices.append(
                f"The chat is bound to the world {quote(chat_world)}, which is not open (--chat-lore FILE)."
            )
        info = self.card.loaded.card if self.card else None
        own = {opened.book.name for opened in self.books[Layer.CHARACTER]}
        if info and info.world.strip() and info.world not in open_names and not own:
            self.notices.append(
                f"The card is bound to the world {quote(info.world)}, which is not open (--character FILE)."
            )


def _prompt(base: Mapping[str, Any], over: Mapping[str, Any]) -> Mapping[str, Any]:
    if not over:
        return base
    from lorebook_tui.workspace.prompt_options import merged  # noqa: PLC0415 - only for prompts

    return merged(base, over)


def _lore_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix.lower() in _SUFFIXES and path.is_file())
    except OSError as error:
        raise UnreadableError("The folder cannot be read.", where=str(folder), found=error.strerror or "") from error


def _no_lore(folder: Path, left_out: Sequence[tuple[str, LorebookError]]) -> UnreadableError:
    names = ", ".join(name for name, _ in left_out[:_SHOWN]) + (", …" if len(left_out) > _SHOWN else "")
    return UnreadableError(
        "The folder holds no lore.",
        where=str(folder),
        expected=f"a {WORKSPACE_FILE}, worlds, cards or chats",
        found=names or "no file that ends with " + ", ".join(_SUFFIXES),
        hint=f"`lorebook check {folder}` says what is wrong with them."
        if left_out
        else "`lorebook new` makes a book to begin with.",
    )


def _with_transcript(source: Source) -> Source:
    if source.loaded.transcript is None:
        raise UnreadableError(
            "This is no chat.", where=str(source.path), expected="a chat (.jsonl, .json or text)",
            found=source.format_title,
        )  # fmt: skip
    return source


def _first(*values: Any) -> Any:
    """The first that is given."""
    return next(value for value in values if value is not None)


def _known_engine(name: str) -> str:
    from lorebook_tui.engine.dialects import NAMES  # noqa: PLC0415 - small, but with its package

    if name not in NAMES:
        raise UsageError(f"There is no engine {quote(name)}.", expected=" or ".join(NAMES), found=name)
    return name


def _known_trigger(name: str) -> str:
    if name not in TRIGGERS:
        raise UsageError(f"There is no kind of generation {quote(name)}.", expected=", ".join(TRIGGERS), found=name)
    return name
