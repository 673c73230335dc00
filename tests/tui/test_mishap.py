"""A mistake of ours that nothing has caught ends the program in three lines, with no text of the book."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lorebook_tui.tui.app import LorebookApp
from lorebook_tui.workspace import mishap, places

if TYPE_CHECKING:
    from pathlib import Path

    import pytest
    from textual.pilot import Pilot

    from lorebook_tui.tui.scene import Scene


def stumble() -> None:
    """Fail as code fails."""
    words = "[red]the text of a book\x1b[31m"
    raise IndexError(words)


def test_three_lines_and_a_file(
    scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    app = LorebookApp(lambda: scene)

    async def fail(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        app.call_later(stumble)
        await pilot.pause(0.2)

    app.run(headless=True, size=(80, 24), auto_pilot=fail)
    told = capsys.readouterr().err
    written = (places.state_folder() / "mishap.txt").read_text("utf-8")
    assert app.return_code == 1
    assert "a mistake of lorebook-tui, not yours (IndexError)" in told
    assert "in the journal" in told
    assert "Traceback" not in told
    assert "text of a book" not in told + written
    assert "in stumble" in written


def test_nowhere_to_write(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file", "utf-8")
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "state"))
    assert mishap.write_down(ValueError("x")) is None
    assert "Where it happened stands" not in mishap.told(ValueError("x"), None)
