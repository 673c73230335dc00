"""What the form shows and how it looks at the moment: values, shared by what draws and what edits."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lorebook_tui.model.field_types import FieldGroup
from lorebook_tui.model.js import nullish
from lorebook_tui.tui.views.form_values import same_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lorebook_tui.engine.chat_hits import KeyInChat
    from lorebook_tui.engine.explain import Explanation
    from lorebook_tui.engine.key_owners import Owner
    from lorebook_tui.glyphs import Glyphs
    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.js import Json
    from lorebook_tui.model.settings import ScanSettings
    from lorebook_tui.tui.views.form_text import Waking
    from lorebook_tui.workspace.live_check import Note

UNUSED: Final = "Not used"
RAW: Final = "Raw JSON"
TITLE, CONTENT, KEYS, SECONDARY, LOGIC, DISABLED = (
    "comment", "content", "key", "keysecondary", "selectiveLogic", "disable",
)  # fmt: skip
IN_HEAD: Final = (TITLE, CONTENT, KEYS, SECONDARY, LOGIC, DISABLED)
"""Fields that stand above the groups."""
GROUPS: Final = (
    *(group for group in FieldGroup if group not in {FieldGroup.IDENTITY, FieldGroup.OTHER}),
    FieldGroup.IDENTITY,
    FieldGroup.OTHER,
)
"""The groups in the order of the form."""
FOLDED: Final = frozenset({FieldGroup.SOURCES.value, FieldGroup.IDENTITY.value, FieldGroup.OTHER.value, UNUSED})
"""The groups that are closed at first."""
NEW: Final = -1
"""In place of the number of an item: one that is being added."""


_MOST_TITLES: Final = 4
_PRODUCTS: Final = ("unorouter", "yumina")
_LABEL_CELLS: Final = 27
_NARROW: Final = 52
_NARROW_LABEL: Final = 21
_LEAST_LABEL: Final = 8


@dataclass(frozen=True)
class Subject:
    """What the form shows: one entry, or several that are edited together."""

    entries: tuple[Entry, ...]
    """The chosen one first."""
    book: str
    """Foreign text."""
    layer: str
    settings: ScanSettings
    engine: str = "sillytavern"
    explanation: Explanation | None = None
    """Of the chosen turn; None while it is not worked out, or if the entry is not loaded."""
    tokens: int | None = None
    """Of the stored text."""
    budget: int | None = None
    """Tokens for all entries at this turn."""
    approximate: bool = False
    """Whether tokens are estimated."""
    hits: Mapping[str, KeyInChat] = field(default_factory=dict)
    """By key: where it occurs in the whole chat."""
    owners: Mapping[str, Sequence[Owner]] = field(default_factory=dict)
    """By primary key: other entries that have it."""

    @property
    def entry(self) -> Entry:
        """The chosen one."""
        return self.entries[0]

    @property
    def counted(self) -> int | None:
        """What its text costs at the shown turn: macros replaced, with the line break that the engine puts behind it.

        None: it was not counted there.
        """
        row = self.explanation.evidence.own_row if self.explanation is not None else None
        return row.tokens if row is not None else None

    @property
    def whole_words(self) -> bool:
        """Whether its keys are looked for as whole words."""
        value = self.entry.get("matchWholeWords")
        return self.settings.world_info_match_whole_words if nullish(value) else self.entry.is_on("matchWholeWords")

    @property
    def is_many(self) -> bool:
        """Whether several are edited together."""
        return len(self.entries) > 1

    def looks_like(self, other: Subject | None) -> bool:
        """Whether the form would look the same. Cheap: what is large is compared by identity."""
        if other is None or len(self.entries) != len(other.entries):
            return False
        small = ("book", "layer", "engine", "tokens", "budget", "approximate")
        large = ("settings", "explanation", "hits", "owners")
        return (
            all(one is two for one, two in zip(self.entries, other.entries, strict=True))
            and all(getattr(self, name) == getattr(other, name) for name in small)
            and all(getattr(self, name) is getattr(other, name) for name in large)
        )

    def value(self, name: str) -> Json:
        """The stored value of the chosen entry."""
        return self.entry.get(name)

    def is_common(self, name: str) -> bool:
        """Whether all entries have the same value."""
        return all(same_json(self.value(name), entry.get(name)) for entry in self.entries[1:])


@dataclass(frozen=True, slots=True)
class Place:
    """What is being edited: a field, or one item of a list."""

    name: str
    item: int | None = None
    """Number of the item; `NEW` for one that is added; None: the whole field."""


@dataclass
class Look:
    """How the form looks at the moment."""

    glyphs: Glyphs
    folded: frozenset[str] = FOLDED
    text_height: int = 8
    """Lines of room for the content."""
    is_dense: bool = False
    """There is little height: no blank lines between the parts."""
    at: str = ""
    """Name of the field under the cursor."""
    items: dict[str, int] = field(default_factory=dict)
    """By list field: the number of the chosen item."""
    editing: Place | None = None
    drafts: dict[Place, str] = field(default_factory=dict)
    """What was typed and neither taken nor given up."""
    findings: Mapping[str, Sequence[Note]] = field(default_factory=dict)
    """What the linter says of the entry, by field."""


def is_open(name: str, look: Look, subject: Subject) -> bool:
    """Whether a group is unfolded."""
    return fold_key(name, subject) not in look.folded


def woken_words(woken: Sequence[Waking]) -> list[tuple[str, str]]:
    """What is told about keys of other entries under the cursor of the text: words and their ink."""
    titles = list(dict.fromkeys(item.title for item in woken))
    words: list[tuple[str, str]] = [(f"“{woken[0].words}”", "hit"), (" wakes ", "muted")]
    for number, title in enumerate(titles[:_MOST_TITLES]):
        words += [(", ", "muted")] if number else []
        words.append((f"“{title}”", "text"))
    more = f" and {len(titles) - _MOST_TITLES} more" if len(titles) > _MOST_TITLES else ""
    return [*words, (f"{more} by recursion, if nothing else stands against it.", "muted")]


def fold_key(name: str, subject: Subject) -> str:
    """What remembers that a group is closed: that of the products is another one where their engine is at work."""
    if name == FieldGroup.OTHER.value and subject.engine in _PRODUCTS:
        return f"{name} in {subject.engine}"
    return name


def label_cells(width: int) -> int:
    """Room for the labels of fields."""
    return min(_LABEL_CELLS if width >= _NARROW else _NARROW_LABEL, max(_LEAST_LABEL, width // 2))
