"""The map of every month: what stood on it at each month's end, by today's rules on what is dated until then."""

from calendar import monthrange
from datetime import date

import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS, Evidence
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.saturation.activity import RECENT_DAYS
from benchhealth.analytics.verdict.thresholds import LIMITS

FIRST_YEAR = 2012
"""The map begins with the month of its first year's January: hardly any result on record is older."""

WAITING = "unknown"
"""The stage of a benchmark that is released and has no dated result."""

_KEY = ("benchmark_id", "on")
_SHOWN = ("stage", "headroom", "at_least", "models", "result_on", "dormant", "unsure")
"""What the map shows of a benchmark; a month that changes none of it has no row."""


def month_ends(until: date) -> list[date]:
    """The last day of each month from January of FIRST_YEAR, and for the month of `until` that day itself.

    Empty where `until` is earlier.
    """
    months = [(year, month) for year in range(FIRST_YEAR, until.year + 1) for month in range(1, 13)]
    ends = [date(year, month, monthrange(year, month)[1]) for year, month in months]
    return [end for end in ends if end < until] + [until] * (until >= date(FIRST_YEAR, 1, 1))


def map_months(
    replayed: pl.DataFrame, verdict: pl.DataFrame, evidence: Evidence, indicator: pl.DataFrame
) -> pl.DataFrame:
    """Table `map_month`: each curated benchmark at the ends of the months in which the map of it changes.

    The state holds until the next row. It is that of the last day replayed until then: the stage by
    today's rules, the room left, or at least left where chance is unknown. `models` are those with a result dated until
    then, under the condition that is judged, and `result_on` is the newest result's day under any. A benchmark stands
    on the map from its release, or from its first dated result where that is earlier or the release is unknown.

    `dormant` is the verdict's rule on that day: no result for a year, counted to the day until which it is known, and
    no maker's document that mentions it within the year before.

    Which benchmarks are curated is decided today: of those that nobody remembers no month says anything.

    The last row is of the day of the assessment, which each benchmark has: the verdict itself and today's indicators,
    undated results and ratings included, which count in no month before.
    """
    ends = pl.DataFrame({"on": month_ends(evidence.as_of)}, schema={"on": pl.Date})
    curated = evidence.facts.filter("curated").select("benchmark_id", "released_on")
    grid = curated.join(ends, how="cross").sort(_KEY)
    earlier = _past(grid.filter(pl.col("on") < evidence.as_of), replayed, evidence)
    present = _present(grid.filter(pl.col("on") == evidence.as_of), verdict, indicator, evidence)
    is_there = pl.any_horizontal(pl.col("released_on") <= pl.col("on"), pl.col("result_on").is_not_null())
    states = pl.concat([earlier.filter(is_there.fill_null(value=False)), present], how="diagonal_relaxed").sort(_KEY)
    before = pl.struct(_SHOWN).shift(1).over("benchmark_id")
    is_first = pl.col("benchmark_id").is_first_distinct()
    changed = is_first | before.ne_missing(pl.struct(_SHOWN)) | (pl.col("on") == evidence.as_of)
    return states.filter(changed).match_to_schema(PUBLISHED["map_month"], extra_columns="ignore")


def _past(grid: pl.DataFrame, replayed: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The states at the months' ends, of nothing that is dated later."""
    days = replayed.select(*_KEY, "stage", "headroom", "headroom_of_ceiling")
    with_stage = _last_row_until(grid, days, "on")
    with_models = _last_row_until(with_stage, _models(evidence), "dated_on")
    with_result = _last_row_until(with_models, _results(evidence), "result_on", keep=True)
    return (
        with_result.join(_with_mentions(grid, evidence), on=_KEY, how="left", maintain_order="left")
        .join(evidence.known_until, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(
            *_room(),
            stage=pl.col("stage").fill_null(WAITING),
            models=pl.col("models").fill_null(0),
            dormant=_is_dormant().fill_null(value=False),
            unsure=pl.lit(value=False),
        )
    )


def _present(grid: pl.DataFrame, verdict: pl.DataFrame, indicator: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The states of today: the verdicts, and the indicators that the map shows."""
    judged = verdict.select(
        "benchmark_id",
        "stage",
        dormant=pl.col("flags").list.contains("dormant"),
        unsure=pl.col("between").list.len() > 0,
    )
    states = grid.join(judged, on="benchmark_id", how="left")
    for name in ("headroom", "headroom_of_ceiling", "n_models"):
        settled = indicator.filter(pl.col("indicator") == name, pl.col("status") == "ok")
        states = states.join(
            settled.select("benchmark_id", pl.col("value").fill_nan(None).alias(name)), on="benchmark_id", how="left"
        )
    newest = _results(evidence).group_by("benchmark_id").agg(pl.col("result_on").max())
    return states.join(newest, on="benchmark_id", how="left").with_columns(
        *_room(),
        stage=pl.col("stage").fill_null(WAITING),
        models=pl.col("n_models").fill_null(0).cast(pl.Int64),
        dormant=pl.col("dormant").fill_null(value=False),
        unsure=pl.col("unsure").fill_null(value=False),
    )


def _room() -> tuple[pl.Expr, pl.Expr]:
    """What is left of the scale, and whether that is the least, as where chance is unknown."""
    is_known = pl.col("headroom").is_not_null()
    return (
        pl.coalesce("headroom", "headroom_of_ceiling").alias("headroom"),
        (~is_known & pl.col("headroom_of_ceiling").is_not_null()).alias("at_least"),
    )


def _last_row_until(grid: pl.DataFrame, rows: pl.DataFrame, day: str, *, keep: bool = False) -> pl.DataFrame:
    """The grid with the columns of each benchmark's last row of which the `day` is not after `on`."""
    ordered = rows.sort("benchmark_id", day).with_columns(pl.col(day).alias("_day"))
    joined = grid.join_asof(
        ordered if keep else ordered.drop(day),
        left_on="on",
        right_on="_day",
        by="benchmark_id",
        check_sortedness=False,
    )
    return joined.drop("_day", strict=False)


def _models(evidence: Evidence) -> pl.DataFrame:
    """How many models had a result by each day on which another had its first."""
    debut = (
        evidence.history.drop_nulls("dated_on")
        .group_by("benchmark_id", "model_id")
        .agg(dated_on=pl.col("dated_on").min())
    )
    each_day = debut.group_by("benchmark_id", "dated_on").agg(new=pl.len()).sort("benchmark_id", "dated_on")
    counted = each_day.with_columns(models=pl.col("new").cum_sum().over("benchmark_id").cast(pl.Int64))
    return counted.drop("new")


def _results(evidence: Evidence) -> pl.DataFrame:
    """The days on which each benchmark has a result, under whatever condition."""
    return evidence.reported.drop_nulls("dated_on").select("benchmark_id", result_on="dated_on").unique()


def _with_mentions(grid: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """By how many makers' documents of the year before each month's end mention the benchmark."""
    mention = evidence.mention.select("benchmark_id", "organisation", "mentioned_on")
    year = pl.duration(days=RECENT_DAYS)
    return (
        grid.select(_KEY)
        .join(mention, on="benchmark_id")
        .filter(pl.col("mentioned_on") <= pl.col("on"), pl.col("mentioned_on") > pl.col("on") - year)
        .group_by(_KEY)
        .agg(makers=pl.col("organisation").n_unique())
    )


def _is_dormant() -> pl.Expr:
    """An expression for the rule `dormant` of `verdict.rules`, as of the end of each month."""
    looked = pl.when(pl.col("known_until") < pl.col("on")).then("known_until").otherwise("on")
    silent = (looked - pl.col("result_on")).dt.total_days() / MONTH_DAYS > LIMITS.dormant_months
    return silent & (pl.col("makers").fill_null(0) < LIMITS.makers_mentioning)
