"""The table of hazard ratios: known truth, refusal where deaths are too few, and what each row must say."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.aging.hazards import OTHER, TOO_FEW_DEATHS, YEAR, hazards
from benchhealth.analytics.aging.lives import LIFE, WATCHED
from benchhealth.analytics.record.tables import PUBLISHED


def drawn(n: int, per_year: float = 1.3, seed: int = 8) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    year = rng.uniform(0, 10, n)
    life = rng.exponential(80 / per_year**year)
    labels = np.where(np.arange(n) % 3 == 0, "hidden", "public")
    return pl.DataFrame(
        {
            "benchmark_id": [f"b{index}" for index in range(n)],
            "family": [f"b{index}" for index in range(n)],
            "case": WATCHED,
            "released_on": [date(2013, 1, 1) + timedelta(days=float(y) * 365.25) for y in year],
            "entry_on": None,
            "exit_on": None,
            "entry": 0.0,
            "exit": np.minimum(life, 60),
            "died": life <= 60,
            "abandoned": False,
            "cohorts": [["all"]] * n,
            "domain": np.array(["code", "mathematics", "vision", "series"])[np.arange(n) % 4],
            "labels": labels,
            "refresh": "static",
            "n_items": None,
            "format": np.where(np.arange(n) % 2 == 0, "choice", "open answer"),
        },
        schema=LIFE,
    )


def row(table: pl.DataFrame, covariate: str, adjusted_for: str | None = None) -> dict[str, object]:
    rows = table.filter(pl.col("covariate") == covariate, pl.col("adjusted_for").eq_missing(pl.lit(adjusted_for)))
    return rows.row(0, named=True)


def test_younger_benchmarks_that_die_faster_are_found() -> None:
    table = hazards(drawn(120))
    assert table.schema == PUBLISHED["hazard"]
    hazard = row(table, YEAR)
    assert hazard["low"] < 1.3 < hazard["high"]  # type: ignore[operator]
    assert (hazard["n"], hazard["status"]) == (120, "ok")
    for trait in ("labels", "format"):
        assert row(table, trait, YEAR)["low"] < 1 < row(table, trait, YEAR)["high"]  # type: ignore[operator]
    tested = table.filter(status="ok")
    assert (tested["q_value"] >= tested["p_value"] - 1e-12).all()
    assert tested.select(pl.col("proportional_p").is_between(0, 1).all()).item()


@pytest.mark.parametrize(("n", "is_tested"), [(14, True), (9, False)])
def test_a_ratio_takes_ten_deaths_for_each_coefficient(n: int, is_tested: bool) -> None:
    few = drawn(n).with_columns(died=pl.lit(value=True))
    hazard = row(hazards(few), YEAR)
    assert hazard["per_variable"] == n
    assert (hazard["status"] == "ok") == is_tested
    assert (hazard["case"] == TOO_FEW_DEATHS) == (hazard["ratio"] is None) == (not is_tested)


def test_every_ratio_of_the_table_rests_on_ten_deaths_for_each_coefficient() -> None:
    table = hazards(drawn(26))
    assert table.filter(status="ok")["per_variable"].min() >= 10  # type: ignore[operator]
    refused = table.filter(case=TOO_FEW_DEATHS)
    assert refused.height and (refused["per_variable"] < 10).all()
    assert refused["ratio"].null_count() == refused.height


def test_what_is_unknown_or_alike_is_said() -> None:
    table = hazards(drawn(60))
    assert (row(table, "items")["n"], row(table, "items")["ratio"]) == (0, None)
    assert row(table, "refresh")["case"] == "alike_in_trait"
    assert hazards(pl.DataFrame(schema=LIFE)).equals(pl.DataFrame(schema=PUBLISHED["hazard"]))


def test_levels_of_few_benchmarks_are_taken_together_against_the_largest() -> None:
    life = drawn(60).with_columns(format=pl.Series(["choice"] * 40 + ["open answer"] * 17 + ["a", "b", "c"]))
    levels = hazards(life).filter(pl.col("covariate") == "format", pl.col("adjusted_for").is_null())
    assert levels["reference"].to_list() == ["choice", "choice"]
    assert levels["level"].to_list() == ["open answer", OTHER]


def test_the_unit_of_time_does_not_matter() -> None:
    life = drawn(30)
    longer = life.with_columns(pl.col("exit") * 12)
    assert row(hazards(longer), "format")["ratio"] == pytest.approx(row(hazards(life), "format")["ratio"], rel=1e-6)
