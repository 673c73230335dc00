"""Bytes of a text file and its characters: encodings that lore files come in, told apart by their byte order mark."""

from __future__ import annotations

import codecs
from typing import Final

from lorebook_tui.errors import UnreadableError


class Encoding:
    """How a text file spells its characters: a codec and the byte order mark in front of it."""

    __slots__ = ("codec", "mark")

    def __init__(self, codec: str = "utf-8", mark: bytes = b"") -> None:
        self.codec = codec
        self.mark = mark

    def encode(self, text: str) -> bytes:
        """The text as bytes, mark included. Lone surrogates pass as they came."""
        return self.mark + text.encode(self.codec, "surrogatepass")


_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


def decode(data: bytes) -> tuple[str, Encoding]:
    """A file's text: UTF-8, or UTF-16 if a byte order mark says so. The mark is no part of the text.

    `Encoding.encode` gives the very same bytes again: these codecs write each text in one way only.

    Raises:
        UnreadableError: the bytes are no text of these encodings; says at which byte.
    """
    if data.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        raise UnreadableError("The file is encoded in UTF-32.", expected="UTF-8", hint="Save it as UTF-8.")
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    try:
        return data[len(mark) :].decode(codec, "surrogatepass"), Encoding(codec, mark)
    except UnicodeDecodeError as error:
        position = len(mark) + error.start
        line = data.count(b"\n", 0, position) + 1
        raise UnreadableError(
            f"Byte {position:,} of the file is no {codec.upper()}.",
            where=f"byte {position}, line {line}",
            expected="text in UTF-8, or in UTF-16 with a byte order mark",
            found=f"the byte 0x{data[position]:02X}" if position < len(data) else "the end of the file",
            hint="Save the file as UTF-8; an old code page such as Windows-1252 cannot be told apart safely.",
        ) from error
