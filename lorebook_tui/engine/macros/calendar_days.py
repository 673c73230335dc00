"""Days of the Gregorian calendar, of any year, counted from 1970; and the lengths of clock units in milliseconds."""

from __future__ import annotations

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR

_DAYS_BEFORE_MARCH_YEAR_0 = 719468
_DAYS_PER_ERA, _YEARS_PER_ERA = 146097, 400
_FEBRUARY = 2
_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def is_leap(year: int) -> bool:
    """Whether February has 29 days."""
    return year % 4 == 0 and (year % 100 != 0 or year % _YEARS_PER_ERA == 0)


def days_in_month(year: int, month: int) -> int:
    """The number of days of a month (1 January)."""
    return 29 if month == _FEBRUARY and is_leap(year) else _LENGTHS[month - 1]


def days_since_epoch(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to the given day; days beyond the month's end run on."""
    year -= month <= _FEBRUARY
    era, year_of_era = divmod(year, _YEARS_PER_ERA)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    day_of_era = year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year
    return era * _DAYS_PER_ERA + day_of_era - _DAYS_BEFORE_MARCH_YEAR_0
