"""Rules explained, from the words and examples they carry."""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import NEWLINE, plain
from lorebook_tui.lint.catalogue import all_rules, family, rule_named
from lorebook_tui.lint.findings import Grade
from lorebook_tui.lint.told import section

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.lint.rule import Example, Rule

FAMILIES: Final = {
    "FMT": "Files, schema, identity",
    "KEY": "Keys",
    "RX": "Patterns as keys",
    "ACT": "Can it ever activate?",
    "GRP": "Groups and chance",
    "ORD": "Order, position, outlets",
    "BUD": "Size and budget",
    "REC": "Recursion",
    "CNT": "Content and macros",
    "PORT": "Portability",
    "UNO": "UnoRouter",
    "YUM": "Yumina",
}
_LONGEST: Final = 160
"""Characters of a text in an example that are shown."""
_GRADES: Final = {Grade.SAFE: "safe fix", Grade.OFFERED: "offered fix", Grade.NONE: ""}


def write_list(writer: Writer) -> None:
    """All rules, a line each, by family."""
    for name, rules in groupby(all_rules(), key=lambda rule: family(rule.code)):
        writer.heading(name, FAMILIES.get(name, ""))
        rows = [
            (rule.code, rule.severity.value, rule.name, _GRADES[rule.grade], "preview" if rule.preview else "")
            for rule in rules
        ]
        writer.table(rows, indent="  ")
        writer.line()


def write_rule(text: str, writer: Writer) -> None:
    """One rule in full.

    Raises:
        UsageError: there is no such rule.
    """
    rule = rule_named(text)
    doc = rule.__doc__ or ""
    writer.heading(f"{rule.code} {rule.name}", _about(rule))
    writer.line()
    for title, part in (("", ""), ("Why", "Why"), ("Example", "Example"), ("Do", "Do")):
        words = section(doc, part)
        if words:
            writer.wrapped(f"{title}: {words}" if title else words, hang="  " if title else "")
            writer.line()
    for option in rule.options:
        writer.wrapped(f"Option {option.name} = {_written(option.default)}: {option.help}", hang="  ")
    if rule.options:
        writer.line()
    example = next(iter(rule.invalid), None)
    if example is not None:
        _write_example(example, writer)
    writer.wrapped(f"Source: {section(doc, 'Source')}", hang="  ", style="faint")
    let_pass = f'"extensions": {{"lorebook": {{"ignore": {{"{rule.code}": "why"}}}}}}'
    writer.wrapped(f"Let it pass for one entry: {let_pass}", hang="  ", style="faint")


def write_reference(writer: Writer) -> None:
    """All rules as one Markdown document."""
    writer.line("# Rules of `lorebook check`")
    for name, rules in groupby(all_rules(), key=lambda rule: family(rule.code)):
        writer.line(f"\n## {name}: {FAMILIES.get(name, '')}\n")
        for rule in rules:
            doc = rule.__doc__ or ""
            writer.line(f"### {rule.code} `{rule.name}`\n")
            writer.line(f"*{_about(rule)}*\n")
            writer.line(section(doc, ""))
            for part in ("Why", "Example", "Do", "Source"):
                writer.line(f"\n**{part}:** {section(doc, part)}")
            for option in rule.options:
                writer.line(f"\n**Option** `{option.name} = {_written(option.default)}`: {option.help}")
            writer.line()


def _about(rule: Rule) -> str:
    words = [rule.severity.value, f"looks at {_SEES[rule.scope.value]}", _GRADES[rule.grade] or "no fix"]
    words += [f"needs more: {need.value}" for need in sorted(rule.needs, key=lambda need: need.name)]
    return ", ".join(words) + (", preview" if rule.preview else "")


_SEES: Final = {
    "file": "the file",
    "entry": "one entry",
    "book": "a whole book",
    "set": "all that is open together",
    "chats": "chats",
}


def _write_example(example: Example, writer: Writer) -> None:
    if isinstance(example.source, str):
        _write_source("Found here:", example.source, writer)
        if isinstance(example.fixed_source, str):
            _write_source("After the fix:", example.fixed_source, writer)
    if example.entries:
        _write_entries("Found here:", example.entries, writer)
    if example.fixed:
        _write_entries("After the fix:", example.fixed, writer)
    writer.line()


def _write_source(title: str, source: str, writer: Writer) -> None:
    """A whole file; line breaks that only lay it out are blanks, those in a file that is broken are to be seen."""
    writer.line(title)
    writer.wrapped(plain(source, " " if _is_json(source) else NEWLINE), indent="  ", hang="    ", style="faint")


def _write_entries(title: str, entries: Iterable[Mapping[str, Any]], writer: Writer) -> None:
    """Fields of entries, without those that an example says are not there."""
    writer.line(title)
    for fields in entries:
        shown = {name: value for name, value in fields.items() if value is not ...}
        writer.wrapped(_written(shown), indent="  ", hang="    ", style="faint")


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _written(value: Any) -> str:
    return json.dumps(_short(list(value) if isinstance(value, tuple) else value), ensure_ascii=False)


def _short(value: Any) -> Any:
    """A value whose long texts are told by their beginning."""
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[: _LONGEST // 2]}… ({len(value):,} characters)"
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items()}
    return [_short(item) for item in value] if isinstance(value, list) else value
