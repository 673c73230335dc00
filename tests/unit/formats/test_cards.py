"""Cards as JSON: the character, the book, and cards that have none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.model.cast import DepthPrompt

if TYPE_CHECKING:
    from lorebook_tui.formats.base import Loaded

ENTRY = {"keys": ["bell"], "content": "x", "extensions": {}, "enabled": True, "insertion_order": 10, "id": 0}
DATA: dict[str, Any] = {
    "name": "Mira",
    "description": "A ferrywoman.",
    "personality": "dry",
    "scenario": "the landing",
    "first_mes": "Hello.",
    "mes_example": "<START>",
    "creator_notes": "notes",
    "system_prompt": "sys",
    "post_history_instructions": "post",
    "alternate_greetings": ["Again.", "And again."],
    "tags": ["river", "elf"],
    "creator": "somebody",
    "character_version": "1.2",
    "nickname": "Mi",
    "group_only_greetings": ["Hi, all."],
    "extensions": {
        "world": "Harrowmere",
        "depth_prompt": {"prompt": "Speak slowly.", "depth": 2, "role": "user"},
    },
    "character_book": {"name": "Mira's own", "entries": [ENTRY], "extensions": {}, "scan_depth": 4},
}


def loaded(value: object, name: str = "mira.json") -> Loaded:
    data = json.dumps(value).encode()
    made = load(data, name)
    assert dump(made) == data
    return made


def v2(**data: Any) -> dict[str, Any]:
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": {**DATA, **data}}


def codes(made: Loaded) -> list[str]:
    return [finding.code for finding in made.report]


def test_a_card_is_read_whole() -> None:
    made = loaded({**v2(), "spec": "chara_card_v3", "spec_version": "3.0"})
    card = made.card
    assert card is not None
    character = card.character
    assert (card.spec, card.spec_version, card.world, card.nickname) == ("chara_card_v3", "3.0", "Harrowmere", "Mi")
    assert (card.creator, card.version) == ("somebody", "1.2")
    assert card.greetings == ("Hello.", "Again.", "And again.")
    assert card.group_greetings == ("Hi, all.",)
    assert (character.name, character.avatar) == ("Mira", "mira.png")
    assert (character.description, character.personality, character.scenario) == (
        "A ferrywoman.",
        "dry",
        "the landing",
    )
    assert (character.first_message, character.example_messages, character.creator_notes) == (
        "Hello.",
        "<START>",
        "notes",
    )
    assert (character.system_prompt, character.post_history) == ("sys", "post")
    assert character.tags == ("river", "elf")
    assert character.depth_prompt == DepthPrompt("Speak slowly.", 2, "user")
    book = made.require_book()
    assert (book.name, book.format, book.extras) == (
        "Mira's own",
        "card",
        {"name": "Mira's own", "extensions": {}, "scan_depth": 4},
    )
    assert book.entries[0].path == ("data", "character_book", "entries", 0)
    assert codes(made) == []


def test_a_book_without_name_is_called_after_the_character() -> None:
    assert loaded(v2(character_book={"entries": [ENTRY]})).require_book().name == "Mira's Lorebook"
    assert loaded(v2(character_book={"entries": [], "name": ""}, name="")).require_book().name == "mira's Lorebook"


@pytest.mark.parametrize(
    ("card", "spec", "message"),
    [
        (
            {"name": "M", "first_mes": "Hi", "description": "d"},
            "chara_card_v1",
            "is a character card without a lorebook. A V1 card",
        ),
        ({"char_name": "M", "char_persona": "p", "char_greeting": "Hi"}, "chara_card_v1", "V1 card cannot hold one"),
        (v2(character_book=None), "chara_card_v2", "It links to the world 'Harrowmere'"),
        ({"spec": "chara_card_v2", "data": {"name": "M"}}, "chara_card_v2", "missing or null"),
        ({"spec": "chara_card_v2"}, "chara_card_v1", "V1 card"),
    ],
)
def test_a_card_without_book_says_so(card: object, spec: str, message: str) -> None:
    made = loaded(card)
    assert made.books == ()
    assert made.card is not None
    assert made.card.spec == spec
    assert codes(made) == ["no-book"]
    with pytest.raises(UnreadableError, match=message) as caught:
        made.require_book()
    assert caught.value.exit_status == 3


def test_old_cards_have_their_texts() -> None:
    made = loaded(
        {"char_name": "M", "char_persona": "p", "world_scenario": "w", "char_greeting": "g", "example_dialogue": "e"},
        "",
    )
    assert made.card is not None
    character = made.card.character
    assert (character.name, character.description, character.scenario) == ("M", "p", "w")
    assert (character.first_message, character.example_messages, character.avatar) == ("g", "e", "M.png")
    made = loaded({"name": "M", "first_mes": "Hi", "creatorcomment": "c"})
    assert made.card is not None
    assert made.card.character.creator_notes == "c"


def test_books_in_other_places() -> None:
    book = {"entries": [ENTRY]}
    at_root = loaded({"name": "M", "first_mes": "Hi", "character_book": book})
    assert at_root.require_book().entries[0].path == ("character_book", "entries", 0)
    assert codes(at_root) == ["misplaced-book"]
    legacy = loaded(v2(character_book=None, extensions={"character_book": book}))
    assert legacy.require_book().entries[0].path == ("data", "extensions", "character_book", "entries", 0)
    assert codes(legacy) == ["misplaced-book"]
    both = loaded({**v2(), "character_book": book})
    assert both.require_book().name == "Mira's own"
    assert codes(both) == ["second-book"]
    assert len(both.books) == 1


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"character_book": "text"}, ("data", "character_book")),
        ({"name": 5}, ("data", "name")),
        ({"tags": "river, elf"}, ("data", "tags")),
        ({"tags": ["river", 5, "elf"]}, ("data", "tags", 1)),
        ({"alternate_greetings": "x"}, ("data", "alternate_greetings")),
        ({"character_version": 2}, ("data", "character_version")),
        ({"extensions": {"world": 3}}, ("data", "extensions", "world")),
        ({"extensions": {"depth_prompt": "x"}}, ("data", "extensions", "depth_prompt")),
        ({"extensions": {"depth_prompt": {"depth": "3"}}}, ("data", "extensions", "depth_prompt", "depth")),
    ],
)
def test_values_of_wrong_types_are_reported(data: dict[str, Any], path: tuple[str | int, ...]) -> None:
    made = loaded(v2(**data))
    (finding,) = made.report.of("type")
    assert finding.path == path
    if "tags" in data:
        assert made.card is not None
        assert made.card.character.tags == ("river", "elf")


def test_depth_prompts_are_read_as_numbers() -> None:
    def depth(value: object) -> int:
        card = loaded(v2(extensions={"depth_prompt": {"depth": value}})).card
        assert card is not None
        return card.character.depth_prompt.depth

    assert (depth("3"), depth(None), depth("x"), depth(2.0), depth([])) == (3, 4, 4, 2, 4)


def test_a_newer_version_is_read_all_the_same() -> None:
    made = loaded({**v2(), "spec": "chara_card_v9", "spec_version": 9.5})
    assert made.card is not None
    assert (made.card.spec, made.card.spec_version) == ("chara_card_v9", "9.5")
    assert codes(made) == ["newer-version"]


def test_the_image_is_the_avatar() -> None:
    for name, avatar in (("a/b/Mira 2.PNG", "Mira 2.PNG"), ("c:\\x\\Mira.json", "Mira.png"), ("", "Mira.png")):
        card = loaded(v2(), name).card
        assert card is not None
        assert card.character.avatar == avatar


def test_a_book_that_is_no_book() -> None:
    made = loaded(v2(character_book={}))
    assert made.require_book().entries == ()
    assert codes(made) == ["no-entries"]


def test_entries_as_an_object() -> None:
    made = loaded(
        v2(character_book={"entries": {"4": {**ENTRY, "id": 4}, "b": {"keys": ["x"], "content": "", "enabled": True}}})
    )
    assert [(entry.key, entry.uid) for entry in made.require_book().entries] == [("4", 4), ("b", "b")]
    assert codes(made)[0] == "hybrid"


@pytest.mark.parametrize(
    "data", [{"name": "M", "first_mes": ""}, {"name": "M", "description": ""}, {"character_book": None}]
)
def test_cards_are_known_by_their_data(data: object) -> None:
    assert loaded({"data": data}).format.name == "card"
