"""What changed, as pages and the feed say it: the table `change` with the names of what it is about."""

import polars as pl

from benchhealth.dashboard.published.benchmarks import benchmarks, family
from benchhealth.dashboard.published.generation import PublishedTable, View, always

MOVED_STAGE, NEW, FLAG = "stage", "benchmark", "flag"
RECORDS = ("best", "best_late")
SCALE = ("rules", "break", "rescale", "condition", "best_lost")
SOURCES = ("results", "correction", "source")
HELD, LEADER, INCIDENT = "held", "leader", "incident"
BREAK, SILENT = "break", "silent"


@always
def changes(view: View) -> pl.DataFrame:
    """Every change that the generation keeps, the newest generation first, within it the best known benchmarks first.

    To the published table come `name`, `label` (as short as tells it apart) and `curated` (of the benchmark), `unit`,
    `title` (of the source), `leads` and `led` (names of the models), and `is_newest`: whether it is of the last
    generation in which anything changed. Curated benchmarks come first, and of these the ones with the most models.
    """
    return (
        _with_names(view, view.table("change"))
        .with_columns(is_newest=pl.col("against") == pl.col("against").max())
        .sort(
            ["against", "curated", "models", "name", "kind", "board_id", "model_id", "before"],
            descending=[True, True, True, *[False] * 5],
            nulls_last=True,
        )
        .drop("models", "said_by")
    )


@always
def changes_by_day(view: View) -> pl.DataFrame:
    """Every change of the generation by the day on which it happened, the newest first, curated benchmarks first.

    To the published table `dated_change` come the columns that `changes` adds, but for `is_newest`, and `family`.
    """
    order = ["on_day", "curated", "models", "name", "kind", "board_id", "model_id", "before"]
    rows = _with_names(view, view.table("dated_change"))
    return (
        rows.with_columns(family=family())
        .sort(order, descending=[True] * 3 + [False] * 5, nulls_last=True)
        .drop("models", "said_by")
    )


def _with_names(view: View, table: pl.DataFrame) -> pl.DataFrame:
    """Rows of a table of changes with the names of what they are about."""
    about = benchmarks(view).select("benchmark_id", "name", "label", "curated", "unit", "models")
    names = view.table("model").select("model_id", leads=pl.coalesce("name", "model_id"))
    by_source = pl.coalesce("source_id", pl.col("board_id").str.split("/").list.first())
    return (
        table.join(about, on="benchmark_id", how="left")
        .join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "leads": "led"}), on="before", how="left")
        .with_columns(said_by=by_source)
        .join(view.table("source").select(said_by="source_id", title="title"), on="said_by", how="left")
        .with_columns(
            pl.coalesce("name", "benchmark_id").alias("name"),
            pl.coalesce("label", "benchmark_id").alias("label"),
            pl.coalesce("title", "said_by").alias("title"),
            pl.col("curated").fill_null(value=False),
        )
    )


def of_benchmark(view: View, benchmark_id: str) -> pl.DataFrame:
    """The changes about one benchmark, newest first."""
    return changes(view).filter(pl.col("benchmark_id") == benchmark_id)


CHANGES = PublishedTable("changes", lambda view, _params: changes(view).drop("is_newest", "label"))
