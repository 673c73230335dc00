"""Options written back into lorebook.toml: only their lines change."""

from __future__ import annotations

import difflib
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import UsageError
from lorebook_tui.model.js import MISSING
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace import toml, toml_write
from lorebook_tui.workspace.backups import BackupPolicy
from lorebook_tui.workspace.edits import detach
from lorebook_tui.workspace.opening import open_workspace
from lorebook_tui.workspace.sample import NAMES, sample
from lorebook_tui.workspace.store import NotWrittenError
from lorebook_tui.workspace.toml_edit import key_text, literal, with_values
from lorebook_tui.workspace.toml_spans import spans

if TYPE_CHECKING:
    from lorebook_tui.workspace.workspace import Workspace


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(sample(NAMES[0]).parent, tmp_path / "h"))


def saved(workspace: Workspace, folder: Path) -> list[str]:
    """The lines that changed."""
    path = folder / "lorebook.toml"
    before = path.read_text("utf-8").splitlines()
    toml_write.save(workspace, path)
    lines = difflib.ndiff(before, path.read_text("utf-8").splitlines())
    return [line for line in lines if line[0] in "+-"]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_changed_changes_nothing(name: str, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(sample(name).parent, tmp_path / "s"))
    path = folder / "lorebook.toml"
    before = path.read_bytes()
    assert not toml_write.save(open_workspace([folder]), path).is_written
    assert path.read_bytes() == before


def test_one_line_for_each_option(folder: Path) -> None:
    opened = open_workspace([folder])
    made = replace(
        opened,
        seed=8,
        context=8192,
        settings=opened.settings.with_values({"world_info_depth": 6}),
        note=replace(opened.note, depth=2),
        cast=replace(opened.cast, persona=replace(opened.cast.persona, name="Rowan the Elder")),
    )
    assert saved(made, folder) == [
        "- context = 4096            # tokens: context size less response length; a quarter of it is the budget of lore",
        "+ context = 8192            # tokens: context size less response length; a quarter of it is the budget of lore",
        "- seed = 7",
        "+ seed = 8",
        '- name = "Rowan"',
        '+ name = "Rowan the Elder"',
        "- depth = 4",
        "+ depth = 2",
        "- world_info_depth = 4",
        "+ world_info_depth = 6",
    ]
    again = open_workspace([folder])
    assert (again.seed, again.context, again.settings, again.note, again.cast.persona) == (
        made.seed, made.context, made.settings, made.note, made.cast.persona,
    )  # fmt: skip


def test_what_was_not_said_yet_stands_beside_its_like(folder: Path) -> None:
    opened = open_workspace([folder])
    made = replace(
        opened,
        settings=opened.settings.with_values({"world_info_budget": 40}),
        scan_note=True,
        cast=replace(opened.cast, persona=replace(opened.cast.persona, position="at_depth", role=1)),
        prompt={"instruct": {"template": "ChatML", "wrap": False}, "prompts": {"main": {"content": 'Write.\n"Well".'}}},
    )
    lines = saved(made, folder)
    assert [line[2:] for line in lines if line[0] == "+"] == [
        'position = "at_depth"', "role = 1", "scan = true", "world_info_budget = 40", "", "[prompt]",
        'instruct = { template = "ChatML", wrap = false }',
        'prompts = { main = { content = "Write.\\n\\"Well\\"." } }',
    ]  # fmt: skip
    again = open_workspace([folder])
    assert again.prompt == made.prompt
    assert again.cast.persona == made.cast.persona
    assert again.scan_note


def test_books_character_and_chat(folder: Path) -> None:
    opened = open_workspace([folder])
    made = detach(opened, Layer.PERSONA, 0).workspace
    made = replace(made, chat=None, card=None)
    lines = saved(made, folder)
    assert "+ persona = []" in lines
    assert '- character = "mira.png"' in lines
    assert [line for line in lines if "ferry.jsonl" in line] == [
        '- file = "the-ferry.jsonl" # and, the morning after: the-salt-tithe.jsonl'
    ]


def test_a_file_elsewhere_is_refused(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "harrowmere.json", tmp_path / "elsewhere.json")
    made = open_workspace([folder, tmp_path / "elsewhere.json"])
    before = (folder / "lorebook.toml").read_bytes()
    with pytest.raises(UsageError) as caught:
        toml_write.save(made, folder / "lorebook.toml")
    assert "elsewhere.json" in caught.value.where
    assert "detach" in caught.value.hint
    assert (folder / "lorebook.toml").read_bytes() == before


def test_a_new_file(folder: Path) -> None:
    path = folder / "new" / ".." / "other.toml"
    path = folder / "other.toml"
    made = replace(
        open_workspace([folder / "harrowmere.json", folder / "mira.png", folder / "the-ferry.jsonl"]), seed=5
    )
    toml_write.save(made, path)
    again = open_workspace([path])
    assert (again.seed, again.context, again.engine) == (5, made.context, made.engine)
    assert [(o.layer, o.source.name) for o in again.books] == [(o.layer, o.source.name) for o in made.books]
    assert again.card is not None
    assert again.chat is not None
    assert (again.card.name, again.chat.name, again.cast.persona) == ("mira.png", "the-ferry.jsonl", made.cast.persona)
    assert path.read_text("utf-8").splitlines()[:2] == ['engine = "sillytavern"', "seed = 5"]


def test_windows_line_ends_and_marks_stay(folder: Path) -> None:
    path = folder / "lorebook.toml"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    opened = open_workspace([folder])
    toml_write.save(replace(opened, seed=9, scan_note=True), path, BackupPolicy(folder / "backups"))
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf#")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert b"seed = 9\r\n" in data
    assert b"scan = true\r\n" in data
    assert len(BackupPolicy(folder / "backups").of(path)) == 1


def test_short_names_and_short_spellings_are_kept(folder: Path) -> None:
    path = folder / "lorebook.toml"
    text = path.read_text("utf-8").replace("world_info_depth = 4", "depth = 4\nbudget = 30")
    text += '\n[prompt]\ninstruct = "ChatML"\n[prompt.prompts]\nmain = "Write."\n[prompt.prompts.nsfw]\ncontent = "x"\nrole = "user"\n'
    path.write_text(text, "utf-8")
    opened = open_workspace([folder])
    made = replace(opened, settings=opened.settings.with_values({"world_info_depth": 9}))
    prompt: dict[str, Any] = {
        "instruct": {"template": "ChatML", "wrap": False},
        "prompts": {"main": {"content": "Go."}, "nsfw": {"content": "y"}},
    }
    made = replace(made, prompt=prompt)
    assert sorted(saved(made, folder)) == sorted(
        [
            "- depth = 4",
            "+ depth = 9",
            '- instruct = "ChatML"',
            '+ instruct = { template = "ChatML", wrap = false }',
            '- main = "Write."',
            '+ main = { content = "Go." }',
            '- content = "x"',
            '- role = "user"',
            '+ content = "y"',
        ]
    )
    assert open_workspace([folder]).prompt == prompt
    assert saved(replace(made, prompt={}), folder)
    assert open_workspace([folder]).prompt == {}


def test_somebody_who_wrote_meanwhile_is_not_overwritten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = open_workspace([folder])
    path = folder / "lorebook.toml"
    real = toml.read

    def late(given: Path) -> toml.WorkspaceFile:
        made = real(given)
        given.write_text(given.read_text("utf-8") + "# theirs\n", "utf-8")
        return made

    monkeypatch.setattr(toml, "read", late)
    with pytest.raises(NotWrittenError):
        toml_write.save(replace(opened, seed=99), path)
    assert path.read_text("utf-8").endswith("# theirs\n")


TEXT = '''\
# heading

top = 1 # one
"odd key" = 'x'
dotted.a = { b = 1, "c d" = [1, 2] } # inline
when = 1979-05-27 07:32:00
long = [
  "a", # with ] and "quotes
  'b',
]
multi = """
two "lines" \\
"""

# about the table
[table]  # comment
  inner = true

[table.deep."x.y"]
z = 1

[[items]]
n = 1
[[items]]
n = 2
'''


@pytest.mark.parametrize(
    ("path", "value", "gone", "come"),
    [
        (("top",), 2, "top = 1 # one", "top = 2 # one"),
        (("odd key",), "y'\"", "\"odd key\" = 'x'", '"odd key" = "y\'\\""'),
        (("dotted", "a", "b"), 5, 'dotted.a = { b = 1, "c d" = [1, 2] } # inline', 'dotted.a = { b = 5, "c d" = [1, 2] } # inline'),
        (("dotted", "a", "e"), [], 'dotted.a = { b = 1, "c d" = [1, 2] } # inline', 'dotted.a = { b = 1, "c d" = [1, 2], e = [] } # inline'),
        (("dotted", "a", "b"), MISSING, 'dotted.a = { b = 1, "c d" = [1, 2] } # inline', 'dotted.a = { "c d" = [1, 2] } # inline'),
        (("dotted", "n"), 1, "", "dotted.n = 1"),
        (("new",), "ж", "", 'new = "ж"'),
        (("table", "inner"), False, "  inner = true", "  inner = false"),
        (("table", "more"), {"a": 1}, "", "  more = { a = 1 }"),
        (("table", "inner"), MISSING, "  inner = true", ""),
        (("table", "deep", "x.y", "w"), 1.5, "", "w = 1.5"),
        (("table", "deep", "q"), 1, "", "\n[table.deep]\nq = 1"),
        (("when",), 3, "when = 1979-05-27 07:32:00", "when = 3"),
        (("top",), 1, "", ""),
        (("nothing",), MISSING, "", ""),
    ],
)  # fmt: skip
def test_one_key(path: tuple[str, ...], value: Any, gone: str, come: str) -> None:
    made = with_values(TEXT, {path: value})
    lines = list(difflib.ndiff(TEXT.splitlines(), made.splitlines()))
    assert "\n".join(line[2:] for line in lines if line[0] == "-") == gone
    assert "\n".join(line[2:] for line in lines if line[0] == "+") == come
    found: Any = tomllib.loads(made)
    for name in path:
        found = found.get(name, MISSING)
    assert found == value


def test_long_and_multi_line_values() -> None:
    made = with_values(TEXT, {("long",): ["c" * 60, "d" * 60], ("multi",): 'three\nlines\n""" \\'})
    assert tomllib.loads(made)["long"] == ["c" * 60, "d" * 60]
    assert f'long = [\n    "{"c" * 60}",\n' in made
    assert tomllib.loads(made)["multi"] == 'three\nlines\n""" \\'
    assert 'multi = """\nthree\n' in made


def test_everything_else_stays() -> None:
    found = spans(TEXT)
    assert [".".join(each.path) for each in found.values] == [
        "top", "odd key", "dotted.a", "when", "long", "multi", "table.inner", "table.deep.x.y.z", "items.n", "items.n",
    ]  # fmt: skip
    assert [(table.path, table.is_item) for table in found.tables][:2] == [
        (("table",), False),
        (("table", "deep", "x.y"), False),
    ]
    assert [TEXT[each.start : each.end] for each in found.values][3] == "1979-05-27 07:32:00"


def test_a_key_in_front_of_a_table_s_comment() -> None:
    assert with_values("\n# about a\n[a]\nx = 1\n", {("y",): 2}) == "\ny = 2\n# about a\n[a]\nx = 1\n"
    assert with_values("# heading\n[a]\nx = 1", {("y",): 2, ("a", "z"): 3}) == "# heading\ny = 2\n[a]\nx = 1\nz = 3\n"
    assert with_values("", {("y",): 2, ("a", "z"): 3}) == "y = 2\n\n[a]\nz = 3\n"
    assert with_values("x = 1", {("y",): 2}) == "x = 1\ny = 2\n"


def test_what_toml_cannot_say_or_hold() -> None:
    with pytest.raises(UsageError):
        literal(None)
    with pytest.raises(UsageError):
        literal("\ud800")
    with pytest.raises(UsageError):
        with_values("a = 1\n", {("a", "b"): 1})
    with pytest.raises(UsageError, match="in place"):
        with_values("[[items]]\nn = 1\n[[items]]\nn = 2\n", {("items",): [{"n": 3}, {"n": 4}]})
    assert key_text(("a", "b c", "ж")) == 'a."b c"."ж"'
    assert literal({}) == "{}"


def test_a_key_with_escapes() -> None:
    text = '"a\\"b" = 1\n'
    assert with_values(text, {('a"b',): 2}) == '"a\\"b" = 2\n'
