"""Changes values of a TOML text and leaves every other character as it is: comments, blank lines, order, spelling."""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import UsageError
from lorebook_tui.model.js import MISSING
from lorebook_tui.workspace.toml_spans import KeyPath, KeyValue, Spans, Table, spans

if TYPE_CHECKING:
    from collections.abc import Mapping

_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_LONG_LINE: Final = 100
_STEP: Final = "    "


def with_values(text: str, changes: Mapping[KeyPath, Any]) -> str:
    """A TOML text with other values.

    Args:
        text: valid TOML.
        changes: by path; `MISSING` takes a key away. A path must not lead through a value that is no table.

    Raises:
        UsageError: a value that TOML cannot hold, or a text in which it cannot be changed without rewriting more.
    """
    wanted = tomllib.loads(text)
    made = text
    for path, value in changes.items():
        if _at(wanted, path) != value or type(_at(wanted, path)) is not type(value):
            _put(wanted, path, value)
            made = _removed(made, path) if value is MISSING else _with_value(made, path, value)
    try:
        is_right = tomllib.loads(made) == _pruned(wanted, tomllib.loads(made))
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise UsageError(
            "The file cannot be changed in place.",
            expected="keys that are written once, in plain tables",
            hint="Change it by hand: " + ", ".join(".".join(path) for path in changes),
        )
    return made


def literal(value: Any, *, indent: str = "", is_inline: bool = False) -> str:
    """A value as TOML.

    Args:
        value: a text, number, switch, list or table.
        indent: of the line it begins on.
        is_inline: inside of an inline table, where everything stays on one line.

    Raises:
        UsageError: TOML cannot hold it.
    """
    if isinstance(value, dict):
        members = ", ".join(f"{key_text((name,))} = {literal(item, is_inline=True)}" for name, item in value.items())
        return f"{{ {members} }}" if members else "{}"
    if isinstance(value, (list, tuple)):
        items = [literal(item, is_inline=True) for item in value]
        line = f"[{', '.join(items)}]"
        if is_inline or len(line) <= _LONG_LINE:
            return line
        return "[\n" + "".join(f"{indent}{_STEP}{item},\n" for item in items) + f"{indent}]"
    import tomli_w  # noqa: PLC0415 - only for who writes

    try:
        text = tomli_w.dumps({"x": value}, multiline_strings=not is_inline and "\r" not in str(value))
        text.encode("utf-8")
    except (TypeError, ValueError) as error:
        raise UsageError("A value cannot be written into a TOML file.", found=repr(value)[:80]) from error
    return text.removeprefix("x = ").rstrip("\n") if "\n" not in str(value) else text.removeprefix("x = ")[:-1]


def key_text(path: KeyPath) -> str:
    """A key as TOML, with dots between its parts."""
    return ".".join(part if _BARE.fullmatch(part) else literal(part, is_inline=True) for part in path)


def _at(root: Any, path: KeyPath) -> Any:
    for name in path:
        if not isinstance(root, dict) or name not in root:
            return MISSING
        root = root[name]
    return root


def _put(root: dict[str, Any], path: KeyPath, value: Any) -> None:
    for name in path[:-1]:
        below = root.setdefault(name, {})
        if not isinstance(below, dict):
            raise UsageError(
                "The file has a value where a table belongs.", where=".".join(path), found=repr(below)[:80]
            )
        root = below
    if value is MISSING:
        root.pop(path[-1], None)
    else:
        root[path[-1]] = value


def _pruned(wanted: dict[str, Any], made: Any) -> dict[str, Any]:
    """Without tables that became empty and are not written, for a file need not say that there is nothing."""
    return {
        name: _pruned(value, made.get(name, {}) if isinstance(made, dict) else {}) if isinstance(value, dict) else value
        for name, value in wanted.items()
        if value != {} or (isinstance(made, dict) and name in made)
    }


def _with_value(text: str, path: KeyPath, value: Any) -> str:
    found = spans(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    here = found.value(path)
    holder = found.holder(path)
    if here is not None:
        made = literal(value, indent=_indent(text, here.line)).replace("\n", newline)
        return text[: here.start] + made + text[here.end :]
    if holder is not None:
        table = _at(tomllib.loads(text), holder.path)
        inner = dict(table) if isinstance(table, dict) else {}
        _put(inner, path[len(holder.path) :], value)
        return text[: holder.start] + literal(inner) + text[holder.end :]
    return _inserted(text, found, path, value, newline)


def _inserted(text: str, found: Spans, path: KeyPath, value: Any, newline: str) -> str:
    """A key that is not there yet: behind its neighbours, else in a new table at the end."""
    parent = path[:-1]
    beside = [each for each in found.values if each.path[:-1] == parent]
    header = found.table(parent)
    if beside:
        last = beside[-1]
        indent, place, name = _indent(text, last.line), last.after, path[len(last.table) :]
    elif header is not None:
        indent, place, name = _indent(text, header.line), header.after, path[-1:]
    elif not parent:
        place = _above(text, found.tables[0].line) if found.tables else len(text)
        indent, name = "", path
    else:
        gap = newline if text.strip() else ""
        start = text if not text or text.endswith("\n") else text + newline
        line = f"{key_text(path[-1:])} = {literal(value)}".replace("\n", newline)
        return f"{start}{gap}[{key_text(parent)}]{newline}{line}{newline}"
    line = f"{indent}{key_text(name)} = {literal(value, indent=indent)}".replace("\n", newline) + newline
    before = text[:place]
    return before + ("" if not before or before.endswith("\n") else newline) + line + text[place:]


def _above(text: str, line: int) -> int:
    """The line in front of a header and the comments that belong to it; a heading of the whole file stays on top."""
    place = line
    while place and text[:place].splitlines()[-1].lstrip().startswith("#"):
        place = text.rfind("\n", 0, place - 1) + 1
    return place or line


def _removed(text: str, path: KeyPath) -> str:
    found = spans(text)
    here = found.value(path)
    if here is not None:
        return text[: here.line] + text[here.after :]
    holder = found.holder(path)
    if holder is None:
        return _without_table(text, found, path)
    table = _at(tomllib.loads(text), holder.path)
    inner = dict(table) if isinstance(table, dict) else {}
    _put(inner, path[len(holder.path) :], MISSING)
    return text[: holder.start] + literal(inner) + text[holder.end :]


def _without_table(text: str, found: Spans, path: KeyPath) -> str:
    """Without the headers and keys of a table and of the tables below it."""
    everything: list[KeyValue | Table] = [*found.tables, *found.values]
    lines = [(each.line, each.after) for each in everything if each.path[: len(path)] == path]
    for start, end in sorted(lines, reverse=True):
        text = text[:start] + text[end:]
    return text


def _indent(text: str, line: int) -> str:
    return text[line : line + len(text[line:]) - len(text[line:].lstrip(" \t"))]
