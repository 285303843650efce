"""The stock: titles that their intervals allow, and who took over."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.happened import stock as words


def years(*rows: tuple[int, float, float | None, float | None]) -> pl.DataFrame:
    named = [
        {"year": year, "saturated": 6, "families": 6, "age": age, "age_low": low, "age_high": high}
        for year, age, low, high in rows
    ]
    return pl.DataFrame(named, schema=PUBLISHED["life_year"])


def test_ages_are_compared_only_where_their_intervals_part() -> None:
    apart = years((2020, 80.0, 60.0, 90.0), (2025, 30.0, 20.0, 40.0))
    assert words.years_title(apart) == "Those saturated in 2025 were younger than those of 2020"
    assert "older" in words.years_title(years((2020, 30.0, 20.0, 40.0), (2025, 80.0, 60.0, 90.0)))
    meet = years((2020, 80.0, 30.0, 90.0), (2025, 30.0, 20.0, 40.0))
    assert "is not settled" in words.years_title(meet)
    assert "too few a year" in words.years_title(years((2020, 80.0, None, None), (2025, 30.0, 20.0, 40.0)))


def test_the_stock_says_now_and_five_years_before() -> None:
    rows = pl.DataFrame(
        [
            (date(2021, 7, 31), "discriminating", 6, 5),
            (date(2021, 7, 31), "saturated", 2, 2),
            (date(2026, 8, 22), "discriminating", 41, 38),
            (date(2026, 8, 22), "saturated", 21, 14),
        ],
        schema=PUBLISHED["stage_stock"],
        orient="row",
    )
    title = words.stock_title(rows)
    assert title == "Curated benchmarks that still measured: 41 of 62 on 22 Aug 2026, 6 of 8 on 31 Jul 2021"
