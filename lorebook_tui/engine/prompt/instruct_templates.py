"""Shipped instruct templates by name."""

from __future__ import annotations

from typing import Final

from lorebook_tui.engine.prompt.instruct_data_a import TEMPLATES_A_TO_L
from lorebook_tui.engine.prompt.instruct_data_m import TEMPLATES_L_TO_Z

INSTRUCT_TEMPLATES: Final = {**TEMPLATES_A_TO_L, **TEMPLATES_L_TO_Z}
