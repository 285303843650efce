"""Scores by the age of the items: means, intervals that hold, cutoffs as stated."""

from dataclasses import replace
from datetime import date

import polars as pl
import pytest

from benchhealth.analytics.aging.item_age import item_age
from benchhealth.analytics.record.frames import CUTOFF, Frames
from benchhealth.analytics.record.tables import PUBLISHED
from tests.support.frames import Row, frames, result


def cell(model: str, part: str, score: float, **more: object) -> Row:
    return result(f"dated/{part}", model, score, **{"n_items": 20, **more})


def with_cutoffs(facts: Frames, *rows: tuple[str, date, str]) -> Frames:
    cutoffs = [(*row, "https://example.org") for row in rows]
    return replace(facts, cutoff=pl.DataFrame(cutoffs, schema=CUTOFF, orient="row"))


ROWS = [
    cell(model, part, score)
    for model, scores in {"a": (0.5, 0.3), "b": (0.9, 0.5)}.items()
    for part, score in zip(("2024h1/2024-01-hard", "2024h1/2024-02-hard"), scores, strict=True)
]


def test_each_model_and_the_mean_of_all() -> None:
    table = item_age(with_cutoffs(frames(ROWS), ("a", date(2023, 1, 1), "x"), ("a", date(2023, 9, 30), "y")))
    assert table.schema == PUBLISHED["item_age"]
    mean = table.filter(pl.col("model_id").is_null()).sort("month")
    assert mean["score"].to_list() == pytest.approx([0.7, 0.4])
    assert mean["n_models"].to_list() == [2, 2]
    assert mean["month"].to_list() == [date(2024, 1, 1), date(2024, 2, 1)]
    ours = table.filter(model_id="a")
    assert ours["cutoff_on"].unique().to_list() == [date(2023, 9, 30)]
    assert ours["cutoff_source"].unique().to_list() == ["y"]
    assert table.filter(model_id="b")["cutoff_on"].null_count() == 2
    # Wilson (1927) for 10 of 20: 0.2993 to 0.7007
    assert ours.sort("month").select("low", "high").row(0) == pytest.approx((0.2993, 0.7007), abs=1e-4)
    assert table.select((pl.col("low") <= pl.col("score")) & (pl.col("score") <= pl.col("high"))).to_series().all()


def test_settings_count_once_and_only_the_newest_version_counts() -> None:
    again = [cell("a", "2024h1/2024-01-hard", 0.7, setting="high effort")]
    old = [cell("gone", "2024h1/2024-01-hard", 0.1, observed_on=date(2025, 1, 1))]
    table = item_age(frames([*ROWS, *again, *old]))
    january = table.filter(month=date(2024, 1, 1))
    assert january.filter(model_id="a")["score"].to_list() == pytest.approx([0.6])
    assert january.filter(pl.col("model_id").is_null())["score"].to_list() == pytest.approx([0.75])
    assert january.filter(model_id="gone").height == 1


def test_nothing_dated_nothing_said() -> None:
    assert item_age(frames([result("plain", "a", 0.5), cell("a", "2024h1", 0.5)])).is_empty()
    assert item_age(frames()).schema == PUBLISHED["item_age"]
    assert item_age(frames([cell("a", "2024h1/2024-01-hard", 0.5, n_items=None)])).is_empty()
