"""The settings as rows that slide: a track, a switch or a choice, the value, and what the file says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.tui.ink import Span, fit, padded, width_of
from lorebook_tui.tui.targets import ToValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.tui.ink import Line
    from lorebook_tui.workspace.workspace import Workspace

_LABEL: Final = 21
_VALUE: Final = 16
_OF_FILE: Final = 22
_ROOMY: Final = 76
"""Cells of a pane in which what the file says has a column of its own."""
_LEAST_TRACK: Final = 8
_WIDEST_TRACK: Final = 48
FAR: Final = 10
"""Steps that a far move makes."""
_MOST_TOKENS: Final = 2_000_000
_MOST_SEED: Final = 2**53
_SCAN: Final = "world_info_"


class Form(Enum):
    """How a setting is drawn."""

    TRACK = "track"
    NUMBER = "number"
    """A number without a scale, such as a seed."""
    SWITCH = "switch"
    CHOICE = "choice"


@dataclass(frozen=True, slots=True)
class Slider:
    """One setting."""

    name: str
    """Of a scan setting, or of a field of the workspace."""
    label: str
    help: str
    form: Form
    least: int = 0
    most: int = 0
    """What can be typed."""
    end: int = 0
    """Where the track ends; a greater value makes it longer."""
    unit: str = ""
    choices: tuple[tuple[Any, str], ...] = ()
    """(value, label)."""
    grows: bool = False
    """Whether steps become larger with the value, as for tokens."""
    zero: str = ""
    """What 0 means, where it is no number."""

    def value(self, workspace: Workspace) -> Any:
        """What it is in a workspace."""
        return getattr(workspace.settings if self.name.startswith(_SCAN) else workspace, self.name)

    def with_value(self, workspace: Workspace, value: Any) -> dict[str, Any]:
        """The fields of a workspace in which it has another value."""
        if self.name.startswith(_SCAN):
            return {"settings": workspace.settings.with_values({self.name: value})}
        return {self.name: value}

    def moved(self, value: Any, steps: int) -> Any:
        """The value so many steps further on; the last one at the ends."""
        if self.form is Form.SWITCH:
            return steps > 0
        if self.form is Form.CHOICE:
            values = [choice for choice, _ in self.choices]
            place = values.index(value) if value in values else 0
            return values[max(0, min(place + steps, len(values) - 1))]
        number = int(value) if math.isfinite(value) else 0
        for _ in range(abs(steps)):
            size = self.step(number if steps > 0 else number - 1)
            number = (number // size + 1) * size if steps > 0 else -(-number // size) * size - size
        return max(self.least, min(number, self.most))

    def step(self, value: int) -> int:
        """How far one step goes from a value."""
        if not self.grows:
            return 1
        return next(size for limit, size in _STEPS if value < limit)

    def parsed(self, text: str) -> int:
        """A value that was typed.

        Raises:
            UsageError: it is outside what can be.
        """
        number = int(text)
        if self.form not in {Form.TRACK, Form.NUMBER} or not self.least <= number <= self.most:
            raise UsageError(f"{self.label} goes from {self.least:,} to {self.most:,}.", found=text)
        return number

    def told(self, value: Any) -> str:
        """The value for people."""
        if self.form is Form.SWITCH:
            return "on" if value else "off"
        if self.form is Form.CHOICE:
            return next((label for choice, label in self.choices if choice == value), str(value))
        if value == 0 and self.zero:
            return self.zero
        return f"{value:,}{self.unit}"

    def place(self, value: float) -> float:
        """Where on its track a value stands, from 0 to 1."""
        end = max(self.end, value, 1)
        if not self.grows:
            return min(1.0, max(0.0, (value - self.least) / max(1, end - self.least)))
        low = math.log(max(self.least, 32))
        return (
            min(1.0, max(0.0, (math.log(max(value, 32)) - low) / (math.log(end) - low))) if value > self.least else 0.0
        )

    def at(self, place: float, value: float) -> int:
        """The value at a place of its track, from 0 to 1, as it is drawn for the value now."""
        end = max(self.end, value, 1)
        if not self.grows:
            return round(self.least + place * (end - self.least))
        low = math.log(max(self.least, 32))
        number = round(math.exp(low + place * (math.log(end) - low))) if place else self.least
        size = self.step(number)
        return max(self.least, min(round(number / size) * size, self.most))


_STEPS: Final = ((500, 10), (1000, 50), (4000, 100), (16_000, 500), (64_000, 1000), (math.inf, 8000))
"""Below a value, steps of tokens are so large."""


def _scan(
    name: str, form: Form, *, end: int = 0, unit: str = "", label: str = "", grows: bool = False, zero: str = ""
) -> Slider:
    """A scan setting with what THE table says of it."""
    from lorebook_tui.model.fields import setting_named  # noqa: PLC0415 - late, so that the screen stands sooner

    row = setting_named(name)
    assert row is not None  # noqa: S101 - the names below are in the table
    least, most = int(row.minimum or 0), int(row.maximum or 0)
    choices = tuple((choice.value, choice.label) for choice in row.choices)
    return Slider(
        row.name, label or row.label, row.help, form, least, most, end or most, unit, choices, grows=grows, zero=zero
    )


def sliders(engines: Sequence[str], tokenizers: Sequence[str]) -> tuple[Slider, ...]:
    """All settings, those that are moved most on top.

    Args:
        engines: names of the engines there are.
        tokenizers: names of the tokenizers that are offered.
    """
    return (
        _scan("world_info_depth", Form.TRACK, end=20),
        _scan("world_info_budget", Form.TRACK, unit=" %", label="Budget"),
        _scan("world_info_budget_cap", Form.TRACK, grows=True, zero="none", end=16_384),
        Slider(
            "context", "Context", "Tokens of the context size less those of the reply; the budget is a share of it.",
            Form.TRACK, 1, _MOST_TOKENS, 131_072, grows=True,
        ),
        _scan("world_info_recursive", Form.SWITCH, label="Recursion"),
        _scan("world_info_max_recursion_steps", Form.TRACK, zero="no limit", label="Recursion steps"),
        _scan("world_info_min_activations", Form.TRACK, zero="off", end=20),
        _scan("world_info_min_activations_depth_max", Form.TRACK, zero="all", end=20, label="Min act. depth"),
        Slider("seed", "Seed", "Another seed throws other dice.", Form.NUMBER, 0, _MOST_SEED),
        _scan("world_info_character_strategy", Form.CHOICE),
        _scan("world_info_case_sensitive", Form.SWITCH),
        _scan("world_info_match_whole_words", Form.SWITCH),
        _scan("world_info_include_names", Form.SWITCH),
        _scan("world_info_use_group_scoring", Form.SWITCH),
        Slider(
            "engine", "Engine", "Whose rules the lore is put together by.", Form.CHOICE,
            choices=tuple((name, name) for name in engines),
        ),
        Slider(
            "tokenizer", "Tokenizer", "What counts the tokens; one that is not loaded yet is estimated at first.",
            Form.CHOICE, choices=tuple((name, name) for name in tokenizers),
        ),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SliderRow:
    """One setting as it is now."""

    slider: Slider
    value: Any
    of_file: Any
    """What was opened or last saved."""
    glyphs: Glyphs
    typed: str = ""
    """Digits that are not taken yet."""

    @property
    def target(self) -> ToValue:
        """To stand on it."""
        return ToValue(self.slider.name)

    @property
    def differs(self) -> bool:
        """Whether the file says otherwise."""
        return bool(self.value != self.of_file)

    def estimate(self, width: int) -> int:
        """Always one."""
        del width
        return 1

    def lines(self, width: int) -> Sequence[Line]:
        """Mark, label, track, value, and what the file says."""
        changed = self.differs
        mark = Span(f"{self.glyphs.unsaved} " if changed else "  ", "near")
        label = padded(
            (mark, Span(self.slider.label, "strong" if changed else "text")), min(_LABEL, max(1, width // 3))
        )
        value = padded((Span(" "), *self._value()), min(_VALUE, max(1, width // 3)))
        of_file = f" file: {self.slider.told(self.of_file)}" if changed else ""
        room = width - width_of(label) - width_of(value)
        behind = max(_OF_FILE if width >= _ROOMY else 0, len(of_file))
        track_room = min(_WIDEST_TRACK, room - behind if room - behind >= _LEAST_TRACK else room)
        track = self._track(track_room)
        return (fit((*label, *track, *value, Span(of_file, "faint")), width),)

    def _value(self) -> Line:
        if self.typed:
            return (Span(self.typed, "found"), Span("_", "found"))
        return (Span(self.slider.told(self.value), "strong" if self.differs else "text"),)

    def _track(self, room: int) -> Line:
        """A line with a knob; what the file says is marked on it. A click goes there."""
        slider = self.slider
        if room < 3:  # noqa: PLR2004 - two arrows and something between
            return (Span(" " * max(0, room)),)
        left, right = ("<", ">") if self.glyphs.letters else ("‹", "›")
        less, more = (ToValue(slider.name, slider.moved(self.value, step)) for step in (-1, 1))
        arrows = Span(left, "label", less), Span(right, "label", more)
        if slider.form is not Form.TRACK:
            drawn = self._states(room - 2)
            return (arrows[0], *drawn, arrows[1])
        cells = room - 2
        knob = round(slider.place(self.value) * (cells - 1))
        notch = round(slider.place(self.of_file) * (cells - 1)) if self.differs else knob
        spans = []
        for cell in range(cells):
            target = ToValue(slider.name, slider.at(cell / max(1, cells - 1), self.value))
            if cell == knob:
                spans.append(Span(self.glyphs.knob, "title", target))
            elif cell == notch:
                spans.append(Span(self.glyphs.limit, "faint", target))
            else:
                spans.append(Span(self.glyphs.rule, "bar" if cell < knob else "faint", target))
        return (arrows[0], *spans, arrows[1])

    def _states(self, room: int) -> Line:
        """On and off, or which of how many choices."""
        slider = self.slider
        if slider.form is Form.SWITCH:
            spans: Line = tuple(
                Span(f" {word} ", "tab-chosen" if bool(self.value) is state else "faint", ToValue(slider.name, state))
                for word, state in (("off", False), ("on", True))
            )
            return padded(spans, room)
        if slider.form is Form.CHOICE:
            values = [choice for choice, _ in slider.choices]
            place = values.index(self.value) + 1 if self.value in values else 0
            return padded((Span(f" {place} of {len(values)}", "faint"),), room)
        return padded((Span(" any number", "faint"),), room)


def slider_help(row: SliderRow, objection: str = "") -> Line:
    """What the setting under the cursor does, or what is wrong with what was typed."""
    if objection:
        return (Span(objection, "near"),)
    return (Span(row.slider.help, "muted"),)
