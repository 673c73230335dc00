"""Formats that are known by sight but not read: so that a refusal can say what the file is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UnreadableError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.model.js import Json

_CONVERT: Final = "Import it into SillyTavern and export the world, or ask its program for a SillyTavern export."


def _values(value: Json) -> list[dict[str, Any]]:
    """The objects in an array or object."""
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [item for item in items if isinstance(item, dict)]


def _any_has(value: Json, *names: str) -> bool:
    return any(all(name in item for name in names) for item in _values(value))


def _most_have(value: Json, name: str, *others: str) -> bool:
    """Whether most items have a text of this name and one of the other members."""
    items = _values(value)
    hits = [item for item in items if isinstance(item.get(name), str) and any(other in item for other in others)]
    return 2 * len(hits) > len(items)


_OBJECTS: Final[tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...]] = (
    ("a NovelAI scenario", lambda value: "scenarioVersion" in value),
    ("a NovelAI story", lambda value: "storyContainerVersion" in value),
    ("a NovelAI lorebook", lambda value: "lorebookVersion" in value),
    ("an Agnai memory book", lambda value: value.get("kind") == "memory"),
    ("an Agnai character", lambda value: value.get("kind") == "character"),
    ("a RisuAI lorebook", lambda value: value.get("type") == "risu"),
    ("a RisuAI module", lambda value: value.get("type") == "risuModule" or isinstance(value.get("module"), dict)),
    ("a KoboldAI story", lambda value: isinstance(value.get("worldinfo"), list)),
    (
        "KoboldAI United world info",
        lambda value: isinstance(value.get("folders"), dict) and _any_has(value.get("entries"), "manual_text"),
    ),
    ("an AI Dungeon world", lambda value: isinstance(value.get("worldInfos"), list)),
    ("an oobabooga chat", lambda value: isinstance(value.get("visible"), list) and "internal" in value),
)
_NOT_LORE: Final[tuple[tuple[str, Callable[[Mapping[str, Any]], bool]], ...]] = (
    ("SillyTavern's settings file", lambda value: "power_user" in value and "world_info_settings" in value),
    ("a SillyTavern backup of personas", lambda value: "personas" in value and "persona_descriptions" in value),
    ("a preset for chat completion", lambda value: "prompts" in value and "prompt_order" in value),
    ("a preset for chat completion", lambda value: "openai_max_context" in value),
    ("an instruct template", lambda value: "input_sequence" in value and "output_sequence" in value),
    ("a context template", lambda value: "story_string" in value),
    (
        "a file of system prompts",
        lambda value: set(value) <= {"name", "content", "post_history"} and "content" in value,
    ),
    ("a preset for text completion", lambda value: "temp" in value and "rep_pen" in value),
    ("a regex script", lambda value: "findRegex" in value and "replaceString" in value),
    ("a set of quick replies", lambda value: "qrList" in value or "quickReplySlots" in value),
    ("a theme of SillyTavern", lambda value: "main_text_color" in value and "blur_strength" in value),
    ("the description of a group chat", lambda value: "members" in value and "chat_id" in value),
    ("a ComfyUI workflow", lambda value: "nodes" in value and "links" in value),
    ("a package file of Node.js", lambda value: "dependencies" in value and "version" in value),
    ("a JSON Schema", lambda value: "$schema" in value and "properties" in value),
    ("a report of `lorebook check`", lambda value: "summary" in value and "files" in value and "skipped" in value),
    ("a witness of `lorebook check`", lambda value: "lorebook_witness" in value),
    ("a baseline of `lorebook check`", lambda value: "lorebook_baseline" in value),
)
"""JSON that people keep beside their lore and take for it."""
_ARRAYS: Final[tuple[tuple[str, Callable[[Json], bool]], ...]] = (
    ("a JanitorAI lorebook", lambda value: _most_have(value, "keysRaw", "content", "activationMode", "key")),
    ("a JanitorAI lorebook", lambda value: _most_have(value, "keywordsRaw", "content", "activationMode", "key")),
    ("a RisuAI list of entries", lambda value: _any_has(value, "key", "secondkey") or _any_has(value, "insertorder")),
    ("an AI Dungeon list", lambda value: _most_have(value, "keys", "value", "entry")),
    ("a KoboldAI Lite list", lambda value: _most_have(value, "key", "content")),
)
_MAGICS: Final = (
    (b"\xff\xd8\xff", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"RIFF", "a RIFF file, such as a WebP image"),
    (b"BM", "a BMP image"),
    (b"%PDF-", "a PDF document"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"PK\x03\x04", "a ZIP archive that is cut off"),
)
_RISUM: Final = b"\x6f\x00"
_MARKUP: Final = re.compile(r"\s*<(?:!doctype|html|head|body|svg|\?xml|rss)\b", re.IGNORECASE)


def refuse_foreign(value: Json) -> None:
    """Refuse a JSON value that another product wrote.

    Raises:
        UnsupportedError: the product's format is known but not read by this version.
    """
    tests: tuple[tuple[str, Callable[[Any], bool]], ...] = ()
    if isinstance(value, dict):
        tests = _OBJECTS
    elif isinstance(value, list):
        tests = _ARRAYS
    for title, test in tests:
        if test(value):
            raise UnsupportedError(
                f"This is {title}, which cannot be read yet.",
                expected="a SillyTavern world, a character card, a V2 or V3 book, or a chat",
                found=title,
                hint=_CONVERT,
            )


class NotLoreError(UnreadableError):
    """JSON of another kind, by name."""


def refuse_other(value: Json) -> None:
    """Refuse a JSON value that is known to be something else. Only for values that no format takes.

    Raises:
        NotLoreError: says what it is.
    """
    if not isinstance(value, dict):
        return
    for title, test in _NOT_LORE:
        if test(value):
            raise NotLoreError(
                f"This is {title}, not lore.",
                expected="a SillyTavern world, a character card, a V2 or V3 book, or a chat",
                found=title,
                hint=_WITNESS if "lorebook_witness" in value else "",
            )


_WITNESS: Final = "`lorebook simulate --witness FILE` runs it."


def _may_be_text(magic: bytes) -> bool:
    """Whether a text could begin with these bytes by chance."""
    return len(magic) <= len(b"RIFF") and magic.isascii() and magic.decode().isprintable()


def refuse_binary(data: bytes) -> None:
    """Refuse bytes that are plainly no text.

    Raises:
        UnreadableError: says what they look like.
        UnsupportedError: a RisuAI module.
    """
    if data.startswith(_RISUM):
        raise UnsupportedError(
            "This is a RisuAI module (.risum), which cannot be read yet.",
            found="a RisuAI module",
            hint="Export the lorebook from RisuAI as JSON and import that into SillyTavern.",
        )
    for magic, title in _MAGICS:
        if data.startswith(magic) and (b"\0" in data[:64] or not _may_be_text(magic)):
            raise UnreadableError(
                f"This is {title}, not lore.",
                expected="JSON, a chat, a PNG card or a .charx archive",
                found=title,
                hint="Cards travel in PNG images; other image formats lose them." if "image" in title else "",
            )


def refuse_markup(text: str) -> None:
    """Refuse web pages, which browsers save when they were to save a file.

    Raises:
        UnreadableError: it is HTML or XML.
    """
    if _MARKUP.match(text):
        raise UnreadableError(
            "This is a web page or XML, not lore.",
            expected="JSON, a chat, a PNG card or a .charx archive",
            found=text.strip()[:40],
            hint="The site may have answered with its page instead of the file; download it again.",
        )
