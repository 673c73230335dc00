"""Cases of help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lorebook_tui.tui.screens.jumping import Jumping
from lorebook_tui.tui.screens.reader import Reader
from lorebook_tui.tui.screens.touring import TourCard
from tests.tui.action_cases.base import Case

if TYPE_CHECKING:
    from typing import Any


def is_jumping(bench: Any) -> bool:
    return isinstance(bench.app.screen, Jumping)


CASES: dict[str, Case] = {
    "global.reference": Case(
        lambda bench: isinstance(bench.app.screen, Reader) and "exact rule" in bench.text(), ("s",)
    ),
    "global.jump": Case(is_jumping),
    "global.tour": Case(lambda bench: bench.screen.query_one(TourCard).display and "step 1 of 6" in bench.text()),
}
