"""An instruct template: the sequences around each message of a text completion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class InstructTemplate:
    """One template under SillyTavern 1.19's names."""

    enabled: bool = False
    input_sequence: str = ""
    """Before a message of the user."""
    input_suffix: str = ""
    output_sequence: str = ""
    """Before a message of the character."""
    output_suffix: str = ""
    system_sequence: str = ""
    system_suffix: str = ""
    first_input_sequence: str = ""
    last_input_sequence: str = ""
    first_output_sequence: str = ""
    last_output_sequence: str = ""
    last_system_sequence: str = ""
    story_string_prefix: str = ""
    story_string_suffix: str = ""
    stop_sequence: str = ""
    user_alignment_message: str = ""
    wrap: bool = True
    """A line feed between a sequence and its text."""
    macro: bool = True
    """Macros in sequences are replaced."""
    names_behavior: str = "force"
    """none, force (groups and forced avatars) or always."""
    skip_examples: bool = False
    """Examples stay plain text."""
    system_same_as_user: bool = False


FRESH = InstructTemplate(
    input_sequence="### Instruction:",
    input_suffix="\n\n",
    output_sequence="### Response:",
    output_suffix="\n\n",
    system_sequence="### Input:",
    system_suffix="\n\n",
)
"""The template of a fresh install (Alpaca), switched off."""
