"""Whatever bytes a configuration holds, the program starts."""

from __future__ import annotations

import string

from hypothesis import example, given
from hypothesis import strategies as st

from lorebook_tui.tui.keymap import key_name, settled
from lorebook_tui.workspace.config import OPTIONS, KeyWish, Preferences, parse, told

NAMES = [option.path[-1] for option in OPTIONS] + ["keys", "themes", "panes", "base", "primary", "x.y", '"a b"']
VALUES = ['"a"', "3", "-1", "true", "[]", '["u", 3]', "{}", "{a = 1}", "1979-05-27", "nan", '"""', "'", "[[1]]", "#"]
LINES = st.one_of(
    st.builds("{} = {}".format, st.sampled_from(NAMES), st.sampled_from(VALUES)),
    st.builds("[{}]".format, st.sampled_from([*NAMES, "themes.x", "keys.global", ""])),
    st.builds("[[{}]]".format, st.sampled_from(NAMES)),
    st.text(alphabet=string.printable, max_size=12),
)


def is_whole(found: Preferences) -> bool:
    """Every value is one that the program can use."""
    types = (type(found.mouse), type(found.theme), type(found.tokenizer), type(found.entry_share))
    return (
        types == (bool, str, str, int)
        and found.signs in {"auto", "signs", "letters"}
        and found.animations in {"none", "basic", "full"}
        and 0 <= found.delay <= 10_000
        and 20 <= found.layers_width <= 200
        and all(wish.colours for wish in found.themes)
        and all(told(notice) for notice in found.notices)
    )


@given(st.binary(max_size=400))
@example(b"\xef\xbb\xbf")
@example(b"a=1\na=2")
def test_any_bytes(data: bytes) -> None:
    assert is_whole(parse(data))


@given(st.lists(LINES, max_size=14))
def test_nearly_toml(lines: list[str]) -> None:
    assert is_whole(parse("\n".join(lines).encode()))


@given(st.text(max_size=12))
def test_a_key_is_known_or_not(written: str) -> None:
    name = key_name(written)
    assert name is None or (name and key_name(name) == name)


WISHES = st.builds(
    KeyWish,
    st.sampled_from(
        ["undo", "redo", "quit", "phases.phase_1", "layers.expand", "to_chat", "close", "nothing", "list.up"]
    ),
    st.lists(st.sampled_from(["g", "q", "left", "ctrl+g", "?", "", "1", "f2"]), max_size=3).map(tuple),
    st.just("c"),
)


@given(st.lists(WISHES, max_size=6))
def test_no_two_actions_of_a_place_keep_a_key(wishes: list[KeyWish]) -> None:
    from lorebook_tui.tui.actions import ACTIONS

    keys = settled(wishes).keys
    for scope in {action.scope for action in ACTIONS}:
        taken = [key for action in ACTIONS if action.scope is scope for key in keys.get(action.id, action.keys)]
        assert len(taken) == len(set(taken))
