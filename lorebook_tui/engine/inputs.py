"""From scenario, step and state to the arguments of a scan, and the macro environment that goes with them."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine import cast_texts
from lorebook_tui.engine.chance import Chance, RandomState
from lorebook_tui.engine.chat import NEUTRAL_NAME
from lorebook_tui.engine.macros import MacroEnvironment, Member, acts_always, card_of, is_constant, is_plain, substitute
from lorebook_tui.engine.macros.card import READ_ORDER, CardReader
from lorebook_tui.engine.macros.environment import Entropy
from lorebook_tui.engine.turn import ScannedPrompt, TurnInput, floating_note
from lorebook_tui.model.js import key_order, nullish, text_of, trim
from lorebook_tui.model.scenario import TRIGGERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lorebook_tui.engine.assemble import State
    from lorebook_tui.engine.chat import ChatView, Extent
    from lorebook_tui.engine.trace import NoteResult
    from lorebook_tui.model.scenario import Scenario, Step
    from lorebook_tui.model.transcript import Message

_OTHER_STREAM = 0x9E3779B9
FLOATING, QUIET, PERSONA = "2_floating_prompt", "QUIET_PROMPT", "PERSONA_DESCRIPTION"


@dataclass(slots=True)
class Macros:
    """The macro engine of one turn: draws made inside the scan are logged, those before it are not."""

    environment: MacroEnvironment
    dice: Chance
    """The stream of dice before the scan."""
    acts: bool = False
    """Even plain texts act: the legacy engine reads the whole card before each, and the card rolls or sets."""

    def substitute(self, text: str) -> str:
        """Replace the macros of a text; variables change on the way."""
        return substitute(text, self.environment) if text and (self.acts or not is_plain(text)) else text

    def preview(self) -> Callable[[str], str]:
        """A substitution for looking only: every text finds the variables as they are now and draws from streams apart.

        So looking leaves no trace, and the order of looking does not matter.
        """
        frozen = replace(self.environment, local=dict(self.environment.local), globals=dict(self.environment.globals))

        def looked_at(text: str) -> str:
            if is_plain(text):
                return text
            apart = Chance(RandomState(_OTHER_STREAM)).draw
            view = replace(
                frozen,
                local=copy.deepcopy(frozen.local),
                globals=copy.deepcopy(frozen.globals),
                draw=apart,
                draw_random=apart if frozen.draw_random else None,
                entropy=Entropy(),
            )
            return substitute(text, view)

        return looked_at


class TurnBuilder:
    """Builds the input of every turn of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        cast = scenario.cast
        self.user = cast.persona.name
        self.char = cast.speaker.name if cast.speaker else NEUTRAL_NAME
        unread: dict[str, Any] = dict.fromkeys(scenario.unread_fields, "")
        card = card_of(cast, scenario.transcript.metadata)
        self._card = replace(card, collapses=scenario.collapse_newlines, **unread)
        self._fixed = self._bare()
        self.acts = acts_always(self._fixed)
        """Even texts without macros act."""
        self._sources: dict[str, str] | None = None

    def rename(self, char: str) -> None:
        """Another name for the speaking character than its card's."""
        self.char = char
        self._fixed = self._bare()

    def resolve(self, text: str) -> str | None:
        """The text with its macros replaced if they never change within the scenario; None if they can."""
        if is_plain(text):
            return text
        return substitute(text, self._fixed) if is_constant(text) else None

    def dice(self, step: Step, state: State) -> Chance:  # noqa: ARG002 - a stream of another kind may start at each step
        """The stream of dice before the scan: one that runs through all generations."""
        return Chance(state.standing.dice)

    def build(self, step: Step, state: State, chat: ChatView, chance: Chance) -> tuple[TurnInput, Macros]:
        """The arguments of one scan, and its macros."""
        scenario = self.scenario
        trigger = step.trigger or scenario.trigger
        dry_run = scenario.dry_run if step.dry_run is None else step.dry_run
        extent = chat.extent(step.upto, trigger, dry_run=dry_run)
        environment = self.environment(step, state, chat.messages[: extent.upto])
        dice = self.dice(step, state)
        environment.draw = dice.draw
        environment.draw_random = dice.draw if scenario.random_macro == "stream" else None
        macros = Macros(environment, dice, self.acts)
        reader, changing = self._reader(environment)
        sources = self._sources_now(reader, changing)
        note = floating_note(
            scenario.note, extent.users, scan=scenario.allow_wi_scan, has_cast=scenario.cast.speaker is not None
        )
        first_line = self._first_line(chat, extent, macros)
        table = self._prompt_table(step, state, note, reader, macros)
        environment.draw = chance.for_macro
        environment.draw_random = chance.for_macro if scenario.random_macro == "stream" else None
        chance.turn_pass = 1
        prompts = tuple(
            ScannedPrompt(name, text)
            for name in key_order(table)
            if table[name] and (text := macros.substitute(table[name]))
        )
        turn = TurnInput(
            upto=extent.upto,
            trigger=self._scan_trigger(trigger),
            dry_run=dry_run,
            length=extent.visible,
            lines=chat.lines,
            numbers=chat.numbers,
            first_line=None if first_line is None else trim(first_line),
            silent=chat.silent(first_line),
            sources=sources,
            prompts=prompts,
            max_context=step.max_context if step.max_context is not None else scenario.max_context,
            note=note,
        )
        return turn if scenario.scan_texts is None else _overridden(turn, scenario.scan_texts), macros

    def _scan_trigger(self, trigger: str) -> str:
        given = self.scenario.scan_data.get("trigger")
        if given is not None:
            return given
        return trigger if trigger in TRIGGERS else "normal"

    def _first_line(self, chat: ChatView, extent: Extent, macros: Macros) -> str | None:
        """The first line, untrimmed, macros replaced; None if it is hidden or has none. Its macros act in any case."""
        if not extent.upto:
            return None
        first = chat.messages[0]
        if is_plain(first.text) and not macros.acts:
            return None
        text = macros.substitute(first.text)
        environment = macros.environment
        environment.messages = (replace(first, text=text), *environment.messages[1:])
        return None if first.is_hidden else chat.whole_line(first, text)

    def _reader(self, environment: MacroEnvironment) -> tuple[CardReader, list[str]]:
        """Reads the card for this turn, and notes texts that can change; inside them macros of the card are empty."""
        changing: list[str] = []

        def replaced(text: str, char: str | None) -> str:
            if is_plain(text):
                return text
            if not is_constant(text):
                changing.append(text)
            return substitute(text, replace(environment, card=None, char=char or environment.char))

        return CardReader(self._card, replaced), changing

    def _sources_now(self, reader: CardReader, changing: Sequence[str]) -> dict[str, str]:
        """The extra sources; remembered if none of their macros can change."""
        if self._sources is not None:
            return self._sources
        for field in READ_ORDER:
            reader.field(field)
        found = cast_texts.sources(reader, self.scenario.scan_data)
        if not changing:
            self._sources = found
        return found

    def _prompt_table(
        self, step: Step, state: State, note: NoteResult, reader: CardReader, macros: Macros
    ) -> dict[str, str]:
        """Injected prompts by name; those that are not scanned are empty.

        SillyTavern 1.19: a JavaScript object by name, so whole numbers come first, and a prompt set again keeps its
        place; the cards' notes are taken out and put in anew by every generation: from the second one on they are last.
        The quiet prompt goes through the macros twice.
        """
        scenario = self.scenario
        scanned = scenario.allow_wi_scan
        table = {
            prompt.name: prompt.value if prompt.scan else ""
            for prompt in scenario.injected
            if not prompt.name.startswith(cast_texts.DEPTH_PROMPT)
        }
        if state.generated:
            table |= dict.fromkeys(table.keys() & {PERSONA}, "")
        notes = cast_texts.depth_prompts(scenario.cast, reader)
        depth_prompts = notes if scanned else []
        if not state.generated:
            table.update(depth_prompts)
        if note.exists:
            table[FLOATING] = note.value if scanned else ""
        quiet = scenario.quiet_prompt if step.quiet_prompt is None else step.quiet_prompt
        table[QUIET] = macros.substitute(quiet)
        if state.generated:
            if scenario.cast.persona.position == "at_depth":
                table[PERSONA] = scenario.cast.persona.description
            table.update(depth_prompts)
        return table

    def _bare(self) -> MacroEnvironment:
        """What never changes within the scenario."""
        scenario = self.scenario
        cast, metadata = scenario.cast, scenario.transcript.metadata
        group = cast.group
        members = (
            tuple(Member(member.name, number in group.disabled) for number, member in enumerate(group.members))
            if group
            else ()
        )
        chat_hash = metadata.get("chat_id_hash")
        reroll = metadata.get("pick_reroll_seed")
        return MacroEnvironment(
            user=self.user,
            char=self.char,
            group=", ".join(member.name for member in members),
            members=members,
            card=self._card,
            chat_name=scenario.transcript.name,
            chat_hash=chat_hash if isinstance(chat_hash, int) else None,
            reroll=None if nullish(reroll) else text_of(reroll),
            note=scenario.note.prompt,
            character_note=scenario.note.character_prompt,
            texts=scenario.macro_texts,
            example_format=scenario.example_format,
            engine="legacy" if scenario.macro_engine == "legacy" else "new",
        )

    def _first_in_context(self, state: State) -> int | str | None:
        """What the last prompt left, or what the chat's metadata say of it."""
        if state.standing.first_in_context is not None:
            return state.standing.first_in_context
        stored = self.scenario.transcript.metadata.get("lastInContextMessageId")
        return stored if isinstance(stored, (int, str)) else None

    def environment(self, step: Step, state: State, messages: Sequence[Message]) -> MacroEnvironment:
        """What macros see at a step.

        Args:
            step: gives clock and context.
            state: gives variables and outlets left standing.
            messages: the chat as it stands.
        """
        scenario = self.scenario
        return replace(
            self._fixed,
            local=dict(state.local),
            globals=dict(state.globals),
            messages=messages,
            outlets=state.standing.outlets,
            first_in_context=self._first_in_context(state),
            generation_type=state.standing.generation_type,
            asked=set(),
            draw=self.dice(step, state).draw,
            max_context=step.max_context if step.max_context is not None else scenario.max_context,
            now=step.now or scenario.now,
            entropy=Entropy(),
        )


def _overridden(turn: TurnInput, texts: Sequence[str]) -> TurnInput:
    """The turn with given strings in place of the chat's lines; newest first, as the scan takes them."""
    lines = tuple(trim(text) for text in reversed(texts))
    silent = sum(1 for _ in takewhile(lambda text: not text, reversed(texts)))
    return replace(turn, lines=lines, numbers=range(len(lines)), length=len(lines), first_line=None, silent=silent)
