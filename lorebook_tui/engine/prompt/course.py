"""The course of a generation: what the program makes of the request, the shape it builds, and what it leaves behind."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.chat_completion import TOO_LONG_TOAST, ChatCompletion
from lorebook_tui.engine.prompt.material import (
    CONTINUE,
    REGENERATE,
    SWIPE,
    entry_origin,
    gather,
    read_system_prompt,
    strip_examples,
)
from lorebook_tui.engine.prompt.pieces import AssembledPrompt, DropReason
from lorebook_tui.engine.prompt.request import as_run
from lorebook_tui.engine.prompt.settings import Api
from lorebook_tui.engine.prompt.squash import squashed
from lorebook_tui.engine.prompt.story import render_story, unshown_fields
from lorebook_tui.engine.prompt.text_completion import TextCompletion
from lorebook_tui.engine.prompt.traced import Traced
from lorebook_tui.engine.standing import Standing, StandingPrompt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lorebook_tui.engine.assemble import Assembly, Simulation, State
    from lorebook_tui.engine.prompt.material import Material
    from lorebook_tui.engine.prompt.settings import PromptSettings

UNSHOWN_TOAST = "warning: The story string does not contain the following fields, but they would contain content: "
NOBODY_SPEAKS = "Every member of the group is muted: no prompt is built."


def assemble_prompt(simulation: Simulation, assembly: Assembly, settings: PromptSettings) -> AssembledPrompt:
    """The prompt of one turn, as SillyTavern 1.19 would send it.

    Args:
        simulation: the scenario made ready.
        assembly: the scan of the turn.
        settings: the shape of the prompt and everything that decides about it.
    """
    run = as_run(simulation, assembly, settings)
    if run.nobody:
        return _none(simulation, assembly, settings)
    material = gather(run, settings)
    shown = Traced.joined(material.shown_examples)
    read_system_prompt(material)
    told = assembly.before.standing.unshown
    unshown = [name for name in unshown_fields(material) if name not in told]
    story = render_story(material, shown)
    strip_examples(material)
    made = _chat(material) if settings.api is Api.CHAT else _text(material, story)
    _drop_the_rest(material)
    first = _first_in_context(material, made.pop("in_context"))
    if not material.dry_run:
        material.table.everything(material.expander)
    return AssembledPrompt(
        api=settings.api,
        assembly=run.assembly,
        changed=run.assembly is not assembly,
        state=_state_after(material, run.assembly, first, unshown),
        counter=simulation.counter,
        dropped=tuple(material.dropped),
        injections=material.table.rows(),
        outlets={name: text.text for name, text in material.expander.outlet_texts.items()},
        first_in_context=None if material.dry_run else first,
        toasts=(*_told(unshown), *made.pop("toasts", ())),
        **made,
    )


def _none(simulation: Simulation, assembly: Assembly, settings: PromptSettings) -> AssembledPrompt:
    """No prompt at all."""
    return AssembledPrompt(
        api=settings.api,
        assembly=assembly,
        changed=False,
        state=assembly.state,
        counter=simulation.counter,
        tokens=0,
        error=NOBODY_SPEAKS,
        stops=True,
    )


def _chat(material: Material) -> dict[str, Any]:
    # SillyTavern 1.19: the start of a text completion's chat is replaced here too, and shows nowhere.
    material.expander.text(material.settings.story.chat_start)
    completion = ChatCompletion(material)
    slots = completion.build()
    if material.settings.chat.squash_system_messages and not material.dry_run:
        slots = squashed(slots, completion.cost)
    roles = [message.role for slot in slots for message in slot.filled]
    return {
        "slots": tuple(slots),
        "tokens": sum(slot.tokens for slot in slots),
        "error": completion.error,
        "toasts": (TOO_LONG_TOAST,) if completion.error else (),
        "in_context": sum(role in {"user", "assistant"} for role in roles),
    }


def _text(material: Material, story: Traced) -> dict[str, Any]:
    completion = TextCompletion(material, story)
    completion.build()
    return {
        "string": completion.string,
        "parts": completion.parts,
        "tokens": material.counter.count(completion.string.text),
        "in_context": completion.in_context,
        "error": completion.stop,
        "stops": bool(completion.stop),
    }


def _first_in_context(material: Material, count: int) -> int:
    """Number of the first message in the prompt, as the program reckons: injected ones count as messages."""
    shown = count + (material.kind in {SWIPE, REGENERATE, CONTINUE})
    return max(0, material.chat_length - shown)


def _tells_first(material: Material) -> bool:
    """Whether the program notes where the chat of this prompt begins; dry runs of chat completions leave it alone."""
    return not material.dry_run or material.settings.api is Api.TEXT


def _drop_the_rest(material: Material) -> None:
    """Outlets that nobody asked for and entries without a place."""
    expander = material.expander
    for name, text in expander.outlet_texts.items():
        if name not in expander.outlets.asked:
            material.drop(text, DropReason.NOT_ASKED_FOR, name)
    assembly = material.assembly
    for index in assembly.slots.nowhere:
        admitted = assembly.admitted_by_index.get(index)
        if admitted is not None:
            material.drop(Traced.of(admitted.content, entry_origin(index)), DropReason.NO_PLACE)


def _told(unshown: Sequence[str]) -> Iterator[str]:
    """SillyTavern 1.19: once for each field of a template."""
    if unshown:
        yield UNSHOWN_TOAST + ", ".join(f"{{{{{name}}}}}" for name in unshown)


def _state_after(material: Material, assembly: Assembly, first: int, unshown: Sequence[str]) -> State:
    environment = material.expander.environment
    state = assembly.state
    standing = Standing(
        first_in_context=first if _tells_first(material) else state.standing.first_in_context,
        generation_type=environment.generation_type,
        unshown=state.standing.unshown.union(unshown),
        dice=material.dice.state,
    )
    if material.dry_run:
        standing = replace(
            standing,
            outlets=dict(environment.outlets),
            depths=tuple(
                StandingPrompt(row.name, row.value.text, row.depth, row.role)
                for row in material.table.rows()
                if row.name.startswith(table.DEPTH_PREFIX)
            ),
        )
    return replace(state, local=environment.local, globals=environment.globals, standing=standing)
