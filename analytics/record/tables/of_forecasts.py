"""The published tables of forecasts: what is expected, how good such forecasts were, and the record of those issued."""

from benchhealth.analytics.record.tables.declared import (
    Sharing,
    Table,
    count,
    day,
    flag,
    number,
    of_benchmark,
    percent,
    points,
    probability,
    schema_of,
    score,
    text,
)
from benchhealth.analytics.record.tables.shared import BENCHMARK_ID, HORIZON_MONTHS, N, interval

_POPULATION = text(
    "population", "The kind of benchmarks: on the stitched scale or off it, and more.", label="kind of benchmarks"
)
_METHOD = text("method", "The method of the forecast.")
_MADE_ON = day("made_on", "The day until which the benchmark was known.", label="made")
_TARGET_ON = day("target_on", "The day that it is about.", label="for")
_BEST = score("best", "The best score on the day that it was made.")
_CHANCE = probability("chance", "The chance that a stronger model is tested by then.")
_MEDIAN = score("median", "The best score expected, given that one is.")
_LOW80, _HIGH80 = (
    score("low80", "Lower end of the 80% interval."),
    score("high80", "Upper end of the 80% interval."),
)

_FORECAST = (
    _MADE_ON,
    _TARGET_ON,
    _POPULATION,
    _METHOD,
    _BEST,
    _CHANCE,
    _MEDIAN,
    _LOW80,
    _HIGH80,
)
ISSUED_COLUMNS = (
    BENCHMARK_ID,
    HORIZON_MONTHS,
    day("issued_on", "The day on which it was published.", label="issued"),
    text("generation", "The generation that it was published in."),
    *_FORECAST,
)
ISSUED = schema_of(ISSUED_COLUMNS)
"""A forecast as it is stored on the day on which it is published; nothing of it is ever changed."""

BACKCAST_COLUMNS = (
    BENCHMARK_ID,
    HORIZON_MONTHS,
    day("issued_on", "The day on which it would have been published.", label="as of"),
    *_FORECAST,
    flag("shown", "Whether it would have been published: such forecasts had proven skill by then, and it is narrow."),
)
BACKCAST = schema_of(BACKCAST_COLUMNS)
"""A forecast as it would have been made of what sources had said by a past day; nothing of it is ever changed."""

_OUTCOME = (
    text("state", "Whether it is due, and known."),
    flag("happened", "Whether a stronger model was tested in time."),
    score("outcome", "The best score on the day that it is about."),
    flag("inside", "Whether the outcome lies in the 80% interval."),
    score("error", "Distance of the outcome from what was expected."),
    score("persistence_error", "Distance of the outcome from the best of the day of the forecast."),
)

FORECAST_TABLES = (
    of_benchmark(
        "forecast",
        "a forecast of a benchmark's best score",
        (
            BENCHMARK_ID,
            _MADE_ON,
            _TARGET_ON,
            _METHOD,
            _MEDIAN,
            _LOW80,
            _HIGH80,
            HORIZON_MONTHS,
            _POPULATION,
            _CHANCE,
            _BEST,
            score(
                "regrade",
                "By how much its boards lowered scores that they had published, or others did; null where none does.",
            ),
        ),
        ("benchmark_id", "made_on", "target_on", "method"),
        Sharing.ITS_OWN,
        made_by="forecasts.forecast",
    ),
    Table(
        "forecast_skill",
        "a method on one part of the forecast and one kind of benchmarks: how good it was",
        (
            _METHOD,
            HORIZON_MONTHS,
            N,
            points("mae", "Mean absolute error.", label="error (points)"),
            number(
                "skill_vs_persistence",
                "1 - error to that of no change; below 0 is worse.",
                label="skill against persistence",
            ),
            number(
                "skill_vs_drift", "1 - error to that of a steady drift; below 0 is worse.", label="skill against drift"
            ),
            percent(
                "coverage80",
                "The share of outcomes inside the 80% interval; null of fewer than four stretches of time.",
                label="coverage",
            ),
            text("part", "The part of the forecast.", label="what"),
            _POPULATION,
            number("skill", "1 - error to that of the reference; below 0 is worse."),
            *interval(number, "skill"),
            number("brier", "Brier score of the chances.", label="Brier score"),
            number(
                "brier_of_base_rate",
                "Brier score of the rate at which it had happened before.",
                label="Brier score of the earlier rate",
            ),
            percent("coverage80_moved", "The same among outcomes that moved.", label="coverage where something moved"),
            count("n_covered", "Outcomes that the coverage rests on.", label="intervals"),
            count("n_benchmarks", "Benchmarks.", label="benchmarks"),
            count("n_families", "Families of benchmarks.", label="families"),
            count("n_stretches", "Stretches of time as long as the horizon.", label="stretches of time"),
            flag(
                "holds",
                "Whether it has proven better than its reference; a score is published only where it has.",
                label="proven",
            ),
            number(
                "skill_vs_half_shift",
                "1 - error to that of the method published before, on the same forecasts.",
                label="skill against the method before",
            ),
            *interval(number, "skill_vs_half_shift"),
        ),
        ("method", "horizon_months", "part", "population"),
        Sharing.POOLED,
        made_by="forecasts.forecast_skill",
    ),
    Table(
        "forecast_reliability",
        "a fifth of the chances that were given: how often it happened",
        (
            _POPULATION,
            HORIZON_MONTHS,
            probability("from_chance", "Lowest chance of the fifth."),
            probability("to_chance", "Highest chance of the fifth."),
            N,
            probability("expected", "Mean chance that was given."),
            percent("observed", "The share in which it happened."),
            *interval(percent, "observed"),
        ),
        ("population", "horizon_months", "from_chance"),
        Sharing.POOLED,
        made_by="forecasts.forecast_reliability",
    ),
    Table(
        "forecast_record",
        "a forecast that was issued, and what came of it",
        (
            *ISSUED_COLUMNS,
            *_OUTCOME,
        ),
        ("benchmark_id", "horizon_months", "issued_on"),
        Sharing.ITS_OWN,
    ),
    Table(
        "forecast_backcast",
        "a forecast as it would have been made on a past day of what was known then, and what came of it",
        (*BACKCAST_COLUMNS, *_OUTCOME),
        ("benchmark_id", "horizon_months", "issued_on"),
        Sharing.ITS_OWN,
    ),
    Table(
        "forecast_held",
        "a kind of backcast statements: how often they held, and how much they said",
        (
            text("what", "`interval`, the 80% interval of the best score, or `chance`, that of a stronger model."),
            HORIZON_MONTHS,
            flag("shown", "Whether they would have been published; empty: all together."),
            probability("least", "Lowest probability of the group."),
            probability("expected", "Mean probability that was said."),
            count("statements", "Statements whose outcome is known."),
            percent("held", "The share of them that held, or came true."),
            *interval(percent, "held"),
            count("benchmarks", "Benchmarks that they are of."),
            count("months", "Days on which they were made."),
            points("width", "Width of the interval, in the median, in points of the way from chance to the ceiling."),
            day("first_on", "The first day on which one was made.", label="from"),
            day("last_on", "The last day on which one was made.", label="until"),
        ),
        ("what", "horizon_months", "shown", "least"),
        Sharing.POOLED,
    ),
)
"""Tables of forecasts and of what came of them."""
