"""What happened to each benchmark once: from its release to its last new result, each with its day and its row."""

import polars as pl

from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.frontier import RATING
from benchhealth.analytics.record.tables import PUBLISHED

RELEASED, FIRST, HALF, RUNNING_OUT, HUMAN = "released", "first_result", "half", "running_out", "human_passed"
CONTAMINATED, SATURATED, SUCCESSOR = "contaminated", "saturated", "successor"
LAST_BEST, LAST = "last_best", "last_result"
KINDS = (RELEASED, FIRST, HALF, RUNNING_OUT, HUMAN, CONTAMINATED, SUCCESSOR, SATURATED, LAST_BEST, LAST)
"""Every kind of event, in the order of events of one day."""

HALFWAY = 0.5
_OF = "benchmark_id"
_ROW = ("model_id", "date_precision", "source_id", "snapshot_id", "source_row")


def life_events(  # noqa: PLR0913, PLR0917 - the tables that say what happened
    evidence: Evidence,
    frontier_steps: pl.DataFrame,
    verdict: pl.DataFrame,
    verdict_history: pl.DataFrame,
    incident: pl.DataFrame,
    frames: Frames,
) -> pl.DataFrame:
    """Table `life_event` of whole benchmarks, sorted by benchmark and day.

    Human line and last best are steps of the frontier: dated results in the condition that the benchmark is judged by.
    The first result is the earliest of these, a step or not, and half of the scale the first that is not withdrawn and
    has come so far. Half counts from chance to the ceiling, and is known where both are. The human line is passed by
    the first step above it, whatever the errors of the two; what the verdict makes of it is another matter. It is
    saturated on the day since which the verdict says so, and began to run out on the first day of the stretch of its
    history, in that stage or saturated, that goes on. A document about contamination has the day of the document. A
    successor is one that a curator names and that came out later, on the day of its release. What is not known of a
    benchmark is left out.
    """
    span = (pl.col("ceiling") - pl.col("floor")) * pl.col("sign")
    gain = (pl.col("score") - pl.col("floor")) * pl.col("sign")
    beyond = (pl.col("score") - pl.col("human")) * pl.col("sign") > 0
    newest = (
        evidence.history.drop_nulls("dated_on")
        .filter(is_whole(_OF))
        .sort(_OF, "dated_on", "seen_by", maintain_order=True)
    )
    limits = evidence.facts.select(_OF, "floor", "ceiling", "human", "sign")
    steps = _steps(evidence, frontier_steps).filter(is_whole(_OF)).join(limits, on=_OF, maintain_order="left")
    listed = _earliest(newest.filter("listed"), steps).join(limits, on=_OF, maintain_order="left")
    kinds = [
        evidence.facts.filter(is_whole(_OF)).select(
            _OF, on_day="released_on", source_url="paper_url", kind=pl.lit(RELEASED)
        ),
        _first_of(_earliest(newest, steps), FIRST),
        _first_of(listed.filter((span > 0) & (gain >= HALFWAY * span)), HALF),
        _first_of(steps.filter(beyond), HUMAN),
        _result_event(steps.group_by(_OF, maintain_order=True).last(), LAST_BEST),
        _result_event(newest.group_by(_OF, maintain_order=True).last(), LAST),
        _stages(verdict, verdict_history).filter(is_whole(_OF)),
        _documents(incident).filter(is_whole(_OF)),
        _successors(frames, evidence.facts).filter(is_whole(_OF)),
    ]
    order = pl.col("kind").replace_strict({kind: index for index, kind in enumerate(KINDS)}, return_dtype=pl.Int64)
    events = pl.concat(kinds, how="diagonal_relaxed").filter(pl.col("on_day").is_not_null())
    in_order = events.sort(_OF, "on_day", order, "other_id", nulls_last=True)
    return in_order.match_to_schema(PUBLISHED["life_event"], extra_columns="ignore")


def _steps(evidence: Evidence, frontier_steps: pl.DataFrame) -> pl.DataFrame:
    """The dated steps with the row that each is."""
    key = [_OF, "model_id", "score", "dated_on", "condition"]
    rows = evidence.history.select(*key, "source_id", "snapshot_id", "source_row", "seen_by")
    return (
        frontier_steps.filter(~pl.col("carried"))
        .drop("source_id")
        .join(rows.unique(key, keep="first", maintain_order=True), on=key, how="left", maintain_order="left")
        .sort(_OF, "dated_on", maintain_order=True)
    )


def _first_of(rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    return _result_event(rows.group_by(_OF, maintain_order=True).first(), kind)


def _earliest(results: pl.DataFrame, steps: pl.DataFrame) -> pl.DataFrame:
    """Dated results and steps, of one day the best first. Of a rating there are the states of its board alone."""
    columns = [_OF, *_ROW, "dated_on", "score", "seen_by"]
    unrated = results.filter(pl.col("unit") != RATING).sort("merit", descending=True, nulls_last=True)
    return pl.concat([unrated.select(columns), steps.select(columns)]).sort(_OF, "dated_on", maintain_order=True)


def _result_event(rows: pl.DataFrame, kind: str) -> pl.DataFrame:
    """Results as events of this kind, dated by the day of the result."""
    return rows.select(_OF, *_ROW, on_day="dated_on", value="score", seen_on="seen_by", kind=pl.lit(kind))


def _stages(verdict: pl.DataFrame, verdict_history: pl.DataFrame) -> pl.DataFrame:
    """The day since which it is saturated, and the first since which it is running out, if only at first."""
    saturated = verdict.filter(pl.col("stage") == SATURATED).select(_OF, on_day="since", kind=pl.lit(SATURATED))
    by_date = verdict_history.filter(pl.col("basis") == "by date").sort(_OF, "from_on")
    is_over = ~pl.col("stage").is_in(["compressing", SATURATED])
    going_on = by_date.filter(is_over.reverse().cum_sum().reverse().over(_OF) == 0, pl.col("stage") == "compressing")
    began = going_on.group_by(_OF, maintain_order=True).agg(on_day=pl.col("from_on").min())
    return pl.concat([saturated, began.with_columns(kind=pl.lit(RUNNING_OUT))])


def _documents(incident: pl.DataFrame) -> pl.DataFrame:
    """The first dated document about contamination of each benchmark."""
    dated = incident.filter(pl.col("kind") == "contamination").drop_nulls("on_date").sort(_OF, "on_date", "source_url")
    first = dated.group_by(_OF, maintain_order=True).first()
    return first.select(_OF, "source_url", on_day="on_date", kind=pl.lit(CONTAMINATED))


def _successors(frames: Frames, facts: pl.DataFrame) -> pl.DataFrame:
    released = facts.select(_OF, "released_on")
    came_out = released.rename({_OF: "successor_id", "released_on": "on_day"})
    named = frames.successor.join(came_out, on="successor_id").join(released, on=_OF)
    named = named.filter((pl.col("on_day") > pl.col("released_on")).fill_null(value=True))
    return named.select(_OF, "source_url", "on_day", other_id="successor_id", kind=pl.lit(SUCCESSOR))
