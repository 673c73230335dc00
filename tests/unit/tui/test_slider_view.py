from __future__ import annotations

from typing import Any

import pytest

from lorebook_tui.display import cell_width
from lorebook_tui.errors import UsageError
from lorebook_tui.model.settings import ScanSettings
from lorebook_tui.tui.targets import ToValue
from lorebook_tui.tui.views.sliders import FAR, Form, Slider, SliderRow, slider_help, sliders
from lorebook_tui.workspace.workspace import Workspace
from tests.unit.tui.views import LETTERS, SIGNS, text_of

ALL = {slider.name: slider for slider in sliders(("sillytavern", "guide"), ("estimate", "cl100k_base"))}
DEPTH, BUDGET, CONTEXT, CAP = (
    ALL[name] for name in ("world_info_depth", "world_info_budget", "context", "world_info_budget_cap")
)
TRACKS = [slider for slider in ALL.values() if slider.form is Form.TRACK]


def text(slider: Slider, value: Any, of_file: Any = None, width: int = 80, typed: str = "") -> str:
    row = SliderRow(slider, value, value if of_file is None else of_file, LETTERS, typed)
    return text_of(row.lines(width))


def test_every_setting_of_the_scan_that_matters_has_a_slider() -> None:
    fields = set(ScanSettings.__dataclass_fields__)
    assert fields - set(ALL) == {"world_info_overflow_alert"}
    assert {"context", "seed", "engine", "tokenizer"} <= set(ALL)
    assert all(slider.help for slider in ALL.values())


def test_a_value_is_read_from_and_put_into_the_workspace() -> None:
    workspace = Workspace()
    for slider in ALL.values():
        moved = slider.moved(slider.value(workspace), 1)
        fields = slider.with_value(workspace, moved)
        changed = Workspace(**fields)
        assert slider.value(changed) == moved
        others = [other for other in ALL.values() if other is not slider]
        assert all(other.value(changed) == other.value(workspace) for other in others)


@pytest.mark.parametrize("slider", TRACKS, ids=lambda slider: slider.name)
def test_steps_go_up_and_down_the_same_way_and_stay_inside(slider: Slider) -> None:
    value, seen = slider.least, []
    for _ in range(min(30, slider.most - slider.least)):
        seen.append(value)
        value = slider.moved(value, 1)
    for expected in reversed(seen):
        value = slider.moved(value, -1)
        assert value == expected
    assert slider.moved(slider.least, -1) == slider.least
    assert slider.moved(slider.most, FAR) == slider.most


def test_steps_of_tokens_grow_with_the_value() -> None:
    assert CONTEXT.moved(4096, 1) == 4500
    assert CONTEXT.moved(4096, -1) == 4000
    assert CONTEXT.moved(90, 1) == 100
    assert CONTEXT.moved(200_000, 1) == 208_000
    assert CAP.moved(0, 1) == 10


@pytest.mark.parametrize("slider", TRACKS, ids=lambda slider: slider.name)
def test_a_place_on_the_track_is_a_value_near_it(slider: Slider) -> None:
    places = [slider.place(value) for value in range(slider.least, slider.end + 1, max(1, slider.end // 50))]
    assert places == sorted(places)
    assert all(0 <= place <= 1 for place in places)
    values = [slider.at(cell / 40, slider.least) for cell in range(41)]
    assert values == sorted(values)
    assert values[0] == slider.least
    assert values[-1] == pytest.approx(slider.end, rel=0.05)
    assert slider.place(slider.most) == 1


@pytest.mark.parametrize(("typed", "value"), [("0", 0), ("7", 7), ("1000", 1000)])
def test_typed_numbers_are_taken(typed: str, value: int) -> None:
    assert DEPTH.parsed(typed) == value


@pytest.mark.parametrize(("slider", "typed"), [(DEPTH, "1001"), (BUDGET, "0"), (BUDGET, "101"), (CONTEXT, "0")])
def test_typed_numbers_outside_are_refused_with_the_range(slider: Slider, typed: str) -> None:
    with pytest.raises(UsageError, match=f"{slider.label} goes from"):
        slider.parsed(typed)


def test_switches_and_choices_move_to_their_ends() -> None:
    switch, strategy = ALL["world_info_recursive"], ALL["world_info_character_strategy"]
    assert switch.moved(value=True, steps=-1) is False
    assert switch.moved(value=True, steps=1) is True
    assert [strategy.moved(value, 1) for value in (0, 1, 2)] == [1, 2, 2]
    assert strategy.moved(2, -FAR) == 0
    assert ALL["engine"].moved("unknown", 1) == "guide"
    assert strategy.told(1) == "character first"


def test_rows_tell_what_differs_from_the_file_without_colour() -> None:
    assert text(DEPTH, 4).split()[0] == "Scan"
    changed = text(DEPTH, 8, of_file=4)
    assert changed.startswith("* Scan depth")
    assert changed.endswith("file: 4")
    assert changed.index("|") < changed.index("O")
    assert text(BUDGET, 25).split()[-2:] == ["25", "%"]
    assert text(CAP, 0).split()[-1] == "none"
    assert "off  on" in text(ALL["world_info_recursive"], value=True)
    assert "2 of 3" in text(ALL["world_info_character_strategy"], 1)
    assert text(ALL["seed"], 12_345).split()[-1] == "12,345"


def test_the_knob_moves_with_the_value() -> None:
    knobs = [text(DEPTH, value).index("O") for value in range(21)]
    assert knobs == sorted(knobs)
    assert knobs[0] < knobs[10] < knobs[20]


def test_digits_stand_in_place_of_the_value_until_they_are_taken() -> None:
    assert text(DEPTH, 4, typed="12").split()[-1] == "12_"


def test_a_click_on_the_track_means_the_value_there() -> None:
    row = SliderRow(DEPTH, 4, 4, SIGNS).lines(80)[0]
    targets = [span.target for span in row if isinstance(span.target, ToValue) and span.target.value is not None]
    assert targets[0] == ToValue("world_info_depth", 3)
    assert targets[-1] == ToValue("world_info_depth", 5)
    assert targets[1] == ToValue("world_info_depth", 0)
    assert targets[-2] == ToValue("world_info_depth", 20)
    assert SliderRow(DEPTH, 4, 4, SIGNS).target == ToValue("world_info_depth")


@pytest.mark.parametrize("width", [1, 7, 20, 30, 60, 120, 200])
def test_any_width(width: int) -> None:
    for slider in ALL.values():
        value = slider.value(Workspace())
        row = SliderRow(slider, slider.moved(value, 1), value, SIGNS)
        assert all(cell_width(text_of([line])) <= width for line in row.lines(width))


def test_help_gives_way_to_an_objection() -> None:
    row = SliderRow(DEPTH, 4, 4, SIGNS)
    assert text_of([slider_help(row)]) == DEPTH.help
    assert text_of([slider_help(row, "No.")]) == "No."
