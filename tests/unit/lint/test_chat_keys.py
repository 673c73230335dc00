"""Where keys stand in chats, and forms of words."""

from __future__ import annotations

import pytest

from lorebook_tui.lint.chat_keys import ChatKeys
from lorebook_tui.lint.rule import Example
from lorebook_tui.lint.word_forms import plural_of, stem_of
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.model.transcript import Message, Transcript
from tests.unit.lint.examples import world_of


def known(entry: dict[str, object], *texts: str) -> tuple[ChatKeys, list[list[int]]]:
    (view,) = world_of(Example((entry,))).books[0].entries
    chat = Transcript((*(Message(text) for text in texts), Message("bell Bell", is_hidden=True)))
    keys = ChatKeys([view], [chat], ScanSettings())
    return keys, [list(keys.places(view, key)) for key in view.keys]


def test_plain_keys_follow_the_switches_of_their_entry() -> None:
    texts = ("The bell rings.", "BELL! bells", "bellows", "nothing")
    assert known({"key": ["Bell"], "matchWholeWords": False}, *texts)[1] == [[0, 1, 2]]
    assert known({"key": ["Bell"], "matchWholeWords": True}, *texts)[1] == [[0, 1]]
    assert known({"key": ["BELL"], "matchWholeWords": True, "caseSensitive": True}, *texts)[1] == [[1]]
    assert known({"key": ["the bell rings"], "matchWholeWords": True}, *texts)[1] == [[0]]


def test_patterns_and_what_is_no_key() -> None:
    assert known({"key": ["/be+ll/", "{{user}}", ""]}, "beell", "x")[1] == [[0], [], []]


def test_the_share_of_turns_counts_the_window_of_each_message() -> None:
    keys, ((*places,),) = known({"key": ["bell"]}, "bell", "x", "bell", "bell", "x", "x", "x", "x", "x", "bell")
    assert places == [0, 2, 3, 9]
    assert keys.share(places, 1) == 0.4
    assert keys.share(places, 2) == 0.6
    assert keys.share(places, 100) == 1.0
    assert keys.share(places, 0) == 0
    assert keys.share([], 4) == 0


@pytest.mark.parametrize(
    ("word", "plural"),
    [("slime", "slimes"), ("ferry", "ferries"), ("key", "keys"), ("box", "boxes"), ("wolf", "wolves"), ("fish", ""),
     ("walked", ""), ("Mira", ""), ("el", ""), ("gas", "")],
)  # fmt: skip
def test_english_plurals(word: str, plural: str) -> None:
    assert plural_of(word) == plural


@pytest.mark.parametrize(
    ("word", "stem"),
    [("мельница", "мельниц"), ("гильдия", "гильд"), ("паромщик", ""), ("рука", ""), ("mill", ""), ("огонь", "огон")],
)
def test_russian_stems(word: str, stem: str) -> None:
    assert stem_of(word) == stem
