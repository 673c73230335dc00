"""Macros in contents: which the engine knows, which it leaves as text, and what was probably meant."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from lorebook_tui.engine.macros import MacroEnvironment, substitute
from lorebook_tui.engine.macros.definitions import CONDITION, DEFINITIONS, MACRO_NAMES
from lorebook_tui.engine.macros.parser import COMMENT, calls_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALIASES: Final = {
    "character": "char", "char_name": "char", "charname": "char", "bot": "char", "name2": "char", "персонаж": "char",
    "чар": "char", "角色": "char", "char名": "char", "you": "user", "username": "user", "user_name": "user",
    "player": "user", "name1": "user", "юзер": "user", "пользователь": "user", "用户": "user", "personas": "persona",
    "rand": "random", "choice": "random", "dice": "roll", "get": "getvar", "set": "setvar", "br": "newline",
    "nl": "newline",
}  # fmt: skip
"""Names of other products and languages, in lower case."""
_OF_EXTENSIONS: Final = frozenset({
    "summary", "charprefix", "charnegativeprefix", "pipe", "var", "arg", "timesindex", "match", "prompt",
})  # fmt: skip
"""Names that extensions and scripts of SillyTavern fill in."""
_ELSEWHERE: Final = {
    **dict.fromkeys(
        ("wibefore", "wiafter", "lorebefore", "loreafter", "system", "anchorbefore", "anchorafter", "unless", "each"),
        "the story string of a context template",
    ),
    "original": "a prompt that a card brings along",
}
"""Names that are filled in at one place only, and what that is."""
_SPELLED: Final = {name.lower(): name for name in MACRO_NAMES}
_CLOSE: Final = 0.72
_BRACES: Final = re.compile(r"\{\{([^{}]*)\}\}")
_COMMENT: Final = re.compile(r"\{\{\s*(?://|comment)", re.IGNORECASE)
_NAME: Final = re.compile(r"\s*[/#!?~>]*\s*([^\s:|{}]+)")
_COMMENTS: Final = frozenset({COMMENT, "comment"})
_VARIABLE: Final = re.compile(r"\s*[.$]\s*[A-Za-z]")
_WRITERS: Final = frozenset(
    f"{verb}{infix}var" for verb in ("set", "add", "inc", "dec", "delete", "flush") for infix in ("", "global")
)
_COUNTING_VERBS: Final = ("add", "inc", "dec")
_COUNTING: Final = frozenset({"+=", "-=", "++", "--"})
_CHANGING: Final = re.compile(r"\{\{\s*(?:random|roll|get(?:global)?var|[.$])", re.IGNORECASE)
"""Values that are others each time."""
_ASSIGNMENTS: Final = frozenset({"=", "+=", "-=", "++", "--", "||=", "??="})


class Unknown(NamedTuple):
    """A macro that stays as text."""

    start: int
    """Character of the text where its name begins."""
    name: str
    """As written. Foreign text."""
    meant: str
    """What was probably meant; "" if nothing is near."""
    text: str
    """The whole macro. Foreign text."""
    is_known: bool = False
    """Whether there is such a macro, but not in this form."""
    where: str = ""
    """The only place where it is filled in; "" if there is none."""


def unknown_macros(text: str) -> Iterator[Unknown]:
    """The macros that no one fills in, in order; nobody misses those inside of comments."""
    if "{{" not in text:
        return
    for found in _BRACES.finditer(without_comments(text)):
        inner = found[1]
        named = _NAME.match(inner)
        if inner.lstrip().startswith("//") or _VARIABLE.match(inner) or (named is None and inner.strip()):
            continue
        name = named[1] if named else ""
        key = name.lower()
        if key == CONDITION or key in _OF_EXTENSIONS or not stays(found[0]):
            continue
        where = _ELSEWHERE.get(key, "")
        is_known = not key or (key in DEFINITIONS and not where)
        if is_known and key and re.search(rf"\{{\{{\s*/\s*{re.escape(key)}\b", text, re.IGNORECASE):
            continue  # what stands between the two is its argument
        guess = "" if is_known or where else meant(key)
        yield Unknown(found.start(1) + (named.start(1) if named else 0), name, guess, found[0], is_known, where)


def without_comments(text: str) -> str:
    """A text of the same length with blanks in place of the comments that macros make."""
    if not _COMMENT.search(text):
        return text
    open_: dict[str, int] = {}
    for call in calls_of(text):
        if call.key not in _COMMENTS or call.prefix:
            continue
        start = call.start
        if call.closing:
            start = open_.pop(call.key, start)
        elif not call.arguments:
            open_[call.key] = call.start
        text = text[:start] + " " * (call.end - start) + text[call.end :]
    return text


@lru_cache(4096)
def stays(macro: str) -> bool:
    """Whether the engine leaves a macro as it is."""
    environment = MacroEnvironment()
    return substitute(macro, environment) == macro


@lru_cache(4096)
def meant(key: str) -> str:
    """The macro that was probably meant, as its documentation spells it; "" if none is near."""
    if key in _ALIASES:
        return _ALIASES[key]
    near = get_close_matches(key, _SPELLED, 1, _CLOSE)
    return _SPELLED[near[0]] if near else ""


class Writer(NamedTuple):
    """A macro that changes a variable."""

    text: str
    """As written. Foreign text."""
    accumulates: bool
    """Whether it makes a difference how often it acts: it counts, or sets what chance or the variable itself says."""


def writers(text: str) -> Iterator[Writer]:
    """The macros of a text that change variables."""
    if "{{" not in text:
        return
    for call in calls_of(text):
        if call.closing:
            continue
        if call.key in _WRITERS if not call.prefix else call.operator in _ASSIGNMENTS:
            written = text[call.start : call.end]
            counts = call.operator in _COUNTING if call.prefix else call.key.startswith(_COUNTING_VERBS)
            yield Writer(written, counts or _CHANGING.search(written, 2) is not None)
