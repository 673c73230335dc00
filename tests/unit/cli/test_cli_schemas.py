"""The schemas that `lorebook schema` prints: what the commands write follows them, and less or more does not."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import jsonschema  # type: ignore[import-untyped] # its types are a package of their own
import pytest
from typer.testing import Result

from lorebook_tui.cli.choices import SCHEMAS

if TYPE_CHECKING:
    from pathlib import Path

Run = Callable[..., Result]
Json = dict[str, Any]
HARROWMERE, MOSSFORD, SUPPORT = (f"sample_books/{name}" for name in ("harrowmere", "mossford", "support"))
OF_COMMANDS = ("trace", "why", "odds", "budget", "compare", "check")
SAMPLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "why": (
        ("drowned bell", HARROWMERE),
        ("salt tithe", HARROWMERE, "--turn", "10,14,16"),
        ("lantern guild", HARROWMERE, "--turns", "each", "--turn", "0,20"),
        ("mossford#0", MOSSFORD, "--turn", "18", "--seed", "3"),
        ("support#0", SUPPORT, "--set", "budget=5", "--context", "600", "--trigger", "swipe"),
    ),
    "odds": (
        (HARROWMERE, "--turn", "2,24"),
        (SUPPORT, "--all", "--turn", "6", "--runs", "3"),
        (MOSSFORD, "--all"),
        (MOSSFORD, "--all", "-e", "замок открывается"),
        (MOSSFORD, "--turns", "each", "--turn", "0,18", "-e", "mossford#0", "-e", "mossford#1"),
        (SUPPORT, "--turns", "each", "--tokenizer", "o200k_base"),
    ),
    "budget": (
        (HARROWMERE, "--turn", "12,14", "--tokens", "300", "--tokens", "5000"),
        (HARROWMERE, "--all"),
        (MOSSFORD, "--all", "--turns", "each", "--set", "budget=12", "--set", "budget_cap=300"),
        (MOSSFORD, "--all"),
        (SUPPORT, "--turn", "6", "--contexts", "1", "--contexts", "1500", "--set", "budget=12.5"),
        (SUPPORT, "--turn", "0", "--context", "1", "--set", "budget=1"),
    ),
    "compare": (
        (HARROWMERE, HARROWMERE),
        (HARROWMERE, "--seed-b", "8", "--turn", "2,24"),
        (HARROWMERE, "--set", "depth=3", "--set-b", "budget=20", "--turns", "each", "--turn", "0,14-16"),
        (MOSSFORD, SUPPORT),
        (SUPPORT, "--context-b", "300", "--tokenizer-b", "o200k_base", "--trigger-b", "swipe"),
    ),
}
"""Options over the samples."""

CAT = ("A cat.",)
WORLDS: dict[str, tuple[tuple[Json, ...], tuple[str, ...]]] = {
    "cut": (({"order": 200, "content": "word " * 30}, {"constant": True}, {"ignoreBudget": True}), (*CAT, "-", "-")),
    "dice": (
        ({"probability": 50, "content": "{{roll:d999}}"}, {"probability": 0}, {"sticky": 2}, {"group": "g"},
         {"group": "g", "probability": 30}),
        ("A dog.", *CAT, "-"),
    ),
    "more room is less": (
        ({"group": "g", "order": 200, "content": "A long text that takes its place."},
         {"group": "g", "ignoreBudget": True, "delayUntilRecursion": 1}, {"delayUntilRecursion": 2}),
        CAT,
    ),
    "odd": (
        ({"uid": {"x": [1.5]}, "order": "none"}, {"uid": None, "position": 4, "depth": "2", "role": None},
         {"position": 7, "outletName": "door"}, {"key": ["Cat", "/c.t/i", "", " ", "{{user}}", "/(/", "mouse"]},
         {"key": ["dog"], "keysecondary": ["cat"], "selective": True, "selectiveLogic": 3, "scanDepth": 0},
         {"probability": -1, "comment": "\ud800\u202e"}),
        ("A cot.", *CAT),
    ),
    "empty": ((), CAT),
    "no text": (({"content": 5},), CAT),
    "stopped": (({"group": "constructor"}, {}), CAT),
    "no chat": (({"constant": True}, {}), ()),
}  # fmt: skip
"""Entries and messages of small worlds, odd ones and broken ones among them."""


def world(folder: Path, entries: tuple[Json, ...], chat: tuple[str, ...]) -> tuple[str, str]:
    """A world and a chat in which only the user speaks, as paths."""
    usual = {"key": ["cat"], "content": "x", "order": 100, "position": 0, "useProbability": True, "probability": 100}
    book = {str(uid): {"uid": uid, "comment": f"e{uid}", **usual, **fields} for uid, fields in enumerate(entries)}
    (folder / "w.json").write_text(json.dumps({"entries": book}), "utf-8")
    lines = [{"user_name": "U", "character_name": "C"}, *({"name": "U", "is_user": True, "mes": text} for text in chat)]
    (folder / "c.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return str(folder / "w.json"), str(folder / "c.jsonl")


@pytest.fixture
def schema(run: Run) -> Callable[[str], Json]:
    """`schema("odds")` is what `lorebook schema odds` prints."""

    def printed(name: str) -> Json:
        found: Json = json.loads(run("schema", name).stdout)
        return found

    return printed


def written(run: Run, *command: str, status: tuple[int, ...] = (0, 1)) -> Json:
    """The document that a command writes."""
    result = run(*command, "--json")
    assert result.exit_code in status, result.stderr
    document: Json = json.loads(result.stdout)
    return document


def judged(schema: Json, document: Json) -> None:
    """Fail with the fault that goes deepest, not with that of the whole."""
    error = jsonschema.exceptions.best_match(jsonschema.Draft202012Validator(schema).iter_errors(document))
    assert error is None, f"{error.json_path}: {error.message[:300]}"


def parts(schema: Any) -> Iterator[Json]:
    """All schemas inside a schema."""
    if isinstance(schema, list):
        for item in schema:
            yield from parts(item)
    elif isinstance(schema, dict):
        yield schema
        for name, inner in schema.items():
            if name in {"properties", "$defs"}:
                yield from parts(list(inner.values()))
            elif name not in {"default", "const", "enum"}:
                yield from parts(inner)


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name != "reasons"])
def test_schemas_are_schemas_in_which_every_member_is_described(schema: Callable[[str], Json], name: str) -> None:
    whole = schema(name)
    jsonschema.Draft202012Validator.check_schema(whole)
    assert whole["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    assert whole["title"]
    defs = whole.get("$defs", {})
    assert [name for name, inner in defs.items() if not inner["description"]] == []
    silent = [
        member
        for part in parts(whole)
        for member, inner in part.get("properties", {}).items()
        if not inner.get("description") and "$ref" not in inner
    ]
    assert silent == []


@pytest.mark.parametrize("name", OF_COMMANDS)
def test_schemas_are_closed_and_hold_nothing_idle(schema: Callable[[str], Json], name: str) -> None:
    whole = schema(name)
    listed = list(parts(whole))
    assert [part["description"] for part in listed if "properties" in part and part["additionalProperties"]] == []
    assert {part["$ref"].removeprefix("#/$defs/") for part in listed if "$ref" in part} == set(whole["$defs"])


def test_every_schema_has_a_name_of_its_own(schema: Callable[[str], Json]) -> None:
    names = [schema(name).get("$id") for name in OF_COMMANDS if name != "check"]
    assert names == [f"urn:lorebook-tui:{name}:1" for name in OF_COMMANDS if name != "check"]


@pytest.mark.parametrize(
    ("name", "options"), [(name, options) for name, commands in SAMPLES.items() for options in commands]
)
def test_answers_about_the_samples_follow_their_schema(
    run: Run, schema: Callable[[str], Json], name: str, options: tuple[str, ...]
) -> None:
    judged(schema(name), written(run, name, *options))


def asked(name: str, files: tuple[str, str], entries: int) -> Iterator[tuple[str, ...]]:
    """The command over a small world in all its ways."""
    if name == "odds":
        usual = (*files, "--runs", "12", "--seed", "5", "--jobs", "1", "--tokenizer", "estimate")
        yield from ((name, *usual, *more) for more in ((), ("--all",), ("--all", "--turns", "each")))
    elif name == "budget":
        usual = (*files, "--context", "40", "--tokens", "7", "--contexts", "60", "--tokenizer", "estimate")
        yield from ((name, *usual, *more) for more in ((), ("--all",), ("--turns", "each")))
    elif name == "compare":
        yield name, *files[:1], "--chat", files[1], "--set-b", "budget=1", "--context-b", "9"
        yield name, files[0], f"{SUPPORT}/support.json", "--chat", files[1]
        yield name, f"{SUPPORT}/support.json", files[0], "--chat", files[1]
    else:
        yield from ((name, f"e{number}", *files, "--context", "40") for number in range(entries))


@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("of", WORLDS)
def test_answers_about_small_worlds_follow_their_schema(
    run: Run, schema: Callable[[str], Json], tmp_path: Path, name: str, of: str
) -> None:
    entries, chat = WORLDS[of]
    files = world(tmp_path, entries, chat)
    whole = schema(name)
    answers = [run(*command, "--json").stdout for command in asked(name, files, len(entries))]
    # An entry that is not loaded, or that is called otherwise, has no answer.
    assert answers.count("") == ({"no text": len(entries), "odd": 1}.get(of, 0) if name == "why" else 0)
    for answer in filter(None, answers):
        judged(whole, json.loads(answer))


def test_what_cannot_be_loaded_or_stops_is_told_in_its_place(run: Run, tmp_path: Path) -> None:
    broken = world(tmp_path, *WORLDS["no text"])
    for command in (("odds", *broken), ("odds", *broken, "--all"), ("budget", *broken), ("budget", *broken, "--all")):
        assert "no text" in written(run, *command, status=(1,))["load_error"]
    sides = written(run, "compare", broken[0], "--chat", broken[1], "--seed-b", "2", status=(1,))
    assert [("no text" in sides[side]["load_error"], sides[side]["entries"]) for side in "ab"] == [(True, [])] * 2
    stopped = world(tmp_path, *WORLDS["stopped"])
    (turn,) = written(run, "compare", stopped[0], "--chat", stopped[1], "--seed-b", "2")["turns"]
    assert "'constructor'" in turn["a"]["error"]


Way = tuple[str | int, ...]
Kind = tuple[str, ...]
FREE = {"reasons", "layers", "uid", "old", "new"}
"""Members whose own members are not fixed, or foreign."""


def places(document: Any, way: Way = (), name: str = "") -> Iterator[tuple[Kind, Way]]:
    """Where objects stand in a document, each with its kind: the members that lead to it, and those that it has."""
    if isinstance(document, list):
        for number, item in enumerate(document):
            yield from places(item, (*way, number), name)
    elif isinstance(document, dict):
        yield (name, *document), way
        for member, item in document.items():
            if member not in FREE:
                yield from places(item, (*way, member), f"{name}/{member}")


def at(document: Any, way: Way) -> Json:
    for step in way:
        document = document[step]
    found: Json = document
    return found


THOROUGH: dict[str, tuple[str, tuple[tuple[str, ...], ...]]] = {
    "why": ("cut", (("why", "e0"), ("why", "e2"))),
    "odds": (
        "dice",
        (
            ("odds", "--all", "--runs", "9", "--jobs", "1", "-e", "e0"),
            ("odds", "--turn", "1,2", "--runs", "9", "-e", "e0"),
        ),
    ),
    "budget": ("cut", (("budget", "--context", "40", "--tokens", "9"), ("budget", "--all", "--context", "40"))),
    "compare": ("cut", (("compare", "--context-b", "40"),)),
}
"""A small world for each schema, and what is asked of it."""


@pytest.mark.parametrize("name", THOROUGH)
def test_nothing_may_be_missing_and_nothing_may_be_added(
    run: Run, schema: Callable[[str], Json], tmp_path: Path, name: str
) -> None:
    validator = jsonschema.Draft202012Validator(schema(name))
    of, commands = THOROUGH[name]
    book, chat = world(tmp_path, *WORLDS[of])
    seen: set[Kind] = set()
    for command in commands:
        document = written(run, *command, book, "--chat", chat)
        judged(validator.schema, document)
        for kind, way in places(document):
            if kind not in seen:
                seen.add(kind)
                assert [part for part in less_or_more(document, way) if validator.is_valid(part)] == []
    assert len(seen) > 5


def less_or_more(document: Json, way: Way) -> Iterator[Json]:
    """The document without each member of one object in turn, and with one more."""
    for member in (*at(document, way), "surplus"):
        changed = copy.deepcopy(document)
        there = at(changed, way)
        if member in there:
            del there[member]
        else:
            there[member] = 0
        yield changed


def test_a_schema_that_is_not_there_is_refused_with_those_that_are(run: Run) -> None:
    refused = run("schema", "simulate")
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert [name for name in SCHEMAS if name not in refused.stderr] == []
    shown = " ".join(run("schema", "--help").stdout.split())
    assert ", ".join(SCHEMAS) in shown
