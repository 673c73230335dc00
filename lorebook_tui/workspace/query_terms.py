"""What one `field:value` term of a query asks: the name resolved, the values read by the field's row of THE table."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Final

from lorebook_tui.display import quote
from lorebook_tui.matching import ecma
from lorebook_tui.model.field_names import close_names, named_field
from lorebook_tui.model.field_reference import choices_text, type_text
from lorebook_tui.model.fields import choice_labelled
from lorebook_tui.model.js import MISSING, is_index, nullish, text_of, to_number, trim, truthy
from lorebook_tui.model.layers import Layer
from lorebook_tui.model.locks import is_locked
from lorebook_tui.workspace.kinds import WORDS
from lorebook_tui.workspace.query_syntax import QueryError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lorebook_tui.model.entry import Entry
    from lorebook_tui.model.field_names import NamedField
    from lorebook_tui.model.field_types import Field
    from lorebook_tui.model.js import Json
    from lorebook_tui.workspace.facts import Facts
    from lorebook_tui.workspace.query_syntax import Term, Value

    Test = Callable[[Entry, Facts], bool]
    Getter = Callable[[Entry, Facts], Json]

FACT_NAMES: Final = ("layer", "book", "file", "folder", "tokens", "fired", "hits", "in", "cut", "kind", "locked")
_FACT_ALIASES: Final[Mapping[str, str]] = {"activated": "fired", "is": "kind", "path": "file"}
_NUMBER_FACTS: Final = frozenset({"tokens", "fired", "hits"})
_NONE_WORDS: Final = frozenset({"none", "null", "empty"})
KINDS: Final = ("constant", "keyed", "vectorised", "disabled")
_OF_ENTRY: Final = frozenset({"kind", "locked"})
"""Facts that the entry itself tells."""
_INSIDE: Final = "prompt"
_PROSE: Final = ("content", "comment")
"""Texts in which `yes` and `no` are words like any other."""
_ORDERINGS: Final = ("<", "<=", ">", ">=")
_COMPARED: Final[Mapping[str, Callable[[float, float], bool]]] = {
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
}


def test_of(term: Term) -> tuple[Test, frozenset[str]]:
    """What a term asks of an entry, and the names of the facts it needs.

    Raises:
        QueryError: no such field, or a value that it cannot be compared with.
    """
    plain = term.name.casefold()
    fact = _FACT_ALIASES.get(plain, plain)
    if fact in FACT_NAMES:
        return _any_value(term, lambda value: _fact_test(fact, term, value)), _needs(fact)
    found = named_field(term.name)
    if found is None:
        raise _no_field(term)
    return _any_value(term, lambda value: _field_test(found, term, value)), frozenset()


def _needs(fact: str) -> frozenset[str]:
    return frozenset() if fact in _OF_ENTRY else frozenset({fact, "turns"} if fact == "fired" else {fact})


def _no_field(term: Term) -> QueryError:
    close = close_names(term.name, FACT_NAMES)
    hint = f"Did you mean {' or '.join(close)}? " if close else ""
    return QueryError(
        f"There is no field {quote(term.name)}.",
        term.offset,
        expected="a field of an entry, or " + ", ".join(FACT_NAMES),
        found=term.name,
        hint=f"{hint}`lorebook fields` lists all fields; to look for the text itself, put it in quotes.",
    )


def _any_value(term: Term, made: Callable[[Value], Test]) -> Test:
    """One of the values fits; for `!=` none is equal."""
    tests = [made(value) for value in term.values]
    if term.operator == "!=":
        return lambda entry, facts: not any(test(entry, facts) for test in tests)
    if len(tests) == 1:
        return tests[0]
    return lambda entry, facts: any(test(entry, facts) for test in tests)


def _field_test(found: NamedField, term: Term, value: Value) -> Test:
    row = found.field

    def stored(entry: Entry, _: Facts) -> Json:
        return entry.fields.get(row.name, MISSING)

    if row.name == "characterFilter":
        return _texts_test(_filter_names, term, value)
    if "strings" in row.types:
        return _texts_test(lambda entry, facts: _strings(stored(entry, facts)), term, value)
    if "boolean" in row.types and (found.is_opposite or "integer" not in row.types or _switch(value) is not None):
        return _switch_test(found, term, value)
    if "number" in row.types or "integer" in row.types:
        return _number_test(stored, term, value, row)
    if "string" in row.types:
        return _text_test(lambda entry, facts: _text(stored(entry, facts)), term, value, row)
    return _text_test(lambda entry, facts: _json(stored(entry, facts)), term, value)


def _strings(value: Json) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def _filter_names(entry: Entry, _: Facts) -> list[str]:
    """Names and tags of the character filter."""
    value = entry.fields.get("characterFilter", MISSING)
    return _strings(value.get("names")) + _strings(value.get("tags")) if isinstance(value, dict) else []


def _text(value: Json) -> str:
    return "" if nullish(value) else text_of(value)


def _json(value: Json) -> str:
    return "" if nullish(value) or value in ({}, []) else json.dumps(value, ensure_ascii=False)


def _fact_test(fact: str, term: Term, value: Value) -> Test:
    if fact == "layer":
        _no_order(term)
        return _layer_test(value)
    if fact == "kind":
        _no_order(term)
        return _kind_test(value)
    if fact in {"in", "cut", "locked"}:
        _no_order(term)
        return _mark_test(fact, value)
    if fact in _NUMBER_FACTS:
        return _count_test(fact, term, value)
    if fact == "folder":
        return _folder_test(term, value)
    return _text_test(lambda _, facts: _text(facts.fact(fact)), term, value)


def _no_order(term: Term) -> None:
    if term.operator in _ORDERINGS:
        raise QueryError(
            f"{term.name} has no order, so {term.operator} means nothing.",
            term.offset,
            expected=f"{term.name}:value",
            found=f"{term.name}{term.operator}",
        )


def _layer_test(value: Value) -> Test:
    wanted = value.text.casefold()
    layer = next((each for each in Layer if wanted in {each.value, str(each.number)}), None)
    if layer is None:
        raise QueryError(
            "There is no such layer.", value.offset, expected=", ".join(each.value for each in Layer), found=value.text
        )
    return lambda _, facts: facts.fact("layer") == layer.value


def _kind_test(value: Value) -> Test:
    wanted = value.text.casefold().replace("vectorized", "vectorised").replace("normal", "keyed")
    if wanted not in KINDS:
        raise QueryError("There is no such kind.", value.offset, expected=", ".join(KINDS), found=value.text)
    return lambda entry, _: kind_word(entry) == wanted


def kind_word(entry: Entry) -> str:
    """What makes an entry activate: one of `KINDS`."""
    if entry.is_on("disable"):
        return "disabled"
    return "constant" if entry.is_on("constant") else "vectorised" if entry.is_on("vectorized") else "keyed"


def _mark_test(fact: str, value: Value) -> Test:
    switch = _switch(value)
    if fact == "in" and value.is_bare and value.text.casefold() in {_INSIDE, "cut"}:
        name = "in" if value.text.casefold() == _INSIDE else "cut"
        return lambda _, facts: facts.fact(name) is True
    if switch is None:
        expected = "prompt, cut, yes or no" if fact == "in" else "yes or no"
        raise QueryError(f"{fact} is a question of yes or no.", value.offset, expected=expected, found=value.text)
    if fact == "locked":
        return lambda entry, _: is_locked(entry) is switch
    return lambda _, facts: facts.fact(fact) is switch


def _count_test(fact: str, term: Term, value: Value) -> Test:
    word = value.text.casefold() if value.is_bare else ""
    if fact == "fired" and word == "always":
        return lambda _, facts: facts.fact("fired") == facts.fact("turns")
    switch = False if word in _NONE_WORDS | {"never"} else _switch(value)
    if switch is not None:
        return lambda _, facts: truthy(facts.fact(fact)) is switch
    return _number_test(lambda _, facts: facts.fact(fact), term, value)


def _folder_test(term: Term, value: Value) -> Test:
    """`:` finds a part of the path; `=` takes the folder of that path and what is below it."""
    if value.form == "pattern" or term.operator not in {"=", "!="} or _is_none(value):
        return _text_test(lambda _, facts: _text(facts.fact("folder")), term, value)
    wanted = value.text.strip("/").casefold()

    def within(_: Entry, facts: Facts) -> bool:
        path = _text(facts.fact("folder")).casefold()
        return path == wanted or path.startswith(f"{wanted}/")

    return within


def _switch(value: Value) -> bool | None:
    """Yes or no, if that is what the value says."""
    return WORDS.get(value.text.casefold()) if value.is_bare else None


def _is_none(value: Value) -> bool:
    return value.is_bare and value.text.casefold() in _NONE_WORDS


def _switch_test(found: NamedField, term: Term, value: Value) -> Test:
    """A flag that is missing is off; one that may be null is on or off only if it says so itself."""
    row, name = found.field, found.field.name
    _no_order(term)
    if _is_none(value):
        return lambda entry, _: nullish(entry.fields.get(name, MISSING))
    switch = {"1": True, "0": False}.get(value.text, _switch(value)) if value.is_bare else None
    if switch is None:
        raise QueryError(
            f"{term.name} is a question of yes or no.",
            value.offset,
            expected="yes or no" + (" or none" if "null" in row.types else ""),
            found=value.text,
        )
    wanted = switch is not found.is_opposite
    if "null" in row.types:
        return lambda entry, _: not nullish(stored := entry.fields.get(name, MISSING)) and truthy(stored) is wanted
    return lambda entry, _: truthy(entry.fields.get(name, MISSING)) is wanted


def _number_test(getter: Getter, term: Term, value: Value, row: Field | None = None) -> Test:
    if _is_none(value):
        if term.operator in _ORDERINGS:
            raise _no_number(term, value, row)
        return lambda entry, facts: nullish(getter(entry, facts))
    switch = _switch(value)
    if switch is not None and term.operator not in _ORDERINGS:
        return lambda entry, facts: truthy(getter(entry, facts)) is switch
    if value.is_bare and ".." in value.text and term.operator in {":", "=", "!="}:
        return _range_test(getter, term, value, row)
    wanted = _number(value, value.text, row)
    if math.isnan(wanted):
        if row is not None and row.name == "uid" and value.form != "pattern" and term.operator not in _ORDERINGS:
            return lambda entry, _: entry.uid_text == value.text
        raise _no_number(term, value, row)
    compare = _COMPARED.get(term.operator)
    if compare is None:
        return lambda entry, facts: _as_number(getter(entry, facts)) == wanted
    return lambda entry, facts: compare(_as_number(getter(entry, facts)), wanted)


def _as_number(value: Json) -> float:
    return math.nan if nullish(value) else to_number(value)


def _number(value: Value, text: str, row: Field | None) -> float:
    """A number, or the value of a choice that is named; NaN if it is neither."""
    if value.form == "pattern" or not trim(text):
        return math.nan
    if row is not None and row.choices and not is_index(text) and (choice := choice_labelled(row, text)):
        return to_number(choice.value)
    return to_number(text.removesuffix("%") if row is not None and row.unit == "percent" else text)


def _range_test(getter: Getter, term: Term, value: Value, row: Field | None) -> Test:
    low_text, _, high_text = value.text.partition("..")
    low = _number(value, low_text, row) if low_text else -math.inf
    high = _number(value, high_text, row) if high_text else math.inf
    if math.isnan(low) or math.isnan(high) or not (low_text or high_text):
        raise _no_number(term, value, row)
    if low > high:
        raise QueryError(
            "The range runs backwards.", value.offset, expected=f"{high_text}..{low_text}", found=value.text
        )
    return lambda entry, facts: low <= _as_number(getter(entry, facts)) <= high


def _no_number(term: Term, value: Value, row: Field | None) -> QueryError:
    expected = "a number such as 100, a range such as 10..20"
    if row is not None and row.choices:
        expected = choices_text(row)
    elif row is not None and "null" in row.types:
        expected += ", or none"
    if row is not None and "boolean" in row.types:
        expected += ", yes or no"
    kind = f" ({type_text(row)})" if row is not None else ""
    return QueryError(f"{term.name} is compared with numbers{kind}.", value.offset, expected=expected, found=value.text)


def _texts_test(getter: Callable[[Entry, Facts], list[str]], term: Term, value: Value) -> Test:
    """One of several texts fits; signs of order compare how many there are."""
    if term.operator in _ORDERINGS:
        return _number_test(lambda entry, facts: len(getter(entry, facts)), term, value)
    if _is_none(value):
        return lambda entry, facts: not getter(entry, facts)
    switch = _switch(value)
    if switch is not None and getter is _filter_names:
        return lambda entry, facts: bool(getter(entry, facts)) is switch
    fits = _fitting(term, value)
    return lambda entry, facts: any(map(fits, getter(entry, facts)))


def _text_test(getter: Callable[[Entry, Facts], str], term: Term, value: Value, row: Field | None = None) -> Test:
    """A text holds another (`:`), is it (`=`), or matches a pattern; signs of order compare its length."""
    if term.operator in _ORDERINGS:
        return _number_test(lambda entry, facts: len(getter(entry, facts)), term, value)
    if _is_none(value):
        return lambda entry, facts: not getter(entry, facts).strip()
    switch = _switch(value)
    if switch is not None and row is not None and row.name not in _PROSE:
        return lambda entry, facts: bool(getter(entry, facts).strip()) is switch
    if row is not None and row.choices and value.form != "pattern" and (choice := choice_labelled(row, value.text)):
        return lambda entry, facts: getter(entry, facts) == choice.value
    fits = _fitting(term, value)
    return lambda entry, facts: fits(getter(entry, facts))


def _fitting(term: Term, value: Value) -> Callable[[str], bool]:
    if value.form == "pattern":
        return pattern_of(value).test
    wanted = value.text.casefold()
    if term.operator == ":":
        return lambda text: wanted in text.casefold()
    return lambda text: text.casefold() == wanted


def pattern_of(value: Value) -> ecma.Pattern:
    """The pattern of a query, compiled.

    Raises:
        QueryError: JavaScript rejects it.
    """
    try:
        return ecma.compile(value.text, value.flags)
    except ecma.PatternError as error:
        raise QueryError(
            error.message,
            value.offset + 1 + (error.offset or 0),
            expected="a JavaScript pattern",
            found=f"/{value.text}/{value.flags}",
        ) from error
