"""The sample books show every feature they promise: read from the raw files, without the program."""

from __future__ import annotations

import base64
import json
import re
import struct
import tomllib
import zlib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Feature = Callable[[dict[str, Any]], object]

SAMPLES = Path(__file__).parents[3] / "sample_books"
Entry = dict[str, Any]

CARD_EXTENSIONS = {
    "exclude_recursion": "excludeRecursion",
    "prevent_recursion": "preventRecursion",
    "delay_until_recursion": "delayUntilRecursion",
    "scan_depth": "scanDepth",
    "case_sensitive": "caseSensitive",
    "match_character_personality": "matchCharacterPersonality",
    "match_character_depth_prompt": "matchCharacterDepthPrompt",
}
WORLD_FIELDS = re.findall(
    r"\w+",
    "uid key keysecondary comment content constant vectorized selective selectiveLogic addMemo order position disable "
    "ignoreBudget excludeRecursion preventRecursion matchPersonaDescription matchCharacterDescription "
    "matchCharacterPersonality matchCharacterDepthPrompt matchScenario matchCreatorNotes delayUntilRecursion "
    "probability useProbability depth outletName group groupOverride groupWeight scanDepth caseSensitive "
    "matchWholeWords useGroupScoring automationId role sticky cooldown delay triggers displayIndex characterFilter",
)


def world(path: str) -> list[Entry]:
    return list(json.loads((SAMPLES / path).read_text("utf-8"))["entries"].values())


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    found, start = [], 8
    while start < len(data):
        (length,) = struct.unpack(">I", data[start : start + 4])
        body = data[start + 4 : start + 8 + length]
        assert struct.unpack(">I", data[start + 8 + length : start + 12 + length]) == (zlib.crc32(body),)
        found.append((body[:4], body[4:]))
        start += 12 + length
    return found


def cards_in(path: str) -> dict[str, Any]:
    texts = [body.split(b"\0", 1) for kind, body in chunks((SAMPLES / path).read_bytes()) if kind == b"tEXt"]
    return {name.decode(): json.loads(base64.b64decode(text)) for name, text in texts}


def from_card(entry: Entry) -> Entry:
    """A card's entry under the field names of a world."""
    fields = {CARD_EXTENSIONS.get(name, name): value for name, value in entry["extensions"].items()}
    return fields | {
        "uid": entry["id"],
        "key": entry["keys"],
        "keysecondary": entry["secondary_keys"],
        "order": entry["insertion_order"],
        "disable": not entry["enabled"],
        **{name: entry[name] for name in ("comment", "content", "constant", "selective")},
    }


def messages(path: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / path).read_text("utf-8").split("\n")]


MIRA = cards_in("harrowmere/mira.png")
CARD = MIRA["ccv3"]["data"]
PERSONA = tomllib.loads((SAMPLES / "harrowmere/lorebook.toml").read_text("utf-8"))["cast"]["persona"]
BOOKS = {
    "harrowmere": world("harrowmere/harrowmere.json"),
    "mira": [from_card(entry) for entry in CARD["character_book"]["entries"]],
    "traveller": world("harrowmere/traveller.json"),
    "the-ferry-chat": world("harrowmere/the-ferry-chat.json"),
}
HARROWMERE = [entry for book in BOOKS.values() for entry in book]
CHATS = ("the-ferry", "the-salt-tithe")


def filters(entry: Entry, field: str) -> Any:
    return (entry.get("characterFilter") or {}).get(field)


def is_regex(key: str) -> bool:
    return re.fullmatch(r"/[\w\W]+/[gimsuy]*", key) is not None


def secondary_logic(number: int) -> Feature:
    return lambda e: e["selective"] and e["keysecondary"] and e["selectiveLogic"] == number


def position(number: int) -> Feature:
    return lambda e: e["position"] == number


def depth_role(number: int) -> Feature:
    return lambda e: e["position"] == 4 and (e.get("role") or 0) == number


def holds(text: str) -> Feature:
    return lambda e: text in e["content"]


def titled(start: str) -> Feature:
    return lambda e: e["comment"].startswith(start)


MACROS = [
    "{{user}}",
    "{{char}}",
    "{{roll:",
    "{{pick::",
    "{{random::",
    "{{getvar::",
    "{{setvar::",
    "{{//",
    "{{newline}}",
]
FEATURES: dict[str, Feature] = {
    "one plain key": lambda e: len(e["key"]) == 1 and not is_regex(e["key"][0]),
    "several keys": lambda e: len(e["key"]) > 1,
    "key of two words": lambda e: any(" " in key and not is_regex(key) for key in e["key"]),
    "regex key": lambda e: any(map(is_regex, e["key"])),
    "regex key of one speaker": lambda e: any(r"\x01{{user}}:" in key and is_regex(key) for key in e["key"]),
    **{f"secondary logic {number}": secondary_logic(number) for number in range(4)},
    "case sensitive": lambda e: e.get("caseSensitive") is True,
    "whole words off": lambda e: e.get("matchWholeWords") is False,
    "own scan depth": lambda e: isinstance(e.get("scanDepth"), int),
    "constant": lambda e: e["constant"],
    "disabled": lambda e: e["disable"],
    "vectorized without keys": lambda e: e.get("vectorized") and not e["key"],
    "probability": lambda e: 0 < e["probability"] < 100 and e["useProbability"],
    "group weight": lambda e: e.get("group") and e["groupWeight"] != 100,
    "group override": lambda e: e.get("group") and e["groupOverride"],
    "group scoring": lambda e: e.get("group") and e["useGroupScoring"],
    "exclude recursion": lambda e: e["excludeRecursion"],
    "prevent recursion": lambda e: e["preventRecursion"],
    "delay level 1": lambda e: e.get("delayUntilRecursion") == 1 and not e["excludeRecursion"],
    "delay level 2": lambda e: e.get("delayUntilRecursion") == 2 and not e["excludeRecursion"],
    "sticky": lambda e: (e.get("sticky") or 0) > 2,
    "cooldown": lambda e: (e.get("cooldown") or 0) > 2,
    "cooldown without sticky": lambda e: (e.get("cooldown") or 0) > 2 and not e.get("sticky"),
    "delay": lambda e: (e.get("delay") or 0) > 1,
    **{f"position {number}": position(number) for number in range(8)},
    **{f"depth role {number}": depth_role(number) for number in range(3)},
    "outlet": lambda e: e["position"] == 7 and e["outletName"],
    "ignore budget": lambda e: e.get("ignoreBudget"),
    "character filter by name": lambda e: filters(e, "names") == ["mira"],
    "character filter by tag": lambda e: set(filters(e, "tags") or ()) & set(CARD["tags"]),
    "trigger swipe": lambda e: "swipe" in e.get("triggers", ()),
    "trigger continue": lambda e: "continue" in e.get("triggers", ()),
    "@@activate": lambda e: e["content"].startswith("@@activate\n") and not e["key"] and not e["constant"],
    "@@dont_activate": lambda e: e["content"].startswith("@@dont_activate\n") and e["key"],
    "automation": lambda e: e.get("automationId"),
    **{f"macro {start}": holds(start) for start in MACROS},
    **{f"recipe {recipe}": titled(f"Recipe · {recipe} · ") for recipe in ("Dice", "PList", "High priority", "State")},
}


@pytest.mark.parametrize("feature", FEATURES)
def test_harrowmere_uses_the_feature(feature: str) -> None:
    assert [entry["comment"] for entry in HARROWMERE if FEATURES[feature](entry)]


SOURCES = {
    "matchPersonaDescription": PERSONA["description"],
    "matchCharacterDescription": CARD["description"],
    "matchCharacterPersonality": CARD["personality"],
    "matchCharacterDepthPrompt": CARD["extensions"]["depth_prompt"]["prompt"],
    "matchScenario": CARD["scenario"],
    "matchCreatorNotes": CARD["creator_notes"],
}


@pytest.mark.parametrize("flag", SOURCES)
def test_a_further_source_holds_the_key_of_an_entry_that_searches_it(flag: str) -> None:
    text = SOURCES[flag].lower()
    assert [e["comment"] for e in HARROWMERE if e.get(flag) and any(key.lower() in text for key in e["key"])]


def test_recursion_goes_on_for_three_steps_and_then_opens_two_delay_levels() -> None:
    by_title = {entry["comment"]: entry for entry in HARROWMERE}
    titles = ["The drowned bell", "Nether Harrow", "Old Pell", "The bell-book"]
    titles += [title for title in by_title if title.startswith("Delay level")]
    chain = [by_title[title] for title in titles]
    for cause, effect in pairwise(chain[:5]):
        assert not cause["preventRecursion"]
        assert not effect["excludeRecursion"]
        assert any(key in cause["content"] for key in effect["key"])
    assert [entry["delayUntilRecursion"] for entry in chain[4:]] == [1, 2]
    assert any(key in chain[3]["content"] for key in chain[5]["key"])


def test_groups_have_several_members() -> None:
    groups = Counter(entry["group"] for entry in HARROWMERE if entry.get("group"))
    assert set(groups.values()) == {2}


def test_every_outlet_is_asked_for_and_supplied() -> None:
    for name, book in (("harrowmere", HARROWMERE), ("support", world("support/support.json"))):
        note = tomllib.loads((SAMPLES / name / "lorebook.toml").read_text("utf-8"))["note"]["prompt"]
        supplied = {entry["outletName"] for entry in book if entry["position"] == 7}
        assert set(re.findall(r"\{\{outlet::([^}]+)\}\}", note)) == supplied != set()


def test_the_plist_shell_cannot_lose_a_half() -> None:
    shell = [entry for entry in HARROWMERE if entry["position"] == 0]
    halves = {entry["content"]: entry for entry in shell if entry["content"] in "[]"}
    assert {half: (e["order"], e["constant"], e["ignoreBudget"]) for half, e in halves.items()} == {
        "[": (2, True, True),
        "]": (998, True, True),
    }
    inside = [entry for entry in shell if entry["content"] not in "[]"]
    assert inside
    for entry in inside:
        assert 3 <= entry["order"] <= 997
        assert entry["content"].endswith(";")
        assert not set("[]") & set(entry["content"])


def test_dice_are_two_entries_of_one_group_with_the_same_keys() -> None:
    dice = [entry for entry in HARROWMERE if entry["comment"].startswith("Recipe · Dice")]
    assert len(dice) == 2
    assert dice[0]["key"] == dice[1]["key"]
    assert dice[0]["group"] == dice[1]["group"] != ""
    assert all("WILL INSTANTLY" in entry["content"] for entry in dice)


def test_uids_are_unique_and_the_keys_of_their_objects() -> None:
    for path in SAMPLES.rglob("*.json"):
        document = json.loads(path.read_text("utf-8"))
        if "entries" in document:
            assert [str(entry["uid"]) for entry in document["entries"].values()] == list(document["entries"])
    ids = [entry["uid"] for entry in BOOKS["mira"]]
    assert len(set(ids)) == len(ids)


def test_titles_are_unique_and_contents_short() -> None:
    titles = Counter(entry["comment"] for entry in HARROWMERE)
    assert [title for title, count in titles.items() if count > 1 or not title] == []
    assert [e["comment"] for e in HARROWMERE if len(e["content"]) > 640 or not e["content"]] == []
    assert {name: len(book) for name, book in BOOKS.items()} == {
        "harrowmere": 40,
        "mira": 12,
        "traveller": 5,
        "the-ferry-chat": 8,
    }


def test_the_world_is_written_as_sillytavern_writes_it() -> None:
    path = SAMPLES / "harrowmere/harrowmere.json"
    document = json.loads(path.read_text("utf-8"))
    assert path.read_bytes() == json.dumps(document, ensure_ascii=False, indent=4).encode()
    assert all(list(entry) == WORLD_FIELDS for entry in document["entries"].values())
    assert all("outletName" not in entry and "triggers" not in entry for entry in BOOKS["traveller"])


def test_the_card_is_a_whole_picture_with_the_same_data_twice() -> None:
    parts = chunks((SAMPLES / "harrowmere/mira.png").read_bytes())
    kinds = [kind for kind, _ in parts]
    assert (kinds[0], kinds[-1]) == (b"IHDR", b"IEND")
    width, height = struct.unpack(">II", parts[0][1][:8])
    pixels = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    assert (width, height, len(pixels)) == (256, 384, 384 * 257)
    assert [(name, card["spec"], card["spec_version"]) for name, card in MIRA.items()] == [
        ("chara", "chara_card_v2", "2.0"),
        ("ccv3", "chara_card_v3", "3.0"),
    ]
    assert MIRA["chara"]["data"] == MIRA["ccv3"]["data"]


@pytest.mark.parametrize("chat", CHATS)
def test_a_chat_is_long_and_holds_what_chats_hold(chat: str) -> None:
    header, *said = messages(f"harrowmere/{chat}.jsonl")
    assert (header["user_name"], header["character_name"]) == ("Rowan", "Mira")
    assert header["chat_metadata"]["world_info"] == "the-ferry-chat"
    assert len(said) >= 42
    assert sum(message["is_system"] for message in said) == 1
    assert sum(message["extra"].get("type") == "narrator" for message in said) == 1
    assert sum(len(message.get("swipes", ())) > 1 for message in said) >= 3
    assert any(message.get("swipe_id") for message in said)
    assert all(m["mes"] == m["swipes"][m["swipe_id"]] for m in said if "swipes" in m)
    talk = [m["is_user"] for m in said if not m["is_system"] and not m["extra"].get("type")]
    assert all(left != right for left, right in pairwise(talk))


def test_turn_14_is_about_the_tithe_in_the_last_message() -> None:
    said = messages("harrowmere/the-ferry.jsonl")[1:]
    tithe = next(entry for entry in HARROWMERE if entry["comment"] == "The salt tithe")
    assert any(key in said[13]["mes"] for key in tithe["key"])
    assert not any(key in message["mes"] for message in said[11:13] for key in tithe["key"])
    assert said[13]["is_user"]


@pytest.mark.parametrize("name", ["harrowmere", "mossford", "support"])
def test_a_workspace_names_files_that_exist(name: str) -> None:
    workspace = tomllib.loads((SAMPLES / name / "lorebook.toml").read_text("utf-8"))
    named = [file for layer in workspace["books"].values() for file in layer]
    named += [workspace["cast"]["character"], workspace["chat"]["file"]]
    assert [file for file in named if not (SAMPLES / name / file).is_file()] == []


def test_mossford_has_the_guides_own_examples() -> None:
    book = world("mossford/mossford.json")
    assert len(book) == 14
    flowering = next(e for e in book if e["key"] == ["Моссфорд", "город Моссфорд"] and e["selectiveLogic"] == 2)
    assert flowering["keysecondary"] == ["руины", "сгорел"]
    poison = next(entry for entry in book if entry["key"] == ["/отравлен|ядом|отравил/i"])
    wanted = {"delay": 0, "sticky": 3, "cooldown": 5, "position": 4, "depth": 1, "role": 0}
    assert {name: poison[name] for name in wanted} == wanted
    assert {e["content"]: e["order"] for e in book if e["content"] in "[]"} == {"[": 2, "]": 998}
    assert len([e for e in book if e["probability"] == 50 and "WILL INSTANTLY" in e["content"]]) == 2


def test_mossford_has_a_card_and_a_chat() -> None:
    card = json.loads((SAMPLES / "mossford/kira.json").read_text("utf-8"))
    assert (card["spec"], len(card["data"]["character_book"]["entries"])) == ("chara_card_v2", 3)
    said = messages("mossford/chat.jsonl")[1:]
    assert len(said) >= 20
    assert all(re.search("[а-яё]", message["mes"]) for message in said)


def test_support_is_policy_with_a_plain_transcript() -> None:
    book = world("support/support.json")
    assert len(book) == 16
    tone = next(entry for entry in book if entry["comment"] == "Tone rules")
    assert (tone["constant"], tone["position"], tone["depth"]) == (True, 4, 0)
    lines = (SAMPLES / "support/support-chat.txt").read_text("utf-8").splitlines()
    assert len(lines) >= 20
    assert {line.partition(": ")[0] for line in lines} == {"Iris", "Dana"}
