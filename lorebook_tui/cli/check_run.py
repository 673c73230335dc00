"""One run of `lorebook check`: from options to a result, and how it is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lorebook_tui.cli.check_text import several, write_result
from lorebook_tui.cli.output import Progress, safe_json
from lorebook_tui.display import plain, quote
from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.lint.findings import Severity
from lorebook_tui.lint.reports import FORMATS, rendered
from lorebook_tui.workspace import check_config, check_paths, checking, store
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.check_repair import Repairs
from lorebook_tui.workspace.check_settings import settings_from
from lorebook_tui.workspace.files import Opener, read_bytes
from lorebook_tui.workspace.sample import WORKSPACE_FILE
from lorebook_tui.workspace.settings_file import Extras, extras_from

if TYPE_CHECKING:
    from lorebook_tui.cli.output import Writer
    from lorebook_tui.lint.config import LintConfig
    from lorebook_tui.lint.told import CheckResult
    from lorebook_tui.model.transcript import Transcript
    from lorebook_tui.workspace.library import Surroundings

TEXT: Final = "text"
_LEVELS: Final = {each.value: each for each in Severity if each is not Severity.OFF}


@dataclass(frozen=True)
class Asked:
    """What the command line says."""

    paths: tuple[Path, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    chats: tuple[Path, ...] = ()
    set: tuple[str, ...] = ()
    preview: bool = False
    fix: bool = False
    offered: bool = False
    diff: bool = False
    repair: bool = False
    report: str = TEXT
    statistics: bool = False
    least: str = Severity.INFO.value
    settings: Path | None = None
    config: Path | None = None
    baseline: Path | None = None
    library: Path | None = None
    witness: Path | None = None
    skip_others: bool = False
    jobs: int = 0


@dataclass(frozen=True)
class Outcome:
    """What it comes to."""

    result: CheckResult
    has_findings: bool
    """Errors or warnings, or what repairs would change."""
    has_unreadable: bool


def checked(asked: Asked, writer: Writer) -> Outcome:
    """Check, and write the report.

    Raises:
        UsageError: an option that cannot be meant.
        UnreadableError: a file that is not there.
    """
    _refuse_unknown(asked)
    result = result_of(asked, writer)
    if asked.baseline is not None:
        _write_baseline(asked.baseline, result, writer)
    shown = _at_least(result, _LEVELS[asked.least])
    if asked.report == TEXT:
        mending = asked.repair and not asked.fix
        write_result(shown, writer, with_diff=asked.diff, with_mending=mending, statistics=asked.statistics)
    else:
        text = rendered(asked.report, shown)
        writer.line(text if asked.report in {"github", "markdown"} else safe_json(text))
    bad = sum(shown.count(severity) for severity in (Severity.ERROR, Severity.WARNING))
    would_change = (asked.diff or asked.repair) and not asked.fix and any(file.diff for file in result.files)
    if asked.witness is not None:
        _write_witnesses(asked.witness, shown, writer)
    has_unreadable = result.is_cut_short or any(file.unreadable for file in result.files)
    return Outcome(shown, bool(bad or would_change), has_unreadable)


def result_of(asked: Asked, writer: Writer) -> CheckResult:
    """Everything that the rules have to say."""
    paths = asked.paths or (Path(),)
    workspaces = [path for path in paths if _is_workspace(path)]
    config = check_config.with_options(_config(asked, paths), asked.select, asked.ignore, preview=asked.preview)
    if workspaces and len(paths) == 1 and not (asked.fix or asked.diff or asked.repair):
        from lorebook_tui.workspace.check_workspace import world_from  # noqa: PLC0415 - only for workspaces

        world = world_from(paths[0], asked.chats)
        around_it = _surroundings(asked, writer)
        if around_it is not None:
            world.library = around_it.library
        return checking.check_world(world, config, around_it.items if around_it else ())
    wanted = files_of(paths)
    files = check_paths.collected(wanted)
    around = _around(asked, writer)
    named = frozenset(path for path in wanted if not path.is_dir() and not asked.skip_others)
    with Progress(writer, "Checking", len(files)) as progress:
        return checking.check_files(
            files, config, around, _repairs(asked), named=named, jobs=asked.jobs,
            progress=lambda done, _: progress(done),
        )  # fmt: skip


def _repairs(asked: Asked) -> Repairs | None:
    """What is to be repaired; None: nothing."""
    fixes = asked.fix or asked.diff
    if not fixes and not asked.repair:
        return None
    return Repairs(write=asked.fix and not asked.diff, offered=asked.offered, fixes=fixes, mends=asked.repair)


def _around(asked: Asked, writer: Writer) -> checking.Around:
    """What is known beside the files."""
    found = _surroundings(asked, writer)
    settings = asked.settings or (found.settings if found is not None else None)
    extras = Extras() if settings is None else extras_from(settings)
    return checking.Around(
        prompt=extras.prompt,
        regex_scripts=extras.regex_scripts,
        settings=settings_from(settings, asked.set),
        chats=tuple(_chat(path) for path in asked.chats),
        library=found.library if found is not None else None,
        shelf=found.items if found is not None else (),
    )


def _surroundings(asked: Asked, writer: Writer) -> Surroundings | None:
    if asked.library is None:
        return None
    from lorebook_tui.workspace.library import surroundings  # noqa: PLC0415 - only where a library is given

    with Progress(writer, "Looking around", 1) as progress:
        return surroundings(asked.library, progress)


def files_of(paths: tuple[Path, ...]) -> list[Path]:
    """The paths, a workspace file replaced by the files it names."""
    found: list[Path] = []
    for path in paths:
        if _is_workspace(path) and (path.is_file() or path == Path()):
            from lorebook_tui.workspace import check_workspace  # noqa: PLC0415 - only for workspaces

            found += check_workspace.files_of(path)
        else:
            found.append(path)
    return found


def _is_workspace(path: Path) -> bool:
    """A workspace file, or a folder whose workspace file names lore and not only rules."""
    if path.suffix.lower() == ".toml":
        return True
    if not path.is_dir() or not (path / WORKSPACE_FILE).is_file():
        return False
    from lorebook_tui.workspace import check_workspace  # noqa: PLC0415 - only for workspaces

    return check_workspace.names_lore(path / WORKSPACE_FILE)


def _config(asked: Asked, paths: tuple[Path, ...]) -> LintConfig:
    if asked.config is not None:
        return check_config.config_of(asked.config)
    return check_config.config_of(check_config.nearest(paths[0]))


def _chat(path: Path) -> Transcript:
    source = Opener().open(path)
    if source.loaded.transcript is None:
        raise UnreadableError(
            "This is no chat.", where=str(path), expected="a chat (.jsonl, .json or text)", found=source.format_title
        )
    return source.loaded.transcript


def _refuse_unknown(asked: Asked) -> None:
    if asked.report not in (TEXT, *FORMATS):
        raise UsageError(
            f"There is no report called {quote(asked.report)}.",
            expected=", ".join((TEXT, *FORMATS)),
            found=asked.report,
        )
    if asked.least not in _LEVELS:
        raise UsageError(
            f"There is no severity {quote(asked.least)}.",
            expected=", ".join(_LEVELS),
            found=asked.least,
            where="--severity",
        )
    if asked.offered and not (asked.fix or asked.diff or asked.repair):
        raise UsageError(
            "--unsafe-fixes says which repairs to make, but none are asked for.", hint="Add --diff or --fix."
        )


def _at_least(result: CheckResult, least: Severity) -> CheckResult:
    files = tuple(
        replace(file, findings=tuple(told for told in file.findings if told.severity.rank <= least.rank))
        for file in result.files
    )
    return replace(result, files=files)


def _write_witnesses(folder: Path, result: CheckResult, writer: Writer) -> None:
    from lorebook_tui.workspace.witness_files import write_witnesses  # noqa: PLC0415 - only where they are wanted

    written = write_witnesses(folder, result.findings)
    if not written:
        writer.narrate("No finding has a scenario that shows it.")
        return
    count = "1 scenario" if len(written) == 1 else f"{len(written)} scenarios"
    first = plain(str(written[0]), " ")
    writer.narrate(f"{count} written; `lorebook simulate --witness {first}` runs the first.")


def _write_baseline(path: Path, result: CheckResult, writer: Writer) -> None:
    names = {file.name: check_config.below(file.name, str(path.resolve().parent)) for file in result.files}
    text = check_config.baseline_text(
        told.fingerprint.replace(f"\0{told.file}\0", f"\0{names.get(told.file, told.file)}\0", 1)
        for told in result.findings
    )
    expected = store.stamp_of(read_bytes(path)) if path.is_file() else store.MISSING_FILE
    store.write(path, text.encode(), expected, backup=BackupPolicy(every=True))
    counts = Counter(told.severity for told in result.findings)
    listed = ", ".join(several(counts[severity], severity.value) for severity in counts)
    writer.narrate(f"{plain(str(path), ' ')} lets pass what was found: {listed or 'nothing'}.")
