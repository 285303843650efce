"""Numbers as readers meet them."""

from datetime import date, datetime

import polars as pl
import pytest

from benchhealth.analytics.record.tables.declared import TYPES, Form
from benchhealth.dashboard.words import numbers


@pytest.mark.parametrize(
    ("share", "error", "expected"),
    [
        (0.1653, None, "17%"),
        (0.1653, 0.002, "16.5%"),
        (0.0, None, "0%"),
        (1.0, None, "100%"),
        (0.996, None, "99.6%"),
        (0.0042, None, "0.4%"),
        (0.0002, None, "below 0.1%"),
        (-0.031, None, "\u22123%"),
        (None, None, "Not known"),
    ],
)
def test_shares(share: float | None, error: float | None, expected: str) -> None:
    assert numbers.percent(share, error) == expected


@pytest.mark.parametrize(
    ("p", "expected"), [(5.997e-18, "below 0.001"), (0.0312, "0.031"), (0.4567, "0.46"), (None, "not known")]
)
def test_probabilities(p: float | None, expected: str) -> None:
    assert numbers.probability(p) == expected


def test_few_are_counted_and_many_are_shares() -> None:
    assert numbers.count_or_share(3, 10) == "3 of 10"
    assert numbers.count_or_share(31, 100) == "31%"


def test_intervals_dates_and_times() -> None:
    assert numbers.percent_interval(0.101, 0.26) == "10 to 26%"
    assert numbers.percent_interval(0.007, 0.021) == "0.7 to 2.1%"
    assert numbers.percent_interval(None, 0.2) == ""
    assert numbers.points(-0.0327) == "3.3 points"
    assert numbers.points(0.01) == "1 point"
    assert numbers.months(15.2) == "15 months"
    assert numbers.months(42) == "3.5 years"
    assert numbers.month_of(date(2025, 11, 21)) == "Nov 2025"
    assert numbers.day_of(date(2025, 11, 1)) == "1 Nov 2025"
    days = {exact: numbers.stated_day(date(2021, 1, 31), exact) for exact in ("day", None, "month", "year")}
    assert days == {"day": "31 Jan 2021", None: "31 Jan 2021", "month": "Jan 2021", "year": "2021"}
    assert numbers.stated_day(None, None) == "not known"


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0.884, "percent", "88%"),
        (1480.3, "rating", "1,480"),
        (137.2, "minutes", "137 minutes"),
        (9.32, "points", "9.32"),
    ],
)
def test_scores(value: float, unit: str, expected: str) -> None:
    assert numbers.score(value, unit) == expected


def test_what_is_left_is_never_below_nothing_and_an_end_near_nothing_is_told_from_it() -> None:
    assert numbers.room_interval(-0.005, 0.009) == "at most 0.9%"
    assert numbers.room_interval(0.001, 0.08) == "0.1 to 8%"
    assert numbers.room_interval(0.1, 0.26) == "10 to 26%"


def test_a_score_has_the_digits_that_tell_it_from_the_line_beside_it() -> None:
    assert numbers.score_beside(0.933, "percent", 0.9351) == "93.3%"
    assert numbers.score_beside(0.9351, "percent", 0.933) == "93.5%"
    assert numbers.score_beside(0.933, "percent", 1.0, None) == "93%"
    assert numbers.score_beside(1480.0, "rating", 1480.01) == "1,480"


@pytest.mark.parametrize(
    ("form", "value", "expected"),
    [
        (Form.TEXT, "a", "a"),
        (Form.TEXTS, ["a", "b"], "a, b"),
        (Form.FLAG, False, "no"),
        (Form.DAY, date(2026, 8, 1), "1 Aug 2026"),
        (Form.INSTANT, datetime(2026, 8, 1, 4, 5), "2026-08-01 04:05"),
        (Form.COUNT, 1234, "1,234"),
        (Form.PLACE, 2026, "2026"),
        (Form.NUMBER, -0.123456, "\u22120.123"),
        (Form.PERCENT, 0.5, "50%"),
        (Form.POINTS, -3.0, "\u22123 points"),
        (Form.MONTHS, 23.0, "23 months"),
        (Form.MONTHS, 77.0, "6.4 years"),
        (Form.MONTHS, -3.0, "\u22123 months"),
        (Form.PROBABILITY, 0.0001, "below 0.001"),
        (Form.COUNT, None, "not known"),
    ],
)
def test_a_value_is_written_by_the_form_of_its_column(form: Form, value: object, expected: str) -> None:
    assert numbers.written(form, value) == expected


def test_every_form_has_one_formatter() -> None:
    empty = {pl.List(pl.String()): [], pl.List(pl.Float64()): [], pl.Date(): date(2026, 1, 1)}
    for form, kind in TYPES.items():
        value = empty.get(kind, datetime(2026, 1, 1) if kind == pl.Datetime("us") else 1)
        assert isinstance(numbers.written(form, value), str), form


def test_an_interval_of_durations_has_its_unit_once_where_both_ends_have_it() -> None:
    assert numbers.months_interval(30, 77) == "2.5 to 6.4 years"
    assert numbers.months_interval(12, 77) == "12 months to 6.4 years"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(ceiling - best) / (ceiling - 1)", "(ceiling \u2212 best) / (ceiling \u2212 1)"),
        ("at least -0.01, or -inf", "at least \u22120.01, or \u2212inf"),
        ("top-5 of 2026-08-22, exp(-R^2)", "top-5 of 2026-08-22, exp(\u2212R^2)"),
    ],
)
def test_hyphens_that_subtract_are_minus_signs(text: str, expected: str) -> None:
    assert numbers.with_minus_signs(text) == expected


def test_a_score_is_written_finely_in_its_unit() -> None:
    """A number below 2 is no share where its unit is none: METR's horizons are minutes."""
    assert numbers.score_finely(0.884, "percent") == "88.4%"
    assert numbers.score_finely(1251.2, "rating") == "1,251.2"
    assert numbers.score_finely(7.25, "minutes") == "7.2" and numbers.score_finely(0.9, "minutes") == "0.9"
    assert numbers.score_finely(None, "percent") == "not known"
