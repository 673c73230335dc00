"""Verdicts in words: one plain sentence, then the evidence, one line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from lorebook_tui.display import quote
from lorebook_tui.engine.evidence import evidence
from lorebook_tui.engine.findings import OVER_TIME
from lorebook_tui.engine.near import merged
from lorebook_tui.engine.trace import Cause, Reason
from lorebook_tui.engine.verdicts import verdict
from lorebook_tui.engine.wording import messages_text, order_text, place_text, quoted, role_text, tokens_text
from lorebook_tui.model.js import MISSING, nullish, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.evidence import Evidence
    from lorebook_tui.engine.findings import KeyFinding
    from lorebook_tui.engine.verdicts import Verdict

LOGIC_NAMES: dict[float, str] = {0: "AND ANY", 1: "NOT ALL", 2: "NOT ANY", 3: "AND ALL"}
MOST_HITS_TOLD = 3


@dataclass(frozen=True, slots=True)
class Explanation:
    """A verdict for people."""

    verdict: Verdict
    sentence: str
    """What happened, in one sentence. May quote foreign text."""
    details: tuple[str, ...]
    """The evidence, a line each."""
    evidence: Evidence


class Case(NamedTuple):
    """What a sentence is made from."""

    assembly: Assembly
    found: Verdict
    proof: Evidence

    @property
    def entry(self) -> CompiledEntry:
        """The entry it is about."""
        return self.assembly.entry(self.found.index)


def explain(assembly: Assembly, index: int) -> Explanation:
    """Why one entry is in or out."""
    found = verdict(assembly, index)
    proof = evidence(assembly, index)
    return Explanation(found, sentence(assembly, found, proof), tuple(details(assembly, found, proof)), proof)


def title(assembly: Assembly, index: int | None) -> str:
    """What an entry is called."""
    return "another entry" if index is None else quoted(assembly.entry(index).entry.title)


def sentence(assembly: Assembly, found: Verdict, proof: Evidence) -> str:
    """The verdict in one sentence."""
    if found.reason is Reason.IN_PROMPT:
        return f"IN: {place_text(found.place)}, {_because(assembly, found, proof)}."
    if found.admitted is not None:
        return (
            f"NOT IN THE PROMPT: activated ({_because(assembly, found, proof)}), but {_closed_exit(assembly, found)}."
        )
    return f"OUT: {_OUT[found.reason](Case(assembly, found, proof))}"


def _because(assembly: Assembly, found: Verdict, proof: Evidence) -> str:
    cause = found.cause
    late = f" in pass {found.turn_pass}" if found.turn_pass and found.turn_pass > 1 else ""
    if cause is Cause.CONSTANT:
        return f"because it is constant{late}"
    if cause is Cause.STICKY:
        return f"because it is sticky{late}"
    if cause is Cause.DECORATOR:
        return f"because of its decorator @@activate{late}"
    if cause is Cause.FORCED:
        return f"because it was activated from outside{late}"
    matched = next((finding for finding in proof.keys if finding.matched), None)
    if matched is None:
        return f"because one of its keys matched{late}"
    return f"because its key {quoted(matched.key)} is in {_where(assembly, matched)}{late}"


def _where(assembly: Assembly, finding: KeyFinding) -> str:
    if not finding.hits:
        return "the scanned text"
    hit = finding.hits[0]
    on = " and on into the lines after it in the buffer" if hit.runs_on else ""
    if hit.origin == "message" and hit.message is not None:
        return f"message {hit.message + 1}{on}"
    if hit.origin == "recursion":
        return f"the text of {title(assembly, hit.woken_by)}{on}"
    return {"source": "the text of ", "prompt": "the injected prompt "}[hit.origin] + hit.name + on


def _closed_exit(assembly: Assembly, found: Verdict) -> str:
    fields = assembly.entry(found.index).entry.fields
    if found.reason is Reason.EMPTY_TEXT:
        return "its text is empty"
    if found.reason is Reason.NO_OUTLET_NAME:
        return "its position is outlet and it names none"
    if found.reason is Reason.NOTE_NOT_DUE:
        return "it belongs to the author's note, which is not due at this turn"
    position = fields.get("position", MISSING)
    return "it has no position" if nullish(position) else f"there is no position {quote(position)}"


def _trigger(case: Case) -> str:
    wanted = ", ".join(sorted(case.entry.gates.triggers or ()))
    return f"this is a {case.assembly.turn.trigger} generation, and it only listens to {wanted}."


def _delayed(case: Case) -> str:
    needed = order_text(case.entry.gates.delay)
    return f"delayed: the chat has {case.assembly.turn.length} messages, it needs {needed}."


def _cooldown(case: Case) -> str:
    effect = case.assembly.effects.cooldown_now.get(case.entry.fingerprint)
    if effect is None:
        return "on cooldown."
    return (
        f"on cooldown since length {order_text(effect.start)}; it may come again at {order_text(effect.end)} messages "
        f"(now {case.assembly.turn.length})."
    )


def _no_key(case: Case) -> str:
    depth = order_text(case.proof.window_depth)
    if case.proof.window_depth <= 0:
        return "its scan depth is 0, so it sees no text at all."
    near = next((near for finding in case.proof.keys for near in finding.near), None)
    scanned = "the last message" if depth == "1" else f"the last {depth} messages"
    hint = f" Almost: {quoted(near.found)}. {near.note}" if near else ""
    return f"none of its keys occurs in {scanned} or what was scanned with them.{hint}"


def _timeout(case: Case) -> str:
    late = next((found.key for found in (*case.proof.keys, *case.proof.secondary) if found.note == OVER_TIME), None)
    what = f"its pattern {quoted(late)}" if late else "one of its patterns"
    return f"{what} gave no answer within the time limit; the product itself would hang or wait for it."


def _secondary(case: Case) -> str:
    logic = LOGIC_NAMES.get(case.entry.logic, "?")
    there = [quoted(finding.key) for finding in case.proof.secondary if finding.matched]
    missing = [quoted(finding.key) for finding in case.proof.secondary if not finding.matched]
    told = {
        "AND ANY": "none of the secondary keys is in the text",
        "AND ALL": f"missing: {', '.join(missing)}",
        "NOT ANY": f"in the text: {', '.join(there)}",
        "NOT ALL": "all secondary keys are in the text",
    }.get(logic, "that logic does not exist")
    return f"a key matched, but the secondary keys stop it ({logic}): {told}."


def _roll(case: Case) -> str:
    draw = case.found.decision.draw if case.found.decision else None
    chance = order_text(case.entry.probability)
    rolled = f"{draw.value * 100:.1f}" if draw else "?"
    return f"lost its roll: {rolled} against a probability of {chance} %."


def _group(text: str) -> Callable[[Case], str]:
    def told(case: Case) -> str:
        decision = case.found.decision
        group = quoted(decision.group) if decision else "?"
        winner = title(case.assembly, decision.winner if decision else None)
        score = decision.score if decision else None
        return text.format(group=group, winner=winner, score=score)

    return told


def _cut(case: Case) -> str:
    row = case.proof.own_row
    if row is None:
        return "cut by the budget."
    over = row.total - case.assembly.budget + 1
    return (
        f"cut by the budget in pass {row.turn_pass}: it needs {tokens_text(row.tokens)}, {row.total - row.tokens} of "
        f"{case.assembly.budget} were taken; {tokens_text(over)} too many."
    )


def _behind(case: Case) -> str:
    first = next((row for row in case.assembly.ledger if not row.admitted), None)
    stopper = title(case.assembly, first.index if first else None)
    return f"behind the cut: {stopper} did not fit the budget, and nothing after it was tried."


_OUT: dict[Reason, Callable[[Case], str]] = {
    Reason.DISABLED: lambda _: "it is disabled.",
    Reason.TRIGGER: _trigger,
    Reason.CHARACTER_NAME: lambda _: "the character filter does not let this character in (it compares file names).",
    Reason.CHARACTER_TAG: lambda _: "the character filter does not let this character's tags in.",
    Reason.DELAYED: _delayed,
    Reason.ON_COOLDOWN: _cooldown,
    Reason.WAITS_FOR_RECURSION: lambda _: "it waits for recursion, and no recursion pass was made.",
    Reason.LEVEL_NOT_OPEN: lambda case: f"its delay level {text_of(case.entry.gates.level)} was never opened.",
    Reason.EXCLUDED_FROM_RECURSION: lambda _: "it is excluded from recursion, and the first pass did not take it.",
    Reason.SUPPRESSED: lambda _: "its decorator @@dont_activate suppresses it.",
    Reason.NO_KEYS: lambda _: "it has no keys and is not constant.",
    Reason.PATTERN_TIMEOUT: _timeout,
    Reason.NO_KEY_IN_TEXT: _no_key,
    Reason.SECONDARY_FAILED: _secondary,
    Reason.ROLL_FAILED: _roll,
    Reason.GROUP_STICKY_MEMBER: _group("lost its group {group}: {winner} is sticky."),
    Reason.GROUP_COOLDOWN: _group("its group {group} puts it out while its own cooldown runs."),
    Reason.GROUP_SCORE: _group("lost its group {group}: {score} points, {winner} has more."),
    Reason.GROUP_TAKEN: _group("its group {group} was taken in an earlier pass by {winner}."),
    Reason.GROUP_OVERRIDE: _group("lost its group {group} to {winner}, which has the override."),
    Reason.GROUP_ROLL: _group("lost the roll of its group {group} to {winner}."),
    Reason.GROUP_COLLATERAL: _group(
        "taken out by mistake: {winner} lost twice (group {group}), and SillyTavern then removes the last candidate."
    ),
    Reason.BUDGET_CUT: _cut,
    Reason.BEHIND_THE_CUT: _behind,
    Reason.REPLACED: _group("replaced by {winner}, which has the same book and uid."),
    Reason.STOPPED: lambda case: f"there is no prompt at this turn. {case.assembly.error}",
    Reason.NOT_REACHED: lambda _: "no pass came to it.",
}


def details(assembly: Assembly, found: Verdict, proof: Evidence) -> Iterator[str]:
    """The evidence, a line each."""
    if found.admitted is not None:
        entry = assembly.entry(found.index)
        order = order_text(entry.order)
        yield f"Order {order}, {tokens_text(found.admitted.tokens)}, activated in pass {found.admitted.turn_pass}."
        if found.place and found.place.slot == "depth":
            yield f"Injected {found.place.depth} messages above the end as {role_text(found.place.role)}."
    if len(proof.path) > 1 and found.cause is not None:
        yield "Woken by " + " → ".join(title(assembly, index) for index in proof.path)
    judged = found.reason is not Reason.STOPPED
    for label, findings in (("Key", proof.keys), ("Secondary key", proof.secondary)):
        for finding in findings if judged else ():
            yield from _finding_lines(assembly, label, finding)
    effect = (
        assembly.effects.sticky_now.get(assembly.entry(found.index).fingerprint)
        if assembly.effects.sticky_now
        else None
    )
    if effect is not None:
        yield f"Sticky since length {order_text(effect.start)}, until {order_text(effect.end)} messages."
    if found.reason in {Reason.BUDGET_CUT, Reason.BEHIND_THE_CUT} and proof.standing_before:
        yield "Before it: " + ", ".join(
            f"{title(assembly, row.index)} ({row.tokens})" for row in proof.standing_before if row.admitted
        )


def _finding_lines(assembly: Assembly, label: str, finding: KeyFinding) -> Iterator[str]:
    if finding.matched:
        places = [_where(assembly, finding.with_hits([hit])) for hit in finding.hits[:MOST_HITS_TOLD]]
        more = f" and {len(finding.hits) - MOST_HITS_TOLD} more" if len(finding.hits) > MOST_HITS_TOLD else ""
        yield f"{label} {quoted(finding.key)}: in {', '.join(places) or 'the scanned text'}{more}."
    else:
        yield f"{label} {quoted(finding.key)}: not in the scanned text."
        for near, messages in merged(finding.near):
            there = f" ({messages_text(messages)})" if messages else ""
            yield f"  almost: {quoted(near.found)}{there}. {near.note}"
    if finding.note:
        yield f"  {finding.note}"
