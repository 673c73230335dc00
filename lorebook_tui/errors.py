"""One tree of errors: every refusal has a stable code, a sentence, a hint and an exit status. Knows nobody."""

from __future__ import annotations

from typing import ClassVar

EXIT_FINE = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_UNREADABLE = 3


class LorebookError(Exception):
    """Something the user can understand and act on; shown without a traceback.

    Args:
        message: one sentence, what is wrong.
        hint: what the user can do about it, or "".
        where: file, path inside it, line: whatever is known, or "".
        expected: what would have been right, or "".
        found: what was there instead, or "".
    """

    code: ClassVar[str] = "ERROR"
    exit_status: ClassVar[int] = EXIT_FINDINGS

    def __init__(self, message: str, *, hint: str = "", where: str = "", expected: str = "", found: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.where = where
        self.expected = expected
        self.found = found


class UsageError(LorebookError):
    """A command, option or setting that cannot be meant."""

    code = "USAGE"
    exit_status = EXIT_USAGE


class UnreadableError(LorebookError):
    """A file that cannot be read as lore at all; says what was seen."""

    code = "UNREADABLE"
    exit_status = EXIT_UNREADABLE


class LimitError(UnreadableError):
    """A file that would cost too much to open: size, nesting, chunks or expansion beyond the ceiling."""

    code = "LIMIT"


class UnsupportedError(LorebookError):
    """Something known by name that this version does not do."""

    code = "UNSUPPORTED"
    exit_status = EXIT_USAGE


class EngineError(LorebookError):
    """The simulated product itself would have stopped with an error here."""

    code = "ENGINE"
