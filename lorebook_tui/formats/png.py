"""Cards in PNG and APNG images: a walker over the chunks that keeps every byte but those of the card.

SillyTavern 1.19 reads `ccv3` before `chara`, compares the names without case, and writes both.
"""

from __future__ import annotations

import base64
import re
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LimitError, LorebookError, UnreadableError, UnsupportedError
from lorebook_tui.formats.base import Finding, Reporter, Severity
from lorebook_tui.formats.json_merge import carried_over
from lorebook_tui.formats.json_text import parse

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Limits
    from lorebook_tui.formats.json_text import JsonDocument
    from lorebook_tui.model.js import Json

SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_KEYWORDS: Final = ("ccv3", "chara")
_NOVELAI: Final = "naidata"
_TEXT_TYPES: Final = (b"tEXt", b"zTXt", b"iTXt")
_NO_BASE64: Final = re.compile(rb"[^A-Za-z0-9+/]+")
_HEADER: Final = struct.Struct(">I4s")
_CHECKSUM_BYTES = 4


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: its type, its data, and its bytes in the file from length to checksum."""

    kind: bytes
    data: bytes
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CardChunk:
    """A chunk that holds a card."""

    chunk: Chunk
    keyword: bytes
    """As it is spelt in the file."""
    prefix: bytes
    """What stands in the chunk before the text."""
    compressed: bool
    document: JsonDocument | None
    """None: it could not be read."""


class PngContainer:
    """An image with a card. `documents` holds the card that counts."""

    kind = "png"

    def __init__(self, data: bytes, cards: tuple[CardChunk, ...], card: JsonDocument, reporter: Reporter) -> None:
        self.data = data
        self.cards = cards
        self.documents: tuple[JsonDocument, ...] = (card,)
        self.findings: tuple[Finding, ...] = tuple(reporter.findings)

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:
        """The image with the card changed in every chunk that holds it; all other bytes as they were."""
        old, new = self.documents[0], documents[0]
        if new is old:
            return self.data
        pieces: list[bytes] = []
        cursor = 0
        for card in sorted(self.cards, key=lambda item: item.chunk.start):
            if card.document is None:
                continue
            mine = new
            if card.document is not old:
                mine = card.document.replaced(carried_over(old.value, new.value, card.document.value))
            if mine is not card.document:
                pieces += [self.data[cursor : card.chunk.start], _packed(card, mine)]
                cursor = card.chunk.end
        return b"".join([*pieces, self.data[cursor:]])


def _packed(card: CardChunk, document: JsonDocument) -> bytes:
    text = base64.b64encode(document.dump())
    data = card.prefix + (zlib.compress(text) if card.compressed else text)
    return _HEADER.pack(len(data), card.chunk.kind) + data + struct.pack(">I", zlib.crc32(card.chunk.kind + data))


def open_png(data: bytes, limits: Limits) -> PngContainer:
    """Find the card in an image.

    Raises:
        UnreadableError: there is no card, or none that can be read.
        UnsupportedError: the image holds lore of another product.
        LimitError: too many chunks, or a text that is too long.
    """
    reporter = Reporter()
    chunks = _walk(data, limits, reporter)
    cards: list[CardChunk] = []
    reasons: list[LorebookError] = []
    for chunk in chunks:
        found = _text_of(chunk, limits, reporter, reasons)
        if found is None:
            continue
        keyword, prefix, text, compressed = found
        if keyword.lower().decode("latin-1") == _NOVELAI:
            raise UnsupportedError(
                "The image holds a NovelAI lorebook, which cannot be read yet.",
                found="a text named naidata",
                hint="Export the lorebook from NovelAI as a .lorebook file and convert it in SillyTavern.",
            )
        document = _document(text, keyword, limits, reporter, reasons)
        cards.append(CardChunk(chunk, keyword, prefix, compressed, document))
    return PngContainer(data, tuple(cards), _chosen(cards, chunks, reasons, reporter), reporter)


def _walk(data: bytes, limits: Limits, reporter: Reporter) -> list[Chunk]:
    """The chunks up to IEND, or as far as the file goes."""
    chunks: list[Chunk] = []
    place = len(SIGNATURE)
    while place + _HEADER.size <= len(data):
        length, kind = _HEADER.unpack_from(data, place)
        if not kind.isalpha():
            _report_cut(reporter, f"byte {place:,} begins no chunk")
            return chunks
        begin, end = place + _HEADER.size, place + _HEADER.size + length + _CHECKSUM_BYTES
        chunk = Chunk(kind, data[begin : end - _CHECKSUM_BYTES], place, min(end, len(data)))
        chunks.append(chunk)
        if len(chunks) > limits.png_chunks:
            raise LimitError("The image has too many chunks.", expected=f"at most {limits.png_chunks:,}", found="more")
        if end > len(data):
            _report_cut(reporter, f"it ends inside the chunk {kind.decode('latin-1')}")
            return chunks
        _check_sum(data, chunk, reporter)
        place = end
        if kind == b"IEND":
            _report_rest(data, place, reporter)
            return chunks
    _report_cut(reporter, "the chunk IEND is missing")
    return chunks


def _check_sum(data: bytes, chunk: Chunk, reporter: Reporter) -> None:
    (stored,) = struct.unpack_from(">I", data, chunk.end - _CHECKSUM_BYTES)
    right = zlib.crc32(chunk.data, zlib.crc32(chunk.kind))
    if stored != right:
        reporter.add(
            "checksum",
            f"The checksum of the chunk {chunk.kind.decode('latin-1')} at byte {chunk.start:,} is wrong.",
            expected=f"{right:08x}",
            found=f"{stored:08x}",
        )


def _report_cut(reporter: Reporter, how: str) -> None:
    reporter.add("cut-image", f"The image is damaged: {how}. It is read as far as it goes.", expected="a whole PNG")


def _report_rest(data: bytes, place: int, reporter: Reporter) -> None:
    if place < len(data):
        reporter.add(
            "trailing-data",
            "There is data after the end of the image; it is kept.",
            found=f"{len(data) - place:,} bytes",
            severity=Severity.INFO,
        )


def _text_of(
    chunk: Chunk, limits: Limits, reporter: Reporter, reasons: list[LorebookError]
) -> tuple[bytes, bytes, bytes, bool] | None:
    """Keyword, what stands before the text, the text, and whether it is compressed; None if it is no text of a card."""
    keyword, zero, rest = chunk.data.partition(b"\0")
    name = keyword.lower().decode("latin-1")
    if chunk.kind not in _TEXT_TYPES or not zero or name not in (*_KEYWORDS, _NOVELAI):
        return None
    compressed = chunk.kind == b"zTXt"
    body = rest
    if compressed:
        body = rest[1:]
    elif chunk.kind == b"iTXt":
        compressed = rest[:1] == b"\x01"
        parts = rest[2:].split(b"\0", 2)
        body = parts[2] if len(parts) > 2 else b""  # noqa: PLR2004 - language, translated keyword, text
    prefix = chunk.data[: len(chunk.data) - len(body)]
    if chunk.kind != b"tEXt":
        reporter.add(
            "chunk-type",
            f"The card is in a chunk {chunk.kind.decode('latin-1')}, where SillyTavern does not look.",
            expected="tEXt",
            found=chunk.kind.decode("latin-1"),
        )
    try:
        text = _expanded(body, limits) if compressed else body
    except zlib.error as error:
        reporter.add("broken-card", f"The text {name} cannot be unpacked: {error}.", severity=Severity.ERROR)
        reasons.append(UnreadableError("The card's text in the image cannot be unpacked.", found=str(error)))
        return None
    if len(text) > limits.png_text_bytes:
        raise LimitError(
            "A text in the image is too long.", expected=f"at most {limits.png_text_bytes:,} bytes", found="more"
        )
    return keyword, prefix, text, compressed


def _expanded(data: bytes, limits: Limits) -> bytes:
    """The unpacked text, or one byte more of it than is allowed."""
    return zlib.decompressobj().decompress(data, limits.png_text_bytes + 1)


def _document(
    text: bytes, keyword: bytes, limits: Limits, reporter: Reporter, reasons: list[LorebookError]
) -> JsonDocument | None:
    """The card in a chunk's text: base64 of JSON, or JSON itself."""
    name = keyword.decode("latin-1")
    if text.lstrip()[:1] == b"{":
        reporter.add("raw-json", f"The chunk {name} holds bare JSON instead of base64.", expected="base64 of JSON")
        decoded = text
    else:
        decoded = _from_base64(text, name, reporter)
    try:
        return parse(decoded, limits)
    except LimitError:
        raise
    except UnreadableError as error:
        error.message = f"The card in the chunk {name} cannot be read: {error.message}"
        error.args = (error.message,)
        reporter.add("broken-card", error.message, found=error.found, severity=Severity.ERROR)
        reasons.append(error)
        return None


def _from_base64(text: bytes, name: str, reporter: Reporter) -> bytes:
    """Bytes from base64 as Node reads it: both alphabets, other characters skipped, the end at "=" or without it."""
    pure = _NO_BASE64.sub(b"", text.partition(b"=")[0].translate(bytes.maketrans(b"-_", b"+/")))
    pure = pure[: len(pure) - (len(pure) % 4 == 1)]
    padded = pure + b"=" * (-len(pure) % 4)
    if padded != text:
        reporter.add(
            "base64",
            f"The base64 in the chunk {name} is not clean; it is read leniently, as SillyTavern does.",
            severity=Severity.INFO,
        )
    return base64.b64decode(padded)


def _report_others(chosen: CardChunk, cards: list[CardChunk], reporter: Reporter) -> None:
    """Say of cards beside the one that counts that they hold another book."""
    for card in cards:
        if card.document is not None and chosen.document is not None and card is not chosen:
            if _book_of(card.document.value) == _book_of(chosen.document.value):
                continue
            other, mine = (each.keyword.decode("latin-1") for each in (card, chosen))
            told = (
                f"The chunk {other} holds another book than {mine}, which counts: programs that read {other} play it."
            )
            reporter.add("cards-differ", told)


def _book_of(card: Json) -> Json:
    data = card.get("data") if isinstance(card, dict) else None
    return data.get("character_book") if isinstance(data, dict) else None


def _chosen(
    cards: list[CardChunk], chunks: list[Chunk], reasons: list[LorebookError], reporter: Reporter
) -> JsonDocument:
    """The card that counts: the first readable `ccv3`, else the first readable `chara`."""
    for keyword in _KEYWORDS:
        mine = [card for card in cards if card.keyword.lower().decode("latin-1") == keyword]
        if len(mine) > 1:
            reporter.add("repeated-card", f"The image has {len(mine)} chunks {keyword}; the first one counts.")
        for card in mine:
            if card.document is not None:
                _report_others(card, cards, reporter)
                return card.document
    cut = next((finding for finding in reporter.findings if finding.code == "cut-image"), None)
    if reasons and cut is not None:
        raise UnreadableError(
            f"The card in the image cannot be read. {cut.message}",
            found=reasons[0].message.removesuffix("."),
            hint="Look for a whole copy of the image.",
        ) from reasons[0]
    if reasons:
        raise reasons[0]
    kinds = sorted({chunk.kind.decode("latin-1") for chunk in chunks})
    hint = "Picture services remove the card when they re-encode an image; get the original file."
    raise UnreadableError(
        f"The image holds no character card. {cut.message}" if cut else "The image holds no character card.",
        expected="a text chunk named ccv3 or chara",
        found="a PNG with the chunks " + ", ".join(kinds) if kinds else "a PNG without any chunk",
        hint="Look for a whole copy of the image." if cut else hint,
    )
