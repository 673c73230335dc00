"""`lorebook set`, `renumber`, `replace`, `tidy`, `rm` and `mv`: what they show, and exactly what they write."""

from __future__ import annotations

import base64
import difflib
import io
import json
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]
SAMPLE = "sample_books/harrowmere"
HARROWMERE = f"{SAMPLE}/harrowmere.json"
DRY = {
    "set_dry": (
        "set",
        "order:>100 bell",
        "order=+10",
        "position=at-depth",
        "key=+gong,-bells",
        "folder=Bells",
        SAMPLE,
        "-n",
    ),
    "set_content_dry": ("set", "title:'drowned bell'", "content==Under the landing hangs a bell.", HARROWMERE, "-n"),
    "set_fired_dry": ("set", "fired:never -kind:constant", "enabled=no", SAMPLE, "-n"),
    "renumber_dry": ("renumber", SAMPLE, "--where", "layer:persona,chat", "--descending", "--step", "5", "-n"),
    "replace_dry": ("replace", "/the (bell|guild)s?\\b/i", "that $1", SAMPLE, "--in", "content", "--in", "title", "-n"),
    "rm_dry": ("rm", "cut:yes", SAMPLE, "-n"),
    "mv_dry": ("mv", "kind:constant order:>900", SAMPLE, "--to", "traveller", "-n"),
    "set_help": ("set", "--help"),
}


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Backups go to a folder of the test."""
    folder = tmp_path / "state"
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(folder))
    monkeypatch.setenv("LOREBOOK_CONFIG_DIR", str(tmp_path / "config"))
    return folder


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A copy of a sample world."""
    return Path(shutil.copy(HARROWMERE, tmp_path / "harrowmere.json"))


@pytest.mark.parametrize("name", DRY)
def test_output(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    result = run(*DRY[name])
    assert result.exit_code == 0
    golden(name, result.stdout)


@pytest.mark.parametrize("name", [name for name in DRY if name != "set_help"])
def test_a_dry_run_writes_nothing(
    name: str, run: Run, tmp_path: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = Path(shutil.copytree(SAMPLE, tmp_path / SAMPLE))
    before = {path.name: path.read_bytes() for path in copied.iterdir()}
    monkeypatch.chdir(tmp_path)
    for more in ((), ("--json",)):
        result = run(*DRY[name], *more)
        assert result.exit_code == 0
        assert {path.name: path.read_bytes() for path in copied.iterdir()} == before
    document = json.loads(result.stdout)
    assert document["dry_run"] is True
    assert all(not file["written"] for file in document["files"])
    assert not state.exists()


@pytest.mark.parametrize("name", [name for name in DRY if name != "set_help"])
def test_no_line_is_wider_than_the_terminal(name: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    assert [line for line in run(*DRY[name]).stdout.splitlines() if len(line) > 72] == []


def changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """Lines that went, and lines that came."""
    lines = list(difflib.ndiff(before.splitlines(), after.splitlines()))
    return [line[2:].strip() for line in lines if line[:2] == "- "], [
        line[2:].strip() for line in lines if line[:2] == "+ "
    ]


def test_set_changes_exactly_the_lines_it_names(run: Run, book: Path, state: Path) -> None:
    before = book.read_bytes()
    result = run("set", "uid:7,8", "order=+5", str(book))
    assert (result.exit_code, result.stderr) == (0, "")
    gone, come = changed(before.decode(), book.read_text("utf-8"))
    assert (gone, come) == (['"order": 130,', '"order": 100,'], ['"order": 135,', '"order": 105,'])
    assert result.stdout.startswith("harrowmere.json  2 entries changed; 2 lines\n")
    (backup,) = state.rglob("*.json")
    assert str(backup) in result.stdout.replace("\n", "")
    assert backup.read_bytes() == before
    assert run("set", "uid:7,8", "order=-5", str(book)).exit_code == 0
    assert book.read_bytes() == before


def test_nothing_is_written_if_nothing_changes(run: Run, book: Path, state: Path) -> None:
    result = run("set", "uid:7", "order=130", str(book))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "like that already" in result.stderr
    assert not state.exists()


V2 = {"keys": ["bell"], "content": "A bell.", "extensions": {"x": 2.50}, "enabled": True, "insertion_order": 10}
CARD = {
    "spec": "chara_card_v2",
    "data": {"name": "M", "other": [1, 2.0], "character_book": {"entries": [V2, {**V2, "id": 9}]}},
}


def png(value: Any) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    text = b"chara\0" + base64.b64encode(json.dumps(value).encode())
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)), chunk(b"tEXt", b"Comment\0by hand")]
    parts += [chunk(b"tEXt", text), chunk(b"IDAT", zlib.compress(b"\0\0")), chunk(b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def charx(value: Any) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("assets/icon.txt", "icon" * 50)
        archive.writestr("card.json", json.dumps(value, indent=2))
    return target.getvalue()


FORMATS = {
    "world.json": json.dumps({"entries": {"1": {"uid": 1, "key": ["bell"], "content": "A bell.", "order": 10}}}, indent="\t").encode(),
    "crlf.json": json.dumps({"entries": {"1": {"uid": 1, "key": ["bell"], "content": "A bell.", "order": 1e1}}}, indent=2).replace("\n", "\r\n").encode(),
    "utf16.json": json.dumps({"entries": {"1": {"uid": 1, "key": ["bell"], "content": "é", "order": 10}}}).encode("utf-16"),
    "list.json": json.dumps([{"uid": 1, "key": ["bell"], "content": "A bell.", "order": 10}]).encode(),
    "bare.json": json.dumps({"name": "b", "entries": [V2, V2]}, indent=1).encode(),
    "v3.json": json.dumps({"spec": "lorebook_v3", "data": {"name": "b", "entries": [V2]}}, indent=4).encode(),
    "card.json": json.dumps(CARD, indent=4).encode(),
    "card.png": png(CARD),
    "card.charx": charx({**CARD, "spec": "chara_card_v3", "spec_version": "3.0"}),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written_losslessly(name: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FORMATS[name])
    there = run("set", "bell", "depth=7", "key=+gong", str(path), "--json")
    assert there.exit_code == 0
    assert path.read_bytes() != FORMATS[name]
    assert all(file["written"] and file["lines"] and file["backup"] for file in json.loads(there.stdout)["files"])
    shown = json.loads(run("ls", str(path), "--json").stdout)
    assert all(entry["keys"] == ["bell", "gong"] for book in shown["books"] for entry in book["entries"])


@pytest.mark.parametrize("name", FORMATS)
def test_there_and_back_gives_the_same_bytes(name: str, run: Run, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FORMATS[name])
    before = FORMATS[name]
    if name == "crlf.json":  # 10.0 comes back as 10: a number that was set is spelt anew
        before = before.replace(b"10.0", b"10")
        path.write_bytes(before)
    for change in (("order=+1", "key=+B"), ("order=-1", "key=-B")):
        assert run("set", "bell", *change, str(path)).exit_code == 0
    after = path.read_bytes()
    if name == "card.charx":  # the archive is packed anew, its members are the same
        with zipfile.ZipFile(io.BytesIO(after)) as made, zipfile.ZipFile(io.BytesIO(before)) as given:
            assert [(item.filename, made.read(item)) for item in made.infolist()] == [
                (item.filename, given.read(item)) for item in given.infolist()
            ]
    else:
        assert after == before


@pytest.mark.parametrize(
    ("arguments", "status", "told"),
    [
        (("set", "nothing-like-it", "order=1", HARROWMERE), 1, "No entry matches"),
        (("set", "drowend", "order=1", HARROWMERE), 1, "Did you mean 'The drowned bell'?"),
        (("set", "", "order=1", HARROWMERE), 2, "query is empty"),
        (("set", HARROWMERE, "order=1"), 2, "query is missing"),
        (("set", "bell", HARROWMERE), 2, "nothing to set"),
        (("set", "bell", "ordr=1", HARROWMERE), 2, "Did you mean order"),
        (("set", "ordr:1", "order=1", HARROWMERE), 2, "Did you mean order"),
        (("set", "bell", "depth==-1", HARROWMERE), 2, "0 to 1000"),
        (("set", "fired:never", "order=1", HARROWMERE), 1, "--chat FILE"),
        (("set", "bell", "order=1", HARROWMERE, "-b", "nowhere"), 2, "harrowmere"),
        (("set", "key:/(a+)+\\1$/ or content:/x(/", "order=1", HARROWMERE), 2, "not valid"),
        (("rm", "nothing-like-it", HARROWMERE), 1, "No entry matches"),
        (("mv", "bell", HARROWMERE, "--to", "nowhere"), 2, "There is no book"),
        (("mv", "bell", HARROWMERE, "--to", "nowhere.json"), 2, "lorebook new"),
        (("mv", "bell", HARROWMERE, "--to", HARROWMERE), 1, "in that book already"),
        (("replace", "not in there", "x", HARROWMERE), 1, "nothing to replace"),
        (("replace", "a", "x", HARROWMERE, "--in", "order"), 2, "content, keys, secondary, title"),
        (("renumber", HARROWMERE, "--step", "0"), 2, "above 0"),
        (("renumber", HARROWMERE, "--by", "size"), 2, "order or tree"),
        (("tidy", HARROWMERE), 2, "--titles"),
    ],
)
def test_refusals(arguments: tuple[str, ...], status: int, told: str, run: Run) -> None:
    before = Path(HARROWMERE).read_bytes()
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (status, "")
    assert told in " ".join(result.stderr.split())
    assert Path(HARROWMERE).read_bytes() == before


def test_a_book_narrows_the_query(run: Run, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(SAMPLE, tmp_path / "h"))
    result = run("set", "*", "sticky=3", str(copied), "-b", "traveller", "-b", "mira.png", "--json")
    assert [Path(file["file"]).name for file in json.loads(result.stdout)["files"]] == ["mira.png", "traveller.json"]


def test_ls_lists_what_a_query_means(run: Run) -> None:
    listed = json.loads(run("ls", SAMPLE, "--where", "cut:yes or title=voice", "--json").stdout)["books"]
    assert [(book["name"], [entry["title"] for entry in book["entries"]]) for book in listed] == [
        ("harrowmere", ["Old Pell", "The Tithe House", "Manners of the Harrowfolk", "A heron, now and then"]),
        ("Mira", ["Voice"]),
    ]
    assert run("ls", SAMPLE, "-w", "no-such-entry").exit_code == 1
    assert "4 entries" in run("ls", SAMPLE, "-w", "cut:yes").stdout


def test_a_query_may_begin_with_a_minus(run: Run) -> None:
    def titles(*arguments: str) -> list[str]:
        shown = json.loads(run(*arguments, HARROWMERE, "-n", "--json").stdout)
        return [entry["title"] for file in shown["files"] for entry in file["entries"]]

    assert titles("set", "-order:>90", "depth=9") == titles("set", "not order:>90", "depth=9")
    assert titles("rm", "-constant:yes bell") == titles("rm", "constant:no bell")
    assert run("rm", "-x", HARROWMERE).exit_code == 2


def test_a_content_from_a_file(run: Run, book: Path, tmp_path: Path) -> None:
    text = tmp_path / "bell.txt"
    text.write_bytes(b"@@activate\r\nUnder the {{char}}.\r\n")
    assert run("set", "uid:7", f"content=@{text}", str(book), "--force").exit_code == 0
    assert json.loads(book.read_text("utf-8"))["entries"]["7"]["content"] == "@@activate\nUnder the {{char}}."
    assert run("set", "uid:7", "content=@@dont_activate", str(book), "--force").exit_code == 0
    assert json.loads(book.read_text("utf-8"))["entries"]["7"]["content"] == "@@dont_activate"
    assert run("set", "uid:7", "content=@nowhere.txt", str(book)).exit_code == 3


def test_guards_need_force(run: Run, book: Path) -> None:
    before = book.read_bytes()
    result = run("set", "uid:7", "content=Short.", str(book))
    assert (result.exit_code, book.read_bytes()) == (1, before)
    assert "GUARD" in result.stderr
    assert "--force" in result.stderr
    assert "Needs --force" in run("set", "uid:7", "content=Short.", str(book), "-n").stderr
    assert run("set", "uid:7", "locked=yes", str(book)).exit_code == 0
    assert "locked" in run("rm", "uid:7", str(book)).stderr
    assert "locked" in run("replace", "bell", "gong", str(book)).stderr
    assert run("set", "uid:7", "content=Short.", str(book), "--force").exit_code == 0
    assert run("set", "uid:7", "locked=no", str(book)).exit_code == 0
    assert run("rm", "uid:7", str(book)).exit_code == 0


def test_rm_takes_only_these_entries(run: Run, book: Path) -> None:
    before = json.loads(book.read_text("utf-8"))
    gone, come = changed(book.read_text("utf-8"), (run("rm", "uid:39..", str(book)), book.read_text("utf-8"))[1])
    after = json.loads(book.read_text("utf-8"))
    assert set(before["entries"]) - set(after["entries"]) == {key for key in before["entries"] if int(key) >= 39}
    assert all(after["entries"][key] == before["entries"][key] for key in after["entries"])
    assert gone
    assert all(line in {"}", "},"} for line in come)


def test_mv_moves_between_formats_and_writes_the_target_first(run: Run, book: Path, tmp_path: Path) -> None:
    card = tmp_path / "card.png"
    card.write_bytes(png(CARD))
    result = run("mv", "title:'drowned bell'", str(book), "--to", str(card), "--json")
    assert result.exit_code == 0
    assert [file["entries"][0]["change"] for file in json.loads(result.stdout)["files"]] == ["removed", "added"]
    assert "characterFilter" not in result.stderr
    listed = json.loads(run("ls", str(card), "--json").stdout)["books"][0]["entries"]
    assert [entry["title"] for entry in listed] == ["bell", "bell", "The drowned bell"]
    assert "7" not in json.loads(book.read_text("utf-8"))["entries"]
    back = run("mv", "title:'drowned bell'", str(card), "--to", str(book), "--copy")
    assert back.exit_code == 0
    moved = json.loads(book.read_text("utf-8"))["entries"]["7"]
    original = json.loads(Path(HARROWMERE).read_text("utf-8"))["entries"]["7"]
    assert (moved["content"], moved["key"], moved["order"]) == (original["content"], original["key"], original["order"])
    assert len(json.loads(run("ls", str(card), "--json").stdout)["books"][0]["entries"]) == 3


def test_mv_tells_what_the_other_file_cannot_hold(run: Run, book: Path, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    card.write_text(json.dumps(CARD), "utf-8")
    run("set", "uid:7", "character=Mira", str(book))
    result = run("mv", "uid:7", str(book), "--to", str(card), "-n")
    assert "The file cannot hold characterFilter of 1 entry." in result.stderr


def test_tidy(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "untidy.json"
    entries = {
        "0": {"uid": 0, "key": ["bell", "Bell", ""], "comment": "", "content": ""},
        "1": {"uid": 1, "key": ["a"], "comment": "A"},
    }
    path.write_text(json.dumps({"entries": entries}, indent=4), "utf-8")
    shown = run("tidy", str(path), "--titles", "--keys", "-n")
    assert [line.split() for line in shown.stdout.splitlines()[2:]] == [
        ["key", "-", "Bell", "-"],
        ["comment", '""', "→", '"bell"'],
    ]
    assert run("tidy", str(path), "--titles", "--keys").exit_code == 0
    after = json.loads(path.read_text("utf-8"))["entries"]
    assert (after["0"]["key"], after["0"]["comment"], after["1"]) == (["bell"], "bell", entries["1"])


def test_renumber_keeps_the_prompt(run: Run, tmp_path: Path) -> None:
    copied = Path(shutil.copytree(SAMPLE, tmp_path / "h"))

    def order_in_prompt() -> list[str]:
        turn = json.loads(run("simulate", str(copied), "--turn", "14", "--json").stdout)["turns"][0]
        titles = {entry["index"]: entry["title"] for entry in turn["entries"]}
        return [titles[row["entry"]] for row in turn["ledger"]]

    before = order_in_prompt()
    assert run("renumber", str(copied), "--start", "1", "--step", "1").exit_code == 0
    assert order_in_prompt() == before
    assert run("renumber", str(copied), "--start", "1", "--step", "1", "--descending").exit_code == 0
    assert order_in_prompt() != before


def test_hostile_text_does_not_reach_the_terminal(run: Run, tmp_path: Path) -> None:
    evil = "\x1b]52;c;AAAA\x07\u202e\x9b31m"
    path = tmp_path / "evil.json"
    path.write_text(
        json.dumps({"entries": {"0": {"uid": 0, "key": [evil], "comment": evil, "content": f"a {evil}\nb"}}}), "utf-8"
    )
    for arguments in (
        ("set", "*", f"title={evil}x", f"key=+{evil}y", "content=c", str(path), "-n"),
        ("replace", "a", evil, str(path), "-n"),
        ("rm", "*", str(path), "-n", "--json"),
        ("rm", "*", str(path)),
    ):
        result = run(*arguments)
        assert result.exit_code == 0
        assert not set("\x1b\x07\u202e\x9b") & set(result.stdout + result.stderr)


def test_a_file_that_changed_meanwhile_is_left_alone(run: Run, book: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from lorebook_tui.cli import edit_ops

    real = edit_ops.remove

    def late(workspace: Any, refs: Any) -> Any:
        book.write_bytes(book.read_bytes() + b"\n")
        return real(workspace, refs)

    monkeypatch.setattr(edit_ops, "remove", late)
    result = run("rm", "uid:7", str(book))
    assert result.exit_code == 1
    assert "CHANGED_ON_DISK" in result.stderr
    assert "7" in json.loads(book.read_text("utf-8"))["entries"]
