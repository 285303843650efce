"""Will it last another year, as far as a forecast that has proven itself says?"""

import polars as pl

from benchhealth.analytics.answers.cases import AssessedTables, Case, Question, only
from benchhealth.analytics.forecast.basis import PLACE_OF_SHOWN, Display
from benchhealth.analytics.forecast.record import ON_SCALE
from benchhealth.analytics.record.tables.case import ALWAYS, first_case

YEAR = 12
"""The horizon in months: of the two that are forecast the longer."""

CASES = (
    Case("beyond_a_year", "yes", "in four of five such cases its room lasts longer than a year"),
    Case("beyond_ten_years", "yes", "at the expected rate its room lasts longer than ten years"),
    Case("about_a_year", "partly", "the interval of when its room is used up holds the end of the year"),
    Case("within_a_year", "no", "in four of five such cases its room is used up within a year"),
    Case("used_up", "no", "its room is used up already"),
    Case("at_limit", "partly", "its room is below the limit by less than error or the margin of the verdicts"),
    Case("anywhere", "unknown", "the interval is so wide that the best could be anywhere", "looked_too_weakly"),
    Case("chance_unknown", "unknown", "chance is not known, so neither is how long its room lasts", "nobody_looked"),
    Case("day_passed", "unknown", "the last look is more than a year ago", "nobody_looked"),
    Case("chance_only", "unknown", "only the chance of a stronger model is forecast", "looked_too_weakly"),
    Case("chance_beaten", "unknown", "only the chance of a better score is forecast", "looked_too_weakly"),
    Case("no_skill", "unknown", "no forecast of its kind has proven itself", "looked_too_weakly"),
    Case("no_curve", "unknown", "no dated results of a year, fewer than five, or a part", "nobody_looked"),
    Case("open_ended", "unknown", "a scale without a ceiling is never used up", "cannot_be_asked"),
)


def find(tables: AssessedTables) -> pl.DataFrame:
    """`value` is the months from `on_day` until the room is used up, `low` and `high` its 80% interval.

    Where chance is not known it is counted from the worst possible score, so it is the least: `bound` is `at_least`.
    Whether the room is used up already is the answer `room`, which has its error and its margin; the forecast has not.

    That is if a stronger model is tested every year; `second` is the chance that one is tested within a year (off the
    capability scale: that the best is beaten), `n` the earlier forecasts of its kind that the method was tried on.
    """
    outlook = tables.full_evidence.outlook.filter(pl.col("horizon_months") == YEAR).select(
        *("benchmark_id", "population", "chance", "median", "wait", "wait_low", "wait_high"),
        on_day="made_on",
        n="n",
        shown=pl.col("basis").list.get(PLACE_OF_SHOWN, null_on_oob=True),
    )
    rows = tables.rows.join(outlook, on="benchmark_id", how="left", maintain_order="left")
    has_median, high = pl.col("median").is_not_null(), pl.col("wait_high").fill_null(float("inf"))
    has_chance = pl.col("chance").is_not_null()
    is_least = pl.col("headroom").is_null() & pl.col("headroom_min").is_not_null()
    case = first_case(
        ("used_up", pl.col("is_nearly_exhausted")),
        ("open_ended", ~pl.col("bounded") & pl.col("headroom_min").is_null() & pl.col("unit").is_not_null()),
        ("beyond_ten_years", has_median & pl.col("wait").is_infinite()),
        ("beyond_a_year", has_median & (pl.col("wait_low") > YEAR)),
        ("chance_unknown", has_median & is_least),
        ("at_limit", has_median & (pl.col("wait") <= 0)),
        ("within_a_year", has_median & (high <= YEAR)),
        ("about_a_year", has_median),
        ("anywhere", pl.col("shown") == Display.ANYWHERE),
        ("day_passed", pl.col("shown") == Display.PASSED),
        ("chance_only", has_chance & pl.col("population").str.starts_with(ON_SCALE)),
        ("chance_beaten", has_chance),
        ("no_skill", pl.col("on_day").is_not_null()),
        ("no_curve", ALWAYS),
    )
    has_wait = pl.col("case").is_in(["beyond_a_year", "about_a_year", "within_a_year"])
    second = pl.col("chance")
    return rows.with_columns(case=case).select(
        "benchmark_id",
        "case",
        "on_day",
        value=only(has_wait, pl.col("wait")),
        low=only(has_wait & pl.col("wait_low").is_finite(), pl.col("wait_low")),
        high=only(has_wait & pl.col("wait_high").is_finite(), pl.col("wait_high")),
        unit=only(has_wait, pl.lit("months")),
        bound=only(has_wait & is_least, pl.lit("at_least")),
        n="n",
        n_of=only(pl.col("n").is_not_null(), pl.lit("forecasts")),
        second=second,
        second_unit=only(second.is_not_null(), pl.lit("share")),
        evidence=only(has_wait, pl.concat_list(pl.lit("indicator/months_to_tenth_of_headroom"))),
    )


OUTLOOK = Question("outlook", CASES, find)
