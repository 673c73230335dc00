"""The user's `config.toml`: read in part where it is wrong in part, so that no mistake in it stops the program.

What the program itself remembers between runs is in `memory`, so that nobody's comments are ever written over.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Final

from lorebook_tui.errors import LorebookError, UsageError
from lorebook_tui.workspace.kinds import SWITCH, TEXT, Kind, one_of, whole
from lorebook_tui.workspace.toml_lines import line_of, place_of_error

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LARGEST: Final = 1 << 18
"""Bytes that are read; nobody writes so much by hand."""
SIGNS: Final = ("auto", "signs", "letters")
_MOST_REPAIRS: Final = 20
_SPELLING: Final = 0.6
_COLOUR: Final = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
_EXCERPT: Final = 40


class ConfigError(UsageError):
    """Something in the configuration that cannot be meant; the rest of it is used."""

    code = "CONFIG"


@dataclass(frozen=True, slots=True)
class KeyWish:
    """Keys that the user wants for an action."""

    action: str
    """As written: an id such as `global.undo`, or its last part."""
    keys: tuple[str, ...]
    """As written; none: the action shall have no key."""
    where: str
    """File, line and key."""


@dataclass(frozen=True, slots=True)
class ThemeWish:
    """A theme of the user: a few colours, the rest follows from them."""

    name: str
    colours: Mapping[str, str]
    """By the names of `COLOURS`, as `#rgb` or `#rrggbb`."""
    base: str
    """`dark` or `light`: where the other colours come from."""
    where: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the user wants; defaults where the file says nothing."""

    theme: str = ""
    """"": as the environment says, else as it was chosen last."""
    signs: str = "auto"
    mouse: bool = True
    animations: str = "none"
    delay: int = 150
    """Milliseconds after the last edit until the chat is replayed."""
    tokenizer: str = ""
    """For workspaces that name none; "": the program's default."""
    layers_width: int = 48
    """Cells that the tree takes at most."""
    entry_share: int = 13
    simulate_share: int = 19
    """Shares of the rest of a wide screen."""
    keys: tuple[KeyWish, ...] = ()
    themes: tuple[ThemeWish, ...] = ()
    notices: tuple[LorebookError, ...] = field(default=(), compare=False)
    """What was wrong in the file, a line each."""


def _colour(value: Any) -> str:
    if not isinstance(value, str) or not _COLOUR.fullmatch(value):
        raise ValueError
    return value


COLOUR: Final = Kind("a colour such as #e3b05f", _colour)
COLOURS: Final = ("background", "foreground", "primary", "secondary", "accent", "success", "warning", "error")
"""The colours that a theme may name."""


@dataclass(frozen=True, slots=True)
class Option:
    """One line of the file."""

    path: tuple[str, ...]
    field: str
    """Of `Preferences`."""
    kind: Kind
    help: str

    @property
    def name(self) -> str:
        """As people say it."""
        return ".".join(self.path)


OPTIONS: Final = (
    Option(("theme",), "theme", TEXT, "Theme to start with; empty: the one chosen last."),
    Option(("signs",), "signs", one_of(*SIGNS), "Signs such as ✓ and ✂, letters in their place, or what fits."),
    Option(("mouse",), "mouse", SWITCH, "Whether the mouse is the program's or the terminal's."),
    Option(("animations",), "animations", one_of("none", "basic", "full"), "How much of the screen may move."),
    Option(("delay",), "delay", whole(0, 10_000), "Milliseconds from the last edit to the next simulation."),
    Option(("tokenizer",), "tokenizer", TEXT, "Tokenizer of workspaces that name none; empty: the usual one."),
    Option(("panes", "layers"), "layers_width", whole(20, 200), "Cells that the tree takes at most."),
    Option(("panes", "entry"), "entry_share", whole(1, 100), "Share of the entry on a wide screen."),
    Option(("panes", "simulate"), "simulate_share", whole(1, 100), "Share of the simulation on a wide screen."),
)
_TABLES: Final = ("panes", "keys", "themes")


def load(path: Path) -> Preferences:
    """The preferences of a file; those of a new user if there is none. Whatever is wrong becomes a notice."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or str(error)
        return Preferences(notices=(ConfigError("The configuration cannot be read.", where=str(path), found=found),))
    return parse(data, str(path))


def told(notice: LorebookError) -> str:
    """A notice on one line, for a screen that has no more room. May quote foreign text."""
    details = [notice.where]
    details += [f"expected {notice.expected}"] if notice.expected else []
    details += [f"found {notice.found}"] if notice.found else []
    return f"{notice.message} ({'; '.join(details)})" + (f" {notice.hint}" if notice.hint else "")


def parse(data: bytes, path: str = "config.toml") -> Preferences:
    """The preferences that a file's bytes mean; never raises.

    Args:
        data: the whole file.
        path: how notices call it.
    """
    return _Reader(data, path).preferences()


class _Reader:
    """Reads one file, takes what is right, and notes what is not."""

    def __init__(self, data: bytes, path: str) -> None:
        self.path = path
        self.notices: list[LorebookError] = []
        self.text = self._decoded(data)
        self.root = self._parsed()

    def _decoded(self, data: bytes) -> str:
        if len(data) > LARGEST:
            self._note(
                "The configuration is too large to be one; nothing of it is used.", expected=f"{LARGEST:,} bytes"
            )
            return ""
        try:
            return data.decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            where = f"{self.path}, line {line}"
            self._note("The configuration is not UTF-8; nothing of it is used.", where=where, expected="UTF-8")
            return ""

    def _parsed(self) -> dict[str, Any]:
        """The tables; lines that are no TOML are left out, one after the other."""
        lines = self.text.split("\n")
        for _ in range(_MOST_REPAIRS):
            try:
                return tomllib.loads("\n".join(lines))
            except tomllib.TOMLDecodeError as error:
                words, line = place_of_error(str(error))
                if line is None or line > len(lines) or not lines[line - 1].strip():
                    self._note("Something in the configuration is never closed; nothing of it is used.", found=words)
                    return {}
                self._leave_out(lines, line, words)
            except (ValueError, RecursionError):
                self._note("The configuration holds something that is no value; nothing of it is used.")
                return {}
        self._note("The configuration is hardly TOML; nothing of it is used.")
        return {}

    def _leave_out(self, lines: list[str], number: int, words: str) -> None:
        """Blank a line; with a header all that stands under it, which would land in another table."""
        where = f"{self.path}, line {number}"
        self._note("A line of the configuration is no TOML and is left out.", where=where, found=words)
        is_header = lines[number - 1].lstrip().startswith("[")
        lines[number - 1] = ""
        if is_header:
            for later in range(number, len(lines)):
                if lines[later].lstrip().startswith("["):
                    break
                lines[later] = ""

    def preferences(self) -> Preferences:
        """Everything that the file says rightly."""
        self._known((), self.root, tuple(option.path[0] for option in OPTIONS) + _TABLES)
        self._known(("panes",), self._table(("panes",)), tuple(o.path[1] for o in OPTIONS if o.path[0] == "panes"))
        values: dict[str, Any] = {}
        for option in OPTIONS:
            table = self._table(option.path[:-1])
            if option.path[-1] in table:
                self._take(values, option.field, option.kind, option.path, table[option.path[-1]])
        themes = self._themes()
        return Preferences(**values, keys=self._keys(), themes=themes, notices=tuple(self.notices))

    def _keys(self) -> tuple[KeyWish, ...]:
        """Wishes by action; `undo`, `"global.undo"` and `global.undo` are all understood."""
        found = []
        waiting: list[tuple[tuple[str, ...], Any]] = [
            (("keys", name), item) for name, item in self._table(("keys",)).items()
        ]
        while waiting:
            path, value = waiting.pop(0)
            if isinstance(value, dict):
                waiting += [((*path, name), item) for name, item in value.items()]
                continue
            keys = [value] if isinstance(value, str) else value
            if isinstance(keys, list) and all(isinstance(key, str) and key.strip() for key in keys):
                found.append(KeyWish(".".join(path[1:]), tuple(key.strip() for key in keys), self._where(path)))
            else:
                self._wrong(path, 'a key such as "ctrl+t", or a list of keys', value)
        return tuple(found)

    def _themes(self) -> tuple[ThemeWish, ...]:
        found = []
        for name in self._table(("themes",)):
            path = ("themes", name)
            table = self._table(path)
            self._known(path, table, ("base", *COLOURS))
            taken: dict[str, Any] = {"base": "dark"}
            if "base" in table:
                self._take(taken, "base", one_of("dark", "light"), (*path, "base"), table["base"])
            for colour in COLOURS:
                if colour in table:
                    self._take(taken, colour, COLOUR, (*path, colour), table[colour])
            base = taken.pop("base")
            if taken:
                found.append(ThemeWish(name, taken, base, self._where(path)))
        return tuple(found)

    def _table(self, path: tuple[str, ...]) -> dict[str, Any]:
        """A table; empty if it is missing, or noted if it is something else."""
        value: Any = self.root
        for depth, name in enumerate(path, 1):
            value = value.get(name, {})
            if not isinstance(value, dict):
                self._wrong(path[:depth], "a table", value)
                return {}
        return dict(value)

    def _known(self, path: tuple[str, ...], table: Mapping[str, Any], names: tuple[str, ...]) -> None:
        for name in table:
            if name not in names:
                close = difflib.get_close_matches(name, names, n=1, cutoff=_SPELLING)
                self._note(
                    f"The configuration has a key nobody knows: {'.'.join((*path, name))}.",
                    where=self._where((*path, name)),
                    expected=", ".join(dict.fromkeys(names)),
                    hint=f"Did you mean {close[0]}?" if close else "",
                )

    def _take(self, values: dict[str, Any], name: str, kind: Kind, path: tuple[str, ...], value: Any) -> None:
        try:
            values[name] = kind.take(value)
        except (ValueError, TypeError):
            self._wrong(path, kind.expected, value)

    def _wrong(self, path: tuple[str, ...], expected: str, value: Any) -> None:
        """Note a value that cannot be meant, once."""
        where = self._where(path)
        if all(notice.where != where for notice in self.notices):
            found = repr(value)
            self._note(
                f"The configuration gives {'.'.join(path)} a value that cannot be meant.",
                where=where,
                expected=expected,
                found=found if len(found) <= _EXCERPT else f"{found[:_EXCERPT]}…",
            )

    def _where(self, path: tuple[str, ...]) -> str:
        # A dot in a quoted name is no other than one between names here.
        line = line_of(self.text, tuple(".".join(path).split(".")))
        return f"{self.path}, {f'line {line}, ' if line else ''}{'.'.join(path)}"

    def _note(self, message: str, *, where: str = "", expected: str = "", found: str = "", hint: str = "") -> None:
        notice = ConfigError(message, where=where or self.path, expected=expected, found=found, hint=hint)
        self.notices.append(notice)


def defaults() -> dict[str, Any]:
    """What every option is without a file, by its field."""
    usual = Preferences()
    wanted = {option.field for option in OPTIONS}
    return {item.name: getattr(usual, item.name) for item in fields(usual) if item.name in wanted}
