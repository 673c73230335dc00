"""What a file held before it was last written, and the scripts of the settings, reach the rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from lorebook_tui.lint.config import LintConfig
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.checking import Around, check_files, read_file
from lorebook_tui.workspace.earlier import earlier_versions
from lorebook_tui.workspace.library import surroundings
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

LONG = "It grinds on the ebb, and nobody has asked the miller for whom, in forty years."


def written(path: Path, content: str) -> bytes:
    data = world_text(({"key": ["mill"], "content": content},)).encode()
    path.write_bytes(data)
    return data


def test_a_text_that_shrank_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "mill.json"
    BackupPolicy(every=True).before(path.resolve(), written(path, LONG))
    written(path, "It grinds.")
    (file,) = check_files([path], LintConfig(select=("BUD009",)), Around(), jobs=1).files
    assert [told.code for told in file.findings] == ["BUD009"]
    written(path, LONG)
    (file,) = check_files([path], LintConfig(select=("BUD009",)), Around(), jobs=1).files
    assert file.findings == ()


def test_a_file_without_backup_or_with_a_broken_one_has_no_earlier_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    path = tmp_path / "mill.json"
    written(path, LONG)
    assert earlier_versions([read_file(path)]) == {}
    BackupPolicy(every=True).before(path.resolve(), b"{")
    assert earlier_versions([read_file(path)]) == {}


def test_scripts_of_the_settings_are_run_over_lore(tmp_path: Path) -> None:
    script = {"scriptName": "s", "findRegex": "/.+/s", "replaceString": "", "placement": [5], "promptOnly": True}
    settings = {"world_info_settings": {}, "extension_settings": {"regex": [script, "no script"]}}
    (tmp_path / "settings.json").write_text(json.dumps(settings), "utf-8")
    written(tmp_path / "mill.json", LONG)
    library = surroundings(tmp_path).library
    assert library.regex_scripts == (script,)
    (file,) = check_files(
        [tmp_path / "mill.json"], LintConfig(select=("CNT020",)), Around(library=library), jobs=1
    ).files
    assert "leaves nothing of its text" in file.findings[0].message
