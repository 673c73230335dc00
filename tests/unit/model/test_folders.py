"""Folders: told by the entries, recognised from separators, edited without touching what an engine reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model import folder_edits
from lorebook_tui.model.book import Book
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.folders import (
    Folder,
    cleaned,
    folder_of,
    folders_of,
    is_within,
    listed_folders,
    order_of,
    parent_of,
    separator_of,
    tree,
)
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from lorebook_tui.model.folder_edits import FolderEdit


def entry(title: str, folder: object = MISSING, /, **fields: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"comment": title, "content": "text", "key": [title.lower()], **fields}
    return made if folder is MISSING else {**made, "extensions": {"lorebook_tui": {"folder": folder}}}


def rule(title: object, **fields: Any) -> dict[str, Any]:
    return {"comment": title, "content": "", "key": [], "disable": True, **fields}


def book(*entries: dict[str, Any], listed: object = MISSING) -> Book:
    made = tuple(Entry({"uid": n, **fields}, str(n), ("entries", str(n))) for n, fields in enumerate(entries))
    extras = {} if listed is MISSING else {"extensions": {"lorebook_tui": {"folders": listed}}}
    return Book("lore", made, "sillytavern", extras)


def applied(before: Book, edit: FolderEdit) -> Book:
    """The book after an edit, as a file would have it."""
    fields = [dict(each.fields) for each in before.entries]
    for place, name, value in edit.fields:
        if value is MISSING:
            fields[place].pop(name, None)
        else:
            fields[place][name] = value
    kept = [each for place, each in enumerate(fields) if place not in edit.removed]
    return book(*kept, listed=list(edit.listed if edit.listed is not None else listed_folders(before)))


def shape(folder: Folder) -> list[Any]:
    return [*folder.entries, *({inner.name: shape(inner)} for inner in folder.folders)]


SEPARATED = book(
    entry("Rules"),
    rule("--- NPCs ---"),
    entry("Mira"),
    entry("Tobin", "Places/Inns"),
    rule("=== Places ==="),
    entry("Mill"),
    entry("Bell", ""),
)


@pytest.mark.parametrize(
    ("title", "name", "level"),
    [
        ("--- NPCs ---", "NPCs", 0),
        ("---NPCs---", "NPCs", 0),
        ("=== World rules ===", "World rules", 0),
        ("=== Места", "Места", 0),
        ("*** 人物 ***", "人物", 0),
        ("——— Villains ———", "Villains", 0),
        ("-=-=- Villains -=-=-", "Villains", 0),
        ("### NPCs", "NPCs", 3),
        ("# NPCs #", "NPCs", 1),
        ("### NPCs ###", "NPCs", 3),
        ("▼ Characters", "Characters", 0),
        ("📁 Characters", "Characters", 0),
        ("🗂\ufe0f Characters", "Characters", 0),
        ("  --- NPCs / Harbour --- ", "NPCs/Harbour", 0),
        ("-----", "", 0),
        ("═══════", "", 0),
    ],
)
def test_titles_that_part(title: str, name: str, level: int) -> None:
    found = separator_of(Entry(rule(title), "0"))
    assert found is not None
    assert (found.name, found.level) == (name, level)


@pytest.mark.parametrize(
    "title",
    [
        "NPCs",
        "#NPCs",
        "- NPCs",
        "-- NPCs",
        "★ Mira",
        "[NPCs]",
        "【人物】",
        "",
        "   ",
        3,
        "--",
        "--- !? ---",
        "semi-- x",
    ],
)
def test_titles_that_part_nothing(title: object) -> None:
    assert separator_of(Entry(rule(title), "0")) is None


@pytest.mark.parametrize(
    "more",
    [{"disable": False}, {"content": "text"}, {"key": ["npc"]}, {"delayUntilRecursion": 1}],
)
def test_an_entry_that_does_something_parts_nothing(more: dict[str, Any]) -> None:
    assert separator_of(Entry({**rule("--- NPCs ---"), **more}, "0")) is None


def test_separators_head_what_follows_and_entries_speak_for_themselves() -> None:
    assert folders_of(SEPARATED) == ("", "NPCs", "NPCs", "Places/Inns", "Places", "Places", "")
    root = tree(SEPARATED)
    assert shape(root) == [0, 6, {"NPCs": [2]}, {"Places": [5, {"Inns": [3]}]}]
    places = root.find("Places")
    assert places is not None
    assert (places.separators, places.everything) == ((4,), (3, 5))
    assert root.find("nowhere") is None


def test_hashes_nest_and_a_rule_ends() -> None:
    made = book(
        rule("# World"), entry("a"), rule("## NPCs"), entry("b"), rule("## Places"), entry("c"), rule("### Inns"),
        entry("d"), rule("--- Other ---"), entry("e"), rule("## Late"), entry("f"), rule("-----"), entry("g"),
    )  # fmt: skip
    paths = folders_of(made)
    assert [paths[place] for place in (1, 3, 5, 7, 9, 11, 13)] == [
        "World", "World/NPCs", "World/Places", "World/Places/Inns", "Other", "Late", "",
    ]  # fmt: skip
    assert 12 in tree(made).entries


def test_the_editors_order_counts_if_every_entry_has_a_place_of_its_own() -> None:
    entries = [entry("Mira", displayIndex=2), entry("Mill", displayIndex=0), rule("--- NPCs ---", displayIndex=1)]
    assert folders_of(book(*entries)) == ("NPCs", "", "NPCs")
    entries[0]["displayIndex"] = 1
    assert folders_of(book(*entries)) == ("", "", "NPCs")


def test_the_list_of_the_book_gives_order_and_empty_folders() -> None:
    made = book(entry("a", "X"), entry("b", "Z/Y"), listed=["W", "Z", " Z / Q ", 3, "", "Z"])
    assert listed_folders(made) == ("W", "Z", "Z/Q")
    assert order_of(tree(made)) == ("W", "Z", "Z/Q", "Z/Y", "X")


@pytest.mark.parametrize("extensions", [None, [], "x", {"lorebook_tui": 3}, {"lorebook_tui": {"folder": 3}}])
def test_odd_extensions_say_nothing(extensions: object) -> None:
    assert folder_of(Entry({"extensions": extensions}, "0")) is None
    assert listed_folders(Book("b", (), "sillytavern", {"extensions": extensions})) == ()


def test_paths() -> None:
    assert cleaned(" / NPCs //  Old / ") == "NPCs/Old"
    assert (parent_of("a/b/c"), parent_of("a")) == ("a/b", "")
    assert is_within("a/b", "a")
    assert is_within("a", "a")
    assert is_within("a", "")
    assert not is_within("ab", "a")


def test_entries_move_with_the_fewest_changes() -> None:
    edit = folder_edits.move_entries(SEPARATED, [0, 2, 3, 5, 1], "NPCs")
    assert [place for place, _, _ in edit.fields] == [0, 3, 5]
    made = applied(SEPARATED, edit)
    assert [folders_of(made)[place] for place in (0, 2, 3, 5)] == ["NPCs"] * 4
    assert "extensions" not in made.entries[3].fields, "the separator above it says so already"
    assert edit.told == "move 4 entries to the folder 'NPCs'"


def test_out_of_a_separated_folder_needs_a_word_out_of_another_none() -> None:
    edit = folder_edits.move_entries(SEPARATED, [2], "")
    assert edit.fields == ((2, "extensions", {"lorebook_tui": {"folder": ""}}),)
    assert edit.told == "move 1 entry out of its folder"
    plain = book(entry("a", "X"))
    assert folder_edits.move_entries(plain, [0], "").fields == ((0, "extensions", MISSING),)


def test_other_extensions_stay() -> None:
    made = book({"comment": "a", "extensions": {"depth": 2, "lorebook_tui": {"x": 1}}})
    edit = folder_edits.move_entries(made, [0], "F")
    assert edit.fields == ((0, "extensions", {"depth": 2, "lorebook_tui": {"x": 1, "folder": "F"}}),)
    assert folder_edits.move_entries(applied(made, edit), [0], "").fields == (
        (0, "extensions", {"depth": 2, "lorebook_tui": {"x": 1}}),
    )


def test_an_entry_of_a_card_keeps_its_extensions_object() -> None:
    fields = entry("a", "X")
    card = Book("b", (Entry(fields, "0", (), fields),), "card")
    assert folder_edits.move_entries(card, [0], "").fields == ((0, "extensions", {}),)


def test_extensions_that_are_no_object_are_refused() -> None:
    with pytest.raises(UsageError):
        folder_edits.move_entries(book({"comment": "a", "extensions": [1]}), [0], "F")


def test_a_list_grows_with_its_folders() -> None:
    made = book(entry("a"), listed=["X", "X/Y", "Z"])
    assert folder_edits.move_entries(made, [0], "X/New").listed == ("X", "X/Y", "X/New", "Z")
    assert folder_edits.move_entries(made, [0], "Z").listed is None
    assert folder_edits.create(made, "Q/R").listed == ("X", "X/Y", "Z", "Q", "Q/R")
    assert folder_edits.create(SEPARATED, " Gods ").listed == ("NPCs", "Places", "Places/Inns", "Gods")


@pytest.mark.parametrize("path", ["", " / ", "NPCs", "Places/Inns"])
def test_no_folder_without_a_name_of_its_own(path: str) -> None:
    with pytest.raises(UsageError):
        folder_edits.create(SEPARATED, path)


def test_renaming_retitles_the_separator_and_takes_everybody_along() -> None:
    made = applied(SEPARATED, edit := folder_edits.rename(SEPARATED, "Places", "Sites"))
    assert (4, "comment", "=== Sites ===") in edit.fields
    assert folders_of(made) == ("", "NPCs", "NPCs", "Sites/Inns", "Sites", "Sites", "")
    inner = applied(SEPARATED, folder_edits.rename(SEPARATED, "Places/Inns", "Taverns"))
    assert folders_of(inner)[3:5] == ("Places/Taverns", "Places")


def test_renaming_a_part_of_a_separators_name() -> None:
    made = book(rule(" --- NPCs / Harbour --- "), entry("a"), rule("# World"), rule("## NPCs"), entry("b"))
    edit = folder_edits.rename(made, "NPCs", "People")
    assert edit.fields == ((0, "comment", " --- People/Harbour --- "),)
    edit = folder_edits.rename(made, "World", "Earth")
    assert edit.fields == ((2, "comment", "# Earth"),)
    assert folders_of(applied(made, edit))[4] == "Earth/NPCs"
    assert folder_edits.rename(made, "World/NPCs", "Folk").fields == ((3, "comment", "## Folk"),)


def test_renaming_to_a_name_that_exists_joins_the_two() -> None:
    made = applied(SEPARATED, folder_edits.rename(SEPARATED, "NPCs", "Places"))
    assert shape(tree(made)) == [0, 6, {"Places": [2, 5, {"Inns": [3]}]}]


@pytest.mark.parametrize(("path", "name"), [("NPCs", ""), ("NPCs", "a/b"), ("nowhere", "x"), ("", "x")])
def test_what_cannot_be_renamed(path: str, name: str) -> None:
    with pytest.raises(UsageError):
        folder_edits.rename(SEPARATED, path, name)


def test_a_folder_that_goes_leaves_its_entries() -> None:
    edit = folder_edits.delete(SEPARATED, "Places")
    assert edit.removed == (4,)
    made = applied(SEPARATED, edit)
    assert folders_of(made) == ("", "NPCs", "NPCs", "Inns", "", "")
    assert len(made.entries) == 6


def test_a_folder_moves_with_everything_in_it() -> None:
    made = applied(SEPARATED, edit := folder_edits.move_folder(SEPARATED, "Places", "NPCs"))
    assert folders_of(made) == ("", "NPCs", "NPCs", "NPCs/Places/Inns", "NPCs/Places", "")
    assert edit.removed == (4,)
    top = applied(made, folder_edits.move_folder(made, "NPCs/Places/Inns", ""))
    assert folders_of(top)[3] == "Inns"
    with pytest.raises(UsageError):
        folder_edits.move_folder(SEPARATED, "Places", "Places/Inns")


def test_lists_follow_a_rename_and_a_removal() -> None:
    made = book(entry("a", "X/Y"), listed=["X", "X/Y", "Z"])
    assert folder_edits.rename(made, "X", "W").listed == ("W", "W/Y", "Z")
    assert folder_edits.delete(made, "X").listed == ("Y", "Z")
    assert folder_edits.rename(book(entry("a", "X")), "X", "W").listed is None


def test_the_books_own_extensions() -> None:
    assert folder_edits.book_extensions(MISSING, ["A"]) == {"lorebook_tui": {"folders": ["A"]}}
    assert folder_edits.book_extensions({"x": 1, "lorebook_tui": {"folders": ["A"]}}, []) == {"x": 1}
    assert folder_edits.book_extensions({"lorebook_tui": {"folders": ["A"]}}, []) is MISSING
    assert folder_edits.book_extensions(None, []) == {}


def test_paths_of_strangers_have_a_limit() -> None:
    deep = "/".join("a" * 5_000)
    made = book(entry("x", deep), rule(f"--- {'b/' * 90} ---"), rule("--" + " " * 100_000 + "x"), listed=[deep])
    assert max(folder.path.count("/") for folder in tree(made).walk()) == 19
    assert len(order_of(tree(made))) == 40
