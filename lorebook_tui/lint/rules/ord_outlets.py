"""Outlets and the prompts that ask for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, Need, SetField, Severity
from lorebook_tui.lint.outlets import folded, references
from lorebook_tui.lint.rule import Context, Example, WorldRule
from lorebook_tui.lint.slots import OUTLET, outlet_of, position_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView, World

_NEWS: Final = {"key": ["a"], "content": "x", "position": OUTLET, "outletName": "news"}


def outlet_entries(world: World) -> Iterator[EntryView]:
    """Entries that stand in an outlet with a name, disabled ones included."""
    for book in world.books:
        for entry in book.entries:
            if position_of(entry) == OUTLET and folded(outlet_of(entry)):
                yield entry


class OutletUnused(WorldRule):
    """An outlet that no prompt asks for.

    Why: SillyTavern 1.19 puts the texts of an outlet only where a prompt has the macro `{{outlet::name}}`. Without one
    the entry is activated, takes its share of the budget, and is dropped.
    Example: an entry in the outlet `news`, and no prompt with `{{outlet::news}}`.
    Do: put the macro into a prompt or the author's note, or choose another position.
    Source: SillyTavern 1.19; its documentation.
    """

    code = "ORD007"
    name = "outlet-unused"
    severity = Severity.WARNING
    needs = frozenset({Need.PROMPT})
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_NEWS,), prompt={"prompts": {"main": {"content": "Today: {{outlet::news}}"}}}),
        Example((_NEWS,), prompt={}, note={"prompt": "{{ OUTLET :: news }}"}),
        Example((_NEWS,), prompt={}, note={"prompt": "{{outlet::{{getvar::which}}}}"}),
        Example(({**_NEWS, "disable": True},), prompt={}),
        Example((_NEWS,), prompt={}, note={"prompt": "{{outlet::News}}"}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((_NEWS,), prompt={}),
        Example((_NEWS,), prompt={}, note={"prompt": "{{outlet::weather}}"}),
        Example(
            (_NEWS,),
            prompt={"order": ["main", "-extra"], "prompts": {"extra": {"content": "{{outlet::news}}"}}},
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Enabled entries whose outlet nobody names, in any spelling."""
        del context
        asked = {folded(each.name) for each in references(world)}
        if "" in asked:
            return
        whose = "prompt" if world.prompt else "prompt of a fresh installation, nor the author's note,"
        severity = None if world.prompt else Severity.INFO
        for entry in outlet_entries(world):
            if entry.is_enabled and folded(outlet_of(entry)) not in asked:
                message = f"No {whose} asks for the outlet {quote(outlet_of(entry))}: its text is dropped."
                yield self.finding(entry, message, entry.path_of("outletName"), severity=severity)


class OutletEmpty(WorldRule):
    """A prompt that asks for an outlet which no entry fills.

    Why: SillyTavern 1.19 puts nothing in place of the macro then.
    Example: `{{outlet::news}}` in the author's note, and no entry in the outlet `news`.
    Do: correct the name, or write the entry.
    Source: SillyTavern 1.19; its documentation.
    """

    code = "ORD008"
    name = "outlet-empty"
    severity = Severity.WARNING
    needs = frozenset({Need.PROMPT})
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_NEWS,), prompt={}, note={"prompt": "{{outlet::news}}"}),
        Example(({**_NEWS, "disable": True},), prompt={}, note={"prompt": "{{outlet::news}}"}),
        Example((_NEWS,), prompt={}, note={"prompt": "{{outlet::NEWS}}"}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((_NEWS,), prompt={}, note={"prompt": "{{outlet::news}}{{outlet::weather}}"}),
        Example(({"key": ["a"], "content": "x"},), prompt={}, note={"prompt": "{{outlet::news}}"}),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Each name once, at the first book."""
        del context
        filled = {folded(outlet_of(entry)) for entry in outlet_entries(world)}
        told: set[str] = set()
        for name, where in references(world):
            if world.books and name and folded(name) not in filled | told:
                told.add(folded(name))
                message = (
                    f"In {where} the outlet {quote(name)} is asked for, but no entry fills it: nothing stands there."
                )
                yield self.finding(world.books[0], message)


class OutletSpelling(WorldRule):
    """An outlet whose name differs from what a prompt asks for only by letter case or blanks at its ends.

    Why: SillyTavern 1.19 compares the names letter by letter; the macro trims its name, the entry does not, so a name
    with a blank at an end is never found.
    Example: an entry in the outlet `News `, and a prompt with `{{outlet::news}}`.
    Do: write the name as the prompt does.
    Source: SillyTavern 1.19.
    """

    code = "ORD009"
    name = "outlet-spelling"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_NEWS,), note={"prompt": "{{outlet:: news }}"}),
        Example(({**_NEWS, "outletName": "News"}, {**_NEWS, "outletName": "weather"})),
        Example((_NEWS, {**_NEWS, "outletName": "News"}), note={"prompt": "{{outlet::news}}{{outlet::News}}"}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((_NEWS,), note={"prompt": "{{outlet::News}}"}, fixed=({"outletName": "News"},)),
        Example(({**_NEWS, "outletName": "news "},), fixed=({"outletName": "news"},)),
        Example(
            (_NEWS, _NEWS, {**_NEWS, "outletName": "News"}),
            fixed=({"outletName": "news"}, {"outletName": "news"}, {"outletName": "news"}),
        ),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Names that are found under another spelling, or under none."""
        del context
        asked: dict[str, list[str]] = {}
        for name, _ in references(world):
            asked.setdefault(folded(name), []).append(name)
        entries = list(outlet_entries(world))
        usual: dict[str, Counter[str]] = {}
        for entry in entries:
            usual.setdefault(folded(outlet_of(entry)), Counter())[outlet_of(entry).strip()] += 1
        for entry in entries:
            name = outlet_of(entry)
            wanted = asked.get(folded(name)) or [usual[folded(name)].most_common(1)[0][0]]
            if name in wanted:
                continue
            better = Counter(wanted).most_common(1)[0][0]
            message = f"Its outlet is written {quote(name)}, but it is looked for as {quote(better)}: it is not found."
            fix = Fix(f"write {quote(better)}", (SetField(entry.entry.path, "outletName", better),))
            yield self.finding(entry, message, entry.path_of("outletName"), fix=fix)
