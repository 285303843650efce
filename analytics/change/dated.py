"""The table `dated_change`: stages, best scores, first places, breaks, new benchmarks and silent sources, by day.

These are the changes of any month, whatever earlier editions said.
"""

from datetime import timedelta

import polars as pl

from benchhealth.analytics.change.cadences import every
from benchhealth.analytics.change.rows import intervals_part, model_names, scale_breaks
from benchhealth.analytics.change.source_changes import break_rows
from benchhealth.analytics.record.current import CONTINUOUS
from benchhealth.analytics.record.frames import benchmark_of_board, is_whole, source_of_board
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables import PUBLISHED, with_missing
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS, score_interval
from benchhealth.analytics.verdict.history import BY_DATE, RELEASED


def stages(verdict_history: pl.DataFrame, benchmark: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind stage: a row for each stretch of the history that began in another stage than the one before.

    `before` and `after` are the stages, `value` and `value_before` what was left of the scale on the first day of the
    new stretch and on the last day of the old one, `names` the rules' case and how the day is set. `until_day` is the
    day from which the numbers alone would have made the stage, where it had to wait. The stretch from the release to
    the first result is none: that is a new benchmark. Of parts those of curated benchmarks alone.
    """
    key = "benchmark_id"
    curated = benchmark.filter("curated")[key].implode()
    history = verdict_history.filter(pl.col("basis") == BY_DATE).sort(key, "from_on", nulls_last=True)
    eve = history.with_columns(
        before=pl.col("stage").shift(1).over(key), value_before=pl.col("headroom_end").shift(1).over(key)
    )
    began = pl.col("before").is_null() | (pl.col("before") != pl.col("stage"))
    return eve.filter(
        began,
        pl.col("from_on").is_not_null(),
        pl.col("how").ne_missing(RELEASED),
        is_whole() | pl.col(key).is_in(curated),
    ).select(
        key,
        "before",
        "value_before",
        kind=pl.lit("stage"),
        after="stage",
        value="headroom",
        on_day="from_on",
        until_day="reached_on",
        case=pl.lit("stage_began"),
        names=pl.concat_list(pl.col("case").fill_null(""), pl.col("how").fill_null("")),
    )


def new_benchmarks(benchmark: pl.DataFrame, verdict: pl.DataFrame, leaderboard: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind benchmark: a row for each whole benchmark on the day of its release.

    `after` is its stage now, `n` how many models have a result of it now.
    """
    key = "benchmark_id"
    models = leaderboard.group_by(key).agg(n=pl.col("model_id").n_unique().cast(pl.Int64))
    return (
        benchmark.filter(is_whole(), pl.col("released_on").is_not_null())
        .join(verdict.select(key, after="stage"), on=key, how="left")
        .join(models, on=key, how="left")
        .select(key, "after", "n", kind=pl.lit("benchmark"), on_day="released_on", case=pl.lit("came_out"))
    )


def best_scores(
    frontier_steps: pl.DataFrame,
    breakpoint: pl.DataFrame,
    corroboration: pl.DataFrame,
    benchmark: pl.DataFrame,
    model: pl.DataFrame,
) -> pl.DataFrame:
    """Rows of kind best: a row for each step of a frontier of a whole benchmark with the step before it.

    A benchmark's first result is no better one; nor is a step beyond a break of ANOTHER_SCALE. Ratings and open scores
    that are counted on are left out, as every version refits them: who leads there is a first place. Intervals are
    those of one score by itself (95%), `beyond_noise` is whether they part, null where one has no known error: stricter
    than a test of the difference, as the best of many is too high. `corroboration` says who measured it, as the table
    of that name.
    """
    key = "benchmark_id"
    bounded = pl.col("unit").is_in(BOUNDED_UNITS)
    refitted = pl.col("unit").eq_missing(RATING) | (~bounded & pl.col("refresh").eq_missing(CONTINUOUS))
    facts = benchmark.filter(~refitted).select(key, bounded=bounded)
    low, high = score_interval()
    steps = (
        frontier_steps.filter(~pl.col("carried"), is_whole())
        .join(facts, on=key)
        .with_columns(low=low, high=high)
        .sort(key, "dated_on", maintain_order=True)
    )
    paired = _with_breaks(steps, breakpoint).with_columns(
        pl.col("model_id", "score", "low", "high", "breaks", "condition").shift(1).over(key).name.suffix("_before")
    )
    whose = corroboration.filter(kind="step").select(key, "model_id", "score", corroboration="class")
    return (
        paired.filter(
            pl.col("score_before").is_not_null(),
            pl.col("breaks") == pl.col("breaks_before"),
            pl.col("condition").eq_missing(pl.col("condition_before")),
        )
        .join(
            whose.unique([key, "model_id", "score"], keep="first", maintain_order=True),
            on=[key, "model_id", "score"],
            how="left",
        )
        .join(model_names(model), on="model_id", how="left")
        .select(
            key,
            "model_id",
            "low",
            "high",
            "low_before",
            "high_before",
            "corroboration",
            kind=pl.lit("best"),
            before="model_id_before",
            after="model_id",
            value="score",
            value_before="score_before",
            beyond_noise=intervals_part(),
            on_day="dated_on",
            case=pl.lit("best_then"),
            names=pl.concat_list(pl.coalesce("name", "model_id"), pl.col("corroboration").fill_null("")),
        )
    )


def _with_breaks(steps: pl.DataFrame, breakpoint: pl.DataFrame) -> pl.DataFrame:
    """The steps with `breaks`, how many breaks of ANOTHER_SCALE a board of the benchmark had until that day."""
    until = (
        steps.select("benchmark_id", "dated_on")
        .unique()
        .join(scale_breaks(breakpoint), on="benchmark_id")
        .group_by("benchmark_id", "dated_on")
        .agg(breaks=(pl.col("on_date") <= pl.col("dated_on")).sum())
    )
    joined = steps.join(until, on=["benchmark_id", "dated_on"], how="left", maintain_order="left")
    return joined.with_columns(pl.col("breaks").fill_null(0))


def over_days(steps: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind best of a stretch of days as one for each benchmark: its last step beside what was before its first.

    `beyond_noise` is of these two, as for a single step.
    """
    key = "benchmark_id"
    ordered = steps.sort("on_day", maintain_order=True)
    start = ("before", "value_before", "low_before", "high_before")
    first = ordered.group_by(key, maintain_order=True).agg(pl.col(start).first())
    last = ordered.group_by(key, maintain_order=True).last().drop(start)
    return (
        last.join(first, on=key, maintain_order="left")
        .with_columns(beyond_noise=intervals_part())
        .select(steps.columns)
    )


GAP = timedelta(days=60)
"""Where nobody looked at a copy of a board for longer, the day of the next look is not the day of the change."""

OWN_BOARD = "board"
"""The kind of source whose every version is known: between two of them its board said nothing else."""


def first_places(
    lead: pl.DataFrame, breakpoint: pl.DataFrame, source: pl.DataFrame, model: pl.DataFrame
) -> pl.DataFrame:
    """Rows of kind leader: a row of `lead` that spans no break, of a whole benchmark.

    One is `late`, found and not new, where its source is no board of its own and was not read for GAP before, or where
    that source began to read other things meanwhile (a break of a board of it of the kind `data`): the model may have
    been first for as long.
    """
    names = model_names(model).drop("released_on")
    moved = lead.filter(~pl.col("spans_breakpoint")).with_columns(
        said_by=source_of_board(), benchmark_id=benchmark_of_board()
    )
    reread = (
        breakpoint.filter(pl.col("kind") == "data")
        .select(said_by=source_of_board(), broke_on="on_date")
        .unique()
        .join(moved.select("said_by", "from_on", "on_date").unique(), on="said_by")
        .filter(pl.col("broke_on").is_between(pl.col("from_on"), pl.col("on_date"), closed="right"))
        .select("said_by", "from_on", "on_date", reread=pl.lit(value=True))
        .unique()
    )
    is_copy = pl.col("kind_of_source").ne_missing(OWN_BOARD)
    return (
        moved.filter(is_whole())
        .join(source.select(said_by="source_id", kind_of_source="kind"), on="said_by", how="left")
        .join(reread, on=["said_by", "from_on", "on_date"], how="left")
        .join(names, on="model_id", how="left")
        .join(names.rename({"model_id": "before", "name": "name_before"}), on="before", how="left")
        .select(
            "benchmark_id",
            "board_id",
            "model_id",
            "before",
            "beyond_noise",
            kind=pl.lit("leader"),
            after="model_id",
            on_day="on_date",
            n="could_be_first",
            late=(is_copy & (pl.col("on_date") - pl.col("from_on") > GAP)) | pl.col("reread").fill_null(value=False),
            case=pl.lit("first_then"),
            names=pl.concat_list(pl.coalesce("name", "model_id"), pl.coalesce("name_before", "before")),
        )
    )


CADENCES = 3
"""A source is silent after this many cadences without a new version."""

SHORTEST_SILENCE = timedelta(days=28)
"""The shortest time that counts as silence, however often a source publishes."""

EXPECTED = ("board", "collection", "crawl")
"""The kinds of sources of which another version is expected; papers and retired sources publish nothing more."""

SILENT, NOT_SEEN = "nothing_new", "not_seen"


def silences(source: pl.DataFrame, snapshot: pl.DataFrame) -> pl.DataFrame:
    """Rows of kind silent, on the day on which a silence had lasted CADENCES cadences and at least SHORTEST_SILENCE.

    `names` is the cadence. `after` is SILENT where the source was looked at and had nothing new; `until_day` is then
    the day of its last version. `after` is NOT_SEEN where nobody looked at the source for so long; `until_day` is then
    the day until which the source is known. A silence that has ended is listed too. No row is later than the newest day
    until which any source is known.
    """
    limits = [
        None if (interval := every(cadence or "")) is None else max(CADENCES * interval, SHORTEST_SILENCE)
        for cadence in source["cadence"]
    ]
    expected = source.with_columns(limit=pl.Series(limits, dtype=pl.Duration("us"))).filter(
        pl.col("kind").is_in(EXPECTED), pl.col("limit").is_not_null()
    )
    horizon = source["known_until"].max()
    days = snapshot.select("source_id", day=pl.col("observed_at").dt.date()).unique().sort("source_id", "day")
    with_next = days.with_columns(next_day=pl.col("day").shift(-1).over("source_id"))
    each_version = with_next.join(expected, on="source_id").with_columns(
        fell_on=(pl.col("day") + pl.col("limit")).cast(pl.Date)
    )
    nothing_new = each_version.filter(pl.col("fell_on") <= pl.coalesce("next_day", "known_until"))
    not_seen = (
        each_version.filter(pl.col("next_day").is_null())
        .join(nothing_new.select("source_id", "day"), on=["source_id", "day"], how="anti")
        .with_columns(day="known_until", fell_on=(pl.col("known_until") + pl.col("limit")).cast(pl.Date))
        .filter(pl.col("fell_on") <= pl.lit(horizon, dtype=pl.Date))
    )
    return pl.concat(
        [
            rows.select(
                "source_id",
                kind=pl.lit("silent"),
                after=pl.lit(case),
                on_day="fell_on",
                until_day="day",
                case=pl.lit(case),
                names=pl.concat_list(pl.col("cadence").str.split(";").list.first()),
            )
            for case, rows in ((SILENT, nothing_new), (NOT_SEEN, not_seen))
        ]
    )


SCHEMA = PUBLISHED["dated_change"]
_ORDER = ["on_day", "kind", "benchmark_id", "board_id", "source_id", "model_id", "before", "after"]


def dated_changes(  # noqa: PLR0913, PLR0917 - the tables that say what happened when
    verdict_history: pl.DataFrame,
    frontier_steps: pl.DataFrame,
    corroboration: pl.DataFrame,
    lead: pl.DataFrame,
    breakpoint: pl.DataFrame,
    benchmark: pl.DataFrame,
    verdict: pl.DataFrame,
    leaderboard: pl.DataFrame,
    model: pl.DataFrame,
    source: pl.DataFrame,
    snapshot: pl.DataFrame,
) -> pl.DataFrame:
    """Table `dated_change`: every change by the day of the facts that it rests on.

    It is the table `change` without two editions to compare: a first run has all of it. The kinds and columns that both
    have mean the same, so that one function makes their sentences. A day is that of the world (a stage begins, a result
    is dated, a board is seen with another first) and never the day on which somebody read it; what could not be dated
    is missing. Of parts of benchmarks there are stages alone, as they fold under their whole.
    """
    tables = [
        stages(verdict_history, benchmark),
        new_benchmarks(benchmark, verdict, leaderboard),
        best_scores(frontier_steps, breakpoint, corroboration, benchmark, model),
        first_places(lead, breakpoint, source, model),
        break_rows(breakpoint).drop_nulls("on_day").filter(is_whole()),
        silences(source, snapshot),
    ]
    return pl.concat([with_missing(rows, SCHEMA) for rows in tables]).sort(_ORDER, nulls_last=True)
