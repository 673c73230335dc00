"""Constants that carry what only keyed entries need, or that switch themselves off."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.keyrules import effective
from lorebook_tui.lint.products import product_of
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.rules.fmt_values import UNOROUTER
from lorebook_tui.lint.staging import QUIET, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import nullish, number_text, to_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import EntryView

_CERTAIN: Final = 100
_MOST_MESSAGES: Final = 9


def is_chancy(entry: EntryView) -> bool:
    """Whether dice decide about it."""
    value = to_number(entry.get("probability"))
    return entry.is_on("useProbability") and value < _CERTAIN


class ConstantWithKeys(EntryRule):
    """A constant with keys, secondary keys or a scan depth of its own.

    Why: SillyTavern 1.19 takes a constant without a look at its keys; so they, their filter and its scan depth decide
    nothing. (Group scoring counts them: such entries are left alone.)
    Example: `constant` on, and the key `bell`.
    Do: switch "constant" off if the keys are meant, or remove them.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT007"
    name = "constant-with-keys"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x"},)),
        Example(({"key": ["bell"], "content": "x"},)),
        Example(({"constant": True, "key": [""], "content": "x"},)),
        Example(source=UNOROUTER.replace('"content"', '"constant": true, "content"')),
        Example(({"constant": True, "key": ["bell"], "group": "tower", "useGroupScoring": True, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"constant": True, "key": ["bell"], "keysecondary": ["rope"], "content": "x"},),
            fixed=({"key": [], "keysecondary": []},),
        ),
        Example(({"constant": True, "scanDepth": 4, "content": "x"},), fixed=({"scanDepth": None},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Constants with anything that is never asked."""
        if not entry.is_enabled or not entry.is_on("constant") or product_of(entry):
            return
        scores = effective(entry, "useGroupScoring", context.settings.world_info_use_group_scoring)
        if entry.is_on("group") and scores:
            return
        idle: list[tuple[str, str, list[str] | None]] = []
        if any(not key.is_blank for key in entry.keys):
            idle.append(("key", "keys", []))
        if any(not key.is_blank for key in entry.secondary):
            idle.append(("keysecondary", "secondary keys", []))
        if not nullish(entry.get("scanDepth")):
            idle.append(("scanDepth", "scan depth", None))
        if not idle:
            return
        told = " and ".join(label for _, label, _ in idle)
        changes = tuple(SetField(entry.entry.path, name, empty) for name, _, empty in idle)
        proof = witness("Nothing is said, and the entry is in.", [entry], [QUIET], context.settings)
        yield self.finding(
            entry,
            f"It is constant, so its {told} decide nothing: it is in at every turn.",
            entry.path_of(idle[0][0]),
            fix=Fix(f"remove the {told}", changes, Grade.OFFERED),
            witness=shown(proof, entry, Reason.IN_PROMPT),
        )


class ConstantThatRests(EntryRule):
    """A constant with a cooldown, or with a sticky effect.

    Why: SillyTavern 1.19 starts the cooldown of a constant as of any other entry, and it is stronger: with a cooldown
    of 2 a constant is in at a chat of 1 message, out at 2, in at 3. A sticky effect adds nothing to an entry that is in
    anyway; with a cooldown it only moves the gap. (Constants that roll dice or take turns in a group are left alone.)
    Example: `constant` on, and `cooldown` 4.
    Do: remove the timed effect, or give the entry a probability if it is to come now and then.
    Source: SillyTavern 1.19.
    """

    code = "ACT008"
    name = "constant-that-rests"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "content": "x"},)),
        Example(({"key": ["bell"], "cooldown": 4, "content": "x"},)),
        Example(({"constant": True, "cooldown": 4, "probability": 20, "content": "An owl calls."},)),
        Example(({"constant": True, "cooldown": 4, "group": "ideas", "content": "A stranger knocks."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"constant": True, "cooldown": 4, "content": "x"},), fixed=({"cooldown": None},)),
        Example(({"constant": True, "sticky": 3, "content": "x"},), fixed=({"sticky": None},)),
        Example(({"constant": True, "sticky": 3, "cooldown": 6, "content": "x"},), fixed=({"cooldown": None},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Constants with timed effects that no dice explain."""
        if not entry.is_enabled or not entry.is_on("constant") or is_chancy(entry) or entry.is_on("group"):
            return
        effects = [name for name in ("sticky", "cooldown") if to_number(entry.get(name)) > 0]
        if not effects:
            return
        changes = tuple(SetField(entry.entry.path, name, None) for name in effects)
        fix = Fix(f"remove its {' and '.join(effects)}", changes, Grade.OFFERED, alters_activation=True)
        if "cooldown" not in effects:
            message = "It is constant, so its sticky effect keeps nothing in that is not in already."
            yield self.finding(entry, message, entry.path_of("sticky"), fix=fix)
            return
        number = number_text(to_number(entry.get("cooldown")))
        message = f"It is constant, but its cooldown of {number} sends it away again and again: it is not always in."
        yield self.finding(entry, message, entry.path_of("cooldown"), fix=fix, witness=self._absent(entry, context))

    def _absent(self, entry: EntryView, context: Context) -> Witness | None:
        """The first chat, of those with a reply to every message, in which it is missing."""
        for length in range(3, _MOST_MESSAGES + 1, 2):
            given = witness(
                "Nothing changes from turn to turn, and the constant is out in the last one.",
                [entry],
                [QUIET] * length,
                context.settings,
            )
            found = shown(given, entry, Reason.ON_COOLDOWN)
            if found is not None:
                return found
        return None
