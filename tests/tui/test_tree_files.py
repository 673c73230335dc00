"""Clipboard, filter, files and templates for the tree, in the running program."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from textual import events
from textual.widgets import Input

from lorebook_tui.formats import clip, detect
from lorebook_tui.model.layers import Layer
from lorebook_tui.tui.scene import scene_of
from lorebook_tui.tui.screens import tree_clips, tree_filter
from lorebook_tui.tui.screens.asking import Confirmation, Question
from lorebook_tui.tui.screens.file_picker import FilePicker
from lorebook_tui.tui.targets import ToBranch
from tests.tui.conftest import book, entry, small_workspace
from tests.tui.test_tree import WIDE, text, titles, told, tree_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lorebook_tui.tui.scene import Scene

GLOBAL = Layer.GLOBAL


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return scene_of(small_workspace(tmp_path))


async def paste(bench: Any, pasted: str) -> None:
    """What a terminal sends when the user pastes."""
    bench.app.post_message(events.Paste(pasted))
    await bench.settle()


async def test_entries_go_from_one_program_to_another(
    open_bench: Callable[..., Any], scene: Scene, tmp_path: Path
) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("v", "v", "y")
        copied = bench.app.clipboard
        assert json.loads(copied)["kind"] == clip.KIND
        assert any(message.startswith("Copied 2 entries (") for message in told(bench))
    other = scene_of(small_workspace(tmp_path))
    async with open_bench(other, WIDE) as bench:
        await bench.press("3")
        await paste(bench, copied)
        assert titles(bench, Layer.PERSONA) == ["Your coat", "The mill", "The guild"]
        assert "Pasted 2 entries from the system's clipboard, from 'harbour'." in told(bench)
        fields = bench.screen.scene.book(Layer.PERSONA, 0).entries[2].fields
        assert (fields["uid"], fields["group"], fields["groupWeight"]) == (2, "crowd", 1)
        assert bench.screen.desk.undo_told == "paste 2 entries"


async def test_cut_and_paste_move_in_two_steps(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("ctrl+x")
        assert "The mill" not in titles(bench)
        assert bench.screen.desk.undo_told == "cut 1 entry"
        await bench.press("2", "ctrl+v")
        assert titles(bench, Layer.CHARACTER) == ["Mira's oath", "The mill"]
        await bench.press("u", "u")
        assert not bench.screen.desk.dirty


async def test_text_becomes_an_entry_and_rubbish_an_error(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("ctrl+v")
        assert any("Nothing was copied here yet" in message for message in told(bench))
        await paste(bench, "The lamp\rIt burns {{char}}'s oil.")
        assert bench.title == "The lamp"
        assert any("The text from the system's clipboard" in message for message in told(bench))
        before = text(bench)
        for rubbish in (
            '{"entries": {"0": 5',
            '{"spec": "x"}',
            "",
            '{"kind": "lorebook-entries", "version": 9, "entries": []}',
        ):
            await paste(bench, rubbish)
        assert text(bench) == before
        assert sum("cannot be pasted" in message for message in told(bench)) >= 3


async def test_a_whole_book_is_copied_from_its_row(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("home", "down", "y")
        assert len(clip.read(bench.app.clipboard).entries) == 10


async def test_the_filter_says_how_many_and_what_is_wrong(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("slash", *"fired:never")
        found = titles_listed(bench)
        assert f"{len(found)} of 12" in bench.text()
        assert "World rules" not in found
        assert "Meaning" in found
        await bench.press("enter", "slash")
        bench.screen.filter_input.value = ""
        await bench.press(*"order:>x")
        line = next(line for line in bench.text().splitlines() if "↑" in line)
        query = next(line for line in bench.text().splitlines() if "order:>x" in line)
        assert line.index("↑") >= query.index("order")
        await bench.press("up")
        assert bench.screen.filter_input.value == "fired:never"
        await bench.press("down")
        assert bench.screen.filter_input.value == "order:>x"
        await bench.press("escape")
        assert "World rules" in titles_listed(bench)


def titles_listed(bench: Any) -> list[str]:
    scene = bench.screen.scene
    return [scene.entry(ref).title for ref in bench.screen.layer_tree.listed()]


async def test_the_filter_counts_hits_in_the_chat(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene, WIDE) as bench:
        await bench.press("slash", *"hits:>=2")
        assert titles_listed(bench) == ["The ferry", "The mill"]


async def test_too_much_for_a_terminal_stays_in_the_program(
    open_bench: Callable[..., Any], scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_clips, "_LARGEST_CLIP", 10)
    async with open_bench(scene, WIDE) as bench:
        monkeypatch.setattr(bench.app, "copy_to_clipboard", lambda _: pytest.fail("the terminal got it"))
        await bench.press("y")
        assert any("only here" in message for message in told(bench))
        await bench.press("ctrl+v")
        assert len(titles(bench)) == 11


async def test_a_large_book_is_filtered_in_a_thread(
    open_bench: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_filter, "_AT_ONCE", 5)
    workspace = small_workspace(tmp_path)
    async with open_bench(scene_of(workspace), WIDE) as bench:
        await bench.press("slash", *"bell")
        assert titles_listed(bench) == ["The bell", "Later"]
        await bench.press("enter", "d", "y")
        assert titles_listed(bench) == ["Later"], "the filter follows edits"


async def test_attaching_a_file(open_bench: Callable[..., Any], scene: Scene, tmp_path: Path) -> None:
    lore = tmp_path / "lore"
    lore.mkdir()
    (lore / "islands.json").write_text(json.dumps({"entries": {"0": entry(0, "An island", "Sand.", "island")}}))
    (lore / "broken.json").write_text("{")
    async with open_bench(scene, WIDE) as bench:
        await bench.press("4", "i")
        assert isinstance(bench.app.screen, FilePicker)
        await bench.press(*"lo", "tab")
        assert bench.app.screen.query_one("#query", Input).value.endswith("/lore/")
        assert "SillyTavern world, 1 entry" in bench.text()
        assert "no lore" in bench.text()
        await bench.press(*"isl", "enter")
        assert titles(bench, Layer.CHAT) == ["An island"]
        assert "▾ islands" in tree_text(bench)
        assert bench.screen.desk.undo_told == "attach islands.json to the layer chat"
        await bench.press("i", *"broken", "enter")
        assert len(bench.screen.desk.workspace.of(Layer.CHAT)) == 1
        assert any("JSON is broken" in text for text in told(bench))


async def test_another_products_lorebook_becomes_a_world(
    open_bench: Callable[..., Any], scene: Scene, tmp_path: Path
) -> None:
    item = {"text": "A bell.", "displayName": "Bell", "keys": ["bell"], "enabled": True, "forceActivation": True}
    novelai = {"lorebookVersion": 5, "entries": [item], "categories": []}
    (tmp_path / "you.lorebook").write_text(json.dumps(novelai))
    (tmp_path / "you.json").write_text("{}")
    async with open_bench(scene, WIDE) as bench:
        await bench.press("4", "i", *"you.lo")
        assert "NovelAI lorebook, 1 entry, to import" in bench.text()
        await bench.press("enter")
        while isinstance(bench.app.screen, Confirmation):
            await bench.press("y")
        source = bench.screen.desk.workspace.of(Layer.CHAT)[0].source
        assert source.path == tmp_path / "you-2.json", "no file of the user is meant to be written over"
        assert source.loaded.format.name == "sillytavern"
        assert bench.screen.desk.is_dirty(source)
        assert titles(bench, Layer.CHAT) == ["Bell"]


async def test_exporting_tells_what_is_lost_and_never_overwrites_silently(
    open_bench: Callable[..., Any], scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    async with open_bench(scene, WIDE) as bench:
        await bench.press("v", "v", "ctrl+e", *"V3", "enter")
        while isinstance(bench.app.screen, Confirmation):
            await bench.press("y")
        assert isinstance(bench.app.screen, FilePicker)
        bench.app.screen.query_one("#query", Input).value = str(tmp_path / "out.json")
        await bench.press("enter")
        written = detect.load((tmp_path / "out.json").read_bytes(), "out.json")
        assert written.format.name == "lorebook_v3"
        assert [each.title for each in written.require_book().entries] == ["The mill", "The guild"]
        assert any("Exported 2 entries to" in message for message in told(bench))
        (tmp_path / "other.json").write_text("mine")
        await bench.press("ctrl+e", *"world", "enter")
        while isinstance(bench.app.screen, Confirmation):
            await bench.press("y")
        bench.app.screen.query_one("#query", Input).value = str(tmp_path / "other.json")
        await bench.press("enter")
        assert isinstance(bench.app.screen, Confirmation)
        await bench.press("n")
        assert (tmp_path / "other.json").read_text() == "mine"
        assert not bench.screen.desk.dirty


async def test_entries_from_a_template(
    open_bench: Callable[..., Any], scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOREBOOK_CONFIG_DIR", str(tmp_path))
    async with open_bench(scene, WIDE) as bench:
        await bench.press("ctrl+g", "enter")
        asked = 0
        while isinstance(bench.app.screen, Question):
            asked += 1
            await bench.press("enter")
        assert len(titles(bench)) > 10
        assert "from a template" in bench.screen.desk.undo_told
        await bench.press("u")
        assert len(titles(bench)) == 10


HOSTILE = "[bold]x[/] \x1b]52;c;eA==\x07 \u202egnp.exe \ud83d\n[@click=app.quit]y[/]"


async def test_dialogs_with_hostile_names(open_bench: Callable[..., Any], tmp_path: Path) -> None:
    from tests.tui.test_hostile import harm

    made = small_workspace(tmp_path)
    evil = book(GLOBAL, "evil", entry(0, HOSTILE, HOSTILE, HOSTILE), folder=tmp_path)
    hostile_folder = {"lorebook_tui": {"folder": "[@click=app.quit]f\x1b[31m\u202e"}}
    in_folder = book(GLOBAL, "folders", entry(0, HOSTILE, "", "k", extensions=hostile_folder), folder=tmp_path)
    from dataclasses import replace

    renamed = replace(evil, book=replace(evil.book, name=HOSTILE))
    books = (renamed, in_folder, *made.books)
    scene = scene_of(replace(made, books=books, sources=(evil.source, in_folder.source, *made.sources)))
    (tmp_path / "[bold]x[-] \u202e.json").write_text("{}")
    async with open_bench(scene, (120, 40)) as bench:
        tree = bench.screen.layer_tree
        for row in (ToBranch(GLOBAL, 0), ToBranch(GLOBAL, 1), ToBranch(GLOBAL, 1, "[@click=app.quit]f\x1b[31m\u202e")):
            for keys in (
                ("r", "escape"),
                ("d", "n"),
                ("b", "escape"),
                ("o", "escape"),
                ("f", "escape"),
                ("y",),
                ("ctrl+e", "enter", "escape"),
            ):
                tree.point_at(row)
                for key in keys:
                    await bench.press(key)
                    assert harm(bench.app.screen._compositor.render_strips()) == set(), f"{row} {key}"
                while len(bench.app.screen_stack) > 1:
                    await bench.press("escape")
                if bench.screen.desk.undo_told:
                    await bench.press("u")
        tree.choose(next(iter(bench.screen.scene.refs())))
        for key in (
            "r",
            "escape",
            "d",
            "n",
            "v",
            "v",
            "b",
            "escape",
            "i",
            "escape",
            "ctrl+n",
            "enter",
            *"[x]",
            "escape",
            "escape",
        ):
            await bench.press(key)
            assert harm(bench.app.screen._compositor.render_strips()) == set(), key
        assert bench.app.is_running
