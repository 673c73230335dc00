"""Paths become a workspace: files are told apart by what they hold, and overrides stand above them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from lorebook_tui.errors import LimitError, LorebookError, UnreadableError, UsageError
from lorebook_tui.model.layers import Layer
from lorebook_tui.workspace.files import read_bytes, read_text
from lorebook_tui.workspace.opening import Overrides, open_workspace
from lorebook_tui.workspace.workspace import Workspace, scenario

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Folder:
    """Makes files of lore in one folder."""

    path: Path

    def write(self, name: str, value: Any) -> Path:
        """A JSON file."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")
        return path

    def world(self, name: str, *titles: str) -> Path:
        """A SillyTavern world with one constant entry per title."""
        entries = {
            str(uid): {"uid": uid, "key": [title.lower()], "comment": title, "content": f"About {title}.", "order": 100,
                       "position": 0, "constant": True}
            for uid, title in enumerate(titles)
        }  # fmt: skip
        return self.write(name, {"entries": entries})

    def card(self, name: str, character: str, *titles: str, world: str = "") -> Path:
        """A V2 card, with a book if there are titles."""
        data: dict[str, Any] = {
            "name": character, "description": "Tall.", "personality": "", "scenario": "", "first_mes": "Hello.",
            "mes_example": "", "extensions": {"world": world} if world else {},
        }  # fmt: skip
        if titles:
            data["character_book"] = {
                "name": f"{character}'s book",
                "extensions": {},
                "entries": [
                    {"keys": [title.lower()], "content": title, "comment": title, "enabled": True, "insertion_order": 1,
                     "id": uid, "extensions": {}}
                    for uid, title in enumerate(titles)
                ],
            }  # fmt: skip
        return self.write(name, {"spec": "chara_card_v2", "spec_version": "2.0", "data": data})

    def chat(self, name: str, *lines: str, **metadata: Any) -> Path:
        """A SillyTavern chat; lines of the user begin with `>`."""
        header = {"user_name": "Ann", "character_name": "Bob", "chat_metadata": metadata}
        messages = [
            {"name": "Ann" if line.startswith(">") else "Bob", "is_user": line.startswith(">"), "is_system": False,
             "mes": line.lstrip("> ")}
            for line in lines
        ]  # fmt: skip
        return self.write(name, "\n".join(json.dumps(item) for item in (header, *messages)))

    def toml(self, text: str) -> Path:
        """The workspace file."""
        return self.write("lorebook.toml", text)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def names(workspace: Workspace) -> dict[str, list[str]]:
    """Books by layer, empty layers left out."""
    return {layer.value: [opened.book.name for opened in workspace.of(layer)] for layer in Layer if workspace.of(layer)}


def refusal(*paths: Path, overrides: Overrides | None = None) -> LorebookError:
    with pytest.raises(LorebookError) as caught:
        open_workspace(paths, overrides)
    return caught.value


def test_single_files_are_sorted_by_what_they_hold(folder: Folder) -> None:
    paths = [
        folder.chat("chat.jsonl", "Hi.", "> Hello, bell."),
        folder.card("bob.json", "Bob", "Hat", "Coat"),
        folder.world("town.json", "Bell"),
    ]
    workspace = open_workspace(paths)
    assert names(workspace) == {"global": ["town"], "character": ["Bob's book"]}
    assert workspace.cast.character is not None
    assert workspace.cast.character.name == "Bob"
    assert workspace.cast.persona.name == "Ann"
    assert len(workspace.transcript) == 2
    assert workspace.card is not None
    assert workspace.card.path == paths[1]
    assert workspace.chat is not None
    assert [source.path for source in workspace.sources] == paths
    assert workspace.title == "chat.jsonl"


def test_a_chat_without_a_card_names_its_character(folder: Folder) -> None:
    cast = open_workspace([folder.chat("chat.jsonl", "Hi.")]).cast
    assert cast.character is not None
    assert (cast.character.name, cast.persona.name) == ("Bob", "Ann")


def test_a_card_without_a_book_is_the_character_all_the_same(folder: Folder) -> None:
    workspace = open_workspace([folder.card("bob.json", "Bob")])
    assert workspace.books == ()
    assert workspace.cast.speaker is not None


def test_of_two_cards_the_first_speaks(folder: Folder) -> None:
    workspace = open_workspace([folder.card("bob.json", "Bob", "Hat"), folder.card("eve.json", "Eve", "Apple")])
    assert workspace.cast.character is not None
    assert workspace.cast.character.name == "Bob"
    assert names(workspace) == {"character": ["Bob's book", "Eve's book"]}
    assert workspace.notices == ("bob.json is the character; of eve.json only the lore is used.",)


def test_the_last_of_two_chats_is_the_chat(folder: Folder) -> None:
    workspace = open_workspace([folder.chat("a.jsonl", "Hi."), folder.chat("b.jsonl", "> One.", "Two.")])
    assert len(workspace.transcript) == 2
    assert workspace.notices == ("a.jsonl gives way: the chat is b.jsonl.",)


def test_of_a_folder_everything_that_can_be_read_is_opened(folder: Folder, tmp_path: Path) -> None:
    folder.chat("chat.jsonl", "Hi.", "> Hello, bell.")
    folder.card("bob.json", "Bob", "Hat")
    folder.world("town.json", "Bell")
    (tmp_path / "broken.json").write_text('{"entries": {', "utf-8")
    (tmp_path / "notes.txt").write_text("Ann: not asked for", "utf-8")
    (tmp_path / "deeper").mkdir()
    workspace = open_workspace([tmp_path])
    assert names(workspace) == {"global": ["town"], "character": ["Bob's book"]}
    assert len(workspace.transcript) == 2
    assert workspace.file is None
    assert [notice.split(":")[0] for notice in workspace.notices] == ["broken.json is left out"]


def test_files_beside_a_folder_come_after_those_in_it(folder: Folder, tmp_path: Path) -> None:
    town = folder.world("town.json", "Bell")
    (tmp_path / "in").mkdir()
    town.rename(tmp_path / "in" / "town.json")
    workspace = open_workspace([folder.world("sea.json", "Wave"), tmp_path / "in"])
    assert names(workspace) == {"global": ["town", "sea"]}
    with pytest.raises(UsageError, match="Only one workspace"):
        open_workspace([tmp_path / "in", tmp_path])


def test_a_folder_that_holds_no_lore_says_what_it_holds(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x", "utf-8")
    with pytest.raises(UnreadableError, match="The folder holds no lore") as caught:
        open_workspace([tmp_path])
    assert caught.value.found.startswith("no file that ends with .json")
    (tmp_path / "broken.json").write_text("{", "utf-8")
    with pytest.raises(UnreadableError) as caught:
        open_workspace([tmp_path])
    assert caught.value.found == "broken.json"
    assert "lorebook check" in caught.value.hint


def test_a_file_named_twice_is_opened_once(folder: Folder) -> None:
    path = folder.world("town.json", "Bell")
    workspace = open_workspace([path, path])
    assert names(workspace) == {"global": ["town"]}
    assert len(workspace.sources) == 1


def test_a_workspace_file_puts_everything_in_its_place(folder: Folder) -> None:
    folder.world("town.json", "Bell")
    folder.world("mine.json", "Boots")
    folder.world("trip.json", "Ferry")
    folder.card("bob.json", "Bob", "Hat")
    folder.chat("trip.jsonl", "> Hi.", note_prompt="Be brief.", note_depth=2)
    path = folder.toml(
        "seed = 3\ncontext = 500\ntokenizer = 'estimate'\n"
        "[books]\nglobal = ['town.json']\ncharacter = ['bob.json']\npersona = ['mine.json']\nchat = ['trip.json']\n"
        "[cast.persona]\nname = 'Rowan'\ndescription = 'Tall.'\n"
        "[chat]\nfile = 'trip.jsonl'\n[note]\ninterval = 4\nscan = true\n[settings]\nworld_info_depth = 7\n"
    )
    for named in (path, folder.path):
        workspace = open_workspace([named])
        assert names(workspace) == {
            "global": ["town"], "character": ["Bob's book"], "persona": ["mine"], "chat": ["trip"],
        }  # fmt: skip
        assert workspace.file == path
        assert workspace.title == folder.path.name
        assert workspace.cast.character is not None
        assert workspace.cast.character.name == "Bob"
        assert (workspace.cast.persona.name, workspace.cast.persona.description) == ("Rowan", "Tall.")
        assert (workspace.seed, workspace.context, workspace.tokenizer) == (3, 500, "estimate")
        assert workspace.settings.world_info_depth == 7
        note = workspace.note
        assert (note.prompt, note.depth, note.interval, workspace.scan_note) == ("Be brief.", 2, 4, True)


def test_files_beside_a_workspace_file_are_added_and_a_card_takes_the_part(folder: Folder) -> None:
    folder.world("town.json", "Bell")
    folder.card("bob.json", "Bob", "Hat")
    toml = folder.toml("[books]\nglobal = ['town.json']\n[cast]\ncharacter = 'bob.json'\n")
    workspace = open_workspace([toml, folder.world("more.json", "Mill"), folder.card("eve.json", "Eve")])
    assert names(workspace) == {"global": ["town", "more"]}
    assert workspace.cast.character is not None
    assert workspace.cast.character.name == "Eve"
    assert workspace.notices == ()


def test_overrides_stand_above_the_files(folder: Folder) -> None:
    folder.world("town.json", "Bell")
    toml = folder.toml("seed = 3\n[books]\nglobal = ['town.json']\n[settings]\nworld_info_depth = 7\n")
    card = folder.card("eve.json", "Eve", "Apple")
    overrides = Overrides(
        books={Layer.GLOBAL: [folder.world("other.json", "Mill")], Layer.CHARACTER: [card]},
        chat=folder.chat("c.jsonl", "> Hi."),
        settings={"world_info_depth": 9},
        engine="sillytavern",
        seed=5,
        context=900,
        tokenizer="estimate",
        trigger="swipe",
        user="Zoe",
    )
    workspace = open_workspace([toml], overrides)
    assert names(workspace) == {"global": ["other"], "character": ["Eve's book"]}
    assert workspace.cast.character is not None
    assert (workspace.cast.character.name, workspace.cast.persona.name) == ("Eve", "Zoe")
    made = scenario(workspace)
    assert (made.random.seed, made.max_context, made.tokenizer, made.trigger) == (5, 900, "estimate", "swipe")
    assert made.settings.world_info_depth == 9
    assert len(made.transcript) == 1


def test_timed_effects_of_the_chat_are_left_out_and_variables_are_not(folder: Folder) -> None:
    timed = {"sticky": {"town.0": {"hash": 1, "start": 0, "end": 9}}}
    chat = folder.chat("c.jsonl", "> Hi.", timedWorldInfo=timed, variables={"mood": "low"})
    made = scenario(open_workspace([chat]))
    assert made.timed == {}
    assert made.local_variables == {"mood": "low"}


def test_linked_books_that_nobody_opened_are_mentioned(folder: Folder) -> None:
    workspace = open_workspace(
        [folder.chat("c.jsonl", "Hi.", world_info="trip"), folder.card("b.json", "Bob", world="home")]
    )
    assert len(workspace.notices) == 2
    assert "'trip'" in workspace.notices[0]
    assert "'home'" in workspace.notices[1]
    opened = open_workspace([folder.chat("c.jsonl", "Hi.", world_info="trip"), folder.world("trip.json", "Mill")])
    assert opened.notices == ()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("[books]\n\nglobal = [\n  'town.json',\n  'twon.json',\n]", 5, "no such file"),
        ("[books]\nglobal = ['bare.json']", 2, "without a lorebook"),
        ("[cast]\ncharacter = 'town.json'", 2, "no character card"),
        ("[chat]\nfile = 'town.json'", 2, "no chat"),
        ("[books]\nglobal = ['junk.json']", 2, "no lorebook"),
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_named_by_its_line(
    folder: Folder, text: str, line: int, message: str
) -> None:
    folder.world("town.json", "Bell")
    folder.card("bare.json", "Bob")
    folder.write("junk.json", {"a": 1})
    error = refusal(folder.toml(text))
    assert isinstance(error, UnreadableError)
    assert f"lorebook.toml, line {line}, " in error.where
    assert message in error.message


def test_a_missing_file_suggests_its_neighbour(folder: Folder) -> None:
    folder.world("harrowmere.json", "Bell")
    error = refusal(folder.path / "harowmere.json")
    assert error.exit_status == 3
    assert "harrowmere.json" in error.hint


def test_two_workspaces_are_one_too_many(folder: Folder) -> None:
    assert isinstance(refusal(folder.toml(""), folder.path), UsageError)


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (Overrides(engine="tavern"), "sillytavern"),
        (Overrides(trigger="wipe"), "swipe"),
        (Overrides(tokenizer="gtp2"), "gpt2"),
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(folder: Folder, overrides: Overrides, expected: str) -> None:
    error = refusal(folder.world("town.json", "Bell"), overrides=overrides)
    assert isinstance(error, UsageError)
    assert expected in error.expected


def test_an_unknown_tokenizer_in_the_workspace_file_names_the_file(folder: Folder) -> None:
    toml = folder.toml("tokenizer = 'gtp2'")
    assert refusal(toml).where == str(toml)


def test_a_world_cannot_be_given_as_the_chat(folder: Folder) -> None:
    world = folder.world("town.json", "Bell")
    assert refusal(overrides=Overrides(chat=world)).where == str(world)


def test_reading_stops_at_the_ceiling(folder: Folder) -> None:
    path = folder.write("big.json", "x" * 2000)
    with pytest.raises(LimitError) as caught:
        read_bytes(path, 1000)
    assert caught.value.where == str(path)
    assert read_bytes(path, 2000) == b"x" * 2000


def test_a_folder_or_a_pipe_is_no_file(folder: Folder) -> None:
    with pytest.raises(UnreadableError, match="folder"):
        read_bytes(folder.path)
    if hasattr(os, "mkfifo"):
        pipe = folder.path / "pipe"
        os.mkfifo(pipe)
        with pytest.raises(UnreadableError, match="no ordinary file"):
            read_bytes(pipe)


def test_a_name_that_no_system_allows_is_refused(folder: Folder) -> None:
    with pytest.raises(UnreadableError):
        read_bytes(folder.path / "a\0b")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_without_permission_says_why(folder: Folder) -> None:
    path = folder.write("mine.json", {})
    path.chmod(0)
    with pytest.raises(UnreadableError) as caught:
        read_bytes(path)
    assert caught.value.found


def test_texts_are_read_in_utf_8_and_utf_16(folder: Folder) -> None:
    path = folder.path / "a.txt"
    path.write_bytes("\ufeffкот".encode("utf-16-le"))
    assert read_text(path) == "кот"
    path.write_bytes(b"\xff\xfe\xfa")
    path.write_bytes(b"caf\xe9")
    with pytest.raises(UnreadableError) as caught:
        read_text(path)
    assert caught.value.where.startswith(str(path))
