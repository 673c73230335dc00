"""What Chromium's `Date` makes of a text that is neither ISO nor RFC: numbers, month names, a clock, a zone.

The rules, as seen from outside: up to three numbers are the day (month first, unless the first cannot be a day, or a
month is named); numbers joined by colons are the clock; words are ignored until a number was read, later only months,
AM, PM and zones are known; brackets hold comments.
"""

from __future__ import annotations

import re

from lorebook_tui.engine.macros.calendar_days import DAY, HOUR, MINUTE, days_since_epoch
from lorebook_tui.model.js import WHITE_SPACE

_TOKEN = re.compile(rf"(?P<number>[0-9]+)|(?P<word>[A-Za-z]+)|(?P<space>[{WHITE_SPACE}]+)|(?P<symbol>.)", re.DOTALL)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_ZONES = {
    "z": 0,
    "ut": 0,
    "utc": 0,
    "gmt": 0,
    "edt": -4,
    "est": -5,
    "cdt": -5,
    "cst": -6,
    "mdt": -6,
    "mst": -7,
    "pdt": -7,
    "pst": -8,
}
_NOON = 12
_HALVES = {"am": 0, "pm": _NOON}
_LARGEST_YEAR = 275_760
_LARGEST_DATE = 8.64e15
_CLOCK_LIMITS = (24, 59, 59, 999)
_DATE_PARTS, _CLOCK_PARTS = 3, 4
_MOST_DIGITS = 18


_SHORT_ISO = re.compile(
    r"(?P<year>[0-9]{4})(?:-(?P<month>[0-9]{2}))?"
    r"T(?P<clock>[0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?)(?P<zone>Z|[+-][0-9]{2}:?[0-9]{2})?"
)


class _Unreadable(Exception):  # noqa: N818 - leaves the reader from any depth
    """The text is no date."""


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = [(str(found.lastgroup), found[0]) for found in _TOKEN.finditer(text)]
        self.place = 0
        self.day: list[int] = []
        self.month: int | None = None
        self.clock: list[int] = []
        self.clock_open = False
        self.noon: int | None = None
        self.zone_hours: int | None = None
        self.zone_minutes: int | None = None
        self.zone_sign: int | None = None
        self.seen_number = False

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def skip(self, symbol: str) -> bool:
        if self.peek() != ("symbol", symbol):
            return False
        self.place += 1
        return True

    def read(self) -> None:
        while self.place < len(self.tokens):
            kind, text = self.tokens[self.place]
            self.place += 1
            if kind == "number":
                self.number(int(text[:_MOST_DIGITS]))
            elif kind == "word":
                self.word(text.lower())
            elif kind == "symbol":
                self.symbol(text)

    def number(self, value: int) -> None:
        self.seen_number = True
        if self.peek() == ("symbol", ":"):
            if self.zone_hours is not None and self.zone_minutes is None:
                raise _Unreadable
            self.place += 1
            self.add_clock(value)
        elif self.peek() == ("symbol", ".") and self.expects(value):
            self.place += 1
            self.add_clock(value)
            kind, digits = self.peek()
            if kind != "number":
                raise _Unreadable
            self.place += 1
            self.end_clock(int(f"{digits}00"[:3]))
        elif self.zone_hours is not None and self.zone_minutes is None and value <= _CLOCK_LIMITS[1]:
            self.zone_minutes = value
        elif self.expects(value):
            self.end_clock(value)
            kind, text = self.peek()
            if kind not in {"end", "space"} and text.lower() != "z" and text not in {"+", "-"}:
                raise _Unreadable
        else:
            if len(self.day) == _DATE_PARTS:
                raise _Unreadable
            self.day.append(value)
            self.skip("-")

    def expects(self, value: int) -> bool:
        """Whether the clock waits for this number."""
        return self.clock_open and 1 <= len(self.clock) < _CLOCK_PARTS and value <= _CLOCK_LIMITS[len(self.clock)]

    def add_clock(self, value: int) -> None:
        if len(self.clock) == _CLOCK_PARTS:
            raise _Unreadable
        self.clock.append(value)
        self.clock_open = True

    def end_clock(self, value: int) -> None:
        self.add_clock(value)
        self.clock_open = False

    def word(self, text: str) -> None:
        if text in _HALVES and self.clock:
            self.noon = _HALVES[text]
        elif text[:3] in _MONTHS:
            self.month = _MONTHS.index(text[:3]) + 1
            self.skip("-")
        elif text in _ZONES and self.seen_number:
            self.zone_hours, self.zone_minutes, self.zone_sign = abs(_ZONES[text]), 0, -1 if _ZONES[text] < 0 else 1
        elif self.seen_number or self.peek()[0] == "number":
            raise _Unreadable

    def symbol(self, text: str) -> None:
        is_utc = self.zone_hours == 0 and self.zone_minutes == 0
        if text in {"+", "-"} and (is_utc or self.clock):
            self.offset(-1 if text == "-" else 1)
        elif text in {"+", "-", ")"} and self.seen_number:
            raise _Unreadable
        elif text == "(":
            self.comment()

    def offset(self, sign: int) -> None:
        """The distance of a zone from UTC: `+2`, `+0200`, `+02:00`."""
        self.zone_sign = sign
        self.seen_number = True
        kind, digits = self.peek()
        if kind != "number":
            raise _Unreadable
        self.place += 1
        value = int(digits[:_MOST_DIGITS])
        if self.skip(":"):
            self.zone_hours, self.zone_minutes = value, None
        elif len(digits) <= 2:  # noqa: PLR2004 - hh
            self.zone_hours, self.zone_minutes = value, 0
        elif len(digits) <= 4:  # noqa: PLR2004 - hhmm
            self.zone_hours, self.zone_minutes = divmod(value, 100)
        else:
            raise _Unreadable

    def comment(self) -> None:
        depth = 1
        while depth and self.place < len(self.tokens):
            text = self.tokens[self.place][1]
            depth += (text == "(") - (text == ")")
            self.place += 1

    def result(self, zone: int) -> float:
        year, month, day = self.date()
        if self.zone_hours is not None:
            zone = (self.zone_sign or 1) * (self.zone_hours * 60 + (self.zone_minutes or 0))
        when = days_since_epoch(year, month, day) * DAY + self.time_of_day() - zone * MINUTE
        if abs(when) > _LARGEST_DATE:
            raise _Unreadable
        return when

    def time_of_day(self) -> int:
        """Milliseconds since midnight; 24:00 is the end of the day."""
        hour, minute, second, rest = (*self.clock, 0, 0, 0, 0)[:_CLOCK_PARTS]
        if self.noon is not None:
            if hour > _NOON:
                raise _Unreadable
            hour = hour % _NOON + self.noon
        parts = (hour, minute, second, rest)
        late = hour == _CLOCK_LIMITS[0] and any(parts[1:])
        if late or any(part > limit for part, limit in zip(parts, _CLOCK_LIMITS, strict=True)):
            raise _Unreadable
        return hour * HOUR + minute * MINUTE + second * 1000 + rest

    def date(self) -> tuple[int, int, int]:
        if not self.day:
            raise _Unreadable
        one, two, three = (*self.day, 1, 1)[:_DATE_PARTS]
        if self.month is None:
            year, month, day = (three, one, two) if _is_day(one) else (one, two, three)
        elif len(self.day) == 1:
            year, month, day = (1, self.month, one) if _is_day(one) else (one, self.month, 1)
        else:
            year, month, day = (two, self.month, one) if _is_day(one) else (one, self.month, two)
        if year < 100:  # noqa: PLR2004 - years of two digits
            year += 2000 if year < 50 else 1900  # noqa: PLR2004 - as browsers split them
        if year > _LARGEST_YEAR or not 1 <= month <= 12 or not _is_day(day):  # noqa: PLR2004 - months of a year
            raise _Unreadable
        return year, month, day


def _is_day(value: int) -> bool:
    return 1 <= value <= 31  # noqa: PLR2004 - days of a month


def browser_date(text: str, zone: int) -> float | None:
    """A date in milliseconds since 1970, or None.

    Args:
        text: the date.
        zone: minutes east of UTC, for texts without a zone.
    """
    short = _SHORT_ISO.fullmatch(text)
    if short:
        # `2025-01T12:00` is ISO for a browser only: a month or a year with a time of day
        text = f"{int(short['month'] or 1)}/1/{short['year']} {short['clock']} {short['zone'] or ''}"
    reader = _Reader(text)
    try:
        reader.read()
        return reader.result(zone)
    except _Unreadable:
        return None
