"""Entries that say nearly the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.alike import Sketches, alike
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.rule import BookRule, Context, Example, Option
from lorebook_tui.lint.slots import are_rivals

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import BookView

_WHOLE: Final = 100
_PELL: Final = "Pell is eighty-one and sexton of a church with fish in the nave. He sleeps over the stove at the inn."
_HERON: Final = "A heron stands within sight, on one leg, facing the town. It has been there longer than anyone."


class NearlyTheSame(BookRule):
    """Two entries whose texts are nearly the same.

    Why: If both come in, the model reads the same lore twice, and both are paid for; if one is corrected later, they
    contradict each other.
    Example: "Old Pell" and "Pell the sexton", copied and changed in one word.
    Do: make one entry of them, with the keys of both; or put them into one inclusion group if they are alternatives.
    Source: users whose books grew by imports.
    """

    code = "CNT015"
    name = "nearly-the-same"
    severity = Severity.INFO
    options = (
        Option("share", 85, "percent of the letters that two texts have in common at least"),
        Option("letters", 60, "letters from which a text is looked at"),
    )
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": _PELL}, {"key": ["b"], "content": _HERON})),
        Example(({"key": ["a"], "content": _PELL, "group": "g"}, {"key": ["a"], "content": _PELL, "group": "g"})),
        Example(({"key": ["a"], "content": _PELL}, {"key": ["b"], "content": _PELL, "disable": True})),
        Example(({"key": ["a"], "content": "It grinds."}, {"key": ["b"], "content": "It grinds."})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": _PELL}, {"key": ["b"], "content": _PELL.replace("stove", "kitchen")})),
        Example(
            ({"key": ["a"], "content": _PELL}, {"key": ["b"], "content": _PELL}, {"key": ["c"], "content": _HERON})
        ),
    )

    def __init__(self) -> None:
        self._sketches = Sketches()

    def check(self, book: BookView, context: Context) -> Iterator[Finding]:
        """Enabled entries with a text of some length."""
        least = context.options["letters"]
        listed = [view for view in book.entries if view.is_enabled and len(view.entry.content) >= least]
        texts = [view.entry.content for view in listed]
        for first, second, share in alike(texts, context.options["share"], self._sketches):
            one, other = listed[first], listed[second]
            if not are_rivals((one, other)):
                how = "the same" if share == _WHOLE else f"{int(share)} % the same"
                message = f"Its text is {how} as that of {quote(one.entry.title)}."
                yield self.finding(other, message, other.path_of("content"), others=(one,))
