"""Times, dates and spans in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from lorebook_tui.engine.macros.clock import at_offset, formatted, is_format, span
from lorebook_tui.engine.macros.dates import iso_milliseconds, milliseconds, time_between
from lorebook_tui.engine.macros.messages import sent_milliseconds

NEW_YEAR = datetime(2025, 1, 1, 0, 5, 9, 87_000, tzinfo=UTC)
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("", "2025-01-01T00:05:09+00:00"),
        ("LLLL", "Wednesday, January 1, 2025 12:05 AM"),
        ("k kk H h", "24 24 0 12"),
        ("gggg-ww GGGG-WW", "2025-01 2025-01"),
        ("S SS SSS SSSS", "0 08 087 0870"),
        ("[it's] YYYY", "it's 2025"),
        ("[", "["),
        ("\\Y", "Y"),
        ("Do DDDo wo", "1st 1st 1st"),
        ("a\nA", "amAM"),
        ("x", "1735689909087"),
    ],
)
def test_formats(pattern: str, expected: str) -> None:
    assert formatted(NEW_YEAR, pattern) == expected


def test_ordinals_weeks_and_zones() -> None:
    when = datetime(2026, 12, 31, 23, 0, tzinfo=timezone(timedelta(hours=-3, minutes=-30)))
    assert formatted(when, "Do gggg w GGGG W Z ZZ") == "31st 2027 1 2026 53 -03:30 -0330"
    assert [formatted(datetime(2025, 1, day, tzinfo=UTC), "Do") for day in (2, 3, 11, 12, 13, 22)] == [
        "2nd",
        "3rd",
        "11th",
        "12th",
        "13th",
        "22nd",
    ]


def test_moment_takes_no_pattern_of_line_ends_alone() -> None:
    assert [is_format(pattern) for pattern in ("", " ", "\n", "\r\n\u2028", "\nY")] == [True, True, False, False, True]


@pytest.mark.parametrize(
    ("offset", "expected"),
    [(2, "2:05 AM"), (-3, "9:05 PM"), (15, "3:05 PM"), (16, "12:21 AM"), (2000, "9:25 AM"), (10**10, "12:05 AM")],
)
def test_small_offsets_are_hours_and_large_ones_minutes(offset: int, expected: str) -> None:
    assert formatted(at_offset(NEW_YEAR, f"{offset:+d}"), "LT") == expected


@pytest.mark.parametrize(
    ("milliseconds_apart", "expected"),
    [
        (44 * SECOND, "a few seconds"),
        (45 * SECOND, "a minute"),
        (90 * SECOND, "2 minutes"),
        (44 * MINUTE, "44 minutes"),
        (45 * MINUTE, "an hour"),
        (21 * HOUR, "21 hours"),
        (22 * HOUR, "a day"),
        (25 * DAY, "25 days"),
        (26 * DAY, "a month"),
        (46 * DAY, "2 months"),
        (334 * DAY, "a year"),
        (548 * DAY, "2 years"),
    ],
)
def test_spans(milliseconds_apart: int, expected: str) -> None:
    assert span(milliseconds_apart) == expected
    assert span(-milliseconds_apart, directed=True) == f"{expected} ago"
    assert span(milliseconds_apart, directed=True) == f"in {expected}"


def utc(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp() * 1000  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2025-03-04", utc(2025, 3, 4)),
        ("20250304T0506", utc(2025, 3, 4, 5, 6)),
        ("2025-03-04 05:06:07,5", utc(2025, 3, 4, 5, 6, 7) + 500),
        ("2025-03-04T24:00", utc(2025, 3, 5)),
        ("2025-03-04T05:06+02:00", utc(2025, 3, 4, 3, 6)),
        ("2025-03-04T05:06-0230", utc(2025, 3, 4, 7, 36)),
        ("2025-03-04T05 Z", utc(2025, 3, 4, 5)),
        ("2025-W01-3", utc(2025, 1, 1)),
        ("2020W537", utc(2021, 1, 3)),
        ("2025-W06", utc(2025, 2, 3)),
        ("2025-032", utc(2025, 2, 1)),
        ("2024366", utc(2024, 12, 31)),
        ("2025-02", utc(2025, 2, 1)),
        ("2025", utc(2025, 1, 1)),
        ("+002025-01-05", utc(2025, 1, 5)),
        ("Tue, 04 Mar 2025 05:06:07 GMT", utc(2025, 3, 4, 5, 6, 7)),
        ("04 Mar 2025 05:06 EST (x)", utc(2025, 3, 4, 10, 6)),
        ("January 5, 2025", utc(2025, 1, 5)),
        ("5 Jan 25", utc(2025, 1, 5)),
        ("1/2/2025", utc(2025, 1, 2)),
        ("2025/1/2", utc(2025, 1, 2)),
        ("Jan 2025", utc(2025, 1, 1)),
        ("2025 Jan 5", utc(2025, 1, 5)),
        ("1/2/75", utc(1975, 1, 2)),
        ("1/2/2025 12:30 am", utc(2025, 1, 2, 0, 30)),
        ("1/2/2025 12:30:01.25 PM", utc(2025, 1, 2, 12, 30, 1) + 250),
        ("1/2/2025 10:00 GMT+2", utc(2025, 1, 2, 8)),
        ("1/2/2025 10:00 +5:30", utc(2025, 1, 2, 4, 30)),
        ("1/2/2025 10:00 -0330", utc(2025, 1, 2, 13, 30)),
        ("1/2/2025 24:00", utc(2025, 1, 3)),
        ("foo 1/2/2025 (a (b) c)", utc(2025, 1, 2)),
        ("2025-01T12:00", utc(2025, 1, 1, 12)),
        ("2025T12:00:30Z", utc(2025, 1, 1, 12, 0, 30)),
    ],
)
def test_dates(text: str, expected: float) -> None:
    assert milliseconds(text, 0) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "now", "12:00", "2025-13-01", "2025-02-30", "2025-W54-1", "2025-W01-8", "2025-000", "2025-366", "2025-03-04T25:00",
        "2025-03-04T24:01", "2025-03-04T05:60", "Mon, 04 Mar 2025 05:06:07 GMT", "January 32, 2025", "13/13/2025", "1/2/3/4", "1/2/2025 13:00 pm",
        "1/2/2025 1:2:3:4:5", "1/2/2025 10:00.x", "1/2/2025 1:2:3.x", "1/2/2025 10:61", "1/2/2025 24:00:01", "1/2/2025 10:00 +12345", "1/2/2025 10:00 +", "5th",
        "x5", "1/2/2025)", "300000/1/2", "1/2/2025 10:00x", "275760/12/30", "1/2/2025 10:00 GMT+1:2:3",
    ],
)  # fmt: skip
def test_what_is_no_date(text: str) -> None:
    assert milliseconds(text, 0) is None


def test_dates_without_a_zone_are_local() -> None:
    assert milliseconds("2025-03-04T05:06", 120) == utc(2025, 3, 4, 3, 6)
    assert milliseconds("1/2/2025 10:00", -60) == utc(2025, 1, 2, 11)
    assert iso_milliseconds("1/2/2025", 0) is None


def test_difference_is_told_from_the_first_date() -> None:
    assert time_between("2025-01-01", "2025-01-02", 0) == "a day ago"
    assert time_between("2025-01-02", "x", 0) == "Invalid date"


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ("1741000000000", 1741000000000),
        ("2025-3-1@4h5m6s", utc(2025, 3, 1, 4, 5, 6)),
        ("2025-03-01 @04h 05m 06s 7ms", utc(2025, 3, 1, 4, 5, 6) + 7),
        ("March 1, 2025 4:05pm", utc(2025, 3, 1, 16, 5)),
        ("2025-03-01T04:05:06.000Z", utc(2025, 3, 1, 4, 5, 6)),
        ("March 1, 2025 4:05 pm", None),
        ("12/31/2024", None),
        ("9" * 400, None),
    ],
)
def test_dates_of_messages(sent: str, expected: float | None) -> None:
    assert sent_milliseconds(sent, 0) == expected
