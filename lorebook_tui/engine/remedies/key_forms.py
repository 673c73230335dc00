"""Other forms of a key: what stands in the text instead, what a broken key was meant to be, and words fit for keys."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lorebook_tui.matching import ecma
from lorebook_tui.matching.jstext import lower
from lorebook_tui.matching.words import match_plain
from lorebook_tui.model.js import trim

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lorebook_tui.engine.findings import KeyFinding
    from lorebook_tui.engine.phases.buffer import Piece
    from lorebook_tui.model.entry import Entry

_SEPARATORS: Final = re.compile(r"\s*(?:[,;|，、；｜]|\bOR\b|(?<=\w)/(?=\w))\s*")
_WRAPPING: Final = " \t\"'“”‘’«»„*_()[]<>`"
_PATTERN_FORM: Final = re.compile(r"/(.*)/(\w*)", re.DOTALL)
_BARE_SLASH: Final = re.compile(r"(?<!\\)((?:\\\\)*)/")
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LEAST_CASED: Final = 4
_LEAST_UNCASED: Final = 2
"""Letters of a word fit for a key, in scripts with small letters and in others."""
_LEAST_PART: Final = 3
_COMMON: Final = 0.2
"""What is in more than this share of the messages says too little to be a key."""
_LONG_CHAT: Final = 10
"""Messages from which on a share says anything."""
_FUNCTION_WORDS: Final = frozenset({
    "about", "above", "across", "after", "again", "against", "along", "also", "although", "always", "among",
    "and", "another", "any", "are", "around", "away", "back", "because", "been", "before", "behind", "being",
    "below", "between", "both", "but", "can", "cannot", "come", "could", "did", "does", "doing", "done", "down",
    "during", "each", "either", "else", "even", "ever", "every", "everything", "for", "from", "give", "goes",
    "going", "gone", "got", "had", "has", "have", "having", "her", "here", "hers", "herself", "him", "himself",
    "his", "how", "into", "its", "itself", "just", "keep", "know", "last", "let", "like", "long", "made",
    "make", "many", "may", "might", "more", "most", "much", "must", "myself", "name", "near", "never", "next",
    "none", "not", "nothing", "now", "off", "once", "one", "only", "onto", "other", "our", "ours", "out",
    "over", "own", "part", "said", "same", "says", "seem", "seen", "shall", "she", "should", "since", "some",
    "something", "soon", "still", "such", "take", "tell", "than", "that", "the", "their", "them", "then",
    "there", "these", "they", "thing", "think", "this", "those", "though", "thought", "through", "told", "too",
    "took", "toward", "under", "until", "upon", "very", "want", "was", "way", "well", "went", "were", "what",
    "when", "where", "whether", "which", "while", "who", "whom", "whose", "why", "will", "with", "within",
    "without", "word", "would", "you", "your", "yours", "yourself",
})  # fmt: skip
"""English words that are in every chat."""


def key_in_text(key: str, text: str, *, case_sensitive: bool, whole_words: bool) -> bool:
    """Whether a key, macros replaced, occurs in a text; a pattern that gives no answer in time does not."""
    pattern = ecma.parse_key(key)
    if pattern is not None:
        try:
            return ecma.compile(pattern.source, pattern.flags).test(text)
        except ecma.PatternTimeout:
            return False
    if case_sensitive:
        return match_plain(text, key, whole_words=whole_words)
    return match_plain(lower(text), lower(key), whole_words=whole_words)


@dataclass(frozen=True, slots=True)
class Form:
    """Another form of a key."""

    reason: str
    """Kind of the near miss."""
    key: str = ""
    """A key to add."""
    pattern: str = ""
    """A pattern to take the key's place."""


def near_forms(finding: KeyFinding, pieces: Sequence[Piece]) -> Iterator[Form]:
    """Forms of a key that the scanned text holds, from its near misses."""
    for near in finding.near:
        found = trim(near.found)
        if near.kind == "outside_window" or not found:
            continue
        if near.kind == "pattern_case":
            source, _, flags = trim(finding.key).rpartition("/")
            yield Form(near.kind, pattern=f"{source}/{flags}i")
        elif near.kind == "space":
            yield Form(near.kind, pattern=spaced_pattern(found))
        elif near.kind == "word_boundary":
            yield Form(near.kind, key=_longer_word(found, pieces))
        elif "," not in found:
            yield Form(near.kind, key=found)


def spaced_pattern(text: str) -> str:
    """A pattern for words with any white space between them."""
    return "/" + r"\s+".join(_escaped(word) for word in text.split()) + "/i"


def _longer_word(found: str, pieces: Sequence[Piece]) -> str:
    """The whole word in which a key stands; "" if there is none."""
    word = re.compile(rf"\w*{re.escape(found)}\w*")
    return next((match[0] for piece in pieces if (match := word.search(piece.text))), "")


def repairs(key: str) -> Iterator[tuple[str, ...]]:
    """What a key that does not work was perhaps meant to be: one key or several in its place."""
    text = trim(key)
    if ecma.parse_key(text) is not None:
        yield from _without_anchors(text)
        return
    form = _PATTERN_FORM.fullmatch(text)
    if form:
        yield from _repaired_pattern(form[1], form[2])
        return
    parts = tuple(part for part in _SEPARATORS.split(text) if part)
    if len(parts) > 1:
        yield parts
    bare = text.strip(_WRAPPING)
    if bare and bare != text:
        yield (bare,)
    if "*" in text.strip("*"):
        yield ("/" + r"\w*".join(_escaped(part) for part in text.split("*")) + "/i",)
    elif text.endswith("*") and bare:
        yield ("/" + _escaped(bare) + r"\w*/i",)


def _repaired_pattern(source: str, flags: str) -> Iterator[tuple[str, ...]]:
    """A pattern that is none: bare slashes escaped, flags that exist, or else the plain words in it."""
    kept = "".join(dict.fromkeys(flag for flag in flags.lower() if flag in ecma.FLAGS))
    repaired = f"/{_BARE_SLASH.sub(lambda match: match[1] + chr(92) + '/', source)}/{kept}"
    if ecma.parse_key(repaired) is not None:
        yield (repaired,)
    else:
        yield (f"/{_escaped(source)}/{kept}",)


def _without_anchors(text: str) -> Iterator[tuple[str, ...]]:
    """A pattern whose anchors mean the whole scanned text: at messages instead, or none."""
    source, _, flags = text[1:].rpartition("/")
    loose = source.removeprefix("^")
    if loose.endswith("$") and not loose.endswith("\\$"):
        loose = loose[:-1]
    if loose and loose != source:
        if source.startswith("^"):
            yield (f"/\\x01(?:[^:\\n]{{0,80}}: )?{source[1:]}/{flags}",)
        yield (f"/{loose}/{flags}",)


def _escaped(text: str) -> str:
    """Text as a pattern matches it by the letter."""
    return re.sub(r"[.*+?^${}()|\[\]\\/]", r"\\\g<0>", text)


def is_telling(word: str, lines: Sequence[str]) -> bool:
    """Whether a word is rare enough to be a key.

    Args:
        word: in any case.
        lines: the chat's lines in lower case.
    """
    wanted = word.lower()
    if wanted in _FUNCTION_WORDS:
        return False
    return len(lines) < _LONG_CHAT or sum(wanted in line for line in lines) <= _COMMON * len(lines)


def part_of(key: str, fits: Callable[[str], bool]) -> str:
    """The longest word of a key of several words that would do alone; "" if none does."""
    if key.lstrip().startswith("/"):
        return ""
    words = [word for word in _WORD.findall(key) if len(word) >= _LEAST_PART]
    return max((word for word in words if len(words) > 1 and fits(word)), key=len, default="")


def fitting_words(entry: Entry, fits: Callable[[str], bool]) -> Iterator[str]:
    """Words fit for keys: of the title, then names within sentences of the content; the longer ones first.

    Args:
        entry: whose title and content are read.
        fits: whether a word would match, and is rare enough.
    """
    seen = {key.lower() for key in entry.keys}
    for words in (_WORD.findall(entry.title), _names_in(entry.content)):
        for word in sorted(dict.fromkeys(words), key=len, reverse=True):
            least = _LEAST_UNCASED if word.lower() == word.upper() else _LEAST_CASED
            if len(word) >= least and word.lower() not in seen and fits(word):
                seen.add(word.lower())
                yield word


def _names_in(text: str) -> list[str]:
    """Capitalised words that do not begin a sentence: behind a small letter or a comma."""
    found = []
    for match in _WORD.finditer(text):
        before = text[max(0, match.start() - 2) : match.start()]
        if match[0][0].isupper() and before.endswith(" ") and (before[0].islower() or before[0] == ","):
            found.append(match[0])
    return found
