"""What a value of a workspace file has to be, in words and as a test, and how the command line spells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WORDS: Final = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
"""How a switch may be spelt where everything is text."""
ROLES: Final = ("system", "user", "assistant")


def _as_it_is(text: str) -> Any:
    return text


@dataclass(frozen=True, slots=True)
class Kind:
    """What a value has to be."""

    expected: str
    """In words."""
    take: Callable[[Any], Any]
    """Returns the value to use, or raises `ValueError`."""
    read: Callable[[str], Any] = _as_it_is
    """What a text of the command line stands for, before it is taken."""


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError  # noqa: TRY004 - one kind of refusal, turned into a LorebookError by the reader
    return value


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError  # noqa: TRY004 - as above
    return value


def number_or_text(text: str) -> Any:
    """The whole number that a text is, or the text."""
    try:
        return int(text.strip())
    except ValueError:
        return text


def switch_or_text(text: str) -> Any:
    """The switch that a word is, or the text."""
    return WORDS.get(text.strip().casefold(), text)


def whole(lowest: int, highest: int | None = None) -> Kind:
    """A whole number from `lowest`, up to `highest`."""

    def take(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or value < lowest:
            raise ValueError
        if highest is not None and value > highest:
            raise ValueError
        return value

    bounds = f"from {lowest}" if highest is None else f"{lowest} to {highest:,}"
    return Kind(f"a whole number, {bounds}", take, number_or_text)


def one_of(*names: str) -> Kind:
    """One of some words."""

    def take(value: Any) -> str:
        if value not in names:
            raise ValueError
        return str(value)

    return Kind(_listed(names), take, str.strip)


def choice(values: Mapping[str, int]) -> Kind:
    """One of some numbers, which may be given by name."""

    def take(value: Any) -> int:
        if isinstance(value, str) and value in values:
            return values[value]
        if isinstance(value, bool) or value not in values.values():
            raise ValueError
        return int(value)

    numbers = ", ".join(str(number) for number in values.values())
    return Kind(f"{_listed(tuple(values))} (or {numbers})", take, lambda text: number_or_text(text.strip()))


def texts() -> Kind:
    """A list of texts; on the command line with commas between them."""

    def take(value: Any) -> tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise ValueError
        return tuple(value)

    return Kind("a list of names", take, lambda text: [part for item in text.split(",") if (part := item.strip())])


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names[:-1]) + f" or {names[-1]}" if len(names) > 1 else names[0]


TEXT: Final = Kind("a text", _text)
SWITCH: Final = Kind("true or false", _switch, switch_or_text)
ROLE: Final = choice({name: number for number, name in enumerate(ROLES)})
