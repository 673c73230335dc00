"""The report as JSON, for scripts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from lorebook_tui import __version__
from lorebook_tui.lint.findings import Grade, Severity

if TYPE_CHECKING:
    from lorebook_tui.lint.told import CheckResult, Told, ToldFile


def render(result: CheckResult) -> str:
    """One object: `version`, `summary`, `files` with their findings, `skipped`."""
    value = {
        "version": __version__,
        "summary": {
            "files": sum(1 for file in result.files if not file.passed_over),
            "passed_over": sum(1 for file in result.files if file.passed_over),
            "unreadable": sum(1 for file in result.files if file.unreadable),
            **{severity.value: result.count(severity) for severity in Severity if severity is not Severity.OFF},
            "fixed": sum(len(file.fixed) for file in result.files),
        },
        "files": [_file(file) for file in result.files],
        "skipped": [{"why": why, "codes": list(codes)} for why, codes in result.skipped],
    }
    return json.dumps(value, indent=2, ensure_ascii=True)


def _file(file: ToldFile) -> dict[str, Any]:
    return {
        "name": file.name,
        "kind": file.kind,
        "entries": file.entries,
        "unreadable": file.unreadable or None,
        "passed_over": file.passed_over or None,
        "note": file.note or None,
        "sha256": file.digest or None,
        "findings": [_finding(told) for told in file.findings],
        "suppressed": file.suppressed,
        "known": file.known,
        "fixed": [_finding(told) for told in file.fixed],
        "refused": [_finding(told) for told in file.refused],
        "diff": file.diff or None,
        "backup": file.backup or None,
    }


def _fix(told: Told) -> dict[str, Any]:
    return {"told": told.fix, "grade": told.grade.value, "alters_activation": told.alters}


def _finding(told: Told) -> dict[str, Any]:
    return {
        "code": told.code,
        "name": told.name,
        "severity": told.severity.value,
        "message": told.message,
        "line": told.line,
        "column": told.column,
        "path": told.path,
        "entry": told.entry or None,
        "uid": told.uid or None,
        "others": list(told.others),
        "fix": _fix(told) if told.grade is not Grade.NONE else None,
        "witness": told.witness,
        "fingerprint": told.fingerprint,
    }
