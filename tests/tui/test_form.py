"""The form in the running program: typing, refusing, keeping, undoing; keys, text, JSON, several entries at once."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from textual import events

from lorebook_tui.model.js import MISSING
from lorebook_tui.tui.targets import ToField
from lorebook_tui.tui.widgets.form_json import JsonScreen
from lorebook_tui.workspace import edits
from tests.tui.action_cases.form import DEPTH, KEYS, entry, told
from tests.tui.conftest import book, small_workspace
from tests.tui.conftest import entry as fields_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from lorebook_tui.tui.scene import Scene

Bench = Any


def help_text(bench: Bench) -> str:
    lines = [bench.screen.form.help.render_line(y).text.rstrip() for y in range(2)]
    return " ".join(line for line in lines if line)


async def wait_for_text(bench: Bench) -> None:
    """Until what was typed into the text is taken."""
    form = bench.screen.form
    for _ in range(100):
        if form.content.value == form.stored_text and form._timer is None:
            break
        await bench.pilot.pause(0.02)
    await bench.settle()


async def test_a_refused_value_stays_in_the_line_with_its_reason(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press(*DEPTH, "enter", *"2.5")
        assert "needs a whole number" in help_text(bench), "said while it is typed"
        await bench.press("enter")
        assert bench.screen.form.line.has_focus
        assert bench.screen.form.line.value == "2.5"
        assert bench.screen.form.line.has_class("-refused")
        await bench.press("backspace", "backspace", "enter")
        assert entry(bench).get("scanDepth") == 2
        assert not bench.screen.form.line.display


async def test_a_digit_begins_to_type_where_the_cursor_is_on_a_number(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press(*DEPTH, "1", "2", "enter")
        assert entry(bench).get("scanDepth") == 12
        assert bench.screen.layer_tree.has_focus is False


async def test_half_typed_values_outlive_escape_other_entries_and_come_back(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press(*DEPTH, "enter", *"2x", "escape")
        assert entry(bench).get("scanDepth") is MISSING
        mill = bench.screen.chosen
        await bench.press("enter", "x")
        assert bench.screen.form.line.value == "x", "the draft was selected, so a letter replaces it"
        bench.screen.choose_entry(next(iter(scene.refs())))
        await bench.settle()
        assert "half-typed" not in bench.text()
        bench.screen.choose_entry(mill)
        await bench.settle()
        assert "half-typed: x" in bench.text()
        bench.screen.open_field("scanDepth")
        await bench.press("backspace")
        assert "half-typed: x" not in bench.text()
        assert entry(bench).get("scanDepth") is MISSING, "only the draft went"


async def test_a_valid_value_is_taken_when_one_goes_elsewhere(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (150, 40)) as bench:
        await bench.press("s", "enter", *"Inn", "tab")
        assert entry(bench).title == "Inn"
        assert not bench.screen.form.line.display
        await bench.press("s", "enter", *"Tavern")
        bench.screen.choose_entry(next(iter(scene.refs())))
        await bench.settle()
        assert "Tavern" in {each.title for each in bench.screen.scene.layers.global_[0].entries}
        bench.screen.flush_form()


async def test_keys_are_typed_one_after_the_other_with_news_about_each(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press(*KEYS, "a", *"ferry")
        assert help_text(bench) == "plain, in 2 messages of the chat. Also a key of “The ferry”."
        await bench.press("enter", *"/(/")
        assert help_text(bench).startswith("invalid regex, nowhere in the chat. Taken as plain text")
        await bench.press("escape")
        assert entry(bench).keys == ("mill", "ferry")
        assert bench.screen.form.drafts[bench.screen.form.key]
        await bench.press("a", *"bell", "enter", *"mill", "enter")
        assert "“mill” is there already" in help_text(bench)
        bench.app.post_message(events.Paste("x, /a{1,2}/i，y\nz"))
        await bench.settle()
        assert entry(bench).keys == ("mill", "ferry", "bell", "x", "/a{1,2}/i", "y", "z")


async def test_an_item_is_edited_in_its_place(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press(*KEYS, "enter", "end", *", old", "enter")
        assert entry(bench).keys == ("mill, old",)
        assert "several keys in one" in help_text(bench)
        await bench.press("enter", "ctrl+u", "enter")
        assert entry(bench).keys == ()


async def test_choices_come_as_a_list(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        bench.screen.open_field("position")
        await bench.press("enter", *"depth", "enter")
        assert entry(bench).get("position") == 4
        bench.screen.open_field("triggers")
        await bench.press("enter", *"swipe", "enter")
        await bench.press("enter", *"quiet", "enter", "enter", *"swipe", "enter")
        assert entry(bench).get("triggers") == ["quiet"]


async def test_a_filter_is_made_filled_and_turned_round(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        bench.screen.open_field("characterFilter")
        await bench.press("space", "down", "enter", *"Mira", "enter", "escape", "up", "space")
        assert entry(bench).get("characterFilter") == {"isExclude": True, "names": ["Mira"], "tags": []}


async def test_text_is_taken_a_moment_after_the_last_letter(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "i", *"ab")
        await wait_for_text(bench)
        assert entry(bench).content.startswith("A long text")
        assert entry(bench).content.endswith("ab"), "one goes on where the text ends"
        await bench.press("c")
        await wait_for_text(bench)
        assert bench.screen.desk.undo_told == "set content of 'The mill'"
        assert bench.screen.replay.scene is bench.screen.scene, "simulated at once"
        await bench.press("escape", "u")
        assert not entry(bench).content.endswith(("a", "ab", "abc")), "typing is one step"
        assert bench.screen.form.content.value == entry(bench).content


async def test_a_snippet_is_put_where_the_caret_stands(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        before = entry(bench).content
        await bench.press("s", "i", "ctrl+n", *"random", "enter", *"now")
        await wait_for_text(bench)
        assert entry(bench).content == before + "{{random::nowone::two::three}}"
        await bench.press("ctrl+n", *"ali-chat", "enter", *"Hm. ")
        await wait_for_text(bench)
        assert "{{random::now<START>\n{{user}}: Hm. What are you like?\n" in entry(bench).content
        await bench.press("ctrl+z", "ctrl+z", "ctrl+z", "escape", "u", "u")
        assert entry(bench).content.startswith(before)


async def test_undo_in_the_text_is_its_own_first_then_that_of_the_books(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "enter", *"Inn", "enter", "i", *"ab", "ctrl+z")
        await wait_for_text(bench)
        assert entry(bench).content.startswith("A long")
        await bench.press("ctrl+z")
        assert not entry(bench).content.startswith("a")
        for _ in range(4):
            await bench.press("ctrl+z")
        assert entry(bench).title == "The mill"
        assert bench.screen.form.content.has_focus


async def test_what_a_text_would_wake_is_marked(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "i", "ctrl+home", *"bell {{chr}} {{char}} ")
        await wait_for_text(bench)
        area = bench.screen.form.content
        inks = {area.get_line(0).plain[span.start : span.end]: span.style for span in area.get_line(0).spans}
        assert set(inks) == {"bell", "{{chr}}", "{{char}}"}
        assert inks["bell"] == bench.app.inks["hit"]
        assert inks["{{chr}}"] == bench.app.inks["near"]
        assert inks["{{char}}"] == bench.app.inks["macro"]


async def test_json_is_checked_kept_and_taken(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "j")
        screen = bench.app.screen
        assert isinstance(screen, JsonScreen)
        good = screen.area.value.replace('"order": 80', '"order": 81,\n    "sticky": 2')
        screen.area.load(good.replace("81,", "81"))
        await bench.press("ctrl+r")
        assert bench.app.screen is screen
        assert "Line 9, column 5: expecting ',' delimiter." in bench.text()
        await bench.press("escape", "j")
        assert bench.app.screen.area.value == good.replace("81,", "81")
        bench.app.screen.area.load(good)
        await bench.press("ctrl+r")
        assert len(bench.app.screen_stack) == 1
        assert (entry(bench).get("order"), entry(bench).get("sticky")) == (81, 2)
        assert bench.screen.desk.undo_told == "edit the JSON of 'The mill'"


async def test_json_that_was_put_aside_is_put_into_the_entry_as_it_is_by_then(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "j")
        own = bench.app.screen.area.value
        bench.app.screen.area.load(own.replace('"order": 80', '"order": 81'))
        await bench.press("escape")
        bench.screen.take_fields([("key", ["wheel"]), ("sticky", 3)])
        await bench.press("j")
        assert "changed since (key, sticky): that is in it" in bench.text()
        await bench.press("ctrl+r")
        assert [entry(bench).get(name) for name in ("order", "key", "sticky")] == [81, ["wheel"], 3]


async def test_of_what_both_changed_the_typed_one_stands_and_is_told(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "j")
        bench.app.screen.area.load(bench.app.screen.area.value.replace('"order": 80', '"order": 81'))
        await bench.press("escape")
        bench.screen.take_fields([("order", 90)])
        await bench.press("j")
        assert "changed since (order); of order yours stands here" in " ".join(bench.text().replace("│", " ").split())
        assert '"order": 81' in bench.app.screen.area.value
        await bench.press("f5")
        assert '"order": 90' in bench.app.screen.area.value
        await bench.press("escape", "j")
        assert "had typed" not in bench.text()


async def test_outdated_json_that_cannot_be_read_is_told_to_be_so(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s", "j")
        bench.app.screen.area.load("{")
        await bench.press("escape")
        bench.screen.take_fields([("order", 90)])
        await bench.press("j")
        assert "changed since (order): taking this would undo" in " ".join(bench.text().replace("│", " ").split())
        assert bench.app.screen.area.value == "{"


async def test_several_entries_are_edited_together(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        refs = list(scene.refs())[1:4]
        bench.screen.layer_tree.mark(refs)
        bench.screen.show_entry()
        await bench.press("s")
        assert "3 entries" in bench.text()
        bench.screen.open_field("order")
        assert "differ" in bench.text()
        await bench.press("enter", *"77", "enter")
        assert {bench.screen.scene.entry(ref).get("order") for ref in refs} == {77}
        assert told("Set in 3 of 3 entries: order 77")(bench)
        await bench.press("u")
        assert [bench.screen.scene.entry(ref).get("order") for ref in refs] == [150, 90, 80]


@contextmanager
def _handed_over() -> Iterator[None]:
    yield


async def edited_by(bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    path = tmp_path / "an editor.py"
    path.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[-1])\n{script}\n", "utf-8")
    monkeypatch.setenv("LOREBOOK_EDITOR", f"'{sys.executable}' '{path}'")
    monkeypatch.setattr(bench.app, "suspend", _handed_over)
    await bench.press("s", "e")


@pytest.mark.skipif(sys.platform == "win32", reason="the command is quoted for a POSIX shell")
async def test_the_users_editor_gives_the_text_back_as_one_edit(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async with open_bench(scene) as bench:
        script = "assert path.suffix == '.md'; path.write_text('New. ' + path.read_text()[:6] + chr(10))"
        await edited_by(bench, monkeypatch, tmp_path, script)
        assert entry(bench).content == "New. A long"
        await bench.press("i", "ctrl+z")
        await wait_for_text(bench)
        assert entry(bench).content.startswith("A long text")


@pytest.mark.skipif(sys.platform == "win32", reason="the command is quoted for a POSIX shell")
@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("sys.exit(3)", "ended with status 3"),
        ("path.unlink()", "left no file"),
        ("path.write_bytes(b'\\xff\\xfe')", "no UTF-8"),
        ("pass", "as it was"),
    ],
)
async def test_what_an_editor_may_do_wrong(
    script: str,
    reason: str,
    *,
    open_bench: Callable[..., Any],
    scene: Scene,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    async with open_bench(scene) as bench:
        before = entry(bench).content
        await edited_by(bench, monkeypatch, tmp_path, script)
        assert entry(bench).content == before
        assert told(reason)(bench)


async def test_line_ends_and_strange_characters_survive_an_edit_of_the_text(open_bench: Callable[..., Any]) -> None:
    from lorebook_tui.model.layers import Layer
    from lorebook_tui.tui.scene import scene_of

    text = "one\r\ntwo\u2028three\x0bfour\x85 \ud83d \u202e\r\nfive"
    made = book(Layer.GLOBAL, "odd", fields_of(0, "Odd", text, "bell"))
    scene = scene_of(replace(small_workspace(), books=(made,), sources=(made.source,)))
    async with open_bench(scene) as bench:
        await bench.press("s", "i", "ctrl+end", *"!")
        await wait_for_text(bench)
        assert entry(bench).content in {"!" + text, text + "!"}


async def test_the_cursor_stays_on_its_field_when_the_entry_changes(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene) as bench:
        bench.screen.open_field("order")
        await bench.press("right", "right")
        assert bench.screen.form.rows.target_under_cursor == ToField("order")
        assert entry(bench).get("order") == 82
        await bench.press("u")
        assert entry(bench).get("order") == 80, "steps in quick succession are one"


async def test_clicks_choose_switch_and_edit(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("s")
        await bench.click_text("Constant", within="#entry")
        assert entry(bench).get("constant") is True
        await bench.click_text("mill ·", within="#entry")
        assert bench.screen.form.rows.target_under_cursor == ToField("key")
        await bench.click_text("mill ·", within="#entry")
        assert bench.screen.form.line.value == "mill"
        await bench.press("escape")
        await bench.click_text("Filters", within="#entry")
        assert "Probability" not in bench.text()


async def test_writing_takes_room_where_there_is_little(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (60, 16)) as bench:
        await bench.press("s")
        before = bench.screen.form.content.size.height
        await bench.press("i")
        assert bench.screen.form.content.size.height > before
        await bench.press("escape")
        assert bench.screen.form.content.size.height == before


async def test_undo_over_a_text_of_another_height_keeps_the_cursor_inside(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    """While Textual undoes, the cursor may stand on a line that is gone, just when a scrollbar comes or goes."""
    async with open_bench(scene, (100, 30)) as bench:
        await bench.press("s")
        area = bench.screen.form.content
        before = area.value
        area.replace_all("one\nSecond")
        bench.screen.form.take_text()
        await bench.settle()
        await bench.press("i", "ctrl+end", "x", "ctrl+z", "ctrl+z")
        await wait_for_text(bench)
        assert area.value == before
        await bench.press("ctrl+y")
        assert area.value == "one\nSecond"


async def test_out_of_sight_nothing_is_drawn_and_in_sight_all_is_there(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_bench(scene, (120, 40)) as bench:
        form = bench.screen.form
        drawn: list[str] = []
        draw = form.draw

        def counted(**how: bool) -> None:
            drawn.append("once")
            draw(**how)

        monkeypatch.setattr(form, "draw", counted)
        await bench.press("home", *["down"] * 4)
        assert form.is_hidden
        assert drawn == []
        await bench.press("s")
        assert drawn
        assert bench.title in form.rows.render_line(0).text
        assert form.content.value == entry(bench).content
        assert "token" in bench.text().partition("Content")[2].splitlines()[0]
        await bench.press("l", "f5", "down", "f5")
        assert form.content.value == entry(bench).content


async def test_a_text_that_cannot_be_taken_is_kept_and_tried_again(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_bench(scene, (150, 40)) as bench:
        mill = bench.screen.chosen
        with monkeypatch.context() as patch:
            patch.setattr(bench.screen, "edit", lambda *_, **__: False)
            await bench.press("s", "i", "x")
            bench.screen.choose_entry(next(iter(scene.refs())))
            await bench.settle()
        bench.screen.choose_entry(mill)
        await bench.settle()
        bench.screen.flush_form()
        assert entry(bench).content.startswith("A long text")
        assert entry(bench).content.endswith("x")


async def test_what_can_only_be_looked_at_takes_no_letters(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(replace(scene, workspace=None)) as bench:
        await bench.press("s", "i", "x")
        assert bench.screen.form.content.value.startswith("A long text")
        await bench.press("escape")
        bench.screen.open_field("constant")
        await bench.press("space")
        assert told("There is nothing to edit.")(bench)


async def test_closed_groups_are_remembered(open_bench: Callable[..., Any], scene: Scene) -> None:
    kept: list[Any] = []
    async with open_bench(scene, keep=kept.append) as bench:
        await bench.press("s", *["down"] * 5, "enter", "o", "o")
        assert "Activation" in kept[-1].others["closed_groups"]
        await bench.press("home", *["down"] * 5, "right")
    async with open_bench(scene, memory=kept[-1]) as bench:
        await bench.press("s")
        assert "▾ Activation" in bench.text()
        assert "▸ Filters" in bench.text()


async def test_nothing_is_left_of_the_last_entry(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, (180, 50)) as bench:
        assert "The mill" in str(bench.screen.form.rows.blocks)
        bench.screen.edit(lambda workspace: edits.delete_entries(workspace, list(scene.refs())))
        await bench.settle()
        assert not bench.screen.form.rows.blocks
        assert not bench.screen.form.content.value
        assert not bench.screen.why.blocks
        await bench.press("s", "i", "x", "escape", "w", "1")
        assert bench.screen.desk.undo_told.startswith("delete")
        await bench.press("u", "s", "i", "x")
        await wait_for_text(bench)
        assert entry(bench).content.endswith("x")
