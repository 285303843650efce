"""The lives of benchmarks: the stretches of days in one stage, as known now and as known then, and what happened."""

from collections.abc import Sequence
from datetime import date

import polars as pl

from benchhealth.analytics.aging.events import HUMAN
from benchhealth.analytics.verdict.history import BY_DATE
from benchhealth.dashboard.published.files.places import file_address
from benchhealth.dashboard.published.generation import Params, PublishedTable, View, recently
from benchhealth.dashboard.published.results import known_benchmark

KNOWN_THEN = "known then"
"""The basis of a history of what was said at the time; there may be none."""


@recently
def stretches(view: View, benchmark_ids: tuple[str, ...], basis: str = BY_DATE) -> pl.DataFrame:
    """The stretches of these benchmarks that have a beginning, oldest first.

    Columns: benchmark_id, stage, from_on, until_on (that of the present one is the day until which it is known).
    """
    dated = view.table("verdict").select("benchmark_id", "known_until")
    history = view.table("verdict_history").filter(
        pl.col("benchmark_id").is_in(benchmark_ids), pl.col("basis") == basis, pl.col("from_on").is_not_null()
    )
    ended = history.join(dated, on="benchmark_id", how="left").with_columns(
        until_on=pl.coalesce("until_on", pl.max_horizontal("known_until", "from_on"))
    )
    return ended.sort("benchmark_id", "from_on").select("benchmark_id", "stage", "from_on", "until_on")


def events(view: View, params: Params) -> pl.DataFrame:
    """What happened to a benchmark, oldest first, with `place`, its number, and the `address` where it is written.

    To the published table come `model` and `other` (names) and `unit`.
    """
    return _events(view, known_benchmark(view, params))


@recently
def _events(view: View, benchmark_id: str) -> pl.DataFrame:
    rows = view.table("life_event").filter(pl.col("benchmark_id") == benchmark_id)
    names = view.table("model").select("model_id", model=pl.coalesce("name", "model_id"))
    about = view.table("benchmark").select("benchmark_id", "unit")
    other_names = view.table("benchmark").select(other_id="benchmark_id", other=pl.coalesce("name", "benchmark_id"))
    wanted = rows["snapshot_id"].drop_nulls().to_list()
    files = view.query("SELECT snapshot_id, url FROM snapshot WHERE snapshot_id IN (SELECT unnest($ids))", ids=wanted)
    described = (
        rows.join(names, on="model_id", how="left", maintain_order="left")
        .join(other_names, on="other_id", how="left", maintain_order="left")
        .join(about, on="benchmark_id", how="left", maintain_order="left")
        .join(files, on="snapshot_id", how="left", maintain_order="left")
    )
    written = [
        source_url or (file_address(url, row) if url else None)
        for source_url, url, row in described.select("source_url", "url", "source_row").iter_rows()
    ]
    return described.with_columns(
        place=pl.int_range(1, pl.len() + 1), address=pl.Series(written, dtype=pl.String)
    ).drop("url")


def told_saturated_on(view: View, benchmark_id: str) -> date | None:
    """Since when what was known at the time has called the benchmark saturated.

    None where it does not, and where it already did when the record of what was known begins: the day is not known.
    """
    known_then = stretches(view, (benchmark_id,), KNOWN_THEN)
    if known_then.height < 2 or known_then["stage"][-1] != "saturated":
        return None
    began = known_then["from_on"][-1]
    return began if isinstance(began, date) else None


def human_passed(view: View, benchmark_ids: Sequence[str]) -> dict[str, object]:
    """The day on which each of these passed its human line, where that is known."""
    rows = view.table("life_event").filter(pl.col("kind") == HUMAN, pl.col("benchmark_id").is_in(list(benchmark_ids)))
    return dict(rows.select("benchmark_id", "on_day").iter_rows())


EVENTS = PublishedTable("life-events", events)
