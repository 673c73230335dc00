"""UnoRouter's decorators: lines at the top of a content that it does not know, cannot read, or that contradict."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.decorator_lines import (
    BARS,
    FLAGS,
    GREETING,
    KEEPS,
    KNOWN,
    LISTS,
    NUMBERS,
    ROLES,
    number_of,
    scattered,
    with_line,
    without_lines,
)
from lorebook_tui.lint.findings import Fix, Grade, SetField, Severity
from lorebook_tui.lint.products import UnoRouterRule
from lorebook_tui.lint.rule import Example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.decorator_lines import DecoratorLine
    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.rule import Context
    from lorebook_tui.lint.subjects import EntryView

_CLOSE: Final = 0.7
_ALWAYS: Final = 100


def written(entry: EntryView, told: str, content: str) -> Fix:
    """Another content, as a guess about what was meant."""
    return Fix(told, (SetField(entry.entry.path, "content", content),), Grade.OFFERED, alters_activation=True)


class UnknownDecorator(UnoRouterRule):
    """A `@@` line that UnoRouter does not know.

    Why: UnoRouter takes the lines that begin with `@@` at the top of a content as orders; one that it does not know is
    taken away without any effect.
    Example: `@@probabilty 50` above the text.
    Do: write the name as the document has it.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO001"
    name = "decorator-unknown-to-unorouter"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@probability 50\n@@Role user\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@whatever 50\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@order 5\n@@unrecursive\nIt grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["mill"], "content": "@@order 5\n@@probabilty 50\nIt grinds."},),
            fixed=({"content": "@@order 5\n@@probability 50\nIt grinds."},),
        ),
        Example(({"key": ["mill"], "content": "@@order 5\n@@xyzzy\nIt grinds."},)),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Names that are close to a known one are offered a repair."""
        del context
        for line in lines:
            if line.name in KNOWN:
                continue
            close = difflib.get_close_matches(line.name, KNOWN, 1, _CLOSE)
            fix, meant = None, ""
            if close:
                better = f"@@{close[0]} {line.argument}".strip()
                meant = f" Was @@{close[0]} meant?"
                fix = written(entry, f"write @@{close[0]}", with_line(entry.entry.content, line.number, better))
            message = f"UnoRouter does not know {quote(line.text)} and takes the line away.{meant}"
            yield self.finding(entry, message, entry.path_of("content"), fix=fix)


class DecoratorValue(UnoRouterRule):
    """A decorator with a value that it cannot have.

    Why: `@@probability` is a percentage, `@@scan_depth` a number of messages up to 100, `@@order` and `@@priority` are
    numbers, `@@activate_only_after` and `@@activate_only_every` count messages from 1, `@@role` is system, user or
    assistant. UnoRouter passes over what it cannot read.
    Example: `@@probability 150`, or `@@role narrator`.
    Do: give it a value that it can have.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO002"
    name = "decorator-value"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@probability 0.5\n@@order -3\n@@activate_only_every 4\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@role assistant\n@@is_greeting\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@role user\n@@is_greeting 2\nIt grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["mill"], "content": "@@probability 150\nIt grinds."},),
            fixed=({"content": "@@probability 100\nIt grinds."},),
        ),
        Example(({"key": ["mill"], "content": "@@probability often\n@@role narrator\nIt grinds."},), findings=2),
        Example(({"key": ["mill"], "content": "@@activate_only_after\n@@is_greeting first\nIt grinds."},), findings=2),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Each line by itself."""
        del context
        for line in lines:
            wanted, better = _wanted(line)
            if not wanted:
                continue
            fix = None
            if better is not None:
                content = with_line(entry.entry.content, line.number, f"@@{line.name} {better:g}")
                fix = written(entry, f"write {better:g}", content)
            got = f"{quote(line.argument)}" if line.argument else "nothing"
            message = f"@@{line.name} takes {wanted}, and has {got}."
            yield self.finding(entry, message, entry.path_of("content"), fix=fix)


def _wanted(line: DecoratorLine) -> tuple[str, float | None]:
    """What a decorator takes, if it has something else, and the nearest value that it can have."""
    value = number_of(line.argument)
    if line.name in NUMBERS:
        least, most = NUMBERS[line.name]
        words = "a number" if least is None else f"a number from {least}" + (f" to {most}" if most else "")
        if value is None:
            return words, None
        if least is not None and value < least:
            return words, least
        return (words, most) if most is not None and value > most else ("", None)
    if line.name == "role":
        return ("" if line.argument.lower() in ROLES else "system, user or assistant"), None
    if line.name == GREETING and line.argument:
        is_index = value is not None and value >= 0 and value.is_integer()
        return ("" if is_index else "nothing, or the number of a greeting from 0"), None
    return ("nothing", None) if line.name in FLAGS and line.argument else ("", None)


class ScatteredDecorator(UnoRouterRule):
    """A decorator that stands below text.

    Why: UnoRouter reads only the `@@` lines at the top of a content; one further down is sent to the model as text.
    Example: `It grinds.` on the first line, `@@probability 50` on the second.
    Do: move it to the top.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO003"
    name = "scattered-decorator"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@order 5\n\n@@role user\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@order 5\nIt grinds.\n@@ is how they sign."},)),
        Example(({"key": ["mill"], "content": "It grinds.\n@@probability 50"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["mill"], "content": "@@order 5\nIt grinds.\n@@probability 50"},),
            fixed=({"content": "@@probability 50\n@@order 5\nIt grinds."},),
        ),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """All of an entry in one finding."""
        del lines, context
        found = scattered(entry.entry.content)
        if not found:
            return
        rest = without_lines(entry.entry.content, {line.number for line in found})
        content = "\n".join([*(line.text for line in found), rest])
        message = f"{quote(found[0].text)} stands below text: UnoRouter sends it to the model as it is."
        fix = written(entry, "move it to the top", content)
        yield self.finding(entry, message, entry.path_of("content"), fix=fix)


class KeepAndBar(UnoRouterRule):
    """An entry that is to stay after its first match, and never to come again after it.

    Why: `@@keep` holds an entry after its first match, `@@dont_activate_after_match` keeps it out for ever after one;
    from the next turn on only one of them can have its way.
    Example: both lines above one text.
    Do: remove one of them.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO004"
    name = "keep-and-bar"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@keep\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@dont_activate_after_match\n@@order 3\nIt grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@keep\n@@dont_activate_after_match\nIt grinds."},)),
        Example(
            ({"key": ["mill"], "content": "@@dont_activate_after_match\n@@keep_activate_after_match\nIt grinds."},)
        ),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Both of them."""
        del context
        names = {line.name for line in lines}
        if BARS in names and names & KEEPS:
            message = "After its first match it is to stay for good and never to come again: both cannot be."
            yield self.finding(entry, message, entry.path_of("content"))


class RepeatedDecorator(UnoRouterRule):
    """The same decorator twice.

    Why: An entry has one probability, one order, one role; of two lines only one counts, and programs differ in which.
    Example: `@@role user` and `@@role system` above one text.
    Do: keep one of them.
    Source: UnoRouter's document on lorebooks; the V3 card specification.
    """

    code = "UNO005"
    name = "repeated-decorator"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@role user\n@@order 3\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@order 3\n@@exclude_keys a\n@@exclude_keys b\nIt grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["mill"], "content": "@@role user\n@@role system\nIt grinds."},),
            fixed=({"content": "@@role user\nIt grinds."},),
        ),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Each line that comes after one of the same name."""
        del context
        first: dict[str, DecoratorLine] = {}
        more = [line for line in lines if line.name not in LISTS and first.setdefault(line.name, line) is not line]
        if not more:
            return
        content = without_lines(entry.entry.content, {line.number for line in more})
        message = f"@@{more[0].name} stands there more than once; only one of the lines counts."
        yield self.finding(
            entry, message, entry.path_of("content"), fix=written(entry, "keep the first of them", content)
        )


class ProbabilityAtAnEnd(UnoRouterRule):
    """A probability of nothing, or of everything.

    Why: `@@probability` is the percentage with which UnoRouter injects an entry that has matched: with 0 it never does,
    with 100 the line says what would happen anyway.
    Example: `@@probability 0`.
    Do: disable the entry instead of 0, remove the line instead of 100.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO006"
    name = "probability-at-an-end"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@probability 1\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@probability 99.5\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@probability 0\nIt grinds.", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@probability 0\nIt grinds."},), fixed=({"disable": True},)),
        Example(({"key": ["mill"], "content": "@@probability 100\nIt grinds."},), fixed=({"content": "It grinds."},)),
    )

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """Both ends."""
        del context
        line = next((line for line in lines if line.name == "probability"), None)
        value = number_of(line.argument) if line is not None else None
        if line is None or not entry.is_enabled:
            return
        if value == 0:
            fix = Fix(
                "disable it", (SetField(entry.entry.path, "disable", True),), Grade.OFFERED, alters_activation=True
            )
            yield self.finding(entry, "With a probability of 0 it never comes in.", entry.path_of("content"), fix=fix)
        elif value == _ALWAYS:
            fix = written(entry, "remove the line", without_lines(entry.entry.content, {line.number}))
            message = "A probability of 100 is what an entry has anyway."
            yield self.finding(entry, message, entry.path_of("content"), severity=Severity.INFO, fix=fix)


class LateGreeting(UnoRouterRule):
    """An entry for the greeting that has to wait for more messages than there are then.

    Why: `@@is_greeting` makes an entry active only while the chat is still on the greeting, which is its first message;
    `@@activate_only_after` and `@@activate_only_every` ask for several.
    Example: `@@is_greeting` and `@@activate_only_after 4`.
    Do: remove one of them.
    Source: UnoRouter's document on lorebooks.
    """

    code = "UNO007"
    name = "late-greeting"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@is_greeting\n@@activate_only_after 1\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@is_greeting 1\n@@activate_only_after 4\nIt grinds."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "content": "@@is_greeting\n@@activate_only_after 4\nIt grinds."},)),
        Example(({"key": ["mill"], "content": "@@activate_only_every 3\n@@is_greeting\nIt grinds."},)),
    )
    _FEW: ClassVar[int] = 2
    """Messages while the chat is on the greeting: it, and the one being sent."""

    def look(self, entry: EntryView, lines: tuple[DecoratorLine, ...], context: Context) -> Iterator[Finding]:
        """A bare `@@is_greeting`; with a number it names one of several greetings and holds for the whole chat."""
        del context
        if not any(line.name == GREETING and not line.argument for line in lines):
            return
        for line in lines:
            if line.name in {"activate_only_after", "activate_only_every"}:
                value = number_of(line.argument)
                if value is not None and value > self._FEW:
                    message = f"It is for the greeting only, but waits for {value:g} messages: it never comes in."
                    yield self.finding(entry, message, entry.path_of("content"))
