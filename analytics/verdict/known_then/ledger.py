"""Stretches of days in one stage, as the ledger of verdicts holds them: what was known then."""

from datetime import date

import polars as pl

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.verdict.history import KNOWN_THEN, SAME_SOURCES

FROM_THE_START, FIRST_SAID = "from_the_start", "first_said"
"""How a stretch of the ledger begins: on the benchmark's first day in it, so that nobody can tell how long the stage
had been said before; or another stage was said on the day before."""

_SERIES = ("benchmark_id", "basis")


def verdict_history(history_by_date: pl.DataFrame, verdicts_then: pl.DataFrame) -> pl.DataFrame:
    """Table `verdict_history`: the stages by the days of results, and those that the ledger says were known then."""
    schema = PUBLISHED["verdict_history"]
    stages_then = stretches(verdicts_then).match_to_schema(schema, missing_columns="insert", extra_columns="ignore")
    return pl.concat([history_by_date, stages_then]).sort("benchmark_id", "basis", "from_on", nulls_last=True)


def verdicts_then(verdicts_issued: pl.DataFrame, stated: pl.DataFrame, as_of: date) -> pl.DataFrame:
    """The ledger with what is said now as its last day: a row for each `basis`, day `issued_on` and benchmark.

    Entries of `as_of` or later are left out, as they could not be read then; of one day and benchmark what was
    published goes before what was backcast. Of ledgers of the same sources the one that begins first counts. Empty
    where the ledger is: what is said now alone is no history.
    """
    before = verdicts_issued.filter(pl.col("issued_on") < as_of)
    first = pl.col("held_on").min()
    of_all = before.filter(pl.col("held_on").is_null())
    current = stated.clear() if of_all.is_empty() else stated
    same = before.filter(pl.col("held_on") == first).with_columns(basis=pl.lit(SAME_SOURCES))
    all_verdicts = pl.concat([of_all, current]).with_columns(basis=pl.lit(KNOWN_THEN))
    return (
        pl.concat([all_verdicts, same])
        .sort(*_SERIES, "issued_on", "backcast")
        .unique(subset=[*_SERIES, "issued_on"], keep="first", maintain_order=True)
    )


def stretches(days: pl.DataFrame) -> pl.DataFrame:
    """Unbroken runs of one stage over the days of the ledger, with the numbers of their first and last day.

    `days` as `verdicts_then`. A stretch ends on the next day of the ledger on which its benchmark has another stage or
    is not there; `last_on` is the last on which it was said. `rules_version` is that of its first day, `rules_after` of
    the day on which it ended.
    """
    calendar = (
        days.select("basis", on="issued_on")
        .unique()
        .sort("basis", "on")
        .with_columns(place=pl.int_range(pl.len()).over("basis"))
    )
    rules = days.group_by("basis", "issued_on").agg(pl.col("rules_version").first())
    next_day = calendar.with_columns(until_on=pl.col("on").shift(-1).over("basis")).join(
        rules.rename({"issued_on": "until_on", "rules_version": "rules_after"}), on=["basis", "until_on"], how="left"
    )
    placed = days.join(calendar, left_on=["basis", "issued_on"], right_on=["basis", "on"]).sort(*_SERIES, "issued_on")
    eve = {name: pl.col(name).shift(1).over(_SERIES) for name in ("stage", "place")}
    is_new = (eve["stage"] != pl.col("stage")) | (pl.col("place") != eve["place"] + 1)
    runs = placed.with_columns(
        run=is_new.fill_null(value=True).cum_sum().over(_SERIES),
        how=pl.when(eve["stage"].is_null()).then(pl.lit(FROM_THE_START)).otherwise(pl.lit(FIRST_SAID)),
    )
    stretch = runs.group_by(*_SERIES, "run", maintain_order=True).agg(
        *(
            pl.col(name).first()
            for name in ("stage", "case", "how", "p", "flags", "headroom", "best", "best_model", "condition")
        ),
        *(pl.col(name).first() for name in ("rules_version", "backcast")),
        from_on=pl.col("issued_on").first(),
        last_on=pl.col("issued_on").last(),
        headroom_end=pl.col("headroom").last(),
        best_end=pl.col("best").last(),
        best_model_end=pl.col("best_model").last(),
        condition_end=pl.col("condition").last(),
        taken_back=pl.lit(value=False),
    )
    return stretch.join(
        next_day.select("basis", "until_on", "rules_after", last_on="on"), on=["basis", "last_on"], how="left"
    ).drop("run")
