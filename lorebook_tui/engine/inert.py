"""Whether turns of a scenario leave nothing behind, so that each of them can be told without those before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.engine.macros import card_of, is_constant
from lorebook_tui.engine.macros.constancy import texts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lorebook_tui.engine.assemble import Simulation
    from lorebook_tui.model.scenario import Scenario


def is_inert(simulation: Simulation) -> bool:
    """Whether no turn can start an effect, roll dice or change a variable; in doubt it is not.

    Then every turn but the first starts from what the first one leaves.
    """
    scenario = simulation.scenario
    return (
        not simulation.builder.acts
        and not scenario.forced
        and not any(scenario.timed.values())
        and _has_plain_names(scenario)
        and all(is_constant(text) for text in _texts(scenario))
        and bool(simulation.plan().entries)
        and not any(entry.leaves_traces and not entry.gates.closed for entry in simulation.plan().entries)
    )


def _texts(scenario: Scenario) -> Iterator[str]:
    """Texts beside the lore whose macros a turn replaces."""
    cast = scenario.cast
    yield scenario.quiet_prompt
    yield scenario.note.prompt
    yield scenario.note.character_prompt
    yield cast.persona.description
    for prompt in scenario.injected:
        yield prompt.value
    if scenario.transcript.messages:
        yield scenario.transcript.messages[0].text
    yield from texts_of(card_of(cast, scenario.transcript.metadata))
    for member in cast.group.members if cast.group else ():
        yield member.depth_prompt.prompt


def _has_plain_names(scenario: Scenario) -> bool:
    """Whether no name can hold a macro of its own, which the legacy engine would replace."""
    cast = scenario.cast
    named = [cast.persona.name, cast.speaker.name if cast.speaker else ""]
    named += [member.name for member in cast.group.members] if cast.group else []
    return not any("{" in name for name in named)
