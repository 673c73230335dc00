"""The `@@` lines at the top of a content as UnoRouter's document tells them: name, argument, and their line."""

from __future__ import annotations

from typing import Final, NamedTuple

MARK: Final = "@@"
NUMBERS: Final = {
    "probability": (0, 100),
    "scan_depth": (0, 100),
    "order": (None, None),
    "insertorder": (None, None),
    "priority": (None, None),
    "activate_only_after": (1, None),
    "activate_only_every": (1, None),
}
"""Decorators that take a number: the least and the most."""
ROLES: Final = ("system", "user", "assistant")
KEEPS: Final = frozenset({"keep", "keep_activate_after_match"})
BARS: Final = "dont_activate_after_match"
GREETING: Final = "is_greeting"
FLAGS: Final = frozenset({*KEEPS, BARS})
"""Decorators that take nothing."""
OWN: Final = frozenset({*NUMBERS, "role", GREETING, *FLAGS})
"""What UnoRouter's document names."""
KNOWN: Final = OWN | {
    "activate", "dont_activate", "additional_keys", "exclude_keys", "exclude_keys_all", "match_full_word",
    "match_partial_word", "recursive", "unrecursive", "no_recursive_search", "inject_lore", "inject_at",
    "inject_replace", "inject_prepend", "ignore_on_max_context", "disable_ui_prompt", "depth", "position",
    "reverse_depth", "instruct_depth", "reverse_instruct_depth", "instruct_scan_depth", "is_user_icon",
}  # fmt: skip
"""Those, and the ones of the V3 card specification and of RisuAI that such books carry."""
LISTS: Final = frozenset({"additional_keys", "exclude_keys"})
"""Decorators that may stand there several times."""


class DecoratorLine(NamedTuple):
    """One line."""

    name: str
    """In lower case, without its marks."""
    argument: str
    number: int
    """Of the line in the content, from 0."""
    text: str


def leading(content: str) -> tuple[DecoratorLine, ...]:
    """The decorators at the top of a content; blank lines before and between them do not count."""
    if content[:1] not in {"@", " ", "\n", "\r", "\t"} or not content.lstrip().startswith(MARK):
        return ()
    found = []
    for number, line in enumerate(content.split("\n")):
        text = line.strip()
        if text.startswith(MARK):
            found.append(_line(text, number))
        elif text:
            break
    return tuple(found)


def scattered(content: str) -> tuple[DecoratorLine, ...]:
    """Lines further down that look like decorators which are known."""
    if MARK not in content:
        return ()
    found: list[DecoratorLine] = []
    is_text = False
    for number, line in enumerate(content.split("\n")):
        text = line.strip()
        if not text.startswith(MARK):
            is_text = is_text or bool(text)
        elif is_text and (made := _line(text, number)).name in KNOWN:
            found.append(made)
    return tuple(found)


def without_lines(content: str, numbers: set[int]) -> str:
    """A content without some of its lines."""
    return "\n".join(line for number, line in enumerate(content.split("\n")) if number not in numbers)


def with_line(content: str, number: int, text: str) -> str:
    """A content with another line in place of one."""
    return "\n".join(text if place == number else line for place, line in enumerate(content.split("\n")))


def number_of(text: str) -> float | None:
    """An argument as a number; None if it is none."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value == value and abs(value) != float("inf") else None  # noqa: PLR0124 - only NaN differs from itself


def _line(text: str, number: int) -> DecoratorLine:
    name, _, argument = text.lstrip("@").strip().partition(" ")
    return DecoratorLine(name.strip().lower(), argument.strip(), number, text)
