"""The samples are found in a checkout and in an installed package."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import NAMES, sample, samples_folder

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture(params=["checkout", "installed"])
def package(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A package folder with the samples where that layout has them."""
    package = tmp_path / "site" / "lorebook_tui"
    package.mkdir(parents=True)
    home = package.parent if request.param == "checkout" else package
    shutil.copytree(CHECKOUT / "sample_books", home / "sample_books")
    return package


def test_every_sample_is_found_in_both_layouts(package: Path) -> None:
    assert samples_folder(package).is_relative_to(package.parent)
    for name in NAMES:
        workspace = open_workspace([sample(name, package)])
        assert workspace.title == name
        assert workspace.books


def test_this_very_package_has_its_samples() -> None:
    assert sample().is_file()
    assert sample().parent.name == "harrowmere"


def test_an_unknown_sample_is_refused() -> None:
    with pytest.raises(UsageError) as caught:
        sample("atlantis")
    assert "harrowmere" in caught.value.expected


def test_a_package_without_samples_says_so(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="missing"):
        samples_folder(tmp_path / "lorebook_tui")


def test_one_missing_sample_is_named(tmp_path: Path) -> None:
    one = tmp_path / "lorebook_tui" / "sample_books" / NAMES[0]
    one.mkdir(parents=True)
    (one / "lorebook.toml").write_text("", "utf-8")
    assert sample(NAMES[0], tmp_path / "lorebook_tui").is_file()
    with pytest.raises(UnreadableError, match=NAMES[1]):
        sample(NAMES[1], tmp_path / "lorebook_tui")


@pytest.mark.parametrize("name", NAMES)
def test_no_sample_is_odd(name: str) -> None:
    workspace = open_workspace([sample(name)])
    findings = [finding for source in workspace.sources for finding in source.worth_telling]
    assert [finding.message for finding in findings] == []
    assert workspace.notices == ()
