"""Exact counts of the tokenizers that SillyTavern carries, read from the user's own SillyTavern folder."""

from __future__ import annotations

import importlib
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from lorebook_tui.errors import UnreadableError, UnsupportedError
from lorebook_tui.tokens.base import WholeTextCount, well_formed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Package = Literal["sentencepiece", "tokenizers"]


@dataclass(frozen=True, slots=True)
class Family:
    """A tokenizer of SillyTavern: its file and the package that reads it."""

    file_name: str
    package: Package


FAMILIES: Final[Mapping[str, Family]] = {
    "llama": Family("llama.model", "sentencepiece"),
    "llama3": Family("llama3.json", "tokenizers"),
    "mistral": Family("mistral.model", "sentencepiece"),
    "claude": Family("claude.json", "tokenizers"),
    "yi": Family("yi.model", "sentencepiece"),
    "gemma": Family("gemma.model", "sentencepiece"),
    "jamba": Family("jamba.model", "sentencepiece"),
    "nerd": Family("nerdstash.model", "sentencepiece"),
    "nerd2": Family("nerdstash_v2.model", "sentencepiece"),
}
DOWNLOADED: Final = ("qwen2", "command-r", "command-a", "nemo", "deepseek")
"""Tokenizers that SillyTavern downloads on first use; until then it counts with llama3."""

_SHIPPED_IN: Final = (Path("src", "tokenizers"), Path("tokenizers"), Path())
_CACHED_IN: Final = (Path("data", "_cache"), Path("_cache"))
_PARENTS_TRIED: Final = 2


def find_file(folder: Path, name: str) -> Path | None:
    """The file of a tokenizer, given SillyTavern's folder, its data folder, a user's folder or the tokenizers' own."""
    places = [folder, *list(folder.resolve().parents)[:_PARENTS_TRIED]]
    if name in FAMILIES:
        candidates = [place / inner / FAMILIES[name].file_name for place in places for inner in _SHIPPED_IN]
    else:
        candidates = [place / inner / f"{name}.json" for place in places for inner in _CACHED_IN]
    return next((path for path in candidates if path.is_file()), None)


def family_counter(family: str, folder: Path, name: str = "") -> FileCounter:
    """A counter from the tokenizer file in a SillyTavern folder.

    Args:
        family: a key of `FAMILIES`, or one of `DOWNLOADED`.
        folder: SillyTavern's folder, or one inside it.
        name: the name it answers to, if not the family's.

    Raises:
        UnreadableError: the folder does not hold the file.
    """
    path = find_file(folder, family)
    if path is not None:
        package: Package = FAMILIES[family].package if family in FAMILIES else "tokenizers"
        return FileCounter(name or family, path, package)
    if family in DOWNLOADED:
        stand_in = family_counter("llama3", folder)
        return FileCounter(name or family, stand_in.path, stand_in.package, approximate=True)
    raise UnreadableError(
        f"The tokenizer {family} is not in this SillyTavern folder.",
        where=str(folder),
        expected=str(Path("src", "tokenizers", FAMILIES[family].file_name)),
        hint="Give the folder that SillyTavern was installed into, or none to count approximately.",
    )


class FileCounter:
    """Counts with a tokenizer file, loaded on first use; no start token is added. SillyTavern 1.19.

    Args:
        name: the name it answers to.
        path: the tokenizer file.
        package: the package that reads it, from the extra "st-tokenizers".
        approximate: whether the file belongs to another tokenizer than the one asked for.
    """

    def __init__(self, name: str, path: Path, package: Package, *, approximate: bool = False) -> None:
        self.name = name
        self.path = path
        self.package: Package = package
        self.basis = path.name
        self.approximate = approximate
        self._lock = threading.Lock()
        self._count: Callable[[str], int] | None = None

    def count(self, text: str) -> int:
        """Tokens of the text.

        Raises:
            UnsupportedError: the package that reads this file is not installed.
            UnreadableError: the file cannot be read as a tokenizer.
        """
        if not text:
            return 0
        with self._lock:
            if self._count is None:
                self._count = _load(self.path, self.package)
        return self._count(well_formed(text))

    def running(self) -> WholeTextCount:
        """A running count that counts the whole text at each step: these tokenizers have no safe split."""
        return WholeTextCount(self.count)


def _load(path: Path, package: Package) -> Callable[[str], int]:
    """A function that counts, from a tokenizer file."""
    try:
        module = importlib.import_module(package)
    except ImportError as error:
        raise UnsupportedError(
            f"Reading {path.name} needs the package {package}, which is not installed.",
            where=str(path),
            hint='Run "pip install lorebook-tui[st-tokenizers]", or give no SillyTavern folder to count approximately.',
        ) from error
    try:
        data = path.read_bytes()
        if package == "sentencepiece":
            processor = module.SentencePieceProcessor(model_proto=data)
            return lambda text: len(processor.encode(text))
        tokenizer = module.Tokenizer.from_str(data.decode())
        return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)
    except Exception as error:  # both packages raise bare exceptions for a file they cannot read
        raise UnreadableError(
            f"{path.name} cannot be read as a tokenizer.",
            where=str(path),
            found=str(error),
            hint="Install SillyTavern again, or give no folder to count approximately.",
        ) from error
