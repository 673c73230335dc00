"""JSON lines: a text with one JSON value a line, kept line by line, broken ones included."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LimitError
from lorebook_tui.formats.base import Finding, Reporter, Severity
from lorebook_tui.formats.json_errors import JsonSyntaxError
from lorebook_tui.formats.json_text import parse

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Limits
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.formats.text import Encoding

_LINE_END: Final = re.compile(r"(\r\n|\r|\n)")
_SPACE: Final = " \t"


class LinesContainer:
    """A file of JSON lines. `documents` holds the lines that are JSON, in their order.

    Lines end with LF, CR LF or CR only; other Unicode line ends are part of the texts.
    """

    kind = "lines"

    def __init__(self, data: bytes, text: str, encoding: Encoding, limits: Limits) -> None:
        self.data = data
        self.encoding = encoding
        reporter = Reporter()
        pieces: list[str | JsonDocument] = []
        for index, part in enumerate(_LINE_END.split(text)):
            is_line = index % 2 == 0 and part.strip(_SPACE)
            document = _document(part, index // 2 + 1, limits, reporter) if is_line else None
            pieces.append(document or part)
        self.pieces = tuple(pieces)
        self.documents: tuple[JsonDocument, ...] = tuple(piece for piece in pieces if not isinstance(piece, str))
        self.findings: tuple[Finding, ...] = tuple(reporter.findings)

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:
        """The file with other documents in place of its lines."""
        if all(new is old for new, old in zip(documents, self.documents, strict=True)):
            return self.data
        left = iter(documents)
        return self.encoding.encode(
            "".join(piece if isinstance(piece, str) else next(left).text for piece in self.pieces)
        )


def _document(line: str, number: int, limits: Limits, reporter: Reporter) -> JsonDocument | None:
    try:
        return parse(line, limits, first_line=number)
    except LimitError:
        raise
    except JsonSyntaxError as error:
        reporter.add(
            "broken-line",
            f"Line {number} is no JSON ({error.cause}); it is kept, and left out of the chat.",
            expected="a JSON object",
            found=error.found,
            severity=Severity.ERROR,
            line=number,
        )
        return None
