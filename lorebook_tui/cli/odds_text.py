"""Odds for people and for tools: bars of a turn, strips of a chat."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.cli.books_text import workspace_json
from lorebook_tui.cli.output import Progress, safe_row
from lorebook_tui.cli.turn_text import Asked
from lorebook_tui.display import elide, plain
from lorebook_tui.engine.document_json import beginning, identity
from lorebook_tui.engine.trace import Reason
from lorebook_tui.engine.wording import counted
from lorebook_tui.errors import UsageError
from lorebook_tui.workspace.lookup import find_one
from lorebook_tui.workspace.odds_pool import DEFAULT_CHATS, DEFAULT_RUNS, Effort, odds_at_turns, odds_over_chat
from lorebook_tui.workspace.turns import replay_of

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.odds import ChatOdds, EntryChatOdds, EntryOdds, Odds, TurnOdds
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.workspace.turns import Replay
    from lorebook_tui.workspace.workspace import Workspace

FORMAT: Final = "lorebook-odds/1"
CONFIDENCE: Final = 0.95
"""The share of intervals that hold the true chance."""
GIVEN_TURNS: Final = "the turns before, as they went with the seed"
GIVEN_NOTHING: Final = "nothing"
_BAR_CELLS: Final = 10
_STRIP_CELLS: Final = 30
_NAMES_SHOWN: Final = 12
_NAME_CELLS: Final = 28
_SMALLEST_SHOWN: Final = 0.0005
_REASONS_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class AskedOdds:
    """What was asked for."""

    turns: tuple[str, ...] = ()
    every: bool = False
    mode: str = "user"
    entries: tuple[str, ...] = ()
    runs: int | None = None
    jobs: int = 0


@dataclass(frozen=True, slots=True)
class _Odds:
    """What was found out: turns one by one, or the whole chat."""

    workspace: Workspace
    plan: Plan
    effort: Effort
    turns: tuple[TurnOdds, ...]
    chat: ChatOdds | None
    wanted: frozenset[int] | None
    """Load indices of the entries asked for; None: all."""

    @property
    def estimated(self) -> bool:
        """Whether any of it is."""
        return any(turn.why_estimated for turn in self.turns)

    def name(self, index: int) -> str:
        """What an entry is called; foreign text."""
        return self.plan.entries[index].entry.title

    def is_shown(self, index: int, *, dicey: bool) -> bool:
        """Whether an entry has a row of its own."""
        return dicey if self.wanted is None else index in self.wanted


def write_odds(workspace: Workspace, asked: AskedOdds, writer: Writer, *, as_json: bool) -> bool:
    """The odds asked for; returns whether lore could be loaded.

    Raises:
        UsageError: no such turn, or an entry that nobody or several are.
    """
    replayed = replay_of(workspace, asked.mode)
    plan = replayed.simulation.plan()
    found = _found(workspace, replayed, plan, asked, writer)
    if as_json:
        writer.json(_document(found))
    else:
        _write_head(found, writer)
        if found.chat is not None and not asked.turns:
            _write_chat(found, found.chat, writer)
        else:
            for turn in found.turns:
                _write_turn(found, turn, writer)
        if plan.load_error:
            writer.wrapped(plain(plan.load_error, " "), style="bad")
    return not plan.load_error


def _found(workspace: Workspace, replayed: Replay, plan: Plan, asked: AskedOdds, writer: Writer) -> _Odds:
    wanted = _wanted(workspace, plan, asked.entries)
    effort = Effort(asked.runs or (DEFAULT_CHATS if asked.every else DEFAULT_RUNS), workspace.seed, asked.jobs)
    numbers = Asked(asked.turns, mode=asked.mode).numbers(replayed, len(workspace.transcript))
    if not asked.every:
        with Progress(writer, "Throwing dice", effort.runs * len(numbers)) as progress:
            turns = odds_at_turns(replayed, numbers, effort, lambda done, _: progress(done))
        return _Odds(workspace, plan, effort, tuple(turns), None, wanted)
    unknown = [number for number in numbers if number not in replayed.turns]
    if asked.turns and unknown:
        listed = ", ".join(map(str, replayed.turns))
        raise UsageError(
            f"The chat has no reply at turn {unknown[0]}.",
            expected=f"one of its turns: {listed}",
            found=str(unknown[0]),
        )
    with Progress(writer, "Replaying", effort.runs) as progress:
        chat = odds_over_chat(replayed, effort, lambda done, _: progress(done))
    kept = tuple(turn for turn in chat.turns if not asked.turns or turn.upto in numbers)
    return _Odds(workspace, plan, effort, kept, chat, wanted)


def _wanted(workspace: Workspace, plan: Plan, texts: tuple[str, ...]) -> frozenset[int] | None:
    if not texts:
        return None
    meant = [find_one(workspace, text).entry for text in texts]
    return frozenset(loaded.index for loaded in plan.entries if any(loaded.entry is entry for entry in meant))


def percent(odds: Odds) -> str:
    """A chance in percent; what is neither sure nor out of the question never reads as if it were."""
    chance = odds.chance
    if 0 < chance < _SMALLEST_SHOWN:
        return "<0.1 %"
    if 1 - _SMALLEST_SHOWN < chance < 1:
        return ">99.9 %"
    return f"{chance * 100:.1f} %" if 0 < chance < 1 else f"{chance * 100:.0f} %"


def interval(odds: Odds) -> str:
    """The bounds of an estimate in percent; nothing for an exact chance."""
    return "" if odds.exact else f"{odds.low * 100:.1f}–{odds.high * 100:.1f}"


def _write_head(found: _Odds, writer: Writer) -> None:
    workspace = found.workspace
    parts = [elide(workspace.title, 30)]
    if workspace.chat:
        parts.append(elide(workspace.chat.name, 30, at="middle"))
    parts.append(f"odds over {counted(len(found.chat.turns), 'turn')}" if found.chat else "odds")
    writer.heading(f" {writer.glyphs.step} ".join(parts))
    given = "whatever happened before" if found.chat else f"the turns before as they went with seed {workspace.seed}"
    writer.wrapped(f"{workspace.engine}, {workspace.context:,} tokens of context; {given}", style="faint")
    if found.estimated:
        seeds = found.effort.seeds
        runs = f"{found.effort.runs:,} {'replays' if found.chat else 'runs'}"
        told = f"estimates from {runs} with the seeds {seeds[0]} to {seeds[-1]}, with 95 % intervals"
        writer.wrapped(told, style="faint")


def _write_turn(found: _Odds, turn: TurnOdds, writer: Writer) -> None:
    writer.line()
    how = f"estimated, since {turn.why_estimated}" if turn.why_estimated else f"exact: {_ways(turn.runs)}"
    writer.heading(f"Turn {turn.upto} of {len(found.workspace.transcript)}", how)
    listed = turn.entries
    if found.wanted is not None:
        listed = tuple(turn.of(index) for index in sorted(found.wanted))
    rows = sorted(
        (entry for entry in listed if found.is_shown(entry.index, dicey=_is_dicey(entry))),
        key=lambda entry: (-entry.odds.chance, entry.index),
    )
    if rows:
        writer.table(
            [
                (
                    percent(entry.odds),
                    interval(entry.odds),
                    _bar(entry.odds.chance, writer),
                    safe_row(found.name(entry.index), writer.width // 3),
                    _otherwise(entry),
                )
                for entry in rows
            ],
            right=(0,),
            indent="  ",
        )
    elif found.wanted is None:
        writer.line("  The dice decide nothing at this turn.")
    if found.wanted is None:
        _write_certain(found, turn, writer)


def _ways(count: int) -> str:
    return "no dice are thrown" if count == 1 else f"all {count:,} ways the dice can fall"


def _is_dicey(entry: EntryOdds) -> bool:
    """Whether the dice matter to the entry, even if they can only fall one way."""
    return entry.odds.uncertain or (entry.odds.chance == 0 and Reason.ROLL_FAILED in entry.reasons)


def _bar(chance: float, writer: Writer) -> str:
    filled = round(chance * _BAR_CELLS)
    return writer.glyphs.filled[0] * filled + writer.glyphs.free * (_BAR_CELLS - filled)


def _otherwise(entry: EntryOdds) -> str:
    """Why it is out when it is, the most likely first."""
    shares = {reason.code.replace("_", " "): share for reason, share in entry.reasons.items()}
    shares.pop(Reason.IN_PROMPT.code.replace("_", " "), None)
    rest = 1 - sum(entry.reasons.values())
    if rest > _SMALLEST_SHOWN:
        shares["not woken"] = rest
    ordered = sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:_REASONS_SHOWN]
    return ", ".join(f"{reason} {share * 100:.0f} %" for reason, share in ordered)


def _write_certain(found: _Odds, turn: TurnOdds, writer: Writer) -> None:
    """The entries on which the dice have no bearing."""
    inside = [entry.index for entry in turn.entries if entry.odds.chance == 1]
    dicey = sum(_is_dicey(entry) for entry in turn.entries)
    out = len(found.plan.entries) - len(inside) - dicey
    always, never = ("in every run", "in no run") if turn.why_estimated else ("always in", "never in")
    names = ", ".join(elide(found.name(index), _NAME_CELLS) for index in inside[:_NAMES_SHOWN])
    more = f" and {len(inside) - _NAMES_SHOWN} more" if len(inside) > _NAMES_SHOWN else ""
    told = f"{len(inside)} {always}: {names}{more}." if inside else f"None {always}."
    writer.wrapped(f"{told} {out} {never}.", indent="  ", style="faint")


def _write_chat(found: _Odds, chat: ChatOdds, writer: Writer) -> None:
    writer.line()
    exact = sum(not turn.why_estimated for turn in chat.turns)
    if exact == len(chat.turns):
        how = "exact: all ways the dice can fall"
    else:
        how = f"estimated, since at {chat.why_estimated}" + (f"; {exact} turns exact" if exact else "")
    writer.heading("In the prompt", how)
    listed = chat.entries
    if found.wanted is not None:
        listed = tuple(chat.of(index) for index in sorted(found.wanted))
    dicey = {item.index for turn in chat.turns for item in turn.entries if _is_dicey(item)}
    rows = sorted(
        (item for item in listed if found.is_shown(item.index, dicey=item.index in dicey)),
        key=lambda item: (-item.turns, item.index),
    )
    if rows:
        heads = ("at least once", "", "turns", f"turns {chat.turns[0].upto} to {chat.turns[-1].upto}", "entry")
        writer.table([heads, *(_chat_row(found, chat, item, writer) for item in rows)], right=(0, 2), has_head=True)
        bars = writer.glyphs.bars
        writer.wrapped(
            f"A sign stands for {_a_turn(len(chat.turns))}: {writer.glyphs.dot} no chance, {bars[1]} to {bars[-1]} "
            "more and more. One turn in full: --turn N.",
            style="faint",
        )
    if found.wanted is None:
        rest = len(found.plan.entries) - len(rows)
        writer.wrapped(f"On {rest} of {len(found.plan.entries)} entries the dice have no bearing.", style="faint")


def _a_turn(turns: int) -> str:
    return "a turn" if turns <= _STRIP_CELLS else f"about {turns / _STRIP_CELLS:.1f} turns"


def _chat_row(found: _Odds, chat: ChatOdds, item: EntryChatOdds, writer: Writer) -> tuple[str, ...]:
    chances = [turn.of(item.index).odds.chance for turn in chat.turns]
    return (
        percent(item.ever),
        interval(item.ever),
        f"{item.turns:.1f}",
        strip(chances, writer),
        safe_row(found.name(item.index), writer.width // 3),
    )


def strip(chances: list[float], writer: Writer) -> str:
    """Chances over the turns as heights; many turns share a sign, which then shows their mean."""
    cells = min(len(chances), _STRIP_CELLS)
    bounds = [place * len(chances) // cells for place in range(cells + 1)]
    heights = writer.glyphs.bars[1:]
    signs = []
    for first, end in pairwise(bounds):
        chance = sum(chances[first:end]) / (end - first)
        signs.append(heights[min(int(chance * len(heights)), len(heights) - 1)] if chance else writer.glyphs.dot)
    return "".join(signs)


def _document(found: _Odds) -> dict[str, Any]:
    """Everything as JSON. Entries that no run had cause to look at are left out: their chance is 0."""
    seeds = found.effort.seeds
    # The entries over the chat rest on all its turns, even if only turns that could be worked out are listed.
    estimated = found.estimated or bool(found.chat and found.chat.why_estimated)
    document: dict[str, Any] = {
        **beginning(FORMAT),
        **workspace_json(found.workspace),
        "load_error": found.plan.load_error or None,
        "confidence": CONFIDENCE,
        "runs": found.effort.runs if estimated else None,
        "seeds": [seeds[0], seeds[-1]] if estimated else None,
        "given": GIVEN_NOTHING if found.chat else GIVEN_TURNS,
        "turns": [_turn_json(found, turn) for turn in found.turns],
    }
    if found.chat is not None:
        document["entries"] = [
            {**identity(found.plan.entries[item.index]), "ever": _odds_json(item.ever), "turns": item.turns}
            for item in found.chat.entries
            if found.is_shown(item.index, dicey=True)
        ]
    return document


def _turn_json(found: _Odds, turn: TurnOdds) -> dict[str, Any]:
    return {
        "turn": turn.upto,
        "exact": not turn.why_estimated,
        "why_estimated": turn.why_estimated or None,
        "runs" if turn.why_estimated else "ways": turn.runs,
        "entries": [
            {
                **identity(found.plan.entries[item.index]),
                **_odds_json(item.odds),
                "reasons": {reason.code: share for reason, share in item.reasons.items()},
                "seed_in": item.seed_in,
                "seed_out": item.seed_out,
            }
            for item in turn.entries
            if found.is_shown(item.index, dicey=True)
        ],
    }


def _odds_json(odds: Odds) -> dict[str, Any]:
    return {"chance": odds.chance, "low": odds.low, "high": odds.high, "exact": odds.exact}
