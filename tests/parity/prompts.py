"""An assembled prompt in the interchange format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.engine.prompt import Api
from lorebook_tui.engine.prompt.table import AFTER_MAIN, BEFORE_MAIN, IN_CHAT, role_name
from tests.parity.results import effects, number, refs

if TYPE_CHECKING:
    from lorebook_tui.engine.assemble import Assembly
    from lorebook_tui.engine.prompt import AssembledPrompt, PromptMessage
    from lorebook_tui.engine.prompt.pieces import Injection


def prompt_result(prompt: AssembledPrompt, asked: Assembly) -> dict[str, Any]:
    """The `prompt` of one run."""
    row: dict[str, Any] = {"api": prompt.api.value}
    row |= _chat(prompt) if prompt.api is Api.CHAT else _text(prompt)
    for name, position in (("in_chat", IN_CHAT), ("before_prompt", BEFORE_MAIN), ("in_prompt", AFTER_MAIN)):
        rows = sorted(prompt.injections, key=lambda item: item.name.encode("utf-16-be", "surrogatepass"))
        row[name] = [_injection(item) for item in rows if item.position == position and item.value]
    row["outlets"] = dict(prompt.outlets)
    row["tokens"] = prompt.tokens
    if prompt.first_in_context is not None:
        row["first_in_context"] = prompt.first_in_context
    if prompt.error:
        row["error"] = prompt.error
    if prompt.toasts:
        row["toasts"] = list(prompt.toasts)
    differences = _differences(asked, prompt.assembly) if prompt.changed else {}
    if differences:
        row["scan_differs"] = differences
    return row


def _chat(prompt: AssembledPrompt) -> dict[str, Any]:
    return {
        "messages": [_message(message) for message in prompt.messages],
        "collections": [
            {
                **({"id": slot.identifier} if slot.identifier else {}),
                "messages": len(slot.filled),
                "tokens": slot.tokens,
            }
            for slot in prompt.slots
        ],
    }


def _message(message: PromptMessage) -> dict[str, Any]:
    row: dict[str, Any] = {"id": message.identifier, "role": message.role, "content": message.content.text}
    if message.slot and message.slot != message.identifier:
        row["in"] = message.slot
    if message.role == "tool":
        row["tool_call_id"] = message.identifier
    if message.name:
        row["name"] = message.name
    return row


def _text(prompt: AssembledPrompt) -> dict[str, Any]:
    parts = prompt.parts
    assert parts is not None
    return {
        "text": prompt.text,
        "parts": {
            "story_string": parts.story.text,
            "examples": parts.examples.text,
            "chat": [
                {"text": line.content.text, **({"injected": True} if line.injected else {})} for line in parts.chat
            ],
            "continued": parts.continued.text,
        },
    }


def _injection(item: Injection) -> dict[str, Any]:
    return {
        "name": item.name,
        **({"depth": number(item.depth)} if item.position == IN_CHAT else {}),
        "role": role_name(item.role) or number(item.role),
        "value": item.value.text,
    }


def _differences(asked: Assembly, run: Assembly) -> dict[str, Any]:
    """What the scan of the generation did otherwise than the one that was asked for."""
    row: dict[str, Any] = {}
    activated = [refs(one, (admitted.index for admitted in one.admitted)) for one in (asked, run)]
    if activated[0] != activated[1]:
        row["activated"] = activated[1]
    timed = [
        {kind: effects(one, getattr(one.state.timed, kind)) for kind in ("sticky", "cooldown")} for one in (asked, run)
    ]
    if timed[0] != timed[1]:
        row["timed"] = timed[1]
    draws = [[draw.value for draw in one.draws] for one in (asked, run)]
    if draws[0] != draws[1]:
        row["draws"] = draws[1]
    first = [
        f"[WI] --- START WI SCAN (on {one.turn.length} messages, trigger = {one.turn.trigger}) ---"
        for one in (asked, run)
    ]
    if first[0] != first[1]:
        row["log"] = {"line": 0, "scan": first[0], "generate": first[1]}
    return row
