"""Two runs side by side for people and for tools."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.cli.books_text import workspace_json
from lorebook_tui.cli.opening import opened
from lorebook_tui.cli.output import Progress, safe_row
from lorebook_tui.display import ELLIPSIS, elide, plain, quote
from lorebook_tui.engine.compare import Comparison, Kind, compare_turn
from lorebook_tui.engine.document_json import beginning, identity
from lorebook_tui.engine.pairing import pairing_of
from lorebook_tui.engine.wording import counted
from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.workspace.turns import parse_turns, replay_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lorebook_tui.cli.options import Given
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.engine.compare import Change, Totals, TurnDifference
    from lorebook_tui.engine.pairing import Pairing
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.workspace.turns import Replay
    from lorebook_tui.workspace.workspace import Workspace

FORMAT: Final = "lorebook-compare/1"
_SIDES: Final = ("A", "B")
_SIGNS: Final = {Kind.CAME: "+", Kind.WENT: "-", Kind.MOVED: "~", Kind.REWRITTEN: "*"}
_STYLES: Final = {Kind.CAME: "good", Kind.WENT: "bad", Kind.MOVED: "info", Kind.REWRITTEN: "warn"}
_ENTRIES_SHOWN: Final = 15
_TEXT_CELLS: Final = 60
_BEFORE: Final = 16
"""Characters in front of the first difference of two texts."""


@dataclass(frozen=True, slots=True)
class Other:
    """In what the other side differs by options."""

    settings: tuple[str, ...] = ()
    seed: int | None = None
    context: int | None = None
    engines: str | None = None
    """Names of both engines, a comma between."""
    tokenizer: str | None = None
    trigger: str | None = None
    global_: list[Path] | None = None
    character: list[Path] | None = None
    persona: list[Path] | None = None
    chat_lore: list[Path] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing differs."""
        return self == Other()


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """What was asked for."""

    turns: tuple[str, ...] = ()
    mode: str = "user"
    same: tuple[str, ...] = ()
    """`A=B`: books that are the same under two names."""
    limit: int = 12
    """Rows of a turn; 0: all."""


@dataclass(frozen=True, slots=True)
class _Compared:
    """What was found out."""

    workspaces: tuple[Workspace, Workspace]
    plans: tuple[Plan, Plan]
    pairing: Pairing
    found: Comparison


def write_comparison(given: Given, other: Other, asked: AskedComparison, writer: Writer, *, as_json: bool) -> bool:
    """Compare and tell; returns whether both sides are the same and could be loaded.

    Raises:
        UsageError: not two sides, no such turn, or an option that cannot be meant.
        UnreadableError: a file that is no lore.
    """
    compared = _compared(given, other, asked, writer)
    if as_json:
        writer.json(_document(compared))
    else:
        _write_sides(compared, writer)
        _write_turns(compared, asked.limit, writer)
        _write_entries(compared, writer)
        _write_sum(compared.found, writer)
    return compared.found.is_same and not any(plan.load_error for plan in compared.plans)


def sides_of(given: Given, other: Other) -> tuple[Given, Given]:
    """The options of either side.

    Raises:
        UsageError: not two sides.
    """
    paths = list(given.paths or ())
    if len(paths) > len(_SIDES):
        raise UsageError(
            f"{len(paths)} files are not two sides.",
            expected="A and B",
            found=", ".join(str(path) for path in paths),
            hint="What both sides have goes into options: --chat, --character, --global, --persona, --chat-lore.",
        )
    if len(paths) < len(_SIDES) and other.is_empty:
        raise UsageError(
            "There is nothing to compare with.",
            expected="a second file, or an option that ends in -b",
            hint="Such as --set-b world_info_depth=4, --seed-b 2, --engines A,B or --global-b FILE.",
        )
    engines = _engines(other.engines)
    left = replace(given, paths=paths[:1] or None, engine=engines[0] or given.engine)
    right = replace(
        given,
        paths=paths[-1:] or None,
        settings=[*(given.settings or ()), *other.settings] or None,
        seed=given.seed if other.seed is None else other.seed,
        context=other.context or given.context,
        engine=engines[1] or given.engine,
        tokenizer=other.tokenizer or given.tokenizer,
        trigger=other.trigger or given.trigger,
        global_=other.global_ or given.global_,
        character=other.character or given.character,
        persona=other.persona or given.persona,
        chat_lore=other.chat_lore or given.chat_lore,
    )
    return left, right


def _engines(text: str | None) -> tuple[str | None, str | None]:
    if text is None:
        return None, None
    first, comma, second = (part.strip() for part in text.partition(","))
    if not (first and comma and second) or "," in second:
        expected = "two names with a comma between"
        raise UsageError(f"{quote(text)} is not two engines.", expected=expected, found=text)
    return first, second


def _compared(given: Given, other: Other, asked: AskedComparison, writer: Writer) -> _Compared:
    ours, theirs = sides_of(given, other)
    left = opened(ours, writer)
    try:
        right = opened(theirs, writer, quiet=ours.paths == theirs.paths)
    except LorebookError as error:
        if error.where in {f"--set {text}" for text in other.settings}:
            error.where = error.where.replace("--set", "--set-b", 1)
        raise
    first, second = replay_of(left, asked.mode), replay_of(right, asked.mode)
    pairing = pairing_of(first.simulation, second.simulation, _named(asked.same))
    turns = _turns(first, left, asked), _turns(second, right, asked)
    both = sorted(set(turns[0]) & set(turns[1]))
    only = [sorted(set(mine) - set(both)) for mine in turns]
    found = []
    with Progress(writer, "Comparing", len(both)) as progress:
        for one, two in zip(first.run(both), second.run(both), strict=True):
            found.append(compare_turn(one, two, pairing))
            progress(len(found))
    comparison = Comparison(tuple(found), tuple(only[0]), tuple(only[1]))
    return _Compared((left, right), (first.simulation.plan(), second.simulation.plan()), pairing, comparison)


def _turns(replayed: Replay, workspace: Workspace, asked: AskedComparison) -> list[int]:
    if not asked.turns:
        return list(replayed.turns)
    return sorted({number for text in asked.turns for number in parse_turns(text, len(workspace.transcript))})


def _named(same: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for text in same:
        mine, equals, other = text.partition("=")
        if not (mine and equals and other):
            raise UsageError(
                f"{quote(text)} names no two books.", expected="--same A=B, names of books", found=text, where="--same"
            )
        found[mine] = other
    return found


def differing(left: Workspace, right: Workspace) -> Iterator[tuple[str, str, str]]:
    """What differs between the two sides beside their books: name, value on the left, value on the right."""
    for name in ("engine", "seed", "context", "tokenizer", "trigger"):
        ours, theirs = getattr(left, name), getattr(right, name)
        if ours != theirs:
            yield name, str(ours), str(theirs)
    ours, theirs = asdict(left.settings), asdict(right.settings)
    for name, value in ours.items():
        if value != theirs[name]:
            yield name, str(value), str(theirs[name])
    chats = [workspace.chat.name if workspace.chat else "no chat" for workspace in (left, right)]
    if chats[0] != chats[1] or left.transcript.messages != right.transcript.messages:
        yield "chat", chats[0], chats[1]


def _write_sides(compared: _Compared, writer: Writer) -> None:
    left, right = compared.workspaces
    for side, workspace in zip(_SIDES, compared.workspaces, strict=True):
        books = ", ".join(elide(opened.book.name, 30) for opened in workspace.books) or "no lore"
        writer.wrapped(f"{side}  {elide(workspace.title, 40)}: {books}", hang="   ", style="title")
    rows = [(name, ours, f"{writer.glyphs.step} {theirs}") for name, ours, theirs in differing(left, right)]
    writer.table(rows, indent="   ")
    for side, plan in zip(_SIDES, compared.plans, strict=True):
        if plan.load_error:
            writer.wrapped(f"{side}: {plain(plan.load_error, ' ')}", indent="   ", style="bad")
    for mine, other in compared.pairing.books:
        if mine != other:
            told = f"{mine[1]} ({mine[0].value}) counts as {other[1]} ({other[0].value})."
            writer.wrapped(plain(told, " "), indent="   ", style="faint")


def _write_turns(compared: _Compared, limit: int, writer: Writer) -> None:
    for turn in compared.found.turns:
        if turn.is_same:
            continue
        writer.line()
        writer.heading(f"Turn {turn.upto}", f"A {_totals_text(turn.left)}; B {_totals_text(turn.right)}")
        shown = turn.changes[: limit or None]
        for change in shown:
            _write_change(compared, change, writer)
        if len(shown) < len(turn.changes):
            writer.line(writer.styled(f"    {len(turn.changes) - len(shown)} more (--limit 0)", "faint"))
        for side, totals in zip(_SIDES, (turn.left, turn.right), strict=True):
            if totals.error:
                writer.wrapped(f"{side}: {plain(totals.error, ' ')}", indent="  ", hang="     ", style="bad")


def _totals_json(totals: Totals) -> dict[str, Any]:
    return {**asdict(totals), "error": totals.error or None}


def _totals_text(totals: Totals) -> str:
    cut = "!" if totals.overflowed else ""
    return f"{totals.entries} in, {totals.tokens:,} of {totals.limit:,} tokens{cut}"


def _name(compared: _Compared, change: Change) -> str:
    """What the entry is called, and what the other side calls it if that is something else."""
    titles = [
        plan.entries[index].entry.title
        for plan, index in zip(compared.plans, change.pair, strict=True)
        if index is not None
    ]
    return titles[0] if titles[0] == titles[-1] else f"{titles[0]} / {titles[-1]}"


def _write_change(compared: _Compared, change: Change, writer: Writer) -> None:
    sign = writer.styled(_SIGNS[change.kind], _STYLES[change.kind])
    writer.line(f"  {sign} {safe_row(_name(compared, change), writer.width - 4)}")
    told = change.left.told, change.right.told
    if change.kind is Kind.REWRITTEN:
        told = _where_they_part(*told)
    for side, text in zip(_SIDES, told, strict=True):
        writer.wrapped(f"{side}  {plain(text, ' ')}", indent="      ", hang="         ", style="faint")


def _where_they_part(left: str, right: str) -> tuple[str, str]:
    """Two texts from a little before the first place at which they differ."""
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False)))
    start = max(0, shared - _BEFORE) if shared > _BEFORE + 1 else 0
    mark = ELLIPSIS if start else ""
    return elide(mark + left[start:], _TEXT_CELLS), elide(mark + right[start:], _TEXT_CELLS)


def _write_entries(compared: _Compared, writer: Writer) -> None:
    """The entries that differ, over all turns."""
    counts = compared.found.counts()
    if len(compared.found.turns) < 2 or not counts:  # noqa: PLR2004 - one turn has been told already
        return
    writer.line()
    writer.heading("Entries", "turns at which each")
    rows: list[tuple[str, ...]] = [(*(kind.value for kind in Kind), "entry")]
    for pair, numbers in list(counts.items())[:_ENTRIES_SHOWN]:
        side = 0 if pair[0] is not None else 1
        index = pair[side]
        title = compared.plans[side].entries[index].entry.title if index is not None else ""
        rows.append((*(f"{numbers[kind]}" if numbers[kind] else "" for kind in Kind), safe_row(title, writer.width)))
    writer.table(rows, right=range(len(Kind)), indent="  ", has_head=True)
    if len(counts) > _ENTRIES_SHOWN:
        writer.line(writer.styled(f"    {len(counts) - _ENTRIES_SHOWN} more", "faint"))


def _write_sum(found: Comparison, writer: Writer) -> None:
    writer.line()
    differ = sum(not turn.is_same for turn in found.turns)
    for side, turns in zip(_SIDES, (found.only_left, found.only_right), strict=True):
        if turns:
            writer.wrapped(f"Only {side} has the turns {', '.join(map(str, turns))}.", style="warn")
    count = len(found.turns)
    if found.is_same:
        writer.line(f"Both sides are the same at {'the one turn' if count == 1 else f'all {count} turns'}.")
        return
    verb = "differs" if count == 1 or differ == 1 else "differ"
    told = "The one turn differs." if differ == count == 1 else f"{differ} of {counted(count, 'turn')} {verb}."
    legend = ", ".join(f"{sign} {kind.value}" for kind, sign in _SIGNS.items())
    writer.wrapped(f"{told} From A to B: {legend}; ! the budget was reached.", style="faint")


def _document(compared: _Compared) -> dict[str, Any]:
    """Everything as JSON; entries are named by load index on either side."""
    found = compared.found
    sides = {}
    for side, workspace, plan in zip(("a", "b"), compared.workspaces, compared.plans, strict=True):
        sides[side] = {
            **workspace_json(workspace),
            "load_error": plan.load_error or None,
            "entries": [identity(entry) for entry in plan.entries],
        }
    return {
        **beginning(FORMAT),
        "same": found.is_same,
        **sides,
        "pairs": [list(pair) for pair in compared.pairing.pairs],
        "only_a": list(found.only_left),
        "only_b": list(found.only_right),
        "turns": [_turn_json(turn) for turn in found.turns],
    }


def _turn_json(turn: TurnDifference) -> dict[str, Any]:
    return {
        "turn": turn.upto,
        "same": turn.is_same,
        "a": _totals_json(turn.left),
        "b": _totals_json(turn.right),
        "changes": [
            {
                "kind": change.kind.value,
                "a": {"entry": change.left.index, "told": change.left.told},
                "b": {"entry": change.right.index, "told": change.right.told},
            }
            for change in turn.changes
        ],
    }
