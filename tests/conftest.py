"""Ground rules for all tests."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("lorebook", deadline=None, print_blob=True)
settings.load_profile("lorebook")
