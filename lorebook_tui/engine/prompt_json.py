"""An assembled prompt as JSON, part of a turn's trace. The schema is in `prompt_schema`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.prompt.views import prompt_view

if TYPE_CHECKING:
    from lorebook_tui.engine.prompt import AssembledPrompt
    from lorebook_tui.engine.prompt.views import PromptPiece, PromptRow

JsonMap = dict[str, Any]


def prompt_json(prompt: AssembledPrompt) -> JsonMap:
    """Everything about one prompt."""
    view = prompt_view(prompt)
    return {
        "api": prompt.api.name.lower(),
        "tokens": view.tokens,
        "context": view.context,
        "error": view.error or None,
        "sent": not view.stops,
        "changed": view.changed,
        "first_in_context": prompt.first_in_context,
        "sources": {source.code: tokens for source, tokens in view.shares},
        "rows": [_row(row) for row in view.rows],
        "dropped": [_dropped(row) for row in view.dropped],
        "missing": [
            {"entry": entry.index, "reason": entry.code, "sentence": entry.why, "tokens": entry.tokens}
            for entry in view.missing
        ],
        "outlets": dict(prompt.outlets),
    }


def _row(row: PromptRow) -> JsonMap:
    return {
        "role": row.role or None,
        "name": row.name or None,
        "identifier": row.identifier or None,
        "title": row.title or None,
        "tokens": row.tokens,
        "text": row.text,
        "pieces": [_piece(piece) for piece in row.pieces],
    }


def _dropped(row: PromptRow) -> JsonMap:
    return {
        "reason": row.reason.code if row.reason else None,
        "title": row.title or None,
        "tokens": row.tokens,
        "text": row.text,
        "pieces": [_piece(piece) for piece in row.pieces],
    }


def _piece(piece: PromptPiece) -> JsonMap:
    return {
        "source": piece.source.code,
        "label": piece.label,
        "entry": piece.index,
        "message": piece.message,
        "start": piece.start,
        "end": piece.start + len(piece.text),
        "tokens": piece.tokens,
    }
