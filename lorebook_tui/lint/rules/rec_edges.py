"""Single steps of recursion: those that are an accident, those that are the only way in, and those that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.engine.plan import SOURCES
from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.common_words import language_of
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.naming import named
from lorebook_tui.lint.recursion_graph import graph_of
from lorebook_tui.lint.reliance import lost_wakers, woken_from_outside
from lorebook_tui.lint.rule import BookRule, Context, Example, Option
from lorebook_tui.lint.rules.rec_packs import walked
from lorebook_tui.lint.scripts import WITHOUT_SPACES, letters, scripts_of
from lorebook_tui.lint.staging import QUIET, shown
from lorebook_tui.lint.witness import witness
from lorebook_tui.matching.jstext import lower

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.keyfacts import KeyFact
    from lorebook_tui.lint.recursion_graph import RecursionGraph
    from lorebook_tui.lint.subjects import BookView, EntryView

_MOST_OTHERS: Final = 30
_MOST_WITNESSES: Final = 20
_DENSE: Final = {*WITHOUT_SPACES, "HANGUL"}
"""Scripts in which two signs are a word."""
_SHORTEST_DENSE: Final = 2


def _is_incidental(key: KeyFact, entry: EntryView, least: int) -> str:
    """Why a key may stand in a text by accident; "" if it hardly does."""
    if not key.is_plain:
        return ""
    count = letters(key.trimmed)
    if count < least:
        scripts = scripts_of(key.trimmed)
        shortest = min(_SHORTEST_DENSE, least) if scripts and scripts <= _DENSE else least
        if count < shortest:
            return "so short a key"
    return "a common word" if language_of(key.folded, entry.text) else ""


class IncidentalEdge(BookRule):
    """An entry that the texts of others wake by a very short key or a common word.

    Why: SillyTavern 1.19 looks for keys in recursed texts as in messages. A short or common word stands in many texts
    that do not mean the entry, and brings it in all the same.
    Example: the key `ice`, and twelve texts with "ice" or "nice" in them.
    Do: switch "non-recursable" on, so that only the chat calls it, or choose a longer key.
    Source: SillyTavern 1.19; reports of authors.
    """

    code = "REC004"
    name = "incidental-edge"
    severity = Severity.INFO
    grade = Grade.OFFERED
    options = (Option("least", 4, "Letters from which a key is no accident."),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["glacier"], "content": "x"}, {"key": ["north"], "content": "A glacier."})),
        Example(({"key": ["ice"], "content": "x", "excludeRecursion": True}, {"key": ["north"], "content": "Ice."})),
        Example(({"key": ["ice", "glacier"], "content": "x"}, {"key": ["north"], "content": "A glacier of ice."})),
        Example(({"key": ["東京"], "content": "x"}, {"key": ["north"], "content": "東京 is far."})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["ice"], "content": "x"}, {"key": ["north"], "content": "Ice and snow."}),
            fixed=({"excludeRecursion": True}, {"excludeRecursion": False}),
        ),
        Example(
            ({"key": ["water"], "content": "It is wet."}, {"key": ["north"], "content": "The water is cold."}),
            fixed=({"excludeRecursion": True}, {"excludeRecursion": False}),
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Entries with such edges to them, one finding each."""
        graph = graph_of(book, context.settings)
        least, count = context.options["least"], 0
        for target, sources in enumerate(graph.into if graph.is_on else ()):
            entry = book.entries[target]
            if not sources or graph.is_delayed(target):
                continue
            facts = {key.place: key for key in entry.keys}
            doubtful = {
                place: why
                for place in {edge.key for edge in sources.values()}
                if place in facts and (why := _is_incidental(facts[place], entry, least))
            }
            if not doubtful:
                continue
            wakers = [
                book.entries[source]
                for source, edge in sources.items()
                if edge.key in doubtful and not self._is_meant(entry, doubtful, book.entries[source])
            ]
            if wakers:
                place = sources[wakers[0].number].key
                count += 1
                yield self._found(
                    entry, facts[place], doubtful[place], wakers, context if count <= _MOST_WITNESSES else None,
                    is_all=len(wakers) == len(sources),
                )  # fmt: skip

    @staticmethod
    def _is_meant(entry: EntryView, doubtful: dict[int, str], waker: EntryView) -> bool:
        """Whether a better key stands in the same text."""
        text = lower(waker.text)
        return any(key.is_plain and key.place not in doubtful and key.folded in text for key in entry.keys)

    def _found(
        self,
        entry: EntryView,
        key: KeyFact,
        why: str,
        wakers: list[EntryView],
        context: Context | None,
        *,
        is_all: bool,
    ) -> Finding:
        fix = None
        if is_all:
            fix = Fix("let only the chat call it", (SetField(entry.entry.path, "excludeRecursion", True),),
                      Grade.OFFERED, alters_activation=True)  # fmt: skip
        proof = None
        if context is not None:
            told = "The other one is called, and its text wakes this one."
            proof = walked(entry.book, (wakers[0].number, entry.number), told, context.settings)
        what = f"The text of {named(wakers)} wakes it" if len(wakers) == 1 else f"The texts of {named(wakers)} wake it"
        return self.finding(
            entry,
            f"{what} by {quote(key.trimmed)}: {why} may stand there by accident.",
            entry.path_of("key", key.place),
            others=wakers[:_MOST_OTHERS],
            fix=fix,
            witness=proof,
        )


class OnlyByRecursion(BookRule):
    """An entry whose keys nobody writes in a chat, while other entries' texts hold them.

    Why: SillyTavern 1.19 wakes it in the passes after the one that found the other entry, and never otherwise; with
    recursion off, or after the budget has run over, it stays out. Keys with doubled brackets or signs at an end, with
    `::`, or of several words joined by low lines are taken for such.
    Example: the key `[[rain]]`, which only "The weather today" holds.
    Do: nothing, if it is meant so; "delay until recursion" says it openly.
    Source: SillyTavern 1.19.
    """

    code = "REC005"
    name = "only-by-recursion"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["rain"], "content": "x"}, {"key": ["weather"], "content": "rain"})),
        Example(({"key": ["[[rain]]"], "delayUntilRecursion": 1}, {"key": ["weather"], "content": "[[rain]]"})),
        Example(({"key": ["[[rain]]", "wet"], "content": "x"}, {"key": ["weather"], "content": "[[rain]]"})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["[[rain]]"], "content": "x"}, {"key": ["weather"], "content": "[[rain]]"})),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Reachable entries that are no roots and do not say so."""
        graph = graph_of(book, context.settings)
        for number in sorted(graph.reachable - graph.roots):
            if graph.is_delayed(number):
                continue
            view = book.entries[number]
            wakers = [source for source in graph.into[number] if source in graph.reachable]
            rooted = next((source for source in wakers if source in graph.roots), wakers[0])
            told = "The other one is called, and its text wakes this one."
            yield self.finding(
                view,
                f"Nobody writes its keys in a chat: only the text of {named([book.entries[each] for each in wakers])} "
                "brings it in.",
                view.path_of("key"),
                others=[book.entries[each] for each in wakers[:_MOST_OTHERS]],
                witness=walked(book, (rooted, number), told, context.settings),
            )


class Island(BookRule):
    """An entry whose keys nobody writes in a chat, and that no text that can come in names.

    Why: SillyTavern 1.19 finds keys in messages and in the texts of entries that are in. A key that is a mark for other
    entries, and that none of them holds (or only some that never come in themselves), is never found.
    Example: the key `[[storm]]`, and no text with `[[storm]]` in it.
    Do: write the mark into the text that is to lead there, give it a key that people say, or delete it.
    Source: SillyTavern 1.19.
    """

    code = "REC006"
    name = "unreachable-island"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["[[storm]]"], "content": "x"}, {"key": ["sea"], "content": "[[storm]]"})),
        Example(
            (
                {"key": ["[[storm]]"], "content": "x"},
                {
                    "key": ["sea"],
                    "content": "[[storm]]",
                    "characterFilter": {"isExclude": False, "names": ["mira"], "tags": []},
                },
            )
        ),
        Example(({"key": ["storm"], "content": "x"}, {"key": ["dark_lord", "[OOC]", "<think>", "**"], "content": "x"})),
        Example(({"key": ["/storm_/"], "content": "x"},)),
        Example(({"key": ["[[storm]]"], "matchCharacterDescription": True, "content": "x"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["[[storm]]"], "content": "x"},)),
        Example(
            (
                {"key": ["[[storm]]"], "content": "Then [[calm]]."},
                {"key": ["[[calm]]"], "content": "Then [[storm]]."},
            ),
            findings=2,
        ),
        Example(
            ({"key": ["[[storm]]"], "content": "x"}, {"key": ["sea"], "content": "[[storm]]"}),
            settings={"world_info_recursive": False},
        ),
    )

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Keyed entries that neither chat nor recursion reaches."""
        graph = graph_of(book, context.settings)
        lonely = [number for number in range(graph.size) if self._is_lonely(graph, number, book.entries[number])]
        if not lonely:
            return
        lost = lost_wakers(book, graph)
        outside = woken_from_outside(book, graph, context.world) if graph.is_on else frozenset()
        for number in lonely:
            if number in lost or number in outside:
                continue
            view = book.entries[number]
            wakers = [book.entries[source] for source in graph.into[number]]
            message = "Nobody writes its keys in a chat, and no other entry's text holds them: it never comes."
            if wakers and not graph.is_on:
                message = f"Only the text of {named(wakers)} could wake it, and recursion is off: it never comes."
            elif wakers:
                message = f"Only the text of {named(wakers)} could wake it, which never comes itself."
            entries = [view, *wakers[:3]]
            proof = witness("Nothing that is said wakes any of them.", entries, [QUIET], context.settings)
            yield self.finding(
                view, message, view.path_of("key"), others=wakers[:_MOST_OTHERS],
                witness=shown(proof, view, Reason.NO_KEY_IN_TEXT),
            )  # fmt: skip

    @staticmethod
    def _is_lonely(graph: RecursionGraph, number: int, view: EntryView) -> bool:
        if number in graph.reachable or graph.is_dead(number) or graph.is_blind(number) or not view.keys:
            return False
        if graph.is_delayed(number) and not graph.into[number]:
            return False
        return not any(view.is_on(flag) for flag, _ in SOURCES)
