"""Results item by item through the warehouse: stored, loaded, published, bundled and migrated without a change."""

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import duckdb
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchhealth.analytics.record.by_item.item_results import ItemResults, item_results
from benchhealth.analytics.record.by_item.packing import NamedRun
from benchhealth.warehouse.batch import Batch
from benchhealth.warehouse.bundle import BundleError, dump, read_bundles, restore
from benchhealth.warehouse.loading.load import load
from benchhealth.warehouse.read import open_current
from benchhealth.warehouse.store import DATABASE, Store, fact_table
from tests.support.by_item import assert_the_same, runs_of_a_file
from tests.support.facts import NOON, batch, benchmark, derived, publish, registry, result, sources
from tests.support.soaking import examples

LATER = datetime(2026, 1, 1)
RUNS = [
    NamedRun("run 0", "squad-2.0", 4, ("a", "b", "c"), (1.0, 0.0, 1.0), ("x", "y", "x"), (7, 0, 9), ("d",)),
    NamedRun("run 1", "squad-2.0", 4, ("b",), (0.3,)),
]


def of_file(runs: list[NamedRun], ref: str = "c0ffee", observed_at: datetime = NOON) -> Batch:
    rows = [result(model_id=run.source_row, source_row=run.source_row, n_items=run.n_items) for run in runs]
    return batch(rows, items=runs, ref=ref, observed_at=observed_at, benchmarks=[benchmark("squad-2.0", "SQuAD")])


def stored(home: Path, *batches: Batch) -> Path:
    with Store.open(home) as store:
        store.write_sources(sources("squad"))
        store.write_all(batches)
    return home


def loaded(home: Path) -> ItemResults:
    return item_results(load(home, registry(), LATER))


@examples(3, 50)
@given(runs=runs_of_a_file())
def test_any_outcomes_are_loaded_and_bundled_as_they_were_said(
    runs: list[NamedRun], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("by-item")
    home = stored(folder / "home", of_file(runs))
    assert_the_same(runs, loaded(home).tests())
    with Store.open(folder / "copy") as store:
        restore(store, read_bundles(dump(home, "squad", folder)))
    assert_the_same(runs, loaded(folder / "copy").tests())


def test_what_is_published_is_what_was_said(tmp_path: Path) -> None:
    publish(stored(tmp_path, of_file(RUNS)), registry(), load(tmp_path, registry(), LATER), derived(), LATER)
    with closing(open_current(tmp_path)) as generation:
        rows, items = generation.table("item_result"), generation.table("item")
    of_source = rows.with_columns(source_id=pl.lit("squad"), stands=pl.lit(value=True))
    assert_the_same(RUNS, ItemResults(of_source, items).tests())


def test_a_list_is_stored_once_however_many_versions_name_it(tmp_path: Path) -> None:
    first, second = of_file(RUNS), of_file(RUNS, "2", NOON + timedelta(days=1))
    stored(tmp_path, first)
    stored(tmp_path, second)
    assert fact_table(tmp_path, "item").height == 4 and fact_table(tmp_path, "item_run").height == 4
    with Store.open(tmp_path / "copy") as store:
        for _ in range(2):
            restore(store, read_bundles(dump(tmp_path, "squad", tmp_path)))
    assert fact_table(tmp_path / "copy", "item").height == 4
    assert loaded(tmp_path / "copy").tests()[0].runs["snapshot_id"].unique().to_list() == [second.snapshot_id]


OLD = """
    DROP TABLE item; DROP TABLE item_run; DROP TABLE verdict_issued; DROP TABLE forecast_backcast;
    CREATE TABLE item_fact (snapshot_id VARCHAR, source_row VARCHAR, items VARCHAR[], outcomes DOUBLE[]);
    DELETE FROM edition; INSERT INTO edition VALUES (7);
"""


def with_lists(home: Path, batches: list[Batch], runs: list[list[NamedRun]]) -> None:
    """Make the home one of edition 7, which held names and outcomes in every row."""
    with duckdb.connect(home / DATABASE) as connection:
        connection.execute(OLD)
        for one, of_one in zip(batches, runs, strict=True):
            rows = [[one.snapshot_id, run.source_row, list(run.items), list(run.outcomes)] for run in of_one]
            connection.executemany("INSERT INTO item_fact VALUES (?, ?, ?, ?)", rows)


@pytest.mark.soak
@settings(max_examples=8, deadline=None)
@given(runs=st.lists(runs_of_a_file(), min_size=1, max_size=2))
def test_a_home_with_names_and_outcomes_in_every_row_is_migrated_whole(
    runs: list[list[NamedRun]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("old")
    bare = [[run._replace(clusters=(), chosen=(), missing=()) for run in of_one] for of_one in runs]
    batches = [of_file(of_one, f"{index}", NOON + timedelta(days=index)) for index, of_one in enumerate(bare)]
    stored(home, *batches)
    with_lists(home, batches, bare)
    with Store.open(home):
        pass
    held = loaded(home)
    for one, of_one in zip(batches, bare, strict=True):
        of_file_alone = ItemResults(
            held.rows.filter(snapshot_id=one.snapshot_id).with_columns(stands=pl.lit(value=True)), held.items
        )
        assert_the_same(of_one, of_file_alone.tests())


def test_a_bundle_with_names_and_outcomes_in_every_row_is_read(tmp_path: Path) -> None:
    runs = [RUNS[0]._replace(clusters=(), chosen=(), missing=()), RUNS[1]]
    bundle = dump(stored(tmp_path / "home", of_file(runs)), "squad", tmp_path)
    bundle_rows = pl.read_parquet(bundle)
    packed = ["list_id", "place", "item", "cluster", "n_named", "outcome_bits", "outcome_levels", "answered_bits",
              "chosen_bits", "chosen_options"]  # fmt: skip
    old = pl.DataFrame(
        {
            "table": "item_fact",
            "snapshot_id": of_file(runs).snapshot_id,
            "source_row": [run.source_row for run in runs],
            "items": [list(run.items) for run in runs],
            "outcomes": [list(run.outcomes) for run in runs],
        }
    )
    older = bundle_rows.filter(~pl.col("table").is_in(["item", "item_run"])).drop(packed)
    pl.concat([older, old], how="diagonal").write_parquet(bundle)
    with Store.open(tmp_path / "copy") as store:
        restore(store, read_bundles(bundle))
    assert_the_same(runs, loaded(tmp_path / "copy").tests())


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda whole: whole.filter((pl.col("table") != "item") | (pl.col("place") != 1)), "a gap"),
        (lambda whole: whole.filter(pl.col("table") != "item"), "does not fit"),
        (lambda whole: pl.concat([whole, whole.filter(table="item")]), "an item twice"),
        (lambda whole: whole.with_columns(outcome_bits=pl.col("outcome_bits") + "00"), "does not fit"),
        (lambda whole: whole.with_columns(item=pl.lit(None, pl.String)), "without a name"),
    ],
)
def test_a_bundle_whose_runs_do_not_fit_its_lists_is_refused(tmp_path: Path, spoil: object, why: str) -> None:
    bundle = dump(stored(tmp_path / "home", of_file(RUNS)), "squad", tmp_path)
    spoil(pl.read_parquet(bundle)).write_parquet(bundle)  # type: ignore[operator]
    with pytest.raises(BundleError, match=why):
        read_bundles(bundle)
