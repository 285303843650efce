"""Published numbers and dates are read as they are meant or not at all."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchhealth.ingest.formats.numbers import (
    UnreadableError,
    day_of_instant,
    is_nothing,
    read_count,
    read_day,
    read_number,
    readable,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("77.47", 77.47),
        (" +1 ", 1.0),
        ("-0.5", -0.5),
        ("\N{MINUS SIGN}0.5", -0.5),
        ("1,013.01", 1013.01),
        ("12,345,678", 12345678.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("1e-3", 0.001),
    ],
)
def test_numbers_as_they_are_usually_written(text: str, number: float) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-",
        "nan",
        "inf",
        "85,3",
        "1,01",
        "1.013.01",
        "12 345",
        "0.85±0.02",
        "77.47%",
        "0x10",
        "1_000",
        "٣",
        "1e999",
        "~50",
    ],
)
def test_what_is_not_one_number_is_not_guessed_at(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_number(text)


def test_a_percent_sign_is_read_only_where_the_unit_is_percent() -> None:
    assert read_number("77.47 %", percent_sign=True) == 77.47
    with pytest.raises(UnreadableError, match="percent sign"):
        read_number("77.47%")


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_prints_is_read_back(number: float) -> None:
    assert read_number(repr(number)) == number


@given(st.text(max_size=12))
def test_any_text_is_a_finite_number_or_unreadable(text: str) -> None:
    try:
        number = read_number(text, percent_sign=True)
    except UnreadableError:
        return
    assert abs(number) < float("inf")


def test_counts_are_whole_and_at_least_one() -> None:
    assert [read_count(text) for text in ("805", "1,319", "500.0")] == [805, 1319, 500]
    for text in ("0", "-3", "1.5", "many", "1e30"):
        with pytest.raises(UnreadableError):
            read_count(text)


def test_a_fact_that_cannot_be_read_is_none() -> None:
    assert [readable(text, read_count) for text in ("805", "1,319", "500$0.7632", "None", "")] == [
        "805",
        "1,319",
        "",
        "",
        "",
    ]
    assert readable("2023-11-20", read_day) == "2023-11-20" and readable("2023-13-20", read_day) == ""


def test_a_month_is_its_first_day() -> None:
    assert read_day("2024-03") == date(2024, 3, 1)
    assert read_day("2024-02-29") == date(2024, 2, 29)


@pytest.mark.parametrize(
    "text", ["2023-02-29", "2024-13-01", "1949-12-31", "2101-01-01", "2024", "24/1/2025", "soon", ""]
)
def test_what_is_no_plausible_day_is_not_one(text: str) -> None:
    with pytest.raises(UnreadableError):
        read_day(text)


def test_the_ways_of_saying_nothing() -> None:
    assert all(is_nothing(text) for text in ("", " ", "-", "—", "N/A", "NaN", "inf", "None"))
    assert not any(is_nothing(text) for text in ("0", "0.0", "no"))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1784604826.624218", "2026-07-21"),
        ("1707000000", "2024-02-03"),
        ("2026-02-13T00:00:00Z", "2026-02-13"),
        ("2026-02-13T23:30:00-05:00", "2026-02-14"),
        ("2026-02-13", "2026-02-13"),
        ("2026", "2026"),
        ("1707000000000", "1707000000000"),
        ("1e308", "1e308"),
        ("yesterday", "yesterday"),
        ("", ""),
    ],
)
def test_the_day_of_an_instant_or_the_text_as_it_is(text: str, day: str) -> None:
    assert day_of_instant(text) == day
