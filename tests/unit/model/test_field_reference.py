"""THE table as text."""

from __future__ import annotations

import pytest

from lorebook_tui.model.field_reference import choices_text, default_text, markdown_table, range_text, type_text
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS, Field, field_named


def row(name: str) -> Field:
    found = field_named(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "kind", "bounds", "default"),
    [
        ("key", "list of strings", "", "[]"),
        ("scanDepth", "integer or null", "0 to 1000 messages", "null"),
        ("sticky", "integer or null", "from 0 messages", "null"),
        ("position", "integer", "", "0"),
        ("order", "number", "", "100"),
        ("selective", "boolean", "", "true"),
        ("uid", "integer", "from 0", ""),
        ("conditions", "list of objects", "", ""),
    ],
)
def test_texts_of_a_row(name: str, kind: str, bounds: str, default: str) -> None:
    assert (type_text(row(name)), range_text(row(name)), default_text(row(name))) == (kind, bounds, default)


def test_a_range_with_an_upper_end_alone() -> None:
    assert range_text(Field("x", ("number",), 0, "Nothing.", "Nothing.", maximum=5, unit="tokens")) == "up to 5 tokens"


def test_choices_do_not_repeat_themselves() -> None:
    assert choices_text(row("role")) == "0 system, 1 user, 2 assistant"
    assert choices_text(row("triggers")).startswith("normal, continue,")
    assert choices_text(row("content")) == ""


def test_markdown_has_a_line_for_each_row_and_even_columns() -> None:
    for rows, columns in ((ENTRY_FIELDS, 6), (SETTING_FIELDS, 5)):
        lines = markdown_table(rows, with_card_names=columns == 6).splitlines()
        assert len(lines) == len(rows) + 2
        assert {line.replace("\\|", "").count("|") for line in lines} == {columns + 1}
    assert "not `enabled`" in markdown_table(ENTRY_FIELDS)
    assert "`extensions.scan_depth`" in markdown_table(ENTRY_FIELDS)
