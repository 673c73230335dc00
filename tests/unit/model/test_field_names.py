"""What people call fields, and locks kept in extension data."""

from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.field_names import close_names, named_field
from lorebook_tui.model.fields import ENTRY_FIELDS
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.locks import is_locked, lock_extensions


@pytest.mark.parametrize(
    ("name", "field", "is_opposite"),
    [
        ("order", "order", False),
        ("ORDER", "order", False),
        ("insertion_order", "order", False),
        ("scan-depth", "scanDepth", False),
        ("Scan depth", "scanDepth", False),
        ("depth", "depth", False),
        ("position", "position", False),
        ("priority", "priority", False),
        ("keys", "key", False),
        ("secondary", "keysecondary", False),
        ("secondary_keys", "keysecondary", False),
        ("title", "comment", False),
        ("enabled", "disable", True),
        ("disabled", "disable", False),
        ("logic", "selectiveLogic", False),
        ("character", "characterFilter", False),
        ("excludeRecursion", "excludeRecursion", False),
        ("exclude_recursion", "excludeRecursion", False),
    ],
)
def test_names(name: str, field: str, is_opposite: bool) -> None:
    found = named_field(name)
    assert found is not None
    assert (found.field.name, found.is_opposite) == (field, is_opposite)


def test_every_field_is_found_by_its_own_name_and_its_label() -> None:
    labels = [row.label for row in ENTRY_FIELDS]
    for row in ENTRY_FIELDS:
        for name in (row.name, row.label):
            found = named_field(name)
            assert found is not None
            assert found.field is row or labels.count(row.label) > 1
            assert not found.is_opposite


def test_close_names() -> None:
    assert named_field("ordr") is None
    assert close_names("ordr")[0] == "order"
    assert close_names("tokns", ("tokens",)) == ("tokens",)
    assert close_names("enabeld") == ("enabled",)
    assert close_names("zzz") == ()


@pytest.mark.parametrize(
    ("before", "locked", "after"),
    [
        (MISSING, True, {"lorebook_tui": {"locked": True}}),
        (MISSING, False, MISSING),
        ({}, False, {}),
        (None, True, {"lorebook_tui": {"locked": True}}),
        ({"depth": 4}, True, {"depth": 4, "lorebook_tui": {"locked": True}}),
        ({"lorebook_tui": {"locked": True, "folder": "NPC"}}, False, {"lorebook_tui": {"folder": "NPC"}}),
        ({"lorebook_tui": {"locked": True}}, False, MISSING),
        ({"lorebook_tui": 5}, True, {"lorebook_tui": {"locked": True}}),
    ],
)
def test_locks(before: Any, locked: bool, after: Any) -> None:
    made = lock_extensions(before, locked=locked)
    assert made == after
    assert is_locked(Entry({"extensions": made}, "0")) is locked


def test_a_lock_needs_an_object() -> None:
    with pytest.raises(UsageError, match="no object"):
        lock_extensions([1], locked=True)
    assert not is_locked(Entry({"extensions": [1]}, "0"))
