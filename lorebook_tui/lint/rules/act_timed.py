"""Timed effects: counts too small to bite, delays too long to end, effects that nobody would miss or that chain."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, Scope, SetField, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option, WorldRule
from lorebook_tui.lint.rules.act_constant import is_chancy
from lorebook_tui.lint.staging import QUIET, call_of, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.js import number_text, to_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import EntryView, World

_BITES_FROM: Final = 3
"""The smallest count that does something in a chat that is scanned once for every message of the user."""
_AFTER: Final = re.compile(
    r"\bafter\s+(?:the\s+|its\s+|being\s+|getting\s+|having\s+been\s+)?(?:trigger|activat|key|hit|\d+|it\b)"
    r"|\bafter\s+being\s+(?:called|mentioned|named|said)\b"
    r"|\b(?:\d+|two|three|four|five|six|ten|few|several|some|couple\s+of)\s+(?:turn|message|repl(?:y|ie)|response|round)s?"
    r"\s+(?:after|from\s+(?:the\s+)?(?:trigger|key|activation))\b"
    r"|\b(?:later|delayed|then\s+comes|wait\w*)\b"
    r"|через\s+(?:\d+|дв[ае]|три|четыре|пять|шесть|десять|пару|несколько)\s+(?:сообщени|ход|реплик|раунд|ответ)"
    r"|через\s+\d+|спустя|после\s+(?:активаци|срабатывани|ключа|триггера|упоминани|вызова|запуска)"
    r"|после\s+того,?\s+как\s+(?:\w+\s+)?(?:сработа|активир|упомян|вызва|назв)|позже"
    r"|nach\s+(?:der\s+)?aktivierung|später|dopo\s+(?:l'attivazione|\d+)|después|触发后|之后|以后",
    re.IGNORECASE,
)
_FROM_THE_START: Final = re.compile(
    r"\b(?:after|from|of|since|into)\s+(?:the\s+)?(?:very\s+)?(?:start|beginning|opening|greeting|first\s+message|chat\b)"
    r"|(?:с|от|после)\s+(?:самого\s+)?начала|после\s+(?:приветствия|первого\s+сообщения)",
    re.IGNORECASE,
)
"""What a delay does wait for."""
_CHANGING: Final = re.compile(
    r"\{\{\s*(?:random|pick|roll|time|date|weekday|isotime|isodate|datetimeformat|idle_duration)\b[^{}]*\}\}",
    re.IGNORECASE,
)
_REPAIRED_IN: Final = (1, 12, 6)
"""The first SillyTavern that remembers a timed effect by the entry as it is stored."""


def count_of(entry: EntryView, name: str) -> float:
    """A timed effect in messages; 0 if there is none."""
    number = to_number(entry.get(name))
    return max(0, number)


class DelayBeyondChats(WorldRule):
    """A delay that is longer than every chat there is.

    Why: SillyTavern 1.19 holds an entry with a delay back until the chat has that many visible messages.
    Example: `delay` 200, where the longest chat has 80 messages.
    Do: lower the delay.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT017"
    name = "delay-beyond-chats"
    severity = Severity.WARNING
    scope = Scope.CHATS
    needs = frozenset({Need.CHATS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "delay": 2, "content": "x"},), chat=("You: Hello.", "Mira: Hello.")),
        Example(({"key": ["bell"], "delay": 9, "content": "x", "disable": True},), chat=("You: Hello.",)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "delay": 3, "content": "x"},), chat=("You: Hello.", "Mira: Hello.")),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Delays that no given chat reaches."""
        longest = max(sum(1 for message in chat.messages if not message.is_hidden) for chat in world.chats)
        for book in world.books:
            for entry in book.entries:
                delay = count_of(entry, "delay")
                if not entry.is_enabled or delay <= longest:
                    continue
                call = call_of(entry)
                proof = None
                if call is not None:
                    told = "It is called in the last of as many messages as the longest chat has."
                    texts = [QUIET] * max(longest - 1, 0) + [call]
                    proof = witness(told, [entry], texts, context.settings)
                yield self.finding(
                    entry,
                    f"It waits for message {number_text(delay)}, and the longest chat given has {longest}.",
                    entry.path_of("delay"),
                    witness=shown(proof, entry, Reason.DELAYED),
                )


class DelayAfterTrigger(EntryRule):
    """A delay in an entry whose title speaks of some time after something.

    Why: In SillyTavern 1.19 a delay counts the messages from the beginning of the chat. It does not wait after the key
    was said: with `delay` 5, a key in message 12 brings the entry in at once.
    Example: "Poison works, after 5 messages" with `delay` 5.
    Do: there is no field for that; let a first entry with sticky hold the state, and an entry with a cooldown or a
    second key follow it.
    Source: SillyTavern 1.19; questions of its users.
    """

    code = "ACT018"
    name = "delay-after-trigger"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"comment": "The eighth lamp", "key": ["lamp"], "delay": 16, "content": "x"},)),
        Example(({"comment": "The town after the siege", "key": ["siege"], "delay": 16, "content": "x"},)),
        Example(({"comment": "Ambush, 10 messages after the start", "key": ["road"], "delay": 10, "content": "x"},)),
        Example(({"comment": "Засада через 10 сообщений от начала", "key": ["путь"], "delay": 10, "content": "x"},)),
        Example(({"comment": "Poison, after 5 messages", "key": ["poison"], "sticky": 5, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"comment": "Poison works, after 5 messages", "key": ["poison"], "delay": 5, "content": "x"},)),
        Example(({"comment": "Яд действует через 5 сообщений", "key": ["яд"], "delay": 5, "content": "x"},)),
        Example(
            tuple(
                {"comment": title, "key": ["poison"], "delay": 5, "content": "x"}
                for title in (
                    "Poison kicks in 5 turns after being triggered",
                    "Fever, a few messages after the bite",
                    "Dawn after it was triggered",
                    "Яд действует через несколько ходов",
                    "Лихорадка после того, как её упомянули",
                )
            ),
            findings=5,
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Delays with such a title."""
        comment = entry.get("comment")
        delay = count_of(entry, "delay")
        if not entry.is_enabled or not delay or not isinstance(comment, str) or not _speaks_of_after(comment):
            return
        call = call_of(entry)
        proof = None
        if call is not None:
            length = int(delay) + (int(delay) + 1) % 2
            told = "The chat is long enough: its key is said for the first time, and it is in at once."
            proof = witness(told, [entry], [QUIET] * (length - 1) + [call], context.settings)
        yield self.finding(
            entry,
            f"Its delay of {number_text(delay)} counts from the beginning of the chat, not from its key: later in the "
            "chat it comes at once.",
            entry.path_of("delay"),
            witness=shown(proof, entry, Reason.IN_PROMPT),
        )


def _speaks_of_after(title: str) -> bool:
    """Whether a title tells of some time after something that is not the beginning of the chat."""
    return _AFTER.search(title) is not None and _FROM_THE_START.search(title) is None


class ChainOfLuck(EntryRule):
    """An entry of chance that is sticky and has no cooldown.

    Why: SillyTavern 1.19 rolls no dice for an active sticky entry; when the effect ends, the entry may roll and begin
    anew in the same turn. A rare event that was lucky once tends to stay in a chain.
    Example: `probability` 10 and `sticky` 6.
    Do: add a cooldown, which begins when the sticky effect ends.
    Source: SillyTavern 1.19; the recipe of a passing state in the guides.
    """

    code = "ACT019"
    name = "chain-of-luck"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["owl"], "probability": 10, "sticky": 6, "cooldown": 12, "content": "x"},)),
        Example(({"key": ["owl"], "sticky": 6, "content": "x"},)),
        Example(({"key": ["owl"], "probability": 10, "useProbability": False, "sticky": 6, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["owl"], "probability": 10, "sticky": 6, "content": "x"},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Chance and sticky without cooldown."""
        del context
        if entry.is_enabled and is_chancy(entry) and count_of(entry, "sticky") > 1 and not count_of(entry, "cooldown"):
            message = "It comes by chance and stays, but never rests: right after its sticky effect it may begin again."
            yield self.finding(entry, message, entry.path_of("sticky"))


class FlickeringFact(EntryRule):
    """A fact with a cooldown and nothing to hold it.

    Why: SillyTavern 1.19 starts a cooldown at the turn in which an entry comes in and then keeps it out, though it is
    called. For an event that is right; a fact of the world is known in one reply and forgotten in the next.
    Example: "The mill" with `cooldown` 4, always certain, and in no group.
    Do: remove the cooldown, or add sticky, after which the cooldown begins.
    Source: SillyTavern 1.19; its documentation of World Info.
    """

    code = "ACT020"
    name = "flickering-fact"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "sticky": 4, "cooldown": 4, "content": "x"},)),
        Example(({"key": ["owl"], "probability": 20, "cooldown": 4, "content": "x"},)),
        Example(({"key": ["owl"], "group": "night", "cooldown": 4, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["mill"], "cooldown": 4, "content": "The mill grinds by night."},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Certain, keyed entries that rest."""
        cooldown = count_of(entry, "cooldown")
        if not entry.is_enabled or cooldown < _BITES_FROM or not entry.is_keyed or count_of(entry, "sticky"):
            return
        if is_chancy(entry) or entry.is_on("group"):
            return
        call = call_of(entry)
        proof = None
        if call is not None:
            told = "It is called in both turns, and known in the first one only."
            proof = witness(told, [entry], [call, QUIET, call], context.settings)
        yield self.finding(
            entry,
            f"After it came in, its cooldown keeps it out until {number_text(cooldown)} messages later, though it is "
            "called: what it tells is known in one reply and not in the next.",
            entry.path_of("cooldown"),
            witness=shown(proof, entry, Reason.ON_COOLDOWN),
        )


class DroppedByOldHosts(EntryRule):
    """Dice or time in the text of an entry with timed effects, for readers with an old SillyTavern.

    Why: SillyTavern before 1.12.6 knew an entry with sticky or cooldown again by its text after macros were replaced;
    dice and clocks change that text, so the effect was dropped at the next turn. SillyTavern 1.19 does not do so.
    Example: `sticky` 5 and the text `The dice show {{roll:d6}}.`, for readers with 1.12.4.
    Do: nothing for today's hosts; for old ones move the macro to an entry without timed effects.
    Source: reports of users; the change log of SillyTavern.
    """

    code = "ACT021"
    name = "effect-dropped-by-old-hosts"
    severity = Severity.WARNING
    options = (Option("oldest_host", "1.19.0", "The oldest SillyTavern that the book is meant for."),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["dice"], "sticky": 5, "content": "They show {{roll:d6}}."},)),
        Example(({"key": ["dice"], "content": "They show {{roll:d6}}."},), options={"oldest_host": "1.12.4"}),
        Example(({"key": ["dice"], "sticky": 5, "content": "Of {{user}}."},), options={"oldest_host": "1.12.4"}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["dice"], "sticky": 5, "content": "They show {{roll:d6}}."},), options={"oldest_host": "1.12.4"}
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Changing texts with effects, if old hosts count."""
        if not (count_of(entry, "sticky") or count_of(entry, "cooldown")) or not entry.is_enabled:
            return
        numbers = tuple(int(part) for part in re.findall(r"\d+", str(context.options["oldest_host"])))
        found = _CHANGING.search(entry.text)
        if found is not None and numbers < _REPAIRED_IN:
            message = f"Its text changes with {found[0]}: SillyTavern before 1.12.6 drops its timed effect at once."
            yield self.finding(entry, message, entry.path_of("content"))


class EffectTooShort(EntryRule):
    """A sticky effect or cooldown of 1 or 2 messages.

    Why: SillyTavern 1.19 counts from the message that triggered: an effect of N that begins when the chat has n
    messages covers n+1 to n+N-1. So 1 covers nothing at all, and 2 covers only the reply itself, which no scan sees
    where the chat is scanned once for every message of the user.
    Example: `sticky` 1.
    Do: 3 covers one more turn, 5 two more, and so on.
    Source: SillyTavern 1.19; its documentation counts otherwise.
    """

    code = "ACT025"
    name = "effect-too-short"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "sticky": 3, "cooldown": 4, "content": "x"},)),
        Example(({"key": ["bell"], "sticky": 0, "cooldown": None, "content": "x"},)),
        Example(({"key": ["bell"], "sticky": 1, "content": "x", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["bell"], "sticky": 1, "content": "x"},), fixed=({"sticky": 3},)),
        Example(({"key": ["bell"], "cooldown": 2, "content": "x"},), fixed=({"cooldown": 3},)),
        Example(
            ({"key": ["bell"], "sticky": 2, "cooldown": 1, "content": "x"},),
            findings=2,
            fixed=({"sticky": 3, "cooldown": 3},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Each of the two effects by itself."""
        if not entry.is_enabled:
            return
        for name in ("sticky", "cooldown"):
            number = count_of(entry, name)
            if not 0 < number < _BITES_FROM:
                continue
            is_nothing = number <= 1
            what = "sticky effect" if name == "sticky" else "cooldown"
            told = (
                "its count begins with the message that triggers it, so it never does anything"
                if is_nothing
                else "it is over before the next message of the user, so only a second reply in a row feels it"
            )
            fix = Fix(f"set {name} to {_BITES_FROM}", (SetField(entry.entry.path, name, _BITES_FROM),), Grade.OFFERED,
                      alters_activation=True)  # fmt: skip
            yield self.finding(
                entry,
                f"Its {what} is {number_text(number)}: {told}.",
                entry.path_of(name),
                severity=Severity.WARNING if is_nothing else Severity.INFO,
                fix=fix,
                witness=_next_turn(entry, name, context),
            )


def _next_turn(entry: EntryView, name: str, context: Context) -> Witness | None:
    """The turn after the one that starts the effect: nothing holds the entry, or nothing keeps it out."""
    call = call_of(entry)
    if call is None:
        return None
    if name == "sticky":
        told = "Its key was said in the first message and has left the scan: nothing holds it."
        texts = [call, QUIET, QUIET]
        return shown(witness(told, [entry], texts, context.settings), entry, Reason.NO_KEY_IN_TEXT)
    told = "It came in at the first message, and comes in again at the next turn."
    return shown(witness(told, [entry], [call, QUIET, call], context.settings), entry, Reason.IN_PROMPT)
