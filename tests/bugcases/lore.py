"""Small worlds in a few words, for cases from bug reports. Each run is a scenario in the interchange format."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.parity.run import run

RECORD = os.environ.get("LOREBOOK_RECORD_CASES")
"""A file to append every scenario and result to, so that they can be asked of the real program."""


@dataclass(frozen=True)
class Turn:
    """What one generation did."""

    raw: dict[str, Any]

    @property
    def active(self) -> set[str]:
        """Letters of the activated entries."""
        return {str(uid) for _, uid in self.raw["activated"]}

    @property
    def queue(self) -> str:
        """Letters of the activated entries in the order of admission."""
        return "".join(str(uid) for _, uid in self.raw["activated"])

    @property
    def before(self) -> list[str]:
        """Texts before the character, as they read from the top."""
        return self.raw["worldInfoBefore"].split("\n") if self.raw["worldInfoBefore"] else []

    @property
    def passes(self) -> int:
        """Loops over the entries."""
        return len(self.raw["loops"])


def entry(*key: str, content: str = "text", **fields: Any) -> dict[str, Any]:
    """An entry; unnamed fields are the template's."""
    return {"key": list(key), "content": content, **fields}


def say(*lines: str) -> list[dict[str, Any]]:
    """A chat, oldest first: `u: …` is the user, `c: …` the character, `Name: …` somebody by name."""
    chat = []
    for line in lines:
        speaker, _, text = line.partition(": ")
        message: dict[str, Any] = {"mes": text, "is_user": speaker == "u"}
        if speaker not in {"u", "c"}:
            message["name"] = speaker
        chat.append(message)
    return chat


def turns(
    entries: dict[str, dict[str, Any]], *lines: str, settings: dict[str, Any] | None = None, **more: Any
) -> list[Turn]:
    """Run entries, by letter, over a chat; settings without their prefix `world_info_`."""
    row = {
        "id": "case",
        "layers": {
            "global": {"lore": {"entries": {str(n): {"uid": name, **e} for n, (name, e) in enumerate(entries.items())}}}
        },
        "chat": say(*lines),
        "settings": {f"world_info_{name}": value for name, value in (settings or {}).items()},
        **more,
    }
    return run_row(row)


def run_row(row: dict[str, Any]) -> list[Turn]:
    """Run a whole scenario."""
    result = run(row)
    if RECORD:
        with Path(RECORD).open("a", encoding="utf-8") as out:
            out.write(json.dumps([row, result], ensure_ascii=False) + "\n")
    assert "error" not in result, result
    return [Turn(turn) for turn in result["runs"]]


def turn(entries: dict[str, dict[str, Any]], *lines: str, settings: dict[str, Any] | None = None, **more: Any) -> Turn:
    """The single generation after the whole chat."""
    return turns(entries, *lines, settings=settings, **more)[-1]


def words(count: int) -> str:
    """A text of exactly `count` tokens by the byte estimate, its line feed included."""
    return "w" * int(count * 3.35 - 1)
