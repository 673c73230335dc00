"""The journal's file: records one after the other, each with its length and checksum, so that a torn end is seen.

A record is a line of JSON that says what it is, and a body. What is written last may be cut at any byte by the death of
the process; everything before it counts.
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from lorebook_tui.formats.text_delta import Piece

_FRAME: Final = struct.Struct("<4sII")
_MARK: Final = b"LBj1"
_CHECKED_HEAD: Final = struct.Struct("<I")


@dataclass(frozen=True, slots=True)
class Record:
    """One record."""

    about: Mapping[str, Any]
    """What it is: `kind`, and what belongs to that kind."""
    body: bytes = b""

    def packed(self) -> bytes:
        """The bytes of the record in the file."""
        payload = json.dumps(dict(self.about), separators=(",", ":")).encode("ascii") + b"\n" + self.body
        return _FRAME.pack(_MARK, len(payload), _checksum(payload)) + payload


def _checksum(payload: bytes) -> int:
    return zlib.crc32(payload, zlib.crc32(_CHECKED_HEAD.pack(len(payload))))


def records_in(data: bytes) -> Iterator[Record]:
    """The records up to the first one that is torn or damaged."""
    place = 0
    while place + _FRAME.size <= len(data):
        mark, length, checksum = _FRAME.unpack_from(data, place)
        place += _FRAME.size
        payload = data[place : place + length]
        if mark != _MARK or len(payload) != length or _checksum(payload) != checksum:
            return
        place += length
        head, _, body = payload.partition(b"\n")
        yield Record(json.loads(head), body)


def read(path: Path) -> list[Record]:
    """The records of a file; none if it cannot be read."""
    try:
        return list(records_in(path.read_bytes()))
    except OSError:
        return []


class LogFile:
    """The open file of a running session. For one thread.

    Args:
        path: the file; what is in it is taken away.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb", buffering=0)
        self._good = 0
        """Up to here there are whole records."""
        self.is_synced = True

    def append(self, records: Iterable[Record]) -> None:
        """Add records; the system has them afterwards, so that they outlive this process.

        Raises:
            OSError: they could not be written; a torn one in the way is taken away by the next call.
        """
        data = b"".join(record.packed() for record in records)
        self._file.seek(self._good)
        self._file.truncate()
        view = memoryview(data)
        while view:
            view = view[self._file.write(view) :]
        self._good += len(data)
        self.is_synced = False

    def sync(self) -> None:
        """Have the disk keep what was added, so that it outlives the machine's death too.

        Raises:
            OSError: the disk did not.
        """
        os.fsync(self._file.fileno())
        self.is_synced = True

    def close(self) -> None:
        """Close it."""
        self._file.close()


def pieces_packed(pieces: Iterable[Piece]) -> list[Any]:
    """A text's delta as JSON: a stretch to copy is a list of two numbers, new text is a text."""
    return [list(piece) if isinstance(piece, tuple) else piece for piece in pieces]


def pieces_unpacked(packed: Iterable[Any]) -> tuple[Piece, ...]:
    """A text's delta from JSON."""
    return tuple((int(piece[0]), int(piece[1])) if isinstance(piece, list) else piece for piece in packed)
