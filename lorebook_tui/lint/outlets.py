"""Who asks for which outlet: prompts, the author's note, cards and chats, searched for the macro."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lorebook_tui.display import quote
from lorebook_tui.engine.macros.parser import calls_of
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lorebook_tui.lint.subjects import World
    from lorebook_tui.model.cast import Character

_MACRO: Final = "outlet"
_OFF: Final = "-"
"""In front of a prompt of the order that is switched off."""
_CARD_FIELDS: Final = (
    "description", "personality", "scenario", "creator_notes", "first_message", "example_messages", "system_prompt",
    "post_history",
)  # fmt: skip
_NOTES: Final = ("note_prompt", "scenario", "system_prompt")
"""Members of a chat's metadata that hold prompts."""


class Reference(NamedTuple):
    """An outlet that something asks for."""

    name: str
    """As the macro trims it; "" if only the chat will tell. Foreign text."""
    where: str
    """`the author's note`, with its article."""


def references(world: World) -> tuple[Reference, ...]:
    """Every outlet that prompts, note, cards and chats ask for."""
    return tuple(
        Reference(name, where) for where, text in _texts(world) if _MACRO in text.lower() for name in names_in(text)
    )


def names_in(text: str) -> Iterator[str]:
    """The outlets that a text asks for; "" for a name that is itself made by a macro."""
    for call in calls_of(text):
        if call.key == _MACRO and call.arguments and not call.prefix:
            argument = call.arguments[0]
            name = trim(text[argument.start : argument.end])
            yield "" if "{{" in name else name


def _texts(world: World) -> Iterator[tuple[str, str]]:
    """Everything that is rendered, with what it is."""
    yield from _of_prompt(world.prompt or {})
    if world.note is not None:
        yield from (("the author's note", text) for text in (world.note.prompt, world.note.character_prompt))
    cast = world.cast
    if cast is not None:
        yield "the persona", cast.persona.description
        members = cast.group.members if cast.group is not None else ()
        for character in (*((cast.character,) if cast.character else ()), *members):
            yield from _of_card(character)
    for chat in world.chats:
        yield from (("the chat", message.text) for message in chat.messages)
        yield from (("the chat's note", text) for name in _NOTES if isinstance(text := chat.metadata.get(name), str))


def _of_card(character: Character) -> Iterator[tuple[str, str]]:
    texts = [getattr(character, name) for name in _CARD_FIELDS]
    for text in (*texts, character.depth_prompt.prompt, *character.alternate_greetings):
        yield "the card", text


def _of_prompt(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The texts of the prompt's options, without the prompts that are switched off."""
    off = {str(row).removeprefix(_OFF) for row in options.get("order", ()) if str(row).startswith(_OFF)}
    for name, value in options.items():
        if name == "prompts" and isinstance(value, Mapping):
            for identifier, row in value.items():
                if identifier not in off:
                    yield from ((f"the prompt {quote(identifier)}", text) for text in _strings(row))
        else:
            yield from ((f"the option {quote(name)}", text) for text in _strings(value))


def _strings(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _strings(item)


def folded(name: str) -> str:
    """A name without what people overlook: letter case and blanks at its ends."""
    return trim(name).casefold()
