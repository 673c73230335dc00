"""The table `[check]` of a `lorebook.toml`: which rules run, thresholds, severities, what is let pass, the baseline."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.display import quote
from lorebook_tui.errors import LorebookError, UnreadableError, UsageError
from lorebook_tui.formats.base import seen
from lorebook_tui.lint.catalogue import all_rules, families
from lorebook_tui.lint.config import LintConfig
from lorebook_tui.lint.findings import Severity
from lorebook_tui.workspace.files import inside, located, read_bytes
from lorebook_tui.workspace.sample import WORKSPACE_FILE
from lorebook_tui.workspace.toml_lines import line_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

TABLE: Final = "check"
_LARGEST: Final = 1 << 24
_KEYS: Final = ("select", "ignore", "preview", "baseline", "severity", "options", "per-file")


def nearest(path: Path) -> Path | None:
    """The `lorebook.toml` that counts for a file: that of its folder, or of the next folder above that has one."""
    start = path.resolve()
    folders = [start, *start.parents] if start.is_dir() else list(start.parents)
    return next((folder / WORKSPACE_FILE for folder in folders if (folder / WORKSPACE_FILE).is_file()), None)


def config_of(path: Path | None) -> LintConfig:
    """What a workspace file says of checks; the defaults if it says nothing.

    Raises:
        UsageError: a key, code or value that cannot be meant; names file, line and key.
        UnreadableError: the file is no TOML, or its baseline cannot be read.
    """
    if path is None:
        return LintConfig()
    try:
        text = read_bytes(path, _LARGEST).decode("utf-8-sig").replace("\r\n", "\n")
        table = tomllib.loads(text).get(TABLE, {})
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnreadableError("The workspace file is no TOML.", where=str(path), found=str(error)) from error
    return _Reader(path, text).config(table)


@lru_cache(maxsize=4096)
def below(file: str, folder: str) -> str:
    """A file's name as it is called in a folder, with slashes."""
    try:
        return os.path.relpath(os.path.realpath(file), os.path.realpath(folder)).replace("\\", "/")
    except ValueError:
        return file  # on another drive


def with_options(
    config: LintConfig, select: Iterable[str] = (), ignore: Iterable[str] = (), *, preview: bool = False
) -> LintConfig:
    """The configuration with what the command line says on top.

    Raises:
        UsageError: a code that no rule begins with.
    """
    chosen, left = tuple(checked_codes(select)), tuple(checked_codes(ignore))
    return replace(
        config,
        select=chosen or config.select,
        ignore=(*config.ignore, *left),
        preview=preview or config.preview,
    )


def checked_codes(codes: Iterable[str]) -> Iterable[str]:
    """Codes, or beginnings of codes, in capitals; commas part several.

    Raises:
        UsageError: no rule begins so.
    """
    known = [rule.code for rule in all_rules()]
    for text in codes:
        for part in text.split(","):
            code = part.strip().upper()
            if code and code != "ALL" and not any(each.startswith(code) for each in (*known, *families())):
                raise UsageError(
                    f"No rule is called {quote(part.strip())}.",
                    expected="a code such as KEY002, the beginning of one, or ALL",
                    found=part.strip(),
                    hint="`lorebook explain --list` shows all.",
                )
            if code:
                yield code


def read_baseline(path: Path) -> frozenset[str]:
    """The fingerprints of a baseline file.

    Raises:
        UnreadableError: there is no such file, or it is none.
    """
    try:
        value = json.loads(read_bytes(path, _LARGEST))
        return frozenset(value["lorebook_baseline"])
    except (ValueError, KeyError, TypeError) as error:
        raise UnreadableError("This is no baseline.", where=str(path), expected='"lorebook_baseline": […]') from error


def baseline_text(fingerprints: Iterable[str]) -> str:
    """The content of a baseline file, sorted so that a change of it is easy to read."""
    return json.dumps({"lorebook_baseline": sorted(set(fingerprints))}, indent=1, ensure_ascii=True) + "\n"


class _Reader:
    """Reads the table and knows where things stand in the file."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text

    def config(self, table: Any) -> LintConfig:
        """All of it."""
        if not isinstance(table, dict):
            raise self.wrong((), "a table", table)
        for name in table:
            if name not in _KEYS:
                raise UsageError(
                    f"There is no key {quote(name)} under [{TABLE}].",
                    where=self.where((name,)),
                    expected=", ".join(_KEYS),
                    found=name,
                )
        preview = table.get("preview", False)
        if not isinstance(preview, bool):
            raise self.wrong(("preview",), "true or false", preview)
        return LintConfig(
            select=self.codes(("select",), table.get("select", ["ALL"])),
            ignore=self.codes(("ignore",), table.get("ignore", [])),
            called=partial(below, folder=str(self.path.resolve().parent)),
            per_file=self.per_file(self.table(table, "per-file")),
            severities=self.severities(self.table(table, "severity")),
            options=self.options(self.table(table, "options")),
            preview=preview,
            baseline=self.baseline(table.get("baseline")),
        )

    def table(self, table: Mapping[str, Any], name: str) -> dict[str, Any]:
        """A table in the table."""
        value = table.get(name, {})
        if not isinstance(value, dict):
            raise self.wrong((name,), "a table", value)
        return value

    def codes(self, path: tuple[str, ...], value: Any) -> tuple[str, ...]:
        """A list of codes."""
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(path, "a list of codes", value)
        try:
            return tuple(checked_codes(value))
        except LorebookError as error:
            raise located(error, self.where(path)) from None

    def per_file(self, table: Mapping[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What is let pass in which files."""
        return tuple((pattern, self.codes(("per-file", pattern), codes)) for pattern, codes in table.items())

    def severities(self, table: Mapping[str, Any]) -> dict[str, Severity]:
        """How bad findings are."""
        names = {severity.value: severity for severity in Severity}
        found = {}
        for code, value in table.items():
            (known,) = self.codes(("severity", code), [code])
            if value not in names:
                raise self.wrong(("severity", code), " or ".join(names), value)
            found[known] = names[value]
        return found

    def options(self, table: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
        """Thresholds by code."""
        rules = {rule.code: rule for rule in all_rules()}
        found: dict[str, dict[str, Any]] = {}
        for code, given in table.items():
            path = ("options", code)
            if code not in rules or not isinstance(given, dict):
                raise self.wrong(path, "a table named by the whole code of a rule", given)
            known = {option.name: option for option in rules[code].options}
            for name, value in given.items():
                if name not in known:
                    raise self.wrong((*path, name), ", ".join(known) or f"nothing: {code} has no options", name)
                if not _is_like(value, known[name].default):
                    raise self.wrong((*path, name), f"such as {quote(known[name].default)}", value)
            found[code] = dict(given)
        return found

    def baseline(self, value: Any) -> frozenset[str]:
        """The fingerprints of the baseline, if there is one."""
        if value is None:
            return frozenset()
        if not isinstance(value, str):
            raise self.wrong(("baseline",), "a file name", value)
        try:
            path = inside(self.path.parent, value)
            return read_baseline(path) if path.exists() else frozenset()
        except LorebookError as error:
            raise located(error, self.where(("baseline",))) from None

    def where(self, path: tuple[str, ...]) -> str:
        """File, line if known, and key."""
        whole = (TABLE, *path)
        line = line_of(self.text, whole)
        return f"{self.path}, {f'line {line}, ' if line else ''}{'.'.join(whole)}"

    def wrong(self, path: tuple[str, ...], expected: str, value: Any) -> UsageError:
        """The error about a value that cannot be meant."""
        name = ".".join((TABLE, *path))
        return UsageError(
            f"The workspace file gives {name} a value that cannot be meant.",
            where=self.where(path),
            expected=expected,
            found=seen(value),
        )


def _is_like(value: Any, default: Any) -> bool:
    """Whether a value has the type of a default; whole numbers will do for others."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    if isinstance(default, float):
        return isinstance(value, (int, float))
    return isinstance(value, list if isinstance(default, tuple) else type(default))
