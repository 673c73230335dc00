"""What tests of drawn values share: a scene that is replayed, and blocks as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.glyphs import Glyphs
from lorebook_tui.tui.replay import Replay
from lorebook_tui.tui.scene import Scene
from tests.unit.engine.lore import COUNTER, scenario

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.layers import EntryRef
    from lorebook_tui.tui.ink import Block, Line
    from lorebook_tui.tui.replay import Picture

SIGNS, LETTERS = Glyphs(), Glyphs(letters=True)


def text_of(lines: Iterable[Line]) -> str:
    """Lines without what stands at their ends."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


def drawn(blocks: Iterable[Block], width: int = 80) -> str:
    """Blocks one under the other."""
    return "\n".join(text_of(block.lines(width)) for block in blocks)


def replayed(*listed: Entry, **parts: Any) -> Replay:
    """Every turn of a scenario, one token per character."""
    replay = Replay(Scene("test", scenario(*listed, **parts)), COUNTER, "each")
    replay.prepare()
    while not replay.complete:
        replay.advance()
    return replay


def last(*listed: Entry, **parts: Any) -> Picture:
    """The last turn of a scenario."""
    replay = replayed(*listed, **parts)
    return replay.picture(len(replay.steps) - 1)


def ref_of(picture: Picture, index: int) -> EntryRef | None:
    """Where an entry stands."""
    assert picture.replay.catalogue
    return picture.replay.catalogue.ref(index)
