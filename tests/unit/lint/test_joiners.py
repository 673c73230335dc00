"""What joins and parts letters unseen is known by what stands beside it, in every script."""

from __future__ import annotations

import sys
import unicodedata

import pytest

from lorebook_tui.lint.joiners import is_needed

VIRAMA = 9


@pytest.mark.parametrize(
    "text",
    [
        "ශ්\u200dරී",
        "র\u200d্যাব",
        "അവന്\u200d",
        "क्\u200dष",
        "श्री\u200c",
        "می\u200cخواهم",
        "ه\u200d",
        "ܐ\u200dܒ",
        "👩\u200d🌾",
        "🏴\u200d☠️",
        "👩🏽\u200d🚀",
        "❤️\u200d🔥",
        "🙂\u200d↔️",
        "ខ្ញុំ\u200bទៅ",
        "ᠬᠠᠷ\u180eᠠ",
        "שלום\u200e",
    ],
)
def test_is_needed(text: str) -> None:
    place = next(number for number, char in enumerate(text) if unicodedata.category(char) == "Cf")
    assert is_needed(text, place)


@pytest.mark.parametrize(
    "text", ["b\u200dc", "я\u200cк", "\u200dа", "a\u200c", "👩\u200d", "1\u200b2", "क\u200bख", "a\u180eb", "a\u200eb"]
)
def test_is_left_over(text: str) -> None:
    place = next(number for number, char in enumerate(text) if unicodedata.category(char) == "Cf")
    assert not is_needed(text, place)


def test_a_joiner_stays_beside_every_virama_there_is() -> None:
    viramas = [char for char in map(chr, range(sys.maxunicode + 1)) if unicodedata.combining(char) == VIRAMA]
    assert [f"{ord(char):X}" for char in viramas if not is_needed(f"{char}\u200d ", 1)] == []
