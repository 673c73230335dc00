"""Ground rules for all tests, and the gate: a full run with `--cov` fails where a core room is not covered."""

from __future__ import annotations

import os
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from _pytest.terminal import TerminalReporter

settings.register_profile("same-every-time", deadline=None, print_blob=True, derandomize=True)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("explore" if os.environ.get("LOREBOOK_EXPLORE") else "same-every-time")


@pytest.fixture(autouse=True, scope="session")
def folders_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes what belongs to the person who runs it."""
    folder = tmp_path_factory.mktemp("nobody")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LOREBOOK_CONFIG_DIR", str(folder / "config"))
        patch.setenv("LOREBOOK_STATE_DIR", str(folder / "state"))
        yield


def pytest_xdist_auto_num_workers() -> int:
    """Two for each processor: tests of the screen mostly wait for it."""
    return 2 * (os.cpu_count() or 1)


UNMEASURED = tuple(Path(__file__).parent / name for name in ("properties", "tui"))
"""What only chance reaches must not count as covered; and Textual runs half as long again under a measure."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Take the measuring of coverage off where it is of no use."""
    measuring = sys.gettrace()
    is_measured = not any(folder in item.path.parents for folder in UNMEASURED)
    if is_measured or measuring is None:
        return (yield)
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(measuring)


CORE_ROOMS = ("model", "formats", "matching", "engine", "tokens")
LEAST_COVERED = 95.0
"""Percent of lines and branches of each core room."""

_COVERED = pytest.StashKey[dict[str, float]]()


def is_full_measured_run(config: pytest.Config) -> bool:
    """Whether all tests ran with coverage in this (the controlling) process."""
    is_worker = hasattr(config, "workerinput")
    is_whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
        config.option.keyword or config.option.markexpr
    )
    return is_whole and not is_worker and bool(getattr(config.option, "cov_source", None))


def covered_percent(data_file: Path, room: str) -> float:
    """Percent of lines and branches of a room; a room that is not there yet is fully covered."""
    from coverage import Coverage
    from coverage.exceptions import NoDataError

    coverage = Coverage(data_file=str(data_file))
    coverage.load()
    try:
        return coverage.report(include=[f"lorebook_tui/{room}/*"], file=StringIO())
    except NoDataError:
        return 100.0


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail a run that passed everything but left a core room uncovered."""
    config = session.config
    if not is_full_measured_run(config) or exitstatus != pytest.ExitCode.OK:
        return
    covered = {room: covered_percent(config.rootpath / ".coverage", room) for room in CORE_ROOMS}
    config.stash[_COVERED] = covered
    if min(covered.values()) < LEAST_COVERED:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    """Say how far each core room is covered."""
    for room, percent in config.stash.get(_COVERED, {}).items():
        failed = percent < LEAST_COVERED
        verdict = (
            f"below {LEAST_COVERED:g} %: `coverage report -m --include='lorebook_tui/{room}/*'`" if failed else "fine"
        )
        terminalreporter.write_line(f"coverage of {room}: {percent:.1f} %, {verdict}", red=failed, green=not failed)
