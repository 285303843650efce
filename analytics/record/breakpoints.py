"""Where a board looks as if its measurement had changed, and no curator has said so: proposals, for a curator to judge.

A proposal is a guess from two consecutive states of a board, and until a curator confirms or dismisses it nothing is
computed across it: no curve, verdict or change (`analytics.record.lineages.undecided`), and no comparison in `churn`.
"""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.record import steps
from benchhealth.analytics.record.boards import Boards, best
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.record.tables.case import ALWAYS, first_case
from benchhealth.analytics.record.tables.columns import COUNT, DAY, NUMBERS, TEXT, by_type

PROPOSED = "proposed "
"""How the `kind` of a proposal begins in the published table `breakpoint`."""

NO_BREAK = "none"
"""The `kind` of a curated row that says that the measurement is the same: it explains a step and breaks nothing."""

RENAMED = 0.1
"""The share of a board that must carry on under other names, to speak of a renaming and not of a correction."""

NUMBERS_OF: Mapping[str, tuple[str, ...]] = {
    "scores_moved": ("edited", "common", "level", "later_level"),
    "rows_renamed": ("matched", "before"),
    "rows_mostly_new": ("gone", "before", "come"),
    "order_lost": ("agreement",),
    "points_edited": ("edited", "common", "rewritten", "moved"),
    "scores_edited": ("edited", "common", "rewritten", "moved"),
}
"""What speaks for a proposal: the case, and which columns of `steps.compared` are its numbers, in order.

The median move of `points_edited` is in points (hundredths of a bounded unit), of `scores_edited` in the unit itself.
"""

PROPOSAL = pl.Schema({"board_id": TEXT, "on_date": DAY, "kind": TEXT, "case": TEXT, "numbers": NUMBERS})

UNDECIDED = by_type(
    (TEXT, "board_id source_id benchmark_id"), (DAY, "on_date"), (TEXT, "kind case"), (NUMBERS, "numbers"), (COUNT, "n")
)
"""Each board with proposals once, with the first of them and how many there are."""


def propose(boards: Boards, decided: pl.DataFrame) -> pl.DataFrame:
    """The steps that look like a breakpoint and have no curated one; schema PROPOSAL, at most one for a board and day.

    Compared are the last states of consecutive days of each leaderboard, parts of benchmarks left out, rows matched by
    benchmark, model, setting and reporter, so that a name that resolves to the same model is no change. `kind`:

    - scale: the scores are in another unit, or all moved by the same amount (ratings: as a whole, and far);
    - names: a tenth of the board or more vanished and reappeared with the same scores under other names;
    - reset: nearly all rows are others;
    - data: at least half of the past scores were edited, and more than reruns do by half a point (ratings: the order no
      longer agrees with the past).

    Where a model has one row that vanishes and one that appears, its setting was reworded: it is the same row.
    A curated breakpoint of any kind after the earlier day, up to the later one, explains the step; so does one of kind
    NO_BREAK.
    """
    before, after, days = _pairs(_last_of_each_day(boards.states.collect()))
    before = _reworded(before, after)
    moving = boards.states.filter("continuous", "bounded").select("board_id").unique().collect()["board_id"]
    suspects = (
        steps.compared(before, after)
        .with_columns(moving=pl.col("board_id").is_in(moving.implode()))
        .with_columns(kind=_kind())
        .with_columns(case=_case())
        .with_columns(numbers=_numbers())
        .filter(pl.col("kind").is_not_null())
        .join(days, on=["step", "board_id"])
    )
    return suspects.filter(~_explained(suspects, decided)).select(PROPOSAL.names()).cast(PROPOSAL)


def broken(decided: pl.DataFrame) -> pl.DataFrame:
    """The steps at which something broke, among those that curators have judged."""
    return decided.filter(pl.col("kind").ne_missing(NO_BREAK))


def with_proposals(curated_breakpoint: pl.DataFrame, proposals: pl.DataFrame) -> pl.DataFrame:
    """The table `breakpoint`, curated rows first, then the proposals, their kind marked as such."""
    guessed = proposals.select(
        "board_id",
        "on_date",
        "case",
        "numbers",
        kind=pl.lit(PROPOSED) + pl.col("kind"),
    )
    all_breakpoints = pl.concat([curated_breakpoint, guessed], how="diagonal")
    return all_breakpoints.match_to_schema(PUBLISHED["breakpoint"], missing_columns="insert")


def _kind() -> pl.Expr:
    in_bulk = (pl.col("edited") >= steps.FEWEST_FOR_PATTERN) & (
        pl.col("edited") >= steps.SHARE_MOVED_IN_BULK * pl.col("common")
    )
    edited = pl.col("bounded") & in_bulk & steps.is_rewritten()
    return first_case(
        ("scale", pl.when("moving").then(steps.is_other_unit()).otherwise(steps.is_rescaled())),
        ("names", steps.is_renamed() & (pl.col("matched") >= RENAMED * pl.col("before"))),
        ("reset", steps.is_reset()),
        ("data", edited | steps.is_disordered()),
    )


def _case() -> pl.Expr:
    kind = pl.col("kind")
    return first_case(
        ("scores_moved", kind == "scale"),
        ("rows_renamed", kind == "names"),
        ("rows_mostly_new", kind == "reset"),
        ("order_lost", steps.is_disordered()),
        ("points_edited", pl.col("bounded")),
        ("scores_edited", ALWAYS),
    )


def _numbers() -> pl.Expr:
    in_points = pl.when(pl.col("case") == "points_edited").then(100.0).otherwise(1.0)
    of_case = [
        pl.when(pl.col("case") == case).then(
            pl.concat_list(pl.col(name) * (in_points if name == "moved" else 1.0) for name in names)
        )
        for case, names in NUMBERS_OF.items()
    ]
    return pl.coalesce(of_case)


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


def _reworded(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The earlier rows with the setting that the same result has later: of a model with one row gone and one come."""
    key = ["step", "board_id", *steps.KEY]
    but_setting = ["step", "board_id", "benchmark_id", "model_id", "reporter"]
    vanished, appeared = before.join(after, on=key, how="anti"), after.join(before, on=key, how="anti")
    one_gone, one_come = (rows.filter(~rows.select(but_setting).is_duplicated()) for rows in (vanished, appeared))
    moved = one_gone.select(key).join(one_come.select(*but_setting, later="setting"), on=but_setting)
    with_later = before.join(moved, on=key, how="left", maintain_order="left")
    return with_later.with_columns(setting=pl.coalesce("later", "setting")).drop("later")


def _explained(suspects: pl.DataFrame, breakpoints: pl.DataFrame) -> pl.Series:
    """For each step: whether a curated breakpoint of its board lies after its first day, up to its last."""
    curated = breakpoints.select("board_id", marked="on_date").drop_nulls()
    breaks = (
        suspects.select("step", "board_id", "from_on", "on_date")
        .join(curated, on="board_id")
        .filter((pl.col("marked") > pl.col("from_on")) & (pl.col("marked") <= pl.col("on_date")))
    )
    return suspects["step"].is_in(breaks["step"].unique().implode())
