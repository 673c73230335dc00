"""Cards in `.charx` archives: a ZIP, also behind other bytes, with `card.json` at its root.

No member is ever written to a disk, and none but the card is unpacked. A changed card is put into the archive in place;
every other member keeps its bytes.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import LimitError, UnreadableError, UnsupportedError
from lorebook_tui.formats.base import Finding, Reporter, Severity
from lorebook_tui.formats.json_text import parse

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Limits
    from lorebook_tui.formats.json_text import JsonDocument

CARD: Final = "card.json"
_END: Final = struct.Struct("<4s4H2LH")
_END_MARK: Final = b"PK\x05\x06"
_CENTRAL: Final = struct.Struct("<4s6H3L5H2L")
_CENTRAL_MARK: Final = b"PK\x01\x02"
_LOCAL: Final = struct.Struct("<4s5H3L2H")
_LOCAL_MARK: Final = b"PK\x03\x04"
_LONGEST_COMMENT = 0xFFFF
_IN_ZIP64 = 0xFFFFFFFF
_ENCRYPTED = 0x1
_DESCRIPTOR = 0x8
_DESCRIPTOR_MARK: Final = b"PK\x07\x08"
_SHOWN = 6


def is_zip(data: bytes) -> bool:
    """Whether there is the end of a ZIP archive near the end of the bytes."""
    return _END_MARK in data[-(_END.size + _LONGEST_COMMENT) :]


class CharxContainer:
    """An archive with a card."""

    kind = "charx"

    def __init__(self, data: bytes, card: JsonDocument, reporter: Reporter) -> None:
        self.data = data
        self.documents: tuple[JsonDocument, ...] = (card,)
        self.findings: tuple[Finding, ...] = tuple(reporter.findings)

    def pack(self, documents: tuple[JsonDocument, ...]) -> bytes:
        """The archive with the card changed; every other member and whatever stands around them as it was.

        Raises:
            UnsupportedError: the archive is laid out so that a member cannot be replaced safely.
        """
        if documents[0] is self.documents[0]:
            return self.data
        return _replaced(self.data, documents[0].dump())


def open_charx(data: bytes, limits: Limits) -> CharxContainer:
    """Find the card in an archive.

    Raises:
        UnreadableError: no archive, no card in it, or one that cannot be unpacked.
        LimitError: too many members, or a card that expands too far.
    """
    reporter = Reporter()
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > limits.zip_members:
                raise LimitError(
                    "The archive has too many members.",
                    expected=f"at most {limits.zip_members:,}",
                    found=f"{len(members):,}",
                )
            card = parse(_card_bytes(archive, members, limits), limits)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, struct.error) as error:
        raise UnreadableError(
            "The ZIP archive is damaged.", expected="a whole archive", found=str(error), hint="Look for another copy."
        ) from error
    except NotImplementedError as error:
        raise UnreadableError("The archive is packed in a way that cannot be read.", found=str(error)) from error
    _report_members(members, reporter)
    return CharxContainer(data, card, reporter)


def _card_bytes(archive: zipfile.ZipFile, members: list[zipfile.ZipInfo], limits: Limits) -> bytes:
    """The card's JSON, never more of it than is allowed."""
    card = next((member for member in reversed(members) if member.filename == CARD), None)
    if card is None:
        names = [member.filename for member in members]
        raise UnreadableError(
            f"The ZIP archive has no {CARD} at its root.",
            expected=f"a .charx archive with {CARD}",
            found=", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "") if names else "an empty archive",
            hint="Unpack other archives first and open the files in them.",
        )
    if card.flag_bits & _ENCRYPTED:
        raise UnreadableError("The card in the archive is encrypted.", expected="an archive without password")
    if card.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise UnreadableError(
            "The card in the archive is packed in a way that cannot be read.",
            expected="plain or deflate",
            found=f"method {card.compress_type}",
        )
    with archive.open(card) as file:
        data = file.read(limits.zip_member_bytes + 1)
    if len(data) > limits.zip_member_bytes:
        raise LimitError(
            f"{CARD} expands to more than is allowed.",
            expected=f"at most {limits.zip_member_bytes:,} bytes",
            found=f"{card.compress_size:,} bytes that expand to more",
        )
    return data


def _report_members(members: list[zipfile.ZipInfo], reporter: Reporter) -> None:
    for member in members:
        parts = member.filename.replace("\\", "/").split("/")
        if ".." in parts or not parts[0] or ":" in parts[0]:
            reporter.add(
                "unsafe-name",
                "A member of the archive has a name that leads out of its folder; it is kept, and never unpacked.",
                expected="a path below assets/",
                found=member.filename,
            )
        if parts == ["module.risum"]:
            reporter.add(
                "unread-module",
                "The archive also holds a RisuAI module; its lorebook is not read.",
                found=member.filename,
                severity=Severity.INFO,
            )


@dataclass(frozen=True, slots=True)
class _Central:
    """One record of the directory: its place, its length, and the place of the member as it is written there."""

    start: int
    length: int
    offset: int
    name: bytes


@dataclass(frozen=True, slots=True)
class _Directory:
    """The directory at the end of an archive."""

    end_record: int
    start: int
    shift: int
    """What must be added to the offsets in the directory: bytes in front of the archive that it does not count."""
    records: tuple[_Central, ...]


def _unsupported(found: str) -> UnsupportedError:
    return UnsupportedError(
        "The card in this archive can be read but not changed in place.",
        found=found,
        hint="Save the card as JSON or PNG, or pack the archive anew with a common program.",
    )


def _directory(data: bytes) -> _Directory:
    end_record = data.rfind(_END_MARK)
    _, _, _, _, count, size, offset, _ = _END.unpack_from(data, end_record)
    if _IN_ZIP64 in {size, offset} or count == 0xFFFF:  # noqa: PLR2004 - the mark of ZIP64
        raise _unsupported("a ZIP64 directory")
    start = end_record - size
    records: list[_Central] = []
    place = start
    for _ in range(count):
        if place < 0 or data[place : place + len(_CENTRAL_MARK)] != _CENTRAL_MARK:
            raise _unsupported("bytes between the directory and its end")
        parts = _CENTRAL.unpack_from(data, place)
        name, extra, comment = parts[10:13]
        length = _CENTRAL.size + name + extra + comment
        if parts[16] == _IN_ZIP64:
            raise _unsupported("a ZIP64 member")
        begin = place + _CENTRAL.size
        records.append(_Central(place, length, parts[16], data[begin : begin + name]))
        place += length
    return _Directory(end_record, start, start - offset, tuple(records))


def _replaced(data: bytes, card: bytes) -> bytes:
    """The archive with another card in it."""
    directory = _directory(data)
    mine = [record for record in directory.records if record.name == CARD.encode()][-1]
    start = mine.offset + directory.shift
    if data[start : start + len(_LOCAL_MARK)] != _LOCAL_MARK:
        raise _unsupported("a directory that points beside the card")
    later = [record.offset + directory.shift for record in directory.records if record.offset > mine.offset]
    end = min([*later, directory.start])
    local, central = _packed(data, start, mine, card)
    tail = _after_member(data, start, mine, end)
    grown = len(local) + len(tail) - (end - start)
    body = data[:start] + local + tail + data[end : directory.start]
    records = b"".join(
        central if record is mine else _moved(data, record, grown if record.offset > mine.offset else 0)
        for record in directory.records
    )
    ending = bytearray(data[directory.end_record :])
    struct.pack_into("<2L", ending, 12, len(records), directory.start - directory.shift + grown)
    return body + records + bytes(ending)


def _after_member(data: bytes, start: int, record: _Central, end: int) -> bytes:
    """What stands between the card and the next member: padding that somebody may rely on."""
    parts = _LOCAL.unpack_from(data, start)
    packed = _CENTRAL.unpack_from(data, record.start)[8]
    place = start + _LOCAL.size + parts[9] + parts[10] + packed
    if parts[2] & _DESCRIPTOR:
        place += 16 if data[place : place + 4] == _DESCRIPTOR_MARK else 12
    return data[place:end]


def _packed(data: bytes, start: int, record: _Central, card: bytes) -> tuple[bytes, bytes]:
    """Local and central record of the new card, packed as the old one was if that is plain or deflate."""
    local = list(_LOCAL.unpack_from(data, start))
    central = list(_CENTRAL.unpack_from(data, record.start))
    method = central[4]
    body = card
    if method != zipfile.ZIP_STORED:
        method = zipfile.ZIP_DEFLATED
        engine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        body = engine.compress(card) + engine.flush()
    flags = central[3] & ~_DESCRIPTOR
    facts = [zlib.crc32(card), len(body), len(card)]
    names_start = start + _LOCAL.size
    name, extra = local[9], local[10]
    keeps_extra = not _has_zip64(data[names_start + name : names_start + name + extra])
    local[2], local[3], local[6:9] = flags, method, facts
    local[10] = extra if keeps_extra else 0
    local_bytes = _LOCAL.pack(*local) + data[names_start : names_start + name + local[10]] + body
    central[3], central[4], central[7:10] = flags, method, facts
    rest = data[record.start + _CENTRAL.size : record.start + record.length]
    if _has_zip64(rest[name : name + central[11]]):
        rest = rest[:name] + rest[name + central[11] :]
        central[11] = 0
    return local_bytes, _CENTRAL.pack(*central) + rest


def _has_zip64(extra: bytes) -> bool:
    """Whether an extra field repeats the sizes as 64-bit numbers."""
    place = 0
    while place + 4 <= len(extra):
        kind, length = struct.unpack_from("<2H", extra, place)
        if kind == 1:
            return True
        place += 4 + length
    return False


def _moved(data: bytes, record: _Central, by: int) -> bytes:
    """A directory record of a member that now stands elsewhere."""
    record_bytes = bytearray(data[record.start : record.start + record.length])
    struct.pack_into("<L", record_bytes, _CENTRAL.size - 4, record.offset + by)
    return bytes(record_bytes)
