"""Cards in images: found wherever they may be, and written back without touching another byte."""

from __future__ import annotations

import base64
import json
import zlib
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import LimitError, UnreadableError, UnsupportedError
from lorebook_tui.formats.base import Limits, Loaded
from lorebook_tui.formats.detect import dump, load

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.formats.conftest import Chunk

    Build = Callable[..., bytes]

ENTRY = {"keys": ["bell"], "content": "x", "extensions": {}, "enabled": True, "insertion_order": 10, "id": 0}


def card(name: str = "Mira", spec: str = "chara_card_v2", **data: Any) -> dict[str, Any]:
    return {"spec": spec, "data": {"name": name, "character_book": {"name": "B", "entries": [ENTRY]}, **data}}


def name_of(made: Loaded) -> str:
    assert made.card is not None
    return made.card.character.name


def codes(made: Loaded) -> list[str]:
    return [finding.code for finding in made.report]


def cards_in(data: bytes) -> list[tuple[str, Any]]:
    """Every tEXt card in an image, read by other means than the program's."""
    found = []
    place = 8
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        assert int.from_bytes(data[place + 8 + length : place + 12 + length], "big") == zlib.crc32(kind + body)
        if kind == b"tEXt":
            keyword, _, text = body.partition(b"\0")
            found.append((keyword.decode(), json.loads(base64.b64decode(text, validate=True))))
        place += 12 + length
        if kind == b"IEND":
            break
    return found


def test_a_card_in_an_image(png: Build, card_chunk: Build) -> None:
    data = png(card_chunk(card()))
    made = load(data, "mira.png")
    assert (made.format.name, made.container.kind, name_of(made)) == ("card", "png", "Mira")
    assert made.require_book().entries[0].path == ("data", "character_book", "entries", 0)
    assert codes(made) == []
    assert dump(made) == data


def test_ccv3_is_preferred(png: Build, card_chunk: Build) -> None:
    old, new = card_chunk(card("old")), card_chunk(card("new", "chara_card_v3"), "ccv3")
    assert name_of(load(png(old, new))) == "new"
    assert name_of(load(png(new, old))) == "new"


@pytest.mark.parametrize("keyword", ["Chara", "CHARA", "CcV3"])
def test_keywords_are_compared_without_case(png: Build, card_chunk: Build, keyword: str) -> None:
    data = png(card_chunk(card(), keyword))
    made = load(data)
    edited = made.edited(made.document.set(("data", "name"), "Nora"))
    assert cards_in(dump(edited)) == [(keyword, card("Nora"))]


def test_an_edit_replaces_the_card_in_place(png: Build, card_chunk: Build, chunk: Chunk) -> None:
    before, between = chunk(b"tEXt", b"Comment\0hello"), chunk(b"prVt", bytes(range(256)), checksum=7)
    old, new = card_chunk(card()), card_chunk(card(spec="chara_card_v3"), "ccv3")
    data = png(before, old, between, new, after=b"more data")
    made = load(data)
    edited = made.edited(made.document.set(("data", "character_book", "entries", 0, "content"), "é new"))
    changed = dump(edited)
    entry = {**ENTRY, "content": "é new"}
    book = {"name": "B", "entries": [entry]}
    expected_old = card_chunk(card(character_book=book))
    expected_new = card_chunk(card(spec="chara_card_v3", character_book=book), "ccv3")
    both = [json.loads(base64.b64decode(part)) for part in (text_of(changed, b"chara"), text_of(changed, b"ccv3"))]
    assert both == [
        json.loads(base64.b64decode(expected_old[14:-4])),
        json.loads(base64.b64decode(expected_new[13:-4])),
    ]
    assert before in changed
    assert between in changed
    assert changed.endswith(b"more data")
    head, tail = data.index(old), data.index(new) + len(new)
    assert changed[:head] == data[:head]
    assert changed.endswith(data[tail:])
    assert changed.index(b"chara\0") < changed.index(between) < changed.index(b"ccv3\0")
    again = load(changed)
    assert again.require_book().entries[0].content == "é new"
    undone = edited.edited(made.document)
    assert dump(undone) == data


def text_of(data: bytes, keyword: bytes) -> bytes:
    place = data.index(keyword + b"\0")
    length = int.from_bytes(data[place - 8 : place - 4], "big")
    return data[place + len(keyword) + 1 : place + length]


def test_an_older_copy_keeps_what_is_its_own(png: Build, card_chunk: Build) -> None:
    old = {**card("Mira the old"), "name": "root name", "extra": 1}
    made = load(png(card_chunk(old), card_chunk(card(spec="chara_card_v3"), "ccv3")))
    edited = made.edited(made.document.set(("data", "character_book", "entries"), []))
    written = dict(cards_in(dump(edited)))
    assert written["chara"]["data"]["name"] == "Mira the old"
    assert written["chara"]["extra"] == 1
    assert written["chara"]["spec"] == "chara_card_v2"
    assert written["chara"]["data"]["character_book"] == {"name": "B", "entries": []}
    only_root = made.edited(made.document.set(("own",), 1))
    assert dict(cards_in(dump(only_root)))["chara"] == {**old, "own": 1}


def test_cards_with_different_books_are_told(png: Build, card_chunk: Build) -> None:
    old = card(character_book={"name": "B", "entries": [{**ENTRY, "content": "old"}]})
    made = load(png(card_chunk(old), card_chunk(card(spec="chara_card_v3"), "ccv3")), "mira.png")
    assert "cards-differ" in codes(made)
    assert "cards-differ" not in codes(load(png(card_chunk(card()), card_chunk(card("Other"), "ccv3")), "mira.png"))


@pytest.mark.parametrize("kind", [b"zTXt", b"iTXt"])
def test_other_text_chunks_are_read_and_written(png: Build, card_chunk: Build, kind: bytes) -> None:
    data = png(card_chunk(card(), kind=kind))
    made = load(data)
    assert name_of(made) == "Mira"
    assert codes(made) == ["chunk-type"]
    edited = made.edited(made.document.set(("data", "name"), "Nora"))
    again = load(dump(edited))
    assert name_of(again) == "Nora"
    assert codes(again) == ["chunk-type"]
    assert kind in dump(edited)


def test_a_compressed_international_text(png: Build, chunk: Chunk) -> None:
    text = base64.b64encode(json.dumps(card()).encode())
    data = png(chunk(b"iTXt", b"chara\0\x01\0\0\0" + zlib.compress(text)))
    made = load(data)
    edited = made.edited(made.document.set(("data", "name"), "Nora"))
    assert name_of(load(dump(edited))) == "Nora"
    with pytest.raises(UnreadableError, match="JSON"):
        load(png(chunk(b"iTXt", b"chara\0\0\0")))


def test_texts_that_cannot_be_unpacked(png: Build, chunk: Chunk, card_chunk: Build) -> None:
    broken = chunk(b"zTXt", b"ccv3\0\0" + b"no zlib")
    with pytest.raises(UnreadableError, match="unpacked"):
        load(png(broken))
    made = load(png(broken, card_chunk(card())))
    assert name_of(made) == "Mira"
    assert codes(made) == ["chunk-type", "broken-card"]


def test_lenient_base64(png: Build, chunk: Chunk) -> None:
    text = base64.b64encode(json.dumps(card("Mirá>>??"), ensure_ascii=False).encode())
    assert b"+" in text or b"/" in text
    urlsafe = text.replace(b"+", b"-").replace(b"/", b"_")
    broken = b"\n".join(text[place : place + 60] for place in range(0, len(text), 60))
    for odd in (text.rstrip(b"=") + b"\n", urlsafe + b" ", broken, text + b"A\n"):
        data = png(chunk(b"tEXt", b"chara\0" + odd))
        made = load(data)
        assert name_of(made) == "Mirá>>??"
        assert codes(made) == ["base64"]
        assert dump(made) == data


def test_bare_json_in_a_chunk(png: Build, chunk: Chunk) -> None:
    made = load(png(chunk(b"tEXt", b"chara\0" + json.dumps(card()).encode())))
    assert name_of(made) == "Mira"
    assert codes(made) == ["raw-json"]


def test_wrong_checksums_are_warnings(png: Build, card_chunk: Build, chunk: Chunk) -> None:
    text = card_chunk(card())[8:-4]
    data = png(chunk(b"tEXt", text, checksum=1), chunk(b"teSt", b"x", checksum=2))
    made = load(data)
    assert name_of(made) == "Mira"
    assert codes(made) == ["checksum", "checksum"]
    assert made.report.findings[1].found == "00000002"
    assert dump(made) == data


def test_data_after_the_end_is_kept(png: Build, card_chunk: Build) -> None:
    made = load(png(card_chunk(card()), after=b"PS"))
    assert codes(made) == ["trailing-data"]
    assert made.report.findings[0].found == "2 bytes"


def test_cut_images_are_read_as_far_as_they_go(png: Build, card_chunk: Build, chunk: Chunk) -> None:
    whole = png(card_chunk(card()), chunk(b"teSt", b"x" * 100))
    for cut in (whole[:-12], whole[:-14], whole[:-60]):
        made = load(cut)
        assert name_of(made) == "Mira"
        assert codes(made) == ["cut-image"]
        edited = made.edited(made.document.set(("data", "name"), "Nora"))
        assert name_of(load(dump(edited))) == "Nora"
    damaged = whole[:-12] + b"\0\0\0\1\0\0\0\0" + whole[-12:]
    assert codes(load(damaged)) == ["cut-image"]


def test_an_image_cut_inside_its_card(png: Build, card_chunk: Build) -> None:
    whole = png(card_chunk(card()))
    with pytest.raises(UnreadableError, match=r"ends inside the chunk tEXt") as caught:
        load(whole[:-60])
    assert "ends before" in caught.value.found or "missing" in caught.value.found


def test_a_broken_first_choice_falls_back(png: Build, card_chunk: Build, chunk: Chunk) -> None:
    broken = chunk(b"tEXt", b"ccv3\0" + base64.b64encode(b'{"data": '))
    made = load(png(broken, card_chunk(card())))
    assert name_of(made) == "Mira"
    assert codes(made) == ["broken-card"]
    edited = made.edited(made.document.set(("data", "name"), "Nora"))
    assert broken in dump(edited)
    with pytest.raises(UnreadableError, match="chunk ccv3 cannot be read: The JSON is broken at line 1"):
        load(png(broken))


def test_the_first_of_equal_chunks_counts_and_all_are_written(png: Build, card_chunk: Build) -> None:
    made = load(png(card_chunk(card("first")), card_chunk(card("second"))))
    assert name_of(made) == "first"
    assert codes(made) == ["repeated-card"]
    edited = made.edited(made.document.set(("data", "tags"), []))
    assert [value["data"]["tags"] for _, value in cards_in(dump(edited))] == [[], []]


def test_images_without_card_are_refused(png: Build, chunk: Chunk) -> None:
    with pytest.raises(UnreadableError, match="no character card") as caught:
        load(png(chunk(b"tEXt", b"Comment\0chara"), chunk(b"tEXt", b"chara")), "mira.png")
    assert caught.value.found == "a PNG with the chunks IDAT, IEND, IHDR, tEXt"
    assert caught.value.exit_status == 3
    with pytest.raises(UnreadableError, match="no character card") as caught:
        load(b"\x89PNG\r\n\x1a\n")
    assert caught.value.found == "a PNG without any chunk"
    assert "whole copy" in caught.value.hint


def test_a_cut_image_without_card_is_told_as_cut(png: Build, card_chunk: Build) -> None:
    with pytest.raises(
        UnreadableError, match=r"no character card\. The image is damaged: the chunk IEND is missing"
    ) as caught:
        load(png(card_chunk(card()))[:40])
    assert "whole copy" in caught.value.hint


def test_a_novelai_image_is_named(png: Build, card_chunk: Build) -> None:
    with pytest.raises(UnsupportedError, match="NovelAI"):
        load(png(card_chunk({"lorebookVersion": 5, "entries": []}, "naidata")))


def test_a_card_that_is_no_object(png: Build, card_chunk: Build) -> None:
    with pytest.raises(UnreadableError, match="no object"):
        load(png(card_chunk([1])))


def test_ceilings(png: Build, card_chunk: Build, chunk: Chunk) -> None:
    with pytest.raises(LimitError, match="chunks"):
        load(png(*[chunk(b"teSt", b"")] * 20, card_chunk(card())), limits=Limits(png_chunks=10))
    bomb = chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"A" * 100_000))
    with pytest.raises(LimitError, match="too long"):
        load(png(bomb), limits=Limits(png_text_bytes=50_000))
    with pytest.raises(LimitError, match="too long"):
        load(png(card_chunk(card())), limits=Limits(png_text_bytes=50))
    deep: Any = []
    for _ in range(20):
        deep = [deep]
    with pytest.raises(LimitError, match="nested"):
        load(png(card_chunk(deep)), limits=Limits(nesting=10))
