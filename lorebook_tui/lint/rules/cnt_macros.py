"""Macros in contents that stay as text, or that act whenever they are read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.macro_names import unknown_macros, writers
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.staging import call_of, shown
from lorebook_tui.lint.witness import witness

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.macro_names import Unknown
    from lorebook_tui.lint.subjects import EntryView

_SIMPLE: Final = "user|char|persona|group|charIfNotGroup|description|scenario|personality|newline|original"
_HALF_CLOSED: Final = re.compile(rf"\{{\{{\s*({_SIMPLE})\s*\}}(?!\}})", re.IGNORECASE)
_SINGLE: Final = re.compile(r"(?<!\{)\{\s*(user|char)\s*\}(?!\})", re.IGNORECASE)
_HALF_OPENED: Final = re.compile(rf"(?<!\{{)\{{\s*({_SIMPLE})\s*\}}\}}", re.IGNORECASE)
_OPEN_NAME: Final = re.compile(rf"\{{\{{\s*({_SIMPLE})\b(?!\s*[}}:|])", re.IGNORECASE)


class UnknownMacro(EntryRule):
    """A macro that SillyTavern does not know.

    Why: SillyTavern 1.19 leaves unknown macros as they are, and known ones with an argument too few or too many; the
    model reads the braces, and copies them. Some names mean something in the story string alone.
    Example: `{{chra}}` for `{{char}}`, or `{{character}}`.
    Do: write the name as SillyTavern has it. (A macro that an extension brings along is let pass by suppressing this
    rule for the entry.)
    Source: SillyTavern 1.19.
    """

    code = "CNT006"
    name = "unknown-macro"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "{{char}} {{USER}} {{random::a::b}} {{roll:1d6}} {{//chra}} {{.hp += 2}}"},)
        ),
        Example(({"key": ["a"], "content": "{{if x}}a{{else}}b{{/if}} {{time_UTC+2}} {{summary}} {{user!}}"},)),
        Example(({"key": ["a"], "content": "{{chra}}", "disable": True},)),
        Example(({"key": ["a"], "content": "{{roll:}}{{getvar::a}}{{setvar::a}}b{{/setvar}}{{// {{chra}} }}"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "{{chra}} and {{Users}}, {{chra}}"},),
            findings=2,
            fixed=({"content": "{{char}} and {{user}}, {{char}}"},),
        ),
        Example(({"key": ["a"], "content": "{{用户}}"},), fixed=({"content": "{{user}}"},)),
        Example(({"key": ["a"], "content": "{{insert the name}}"},)),
        Example(({"key": ["a"], "content": "{{user::x}} {{getvar}} {{roll}} {{user|upper}} {{}} {{}}"},), findings=5),
        Example(({"key": ["a"], "content": "{{wiBefore}} {{anchorAfter}} {{original}}"},), findings=3),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Each unknown name once; all near misses are repaired together."""
        del context
        content = entry.entry.content
        if not entry.is_enabled or "{{" not in content:
            return
        found = list(unknown_macros(content))
        better = content
        for unknown in reversed(found):
            if unknown.meant:
                end = unknown.start + len(unknown.name)
                better = better[: unknown.start] + unknown.meant + better[end:]
        for unknown in {_same(each): each for each in reversed(found)}.values():
            message = f"{_told(unknown)}: the model reads it as it stands."
            fix = None
            if unknown.meant:
                message = f"{message[:-1]}. Was {{{{{unknown.meant}}}}} meant?"
                change = SetField(entry.entry.path, "content", better)
                fix = Fix(f"write {unknown.meant}", (change,), Grade.OFFERED, alters_activation=True)
            yield self.finding(entry, message, entry.path_of("content"), fix=fix)


def _same(unknown: Unknown) -> str:
    """What macros have in common of which one finding is enough."""
    return unknown.text if unknown.is_known else unknown.name.lower()


def _told(unknown: Unknown) -> str:
    if unknown.where:
        return f"{quote(unknown.text)} is filled in only in {unknown.where}"
    if unknown.is_known:
        return f"SillyTavern has nothing to put in place of {quote(unknown.text)}, as it is not written so"
    return f"SillyTavern knows no macro {quote(unknown.name)}"


class BrokenMacro(EntryRule):
    """A macro with a brace too few, or that nothing closes.

    Why: SillyTavern 1.19 replaces what stands between `{{` and `}}`; anything else is sent to the model as it is.
    Example: `{user}`, `{{user}`, or `{{user is tired`.
    Do: write `{{user}}`.
    Source: SillyTavern 1.19.
    """

    code = "CNT007"
    name = "broken-macro"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "{{user}} and {{ char }}, {{random::{{user}}::b}}, {{{user}}}"},)),
        Example(({"key": ["a"], "content": "{a, b} and { user: 1 }, f(x) { return x }"},)),
        Example(({"key": ["a"], "content": "{user}", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "{user} is tired."},), fixed=({"content": "{{user}} is tired."},)),
        Example(
            ({"key": ["a"], "content": "{{user} and {char}} are {Char}."},),
            fixed=({"content": "{{user}} and {{char}} are {{Char}}."},),
        ),
        Example(({"key": ["a"], "content": "{{user is tired."},), fixed=({"content": "{{user}} is tired."},)),
        Example(({"key": ["a"], "content": "{{random::a::b, says {{char}}."},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """All braces at once."""
        del context
        content = entry.entry.content
        if not entry.is_enabled or "{" not in content:
            return
        better, broken = _closed(content)
        if broken:
            fix = Fix(
                "close the braces", (SetField(entry.entry.path, "content", better),), Grade.OFFERED,
                alters_activation=True,
            )  # fmt: skip
            are = "are no macros" if len(broken) > 1 else "is no macro"
            them = "them as they stand" if len(broken) > 1 else "it as it stands"
            message = f"{quoted(broken)} {are}, as a brace is missing: the model reads {them}."
            yield self.finding(entry, message, entry.path_of("content"), fix=fix)
        elif content.count("{{") > content.count("}}"):
            at = content.rindex("{{")
            near = content[at : at + 24].splitlines()[0]
            message = f"Nothing closes {quote(near)}: the model reads it as it stands."
            yield self.finding(entry, message, entry.path_of("content"))


def _closed(content: str) -> tuple[str, list[str]]:
    """The content with its simple macros closed, and what was broken in it."""
    broken: list[str] = []
    for pattern in (_HALF_CLOSED, _HALF_OPENED, _SINGLE):
        broken += [found[0] for found in pattern.finditer(content)]
        content = pattern.sub(r"{{\1}}", content)
    if content.count("{{") > content.count("}}"):
        broken += [found[0] for found in _OPEN_NAME.finditer(content)]
        content = _OPEN_NAME.sub(r"{{\1}}", content)
    return content, broken


class WritesVariables(EntryRule):
    """A content that changes variables.

    Why: SillyTavern 1.19 replaces the macros of an entry each time it passes its roll: at every generation, swipe and
    regeneration, and before the budget decides, so that an entry that is cut has counted all the same.
    (Setting a variable to the same value again does no harm; that is only mentioned.)
    Example: `{{incvar::days}}` in an entry: every swipe makes it a day later.
    Do: set variables in a quick reply or in the chat, and let entries only read them.
    Source: SillyTavern 1.19.
    """

    code = "CNT009"
    name = "writes-variables"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "{{getvar::days}} days. {{.hp}} {{hasvar::x}} {{.hp > 2}}"},)),
        Example(({"key": ["a"], "content": "{{incvar::days}}", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "{{incvar::days}} days."},)),
        Example(({"constant": True, "content": "{{.hp -= 1}}{{$seen = yes}}{{setglobalvar::a::b}}"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The macros that write."""
        found = list(writers(entry.entry.content)) if entry.is_enabled else []
        if not found:
            return
        call = call_of(entry)
        proof = None
        if call is not None:
            told = "Its macro has acted at every turn in which it was called."
            proof = shown(witness(told, [entry], [call] * 3, context.settings), entry, Reason.IN_PROMPT)
        listed = quoted(dict.fromkeys(each.text for each in found))
        acts = "act" if len({each.text for each in found}) > 1 else "acts"
        message = f"{listed} {acts} each time the entry is read: at swipes and retries as well."
        severity = None if any(each.accumulates for each in found) else Severity.INFO
        yield self.finding(entry, message, entry.path_of("content"), severity=severity, witness=proof)
