"""Remedies for entries without a key in the text: where a key stands, what almost matched, and who could wake them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from lorebook_tui.engine.phases.buffer import JOINER, MARK
from lorebook_tui.engine.plan import SOURCES
from lorebook_tui.engine.remedies import wording
from lorebook_tui.engine.remedies.budget import limit_options
from lorebook_tui.engine.remedies.key_forms import fitting_words, near_forms, part_of, repairs
from lorebook_tui.engine.remedies.proposal import Kind, Option
from lorebook_tui.engine.wording import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lorebook_tui.engine.findings import KeyFinding
    from lorebook_tui.engine.remedies.case import Case

MOST_DEPTHS: Final = 3
MESSAGES_A_POINT: Final = 5
"""Messages further back that make a depth dearer by one."""
MOST_WORDS: Final = 2
_LOOSE: Final = frozenset({"typo", "word_boundary"})
"""Near misses that may be other words altogether: what is in every message is not worth proposing."""
MOST_RECOMPILED: Final = 2000
"""Entries up to which all books are compiled anew to try one option for all of them."""


def silent_key_options(case: Case) -> Iterator[Option]:
    """Everything that can make a key match; a constant as the last resort."""
    keys = case.entry.entry.keys
    yield from depth_options(case, (*keys, *case.secondary_keys))
    yield from form_options(case, "key", case.proof.keys)
    yield from _source_options(case, keys)
    yield from recursion_options(case, keys)
    yield from _word_options(case)
    yield constant(case)


def constant(case: Case) -> Option:
    """No keys at all."""
    return Option(Kind.CONSTANT, (case.change("constant", True),), "as a constant entry")


def depth_options(case: Case, keys: Iterable[str]) -> Iterator[Option]:
    """Deeper windows: depths at which a key comes into sight, for this entry, for all, or by min activations."""
    seen = case.proof.window_depth
    deeper = [depth for depth in depths_of(case, keys) if not depth <= seen][:MOST_DEPTHS]
    recursed = [text for turn_pass in case.assembly.passes for _, text in turn_pass.recursed]
    if not seen > 0 and not deeper and any(case.any_occurs(keys, MARK + text) for text in recursed):
        deeper = [1]
    for depth in deeper:
        change = case.change("scanDepth", depth)
        yield Option(Kind.SCAN_DEPTH, (change,), wording.scan_depth(depth), extra=_far(depth, seen))
    if case.entry.scan_depth is not None:
        return
    for depth in deeper:
        deepened = case.setting("world_info_depth", depth)
        yield Option(Kind.GLOBAL_DEPTH, (deepened,), wording.global_depth(depth), extra=_far(depth, seen))
    if deeper:
        wanted = len(case.assembly.admitted) + 1
        more = case.setting("world_info_min_activations", wanted)
        if wanted > case.assembly.plan.settings.world_info_min_activations:
            yield Option(Kind.MIN_ACTIVATIONS, (more,), f"with min activations at {wanted}")


def _far(depth: int, seen: float) -> int:
    """What it costs to look further back than now."""
    return int((depth - max(seen, 0)) // MESSAGES_A_POINT) if seen < depth else 0


def depths_of(case: Case, keys: Iterable[str]) -> Iterator[int]:
    """Depths whose oldest message holds one of the keys, ascending."""
    whole = MARK + JOINER.join(case.lines)
    present = [key for key in keys if case.occurs(key, whole)]
    if not present:
        return
    for depth, line in enumerate(case.lines, 1):
        if case.any_occurs(present, MARK + line):
            yield depth


def form_options(case: Case, field: str, findings: Sequence[KeyFinding]) -> Iterator[Option]:
    """Keys in another form: what almost matched, what is broken, and a part of what is long."""
    secondary = field == "keysecondary"
    for place, finding in enumerate(findings):
        if finding.matched:
            continue
        for form in near_forms(finding, case.pieces):
            if form.key and (form.reason not in _LOOSE or case.is_telling(form.key)):
                yield _with_key(case, field, form.key)
            if form.pattern:
                kind = Kind.KEY_FLAG if form.reason == "pattern_case" else Kind.KEY_REPAIRED
                yield _replaced(case, field, place, (form.pattern,), kind)
            if form.reason not in _LOOSE or case.is_telling(finding.literal):
                yield from _option_off(case, form.reason)
        for repaired in repairs(finding.key):
            if case.any_occurs(repaired, case.seen_text):
                yield _replaced(case, field, place, repaired, Kind.KEY_REPAIRED)
        part = part_of(finding.key, case.fits)
        if part and not secondary:
            yield _replaced(case, field, place, (part,), Kind.KEY_SHORTENED)


def _with_key(case: Case, field: str, key: str) -> Option:
    secondary = field == "keysecondary"
    kind = Kind.SECONDARY_ADDED if secondary else Kind.KEY_ADDED
    change = case.change(field, [*case.stored_keys(field), key])
    return Option(kind, (change,), wording.key_added(key, secondary=secondary))


def _replaced(case: Case, field: str, place: int, keys: tuple[str, ...], kind: Kind) -> Option:
    stored = case.stored_keys(field)
    change = case.change(field, [*stored[:place], *keys, *stored[place + 1 :]])
    return Option(kind, (change,), wording.key_replaced(str(stored[place]), keys))


def _option_off(case: Case, reason: str) -> Iterator[Option]:
    """The option of case or whole words off, where it is what kept a key from matching."""
    known = {
        "case": ("caseSensitive", "world_info_case_sensitive", "case-sensitive", Kind.CASE, Kind.GLOBAL_CASE),
        "word_boundary": (
            "matchWholeWords", "world_info_match_whole_words", "match whole words", Kind.WHOLE_WORDS,
            Kind.GLOBAL_WHOLE_WORDS,
        ),
    }  # fmt: skip
    if reason not in known:
        return
    field, setting, label, kind, global_kind = known[reason]
    yield Option(kind, (case.change(field, False),), wording.switched(label, on=False))
    if case.fields.get(field) is None and len(case.assembly.plan.entries) <= MOST_RECOMPILED:
        phrase = wording.switched(label, on=False, whole=True)
        yield Option(global_kind, (case.setting(setting, False),), phrase)


def _source_options(case: Case, keys: Sequence[str]) -> Iterator[Option]:
    """Texts of the card and the persona that hold a key but are not scanned, and the names of those who speak."""
    for flag, name in SOURCES:
        text = case.assembly.turn.sources.get(name)
        if text and not case.flag(flag) and case.any_occurs(keys, MARK + text):
            yield Option(Kind.SOURCE, (case.change(flag, True),), wording.source(name))
    if not case.assembly.plan.settings.world_info_include_names:
        chat = case.assembly.chat
        names = {chat.name_of(message) for message in chat.messages[: case.assembly.upto]}
        if any(case.any_occurs(keys, f"{MARK}{name}:") for name in names):
            change = case.setting("world_info_include_names", True)
            yield Option(Kind.INCLUDE_NAMES, (change,), "with the speakers' names scanned too")


def recursion_options(case: Case, keys: Sequence[str]) -> Iterator[Option]:
    """Let the text of an activated entry wake this one, where it holds a key."""
    assembly, settings = case.assembly, case.assembly.plan.settings
    holders = [
        admitted.index for admitted in assembly.admitted if case.any_occurs(keys, MARK + admitted.content)
    ]  # fmt: skip
    if case.entry.excludes_recursion and any(
        case.any_occurs(keys, MARK + text) for turn_pass in assembly.passes for _, text in turn_pass.recursed
    ):
        yield recursion_flag(case, "excludeRecursion", "non-recursable")
    if not holders:
        return
    if not settings.world_info_recursive:
        yield Option(Kind.RECURSION_ON, (case.setting("world_info_recursive", True),), "with recursive scanning on")
    yield from step_options(case)
    if assembly.overflowed:
        yield from limit_options(case)
    for index in holders[:MOST_DEPTHS]:
        if assembly.entry(index).prevents_recursion:
            yield waker(case, index)


def recursion_flag(case: Case, field: str, label: str) -> Option:
    """A recursion flag of the entry off."""
    return Option(Kind.RECURSION_FLAG, (case.change(field, False),), wording.switched(label, on=False))


def waker(case: Case, index: int) -> Option:
    """Another entry may wake this one."""
    phrase = f"{wording.switched('prevent further recursion', on=False)} in {quoted(case.title(index))}"
    return Option(Kind.WAKER, (case.change("preventRecursion", False, index),), phrase)


def step_options(case: Case) -> Iterator[Option]:
    """More passes, where their number was the limit."""
    most = case.assembly.plan.settings.world_info_max_recursion_steps
    if most and len(case.assembly.passes) >= most:
        for steps in range(most + 1, most + 1 + MOST_DEPTHS):
            change = case.setting("world_info_max_recursion_steps", steps)
            yield Option(Kind.RECURSION_STEPS, (change,), f"with up to {steps} recursion steps")
        change = case.setting("world_info_max_recursion_steps", 0)
        yield Option(Kind.RECURSION_STEPS, (change,), "with no limit of recursion steps")


def _word_options(case: Case) -> Iterator[Option]:
    """Words of the title or the text that the scanned chat holds, as keys."""
    for word in islice(fitting_words(case.entry.entry, case.fits), MOST_WORDS):
        change = case.change("key", [*case.stored_keys("key"), word])
        yield Option(Kind.KEY_FROM_TEXT, (change,), wording.key_added(word))
