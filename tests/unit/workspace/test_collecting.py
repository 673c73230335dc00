"""The collector rests while a function runs, and is as before afterwards."""

from __future__ import annotations

import gc

import pytest

from lorebook_tui.workspace.collecting import without_collections


@without_collections
def asked(*, fails: bool = False) -> bool:
    if fails:
        raise ValueError
    return gc.isenabled()


def test_the_collector_rests_and_goes_on() -> None:
    assert gc.isenabled()
    assert asked() is False
    assert gc.isenabled()
    with pytest.raises(ValueError, match=r"^$"):
        asked(fails=True)
    assert gc.isenabled()


def test_a_collector_that_rests_already_stays_so() -> None:
    gc.disable()
    try:
        assert asked() is False
        assert not gc.isenabled()
    finally:
        gc.enable()
