"""Settings of the prompt, frozen, under SillyTavern 1.19's names; defaults are those of a fresh install.

Depths count messages, contexts and paddings tokens. What has no bearing on the prompt is not here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.prompt.example_format import ExampleFormat
from lorebook_tui.engine.prompt.instruct_template import FRESH, InstructTemplate
from lorebook_tui.engine.prompt.story_template import FRESH_STORY, StoryTemplate
from lorebook_tui.engine.prompt.system_prompt import MAIN, SystemPrompt

if TYPE_CHECKING:
    from collections.abc import Mapping


class Api(Enum):
    """The two shapes of a prompt."""

    CHAT = "openai"
    """Chat completion: a list of messages."""
    TEXT = "text"
    """Text completion: one string."""


class Names(IntEnum):
    """SillyTavern's `names_behavior` of a chat completion."""

    NONE = -1
    DEFAULT = 0
    """In front, where it is not clear who speaks: groups, forced avatars."""
    COMPLETION = 1
    """As the field `name`."""
    CONTENT = 2
    """Always in front."""


class InjectionPlace(IntEnum):
    """Where a prompt of the manager stands."""

    RELATIVE = 0
    """In its slot."""
    IN_CHAT = 1
    """At a depth of the chat."""


@dataclass(frozen=True, slots=True)
class ManagerPrompt:
    """One prompt of the prompt manager. None: not set, so that the slot's own value counts."""

    identifier: str
    content: str = ""
    role: str | None = None
    system_prompt: bool = True
    """False for prompts that the user added."""
    injection_position: int | None = None
    injection_depth: int | None = None
    injection_order: int | None = None
    injection_trigger: Any = ()
    """A tuple of the kinds of generation it is for; empty, or anything else: all."""
    forbid_overrides: bool = False
    """The card's own text does not take its place."""


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One line of the manager's order."""

    identifier: str
    enabled: bool = True


_ENHANCE = (
    "If you have more knowledge of {{char}}, add to the character's lore and personality to enhance them but keep the "
    "Character Sheet's definitions absolute."
)
_MARKERS = (
    "dialogueExamples", "chatHistory", "worldInfoAfter", "worldInfoBefore", "charDescription", "charPersonality",
    "scenario", "personaDescription",
)  # fmt: skip
FRESH_PROMPTS = (
    ManagerPrompt("main", MAIN, "system"),
    ManagerPrompt("nsfw", "", "system"),
    ManagerPrompt("jailbreak", "", "system"),
    ManagerPrompt("enhanceDefinitions", _ENHANCE, "system"),
    *(ManagerPrompt(identifier) for identifier in _MARKERS),
)
_ORDER = (
    "main", "worldInfoBefore", "personaDescription", "charDescription", "charPersonality", "scenario",
    "-enhanceDefinitions", "nsfw", "worldInfoAfter", "dialogueExamples", "chatHistory", "jailbreak",
)  # fmt: skip
FRESH_ORDER = tuple(OrderRow(name.removeprefix("-"), not name.startswith("-")) for name in _ORDER)


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Settings of a chat completion."""

    wi_format: str = "{0}"
    scenario_format: str = "{{scenario}}"
    personality_format: str = "{{personality}}"
    new_chat_prompt: str = "[Start a new Chat]"
    new_group_chat_prompt: str = "[Start a new group chat. Group members: {{group}}]"
    new_example_chat_prompt: str = "[Example Chat]"
    group_nudge_prompt: str = "[Write the next reply only as {{char}}.]"
    continue_nudge_prompt: str = "[Continue your last message without repeating its original content.]"
    impersonation_prompt: str = (
        "[Write your next reply from the point of view of {{user}}, using the chat history so far as a guideline for "
        "the writing style of {{user}}. Write 1 reply only in internet RP style. Don't write as {{char}} or system. "
        "Don't describe actions of {{char}}.]"
    )
    send_if_empty: str = ""
    squash_system_messages: bool = False
    names_behavior: int = Names.DEFAULT
    continue_prefill: bool = False
    continue_postfix: str = " "


@dataclass(frozen=True, slots=True)
class UserSettings:
    """User settings that act in both shapes."""

    pin_examples: bool = False
    strip_examples: bool = False
    collapse_newlines: bool = False
    always_force_name2: bool = True
    prefer_character_prompt: bool = True
    prefer_character_jailbreak: bool = True
    user_prompt_bias: str = ""
    token_padding: int = 64

    @property
    def unread_fields(self) -> frozenset[str]:
        """Fields of the card that are passed over; a scenario for the same settings names them too."""
        fields = {"system_prompt": self.prefer_character_prompt, "post_history": self.prefer_character_jailbreak}
        return frozenset(name for name, preferred in fields.items() if not preferred)


@dataclass(frozen=True, slots=True)
class GenerateOptions:
    """What extensions can ask of one generation."""

    quiet_to_loud: bool = False
    """The quiet prompt is followed by the character's name."""
    skip_lore: bool = False
    """`skipWIAN`: no depth entries, no outlets."""
    quiet_name: str | None = None
    """Who answers a quiet prompt with an instruct template."""


@dataclass(frozen=True, slots=True)
class PromptSettings:
    """Everything that shapes a prompt and is no lore, cast or chat."""

    api: Api = Api.CHAT
    chat: ChatSettings = ChatSettings()
    prompts: tuple[ManagerPrompt, ...] = FRESH_PROMPTS
    order: tuple[OrderRow, ...] = FRESH_ORDER
    instruct: InstructTemplate = FRESH
    story: StoryTemplate = FRESH_STORY
    system_prompt: SystemPrompt = SystemPrompt()
    user: UserSettings = UserSettings()
    generate: GenerateOptions = GenerateOptions()
    texts: Mapping[str, str] = field(default_factory=dict)
    """Other values of macros that tell settings, by name in lower case."""

    @property
    def example_format(self) -> ExampleFormat:
        """How the prompt and `{{mesExamples}}` show the card's examples; a scenario for the same settings asks too."""
        template = self.instruct if self.instruct.enabled and self.api is Api.TEXT else None
        starts = self.api is Api.CHAT or template is not None
        return ExampleFormat(template, self.story.example_separator, starts)

    def prompt(self, identifier: str) -> ManagerPrompt | None:
        """A prompt of the manager."""
        return next((prompt for prompt in self.prompts if prompt.identifier == identifier), None)
