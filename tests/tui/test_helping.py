"""Help that teaches: references of fields and settings, a palette that finds everything and says why not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.model.book import book_from_fields
from lorebook_tui.model.entry import Entry
from lorebook_tui.model.fields import ENTRY_FIELDS, SETTING_FIELDS, field_named, setting_named
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layers
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.tui.actions import Scope, named
from lorebook_tui.tui.screens.offers import action_offers, place_offers
from lorebook_tui.tui.screens.reader import Reader
from lorebook_tui.tui.search import Candidate, Finder
from lorebook_tui.tui.targets import ToAction, ToBook, ToEntry, ToField, ToSetting, ToTheme
from lorebook_tui.tui.themes import CYCLE
from lorebook_tui.tui.views.helping import ENGINES, FORMATS, Standing, field_blocks, in_effect

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.model.field_types import Field
    from lorebook_tui.tui.scene import Scene
    from lorebook_tui.workspace.memory import Memory

SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
ROWS = [*ENTRY_FIELDS, *SETTING_FIELDS]


def text_of(row: Field, standing: Standing) -> str:
    lines = [line for block in field_blocks(row, standing) for line in block.lines(400)]
    return "\n".join("".join(span.text for span in line) for line in lines)


def entry_field(name: str) -> Field:
    row = field_named(name)
    assert row
    return row


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_reference_tells_all_that_the_table_knows(row: Field) -> None:
    text = text_of(row, Standing(Entry({}, "0"), ScanSettings()))
    for told in (row.name, row.label, row.help, row.absent if row.engines else "", row.null, row.rule, row.since):
        assert told in text
    for choice in row.choices:
        assert choice.label in text
        assert choice.help in text
    for path in row.json_names.values():
        assert path.lstrip("!") in text


def test_every_engine_and_format_of_the_table_has_a_name() -> None:
    assert {engine for row in ENTRY_FIELDS for engine in row.engines} <= set(ENGINES)
    assert {name for row in ROWS for name in row.json_names} <= set(FORMATS)


def test_every_field_that_may_be_null_says_what_null_means() -> None:
    for row in ENTRY_FIELDS:
        assert bool(row.null) == ("null" in row.types), row.name


def test_one_sentence_for_each_engine_the_one_in_use_first() -> None:
    text = text_of(entry_field("depth"), Standing(engine="yumina")).splitlines()
    start = text.index(next(line for line in text if line.startswith("The exact rule")))
    assert text[start + 1].split() == ["Yumina", "Looks", "at", "it,", "as", "depth."]
    assert [line.split()[0] for line in text[start + 2 : start + 5]] == ["SillyTavern", "Guide", "UnoRouter"]
    assert "As in SillyTavern." in text[start + 3]
    assert "Does not look at it." in text[start + 4]


@pytest.mark.parametrize(
    ("name", "value", "effect"),
    [
        ("scanDepth", None, "2 messages, from the setting Scan depth"),
        ("caseSensitive", MISSING, "no, from the setting Case-sensitive"),
        ("scanDepth", 3, ""),
        ("sticky", None, "As 0: it has no such effect."),
        ("position", MISSING, "It is activated and counted, but put nowhere."),
    ],
)
def test_what_a_value_comes_to(name: str, value: Any, effect: str) -> None:
    assert in_effect(entry_field(name), value, ScanSettings()) == effect


def test_a_wrong_value_is_called_wrong() -> None:
    text = text_of(entry_field("sticky"), Standing(Entry({"sticky": "three"}, "0"), ScanSettings()))
    assert "wrong" in text
    assert "three" in text


@pytest.mark.parametrize("size", SIZES)
async def test_a_reference_as_a_screen(
    size: str, open_bench: Callable[..., Any], golden: Callable[[str, str], None], scene: Scene
) -> None:
    async with open_bench(scene, SIZES[size]) as bench:
        bench.screen.show_field_help("position")
        await bench.settle()
        golden(f"reference-{size}", bench.text())
        await bench.press("pagedown", "down", "up", "pageup", "enter")
        assert bench.app.screen is bench.screen


async def test_the_field_that_has_the_focus_is_explained(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        bench.screen.filter_input.field_name = "sticky"
        await bench.press("slash", "f1")
        assert isinstance(bench.app.screen, Reader)
        assert "Reference: Sticky" in bench.text()
        await bench.press("escape")
        await bench.press("escape", "p", "f1")
        assert bench.app.screen.heading == "Help: Phases"


async def test_an_unknown_field_shows_them_all(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        bench.screen.show_field_help("no such field")
        await bench.settle()
        await bench.press(*"cooldown", "enter")
        assert "Reference: Cooldown" in bench.text()


PLACES = [
    ("harbour", ToBook),
    ("World rules", ToEntry),
    ("Budget cap", ToSetting),
    ("Group weight", ToField),
    ("Theme lorebook-light", ToTheme),
    ("Phases: phase Order", ToAction),
]


@pytest.mark.parametrize(("typed", "kind"), PLACES)
async def test_the_palette_finds(typed: str, kind: type, open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+p")
        bench.app.screen.query_one("#query").value = typed
        await bench.settle()
        choices = bench.app.screen.choices
        assert isinstance(choices.blocks[choices.cursor].target, kind)


async def test_the_palette_goes_where_it_says(open_bench: Callable[..., Any], scene: Scene) -> None:
    kept: list[Memory] = []
    async with open_bench(scene, keep=kept.append) as bench:
        await bench.press("ctrl+p", *"phases: phase order", "enter")
        assert bench.screen.phase_rows.phase == 6
        assert bench.screen.phase_rows.has_focus
        await bench.press("ctrl+p", *"mira", "enter")
        assert bench.screen.layer_tree.has_focus
        await bench.press("ctrl+p", *"budget cap", "enter")
        assert "Budget cap" in bench.text()
        await bench.press("escape", "ctrl+p", *"theme lorebook-contrast", "enter")
        assert bench.app.theme == "lorebook-contrast"
        assert kept[-1].theme == "lorebook-contrast"


async def test_the_palette_says_why_something_cannot_be_done(open_bench: Callable[..., Any], scene: Scene) -> None:
    async with open_bench(scene) as bench:
        await bench.press("ctrl+p", *"turn on")
        assert "This is the last turn." in bench.text()
        await bench.press("enter")
        assert bench.screen.turn == 3
        assert [item.message for item in bench.app._notifications] == ["This is the last turn."]
        await bench.press("ctrl+p", *"undo")
        assert "There is nothing to undo." in bench.text()
        assert bench.screen.why_not(named("previous_turn")) == ""


def test_each_action_is_offered_once_with_its_pane() -> None:
    offers = action_offers(Scope.PHASES)
    targets = [offer.target for offer in offers]
    assert len(targets) == len(set(targets))
    assert any(offer.section == "In the pane Timeline" for offer in offers)
    assert ToAction("layers.expand") in targets


def test_nothing_is_offered_of_nothing() -> None:
    from lorebook_tui.glyphs import Glyphs

    kinds = {type(offer.target) for offer in place_offers(None, None, {}, Glyphs())}
    assert kinds == {ToSetting, ToField}


def test_the_palette_finds_one_of_five_thousand_entries(scene: Scene) -> None:
    from lorebook_tui.glyphs import Glyphs

    many = book_from_fields(
        "many", {str(n): {"uid": n, "comment": f"Place number {n}", "key": [f"key{n}"]} for n in range(5000)}
    )
    large = replace(scene, scenario=replace(scene.scenario, layers=Layers((many,), (), (), ())))
    finder = Finder(place_offers(large, None, {}, Glyphs()))
    found = finder.find("number 4321")
    assert found[0].title == "Place number 4321"
    assert len(found) == 50


def test_a_reason_stands_in_place_of_the_detail() -> None:
    offer = Candidate("x", ToAction("a"), "detail", reason="not now")
    assert Finder([offer]).find("x") == [offer]


@pytest.mark.parametrize("name", CYCLE)
def test_themes_are_offered(name: str) -> None:
    from lorebook_tui.tui.screens.offers import theme_offers

    assert ToTheme(name) in [offer.target for offer in theme_offers(CYCLE, CYCLE[0])]


def test_settings_have_labels() -> None:
    assert all(setting_named(row.name) is row and row.label for row in SETTING_FIELDS)


async def test_a_short_terminal_shows_the_pane_and_the_status_line(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, (40, 8)) as bench:
        lines = bench.text().splitlines()
        assert "turn 8" in lines[0]
        assert "help" not in bench.text()
        assert "Layers" not in bench.text()
        assert "The mill" in bench.text()
        await bench.press("c")
        assert "lamps" in bench.text()
        await bench.pilot.resize_terminal(80, 24)
        await bench.settle()
        assert "? help" in bench.text()


async def test_dialogs_are_drawn_with_letters_alone_and_keys_stand_apart(
    open_bench: Callable[..., Any], scene: Scene
) -> None:
    async with open_bench(scene, (120, 40)) as bench:
        await bench.press("f3", "question_mark")
        assert not set(bench.text()) & set("╭╮╰╯│─")
        await bench.press("escape", "ctrl+p", *"mark down")
        assert "shift+down Mark down" in bench.text()
