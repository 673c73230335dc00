"""Contents that a script of the Regex extension changes on their way into the prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Need, Severity
from lorebook_tui.lint.naming import quoted
from lorebook_tui.lint.regex_scripts import scripts_of
from lorebook_tui.lint.rule import Context, Example, WorldRule
from lorebook_tui.lint.slots import AT_DEPTH, depth_of, position_of
from lorebook_tui.matching.ecma import PatternTimeout
from lorebook_tui.model.js import to_number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView, World

_SCRIPT: Final[dict[str, Any]] = {
    "scriptName": "Bells", "findRegex": "/bell/g", "replaceString": "gong", "placement": [5], "promptOnly": True,
}  # fmt: skip
_BELL: Final = {"key": ["a"], "content": "The bell rings."}
_CARD: Final = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira",
        "extensions": {"regex_scripts": [{**_SCRIPT, "findRegex": "/.+/s", "replaceString": ""}]},
        "character_book": {"entries": [{"id": 0, "keys": ["a"], "content": "A bell.", "enabled": True}]},
    },
}


class ChangedByScript(WorldRule):
    """A content that a regex script of the settings or of a card empties or changes.

    Why: SillyTavern 1.19 runs the scripts that are meant for "World Info" and for prompts over each text when it is
    put into its place: what is sent is not what the book says. Keys are looked for in the unchanged text.
    Example: a script that removes everything between brackets, and an entry that is one PList.
    Do: look at the script; take "World Info" out of what it affects if that is not meant.
    Source: SillyTavern 1.19.
    """

    code = "CNT020"
    name = "changed-by-script"
    severity = Severity.INFO
    needs = frozenset({Need.SCRIPTS})
    valid: ClassVar[tuple[Example, ...]] = (
        Example((_BELL,), library={"regex_scripts": ({**_SCRIPT, "promptOnly": False},)}),
        Example((_BELL,), library={"regex_scripts": ({**_SCRIPT, "placement": [1, 2]},)}),
        Example((_BELL,), library={"regex_scripts": ({**_SCRIPT, "disabled": True},)}),
        Example((_BELL,), library={"regex_scripts": ({**_SCRIPT, "findRegex": "/Bell/"},)}),
        Example(({**_BELL, "position": 4, "depth": 4},), library={"regex_scripts": ({**_SCRIPT, "maxDepth": 2},)}),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example((_BELL, {"key": ["b"], "content": "x"}), library={"regex_scripts": (_SCRIPT,)}),
        Example((_BELL,), library={"regex_scripts": ({**_SCRIPT, "findRegex": "bell", "replaceString": ""},)}),
        Example(source=json.dumps(_CARD), name="mira.json"),
    )

    def check(self, world: World, context: Context) -> Iterator[Finding]:
        """Each enabled entry, through all scripts in their order."""
        del context
        scripts = scripts_of(world)
        if not scripts:
            return
        for book in world.books:
            for entry in book.entries:
                if not entry.is_enabled or not entry.text:
                    continue
                text = entry.text
                depth = to_number(depth_of(entry)) if position_of(entry) == AT_DEPTH else None
                by = []
                for script in scripts:
                    if script.acts_at(depth):
                        try:
                            after = script.applied(text)
                        except PatternTimeout:
                            continue
                        by += [script.name] if after != text else []
                        text = after
                if by:
                    yield self._told(entry, by, text)

    def _told(self, entry: EntryView, by: list[str], text: str) -> Finding:
        who = f"The script{'s' if len(by) > 1 else ''} {quoted(by)}"
        if not text.strip():
            message = f"{who} leave{'' if len(by) > 1 else 's'} nothing of its text: it is activated and sends nothing."
        else:
            message = f"{who} change{'' if len(by) > 1 else 's'} its text: {quote(text[:60])} is what is sent."
        return self.finding(entry, message, entry.path_of("content"))
