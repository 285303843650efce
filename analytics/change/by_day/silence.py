"""Sources that fell silent: they had no new version for three of their cadences, or were not looked at for so long."""

from datetime import timedelta

import polars as pl

from benchhealth.analytics.change.cadences import every

CADENCES = 3
"""A source is silent after so many cadences without a new version."""

LEAST = timedelta(days=28)
"""The shortest time that counts as silence, however often a source publishes."""

EXPECTED = ("board", "collection", "crawl")
"""The kinds of sources of which another version is expected; papers and retired sources publish nothing more."""

SILENT, NOT_SEEN = "nothing_new", "not_seen"


def silences(source: pl.DataFrame, snapshot: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind silent, on the day on which a silence had lasted for CADENCES cadences and at least LEAST.

    `names` is the cadence. `after` is SILENT where the source was looked at and had nothing new; `until_day` is then
    the day of its last version. `after` is NOT_SEEN where nobody looked at the source for so long; `until_day` is then
    the day until which the source is known. A silence that has ended is listed too. No row is later than the newest day
    until which any source is known.
    """
    limits = [
        None if (between := every(cadence or "")) is None else max(CADENCES * between, LEAST)
        for cadence in source["cadence"]
    ]
    expected = source.with_columns(limit=pl.Series(limits, dtype=pl.Duration("us"))).filter(
        pl.col("kind").is_in(EXPECTED), pl.col("limit").is_not_null()
    )
    horizon = source["known_until"].max()
    days = snapshot.select("source_id", day=pl.col("observed_at").dt.date()).unique().sort("source_id", "day")
    with_next = days.with_columns(next_day=pl.col("day").shift(-1).over("source_id"))
    each_version = with_next.join(expected, on="source_id").with_columns(
        fell_on=(pl.col("day") + pl.col("limit")).cast(pl.Date)
    )
    nothing_new = each_version.filter(pl.col("fell_on") <= pl.coalesce("next_day", "known_until"))
    not_seen = (
        each_version.filter(pl.col("next_day").is_null())
        .join(nothing_new.select("source_id", "day"), on=["source_id", "day"], how="anti")
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
            for how, rows in ((SILENT, nothing_new), (NOT_SEEN, not_seen))
        ]
    )
