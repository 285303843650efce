"""The real copies of Epoch's hub, where they are at hand: tables are declared, units and errors are as they must be."""

import csv
import io
from collections.abc import Iterator
from datetime import date
from functools import cache
from math import sqrt

import polars as pl
import pytest

from benchhealth.ingest.run.drift import Scales, drift
from benchhealth.ingest.run.records import BOUNDED
from benchhealth.ingest.source import DatedCopy, WebArchive
from benchhealth.warehouse.batch import Resolved
from tests.ingest.sources.payload_rows import BY_KEY, registry_units, resolved
from tests.ingest.sources.test_versions import Version, index, newest, real

pytestmark = real
HUB = BY_KEY["epoch-hub"].files[0]
assert isinstance(HUB, WebArchive)
COPIES = HUB.copies


USUAL_REASONS = (
    "^(?:no score|no model name|no source is named|not a known edition: ''|a preliminary lower bound"
    "|duplicate of|second value for the same key|excluded: says nothing|contradicts|dated 2026-04-27, after the file)"
)
"""GSO's newest rows are three days newer than the newest run in their copy; the walk dates that file by them."""

TEXT_ONLY = 2158
"""Questions of HLE without a picture: what a model is asked that cannot see."""


@cache
def files(copy: DatedCopy) -> dict[str, Version]:
    selected = [version for version in index() if version.repo == copy.repo and version.path.startswith(copy.folder)]
    return {version.path.removeprefix(copy.folder): version for version in selected}


@cache
def table(copy: DatedCopy, name: str) -> Resolved:
    return resolved("epoch-hub", name, files(copy)[name].body(), copy.on)


def tables(copy: DatedCopy) -> Iterator[str]:
    return (name for name in files(copy) if "/" not in name and name.endswith(".csv") and "merged" not in name)


def published(name: str) -> list[dict[str, str]]:
    text = files(COPIES[-1])[name].body().decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: str(copy.on))
def test_every_table_of_every_copy_is_declared_and_accounted_for(copy: DatedCopy) -> None:
    for name in tables(copy):
        facts = table(copy, name)
        assert facts.results.height + facts.models.height + facts.rejections.height == facts.rows_in
        reasons = facts.rejections["reason"]
        assert reasons.filter(~reasons.str.contains(USUAL_REASONS)).to_list() == [], name
        suffixed = facts.results["model_id"].str.contains("_(?:high|low|medium|xhigh|max|none|unknown|[0-9]+[Kk])$")
        assert not suffixed.any(), name


@pytest.mark.parametrize("copy", COPIES, ids=lambda copy: str(copy.on))
def test_a_copy_is_dated_by_its_newest_run(copy: DatedCopy) -> None:
    runs = [table(copy, name).results for name in tables(copy) if not name.endswith(("_external.csv", "_bash.csv"))]
    started = [rows["dated_on"].max() for rows in runs if rows.height]
    assert max(day for day in started if isinstance(day, date)) == copy.on


def test_what_hle_prints_as_an_error_is_the_half_width_of_an_interval() -> None:
    for row in published("hle_external.csv"):
        accuracy, printed = float(row["Accuracy"]), float(row["Accuracy Standard Error"])
        asked = TEXT_ONLY if row["Model version"] == "kimi-k2.5" else 2500
        assert printed == pytest.approx(1.96 * sqrt(accuracy * (1 - accuracy) / asked), abs=2e-4)


def test_what_weirdml_has_as_an_error_is_a_hundredth_of_its_boards() -> None:
    board = max(
        (version for version in index() if version.path.endswith("weirdml_data.csv")), key=lambda one: one.committed_on
    )
    errors = {
        float(row["avg_acc_standard_error"])
        for row in csv.DictReader(io.StringIO(board.body().decode("utf-8-sig"), newline=""))
        if row["avg_acc_standard_error"]
    }
    here = [float(row["Accuracy SE"]) for row in published("weirdml_external.csv") if row["Accuracy SE"]]
    matching = [error for error in here if min(abs(100 * error - other) for other in errors) < 1e-9]
    assert len(matching) >= 0.8 * len(here)


def test_rows_of_a_benchmark_of_the_same_name_are_refused() -> None:
    refused = table(COPIES[-1], "deepresearchbench_external.csv").rejections
    assert refused["reason"].str.starts_with("no source is named").sum() == 10


def test_the_reruns_of_february_2026_are_held_until_a_curator_has_looked() -> None:
    before, after = (table(copy, "swe_bench_verified.csv").results for copy in COPIES[:2])
    scales = Scales({name for name, unit in registry_units().items() if unit in BOUNDED})
    findings = drift(before, after, source_id="epoch-hub", scales=scales, released=set())
    assert [finding.board_id for finding in findings] == ["epoch-hub/swe-bench-verified"]
    released = {"epoch-hub/swe-bench-verified"}
    assert not drift(before, after, source_id="epoch-hub", scales=scales, released=released)


def test_the_repository_of_before_and_the_hub_name_the_same_runs_alike() -> None:
    """So that the lineage of the two can tell which runs stand twice."""
    runs = newest("epoch", "data/benchmarks_runs.csv").results
    for name, benchmark in (("gpqa_diamond.csv", "gpqa-diamond"), ("otis_mock_aime_2024_2025.csv", "otis-mock-aime")):
        old = runs.filter(pl.col("benchmark_id") == benchmark)
        both = old.join(table(COPIES[0], name).results, on=["benchmark_id", "model_id", "setting"])
        assert both.height > 0.9 * old.height
        # The repository had no zone: an evening there is the next day here.
        later = (both["dated_on_right"] - both["dated_on"]).dt.total_days()
        assert later.is_in([0, 1]).sum() > 0.9 * later.count()
        assert ((both["score"] - both["score_right"]).abs() < 0.03).mean() > 0.9
