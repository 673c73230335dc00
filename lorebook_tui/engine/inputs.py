"""From scenario, step and state to the arguments of a scan, and the macro environment that goes with them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine import cast_texts
from lorebook_tui.engine.chance import Chance, RandomState
from lorebook_tui.engine.macros import MacroEnvironment, is_constant, is_plain, substitute
from lorebook_tui.engine.turn import ScannedPrompt, TurnInput, floating_note
from lorebook_tui.model.js import trim
from lorebook_tui.model.scenario import TRIGGERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from lorebook_tui.engine.assemble import State
    from lorebook_tui.engine.chat import ChatView, Extent
    from lorebook_tui.engine.trace import NoteResult
    from lorebook_tui.model.cast import Character
    from lorebook_tui.model.scenario import Scenario, Step

NEUTRAL_NAME = "Assistant"
"""What `{{char}}` is when no card is selected."""
_OTHER_STREAM = 0x9E3779B9
FLOATING, QUIET, PERSONA = "2_floating_prompt", "QUIET_PROMPT", "PERSONA_DESCRIPTION"


@dataclass(slots=True)
class Macros:
    """The macro engine of one turn: draws made inside the scan are logged, those before it are not."""

    environment: MacroEnvironment

    def substitute(self, text: str) -> str:
        """Replace the macros of a text; variables change on the way."""
        return text if is_plain(text) else substitute(text, self.environment)

    def preview(self) -> Callable[[str], str]:
        """A substitution for looking only: variables as they are now, nothing drawn from the scan's stream."""
        frozen = replace(
            self.environment,
            local=dict(self.environment.local),
            globals=dict(self.environment.globals),
            draw=_apart(0, 0),
            draw_random=_apart(0, 0),
        )
        return Macros(frozen).substitute


class TurnBuilder:
    """Builds the input of every turn of a scenario."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        cast = scenario.cast
        self.user = cast.persona.name
        self.char = cast.speaker.name if cast.speaker else NEUTRAL_NAME
        self.group = ", ".join(member.name for member in cast.group.members) if cast.group else ""
        self._fixed = self._bare(cast.speaker)
        self._sources: dict[str, str] | None = None
        self._depth_prompts: list[tuple[str, str]] | None = None

    def resolve(self, text: str) -> str | None:
        """The text with its macros replaced if they never change within the scenario; None if they can."""
        if is_plain(text):
            return text
        return substitute(text, self._fixed) if is_constant(text) else None

    def build(self, step: Step, state: State, chat: ChatView, chance: Chance) -> tuple[TurnInput, Macros]:
        """The arguments of one scan, and its macros."""
        scenario = self.scenario
        trigger = step.trigger or scenario.trigger
        dry_run = scenario.dry_run if step.dry_run is None else step.dry_run
        extent = chat.extent(step.upto, trigger, dry_run=dry_run)
        environment = self._environment(step, state, chat, extent, trigger)
        macros = Macros(environment)
        sources = self._sources_now(environment)
        note = floating_note(
            scenario.note, extent.users, scan=scenario.allow_wi_scan, has_cast=scenario.cast.speaker is not None
        )
        first_line = self._first_line(chat, extent, macros)
        prompts = self._prompts(step, state, note, macros)
        environment.draw = chance.for_macro
        environment.draw_random = chance.for_macro if scenario.random_macro == "stream" else environment.draw_random
        turn = TurnInput(
            upto=extent.upto,
            trigger=self._scan_trigger(trigger),
            dry_run=dry_run,
            length=extent.visible,
            lines=chat.lines,
            numbers=chat.numbers,
            first_line=first_line,
            sources=sources,
            prompts=prompts,
            max_context=step.max_context if step.max_context is not None else scenario.max_context,
            note=note,
        )
        if scenario.scan_texts is not None:
            lines = tuple(trim(text) for text in reversed(scenario.scan_texts))
            turn = replace(turn, lines=lines, numbers=range(len(lines)), length=len(lines), first_line=None)
        return turn, macros

    def _scan_trigger(self, trigger: str) -> str:
        given = self.scenario.scan_data.get("trigger")
        if given is not None:
            return given
        return trigger if trigger in TRIGGERS else "normal"

    def _first_line(self, chat: ChatView, extent: Extent, macros: Macros) -> str | None:
        """The first line with macros replaced; None if it is hidden or has none. Its macros act in any case."""
        if not extent.upto:
            return None
        first = chat.messages[0]
        if is_plain(first.text):
            return None
        text = macros.substitute(first.text)
        return None if first.is_hidden else chat.line(first, text)

    def _sources_now(self, environment: MacroEnvironment) -> dict[str, str]:
        """The extra sources; remembered if none of their macros can change."""
        if self._sources is not None:
            return self._sources
        changing = False

        def replaced(text: str, member: Character | None) -> str:
            nonlocal changing
            if is_plain(text):
                return text
            changing = changing or not is_constant(text)
            return substitute(text, environment if member is None else replace(environment, char=member.name))

        found = cast_texts.sources(self.scenario, replaced)
        if not changing:
            self._sources = found
        return found

    def _prompts(self, step: Step, state: State, note: NoteResult, macros: Macros) -> tuple[ScannedPrompt, ...]:
        """Injected prompts that are scanned, in the order of the program's table."""
        scenario = self.scenario
        listed = [(prompt.name, prompt.value) for prompt in scenario.injected if prompt.scan]
        if scenario.allow_wi_scan:
            listed += cast_texts.depth_prompts(
                scenario,
                lambda text, member: substitute(
                    text,
                    macros.environment if member is None else replace(macros.environment, char=member.name),
                ),
            )
            listed.append((FLOATING, note.value))
        quiet = scenario.quiet_prompt if step.quiet_prompt is None else step.quiet_prompt
        listed.append((QUIET, quiet))
        persona = scenario.cast.persona
        if state.persona_injected:
            listed.append((PERSONA, persona.description))
        return tuple(
            ScannedPrompt(name, text) for name, value in listed if value and (text := macros.substitute(value))
        )

    def _bare(self, speaker: Character | None) -> MacroEnvironment:
        """Names only: enough for macros that never change."""
        return MacroEnvironment(user=self.user, char=speaker.name if speaker else NEUTRAL_NAME, group=self.group)

    def _environment(self, step: Step, state: State, chat: ChatView, extent: Extent, trigger: str) -> MacroEnvironment:
        scenario = self.scenario
        apart = _apart(scenario.random.seed, step.upto)
        return replace(
            self._fixed,
            local=dict(state.local),
            globals=dict(state.globals),
            draw=apart,
            draw_random=apart,
            now=step.now or scenario.now,
        )


def _apart(seed: int, upto: int) -> Callable[[], float]:
    """A stream beside the scan's, for macros in texts that are read before it starts; repeatable all the same."""
    return Chance(RandomState((seed ^ _OTHER_STREAM) + upto & 0xFFFFFFFF)).draw
