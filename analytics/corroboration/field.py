"""How far claims run ahead, over all curated benchmarks: what is ever confirmed, when, by how many months, and how."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import polars as pl

from benchhealth.analytics.corroboration.best_scores import STEP
from benchhealth.analytics.corroboration.classes import CONFIRMED, CONTRADICTED, LOWER, MEASURED, NOT_COMPARABLE
from benchhealth.analytics.corroboration.running_bests import OTHERS
from benchhealth.analytics.corroboration.standing_results import SELF
from benchhealth.analytics.record.evidence import MONTH_DAYS, months_between
from benchhealth.analytics.record.origins.sides import is_by_others, is_makers
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.survival.kaplan_meier import half_life, kaplan_meier
from benchhealth.analytics.statistics.units.clustered_share import clustered_share

CONFIRMED_SHARE, TESTED_SHARE, TESTABLE = "confirmed_share", "tested_share", "testable_share"
HELD, WITHIN_YEAR, LEAD = "held_share", "confirmed_within_12_months", "lead_months"
MEASURES = (CONFIRMED_SHARE, TESTED_SHARE, TESTABLE, HELD, WITHIN_YEAR, LEAD)
"""Of steps of the best score that a maker reports: the share that others confirm, or measured first; the share of which
others have any result of the same model; of those that they have none of, the share whose model others measured on
another curated benchmark (they could have); of those that were tested comparably, the share that held; the share
confirmed within twelve months, by Kaplan and Meier; and the median months until others measured as high a score of any
model, of the claims that were ahead of what others had measured."""

FEWEST_CLAIMS = 10
"""A year, domain or maker with fewer is one of OTHER."""

OTHER = "other"
_YEAR = 12.0
_SOON = 1 / MONTH_DAYS
"""Months that a claim counts for which was confirmed on its own day: a life must last."""


def claim_checks(  # noqa: PLR0913, PLR0917 - the tables that claims are counted in
    corroboration: pl.DataFrame,
    reporter_frontier: pl.DataFrame,
    standing: pl.DataFrame,
    benchmark_facts: pl.DataFrame,
    known_until: pl.DataFrame,
    model: pl.DataFrame,
) -> pl.DataFrame:
    """Table `claim_check`, of steps of the best score of curated benchmarks that makers report.

    The share that others confirm, or measured first, and the share of which others have any result of the same model;
    of those that they have none of, the share whose model somebody else measured on another curated benchmark: those
    could have been tested. Of those that were measured under the same condition, the share that held. Claims on one
    benchmark may go together (`clustered_share`); years, domains and makers with fewer than ten are pooled. The share
    confirmed within twelve months is Kaplan and Meier's, censored on the day until which the benchmark is known; so is
    the median time until others measured as high a score of any model, of claims that were ahead of what others had
    measured. These two take the claims for independent, so that their intervals are too narrow rather than too wide.
    """
    claims = _claims(corroboration, standing, benchmark_facts, known_until, model)
    rows = [*_shares(claims), *_confirmed_within_year(claims), *_leads(reporter_frontier, benchmark_facts)]
    schema = PUBLISHED["claim_check"]
    return pl.DataFrame(rows, schema=schema, orient="row").sort("measure", "subject_kind", "subject")


def _claims(
    corroboration: pl.DataFrame,
    standing: pl.DataFrame,
    facts: pl.DataFrame,
    known_until: pl.DataFrame,
    makers: pl.DataFrame,
) -> pl.DataFrame:
    """The steps that makers report, each with whether it was confirmed and with its groups."""
    tested = standing.filter(is_by_others()).select("model_id").unique().with_columns(elsewhere=pl.lit(value=True))
    return (
        corroboration.filter(pl.col("kind") == STEP, is_makers())
        .join(facts.select("benchmark_id", domain="domain_group"), on="benchmark_id", how="left")
        .join(makers.select("model_id", maker="organisation"), on="model_id", how="left")
        .join(known_until, on="benchmark_id", how="left")
        .join(tested, on="model_id", how="left")
        .with_columns(
            year=pl.col("dated_on").dt.year().cast(pl.String),
            confirmed=pl.col("class").is_in([CONFIRMED, MEASURED]),
            tested=pl.col("class").is_in([CONFIRMED, MEASURED, LOWER, CONTRADICTED, NOT_COMPARABLE]),
            comparable=pl.col("class").is_in([CONFIRMED, MEASURED, LOWER, CONTRADICTED]) & pl.col("reason").is_null(),
            elsewhere=pl.col("elsewhere").fill_null(value=False),
        )
    )


class Check(NamedTuple):
    """A row of the table `claim_check`: `value` with its 95% interval, over `n` claims, of which `events` count."""

    measure: str
    subject_kind: str
    subject: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    events: int


def _shares(claims: pl.DataFrame) -> Iterable[Check]:
    untested = claims.filter(~pl.col("tested"))
    comparable = claims.filter("comparable")
    for kind in ("all", "year", "domain", "maker"):
        for subject, rows in _groups(claims, kind):
            yield _share(CONFIRMED_SHARE, kind, subject, rows, "confirmed")
            yield _share(TESTED_SHARE, kind, subject, rows, "tested")
    yield _share(TESTABLE, "all", "", untested, "elsewhere")
    yield _share(HELD, "all", "", comparable, "confirmed")


def _groups(claims: pl.DataFrame, kind: str) -> Iterable[tuple[str, pl.DataFrame]]:
    if kind == "all":
        return [("", claims)]
    is_small = pl.len().over(kind) < FEWEST_CLAIMS
    named = claims.with_columns(
        pl.when(is_small | pl.col(kind).is_null()).then(pl.lit(OTHER)).otherwise(kind).alias("group")
    )
    return sorted((str(subject), rows) for (subject,), rows in named.group_by("group"))


def _share(measure: str, kind: str, subject: str, rows: pl.DataFrame, column: str) -> Check:
    """A share with its interval, the wider of two: claims on one benchmark may go together, and so may a maker's."""
    if rows.is_empty():
        return Check(measure, kind, subject, None, None, None, 0, 0)
    hits = rows[column].to_numpy()
    families = (rows["benchmark_id"], rows["maker"].fill_null(rows["model_id"]))
    shares, lows, highs = zip(*(clustered_share(hits, family.to_numpy()) for family in families), strict=True)
    return Check(measure, kind, subject, shares[0], min(lows), max(highs), rows.height, int(hits.sum()))


def _confirmed_within_year(claims: pl.DataFrame) -> Iterable[Check]:
    """The share confirmed within a year; one that is not is watched until its benchmark was last known."""
    watched = claims.filter(pl.col("dated_on").is_not_null()).with_columns(
        end=pl.when("confirmed")
        .then((pl.col("lag_days") / MONTH_DAYS).clip(lower_bound=_SOON))
        .otherwise(months_between(pl.col("dated_on"), pl.col("known_until")))
    )
    lives = watched.filter(pl.col("end") > 0)
    if lives.height < FEWEST_CLAIMS:
        yield Check(WITHIN_YEAR, "all", "", None, None, None, lives.height, 0)
        return
    curve = _curve(lives["end"], lives["confirmed"])
    after_a_year = curve.filter(pl.col("months") <= _YEAR).tail(1).row(0, named=True)
    ends = 1 - after_a_year["share"], 1 - after_a_year["high"], 1 - after_a_year["low"]
    yield Check(WITHIN_YEAR, "all", "", *ends, lives.height, int(lives["confirmed"].sum()))


def _leads(reporter_frontier: pl.DataFrame, facts: pl.DataFrame) -> Iterable[Check]:
    """The median time by which claims are ahead of what others measured, of any model; not yet reached is censored."""
    steps = reporter_frontier.join(facts.select("benchmark_id", "sign"), on="benchmark_id")
    merit = pl.col("score") * pl.col("sign")
    independent = steps.filter(pl.col("reporter") == OTHERS).select("benchmark_id", "carried", by=merit, on="dated_on")
    ends = independent.filter("carried").select("benchmark_id", end="on")
    claimed = steps.filter(pl.col("reporter") == SELF, ~pl.col("carried")).select(
        "benchmark_id", "dated_on", merit=merit
    )
    reached = (
        claimed.join(independent.filter(~pl.col("carried")), on="benchmark_id")
        .filter(pl.col("by") >= pl.col("merit"))
        .group_by("benchmark_id", "dated_on", "merit")
        .agg(reached_on=pl.col("on").min())
    )
    lives = (
        claimed.join(ends, on="benchmark_id")
        .join(reached, on=["benchmark_id", "dated_on", "merit"], how="left")
        .with_columns(months=months_between(pl.col("dated_on"), pl.coalesce("reached_on", "end")))
        .filter(pl.col("months") > 0)
    )
    if lives.height < FEWEST_CLAIMS:
        yield Check(LEAD, "all", "", None, None, None, lives.height, 0)
        return
    half = half_life(_curve(lives["months"], lives["reached_on"].is_not_null()))
    yield Check(LEAD, "all", "", *half, lives.height, lives["reached_on"].drop_nulls().len())


def _curve(end: pl.Series, met: pl.Series) -> pl.DataFrame:
    return kaplan_meier(np.zeros(len(end)), end.to_numpy().astype(np.float64), met.to_numpy())
