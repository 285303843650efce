"""The published table `fact_source`: which sources say what the tables of models, benchmarks and reports hold."""

# ruff: noqa: S608  SQL made of this package's own words

from collections.abc import Sequence
from pathlib import Path

import duckdb
import polars as pl

from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.lineages.one_id import in_one_id
from benchhealth.analytics.record.model_facts.named_dates import named_date
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.words import in_words
from benchhealth.warehouse.batch import BENCHMARK_FACT, MODEL_FACT
from benchhealth.warehouse.registry import Registry
from benchhealth.warehouse.sql import select
from benchhealth.warehouse.store import reading

MODEL, BENCHMARK, REPORT = "model", "benchmark", "contamination_report"
"""The words of `entity`: the tables whose cells several sources may have said."""

IDS = {MODEL: "model_id", BENCHMARK: "benchmark_id"}
"""The attribute under which a source is named that knows the thing at all."""

REPORT_KEY = ("benchmark_id", "subject", "split", "reference_url")
"""The columns that name a report, joined by ` | `."""

_SCHEMA = PUBLISHED["fact_source"]


def fact_sources(home: Path, registry: Registry, frames: Frames) -> pl.DataFrame:
    """Table `fact_source`: for each cell the sources that state its value; the source is null where a curator does.

    A source states a word of a closed list if it prints one of the word's spellings. A source with a result of a model
    or on a benchmark stands under the attribute `model_id` or `benchmark_id`. A source that names a model also states
    the date in that name. `cutoff_on`, the end of training data, is in no table but `fact_conflict`. A report of
    contamination stands under the attribute `subject`, with its REPORT_KEY as id. A model without a name of its own
    has its id as the name, stated by every source that has the model. Rows are sorted.
    """
    with reading(home) as connection:
        models = _facts(connection, "model_fact", _common_columns(MODEL_FACT, PUBLISHED[MODEL]), frames)
        benchmarks, reports = (
            in_one_id(_facts(connection, table, columns, frames), registry.benchmark_alias)
            for table, columns in (
                ("benchmark_fact", _common_columns(BENCHMARK_FACT, PUBLISHED[BENCHMARK])),
                ("report_fact", list(REPORT_KEY)),
            )
        )
    names = frames.result.select("source_id", "model_id", name="published_name").unique().collect(engine="streaming")
    measured = frames.result.select("source_id", "benchmark_id").unique().collect(engine="streaming")
    about_models, about_benchmarks = (
        [in_words(frame, registry.word) for frame in frames_of]
        for frames_of in (
            [models, names, registry.model, registry.model_name],
            [benchmarks, measured, registry.benchmark],
        )
    )
    ids = names.with_columns(name="model_id").unique()
    matching = [
        *_attribute_rows(MODEL, frames.model, [*about_models, ids, _dates_in_names(names, models)]),
        *_attribute_rows(MODEL, frames.cutoff.select("model_id", "cutoff_on"), [frames.model_claim]),
        *_attribute_rows(BENCHMARK, frames.benchmark, about_benchmarks),
        _reports(frames.contamination_report, [reports, registry.contamination_report]),
    ]
    return pl.concat(matching).unique().sort(_SCHEMA.names(), nulls_last=False)


def report_key() -> str:
    """SQL for the key of a row of the table `contamination_report`."""
    columns = (f"coalesce({column}, '')" for column in REPORT_KEY)
    return f"concat_ws(' | ', {', '.join(columns)})"


def _common_columns(fact: pl.Schema, published: pl.Schema) -> list[str]:
    return [column for column in fact if column in published]


def _facts(connection: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str], frames: Frames) -> pl.DataFrame:
    listed = ", ".join(f"f.{column}" for column in columns)
    sql = f"SELECT DISTINCT snapshot_id, {listed} FROM {table} f"
    snapshots = frames.snapshot.select("snapshot_id", "source_id")
    return select(connection, sql).join(snapshots, on="snapshot_id").drop("snapshot_id").unique()


def _attribute_rows(entity: str, stored: pl.DataFrame, statements: Sequence[pl.DataFrame]) -> list[pl.DataFrame]:
    """The sources of each cell of `stored`; a frame of `statements` without a column `source_id` is the curators'."""
    key = IDS[entity]
    matching = []
    for with_source in map(_with_source, statements):
        for attribute in stored.columns:
            if attribute not in with_source.columns:
                continue
            on = list(dict.fromkeys([key, attribute]))
            agreed = with_source.select("source_id", *on).unique().join(stored.select(on), on=on)
            matching.append(_rows(agreed, entity, pl.col(key), attribute))
    return matching


def _dates_in_names(*frames: pl.DataFrame) -> pl.DataFrame:
    """The first day that the name of a model leaves for its release, with each source that names the model."""
    names = pl.concat([frame.select("source_id", "model_id") for frame in frames]).unique()
    days = {name: named_date(name).earliest for name in names["model_id"].unique()}
    dated = pl.DataFrame(list(days.items()), schema={"model_id": pl.String(), "released_on": pl.Date()}, orient="row")
    return names.join(dated.drop_nulls(), on="model_id")


def _reports(stored: pl.DataFrame, statements: Sequence[pl.DataFrame]) -> pl.DataFrame:
    key = pl.concat_str([pl.col(column).fill_null("") for column in REPORT_KEY], separator=" | ")
    held_ids = stored.select(id=key).unique()
    matching = []
    for frame in statements:
        reports = _with_source(frame).select("source_id", id=key).join(held_ids, on="id")
        matching.append(_rows(reports, REPORT, pl.col("id"), "subject"))
    return pl.concat(matching)


def _with_source(frame: pl.DataFrame) -> pl.DataFrame:
    return frame if "source_id" in frame.columns else frame.with_columns(source_id=pl.lit(None, dtype=pl.String))


def _rows(agreed: pl.DataFrame, entity: str, key: pl.Expr, attribute: str) -> pl.DataFrame:
    return agreed.select(
        entity=pl.lit(entity), id=key, attribute=pl.lit(attribute), source_id=pl.col("source_id")
    ).cast(_SCHEMA)
