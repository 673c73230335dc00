"""Small files, one for each kind of deviation that public lore has, with what the rules say of each.

The table is `tests/corpus/expected.txt`; after a change of rules read what is different, then run with
LOREBOOK_UPDATE_GOLDEN=1 in the environment.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lorebook_tui.formats import detect
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.workspace.check_repair import Repairs
from lorebook_tui.workspace.checking import Around, check_files

if TYPE_CHECKING:
    from lorebook_tui.lint.told import ToldFile

CORPUS = Path(__file__).parents[2] / "corpus"
TABLE = CORPUS / "expected.txt"
SHOWN = (
    *("FMT", "PORT", "RX001", "RX013", "KEY001", "KEY002", "KEY003", "KEY004", "KEY008", "KEY009", "KEY010", "KEY011"),
    *("KEY012", "KEY013", "KEY015", "KEY020", "KEY021", "KEY023", "KEY029"),
)
"""What the files are about. Single files show nothing of what files say of each other."""
_MOST_CELLS = 100


def table() -> dict[str, tuple[str, list[str]]]:
    """File, what it shows, and the lines of what is found."""
    found: dict[str, tuple[str, list[str]]] = {}
    name = ""
    for line in TABLE.read_text("utf-8").splitlines():
        if line.startswith("    "):
            found[name][1].append(line.strip())
        elif line.strip() and not line.startswith("#"):
            name, _, what = line.partition("  ")
            found[name] = (what.strip(), [])
    return found


EXPECTED = table()
SAMPLES = [
    path for path in sorted(CORPUS.parents[1].glob("sample_books/*/*")) if path.suffix in {".json", ".png", ".jsonl"}
]


def checked(path: Path, repairs: Repairs | None = None, select: tuple[str, ...] = SHOWN) -> ToldFile:
    """A file by itself."""
    (file,) = check_files([path], LintConfig(select=select), Around(), repairs).files
    return file


def lines_of(file: ToldFile) -> list[str]:
    """What is found, a line each."""
    lines = [f"not readable: {file.untold.splitlines()[0][:_MOST_CELLS]}".rstrip()] if file.untold else []
    for told in file.findings:
        place = f"{told.line}:{told.column}" if told.line else "-"
        fix = f" ({told.grade.value} fix)" if told.fix else ""
        lines.append(f"{told.severity.value[0].upper()} {told.code} {told.name} {place}{fix}")
    return lines


def test_the_table_and_the_folder_are_the_same() -> None:
    names = sorted(path.name for path in CORPUS.iterdir() if path != TABLE)
    assert sorted(EXPECTED) == names
    assert len(names) >= 60
    if os.environ.get("LOREBOOK_UPDATE_GOLDEN"):
        head = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("#")]
        rows = [
            "\n".join([f"{name}  {what}", *(f"    {line}" for line in lines_of(checked(CORPUS / name)))])
            for name, (what, _) in EXPECTED.items()
        ]
        TABLE.write_text("\n".join([*head, *rows]) + "\n", "utf-8")


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_found(name: str) -> None:
    assert lines_of(checked(CORPUS / name)) == EXPECTED[name][1]


@pytest.mark.parametrize("name", [name for name in EXPECTED if name.startswith("broken-")])
def test_a_broken_file_is_repaired_or_left_alone(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes((CORPUS / name).read_bytes())
    before = path.read_bytes()
    first = checked(path, Repairs(write=True, fixes=False, mends=True))
    if not first.fixed:
        assert path.read_bytes() == before
        assert not any(told.fix for told in first.findings)
        return
    assert Path(first.backup).read_bytes() == before
    assert detect.load(path.read_bytes(), name).books[0].entries[0].keys
    after = path.read_bytes()
    assert not checked(path, Repairs(write=True, fixes=False, mends=True)).fixed
    assert path.read_bytes() == after


@pytest.mark.parametrize("offered", [False, True], ids=["safe", "offered"])
@pytest.mark.parametrize("source", [*(CORPUS / name for name in EXPECTED), *SAMPLES], ids=lambda path: path.name)
def test_all_repairs_of_all_rules_twice_change_nothing_more(source: Path, tmp_path: Path, *, offered: bool) -> None:
    path = tmp_path / source.name
    path.write_bytes(source.read_bytes())
    everything = Repairs(write=True, offered=offered, mends=offered)
    if not checked(path, everything, ("ALL",)).fixed:
        assert path.read_bytes() == source.read_bytes()
        return
    checked(path, everything, ("ALL",))  # what was not readable before is read now
    before = path.read_bytes()
    assert not checked(path, everything, ("ALL",)).fixed
    assert path.read_bytes() == before
