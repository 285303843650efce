"""Results item by item as three upstreams publish them, from the file to what they say of shared items."""

import polars as pl
import pytest

from benchhealth.analytics.items.design_effects import design_effects
from benchhealth.analytics.record.frames import ITEM_RESULT, Frames
from benchhealth.ingest.rows import ItemOutcomes
from benchhealth.ingest.run.claims.item_results import listed_items
from benchhealth.ingest.run.records import Result
from tests.ingest.sources.payload_rows import resolved
from tests.support.curated_facts import curated
from tests.support.frames import frames, result
from tests.support.upstream import needs_upstream, versions

FILES = (
    ("livecodebench", "LiveCodeBench/livecodebench.github.io", "src/mocks/performances_generation.json", (1, 2)),
    ("swe-bench", "SWE-bench/swe-bench.github.io", "data/leaderboards.json", (-1,)),
    ("swe-bench-live", "SWE-bench-Live/swe-bench-live.github.io", "reports-0605.jsonl", (-1,)),
)


def by_item(key: str, repo: str, path: str, version: int) -> Frames:
    """What one version of a file says item by item, as the record has it."""
    held = versions(repo, path)[version]
    facts = resolved(key, path, held.body)
    snapshot = f"{key} {version}"
    rows = facts.results.join(facts.items, on="source_row").with_columns(
        snapshot_id=pl.lit(snapshot),
        source_id=pl.lit(key),
        condition=pl.lit(""),
        n_items=pl.coalesce("n_items", "n_named"),
        stands=pl.lit(value=True),
    )
    row = result(key, "m", 0.5, source_id=key, snapshot_id=snapshot)
    frames_made = frames([row])
    by_item = rows.select(ITEM_RESULT.names()).cast(dict(ITEM_RESULT))
    return Frames(**{**vars(frames_made), "item_result": by_item, "item": facts.lists})


@needs_upstream
def test_the_curated_measures_of_shared_items_are_those_of_the_files() -> None:
    effects = [
        design_effects(by_item(key, repo, path, version)) for key, repo, path, places in FILES for version in places
    ]
    named = ["source_id", "benchmark_id", "n_items", "n_runs", "pairs", "apart_paired", "apart_unpaired", "clusters"]
    numbers = ["correlation", "variance_ratio", "slope_spread", "cluster_ratio", "cluster_degrees"]
    effects_held = curated().design_effect.sort(named)
    measured = pl.concat(effects).sort(named)
    assert measured.select(named).equals(effects_held.select(named))
    for name in numbers:
        assert measured[name].to_list() == pytest.approx(effects_held[name].to_list(), abs=1e-9)


def one(score: float, n_items: int | None = None) -> Result:
    return Result("b", "m", "", "self", score, 100 * score, None, n_items, None, None, "row", "M", "model")


HALF = ItemOutcomes("row", ("a", "b"), (1.0, 0.0))


@pytest.mark.parametrize(
    ("outcomes", "of", "reason"),
    [
        (ItemOutcomes("row", ("a", "b"), (1.0, 0.0)), one(0.5), ""),
        (ItemOutcomes("row", ("a",), (1.0,)), one(0.01, 100), ""),
        (ItemOutcomes("row", ("a", "b"), (1.0,)), one(0.5), "not one outcome for each item"),
        (ItemOutcomes("row", ("a", "a"), (1.0, 0.0)), one(0.5), "not one outcome for each item"),
        (ItemOutcomes("row", ("a", "b"), (1.5, 0.0)), one(0.5), "an outcome outside 0 to 1"),
        (ItemOutcomes("row", ("a", "b", "c"), (1.0, 0.0, 0.0)), one(0.5, 2), "3 items of a test of 2"),
        (ItemOutcomes("row", ("a",), (1.0,)), one(0.5, 100), "the items add up to 1.00% and the score is 50.00%"),
        (HALF._replace(clusters=("x",)), one(0.5), "not one cluster or option an item"),
        (HALF._replace(chosen=("A",)), one(0.5), "not one cluster or option an item"),
        (HALF._replace(missing=("b",)), one(0.5), "a missing item that is not one, or that is there"),
        (HALF._replace(clusters=("x", "x"), chosen=("A", ""), missing=("c",)), one(0.5), ""),
        (ItemOutcomes("other", ("a",), (1.0,)), one(1.0), "excluded: what it is about is no result"),
    ],
)
def test_items_that_do_not_add_up_to_their_score_are_rejected(outcomes: ItemOutcomes, of: Result, reason: str) -> None:
    listed, unfit = listed_items([outcomes], [of])
    assert [one.reason for one in unfit] == ([reason] if reason else [])
    assert len(listed) + len(unfit) == 1
