"""The composition: every table there, every benchmark judged, nothing depending on the order of rows."""

from datetime import date

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from benchhealth.analytics.assess import Assessment, assess
from benchhealth.analytics.indicators import INDICATORS
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import COMPLETED, DERIVED, FLAGS, PUBLISHED, STAGES, STATUSES
from tests.support.frames import benchmark, frames, result

AS_OF = date(2026, 2, 1)


def assessed(facts: Frames, as_of: date = AS_OF) -> Assessment:
    return assess(facts, as_of, np.random.default_rng(0))


def test_no_facts_give_every_table_empty() -> None:
    tables = assessed(frames()).tables
    assert sorted(tables) == sorted((*DERIVED, *COMPLETED))
    for name, table in tables.items():
        assert table.schema == PUBLISHED[name], name
        if name == "reproduction":  # the published numbers stand there also where nothing can be recomputed
            assert table["computed"].null_count() == table.height
        elif name == "claim_check":  # what is measured of all claims is said of none too: nothing is known of them
            assert (table["value"].null_count(), table["n"].sum()) == (table.height, 0)
        elif name != "reproduction_detail":
            assert table.height == 0, name


def test_a_benchmark_without_results_is_unknown_and_has_every_indicator() -> None:
    tables = assessed(frames([], [benchmark("a")])).tables
    assert tables["indicator"]["indicator"].to_list() == [indicator.key for indicator in INDICATORS]
    assert tables["verdict"].row(0, named=True)["stage"] == "unknown"


def test_words_are_those_of_the_contract() -> None:
    rows = [result("a", f"m{i}", 0.9 + i / 1000, n_items=500) for i in range(6)]
    tables = assessed(frames(rows, [benchmark("a"), benchmark("b", unit="rating", floor=None, ceiling=None)])).tables
    assert set(tables["indicator"]["status"]) <= set(STATUSES)
    assert set(tables["verdict"]["stage"]) <= set(STAGES)
    assert set(tables["verdict"]["flags"].explode().drop_nulls()) <= set(FLAGS)
    assert tables["verdict"].schema == PUBLISHED["verdict"]


@pytest.mark.soak
def test_order_of_rows_does_not_matter() -> None:
    rows = [result("a", f"m{i}", 0.5, n_items=50, observed_on=date(2026, 1, 1 + i % 3)) for i in range(9)]
    forward, backward = assessed(frames(rows)).tables, assessed(frames(reversed(rows))).tables
    for name in ("frontier", "indicator", "verdict"):
        assert_frame_equal(forward[name], backward[name])


def test_results_of_a_benchmark_that_no_table_describes_are_not_judged_by_guesses() -> None:
    tables = assessed(frames([result("a", "m", 0.5)], [])).tables
    assert tables["verdict"].filter(pl.col("benchmark_id") == "a")["stage"].to_list() == ["unknown"]
    assert tables["frontier"].height == 0
