"""Characters of contents that nobody sees, or that are left over: blanks, line ends, control characters, notes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar, Final

from lorebook_tui.display import quote
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetField, Severity
from lorebook_tui.lint.joiners import is_needed
from lorebook_tui.lint.rule import Context, EntryRule, Example

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.subjects import EntryView

_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_TRAILING: Final = re.compile(r"[ \t]+(?=\n|\Z)")
_BLANK_LINES: Final = re.compile(r"\n{4,}")
_MOST_BLANK: Final = "\n\n\n"
_HINTS: Final = ("todo", "fixme", "tbd", "lorem ipsum", "insert", "placeholder", "your ", "fill in")
_PLACEHOLDER: Final = re.compile(
    r"\b(?:TODO|FIXME|TBD)\b"
    r"|(?i:\blorem ipsum\b|[<\[](?:insert|fill in|your \w+|placeholder|todo|tbd)\b[^>\]\n]{0,60}[>\]]"
    r"|\binsert (?:\w+ ){0,3}here\b|\bplaceholder(?: text)?\b(?=[\s.:]*$))"
)
_INVISIBLE: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ufeff\ufff9-\ufffb]"
)
_QUOTES: Final = str.maketrans(dict(zip("“”„‟«»‘’‚‛‹›", "\"\"\"\"\"\"''''''", strict=True)))


class UntidyLines(EntryRule):
    """Line ends of several kinds, blanks at the ends of lines, or more than two blank lines in a row.

    Why: They are tokens for nothing, and every editor that tidies them up shows changes where there are none. In
    SillyTavern 1.19 a carriage return behind a decorator switches it off.
    Example: a text that was pasted from a word processor.
    Do: let them be tidied up.
    Source: SillyTavern 1.19.
    """

    code = "CNT013"
    name = "untidy-lines"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "One.\n\n\nTwo.\n"},)),
        Example(({"key": ["a"], "content": "One.\r\nTwo.\r\n"},)),
        Example(({"key": ["a"], "content": "  One.\n\tTwo."},)),
        Example(({"key": ["a"], "content": "  "},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "One. \n\n\n\n\nTwo.\t"},), fixed=({"content": "One.\n\n\nTwo."},)),
        Example(({"key": ["a"], "content": "One.\r\nTwo.\nThree."},), fixed=({"content": "One.\nTwo.\nThree."},)),
        Example(({"key": ["a"], "content": "One. \r\nTwo."},), fixed=({"content": "One.\r\nTwo."},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The text as it would be, if that differs."""
        del context
        content = entry.entry.content
        better = _tidied(content)
        if better == content or not content.strip():
            return
        kinds = len(set(_LINE_END.findall(content)))
        what = "line ends of several kinds" if kinds > 1 else "blanks or empty lines that say nothing"
        fix = Fix("tidy up its lines", (SetField(entry.entry.path, "content", better),))
        yield self.finding(entry, f"It has {what}.", entry.path_of("content"), fix=fix)


def _tidied(content: str) -> str:
    """The text with its lines in order; carriage returns stay where all lines have one."""
    has_returns = "\r" in content
    all_returns = has_returns and content.count("\r\n") == content.count("\n") == content.count("\r")
    text = _LINE_END.sub("\n", content) if has_returns else content
    if " \n" in text or "\t\n" in text or text[-1:] in {" ", "\t"}:
        text = _TRAILING.sub("", text)
    if "\n\n\n\n" in text:
        text = _BLANK_LINES.sub(_MOST_BLANK, text)
    return text.replace("\n", "\r\n") if all_returns else text


class InvisibleCharacters(EntryRule):
    """Control characters, or characters that no one sees, in a content.

    Why: A key of another entry that is written here with a soft hyphen or a zero-width blank inside is not found by
    recursion; and each of them is a token or more.
    Example: `bell<U+00AD>book`, pasted from a web page.
    Do: remove them. (Joiners of emoji and of scripts that need them stay.)
    Source: SillyTavern 1.19, which compares texts letter by letter.
    """

    code = "CNT014"
    name = "invisible-characters"
    severity = Severity.INFO
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "Tab\tand\nline, no-break\u00a0space, 👩\u200d🌾, می\u200cخواهم"},)),
        Example(({"key": ["a"], "content": "\u200fשלום\u200e"},)),
        Example(({"key": ["a"], "content": "ශ්\u200dරී, র\u200d্যাব, അവന്\u200d, क्\u200dष, श्री\u200c, 🙂\u200d↔️"},)),
        Example(({"key": ["a"], "content": "ខ្ញុំ\u200bទៅ ᠬᠠᠷ\u180eᠠ"},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "bell\u00adbook\u200b"},), fixed=({"content": "bellbook"},)),
        Example(({"key": ["a"], "content": "a\x01b\u200dc\ufeff"},), fixed=({"content": "abc"},)),
        Example(
            ({"key": ["a"], "content": "я\u200cк\u200dо, 山\u200b火, क\u200bख"},), fixed=({"content": "яко, 山火, कख"},)
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Those that nothing around them needs."""
        del context
        content = entry.entry.content
        if content.replace("\n", "").isprintable():
            return
        found = [each for each in _INVISIBLE.finditer(content) if not is_needed(content, each.start())]
        if not found:
            return
        pieces, last = [], 0
        for each in found:
            pieces.append(content[last : each.start()])
            last = each.end()
        better = "".join([*pieces, content[last:]])
        names = ", ".join(dict.fromkeys(f"U+{ord(each[0]):04X}" for each in found))
        fix = Fix("remove them", (SetField(entry.entry.path, "content", better),), alters_activation=True)
        message = (
            f"It holds {len(found)} {'character' if len(found) == 1 else 'characters'} that no one sees ({names})."
        )
        yield self.finding(entry, message, entry.path_of("content"), fix=fix)


class PlaceholderText(EntryRule):
    """Text that waits to be written: TODO, lorem ipsum, `<insert name>`.

    Why: The model takes it for lore.
    Example: `The mayor is <insert name>. TODO: her house.`
    Do: write it, or disable the entry until it is written.
    Source: checks of other lore editors.
    """

    code = "CNT012"
    name = "placeholder-text"
    severity = Severity.INFO
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "Todo el mundo. She inserts a coin here. (Your move.) <your>"},)),
        Example(({"key": ["a"], "content": "TODO", "disable": True},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "The mayor. TODO: her house."},)),
        Example(({"key": ["a"], "content": "The mayor is <insert name>."},)),
        Example(({"key": ["a"], "content": "Lorem ipsum dolor sit amet."},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """The first of them."""
        del context
        content = entry.entry.content
        low = content.lower()
        if not entry.is_enabled or not any(hint in low for hint in _HINTS):
            return
        found = _PLACEHOLDER.search(content)
        if found is not None:
            message = f"{quote(found[0])} looks as if something is still to be written."
            yield self.finding(entry, message, entry.path_of("content"))


class TypographicQuotes(EntryRule):
    """Typographic quotation marks, for tool chains that want ASCII. Off unless it is selected.

    Why: Some scripts and presets only know the straight ones.
    Example: `“Come in”` instead of `"Come in"`.
    Do: leave it off, or let them be replaced.
    Source: users' tool chains.
    """

    code = "CNT019"
    name = "typographic-quotes"
    severity = Severity.OFF
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (Example(({"key": ["a"], "content": '"Come in," — it\'s late…'},)),)
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "“Come in,” it’s late"},), fixed=({"content": '"Come in," it\'s late'},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Any of them; whoever selects the rule wants to see it."""
        del context
        content = entry.entry.content
        better = content if content.isascii() else content.translate(_QUOTES)
        if better != content:
            change = SetField(entry.entry.path, "content", better)
            fix = Fix("write straight ones", (change,), alters_activation=True)
            message = "It has typographic quotation marks."
            yield self.finding(entry, message, entry.path_of("content"), fix=fix, severity=Severity.INFO)
