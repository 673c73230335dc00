"""What must hold for any query and any change of many: no crash but a told mistake, and a preview that comes true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.formats import detect
from lorebook_tui.formats.json_patch import same
from lorebook_tui.model.fields import ENTRY_FIELDS
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import bulk, edits, query
from lorebook_tui.workspace.bulk_changes import differences
from lorebook_tui.workspace.facts import LoreFacts, TurnFacts
from lorebook_tui.workspace.field_input import assignment, split_items
from lorebook_tui.workspace.files import Source
from lorebook_tui.workspace.renumbering import SCOPES, SEQUENCES, Numbering, renumber
from lorebook_tui.workspace.replacing import replace_text, replacement
from lorebook_tui.workspace.workspace import OpenedBook, Workspace

if TYPE_CHECKING:
    from lorebook_tui.workspace.edits import FieldChange

NAMES = [
    *(row.name for row in ENTRY_FIELDS),
    *("title", "enabled", "folder", "locked", "tokens", "fired", "in", "cut", "layer", "kind", "nothing"),
]
PIECES = st.one_of(
    st.sampled_from(
        [
            *NAMES,
            ":",
            "=",
            "!=",
            ":>",
            "<=",
            "..",
            ",",
            " ",
            "-",
            "(",
            ")",
            '"',
            "'",
            "/",
            "\\",
            "or",
            " or ",
            " not ",
            "*",
        ]
    ),
    st.sampled_from(
        ["yes", "none", "100", "-5", "1e999", "never", "prompt", "at-depth", "/a/i", "/(/", "bell", "\ud800"]
    ),
    st.text(max_size=4),
)
QUERIES = st.one_of(st.text(max_size=40), st.lists(PIECES, max_size=12).map("".join))
VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-5, 2000), st.floats(-10, 10), st.text(max_size=5), st.lists(st.text(max_size=3), max_size=3),
    st.just({"names": ["Mira"], "tags": []}), st.just({}), st.just({"lorebook_tui": {"folder": "NPC"}}),
)  # fmt: skip
FIELDS = st.dictionaries(st.sampled_from([row.name for row in ENTRY_FIELDS if row.name != "uid"]), VALUES, max_size=8)


def workspace_of(worlds: list[dict[str, Any]], cards: list[dict[str, Any]]) -> Workspace:
    entries = {str(uid): {"uid": uid, "key": [], "content": "", **fields} for uid, fields in enumerate(worlds)}
    listed = [
        {"id": uid, "keys": ["k"], "content": "c", "enabled": True, "insertion_order": 1, "extensions": fields}
        for uid, fields in enumerate(cards)
    ]
    files: list[tuple[Layer, str, Any]] = [
        (Layer.GLOBAL, "town.json", {"entries": entries}),
        (
            Layer.CHARACTER,
            "mira.json",
            {"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"entries": listed}}},
        ),
    ]
    books = []
    for layer, name, value in files:
        loaded = detect.load(json.dumps(value, indent=2).encode(), name)
        books.append(OpenedBook(layer, loaded.require_book(), Source(Path(name), loaded)))
    return Workspace(tuple(books), sources=tuple(book.source for book in books), tokenizer="estimate")


WORKSPACES = st.builds(
    workspace_of,
    st.lists(FIELDS, min_size=1, max_size=4),
    st.lists(
        st.fixed_dictionaries({}, optional={"depth": VALUES, "role": VALUES, "sticky": VALUES, "triggers": VALUES}),
        max_size=3,
    ),
)


@given(QUERIES, WORKSPACES)
@settings(max_examples=300)
def test_a_query_is_answered_or_its_mistake_is_told(text: str, workspace: Workspace) -> None:
    lore = LoreFacts(workspace, TurnFacts(3))
    try:
        asked = query.parse(text)
        found = query.select(lore, asked, similar=True)
    except LorebookError:
        return
    assert set(found) <= set(lore.refs())
    assert list(found) == [ref for ref in lore.refs() if ref in set(found)]


@given(QUERIES, QUERIES, WORKSPACES)
def test_not_or_and_parentheses_mean_what_they_say(one: str, other: str, workspace: Workspace) -> None:
    lore = LoreFacts(workspace, TurnFacts(3))

    def found(text: str) -> set[Any]:
        return set(query.select(lore, query.parse(text)))

    try:
        first, second = found(f"({one})"), found(f"({other})")
    except LorebookError:
        return
    everything = set(lore.refs())
    assert found(f"not ({one})") == everything - first
    assert found(f"({one}) or ({other})") == first | second
    assert found(f"({one}) ({other})") == first & second


def check(workspace: Workspace, changes: tuple[FieldChange, ...]) -> None:
    """The preview is what the files give back, only these fields change, and the rest of every file stays."""
    after = edits.set_fields(workspace, changes).workspace if changes else workspace
    again = LoreFacts(after)
    for change in changes:
        assert not same(LoreFacts(workspace).entry(change.ref).get(change.name), change.value)
        assert same(again.entry(change.ref).get(change.name), change.value)
    for source in after.sources:
        reread = detect.load(detect.dump(source.loaded), source.name)
        assert [entry.fields for book in reread.books for entry in book.entries] == [
            entry.fields for book in source.loaded.books for entry in book.entries
        ]
    told = {(id(LoreFacts(workspace).entry(change.ref)), change.name) for change in changes}
    for file in differences(workspace, after):
        for entry in file.entries:
            assert entry.before is not None
            assert {(id(entry.before), field.name) for field in entry.fields} <= told | {
                (id(entry.before), "extensions") if entry.before.source is not None else (0, "")
            }


INPUTS = st.one_of(
    st.builds(
        lambda name, value: f"{name}={value}",
        st.sampled_from(NAMES),
        st.sampled_from(
            [
                "100",
                "+5",
                "-5",
                "*2",
                "yes",
                "no",
                "null",
                "default",
                "toggle",
                "at depth",
                "a, b",
                "+a,-b",
                "=x",
                "{}",
                '["a"]',
                "",
                "2.5",
            ]
        ),
    ),
    st.builds(lambda name, value: f"{name}={value}", st.sampled_from(NAMES), st.text(max_size=8)),
    st.text(max_size=8),
)


@given(INPUTS, WORKSPACES)
@settings(max_examples=300)
def test_a_value_is_refused_or_becomes_what_was_shown(text: str, workspace: Workspace) -> None:
    refs = list(LoreFacts(workspace).refs())
    try:
        changes = bulk.set_value(workspace, refs, assignment(text))
    except UsageError:
        return
    check(workspace, changes)


@given(
    WORKSPACES,
    st.builds(Numbering, st.integers(-50, 500), st.sampled_from([1, 2.5, 10]), st.booleans(), st.sampled_from(SEQUENCES), st.sampled_from(SCOPES)),
)  # fmt: skip
def test_new_orders_come_true_and_are_evenly_spaced(workspace: Workspace, numbering: Numbering) -> None:
    refs = list(LoreFacts(workspace).refs())
    changes = renumber(workspace, refs, numbering)
    check(workspace, changes)
    if numbering.within == "all":
        after = LoreFacts(edits.set_fields(workspace, changes).workspace if changes else workspace)
        orders = sorted(after.entry(ref).get("order") for ref in refs)
        assert orders == [numbering.start + place * numbering.step for place in range(len(refs))]


FINDS = st.one_of(
    st.text(min_size=1, max_size=3), st.sampled_from(["/a/", "/./", "/^/", "/(.)(.)?/i", "/x*/", "k", "/(/"])
)


@given(
    FINDS,
    st.text(max_size=3),
    WORKSPACES,
    st.sets(st.sampled_from(["content", "keys", "secondary", "title"]), min_size=1),
)
def test_replaced_texts_come_true(find: str, put: str, workspace: Workspace, fields: set[str]) -> None:
    try:
        wanted = replacement(find, put, sorted(fields))
        found = replace_text(workspace, list(LoreFacts(workspace).refs()), wanted)
    except UsageError:
        return
    check(workspace, found.changes)
    assert {(hit.ref, hit.name) for hit in found.hits} == {(change.ref, change.name) for change in found.changes}


@given(st.lists(st.text(alphabet="ab /,\"'\\-+é", max_size=4), max_size=4))
def test_quoted_items_are_read_back(items: list[str]) -> None:
    quoted = ", ".join('"' + item.replace("\\", "\\\\").replace('"', '\\"') + '"' for item in items)
    assert split_items(quoted) == [item.strip() for item in items if item.strip()]


@given(WORKSPACES)
def test_tidying_comes_true_and_is_done_once(workspace: Workspace) -> None:
    refs = list(LoreFacts(workspace).refs())
    for tidy in (bulk.fill_titles, bulk.dedupe_keys):
        changes = tidy(workspace, refs)
        check(workspace, changes)
        if changes:
            assert tidy(edits.set_fields(workspace, changes).workspace, refs) == ()
