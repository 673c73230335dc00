"""Snippets: pieces of text for the content of an entry, with what each of them does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Final

CARET: Final = "<<caret>>"
"""Marks the place of the caret after a snippet was put in."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of text."""

    name: str
    """Stable, in lower case with hyphens."""
    written: str
    """The text, `CARET` in it at most once."""
    description: str
    """One sentence: what it does."""
    group: str = "Own"
    source: str = ""
    """The file of the user that it comes from, "" if it came with the program."""

    @property
    def text(self) -> str:
        """What is put in."""
        return self.written.replace(CARET, "")

    @property
    def caret(self) -> int:
        """Offset of the caret in `text`; its end if it says nothing."""
        place = self.written.find(CARET)
        return len(self.text) if place < 0 else place


_MACROS: Final = "Macros"
_SHAPES: Final = "Shapes of text"
_DECORATORS: Final = "Decorators"
_ORDERS: Final = "Orders to the model"


_CARET_SIGN: Final = "‸"


def _row(group: str, name: str, written: str, description: str) -> Snippet:
    return Snippet(name, written.replace(_CARET_SIGN, CARET), description, group)


_macro = partial(_row, _MACROS)
_shape = partial(_row, _SHAPES)
_order = partial(_row, _ORDERS)
_decorator = partial(_row, _DECORATORS)


SNIPPETS: Final = (
    _macro("char", "{{char}}", "The name of the character who speaks."),
    _macro("user", "{{user}}", "The name of the persona."),
    _macro("group", "{{group}}", "The names of all members of a group chat."),
    _macro("random", "{{random::‸one::two::three}}", "One of the texts, drawn anew at every turn."),
    _macro("pick", "{{pick::‸one::two::three}}", "One of the texts, always the same one in one chat."),
    _macro("roll", "{{roll::‸1d20}}", "The result of dice, rolled anew at every turn."),
    _macro("setvar", "{{setvar::‸name::value}}", "Keeps a value in this chat; leaves no text."),
    _macro("getvar", "{{getvar::‸name}}", "The value of a variable of this chat."),
    _macro("addvar", "{{addvar::‸name::1}}", "Adds to a variable of this chat; leaves no text."),
    _macro("if", "{{if .‸name}}yes{{else}}no{{/if}}", "One of two texts, by a variable of this chat."),
    _macro("outlet", "{{outlet::‸name}}", "For cards and prompts: the texts of the active entries of an outlet."),
    _macro("comment", "{{// ‸to do}}", "A note for yourself; the model never sees it."),
    _macro("trim", "{{trim}}", "Takes away the line ends around it."),
    _macro("newline", "{{newline}}", "A line end, also where the editor would take it away."),
    _macro("time", "{{time}}", "The time of day; at every turn another text."),
    _macro("last-message", "{{lastMessage}}", "The text of the newest message."),
    _shape("plist", "[‸Name: trait, trait; place: detail, detail]", "PList: dense traits in brackets."),
    _shape("plist-part", "‸Name: trait, trait;", "One part of a PList whose brackets other entries hold."),
    _shape(
        "ali-chat",
        '<START>\n{{user}}: ‸What are you like?\n{{char}}: *action* "Answer in the voice of {{char}}."',
        "Ali:Chat: a person shown by an interview, as example messages.",
    ),
    _shape("example", "<START>\n{{user}}: ‸\n{{char}}: ", "An example dialogue."),
    _shape("wpp", '[Character("‸Name") { Trait("one" + "two") }]', "W++: attributes in an old notation."),
    _shape("xml", "<lore>\n‸\n</lore>", "A part with a beginning and an end that models see."),
    _order(
        "instantly",
        "‸The attempt WILL INSTANTLY succeed.",
        "An outcome that happens in this very reply; the model invents no third way.",
    ),
    _order(
        "stay-in-role",
        "Stay in the role of {{char}}. Never write what {{user}} says, thinks or does.",
        "For depth 0: keeps the model to its own part.",
    ),
    _order("note", "[‸]", "A stage direction in brackets."),
    _decorator("activate", "@@activate\n", "SillyTavern: always active, without keys. First line of the content."),
    _decorator("dont-activate", "@@dont_activate\n", "SillyTavern: never activated by its keys."),
    _decorator("depth", "@@depth ‸4\n", "V3 cards, RisuAI: so many messages from the end of the chat."),
    _decorator("role", "@@role ‸system\n", "V3 cards, UnoRouter, RisuAI: who seems to say it."),
    _decorator("scan-depth", "@@scan_depth ‸4\n", "V3 cards, UnoRouter: how many messages are searched."),
    _decorator("probability", "@@probability ‸50\n", "UnoRouter, RisuAI: the chance in percent."),
    _decorator("priority", "@@priority ‸100\n", "UnoRouter, RisuAI: who stays when the budget is short."),
    _decorator("order", "@@order ‸0\n", "UnoRouter: the place among the entries, higher is earlier."),
    _decorator("after", "@@activate_only_after ‸4\n", "V3 cards, UnoRouter: not before so many messages."),
    _decorator("every", "@@activate_only_every ‸4\n", "V3 cards, UnoRouter: only at every so manieth message."),
    _decorator("keep", "@@keep_activate_after_match\n", "V3 cards, UnoRouter: stays active once it has matched."),
    _decorator("once", "@@dont_activate_after_match\n", "V3 cards, UnoRouter: never again once it has matched."),
    _decorator("greeting", "@@is_greeting ‸0\n", "V3 cards, UnoRouter: only with this greeting."),
    _decorator("additional", "@@additional_keys ‸one,two\n", "V3 cards: one of these must be said too."),
    _decorator("exclude", "@@exclude_keys ‸one,two\n", "V3 cards: not if one of these is said."),
)
"""The snippets that come with the program."""
