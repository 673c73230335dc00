"""Findings as plain values, with their place worked out: what reports are written from, also by another process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.formats.json_edit import path_text
from lorebook_tui.lint.catalogue import family, rule_named
from lorebook_tui.lint.findings import Grade, Severity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.runner import Report

_FRAME_CELLS: Final = 160
"""Characters of a source line that are kept around the place."""


UNREADABLE: Final = frozenset({"FMT001", "FMT002"})
"""Rules that say why a file cannot be read."""


@dataclass(frozen=True, slots=True)
class Told:
    """One finding."""

    file: str
    code: str
    name: str
    severity: Severity
    message: str
    line: int | None = None
    column: int | None = None
    """From 1, in characters."""
    path: str = ""
    """Dotted: `entries.3.key.0`."""
    entry: str = ""
    """Title of the entry."""
    uid: str = ""
    others: tuple[str, ...] = ()
    """Titles of entries that belong to it too."""
    fix: str = ""
    """What would repair it, as an order."""
    grade: Grade = Grade.NONE
    alters: bool = False
    """Whether the repair may change which entries come in."""
    witness: Mapping[str, Any] | None = None
    frame: str = ""
    """The source line, or the part of it around the place."""
    caret: int = 0
    """Characters of the frame before the place."""
    length: int = 1
    """Characters of the frame that the place takes."""
    fingerprint: str = ""

    @property
    def family(self) -> str:
        """`KEY` of `KEY002`."""
        return family(self.code)

    @property
    def why(self) -> str:
        """The rule's own reason, in a paragraph."""
        return section(rule_named(self.code).__doc__ or "", "Why")


@dataclass(frozen=True, slots=True)
class ToldFile:
    """What there is to say of one file."""

    name: str
    findings: tuple[Told, ...] = ()
    entries: int = 0
    kind: str = ""
    """What the file is, with an article."""
    unreadable: str = ""
    """Why it cannot be read, or what it is instead, if it is no lore."""
    passed_over: str = ""
    """What it is instead, if it was only found in a folder: nothing is wrong with that."""
    suppressed: int = 0
    known: int = 0
    fixed: tuple[Told, ...] = ()
    """Findings that were repaired."""
    refused: tuple[Told, ...] = ()
    """Findings whose repair would change which entries come in without saying so: it was not made."""
    diff: str = ""
    """What repairing them changes, or changed."""
    backup: str = ""
    note: str = ""
    """What else is worth knowing, such as that a card holds no book."""
    digest: str = ""
    """SHA-256 of the bytes that were looked at."""

    @property
    def untold(self) -> str:
        """Why it cannot be read, where no finding says so."""
        return "" if any(told.code in UNREADABLE for told in self.findings) else self.unreadable


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Everything a run has to say."""

    files: tuple[ToldFile, ...] = ()
    skipped: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(why, codes) of rules that could not run."""
    is_cut_short: bool = False
    """A mistake of ours stopped rules that look at all files together; `skipped` says which."""
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def findings(self) -> tuple[Told, ...]:
        """Of all files."""
        return tuple(told for file in self.files for told in file.findings)

    def count(self, severity: Severity) -> int:
        """How many are that bad."""
        return sum(1 for told in self.findings if told.severity is severity)


def told(finding: Finding) -> Told:
    """A finding as plain values."""
    place = finding.place
    frame, caret, length = _frame(finding, place)
    entry = finding.entry.entry if finding.entry else None
    return Told(
        file=finding.file.name,
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        message=finding.message,
        line=place[0] if place else None,
        column=place[1] if place else None,
        path=path_text(finding.path),
        entry=entry.title if entry else "",
        uid=entry.uid_text if entry else "",
        others=tuple(other.entry.title for other in finding.others),
        fix=finding.fix.told if finding.fix else "",
        grade=finding.fix.grade if finding.fix else Grade.NONE,
        alters=finding.fix is not None and finding.fix.alters_activation,
        witness=finding.witness.scenario if finding.witness else None,
        frame=frame,
        caret=caret,
        length=length,
        fingerprint=finding.fingerprint,
    )


def told_report(report: Report) -> tuple[Told, ...]:
    """All findings, by place in their file."""
    listed = [told(finding) for finding in report.findings]
    return tuple(sorted(listed, key=lambda each: (each.file, each.line or 0, each.column or 0, each.code)))


def section(doc: str, name: str) -> str:
    """A part of a rule's docstring, as one paragraph: `Why`, `Example`, `Do` or `Source`; "" for its first line."""
    import inspect  # noqa: PLC0415 - only where rules are explained

    parts: dict[str, list[str]] = {"": []}
    current = ""
    for line in inspect.cleandoc(doc).splitlines():
        head, colon, rest = line.partition(":")
        if colon and head in {"Why", "Example", "Do", "Source"}:
            current = head
            parts[current] = [rest.strip()]
        else:
            parts[current].append(line.strip())
    return " ".join(word for word in parts.get(name, []) if word)


def _frame(finding: Finding, place: tuple[int, int] | None) -> tuple[str, int, int]:
    """The source line of a finding, where its place begins in it, and how long that is."""
    document = finding.file.document
    text = document.text if document is not None else finding.file.text
    if place is None or not text:
        return "", 0, 1
    start = finding.offset
    end = start + 1 if start is not None else 0
    if start is None and document is not None:
        start, end = document.span(finding.path)
    if start is None:
        return "", 0, 1
    begin = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", start)
    stop = len(text) if stop < 0 else stop
    begin = max(begin, start - _FRAME_CELLS // 2)
    stop = min(stop, begin + _FRAME_CELLS)
    return text[begin:stop].rstrip("\r"), start - begin, max(1, min(end, stop) - start)
