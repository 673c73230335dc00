"""An entry that a pass considers: the loaded one, or the object given by a forced activation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lorebook_tui.engine.compiled_entry import CompiledEntry
    from lorebook_tui.engine.trace import Cause


@dataclass(slots=True, eq=False)
class Candidate:
    """One candidate of a pass; compared by identity."""

    rules: CompiledEntry
    """The compiled entry whose fields count."""
    number: int
    """Load index of the loaded entry it stands for."""
    cause: Cause
    sticky: bool = False
    held_back: bool = False
    """On cooldown or delayed: a group puts it out."""
    forced: bool = False
    content: str = ""
    """The text; its macros are replaced when the entry passed its roll."""

    def __post_init__(self) -> None:
        self.content = self.rules.content

    @property
    def sort_key(self) -> tuple[bool, int]:
        """Sticky ones first, then load order; a given object has no place in it and precedes all."""
        return (not self.sticky, -1 if self.forced else self.number)
