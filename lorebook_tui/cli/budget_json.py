"""The budget of turns and of a chat for tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.cli.books_text import workspace_json
from lorebook_tui.engine.budget_curve import AMPLE, in_prompt, whole_percent, why_gone
from lorebook_tui.engine.budget_needs import NEARLY_ALL, USUAL, always_on, shares
from lorebook_tui.engine.document_json import beginning, identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.cli.budget_text import TurnBudget
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.budget_advice import Advice
    from lorebook_tui.engine.budget_curve import Curve, Point
    from lorebook_tui.engine.budget_needs import ChatNeeds, Shares
    from lorebook_tui.engine.plan import Plan
    from lorebook_tui.workspace.workspace import Workspace

FORMAT: Final = "lorebook-budget/1"

JsonMap = dict[str, Any]


def turns_document(workspace: Workspace, turns: Sequence[TurnBudget], tokens: Iterable[int]) -> JsonMap:
    """Turns with their curves; entries are named by load index, and `entries` tells who they are."""
    asked = tuple(tokens)
    listed = [_turn(turn, asked) for turn in turns]
    return {**_head(workspace, turns[0].need.assembly.plan), "turns": listed}


def chat_document(workspace: Workspace, needs: ChatNeeds, advice: Iterable[Advice]) -> JsonMap:
    """A chat with what its turns need."""
    last = needs.turns[-1]
    names = (("half", USUAL), ("nearly_all", NEARLY_ALL))
    wanted = [(name, needs.percentile(share)) for name, share in names] + [("every", needs.most)]
    enough = {}
    for name, tokens in wanted:
        found = needs.suggestion(tokens)
        enough[name] = {"tokens": found.tokens, "percent": found.percent, "context": found.context}
    return {
        **_head(workspace, last.assembly.plan),
        "enough_for": enough,
        "turns": [
            {
                "turn": turn.upto,
                "limit": turn.assembly.budget,
                "tokens": turn.assembly.tokens,
                "need": turn.need,
                "overflowed": turn.assembly.overflowed,
                "inside": sorted(turn.inside),
                "kept_out": list(turn.cut),
                "in_thanks_to_the_cut": sorted(turn.inside - turn.wanted),
            }
            for turn in needs.turns
        ],
        "survivals": [
            {
                "entry": item.index,
                "inside": list(item.inside),
                "kept_out": list(item.cut),
                "comes_and_goes": item.comes_and_goes,
                "always_on": item.always_on,
            }
            for item in needs.survivals
        ],
        "shares": _shares(shares(turn.assembly for turn in needs.turns)),
        "always_on": _always_on(last.ample),
        "advice": _advice(advice),
    }


def _head(workspace: Workspace, plan: Plan) -> JsonMap:
    return {
        **beginning(FORMAT),
        **workspace_json(workspace),
        "load_error": plan.load_error or None,
        "entries": [identity(entry) for entry in plan.entries],
    }


def _turn(turn: TurnBudget, tokens: tuple[int, ...]) -> JsonMap:
    assembly, curve = turn.need.assembly, turn.curve
    return {
        "turn": assembly.upto,
        "context": curve.context,
        "percent": curve.settings.world_info_budget,
        "cap": curve.settings.world_info_budget_cap,
        "limit": assembly.budget,
        "tokens": assembly.tokens,
        "need": curve.need,
        "overflowed": assembly.overflowed,
        "monotone": curve.is_monotone,
        "runs": curve.runs,
        "points": [_point(curve, point) for point in curve.points],
        "percents": [{"percent": percent, **_at(curve, curve.limit_at(percent))} for percent in range(1, 101)],
        "budgets": [_at(curve, limit) for limit in tokens],
        "contexts": [_context(other) for other in turn.contexts],
        "shares": _shares(shares([assembly])),
        "always_on": _always_on(turn.need.ample),
        "advice": _advice(turn.advice),
    }


def _point(curve: Curve, point: Point) -> JsonMap:
    return {
        "from": point.low,
        "to": None if point.high == AMPLE else point.high,
        "percent": whole_percent(point.low, curve.context),
        "tokens": point.tokens,
        "inside": sorted(point.inside),
        "came": list(point.came),
        "went": [{"entry": index, "why": why_gone(point, index)} for index in point.went],
    }


def _at(curve: Curve, limit: int) -> JsonMap:
    point = curve.at(limit)
    return {"limit": limit, "entries": len(point.inside), "tokens": point.tokens}


def _context(assembly: Assembly) -> JsonMap:
    inside = in_prompt(assembly)
    return {
        "context": assembly.turn.max_context,
        "limit": assembly.budget,
        "tokens": assembly.tokens,
        "overflowed": assembly.overflowed,
        "inside": sorted(inside),
    }


def _shares(found: Shares) -> JsonMap:
    return {
        "layers": {layer.value: tokens for layer, tokens in found.layers.items()},
        "books": [
            {"layer": layer.value, "name": name, "tokens": tokens} for (layer, name), tokens in found.books.items()
        ],
    }


def _always_on(ample: Assembly) -> list[JsonMap]:
    return [{"entry": index, "tokens": tokens} for index, tokens in always_on(ample).items()]


def _advice(advice: Iterable[Advice]) -> list[JsonMap]:
    return [{"kind": item.kind.value, "sentence": item.sentence, "entries": list(item.entries)} for item in advice]
