"""Entries are found by what people call them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.workspace.lookup import entries_of, find_one, matching
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import sample

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.workspace.workspace import Workspace


@pytest.fixture(scope="module")
def harrowmere() -> Workspace:
    return open_workspace([sample("harrowmere")])


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("harrowmere#7", "harrowmere#7"),
        ("HARROWMERE.7", "harrowmere#7"),
        ("The drowned bell", "harrowmere#7"),
        ("drowned bel", "harrowmere#7"),
        ("39", "harrowmere#39"),
        ("#39", "harrowmere#39"),
        ("causeway", "harrowmere#37"),
    ],
)
def test_an_entry_is_found(harrowmere: Workspace, text: str, reference: str) -> None:
    assert find_one(harrowmere, text).reference == reference


def test_an_exact_key_comes_before_a_part_of_a_title(harrowmere: Workspace) -> None:
    assert {found.reference for found in matching(harrowmere, "bell")} == {"harrowmere#7", "Mira#3", "Mira#4"}


def test_several_entries_are_all_named(harrowmere: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        find_one(harrowmere, "bell")
    assert caught.value.found.splitlines() == [
        "harrowmere#7  The drowned bell", "Mira#3  Bell · she changes the subject", "Mira#4  Bell · she tells",
    ]  # fmt: skip


def test_a_long_list_ends_with_the_number_of_the_rest(harrowmere: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        find_one(harrowmere, "e")
    assert caught.value.found.splitlines()[-1].endswith(" more")


@pytest.mark.parametrize(("text", "hint"), [("The drownd bell", "The drowned bell"), ("zzz", "lorebook ls")])
def test_a_name_nobody_has_is_refused(harrowmere: Workspace, text: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_one(harrowmere, text)
    assert hint in caught.value.hint


def test_every_entry_is_listed_once(harrowmere: Workspace) -> None:
    references = [found.reference for found in entries_of(harrowmere)]
    assert len(references) == len(set(references)) == sum(len(opened.book.entries) for opened in harrowmere.books)


def test_nothing_is_meant_by_nothing(harrowmere: Workspace) -> None:
    assert matching(harrowmere, "  ") == []


def test_entries_that_share_a_uid_can_each_be_named(tmp_path: Path) -> None:
    twins = {name: {"uid": 5, "key": ["cat"], "comment": "Twin", "content": name} for name in ("a", "b")}
    (tmp_path / "w.json").write_text(json.dumps({"entries": twins}), "utf-8")
    workspace = open_workspace([tmp_path / "w.json"])
    with pytest.raises(UsageError) as caught:
        find_one(workspace, "w#5")
    assert caught.value.found.splitlines() == ["w#5:a  Twin", "w#5:b  Twin"]
    assert "w#5:a" in caught.value.expected
    assert find_one(workspace, "W#5:b").entry.content == "b"
