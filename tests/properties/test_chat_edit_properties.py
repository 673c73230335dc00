"""Edits of any chat, in any order: what is read back is what was meant, and each can be undone to the same bytes."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.errors import UsageError
from lorebook_tui.formats import chat_edits, detect
from lorebook_tui.formats.chat_edits import MessageChange
from lorebook_tui.model.transcript import Message

TEXT = st.text(st.characters(codec=None), max_size=30)
NAME = st.sampled_from(["Mira", "Rowan", "You", "Tom"])


@st.composite
def lines(draw: st.DrawFn) -> str:
    """A chat in lines: header or not, any spacing, broken lines between."""
    spacing = draw(st.sampled_from([(",", ":"), (", ", ": ")]))
    ascii_only = draw(st.booleans())
    end = draw(st.sampled_from(["\n", "\r\n"]))

    def spelled(value: Any) -> str:
        text = json.dumps(value, ensure_ascii=ascii_only, separators=spacing)
        return text if text.encode("utf-8", "replace").decode() == text else json.dumps(value, separators=spacing)

    found = [spelled({"chat_metadata": {"n": 1}, "user_name": "Rowan", "character_name": "Mira"})]
    for _ in range(draw(st.integers(1, 6))):
        swipes = draw(st.lists(TEXT, min_size=1, max_size=3))
        value: dict[str, Any] = {"name": draw(NAME), "is_user": draw(st.booleans()), "mes": draw(TEXT)}
        if draw(st.booleans()):
            value |= {"swipes": swipes, "swipe_id": draw(st.integers(0, len(swipes) - 1))}
            value["mes"] = swipes[value["swipe_id"]]
        found.append(spelled(value))
        if draw(st.integers(0, 5)) == 0:
            found.append(draw(st.sampled_from(["", "{broken", "17"])))
    return end.join(found) + draw(st.sampled_from(["", end]))


@st.composite
def plain_chats(draw: st.DrawFn) -> str:
    end = draw(st.sampled_from(["\n", "\r\n"]))
    said = st.text(st.characters(whitelist_categories=["L", "N", "Zs"]), max_size=20).map(str.strip)
    spoken = draw(st.lists(st.tuples(NAME, said), min_size=2, max_size=6))
    gap = end * draw(st.integers(1, 2))
    return f"You: hello{gap}" + gap.join(f"{name}: {text}" for name, text in spoken) + draw(st.sampled_from(["", end]))


MANY = settings(max_examples=120, deadline=None)


@MANY
@given(text=lines(), data=st.data())
def test_each_edit_changes_one_message_and_one_line(text: str, data: st.DataObject) -> None:
    loaded = detect.load(text.encode("utf-8", "surrogatepass"), "x.jsonl")
    transcript = loaded.transcript
    assert transcript is not None
    number = data.draw(st.integers(0, len(transcript) - 1))
    change = data.draw(
        st.one_of(
            st.builds(MessageChange, text=TEXT),
            st.builds(MessageChange, name=NAME, is_user=st.booleans()),
            st.builds(MessageChange, is_hidden=st.booleans()),
            st.builds(MessageChange, swipe=st.integers(0, 2)),
        )
    )
    try:
        made = chat_edits.with_change(loaded, number, change)
    except UsageError:
        assert change.swipe is not None
        assert change.swipe >= len(transcript.messages[number].swipes)
        return
    assert made.transcript is not None
    message = made.transcript.messages[number]
    if change.text is not None:
        assert message.text == change.text
    if change.swipe is not None:
        assert message.text == transcript.messages[number].swipes[change.swipe]
        assert message.swipe == change.swipe
    if change.is_hidden is not None:
        assert message.is_hidden == change.is_hidden
    others = [each for place, each in enumerate(made.transcript.messages) if place != number]
    assert others == [each for place, each in enumerate(transcript.messages) if place != number]
    before, after = (detect.dump(each).split(b"\n") for each in (loaded, made))
    assert len(before) == len(after)
    assert sum(old != new for old, new in zip(before, after, strict=True)) <= 1
    again = detect.load(detect.dump(made), "x.jsonl").transcript
    assert again == made.transcript


@MANY
@given(text=lines(), said=TEXT, name=NAME, is_user=st.booleans(), data=st.data())
def test_a_message_put_in_and_taken_out_leaves_the_same_bytes(
    text: str, said: str, name: str, is_user: bool, data: st.DataObject
) -> None:
    loaded = detect.load(text.encode("utf-8", "surrogatepass"), "x.jsonl")
    assert loaded.transcript is not None
    before = data.draw(st.integers(0, len(loaded.transcript)))
    made = chat_edits.with_messages(loaded, before, [Message(said, name, is_user=is_user)])
    assert made.transcript is not None
    message = made.transcript.messages[before]
    assert (message.text, message.name, message.is_user) == (said, name, is_user)
    assert detect.load(detect.dump(made), "x.jsonl").transcript == made.transcript
    assert detect.dump(chat_edits.without_messages(made, [before])) == detect.dump(loaded)


@MANY
@given(text=lines(), data=st.data())
def test_a_branch_is_the_beginning_of_its_origin(text: str, data: st.DataObject) -> None:
    loaded = detect.load(text.encode("utf-8", "surrogatepass"), "x.jsonl")
    assert loaded.transcript is not None
    length = data.draw(st.integers(0, len(loaded.transcript)))
    made = chat_edits.branched(loaded, length, "x - branch 2.jsonl")
    assert made.transcript is not None
    assert made.transcript.messages == loaded.transcript.messages[:length]
    assert detect.dump(loaded) == text.encode("utf-8", "surrogatepass")


@MANY
@given(
    text=plain_chats(),
    said=st.text(st.characters(whitelist_categories=["L", "N"]), min_size=1, max_size=20),
    data=st.data(),
)
def test_plain_transcripts_change_in_one_passage(text: str, said: str, data: st.DataObject) -> None:
    loaded = detect.load(text.encode(), "x.txt")
    transcript = loaded.transcript
    assert transcript is not None
    number = data.draw(st.integers(0, len(transcript) - 1))
    made = chat_edits.with_change(loaded, number, MessageChange(text=said))
    assert made.transcript is not None
    assert [message.text for message in made.transcript.messages] == [
        said if place == number else message.text for place, message in enumerate(transcript.messages)
    ]
    more = chat_edits.with_messages(loaded, number, [Message(said, "Tom")])
    assert more.transcript is not None
    assert more.transcript.messages[number].text == said
    assert detect.dump(chat_edits.without_messages(more, [number])) == detect.dump(loaded)
