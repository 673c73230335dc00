"""Checks of many files: found, read, looked at in several processes, repaired if asked, and told in one result."""

from __future__ import annotations

from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LimitError, LorebookError, UnsupportedError
from lorebook_tui.formats import detect
from lorebook_tui.formats.text import decode
from lorebook_tui.lint.catalogue import all_rules
from lorebook_tui.lint.findings import Scope
from lorebook_tui.lint.rule import ShelfRule
from lorebook_tui.lint.rules.fmt_broken import is_broken
from lorebook_tui.lint.runner import Linter, Report
from lorebook_tui.lint.shelf import Shelf, ShelfItem, item_of, shelf_of
from lorebook_tui.lint.subjects import BookView, FileView, Library, World
from lorebook_tui.lint.told import CheckResult, ToldFile, told_report
from lorebook_tui.workspace import mishap
from lorebook_tui.workspace.check_jobs import results
from lorebook_tui.workspace.check_repair import (
    Repairs,
    changes_of,
    mended,
    repaired,
    with_repairs,
    write_mended,
    write_repaired,
)
from lorebook_tui.workspace.check_sharing import Shared, shared
from lorebook_tui.workspace.collecting import without_collections
from lorebook_tui.workspace.earlier import earlier_versions
from lorebook_tui.workspace.files import read_bytes
from lorebook_tui.workspace.library import stem_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from lorebook_tui.lint.config import LintConfig
    from lorebook_tui.model.cast import Cast
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.model.transcript import Transcript

    Progress = Callable[[int, int], None]

_WORLDS: Final = "worlds"
"""SillyTavern's folder in which everything is meant to be a world."""
_DAMAGED: Final = ("damaged", "cannot be read", "cannot be unpacked", "cut off")
"""What is said of images and archives that may have held a card."""


@dataclass(frozen=True)
class Around:
    """What is known beside the files themselves."""

    settings: ScanSettings | None = None
    context: int | None = None
    prompt: Mapping[str, Any] | None = None
    cast: Cast | None = None
    chats: tuple[Transcript, ...] = ()
    library: Library | None = None
    shelf: tuple[ShelfItem, ...] = ()
    """Files of the library in short."""
    regex_scripts: tuple[Mapping[str, Any], ...] | None = None
    """Of the settings; None: those of the library count."""


@dataclass(frozen=True)
class _Job:
    path: str
    config: LintConfig
    around: Around
    repairs: Repairs | None
    is_named: bool = True
    """False: it was found in a folder, and is passed over in silence if it is no lore at all."""


@dataclass(frozen=True)
class _Done:
    file: ToldFile
    item: ShelfItem | None
    skipped: tuple[tuple[str, tuple[str, ...]], ...] = ()


def check_files(
    paths: Sequence[Path],
    config: LintConfig,
    around: Around,
    repairs: Repairs | None = None,
    *,
    named: frozenset[Path] | None = None,
    jobs: int = 0,
    progress: Progress | None = None,
) -> CheckResult:
    """Check files, each by itself, then what they say of each other.

    Args:
        paths: files.
        config: which rules, and how.
        around: what is known beside them.
        repairs: repair what can be repaired; None: only look.
        named: those that were asked for by name, the others being found in folders; None: all.
        jobs: processes; 0: one per processor where that is worth it.
        progress: told files done and files to do.
    """
    known = named if named is not None else frozenset(paths)
    inner = _for_one(around, stem_names(list(paths)))
    work = [_Job(str(path), config, inner, repairs, path in known) for path in paths]
    done: list[_Done] = []
    for each in results(_safely_checked, work, jobs, [job.path for job in work]):
        done.append(each)
        if progress:
            progress(len(done), len(work))
    files = _once({each.file.name: each.file for each in done})
    items = {each.item.file: each.item for each in done if each.item}
    together, trouble = _safely_of_all(items, config, around)
    if repairs is not None and repairs.fixes and repairs.offered:
        taken = shared(together.findings, write=repairs.write)
        for name, took in taken.items():
            files[name] = _with_shared(files[name], took)
            items[name] = item_of(took.view) or items[name]
        together, trouble = _safely_of_all(items, config, around) if taken else (together, trouble)
    for finding in told_report(together):
        before = files.get(finding.file, ToldFile(finding.file))
        files[finding.file] = replace(before, findings=(*before.findings, finding))
    skipped: dict[str, dict[str, None]] = {}
    for why, codes in (*((trouble,) if trouble else ()), *(each for one in done for each in one.skipped)):
        skipped.setdefault(why, {}).update(dict.fromkeys(codes))
    listed = tuple((why, tuple(sorted(codes))) for why, codes in skipped.items())
    return CheckResult(tuple(files.values()), listed, is_cut_short=trouble is not None)


def _once(files: dict[str, ToldFile]) -> dict[str, ToldFile]:
    """The files with what is about the settings alone said at the first of them only."""
    of_settings = {rule.code for rule in all_rules() if rule.of_settings}
    heard: set[str] = set()
    made = {}
    for name, file in files.items():
        kept = tuple(told for told in file.findings if told.code not in heard)
        heard |= of_settings & {told.code for told in kept}
        made[name] = replace(file, findings=kept)
    return made


def _with_shared(file: ToldFile, made: Shared) -> ToldFile:
    """A file with what it took from others."""
    more = with_repairs(file, made.applied, file.diff + made.difference, ())
    return replace(
        more, fixed=file.fixed + more.fixed, refused=file.refused, backup=file.backup or made.backup,
        entries=sum(len(book.entries) for book in made.view.loaded.books) if made.view.loaded else file.entries,
    )  # fmt: skip


def _for_one(around: Around, names: frozenset[str]) -> Around:
    """What each file by itself needs to know of the library."""
    library = around.library
    if library is not None:
        bound = tuple(binding for binding in library.bound if binding.kind == "extra")
        library = replace(library, books=library.books | names, bound=bound)
    return replace(around, library=library, shelf=())


def check_world(world: World, config: LintConfig, shelf: Sequence[ShelfItem] = ()) -> CheckResult:
    """Check everything that is open together.

    Args:
        world: what is open.
        config: which rules, and how.
        shelf: what lies around it, in short.
    """
    if shelf:
        own = {Path(file.name).resolve() for file in world.files}
        others = [item for item in shelf if Path(item.file).resolve() not in own]
        world = replace(world, shelf=Shelf((*shelf_of(world.files).items, *others)))
        world.library = _without(world.library, own)
    try:
        return _told_world(world, Linter(config, clock=perf_counter).check(world))
    except Exception as error:  # noqa: BLE001 - whatever it is, what can be said of each file is still to be told
        return _told_apart(world, config, mishap.in_short(error))


def _told_world(world: World, report: Report) -> CheckResult:
    by_file: dict[str, list[Any]] = {file.name: [] for file in world.files}
    for finding in told_report(report):
        by_file.setdefault(finding.file, []).append(finding)
    files = [_told_file(file, replace_findings=tuple(by_file.pop(file.name)), report=report) for file in world.files]
    files += [ToldFile(name, tuple(findings)) for name, findings in by_file.items()]
    if files:  # the counts are those of all files together
        rest = (replace(each, suppressed=0, known=0) for each in files[1:])
        files = [files[0], *rest]
    return CheckResult(tuple(files), _skipped(report))


def _told_apart(world: World, config: LintConfig, why: str) -> CheckResult:
    """What is open, a file at a time, after a mistake of ours stopped the check of all together."""
    told: list[ToldFile] = []
    for file in world.files:
        own = replace(world, files=(file,), books=tuple(book for book in world.books if book.file is file))
        try:
            told += _told_world(own, Linter(config, clock=perf_counter).check(own)).files
        except Exception as error:  # noqa: BLE001 - as above, for the other files
            told.append(ToldFile(file.name, unreadable=f"It could not be checked: {mishap.in_short(error)}."))
    codes = tuple(rule.code for rule in Linter(config).rules if rule.scope is Scope.SET)
    return CheckResult(tuple(told), ((why, codes),), is_cut_short=True)


def read_file(path: Path) -> FileView:
    """A file, readable as lore or not."""
    data = read_bytes(path)
    digest = sha256(data).hexdigest()
    try:
        return FileView(str(path), detect.load(data, path.name), digest=digest)
    except LorebookError as error:
        try:
            text = decode(data)[0]
        except LorebookError:
            text = ""
        return FileView(str(path), None, error, text, digest)


def world_of(file: FileView, around: Around) -> World:
    """A file with what is known beside it; nothing is said of other files."""
    return World(
        files=(file,),
        books=tuple(BookView(view.book, file) for view in file.books),
        settings=around.settings,
        context=around.context,
        prompt=around.prompt,
        cast=around.cast,
        chats=around.chats,
        library=around.library,
        shelf=Shelf(),
        earlier=earlier_versions((file,)),
        regex_scripts=around.regex_scripts,
    )


def _safely_checked(job: _Job) -> _Done:
    """A file looked at; a mistake of ours costs what there is to say of it, and of no other file."""
    try:
        return _check(job)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other files are still to be told of
        return _Done(ToldFile(job.path, unreadable=f"It could not be checked: {mishap.in_short(error)}."), None)


@without_collections
def _check(job: _Job) -> _Done:
    path = Path(job.path)
    try:
        file = read_file(path)
    except LorebookError as error:
        return _Done(ToldFile(job.path, unreadable=_reason(error)), None)
    if not job.is_named and is_no_lore(file):
        return _Done(ToldFile(job.path, passed_over=_reason(file.error) if file.error else ""), None)
    linter = Linter(job.config, clock=perf_counter)
    repairs = job.repairs
    if repairs is not None and repairs.fixes and file.loaded is not None:
        return _repaired(path, file, linter, job)
    report = linter.check(world_of(file, job.around))
    told = _told_file(file, replace_findings=told_report(report), report=report)
    told = replace(told, note=_note(file) if job.is_named else _other_card(file))
    if repairs is not None and repairs.mends and file.loaded is None:
        return _mended(file, told, report, job)
    return _Done(told, item_of(file), _skipped(report) if file.loaded is not None else ())


def is_no_lore(file: FileView) -> bool:
    """Whether a file is whole, but something else than lore."""
    if file.error is None or is_broken(file):
        return False
    path = Path(file.name)
    if not isinstance(file.error, UnsupportedError) and any(word in file.error.message for word in _DAMAGED):
        return False
    is_meant = path.parent.name.lower() == _WORLDS or (path.suffix.lower() == ".json" and not file.text.strip())
    return not isinstance(file.error, LimitError) and not is_meant


def _mended(file: FileView, told: ToldFile, report: Report, job: _Job) -> _Done:
    """A broken file made readable, and repaired further if that is wanted; what the rules say of it then is told."""
    assert job.repairs is not None  # noqa: S101 - asked by the caller
    path = Path(job.path)
    made = mended(path, file.text, report.findings)
    if made is None:
        return _Done(told, None, _skipped(report))
    if not job.repairs.write:
        return _Done(replace(told, diff=made.difference), None, _skipped(report))
    try:
        backup = write_mended(path, made)
    except LorebookError as error:
        return _Done(replace(told, unreadable=_reason(error)), None, _skipped(report))
    again = _check(replace(job, repairs=replace(job.repairs, mends=False), is_named=True))
    after = again.file
    first = with_repairs(after, made.applied, made.difference)
    both = replace(first, fixed=first.fixed + after.fixed, refused=after.refused, diff=first.diff + after.diff)
    return replace(again, file=replace(both, backup=backup))


def _repaired(path: Path, file: FileView, linter: Linter, job: _Job) -> _Done:
    assert file.loaded is not None  # noqa: S101 - asked by the caller
    assert job.repairs is not None  # noqa: S101 - as above
    done = repaired(file, linter, lambda view: world_of(view, job.around), job.repairs)
    after = FileView(file.name, done.loaded)
    made = _told_file(after, replace_findings=told_report(done.report), report=done.report)
    made = with_repairs(made, done.applied, changes_of(file, done, path), done.refused)
    if job.repairs.write and done.applied:
        try:
            made = replace(made, backup=write_repaired(path, file, done))
        except LorebookError as error:
            return _Done(replace(made, unreadable=_reason(error), fixed=()), item_of(file))
    return _Done(made, item_of(after), _skipped(done.report))


def _told_file(file: FileView, *, replace_findings: tuple[Any, ...], report: Report) -> ToldFile:
    loaded = file.loaded
    return ToldFile(
        file.name,
        replace_findings,
        entries=sum(len(book.entries) for book in loaded.books) if loaded else 0,
        kind=loaded.format.title if loaded else "",
        unreadable=_reason(file.error) if file.error else "",
        suppressed=report.suppressed,
        known=report.known,
        digest=file.digest,
    )


def _note(file: FileView) -> str:
    """That there is no book, for somebody who asked about this file."""
    if file.loaded is None:
        return ""
    if file.loaded.transcript is not None and not file.loaded.books:
        count = len(file.loaded.transcript.messages)
        return (
            f"{'1 message' if count == 1 else f'{count:,} messages'}, no lorebook: --chat gives it to a check of books."
        )
    found = file.loaded.report.of("no-book")
    return f"It holds no lorebook. {found[0].message}" if found else _other_card(file)


def _other_card(file: FileView) -> str:
    """That an image holds two cards with different books."""
    found = file.loaded.report.of("cards-differ") if file.loaded is not None else ()
    return found[0].message if found else ""


def _safely_of_all(
    items: Mapping[str, ShelfItem], config: LintConfig, around: Around
) -> tuple[Report, tuple[str, tuple[str, ...]] | None]:
    """What there is to say of all files together; if a mistake of ours stops it, why and which rules are missing."""
    linter = Linter(config)
    linter.rules = tuple(rule for rule in linter.rules if isinstance(rule, ShelfRule) or rule.spans)
    try:
        return _of_all(linter, tuple(items.values()), around), None
    except Exception as error:  # noqa: BLE001 - whatever it is, what was found in the files is still to be told
        return Report(), (mishap.in_short(error), tuple(rule.code for rule in linter.rules))


def _of_all(linter: Linter, items: tuple[ShelfItem, ...], around: Around) -> Report:
    """What there is to say of all files together, those of the library with them."""
    own = {Path(item.file).resolve() for item in items}
    others = tuple(item for item in around.shelf if Path(item.file).resolve() not in own)
    library = around.library
    if library is not None:
        names = frozenset(book.name for item in items for book in item.books if not book.is_embedded)
        library = replace(library, books=library.books | names)
    library = _without(library, own)
    world = World(shelf=Shelf((*items, *others)), settings=around.settings, library=library)
    return linter.check(world)


def _without(library: Library | None, own: set[Path]) -> Library | None:
    """The library without what files say that are looked at anyway."""
    if library is None:
        return None
    bound = tuple(each for each in library.bound if not each.file or Path(each.file).resolve() not in own)
    return replace(library, bound=bound)


def _skipped(report: Report) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((skipped.need.value, skipped.codes) for skipped in report.skipped)


def _reason(error: LorebookError) -> str:
    parts = [error.message]
    if error.where:
        parts.append(f"({error.where})")
    if error.found and error.found not in error.message:
        parts.append(f"Found: {error.found}.")
    if error.hint:
        parts.append(error.hint)
    return " ".join(parts)
