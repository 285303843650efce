"""Stages that were found again: by another source at once, and by the results of a year later."""

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.assess import assess
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.probability.calibration import SOURCE, YEAR, both_measured
from tests.support.frames import benchmark, evidence_of, frames, result

AS_OF = date(2026, 2, 1)


def both(shift: float, count: int = 6) -> list[dict[str, object]]:
    """The same models by two sources, the second one's scores shifted."""
    return [
        result(
            "a", f"m{index}", 0.4 + 0.05 * index + by, source_id=source, n_items=5000, dated_on=date(2024, 1, 1 + index)
        )
        for source, by in (("one", 0.0), ("two", shift))
        for index in range(count)
    ]


def test_a_pair_of_sources_is_looked_at_both_ways_round() -> None:
    first, second = both_measured(evidence_of(frames(both(0.004)), AS_OF).history)
    assert (
        first["row_id"].unique().sort().to_list()
        == ["a one two", "a two one"]
        == second["row_id"].unique().sort().to_list()
    )
    assert first.filter(row_id="a one two")["score"].max() == pytest.approx(0.65)
    assert second.filter(row_id="a one two")["score"].max() == pytest.approx(0.654)


def test_copies_and_pairs_with_few_models_are_no_second_measurement() -> None:
    for rows in (both(0.0), both(0.004, count=4)):
        assert all(board.is_empty() for board in both_measured(evidence_of(frames(rows), AS_OF).history))


def test_the_table_counts_sources_and_years() -> None:
    old = [
        result(
            "b", f"m{index}", 0.4 + 0.02 * index, n_items=5000, dated_on=date(2022, 1, 1) + timedelta(days=20 * index)
        )
        for index in range(12)
    ]
    facts = [benchmark(name, released_on=date(2021, 1, 1), n_items=5000) for name in ("a", "b")]
    made = assess(frames([*both(0.004), *old], facts), AS_OF, np.random.default_rng(0), tables=("stage_calibration",))
    calibration = made.tables["stage_calibration"]
    assert calibration.schema == PUBLISHED["stage_calibration"]
    of_sources = calibration.filter(basis=SOURCE)
    assert (of_sources["n"].sum(), of_sources["benchmarks"].max()) == (2, 1)
    assert of_sources["again"].to_list() == [1.0]
    of_years = calibration.filter(basis=YEAR)
    assert of_years["stage"].to_list() == ["discriminating"] and of_years["again"].to_list() == [1.0]
    assert calibration.filter(pl.col("low") > pl.col("again")).is_empty()
