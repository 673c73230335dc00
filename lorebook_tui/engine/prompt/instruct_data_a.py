"""Shipped instruct templates, A to L, as their effects show in prompts."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.prompt.instruct_template import InstructTemplate

TEMPLATES_A_TO_L: Final[dict[str, InstructTemplate]] = {
    "Adventure": InstructTemplate(
        names_behavior="none",
    ),
    "Alpaca": InstructTemplate(
        story_string_suffix="\n\n",
        input_sequence="### Instruction:",
        input_suffix="\n\n",
        output_sequence="### Response:",
        output_suffix="\n\n",
        system_sequence="### Input:",
        system_suffix="\n\n",
    ),
    "Alpaca-Single-Turn": InstructTemplate(
        story_string_prefix=(
            "Below is an instruction that describes a task. Write a response that appropriately completes "
            "the request.\n\n### Instruction:"
        ),
        story_string_suffix="\n",
        first_output_sequence="<START OF CHAT>",
        last_output_sequence="\n### Response:",
    ),
    "ChatML": InstructTemplate(
        story_string_prefix="<|im_start|>system",
        story_string_suffix="<|im_end|>\n",
        input_sequence="<|im_start|>user",
        input_suffix="<|im_end|>\n",
        output_sequence="<|im_start|>assistant",
        output_suffix="<|im_end|>\n",
        system_sequence="<|im_start|>system",
        system_suffix="<|im_end|>\n",
        stop_sequence="<|im_end|>",
    ),
    "ChatML-Names": InstructTemplate(
        story_string_prefix="<|im_start|>system",
        story_string_suffix="<|im_end|>\n",
        input_sequence="<|im_start|>{{name}}",
        input_suffix="<|im_end|>\n",
        output_sequence="<|im_start|>{{name}}",
        output_suffix="<|im_end|>\n",
        system_sequence="<|im_start|>system",
        system_suffix="<|im_end|>\n",
        stop_sequence="<|im_end|>",
        names_behavior="none",
    ),
    "Command R": InstructTemplate(
        story_string_prefix="<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>",
        story_string_suffix="<|END_OF_TURN_TOKEN|>",
        input_sequence="<|START_OF_TURN_TOKEN|><|USER_TOKEN|>",
        input_suffix="<|END_OF_TURN_TOKEN|>",
        output_sequence="<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>",
        output_suffix="<|END_OF_TURN_TOKEN|>",
        system_sequence="<|START_OF_TURN_TOKEN|><|SYSTEM_TOKEN|>",
        system_suffix="<|END_OF_TURN_TOKEN|>",
        stop_sequence="<|END_OF_TURN_TOKEN|>",
        wrap=False,
    ),
    "DeepSeek-V2.5": InstructTemplate(
        input_sequence="<｜User｜>",
        output_sequence="<｜Assistant｜>",
        output_suffix="<｜end▁of▁sentence｜>",
        wrap=False,
        system_same_as_user=True,
    ),
    "Gemma 2": InstructTemplate(
        story_string_prefix="<start_of_turn>user",
        story_string_suffix="<end_of_turn>\n",
        input_sequence="<start_of_turn>user",
        input_suffix="<end_of_turn>\n",
        output_sequence="<start_of_turn>model",
        output_suffix="<end_of_turn>\n",
        system_sequence="<start_of_turn>system",
        system_suffix="<end_of_turn>\n",
        stop_sequence="<end_of_turn>",
        system_same_as_user=True,
    ),
    "GLM-4": InstructTemplate(
        story_string_prefix="[gMASK]<sop>",
        story_string_suffix="\n",
        input_sequence="<|user|>\n",
        output_sequence="<|assistant|>\n",
        wrap=False,
        system_same_as_user=True,
    ),
    "Koala": InstructTemplate(
        story_string_prefix="BEGINNING OF CONVERSATION: ",
        story_string_suffix="\n",
        input_sequence="USER: ",
        input_suffix=" ",
        output_sequence="GPT: ",
        output_suffix="</s>",
        wrap=False,
        system_same_as_user=True,
    ),
    "KoboldAI": InstructTemplate(
        story_string_prefix="{{[SYSTEM]}}",
        story_string_suffix="{{[SYSTEM_END]}}",
        input_sequence="{{[INPUT]}}",
        input_suffix="{{[INPUT_END]}}",
        output_sequence="{{[OUTPUT]}}",
        output_suffix="{{[OUTPUT_END]}}",
        system_sequence="{{[SYSTEM]}}",
        system_suffix="{{[SYSTEM_END]}}",
        wrap=False,
    ),
    "Libra-32B": InstructTemplate(
        story_string_prefix="### Instruction:",
        last_output_sequence="\n### Response:",
        names_behavior="always",
    ),
    "Lightning 1.1": InstructTemplate(
        story_string_prefix=(
            "Below is an instruction that describes a task. Write a response that appropriately completes "
            "the request.\n\n### Instruction:"
        ),
        story_string_suffix="\n\n",
        input_sequence="### Instruction:",
        input_suffix="\n\n",
        output_sequence="### Response:",
        output_suffix="\n\n",
        last_output_sequence="### Response: (length = unlimited)",
        system_same_as_user=True,
    ),
}
