"""Find and replace in the texts of entries: plain or by a JavaScript pattern, every hit shown beforehand."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import UsageError
from lorebook_tui.matching import ecma
from lorebook_tui.workspace.bulk import change_to
from lorebook_tui.workspace.edits import entry_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.workspace.edits import FieldChange
    from lorebook_tui.workspace.workspace import Workspace

PLACES: Final = {"content": "content", "keys": "key", "secondary": "keysecondary", "title": "comment"}
"""Where can be replaced: the word for it, and the field."""
_CONTEXT: Final = 30
_MOST_HITS: Final = 100_000
_PATTERN_FORM: Final = re.compile(r"/((?:[^/\\]|\\.)+)/(\w*)", re.DOTALL)
_TEMPLATE: Final = re.compile(r"\$(?:\$|&|`|'|([0-9]{1,2})|<([^>]*)>)")


@dataclass(frozen=True, slots=True)
class Replacement:
    """What is looked for, and what takes its place."""

    find: str
    """A text, or the source of a pattern."""
    put: str
    """For a pattern with `$1`, `$<name>`, `$&`, `$$` and the like, as in JavaScript; else as it stands."""
    fields: tuple[str, ...] = ("content",)
    """Of `content`, `key`, `keysecondary`, `comment`."""
    is_pattern: bool = False
    flags: str = ""
    """Of a pattern; every hit is replaced, with or without g."""
    ignore_case: bool = False
    whole_words: bool = False
    """For plain texts: no letter, digit or underscore on either side."""


@dataclass(frozen=True, slots=True)
class TextHit:
    """One place that is replaced. Offsets are code points of the text as it stands."""

    ref: EntryRef
    name: str
    """The field."""
    item: int | None
    """Place of the key in its list; None for content and title."""
    start: int
    end: int
    before: str
    """A little of the text in front; all texts are foreign."""
    found: str
    put: str
    after: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """A preview of find and replace."""

    changes: tuple[FieldChange, ...] = ()
    hits: tuple[TextHit, ...] = ()


def replacement(
    find: str,
    put: str,
    fields: Sequence[str] = ("content",),
    *,
    plain: bool = False,
    ignore_case: bool = False,
    whole_words: bool = False,
) -> Replacement:
    """What somebody wrote: `/pattern/flags` is a pattern unless it shall be plain.

    Raises:
        UsageError: nothing to find, a place that has no text, a pattern that JavaScript rejects.
    """
    names = tuple(dict.fromkeys(PLACES.get(name, name) for name in fields))
    for name in names:
        if name not in PLACES.values():
            raise UsageError(f"Nothing can be replaced in {quote(name)}.", expected=", ".join(PLACES), found=name)
    form = None if plain else _PATTERN_FORM.fullmatch(find)
    if form is None:
        if not find:
            raise UsageError("There is nothing to find.", expected="a text or a /pattern/", found="an empty text")
        return Replacement(find, put, names, ignore_case=ignore_case, whole_words=whole_words)
    source = form[1].replace("\\/", "/")
    flags = form[2] + ("i" if ignore_case and "i" not in form[2] else "")
    try:
        ecma.compile(source, flags)
    except ecma.PatternError as error:
        raise UsageError(
            error.message, where=f"character {(error.offset or 0) + 2}", expected="a JavaScript pattern", found=find,
            hint="To find the text as it stands, slashes and all, ask for plain text (--plain).",
        ) from error  # fmt: skip
    return Replacement(source, put, names, is_pattern=True, flags=flags)


def replace_text(workspace: Workspace, refs: Sequence[EntryRef], wanted: Replacement) -> Replaced:
    """Every hit in the chosen fields of some entries, and the changes that all of them make.

    A key of which nothing is left goes.

    Raises:
        UsageError: a key that is a pattern would be one no longer; names entry and key.
        PatternTimeout: the pattern gave no answer in time.
    """
    changes: list[FieldChange] = []
    hits: list[TextHit] = []
    for ref in dict.fromkeys(refs):
        entry = entry_at(workspace, ref)
        for name in wanted.fields:
            found, value = _in_field(entry, ref, name, wanted)
            change = change_to(ref, entry, name, value) if found else None
            if change is not None:
                hits += found
                changes.append(change)
    return Replaced(tuple(changes), tuple(hits))


def _in_field(entry: Entry, ref: EntryRef, name: str, wanted: Replacement) -> tuple[list[TextHit], Json]:
    """The hits in one field, and its new value."""
    value = entry.get(name)
    if isinstance(value, str):
        spans = list(_spans(value, wanted))
        return [_hit(ref, name, None, value, span) for span in spans], _spliced(value, spans)
    if not isinstance(value, list):
        return [], value
    hits: list[TextHit] = []
    items: list[Json] = []
    for number, item in enumerate(value):
        spans = list(_spans(item, wanted)) if isinstance(item, str) else []
        if not spans:
            items.append(item)
            continue
        hits += [_hit(ref, name, number, item, span) for span in spans]
        made = _spliced(item, spans)
        if made.strip() and ecma.parse_key(item) is not None and ecma.parse_key(made) is None:
            raise UsageError(
                f"The key {quote(item)} would be no pattern any more.",
                where=f"entry {quote(entry.title)}",
                expected="a key that stays a pattern",
                found=made,
                hint=ecma.why_not_regex(made) or "",
            )
        if made.strip():
            items.append(made)
    return hits, items


_Span = tuple[int, int, str]
"""Start, end, and the text that takes its place."""


def _hit(ref: EntryRef, name: str, item: int | None, text: str, span: _Span) -> TextHit:
    start, end, put = span
    before, after = text[max(0, start - _CONTEXT) : start], text[end : end + _CONTEXT]
    return TextHit(ref, name, item, start, end, before, text[start:end], put, after)


def _spliced(text: str, spans: Sequence[_Span]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, put in spans:
        pieces += [text[place:start], put]
        place = end
    return "".join([*pieces, text[place:]])


def _spans(text: str, wanted: Replacement) -> Iterator[_Span]:
    """The hits in a text from left to right."""
    if not wanted.is_pattern:
        yield from ((*match.span(), wanted.put) for match in _literal(wanted).finditer(text))
        return
    end = 0
    for number, match in enumerate(ecma.compile(wanted.find, wanted.flags).matches(text)):
        if number >= _MOST_HITS:
            raise UsageError(
                "The pattern hits too often.", expected=f"at most {_MOST_HITS:,} hits in a text", found=wanted.find
            )
        if match.start >= end:  # halves of one character are shown as all of it, twice
            end = match.end
            yield match.start, match.end, expanded(wanted.put, text, match)


def _literal(wanted: Replacement) -> re.Pattern[str]:
    source = re.escape(wanted.find)
    if wanted.whole_words:
        source = rf"(?<!\w){source}(?!\w)"
    return re.compile(source, re.IGNORECASE if wanted.ignore_case else 0)


def expanded(template: str, text: str, match: ecma.Match) -> str:
    """The text that takes the place of a match, as JavaScript's `replace` makes it."""

    def one(sign: re.Match[str]) -> str:
        written = sign.group()
        if sign[2] is not None:
            return (match.named.get(sign[2]) or "") if match.named else written
        if sign[1] is not None:
            return _numbered(sign[1], match, written)
        return {"$$": "$", "$&": text[match.start : match.end], "$`": text[: match.start]}.get(
            written, text[match.end :]
        )

    return _TEMPLATE.sub(one, template)


def _numbered(digits: str, match: ecma.Match, written: str) -> str:
    """`$1` to `$99`: two digits if there are so many groups, else one; none of that: as it is written."""
    for length in (len(digits), 1):
        number = int(digits[:length])
        if 1 <= number <= len(match.groups):
            return (match.groups[number - 1] or "") + digits[length:]
    return written


def summary(replaced: Replaced) -> str:
    """How much there is to replace, for people: `5 hits in 3 entries: 4 in content, 1 in key`."""
    by_field = Counter(hit.name for hit in replaced.hits)
    entries = len({hit.ref for hit in replaced.hits})
    parts = ", ".join(f"{count:,} in {name}" for name, count in by_field.items())
    hits = "1 hit" if len(replaced.hits) == 1 else f"{len(replaced.hits):,} hits"
    return f"{hits} in {'1 entry' if entries == 1 else f'{entries:,} entries'}" + (f": {parts}" if parts else "")
