"""Scenarios in the interchange format become the model's; every key is known or refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.prompt import Api, PromptSettings
from lorebook_tui.errors import UnsupportedError, UsageError
from lorebook_tui.model.book import Book
from lorebook_tui.model.cast import AuthorsNote, Cast, Character, DepthPrompt, Group, InjectedPrompt, Persona
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import ENTRY_FIELDS
from lorebook_tui.model.js import MISSING, key_order, text_of, to_number, truthy
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.scenario import DEFAULT_CONTEXT, DEFAULT_NOW, ForcedEntry, RandomSource, Scenario, Step
from lorebook_tui.model.transcript import Message, Transcript
from tests.parity.loose_settings import LooseSettings
from tests.parity.prompt_settings import settings_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CHAT_NAME = "oracle-chat"
_CHAT_EXAMPLES = PromptSettings().example_format
NOT_IN_TEMPLATE = {"uid", "characterFilter", "displayIndex", "extensions"}
TEMPLATE = {field.name: field.default for field in ENTRY_FIELDS if field.name not in NOT_IN_TEMPLATE}
KNOWN = {
    "id", "comment", "settings", "max_context", "tokenizer", "books", "layers", "character", "group", "persona", "chat",
    "trigger", "global_scan_data", "chat_for_wi", "rng", "turns", "dry_run", "authors_note", "allow_wi_scan",
    "extension_prompts", "quiet_prompt", "force_activate", "timed", "variables", "chat_metadata", "macro_engine",
    "random_macro", "now", "echo", "prompt",
}  # fmt: skip
SCAN_DATA = {
    "personaDescription", "characterDescription", "characterPersonality", "characterDepthPrompt", "scenario",
    "creatorNotes", "trigger",
}  # fmt: skip
REFUSED = {"regex_scripts", "import", "export"}
KNOWN_IN_STEP = {
    "upto", "trigger", "dry_run", "settings", "books", "rng", "quiet_prompt", "force_activate", "now", "max_context",
    "report", "prompt",
}  # fmt: skip


def refuse_unknown(row: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Stop at a key nobody reads: a scenario must never be answered in part."""
    known = set(known)
    for key in row:
        if key in known:
            continue
        if key in REFUSED and not row[key]:
            continue
        if key in REFUSED:
            raise UnsupportedError(f"{where}: {key!r} is not supported yet.", where=where, found=key)
        raise UsageError(f"{where}: unknown key {key!r}.", where=where, found=key)


def known_only(row: Mapping[str, Any], known: Iterable[str], where: str) -> Mapping[str, Any]:
    """The row, if nothing in it is unknown."""
    refuse_unknown(row, known, where)
    return row


class BookPool:
    """Books by name; a text in place of a book refers to another one."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.raw: dict[str, Any] = {}
        self.made: dict[str, Book] = {}
        for name, book in (row.get("books") or {}).items():
            self.raw[name] = book
        for layer, books in (row.get("layers") or {}).items():
            for name, book in named(layer, books):
                if book is not None:
                    self.raw[name] = book
        self._replace_by_members(row.get("group") or {})

    def _replace_by_members(self, group: Mapping[str, Any]) -> None:
        """The reference keeps what others than the speaker bring along as the book of that name."""
        for number, member in enumerate(group.get("members") or ()):
            if number == group.get("speaker", 0):
                continue
            for name, book in named(f"member-{number}", (member or {}).get("books") or []):
                if book is not None:
                    self.raw[name] = book

    def book(self, name: str) -> Book:
        """A book by name; a missing file is an empty book."""
        if name not in self.made:
            raw = self.raw.get(name)
            self.made[name] = to_book(name, raw if isinstance(raw, dict) else {"entries": {}})
        return self.made[name]

    def layers(self, spec: Mapping[str, Any]) -> Layers:
        """The four layers of a scenario."""
        refuse_unknown(spec, {"global", "character", "persona", "chat"}, "layers")

        def of(layer: str) -> tuple[Book, ...]:
            return tuple(self.book(name) for name, _ in named(layer, spec.get(layer) or []))

        return Layers(of("global"), of("character"), of("persona")[:1], of("chat")[:1])


def named(layer: str, books: Any) -> list[tuple[str, Any]]:
    """Books of a layer with their names: an object by name, a list by `name` or place; None: it stands elsewhere."""
    if isinstance(books, str):
        return [(books, None)]
    if isinstance(books, dict) and ("entries" in books and isinstance(books["entries"], (dict, list))):
        books = [books]
    if isinstance(books, dict):
        return [(name, books[name]) for name in key_order(books)]
    return [
        (book, None) if isinstance(book, str) else (book.get("name") or f"{layer}-{number}", book)
        for number, book in enumerate(books)
    ]


def to_book(name: str, raw: Mapping[str, Any]) -> Book:
    """A book whose entries are completed from the template, unless it is `raw`."""
    entries = raw.get("entries") or {}
    if isinstance(entries, list):
        entries = {text_of(entry.get("uid", place)): entry for place, entry in enumerate(entries)}
    return Book(
        name,
        tuple(
            to_entry(key, entry, raw=bool(raw.get("raw"))) for key, entry in entries.items() if isinstance(entry, dict)
        ),
    )


def to_entry(key: str, entry: Mapping[str, Any], *, raw: bool) -> Entry:
    """One entry as the program would hold it."""
    uid = int(key) if key.isascii() and key.isdigit() else key
    return Entry({**({} if raw else TEMPLATE), "uid": uid, **entry}, key)


def to_character(raw: Mapping[str, Any] | None) -> Character | None:
    """A card."""
    if raw is None:
        return None
    refuse_unknown(
        raw,
        {"name", "avatar", "description", "personality", "scenario", "creator_notes", "mes_example", "first_mes", "tags",
         "depth_prompt", "books", "system_prompt", "post_history_instructions", "extensions", "data", "talkativeness", "character_version", "alternate_greetings"},
        "character",
    )  # fmt: skip
    name = "Character" if raw.get("name") is None else raw["name"]
    note = raw.get("depth_prompt") or {}
    if isinstance(note, str):
        note = {"prompt": note}
    refuse_unknown(note, {"prompt", "depth", "role"}, "character.depth_prompt")
    return Character(
        name=name,
        avatar=raw.get("avatar") or f"{name}.png",
        description=raw.get("description") or "",
        personality=raw.get("personality") or "",
        scenario=raw.get("scenario") or "",
        creator_notes=raw.get("creator_notes") or "",
        example_messages=raw.get("mes_example") or "",
        first_message=raw.get("first_mes") or "",
        system_prompt=raw.get("system_prompt") or "",
        post_history=raw.get("post_history_instructions") or "",
        alternate_greetings=tuple(raw.get("alternate_greetings") or ()),
        version=raw.get("character_version") or "",
        tags=tuple(raw.get("tags") or ()),
        depth_prompt=DepthPrompt(note.get("prompt") or "", note.get("depth", 4), note.get("role", "system")),
    )


def to_members(raw_group: Mapping[str, Any], pool: BookPool) -> Iterable[Character]:
    """The members of a group; the character layer holds the books of whoever speaks, the others have their own."""
    for number, raw in enumerate(raw_group["members"]):
        member = to_character(raw)
        if member is None:
            continue
        listed = (
            [] if number == raw_group.get("speaker", 0) else named(f"{member.avatar}-{number}", raw.get("books") or [])
        )
        yield replace(
            member,
            books=tuple(pool.book(name) if book is None else to_book(name, book) for name, book in listed),
        )


def to_cast(row: Mapping[str, Any], pool: BookPool) -> Cast:
    """The people of a scenario."""
    raw_persona = row.get("persona") or {}
    refuse_unknown(raw_persona, {"name", "description", "position", "depth", "role"}, "persona")
    persona = Persona(**{**raw_persona, "name": raw_persona.get("name") or "User"})
    raw_group = row.get("group")
    if not raw_group:
        return Cast(persona, to_character(row.get("character", {})))
    refuse_unknown(
        raw_group, {"members", "speaker", "disabled", "generation_mode", "join_prefix", "join_suffix"}, "group"
    )
    by_file: dict[str, Character] = {}
    members = list(to_members(raw_group, pool))
    group = Group(
        tuple(by_file.setdefault(member.avatar, member) for member in members),
        raw_group.get("speaker", 0),
        frozenset(raw_group.get("disabled") or ()),
        raw_group.get("generation_mode", 0),
        raw_group.get("join_prefix", ""),
        raw_group.get("join_suffix", ""),
    )
    return Cast(persona, None, group)


def to_random(raw: Any) -> RandomSource:
    """A seed or a list of numbers."""
    if isinstance(raw, list):
        return RandomSource(numbers=tuple(raw))
    refuse_unknown(raw, {"seed", "per_turn"}, "rng")
    return RandomSource(seed=int(raw.get("seed") or 0), per_turn=bool(raw.get("per_turn")))


def to_note(raw: Mapping[str, Any]) -> AuthorsNote:
    """The author's note."""
    refuse_unknown(raw, {"prompt", "interval", "position", "depth", "role", "chara"}, "authors_note")
    chara = raw.get("chara") or {}
    refuse_unknown(chara, {"prompt", "useChara", "position", "name"}, "authors_note.chara")
    where = chara.get("position", 0)
    return AuthorsNote(
        "" if raw.get("prompt") is None else text_of(raw["prompt"]),
        number_or(raw.get("interval"), 1),
        number_or(raw.get("position"), 1),
        number_or(raw.get("depth"), 4),
        number_or(raw.get("role"), 0),
        text_of(chara.get("prompt", "")),
        truthy(chara.get("useChara", False)),
        where if type(where) is int else 0,
    )


def number_or(value: Any, default: int) -> Any:
    """A number as the program reads it from a chat's metadata; null: the default."""
    if value is None or type(value) is int:
        return default if value is None else value
    number = to_number(value)
    return int(number) if number.is_integer() else number


def avatar_of(message: Mapping[str, Any]) -> dict[str, Any]:
    """The avatar that a message brings along, if it does."""
    return {"force_avatar": message["force_avatar"]} if "force_avatar" in message else {}


def asks_for_prompt(row: Mapping[str, Any]) -> bool:
    """Whether the prompt is to be assembled; an object without settings asks for it too."""
    return row.get("prompt") not in {None, False} if not isinstance(row.get("prompt"), dict) else True


def prompt_fields(row: Mapping[str, Any]) -> dict[str, Any]:
    """What the settings of a prompt mean for the scan; the model has the reference's own name."""
    tokenizer = row.get("tokenizer", "none")
    if not asks_for_prompt(row):
        counts_chat = tokenizer.startswith("chat:")
        return {"macro_texts": {"model": tokenizer[5:]}, "example_format": _CHAT_EXAMPLES} if counts_chat else {}
    settings = settings_from(row["prompt"])
    chat_model = tokenizer.removeprefix("chat:") if tokenizer.startswith("chat:") else "oracle-estimate"
    model = chat_model if settings.api is Api.CHAT else "oracle"
    return {
        "macro_texts": {**settings.texts, "model": model},
        "example_format": settings.example_format,
        "collapse_newlines": settings.user.collapse_newlines,
        "unread_fields": settings.user.unread_fields,
    }


def to_messages(raw: Iterable[Mapping[str, Any]]) -> tuple[Message, ...]:
    """The chat, oldest first."""
    messages = []
    for message in raw:
        refuse_unknown(
            message,
            {"is_user", "mes", "name", "is_system", "extra", "swipes", "swipe_id", "send_date", "force_avatar"},
            "chat",
        )
        messages.append(
            Message(
                message.get("mes", ""),
                message.get("name"),
                bool(message.get("is_user")),
                bool(message.get("is_system")),
                tuple(message["swipes"]) if isinstance(message.get("swipes"), list) else (),
                lists_swipes=isinstance(message.get("swipes"), list),
                swipe_id=message.get("swipe_id", MISSING),
                sent=text_of(message["send_date"]) if truthy(message.get("send_date")) else "",
                extra={**avatar_of(message), **(message.get("extra") or {})},
            )
        )
    return tuple(messages)


def to_forced(raw: Iterable[Mapping[str, Any]]) -> tuple[ForcedEntry, ...]:
    """Forced activations; more than `world` and `uid` replaces the loaded fields."""
    return tuple(
        ForcedEntry(
            item["world"], item["uid"], {key: value for key, value in item.items() if key not in {"world", "uid"}}
        )
        for item in raw
        if "world" in item and "uid" in item
    )


def to_injected(raw: Mapping[str, Mapping[str, Any]]) -> tuple[InjectedPrompt, ...]:
    """Prompts of extensions, by name."""
    known = {"value", "scan", "position", "depth", "role"}
    return tuple(
        InjectedPrompt(name, **{"value": "", **known_only(prompt, known, f"extension_prompts.{name}")})
        for name, prompt in raw.items()
    )


def to_timed(raw: Mapping[str, Any]) -> Mapping[str, Any]:
    """Earlier timed effects."""
    for kind, records in known_only(raw, {"sticky", "cooldown"}, "timed").items():
        for identity, record in records.items():
            refuse_unknown(record, {"start", "end", "protected"}, f"timed.{kind}.{identity}")
    return raw


def to_now(raw: str) -> datetime:
    """A moment in UTC."""
    moment = datetime.fromisoformat(raw)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def to_scenario(row: Mapping[str, Any]) -> tuple[Scenario, BookPool]:
    """One row of a scenario file."""
    refuse_unknown(row, KNOWN, str(row.get("id")))
    pool = BookPool(row)
    metadata = row.get("chat_metadata") or {}
    layers = pool.layers(row.get("layers") or {})
    if not row.get("group") and row.get("character", {}) is None:
        layers = replace(layers, character=())
        metadata = {"chat_id_hash": 0, **metadata}
    variables = known_only(row.get("variables") or {}, {"local", "global"}, "variables")
    scenario = Scenario(
        layers=layers,
        settings=LooseSettings().with_values(row.get("settings") or {}),
        cast=to_cast(row, pool),
        transcript=Transcript(to_messages(row.get("chat") or []), CHAT_NAME, metadata=metadata),
        note=to_note(row.get("authors_note") or {}),
        injected=to_injected(row.get("extension_prompts") or {}),
        trigger=row.get("trigger", "normal"),
        dry_run=bool(row.get("dry_run")),
        max_context=DEFAULT_CONTEXT if row.get("max_context") is None else row["max_context"],
        tokenizer=row.get("tokenizer", "none"),
        random=to_random(row.get("rng", {})),
        random_macro=row.get("random_macro", "native"),
        macro_engine=row.get("macro_engine", "new"),
        now=to_now(row["now"]) if row.get("now") else DEFAULT_NOW,
        quiet_prompt=row.get("quiet_prompt", ""),
        forced=to_forced(row.get("force_activate") or []),
        allow_wi_scan=bool(row.get("allow_wi_scan")),
        scan_data=known_only(row.get("global_scan_data") or {}, SCAN_DATA, "global_scan_data"),
        scan_texts=tuple(row["chat_for_wi"]) if row.get("chat_for_wi") is not None else None,
        timed=to_timed(row.get("timed") or {}),
        local_variables=variables.get("local") or {},
        global_variables=variables.get("global") or {},
        **prompt_fields(row),
    )
    return scenario, pool


class StepReader:
    """Reads the steps of a scenario in order; books that a step changes stay changed."""

    def __init__(self, scenario: Scenario) -> None:
        self.layers = scenario.layers
        self.length = len(scenario.transcript)

    def read(self, raw: Any) -> Step:
        """One step of `turns`: a length or an object."""
        if isinstance(raw, (int, float)):
            return Step(int(raw))
        refuse_unknown(raw, KNOWN_IN_STEP, "turns")
        changed = raw.get("books")
        if changed:
            self.layers = Layers(
                *(
                    tuple(to_book(book.name, changed[book.name]) if book.name in changed else book for book in books)
                    for books in (self.layers.global_, self.layers.character, self.layers.persona, self.layers.chat)
                )
            )
        return Step(
            int(raw.get("upto", self.length)),
            raw.get("trigger"),
            raw.get("dry_run"),
            raw.get("settings"),
            self.layers if changed else None,
            to_random(raw["rng"]) if raw.get("rng") is not None else None,
            raw.get("quiet_prompt"),
            to_forced(raw["force_activate"]) if raw.get("force_activate") is not None else None,
            to_now(raw["now"]) if raw.get("now") else None,
            raw.get("max_context"),
            raw.get("report", True),
        )
