"""Verdicts that were taken back: published on a day for which today's facts give another stage."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.steps import EDIT_AT_LEAST
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.record.tables.of_verdicts import CAUSES
from benchhealth.analytics.statistics.units.clustered_share import clustered_share
from benchhealth.analytics.verdict.known_then.ledger import FROM_THE_START, stretches

HOLDS, MOVED_ON, TAKEN_BACK, UNJUDGED = "holds", "moved_on", "taken_back", "unjudged"
"""The fate of a stage that was published: it is still published; another followed, and by what is known now this one
was right on its last day, so the benchmark moved on; by what is known now it was another stage on that day already; no
dated result can tell."""

RULES, NAMES, EDITS, LATE, FACTS = CAUSES
"""Why it was taken back, the first that holds: the rules had changed by then; the best score has another model's name;
it was changed or withdrawn; results of that day or before were seen only later; or what is held to be true of the
benchmark or of its conditions has changed, or undated results count to one and not to the other."""

ANY, ALL, CURATED = "any", "all", "curated"


def revisions(verdicts_then: pl.DataFrame, history_by_date: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """Table `verdict_revision`: a row for each stretch of the ledger in one stage, but for unknown ones.

    Each is held against the history by date, which rests on all that is known now. Where another stage was said next
    and the history by date has the first one on the last day that it was said, the benchmark itself has moved on since.
    Where it has another stage on that day already, the verdict was taken back: no reader could have known, or what was
    read has been changed. The causes are tried in their order. What is still said can be taken back yet.

    `lag` is the days from the one on which a stage began, by what is known now, to the first day of the ledger that has
    it. Where the ledger was backcast it holds ends of months, so that `lag` is up to a month too long. Over all sources
    it measures above all when a source was added; over those alone that had spoken by the first day it does not.
    """
    published = stretches(verdicts_then).filter(pl.col("stage") != "unknown")
    by_date = history_by_date.drop_nulls("from_on").select(
        "benchmark_id", "from_on", "until_on", stage_by_date="stage", began_on="from_on"
    )
    last = _stretches_by_date(published, by_date, "last_on").select("benchmark_id", "basis", "last_on", "stage_by_date")
    first = _stretches_by_date(published, by_date, "from_on").filter(pl.col("stage") == pl.col("stage_by_date"))
    began = first.select("benchmark_id", "basis", "from_on", "began_on")
    beside = (
        published.join(last, on=["benchmark_id", "basis", "last_on"], how="left")
        .join(began, on=["benchmark_id", "basis", "from_on"], how="left")
        .join(_seen_later(published, evidence), on=["benchmark_id", "basis", "last_on"], how="left")
        .join(_best_score_standing(published, evidence), on=["benchmark_id", "basis", "last_on"], how="left")
        .with_columns(pl.col("late", "under_another_name").fill_null(0))
    )
    judged = beside.with_columns(
        fate=_fate(),
        days=(pl.col("until_on") - pl.col("from_on")).dt.total_days(),
        lag=pl.when(pl.col("how") != FROM_THE_START).then((pl.col("from_on") - pl.col("began_on")).dt.total_days()),
    ).with_columns(cause=pl.when(pl.col("fate") == TAKEN_BACK).then(_cause()))
    in_order = judged.sort("benchmark_id", "basis", "from_on")
    return in_order.match_to_schema(PUBLISHED["verdict_revision"], extra_columns="ignore")


def _stretches_by_date(published: pl.DataFrame, by_date: pl.DataFrame, day: str) -> pl.DataFrame:
    """The published stretches, each beside the stage by date of its benchmark on that day."""
    begun = by_date.rename({"from_on": "begun"}).sort("begun").drop("until_on")
    return published.sort(day).join_asof(
        begun, left_on=day, right_on="begun", by="benchmark_id", check_sortedness=False
    )


def _seen_later(published: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """How many results that stand are of the last day or before and were first seen after it."""
    key = ["benchmark_id", "basis", "last_on"]
    dated_results = evidence.history.drop_nulls("dated_on").select("benchmark_id", "dated_on", "seen_by")
    pairs = published.select(key).join(dated_results, on="benchmark_id")
    return (
        pairs.filter(pl.col("dated_on") <= pl.col("last_on"), pl.col("seen_by") > pl.col("last_on"))
        .group_by(key)
        .agg(late=pl.len().cast(pl.Int64))
    )


def _best_score_standing(published: pl.DataFrame, evidence: Evidence) -> pl.DataFrame:
    """Whether the best score of the last day stands, and how many other models have that very score by now."""
    key = ["benchmark_id", "basis", "last_on"]
    results = evidence.history.select("benchmark_id", "model_id", "score", "seen_by")
    bests = published.drop_nulls("best_end").select(*key, "best_end", "best_model_end")
    is_near = (pl.col("score") - pl.col("best_end")).abs() <= EDIT_AT_LEAST * pl.max_horizontal(
        pl.col("best_end").abs(), pl.lit(1.0)
    )
    is_named, is_there = pl.col("model_id") == pl.col("best_model_end"), pl.col("model_id").is_not_null()
    return (
        bests.join(results, on="benchmark_id", how="left")
        .group_by(key)
        .agg(
            best_stands=(is_named & is_near).fill_null(value=False).any(),
            under_another_name=(
                (is_near & ~is_named & (pl.col("seen_by") <= pl.col("last_on"))).fill_null(value=False).sum()
                * ~(is_named & is_there).fill_null(value=False).any()
            ).cast(pl.Int64),
        )
    )


def _fate() -> pl.Expr:
    return first_case(
        (HOLDS, pl.col("until_on").is_null()),
        (UNJUDGED, pl.col("stage_by_date").is_null() | (pl.col("stage_by_date") == "unknown")),
        (MOVED_ON, pl.col("stage_by_date") == pl.col("stage")),
        (TAKEN_BACK, ALWAYS),
    )


def _cause() -> pl.Expr:
    return first_case(
        (RULES, pl.col("rules_after") != pl.col("rules_version")),
        (NAMES, pl.col("under_another_name") > 0),
        (EDITS, ~pl.col("best_stands")),
        (LATE, pl.col("late") > 0),
        (FACTS, ALWAYS),
    )


def revision_counts(
    verdict_revision: pl.DataFrame, verdicts_then: pl.DataFrame, benchmark_facts: pl.DataFrame
) -> pl.DataFrame:
    """Table `verdict_revision_count`: for each basis and stage how many were taken back, and the median lag.

    Shares with 95% intervals, stretches of one benchmark going together. A lag counts where the stage began, by what is
    known now, after the first day of the ledger: of one that began before it, nobody can tell on which day it was
    first known.
    """
    curated = benchmark_facts.filter("curated").select("benchmark_id")
    days = verdicts_then.group_by("basis").agg(
        first_on=pl.col("issued_on").min(),
        last_on=pl.col("issued_on").max(),
        on_days=pl.col("issued_on").n_unique().cast(pl.Int64),
    )
    rows = []
    of_curated = verdict_revision.join(curated, on="benchmark_id", how="semi")
    for population, revision_rows in ((CURATED, of_curated), (ALL, verdict_revision)):
        dated = revision_rows.join(days, on="basis")
        groups = [((basis, ANY), group) for (basis,), group in dated.group_by("basis")]
        groups += [(key, group) for key, group in dated.group_by("basis", "stage")]
        rows += [{"basis": key[0], "stage": key[1], "of": population, **_count_row(group)} for key, group in groups]
    schema = PUBLISHED["verdict_revision_count"]
    return pl.DataFrame(rows, schema=schema).sort("basis", "stage", "of")


def _count_row(rows: pl.DataFrame) -> dict[str, object]:
    judged = rows.filter(pl.col("fate") != UNJUDGED)
    taken_back = judged.filter(pl.col("fate") == TAKEN_BACK)
    lags = rows.filter(pl.col("began_on") >= pl.col("first_on")).drop_nulls("lag")["lag"]
    low, high = None, None
    if judged.height:
        _, low, high = clustered_share(judged["fate"] == TAKEN_BACK, judged["benchmark_id"])
    return {
        "said": judged.height,
        "taken_back": taken_back.height,
        "share_low": low,
        "share_high": high,
        "benchmarks": judged["benchmark_id"].n_unique(),
        **{f"by_{cause}": taken_back.filter(cause=cause).height for cause in CAUSES},
        "days": taken_back["days"].median(),
        "lags": lags.len(),
        "lag": lags.median(),
        **rows.select("first_on", "last_on", "on_days").row(0, named=True),
    }
