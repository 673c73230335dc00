"""Reads dates as moment does: ISO 8601 first, then RFC 2822, then what a browser's `Date` makes of the text.

A moment in time is the number of milliseconds since 1970 in UTC; None stands for moment's invalid date. Texts without a
zone mean the zone that is given, in minutes east of UTC.
"""

from __future__ import annotations

import re
from typing import Final

from lorebook_tui.engine.macros.browser_date import browser_date
from lorebook_tui.engine.macros.calendar_days import DAY, HOUR, MINUTE, days_in_month, days_since_epoch, is_leap
from lorebook_tui.engine.macros.clock import INVALID, span

_YEAR = r"\s*(?P<year>[+-]\d{6}|\d{4})"
_DAY = (
    r"(?P<month>\d\d){0}(?P<day>\d\d)|W(?P<week>\d\d){0}(?P<weekday>\d)|W(?P<bare_week>\d\d)"
    r"|(?P<ordinal>\d{{3}})|(?P<bare_month>\d\d)"
)
_TIME = r"(?:[T ](?P<time>\d\d(?:{0}\d\d(?:{0}\d\d(?:[.,]\d+)?)?)?)(?P<zone>[+-]\d\d(?::?\d\d)?|\s*Z)?)?"
_EXTENDED: Final = re.compile(f"{_YEAR}-(?:{_DAY.format('-')}){_TIME.format(':')}", re.ASCII)
_BASIC: Final = re.compile(f"{_YEAR}(?:{_DAY.format('')}|){_TIME.format('')}", re.ASCII)
_DATES_WITH_TIME = ("day", "weekday", "ordinal")
_CLOCK: Final = re.compile(r"(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?")
_WEEKDAYS = ("Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed")
_RFC: Final = re.compile(
    r"(?:(Mon|Tue|Wed|Thu|Fri|Sat|Sun),?\s)?\d{1,2}\s(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s\d{2,4}\s"
    r"\d\d:\d\d(?::\d\d)?\s(?:UT|GMT|[ECMP][SD]T|[Zz]|[+-]\d{4})",
    re.ASCII,
)
_COMMENTS: Final = re.compile(r"\([^()]*\)|[\n\t]")
_LAST_HOUR, _LAST_MINUTE = 23, 59
_DAYS_PER_WEEK = 7
_JANUARY_THURSDAY = 4


def iso_milliseconds(text: str, zone: int) -> float | None:
    """A date in ISO 8601 in milliseconds since 1970; None for anything else."""
    found = _iso_match(text)
    return _iso(found, zone) if found else None


def milliseconds(text: str, zone: int) -> float | None:
    """A date in milliseconds since 1970; None if no one can read it."""
    found = _iso_match(text)
    if found:
        return _iso(found, zone)
    plain = _COMMENTS.sub(" ", text)
    plain = re.sub(r"  +", " ", plain).strip()
    mail = _RFC.fullmatch(plain)
    if mail:
        when = browser_date(plain, zone)
        named = mail[1]
        if when is None or not named:
            return when
        local = browser_date(plain.rpartition(" ")[0] + " GMT", zone)
        return when if local is not None and _WEEKDAYS[int(local // DAY) % _DAYS_PER_WEEK] == named else None
    return browser_date(text, zone)


def _iso_match(text: str) -> re.Match[str] | None:
    """Year, month or week alone may carry no time of day."""
    found = _EXTENDED.fullmatch(text) or _BASIC.fullmatch(text)
    return found if found and (found["time"] is None or any(found[part] for part in _DATES_WITH_TIME)) else None


def _iso(found: re.Match[str], zone: int) -> float | None:
    days = _iso_day(found)
    clock = _iso_clock(found["time"])
    if days is None or clock is None:
        return None
    spelled = (found["zone"] or "").strip()
    if spelled == "Z":
        zone = 0
    elif spelled:
        digits = spelled[1:].replace(":", "")
        zone = int(digits[:2]) * 60 + int(digits[2:] or 0)
        zone = -zone if spelled[0] == "-" else zone
    return days * DAY + clock - zone * MINUTE


def _iso_day(found: re.Match[str]) -> int | None:
    """The day in days since 1970; None if the calendar has no such day."""
    year = int(found["year"])
    week = found["week"] or found["bare_week"]
    if week:
        return _iso_week_day(year, int(week), int(found["weekday"] or 1))
    if found["ordinal"]:
        number = int(found["ordinal"])
        return days_since_epoch(year, 1, number) if 1 <= number <= (366 if is_leap(year) else 365) else None
    month = int(found["month"] or found["bare_month"] or 1)
    day = int(found["day"] or 1)
    if not 1 <= month <= 12 or not 1 <= day <= days_in_month(year, month):  # noqa: PLR2004 - months of a year
        return None
    return days_since_epoch(year, month, day)


def _iso_week_day(year: int, week: int, weekday: int) -> int | None:
    """A day given by ISO week and weekday (1 Monday)."""
    first = _monday_of_first_week(year)
    weeks = (_monday_of_first_week(year + 1) - first) // _DAYS_PER_WEEK
    if not 1 <= week <= weeks or not 1 <= weekday <= _DAYS_PER_WEEK:
        return None
    return first + (week - 1) * _DAYS_PER_WEEK + weekday - 1


def _monday_of_first_week(year: int) -> int:
    anchor = days_since_epoch(year, 1, _JANUARY_THURSDAY)
    return anchor - (anchor + 3) % _DAYS_PER_WEEK


def _iso_clock(text: str | None) -> int | None:
    """The time of day in milliseconds; 24:00 is the end of the day."""
    if text is None:
        return 0
    found = _CLOCK.fullmatch(text)
    if found is None:  # pragma: no cover - both ISO patterns give such a text
        return None
    hour, minute, second = int(found[1]), int(found[2] or 0), int(found[3] or 0)
    rest = int(f"{found[4] or ''}000"[:3])
    if (hour > _LAST_HOUR and (hour != _LAST_HOUR + 1 or minute or second or rest)) or max(
        minute, second
    ) > _LAST_MINUTE:
        return None
    return hour * HOUR + minute * MINUTE + second * 1000 + rest


def time_between(first: str, second: str, zone: int) -> str:
    """How long the first date is after the second, in words."""
    one, two = milliseconds(first, zone), milliseconds(second, zone)
    return INVALID if one is None or two is None else span(one - two, directed=True)
