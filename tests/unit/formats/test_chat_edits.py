"""Edits of chats change only their own line, item or passage, in every kind of file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import chat_edits, detect
from lorebook_tui.formats.chat_edits import MessageChange
from lorebook_tui.model.transcript import Message, Transcript

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

HEADER = '{"user_name":"Rowan","character_name":"Mira","chat_metadata":{"world_info":"harbour","note_depth":2.50}}'
FIRST = (
    '{"name":"Mira","is_user":false,"is_system":false,"send_date":"d1","mes":"hello","swipe_id":1,'
    '"swipes":["a","hello","c"],"extra":{"x":1e3}}'
)
SECOND = '{"name":"Rowan","is_user":true,"send_date":"d2","mes":"\\u00e9 yes"}'


def chat(*lines: str, end: str = "\n", tail: str = "") -> Loaded:
    return detect.load((end.join(lines) + tail).encode(), "night.jsonl")


def dumped(loaded: Loaded) -> list[str]:
    return detect.dump(loaded).decode().splitlines()


def texts(loaded: Loaded) -> list[str]:
    transcript = loaded.transcript
    assert transcript is not None
    return [message.text for message in transcript.messages]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("has_tail", [False, True])
def test_only_the_line_of_the_message_changes(end: str, has_tail: bool) -> None:
    loaded = chat(HEADER, FIRST, SECOND, end=end, tail=end if has_tail else "")
    made = chat_edits.with_change(loaded, 1, MessageChange(text="no\nway"))
    assert texts(made) == ["hello", "no\nway"]
    assert detect.dump(made).decode() == detect.dump(loaded).decode().replace("\\u00e9 yes", "no\\nway")


def test_the_chosen_swipe_follows_the_text() -> None:
    made = chat_edits.with_change(chat(HEADER, FIRST), 0, MessageChange(text="new"))
    assert dumped(made)[1] == FIRST.replace('"hello"', '"new"')


def test_a_swipe_becomes_the_message_and_nothing_else_moves() -> None:
    loaded = chat(HEADER, FIRST, SECOND)
    made = chat_edits.with_change(loaded, 0, MessageChange(swipe=2))
    assert dumped(made)[1] == FIRST.replace('"mes":"hello","swipe_id":1', '"mes":"c","swipe_id":2')
    back = chat_edits.with_change(made, 0, MessageChange(swipe=1))
    assert detect.dump(back) == detect.dump(loaded)


def test_a_text_that_is_no_swipe_is_kept_as_one_when_another_is_taken() -> None:
    line = '{"name":"Mira","mes":"edited elsewhere","swipe_id":0,"swipes":["a","b"]}'
    made = chat_edits.with_change(chat(HEADER, line), 0, MessageChange(swipe=1))
    value = json.loads(dumped(made)[1])
    assert value["swipes"] == ["a", "b", "edited elsewhere"]
    assert (value["mes"], value["swipe_id"]) == ("b", 1)


def test_a_stray_text_does_not_overwrite_a_swipe_without_number() -> None:
    line = '{"name":"Mira","mes":"other","swipes":["a","b"]}'
    value = json.loads(dumped(chat_edits.with_change(chat(HEADER, line), 0, MessageChange(text="new")))[1])
    assert value == {"name": "Mira", "mes": "new", "swipes": ["a", "b"]}


def test_what_belongs_to_a_swipe_comes_with_it_only_if_it_was_that_of_the_old_one() -> None:
    value = {
        "name": "Mira", "mes": "a", "swipe_id": 0, "swipes": ["a", "b"], "send_date": "d1", "extra": {"mine": 1},
        "swipe_info": [{"send_date": "d1", "extra": {}}, {"send_date": "d9", "extra": {"model": "m"}}],
    }  # fmt: skip
    made = json.loads(dumped(chat_edits.with_change(chat(HEADER, json.dumps(value)), 0, MessageChange(swipe=1)))[1])
    assert made["send_date"] == "d9"
    assert made["extra"] == {"mine": 1}


@pytest.mark.parametrize("swipe", [-1, 3])
def test_a_swipe_that_is_not_there_is_refused(swipe: int) -> None:
    with pytest.raises(UsageError, match="no swipe"):
        chat_edits.with_change(chat(HEADER, FIRST), 0, MessageChange(swipe=swipe))
    with pytest.raises(UsageError, match="no swipes"):
        chat_edits.with_change(chat(HEADER, SECOND), 0, MessageChange(swipe=0))


def test_speaker_and_hiding_are_fields_of_the_line() -> None:
    loaded = chat(HEADER, FIRST, SECOND)
    made = chat_edits.with_change(loaded, 1, MessageChange(name="Mira", is_user=False, is_hidden=True))
    assert json.loads(dumped(made)[2]) == {
        "name": "Mira", "is_user": False, "send_date": "d2", "mes": "é yes", "is_system": True,
    }  # fmt: skip
    same = chat_edits.with_change(loaded, 0, MessageChange(is_user=False, is_hidden=False))
    assert detect.dump(same) == detect.dump(loaded)


@pytest.mark.parametrize("tail", ["", "\n", "\n\n"])
@pytest.mark.parametrize("before", [0, 1, 2])
def test_a_new_message_is_one_new_line_and_gone_again_without_a_trace(before: int, tail: str) -> None:
    loaded = chat(HEADER, FIRST, SECOND, tail=tail)
    made = chat_edits.with_messages(loaded, before, [Message("new", "Rowan", is_user=True)])
    assert texts(made)[before] == "new"
    line = dumped(made)[before + 1]
    assert json.loads(line)["is_user"] is True
    assert json.loads(line)["send_date"] == ("d1" if before < 2 else "d2")
    kept = dumped(made)
    del kept[before + 1]
    assert kept == dumped(loaded)
    assert detect.dump(chat_edits.without_messages(made, [before])) == detect.dump(loaded)


def test_a_new_message_is_spaced_like_its_model() -> None:
    spaced = '{"name": "Mira", "is_user": false, "mes": "x", "original_avatar": "m.png"}'
    made = chat_edits.with_messages(chat(HEADER, spaced), 1, [Message("y", "Mira")])
    expected = (
        '{"name": "Mira", "is_user": false, "mes": "y", "original_avatar": "m.png", "is_system": false, "extra": {}}'
    )
    assert dumped(made)[2] == expected


def test_a_picture_goes_with_the_speaker() -> None:
    mira = '{"name":"Mira","is_user":false,"mes":"a","original_avatar":"m.png"}'
    tom = '{"name":"Tom","is_user":false,"original_avatar":"t.png","mes":"b"}'
    loaded = chat(HEADER, mira, tom)
    made = chat_edits.with_change(loaded, 0, MessageChange(name="Tom", is_user=False))
    assert json.loads(dumped(made)[1]) == {"name": "Tom", "is_user": False, "mes": "a", "original_avatar": "t.png"}
    other = chat_edits.with_change(loaded, 0, MessageChange(name="Ada", is_user=False))
    assert json.loads(dumped(other)[1]) == {"name": "Ada", "is_user": False, "mes": "a"}
    more = chat_edits.with_messages(loaded, 2, [Message("c", "Ada")])
    assert "original_avatar" not in json.loads(dumped(more)[3])


def test_broken_lines_and_other_values_stay_where_they_are() -> None:
    loaded = chat(HEADER, FIRST, "{broken", '{"neither":1}', SECOND)
    made = chat_edits.with_messages(loaded, 1, [Message("new", "Rowan", is_user=True)])
    assert dumped(made)[0:2] == [HEADER, FIRST]
    assert dumped(made)[3:] == ["{broken", '{"neither":1}', SECOND]
    gone = chat_edits.without_messages(made, [0, 2])
    assert [line for line in dumped(gone) if "mes" not in line] == [HEADER, "{broken", '{"neither":1}']
    assert texts(gone) == ["new"]


def test_removing_all_leaves_the_header_or_makes_one() -> None:
    assert detect.dump(chat_edits.without_messages(chat(HEADER, FIRST, SECOND), [0, 1])).decode() == HEADER
    bare = chat_edits.without_messages(chat(FIRST, SECOND), [0, 1])
    assert json.loads(dumped(bare)[0]) == {"user_name": "Rowan", "character_name": "Mira", "chat_metadata": {}}
    assert texts(chat_edits.with_messages(bare, 0, [Message("again", "Mira")])) == ["again"]


def test_a_single_line_can_grow() -> None:
    for line in (HEADER, FIRST):
        loaded = detect.load(line.encode("utf-8-sig"), "x.jsonl")
        made = chat_edits.with_messages(loaded, len(texts(loaded)), [Message("more", "Rowan", is_user=True)])
        assert detect.dump(made).startswith(b"\xef\xbb\xbf" + line.encode() + b"\n{")
        assert texts(made)[-1] == "more"


def test_an_edited_chat_can_be_edited_again() -> None:
    made = chat_edits.with_messages(chat(HEADER, FIRST), 1, [Message("two", "Rowan", is_user=True)])
    made = chat_edits.with_change(made, 1, MessageChange(text="deux"))
    made = chat_edits.with_messages(made, 2, [Message("three", "Mira")])
    assert texts(made) == ["hello", "deux", "three"]
    assert texts(detect.load(detect.dump(made), "x.jsonl")) == ["hello", "deux", "three"]


def test_a_branch_keeps_the_lines_and_names_its_origin() -> None:
    loaded = chat(HEADER, FIRST, SECOND)
    made = chat_edits.branched(loaded, 1, "night - branch 2.jsonl")
    assert dumped(made) == [HEADER.replace("2.50}", '2.50,"main_chat":"night"}'), FIRST]
    assert made.transcript is not None
    assert made.transcript.name == "night - branch 2"
    assert dumped(loaded) == [HEADER, FIRST, SECOND]
    assert dumped(chat_edits.branched(chat(FIRST, SECOND), 1, "b.jsonl")) == [FIRST]
    with pytest.raises(UsageError, match="2 messages"):
        chat_edits.branched(loaded, 3, "b.jsonl")


def test_a_branch_of_another_kind_of_chat_is_a_sillytavern_chat() -> None:
    loaded = detect.load(b"You: hi\nMira: ho\n", "t.txt")
    made = chat_edits.branched(loaded, 2, "t - branch 2.jsonl")
    assert made.format.name == "chat"
    assert texts(made) == ["hi", "ho"]
    assert made.transcript is not None
    assert [message.is_user for message in made.transcript.messages] == [True, False]


def test_a_chat_from_nothing_is_read_as_it_was_meant() -> None:
    messages = (
        Message("a\nb", "Rowan", is_user=True),
        Message("\ud800", "Mira", is_hidden=True, swipes=("x", "\ud800"), swipe=1),
    )
    made = chat_edits.new_chat(
        "new.jsonl", Transcript(messages, "new", "Rowan", "Mira", {"world_info": "w"}), created="now"
    )
    assert made.transcript is not None
    assert [message.text for message in made.transcript.messages] == ["a\nb", "\ud800"]
    assert made.transcript.messages[1].is_hidden
    assert made.transcript.messages[1].swipe == 1
    assert made.transcript.metadata == {"world_info": "w"}
    assert json.loads(dumped(made)[0])["create_date"] == "now"
    empty = chat_edits.new_chat("new.jsonl", Transcript())
    assert empty.transcript is not None
    assert not empty.transcript.messages


@pytest.mark.parametrize("number", [-1, 2])
def test_a_message_that_is_not_there_is_refused(number: int) -> None:
    loaded = chat(HEADER, FIRST, SECOND)
    with pytest.raises(UsageError):
        chat_edits.with_change(loaded, number, MessageChange(text="x"))
    with pytest.raises(UsageError):
        chat_edits.without_messages(loaded, [number])
    with pytest.raises(UsageError):
        chat_edits.with_messages(loaded, number if number < 0 else 3, [Message("x")])


def test_a_book_is_no_chat() -> None:
    with pytest.raises(UsageError, match="no chat"):
        chat_edits.with_change(detect.load(b'{"entries":{}}', "w.json"), 0, MessageChange(text="x"))


# JSON lists


def as_list(*items: Any, wrapped: bool = False) -> Loaded:
    return detect.load(
        json.dumps({"messages": list(items), "v": 2} if wrapped else list(items), indent=2).encode(), "l.json"
    )


@pytest.mark.parametrize("wrapped", [False, True])
def test_items_of_a_list_are_edited_in_place(wrapped: bool) -> None:
    loaded = as_list({"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, 7, wrapped=wrapped)
    made = chat_edits.with_change(loaded, 1, MessageChange(text="B"))
    assert detect.dump(made) == detect.dump(loaded).replace(b'"b"', b'"B"')
    more = chat_edits.with_messages(made, 1, [Message("new", "Mira")])
    assert texts(more) == ["a", "new", "B"]
    assert detect.dump(chat_edits.without_messages(more, [1])) == detect.dump(made)
    last = chat_edits.with_messages(made, 2, [Message("end", "You", is_user=True)])
    assert texts(last) == ["a", "B", "end"]
    assert last.transcript is not None
    assert last.transcript.messages[2].is_user


def test_roles_tell_who_speaks_and_what_is_hidden() -> None:
    loaded = as_list({"role": "user", "content": "a", "name": "Rowan"}, {"role": "assistant", "content": "b"})
    hidden = chat_edits.with_change(loaded, 0, MessageChange(is_hidden=True))
    assert json.loads(detect.dump(hidden))[0]["role"] == "system"
    other = chat_edits.with_change(loaded, 0, MessageChange(name="Mira", is_user=False))
    assert json.loads(detect.dump(other))[0] == {"role": "assistant", "content": "a", "name": "Mira"}


def test_parts_of_a_content_keep_what_is_no_text() -> None:
    parts = [{"type": "image", "url": "u"}, {"type": "text", "text": "a"}, "b"]
    made = chat_edits.with_change(as_list({"role": "user", "content": parts}), 0, MessageChange(text="new"))
    assert json.loads(detect.dump(made))[0]["content"] == [parts[0], {"type": "text", "text": "new"}]
    bare = chat_edits.with_change(as_list({"role": "user", "content": [parts[0]]}), 0, MessageChange(text="new"))
    assert json.loads(detect.dump(bare))[0]["content"] == [{"type": "text", "text": "new"}, parts[0]]


def test_agnai_tells_the_user_by_ids() -> None:
    loaded = as_list(
        {"handle": "Rowan", "msg": "a", "userId": "u1"}, {"handle": "Mira", "msg": "b", "characterId": "c1"}
    )
    made = chat_edits.with_messages(loaded, 2, [Message("c", "Rowan", is_user=True), Message("d", "Mira")])
    assert made.transcript is not None
    assert [message.is_user for message in made.transcript.messages] == [True, False, True, False]
    assert json.loads(detect.dump(made))[2]["userId"] == "u1"
    turned = chat_edits.with_change(loaded, 1, MessageChange(text="B", name="Rowan", is_user=True))
    assert json.loads(detect.dump(turned))[1] == {"handle": "Rowan", "msg": "B", "userId": "u1"}
    stranger = chat_edits.with_change(loaded, 1, MessageChange(name="Ada", is_user=True))
    assert json.loads(detect.dump(stranger))[1] == {"handle": "Ada", "msg": "b", "userId": "user"}
    with pytest.raises(UsageError, match="hidden"):
        chat_edits.with_change(loaded, 0, MessageChange(is_hidden=True))
    with pytest.raises(UsageError, match="swipes"):
        chat_edits.with_change(loaded, 0, MessageChange(swipe=0))


def test_a_name_that_says_user_cannot_be_a_character_in_agnai() -> None:
    loaded = as_list({"handle": "You", "msg": "a", "userId": "u1"})
    with pytest.raises(UsageError, match="name tells"):
        chat_edits.with_change(loaded, 0, MessageChange(is_user=False))


def test_an_empty_list_of_messages_can_be_filled() -> None:
    loaded = as_list({"chat_metadata": {}, "user_name": "R", "character_name": "M"}, {"mes": "a"})
    emptied = chat_edits.without_messages(loaded, [0])
    made = chat_edits.with_messages(emptied, 0, [Message("b", "M")])
    assert texts(made) == ["b"]


# Plain transcripts

PLAIN = "You: hi\n\nMira: ho\nmore\n\nYou: x\n"


def plain(text: str = PLAIN) -> Loaded:
    return detect.load(text.encode(), "t.txt")


def packed(loaded: Loaded) -> str:
    return detect.dump(loaded).decode()


def test_a_passage_of_a_plain_transcript_is_edited_in_place() -> None:
    made = chat_edits.with_change(plain(), 1, MessageChange(text="A\nB\n"))
    assert packed(made) == "You: hi\n\nMira: A\nB\n\nYou: x\n"
    assert texts(made) == ["hi", "A\nB", "x"]
    assert packed(chat_edits.with_change(made, 1, MessageChange(text="ho\nmore"))) == PLAIN


def test_another_speaker_of_a_plain_transcript() -> None:
    made = chat_edits.with_change(plain("**You:** a\n**Mira:** b\n"), 1, MessageChange(name="Tom", is_user=False))
    assert packed(made) == "**You:** a\n**Tom:** b\n"
    with pytest.raises(UsageError, match="of that name"):
        chat_edits.with_change(plain(), 1, MessageChange(name="A: B"))
    with pytest.raises(UsageError, match="name tells"):
        chat_edits.with_change(plain(), 1, MessageChange(name="Mira", is_user=True))


@pytest.mark.parametrize(("before", "expected"), [
    (0, "Mira: e\n\nYou: hi\n\nMira: ho\nmore\n\nYou: x\n"),
    (2, "You: hi\n\nMira: ho\nmore\n\nMira: e\n\nYou: x\n"),
    (3, "You: hi\n\nMira: ho\nmore\n\nYou: x\n\nMira: e\n"),
])  # fmt: skip
def test_new_passages_keep_the_gaps(before: int, expected: str) -> None:
    made = chat_edits.with_messages(plain(), before, [Message("e", "Mira")])
    assert packed(made) == expected
    assert packed(chat_edits.without_messages(made, [before])) == PLAIN


def test_line_ends_and_bold_names_of_a_plain_transcript_are_kept() -> None:
    loaded = plain("**You:** a\r\n**Mira:** b")
    assert packed(chat_edits.with_messages(loaded, 2, [Message("x\ny", "You", is_user=True)])) == (
        "**You:** a\r\n**Mira:** b\r\n**You:** x\r\ny"
    )


def test_a_name_with_nothing_behind_it_gets_a_blank() -> None:
    made = chat_edits.with_change(plain("You:\nMira: b\nYou: c"), 0, MessageChange(text="a"))
    assert packed(made) == "You: a\nMira: b\nYou: c"


def test_what_a_plain_transcript_cannot_hold_is_refused() -> None:
    with pytest.raises(UsageError, match="another message"):
        chat_edits.with_change(plain(), 0, MessageChange(text="a\nMira: b"))
    with pytest.raises(UsageError, match="hidden"):
        chat_edits.with_change(plain(), 0, MessageChange(is_hidden=True))
    with pytest.raises(UsageError, match="hidden"):
        chat_edits.with_messages(plain(), 0, [Message("x", "Mira", is_hidden=True)])
    with pytest.raises(UsageError, match="swipes"):
        chat_edits.with_change(plain(), 0, MessageChange(swipe=0))
    with pytest.raises(UsageError, match="of that name"):
        chat_edits.with_messages(plain(), 0, [Message("x")])
    with pytest.raises(UsageError, match="no chat"):
        chat_edits.without_messages(plain(), [0, 1, 2])
