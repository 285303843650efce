"""Does anybody still report, did anything still advance, and when did we last look?"""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, months_between, settle, with_known_until
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.statistics.errors import Z95

NO_RESULT = (
    Unless(pl.col("n").is_null(), "no_result"),
    Unless(pl.col("newest").is_null(), "no_dated_result"),
)


def _newest(evidence: Evidence) -> pl.DataFrame:
    """The day of the `newest` of the `n` results of each benchmark, null where none has a day."""
    return evidence.reported.group_by("benchmark_id").agg(newest=pl.col("dated_on").max(), n=pl.len())


def _since_result(evidence: Evidence) -> pl.DataFrame:
    return settle(
        with_known_until(evidence).join(_newest(evidence), on="benchmark_id", how="left"),
        *NO_RESULT,
        value=months_between(pl.col("newest"), pl.col("known_until")).clip(lower_bound=0),
        n=pl.col("n"),
        note=Case("newest_result", on_day="newest"),
    )


def _since_look(evidence: Evidence) -> pl.DataFrame:
    return settle(
        with_known_until(evidence),
        Unless(pl.col("known_until").is_null(), "never_looked_at"),
        value=months_between(pl.col("known_until"), pl.lit(evidence.as_of)),
        note="known_until",
    )


def _with_last_advance(evidence: Evidence) -> pl.DataFrame:
    """The facts with `newest`, the first day on which the frontier was within error of where it stands at the end.

    `known` whether the error of every step is, `n` the steps.
    """
    ends = evidence.frontier.filter("carried").select("benchmark_id", end="merit", end_error="error")
    reach = Z95 * (pl.col("error") ** 2 + pl.col("end_error") ** 2).sqrt()
    is_within = (pl.col("end") - pl.col("merit") <= reach) & ~pl.col("carried")
    reached = (
        evidence.frontier.join(ends, on="benchmark_id", how="left")
        .group_by("benchmark_id")
        .agg(
            newest=pl.col("dated_on").filter(is_within).min(),
            known=(pl.col("error").is_not_null() & pl.col("end_error").is_not_null()).all(),
            n=pl.col("carried").not_().sum(),
        )
    )
    return with_known_until(evidence).join(reached, on="benchmark_id", how="left")


NO_CURVE = (
    Unless(pl.col("n").is_null(), "no_result"),
    Unless(~pl.col("known"), "errors_of_steps_unknown"),
    Unless(pl.col("newest").is_null(), "best_undated"),
)


def _since_advance(evidence: Evidence) -> pl.DataFrame:
    return settle(
        _with_last_advance(evidence),
        *NO_CURVE,
        value=months_between(pl.col("newest"), pl.col("known_until")),
        n=pl.col("n"),
        note=Case("within_error_since", on_day="newest"),
    )


def _tries_since_advance(evidence: Evidence) -> pl.DataFrame:
    """Models first measured after the day that the frontier came within error of where it stands now.

    A model that is run again is no further try. Ratings are made anew of all models, so that their days say nothing of
    who tried.
    """
    rows = _with_last_advance(evidence)
    later = (
        evidence.history.select("benchmark_id", "model_id", "dated_on")
        .join(rows.select("benchmark_id", "newest"), on="benchmark_id")
        .filter(pl.col("dated_on").min().over("benchmark_id", "model_id") > pl.col("newest"))
        .group_by("benchmark_id")
        .agg(models=pl.col("model_id").n_unique(), results=pl.len())
    )
    tried = rows.join(later, on="benchmark_id", how="left").with_columns(pl.col("models", "results").fill_null(0))
    return settle(
        tried,
        Unless((pl.col("unit") == RATING).fill_null(value=False), "ratings_move", "not_applicable"),
        *NO_CURVE,
        value=pl.col("models"),
        n=pl.col("results"),
        note=Case("tries_since", on_day="newest"),
    )


def _age(evidence: Evidence) -> pl.DataFrame:
    return settle(
        with_known_until(evidence),
        Unless(pl.col("released_on").is_null(), "release_unknown"),
        Unless(pl.col("known_until").is_null(), "no_source"),
        Unless(pl.col("released_on") > pl.col("known_until"), "not_yet_released"),
        value=months_between(pl.col("released_on"), pl.col("known_until")),
        note=Case("released", on_day="released_on"),
    )


SINCE_RESULT = Indicator(
    "months_since_result",
    "Time since the newest result",
    "From the date of the newest result, in any condition, to the day until which the benchmark is known in the one by "
    "which it is judged; 0 where the result is newer.",
    "dates as the sources give them; else the model's release; else the snapshot in which a result first appears, "
    "unless it is the first look at its file",
    _since_result,
    unit=Unit.MONTHS,
)
SINCE_LOOK = Indicator(
    "months_since_look",
    "Time since the last look",
    "From the last day of our data on the benchmark to the day of the assessment. Data of a board or a collection "
    "reach to the last answer of its upstream; those of a copy made by others, of a paper and of a source that has "
    "ended to the newest version inside.",
    "the dates of the upstreams' own answers",
    _since_look,
    unit=Unit.MONTHS,
)
SINCE_ADVANCE = Indicator(
    "months_since_advance",
    "Time since the last advance beyond error",
    "From the first day on which the best score was within 1.96 standard errors of where it stands at the end, to the "
    "day until which the benchmark is known.",
    "z test of two independent means",
    _since_advance,
    unit=Unit.MONTHS,
)
TRIES_SINCE_ADVANCE = Indicator(
    "tries_since_advance",
    "Models tried since the last advance beyond error",
    "Models whose first result is dated after the day on which the best score came within 1.96 standard errors of "
    "where it stands at the end: many say that the best is flat and not for want of trying, none that nobody tried.",
    "counted; the day by the z test of two independent means",
    _tries_since_advance,
    unit=Unit.COUNT,
)
AGE = Indicator(
    "age_months",
    "Age",
    "From release to the day until which the benchmark is known.",
    "the registry",
    _age,
    unit=Unit.MONTHS,
)
