"""Values that are not what SillyTavern expects: of another type, out of range, or not there."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar, Final

from lorebook_tui.formats.base import seen
from lorebook_tui.formats.checks import SILLYTAVERN_ROWS, V2_EXTENSION_ROWS, V2_ROWS, expected_of
from lorebook_tui.lint.findings import Finding, Fix, Grade, SetAt, Severity
from lorebook_tui.lint.products import product_of
from lorebook_tui.lint.rule import Context, EntryRule, Example
from lorebook_tui.model.fields import field_named, type_matches
from lorebook_tui.model.js import MISSING, text_of, truthy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lorebook_tui.lint.subjects import EntryView
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.js import Json, JsonPath

CARD: Final = (
    '{"spec": "chara_card_v2", "data": {"name": "M", "character_book": {"name": "B", "extensions": {}, "entries": ['
    "%s]}}}"
)
"""A card around entries, for examples."""
_CARD_ENTRY: Final = '{"keys": ["a"], "content": "x", "enabled": true, "insertion_order": 1, "extensions": {%s}}'
UNOROUTER: Final = (
    '{"name": "B", "scanDepth": 4, "entries": [{"id": "a", "keys": ["mill"], "secondaryKeys": [], "content": "x", '
    '"orderIndex": 3, "injectionRole": "system"}]}'
)
YUMINA: Final = (
    '{"entries": [{"id": "a", "name": "Mill", "content": "x", "section": "chat-history", "position": 10, "depth": 4, '
    '"alwaysSend": false, "keywords": ["mill"], "enabled": true}]}'
)
"""Sound books of other products, for examples."""
_SHORT_LIST: Final = 60
_WORDS: Final = {"true": True, "false": False}
_CARD_POSITIONS: Final = ("before_char", "after_char")
_CONSEQUENCES: Final = {
    "key": "SillyTavern finds no keys in it",
    "keysecondary": "SillyTavern finds no secondary keys in it",
    "content": "nothing gets into the prompt",
    "position": "SillyTavern compares strictly and puts the text nowhere",
    "selectiveLogic": "SillyTavern compares strictly and follows none of the four logics",
    "order": "entries are sorted as if it had no number",
    "group": "where the entry is called, SillyTavern breaks off, and no lore comes at all",
}
_BROKEN_OFF: Final = "SillyTavern breaks off, and no lore comes at all"
"""What a content does that is neither text nor nothing."""


def placed_fields(entry: EntryView) -> Iterator[tuple[Field, JsonPath, Json]]:
    """The fields of THE table that an entry has in the file: row, place and value."""
    source = entry.entry.source
    path = entry.entry.path
    if source is None:
        for name, value in entry.entry.fields.items():
            if name in SILLYTAVERN_ROWS:
                yield SILLYTAVERN_ROWS[name].field, (*path, name), value
        return
    extensions = source.get("extensions")
    for members, rows, steps in (
        (source, V2_ROWS, ()),
        (extensions if isinstance(extensions, dict) else {}, V2_EXTENSION_ROWS, ("extensions",)),
    ):
        for name, value in members.items():
            if name in rows:
                yield rows[name].field, (*path, *steps, name), value


def _written(value: Json) -> str:
    """What a repair writes; a short list as it will stand there."""
    if isinstance(value, list) and len(shown := json.dumps(value, ensure_ascii=False)) <= _SHORT_LIST:
        return shown
    return seen(value)


def lossless(field: Field, value: Json) -> Json:
    """The value in a type of the field that says the same; `MISSING` if there is none."""
    kinds = set(field.types)
    if "strings" in kinds and isinstance(value, str):
        if value.startswith("/"):
            return [value]
        return [part.strip() for part in value.split(",") if part.strip()]
    if "strings" in kinds and isinstance(value, list):
        if any(isinstance(item, (list, dict, bool)) for item in value):
            return MISSING
        return [text_of(item) for item in value if item is not None]
    if "boolean" in kinds and (value in (0, 1) or value is None):
        return bool(value)
    if "boolean" in kinds and isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    if kinds & {"integer", "number"} and isinstance(value, str):
        return _number(value, is_whole="integer" in kinds)
    if "string" in kinds and (value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))):
        return "" if value is None else text_of(value)
    if "string" in kinds and not field.engines and isinstance(value, list):
        return ", ".join(item for item in value if isinstance(item, str))
    return MISSING


def _number(text: str, *, is_whole: bool) -> Any:
    try:
        return int(text) if is_whole or text.strip().lstrip("-").isdigit() else float(text)
    except ValueError:
        return MISSING


class WrongType(EntryRule):
    """A value of another type than SillyTavern expects.

    Why: SillyTavern 1.19 compares strictly in many places: a position "4" is not the position 4, and a text is no
    list of keys.
    Example: `"key": "mill, wheel"` instead of `"key": ["mill", "wheel"]`.
    Do: write the value in the right type; where nothing is lost by it, `--fix` does.
    Source: SillyTavern 1.19, the V2 card specification.
    """

    code = "FMT005"
    name = "wrong-type"
    severity = Severity.ERROR
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "role": None, "characterFilter": None, "sticky": None},)),
        Example(({"key": ["a"], "content": "x", "delayUntilRecursion": True, "order": 2.5},)),
        Example(source=CARD % (_CARD_ENTRY % '"probability": null, "group_weight": null, "anything": {}')),
        Example(source=UNOROUTER),
        Example(source=YUMINA),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": "mill, wheel", "content": None, "order": "50", "constant": 0},),
            findings=4,
            fixed=({"key": ["mill", "wheel"], "content": "", "order": 50, "constant": False},),
        ),
        Example(({"key": ["a"], "content": "x", "order": "soon", "group": ["a"]},), findings=2),
        Example(({"key": ["a"], "content": "x", "constant": "false"},), fixed=({"constant": False},)),
        Example(source=CARD % (_CARD_ENTRY % '"depth": "4", "position": 4'), fixed=({"depth": 4},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Every field of THE table that is there; other products have their own types."""
        del context
        if entry.is_sound or product_of(entry):
            return
        for field, path, value in placed_fields(entry):
            if type_matches(field, value) or (value is None and "extensions" in path):
                continue
            right = lossless(field, value)
            told = f"write {_written(right)} instead"
            is_same = not isinstance(right, bool) or truthy(value) == right
            grade = Grade.SAFE if is_same else Grade.OFFERED  # the text "false" counts as true
            fix = Fix(told, (SetAt(path, right),), grade, alters_activation=bool(field.engines))
            effect = _CONSEQUENCES.get(field.name, "SillyTavern compares strictly in places and may pass over it")
            if field.name == "content" and truthy(value):
                effect = _BROKEN_OFF
            told_effect = effect if field.engines else "only the editor shows it"
            message = f"`{path[-1]}` is {seen(value)}, but should be {expected_of(field)}: {told_effect}."
            is_mild = not field.engines or path[-1] == "id"  # the V3 specification allows texts there
            severity = Severity.WARNING if is_mild else self.severity
            yield self.finding(entry, message, path, severity=severity, fix=None if right is MISSING else fix)


class OutOfRange(EntryRule):
    """A position, role, logic or trigger that SillyTavern does not have.

    Why: SillyTavern 1.19 puts a text with an unknown position nowhere, lets an entry with an unknown logic fire never,
    and takes a list of unknown triggers as "never".
    Example: `"position": 10`.
    Do: choose one of those that there are; `lorebook fields position` lists them.
    Source: SillyTavern 1.19.
    """

    code = "FMT020"
    name = "out-of-range"
    severity = Severity.WARNING
    grade = Grade.OFFERED
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "position": 7, "outletName": "m", "role": 2, "selectiveLogic": 3},)),
        Example(({"key": ["a"], "triggers": ["normal", "swipe"]},)),
        Example(source=CARD % _CARD_ENTRY.replace('"extensions"', '"position": "", "extensions"') % '"position": 4'),
        Example(source=YUMINA),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            ({"key": ["a"], "position": 10, "role": 5, "selectiveLogic": 7, "triggers": ["normal", "sometimes"]},),
            findings=4,
            fixed=({"position": 0, "role": 0, "selectiveLogic": 0, "triggers": ["normal"]},),
        ),
        Example(
            source=CARD % _CARD_ENTRY.replace('"extensions"', '"position": "char", "extensions"') % "",
            fixed=({"position": 1},),
        ),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Fields with choices."""
        del context
        if entry.is_sound or product_of(entry):
            return
        for field, path, value in placed_fields(entry):
            if not field.choices or not field.engines or not type_matches(field, value) or value is None:
                continue
            known = [choice.value for choice in field.choices]
            wrong = [item for item in (value if isinstance(value, list) else [value]) if item not in known]
            if field.name == "priority" or not wrong or "sillytavern" not in field.engines:
                continue
            right = [item for item in value if item in known] if isinstance(value, list) else field.default
            listed = ", ".join(text_of(item) for item in known)
            message = f"`{path[-1]}` is {text_of(wrong[0])}, which SillyTavern does not have; it has {listed}."
            fix = Fix(f"write {_written(right)} instead", (SetAt(path, right),), Grade.OFFERED, alters_activation=True)
            yield self.finding(entry, message, path, fix=fix)
        yield from self._of_card(entry)

    def _of_card(self, entry: EntryView) -> Iterator[Finding]:
        """The position in the card specification's words, where no extension says it better."""
        source = entry.entry.source
        if source is None or source.get("position", "after_char") in _CARD_POSITIONS:
            return
        extensions = source.get("extensions")
        if isinstance(extensions, dict) and extensions.get("position") is not None:
            return
        path = (*entry.entry.path, "position")
        message = f"`position` is {seen(source['position'])}: SillyTavern puts the text after the character."
        fix = Fix("write after_char, as SillyTavern reads it", (SetAt(path, "after_char"),), Grade.OFFERED)
        yield self.finding(entry, message, path, fix=fix)


class NoEnabled(EntryRule):
    """An entry of a card without `enabled`.

    Why: SillyTavern 1.19 imports such an entry as disabled, so it never fires; the card specification demands it.
    Example: an entry with `keys` and `content` and nothing else.
    Do: add `"enabled": true`.
    Source: SillyTavern 1.19, the V2 card specification.
    """

    code = "FMT009"
    name = "no-enabled"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "content": "x", "disable": ...},)),
        Example(source=CARD % (_CARD_ENTRY % "").replace("true", "false")),
        Example(source=UNOROUTER),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(source=CARD % (_CARD_ENTRY % "").replace('"enabled": true, ', ""), fixed=({"disable": False},)),
    )

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries in the names of the card specification."""
        del context
        if entry.entry.source is not None and "enabled" not in entry.entry.source and not product_of(entry):
            change = SetAt((*entry.entry.path, "enabled"), True)
            fix = Fix("enable it", (change,), alters_activation=True)
            message = "It does not say whether it is enabled, so SillyTavern imports it as disabled: it never fires."
            yield self.finding(entry, message, fix=fix)


class NoRequired(EntryRule):
    """An entry of a card without a member that the card specification demands.

    Why: other programs refuse the book or skip the entry; SillyTavern 1.19 sorts an entry without
    `insertion_order` as if it had no number.
    Example: an entry without `extensions`.
    Do: add the member.
    Source: the V2 card specification, the V3 card specification.
    """

    code = "FMT010"
    name = "no-required-member"
    severity = Severity.WARNING
    grade = Grade.SAFE
    valid: ClassVar[tuple[Example, ...]] = (
        Example(({"key": ["a"], "order": ...},)),
        Example(source=CARD % (_CARD_ENTRY % "")),
        Example(source=UNOROUTER),
        Example(source=YUMINA),
    )
    invalid: ClassVar[tuple[Example, ...]] = (
        Example(
            source=CARD % '{"keys": ["a"], "enabled": true}',
            fixed_source=CARD
            % '{"keys": ["a"], "enabled": true, "content": "", "insertion_order": 100, "extensions": {}}',
        ),
    )
    _DEFAULTS: ClassVar[Mapping[str, str]] = {"keys": "key", "content": "content", "insertion_order": "order"}

    def check(self, entry: EntryView, context: Context) -> Iterator[Finding]:
        """Entries in the names of the card specification."""
        del context
        source = entry.entry.source
        if source is None or product_of(entry):
            return
        missing: dict[str, Json] = {}
        for name, ours in self._DEFAULTS.items():
            row = field_named(ours)
            if name not in source and row is not None:
                missing[name] = [] if row.default == [] else row.default
        if "extensions" not in source:
            missing["extensions"] = {}
        if missing:
            listed = ", ".join(f"`{name}`" for name in missing)
            changes = tuple(SetAt((*entry.entry.path, name), value) for name, value in missing.items())
            fix = Fix(f"add {listed}", changes, alters_activation="insertion_order" in missing)
            yield self.finding(entry, f"It lacks {listed}, which other programs demand.", fix=fix)
