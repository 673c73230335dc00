"""JSON Schema of the report in JSON: `lorebook check --format json`."""

from __future__ import annotations

from typing import Any, Final

from lorebook_tui.engine.json_schema import COUNT, DRAFT, FLAG, TEXT, closed, described, listed, or_null, ref
from lorebook_tui.lint.findings import Grade, Severity

_SEVERITIES: Final = [severity.value for severity in Severity if severity is not Severity.OFF]
_GRADES: Final = [grade.value for grade in Grade if grade is not Grade.NONE]

_FIX: Final = closed(
    "What would repair it.",
    told=described(TEXT, "An order: “remove the blank key”. May quote foreign text."),
    grade=described({"enum": _GRADES}, "safe: --fix makes it; offered: a guess, for --unsafe-fixes or --repair."),
    alters_activation=described(FLAG, "Whether it may change which entries come in."),
)
_FINDING: Final = closed(
    "One thing that a rule found.",
    code=described({"type": "string", "pattern": "^[A-Z]+[0-9]{3}$"}, "Of the rule: `lorebook explain CODE`."),
    name=described(TEXT, "Of the fault: `blank-key`."),
    severity=described({"enum": _SEVERITIES}, "How bad it is."),
    message=described(TEXT, "One or two sentences for the author. May quote foreign text."),
    line=or_null(COUNT, "In the file (of an image: in the JSON inside), from 1."),
    column=or_null(COUNT, "In characters, from 1."),
    path=described(TEXT, "Dotted, from the root of the JSON: `entries.3.key.0`."),
    entry=or_null(TEXT, "Title of the entry. Foreign text."),
    uid=or_null(TEXT, "Of the entry, as text."),
    others=listed(TEXT, "Titles of other entries that belong to it."),
    fix=or_null(ref("fix"), "What would repair it; null if nothing is known."),
    witness=or_null(
        {"type": "object"}, "A scenario that shows it; saved as a file, `lorebook simulate --witness` runs it."
    ),
    fingerprint=described(
        TEXT, "The same for the same finding in the file after edits elsewhere; what a baseline holds."
    ),
)
_FILE: Final = closed(
    "What there is to say of one file.",
    name=described(TEXT, "As it was given or found."),
    kind=described(TEXT, "What it is, with an article; empty if it cannot be read."),
    entries=described(COUNT, "Entries of its books."),
    unreadable=or_null(TEXT, "Why it cannot be read, or what it is instead."),
    passed_over=or_null(TEXT, "What it is, if it was only found in a folder and is no lore."),
    note=or_null(TEXT, "What else is worth knowing, such as that a card holds no book."),
    sha256=or_null(TEXT, "Of the bytes that were looked at."),
    findings=listed(ref("finding"), "By place."),
    suppressed=described(COUNT, "Findings that the entry, the book or the configuration lets pass."),
    known=described(COUNT, "Findings that the baseline has."),
    fixed=listed(ref("finding"), "What was, or would be, repaired."),
    refused=listed(ref("finding"), "Whose repair would change which entries come in; it was not made."),
    diff=or_null(TEXT, "What the repairs change, as a unified difference."),
    backup=or_null(TEXT, "Where the file is kept as it was before."),
)
SCHEMA: Final[dict[str, Any]] = {
    "$schema": DRAFT,
    "title": "lorebook check --format json",
    **closed(
        "What a check has to say.",
        version=described(TEXT, "Of the program."),
        summary=closed(
            "Everything in numbers.",
            files=described(COUNT, "Files that were looked at."),
            passed_over=described(COUNT, "Files found in folders that are no lore."),
            unreadable=described(COUNT, "Files that cannot be read."),
            error=described(COUNT, "Errors."),
            warning=described(COUNT, "Warnings."),
            info=described(COUNT, "Findings that are only worth knowing."),
            fixed=described(COUNT, "Findings that were, or would be, repaired."),
        ),
        files=listed(ref("file"), "In the order of the command line."),
        skipped=listed(
            closed(
                "Rules that could not run.", why=described(TEXT, "What is missing."), codes=listed(TEXT, "Their codes.")
            ),
            "By what is missing.",
        ),
    ),
    "$defs": {"file": _FILE, "finding": _FINDING, "fix": _FIX},
}
