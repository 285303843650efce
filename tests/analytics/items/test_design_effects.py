"""What shared items do, measured on tests that are known item by item, and on the real ones."""

from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.items.design_effects import FEWEST_RUNS, design_effects
from benchhealth.analytics.record.frames import DESIGN_EFFECT, Frames
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.twins.uncertainty import NOT_MEASURED, mean_design_effects
from tests.support.frames import frames, result, with_items
from tests.support.shared_items import Bank


def facts_of_runs(runs: int, *benchmarks: str) -> Frames:
    """Benchmarks that so many runs answered."""
    rng = np.random.default_rng(3)
    rows, outcomes = [], {}
    for benchmark_id in benchmarks:
        for index, solved in enumerate(Bank().answered(rng, 0.6 * rng.standard_normal(runs), 300)):
            address = f"{benchmark_id}:m{index}"
            rows.append(result(benchmark_id, f"m{index}", float(solved.mean()), n_items=300, source_row=address))
            outcomes[address] = solved
    return with_items(frames(rows), outcomes)


def test_tests_with_enough_runs_are_measured_and_parts_are_not() -> None:
    table = design_effects(facts_of_runs(FEWEST_RUNS, "a", "b", "b/part"))
    assert table.schema == PUBLISHED["design_effect"]
    assert table["benchmark_id"].to_list() == ["a", "b"]
    row = table.row(0, named=True)
    assert (row["n_runs"], row["n_items"], row["pairs"], row["basis"]) == (8, 300, 28, "items")
    assert 0.1 < row["correlation"] < 0.6 and 0.4 < row["variance_ratio"] < 0.95
    assert row["apart_paired"] >= row["apart_unpaired"]
    assert design_effects(facts_of_runs(FEWEST_RUNS - 1, "a")).is_empty()


def test_clusters_multiply_the_variance_of_a_difference_by_what_was_put_into_them() -> None:
    """Models of one ability that are better or worse by cluster: the variance is that of 20 such shifts beside 1,000
    items, over pairs of models (computed here from the shifts)."""
    rng, runs = np.random.default_rng(8), 30
    shift = 0.2 * rng.standard_normal((runs, 20))
    p = np.clip(0.5 + np.repeat(shift, 50, axis=1), 0, 1)
    outcomes = {f"m{index}": one.astype(float) for index, one in enumerate(rng.random(p.shape) < p)}
    rows = [result("a", name, float(one.mean()), n_items=1_000, source_row=name) for name, one in outcomes.items()]
    clusters = [f"{index // 50}" for index in range(1_000)]
    (row,) = design_effects(with_items(frames(rows), outcomes, clusters=clusters)).to_dicts()
    assert (row["clusters"], round(row["cluster_degrees"])) == (20, 19)
    assert row["cluster_ratio"] == pytest.approx(1 + 2 * 0.2**2 / 20 / (2 * 0.25 / 1_000), rel=0.25)
    assert design_effects(facts_of_runs(FEWEST_RUNS, "a"))["cluster_ratio"].to_list() == [None]


def test_the_same_items_count_once() -> None:
    facts = facts_of_runs(9, "a", "b")
    of_b = facts.item.with_columns(pl.col("item").str.replace("a ", "b "))
    assert facts.item.height == 2 * 300
    assert design_effects(replace(facts, item=of_b)).height == 1


def test_what_was_measured_before_stands_in_and_what_is_here_goes_before() -> None:
    row = {"benchmark_id": "a", "source_id": "lab", "n_runs": 3, "n_items": 300, "correlation": 0.5,
           "variance_ratio": 0.5, "slope_spread": 0.7, "pairs": 3, "apart_paired": 2, "apart_unpaired": 1,
           "observed_on": date(2025, 1, 1), "source_url": "https://example.org"}  # fmt: skip
    before = pl.DataFrame([row, {**row, "benchmark_id": "z"}], schema=DESIGN_EFFECT)
    facts = facts_of_runs(8, "a")
    table = design_effects(replace(facts, design_effect=before))
    assert dict(table.select("benchmark_id", "basis").iter_rows()) == {"a": "items", "z": "curated"}
    nothing = mean_design_effects(table.clear())
    assert nothing == NOT_MEASURED and mean_design_effects(before.with_columns(basis=pl.lit("curated"))).spread == 0.7
