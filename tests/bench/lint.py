"""The linter on a large book: all of it as `lorebook check` does it, rule by rule, and again after an edit.

usage: lint.py [--entries N] [--rounds N] [--rules]
"""

from __future__ import annotations

import argparse
import gc
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from lorebook_tui.formats import detect
from lorebook_tui.formats.entry_edits import with_fields, without_entries
from lorebook_tui.lint.runner import Linter
from lorebook_tui.lint.subjects import FileView, World
from tests.unit.lint.examples import world_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lorebook_tui.formats.base import Loaded
    from lorebook_tui.lint.rule import Rule

_SYLLABLES: Final = (
    "kar", "lom", "mir", "tav", "ven", "sol", "dra", "kep", "pan", "ori", "bel", "tun", "arq", "wes", "gil", "nof", "fen",
    "ruk", "sha", "dal",
)  # fmt: skip
_TALE: Final = (
    "old bridge keeper counts every coin twice before the evening bell and nobody in town remembers why this began some "
    "say a drowned king still pays his toll from below others that the ledger is empty and always was travellers leave "
    "bread on the stones when fog comes down from northern hills lamps burn green near water and dogs refuse to cross "
    "children learn a rhyme about seven doors but adults change subject whenever strangers ask which door stays locked "
    "market opens at dawn with salted fish rope candles and letters for people who moved away long ago guards wear grey"
)
_PROSE: Final = _TALE.split()
_SENTENCE: Final = 14
_CONTENT_WORDS: Final = 76
_CROWD: Final = 4000
"""Entries that share a key."""
_RARE: Final = 4000
"""Words beside the common ones."""


def names(count: int, dice: random.Random) -> list[str]:
    """Invented names, all different."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(dice.choices(_SYLLABLES, k=4))] = None
    return list(found)


def large_book(entries: int, seed: int = 1) -> bytes:
    """A world as SillyTavern writes it; of 10,000 entries about 19 MB."""
    dice = random.Random(seed)
    own = names(2 * entries, dice)
    words = [*_PROSE * 25, *("".join(dice.choices(_SYLLABLES, k=2)) + dice.choice("aeiou") for _ in range(_RARE))]

    def text(number: int) -> str:
        listed = [own[2 * number], *dice.choices(words, k=_CONTENT_WORDS - 2)]
        if number % 3 == 0:
            listed.append(own[2 * dice.randrange(entries)])
        parts = [" ".join(listed[at : at + _SENTENCE]) for at in range(0, len(listed), _SENTENCE)]
        return ". ".join(part.capitalize() for part in parts) + "."

    return world_text(
        tuple(
            {
                "comment": own[2 * number].capitalize(),
                "key": [own[2 * number], f"{own[2 * number + 1]} {dice.choice(_PROSE)}"],
                "content": text(number),
                "order": dice.randrange(50, 500),
                "constant": number % 500 == 0,
                "keysecondary": [dice.choice(_PROSE)] if number % 20 == 0 else [],
            }
            for number in range(entries)
        )
    ).encode()


def clocked(action: Callable[[], object]) -> float:
    """Seconds."""
    gc.collect()
    begun = time.perf_counter()
    action()
    return time.perf_counter() - begun


def by_rule(loaded: Loaded) -> list[tuple[str, float]]:
    """Seconds of each rule alone on a file that is read, the slowest first; a shared fact is paid by who asks first."""
    times: dict[str, float] = defaultdict(float)
    for rule in Linter().rules:
        file = FileView(loaded.name, loaded)
        warm = Linter(rules=())
        warm.check(_world(file))
        linter = Linter(rules=(rule,))
        times[rule.code] += clocked(lambda file=file, linter=linter: linter.check(_world(file)))  # type: ignore[misc]
    return sorted(times.items(), key=lambda item: -item[1])


def _world(file: FileView) -> World:
    return World(files=(file,), books=file.books)


def edits(loaded: Loaded, rounds: int) -> Iterator[tuple[str, Callable[[Loaded, int], Loaded]]]:
    """Kinds of edits, each by the number of its round."""
    size = len(loaded.books[0].entries)
    step = max(1, size // max(1, rounds))

    def at(number: int) -> int:
        return number * step % (size - rounds) if size > rounds else number % size

    def field(name: str, value: Callable[[int], Any]) -> Callable[[Loaded, int], Loaded]:
        return lambda given, number: with_fields(given, [(given.books[0].entries[at(number)], name, value(number))])

    yield "content", field("content", lambda number: f"Another text {number}.")
    yield "keys", field("key", lambda number: [f"another key {number}", "shared"])
    yield "deletion", lambda given, number: without_entries(given, [given.books[0].entries[at(number)]])


def edited_times(loaded: Loaded, rounds: int, rules: tuple[Rule, ...] | None = None) -> dict[str, list[float]]:
    """Seconds of the quick check after each edit, by its kind; the first check of all is under `all quick rules`."""
    found: dict[str, list[float]] = {}
    for what, edit in edits(loaded, rounds):
        linter, file, now = Linter(rules=rules), FileView(loaded.name, loaded), loaded
        found.setdefault("all quick rules", []).append(
            clocked(lambda linter=linter, file=file: linter.check(_world(file), deep=False))  # type: ignore[misc]
        )
        for number in range(rounds):
            now = edit(now, number)
            gc.collect()
            begun = time.perf_counter()
            file.renew(now)
            linter.check(_world(file), deep=False)
            found.setdefault(what, []).append(time.perf_counter() - begun)
    return found


def command_seconds(data: bytes) -> float:
    """Seconds of `lorebook check` on a file, from start to end of its process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.json"
        path.write_bytes(data)
        command = [sys.executable, "-m", "lorebook_tui", "check", "--format", "json", str(path)]
        begun = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=False)
        return time.perf_counter() - begun


def crowded_book(entries: int, *, is_shared: bool) -> bytes:
    """A world whose entries all have one key, which stands in all texts; or each a key and a text of its own."""
    dice = random.Random(1)
    words = ["".join(dice.choices(_SYLLABLES, k=3)) for _ in range(_RARE)]
    keys = ["mill" if is_shared else f"mill{number}x" for number in range(entries)]
    listed = [
        {"comment": f"e{number}", "key": [key], "content": " ".join([key, *dice.choices(words, k=140)])}
        for number, key in enumerate(keys)
    ]
    return world_text(tuple(listed)).encode()


def crowded_ratio(entries: int) -> float:
    """How much longer a check takes when all entries share their key."""
    shared, apart = (
        min(command_seconds(crowded_book(entries, is_shared=is_shared)) for _ in range(2))
        for is_shared in (True, False)
    )
    return shared / apart


def reading_seconds(data: bytes) -> float:
    """Seconds of reading a file, which every check begins with."""
    return clocked(lambda: detect.load(data, "large.json"))


def main(arguments: list[str]) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--rules", action="store_true", help="rule by rule")
    options = parser.parse_args(arguments)
    data = large_book(options.entries)
    loaded = detect.load(data, "large.json")
    print(f"{options.entries:,} entries, {len(data) / 1e6:.1f} MB, read in {reading_seconds(data):.2f} s")
    if options.rules:
        for code, seconds in by_rule(loaded):
            print(f"{code:8} {seconds * 1000:9.1f} ms")
    print(f"lorebook check: {command_seconds(data):.2f} s")
    print(f"one key shared by {_CROWD:,} entries: {crowded_ratio(_CROWD):.1f} times as long as keys of their own")
    for what, times in edited_times(loaded, options.rounds).items():
        print(f"{what:16} {min(times) * 1000:9.1f} ms, at most {max(times) * 1000:9.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
