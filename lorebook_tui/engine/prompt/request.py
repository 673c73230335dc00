"""What the program really runs when it is asked for a generation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.assemble import Simulation
from lorebook_tui.engine.macros import substitute
from lorebook_tui.engine.macros.definitions import LAST_KIND
from lorebook_tui.engine.prompt.material import NORMAL, REGENERATE, quiet_and_bias
from lorebook_tui.engine.prompt.settings import Api
from lorebook_tui.model.js import trim
from lorebook_tui.model.transcript import Message

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly, State
    from lorebook_tui.engine.prompt.settings import PromptSettings
    from lorebook_tui.model.cast import Group
    from lorebook_tui.model.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Run:
    """The simulation and scan that a prompt is made from."""

    simulation: Simulation
    assembly: Assembly
    before: State
    """The state that the generation started from."""
    added: int = 0
    """Newest messages that the generation itself put into the chat."""
    sent: str = ""
    """The text of such a message, macros unreplaced."""
    nobody: bool = False
    """No member of the group can speak: there is no prompt."""


def as_run(simulation: Simulation, assembly: Assembly, settings: PromptSettings) -> Run:
    """The generation as the program runs it.

    SillyTavern 1.19: in a group `regenerate` drops the reply and runs as `normal`; in a chat completion the text for
    empty messages is first added to the chat, as a message of the user; a dry run in a group lets the first member
    that is not muted speak, with its own books, and `{{char}}` is empty.
    """
    before = assembly.before
    if simulation.scenario.cast.group is not None and assembly.trigger == REGENERATE and not assembly.dry_run:
        normal = replace(assembly.step, trigger=NORMAL, upto=assembly.turn.upto)
        assembly = simulation.assemble(normal, before)
    assembly = _as_started(simulation, assembly, settings)
    if assembly.dry_run:
        return _dry_run(simulation, assembly, before)
    changed = _with_message(simulation, assembly, settings)
    if changed is None:
        return Run(simulation, assembly, before)
    other = Simulation(changed, simulation.counter)
    step = replace(assembly.step, upto=len(changed.transcript))
    sent = trim(settings.chat.send_if_empty)
    return Run(other, other.assemble(step, _after_text(simulation, assembly, sent)), before, added=1, sent=sent)


def _after_text(simulation: Simulation, assembly: Assembly, text: str) -> State:
    """The state before the scan once a text was replaced."""
    before = assembly.before
    messages = tuple(assembly.chat.messages[: assembly.turn.upto])
    environment = simulation.builder.environment(assembly.step, before, messages)
    substitute(text, environment)
    return replace(before, local=environment.local, globals=environment.globals)


def _dry_run(simulation: Simulation, assembly: Assembly, before: State) -> Run:
    scenario = simulation.scenario
    group = scenario.cast.group
    if group is None:
        return Run(simulation, assembly, before)
    able = [number for number in range(len(group.members)) if number not in group.disabled]
    if not able:
        return Run(simulation, assembly, before, nobody=True)
    changed, step, started = _spoken_by(scenario, group, able[0]), assembly.step, assembly.before
    if able[0] != group.speaker:
        changed = replace(changed, layers=replace(changed.layers, character=()))
        if step.layers is not None:
            step = replace(step, layers=replace(step.layers, character=()))
        if started.layers is not None:
            started = replace(started, layers=replace(started.layers, character=()))
    other = Simulation(changed, simulation.counter)
    other.builder.rename("")
    return Run(other, other.assemble(step, started), before)


def _as_started(simulation: Simulation, assembly: Assembly, settings: PromptSettings) -> Assembly:
    """The scan anew, if it can tell what the generation did before it: its kind is known, and texts were replaced.

    SillyTavern 1.19: these are the quiet prompt, the bias and the separator of example messages.
    """
    before = assembly.before
    standing = before.standing
    if LAST_KIND in assembly.asked and not assembly.dry_run:
        standing = replace(standing, generation_type=assembly.trigger)
    messages = tuple(assembly.chat.messages[: assembly.turn.upto])
    texts = list(quiet_and_bias(simulation.scenario, assembly, settings, messages))
    environment = simulation.builder.environment(assembly.step, replace(before, standing=standing), messages)
    if environment.card is not None and environment.card.examples:
        texts.append(settings.story.example_separator)
    for text in texts:
        if text:
            substitute(text, environment)
    same = environment.local == before.local and environment.globals == before.globals
    if same and standing == before.standing:
        return assembly
    changed = replace(before, local=environment.local, globals=environment.globals, standing=standing)
    return simulation.assemble(assembly.step, changed)


def _with_message(simulation: Simulation, assembly: Assembly, settings: PromptSettings) -> Scenario | None:
    """The chat with the text for empty messages; None if there is none to add."""
    text = trim(settings.chat.send_if_empty)
    if settings.api is not Api.CHAT or assembly.trigger != NORMAL or not text:
        return None
    messages = tuple(assembly.chat.messages[: assembly.turn.upto])
    environment = simulation.builder.environment(assembly.step, assembly.before, messages)
    return _with_messages(simulation.scenario, (*messages, Message(substitute(text, environment), is_user=True)))


def _with_messages(scenario: Scenario, messages: tuple[Message, ...]) -> Scenario:
    return replace(scenario, transcript=replace(scenario.transcript, messages=messages))


def _spoken_by(scenario: Scenario, group: Group, number: int) -> Scenario:
    """The scenario with another member of the group speaking; the chat keeps its names."""
    speaker = scenario.cast.speaker
    name = speaker.name if speaker else ""
    messages = tuple(
        message if message.name is not None or message.is_user else replace(message, name=name)
        for message in scenario.transcript.messages
    )
    cast = replace(scenario.cast, group=replace(group, speaker=number))
    note = scenario.note if number == group.speaker else replace(scenario.note, use_character=False)
    return _with_messages(replace(scenario, cast=cast, note=note), messages)
