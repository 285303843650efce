"""The one history of stages: from which day until which other a benchmark had each, by the days that results are of."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.saturation.headroom import end_of_frontier
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.verdict.thresholds import RULES_VERSION

BY_DATE, KNOWN_THEN, SAME_SOURCES = "by date", "known then", "same sources"
"""The bases of a history. By date each result is taken for known from its own day on, whenever anybody saw it, and the
rules and curated facts are today's. Known then is what the ledger of verdicts holds (`known_then.ledger`): on each of
its days what sources had said by then, of all sources, or of those alone that had spoken by its first day, so that a
source which was taken up later moves nothing."""

SATURATED = "saturated"
BEFORE_RESULTS = "room_and_order_unknown"
"""The case of the rules of a benchmark that is released and has no result."""

CROSSED, FIRST_DAY, MARGIN, FIFTH_MODEL, GROWN_UP = "crossed", "first_day", "margin", "fifth_model", "grown_up"
OTHERS_STOPPED, RISEN = "others_stopped", "risen"
SINCE_CASES = (CROSSED, FIRST_DAY, MARGIN, FIFTH_MODEL, GROWN_UP, OTHERS_STOPPED, RISEN)
"""How the day is set on which a stretch begins: its numbers were others before; it is the first day that has results;
the numbers had passed the limits before, but not by their margin; they had, but with fewer models than a verdict needs
(the day is that of the fifth); they had, but the benchmark was too young for a verdict; until then verdicts read what
others than the makers measured, who have stopped, so that from that day on they read what makers report; the rules
called it saturated before, but progress after that day showed that it was not (`taken_back`)."""

WAITED = (MARGIN, FIFTH_MODEL, GROWN_UP, RISEN)
"""The cases in which the numbers alone would have made the stage before."""

RELEASED = "released"
"""How a stretch begins in which nobody has measured the benchmark yet."""

RATED, UNDATED, UNDATED_DECIDES, REMEMBERED = "rated", "undated", "undated_decides", "remembered"
WITHOUT_BEGINNING = (RATED, UNDATED, UNDATED_DECIDES, REMEMBERED)
"""Why the present stage has no first day: ratings of earlier days are no results that stand; no result has a day; those
that have one make another stage than all do; the stage is kept within a margin from a state of the board that the days
of its results do not give."""

TAKEN_BACK = 0.5
"""More than this share of what was left is gone since, beyond error: it was no end of the scale."""


def history_by_date(judged: pl.DataFrame, replayed: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The rows of table `verdict_history` with basis BY_DATE: for each benchmark and stretch of days in one stage.

    The stages are replayed: today's rules, limits and margins on the results that are dated until each
    month's end, on today's facts of the benchmark, its condition of today and the sources of today. Before the first
    result, from the release on, nothing is known. The last stretch is the verdict, `judged`; where the replay of all
    that is dated makes another stage, or nothing is dated, it is the only one and has no beginning (`how` says why).

    A saturated stretch is `taken_back` until the last day after which more than half of what was then left of the scale
    was removed by an advance beyond error (1.96 standard errors of the difference): who progressed so far was not at
    the end. The verdict holds from there on. Only the stretch that lasts can be judged so, as one that ended is over
    by the rules themselves, and a day's stage is never changed by it: what is taken back stays in the table as such.
    """
    today = judged.select("benchmark_id", "flags", "p", now="stage")
    days = replayed.join(today, on="benchmark_id", how="semi")
    last = days.group_by("benchmark_id", maintain_order=True).last()
    agreed = last.join(today, on="benchmark_id").filter(pl.col("stage") == pl.col("now"))
    agreed_days = _with_taken_back(days.join(agreed, on="benchmark_id", how="semi", maintain_order="left"), evidence)
    stretches = _stretches(_with_how(agreed_days))
    rows = pl.concat(
        [_before_results(stretches, evidence), stretches, _not_replayed(today, last, agreed, evidence)],
        how="diagonal_relaxed",
    ).sort("benchmark_id", "from_on", nulls_last=True)
    until = pl.col("from_on").shift(-1).over("benchmark_id")
    is_last = (pl.col("benchmark_id") != pl.col("benchmark_id").shift(-1)).fill_null(value=True)
    return (
        rows.join(today, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(
            until_on=until,
            flags=pl.when(is_last).then("flags").otherwise(pl.lit([], dtype=pl.List(pl.String))),
            taken_back=pl.col("taken_back").fill_null(value=False),
            p=pl.when(is_last).then("p"),
            basis=pl.lit(BY_DATE),
            rules_version=pl.lit(RULES_VERSION),
            backcast=pl.lit(value=False),
        )
        .match_to_schema(PUBLISHED["verdict_history"], extra_columns="ignore")
    )


def _with_taken_back(days: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The days with `taken_back`: saturated by the rules until today, and no more so after what came later."""
    key = "benchmark_id"
    tops = end_of_frontier(evidence).select(key, "top", "sign")
    ends = days.group_by(key).agg(pl.col("stage", "score", "error").last().name.suffix("_now"))
    beside = days.join(tops, on=key, how="left", maintain_order="left").join(
        ends, on=key, how="left", maintain_order="left"
    )
    gained = (pl.col("score_now") - pl.col("score")) * pl.col("sign")
    left = (pl.col("top") - pl.col("score")) * pl.col("sign")
    beyond_error = gained > Z95 * (pl.col("error") ** 2 + pl.col("error_now") ** 2).sqrt()
    risen = ((left > 0) & (gained > TAKEN_BACK * left) & beyond_error).fill_null(value=False)
    compared = beside.with_columns(ended=pl.col("stage") != pl.col("stage_now"), risen=risen)
    until_now = {name: pl.col(name).reverse().cum_sum().reverse().over(key) for name in ("ended", "risen")}
    lasts, risen_later = until_now["ended"] == 0, until_now["risen"] > 0
    return compared.with_columns(taken_back=lasts & (pl.col("stage") == SATURATED) & risen_later)


def _with_how(days: pl.DataFrame) -> pl.DataFrame:
    """The days with `how` a stretch that began then would be set, and `reached_on`, which says what the day before was.

    Where it is not the day of the change itself (WAITED), `reached_on` is the day from which the numbers alone would
    have made the stage.
    """
    key = "benchmark_id"
    eve = {name: pl.col(name).shift(1).over(key) for name in ("stage", "plain", "unawaited", "is_few", "by_others")}
    stage = pl.col("stage")
    how_set = first_case(
        (FIRST_DAY, eve["plain"].is_null()),
        (RISEN, pl.col("taken_back").shift(1).over(key) & ~pl.col("taken_back") & (eve["stage"] == stage)),
        (MARGIN, eve["plain"] == stage),
        (OTHERS_STOPPED, eve["by_others"] & ~pl.col("by_others")),
        (CROSSED, eve["unawaited"] != stage),
        (FIFTH_MODEL, eve["is_few"]),
        (GROWN_UP, ALWAYS),
    )
    runs = days.with_columns(numbers_run=pl.col("unawaited").rle_id().over(key), stage_run=stage.rle_id().over(key))
    reached = pl.col("on").min().over(key, "numbers_run").shift(1).over(key)
    began = pl.col("on").min().over(key, "stage_run")
    dated = runs.with_columns(how=how_set, reached=reached, began=began)
    return dated.with_columns(
        reached_on=pl.when(pl.col("how") == RISEN).then("began").when(pl.col("how").is_in(WAITED)).then("reached")
    )


def _stretches(days: pl.DataFrame) -> pl.DataFrame:
    """Unbroken runs of one stage, taken back or not, with the numbers of their first and of their last day."""
    key = "benchmark_id"
    run = pl.struct("stage", "taken_back").rle_id().over(key)
    return (
        days.with_columns(run=run)
        .group_by(key, "run", maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in ("stage", "taken_back", "case", "how", "reached_on", "condition")),
            from_on=pl.col("on").first(),
            headroom=pl.col("headroom").first(),
            best=pl.col("score").first(),
            best_model=pl.col("model_id").first(),
            headroom_end=pl.col("headroom").last(),
            best_end=pl.col("score").last(),
            best_model_end=pl.col("model_id").last(),
            condition_end=pl.col("condition").last(),
        )
        .drop("run")
    )


def _before_results(stretches: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """From the release to the first day that has a result."""
    first = stretches.group_by("benchmark_id").agg(first=pl.col("from_on").min())
    return (
        evidence.facts.select("benchmark_id", from_on="released_on")
        .join(first, on="benchmark_id")
        .filter(pl.col("from_on") < pl.col("first"))
        .select(
            "benchmark_id",
            "from_on",
            stage=pl.lit("unknown"),
            case=pl.lit(BEFORE_RESULTS),
            how=pl.lit(RELEASED),
        )
    )


def _not_replayed(today: pl.DataFrame, last: pl.DataFrame, agreed: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """The present stage of those that the replay does not give, and why."""
    replayed = last.select("benchmark_id", "plain", dated=pl.lit(value=True))
    is_rated = (pl.col("unit") == RATING).fill_null(value=False)
    why = first_case(
        (RATED, is_rated),
        (UNDATED, pl.col("dated").is_null()),
        (REMEMBERED, pl.col("plain") == pl.col("now")),
        (UNDATED_DECIDES, ALWAYS),
    )
    return (
        today.join(agreed, on="benchmark_id", how="anti")
        .join(replayed, on="benchmark_id", how="left")
        .join(evidence.facts.select("benchmark_id", "unit"), on="benchmark_id", how="left")
        .select("benchmark_id", stage="now", how=why, from_on=pl.lit(None, dtype=pl.Date))
    )
