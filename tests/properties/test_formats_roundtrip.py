"""Whatever a file looks like: it is written back byte for byte, edits change only their own text, nothing else is raised."""

from __future__ import annotations

import base64
import codecs
import contextlib
import io
import json
import struct
import zipfile
import zlib
from typing import TYPE_CHECKING, Any

from hypothesis import assume, example, given
from hypothesis import strategies as st

from lorebook_tui.errors import LorebookError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.formats.json_patch import same
from lorebook_tui.formats.json_text import JsonDocument, parse

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

NAMES = st.sampled_from(
    [
        "entries",
        "key",
        "keys",
        "uid",
        "id",
        "content",
        "comment",
        "enabled",
        "extensions",
        "position",
        "order",
        "disable",
        "data",
        "spec",
        "character_book",
        "name",
        "first_mes",
        "mes",
        "role",
        "swipes",
        "swipe_id",
        "is_user",
        "user_name",
        "chat_metadata",
        "messages",
        "handle",
        "msg",
        "originalData",
        "displayIndex",
        "kind",
        "type",
        "tags",
        "depth_prompt",
        "world",
        "triggers",
        "secondary_keys",
        "secondaryKeys",
        "x",
    ]
) | st.text(max_size=3)
TEXTS = st.text(max_size=8) | st.sampled_from(
    ["chara_card_v2", "lorebook_v3", "é\u2028", "a/b", "\\", '"', "\x7f", "😀", "\r\n"]
)
NUMBERS = st.sampled_from(
    ["0", "-0", "1", "2.50", "1e3", "1E+2", "0.10e-05", "12345678901234567890123", "1e999", "-7.0"]
)
SPACES = st.sampled_from(["", "", "", " ", "\n", "\r\n", "\t", "\n    ", "  \r "])
ESCAPES = st.sampled_from(["\\u00e9", "\\uD83D\\uDE00", "\\ud800", "\\/", "\\n", "\\u0000", "\\\\"])


@st.composite
def string_texts(draw: st.DrawFn) -> str:
    """A JSON string in some spelling."""
    text = json.dumps(draw(TEXTS | NAMES), ensure_ascii=draw(st.booleans()))
    return text[:-1] + draw(ESCAPES | st.just("")) + '"'


@st.composite
def name_texts(draw: st.DrawFn) -> str:
    return json.dumps(draw(NAMES), ensure_ascii=draw(st.booleans()))


@st.composite
def spaced(draw: st.DrawFn, inner: st.SearchStrategy[str]) -> str:
    return draw(SPACES) + draw(inner) + draw(SPACES)


def containers(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    member = st.tuples(spaced(name_texts()), spaced(inner)).map(":".join)
    objects = st.lists(member, max_size=5).map(lambda members: "{" + ",".join(members) + "}")
    arrays = st.lists(spaced(inner), max_size=4).map(lambda items: "[" + ",".join(items) + "]")
    return objects | arrays | SPACES.map("{{{}}}".format)


SCALARS = string_texts() | NUMBERS | st.sampled_from(["true", "false", "null"])
JSON_TEXTS = spaced(st.recursive(SCALARS, containers, max_leaves=25))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)
ENTRIES = st.lists(st.dictionaries(NAMES, VALUES, max_size=6) | VALUES, max_size=4)


@st.composite
def lore_values(draw: st.DrawFn) -> Any:
    """A JSON value that looks like lore, but may be wrong in every part."""
    entries: Any = draw(ENTRIES)
    if draw(st.booleans()):
        entries = {draw(NAMES) if draw(st.booleans()) else str(index): item for index, item in enumerate(entries)}
    book = draw(st.dictionaries(NAMES, VALUES, max_size=3)) | {"entries": entries}
    shape = draw(st.integers(0, 4))
    if shape == 0:
        return book
    if shape == 1:
        return draw(st.dictionaries(NAMES, VALUES, max_size=3)) | {"spec": "lorebook_v3", "data": book}
    if shape == 2:
        return entries
    data = draw(st.dictionaries(NAMES, VALUES, max_size=4)) | {"character_book": book, "extensions": draw(VALUES)}
    return draw(st.dictionaries(NAMES, VALUES, max_size=3)) | {"spec": "chara_card_v2", "data": data}


def encoded(text: str, how: int) -> bytes:
    if how == 1:
        return codecs.BOM_UTF8 + text.encode("utf-8", "surrogatepass")
    if how == 2:
        return codecs.BOM_UTF16_LE + text.encode("utf-16-le", "surrogatepass")
    return text.encode("utf-8", "surrogatepass")


def is_sound(document: JsonDocument) -> bool:
    """Whether value and places are those of the text when it is read anew."""
    again = parse(document.dump())
    if again.value != document.value:
        return False
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), document.value)]
    while waiting:
        path, value = waiting.pop()
        if again.span(path) != document.span(path):
            return False
        if isinstance(value, dict):
            waiting += [((*path, name), item) for name, item in value.items()]
        if isinstance(value, list):
            waiting += [((*path, index), item) for index, item in enumerate(value)]
    return True


def places(value: Any) -> list[tuple[str | int, ...]]:
    found: list[tuple[str | int, ...]] = [()]
    if isinstance(value, dict):
        found += [(name, *rest) for name, item in value.items() for rest in places(item)]
    if isinstance(value, list):
        found += [(index, *rest) for index, item in enumerate(value) for rest in places(item)]
    return found


def opened(data: bytes) -> Loaded | None:
    """The file, or None if it is refused; anything but a typed refusal fails the test."""
    try:
        return load(data, "a name.json", user="You")
    except LorebookError:
        return None


def all_is_well(made: Loaded) -> None:
    """Everything that a caller may look at can be looked at."""
    for finding in made.report:
        assert finding.message
        assert finding.line is None or finding.line >= 1
    for book in made.books:
        assert len(book.walked) == len(book.entries)
        for entry in book.entries:
            assert isinstance(entry.title, str)
            assert made.document.has(entry.path)
    if made.transcript:
        assert all(not message.swipes or message.swipe < len(message.swipes) for message in made.transcript.messages)


@given(JSON_TEXTS, st.integers(0, 2))
def test_json_is_kept_byte_for_byte_and_read_as_python_reads_it(text: str, how: int) -> None:
    data = encoded(text, how)
    document = parse(data)
    assert document.dump() == data
    assert document.value == json.loads(text)
    for path in places(document.value):
        start, end = document.span(path)
        assert json.loads(document.text[start:end]) == document.at(path)


@given(JSON_TEXTS, st.data())
def test_an_edit_changes_only_its_own_text(text: str, data: st.DataObject) -> None:
    document = parse(text)
    path = data.draw(st.sampled_from(places(document.value)))
    value = data.draw(VALUES)
    start, end = document.span(path)
    edited = document.set(path, value)
    assert edited.at(path) == value
    assert edited.text.startswith(document.text[:start])
    assert edited.text.endswith(document.text[end:])
    assert is_sound(edited)
    if same(document.at(path), value):
        assert edited is document


@given(JSON_TEXTS, st.data())
def test_insertions_and_removals_leave_the_rest(text: str, data: st.DataObject) -> None:
    document = parse(text)
    parents = [path for path in places(document.value) if isinstance(document.at(path), (dict, list))]
    assume(parents)
    parent = data.draw(st.sampled_from(parents))
    container = document.at(parent)
    value = data.draw(VALUES)
    if isinstance(container, dict):
        step: str | int = data.draw(NAMES.filter(lambda name: name not in container))
    else:
        step = data.draw(st.integers(0, len(container)))
    edited = document.insert((*parent, step), value)
    start, end = document.span(parent)
    assert edited.text.startswith(document.text[:start])
    assert edited.text.endswith(document.text[end:])
    assert is_sound(edited)
    back = edited.remove((*parent, step))
    assert back.value == document.value
    assert is_sound(back)
    if len(container) > (0 if isinstance(container, dict) else 1) and not document.has_doubled_names:
        assert back.text == document.text


@given(JSON_TEXTS, st.lists(st.tuples(st.integers(0, 2), VALUES), max_size=6), st.data())
def test_edits_after_edits(text: str, steps: list[tuple[int, Any]], data: st.DataObject) -> None:
    document = parse(text)
    for kind, value in steps:
        path = data.draw(st.sampled_from(places(document.value)))
        with contextlib.suppress(LorebookError):
            if kind == 0:
                document = document.set(path, value)
            elif kind == 1:
                document = document.insert(path, value)
            else:
                document = document.remove(path)
    assert is_sound(document)


@given(VALUES, VALUES, st.sampled_from([None, 2, "\t"]))
def test_one_value_becomes_another(old: Any, new: Any, indent: int | str | None) -> None:
    document = parse(json.dumps(old, indent=indent))
    edited = document.replaced(new)
    assert edited.value == new
    assert is_sound(edited)
    assert same(parse(edited.text).value, new)


@given(lore_values(), st.sampled_from([None, 0, 4]), st.booleans(), st.booleans())
@example({"entries": {"0": {"uid": 10**400}}}, None, True, False)
@example({"entries": {"": {"uid": 10**400, "displayIndex": 10**400}}}, None, True, False)
@example(
    {"spec": "chara_card_v2", "data": {"character_book": {"entries": [{"id": 10**400}, {"id": 10**400}]}}},
    None,
    True,
    False,
)
@example([{"mes": "x", "send_date": 10**400}], None, True, False)
def test_lore_is_read_and_written_back(value: Any, indent: int | None, ascii_only: bool, strict: bool) -> None:
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    try:
        made = load(data, "lore.json", strict=strict)
    except LorebookError:
        return
    assert dump(made) == data
    all_is_well(made)
    for book in made.books:
        for entry in book.entries[:1]:
            edited = made.edited(made.document.set((*entry.path, "content"), "a new text"))
            assert load(dump(edited), "lore.json", strict=strict).books == edited.books
            all_is_well(edited)


@given(
    st.lists(JSON_TEXTS.filter(lambda text: "\n" not in text and "\r" not in text) | st.text(max_size=5), max_size=6),
    SPACES,
)
def test_chats_in_lines_are_kept(parts: list[str], end: str) -> None:
    for newline in ("\n", "\r\n"):
        data = (
            newline.join(['{"user_name": "a", "character_name": "b"}', *parts]).encode("utf-8", "surrogatepass")
            + end.encode()
        )
        made = opened(data)
        assert made is not None
        assert dump(made) == data
        all_is_well(made)
        changed = made.edited(made.documents[0].set(("user_name",), "c"))
        assert dump(changed) == data.replace(b'"a"', b'"c"', 1)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


CARD = {"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": []}}}
CARD_TEXT = base64.b64encode(json.dumps(CARD).encode())


@given(
    st.lists(
        st.tuples(st.sampled_from([b"tEXt", b"zTXt", b"iTXt", b"IDAT", b"prVt"]), st.binary(max_size=20)), max_size=4
    ),
    st.integers(0, 4),
    st.binary(max_size=10),
    st.integers(0, 400),
)
def test_images_are_kept_and_never_break_the_reader(
    chunks: list[tuple[bytes, bytes]], place: int, after: bytes, cut: int
) -> None:
    parts = [chunk(kind, data) for kind, data in chunks]
    parts.insert(min(place, len(parts)), chunk(b"tEXt", b"chara\0" + CARD_TEXT))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(parts) + chunk(b"IEND", b"") + after
    made = opened(data)
    assert made is not None
    assert dump(made) == data
    all_is_well(made)
    changed = dump(made.edited(made.document.set(("data", "name"), "N")))
    rest = data.replace(parts[min(place, len(chunks))], b"", 1)
    renamed = json.dumps(CARD).encode().replace(b'"M"', b'"N"')
    replaced = chunk(b"tEXt", b"chara\0" + base64.b64encode(renamed))
    assert changed.replace(replaced, b"", 1) == rest
    shorter = opened(data[: len(data) - cut])
    if shorter is not None:
        assert dump(shorter) == data[: len(data) - cut]


@given(
    st.dictionaries(
        st.text(st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="/\\"), min_size=1, max_size=6),
        st.binary(max_size=30),
        max_size=4,
    ),
    st.integers(0, 4),
    st.binary(max_size=8),
    st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    st.binary(max_size=6),
)
def test_archives_are_kept_but_for_their_card(
    members: dict[str, bytes], place: int, before: bytes, method: int, comment: bytes
) -> None:
    names = [name for name in members if name != "card.json"]
    names.insert(min(place, len(names)), "card.json")
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.comment = comment
        for name in names:
            archive.writestr(zipfile.ZipInfo(name), json.dumps(CARD).encode() if name == "card.json" else members[name])
    data = before + target.getvalue()
    assume(b"PK" not in comment)
    made = opened(data)
    assert made is not None
    assert dump(made) == data
    changed = dump(made.edited(made.document.set(("data", "name"), "long name " * 20)))
    with zipfile.ZipFile(io.BytesIO(changed)) as archive:
        assert archive.namelist() == names
        assert archive.comment == comment
        assert json.loads(archive.read("card.json"))["data"]["name"].startswith("long name")
        assert all(archive.read(name) == members[name] for name in names if name != "card.json")


MAGIC = st.sampled_from(
    [b"", b"\x89PNG\r\n\x1a\n", b"PK\x03\x04", b"PK\x05\x06", b"{", b"[", b"<", b"\xff\xfe", b"\xef\xbb\xbf", b"You: "]
)


@given(MAGIC, st.binary(max_size=200), st.sampled_from([b"", b"PK\x05\x06" + bytes(18), b"}", b"]"]))
def test_arbitrary_bytes_are_read_or_refused(start: bytes, body: bytes, end: bytes) -> None:
    data = start + body + end
    made = opened(data)
    if made is not None:
        assert dump(made) == data
        all_is_well(made)


@given(MAGIC, st.text(max_size=60), JSON_TEXTS)
def test_arbitrary_text_is_read_or_refused(start: bytes, body: str, tail: str) -> None:
    data = start + (body + tail).encode("utf-8", "surrogatepass")
    made = opened(data)
    if made is not None:
        assert dump(made) == data
        all_is_well(made)


@given(
    st.lists(
        st.sampled_from(["You: hi", "Mira: hello", "", " and more", "note: x", "**Mira:** y", "我：z", "\r"]),
        max_size=8,
    )
)
def test_transcripts_lose_no_text(parts: list[str]) -> None:
    data = "\n".join(["Mira: first", "You: second", *parts]).encode()
    made = opened(data)
    assert made is not None
    assert dump(made) == data
    assert made.transcript is not None
    assert all(message.name for message in made.transcript.messages)
    joined = "".join(message.text for message in made.transcript.messages)
    assert joined.count("and more") == parts.count(" and more")
