"""`[check]` of a `lorebook.toml`: what it can say, and every way in which it can be wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from lorebook_tui.errors import LorebookError, UnreadableError, UsageError
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Severity
from lorebook_tui.workspace.check_config import (
    baseline_text,
    checked_codes,
    config_of,
    nearest,
    read_baseline,
    with_options,
)

if TYPE_CHECKING:
    from pathlib import Path


def read(folder: Path, text: str) -> LintConfig:
    path = folder / "lorebook.toml"
    path.write_text(text, "utf-8")
    return config_of(path)


def test_without_a_file_or_a_table_everything_is_as_usual(tmp_path: Path) -> None:
    assert config_of(None) == LintConfig()
    assert read(tmp_path, "") == LintConfig()
    assert read(tmp_path, 'name = "x"\n[check]\n') == LintConfig()


def test_everything_that_can_be_said(tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(baseline_text(["b", "a", "b"]), "utf-8")
    config = read(
        tmp_path,
        """
[check]
select = ["KEY", "fmt001"]
ignore = ["KEY004, KEY005"]
preview = true
baseline = "old.json"
[check.severity]
KEY = "error"
FMT008 = "off"
[check.options.FMT015]
longest = 80
[check.per-file]
"drafts/*" = ["ALL"]
""",
    )
    assert config.select == ("KEY", "FMT001")
    assert config.ignore == ("KEY004", "KEY005")
    assert config.preview
    assert config.baseline == {"a", "b"}
    assert config.severities == {"KEY": Severity.ERROR, "FMT008": Severity.OFF}
    assert config.options == {"FMT015": {"longest": 80}}
    assert config.per_file == (("drafts/*", ("ALL",)),)


@pytest.mark.parametrize(
    ("text", "line", "expected"),
    [
        ("check = 3", None, "a table"),
        ("[check]\nselct = []", "line 2", "select, ignore"),
        ("[check]\npreview = 1", "line 2", "true or false"),
        ('[check]\nselect = "KEY"', "line 2", "a list of codes"),
        ("[check]\nselect = [1]", "line 2", "a list of codes"),
        ('[check]\n\nignore = ["NOPE"]', "line 3", "a code such as KEY002"),
        ("[check]\nseverity = 1", "line 2", "a table"),
        ('[check.severity]\nKEY = "bad"', "line 2", "error or warning or info or off"),
        ('[check.severity]\nNOPE = "error"', "line 2", "a code such as KEY002"),
        ("[check.options]\nFMT015 = 3", "line 2", "a table named by the whole code"),
        ("[check.options.FMT]\nlongest = 3", None, "a table named by the whole code"),
        ("[check.options.FMT015]\nlngest = 3", "line 2", "longest"),
        ("[check.options.FMT001]\nx = 3", "line 2", "FMT001 has no options"),
        ('[check.options.FMT015]\nlongest = "80"', "line 2", "such as 120"),
        ("[check.options.FMT015]\nlongest = true", "line 2", "such as 120"),
        ("[check.per-file]\n'*.json' = 'KEY'", "line 2", "a list of codes"),
        ("[check]\nbaseline = 3", "line 2", "a file name"),
        ("[check]\nbaseline = '../x.json'", "line 2", "a path inside the folder"),
        ("[check]\nbaseline = 'lorebook.toml'", "line 2", '"lorebook_baseline"'),
    ],
)
def test_mistakes_name_file_line_and_key(tmp_path: Path, text: str, line: str | None, expected: str) -> None:
    with pytest.raises(LorebookError) as caught:
        read(tmp_path, text)
    assert isinstance(caught.value, (UsageError, UnreadableError))
    assert str(tmp_path / "lorebook.toml") in caught.value.where
    assert line is None or line in caught.value.where or "per-file" in text  # quoted names are not looked for
    assert expected in caught.value.expected
    assert caught.value.found or caught.value.hint or "baseline" in text


@pytest.mark.parametrize("data", [b"[check", b"\xff\xfe\x00", b"x = "])
def test_what_is_no_toml(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "lorebook.toml"
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match="no TOML"):
        config_of(path)


def test_a_baseline_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    assert read(tmp_path, "[check]\nbaseline = 'later.json'").baseline == frozenset()
    with pytest.raises(UnreadableError):
        read_baseline(tmp_path / "later.json")


def test_the_nearest_workspace_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "lorebook.toml").write_text("", "utf-8")
    (tmp_path / "a" / "lorebook.toml").write_text("", "utf-8")
    assert nearest(inner / "x.json") == (tmp_path / "a" / "lorebook.toml").resolve()
    assert nearest(inner) == (tmp_path / "a" / "lorebook.toml").resolve()
    assert nearest(tmp_path / "x.json") == (tmp_path / "lorebook.toml").resolve()


def test_options_of_the_command_line_stand_above() -> None:
    config = LintConfig(select=("KEY",), ignore=("KEY001",))
    assert with_options(config, ["fmt"], ["FMT001,FMT002"], preview=True) == LintConfig(
        select=("FMT",), ignore=("KEY001", "FMT001", "FMT002"), preview=True
    )
    assert with_options(config) == config
    with pytest.raises(UsageError, match="No rule is called 'nope'"):
        list(checked_codes(["KEY, nope"]))
    assert list(checked_codes(["all", " key002 ,"])) == ["ALL", "KEY002"]
