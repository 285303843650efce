"""Does anybody still report, did anything still advance, and when did we last look?"""

import polars as pl

from analytics.record.evidence import Evidence, Indicator, Unless, months_between, settle
from analytics.statistics.errors import Z95

NO_RESULT = Unless(pl.col("newest").is_null(), "no model has a result")


def _newest(evidence: Evidence) -> pl.DataFrame:
    """The day of the `newest` of the `n` results of each benchmark."""
    return evidence.reported.group_by("benchmark_id").agg(newest=pl.col("dated_on").max(), n=pl.len())


def _elsewhere(evidence: Evidence, newest: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks that go on under another id (`successor_id`) and have a `later` result there than here."""
    here, there = newest.drop("n"), newest.select(successor_id="benchmark_id", later="newest")
    moved = evidence.successor.select("benchmark_id", "successor_id").join(there, on="successor_id")
    goes_on = pl.col("later") > pl.col("newest")
    return moved.join(here, on="benchmark_id").filter(goes_on).drop("newest")


def _since_result(evidence: Evidence) -> pl.DataFrame:
    """Of a benchmark that goes on under another id, whose newest result lies there, that one counts."""
    newest = _newest(evidence)
    rows = evidence.facts.join(newest, on="benchmark_id", how="left").join(
        _elsewhere(evidence, newest), on="benchmark_id", how="left"
    )
    goes_on = pl.col("later").is_not_null()
    moved = pl.format("newest result {}, recorded under {}; under this id {}", "later", "successor_id", "newest")
    return settle(
        rows,
        NO_RESULT,
        value=months_between(pl.max_horizontal("newest", "later"), pl.lit(evidence.as_of)),
        n=pl.col("n"),
        note=pl.when(goes_on).then(moved).otherwise(pl.format("newest result {}", "newest")),
    )


def _since_look(evidence: Evidence) -> pl.DataFrame:
    rows = evidence.facts.join(evidence.looked, on="benchmark_id", how="left")
    return settle(
        rows,
        Unless(pl.col("looked_on").is_null(), "none of its sources was ever fetched"),
        value=months_between(pl.col("looked_on"), pl.lit(evidence.as_of)),
        note=pl.format("last look {}", "looked_on"),
    )


def _reached(evidence: Evidence) -> pl.DataFrame:
    """The facts with `newest`, the first day on which the frontier was within error of where it stands now.

    `known` whether the error of every step is, `n` the steps.
    """
    ends = evidence.frontier.filter("carried").select("benchmark_id", end="merit", end_error="error")
    reach = Z95 * (pl.col("error") ** 2 + pl.col("end_error") ** 2).sqrt()
    within = pl.col("end") - pl.col("merit") <= reach
    reached = (
        evidence.frontier.join(ends, on="benchmark_id", how="left")
        .group_by("benchmark_id")
        .agg(
            newest=pl.col("dated_on").filter(within).min(),
            known=(pl.col("error").is_not_null() & pl.col("end_error").is_not_null()).all(),
            n=pl.col("carried").not_().sum(),
        )
    )
    elsewhere = _elsewhere(evidence, _newest(evidence))
    return evidence.facts.join(reached, on="benchmark_id", how="left").join(elsewhere, on="benchmark_id", how="left")


NO_CURVE = (
    Unless(pl.col("n").is_null(), "no model has a result"),
    Unless(
        pl.col("later").is_not_null(), pl.format("continued as {}: an advance would be recorded there", "successor_id")
    ),
    Unless(~pl.col("known"), "the standard error is not known for every step of the frontier"),
)


def _since_advance(evidence: Evidence) -> pl.DataFrame:
    return settle(
        _reached(evidence),
        *NO_CURVE,
        value=months_between(pl.col("newest"), pl.lit(evidence.as_of)),
        n=pl.col("n"),
        note=pl.format("within error of today's best since {}", "newest"),
    )


def _tries_since_advance(evidence: Evidence) -> pl.DataFrame:
    """Models with a result dated after the day that the frontier came within error of where it stands now."""
    rows = _reached(evidence)
    later = (
        evidence.past.select("benchmark_id", "model_id", "dated_on")
        .join(rows.select("benchmark_id", "newest"), on="benchmark_id")
        .filter(pl.col("dated_on") > pl.col("newest"))
        .group_by("benchmark_id")
        .agg(models=pl.col("model_id").n_unique(), results=pl.len())
    )
    tried = rows.join(later, on="benchmark_id", how="left").with_columns(pl.col("models", "results").fill_null(0))
    return settle(
        tried,
        *NO_CURVE,
        value=pl.col("models"),
        n=pl.col("results"),
        note=pl.format("{} results since {}, none of them an advance beyond error", "results", "newest"),
    )


def _age(evidence: Evidence) -> pl.DataFrame:
    return settle(
        evidence.facts,
        Unless(pl.col("released_on").is_null(), "release date unknown"),
        Unless(pl.col("released_on") > evidence.as_of, "not released yet"),
        value=months_between(pl.col("released_on"), pl.lit(evidence.as_of)),
        note=pl.format("released {}", "released_on"),
    )


SINCE_RESULT = Indicator(
    "months_since_result",
    "Months since the newest result",
    "From the date of the newest result to the day of the assessment; of a benchmark whose source ended while the "
    "measuring goes on under another id, the newest result there.",
    "dates as the sources give them; else the model's release; else the first snapshot that lists it",
    _since_result,
)
SINCE_LOOK = Indicator(
    "months_since_look",
    "Months since we looked",
    "From the last time any source of the benchmark was fetched to the day of the assessment.",
    "the ledger of snapshots",
    _since_look,
)
SINCE_ADVANCE = Indicator(
    "months_since_advance",
    "Months since the last advance beyond error",
    "From the first day on which the best score was within 1.96 standard errors of where it stands now.",
    "z test of two independent means",
    _since_advance,
)
TRIES_SINCE_ADVANCE = Indicator(
    "tries_since_advance",
    "Models tried since the last advance beyond error",
    "Models with a result dated after the first day on which the best score was within 1.96 standard errors of where "
    "it stands now: many say that the best is flat and not for want of trying, none that nobody tried.",
    "counted; the day by the z test of two independent means",
    _tries_since_advance,
)
AGE = Indicator("age_months", "Age in months", "From release to the day of the assessment.", "the registry", _age)
