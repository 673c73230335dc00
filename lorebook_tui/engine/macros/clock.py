"""Times as text: the format language of the moment library (language en-US), and spans in words."""

from __future__ import annotations

import math
import re
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

TIME: Final = "LT"
DATE: Final = "LL"
INVALID: Final = "Invalid date"

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_DAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_DEFAULT = "YYYY-MM-DDTHH:mm:ssZ"
_LONG = {
    "LTS": "h:mm:ss A",
    "LT": "h:mm A",
    "L": "MM/DD/YYYY",
    "LL": "MMMM D, YYYY",
    "LLL": "MMMM D, YYYY h:mm A",
    "LLLL": "dddd, MMMM D, YYYY h:mm A",
    "l": "M/D/YYYY",
    "ll": "MMM D, YYYY",
    "lll": "MMM D, YYYY h:mm A",
    "llll": "ddd, MMM D, YYYY h:mm A",
}
_LONG_TOKEN = re.compile(r"\[[^\[]*\]|\\?(?:LTS|LT|LL?L?L?|l{1,4})")
_LONG_ROUNDS = 6
_TOKEN = re.compile(
    r"\[[^\[]*\]|\\?(?:[Hh]mm(?:ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[o|w]?|W[o|W]?|Qo?|N{1,5}"
    r"|YYYYYY|YYYYY|YYYY|YY|y{2,4}|yo?|gg(?:ggg?)?|GG(?:GGG?)?|e|E|a|A|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|zz?|ZZ?"
    r"|[^\n\r\u2028\u2029])"
)
_DAYS_PER_MONTH = 146097 / 4800
_MONTHS_PER_YEAR = 12
_OFFSET_IN_MINUTES_FROM = 16
_SECONDS_PER_DAY = 86400
_MOST_DIGITS = 10


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 // 10 == 1 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _weekday(when: datetime) -> int:
    return when.isoweekday() % 7


def _week(when: datetime) -> tuple[int, int]:
    """Year and number of the week in America: weeks begin on Sunday, the first one holds January 1."""
    last_day = when + timedelta(days=6 - _weekday(when))
    return last_day.year, (last_day.timetuple().tm_yday - 1) // 7 + 1


def _iso_week(when: datetime) -> tuple[int, int]:
    year, week, _ = when.isocalendar()
    return year, week


def _year_day(when: datetime) -> int:
    return when.timetuple().tm_yday


def _quarter(when: datetime) -> int:
    return (when.month - 1) // 3 + 1


def _half_day(when: datetime) -> int:
    return when.hour % 12 or 12


def _offset(when: datetime, separator: str) -> str:
    minutes = int((when.utcoffset() or timedelta()).total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    return f"{sign}{abs(minutes) // 60:02d}{separator}{abs(minutes) % 60:02d}"


def _fraction(digits: int) -> Callable[[datetime], str]:
    return lambda when: f"{when.microsecond // 1000:03d}000000"[:digits]


_FORMATS: dict[str, Callable[[datetime], object]] = {
    "M": lambda when: when.month,
    "Mo": lambda when: _ordinal(when.month),
    "MM": lambda when: f"{when.month:02d}",
    "MMM": lambda when: _MONTHS[when.month - 1][:3],
    "MMMM": lambda when: _MONTHS[when.month - 1],
    "Q": _quarter,
    "Qo": lambda when: _ordinal(_quarter(when)),
    "D": lambda when: when.day,
    "Do": lambda when: _ordinal(when.day),
    "DD": lambda when: f"{when.day:02d}",
    "DDD": _year_day,
    "DDDo": lambda when: _ordinal(_year_day(when)),
    "DDDD": lambda when: f"{_year_day(when):03d}",
    "d": _weekday,
    "do": lambda when: _ordinal(_weekday(when)),
    "dd": lambda when: _DAYS[_weekday(when)][:2],
    "ddd": lambda when: _DAYS[_weekday(when)][:3],
    "dddd": lambda when: _DAYS[_weekday(when)],
    "e": _weekday,
    "E": lambda when: when.isoweekday(),
    "w": lambda when: _week(when)[1],
    "wo": lambda when: _ordinal(_week(when)[1]),
    "ww": lambda when: f"{_week(when)[1]:02d}",
    "W": lambda when: _iso_week(when)[1],
    "Wo": lambda when: _ordinal(_iso_week(when)[1]),
    "WW": lambda when: f"{_iso_week(when)[1]:02d}",
    "gg": lambda when: f"{_week(when)[0] % 100:02d}",
    "gggg": lambda when: f"{_week(when)[0]:04d}",
    "ggggg": lambda when: f"{_week(when)[0]:05d}",
    "GG": lambda when: f"{_iso_week(when)[0] % 100:02d}",
    "GGGG": lambda when: f"{_iso_week(when)[0]:04d}",
    "GGGGG": lambda when: f"{_iso_week(when)[0]:05d}",
    "Y": lambda when: f"{when.year:04d}",
    "YY": lambda when: f"{when.year % 100:02d}",
    "YYYY": lambda when: f"{when.year:04d}",
    "YYYYY": lambda when: f"{when.year:05d}",
    "YYYYYY": lambda when: f"+{when.year:06d}",
    "y": lambda when: when.year,
    "yo": lambda when: _ordinal(when.year),
    "yy": lambda when: f"{when.year:02d}",
    "yyy": lambda when: f"{when.year:03d}",
    "yyyy": lambda when: f"{when.year:04d}",
    "N": lambda _: "AD",
    "NN": lambda _: "AD",
    "NNN": lambda _: "AD",
    "NNNN": lambda _: "Anno Domini",
    "NNNNN": lambda _: "AD",
    "a": lambda when: "am" if when.hour < 12 else "pm",  # noqa: PLR2004 - noon
    "A": lambda when: "AM" if when.hour < 12 else "PM",  # noqa: PLR2004 - noon
    "H": lambda when: when.hour,
    "HH": lambda when: f"{when.hour:02d}",
    "h": _half_day,
    "hh": lambda when: f"{_half_day(when):02d}",
    "k": lambda when: when.hour or 24,
    "kk": lambda when: f"{when.hour or 24:02d}",
    "hmm": lambda when: f"{_half_day(when)}{when.minute:02d}",
    "hmmss": lambda when: f"{_half_day(when)}{when.minute:02d}{when.second:02d}",
    "Hmm": lambda when: f"{when.hour}{when.minute:02d}",
    "Hmmss": lambda when: f"{when.hour}{when.minute:02d}{when.second:02d}",
    "m": lambda when: when.minute,
    "mm": lambda when: f"{when.minute:02d}",
    "s": lambda when: when.second,
    "ss": lambda when: f"{when.second:02d}",
    "z": lambda _: "",
    "zz": lambda _: "",
    "Z": lambda when: _offset(when, ":"),
    "ZZ": lambda when: _offset(when, ""),
    "X": lambda when: int(when.timestamp() // 1),
    "x": lambda when: int(when.timestamp() // 1) * 1000 + when.microsecond // 1000,
    **{"S" * digits: _fraction(digits) for digits in range(1, 10)},
}


def _one(piece: str, when: datetime) -> str:
    formatter = _FORMATS.get(piece)
    if formatter is not None:
        return str(formatter(when))
    if piece.startswith("[") and len(piece) > 1:
        return piece[1:].removesuffix("]")
    return piece.replace("\\", "")


def formatted(when: datetime, pattern: str) -> str:
    """A time in moment's format language; an empty pattern gives the ISO form.

    `[…]` is taken literally; line ends in the pattern are lost, as in moment.
    """
    pattern = pattern or _DEFAULT
    for _ in range(_LONG_ROUNDS):
        if not _LONG_TOKEN.search(pattern):
            break
        pattern = _LONG_TOKEN.sub(lambda found: _LONG.get(found[0], found[0]), pattern)
    return "".join(_one(piece, when) for piece in _TOKEN.findall(pattern))


def is_format(pattern: str) -> bool:
    """Whether moment takes the pattern: it fails on line ends alone."""
    return not pattern or _TOKEN.search(pattern) is not None


def at_offset(when: datetime, spelled: str) -> datetime:
    """The time elsewhere, at an offset such as `+2`. As in moment, offsets below 16 are hours, others minutes."""
    offset = int(spelled) if len(spelled) <= _MOST_DIGITS else 0
    minutes = offset * 60 if abs(offset) < _OFFSET_IN_MINUTES_FROM else offset
    if abs(minutes) >= _SECONDS_PER_DAY // 60:
        return (when + timedelta(minutes=minutes)).astimezone(when.tzinfo) if abs(minutes) < 10**9 else when
    return when.astimezone(timezone(timedelta(minutes=minutes)))


def _rounded(value: float) -> int:
    return math.floor(value + 0.5)


def _words(seconds: float) -> str:
    """A span in moment's words; each unit is rounded by itself."""
    days = seconds / _SECONDS_PER_DAY
    months = _rounded(days / _DAYS_PER_MONTH)
    steps = (
        (_rounded(seconds), 44, "a few seconds", "seconds"),
        (_rounded(seconds / 60), 44, "a minute", "minutes"),
        (_rounded(seconds / 3600), 21, "an hour", "hours"),
        (_rounded(days), 25, "a day", "days"),
        (months, 10, "a month", "months"),
    )
    for number, most, one, many in steps:
        if many == "seconds":
            if number <= most:
                return one
        elif number <= 1:
            return one
        elif number <= most:
            return f"{number} {many}"
    years = _rounded(days / _DAYS_PER_MONTH / _MONTHS_PER_YEAR)
    return "a year" if years <= 1 else f"{years} years"


def span(milliseconds: float, *, directed: bool = False) -> str:
    """A span of time in words.

    Args:
        milliseconds: the span; its sign tells past from future.
        directed: say `in …` for a positive span and `… ago` for others.
    """
    words = _words(abs(milliseconds) / 1000)
    if not directed:
        return words
    return f"in {words}" if milliseconds > 0 else f"{words} ago"
