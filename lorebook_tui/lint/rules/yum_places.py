"""Yumina's entries: required members, sections and places, kinds of entries that need a certain form."""

from __future__ import annotations

import difflib
import json
import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.lint.findings import Fix, Grade, SetAt, Severity
from lorebook_tui.lint.products import SECTIONS, YuminaRule
from lorebook_tui.lint.rule import Example
from lorebook_tui.model.js import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.lint.findings import Finding
    from lorebook_tui.lint.products import YuminaEntry
    from lorebook_tui.model.js import Json

_ENTRY: Final[dict[str, Any]] = {
    "id": "a", "name": "Forest", "content": "Dark.", "role": "lore", "section": "chat-history", "depth": 4,
    "position": 10, "alwaysSend": False, "keywords": ["forest"], "conditions": [], "conditionLogic": "all",
    "enabled": True,
}  # fmt: skip
AT_DEPTH: Final = 4
HISTORY: Final = "chat-history"
_ROLES: Final = (
    "system", "character", "personality", "scenario", "lore", "plot", "style", "example", "greeting", "custom",
)  # fmt: skip
_ENUMS: Final = {
    "role": _ROLES,
    "apiRole": ("system", "user", "assistant"),
    "secondaryKeywordLogic": ("AND_ANY", "AND_ALL", "NOT_ANY", "NOT_ALL"),
    "conditionLogic": ("all", "any"),
}
_START: Final = re.compile(r"<START>", re.IGNORECASE)
_TURN: Final = re.compile(r"^\s*(?:\{\{(?:user|char)\}\}|[^\W\d_][^:\n]{0,60})\s*[:：]", re.MULTILINE)


def yumina_text(*entries: dict[str, Any], **world: Any) -> str:
    """Entries in Yumina's own form; a value of `...` leaves a member out."""
    listed = [
        {name: value for name, value in {**_ENTRY, **fields}.items() if value is not ...} for fields in entries or ({},)
    ]
    return json.dumps({**world, "entries": listed}, indent=2, ensure_ascii=False)


def inside(section: Json = HISTORY, **more: Json) -> dict[str, Any]:
    """Yumina's part of the extension data of a SillyTavern entry."""
    return {"extensions": {"yumina": {"section": section, **more}}}


class RequiredMember(YuminaRule):
    """An entry without a member that Yumina requires.

    Why: An entry has to have an id, a name of at least one letter, a content, a role and a section; Yumina does not
    take a world in which one is missing.
    Example: an entry without a name.
    Do: add what is missing.
    Source: Yumina's document on entries.
    """

    code = "YUM001"
    name = "required-member-missing"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({})),
        Example(({"key": ["x"], "content": "y", **inside()},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"name": ""})),
        Example(source=yumina_text({"section": ..., "id": ...})),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Entries of Yumina's own files, all that is missing in one finding."""
        if not entry.is_native:
            return
        lacking = [name for name in ("id", "name", "content", "role", "section") if not _is_text(entry, name)]
        if lacking:
            yield self.finding(entry.view, f"It lacks what Yumina requires: {', '.join(lacking)}.")


def _is_text(entry: YuminaEntry, name: str) -> bool:
    value = entry.get(name)
    return isinstance(value, str) and (bool(value) or name == "content")


class UnknownChoice(YuminaRule):
    """A value that is none of the choices: section, role, `apiRole`, a logic.

    Why: Yumina's members of this kind have a fixed list of values, letter case and all; a world with another one is not
    taken.
    Example: the section `chat_history`.
    Do: choose one of the list.
    Source: Yumina's document on entries.
    """

    code = "YUM002"
    name = "unknown-choice"
    severity = Severity.ERROR
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"apiRole": "user", "secondaryKeywordLogic": "NOT_ALL"})),
        Example(({"key": ["x"], "content": "y", **inside("post-history", conditionLogic="any")},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"section": "chat_history"}), fixed_source=yumina_text({"section": "chat-history"})),
        Example(({"key": ["x"], "content": "y", **inside("somewhere", conditionLogic="ANY")},), findings=2,
                fixed=({"extensions": {"yumina": {"section": "somewhere", "conditionLogic": "any"}}},)),
        Example(source=yumina_text({"role": "hero", "apiRole": "narrator"}), findings=2),
    )  # fmt: skip

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Each member; the nearest choice is offered."""
        for name, choices in {"section": SECTIONS, **_ENUMS}.items():
            value = entry.get(name)
            if value is MISSING or value in choices:
                continue
            by_word = {_word(choice): choice for choice in choices}
            close = difflib.get_close_matches(_word(value), by_word, 1, 0.85) if isinstance(value, str) else []
            fix = None
            if close:
                change = SetAt(entry.path(name), by_word[close[0]])
                fix = Fix(f"write {by_word[close[0]]}", (change,), Grade.OFFERED, alters_activation=True)
            message = f"Its {name} is {json.dumps(value, ensure_ascii=False)[:40]}; there are {', '.join(choices)}."
            yield self.finding(entry.view, message, entry.path(name), fix=fix)


def _word(text: str) -> str:
    return text.strip().lower().replace("_", "-").replace(" ", "-")


class MissingDepth(YuminaRule):
    """An entry inside of the chat history that does not say how deep.

    Why: In the section chat-history the depth says before which message, counted from the end, the text is put; without
    it Yumina has no place for the text.
    Example: `section` `chat-history` and no `depth`.
    Do: set a depth; 0 is the very end, 4 is usual.
    Source: Yumina's document on entries.
    """

    code = "YUM003"
    name = "missing-depth"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"depth": 0})),
        Example(source=yumina_text({"section": "examples", "depth": ...})),
        Example(({"key": ["x"], "content": "y", "depth": 2, "position": 4, **inside()},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"depth": None}), fixed_source=yumina_text({"depth": 4})),
        Example(({"key": ["x"], "content": "y", "position": 4, "depth": ..., **inside()},), fixed=({"depth": 4},)),
    )  # fmt: skip

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Missing, or null."""
        if entry.section != HISTORY or entry.is_greeting:
            return
        given = [entry.get("depth", None), None if entry.is_native else entry.view.get("depth", None)]
        if all(value is None or value is MISSING for value in given):
            path = entry.path("depth") if entry.is_native else (*entry.view.entry.path, "depth")
            if not entry.is_native and entry.view.entry.source is not None:
                path = entry.path("depth")
            fix = Fix("set the depth to 4", (SetAt(path, AT_DEPTH),), Grade.OFFERED)
            yield self.finding(
                entry.view, "It goes into the chat history, but does not say how deep.", entry.path("section"), fix=fix
            )


class DepthOutOfRange(YuminaRule):
    """A depth that is no whole number from 0.

    Why: The depth counts messages from the end of the chat; it is a whole number, and 0 is the very end.
    Example: `depth` 2.5.
    Do: set a whole number. To sort entries of one depth use the position, which may have fractions.
    Source: Yumina's document on entries.
    """

    code = "YUM004"
    name = "fractional-depth"
    severity = Severity.ERROR
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"depth": 0, "position": 2.5})),
        Example(source=yumina_text({"depth": 12.0})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"depth": 2.5})),
        Example(source=yumina_text({"depth": -1})),
        Example(({"key": ["x"], "content": "y", **inside(depth="4")},)),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Yumina's own member."""
        value = entry.get("depth")
        if value is MISSING or value is None:
            return
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or value < 0 or not float(value).is_integer():
            message = f"Its depth is {json.dumps(value)[:30]}; it counts messages: 0, 1, 2 and so on."
            yield self.finding(entry.view, message, entry.path("depth"))


class DepthElsewhere(YuminaRule):
    """A depth outside of the chat history.

    Why: Only the section chat-history has a depth; in the other sections the position alone sorts.
    Example: `section` `system-presets` and `depth` 4.
    Do: remove the depth, or choose the section chat-history.
    Source: Yumina's document on entries.
    """

    code = "YUM005"
    name = "depth-elsewhere"
    severity = Severity.INFO
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"section": "system-presets", "depth": ...})),
        Example(({"key": ["x"], "content": "y", "depth": 4, "position": 0, **inside("system-presets")},)),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"section": "post-history"}),
                fixed_source=yumina_text({"section": "post-history", "depth": ...})),
    )  # fmt: skip

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Yumina's own member."""
        if entry.section in SECTIONS and entry.section != HISTORY and entry.get("depth") not in (MISSING, None):
            fix = Fix("remove the depth", (SetAt(entry.path("depth"), MISSING),), Grade.OFFERED)
            message = f"Its depth does nothing in the section {entry.section}."
            yield self.finding(entry.view, message, entry.path("depth"), fix=fix)


class SectionAndPosition(YuminaRule):
    """A section of Yumina beside a SillyTavern position that means another place.

    Why: The same entry goes into the chat in one program and to the top or the end of the prompt in the other: the
    section chat-history is SillyTavern's position at depth, and no other section is.
    Example: the section `chat-history` and the position before the character.
    Do: let both mean the same place.
    Source: Yumina's document on entries; SillyTavern 1.19.
    """

    code = "YUM006"
    name = "section-and-position"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["x"], "content": "y", "position": 4, "depth": 4, **inside()},)),
        Example(({"key": ["x"], "content": "y", "position": 0, **inside("system-presets")},)),
        Example(({"key": ["x"], "content": "y", "position": 4, "depth": 0, **inside("post-history")},)),
        Example(source=yumina_text({"position": 4, "section": "examples"})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["x"], "content": "y", "position": 0, **inside()},)),
        Example(({"key": ["x"], "content": "y", "position": 4, "depth": 4, **inside("system-presets")},)),
        Example(({"key": ["x"], "content": "y", "position": 1, **inside("examples")},)),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """Where both are there; the end of the chat may be said as depth 0."""
        position, section = entry.view.get("position"), entry.section
        if entry.is_native or section not in SECTIONS or isinstance(position, bool) or not isinstance(position, int):
            return
        is_at_end = position == AT_DEPTH and entry.view.get("depth") == 0
        fitting = {
            HISTORY: position == AT_DEPTH,
            "post-history": is_at_end,
            "examples": position in {5, 6},
            "system-presets": position in {0, 1},
        }
        if not fitting[section]:
            message = f"In Yumina it goes to {section}, but its position in SillyTavern is another place."
            yield self.finding(entry.view, message, entry.path("section"))


class GreetingEntry(YuminaRule):
    """A greeting with keywords, conditions, or sent always.

    Why: An entry of the role greeting opens the chat once; it is never searched for and never sent as lore.
    Example: `role` `greeting` and `alwaysSend` true.
    Do: remove what does nothing, or give the entry another role.
    Source: Yumina's document on entries.
    """

    code = "YUM007"
    name = "greeting-as-lore"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"role": "greeting", "keywords": [], "section": "system-presets"})),
        Example(source=yumina_text({"role": "lore", "alwaysSend": True})),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"role": "greeting", "section": "system-presets"})),
        Example(source=yumina_text({"role": "greeting", "keywords": [], "alwaysSend": True})),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """All that does nothing in one finding."""
        if not entry.is_greeting:
            return
        idle = ["keywords"] if entry.keywords else []
        idle += ["alwaysSend"] if entry.is_always_sent else []
        idle += ["conditions"] if entry.conditions else []
        if idle:
            message = f"It is a greeting: its {', '.join(idle)} will do nothing."
            yield self.finding(entry.view, message, entry.path("role"))


class ExampleDialogue(YuminaRule):
    """An example dialogue that Yumina cannot take apart, or that is in no place for examples.

    Why: Yumina makes messages of both sides out of an entry of the role example: `<START>` parts the dialogues, lines
    that begin with `{{user}}:`, `{{char}}:` or a name are turns. It looks for them in the section examples.
    Example: prose in an entry of the role example.
    Do: write turns, and choose the section examples.
    Source: Yumina's document on entries.
    """

    code = "YUM008"
    name = "example-without-turns"
    severity = Severity.WARNING
    valid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({
            "role": "example", "section": "examples", "depth": ...,
            "content": "<START>\n{{user}}: Hello.\n{{char}}: *looks up* Yes?"})),
        Example(source=yumina_text({
            "role": "example", "section": "examples", "depth": ...,
            "content": "<START>\n{{user}}: 你好\n艾莉丝：你好。"})),
    )  # fmt: skip
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=yumina_text({"role": "example", "section": "examples", "content": "She talks softly."})),
        Example(source=yumina_text({"role": "example", "section": "examples", "content": "{{user}}: a\n{{char}}: b"})),
        Example(source=yumina_text({"role": "example", "content": "<START>\n{{user}}: a\n{{char}}: b"})),
    )

    def look(self, entry: YuminaEntry) -> Iterator[Finding]:
        """What is missing first."""
        if entry.role != "example":
            return
        content = entry.view.entry.content
        if entry.section in SECTIONS and entry.section != "examples":
            message = f"It is an example dialogue in the section {entry.section}, where it is not taken apart."
            yield self.finding(entry.view, message, entry.path("section"))
        elif not _TURN.search(content):
            message = "No line of it begins with {{user}}:, {{char}}: or a name: there are no turns to show."
            yield self.finding(entry.view, message, entry.path("content"))
        elif not _START.search(content):
            message = "It has no <START>: its dialogues are not told apart."
            yield self.finding(entry.view, message, entry.path("content"), severity=Severity.INFO)
