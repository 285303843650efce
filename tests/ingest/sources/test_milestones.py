"""The milestones as they stand in the registry: each with its paper, none claimed that nobody opened."""

from datetime import date

import polars as pl
import pytest

from benchhealth.ingest.run.resolve import resolve
from benchhealth.ingest.sources.milestones import COLUMNS, NEWEST, UNCHECKED, parse
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import ROOT, registry_units
from tests.support.curated_facts import curated

PATH = ROOT / "data" / "registry" / "milestone.csv"


@pytest.fixture(scope="module")
def lines() -> pl.DataFrame:
    return pl.read_csv(PATH, infer_schema=False)


@pytest.fixture(scope="module")
def resolved_lines() -> Resolved:
    return resolve(
        parse(PATH.read_bytes(), "data/registry/milestone.csv"),
        source_id="milestones",
        benchmarks=registry_units(),
        aliases=curated().aliases(),
        observed_on=NEWEST,
    )


def test_every_checked_line_is_a_result_and_every_other_is_listed_as_left_out(
    lines: pl.DataFrame, resolved_lines: Resolved
) -> None:
    assert lines.columns == list(COLUMNS)
    assert resolved_lines.results.height == lines.filter(pl.col("checked") == "true").height > 150
    assert set(resolved_lines.rejections["reason"]) == {UNCHECKED}
    assert resolved_lines.rejections.height == lines.filter(pl.col("checked") == "false").height


def test_each_row_has_an_address_of_its_own(resolved_lines: Resolved) -> None:
    assert resolved_lines.results["source_row"].str.contains(r"^line \d+, https?://[^ ]+$").all()


@pytest.mark.parametrize(
    ("benchmark", "on", "model", "score"),
    [("imagenet", date(2012, 12, 1), "alexnet", 63.3), ("mmlu", date(2020, 9, 1), "gpt-3", 43.9)],
)
def test_curves_begin_when_their_benchmark_began(
    resolved_lines: Resolved, benchmark: str, on: date, model: str, score: float
) -> None:
    first = (
        resolved_lines.results.filter(pl.col("benchmark_id") == benchmark).sort("dated_on", "score").row(0, named=True)
    )
    assert (first["dated_on"], first["model_id"], first["score_published"]) == (on, model, score)


def test_what_was_opened_is_named_and_nothing_is_newer_than_the_file_says(
    lines: pl.DataFrame, resolved_lines: Resolved
) -> None:
    checked = lines.filter(pl.col("checked") == "true")
    assert checked["opened"].str.starts_with("http").all()
    assert resolved_lines.results["dated_on"].max() == NEWEST
    assert lines.select("benchmark_id", "model", "setting", "score").is_unique().all()
    assert lines["benchmark_id"].n_unique() >= 25
