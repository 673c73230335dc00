"""`lorebook check` from the command line: statuses, repairs, what it passes over, watching, many files, witnesses."""

from __future__ import annotations

import json
import re
import sys
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.cli.check_run import Asked
from lorebook_tui.cli.check_watch import watched
from lorebook_tui.cli.output import Progress, Writer
from lorebook_tui.lint.findings import Grade, Severity
from lorebook_tui.lint.told import CheckResult, Told, ToldFile
from lorebook_tui.workspace.check_paths import collected
from lorebook_tui.workspace.checking import Around, check_files
from lorebook_tui.workspace.witness_files import write_witnesses
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.testing import Result

    Run = Callable[..., Result]

ONLY = ("--select", "FMT,KEY001,KEY002,KEY003,KEY008,KEY011")
GOOD: dict[str, Any] = {"key": ["mill"], "content": "The mill grinds."}
BROKEN = '{\n "entries": {\n  "0": {"uid": 0, "key": ["mill",], "content": "It grinds."}\n }\n}\n'


def put(path: Path, *entries: dict[str, Any], text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text or world_text(entries or (GOOD,)), "utf-8")
    return path


def test_statuses(run: Run, tmp_path: Path) -> None:
    good = put(tmp_path / "good.json")
    hint = put(tmp_path / "hint.json", {**GOOD, "key": ["mill", ""]})
    bad = put(tmp_path / "bad.json", {**GOOD, "key": []})
    broken = put(tmp_path / "broken.json", text=BROKEN)
    assert run("check", str(good), *ONLY).exit_code == 0
    assert run("check", str(hint), *ONLY).exit_code == 0
    assert run("check", str(bad), *ONLY).exit_code == 1
    assert run("check", str(bad), *ONLY, "--ignore", "KEY001").exit_code == 0
    assert run("check", str(broken), *ONLY).exit_code == 3
    assert run("check", str(broken), str(bad), *ONLY).exit_code == 3
    assert run("check", str(tmp_path / "nothing.json")).exit_code == 3
    for wrong in (
        ["--format", "poem"],
        ["--severity", "bad"],
        ["--select", "NOPE"],
        ["--unsafe-fixes"],
        ["--set", "x=1"],
    ):
        assert run("check", str(good), *wrong).exit_code == 2
    assert run("check", str(tmp_path / "empty"), *ONLY).exit_code == 3
    (tmp_path / "void").mkdir()
    assert run("check", str(tmp_path / "void")).exit_code == 2


def test_severity_filters_the_report_and_the_status(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", "mill", " wheel"]})
    shown = run("check", str(path), *ONLY)
    assert "KEY008" in shown.stdout
    assert "KEY011" in shown.stdout
    assert shown.exit_code == 1
    shown = run("check", str(path), *ONLY, "--severity", "warning")
    assert "KEY008" not in shown.stdout
    assert run("check", str(path), *ONLY, "--severity", "error").exit_code == 0


def test_the_place_is_shown_with_a_mark_under_it(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", "  "]})
    lines = run("check", str(path), *ONLY).stdout.splitlines()
    number = next(place for place, line in enumerate(lines) if "KEY002" in line)
    frame = next(place for place in range(number, len(lines)) if "│" in lines[place])
    assert '"  "' in lines[frame]
    assert lines[frame + 1].index("^") == lines[frame].index('"')


def test_repair_shows_first_and_writes_with_fix(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "broken.json", text=BROKEN)
    shown = run("check", str(path), *ONLY, "--repair")
    assert shown.exit_code == 3
    assert '-  "0": {"uid": 0, "key": ["mill",]' in shown.stdout
    assert '+  "0": {"uid": 0, "key": ["mill"]' in shown.stdout
    assert path.read_text("utf-8") == BROKEN
    done = run("check", str(path), *ONLY, "--repair", "--fix", "--ignore", "FMT008,FMT011", "--format", "json")
    assert done.exit_code == 0
    assert path.read_text("utf-8") == BROKEN.replace(",]", "]")
    (file,) = json.loads(done.stdout)["files"]
    assert [each["code"] for each in file["fixed"]] == ["FMT001"]
    assert Path(file["backup"]).read_text("utf-8") == BROKEN
    put(path, text=BROKEN)
    assert "Repaired: FMT001, FMT008, FMT011." in run("check", str(path), *ONLY, "--repair", "--fix").stdout
    once = path.read_bytes()
    assert "epaired" not in run("check", str(path), *ONLY, "--repair", "--fix").stdout
    assert path.read_bytes() == once


def test_repair_leaves_files_alone_that_can_be_read(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", ""]})
    before = path.read_bytes()
    assert run("check", str(path), *ONLY, "--repair").exit_code == 0
    assert path.read_bytes() == before


def test_a_broken_file_that_changes_meanwhile_is_not_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lorebook_tui.workspace import check_repair

    path = put(tmp_path / "broken.json", text=BROKEN)

    def late(*_: object) -> str:
        path.write_text("theirs", "utf-8")
        return real(*_)  # type: ignore[arg-type] # the same arguments

    real = check_repair.difference
    monkeypatch.setattr(check_repair, "difference", late)
    shown = run("check", str(path), *ONLY, "--repair", "--fix")
    assert path.read_text("utf-8") == "theirs"
    assert shown.exit_code == 3


def test_diff_writes_nothing_and_fix_keeps_a_backup(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", ""]})
    before = path.read_text("utf-8")
    shown = run("check", str(path), *ONLY, "--diff")
    assert shown.exit_code == 1
    assert '-                ""' in shown.stdout
    assert path.read_text("utf-8") == before
    done = run("check", str(path), *ONLY, "--fix", "--format", "json")
    (file,) = json.loads(done.stdout)["files"]
    assert Path(file["backup"]).read_text("utf-8") == before
    assert [each["code"] for each in file["fixed"]] == ["KEY003"]
    assert run("check", str(path), *ONLY, "--diff").exit_code == 0


def test_repairs_say_whether_they_may_change_what_comes_in(run: Run, tmp_path: Path) -> None:
    book = put(tmp_path / "book.json", {**GOOD, "probability": 50, "useProbability": False, "content": "The mill.  "})
    rules = ("--select", "ACT002,CNT013")
    shown = run("check", str(book), *rules).stdout
    assert "fix: switch the roll on; it may change which entries come in\n" in shown
    assert "fix: tidy up its lines\n" in shown
    found = json.loads(run("check", str(book), *rules, "--format", "json").stdout)["files"][0]["findings"]
    assert {each["code"]: each["fix"]["alters_activation"] for each in found} == {"ACT002": True, "CNT013": False}
    assert "safe, may change which entries come in" in run("check", str(book), *rules, "--format", "markdown").stdout
    assert "1 of these may change which entries come in" in run("check", str(book), *rules, "--diff").stdout


def test_what_is_not_repaired_is_told(run: Run, tmp_path: Path) -> None:
    """Without the blank behind it the decorator would work: the entry would come in at every turn."""
    book = put(tmp_path / "book.json", {"key": [], "content": "@@activate \nThe moon is pale."})
    before = book.read_bytes()
    for option in ("--fix", "--diff"):
        told = run("check", str(book), "--select", "CNT013", option).stdout
        assert "Not repaired, as it would change which entries come in: CNT013." in " ".join(told.split())
        assert "can be repaired with --fix" not in told
    assert book.read_bytes() == before
    report = json.loads(run("check", str(book), "--select", "CNT013", "--diff", "--format", "json").stdout)
    assert [each["code"] for each in report["files"][0]["refused"]] == ["CNT013"]


def test_files_of_other_kinds_are_passed_over_in_folders_and_named_when_asked(run: Run, tmp_path: Path) -> None:
    put(tmp_path / "data" / "lore.json")
    preset = put(tmp_path / "data" / "preset.json", text='{"prompts": [], "prompt_order": []}')
    shown = run("check", str(tmp_path / "data"), *ONLY)
    assert shown.exit_code == 0
    assert "Passed over 1 file, no lore that can be read: preset.json." in shown.stdout
    (tmp_path / "pictures").mkdir()
    for name in ("image-no-card.png", "image-cut.png"):
        (tmp_path / "pictures" / name).write_bytes(Path("tests/corpus", name).read_bytes())
    cut = run("check", str(tmp_path / "pictures"), *ONLY)
    assert cut.exit_code == 3
    assert "image-cut.png" in cut.stdout
    assert "Passed over 1 file, no lore that can be read: image-no-card.png." in cut.stdout
    named = run("check", str(preset), *ONLY)
    assert named.exit_code == 3
    assert "This is a preset for chat completion, not lore." in named.stdout
    assert run("check", str(preset), *ONLY, "--skip-others").exit_code == 0
    put(tmp_path / "data" / "worlds" / "other.json", text='{"a": 1}')
    assert run("check", str(tmp_path / "data"), *ONLY).exit_code == 3
    put(tmp_path / "data2" / "empty.json").write_text("")
    assert run("check", str(tmp_path / "data2"), *ONLY).exit_code == 3


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.png", b"\x89PNG\r\n\x1a\n" + b"\0\0\0\0IEND\xaeB`\x82", "The image holds no character card"),
        ("a.zip", b"PK\x05\x06" + b"\0" * 18, "The ZIP archive has no card.json"),
        ("a.db", b"SQLite format 3\0" + b"\0" * 80, "This is an SQLite database"),
        ("a.json", b"", "The file is empty"),
        ("a.json", b"<!DOCTYPE html><html></html>", "This is a web page"),
        ("a.json", b'{"world_info_settings": {}, "power_user": {}}', "This is SillyTavern's settings file"),
        ("a.json", b'{"lorebookVersion": 4, "entries": []}', "This is a NovelAI lorebook"),
        ("a.json", b'{"kind": "memory", "entries": []}', "This is an Agnai memory book"),
        ("a.bin", bytes(range(256)) * 4, "is no UTF-8"),
        ("a.txt", b"Dear friend,\nthe mill stands.", "This is plain text"),
    ],
)
def test_what_is_no_lorebook_is_called_by_its_name(run: Run, tmp_path: Path, name: str, data: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    shown = run("check", str(path))
    assert shown.exit_code == 3
    assert said in " ".join(shown.stdout.split())


def test_statistics_count_by_rule(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", ""]}, {**GOOD, "key": ["", "wheel"]}, {**GOOD, "key": []})
    lines = run("check", str(path), *ONLY, "--statistics").stdout.splitlines()
    head = next(place for place, line in enumerate(lines) if line.startswith("count"))
    assert lines[head + 1].split() == ["2", "KEY003", "empty-key", "info", "2"]
    assert lines[head + 2].split()[:4] == ["1", "KEY001", "no-key", "error"]


def test_a_baseline_lets_old_findings_pass(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "a.json", {**GOOD, "key": []})
    written = run("check", "a.json", *ONLY, "--write-baseline", "old.json")
    assert "old.json lets pass what was found: 1 error." in written.stderr
    Path("lorebook.toml").write_text('[check]\nbaseline = "old.json"\n', "utf-8")
    assert run("check", "a.json", *ONLY).exit_code == 0
    put(tmp_path / "a.json", {**GOOD, "key": []}, {**GOOD, "key": [], "comment": "new"})
    shown = run("check", "a.json", *ONLY)
    assert shown.exit_code == 1
    assert "1 let pass" in shown.stdout


@pytest.mark.parametrize("name", ["json", "sarif", "github", "junit", "markdown"])
def test_reports_of_real_files(run: Run, tmp_path: Path, name: str) -> None:
    put(tmp_path / "b.json", {**GOOD, "key": [], "comment": "\x1b[31m::error::"})
    put(tmp_path / "c.json", text=BROKEN)
    shown = run("check", str(tmp_path), *ONLY, "--format", name)
    assert shown.exit_code == 3
    assert "KEY001" in shown.stdout
    assert "\x1b" not in shown.stdout


def test_five_hundred_files_in_two_processes(tmp_path: Path) -> None:
    for number in range(500):
        put(tmp_path / f"{number:03}.json", {**GOOD, "key": [f"mill {number}", *([""] if number % 10 == 0 else [])]})
    (tmp_path / "broken.json").write_text(BROKEN, "utf-8")
    files = collected([tmp_path])
    from lorebook_tui.lint.config import LintConfig

    config = LintConfig(select=("KEY003", "FMT001"))
    seen: list[tuple[int, int]] = []
    both = check_files(files, config, Around(), jobs=2, progress=lambda done, total: seen.append((done, total)))
    alone = check_files(files, config, Around(), jobs=1)
    assert both == alone
    assert seen == [(number, 501) for number in range(1, 502)]
    assert len([told for told in both.findings if told.code == "KEY003"]) == 50
    assert [file.name for file in both.files] == [str(path) for path in files]


def test_without_processes_the_work_is_done_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lorebook_tui.lint.config import LintConfig
    from lorebook_tui.workspace import check_jobs

    def none_here(*_: object, **__: object) -> None:
        raise OSError("no semaphores")

    monkeypatch.setattr(check_jobs, "ProcessPoolExecutor", none_here)
    files = [put(tmp_path / f"{number}.json", {**GOOD, "key": ["mill", ""]}) for number in range(3)]
    found = check_files(files, LintConfig(select=("KEY003",)), Around(), jobs=2)
    assert len(found.findings) == 3


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("lorebook_tui.cli.output._PATIENCE", -1.0)
    monkeypatch.setattr("lorebook_tui.cli.output._REDRAW", 0.0)
    for stream, is_shown in ((Terminal(), True), (StringIO(), False)):
        with Progress(Writer(error=stream), "Checking", 4) as progress:
            progress(2)
        assert ("Checking [############............] 2 of 4" in stream.getvalue()) is is_shown


def test_watching_checks_again_after_a_change_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": []})
    out, error = StringIO(), StringIO()
    rounds: list[int] = []

    def sleep(seconds: float) -> None:
        assert seconds > 0
        rounds.append(out.getvalue().count("KEY001"))
        if len(rounds) == 2:
            put(path, {**GOOD, "key": []}, {**GOOD, "key": [], "comment": "another"})
        if len(rounds) == 4:
            put(path, text="{")
        if len(rounds) == 5:
            raise KeyboardInterrupt

    watched(Asked((path,), ("FMT", "KEY001"), fix=True), Writer(out=out, error=error), sleep)
    assert rounds == [1, 1, 3, 3, 3]
    assert path.read_text("utf-8") == "{"
    assert error.getvalue().count(":") >= 4


def test_a_watch_looks_at_this_folder_and_at_what_a_workspace_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "a.json", {**GOOD, "key": []})
    for workspace in ("", '[books]\nglobal = ["a.json"]\n'):
        if workspace:
            Path("lorebook.toml").write_text(workspace, "utf-8")
        out = StringIO()
        rounds: list[int] = []

        def sleep(_: float, out: StringIO = out, rounds: list[int] = rounds) -> None:
            rounds.append(out.getvalue().count("KEY001"))
            if len(rounds) == 1:
                put(tmp_path / "a.json", {**GOOD, "key": []}, {**GOOD, "key": [], "comment": "another"})
            if len(rounds) == 2:
                put(tmp_path / "a.json", {**GOOD, "key": []})
                raise KeyboardInterrupt

        watched(Asked((), ("KEY001",)), Writer(out=out, error=StringIO()), sleep)
        assert rounds == [1, 3]


def test_an_encoding_is_shown_as_a_difference(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(world_text((GOOD,)).encode("utf-16"))
    shown = run("check", str(path), *ONLY, "--diff")
    assert "+UTF-8" in shown.stdout
    assert "-UTF-16-LE with a byte order mark" in shown.stdout
    assert shown.exit_code == 1
    assert run("check", str(path), *ONLY, "--fix").exit_code == 0
    assert path.read_bytes() == world_text((GOOD,)).encode("utf-8")


def test_a_watch_survives_that_the_file_goes(tmp_path: Path) -> None:
    path = put(tmp_path / "a.json")
    error = StringIO()
    rounds: list[int] = []

    def sleep(_: float) -> None:
        rounds.append(1)
        if len(rounds) == 1:
            path.unlink()
        if len(rounds) == 3:
            raise KeyboardInterrupt

    watched(Asked((path,)), Writer(out=StringIO(), error=error), sleep)
    assert "There is no such file" in error.getvalue()


WITNESS = {
    "lorebook_witness": 1,
    "shows": "the second one is cut \x1b[31m",
    "books": [
        {"layer": "character", "name": "Ost: one", "entries": {"3": {"uid": 3, "key": ["mill"], "content": "It grinds.", "order": 1, "position": 0}}},
    ],
    "chat": ["Hello.", "Where is the mill?"],
    "settings": {"world_info_depth": 1},
    "seed": 7,
    "context": 4096,
}  # fmt: skip


def told(**more: Any) -> Told:
    return Told("books/a.json", "ACT005", "x", Severity.WARNING, "It sleeps.", grade=Grade.NONE, **more)


def test_witnesses_are_written_and_run(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "proofs"
    written = write_witnesses(folder, [told(witness=WITNESS), told(), told(witness=WITNESS)])
    assert [path.name for path in written] == ["a-ACT005-1.json", "a-ACT005-2.json"]
    assert json.loads(written[0].read_text("utf-8")) == WITNESS
    shown = run("simulate", "--witness", str(written[0]))
    assert shown.exit_code == 0
    assert "the second one is cut" in shown.stderr
    assert "\x1b" not in shown.stdout + shown.stderr
    assert "It grinds." in shown.stdout or "mill" in shown.stdout
    traced = json.loads(run("simulate", "--witness", str(written[0]), "--json").stdout)
    (turn,) = traced["turns"]
    assert [entry["verdict"]["outcome"] for entry in turn["entries"]] == ["in"]


def test_a_witness_that_is_none(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json")
    assert run("simulate", "--witness", str(path)).exit_code == 3
    path.write_text("{", "utf-8")
    assert run("simulate", "--witness", str(path)).exit_code == 3
    path.write_text(json.dumps({**WITNESS, "books": [{"layer": "moon"}]}), "utf-8")
    damaged = run("simulate", "--witness", str(path))
    assert damaged.exit_code == 3
    assert "damaged" in damaged.stderr
    path.write_text(json.dumps(WITNESS), "utf-8")
    assert run("simulate", str(path), "--witness", str(path)).exit_code == 2


def test_check_writes_witnesses_or_says_that_there_are_none(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", ""]})
    shown = run("check", str(path), *ONLY, "--witness", str(tmp_path / "proofs"))
    assert "No finding has a scenario that shows it." in shown.stderr
    assert not (tmp_path / "proofs").exists()


def test_a_library_gives_settings_and_names(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "automationId": "lamps"})
    put(
        tmp_path / "st" / "settings.json",
        text=json.dumps({"world_info_settings": {"world_info_depth": 9}, "power_user": {}}),
    )
    put(tmp_path / "st" / "QuickReplies" / "x.json", text=json.dumps({"qrList": [{"automationId": "other"}]}))
    put(tmp_path / "st" / "worlds" / "copy.json", {**GOOD, "automationId": "lamps"})
    (tmp_path / "st" / "worlds" / "bad.json").write_bytes(b"\xff\xff")
    shown = run("check", str(path), "--select", "PORT,FMT018", "--library", str(tmp_path / "st"))
    text = " ".join(shown.stdout.split())
    assert "there is none of that id" in text
    assert "your settings are not a fresh installation's" in text
    assert "It says the same as" in text
    assert "Not checked" not in text
    assert run("check", str(path), "--library", str(tmp_path / "nowhere")).exit_code == 3
    assert run("check", str(path), "--library", str(path)).exit_code == 3


def test_the_hooks_run_commands_that_there_are(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": ["mill", ""]})
    hooks = re.findall(
        r"^- id: (\S+)|^  entry: lorebook (.*)$", Path(".pre-commit-hooks.yaml").read_text("utf-8"), re.MULTILINE
    )
    names = [name for name, _ in hooks if name]
    entries = [entry.split() for _, entry in hooks if entry]
    assert names == ["lorebook-check", "lorebook-fix"]
    assert len(entries) == 2
    for entry in entries:
        assert run(*entry, str(path), *ONLY).exit_code == 0
    assert json.loads(path.read_text("utf-8"))["entries"]["0"]["key"] == ["mill"]


def test_suppressed_and_skipped_rules_are_told(run: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.json", {**GOOD, "key": [], "extensions": {"lorebook": {"ignore": ["KEY001"]}}})
    shown = run("check", str(path), "--select", "FMT,KEY,PORT")
    assert shown.exit_code == 0
    assert "1 let pass" in shown.stdout
    assert "Not checked, as no folder of cards and books was given: FMT017, PORT005, PORT006." in shown.stdout


def test_a_file_without_findings_of_a_result_is_not_shown() -> None:
    from lorebook_tui.cli.check_text import write_result

    out = StringIO()
    write_result(CheckResult((ToldFile("clean.json", entries=1),)), Writer(out=out))
    assert "clean.json" not in out.getvalue()
    assert out.getvalue() == "1 file: nothing to say.\n"


SHOWN = {
    "check_text": ("check", "tests/corpus/world-key-string.json", "tests/corpus/card-no-enabled.json"),
    "check_broken": ("check", "tests/corpus/broken-no-closing-quote.json", "--repair"),
    "check_diff": ("check", "tests/corpus/world-key-not-uid.json", "--diff"),
    "check_statistics": ("check", "tests/corpus", "--statistics", "--severity", "error"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_what_people_see(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    shown = run(*SHOWN[name], "--select", "FMT", "--ignore", "FMT018")
    golden(name, shown.stdout)


@pytest.mark.skipif(sys.platform == "win32", reason="a folder without permission")
def test_help_names_what_there_is(run: Run) -> None:
    text = run("check", "--help").stdout
    for option in ("--repair", "--library", "--witness", "--watch", "--statistics", "--write-baseline"):
        assert option in text


def test_rules_are_explained_with_their_examples(run: Run) -> None:
    shown = run("explain", "broken-json")
    assert shown.exit_code == 0
    assert "FMT001 broken-json" in shown.stdout
    assert '"key": ["mill",]' in " ".join(shown.stdout.split())
    assert run("explain", "fmt01").exit_code == 2
    listed = run("explain", "--list").stdout
    assert "FMT022" in listed
    assert "PORT006" in listed
    reference = run("explain", "--markdown").stdout
    assert "### FMT015 `unsafe-name`" in reference
    assert "**Option** `longest = 120`" in reference


@pytest.mark.parametrize("entry", [{"group": 7}, {"content": 5}, {"group": "toString"}])
def test_what_breaks_the_whole_scan_is_called_so(run: Run, tmp_path: Path, entry: dict[str, Any]) -> None:
    book = put(tmp_path / "book.json", {**GOOD, **entry})
    told = run("check", str(book), "--select", "FMT005,GRP", "--severity", "error")
    assert "no lore comes at all" in " ".join(told.stdout.split())
    assert told.exit_code == 1


def test_a_configuration_without_lore_checks_the_folder(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path / "bad.json", {**GOOD, "key": []})
    (tmp_path / "lorebook.toml").write_text('[check]\nselect = ["KEY001"]\n')
    assert run("check", str(tmp_path)).exit_code == 1
    monkeypatch.chdir(tmp_path)
    assert "1 file: 1 error." in run("check").stdout


def test_patterns_and_baselines_hold_from_any_folder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book = put(tmp_path / "sub" / "bad.json", {**GOOD, "key": []})
    toml = tmp_path / "lorebook.toml"
    for folder, name in ((tmp_path, "sub/bad.json"), (book.parent, "bad.json"), (book.parent, str(book))):
        monkeypatch.chdir(folder)
        toml.write_text('[check]\nselect = ["KEY001"]\nper-file = { "sub/*" = ["ALL"] }\n')
        assert run("check", name).exit_code == 0
        toml.write_text('[check]\nselect = ["KEY001"]\n')
        assert run("check", name, "--write-baseline", str(tmp_path / "known.json")).exit_code == 1
        toml.write_text('[check]\nselect = ["KEY001"]\nbaseline = "known.json"\n')
        for elsewhere, called in ((tmp_path, "sub/bad.json"), (book.parent, "bad.json"), (Path("/"), str(book))):
            monkeypatch.chdir(elsewhere)
            assert run("check", called).exit_code == 0
        (tmp_path / "known.json").unlink()


def test_a_chat_is_called_one(run: Run, tmp_path: Path) -> None:
    chat = put(tmp_path / "chat.jsonl", text='{"user_name": "A"}\n{"name": "A", "is_user": true, "mes": "The mill."}\n')
    told = run("check", str(chat))
    assert told.exit_code == 0
    assert "1 message, no lorebook" in told.stdout


def test_what_is_about_the_settings_is_said_once(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        put(tmp_path / f"{name}.json")
    wrong = ("--set", "world_info_max_recursion_steps=2", "--set", "world_info_min_activations=3")
    report = json.loads(run("check", str(tmp_path), "--select", "REC007", *wrong, "--format", "json").stdout)
    found = {Path(file["name"]).name: [each["code"] for each in file["findings"]] for file in report["files"]}
    assert found == {"a.json": ["REC007"], "b.json": [], "c.json": []}
