"""Where a board looks as if its measurement had changed, and no curator has said so: proposals, for a curator to judge.

A proposal is a guess from two consecutive states of a board, so it is used for one thing alone: the comparison across
it is held back from the table `churn`, because a count of "who left" would be wrong if the guess is right.
"""

import polars as pl

from benchhealth.analytics.record import steps
from benchhealth.analytics.record.boards import Boards, best
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.columns import DAY, TEXT

PROPOSED = "proposed "
"""How the `kind` of a proposal begins in the published table `breakpoint`."""

RENAMED = 0.1
"""The share of a board that must carry on under other names, to speak of a renaming and not of a correction."""

PROPOSAL = pl.Schema({"board_id": TEXT, "on_date": DAY, "kind": TEXT, "evidence": TEXT})


def propose(boards: Boards, curated_breakpoint: pl.DataFrame) -> pl.DataFrame:
    """The steps that look like a breakpoint and have no curated one; schema PROPOSAL, at most one for a board and day.

    Compared are the last states of consecutive days of each leaderboard, parts of benchmarks left out, rows matched by
    benchmark, model, setting and reporter, so that a name that resolves to the same model is no change. `kind`:

    - scale: the scores are in another unit, or all moved by the same amount (ratings: as a whole, and far);
    - names: a tenth of the board or more vanished and reappeared with the same scores under other names;
    - reset: nearly all rows are others;
    - data: at least half of the past scores were edited (ratings: the order no longer agrees with the past).

    A curated breakpoint of any kind after the earlier day, up to the later one, explains the step.
    """
    before, after, days = _pairs(_last_of_each_day(boards.states.collect()))
    moving = boards.states.filter("continuous", "bounded").select("board_id").collect()["board_id"].unique()
    found = (
        steps.compared(before, after)
        .with_columns(moving=pl.col("board_id").is_in(moving.implode()))
        .with_columns(kind=_kind(), evidence=_evidence())
        .filter(pl.col("kind").is_not_null())
        .join(days, on=["step", "board_id"])
    )
    return found.filter(~_explained(found, curated_breakpoint)).select(PROPOSAL.names()).cast(PROPOSAL)


def with_proposals(curated_breakpoint: pl.DataFrame, proposals: pl.DataFrame) -> pl.DataFrame:
    """The table `breakpoint`, curated rows first, then the proposals, their kind marked as such."""
    guessed = proposals.select(
        "board_id",
        "on_date",
        kind=pl.lit(PROPOSED) + pl.col("kind"),
        note="evidence",
        source_url=pl.lit(None, dtype=TEXT),
    ).cast(PUBLISHED["breakpoint"])
    return pl.concat([curated_breakpoint, guessed])


def _kind() -> pl.Expr:
    edited = (
        pl.col("bounded") & (pl.col("edited") >= steps.FEW) & (pl.col("edited") >= steps.IN_BULK * pl.col("common"))
    )
    return (
        pl.when(pl.when("moving").then(steps.is_other_unit()).otherwise(steps.is_rescaled()))
        .then(pl.lit("scale"))
        .when(steps.is_renamed() & (pl.col("matched") >= RENAMED * pl.col("before")))
        .then(pl.lit("names"))
        .when(steps.is_reset())
        .then(pl.lit("reset"))
        .when(edited | steps.is_disordered())
        .then(pl.lit("data"))
    )


def _evidence() -> pl.Expr:
    kind = _kind()
    return (
        pl.when(kind == "scale")
        .then(steps.rescaling())
        .when(kind == "names")
        .then(
            pl.format("{} of {} rows vanish and reappear with the same scores under other names", "matched", "before")
        )
        .when(kind == "reset")
        .then(pl.format("{} of {} rows vanish and {} others appear", "gone", "before", "come"))
        .when(steps.is_disordered())
        .then(pl.format("rank agreement with the past is {}", pl.col("agreement").round(2)))
        .otherwise(steps.rewriting())
    )


def _last_of_each_day(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows of the last state of each day of each board, with the day as `on_date`; of each key the best."""
    day = pl.col("observed_at").dt.date()
    last = rows.with_columns(on_date=day).filter(
        pl.col("observed_at") == pl.col("observed_at").max().over("board_id", "on_date")
    )
    return best(last, ["board_id", "on_date", *steps.KEY]).select(
        *("board_id", "on_date", *steps.KEY, "score", "score_published", "std_error"),
        # Fractions that move by themselves, and often all at once, are judged by their order and their unit.
        bounded=pl.col("bounded") & ~pl.col("continuous"),
        n_items="reported_items",
    )


def _pairs(rows: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Earlier and later rows of each step, and the days of each: `step`, `board_id`, `from_on`, `on_date`."""
    days = (
        rows.select("board_id", "on_date")
        .unique()
        .sort("board_id", "on_date")
        .with_columns(from_on=pl.col("on_date").shift(1).over("board_id"))
        .filter(pl.col("from_on").is_not_null())
        .with_row_index("step")
    )
    before = rows.join(days.select("board_id", "step", on_date="from_on"), on=["board_id", "on_date"])
    after = rows.join(days.select("board_id", "step", "on_date"), on=["board_id", "on_date"])
    return before, after, days


def _explained(found: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.Series:
    """For each step: whether a curated breakpoint of its board lies after its first day, up to its last."""
    curated = breakpoints.select("board_id", marked="on_date").drop_nulls()
    between = (
        found.select("step", "board_id", "from_on", "on_date")
        .join(curated, on="board_id")
        .filter((pl.col("marked") > pl.col("from_on")) & (pl.col("marked") <= pl.col("on_date")))
    )
    return found["step"].is_in(between["step"].unique().implode())
