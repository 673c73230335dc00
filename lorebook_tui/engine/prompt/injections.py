"""In-chat prompts of a chat completion: what stands at which depth, and merged how."""

from __future__ import annotations

from functools import cmp_to_key
from typing import TYPE_CHECKING

from lorebook_tui.engine.prompt import table
from lorebook_tui.engine.prompt.chat_lines import ChatLine
from lorebook_tui.engine.prompt.manager import DEFAULT_PRIORITY
from lorebook_tui.engine.prompt.pieces import DropReason
from lorebook_tui.engine.prompt.traced import Traced
from lorebook_tui.model.js import key_order, to_number

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lorebook_tui.engine.prompt.manager import Prompt
    from lorebook_tui.engine.prompt.material import Material


def inject(lines: Sequence[ChatLine], prompts: Sequence[Prompt], material: Material) -> list[ChatLine]:
    """The chat with its injections, oldest first.

    SillyTavern 1.19: messages of depth d stand before the last d messages of the chat, those of the table and of the
    manager together; a depth beyond the chat stands above it.

    Args:
        lines: the chat, oldest first.
        prompts: prompts of the manager that stand in the chat.
        material: gives the table.
    """
    for prompt in prompts:
        if not table.placeable(prompt.depth):
            material.drop(prompt.content, DropReason.NO_SUCH_DEPTH, prompt.identifier)
        elif prompt.role not in table.ROLES:
            material.drop(prompt.content, DropReason.NO_SUCH_ROLE, prompt.identifier)
    newest_first = list(reversed(lines))
    inserted = 0
    depths = {int(prompt.depth) for prompt in prompts if prompt.content and table.placeable(prompt.depth)}
    for depth in sorted(depths.union(material.table.depths())):
        here = _at_depth(depth, prompts, material)
        place = depth + inserted
        newest_first[place:place] = here
        inserted += len(here)
    newest_first.reverse()
    return newest_first


def _at_depth(depth: int, prompts: Sequence[Prompt], material: Material) -> list[ChatLine]:
    """The messages of one depth from the newest up: the greatest priority first, in each system, user, assistant."""
    here = [prompt for prompt in prompts if prompt.depth == depth and prompt.content]
    found = []
    for priority in _descending({DEFAULT_PRIORITY: None, **{prompt.priority: None for prompt in here}}):
        for role in table.ROLES:
            own = [prompt.content for prompt in here if prompt.priority == priority and prompt.role == role]
            texts = [Traced.joined(own, "\n")]
            if priority == DEFAULT_PRIORITY:
                texts.append(material.table.at(table.IN_CHAT, material.expander, depth, role))
            text = Traced.joined((part.trim() for part in texts if part), "\n")
            if text:
                found.append(injected_line(material, role, text))
    return found


def _descending(priorities: Iterable[str]) -> list[str]:
    """The groups of one depth, the greatest first; one that is no number stays where JavaScript lists it."""

    def compared(one: str, other: str) -> int:
        first, second = to_number(one), to_number(other)
        return (first < second) - (first > second)

    return sorted(key_order(priorities), key=cmp_to_key(compared))


def injected_line(material: Material, role: str, text: Traced) -> ChatLine:
    """A text of a role as a line of the chat."""
    name = {"user": material.user, "assistant": material.char}.get(role, "")
    return ChatLine(name, text, is_user=role == "user", is_narrator=role == "system", injected=True)


def drop_unplaceable(material: Material) -> None:
    """Note the prompts of the table that can stand nowhere."""
    for row in material.table.overwritten:
        material.drop(row.value, DropReason.OVERWRITTEN, row.name)
    for row in material.table.rows():
        if row.position == table.IN_CHAT and not table.placeable(row.depth):
            material.drop(row.value, DropReason.NO_SUCH_DEPTH, row.name)
        elif row.position == table.IN_CHAT and table.role_name(row.role) is None:
            material.drop(row.value, DropReason.NO_SUCH_ROLE, row.name)
        elif row.position not in {table.NOWHERE, table.AFTER_MAIN, table.IN_CHAT, table.BEFORE_MAIN}:
            material.drop(row.value, DropReason.NO_PLACE, row.name)
