"""Texts that are long, that count in one pass and not in the next, that shrank, or that hold what says nothing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.engine.trace import Reason
from lorebook_tui.lint.budgeting import tokens_of
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, SetField, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example, Option, WorldRule
from lorebook_tui.lint.staging import call_of, extra, shown
from lorebook_tui.lint.waste import trimmed, without_markup
from lorebook_tui.lint.witness import witness
from lorebook_tui.model.settings import ScanSettings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Witness
    from lorebook_tui.lint.subjects import EntryView, World

_WHOLE: Final = 100
_SHORT: Final = 40
"""Letters below which a text may shrink to anything."""
_SIGNAL: Final = "the witness rings"
_ROOM: Final = 60
"""Tokens that a scene leaves for an entry of the next pass."""
_BYTES: Final = 3
_SPACE: Final = re.compile(r"\s+")


class LongText(EntryRule):
    """A long text.

    Why: Every token of it is taken from the budget and from the chat, each time it comes in; models follow short
    entries about one thing better than long ones about many.
    Example: 900 tokens about a town, its people and its history.
    Do: part it into entries with keys of their own.
    Source: SillyTavern's documentation of World Info, which asks for concise entries.
    """

    code = "BUD001"
    name = "long-text"
    severity = Severity.INFO
    options = (
        Option("tokens", 200, "tokens above which a text is long"),
        Option("most", 600, "tokens above which that is a warning"),
    )
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 660},)),
        Example(({"key": ["a"], "content": "x" * 900, "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 680},)),
        Example(({"key": ["a"], "content": "x" * 2100},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The tokens of the content, decorators left out."""
        tokens = context.count(entry.text) if entry.is_enabled else 0
        if tokens > context.options["tokens"]:
            is_much = tokens > context.options["most"]
            message = f"It is {tokens:,} tokens long, and takes as many whenever it comes in."
            severity = Severity.WARNING if is_much else Severity.INFO
            yield self.finding(entry, message, entry.path_of("content"), severity=severity)


class UncountedLater(EntryRule):
    """A long text that prevents further recursion, so that later passes do not count it.

    Why: In SillyTavern 1.19 each recursion pass starts its sum with the texts that were handed to recursion. The text
    of an entry that prevents recursion is not among them: in later passes it is free, and more comes in than the
    budget allows.
    Example: 400 tokens with `preventRecursion`, beside entries that call each other.
    Do: keep it short, or let recursion have its text.
    Source: SillyTavern 1.19.
    """

    code = "BUD008"
    name = "uncounted-later"
    severity = Severity.INFO
    options = (Option("tokens", 200, "tokens from which a text is large"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 500, "preventRecursion": True},)),
        Example(({"key": ["a"], "content": "x" * 900},)),
        Example(
            ({"key": ["a"], "content": "x" * 900, "preventRecursion": True},),
            settings={"world_info_recursive": False},
        ),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x" * 900, "preventRecursion": True},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Large ones, while recursion is on."""
        if not entry.is_enabled or not entry.is_on("preventRecursion") or not context.settings.world_info_recursive:
            return
        tokens = tokens_of(entry, context)
        if tokens >= context.options["tokens"]:
            message = (
                f"Its {tokens:,} tokens count in the pass in which it comes in, but in no later one, as it prevents "
                "recursion: more can come in than the budget allows."
            )
            proof = self._proof(entry, tokens, context)
            yield self.finding(entry, message, entry.path_of("preventRecursion"), witness=proof)

    def _proof(self, entry: EntryView, tokens: int, context: Context) -> Witness | None:
        """An entry of the next pass for which there is no room comes in all the same."""
        call = call_of(entry)
        if call is None:
            return None
        caller = extra(entry.book, f"Hark, {_SIGNAL}.", "caller", order=9000)
        late = extra(entry.book, "y" * _BYTES * _ROOM, "late", constant=False, key=[_SIGNAL], order=9000)
        limit = int(tokens + tokens_of(caller, context) + _ROOM // 2)
        settings = context.settings.with_values({"world_info_budget": _WHOLE, "world_info_budget_cap": limit})
        told = f"The budget is {limit:,} tokens, and the entry called “late” is in though all together are more."
        made = witness(
            told, [entry, caller, late], [call], settings, context=max(limit, ScanSettings().world_info_depth)
        )
        return shown(made, late, Reason.IN_PROMPT)


class ShrunkText(WorldRule):
    """A text that lost most of itself since the file was last saved.

    Why: Tools that write lore over again, or a slip of the hand, leave a summary where a text was; nobody sees it
    until the model has forgotten.
    Example: 1,200 letters yesterday, 150 today.
    Do: look at the earlier version, and restore it if this was not meant.
    Source: reports of users whose tools overwrote their books.
    """

    code = "BUD009"
    name = "shrunk-text"
    severity = Severity.INFO
    needs = frozenset({Need.EARLIER})
    options = (Option("share", 60, "percent of a text that is lost at least"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"content": "x " * 30},), earlier=({"content": "x " * 60},)),
        Example(({"content": "x"},), earlier=({"content": "x " * 10},)),
        Example(({"content": "x" * 40},), earlier=({"content": f"{'x' * 40}{' ' * 400}"},)),
        Example(({"content": "x", "uid": 1},), earlier=({"content": "y" * 400, "uid": 2},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"content": "x" * 30},), earlier=({"content": "x" * 100},)),
        Example(({"content": ""},), earlier=({"content": "x" * 100},)),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Entries that have the same uid in the same book of the file."""
        for file in world.files:
            before = (world.earlier or {}).get(file.name, ())
            for book, old in zip(file.books, before, strict=False):
                texts = {entry.uid_text: entry.content for entry in old.entries}
                for view in book.entries:
                    was = len(_SPACE.sub("", texts.get(view.entry.uid_text, "")))
                    now = len(_SPACE.sub("", view.entry.content))
                    if was >= _SHORT and (was - now) * _WHOLE > context.options["share"] * was:
                        message = f"It had {was:,} letters when the file was last saved, and has {now:,} now."
                        yield self.finding(view, message, view.path_of("content"))


class WastedTokens(EntryRule):
    """Tokens that say nothing: blanks at the ends, lines of dashes, a heading that stands there twice, HTML.

    Why: They are paid for each time the entry comes in, and models copy what they see.
    Example: `==========` above and below a heading, or `<br><br>` between paragraphs.
    Do: leave them out.
    Source: the PList guides, which count such tokens.
    """

    code = "BUD010"
    name = "wasted-tokens"
    severity = Severity.INFO
    grade = Grade.SAFE
    options = (Option("tokens", 5, "tokens that must be saved at least"),)
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "The mill.\n---\nThe miller.\n"},)),
        Example(({"key": ["a"], "content": "<mill>It grinds.</mill> 1 < 2"},)),
        Example(({"key": ["a"], "content": "# Mill\nIt grinds.\n# Miller\nHe sings."},)),
        Example(({"key": ["a"], "content": "End with this block:\n==========\nHP: 10\nMood | calm\n=========="},)),
        Example(({"key": ["a"], "content": "```\n----------\n+ x\n----------\n----------\n```"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "content": "==========\nMILL\n==========\nIt grinds.\n\n\n"},),
            fixed=({"content": "MILL\nIt grinds."},),
        ),
        Example(
            ({"key": ["a"], "content": "## The old mill on the river\n\n## The old mill on the river\nIt grinds."},),
            fixed=({"content": "## The old mill on the river\nIt grinds."},),
        ),
        Example(
            ({"key": ["a"], "content": "<p>It <b>grinds</b>.<br><br>At night&nbsp;too.</p>"},),
            fixed=({"content": "It grinds.\n\nAt night too."},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """What can be left out without a loss, then markup."""
        content = entry.entry.content
        for better, what, grade in (
            (trimmed(content), "lines and blanks that say nothing", Grade.SAFE),
            (without_markup(content), "HTML", Grade.OFFERED),
        ):
            if better == content:
                continue
            saved = context.count(content) - context.count(better)
            if saved >= context.options["tokens"]:
                fix = Fix(f"leave out {what}", (SetField(entry.entry.path, "content", better),), grade)
                message = f"It spends {saved:,} tokens on {what}."
                yield self.finding(entry, message, entry.path_of("content"), fix=fix)
                return
