"""Checks of many files: found, read, looked at in several processes, repaired if asked, and told in one result."""

from __future__ import annotations

import difflib
import os
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.formats import detect
from lorebook_tui.formats.text import decode
from lorebook_tui.lint.fixing import fixed
from lorebook_tui.lint.runner import Linter, Report
from lorebook_tui.lint.shelf import Shelf, ShelfItem, item_of
from lorebook_tui.lint.subjects import BookView, FileView, World
from lorebook_tui.lint.told import CheckResult, ToldFile, told, told_report
from lorebook_tui.workspace import store
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.files import read_bytes, require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lorebook_tui.lint.config import LintConfig
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.model.transcript import Transcript

    Progress = Callable[[int, int], None]

SUFFIXES: Final = frozenset({".json", ".png", ".charx", ".apng"})
"""Files that are looked at in a folder; a file that is named is looked at whatever it is called."""
_WORTH_A_POOL: Final = 1_500_000
"""Bytes below which starting processes takes longer than it saves."""


@dataclass(frozen=True)
class Around:
    """What is known beside the files themselves."""

    settings: ScanSettings | None = None
    context: int | None = None
    prompt: Mapping[str, Any] | None = None
    cast: Cast | None = None
    chats: tuple[Transcript, ...] = ()


@dataclass(frozen=True)
class Repairs:
    """What to do about findings that can be repaired."""

    write: bool = False
    """Write the files; otherwise only the difference is worked out."""
    offered: bool = False
    """Take repairs that are guesses, too."""


@dataclass(frozen=True)
class _Job:
    path: str
    config: LintConfig
    around: Around
    repairs: Repairs | None


@dataclass(frozen=True)
class _Done:
    file: ToldFile
    item: ShelfItem | None
    skipped: tuple[tuple[str, tuple[str, ...]], ...] = ()


def collected(paths: Iterable[Path]) -> list[Path]:
    """The files that paths mean: a file itself, of a folder all lore files in it and below, each once.

    Raises:
        UnreadableError: a path leads nowhere.
        UsageError: the folders hold nothing to look at.
    """
    found: dict[Path, Path] = {}
    folders = []
    for path in paths:
        require(path)
        if not path.is_dir():
            found.setdefault(path.resolve(), path)
            continue
        folders.append(path)
        for inner in sorted(_inside(path)):
            found.setdefault(inner.resolve(), inner)
    if not found:
        raise UsageError(
            "There is nothing to check.",
            where=", ".join(str(folder) for folder in folders),
            expected="files that end with " + ", ".join(sorted(SUFFIXES)),
            hint="Name a file to have it looked at whatever it is called.",
        )
    return list(found.values())


def _inside(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (
            Path(here, name)
            for name in names
            if not name.startswith(".") and os.path.splitext(name)[1].lower() in SUFFIXES  # noqa: PTH122 - a name, not a path
        )


def check_files(
    paths: Sequence[Path],
    config: LintConfig,
    around: Around,
    repairs: Repairs | None = None,
    *,
    jobs: int = 0,
    progress: Progress | None = None,
) -> CheckResult:
    """Check files, each by itself, then what they say of each other.

    Args:
        paths: files.
        config: which rules, and how.
        around: what is known beside them.
        repairs: repair what can be repaired; None: only look.
        jobs: processes; 0: one per processor where that is worth it.
        progress: told files done and files to do.
    """
    work = [_Job(str(path), config, around, repairs) for path in paths]
    done: list[_Done] = []
    for each in _results(work, jobs):
        done.append(each)
        if progress:
            progress(len(done), len(work))
    files = {each.file.name: each.file for each in done}
    for finding in _of_shelf(Shelf(tuple(each.item for each in done if each.item)), config, around):
        files[finding.file] = replace(files[finding.file], findings=(*files[finding.file].findings, finding))
    skipped: dict[str, dict[str, None]] = {}
    for each in done:
        for why, codes in each.skipped:
            skipped.setdefault(why, {}).update(dict.fromkeys(codes))
    return CheckResult(tuple(files.values()), tuple((why, tuple(sorted(codes))) for why, codes in skipped.items()))


def check_world(world: World, config: LintConfig) -> CheckResult:
    """Check everything that is open together."""
    report = Linter(config).check(world)
    by_file: dict[str, list[Any]] = {file.name: [] for file in world.files}
    for finding in told_report(report):
        by_file.setdefault(finding.file, []).append(finding)
    files = tuple(_told_file(file, replace_findings=tuple(by_file[file.name]), report=report) for file in world.files)
    return CheckResult(files, _skipped(report))


def read_file(path: Path) -> FileView:
    """A file, readable as lore or not."""
    data = read_bytes(path)
    try:
        return FileView(str(path), detect.load(data, path.name))
    except LorebookError as error:
        try:
            text = decode(data)[0]
        except LorebookError:
            text = ""
        return FileView(str(path), None, error, text)


def world_of(file: FileView, around: Around) -> World:
    """A file with what is known beside it."""
    return World(
        files=(file,),
        books=tuple(BookView(view.book, file) for view in file.books),
        settings=around.settings,
        context=around.context,
        prompt=around.prompt,
        cast=around.cast,
        chats=around.chats,
    )


def _check(job: _Job) -> _Done:
    path = Path(job.path)
    try:
        file = read_file(path)
    except LorebookError as error:
        return _Done(ToldFile(job.path, unreadable=_reason(error)), None)
    linter = Linter(job.config)
    if job.repairs is not None and file.loaded is not None:
        return _repaired(path, file, linter, job)
    report = linter.check(replace(world_of(file, job.around), shelf=Shelf()))
    return _Done(_told_file(file, replace_findings=told_report(report), report=report), item_of(file), _skipped(report))


def _repaired(path: Path, file: FileView, linter: Linter, job: _Job) -> _Done:
    assert file.loaded is not None  # noqa: S101 - asked by the caller
    assert job.repairs is not None  # noqa: S101 - as above
    done = fixed(
        file, linter, lambda view: replace(world_of(view, job.around), shelf=Shelf()), offered=job.repairs.offered
    )
    after = FileView(file.name, done.loaded)
    made = _told_file(after, replace_findings=told_report(done.report), report=done.report)
    made = replace(
        made, fixed=tuple(told(finding) for finding in done.applied), diff=_difference(file.loaded, done.loaded, path)
    )
    if job.repairs.write and done.applied:
        try:
            saved = store.write(
                path,
                detect.dump(done.loaded),
                store.stamp_of(detect.dump(file.loaded)),
                store.check_for(done.loaded),
                BackupPolicy(every=True),
            )
        except LorebookError as error:
            return _Done(replace(made, unreadable=_reason(error), fixed=()), item_of(file))
        made = replace(made, backup=str(saved.backup or ""))
    return _Done(made, item_of(after), _skipped(done.report))


def _difference(before: Any, after: Any, path: Path) -> str:
    """What changes in the text, as a unified difference; of what is no text, in the JSON inside."""
    old, new = before.document.text, after.document.text
    lines = difflib.unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), str(path), str(path), n=2
    )
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def _told_file(file: FileView, *, replace_findings: tuple[Any, ...], report: Report) -> ToldFile:
    loaded = file.loaded
    return ToldFile(
        file.name,
        replace_findings,
        entries=sum(len(book.entries) for book in loaded.books) if loaded else 0,
        kind=loaded.format.title if loaded else "",
        unreadable=_reason(file.error) if file.error and not replace_findings else "",
        suppressed=report.suppressed,
        known=report.known,
    )


def _of_shelf(shelf: Shelf, config: LintConfig, around: Around) -> tuple[Any, ...]:
    from lorebook_tui.lint.rule import ShelfRule  # noqa: PLC0415 - what is asked of every rule here

    linter = Linter(config)
    linter.rules = tuple(rule for rule in linter.rules if isinstance(rule, ShelfRule))
    return told_report(linter.check(World(shelf=shelf, settings=around.settings)))


def _skipped(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((skipped.need.value, skipped.codes) for skipped in report.skipped)


def _reason(error: LorebookError) -> str:
    parts = [error.message]
    if error.where:
        parts.append(f"({error.where})")
    if error.found:
        parts.append(f"Found: {error.found}.")
    if error.hint:
        parts.append(error.hint)
    return " ".join(parts)


def _results(work: Sequence[_Job], jobs: int) -> Iterator[_Done]:
    """What the jobs give, in their order; in this process where others cannot be had or are not worth it."""
    done = 0
    processes = min(jobs or os.cpu_count() or 1, len(work))
    size = sum(Path(job.path).stat().st_size for job in work) if processes > 1 and not jobs else 0
    if processes > 1 and (jobs or size >= _WORTH_A_POOL):
        try:
            for result in _pooled(work, processes):
                yield result
                done += 1
        except (OSError, ImportError, NotImplementedError, BrokenProcessPool):
            # No processes here (no semaphores, a sandbox, too little memory): the rest is done slowly.
            pass
    for job in work[done:]:
        yield _check(job)


def _pooled(work: Sequence[_Job], processes: int) -> Iterator[_Done]:
    from multiprocessing import get_context  # noqa: PLC0415 - only where processes are wanted

    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        futures = [pool.submit(_check, job) for job in work]
        try:
            for future in futures:
                yield future.result()
        finally:
            pool.shutdown(cancel_futures=True)
