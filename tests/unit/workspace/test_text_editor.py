"""The user's own editor: the command that starts it, and the text that goes there and back."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.workspace.text_editor import edit_text, editor_command, wait_hint

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class TestCommand:
    def test_the_users_choice_is_split_as_a_shell_does(self) -> None:
        command = editor_command({"VISUAL": "'/opt/my editor/ed' -x", "EDITOR": "vi"}, "linux", lambda _: None)
        assert command == ["/opt/my editor/ed", "-x"]
        assert editor_command({"VISUAL": " ", "EDITOR": "vi"}, "linux", lambda _: None) == ["vi"]
        windows = editor_command({"EDITOR": r'"C:\Program Files\e.exe" -w'}, "win32", lambda _: None)
        assert windows == [r"C:\Program Files\e.exe", "-w"]

    @pytest.mark.parametrize(
        ("platform", "there", "wanted"),
        [("win32", "notepad", "notepad"), ("darwin", "vim", "vim"), ("linux", "vi", "vi")],
    )
    def test_what_the_system_has(self, platform: str, there: str, wanted: str) -> None:
        assert editor_command({}, platform, lambda name: name == there) == [wanted]

    def test_no_editor_and_no_command(self) -> None:
        with pytest.raises(UsageError, match="There is no editor"):
            editor_command({}, "linux", lambda _: None)
        with pytest.raises(UsageError, match="EDITOR cannot be read"):
            editor_command({"EDITOR": "'open"}, "linux", lambda _: None)

    @pytest.mark.parametrize(
        ("command", "needs"),
        [
            (["code"], True),
            (["code", "-w"], False),
            (["subl", "--wait"], False),
            (["vim"], False),
            (["emacsclient"], False),
        ],
    )
    def test_editors_with_a_window_need_a_flag(self, command: list[str], needs: bool) -> None:
        assert bool(wait_hint(command)) is needs


HANDED_OVER: list[str] = []


@contextmanager
def hand_over() -> Iterator[None]:
    HANDED_OVER.append("away")
    yield
    HANDED_OVER.append("back")


@pytest.mark.skipif(sys.platform == "win32", reason="the command is quoted for a POSIX shell")
class TestEditing:
    def edited(self, text: str, script: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> str | None:
        path = folder / "an editor.py"
        path.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[-1])\n{script}\n", "utf-8")
        monkeypatch.setenv("LOREBOOK_EDITOR", f"'{sys.executable}' '{path}'")
        return edit_text(text, hand_over).text

    def test_the_terminal_is_given_away_and_taken_back(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        HANDED_OVER.clear()
        assert self.edited("one", "path.write_text('two')", monkeypatch, tmp_path) == "two"
        assert HANDED_OVER == ["away", "back"]

    @pytest.mark.parametrize(
        ("text", "script", "made"),
        [
            ("one", "path.write_text('two' + chr(10))", "two"),
            ("one\n", "path.write_text('two' + chr(10))", "two\n"),
            ("one", "path.write_bytes(b'a\\r\\nb')", "a\nb"),
            ("o\r\nne", "path.write_bytes(b'a\\r\\nb')", "a\r\nb"),
            ("half \ud83d", "path.write_bytes(path.read_bytes() + b'!')", "half \ud83d!"),
            ("one", "pass", None),
        ],
    )
    def test_what_comes_back(
        self, text: str, script: str, made: str | None, *, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        assert self.edited(text, script, monkeypatch, tmp_path) == made

    @pytest.mark.parametrize(
        ("script", "reason"),
        [
            ("sys.exit(3)", "ended with status 3"),
            ("path.unlink()", "left no file"),
            ("path.write_bytes(b'\\xff\\xfe')", "no UTF-8"),
        ],
    )
    def test_what_an_editor_may_do_wrong(
        self, script: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        with pytest.raises(LorebookError, match=reason):
            self.edited("one", script, monkeypatch, tmp_path)

    def test_a_program_that_is_not_there(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("LOREBOOK_EDITOR", str(tmp_path / "nothing"))
        with pytest.raises(UsageError, match="cannot be started"):
            edit_text("one", hand_over)
