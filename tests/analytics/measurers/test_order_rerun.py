"""Whether a second measurement gives the same order: counted by hand, and as it must be where nothing is real."""

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.measurers.order_rerun import FEWEST_FAMILIES, MAKERS, OTHERS
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frames, result


def reruns(rows: list[Row]) -> pl.DataFrame:
    named = sorted({str(row["benchmark_id"]) for row in rows})
    facts = frames(rows, [benchmark(name, n_items=100) for name in named])
    table: pl.DataFrame = run(ENTRIES, {"frames": facts, "as_of": date(2026, 1, 1)}, ("order_rerun",))["order_rerun"]
    return table


def measured(name: str, house: str, scores: dict[str, float], **more: object) -> list[Row]:
    return [result(name, model, score, source_id=house, **more) for model, score in scores.items()]


def of(table: pl.DataFrame, kind: str, *, apart: bool) -> dict[str, Any]:
    return table.row(by_predicate=(pl.col("kind") == kind) & (pl.col("apart") == apart), named=True)


def test_pairs_are_told_apart_by_the_first_and_ordered_by_the_second() -> None:
    """On 100 items 90% lies beyond error of 70 and 68, which do not of each other; the second turns 90 and 70."""
    first = measured("a", "one", {"x": 0.90, "y": 0.70, "z": 0.68, "more": 0.10})
    table = reruns([*first, *measured("a", "two", {"x": 0.60, "y": 0.80, "z": 0.81})])
    apart, within = of(table, OTHERS, apart=True), of(table, OTHERS, apart=False)
    assert table.schema == PUBLISHED["order_rerun"]
    assert [apart[name] for name in ("pairs", "same", "turned", "contradicted")] == [2, 0, 2, 2]
    assert [within[name] for name in ("pairs", "same", "turned", "contradicted")] == [1, 0, 1, 0]
    assert apart["share"] is None and (apart["benchmarks"], apart["families"]) == (1, 1)


def test_makers_are_held_against_others_and_a_copied_number_is_no_second_measurement() -> None:
    makers = measured("a", "llm-stats", {"x": 0.90, "y": 0.70313}, reporter="self")
    table = reruns([*makers, *measured("a", "two", {"x": 0.88, "y": 0.70313})])
    assert table.is_empty(), "y is the maker's own number again, and one model makes no pair"
    apart = of(reruns([*makers, *measured("a", "two", {"x": 0.88, "y": 0.71})]), MAKERS, apart=True)
    assert (apart["pairs"], apart["same"]) == (1, 1)
    other = measured("a", "two", {"x": 0.88, "y": 0.71}, condition="tools")
    assert reruns([*makers, *other]).is_empty(), "another condition is another test"


def test_of_equally_good_models_a_second_measurement_agrees_by_half() -> None:
    rng = np.random.default_rng(3)
    rows: list[Row] = []
    for index in range(4 * FEWEST_FAMILIES):
        for house in ("one", "two"):
            scores = np.round(0.5 + 0.05 * rng.standard_normal(12), 6)
            rows += measured(f"b{index}", house, {f"m{model}": float(score) for model, score in enumerate(scores)})
    within = of(reruns(rows), OTHERS, apart=False)
    assert within["low"] < 0.5 < within["high"]
    assert within["share"] == pytest.approx(within["same"] / within["pairs"]) == pytest.approx(0.5, abs=0.06)
