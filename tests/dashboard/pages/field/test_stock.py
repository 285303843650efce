"""The stock: titles that their intervals allow, and who took over."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.dashboard.words.happened import stock as words


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
