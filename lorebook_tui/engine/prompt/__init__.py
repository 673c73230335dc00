"""The prompt of SillyTavern 1.19 from the results of a scan: where its texts come from, and what was left out."""

from __future__ import annotations

from lorebook_tui.engine.prompt.course import assemble_prompt
from lorebook_tui.engine.prompt.pieces import AssembledPrompt, DropReason, Piece, PromptMessage
from lorebook_tui.engine.prompt.settings import Api, PromptSettings
from lorebook_tui.engine.prompt.traced import Origin, OriginKind, Span, Traced

__all__ = [
    "Api",
    "AssembledPrompt",
    "DropReason",
    "Origin",
    "OriginKind",
    "Piece",
    "PromptMessage",
    "PromptSettings",
    "Span",
    "Traced",
    "assemble_prompt",
]
