"""Chats: SillyTavern's lines, lists of messages, plain transcripts."""

from __future__ import annotations

import codecs
import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import LimitError, UnreadableError
from lorebook_tui.formats.base import Limits, Loaded
from lorebook_tui.formats.detect import dump, load

if TYPE_CHECKING:
    from lorebook_tui.model.transcript import Transcript

HEADER = {
    "user_name": "Rowan",
    "character_name": "Mira",
    "create_date": "2024",
    "chat_metadata": {"world_info": "lore", "timedWorldInfo": {}},
}


def message(text: str = "Hello", **fields: Any) -> dict[str, Any]:
    return {
        "name": "Mira",
        "is_user": False,
        "is_system": False,
        "send_date": "June 1, 2024 1:00pm",
        "mes": text,
        **fields,
    }


def lines(*values: object, newline: str = "\n") -> bytes:
    return newline.join(
        value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values
    ).encode()


def chat_of(data: bytes, name: str = "chats/The ferry.jsonl", user: str = "") -> tuple[Transcript, Loaded]:
    made = load(data, name, user=user)
    assert dump(made) == data
    assert made.transcript is not None
    return made.transcript, made


def codes(made: Loaded) -> list[str]:
    return [finding.code for finding in made.report]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("end", ["", "\n", "\n\n \n"])
def test_a_chat_with_header(newline: str, end: str) -> None:
    user = message("I ring the bell.", name="Rowan", is_user=True)
    data = (
        lines(HEADER, message(extra={"reasoning": "r"}, own=1), user, newline=newline)
        + end.replace("\n", newline).encode()
    )
    chat, made = chat_of(data)
    assert (made.format.name, made.container.kind) == ("chat", "lines")
    assert (chat.name, chat.user_name, chat.character_name) == ("The ferry", "Rowan", "Mira")
    assert chat.metadata == HEADER["chat_metadata"]
    first, second = chat.messages
    assert (first.text, first.name, first.is_user, first.is_hidden) == ("Hello", "Mira", False, False)
    assert (first.sent, first.extra) == ("June 1, 2024 1:00pm", {"reasoning": "r", "own": 1})
    assert (second.text, second.name, second.is_user) == ("I ring the bell.", "Rowan", True)
    assert codes(made) == []


def test_a_chat_without_header() -> None:
    hidden = message("note", name="System", is_system=True)
    chat, made = chat_of(lines(hidden, message(), message("Hi", name="Rowan", is_user=True)))
    assert (chat.user_name, chat.character_name) == ("Rowan", "Mira")
    assert chat.metadata == {}
    assert codes(made) == ["no-header"]


def test_names_that_a_new_header_no_longer_keeps() -> None:
    header = {"user_name": "unused", "character_name": "unused", "chat_metadata": {}}
    chat, _ = chat_of(lines(header, message(), message(name="Rowan", is_user=True)))
    assert (chat.user_name, chat.character_name) == ("Rowan", "Mira")


def test_a_header_alone_and_a_message_alone() -> None:
    chat, made = chat_of(lines(HEADER))
    assert (chat.user_name, chat.messages) == ("Rowan", ())
    assert codes(made) == []
    chat, made = chat_of(json.dumps(message(), indent=2).encode())
    assert [item.text for item in chat.messages] == ["Hello"]


@pytest.mark.parametrize(
    ("fields", "swipe", "swipes", "codes_"),
    [
        ({"swipes": ["a", "Hello"], "swipe_id": 1}, 1, ("a", "Hello"), []),
        ({"swipes": ["a", "Hello"]}, 0, ("a", "Hello"), []),
        ({"swipes": ["Hello", "b"], "swipe_id": 7}, 0, ("Hello", "b"), ["swipe-range"]),
        ({"swipes": ["a", "b"], "swipe_id": -1}, 1, ("a", "b"), ["swipe-range"]),
        ({"swipes": ["a", "b"], "swipe_id": "0"}, 1, ("a", "b"), ["swipe-range"]),
        ({"swipes": ["a", None], "swipe_id": 0}, 0, ("a", ""), ["type"]),
        ({"swipes": "a", "swipe_id": 0}, 0, (), ["type"]),
        ({"swipes": None, "swipe_id": 3}, 0, (), []),
    ],
)
def test_swipes(fields: dict[str, Any], swipe: int, swipes: tuple[str, ...], codes_: list[str]) -> None:
    chat, made = chat_of(lines(HEADER, message(**fields)))
    assert (chat.messages[0].text, chat.messages[0].swipe, chat.messages[0].swipes) == ("Hello", swipe, swipes)
    assert codes(made) == codes_


def test_odd_messages() -> None:
    chat, made = chat_of(
        lines(
            HEADER,
            message(is_system=""),
            message(is_system=1, is_user="yes", send_date=1700000000000),
            {"mes": None, "swipes": ["kept"]},
            {"mes": 5, "name": 7, "extra": "x"},
            message("", name=""),
        )
    )
    empty, truthy, swiped, bare, silent = chat.messages
    assert not empty.is_hidden
    assert (truthy.is_hidden, truthy.is_user, truthy.sent) == (True, True, "1700000000000")
    assert (swiped.text, swiped.name, swiped.sent) == ("kept", None, "")
    assert (bare.text, bare.name, bare.extra) == ("", None, {})
    assert (silent.text, silent.name) == ("", "")
    assert [(finding.path, finding.line) for finding in made.report] == [
        (("is_system",), 2),
        (("is_user",), 3),
        (("is_system",), 3),
        (("mes",), 4),
        (("mes",), 5),
        (("name",), 5),
    ]


def test_broken_lines_are_reported_and_kept() -> None:
    chat, made = chat_of(lines(HEADER, message("one"), '{"mes": "cut', "[1]", message("two"), HEADER))
    assert [item.text for item in chat.messages] == ["one", "two"]
    assert [(finding.code, finding.line) for finding in made.report] == [
        ("broken-line", 3),
        ("no-message", 4),
        ("no-message", 6),
    ]
    first = lines('{"user_name": ', message("one"))
    assert codes(chat_of(first)[1]) == ["broken-line", "no-header"]


def test_other_line_ends_are_part_of_the_text() -> None:
    text = "a\u2028b\u2029c\x85d\x0be"
    data = lines(HEADER, message(text))
    assert "\u2028".encode() in data
    assert chat_of(data)[0].messages[0].text == text


def test_chats_in_utf_16() -> None:
    data = codecs.BOM_UTF16_LE + lines(HEADER, message("é")).decode().encode("utf-16-le")
    chat, made = chat_of(data)
    assert chat.messages[0].text == "é"
    changed = made.edited(made.documents[1].set(("mes",), "ü"), 1)
    assert dump(changed) == codecs.BOM_UTF16_LE + lines(HEADER, message("ü")).decode().encode("utf-16-le")


def test_an_edited_message_changes_its_line_only() -> None:
    data = lines(HEADER, message("one"), '{"mes": "cut', message("two"), newline="\r\n") + b"\r\n\r\n"
    _, made = chat_of(data)
    changed = made.edited(made.documents[2].set(("mes",), "zwei"), 2)
    assert dump(changed) == data.replace(b'"two"', b'"zwei"')
    assert changed.transcript is not None
    assert [item.text for item in changed.transcript.messages] == ["one", "zwei"]
    assert codes(changed) == ["broken-line"]


def test_metadata_that_is_no_object() -> None:
    chat, made = chat_of(lines({**HEADER, "chat_metadata": []}, message()))
    assert chat.metadata == {}
    assert codes(made) == ["type"]


def test_nesting_in_a_line_is_limited() -> None:
    deep = '{"mes": ' + "[" * 20 + "]" * 20 + "}"
    with pytest.raises(LimitError):
        load(lines(HEADER, deep), limits=Limits(nesting=10))


def test_a_chat_has_no_book() -> None:
    _, made = chat_of(lines(HEADER, message()))
    with pytest.raises(UnreadableError, match="is a SillyTavern chat without a lorebook"):
        made.require_book()


def test_role_and_content() -> None:
    value = [
        {"role": "system", "content": "You are Mira."},
        {"role": "user", "content": [{"type": "text", "text": "Look"}, {"type": "image_url"}, "here", 5]},
        {"role": "assistant", "content": "Yes.", "name": "Mira"},
        {"role": "tool", "content": None},
        {"role": "user", "content": 5},
        "no message",
    ]
    data = json.dumps({"title": "x", "messages": value}).encode()
    chat, made = chat_of(data, "log.json")
    assert (made.format.name, made.container.kind) == ("chat_list", "json")
    assert [(item.text, item.is_user, item.is_hidden, item.name) for item in chat.messages] == [
        ("You are Mira.", False, True, None),
        ("Look\nhere", True, False, None),
        ("Yes.", False, False, "Mira"),
        ("", False, True, None),
        ("", True, False, None),
    ]
    assert chat.messages[2].extra == {"role": "assistant"}
    assert [(finding.code, finding.path, finding.found) for finding in made.report] == [
        ("type", ("messages", 4, "content"), "the number 5"),
        ("no-message", ("messages", 5), 'the text "no message"'),
    ]
    assert chat_of(data, "log.json", user="Rowan")[0].user_name == "Rowan"


def test_sillytavern_messages_as_a_list() -> None:
    data = json.dumps([HEADER, message("one"), message("two", name="Rowan", is_user=True)]).encode()
    chat, made = chat_of(data, "log.json")
    assert [item.is_user for item in chat.messages] == [False, True]
    assert (chat.user_name, chat.metadata["world_info"]) == ("Rowan", "lore")
    assert codes(made) == []


def test_agnai_chats() -> None:
    value = {
        "name": "x",
        "messages": [
            {"handle": "Mira", "msg": "Hello", "characterId": "c", "createdAt": "2024"},
            {"handle": "You", "msg": "Hi", "userId": "u"},
            {"handle": "Rowan", "msg": "And I", "userId": "anon", "characterId": None},
            {"handle": "Guard", "msg": "Halt", "userId": "u", "characterId": "g"},
            {"handle": 5, "msg": 6},
        ],
    }
    chat, _ = chat_of(json.dumps(value).encode(), "log.json")
    assert [(item.name, item.is_user, item.text, item.sent) for item in chat.messages] == [
        ("Mira", False, "Hello", "2024"),
        ("You", True, "Hi", ""),
        ("Rowan", True, "And I", ""),
        ("Guard", False, "Halt", ""),
        (None, False, "", ""),
    ]
    named, _ = chat_of(json.dumps(value).encode(), "log.json", user="guard")
    assert [item.is_user for item in named.messages] == [False, True, True, True, False]


def test_a_transcript() -> None:
    text = "Mira: The ferry drifts.\n  It is late.\n\nStill.\nYou: I ring: twice.\r\nMira:\nDr. Voss: Hm. Wait: no.\n"
    chat, made = chat_of(text.encode(), "log.txt")
    assert (made.format.name, made.container.kind) == ("chat_text", "text")
    assert [(item.name, item.text, item.is_user) for item in chat.messages] == [
        ("Mira", "The ferry drifts.\n  It is late.\n\nStill.", False),
        ("You", "I ring: twice.", True),
        ("Mira", "", False),
        ("Dr. Voss", "Hm. Wait: no.", False),
    ]
    assert (chat.name, chat.user_name, chat.character_name) == ("log", "You", "Mira")
    assert codes(made) == []
    with pytest.raises(UnreadableError, match="holds no JSON"):
        _ = made.document


@pytest.mark.parametrize(
    ("text", "user", "users"),
    [
        ("Mira: a\nRowan: b\nMira: c", "rowan", [False, True, False]),
        ("Mira: a\nUser: b", "", [False, True]),
        ("**Mira:** a\n**{{user}}**: b", "", [False, True]),
        ("{{char}}: a\n{{user}}: b", "", [False, True]),
        ("Мира: раз\nТы: два", "", [False, True]),
        ("米拉：一\n我：二", "", [False, True]),
        ("You: only me", "", [True]),
        ("\ufeffMira: a\nYou: b", "", [False, True]),
    ],
)
def test_who_the_user_is(text: str, user: str, users: list[bool]) -> None:
    chat, made = chat_of(text.encode(), "log.txt", user=user)
    assert [item.is_user for item in chat.messages] == users
    assert codes(made) == []
    assert all(item.text in {"a", "b", "c", "раз", "два", "一", "二", "only me"} for item in chat.messages)


def test_a_transcript_without_a_known_user() -> None:
    for user in ("", "Nobody"):
        chat, made = chat_of(b"Mira: a\nRowan: b\nMira: c", "log.txt", user=user)
        assert [item.is_user for item in chat.messages] == [False, False, False]
        assert codes(made) == ["no-user"]
        assert made.report.findings[0].found == "Mira, Rowan"


@pytest.mark.parametrize(
    "text",
    [
        "Once upon a time there was a ferry.\nIt sank.",
        "Note: this is one thing.\nAnd more prose.",
        "See http://example.org: it is nice\nMore",
        "At 12:30 we left.\nAt 13:00 we came back.",
        "Chapter the first of all the many chapters: x\nMira: y",
        "just words",
    ],
)
def test_prose_is_no_transcript(text: str) -> None:
    with pytest.raises(UnreadableError, match="plain text") as caught:
        load(text.encode(), "notes.txt")
    assert caught.value.found.startswith("text that begins")
