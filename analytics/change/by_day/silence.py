"""Sources that fell silent: nothing new for three of their cadences, or nobody could look."""

from datetime import timedelta

import polars as pl

from benchhealth.analytics.change.cadences import every

CADENCES = 3
"""So many cadences without a new version are silence."""

LEAST = timedelta(days=28)
"""Less than this is no silence, however often a source publishes."""

EXPECTED = ("board", "collection", "crawl")
"""Kinds of sources of which another version is expected; papers and what has ended say no more."""

SILENT, NOT_SEEN = "nothing_new", "not_seen"


def silences(source: pl.DataFrame, snapshot: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind silent, on the day on which a silence had lasted for CADENCES cadences and at least LEAST.

    `until_day` is the day of the last version before it, `names` the cadence. `after` is SILENT where the source was
    looked at and had nothing new; it is NOT_SEEN where it was not looked at for so long, as its own day says nothing
    then. A silence that ended is one as well. All of it is until the day of the newest look at any source.
    """
    limits = [
        None if (gap := every(cadence or "")) is None else max(CADENCES * gap, LEAST) for cadence in source["cadence"]
    ]
    lasting = source.with_columns(limit=pl.Series(limits, dtype=pl.Duration("us"))).filter(
        pl.col("kind").is_in(EXPECTED), pl.col("limit").is_not_null()
    )
    horizon = source["known_until"].max()
    days = snapshot.select("source_id", day=pl.col("observed_at").dt.date()).unique().sort("source_id", "day")
    with_next = days.with_columns(next_day=pl.col("day").shift(-1).over("source_id"))
    fell = with_next.join(lasting, on="source_id").with_columns(fell_on=(pl.col("day") + pl.col("limit")).cast(pl.Date))
    silent = fell.filter(pl.col("fell_on") <= pl.coalesce("next_day", "known_until"))
    lost = (
        fell.filter(pl.col("next_day").is_null())
        .join(silent.select("source_id", "day"), on=["source_id", "day"], how="anti")
        .with_columns(day="known_until", fell_on=(pl.col("known_until") + pl.col("limit")).cast(pl.Date))
        .filter(pl.col("fell_on") <= pl.lit(horizon, dtype=pl.Date))
    )
    return pl.concat(
        [
            rows.select(
                "source_id",
                kind=pl.lit("silent"),
                after=pl.lit(how),
                on_day="fell_on",
                until_day="day",
                case=pl.lit(how),
                names=pl.concat_list(pl.col("cadence").str.split(";").list.first()),
            )
            for how, rows in ((SILENT, silent), (NOT_SEEN, lost))
        ]
    )
