"""The report for people: each finding with the line it is about, what would repair it, and a summary."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import cell_width, elide, plain
from lorebook_tui.lint.findings import Grade, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.lint.told import CheckResult, Told, ToldFile

STYLES: Final = {Severity.ERROR: "bad", Severity.WARNING: "warn", Severity.INFO: "info", Severity.OFF: "faint"}
_GUTTER: Final = 6
_MOST_OTHERS: Final = 4
_LONGEST_LINE: Final = 400
"""Characters of a line of a difference that are shown as they are."""
_AROUND: Final = 60
_GUESS: Final = " (a guess: --unsafe-fixes)"
_ALTERS: Final = "; it may change which entries come in"
MENDABLE: Final = "FMT001"
"""The rule whose repairs make a broken file readable."""


def write_result(
    result: CheckResult,
    writer: Writer,
    *,
    with_diff: bool = False,
    with_mending: bool = False,
    statistics: bool = False,
) -> None:
    """The whole report.

    Args:
        result: what there is to say.
        writer: writes it.
        with_diff: show what repairs would change instead of the findings.
        with_mending: show below the findings of a broken file how it could be read again.
        statistics: how often each rule found something.
    """
    if with_diff:
        for file in result.files:
            _write_diff(file.diff, writer)
            _write_refused(file, writer, f"{plain(file.name, ' ')}: ")
    else:
        for file in result.files:
            _write_file(file, writer)
            if with_mending:
                _write_diff(file.diff, writer)
    if statistics:
        _write_statistics(result, writer)
    _write_skipped(result, writer)
    _write_passed_over(result, writer)
    _write_summary(result, writer, with_diff=with_diff)


def _write_file(file: ToldFile, writer: Writer) -> None:
    if not (file.findings or file.untold or file.fixed or file.note):
        return
    note = f"{file.kind}, {file.entries} {'entry' if file.entries == 1 else 'entries'}" if file.kind else ""
    writer.heading(plain(file.name, " "), note)
    if file.untold:
        writer.wrapped(plain(file.untold, " "), indent="  ", hang="  ", style="bad")
    if file.note:
        writer.wrapped(plain(file.note, " "), indent="  ", hang="  ", style="faint")
    for told in file.findings:
        _write_finding(told, writer)
    if file.fixed:
        writer.wrapped(f"Repaired: {_codes(file.fixed)}.", indent="  ", style="good")
        altering = [told for told in file.fixed if told.alters]
        if altering:
            writer.wrapped(f"Of these, may change which entries come in: {_codes(altering)}.", indent="  ")
        if file.backup:
            writer.wrapped(f"Backup: {plain(file.backup, ' ')}", indent="  ", style="faint")
    _write_refused(file, writer)
    writer.line()


def _codes(listed: Iterable[Told]) -> str:
    """Rules with how often each is there."""
    counts = Counter(told.code for told in listed)
    return ", ".join(f"{code} ({count})" if count > 1 else code for code, count in sorted(counts.items()))


def _write_refused(file: ToldFile, writer: Writer, where: str = "") -> None:
    if file.refused:
        text = f"{where}Not repaired, as it would change which entries come in: {_codes(file.refused)}."
        writer.wrapped(text, indent="  ", hang="  ", style="warn")


def _write_finding(told: Told, writer: Writer) -> None:
    place = f"{told.line}:{told.column}" if told.line is not None else "–"
    sign = told.severity.value[0].upper()
    entry = f"  {elide(told.entry, 40)}" if told.entry else ""
    head = writer.styled(f"{sign} {told.code}", STYLES[told.severity])
    writer.line(f"  {place:>{_GUTTER}}  {head} {writer.styled(told.name, 'faint')}{entry}")
    indent = " " * (_GUTTER + 4)
    writer.wrapped(plain(told.message, " "), indent=indent, hang=indent)
    if told.others:
        names = ", ".join(elide(title, 30) for title in told.others[:_MOST_OTHERS])
        more = f" and {len(told.others) - _MOST_OTHERS} more" if len(told.others) > _MOST_OTHERS else ""
        writer.wrapped(f"with {names}{more}", indent=indent, hang=indent, style="faint")
    _write_frame(told, writer)
    if told.grade is not Grade.NONE:
        offer = "" if told.grade is Grade.SAFE else _GUESS
        offer = " (--repair)" if told.code == MENDABLE and offer else offer
        said = _ALTERS if told.alters else ""
        writer.wrapped(f"fix: {plain(told.fix, ' ')}{said}{offer}", indent=indent, hang=indent + "     ", style="good")


def _write_frame(told: Told, writer: Writer) -> None:
    """The source line, and a mark under the place."""
    if not told.frame.strip() or told.line is None:
        return
    blank = len(told.frame) - len(told.frame.lstrip())
    before = plain(told.frame[blank : told.caret], " ")
    marked = plain(told.frame[told.caret : told.caret + told.length], " ")
    after = plain(told.frame[told.caret + told.length :], " ")
    room = writer.width - _GUTTER - 7
    shown = elide(before + marked + after, room)
    bar = "|" if writer.glyphs.letters else "│"
    writer.line(writer.styled(f"  {told.line:>{_GUTTER}} {bar} ", "faint") + shown)
    start = cell_width(before)
    if start < room:
        carets = "^" * max(1, min(cell_width(marked), room - start))
        writer.line(
            writer.styled(f"  {'':>{_GUTTER}} {bar} ", "faint")
            + " " * start
            + writer.styled(carets, STYLES[told.severity])
        )


def _write_diff(diff: str, writer: Writer) -> None:
    lines = diff.splitlines()
    for number, line in enumerate(lines):
        style = {"+": "good", "-": "bad", "@": "info"}.get(line[:1], "")
        shown = line if len(line) <= _LONGEST_LINE else _shortened(line, _other_side(lines, number))
        writer.line(writer.styled(plain(shown, " "), style))


def _other_side(lines: list[str], number: int) -> str:
    """The line that a line of a difference takes the place of, or that takes its place; "" for none."""
    sign = lines[number][:1]
    first = last = number
    while first > 0 and lines[first - 1][:1] == sign:
        first -= 1
    while last + 1 < len(lines) and lines[last + 1][:1] == sign:
        last += 1
    place = first - (last - number) - 1 if sign == "+" else last + (number - first) + 1
    opposite = {"+": "-", "-": "+"}.get(sign, "")
    return lines[place] if opposite and 0 <= place < len(lines) and lines[place][:1] == opposite else ""


def _shortened(line: str, other: str) -> str:
    """A very long line around what is different in it."""
    if not other:
        return f"{line[:_LONGEST_LINE]}…"
    start = len(os.path.commonprefix([line[1:], other[1:]])) + 1  # noqa: RUF071 - letters that lines have in common
    end = len(os.path.commonprefix([line[: start - 1 : -1], other[: start - 1 : -1]]))  # noqa: RUF071 - as above
    begin, stop = max(1, start - _AROUND), min(len(line), len(line) - end + _AROUND)
    inner = line[begin:stop]
    if len(inner) > _LONGEST_LINE:
        inner = f"{inner[:_LONGEST_LINE]}…"
    return f"{line[0]}{'…' if begin > 1 else ''}{inner}{'…' if stop < len(line) else ''}"


def _write_statistics(result: CheckResult, writer: Writer) -> None:
    counts = Counter((told.code, told.name, told.severity) for told in result.findings)
    fixable = Counter(told.code for told in result.findings if told.grade is Grade.SAFE)
    rows = [("count", "rule", "", "severity", "safe fix")]
    rows += [
        (str(count), code, name, severity.value, str(fixable[code]) if fixable[code] else "")
        for (code, name, severity), count in counts.most_common()
    ]
    if counts:
        writer.table(rows, right=(0, 4), has_head=True)
        writer.line()


def _write_skipped(result: CheckResult, writer: Writer) -> None:
    for why, codes in result.skipped:
        writer.wrapped(f"Not checked, as {why}: {', '.join(codes)}.", hang="  ", style="faint")


def _write_passed_over(result: CheckResult, writer: Writer) -> None:
    """What was found in folders and is no lore."""
    names = [file.name.replace("\\", "/").rpartition("/")[2] for file in result.files if file.passed_over]
    if names:
        listed = ", ".join(elide(name, 30) for name in names[:_MOST_OTHERS])
        more = f" and {len(names) - _MOST_OTHERS} more" if len(names) > _MOST_OTHERS else ""
        what = "1 file" if len(names) == 1 else f"{len(names)} files"
        writer.wrapped(f"Passed over {what}, no lore that can be read: {listed}{more}.", hang="  ", style="faint")


def _write_summary(result: CheckResult, writer: Writer, *, with_diff: bool) -> None:
    files = sum(1 for file in result.files if not file.passed_over)
    counted = f"{files} file" if files == 1 else f"{files:,} files"
    counts = {severity: result.count(severity) for severity in list(Severity)[:3]}
    words = [several(count, severity.value) for severity, count in counts.items() if count]
    refused = sum(told.grade is Grade.SAFE for file in result.files for told in file.refused)
    safe = sum(told.grade is Grade.SAFE for told in result.findings) - refused
    broken = [told for told in result.findings if told.code == MENDABLE and told.grade is Grade.OFFERED]
    offered = sum(1 for told in result.findings if told.grade is Grade.OFFERED) - len(broken)
    unreadable = sum(1 for file in result.files if file.unreadable)
    if unreadable:
        words.append(f"{unreadable} not readable")
    text = f"{counted}: {', '.join(words) if words else 'nothing to say'}."
    fixed = sum(len(file.fixed) for file in result.files)
    if fixed:
        was = "would be" if with_diff else "was" if fixed == 1 else "were"
        text += f" {several(fixed, 'finding')} {was} repaired."
    altering = sum(told.alters for file in result.files for told in file.fixed)
    if with_diff and altering:
        text += f" {altering} of these may change which entries come in."
    if safe:
        text += f" {safe} can be repaired with --fix."
    if offered:
        text += f" {offered} {'more' if safe else 'can be repaired'} with --fix --unsafe-fixes."
    if broken:
        count = len({told.file for told in broken})
        text += f" {several(count, 'broken file')} can be made readable with --repair --fix."
    if any(told.witness is not None for told in result.findings):
        text += " --witness FOLDER writes scenarios that show it."
    passed = sum(file.suppressed for file in result.files)
    known = sum(file.known for file in result.files)
    if passed or known:
        text += f" {passed + known} let pass."
    worst = next((severity for severity, count in counts.items() if count), None)
    writer.wrapped(text, style="bad" if unreadable else STYLES[worst] if worst else "good")


def several(count: int, word: str) -> str:
    """A count with its word, in the plural where it is one."""
    return f"{count} {word}" if count == 1 or word == "info" else f"{count} {word}s"
