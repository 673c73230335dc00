"""What both shapes of a prompt are made of: fields, lines, examples, lore and the table of injected prompts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lorebook_tui.engine.chance import Chance
from lorebook_tui.engine.macros import Card
from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.card_texts import PERSONA, CardTexts
from lorebook_tui.engine.prompt.chat_lines import chat_lines, user_bias, with_first_replaced
from lorebook_tui.engine.prompt.example_format import Speakers
from lorebook_tui.engine.prompt.expanding import Expander, Outlets
from lorebook_tui.engine.prompt.pieces import Dropped, DropReason
from lorebook_tui.engine.prompt.settings import Api, GenerateOptions
from lorebook_tui.engine.prompt.table import Table, role_number
from lorebook_tui.engine.prompt.traced import EMPTY, JOINT, Origin, OriginKind, Traced
from lorebook_tui.model.js import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.prompt.chat_lines import ChatLine
    from lorebook_tui.engine.prompt.request import Run
    from lorebook_tui.engine.prompt.settings import PromptSettings
    from lorebook_tui.engine.trace import DepthRecord
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.scenario import Scenario
    from lorebook_tui.model.transcript import Message
    from lorebook_tui.tokens.base import TokenCounter

NOTE = Origin(OriginKind.NOTE)
CONTINUE, IMPERSONATE, QUIET, SWIPE, REGENERATE, NORMAL = (
    "continue",
    "impersonate",
    "quiet",
    "swipe",
    "regenerate",
    "normal",
)


def entry_origin(index: int) -> Origin:
    """Where the text of an entry comes from."""
    return Origin(OriginKind.ENTRY, entry=index)


def entries(texts: Iterable[tuple[int, str]]) -> Traced:
    """Texts of entries, one a line."""
    return Traced.joined((Traced.of(text, entry_origin(index)) for index, text in texts), "\n")


@dataclass
class Material:
    """Everything of one generation before it takes a shape."""

    settings: PromptSettings
    assembly: Assembly
    cast: Cast
    kind: str
    """Kind of generation."""
    dry_run: bool
    expander: Expander
    dice: Chance
    counter: TokenCounter
    context: int
    """Tokens for prompt and reply less the reply."""
    user: str
    char: str
    """Name of the speaking character."""
    members: tuple[str, ...]
    """Names of the group's members; empty outside a group."""
    chat_length: int
    """Messages that exist, hidden ones too."""
    last_is_user: bool
    """Whether the user wrote the last of them."""
    quiet: str = ""
    """The quiet prompt."""
    bias: str = ""
    bias_of_message: bool = False
    """The bias comes from a message, not from the settings."""
    fields: CardTexts = field(init=False)
    system_prompt: Traced = EMPTY
    """Text completion: the system prompt."""
    post_history: Traced = EMPTY
    lines: list[ChatLine] = field(default_factory=list)
    examples: list[Traced] = field(default_factory=list)
    """Blocks, each under its heading."""
    shown_examples: list[Traced] = field(default_factory=list)
    """The same as a text completion shows them, each text to be tried on its own."""
    before: Traced = EMPTY
    after: Traced = EMPTY
    table: Table = field(default_factory=Table)
    dropped: list[Dropped] = field(default_factory=list)

    @property
    def in_group(self) -> bool:
        """Whether it is a group chat."""
        return self.cast.group is not None

    @property
    def persona_in_prompt(self) -> bool:
        """Whether the persona has its place in the prompt itself."""
        return self.cast.persona.position == "in_prompt"

    def drop(self, content: Traced, reason: DropReason, where: str = "") -> None:
        """Note a text that does not come into the prompt."""
        if content:
            self.dropped.append(Dropped(content, reason, where))


def gather(run: Run, settings: PromptSettings) -> Material:
    """Read everything in the order of the program, so that variables act as they do there.

    Args:
        run: the generation as the program runs it.
        settings: which shape, and how.
    """
    assembly = run.assembly
    material = _begin(run, settings)
    expander = material.expander
    card = expander.environment.card or Card()
    messages = _messages(assembly)
    _read_wishes(material, run.simulation.scenario, messages[: len(messages) - run.added])
    if run.sent:
        expander.text(run.sent)
    material.fields = CardTexts(material.cast, card, expander)
    material.table.forget(table.CARD_NOTE)
    for note in material.fields.notes():
        material.table.set(note.name, note.text, table.IN_CHAT, note.depth, role_number(note.role))
    if messages:
        messages = with_first_replaced(messages, expander.text(messages[0].text))
        expander.environment.messages = messages
    material.lines = chat_lines(assembly.chat, messages, material.kind)
    material.examples = _blocks(material, material.fields["examples"])
    _after_scan(material, assembly)
    return material


def _begin(run: Run, settings: PromptSettings) -> Material:
    simulation, assembly, before = run.simulation, run.assembly, run.before
    scenario = simulation.scenario
    messages = _messages(assembly)
    environment = simulation.builder.environment(assembly.step, before, messages)
    dice = Chance(before.standing.dice)
    environment.draw = dice.draw
    environment.draw_random = dice.draw if scenario.random_macro == "stream" else None
    environment.outlets = Outlets(before.standing.outlets)
    environment.texts = {**environment.texts, **settings.texts}
    if not assembly.dry_run:
        environment.generation_type = assembly.trigger
    cast = scenario.cast
    if cast.group is not None and not assembly.dry_run:
        # SillyTavern 1.19 hands these options to no member of a group that really speaks.
        settings = replace(settings, generate=GenerateOptions())
    last = messages[-1] if messages else None
    material = Material(
        settings=settings,
        assembly=assembly,
        cast=cast,
        kind=assembly.trigger,
        dry_run=assembly.dry_run,
        expander=Expander(environment, Chance(before.standing.dice).draw, acts=simulation.builder.acts),
        dice=dice,
        counter=simulation.counter,
        context=assembly.turn.max_context,
        user=environment.user,
        char=environment.char,
        members=tuple(member.name for member in cast.group.members) if cast.group else (),
        chat_length=len(messages),
        last_is_user=bool(last and last.is_user),
    )
    environment.example_format = settings.example_format
    for prompt in scenario.injected:
        text = Traced.of(prompt.value, Origin(OriginKind.EXTENSION, prompt.name))
        material.table.set(prompt.name, text, prompt.position, prompt.depth, prompt.role)
    return material


def _messages(assembly: Assembly) -> tuple[Message, ...]:
    """The messages that exist, hidden ones too."""
    return tuple(assembly.chat.messages[: assembly.turn.upto])


def quiet_and_bias(
    scenario: Scenario, assembly: Assembly, settings: PromptSettings, messages: Sequence[Message]
) -> tuple[str, str]:
    """The quiet prompt and the bias, macros unreplaced."""
    step = assembly.step
    quiet = scenario.quiet_prompt if step.quiet_prompt is None else step.quiet_prompt
    if assembly.trigger in {CONTINUE, IMPERSONATE}:
        return quiet, ""
    return quiet, user_bias(messages, assembly.trigger) or settings.user.user_prompt_bias


def _read_wishes(material: Material, scenario: Scenario, messages: Sequence[Message]) -> None:
    """The quiet prompt and the bias are read before anything else."""
    quiet, bias = quiet_and_bias(scenario, material.assembly, material.settings, messages)
    environment = material.expander.environment
    environment.messages, shown = messages, environment.messages
    material.quiet = material.expander.text(quiet)
    material.bias = material.expander.text(bias)
    environment.messages = shown
    material.bias_of_message = bool(bias) and bias != material.settings.user.user_prompt_bias


def read_system_prompt(material: Material) -> None:
    """Text completion: system prompt and post-history instructions, the card's if it has them."""
    settings = material.settings
    prompt = settings.system_prompt
    if settings.api is not Api.TEXT or not prompt.enabled:
        return
    user = settings.user
    material.system_prompt = _overridden(
        material, "system_prompt", prompt.content, preferred=user.prefer_character_prompt
    )
    material.post_history = _overridden(
        material, "post_history", prompt.post_history, preferred=user.prefer_character_jailbreak
    )
    if settings.instruct.enabled:
        material.system_prompt = material.expander.traced(material.system_prompt)


def _overridden(material: Material, name: str, own: str, *, preferred: bool) -> Traced:
    """A prompt of the settings, or the card's in its place."""
    card = material.fields[name]
    expander = material.expander
    if preferred and card:
        return expander.traced(card, original=own)
    return _as_field(material, Traced.of(own, Origin(OriginKind.PROMPT, name)))


def _blocks(material: Material, text: Traced) -> list[Traced]:
    return material.settings.example_format.blocks(text, material.expander.text)


def _show_examples(material: Material) -> None:
    """SillyTavern 1.19: examples get their final form behind the scan, before this generation's outlets are there."""
    speakers = Speakers(material.user, material.char, material.members)
    form = material.settings.example_format
    material.shown_examples = form.shown(material.examples, speakers, material.expander.text)


def _after_scan(material: Material, assembly: Assembly) -> None:
    """What the scan gave goes to its places."""
    environment = material.expander.environment
    environment.local, environment.globals = dict(assembly.state.local), dict(assembly.state.globals)
    slots = assembly.slots
    material.before, material.after = entries(slots.before), entries(slots.after)
    _place_note(material, assembly)
    for example in slots.examples:
        content = Traced.of(example.content, entry_origin(example.index))
        found = _blocks(material, _as_field(material, content))
        material.examples = [*found, *material.examples] if example.position == 0 else [*material.examples, *found]
    _show_examples(material)
    if material.settings.generate.skip_lore:
        _skip(material, assembly)
    else:
        _place_depths(material, slots.depths)
        _place_outlets(material, assembly)
    _place_persona(material)


def _as_field(material: Material, text: Traced) -> Traced:
    """Read as the program reads a field of a card: macros of the card are empty in it."""
    text = material.expander.traced_in_card(text)
    if material.settings.user.collapse_newlines:
        text = text.single_line_feeds()
    return text.without_returns()


def strip_examples(material: Material) -> None:
    """Leave all example blocks out, those of entries too, if the settings say so."""
    if material.settings.user.strip_examples:
        for block in material.examples:
            material.drop(block, DropReason.STRIPPED, "examples")
        material.examples = []
        material.shown_examples = []


def _place_note(material: Material, assembly: Assembly) -> None:
    note, slots = assembly.note, assembly.slots
    if not note.exists:
        return
    bare = Traced.of(assembly.turn.note.value, NOTE)
    top, bottom = entries(slots.note_top), entries(slots.note_bottom)
    text = bare
    if note.value != bare.text:
        joint = Traced.of("\n", JOINT)
        text = Traced.joined((top, joint, bare, joint, bottom))
        start, end = text.text.startswith("\n"), text.text.endswith("\n")
        text = text.cut(1 if start else 0, len(text) - (1 if end and len(text) > start else 0))
    elif not note.merged:
        material.drop(top, DropReason.NOTE_NOT_DUE, table.NOTE)
        material.drop(bottom, DropReason.NOTE_NOT_DUE, table.NOTE)
    material.table.set(table.NOTE, text, note.position, note.depth, note.role)


def _skip(material: Material, assembly: Assembly) -> None:
    """The generation asks for no depth entries and outlets."""
    for record in assembly.slots.depths:
        material.drop(_record_text(record), DropReason.SKIPPED, "depth")
    for name, texts in assembly.slots.outlets.items():
        material.drop(entries(texts), DropReason.SKIPPED, name)


def _record_text(record: DepthRecord) -> Traced:
    return entries(zip(record.indices, record.texts, strict=True))


def _place_depths(material: Material, records: Sequence[DepthRecord]) -> None:
    material.table.forget(table.DEPTH_PREFIX)
    for record in records:
        name = f"{table.DEPTH_PREFIX}{text_of(record.depth)}_{text_of(record.role)}"
        material.table.set(name, _record_text(record), table.IN_CHAT, record.depth, record.role)


def _place_outlets(material: Material, assembly: Assembly) -> None:
    """Outlets of the last generation make room for those of this one."""
    material.table.forget(table.OUTLET_PREFIX)
    texts = {name: entries(listed) for name, listed in assembly.slots.outlets.items()}
    for name, text in texts.items():
        material.table.set(f"{table.OUTLET_PREFIX}{name}", text, table.NOWHERE, 0)
    expander = material.expander
    expander.environment.outlets = Outlets({name: text.text for name, text in texts.items()})
    expander.outlet_texts = texts


def _place_persona(material: Material) -> None:
    persona = material.cast.persona
    material.table.set(table.PERSONA, EMPTY, table.AFTER_MAIN, 0)
    text = Traced.of(persona.description, PERSONA)
    if not text:
        return
    if persona.position == "at_depth":
        material.table.set(table.PERSONA, text, table.IN_CHAT, persona.depth, persona.role)
    elif persona.position in {"top_an", "bottom_an"}:
        note = material.table.get(table.NOTE)
        if note is None or not material.assembly.note.merged:
            material.drop(text, DropReason.NOTE_NOT_DUE, table.NOTE)
            return
        pair = (text, note.value) if persona.position == "top_an" else (note.value, text)
        material.table.replace(replace(note, value=Traced.joined(pair, "\n")))
