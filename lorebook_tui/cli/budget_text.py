"""The budget of turns and of a chat for people: curve, steps, shares, advice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli.budget_chat_text import write_chat
from lorebook_tui.cli.budget_parts import entries_text, write_advice, write_always_on, write_shares, write_title
from lorebook_tui.cli.chart import curve_chart
from lorebook_tui.cli.output import Progress
from lorebook_tui.cli.turn_text import Asked, budget_bar
from lorebook_tui.display import elide, plain
from lorebook_tui.engine.budget_advice import chat_advice, turn_advice
from lorebook_tui.engine.budget_curve import budget_curve, in_contexts, in_prompt, whole_percent, why_gone
from lorebook_tui.engine.budget_needs import ChatNeeds, chat_needs, shares, stop_of, turn_need
from lorebook_tui.engine.wording import tokens_text
from lorebook_tui.model.scenario import Step
from lorebook_tui.workspace.turns import replay_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.budget_advice import Advice
    from lorebook_tui.engine.budget_curve import Curve, Point
    from lorebook_tui.engine.budget_needs import TurnNeed
    from lorebook_tui.workspace.turns import Replay
    from lorebook_tui.workspace.workspace import Workspace

CONTEXTS: Final = (2048, 4096, 8192, 16384, 32768, 65536, 131072)
"""Sizes of a context that are looked at if none is named, and the one in force."""
_CHART_ROWS: Final = 4
_BEYOND: Final = 1.05
_NAMES: Final = 4


@dataclass(frozen=True, slots=True)
class AskedBudget:
    """What was asked for."""

    turns: tuple[str, ...] = ()
    every: bool = False
    mode: str = "user"
    tokens: tuple[int, ...] = ()
    contexts: tuple[int, ...] = ()
    limit: int = 12
    """Rows of a table; 0: all."""


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """Everything about the budget of one turn."""

    curve: Curve
    need: TurnNeed
    contexts: tuple[Assembly, ...]
    advice: tuple[Advice, ...]


def write_budget(workspace: Workspace, asked: AskedBudget, writer: Writer, *, as_json: bool) -> bool:
    """What was asked for; returns whether lore could be loaded.

    Raises:
        UsageError: no such turn.
    """
    replayed = replay_of(workspace, asked.mode)
    plan = replayed.simulation.plan()
    numbers = Asked(asked.turns, mode=asked.mode).numbers(replayed, len(workspace.transcript))
    if asked.every:
        needs = _needs(replayed, writer)
        advice = chat_advice(replayed.simulation, needs)
        if as_json:
            from lorebook_tui.cli.budget_json import chat_document  # noqa: PLC0415 - only for JSON

            writer.json(chat_document(workspace, needs, advice))
        else:
            write_chat(workspace, needs, advice, asked.limit, writer)
    else:
        turns = [_turn(replayed, assembly, asked) for assembly in _watched(replayed, numbers, writer)]
        if as_json:
            from lorebook_tui.cli.budget_json import turns_document  # noqa: PLC0415 - only for JSON

            writer.json(turns_document(workspace, turns, asked.tokens))
        else:
            for count, turn in enumerate(turns):
                if count:
                    writer.line()
                _write_turn(workspace, replayed, turn, asked, writer)
    if plan.load_error and not as_json:
        writer.wrapped(plain(plan.load_error, " "), style="bad")
    return not plan.load_error


def _watched(replayed: Replay, numbers: list[int], writer: Writer) -> Iterable[Assembly]:
    with Progress(writer, "Replaying", max(numbers)) as progress:
        for assembly in replayed.run(numbers, progress):
            progress(assembly.upto)
            yield assembly


def _needs(replayed: Replay, writer: Writer) -> ChatNeeds:
    found = []
    with Progress(writer, "Replaying", len(replayed.turns)) as progress:
        for turn in chat_needs(replayed.simulation, [Step(number) for number in replayed.turns]):
            found.append(turn)
            progress(len(found))
    return ChatNeeds(tuple(found))


def _turn(replayed: Replay, assembly: Assembly, asked: AskedBudget) -> TurnBudget:
    simulation, step, state = replayed.simulation, assembly.step, assembly.before
    need = turn_need(simulation, step, state)
    contexts = sorted({*(asked.contexts or CONTEXTS), assembly.turn.max_context})
    return TurnBudget(
        budget_curve(simulation, step, state),
        need,
        in_contexts(simulation, step, state, contexts),
        turn_advice(simulation, need),
    )


def _write_turn(workspace: Workspace, replayed: Replay, turn: TurnBudget, asked: AskedBudget, writer: Writer) -> None:
    assembly, curve = turn.need.assembly, turn.curve
    write_title(workspace, f"budget at turn {assembly.upto} of {len(workspace.transcript)}", writer)
    note = f"{workspace.engine}, seed {workspace.seed}, tokens by {workspace.tokenizer}; the turns before as they went"
    writer.wrapped(note, style="faint")
    writer.line()
    writer.line(budget_bar(assembly, writer))
    _write_stop(replayed, turn, writer)
    writer.line()
    most = len(curve.points[-1].inside)
    writer.heading("Entries in the prompt, by budget in tokens", f"{most} from {curve.need:,} on")
    end = max(2, round(max(curve.limit, curve.need, *asked.tokens) * _BEYOND))
    chart = curve_chart(
        lambda limit: len(curve.at(limit).inside),
        [*asked.tokens, curve.limit, curve.need],
        end,
        width=min(writer.width, 80),
        rows=_CHART_ROWS,
        glyphs=writer.glyphs,
    )
    for line in chart:
        writer.line(line)
    _write_points(curve, asked, writer)
    _write_contexts(turn, writer)
    write_shares(shares([assembly]), writer)
    write_always_on(turn.need.ample, assembly.budget, writer)
    write_advice(turn.advice, writer)


def _write_stop(replayed: Replay, turn: TurnBudget, writer: Writer) -> None:
    """Where the scan ended, and whom that kept out."""
    assembly = turn.need.assembly
    stop = stop_of(assembly, replayed.simulation)
    if stop is None:
        spare = assembly.budget - turn.curve.need
        smaller = f"; the budget could be {tokens_text(spare)} smaller" if spare > 0 else ""
        writer.wrapped(f"Everything fits{smaller}.")
        return
    told = (
        f"{elide(assembly.entry(stop.stopper).entry.title, 40)} asks for {tokens_text(stop.tokens)} where {stop.left} "
        "are left: the first entry that does not fit ends the rest."
    )
    if stop.behind:
        told += f" Behind it {entries_text(len(stop.behind))} {'was' if len(stop.behind) == 1 else 'were'} not tried"
        fit = len(stop.would_fit)
        share = {0: "none", len(stop.behind): "each"}.get(fit, str(fit))
        told += f"; {share} of them would have fitted by itself."
    writer.wrapped(told)


def _write_points(curve: Curve, asked: AskedBudget, writer: Writer) -> None:
    """Where the curve steps: around the budget in force, or everywhere."""
    points = [point for point in curve.points if point.came or point.went]
    shown = _around(points, curve.limit, asked.limit)
    wanted = [curve.at(limit) for limit in asked.tokens]
    rows: list[tuple[str, ...]] = [("", "from", "%", "in", "tokens", "who comes in, and − who goes")]
    for point in points:
        if point in shown or any(point is item for item in wanted):
            here = writer.glyphs.shut if point is curve.here else ""
            percent = whole_percent(point.low, curve.context)
            rows.append(
                (
                    here,
                    f"{point.low:,}",
                    f"{percent}" if percent is not None else ">100",
                    f"{len(point.inside)}",
                    f"{point.tokens:,}",
                    _came_and_went(point),
                )
            )
    if len(rows) > 1:
        writer.line()
        writer.table(rows, right=(1, 2, 3, 4), has_head=True)
    if len(rows) - 1 < len(points):
        writer.line(writer.styled(f"   {len(points) - len(rows) + 1} more (--limit 0)", "faint"))
    for limit in asked.tokens:
        point = curve.at(limit)
        writer.wrapped(f"With {tokens_text(limit)}: {entries_text(len(point.inside))}, {point.tokens:,} tokens.")
    for point in points:
        for index in point.went:
            name = elide(point.assembly.entry(index).entry.title, 40)
            told = (
                f"More is not always better: {name} goes at {point.low:,} tokens. {plain(why_gone(point, index), ' ')}"
            )
            writer.wrapped(told, hang="  ", style="warn")


def _around(points: Sequence[Point], limit: int, rows: int) -> list[Point]:
    """The steps next to a budget, as many below as above where there are enough; all if no number is given."""
    if not rows:
        return list(points)
    below = sum(point.low <= limit for point in points)
    start = max(0, min(below - (rows + 1) // 2, len(points) - rows))
    return list(points[start : start + rows])


def _came_and_went(point: Point) -> str:
    came = [point.assembly.entry(index).entry.title for index in point.came]
    went = [f"− {point.assembly.entry(index).entry.title}" for index in point.went]
    more = f" and {len(came) - _NAMES} more" if len(came) > _NAMES else ""
    return ", ".join([*came[:_NAMES]]) + more + (", " if came and went else "") + ", ".join(went)


def _write_contexts(turn: TurnBudget, writer: Writer) -> None:
    now = in_prompt(turn.need.assembly)
    rows: list[tuple[str, ...]] = [("", "context", "budget", "in", "tokens", "against now")]
    for assembly in turn.contexts:
        inside = in_prompt(assembly)
        change = f"+{len(inside - now)} −{len(now - inside)}" if inside != now else ""
        here = writer.glyphs.shut if assembly.turn.max_context == turn.curve.context else ""
        rows.append(
            (
                here,
                f"{assembly.turn.max_context:,}",
                f"{assembly.budget:,}",
                f"{len(inside)}",
                f"{assembly.tokens:,}{'!' if assembly.overflowed else ''}",
                change,
            )
        )
    writer.line()
    percent = turn.curve.settings.world_info_budget
    writer.heading("In other contexts", f"at {percent:g} %; ! something is cut")
    writer.table(rows, right=(1, 2, 3, 4), has_head=True)
