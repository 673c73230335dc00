"""Lines of dialogue: where they put words into the user's mouth, and where they are missing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Severity
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.lint.slots import EXAMPLES_BOTTOM, EXAMPLES_TOP, position_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView

_EXAMPLES: Final = {EXAMPLES_TOP, EXAMPLES_BOTTOM}
_USER_LINE: Final = re.compile(r"^[ \t]*(?:\{\{\s*user\s*\}\}|<user>)[ \t]*[:：]", re.IGNORECASE | re.MULTILINE)
_NAMED_LINE: Final = re.compile(r"^[ \t]*(?:\{\{\s*(?:user|char)\s*\}\}|<(?:user|bot|char)>|[^\s:<][^\n:]{0,40}):",
                                re.IGNORECASE | re.MULTILINE)  # fmt: skip
_START: Final = "<start>"


class SpeaksAsUser(EntryRule):
    """A line of the user's in lore that stands outside of the example messages.

    Why: SillyTavern 1.19 sends it as part of a system text; the model learns from it that it may speak for the user.
    Example: `{{user}}: I am tired.` in an entry before the character.
    Do: tell it as lore, or move it to the example messages.
    Source: checks of other lore editors.
    """

    code = "CNT017"
    name = "speaks-as-user"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "{{user}}: hello\n{{char}}: hello", "position": EXAMPLES_TOP},)),
        Example(({"key": ["a"], "content": "What {{user}} says: nothing."},)),
        Example(({"key": ["a"], "content": "{{char}}: hello"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "It grinds.\n{{user}}: I am tired."},)),
        Example(({"key": ["a"], "content": "<USER>: I am tired.", "position": 4},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Lines that begin with the user's name."""
        del context
        if "{{" not in entry.text and "<" not in entry.text:
            return
        if entry.is_enabled and position_of(entry) not in _EXAMPLES and _USER_LINE.search(entry.text):
            message = "A line of it is spoken by the user: the model learns to speak for them."
            yield self.finding(entry, message, entry.path_of("content"))


class ProseAsExample(EntryRule):
    """A text among the example messages that has no line of dialogue.

    Why: SillyTavern 1.19 reads such a text as blocks of dialogue, parted by `<START>`. In a chat completion a block of
    which no line begins with a name sends its marker and nothing else: the text is lost.
    Example: "Mira speaks slowly." at the position "before example messages".
    Do: write `<START>` and lines such as `{{char}}: …`; or choose another position for prose.
    Source: SillyTavern 1.19.
    """

    code = "CNT018"
    name = "prose-as-example"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "<START>\n{{user}}: hello\n{{char}}: yes", "position": EXAMPLES_TOP},)),
        Example(({"key": ["a"], "content": "Mira: slowly", "position": EXAMPLES_BOTTOM},)),
        Example(({"key": ["a"], "content": "Mira speaks slowly."},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "Mira speaks slowly.", "position": EXAMPLES_TOP},)),
        Example(({"key": ["a"], "content": "<START>\nMira: yes\n<START>\nShe nods.", "position": EXAMPLES_TOP},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Blocks without a named line."""
        del context
        if position_of(entry) not in _EXAMPLES or not entry.is_enabled or not entry.text.strip():
            return
        blocks = [block for block in re.split(_START, entry.text, flags=re.IGNORECASE) if block.strip()]
        lost = [block for block in blocks if not _NAMED_LINE.search(block)]
        if lost:
            near = lost[0].strip()[:30]
            message = (
                f"It stands among the example messages, but no line from {quote(near)} on begins with a name: chat "
                "completions send the marker of an example and lose the text."
            )
            yield self.finding(entry, message, entry.path_of("content"))
