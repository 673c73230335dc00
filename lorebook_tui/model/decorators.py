"""The `@@` lines at the top of a content, split off as each product does it."""

from __future__ import annotations

from typing import Final, NamedTuple

ACTIVATE: Final = "@@activate"
DONT_ACTIVATE: Final = "@@dont_activate"
SILLYTAVERN_NAMES: Final = (ACTIVATE, DONT_ACTIVATE)


class Decorated(NamedTuple):
    """A content and what stood above it."""

    decorators: tuple[str, ...]
    """Whole lines of known decorators, as they stand."""
    content: str
    ignored: tuple[str, ...] = ()
    """Lines that were taken away without any effect."""


def split_sillytavern(content: str) -> Decorated:
    """Split the decorators off as SillyTavern 1.19 does.

    A line is known if it starts with a known name, but acts only if it equals the name. `@@@` lines count only after an
    unknown line. A content of decorator lines only stays as it is.
    """
    if not content.startswith("@@"):
        return Decorated((), content)
    known: list[str] = []
    ignored: list[str] = []
    fallback = False
    lines = content.split("\n")
    for number, line in enumerate(lines):
        if not line.startswith("@@"):
            return Decorated(tuple(known), "\n".join(lines[number:]), tuple(ignored))
        if line.startswith("@@@"):
            if not fallback:
                ignored.append(line)
                continue
            line = line[1:]  # noqa: PLW2901 - an allowed fall-back reads as a plain decorator
        if line.startswith(SILLYTAVERN_NAMES):
            known.append(line)
            if line not in SILLYTAVERN_NAMES:
                ignored.append(line)
            fallback = False
        else:
            ignored.append(line)
            fallback = True
    return Decorated(tuple(known), content, tuple(ignored))
