"""The report as SARIF 2.1.0, for code scanning services and editors."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui import __version__
from lorebook_tui.lint.catalogue import rule_named
from lorebook_tui.lint.findings import Severity
from lorebook_tui.lint.told import section

if TYPE_CHECKING:
    from lorebook_tui.lint.told import CheckResult, Told

_PLAIN: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/:")
_DRIVE: Final = re.compile(r"[A-Za-z]:/")
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note", Severity.OFF: "none"}


def render(result: CheckResult) -> str:
    """One run with the rules that found something."""
    codes = sorted({told.code for told in result.findings})
    value = {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {"name": "lorebook", "version": __version__, "rules": [_rule(code) for code in codes]}
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(told, codes) for told in result.findings],
                "invocations": [
                    {
                        "executionSuccessful": not result.is_cut_short
                        and not any(file.unreadable for file in result.files),
                        "toolExecutionNotifications": [
                            {
                                "level": "error",
                                "message": {"text": file.untold},
                                "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(file.name)}}}],
                            }
                            for file in result.files
                            if file.untold
                        ],
                    }
                ],
            }
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=True)


def _rule(code: str) -> dict[str, Any]:
    rule = rule_named(code)
    return {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": section(rule.__doc__ or "", "")},
        "fullDescription": {"text": section(rule.__doc__ or "", "Why")},
        "help": {"text": section(rule.__doc__ or "", "Do")},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(told: Told, codes: list[str]) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": _uri(told.file)}}
    if told.line is not None:
        physical["region"] = {"startLine": told.line, "startColumn": told.column or 1}
    location: dict[str, Any] = {"physicalLocation": physical}
    if told.entry:
        location["logicalLocations"] = [{"name": told.entry, "fullyQualifiedName": told.path, "kind": "member"}]
    digest = hashlib.sha256(told.fingerprint.encode("utf-8", "replace")).hexdigest()
    return {
        "ruleId": told.code,
        "ruleIndex": codes.index(told.code),
        "level": _LEVELS[told.severity],
        "message": {"text": f"{told.entry}: {told.message}" if told.entry else told.message},
        "locations": [location],
        "partialFingerprints": {"lorebook/v1": digest},
    }


def _uri(name: str) -> str:
    """The name as a relative reference, everything but plain letters, digits and slashes as percent signs."""
    data = name.replace("\\", "/").encode("utf-8", "replace")
    text = "".join(chr(byte) if chr(byte) in _PLAIN else f"%{byte:02X}" for byte in data)
    if _DRIVE.match(text):
        return f"file:///{text}"
    first, slash, rest = text.partition("/")
    return f"{first.replace(':', '%3A')}{slash}{rest}"  # a colon there would end the name of a scheme
