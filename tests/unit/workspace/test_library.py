"""What lies around the files of a check: SillyTavern's folders and any other, whatever is in them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lorebook_tui.errors import UnreadableError
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.subjects import Binding
from lorebook_tui.workspace.check_workspace import world_from
from lorebook_tui.workspace.checking import Around, check_files, check_world
from lorebook_tui.workspace.library import surroundings
from tests.unit.lint.examples import world_text


def put(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
    return path


def card(name: str, world: str = "", text: str = "It grinds.") -> dict[str, object]:
    entry = {"keys": ["mill"], "content": text, "enabled": True, "insertion_order": 100, "extensions": {}}
    book = {"name": "Inner", "extensions": {}, "entries": [entry]}
    return {"spec": "chara_card_v2", "data": {"name": name, "extensions": {"world": world}, "character_book": book}}


MILL = world_text(({"key": ["mill"], "content": "It grinds."},))


def test_names_bindings_and_scripts(tmp_path: Path) -> None:
    put(tmp_path / "worlds" / "Mill.json", MILL)
    put(tmp_path / "characters" / "mira_1.json", card("Mira", "Mill"))
    put(tmp_path / "chats" / "Mira" / "c.jsonl", '{"chat_metadata": {"world_info": "River"}}\n{"mes": "x"}\n')
    put(tmp_path / "QuickReplies" / "q.json", {"qrList": [{"automationId": "a"}, {"automationId": ""}, 3]})
    found = surroundings(tmp_path)
    assert found.library.books == {"Mill"}
    assert found.library.characters == {"Mira", "mira_1"}
    assert found.library.automations == frozenset({"a"})
    assert [binding[:3] for binding in found.library.bound] == [("mira_1", "Mill", "card"), ("c", "River", "chat")]
    assert not any(item.is_checked for item in found.items)
    assert found.settings is None


def test_settings_bind_books_to_everybody(tmp_path: Path) -> None:
    value = {
        "world_info_settings": {
            "world_info": {"globalSelect": ["A", "", 3], "charLore": [{"name": "mira", "extraBooks": ["B"]}, {}, 4]}
        },
        "power_user": {"personas": {"n.png": "Noor"}, "persona_descriptions": {"n.png": {"lorebook": "C"}, "x.png": {"lorebook": "D"}}},
    }  # fmt: skip
    path = put(tmp_path / "settings.json", value)
    found = surroundings(tmp_path)
    assert found.settings == path
    assert found.library.bound == (
        Binding("", "A", "global", str(path)),
        Binding("mira", "B", "extra", str(path)),
        Binding("Noor", "C", "persona", str(path)),
        Binding("x.png", "D", "persona", str(path)),
    )
    assert found.library.automations is None


@pytest.mark.parametrize(
    "value", ["{", "[]", '{"world_info_settings": 3}', '{"world_info_settings": {"world_info": []}}']
)
def test_damaged_files_are_left_out(tmp_path: Path, value: str) -> None:
    put(tmp_path / "settings.json", value)
    put(tmp_path / "worlds" / "a.json", "{")
    put(tmp_path / "chats" / "a.jsonl", "no json")
    put(tmp_path / "QuickReplies" / "a.json", '["x"]')
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters" / "a.png").write_bytes(b"\x89PNG")
    found = surroundings(tmp_path)
    assert (found.items, found.library.bound) == ((), ())


def test_folders_without_lore_are_not_looked_into(tmp_path: Path) -> None:
    put(tmp_path / "themes" / "Mill.json", MILL)
    put(tmp_path / ".git" / "Mill.json", MILL)
    put(tmp_path / "my own folder" / "Mill.json", MILL)
    seen: list[int] = []
    assert len(surroundings(tmp_path, seen.append).items) == 1
    assert seen == [1]


def test_a_path_that_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError):
        surroundings(tmp_path / "nowhere")
    with pytest.raises(UnreadableError, match="no folder"):
        surroundings(put(tmp_path / "a.json", MILL))


def test_a_checked_file_is_not_beside_itself(tmp_path: Path) -> None:
    path = put(tmp_path / "worlds" / "Mill.json", MILL)
    found = surroundings(tmp_path)
    around = Around(library=found.library, shelf=found.items)
    assert check_files([path], LintConfig(select=("FMT018",)), around).findings == ()
    put(tmp_path / "worlds" / "Copy.json", MILL)
    found = surroundings(tmp_path)
    around = Around(library=found.library, shelf=found.items)
    (told,) = check_files([path], LintConfig(select=("FMT018",)), around).findings
    assert told.file == str(path)


def test_a_stale_copy_is_found_from_either_side(tmp_path: Path) -> None:
    mill = put(tmp_path / "worlds" / "Mill.json", MILL)
    mira = put(tmp_path / "characters" / "mira.json", card("Mira", "Mill", "It stands still."))
    found = surroundings(tmp_path)
    around = Around(library=found.library, shelf=found.items)
    for path in (mill, mira):
        (told,) = check_files([path], LintConfig(select=("FMT016",)), around).findings
        assert told.file == str(mira)


def test_a_workspace_with_a_library(tmp_path: Path) -> None:
    put(tmp_path / "a.json", MILL)
    put(tmp_path / "mira.json", card("Mira", "Gone", "It stands still."))
    put(tmp_path / "lorebook.toml", '[books]\nglobal = ["a.json"]\ncharacter = ["mira.json"]\n')
    put(tmp_path / "st" / "settings.json", {"world_info_settings": {"world_info": {"globalSelect": ["a", "Lost"]}}})
    put(tmp_path / "st" / "worlds" / "copy.json", MILL)
    world = world_from(tmp_path / "lorebook.toml")
    found = surroundings(tmp_path / "st")
    world.library = found.library
    told = check_world(world, LintConfig(select=("FMT017", "FMT018")), found.items).findings
    assert sorted((Path(each.file).name, each.code) for each in told) == [
        ("a.json", "FMT018"),
        ("mira.json", "FMT017"),
        ("settings.json", "FMT017"),
    ]
