"""JavaScript regular expressions: which keys are patterns, and a safe way to run them.

Offsets are code points. Every run has a time limit, because patterns come from strangers.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Final

from corvus_regex_ecma262 import MatchLimitError, Regex
from corvus_regex_ecma262 import error as RegexError  # noqa: N812 - the package's only exception has a lower-case name

from lorebook_tui.errors import LorebookError
from lorebook_tui.matching.jstext import code_point_offset, has_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

FLAGS: Final = "gimsuy"
"""The flags that SillyTavern 1.19 accepts behind a key."""
TIME_LIMIT: Final = 0.25
"""Seconds that one run of a pattern may take."""

_FORM: Final = re.compile(rf"/([\s\S]+?)/([{FLAGS}]*)")
_UNESCAPED_SLASH: Final = re.compile(r"(?:^|[^\\])/")
_ENGINE_MESSAGE: Final = re.compile(r'(?:ecmaregex: )?(.*?)(?: at offset (\d+))?(?: in ".*")?', re.DOTALL)
_HALF: Final = re.compile(r"(\\[^\ud800-\udfff])|\\?[\ud800-\udfff]", re.DOTALL)
"""An escape of anything else, or half a surrogate pair, escaped or not."""
_TOO_LARGE: Final = "too_large"
_PATTERNS_KEPT: Final = 8192


@dataclass(frozen=True, slots=True)
class RegexKey:
    """A key that SillyTavern 1.19 runs as a pattern: the text between the slashes, its first escaped slash bared."""

    source: str
    flags: str


class PatternError(LorebookError):
    """A pattern or its flags that JavaScript rejects.

    Args:
        reason: what is wrong, in the engine's words.
        offset: code points into the pattern, None if the flags are wrong.
    """

    code: ClassVar[str] = "PATTERN"

    def __init__(self, reason: str, offset: int | None) -> None:
        super().__init__(f"The pattern is not valid: {reason}.", found=reason)
        self.reason = reason
        self.offset = offset


class PatternTimeout(LorebookError):  # noqa: N818 - the name of what happens, as asyncio's and socket's were
    """A pattern that gave no answer within its limit of time or memory."""

    code: ClassVar[str] = "PATTERN_TIMEOUT"

    def __init__(self, source: str, flags: str, found: str) -> None:
        super().__init__(
            f"The pattern /{source}/{flags} gave no answer within its limit.",
            found=found,
            hint="Nested repetitions such as (a+)+ or (.*)* make a pattern slow; repeat the inner part only once.",
        )
        self.source = source
        self.flags = flags


@dataclass(frozen=True, slots=True)
class Match:
    """One match with its groups; offsets are code points."""

    start: int
    end: int
    groups: tuple[str | None, ...]
    """The captured texts, from the first; None where a group took no part."""
    named: Mapping[str, str | None]


class Pattern:
    """A compiled pattern, safe to share between threads; made by `compile`.

    As SillyTavern makes a new object for each test, the flag g has no memory, and y means "at the very start".
    """

    __slots__ = ("_regex", "flags", "source", "timeout")

    def __init__(self, source: str, flags: str, timeout: float, regex: Regex | None) -> None:
        self.source = source
        self.flags = flags
        self.timeout = timeout
        self._regex = regex

    def test(self, text: str) -> bool:
        """Whether the pattern matches somewhere in the text.

        Raises:
            PatternTimeout: the limit expired first.
        """
        try:
            return self._ready().test(text)
        except MatchLimitError as error:
            raise self._timeout(error) from error

    def search(self, text: str) -> tuple[int, int] | None:
        """The span of the first match. Without the flag u, half a surrogate pair is shown as the whole character.

        Raises:
            PatternTimeout: the limit expired first.
        """
        try:
            found = self._ready().search(text)
        except MatchLimitError as error:
            raise self._timeout(error) from error
        return None if found is None else found.span()

    def find_all(self, text: str, limit: int) -> tuple[tuple[int, int], ...]:
        """Spans of the first matches, at most `limit`; fewer if those after the first take more than a limit in all.

        Raises:
            PatternTimeout: the limit expired before the first match.
        """
        first = self.search(text) if limit > 0 else None
        if first is None:
            return ()
        spans = [first]
        if limit > 1:
            matches = _regex(self.source, self.flags, self.timeout / limit).finditer(text)
            with suppress(MatchLimitError):
                next(matches, None)  # the first one, known already
                spans += (match.span() for match in islice(matches, limit - 1))
        return tuple(spans)

    def matches(self, text: str) -> Iterator[Match]:
        """Every match with its groups, from left to right, as with the flag g; each has a time limit of its own.

        Raises:
            PatternTimeout: the limit expired before the next match.
        """
        found = self._ready().finditer(text)
        while True:
            try:
                match = next(found, None)
            except MatchLimitError as error:
                raise self._timeout(error) from error
            if match is None:
                return
            yield Match(*match.span(), match.groups(), match.groupdict())

    def _ready(self) -> Regex:
        if self._regex is None:
            raise self._timeout("the pattern is too large to be run here")
        return self._regex

    def _timeout(self, found: object) -> PatternTimeout:
        return PatternTimeout(self.source, self.flags, str(found))


def compile(source: str, flags: str, timeout: float = TIME_LIMIT) -> Pattern:  # noqa: A001 - as in re.compile
    """The compiled pattern, kept for the next call.

    Args:
        source: the pattern without slashes.
        flags: any of JavaScript's flags.
        timeout: seconds for each run.

    Raises:
        PatternError: JavaScript rejects the pattern or its flags.
    """
    compiled = _compile(source, flags, timeout)
    if isinstance(compiled, PatternError):
        raise PatternError(compiled.reason, compiled.offset)
    return compiled


@lru_cache(maxsize=_PATTERNS_KEPT)
def _compile(source: str, flags: str, timeout: float) -> Pattern | PatternError:
    """The pattern, or why there is none, so that failures are remembered too."""
    try:
        regex = _regex(source, flags, timeout)
    except RegexError as error:
        if _kind(error) == _TOO_LARGE:
            return Pattern(source, flags, timeout, None)
        return _pattern_error(error, source, flags)
    return Pattern(source, flags, timeout, regex)


@lru_cache(maxsize=_PATTERNS_KEPT)
def _regex(source: str, flags: str, timeout: float) -> Regex:
    """The engine's own object."""
    return Regex(_engine_source(source, flags), flags, timeout=timeout)


def _engine_source(source: str, flags: str) -> str:
    """The pattern as the engine reads it right: half a surrogate pair only as an escape, which never joins another."""
    if not has_surrogates(source):
        return source
    if set(flags) & {"u", "v"}:
        return _HALF.sub(lambda found: found[0] if found[0][0] == "\\" else f"\\u{{{ord(found[0]):x}}}", source)
    return _HALF.sub(lambda found: found[0] if found[1] else f"\\u{ord(found[0][-1]):04x}", source)


def _kind(error: Any) -> str:
    """The engine's kind of error: "pattern", "flags" or "too_large"."""
    return str(error.kind)


def _pattern_error(error: Exception, source: str, flags: str) -> PatternError:
    """The engine's error as ours, its offset apart from the words; without the u flag the engine counts UTF-16."""
    found = _ENGINE_MESSAGE.fullmatch(str(error))
    if found is None or _kind(error) != "pattern":
        return PatternError(str(error), None)
    if found[2] is None:
        return PatternError(found[1], None)
    offset = int(found[2])
    return PatternError(found[1], offset if set(flags) & {"u", "v"} else code_point_offset(source, offset))


@lru_cache(maxsize=_PATTERNS_KEPT)
def parse_key(key: str) -> RegexKey | None:
    r"""The pattern that a key is, or None if it is plain text.

    SillyTavern 1.19: the form is `/^\/([\w\W]+?)\/([gimsuy]*)$/`; a slash inside without a backslash before it, doubled
    flags, or a pattern that JavaScript rejects make it plain text, slashes included.
    """
    form = _FORM.fullmatch(key)
    if form is None or _UNESCAPED_SLASH.search(form[1]):
        return None
    source = form[1].replace("\\/", "/", 1)
    if isinstance(_compile(source, form[2], TIME_LIMIT), PatternError):
        return None
    return RegexKey(source, form[2])


def why_not_regex(key: str) -> str | None:
    """Why a key that begins with a slash is plain text after all, with the offset in the key; None for other keys."""
    if not key.startswith("/") or parse_key(key) is not None:
        return None
    form = _FORM.fullmatch(key)
    if form is None:
        return _formless(key)
    slash = _UNESCAPED_SLASH.search(form[1])
    if slash:
        return f"unescaped slash at offset {slash.end()}: write \\/ inside a pattern"
    doubled = next((place for place, flag in enumerate(form[2]) if flag in form[2][:place]), None)
    if doubled is not None:
        offset = form.start(2) + doubled
        return f'flag "{key[offset]}" given twice at offset {offset}'
    source = form[1].replace("\\/", "/", 1)
    fault = _compile(source, form[2], TIME_LIMIT)
    return _described(fault, form[1]) if isinstance(fault, PatternError) else None


def _formless(key: str) -> str:
    """Why a key is not even `/…/flags`."""
    last = key.rfind("/")
    if last == 0:
        return f"no closing slash at offset {len(key)}: a pattern is written /…/"
    if last == 1 and key == "//":
        return "nothing between the slashes at offset 1"
    tail = key[last + 1 :]
    wrong = [place for place, flag in enumerate(tail) if flag not in FLAGS]
    if len(wrong) == 1 and tail.isalpha():
        offset = last + 1 + wrong[0]
        return f'unknown flag "{key[offset]}" at offset {offset}: only {", ".join(FLAGS)} are flags of a key'
    return f"text after the last slash at offset {last + 1} where only flags may stand"


def _described(fault: PatternError, written: str) -> str:
    """The engine's reason, with its offset moved from the pattern to the key as it is written."""
    if fault.offset is None:
        return fault.reason
    escaped = written.find("\\/")
    moved = 1 + (1 if 0 <= escaped < fault.offset else 0)
    return f"{fault.reason} at offset {fault.offset + moved}"
