"""Builders of containers, by hand, so that odd ones can be made too."""

from __future__ import annotations

import base64
import io
import json
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Chunk(Protocol):
    def __call__(self, kind: bytes, data: bytes, checksum: int | None = None) -> bytes: ...


def make_chunk(kind: bytes, data: bytes, checksum: int | None = None) -> bytes:
    crc = zlib.crc32(kind + data) if checksum is None else checksum
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def make_png(*chunks: bytes, after: bytes = b"") -> bytes:
    header = make_chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    pixels = make_chunk(b"IDAT", zlib.compress(b"\0\0"))
    return b"\x89PNG\r\n\x1a\n" + header + pixels + b"".join(chunks) + make_chunk(b"IEND", b"") + after


def make_card_chunk(value: object, keyword: str = "chara", kind: bytes = b"tEXt", **dumping: Any) -> bytes:
    text = base64.b64encode(json.dumps(value, **dumping).encode())
    name = keyword.encode("latin-1")
    if kind == b"zTXt":
        return make_chunk(kind, name + b"\0\0" + zlib.compress(text))
    if kind == b"iTXt":
        return make_chunk(kind, name + b"\0\0\0en\0\0" + text)
    return make_chunk(kind, name + b"\0" + text)


def make_charx(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED, before: bytes = b"") -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return before + target.getvalue()


@pytest.fixture(name="chunk")
def chunk_fixture() -> Chunk:
    return make_chunk


@pytest.fixture(name="png")
def png_fixture() -> Callable[..., bytes]:
    return make_png


@pytest.fixture(name="card_chunk")
def card_chunk_fixture() -> Callable[..., bytes]:
    return make_card_chunk


@pytest.fixture(name="charx")
def charx_fixture() -> Callable[..., bytes]:
    return make_charx
