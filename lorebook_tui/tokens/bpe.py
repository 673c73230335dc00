"""The two OpenAI vocabularies, cl100k_base and o200k_base, built from files inside the package; never a network."""

from __future__ import annotations

import binascii
import gzip
import re
import threading
import zlib
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lorebook_tui.errors import UnreadableError, UnsupportedError
from lorebook_tui.tokens.base import well_formed

if TYPE_CHECKING:
    from collections.abc import Mapping

    import tiktoken


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How one encoding splits text, and the special tokens that it refuses inside text."""

    name: str
    pattern: str
    special_tokens: Mapping[str, int]

    @property
    def file_name(self) -> str:
        """The gzipped file of merge ranks inside the package."""
        return f"{self.name}.tiktoken.gz"


VOCABULARIES: Final[Mapping[str, Vocabulary]] = {
    "cl100k_base": Vocabulary(
        "cl100k_base",
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
        r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s",
        {
            "<|endoftext|>": 100257,
            "<|fim_prefix|>": 100258,
            "<|fim_middle|>": 100259,
            "<|fim_suffix|>": 100260,
            "<|endofprompt|>": 100276,
        },
    ),
    "o200k_base": Vocabulary(
        "o200k_base",
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
        {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
    ),
}

# Where the count of a text is the sum of the counts of its two parts, whatever stands further on. Both patterns take a
# space that follows a visible character only as the first character of a piece, and nothing before it looks beyond it.
# A line end before a visible character ends its piece too, unless a slash follows, which o200k_base takes along.
_SAFE_SPLIT: Final = re.compile(r"(?<=\S) |(?<=[\r\n])(?=[^\s/])")
_NEAR_END: Final = 256

# tiktoken's pattern engine panics on a run of a million spaces, which a book from a stranger may hold; runs are cut
# at this length, which costs at most one token too many for each cut.
_BLANK_LIMIT: Final = 100_000
_LONG_BLANK: Final = re.compile(rf"\s{{{_BLANK_LIMIT}}}")

_lock: Final = threading.Lock()
_loaded: Final[dict[str, tiktoken.Encoding]] = {}


def read_ranks(name: str) -> dict[bytes, int]:
    """The merge ranks of a vocabulary, by token bytes.

    Raises:
        UnreadableError: the file in the package is missing or damaged.
    """
    path = resources.files("lorebook_tui.tokens") / "data" / VOCABULARIES[name].file_name
    try:
        with path.open("rb") as packed, gzip.open(packed) as lines:
            pairs = (line.split() for line in lines if line.strip())
            return {binascii.a2b_base64(token): int(rank) for token, rank in pairs}
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise UnreadableError(
            f"The vocabulary {name} cannot be read.",
            where=str(path),
            found=str(error),
            hint="The installation is damaged: install lorebook-tui again.",
        ) from error


def encoding(name: str) -> tiktoken.Encoding:
    """The encoding, built on first use and kept (about 0.1 s, once per process).

    Raises:
        UnsupportedError: the package tiktoken cannot be imported here.
        UnreadableError: the vocabulary in the package is damaged.
    """
    with _lock:
        if name not in _loaded:
            _loaded[name] = _build(VOCABULARIES[name])
        return _loaded[name]


def _build(vocabulary: Vocabulary) -> tiktoken.Encoding:
    """A tiktoken encoding from our own file, without tiktoken's registry, which would download."""
    try:
        import tiktoken  # noqa: PLC0415 - heavy, and only counting needs it
    except ImportError as error:
        raise UnsupportedError(
            f"Counting with {vocabulary.name} needs the package tiktoken, which cannot be imported here.",
            found=str(error),
            hint='Run "pip install tiktoken", or choose the tokenizer "estimate".',
        ) from error
    ranks = read_ranks(vocabulary.name)
    made = tiktoken.Encoding(
        name=vocabulary.name,
        pat_str=vocabulary.pattern,
        mergeable_ranks=ranks,
        special_tokens=dict(vocabulary.special_tokens),
    )
    ranks.clear()  # tiktoken keeps the table only to be pickled, and it takes as much room as all that counts
    return made


class BpeCounter:
    """Counts with one of the shipped encodings, as SillyTavern's server does with the same vocabulary.

    Args:
        name: the name it answers to.
        vocabulary: "cl100k_base" or "o200k_base".
        approximate: whether it stands in for another tokenizer.
    """

    def __init__(self, name: str, vocabulary: str, *, approximate: bool = False) -> None:
        self.name = name
        self.basis = vocabulary
        self.approximate = approximate
        self._special_tokens = tuple(VOCABULARIES[vocabulary].special_tokens)

    def count(self, text: str) -> int:
        """Tokens of the text. SillyTavern 1.19: 0 for a text that holds a special token, which tiktoken refuses."""
        return 0 if self.refuses(text) else self.count_ordinary(text)

    def refuses(self, text: str) -> bool:
        """Whether the text holds a special token such as `<|endoftext|>`; a stand-in refuses nothing."""
        return not self.approximate and "<|" in text and any(token in text for token in self._special_tokens)

    def count_ordinary(self, text: str) -> int:
        """Tokens of the text, special tokens taken as ordinary characters."""
        if len(text) > _BLANK_LIMIT:
            return sum(self._encoded_length(part) for part in _cut_blanks(text))
        return self._encoded_length(text)

    def _encoded_length(self, text: str) -> int:
        """Tokens of a text without an endless run of white space."""
        return len(encoding(self.basis).encode_ordinary(well_formed(text))) if text else 0

    def running(self) -> RunningBpe:
        """A running count, at 0."""
        return RunningBpe(self)


class RunningBpe:
    """The count of a growing text; only the text after the last safe split is encoded again."""

    def __init__(self, counter: BpeCounter) -> None:
        self._counter = counter
        self._settled = 0
        self._tail = ""
        self._refused = False
        self._total = 0

    @property
    def total(self) -> int:
        """Tokens of everything added so far."""
        return self._total

    def add(self, piece: str) -> int:
        """Append a piece; a special token that forms across two pieces counts as one."""
        if not piece or self._refused:
            return self._total
        self._tail += piece
        if self._counter.refuses(self._tail):
            self._refused = True
            self._total = 0
            return 0
        split = last_safe_split(self._tail)
        if split:
            self._settled += self._counter.count_ordinary(self._tail[:split])
            self._tail = self._tail[split:]
        self._total = self._settled + self._counter.count_ordinary(self._tail)
        return self._total


def _cut_blanks(text: str) -> list[str]:
    """The text in parts without a run of more white space than the limit."""
    cuts = [0, *(found.end() for found in _LONG_BLANK.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(cuts)]


def last_safe_split(text: str) -> int:
    """The last place where both encodings begin a new piece whatever is appended; 0 when there is none."""
    for start in (max(0, len(text) - _NEAR_END), 0):
        split = 0
        for found in _SAFE_SPLIT.finditer(text, start):
            split = found.start()
        if split:
            return split
    return 0
