"""Which rules run, how bad their findings are, and what is let pass."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatch
from typing import TYPE_CHECKING, Any

from lorebook_tui.lint.catalogue import is_selected
from lorebook_tui.lint.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.rule import Rule


@dataclass(frozen=True)
class LintConfig:
    """The configuration, checked by whoever read it."""

    select: tuple[str, ...] = ("ALL",)
    """Codes or beginnings of codes."""
    ignore: tuple[str, ...] = ()
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """(pattern of file names, codes that are let pass there)."""
    severities: Mapping[str, Severity] = field(default_factory=dict)
    """By code, beginning of a code, or `ALL`; the longest counts."""
    options: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By code: thresholds."""
    called: Callable[[str], str] = field(default=str, compare=False)
    """What a file is called from where the patterns and the baseline were written, wherever the program runs."""
    preview: bool = False
    baseline: frozenset[str] = frozenset()
    """Fingerprints of findings that were there before."""

    def severity_of(self, rule: Rule, given: Severity) -> Severity:
        """How bad a finding of a rule is."""
        best = max((code for code in self.severities if rule.code.startswith(code)), key=len, default="ALL")
        return self.severities.get(best, given)

    def runs(self, rule: Rule) -> bool:
        """Whether a rule is looked for at all."""
        if rule.preview and not self.preview and rule.code not in self.select:
            return False
        if not is_selected(rule.code, self.select) or is_selected(rule.code, self.ignore):
            return False
        is_named = rule.code in self.select
        return is_named or self.severity_of(rule, rule.severity) is not Severity.OFF

    def options_of(self, rule: Rule) -> dict[str, Any]:
        """The thresholds of a rule."""
        return {option.name: option.default for option in rule.options} | dict(self.options.get(rule.code, {}))

    def lets_pass(self, file: str, code: str) -> bool:
        """Whether findings of a rule in a file are let pass."""
        if not self.per_file:
            return False
        name = file.replace("\\", "/")
        names = (name, name.rpartition("/")[2], self.called(file))
        return any(
            is_selected(code, codes) and any(fnmatch(each, pattern) for each in names)
            for pattern, codes in self.per_file
        )

    def knows(self, finding: Finding) -> bool:
        """Whether the baseline has a finding, wherever the program runs."""
        if not self.baseline:
            return False
        if finding.fingerprint in self.baseline:
            return True
        code, file, rest = finding.fingerprint.split("\0", 2)
        return f"{code}\0{self.called(file)}\0{rest}" in self.baseline
