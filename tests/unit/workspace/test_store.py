"""Files are written whole or not at all, and what was there before is kept."""

from __future__ import annotations

import errno
import os
import stat
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UnreadableError, UsageError
from lorebook_tui.formats import detect
from lorebook_tui.workspace import places, store
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.store import (
    MISSING_FILE,
    NotTheSameError,
    NotWrittenError,
    ReadOnlyError,
    stamp,
    stamp_of,
    write,
)

if TYPE_CHECKING:
    from collections.abc import Callable

WORLD = b'{"entries": {"0": {"uid": 0, "key": ["a"], "content": "x"}}}'


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def clock() -> Callable[[], datetime]:
    moment = datetime(2026, 11, 30, tzinfo=UTC)

    def tick() -> datetime:
        nonlocal moment
        moment += timedelta(seconds=1)
        return moment

    return tick


def test_a_new_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    saved = write(path, WORLD, MISSING_FILE)
    assert path.read_bytes() == WORLD
    assert saved == store.Saved(path, stamp_of(WORLD))
    assert saved.stamp == stamp(path)
    assert names(tmp_path) == ["a.json"]


def test_a_new_file_takes_nobody_s_place(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"other")
    with pytest.raises(store.FileThereError) as caught:
        write(path, WORLD, MISSING_FILE)
    assert caught.value.hint
    assert path.read_bytes() == b"other"
    write(path, WORLD, None)
    assert path.read_bytes() == WORLD


def test_a_file_that_somebody_changed_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    expected = stamp(path)
    path.write_bytes(b"theirs")
    with pytest.raises(store.ChangedOnDiskError, match="changed"):
        write(path, WORLD, expected)
    assert path.read_bytes() == b"theirs"
    path.unlink()
    with pytest.raises(store.ChangedOnDiskError, match="no longer"):
        write(path, WORLD, expected)
    assert names(tmp_path) == []


def test_a_file_that_was_only_touched_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    expected = stamp(path)
    os.utime(path, (1, 1))
    assert stamp(path).mtime_ns != expected.mtime_ns
    write(path, WORLD, expected)
    assert path.read_bytes() == WORLD


def test_equal_bytes_are_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(WORLD)
    os.utime(path, (1, 1))
    saved = write(path, WORLD, stamp(path), backup=BackupPolicy(tmp_path / "backups"))
    assert not saved.is_written
    assert path.stat().st_mtime == 1
    assert names(tmp_path) == ["a.json"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has one mark for read-only and no modes")
def test_mode_stays_and_a_new_file_gets_the_usual_one(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write(path, WORLD, None)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    before = os.umask(0o027)
    try:
        write(tmp_path / "b.json", WORLD, MISSING_FILE)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "b.json").stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    real = tmp_path / "real" / "a.json"
    real.write_bytes(b"old")
    link = tmp_path / "link.json"
    link.symlink_to(real)
    saved = write(link, WORLD, stamp(link), backup=BackupPolicy(tmp_path / "backups"))
    assert link.is_symlink()
    assert real.read_bytes() == WORLD
    assert saved.path == link
    assert saved.backup is not None
    assert saved.backup.read_bytes() == b"old"
    assert names(tmp_path / "real") == ["a.json"]


@pytest.mark.skipif(os.name == "nt", reason="links need rights on Windows")
def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    with pytest.raises(NotWrittenError):
        write(tmp_path / "a", WORLD, None)


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(ReadOnlyError) as caught:
        write(path, WORLD, None)
    assert caught.value.hint
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EACCES, ReadOnlyError),
        (errno.EROFS, ReadOnlyError),
        (errno.ENOSPC, NotWrittenError),
        (errno.EIO, NotWrittenError),
    ],
)
def test_what_the_system_says_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[NotWrittenError]
) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def refuse(*_: Any) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(kind) as caught:
        write(path, WORLD, None)
    assert caught.value.where == str(path)
    assert caught.value.hint
    assert names(tmp_path) == ["a.json"]
    assert path.read_bytes() == b"old"


def test_folders_and_missing_folders(tmp_path: Path) -> None:
    with pytest.raises(NotWrittenError):
        write(tmp_path, WORLD, None)
    with pytest.raises(NotWrittenError, match="folder does not exist"):
        write(tmp_path / "none" / "a.json", WORLD, None)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_is_no_file_is_refused() -> None:
    with pytest.raises(NotWrittenError, match="ordinary"):
        write(Path(os.devnull), WORLD, None)


def test_a_check_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")

    def check(data: bytes) -> None:
        assert data == WORLD
        raise UnreadableError("No lore.", hint="h")

    with pytest.raises(NotTheSameError, match="No lore"):
        write(path, WORLD, None, check, BackupPolicy(tmp_path / "backups"))
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.json"]


def test_written_lore_must_load_with_as_many_entries(tmp_path: Path) -> None:
    loaded = detect.load(WORLD, "a.json")
    path = tmp_path / "a.json"
    write(path, WORLD, None, store.check_for(loaded))
    with pytest.raises(NotTheSameError) as caught:
        write(path, b'{"entries": {"0": {"uid": 0}, "1": {"uid": 1}}}', None, store.check_for(loaded))
    assert "1 entries" in caught.value.expected
    assert "2 entries" in caught.value.found
    with pytest.raises(NotTheSameError, match="would not load"):
        write(path, b"{", None, store.check_for(loaded))
    assert path.read_bytes() == WORLD


def test_a_disk_that_forgets_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    real = store._written

    def forgetful(beside: Path, data: bytes, before: Any) -> None:
        real(beside, data[:-1], before)

    monkeypatch.setattr(store, "_written", forgetful)
    with pytest.raises(NotTheSameError, match="did not keep"):
        write(path, WORLD, None)
    assert names(tmp_path) == []


def test_somebody_who_writes_at_the_last_moment_wins(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    with pytest.raises(store.ChangedOnDiskError):
        write(path, WORLD, None, lambda _: print(path.write_bytes(b"theirs")))
    assert path.read_bytes() == b"theirs"
    with pytest.raises(store.ChangedOnDiskError):
        write(path, WORLD, None, lambda _: path.unlink())
    assert names(tmp_path) == []


def test_a_file_that_is_held_for_a_moment_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    real = type(path).replace
    tries = []

    def held(self: Path, target: Path) -> Path:
        tries.append(target)
        if len(tries) < 3:
            raise PermissionError(errno.EACCES, "held")
        return real(self, target)

    monkeypatch.setattr(store, "_WAITS", (0.0, 0.0))
    monkeypatch.setattr(type(path), "replace", held)
    write(path, WORLD, None)
    assert len(tries) == 3
    assert path.read_bytes() == WORLD


@pytest.mark.skipif(
    sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs a superuser"
)
def test_the_owner_stays(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    os.chown(path, 1234, 1235)
    write(path, WORLD, None)
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 1235)


def test_what_a_dead_process_left_is_swept_away(tmp_path: Path) -> None:
    old, young, other = (tmp_path / f".{name}.lorebook-tmp" for name in ("a.json.1", "a.json.2", "b.json.1"))
    for left in (old, young, other):
        left.write_bytes(b"")
    os.utime(old, (1, 1))
    os.utime(other, (1, 1))
    write(tmp_path / "a.json", WORLD, MISSING_FILE)
    assert names(tmp_path) == [".a.json.2.lorebook-tmp", ".b.json.1.lorebook-tmp", "a.json"]


def test_a_session_keeps_what_was_there_before_its_first_write(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"first")
    policy = BackupPolicy(tmp_path / "backups", now=clock())
    first = write(path, b"second", None, backup=policy).backup
    assert first is not None
    assert first.read_bytes() == b"first"
    assert write(path, b"third", None, backup=policy).backup is None
    assert [(each.path, each.size, each.time.second) for each in policy.of(path)] == [(first, 5, 1)]
    assert (first.parent / "path.txt").read_text("utf-8").strip() == str(path.resolve())


def test_a_command_keeps_each_state_once_and_only_the_last_ones(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"0")
    policy = BackupPolicy(tmp_path / "backups", keep=3, every=True, now=clock())
    for number in range(1, 6):
        write(path, str(number).encode(), None, backup=policy)
    assert [each.path.read_bytes() for each in policy.of(path)] == [b"4", b"3", b"2"]
    path.write_bytes(b"4")
    kept = write(path, b"6", None, backup=policy).backup
    assert kept == policy.of(path)[0].path
    assert len(policy.of(path)) == 3


def test_a_backup_never_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    policy = BackupPolicy(tmp_path / "backups", every=True, now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    for text in (b"one", b"two", b"three"):
        policy.before(path, text)
    assert sorted(each.path.read_bytes() for each in policy.of(path)) == [b"one", b"three", b"two"]


def test_files_of_one_name_in_two_folders_have_their_own_backups(tmp_path: Path) -> None:
    policy = BackupPolicy(tmp_path / "backups")
    one, other = tmp_path / "one" / "a.json", tmp_path / "other" / "a.json"
    policy.before(one, b"1")
    policy.before(other, b"2")
    assert [each.path.read_bytes() for each in policy.of(one)] == [b"1"]
    assert [each.path.read_bytes() for each in policy.of(other)] == [b"2"]


def test_nothing_is_overwritten_without_its_backup(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(b"old")
    (tmp_path / "backups").write_bytes(b"a file where the folder belongs")
    with pytest.raises(NotWrittenError):
        write(path, WORLD, None, backup=BackupPolicy(tmp_path / "backups"))
    assert path.read_bytes() == b"old"


def test_a_strange_file_among_the_backups_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    policy = BackupPolicy(tmp_path / "backups", every=True)
    policy.before(path, b"1")
    (policy.home(path) / "20260101x.json").write_bytes(b"?")
    assert len(policy.of(path)) == 2


@pytest.mark.parametrize("name", ["Harrowmere.json", "Книга мира.json", "a b.json", "CONcert", "com10.json", "…"])
def test_names_that_travel(name: str) -> None:
    assert store.safe_name(name) == name
    assert store.suggested_name(name) == name


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("Foo: Bar.json", "Foo Bar.json"),
        ("a/b\\c", "a b c"),
        ("con", "_con"),
        ("NUL.json", "_NUL.json"),
        ("COM¹.txt", "_COM¹.txt"),
        ("ends.", "ends"),
        (" begins", "begins"),
        ("tab\there", "tab here"),
        ("lone\ud800", "lone"),
        ("", "lorebook"),
        ("???", "lorebook"),
        ("..", "lorebook"),
        ("ы" * 150 + ".json", "ы" * 97 + ".json"),
        ("x" * 300, "x" * 200),
    ],
)
def test_names_that_do_not(name: str, proposed: str) -> None:
    with pytest.raises(UsageError) as caught:
        store.safe_name(name)
    assert repr(proposed) in caught.value.hint
    assert store.safe_name(proposed) == proposed


@pytest.mark.parametrize(
    ("platform", "environment", "config", "state"),
    [
        ("linux", {"HOME": "/h"}, "/h/.config/lorebook-tui", "/h/.local/state/lorebook-tui"),
        (
            "linux",
            {"HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s"},
            "/c/lorebook-tui",
            "/s/lorebook-tui",
        ),
        ("linux", {"HOME": "/h", "XDG_CONFIG_HOME": "c"}, "/h/.config/lorebook-tui", "/h/.local/state/lorebook-tui"),
        (
            "darwin",
            {"HOME": "/h"},
            "/h/Library/Application Support/lorebook-tui",
            "/h/Library/Application Support/lorebook-tui",
        ),
        ("win32", {"APPDATA": "/r", "LOCALAPPDATA": "/l"}, "/r/lorebook-tui", "/l/lorebook-tui"),
        ("win32", {"USERPROFILE": "/u"}, "/u/AppData/Roaming/lorebook-tui", "/u/AppData/Local/lorebook-tui"),
        ("linux", {"LOREBOOK_CONFIG_DIR": "/x", "LOREBOOK_STATE_DIR": "/y"}, "/x", "/y"),
    ],
)
def test_places(platform: str, environment: dict[str, str], config: str, state: str) -> None:
    assert places.config_folder(environment, platform).as_posix() == config
    assert places.state_folder(environment, platform).as_posix() == state


def test_places_of_this_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LOREBOOK_CONFIG_DIR", str(tmp_path / "c"))
    monkeypatch.setenv("LOREBOOK_STATE_DIR", str(tmp_path / "s"))
    assert places.config_file() == tmp_path / "c" / "config.toml"
    assert places.journal_folder() == tmp_path / "s" / "journal"
    assert BackupPolicy().folder == tmp_path / "s" / "backups"
    assert places.made(tmp_path / "s" / "journal").is_dir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError) as caught:
        places.made(tmp_path / "file" / "below")
    assert "LOREBOOK_STATE_DIR" in caught.value.hint


def test_no_home_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.config_folder({}, "linux").name == "lorebook-tui"

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(UsageError) as caught:
        places.config_folder({}, "linux")
    assert "LOREBOOK_CONFIG_DIR" in caught.value.hint
