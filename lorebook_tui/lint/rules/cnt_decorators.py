"""`@@` lines at the top of a content that SillyTavern takes away without doing what they say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.products import product_of
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.rules.fmt_values import UNOROUTER
from lorebook_tui.model.decorators import ACTIVATE, DONT_ACTIVATE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.lint.subjects import EntryView

_HOSTS: Final = frozenset({"sillytavern", "bare_book", "memory"})
"""Formats of books that are for SillyTavern alone."""
_ROLES: Final = {"system": 0, "user": 1, "assistant": 2, "char": 2, "bot": 2}
_PLACES: Final = {"before_desc": 0, "after_desc": 1, "before_char": 0, "after_char": 1}
_ELSEWHERE: Final = frozenset({
    "activate_only_after", "activate_only_every", "keep", "keep_activate_after_match", "dont_activate_after_match",
    "instruct_depth", "reverse_depth", "reverse_instruct_depth", "instruct_scan_depth", "is_greeting", "is_user_icon",
    "ignore_on_max_context", "disable_ui_prompt", "exclude_keys_all", "recursive", "inject_lore", "inject_at",
    "inject_replace", "inject_prepend", "priority",
})  # fmt: skip
"""Names of the V3 specification and of other hosts for which SillyTavern has no field."""
_FOLLOWED: Final = re.compile(rf"(?:{ACTIVATE}|{DONT_ACTIVATE})(?!\w)")
"""One of the two known names with something behind it, and no longer name that only begins so."""


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < len("1000000") else None


def _number(name: str, **more: Any) -> Callable[[str], dict[str, Any]]:
    def fields(text: str) -> dict[str, Any]:
        number = _whole(text)
        return {} if number is None else {name: number, **more}

    return fields


def _chosen(name: str, values: dict[str, int], **more: Any) -> Callable[[str], dict[str, Any]]:
    def fields(text: str) -> dict[str, Any]:
        return {name: values[text], **more} if text in values else {}

    return fields


def _keys(logic: int) -> Callable[[str], dict[str, Any]]:
    def fields(text: str) -> dict[str, Any]:
        keys = [key for part in text.split(",") if (key := part.strip())]
        return {"keysecondary": keys, "selective": True, "selectiveLogic": logic} if keys else {}

    return fields


_FIELDS: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "depth": _number("depth", position=4),
    "role": _chosen("role", _ROLES, position=4),
    "scan_depth": _number("scanDepth"),
    "position": _chosen("position", _PLACES),
    "probability": _number("probability", useProbability=True),
    "order": _number("order"),
    "insertorder": _number("order"),
    "additional_keys": _keys(0),
    "exclude_keys": _keys(2),
    "match_full_word": lambda _: {"matchWholeWords": True},
    "match_partial_word": lambda _: {"matchWholeWords": False},
    "unrecursive": lambda _: {"preventRecursion": True},
    "no_recursive_search": lambda _: {"excludeRecursion": True},
}
"""Decorators that SillyTavern has fields for, and what they say in these."""


def _parted(line: str) -> tuple[str, str]:
    """Name and value of a decorator."""
    name, *value = line.strip().lstrip("@").split(None, 1) or [""]
    return name, "".join(value).strip()


def _is_elsewhere(line: str) -> bool:
    return (name := _parted(line)[0]) in _FIELDS or name in _ELSEWHERE


class UnknownDecorator(EntryRule):
    """A line with `@@` at the top of a content that SillyTavern removes without any effect.

    Why: SillyTavern 1.19 takes all such lines off the top of a text. It knows two, `@@activate` and `@@dont_activate`,
    and only if nothing follows the name, not even a blank or a carriage return.
    Example: `@@note to self`, or `@@activate now`.
    Do: remove the line, or write `@@activate` alone.
    Source: SillyTavern 1.19.
    """

    code = "CNT010"
    name = "unknown-decorator"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"content": "@@activate\nIt grinds."},)),
        Example(({"key": ["a"], "content": "It grinds.\n@@note"},)),
        Example(({"key": ["a"], "content": "@@depth 2\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@note", "disable": True},)),
        Example(source=UNOROUTER.replace('"x"', '"@@probabilty 60"')),
        Example(({"key": ["a"], "content": "@@activate_only_after 3\n@@activate_only_every 2\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@dont_activate_after_match\nIt grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "@@note to self\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@activate now\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@activate\r\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@activate_now\n@@dont_activate: rain\nIt grinds."},), findings=2),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Lines that nobody knows, and known ones with something behind the name; not in books for other products."""
        del context
        lines = entry.decorated.ignored if entry.is_enabled and not product_of(entry) else ()
        for line in lines:
            if line.strip() in {ACTIVATE, DONT_ACTIVATE}:
                message = (
                    f"{quote(line.strip())} has no effect, as a blank or a carriage return follows it on its line."
                )
            elif _is_elsewhere(line):
                continue
            elif _FOLLOWED.match(line):
                message = f"{quote(line.strip())} has no effect, as something follows the name: the line is removed."
            else:
                message = f"SillyTavern knows no {quote(line.strip())}: the line is removed and does nothing."
            yield self.finding(entry, message, entry.path_of("content"))


class ForeignDecorator(EntryRule):
    """A decorator of the V3 specification, or of another host, in a book for SillyTavern.

    Why: SillyTavern 1.19 removes such lines without doing what they say; it has fields for most of them.
    Example: `@@depth 2` and `@@role user` above the text.
    Do: set the fields; or keep the book in a format whose hosts read decorators.
    Source: SillyTavern 1.19; the V3 card specification.
    """

    code = "CNT011"
    name = "foreign-decorator"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"content": "@@activate\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@note\nIt grinds."},)),
        Example(({"key": ["a"], "content": "It grinds at @@depth 2."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "@@depth 2\n@@role user\nIt grinds."},),
            fixed=({"content": "It grinds.", "depth": 2, "role": 1, "position": 4},),
        ),
        Example(
            ({"key": ["a"], "content": "@@additional_keys mill, wheel\n@@is_greeting 2\nIt grinds."},),
            fixed=({"content": "@@is_greeting 2\nIt grinds.", "keysecondary": ["mill", "wheel"], "selectiveLogic": 0},),
        ),
        Example(({"key": ["a"], "content": "@@keep_activate_after_match\nIt grinds."},)),
        Example(({"key": ["a"], "content": "@@activate_only_after\t3\nIt grinds."},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """All such lines at once."""
        del context
        if not entry.is_enabled or entry.book.book.format not in _HOSTS:
            return
        lines = [line for line in entry.decorated.ignored if _is_elsewhere(line)]
        if not lines:
            return
        message = f"{quoted(line.strip() for line in lines)} has no effect in SillyTavern: the line is removed."
        yield self.finding(entry, message, entry.path_of("content"), fix=self._fix(entry, lines))

    def _fix(self, entry: EntryView, lines: list[str]) -> Fix | None:
        """Fields in place of the lines that have some."""
        wanted: dict[str, Any] = {}
        done = []
        for line in lines:
            name, value = _parted(line)
            fields = _FIELDS[name](value) if name in _FIELDS else {}
            if fields and not ("keysecondary" in fields and (entry.secondary or "keysecondary" in wanted)):
                wanted |= fields
                done.append(line)
        if not done:
            return None
        rest = list(done)
        left = []
        for line in entry.entry.content.split("\n"):
            if line in rest or line[1:] in rest:
                rest = [other for other in rest if other not in {line, line[1:]}]
            else:
                left.append(line)
        changes = [SetField(entry.entry.path, name, value) for name, value in wanted.items()]
        changes.append(SetField(entry.entry.path, "content", "\n".join(left)))
        return Fix("set the fields instead", tuple(changes), Grade.OFFERED, alters_activation=True)
