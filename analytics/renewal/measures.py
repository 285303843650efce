"""What each benchmark shows of the four things that are asked of renewal, one number a benchmark and measure."""

import polars as pl

HEADROOM_LOST = "headroom lost a year"
REPORTED = "contamination reported"
ANOMALY = "models with anomalous scores"
CHURN = "exchange beyond noise"
AGREEMENT = "rank agreement with a second measurement"
MEASURES = (HEADROOM_LOST, REPORTED, ANOMALY, CHURN, AGREEMENT)

SHORTEST_YEARS = 1.0
"""A rate over less than a year is mostly the first results coming in."""

SECOND_LOOKS = ("fresh sample", "live split", "independent rerun")
"""Twins that measure the same thing again; harder variants and other preparation are asked another question."""

_DAYS = 365.25
_BY_INDICATOR = {ANOMALY: "anomaly_share", CHURN: "turnover_excess_12m"}
SCHEMA = pl.Schema({"benchmark_id": pl.String(), "measure": pl.String(), "value": pl.Float64()})


def measures(facts: pl.DataFrame, indicator: pl.DataFrame, frontier: pl.DataFrame, twin: pl.DataFrame) -> pl.DataFrame:
    """Schema `SCHEMA`: every measure of every benchmark that has it.

    `facts` are benchmarks with `sign`, `floor` and `ceiling`, `frontier` the running bests (`benchmark_id`, `dated_on`,
    `score`), `indicator` and `twin` the tables of those names.
    """
    ok = indicator.filter(pl.col("status") == "ok")
    reported = ok.filter(pl.col("indicator") == "contamination_reports").select(
        "benchmark_id", measure=pl.lit(REPORTED), value=(pl.col("value") > 0).cast(pl.Float64)
    )
    shares = (
        ok.filter(pl.col("indicator") == name).select("benchmark_id", measure=pl.lit(measure), value="value")
        for measure, name in _BY_INDICATOR.items()
    )
    return pl.concat([_headroom_lost(facts, frontier), reported, *shares, _agreement(twin)]).cast(SCHEMA)


def _headroom_lost(facts: pl.DataFrame, frontier: pl.DataFrame) -> pl.DataFrame:
    """The share of the way from floor to ceiling that the running best went a year, first result to last day known.

    Nothing of a benchmark without floor and ceiling, of one watched for less than a year, or of one whose curve begins
    anew (a best below an earlier one: rules, data or scale changed in between).
    """
    room = (pl.col("ceiling") - pl.col("floor")).abs()
    ends = (
        frontier.sort("benchmark_id", "dated_on")
        .group_by("benchmark_id")
        .agg(
            first=pl.col("score").first(),
            last=pl.col("score").last(),
            lowest=pl.col("score").min(),
            highest=pl.col("score").max(),
            years=(pl.col("dated_on").last() - pl.col("dated_on").first()).dt.total_days() / _DAYS,
        )
        .join(facts.select("benchmark_id", "sign", "floor", "ceiling"), on="benchmark_id")
    )
    best = pl.when(pl.col("sign") > 0).then("highest").otherwise("lowest")
    usable = ends.filter(pl.col("years") >= SHORTEST_YEARS, room > 0, pl.col("last") == best)
    lost = (pl.col("last") - pl.col("first")) * pl.col("sign") / room / pl.col("years")
    return usable.select("benchmark_id", measure=pl.lit(HEADROOM_LOST), value=lost)


def _agreement(twin: pl.DataFrame) -> pl.DataFrame:
    """Kendall's tau of a benchmark with its second measurements, the mean where it has several."""
    looks = twin.filter(
        pl.col("kind").is_in(SECOND_LOOKS), pl.col("scale") == "linear", pl.col("kendall_tau").is_not_null()
    )
    benchmark = pl.col("original_id").str.split("/").list.first()
    return (
        looks.group_by(benchmark_id=benchmark)
        .agg(value=pl.col("kendall_tau").mean())
        .select("benchmark_id", measure=pl.lit(AGREEMENT), value="value")
    )
