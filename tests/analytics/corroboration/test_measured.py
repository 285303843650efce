"""Which benchmarks are judged by what others measured."""

from datetime import date, timedelta

import polars as pl
import pytest

from benchhealth.analytics.corroboration.running_bests import BEHIND_DAYS, of_others

NEWEST = date(2026, 1, 1)


def rows(others: int, looked_on: date | None, claimed_on: date | None = NEWEST) -> pl.DataFrame:
    by_others = [("exam", f"m{index}", "third_party", looked_on) for index in range(others)]
    held = [*by_others, ("exam", "best", "self", claimed_on)]
    schema = {"benchmark_id": pl.String, "model_id": pl.String, "reporter": pl.String, "dated_on": pl.Date}
    return pl.DataFrame(held, schema=schema, orient="row").with_columns(
        source_id=pl.lit("lab"), passed_on=pl.lit(value=False)
    )


@pytest.mark.parametrize(
    ("others", "days", "judged"), [(5, 0, True), (5, BEHIND_DAYS, True), (5, BEHIND_DAYS + 1, False), (4, 0, False)]
)
def test_others_are_read_where_they_measured_enough_and_lately(others: int, days: int, judged: bool) -> None:
    table = of_others(rows(others, NEWEST - timedelta(days=days)))
    assert table.height == (others if judged else 0)
    assert set(table["reporter"]) <= {"third_party"}


def test_others_without_a_day_are_not_known_to_have_looked_lately() -> None:
    assert of_others(rows(9, None)).is_empty()
    assert of_others(rows(9, None, claimed_on=None)).height == 9


def test_where_no_maker_reports_all_is_by_others_and_none_is_chosen() -> None:
    assert of_others(rows(9, NEWEST).filter(pl.col("reporter") != "self")).is_empty()


def test_what_a_place_passes_on_is_measured_by_nobody_that_is_known() -> None:
    passed_on = rows(9, NEWEST).with_columns(passed_on=pl.col("reporter") != "self")
    assert of_others(passed_on).is_empty()


def test_one_late_result_beside_old_ones_is_no_late_look() -> None:
    """MMMU: others measured models up to 73% long ago and one lately, makers report up to 86%."""
    late = pl.col("model_id").is_in(["m0", "best"])
    old = pl.lit(NEWEST - timedelta(days=BEHIND_DAYS + 1))
    held = rows(9, NEWEST).with_columns(dated_on=pl.when(late).then("dated_on").otherwise(old))
    assert of_others(held).is_empty()
