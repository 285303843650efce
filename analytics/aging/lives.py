"""Benchmarks as lives: from release, through the first result that we know of, to saturation or the last look."""

import polars as pl

from benchhealth.analytics.record.evidence import MONTH_DAYS, Evidence, months_between
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.record.tables.columns import COUNT, DAY, FLAG, NUMBER, TEXT, TEXTS, by_type
from benchhealth.analytics.verdict.thresholds import LIMITS

OVERALL = "all"
RELEASED = ((None, 2018, "to 2018"), (2019, 2021, "2019 to 2021"), (2022, None, "from 2022"))
"""First and last year of a release cohort: before GLUE and SuperGLUE were passed, after, and since chat models."""

ITEMS = ((None, 499, "under 500"), (500, 1_999, "500 to 1,999"), (2_000, None, "2,000 and more"))
"""Classes of test sets: 95% intervals of half a score of 50% are wider than 4.4, wider than 2.2, and narrower."""

CHOICE = 0.05
"""A chance of a twentieth or more is that of picking among options; below it answers are written."""

LIFE = by_type(
    (TEXT, "benchmark_id family case"),
    (DAY, "released_on entry_on exit_on"),
    (NUMBER, "entry exit"),
    (FLAG, "died abandoned"),
    (TEXTS, "cohorts"),
    (TEXT, "domain labels refresh"),
    (COUNT, "n_items"),
    (TEXT, "format"),
)
"""One benchmark's life in months of 30.44 days since release: `entry` when it was first watched, `exit` when it was
last seen or saturated, `died` whether it saturated, `abandoned` whether it became dormant instead, every cohort it
belongs to, and the traits they are of. `case` is one of CASES; what is not WATCHED has no `entry` or no length."""

WATCHED = "watched"
AT_ONCE, ONLY_JUST = "saturated_at_once", "only_just"
NO_BEGINNING, NO_RELEASE, NO_CHANCE, OPEN_ENDED, NO_ROOM = (
    "no_beginning",
    "release_unknown",
    "chance_unknown",
    "open_ended",
    "no_room",
)
CASES = (WATCHED, AT_ONCE, ONLY_JUST, NO_BEGINNING, NO_RELEASE, NO_CHANCE, OPEN_ENDED, NO_ROOM)
"""Whether a benchmark counts in the curves, and if not why: it was saturated on the first day on which a verdict on it
was possible, so that it was never seen alive; no verdict on it was possible before the last day of which anything is
known; the days of its results do not say since when it has its stage; its release, or its chance level, is not known;
its score has no end; its ceiling is not above chance.
"""

_JUDGED = ("discriminating", "compressing", "saturated")
"""The stages in which a benchmark can be seen alive or not."""


def lives(evidence: Evidence, verdict: pl.DataFrame, history_by_date: pl.DataFrame, frames: Frames) -> pl.DataFrame:
    """The lives of all whole benchmarks on which a verdict is possible, and of those that do not count the reason.

    All of it is read from the history of stages by date, so that who is saturated by the verdict
    is dead, and nobody else. A benchmark is watched from the first day on which a verdict on it was possible: five
    models, and three months of age. It dies on the day since which the verdict calls it saturated: the first day of the
    last stretch, without the part of it that later progress took back. A stretch that ended was no death, as the
    benchmark measured again. That is known only by now: of two that were saturated for as long, the one that is
    young may still come back.

    One that was saturated on the first day of its watch was never seen alive and says nothing about the months before:
    it has `exit` equal to `entry`. A life is censored on the day until which the benchmark is known, or on the one on
    which it became dormant: after a year without a result nobody knows what would be scored; such a one is `abandoned`.
    To censor it at its last result would be to look ahead, as on that day nobody could tell that it was the last. Where
    no ceiling is known it is the metric's maximum. `family` is that of data/registry/family.csv, else its own.
    """
    since = verdict.filter(pl.col("stage").is_in(_JUDGED)).select(
        "benchmark_id", death=pl.when(pl.col("stage") == "saturated").then("since"), dated=pl.col("since").is_not_null()
    )
    first = (
        history_by_date.filter(pl.col("stage").is_in(_JUDGED))
        .group_by("benchmark_id")
        .agg(entry_on=pl.col("from_on").min())
    )
    maximum = pl.when(pl.col("sign") > 0).then(1.0).otherwise(0.0)
    facts = evidence.facts.filter(is_whole()).with_columns(
        room=(pl.coalesce("ceiling", maximum) - pl.col("floor")) * pl.col("sign"), domain="domain_group"
    )
    dated = (
        facts.join(since, on="benchmark_id")
        .join(first, on="benchmark_id", how="left")
        .join(_watched_until(evidence.history, evidence.known_until), on="benchmark_id", how="left")
        .join(frames.family.select("benchmark_id", "family"), on="benchmark_id", how="left")
        .with_columns(exit_on=pl.max_horizontal(pl.coalesce("death", "watched"), "entry_on"))
        .with_columns(case=_case(), family=pl.coalesce("family", "benchmark_id"))
    )
    released, counts = pl.col("released_on"), pl.col("case").is_in([WATCHED, AT_ONCE, ONLY_JUST])
    counted = [pl.when(counts).then(name).alias(name) for name in ("entry_on", "exit_on")]
    return (
        dated.with_columns(counted)
        .with_columns(
            entry=months_between(released, pl.col("entry_on")),
            exit=months_between(released, pl.col("exit_on")),
            died=counts & pl.col("death").is_not_null(),
            abandoned=counts & pl.col("dormant") & pl.col("death").is_null(),
            cohorts=_cohorts(),
            format=_format(),
        )
        .sort("benchmark_id")
        .match_to_schema(LIFE, extra_columns="ignore")
    )


def _case() -> pl.Expr:
    return first_case(
        (OPEN_ENDED, ~pl.col("bounded")),
        (NO_BEGINNING, ~pl.col("dated")),
        (NO_RELEASE, pl.col("released_on").is_null()),
        (NO_CHANCE, pl.col("room").is_null()),
        (NO_ROOM, pl.col("room") <= 0),
        (WATCHED, pl.col("exit_on") > pl.col("entry_on")),
        (AT_ONCE, pl.col("death").is_not_null()),
        (ONLY_JUST, ALWAYS),
    )


def life_table(lives: pl.DataFrame) -> pl.DataFrame:
    """Table `life`: the lives without their traits."""
    fate = first_case(("saturated", pl.col("died")), ("abandoned", pl.col("abandoned")), ("in_use", ALWAYS))
    counts = pl.col("entry_on").is_not_null()
    with_fate = lives.with_columns(fate=pl.when(counts).then(fate))
    return with_fate.match_to_schema(PUBLISHED["life"], extra_columns="ignore")


def _watched_until(history: pl.DataFrame, known_until: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark `watched`, the last day on which it was known and not dormant, and whether it is `dormant`."""
    lapse = pl.duration(days=round(LIMITS.dormant_months * MONTH_DAYS))
    newest = history.drop_nulls("dated_on").group_by("benchmark_id").agg(dormant_on=pl.col("dated_on").max() + lapse)
    return newest.join(known_until, on="benchmark_id").select(
        "benchmark_id",
        watched=pl.min_horizontal("known_until", "dormant_on"),
        dormant=pl.col("dormant_on") <= pl.col("known_until"),
    )


def watched_lives(life: pl.DataFrame) -> pl.DataFrame:
    """The lives that were watched for any time at all; the others tell nothing about when benchmarks die."""
    return life.filter((pl.col("exit") > pl.col("entry")).fill_null(value=False))


def _cohorts() -> pl.Expr:
    """Every cohort that a row of the facts belongs to; an unknown attribute adds no cohort."""
    return pl.concat_list(
        pl.lit(OVERALL),
        "released: " + class_of(pl.col("released_on").dt.year(), RELEASED),
        "domain: " + pl.col("domain"),
        "labels: " + pl.col("labels"),
        "refresh: " + pl.col("refresh"),
        "items: " + class_of(pl.col("n_items"), ITEMS),
        "format: " + _format(),
    ).list.drop_nulls()


def _format() -> pl.Expr:
    return pl.when(pl.col("floor") >= CHOICE).then(pl.lit("choice")).otherwise(pl.lit("open answer"))


def class_of(value: pl.Expr, classes: tuple[tuple[int | None, int | None, str], ...]) -> pl.Expr:
    """The name of the class (first value, last value, name) that a number falls into; null where it is unknown."""
    named = pl.lit(None, dtype=pl.String)
    for low, high, name in classes:
        inside = value.is_not_null()
        if low is not None:
            inside &= value >= low
        if high is not None:
            inside &= value <= high
        named = pl.when(inside).then(pl.lit(name)).otherwise(named)
    return named
