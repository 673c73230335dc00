"""The text completion: story string, examples, chat lines and the last line, within the context."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.chat_lines import ChatLine
from lorebook_tui.engine.prompt.injections import drop_unplaceable, injected_line
from lorebook_tui.engine.prompt.instruct import Instruct, Place
from lorebook_tui.engine.prompt.material import CONTINUE, IMPERSONATE
from lorebook_tui.engine.prompt.pieces import DropReason, PromptMessage, TextParts
from lorebook_tui.engine.prompt.text_ending import Ending
from lorebook_tui.engine.prompt.text_trimming import Trimming
from lorebook_tui.engine.prompt.traced import EMPTY, JOINT, NAME, TEMPLATE, Origin, OriginKind, Traced
from lorebook_tui.model.js import WHITE_SPACE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lorebook_tui.engine.prompt.material import Material

IN_CHAT_STORY = 1
NO_LINE_FOR_BIAS = "There is no line of the chat to put the prompt bias behind."
BIAS_ORIGIN = Origin(OriginKind.PROMPT, "bias")
START_OF_CHAT = Origin(OriginKind.TEMPLATE, "chat_start")


@dataclass(slots=True)
class Sheet:
    """The lines of the chat in a text completion, newest first."""

    lines: list[ChatLine]
    injected: list[int]
    """Places of the lines that the program takes for injections, in the order in which it takes them."""


def injected_sheet(material: Material) -> Sheet:
    """The chat with its injections.

    SillyTavern 1.19: as in a chat completion, but a continued message has depth 0 above itself, below the real depth 1.
    """
    lines = list(reversed(material.lines))
    places: list[int] = []
    inserted = 0
    for depth in material.table.depths():
        here = []
        for role in table.ROLES:
            text = material.table.at(table.IN_CHAT, material.expander, depth, role).trim_start()
            if text:
                here.append(injected_line(material, role, text))
        counted = 1 if material.kind == CONTINUE and depth == 0 else depth
        place = min(counted + inserted, len(lines))
        lines[place:place] = here
        inserted += len(here)
        places.extend(range(place, place + len(here)))
    return Sheet(lines, places)


class TextCompletion:
    """One text completion in the making.

    Args:
        material: everything it is made of; its list of dropped texts grows.
        story: the story string, without a line feed of its own at the end.
    """

    def __init__(self, material: Material, story: Traced) -> None:
        self.material = material
        self.template = material.settings.instruct
        self.instruct = Instruct(material)
        self.bare_story = self._ended(story)
        self.story = self._placed()
        self.ending = Ending(material, self.instruct)
        self.string = EMPTY
        self.parts: TextParts | None = None
        self.in_context = 0
        self.stop = ""
        """Why the program itself would stop here."""

    def _ended(self, story: Traced) -> Traced:
        """With a line feed at the end, if it stands in front of the chat."""
        template = self.template
        closed = template.enabled and (not template.wrap or template.story_string_suffix)
        if not story or story.text.endswith("\n") or self._is_in_chat() or closed:
            return story
        return story + Traced.of("\n", TEMPLATE)

    def _is_in_chat(self) -> bool:
        return self.material.settings.story.story_string_position == IN_CHAT_STORY

    def _placed(self) -> Traced:
        """The story string as it begins the prompt; nothing if it stands in the chat, as a prompt of the table."""
        if self._is_in_chat():
            story = self.material.settings.story
            self.material.table.set(
                table.STORY, self.bare_story, table.IN_CHAT, story.story_string_depth, story.story_string_role
            )
            return EMPTY
        if not self.template.enabled or not self.bare_story:
            return self.bare_story
        return self.instruct.story(self.bare_story)

    def build(self) -> None:
        """Make the string and its parts."""
        drop_unplaceable(self.material)
        sheet = injected_sheet(self.material)
        self._add_post_history(sheet)
        chat = self._formatted(sheet)
        if not chat:
            chat = [EMPTY]
        continued = EMPTY
        if self.material.kind == CONTINUE and len(chat) > 1:
            continued = chat.pop(0)
            sheet.lines.pop(0)
            sheet.injected = [place - 1 for place in sheet.injected]
        trimming = Trimming(self, sheet, chat, continued)
        trimming.run()
        self.in_context = trimming.in_context
        lines = self._biased(trimming.lines)
        self.parts = TextParts(self.bare_story, trimming.examples, tuple(lines), continued)
        whole = Traced.joined(
            (self.story, trimming.examples, self.chat_start(), *(line.content for line in lines), continued)
        ).without_returns()
        self.string = whole.single_line_feeds() if self.material.settings.user.collapse_newlines else whole

    def _biased(self, lines: list[PromptMessage]) -> list[PromptMessage]:
        """The user's bias behind the last line; without any line the program stops there with an error."""
        text = self.material.bias.lstrip(WHITE_SPACE)
        if self.template.enabled or not text:
            return lines
        if not lines:
            self.stop = NO_LINE_FOR_BIAS
            return lines
        line = lines[-1].content
        space = "" if line.text[-1:].strip(WHITE_SPACE) == "" and line else " "
        last = replace(lines[-1], content=line + Traced.of(f"{space}{text}", BIAS_ORIGIN))
        return [*lines[:-1], last]

    def chat_start(self) -> Traced:
        """What parts the examples from the chat."""
        start = self.material.settings.story.chat_start
        return self.material.expander.traced(Traced.of(f"{start}\n", START_OF_CHAT)) if start else EMPTY

    def _add_post_history(self, sheet: Sheet) -> None:
        """Post-history instructions are the newest line, or stand before the message to be continued."""
        text = self.material.post_history
        if not text:
            return
        line = ChatLine("", text, is_user=True)
        if self.material.kind == CONTINUE:
            sheet.lines.insert(min(1, len(sheet.lines)), line)
        else:
            sheet.lines.insert(0, line)
            sheet.injected = [place + 1 for place in sheet.injected]

    def _formatted(self, sheet: Sheet) -> list[Traced]:
        """The lines as they stand in the string, newest first."""
        oldest = len(sheet.lines) - 1
        continues = self.material.kind == CONTINUE
        last_of_user = next((number for number, line in enumerate(sheet.lines) if line.is_user), None)
        if self.material.kind == IMPERSONATE:
            last_of_user = None
        found = []
        for number, line in reversed(list(enumerate(sheet.lines))):
            is_last = number == last_of_user or (continues and number == 0)
            place = Place.LAST if is_last else Place.FIRST if number == oldest else Place.BETWEEN
            found.append(self._unended(line, place) if continues and number == 0 else self.format(line, place))
        return found[::-1]

    def format(self, line: ChatLine, place: Place = Place.BETWEEN) -> Traced:
        """One line, in the sequences of the template or with the speaker's name."""
        if self.template.enabled:
            return self.instruct.line(line, place)
        text = line.text + Traced.of("\n", JOINT)
        return Traced.of(f"{line.name}: ", NAME) + text if line.name and not line.is_narrator else text

    def _unended(self, line: ChatLine, place: Place) -> Traced:
        """The line to be continued: nothing behind its text."""
        whole = self.format(line, place)
        if not self.template.enabled:
            return whole.cut(0, whole.text.rfind(line.text.text) + len(line.text))
        bare = self.format(replace(line, text=EMPTY), place)
        return whole.cut(0, len(bare) - len(self.instruct.suffix(line)) + len(line.text))

    def message(self, text: Traced, *, injected: bool) -> PromptMessage:
        """A finished line."""
        return PromptMessage(None, "chat", "", text, injected=injected)

    def drop(self, texts: Sequence[Traced], reason: DropReason, where: str) -> None:
        """Note texts that do not come into the prompt."""
        for text in texts:
            self.material.drop(text, reason, where)
