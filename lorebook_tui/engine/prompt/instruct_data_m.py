"""Shipped instruct templates, L to Z, as their effects show in prompts."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.prompt.instruct_template import InstructTemplate

TEMPLATES_L_TO_Z: Final[dict[str, InstructTemplate]] = {
    "Llama 2 Chat": InstructTemplate(
        story_string_prefix="[INST] <<SYS>>\n",
        story_string_suffix="\n<</SYS>> Understood. [/INST]",
        input_sequence="[INST] ",
        input_suffix=" [/INST]\n",
        output_suffix="\n",
        user_alignment_message=(
            "Let's get started. Please respond based on the information and instructions provided above."
        ),
        wrap=False,
        system_same_as_user=True,
    ),
    "Llama 3 Instruct": InstructTemplate(
        story_string_prefix="<|start_header_id|>system<|end_header_id|>\n\n",
        story_string_suffix="<|eot_id|>",
        input_sequence="<|start_header_id|>user<|end_header_id|>\n\n",
        input_suffix="<|eot_id|>",
        output_sequence="<|start_header_id|>assistant<|end_header_id|>\n\n",
        output_suffix="<|eot_id|>",
        system_sequence="<|start_header_id|>system<|end_header_id|>\n\n",
        system_suffix="<|eot_id|>",
        stop_sequence="<|eot_id|>",
        wrap=False,
    ),
    "Llama 4 Instruct": InstructTemplate(
        story_string_prefix="<|begin_of_text|><|header_start|>system<|header_end|>\n\n",
        story_string_suffix="<|eot|>",
        input_sequence="<|header_start|>user<|header_end|>\n\n",
        input_suffix="<|eot|>",
        output_sequence="<|header_start|>assistant<|header_end|>\n\n",
        output_suffix="<|eot|>",
        system_sequence="<|header_start|>system<|header_end|>\n\n",
        system_suffix="<|eot|>",
        stop_sequence="<|eot|>",
        wrap=False,
    ),
    "Llama-3-Instruct-Names": InstructTemplate(
        story_string_prefix="<|start_header_id|>system<|end_header_id|>\n\n",
        story_string_suffix="<|eot_id|>",
        input_sequence="<|start_header_id|>{{name}}<|end_header_id|>\n\n",
        input_suffix="<|eot_id|>",
        output_sequence="<|start_header_id|>{{name}}<|end_header_id|>\n\n",
        output_suffix="<|eot_id|>",
        system_sequence="<|start_header_id|>system<|end_header_id|>\n\n",
        system_suffix="<|eot_id|>",
        stop_sequence="<|eot_id|>",
        wrap=False,
        names_behavior="none",
        system_same_as_user=True,
    ),
    "Metharme": InstructTemplate(
        story_string_prefix="<|system|>",
        input_sequence="<|user|>",
        output_sequence="<|model|>",
        stop_sequence="</s>",
        wrap=False,
        system_same_as_user=True,
    ),
    "Mistral V1": InstructTemplate(
        story_string_prefix=" [INST] ",
        story_string_suffix=" [/INST] Understood.</s>",
        input_sequence=" [INST] ",
        output_sequence=" [/INST] ",
        output_suffix="</s>",
        last_output_sequence=" [/INST]",
        user_alignment_message=(
            "Let's get started. Please respond based on the information and instructions provided above."
        ),
        wrap=False,
        system_same_as_user=True,
    ),
    "Mistral V2 & V3": InstructTemplate(
        story_string_prefix="[INST] ",
        story_string_suffix="[/INST] Understood.</s>",
        input_sequence="[INST] ",
        output_sequence="[/INST] ",
        output_suffix="</s>",
        last_output_sequence="[/INST]",
        user_alignment_message=(
            "Let's get started. Please respond based on the information and instructions provided above."
        ),
        wrap=False,
        system_same_as_user=True,
    ),
    "Mistral V3-Tekken": InstructTemplate(
        story_string_prefix="[INST]",
        story_string_suffix="[/INST]Understood.</s>",
        input_sequence="[INST]",
        output_sequence="[/INST]",
        output_suffix="</s>",
        user_alignment_message=(
            "Let's get started. Please respond based on the information and instructions provided above."
        ),
        wrap=False,
        system_same_as_user=True,
    ),
    "Mistral V7": InstructTemplate(
        story_string_prefix="[SYSTEM_PROMPT] ",
        story_string_suffix="[/SYSTEM_PROMPT]",
        input_sequence="[INST] ",
        input_suffix="[/INST]",
        output_sequence=" ",
        output_suffix="</s>",
        system_sequence="[SYSTEM_PROMPT] ",
        system_suffix="[/SYSTEM_PROMPT]",
        stop_sequence="</s>",
        wrap=False,
    ),
    "Mistral V7-Tekken": InstructTemplate(
        story_string_prefix="[SYSTEM_PROMPT]",
        story_string_suffix="[/SYSTEM_PROMPT]",
        input_sequence="[INST]",
        input_suffix="[/INST]",
        output_suffix="</s>",
        system_sequence="[SYSTEM_PROMPT]",
        system_suffix="[/SYSTEM_PROMPT]",
        stop_sequence="</s>",
        wrap=False,
    ),
    "Moonshot AI": InstructTemplate(
        story_string_prefix="<|im_system|>system<|im_middle|>",
        story_string_suffix="<|im_end|>",
        input_sequence="<|im_user|>user<|im_middle|>",
        input_suffix="<|im_end|>",
        output_sequence="<|im_assistant|>assistant<|im_middle|>",
        output_suffix="<|im_end|>",
        system_sequence="<|im_system|>system<|im_middle|>",
        system_suffix="<|im_end|>",
        stop_sequence="<|im_end|>",
        wrap=False,
    ),
    "OpenAI Harmony": InstructTemplate(
        story_string_prefix="<|start|>system<|message|>",
        story_string_suffix="<|end|>",
        input_sequence="<|start|>user<|message|>",
        input_suffix="<|end|>",
        output_sequence="<|start|>assistant<|channel|>final<|message|>",
        output_suffix="<|end|>",
        system_sequence="<|start|>developer<|message|>",
        system_suffix="<|end|>",
        wrap=False,
    ),
    "OpenAI Harmony (Thinking)": InstructTemplate(
        story_string_prefix="<|start|>system<|message|>",
        story_string_suffix="<|end|>",
        input_sequence="<|start|>user<|message|>",
        input_suffix="<|end|>",
        output_sequence="<|start|>assistant<|channel|>final<|message|>",
        output_suffix="<|end|>",
        system_sequence="<|start|>developer<|message|>",
        system_suffix="<|end|>",
        last_output_sequence="{{noop}}",
        wrap=False,
    ),
    "OpenOrca-OpenChat": InstructTemplate(
        input_sequence="\nUser: ",
        input_suffix="<|end_of_turn|>",
        output_sequence="\nAssistant: ",
        output_suffix="<|end_of_turn|>",
        wrap=False,
    ),
    "Phi": InstructTemplate(
        story_string_prefix="<|system|>\n",
        story_string_suffix="<|end|>\n",
        input_sequence="<|user|>\n",
        input_suffix="<|end|>\n",
        output_sequence="<|assistant|>\n",
        output_suffix="<|end|>\n",
        system_sequence="<|system|>\n",
        system_suffix="<|end|>\n",
        stop_sequence="<|end|>",
        wrap=False,
    ),
    "simple-proxy-for-tavern": InstructTemplate(
        story_string_prefix=(
            '## {{char}}\n- You\'re "{{char}}" in this never-ending roleplay with "{{user}}".\n### Input:'
        ),
        story_string_suffix=(
            "### Response:\n(OOC) Understood. I will take this info into account for the roleplay. (end OOC)\n"
        ),
        input_sequence="### Instruction:\n#### {{name}}:",
        output_sequence="### Response:\n#### {{name}}:",
        last_output_sequence=(
            "### Response (2 paragraphs, engaging, natural, authentic, descriptive, creative):\n#### {{name}}:"
        ),
        names_behavior="none",
    ),
    "Story": InstructTemplate(
        names_behavior="none",
    ),
    "Synthia": InstructTemplate(
        story_string_prefix="SYSTEM: ",
        story_string_suffix="\n",
        input_sequence="USER: ",
        input_suffix="\n",
        output_sequence="ASSISTANT: ",
        output_suffix="\n",
        system_sequence="SYSTEM: ",
        system_suffix="\n",
        user_alignment_message=(
            "Let's get started. Please respond based on the information and instructions provided above."
        ),
        wrap=False,
    ),
    "Tulu": InstructTemplate(
        story_string_prefix="<|system|>\n",
        story_string_suffix="\n",
        input_sequence="<|user|>\n",
        input_suffix="\n",
        output_sequence="<|assistant|>\n",
        output_suffix="<|end_of_text|>\n",
        system_sequence="<|system|>\n",
        system_suffix="\n",
        stop_sequence="<|end_of_text|>",
        wrap=False,
    ),
    "Vicuna 1.0": InstructTemplate(
        input_sequence="### Human:",
        output_sequence="### Assistant:",
        system_same_as_user=True,
    ),
    "Vicuna 1.1": InstructTemplate(
        story_string_prefix="BEGINNING OF CONVERSATION: ",
        input_sequence="\nUSER: ",
        output_sequence="\nASSISTANT: ",
        output_suffix="</s>",
        wrap=False,
        system_same_as_user=True,
    ),
    "WizardLM": InstructTemplate(
        output_sequence="### Response:",
        output_suffix="</s>",
    ),
    "WizardLM-13B": InstructTemplate(
        input_sequence="USER: ",
        output_sequence="ASSISTANT: ",
        system_same_as_user=True,
    ),
}
