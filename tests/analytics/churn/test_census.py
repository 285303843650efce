"""How much of the printed order exists: counted by hand."""

from datetime import datetime

import polars as pl
import pytest

from benchhealth.analytics.churn.census import order_census
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import frames

FACTS = pl.DataFrame(
    {
        "benchmark_id": [f"b{number}" for number in range(6)] + ["own"],
        "curated": [True] * 6 + [False],
        "domain_group": ["code"] * 7,
    }
)
LIKE = pl.DataFrame({"correlation": [0.39, 0.58]}, schema={"correlation": pl.Float64})


def card(
    benchmark: str, observed_at: datetime, tied: int, difference: float = 0.03, models: int = 9
) -> dict[str, object]:
    return {
        "board_id": f"lab/{benchmark}", "observed_at": observed_at, "n_models": models, "tied_first": tied,
        "difference": difference, "difference_error": 0.02, "neighbours": 9, "neighbours_apart": 2,
    }  # fmt: skip


def census(*rows: dict[str, object]) -> pl.DataFrame:
    cards = pl.DataFrame(list(rows), schema=PUBLISHED["board_card"])
    return order_census(cards, FACTS, LIKE, frames())


JUNE, JULY, BEFORE = datetime(2026, 6, 1), datetime(2026, 7, 1), datetime(2025, 7, 1)


def test_each_board_counts_once_a_year_as_it_was_last_seen() -> None:
    rows = [card(f"b{index}", JULY, 1 if index < 2 else 4) for index in range(6)]
    counted = census(
        *rows, card("b5", JUNE, 1), card("b5", BEFORE, 1), card("own", JULY, 1), card("b4", JUNE, 1, models=4)
    )
    year = counted.filter(grouping="year", group="2026").row(0, named=True)
    assert (year["boards"], year["known"], year["first_apart"], year["neighbours_apart"]) == (6, 6, 2, 12)
    assert year["share"] == pytest.approx(1 / 3) and year["low"] < 1 / 3 < year["high"]
    assert (year["second_apart"], year["second_apart_shared"], year["correlation"]) == (0, 6, 0.58)
    earlier = counted.filter(grouping="year", group="2025").row(0, named=True)
    assert (earlier["known"], earlier["share"]) == (1, None)
    assert counted.filter(grouping="domain")["boards"].to_list() == [6]


def test_without_boards_there_is_no_census() -> None:
    assert census().is_empty()
