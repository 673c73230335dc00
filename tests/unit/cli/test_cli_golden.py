"""What the commands show of the sample, as files that a reviewer can read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.testing import Result

SAMPLE = "sample_books/harrowmere"
COMMANDS = {
    "help": ("--help",),
    "simulate_help": ("simulate", "--help"),
    "ls": ("ls", SAMPLE),
    "show_entry": ("show", "drowned bell", SAMPLE),
    "show_card": ("show", f"{SAMPLE}/mira.png"),
    "show_chat": ("show", f"{SAMPLE}/the-ferry.jsonl"),
    "simulate": ("simulate", SAMPLE),
    "simulate_turn_14": ("simulate", SAMPLE, "--turn", "14", "--limit", "0"),
    "simulate_all": ("simulate", SAMPLE, "--all"),
    "simulate_phases": ("simulate", SAMPLE, "--turn", "14,16", "--phase", "5", "--phase", "7"),
    "why_in": ("why", "drowned bell", SAMPLE, "--turn", "14"),
    "why_cut": ("why", "salt tithe", SAMPLE, "--turn", "14"),
    "why_out": ("why", "lantern guild", SAMPLE, "--turn", "20"),
    "fields": ("fields",),
    "fields_settings": ("fields", "--settings"),
    "fields_one": ("fields", "position", "scanDepth", "triggers"),
    "tokens": ("tokens", "Nine planks and a post."),
    "reasons": ("schema", "reasons"),
    "key_plain": ("test-key", "bell", "I ring the Bell twice, and the bells answer.\nNo more."),
    "key_pattern": ("test-key", "/^bells?/i", "Bells over the water"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_output(name: str, run: Callable[..., Result], golden: Callable[[str, str], None]) -> None:
    result = run(*COMMANDS[name])
    assert result.stderr == ""
    golden(name, result.stdout)


NARROW = {"simulate": ("simulate", SAMPLE), "ls": ("ls", SAMPLE), "why": ("why", "drowned bell", SAMPLE, "-t", "14")}


@pytest.mark.parametrize("name", NARROW)
def test_no_line_is_wider_than_the_terminal(
    name: str, run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "72")
    lines = run(*NARROW[name]).stdout.splitlines()
    assert [line for line in lines if len(line) > 72] == []
