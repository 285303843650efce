"""Out as Every Eval Ever records and in again: valid records, the same results, nothing twice."""

import json
from pathlib import Path

import jsonschema
import polars as pl
import pytest

from benchhealth.analytics.record.boards import newest
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.origins.sides import SUBMITTED
from benchhealth.ingest.formats.eee import parse_record
from benchhealth.ingest.names.identity import identify, join_settings
from benchhealth.ingest.own_results.imports import KEY
from benchhealth.pipeline.export import eee
from benchhealth.pipeline.night import import_results
from benchhealth.pipeline.settings import Settings, now
from benchhealth.warehouse.loading.load import load
from tests.ingest.formats.test_eee import SCHEMA, with_schema
from tests.pipeline.conftest import REPOSITORY
from tests.support.curated_facts import curated
from tests.support.frames import frames, passing_on, result

SAME = (
    "benchmark_id",
    "model_id",
    "setting",
    "reporter",
    "score",
    "std_error",
    "n_items",
    "dated_on",
    "date_basis",
    "kind",
)


def settings(home: Path) -> Settings:
    return Settings(home=home, registry=REPOSITORY / "data" / "registry", bundle=home / "none", token=None)


def facts(home: Path) -> Frames:
    return load(home, curated(), now())


def results(home: Path) -> pl.DataFrame:
    """What the newest version of every file says, in the columns that a record carries, named by today's rules."""
    frames = facts(home)
    files = frames.snapshot.select("snapshot_id", file_id="board_id")
    listed = newest(frames.result.collect().join(files, on="snapshot_id"))
    aliases = curated().aliases()
    today = {name: identify(name, KEY, aliases) for name in listed["model_id"].unique()}
    return (
        _dated_as_imports(listed, frames.model)
        .with_columns(
            model_id=pl.col("model_id").replace_strict({name: named.model_id for name, named in today.items()}),
            setting=pl.struct("setting", "model_id").map_elements(
                lambda row: join_settings([row["setting"], today[row["model_id"]].setting]), return_dtype=pl.String
            ),
        )
        .select(SAME)
        .sort(SAME)
    )


def _dated_as_imports(listed: pl.DataFrame, models: pl.DataFrame) -> pl.DataFrame:
    """A first of a month that is imported is the month, and what has no day is of its model's release.

    The release may lie after the snapshot that first had the number: a record says nothing of that day.
    """
    is_open = pl.col("dated_on").is_null() & pl.col("released_on").is_not_null()
    day = pl.when(pl.col("dated_on").dt.day() == 1).then(pl.col("dated_on").dt.month_end()).otherwise("dated_on")
    return listed.join(models.select("model_id", "released_on"), on="model_id", how="left").with_columns(
        dated_on=pl.when(is_open).then("released_on").otherwise(day),
        date_basis=pl.when(is_open).then(pl.lit("model_release")).otherwise("date_basis"),
    )


@pytest.fixture(scope="module")
def exported(small_home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("eee")
    assert eee.export(settings(small_home), to=folder) == len(list(folder.rglob("*.json")))
    return folder


@with_schema
@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.soak)], ids=["some", "all"])
def test_every_record_validates(exported: Path, step: int) -> None:
    validator = jsonschema.validators.validator_for(schema := json.loads(SCHEMA.read_text()))(schema)
    for file in sorted(exported.rglob("*.json"))[::step]:
        validator.validate(json.loads(file.read_text()))


def test_a_record_says_where_its_numbers_are_from(exported: Path, small_home: Path) -> None:
    snapshots = {row["url"]: row for row in facts(small_home).snapshot.iter_rows(named=True)}
    for file in list(exported.rglob("*.json"))[:50]:
        record = json.loads(file.read_text())
        source = record["source_metadata"]["additional_details"]
        snapshot = snapshots[source["url"]]
        assert (source["source_id"], source["ref"], source["sha256"]) == (
            snapshot["source_id"],
            snapshot["ref"],
            snapshot["sha256"],
        )
        assert file.relative_to(exported).parts[0] == snapshot["source_id"]
        assert source["licence"]


@pytest.mark.parametrize(
    ("source_id", "reporter", "relation"),
    [
        ("cards", "self", "first_party"),
        ("lab", "third_party", "third_party"),
        ("hub", "third_party", "other"),
        (SUBMITTED[0], "self", "other"),
    ],
)
def test_the_evaluator_is_the_side_of_the_result(source_id: str, reporter: str, relation: str) -> None:
    """A list that passes numbers on evaluated nothing, and whoever handed one in need not be the maker."""
    facts = passing_on(frames([result("exam", "m", 0.5, source_id=source_id, reporter=reporter)]), "hub")
    ((record, of_source),) = eee.records(facts, [source_id])
    said = record["source_metadata"]
    assert (said["evaluator_relationship"], said["additional_details"]["reporter"]) == (relation, reporter)
    assert of_source == source_id
    (again,) = parse_record(record, lambda evaluation: evaluation.dataset).rows
    assert again.reporter == reporter


@pytest.mark.soak
def test_what_was_exported_and_is_imported_again_is_the_same(exported: Path, small_home: Path, tmp_path: Path) -> None:
    import_results(settings(tmp_path), exported)
    again = results(tmp_path)
    assert again.height > 1000
    assert again.equals(results(small_home))
    before = facts(tmp_path).snapshot
    import_results(settings(tmp_path), exported)
    assert facts(tmp_path).snapshot.equals(before)


@pytest.mark.soak
def test_records_that_no_longer_hold_are_removed(exported: Path, small_home: Path, tmp_path: Path) -> None:
    source = tmp_path / "out" / "gsm1k" / "some-model"
    source.mkdir(parents=True)
    old, other = source / "0f4e7a60-0000-5000-8000-000000000000.json", source / "mine.json"
    old.write_text("{}")
    other.write_text("{}")
    eee.export(settings(small_home), to=tmp_path / "out")
    assert not old.exists()
    assert other.exists()
    written = {file.relative_to(tmp_path / "out"): file.read_bytes() for file in (tmp_path / "out").rglob("*.json")}
    expected = {file.relative_to(exported): file.read_bytes() for file in exported.rglob("*.json")}
    assert written == expected | {other.relative_to(tmp_path / "out"): b"{}"}


def test_what_may_not_be_passed_on_is_not_exported(tmp_path: Path) -> None:
    home, file = tmp_path / "home", tmp_path / "own.csv"
    file.write_text("benchmark_id,model,score,unit\nmmlu,Alder 7B,71.5,percent\n")
    import_results(settings(home), file)
    assert results(home).height == 1
    assert eee.export(settings(home), to=tmp_path / "out") == 0
