"""Cards in archives: only the card is unpacked, and only the card is changed."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import LimitError, UnreadableError, UnsupportedError
from lorebook_tui.formats.base import Limits, Loaded
from lorebook_tui.formats.detect import dump, load

if TYPE_CHECKING:
    from collections.abc import Callable

    Build = Callable[..., bytes]

ENTRY = {"keys": ["bell"], "content": "x", "extensions": {}, "enabled": True, "insertion_order": 10, "id": 0}
CARD = {"spec": "chara_card_v3", "data": {"name": "Mira", "character_book": {"name": "B", "entries": [ENTRY]}}}
MEMBERS = {
    "assets/icon/images/main.png": bytes(range(256)) * 10,
    "card.json": json.dumps(CARD, indent=2).encode(),
    "assets/other/x.txt": b"text" * 100,
}


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def renamed(made: Loaded, name: str) -> Loaded:
    return made.edited(made.document.set(("data", "name"), name))


def codes(made: Loaded) -> list[str]:
    return [finding.code for finding in made.report]


@pytest.mark.parametrize("before", [b"", b"MZ leading bytes", b"\xff\xd8\xff\xe0 a picture"])
@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_the_card_is_read_and_replaced_in_place(charx: Build, before: bytes, method: int) -> None:
    data = charx(MEMBERS, method, before)
    made = load(data, "mira.charx")
    assert (made.format.name, made.container.kind) == ("card", "charx")
    assert made.require_book().entries[0].content == "x"
    assert dump(made) == data
    changed = dump(renamed(made, "Nora " * 500))
    assert changed.startswith(before)
    after = members_of(changed)
    assert list(after) == list(MEMBERS)
    assert json.loads(after["card.json"])["data"]["name"] == "Nora " * 500
    assert {name: body for name, body in after.items() if name != "card.json"} == {
        name: body for name, body in MEMBERS.items() if name != "card.json"
    }
    card_at = data.index(b"PK\x03\x04", data.index(b"card.json") - 40)
    assert changed[:card_at] == data[:card_at]
    assert dump(renamed(load(changed), "Mira")) == dump(renamed(made, "Mira"))


def test_offsets_may_count_from_the_archive_or_from_the_file(charx: Build) -> None:
    counted = io.BytesIO(b"prefix")
    counted.seek(6)
    with zipfile.ZipFile(counted, "a") as archive:
        for name, body in MEMBERS.items():
            archive.writestr(name, body)
    for data in (counted.getvalue(), charx(MEMBERS, before=b"prefix")):
        after = members_of(dump(renamed(load(data), "Nora")))
        assert json.loads(after["card.json"])["data"]["name"] == "Nora"
        assert after["assets/other/x.txt"] == MEMBERS["assets/other/x.txt"]


class NoSeek(io.RawIOBase):
    """A target that cannot go back, so that sizes are written behind the data."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.written += data
        return len(data)


@pytest.mark.parametrize("mark", [True, False])
def test_sizes_behind_the_data(mark: bool) -> None:
    target = NoSeek()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in MEMBERS.items():
            archive.writestr(name, body)
    data = bytes(target.written)
    assert b"PK\x07\x08" in data
    if not mark:  # the mark before the sizes is optional; without it the directory must say where members are
        place = data.index(b"PK\x07\x08", data.index(b"card.json"))
        data = data[:place] + data[place + 4 :]
        end = data.rindex(b"PK\x05\x06")
        (start,) = struct.unpack_from("<L", data, end + 16)
        third = data.rindex(b"PK\x01\x02")
        (offset,) = struct.unpack_from("<L", data, third + 42)
        data = data[: third + 42] + struct.pack("<L", offset - 4) + data[third + 46 :]
        data = data[: end + 16] + struct.pack("<L", start - 4) + data[end + 20 :]
    after = members_of(dump(renamed(load(data), "Nora")))
    assert json.loads(after["card.json"])["data"]["name"] == "Nora"
    assert after["assets/other/x.txt"] == MEMBERS["assets/other/x.txt"]


def test_padding_and_comments_are_kept(charx: Build) -> None:
    plain = charx(MEMBERS)
    end = plain.rindex(b"PK\x05\x06")
    third = plain.index(b"PK\x03\x04", plain.index(b"card.json"))
    padded = plain[:third] + b"PAD!" + plain[third:end]
    directory = padded.rindex(b"PK\x01\x02")
    padded = padded[: directory + 42] + struct.pack("<L", third + 4) + padded[directory + 46 :]
    (start,) = struct.unpack_from("<L", plain, end + 16)
    tail = bytearray(plain[end:]) + b"a comment"
    struct.pack_into("<L", tail, 16, start + 4)
    struct.pack_into("<H", tail, 20, len(b"a comment"))
    data = padded + bytes(tail)
    changed = dump(renamed(load(data), "Nora"))
    assert b"PAD!PK\x03\x04" in changed
    assert changed.endswith(b"a comment")
    assert members_of(changed)["assets/other/x.txt"] == MEMBERS["assets/other/x.txt"]


def test_sizes_repeated_in_64_bits(charx: Build) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("a", b"1")
        with archive.open("card.json", "w", force_zip64=True) as file:
            file.write(MEMBERS["card.json"])
        archive.writestr("b", b"2")
    changed = dump(renamed(load(target.getvalue()), "Nora"))
    assert json.loads(members_of(changed)["card.json"])["data"]["name"] == "Nora"
    data = charx(MEMBERS)
    end = data.rindex(b"PK\x05\x06")
    made = load(data)
    made.container.data = data[: end + 16] + b"\xff\xff\xff\xff" + data[end + 20 :]  # type: ignore[attr-defined] # a ZIP64 directory by hand
    with pytest.raises(UnsupportedError, match="changed in place"):
        dump(renamed(made, "Nora"))


@pytest.mark.parametrize("damage", ["gap", "offset", "member"])
def test_archives_that_cannot_be_changed_safely_are_refused(charx: Build, damage: str) -> None:
    data = charx(MEMBERS)
    made = load(data)
    end = data.rindex(b"PK\x05\x06")
    card = data.index(b"card.json", data.index(b"PK\x01\x02")) - 46
    if damage == "gap":
        data = data[:end] + b"??" + data[end:]
    elif damage == "offset":
        data = data[: card + 42] + struct.pack("<L", 1) + data[card + 46 :]
    else:
        data = data[: card + 42] + b"\xff\xff\xff\xff" + data[card + 46 :]
    made.container.data = data  # type: ignore[attr-defined] # damaged after it was read
    with pytest.raises(UnsupportedError, match="changed in place"):
        dump(renamed(made, "Nora"))


def test_the_last_of_equal_names_counts() -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("card.json", "{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("card.json", MEMBERS["card.json"])
    made = load(target.getvalue())
    assert made.card is not None
    assert made.card.character.name == "Mira"
    again = load(dump(renamed(made, "Nora")))
    assert again.card is not None
    assert again.card.character.name == "Nora"


def test_archives_without_card(charx: Build) -> None:
    with pytest.raises(UnreadableError, match=r"no card\.json") as caught:
        load(charx({"assets/card.json": b"{}", **{f"f{number}": b"" for number in range(9)}}))
    assert caught.value.found == "assets/card.json, f0, f1, f2, f3, f4, …"
    with pytest.raises(UnreadableError) as caught:
        load(charx({}))
    assert caught.value.found == "an empty archive"


def test_names_that_lead_out_are_reported_and_kept(charx: Build) -> None:
    bad = {"../../evil.sh": b"1", "/etc/x": b"2", "c:\\x": b"3", "a/../b": b"4", "module.risum": b"5"}
    data = charx({**MEMBERS, **bad})
    made = load(data)
    assert codes(made) == ["unsafe-name"] * 4 + ["unread-module"]
    assert dump(made) == data
    assert set(bad) <= set(members_of(dump(renamed(made, "Nora"))))


def test_ceilings(charx: Build) -> None:
    with pytest.raises(LimitError, match="members"):
        load(charx({**MEMBERS, "x": b""}), limits=Limits(zip_members=3))
    bomb = charx({"card.json": b'{"a": "' + b" " * 1_000_000 + b'"}'})
    assert len(bomb) < 5_000
    with pytest.raises(LimitError, match="expands"):
        load(bomb, limits=Limits(zip_member_bytes=500_000))


def test_damaged_and_locked_archives(charx: Build) -> None:
    data = charx(MEMBERS)
    with pytest.raises(UnreadableError, match="damaged"):
        load(data[:100] + data[data.rindex(b"PK\x05\x06") :])
    body = data.index(b"card.json") + 9
    with pytest.raises(UnreadableError, match="damaged"):
        load(data[:body] + bytes(40) + data[body + 40 :])
    card = data.index(b"card.json", data.index(b"PK\x01\x02")) - 46
    with pytest.raises(UnreadableError, match="encrypted"):
        load(data[: card + 8] + b"\x01\x00" + data[card + 10 :])
    with pytest.raises(UnreadableError, match="packed in a way"):
        load(data[: card + 10] + b"\x63\x00" + data[card + 12 :])
    with pytest.raises(UnreadableError, match="packed in a way"):
        load(data[: card + 6] + b"\xff\x00" + data[card + 8 :])
    with pytest.raises(UnreadableError, match="broken at line 1"):
        load(charx({"card.json": b"{"}))


@pytest.mark.parametrize("sized", [False, True])
def test_extra_fields_of_the_card(sized: bool) -> None:
    stamp = struct.pack("<HHBL", 0x5455, 5, 1, 1_700_000_000)
    sizes = struct.pack("<HHQQ", 1, 16, 5, 5) if sized else b""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        card = zipfile.ZipInfo("card.json")
        card.extra = stamp + sizes
        archive.writestr(card, MEMBERS["card.json"])
        archive.writestr("b", b"2")
    changed = dump(renamed(load(target.getvalue()), "Nora"))
    assert members_of(changed)["b"] == b"2"
    with zipfile.ZipFile(io.BytesIO(changed)) as archive:
        assert archive.getinfo("card.json").extra == (b"" if sized else stamp)
