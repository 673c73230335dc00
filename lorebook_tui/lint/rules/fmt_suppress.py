"""What authors let pass: codes that are those of no rule."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.catalogue import all_rules
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.products import raw_of
from lorebook_tui.lint.rule import Context, Example, FileRule
from lorebook_tui.lint.suppress import HOME, IGNORE, codes_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import FileView
    from lorebook_tui.model.js import JsonPath

_EVERYTHING: Final = "ALL"
_PLACE: Final = ("extensions", HOME, IGNORE)


class UnknownSuppression(FileRule):
    """A code in the list of what is let pass that is the code of no rule.

    Why: Findings are let pass by the code of their rule, or by the letters it begins with. A code that no rule has
    lets nothing pass.
    Example: `"ignore": ["KEY999"]`, or `"ignore": "short-key"`.
    Do: write the code as the finding shows it; `lorebook explain --list` names them all.
    Source: this program.
    """

    code = "FMT023"
    name = "unknown-suppression"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "extensions": {"lorebook": {"ignore": "KEY004, ORD"}}},)),
        Example(({"key": ["a"], "content": "x", "extensions": {"lorebook": {"ignore": {"ALL": "a draft"}}}},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((
            {"key": ["a"], "content": "x", "extensions": {"lorebook": {"ignore": "KEY999 KEY004"}}},
            {"key": ["b"], "content": "y", "extensions": {"lorebook": {"ignore": ["short-key", "KEY999"]}}},
        )),
        Example(source='{"entries": {}, "extensions": {"lorebook": {"ignore": {"key004": ""}}}}'),
    )  # fmt: skip

    def check(self, file: FileView, context: Context) -> Iterator[Finding]:
        """All of them in one finding, at the first."""
        del context
        first: dict[str, JsonPath] = {}
        for book in file.books:
            holders = [(book.path, book.book.extras), *((each.entry.path, raw_of(each)) for each in book.entries)]
            for path, holder in holders:
                for code in codes_in(holder) if "extensions" in holder else ():
                    if not _is_known(code):
                        first.setdefault(code, (*path, *_PLACE))
        if first:
            yield self.finding(file, _told(list(first)), next(iter(first.values())))


def _told(codes: list[str]) -> str:
    if len(codes) > 1:
        return f"{quoted(codes)} are codes of no rule: they let nothing pass."
    return f"{quote(codes[0])} is the code of no rule: it lets nothing pass.{_meant(codes[0])}"


def _is_known(code: str) -> bool:
    return code == _EVERYTHING or any(rule.code.startswith(code) for rule in all_rules())


def _meant(code: str) -> str:
    names = {name.casefold(): rule.code for rule in all_rules() for name in (rule.code, rule.name)}
    close = difflib.get_close_matches(code.casefold(), names, 1)
    return f" Was {names[close[0]]} meant?" if close else ""
