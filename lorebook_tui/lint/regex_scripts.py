"""Scripts of SillyTavern's Regex extension, as far as they act on the texts of lore."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.matching import ecma
from lorebook_tui.model.js import truthy

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lorebook_tui.lint.subjects import FileView, World
    from lorebook_tui.matching.ecma import Match, Pattern

_WORLD_INFO: Final = 5
"""The placement that stands for lore."""
_REFERENCE: Final = re.compile(r"\$(\d+)|\$<([^>]+)>|\{\{match\}\}", re.IGNORECASE)
_CARD_SCRIPTS: Final = (("data", "extensions", "regex_scripts"), ("extensions", "regex_scripts"))


@dataclass(frozen=True)
class Script:
    """One script that acts on lore."""

    name: str
    """Foreign text."""
    pattern: Pattern
    is_global: bool
    replacement: str
    trims: tuple[str, ...]
    least: float | None
    most: float | None
    """Depths between which it acts; texts that stand at no depth are always acted on."""

    def acts_at(self, depth: float | None) -> bool:
        """Whether it acts on a text at a depth; None: it stands at none."""
        if depth is None:
            return True
        return (self.least is None or depth >= self.least) and (self.most is None or depth <= self.most)

    def applied(self, text: str) -> str:
        """The text after it; macros of the replacement stay.

        Raises:
            PatternTimeout: the pattern takes too long.
        """
        pieces: list[str] = []
        last = 0
        for found in self.pattern.matches(text):
            pieces += [text[last : found.start], self._written(found, text)]
            last = found.end
            if not self.is_global:
                break
        return "".join([*pieces, text[last:]])

    def _written(self, found: Match, text: str) -> str:
        def value(reference: re.Match[str]) -> str:
            number, name = reference[1], reference[2]
            taken: str | None
            if name is not None:
                taken = found.named.get(name)
            elif number is None or int(number) == 0:
                taken = text[found.start : found.end]
            else:
                taken = found.groups[int(number) - 1] if int(number) <= len(found.groups) else None
            for trim in self.trims:
                taken = (taken or "").replace(trim, "")
            return taken or ""

        return _REFERENCE.sub(value, self.replacement)


def scripts_of(world: World) -> tuple[Script, ...]:
    """The scripts of the settings, then those of the open cards, in order."""
    listed: list[Any] = list(_of_settings(world) or ())
    for file in world.files:
        listed += _of_card(file)
    return tuple(_scripts(listed))


def are_known(world: World) -> bool:
    """Whether it is known which scripts there are, or a card brings some."""
    return _of_settings(world) is not None or any(map(_of_card, world.files))


def _of_settings(world: World) -> tuple[Mapping[str, Any], ...] | None:
    if world.regex_scripts is not None or world.library is None:
        return world.regex_scripts
    return world.library.regex_scripts


def _of_card(file: FileView) -> Iterable[Any]:
    if file.loaded is None or file.loaded.card is None or file.document is None:
        return ()
    for path in _CARD_SCRIPTS:
        value: Any = file.document.value
        for step in path:
            value = value.get(step) if isinstance(value, dict) else None
        if isinstance(value, list):
            return value
    return ()


def _scripts(listed: Iterable[Any]) -> Iterator[Script]:
    for row in listed:
        if isinstance(row, dict) and (script := _script(row)) is not None:
            yield script


def _script(row: Mapping[str, Any]) -> Script | None:
    """A script; None if it is off, does not act on lore in prompts, or has no pattern."""
    placement = row.get("placement")
    acts = isinstance(placement, list) and _WORLD_INFO in placement and truthy(row.get("promptOnly"))
    source = row.get("findRegex")
    if not acts or truthy(row.get("disabled")) or not isinstance(source, str) or not source:
        return None
    key = ecma.parse_key(source)
    flags = key.flags if key is not None else ""
    try:
        pattern = ecma.compile(key.source if key is not None else source, flags)
    except ecma.PatternError:
        return None
    trims = row.get("trimStrings")
    return Script(
        str(row.get("scriptName") or "a script without a name"),
        pattern,
        "g" in flags,
        str(row.get("replaceString") or ""),
        tuple(trim for trim in trims if isinstance(trim, str) and trim) if isinstance(trims, list) else (),
        _bound(row.get("minDepth")),
        _bound(row.get("maxDepth")),
    )


def _bound(value: Any) -> float | None:
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0 else None
