"""Files that cannot be read as lore at all: broken JSON, and JSON without entries."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.errors import LimitError, UnreadableError
from lorebook_tui.formats.convert import WORLD, convert
from lorebook_tui.formats.foreign import NotLoreError
from lorebook_tui.formats.json_errors import JsonSyntaxError
from lorebook_tui.lint.findings import Finding, Fix, Grade, Recode, SetAt, Severity
from lorebook_tui.lint.mending import Slip, mended
from lorebook_tui.lint.rule import Context, Example, FileRule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import FileView

_MOST_LINES: Final = 5
_DELETE: Final = "delete it"
_BEGINNING: Final = re.compile(
    r"(?:[^`{}\[\]]{1,2000}\n(?=[ \t]*+```))?"
    r"(?:[\s\ufeff\u200b-\u200f\u2060\x00\x1a]|//[^\n]*\n|/\*.*?\*/|```[a-z0-9]*[ \t]*\r?\n)+[{\[]"
    r'|[^`{}\[\]]{1,2000}\n[ \t]*\{\s*"[^"\n]{1,80}"\s*:',
    re.DOTALL | re.IGNORECASE,
)
"""JSON behind comments, what a chat says before it or a block of Markdown, or blanks that JSON does not know."""


def is_broken(file: FileView) -> bool:
    """Whether a file was meant to be JSON and is none."""
    if isinstance(file.error, JsonSyntaxError):
        return True
    return file.error is not None and _BEGINNING.match(file.text) is not None


class BrokenJson(FileRule):
    """A file that is no JSON, or JSON in an encoding that SillyTavern does not read.

    Why: SillyTavern 1.19 reads files as plain UTF-8 and parses them strictly: a comma too many, a single quote, a
    comment, NaN or a byte order mark is enough for "not valid", without a place or a reason. Half characters, which
    some programs write, are lost when it reads them.
    Example: a comma after the last key, as in `"key": ["mill",]`.
    Do: correct the place; `lorebook check --repair` shows what would put it right, with `--fix` it is written.
    Source: SillyTavern 1.19.
    """

    code = "FMT001"
    name = "broken-json"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "It grinds, // and that is no comment."},)),
        Example(source='{"entries": {}}\r\n'),
        Example(source="This is a letter to a friend.", name="letter.txt"),
        Example(source="// {a note}\nNothing else.", name="note.txt"),
        Example(source="Here is what I think:\n{nothing} of it\n", name="note.txt"),
        Example(source='{"entries": {"0": {"uid": 0, "key": ["\\ud83d"], "content": "\U0001f514"}}}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source='{"entries": {"0": {"uid": 0, "key": ["mill",], "content": "It\ngrinds."},}}',
            findings=2,
            fixed_source='{"entries": {"0": {"uid": 0, "key": ["mill"], "content": "It\\ngrinds."}}}',
        ),
        Example(
            source='{"entries": {"0": {"uid": 0, "key": ["mill"], "content": "Wet.", "probability": NaN',
            findings=2,
            fixed_source='{"entries": {"0": {"uid": 0, "key": ["mill"], "content": "Wet.", "probability": null}}}',
        ),
        Example(
            source='Here is your lorebook:\n{"entries": {}}\nEnjoy!\n', findings=2, fixed_source='{"entries": {}}\n'
        ),
        Example(source='\u200b{"entries": {}}', fixed_source='{"entries": {}}'),
        Example(source='{"entries": {}}'.encode("utf-16-be")),
        Example(source=b'{"entries": {"0": {"uid": 0, "key": ["\xed\xa0\xbd"], "content": "b"}}}'),
        Example(source='{"entries": {}} {"entries": {"0": {"uid": 0}}}'),
        Example(
            source=b'\xef\xbb\xbf{"entries": {"0": {"uid": 0, "key": ["a"], "content": "b"}}}',
            fixed_source=b'{"entries": {"0": {"uid": 0, "key": ["a"], "content": "b"}}}',
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """Every slip, those of one kind together."""
        del context
        if file.loaded is not None:
            yield from self._of_encoding(file)
        elif is_broken(file):
            slips = mended(file.text).slips
            if slips:
                yield from self._of_slips(file, slips)
            elif isinstance(file.error, JsonSyntaxError) and not file.text:
                yield self.finding(file, file.error.message)
            elif isinstance(file.error, JsonSyntaxError):
                cause = file.error.cause
                yield self.finding(file, f"{cause[:1].upper()}{cause[1:]}.", offset=_offset(file.text, file.error))

    def _of_encoding(self, file: FileView) -> Iterator[Finding]:
        loaded = file.loaded
        if loaded is None or loaded.container.kind != "json":
            return
        encoding = loaded.document.encoding
        if encoding.mark:
            known = {"utf-8": "begins with a byte order mark"}
            what = known.get(encoding.codec, f"is encoded in {encoding.codec.upper()[:6]}")
            message = f"The file {what}: SillyTavern reads plain UTF-8 and refuses it as not valid."
            yield self.finding(file, message, fix=Fix("save it as plain UTF-8", (Recode(),)))
            return
        half = _half_character(loaded.document.text)
        if half is not None:
            message = (
                f"Bytes that are no UTF-8, half a character (U+{ord(loaded.document.text[half]):04X}), stand here: "
                "SillyTavern puts signs for something unreadable in their place."
            )
            yield self.finding(file, message, offset=half, severity=Severity.WARNING)

    def _of_slips(self, file: FileView, slips: tuple[Slip, ...]) -> Iterator[Finding]:
        by_kind: dict[str, list[Slip]] = {}
        for slip in slips:
            kind = slip.cause if slip.told in {"", _DELETE} else slip.told  # other causes quote what they are about
            by_kind.setdefault(kind, []).append(slip)
        for same in by_kind.values():
            first = same[0]
            edits = tuple(edit for slip in same for edit in slip.edits)
            fix = Fix(first.told, edits, Grade.OFFERED) if edits else None
            yield self.finding(file, first.cause + _more(file, same[1:]), offset=first.offset, fix=fix)


def _more(file: FileView, slips: list[Slip]) -> str:
    """Where else the same is wrong."""
    if not slips:
        return ""
    lines = list(dict.fromkeys(file.place_of(slip.offset)[0] for slip in slips[: _MOST_LINES * 4]))
    listed = ", ".join(str(line) for line in lines[:_MOST_LINES])
    if len(slips) == 1:
        return f" There is another one in line {listed}."
    return f" There are {len(slips)} more, in line{'s' if len(lines) > 1 else ''} {listed}{' …' if len(lines) > _MOST_LINES else ''}."  # noqa: E501 - one sentence


def _half_character(text: str) -> int | None:
    """Where a text holds a surrogate, which bytes of proper UTF-8 never give."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return error.start
    return None


def _offset(text: str, error: JsonSyntaxError) -> int:
    from lorebook_tui.formats.json_errors import line_starts  # noqa: PLC0415 - only where nothing better is known

    starts = line_starts(text)
    return min(len(text), starts[min(error.line, len(starts)) - 1] + error.column - 1)


class NoEntries(FileRule):
    """A file or book without `entries`, or something among them that is no entry.

    Why: it is the only thing that SillyTavern 1.19 asks of a world: without `entries` it refuses the file.
    Example: `{"name": "Mill lore", "items": []}`.
    Do: put the entries under `entries`; a list of entries can be made into a world.
    Source: SillyTavern 1.19.
    """

    code = "FMT002"
    name = "no-entries"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"entries": {}}'),
        Example(source='{"spec": "chara_card_v2", "data": {"name": "Mira", "description": "", "first_mes": "Hi."}}'),
        Example(source='{"name": "x", "temperature": 1, "prompts": [], "prompt_order": []}'),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source='{"name": "Mill lore", "items": []}'),
        Example(source='{"entries": "none"}'),
        Example(source='{"entries": {"0": {"uid": 0, "key": ["mill"], "content": "It grinds."}, "1": null}}'),
        Example(source='{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"name": "B"}}}'),
        Example(
            source='[{"uid": 0, "key": ["mill"], "content": "It grinds."}]',
            fixed=({"uid": 0, "key": ["mill"], "content": "It grinds."},),
        ),
    )

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """Files that were refused for it, and books that have none."""
        del context
        loaded = file.loaded
        if loaded is None:
            error = file.error
            plain = isinstance(error, UnreadableError) and not isinstance(error, (JsonSyntaxError, LimitError))
            if error is not None and plain and file.text.lstrip()[:1] in {"{", "["} and not _is_other(error):
                yield self.finding(file, f"{error.message} Found: {error.found}.", offset=0)
            return
        for each in loaded.report.of("no-entries"):
            instead = "" if each.found == "nothing" else f", but {each.found}"
            yield self.finding(file, f"The book has no `entries`{instead}.", each.path)
        for each in loaded.report.of("broken-entry"):
            yield self.finding(file, f"What stands here is no entry, but {each.found}: it is passed over.", each.path)
        if loaded.documents and isinstance(loaded.document.value, list) and loaded.books:
            value = convert(loaded, WORLD).loaded.document.value
            fix = Fix("make a SillyTavern world of it", (SetAt((), value),), Grade.OFFERED, alters_activation=True)
            message = "It is a bare list of entries: SillyTavern asks for `entries` and refuses it."
            yield self.finding(file, message, (), fix=fix)


def _is_other(error: object) -> bool:
    return isinstance(error, NotLoreError)
