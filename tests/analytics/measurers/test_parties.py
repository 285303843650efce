"""Who measured models that are not its own: counted by hand."""

from dataclasses import replace
from datetime import date

import polars as pl

from benchhealth.analytics.graph import ENTRIES
from benchhealth.analytics.record.frames import MEASURER
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.schedule import run
from tests.support.frames import Row, benchmark, frames, result

MEASURERS = pl.DataFrame([("collection/*", None, None, None, None, None, "", "")], schema=MEASURER, orient="row")


def parties(rows: list[Row], **about: object) -> pl.DataFrame:
    named = sorted({str(row["benchmark_id"]) for row in rows})
    facts = frames(rows, [benchmark(name, **about) for name in named])
    given = {"frames": replace(facts, measurer=MEASURERS), "as_of": date(2026, 1, 1)}
    table: pl.DataFrame = run(ENTRIES, given, ("measuring_party",))["measuring_party"]
    return table


def test_houses_are_counted_by_year_and_makers_are_not() -> None:
    table = parties(
        [
            result("a", "m1", 0.511, dated_on=date(2024, 3, 1)),
            result("a", "m2", 0.522, dated_on=date(2024, 4, 1), date_basis="model_release"),
            result("a", "m2", 0.533, dated_on=date(2025, 4, 1), source_id="other"),
            result("a", "m3", 0.9, dated_on=date(2025, 4, 1), reporter="self", source_id="maker"),
        ]
    )
    assert table.schema == PUBLISHED["measuring_party"]
    assert table.rows() == [("a", "lab", 2024, 2, 2, 1), ("a", "other", 2025, 1, 1, 0)]


def test_a_collection_names_nobody_and_a_copy_of_the_makers_number_is_the_makers() -> None:
    table = parties(
        [
            result("a", "m1", 0.511, dated_on=date(2024, 3, 1), source_id="collection"),
            result("a", "m2", 0.7231, dated_on=date(2024, 3, 1), reporter="self", source_id="maker"),
            result("a", "m2", 0.7231, dated_on=date(2024, 3, 1), source_id="collection"),
        ]
    )
    assert table.rows() == [("a", "", 2024, 1, 1, 0)]


def test_nobody_measured_before_the_benchmark_came_out() -> None:
    rows = [result("a", "m1", 0.511, dated_on=date(2023, 3, 1), date_basis="model_release")]
    assert parties(rows, released_on=date(2025, 1, 23))["year"].to_list() == [2025]


def test_a_result_without_a_day_has_no_year_and_parts_and_uncurated_ones_are_left_out() -> None:
    undated = result("a", "m1", 0.511) | {"dated_on": None, "date_basis": "snapshot"}
    assert parties([undated, result("a/part", "m1", 0.4)])["year"].to_list() == [None]
    assert parties([undated], curated=False).is_empty()
