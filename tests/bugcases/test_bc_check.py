"""Groups 7 and 9 of the public reports, as `lorebook check` answers them: import, identity, names, files and links."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from lorebook_tui.cli.app import app
from lorebook_tui.errors import EXIT_FINDINGS, EXIT_FINE, EXIT_UNREADABLE, UsageError
from lorebook_tui.formats.detect import dump, load
from lorebook_tui.model.fields import template
from lorebook_tui.workspace import store
from lorebook_tui.workspace.file_names import safe_name

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def fields(uid: int, *keys: str, **more: Any) -> dict[str, Any]:
    return {"uid": uid, **template(), "key": list(keys), "content": f"About {keys[0]}.", "displayIndex": uid, **more}


def v2(**more: Any) -> dict[str, Any]:
    return {"keys": ["ash"], "content": "Ash.", "extensions": {}, "enabled": True, "insertion_order": 10, **more}


def card(entries: list[dict[str, Any]], name: str = "Mira", **data: Any) -> dict[str, Any]:
    book = {"name": "Embers", "extensions": {}, "entries": entries}
    return {"spec": "chara_card_v2", "data": {"name": name, "character_book": book, **data}}


def put(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value, indent=2), "utf-8")
    return path


def check(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["check", "--select", "FMT,KEY023,PORT", *map(str, arguments)], prog_name="lorebook")


def report(*arguments: object) -> dict[str, Any]:
    found = check(*arguments, "--format", "json")
    assert found.exit_code in {EXIT_FINE, EXIT_FINDINGS, EXIT_UNREADABLE}, found.output
    read: dict[str, Any] = json.loads(found.stdout)
    return read


def codes(*arguments: object) -> list[str]:
    return [each["code"] for file in report(*arguments)["files"] for each in file["findings"]]


def test_BC_075_a_spec_array_is_reported_and_made_a_world(tmp_path: Path) -> None:
    path = put(tmp_path / "ash.json", {"entries": [v2(id=0)]})
    assert "FMT003" in codes(path)
    check(path, "--fix", "--unsafe-fixes")
    made = load(path.read_bytes(), path.name)
    (entry,) = made.books[0].entries
    assert (made.format.name, entry.keys, entry.get("order"), entry.is_on("disable")) == (
        "sillytavern",
        ("ash",),
        10,
        False,
    )


def test_BC_076_an_object_map_with_spec_names_is_a_hybrid(tmp_path: Path) -> None:
    path = put(tmp_path / "ash.json", {"name": "Ash", "entries": {"0": v2(), "1": v2(keys=["ember"])}})
    assert "FMT004" in codes(path)
    check(path, "--fix", "--unsafe-fixes")
    assert "FMT004" not in codes(path)
    assert [entry.keys for entry in load(path.read_bytes()).books[0].entries] == [("ash",), ("ember",)]


def test_BC_079_one_bad_entry_of_ten_is_listed_with_its_place(tmp_path: Path) -> None:
    entries = [v2(id=number, content=None if number == 4 else "x") for number in range(10)]
    (file,) = report(put(tmp_path / "mira.json", card(entries)))["files"]
    assert file["entries"] == 10
    (found,) = [each for each in file["findings"] if each["code"] == "FMT005"]
    assert found["path"] == "data.character_book.entries.4.content"


def test_BC_079_the_legacy_copy_of_a_book_goes(tmp_path: Path) -> None:
    path = put(tmp_path / "mira.json", card([v2()], extensions={"character_book": {"entries": [v2(content="old")]}}))
    assert "FMT019" in codes(path)
    check(path, "--fix", "--unsafe-fixes")
    assert json.loads(path.read_text("utf-8"))["data"]["extensions"] == {}


def test_BC_080_every_refusal_has_its_reason(tmp_path: Path) -> None:
    no_entries = put(tmp_path / "a.json", {"name": "Ash", "items": []})
    assert codes(no_entries) == ["FMT002"]
    assert check(no_entries).exit_code == EXIT_UNREADABLE
    text_as_key = put(tmp_path / "b.json", {"entries": {"0": fields(0, "ash") | {"key": "ash"}}})
    (found,) = report(text_as_key)["files"][0]["findings"]
    assert (found["code"], found["path"], found["line"]) == ("FMT005", "entries.0.key", 10)
    lines = json.dumps({"entries": {str(number): {"uid": number} for number in range(20)}}, indent=2).split("\n")
    lines[39] = lines[39].rstrip(",") + ",,"
    found = report(put(tmp_path / "c.json", "\n".join(lines)))["files"][0]["findings"][0]
    assert (found["code"], found["line"]) == ("FMT001", 40)
    assert found["message"].startswith("There is a comma")


def test_BC_081_a_missing_enabled_is_told_and_mended(tmp_path: Path) -> None:
    entry = v2()
    del entry["enabled"]
    path = put(tmp_path / "mira.json", card([entry]))
    assert "FMT009" in codes(path)
    check(path, "--fix")
    assert json.loads(path.read_text("utf-8"))["data"]["character_book"]["entries"][0]["enabled"] is True


@pytest.mark.parametrize("value", [card([v2(id=1), v2(id=1), v2(id=2)]), {"entries": {"0": fields(0, "a"), "1": fields(0, "b", displayIndex=1)}}], ids=["BC_082", "BC_083"])  # fmt: skip
def test_BC_082_083_equal_ids_are_an_error_and_renumbered(value: object, tmp_path: Path) -> None:
    path = put(tmp_path / "lore.json", value)
    assert codes(path).count("FMT006") == 1
    check(path, "--fix")
    entries = load(path.read_bytes(), path.name, strict=True).books[0].entries
    assert len({entry.uid_text for entry in entries}) == len(entries) == (3 if "spec" in json.dumps(value) else 2)
    assert "FMT006" not in codes(path)


def test_BC_084_secondary_keys_without_selective(tmp_path: Path) -> None:
    path = put(tmp_path / "mira.json", card([v2(secondary_keys=["wood"])]))
    assert "KEY023" in codes(path)


def test_BC_108_a_new_book_takes_no_other_books_place(tmp_path: Path) -> None:
    path = put(tmp_path / "lore.json", {"entries": {}})
    with pytest.raises(store.FileThereError):
        store.write(path, b"{}", store.MISSING_FILE)
    assert path.read_text("utf-8") == json.dumps({"entries": {}}, indent=2)


def test_BC_109_a_colon_in_a_name_is_found_and_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "mira.json", card([v2()]) | {})
    value = json.loads(path.read_text("utf-8"))
    value["data"]["character_book"]["name"] = "Ash: the fire"
    put(path, value)
    assert "FMT015" in codes(path)
    check(path, "--fix", "--unsafe-fixes")
    assert json.loads(path.read_text("utf-8"))["data"]["character_book"]["name"] == "Ash the fire"
    with pytest.raises(UsageError) as caught:
        safe_name("Ash: the fire.json")
    assert "Ash the fire.json" in caught.value.hint


def library(folder: Path) -> Path:
    put(folder / "worlds" / "Embers.json", {"entries": {"0": fields(0, "ember")}})
    put(folder / "characters" / "mira.json", card([v2()], extensions={"world": "Ash"}))
    put(folder / "characters" / "teo.json", card([v2()], "Teo", extensions={"world": "Embers"}))
    put(
        folder / "chats" / "Teo" / "one.jsonl",
        json.dumps({"user_name": "You", "chat_metadata": {"world_info": "embers"}}),
    )
    settings = {
        "world_info_settings": {
            "world_info_depth": 3,
            "world_info": {
                "globalSelect": ["Gone"],
                "charLore": [{"name": "teo", "extraBooks": ["Embers", "Cinders"]}],
            },
        },
        "power_user": {"personas": {"a.png": "Noor"}, "persona_descriptions": {"a.png": {"lorebook": "Soot"}}},
    }
    put(folder / "settings.json", settings)
    return folder


def test_BC_110_and_BC_111_the_audit_of_links_finds_what_a_rename_left(tmp_path: Path) -> None:
    found = report(library(tmp_path), "--library", tmp_path, "--select", "FMT017")
    lost = {each["message"] for file in found["files"] for each in file["findings"] if each["code"] == "FMT017"}
    assert {message.partition(",")[0] for message in lost} == {
        "The card is bound to 'Ash'",
        "The list of active books is bound to 'Gone'",
        "The character 'teo' is bound to 'Cinders'",
        "The persona 'Noor' is bound to 'Soot'",
        "The chat 'one' is bound to 'embers'",
    }
    card_file = tmp_path / "characters" / "mira.json"
    put(tmp_path / "worlds" / "ash.json", {"entries": {}})
    check(card_file, "--library", tmp_path, "--fix", "--unsafe-fixes")
    assert json.loads(card_file.read_text("utf-8"))["data"]["extensions"]["world"] == "ash"


def test_BC_111_additional_books_stay_behind(tmp_path: Path) -> None:
    assert "PORT005" in codes(library(tmp_path) / "characters" / "teo.json", "--library", tmp_path)


def test_BC_112_what_was_read_is_shown_by_its_hash(tmp_path: Path) -> None:
    path = put(tmp_path / "lore.json", {"entries": {"0": fields(0, "one")}})
    first = report(path)["files"][0]["sha256"]
    put(path, {"entries": {"0": fields(0, "two")}})
    second = report(path)["files"][0]["sha256"]
    assert (first, second) == (first, sha256(path.read_bytes()).hexdigest())
    assert first != second


def test_BC_113_a_book_that_would_arrive_empty_is_not_written(tmp_path: Path) -> None:
    path = put(tmp_path / "mira.json", card([v2()]))
    before = path.read_bytes()
    whole = load(before, path.name)
    with pytest.raises(store.NotTheSameError):
        store.write(path, json.dumps(card([])).encode(), store.stamp_of(before), store.check_for(whole))
    assert path.read_bytes() == before == dump(whole)


def test_BC_114_a_v1_card_says_that_it_holds_no_book(tmp_path: Path) -> None:
    path = put(
        tmp_path / "old.json",
        {"name": "M", "description": "d", "personality": "", "scenario": "", "first_mes": "Hi", "mes_example": ""},
    )
    shown = check(path)
    assert shown.exit_code == EXIT_FINE
    assert "A V1 card cannot hold one" in shown.stdout
