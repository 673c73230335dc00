"""Token counters by the names that SillyTavern and scenario files use."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.tokens.bpe import BpeCounter
from lorebook_tui.tokens.cache import CachedCounter
from lorebook_tui.tokens.chat import ChatCounter, route
from lorebook_tui.tokens.estimate import EstimateCounter
from lorebook_tui.tokens.nearest import NearestCounter
from lorebook_tui.tokens.sillytavern import DOWNLOADED, FAMILIES, family_counter

if TYPE_CHECKING:
    from pathlib import Path

    from lorebook_tui.tokens.base import TokenCounter

CHAT_PREFIX: Final = "chat:"
_ESTIMATES: Final = ("none", "estimate")
_VOCABULARIES: Final = {"openai": "cl100k_base", "cl100k_base": "cl100k_base", "o200k_base": "o200k_base"}
_BEST_MATCH: Final = "best_match"
_ONLY_NEAREST: Final = ("gpt2", "p50k_base", "r50k_base")


def names() -> tuple[str, ...]:
    """All names that `counter` knows; "chat:MODEL" stands for every chat-completion model."""
    return (
        *_ESTIMATES,
        *_VOCABULARIES,
        _BEST_MATCH,
        *FAMILIES,
        *DOWNLOADED,
        *_ONLY_NEAREST,
        f"{CHAT_PREFIX}MODEL",
    )


def counter(name: str, sillytavern_folder: Path | None = None) -> TokenCounter:
    """The counter of that name; the same object for the same arguments, its vocabulary loaded on first use.

    Args:
        name: one of `names()`, in any case; "chat:MODEL" counts as chat completion with that model does.
        sillytavern_folder: where SillyTavern's own tokenizer files are; without it those are approximated.

    Raises:
        UsageError: no tokenizer has that name.
        UnreadableError: the folder does not hold the tokenizer's file.
    """
    return _cached(name.strip(), sillytavern_folder)


@lru_cache(maxsize=64)
def _cached(name: str, folder: Path | None) -> TokenCounter:
    """One counter per name and folder, with a cache around it where counting costs something."""
    if name.lower() in _ESTIMATES:
        return EstimateCounter(name.lower())
    if name.lower().startswith(CHAT_PREFIX):
        way = route(name[len(CHAT_PREFIX) :])
        return CachedCounter(ChatCounter(name, _by_name(way.tokenizer, folder), way.overhead))
    return CachedCounter(_by_name(name.lower(), folder))


def _by_name(name: str, folder: Path | None) -> TokenCounter:
    """A counter of a text alone."""
    if name in _VOCABULARIES:
        return BpeCounter(name, _VOCABULARIES[name])
    # SillyTavern 1.19: without a connected backend "best match" is llama.
    family = "llama" if name == _BEST_MATCH else name
    if family in _ONLY_NEAREST:
        return NearestCounter(name, family)
    if family not in FAMILIES and family not in DOWNLOADED:
        raise UsageError(
            f'No tokenizer is called "{name}".',
            expected=", ".join(names()),
            found=name,
            hint='Use one of the names, for a chat model "chat:" and its name, such as "chat:gpt-4o".',
        )
    if folder is None:
        return NearestCounter(name, "llama3" if family in DOWNLOADED else family)
    return family_counter(family, folder, name)
