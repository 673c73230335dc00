"""The signs under their former name, for parts that still ask here."""

from lorebook_tui.glyphs import Glyphs, Kind, Mark, kind_of, mark_of, mark_of_outcome

__all__ = ["Glyphs", "Kind", "Mark", "kind_of", "mark_of", "mark_of_outcome"]
