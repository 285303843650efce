"""What changed between two consecutive versions of a board: counts and shifts, one row for each step, vectorised.

A step is one pair of versions. Rows are matched on `KEY`; what is matched says how scores moved, what is not says who
came and went. Whether that is too much is for the readers to say: `analytics.record.breakpoints` and
`ingest.run.drift`.
"""

import polars as pl

KEY = ["benchmark_id", "model_id", "setting", "reporter"]
"""What identifies a result within one version of a file."""

EDIT_AT_LEAST = 0.001
"""A tenth of a point: boards print one or two decimals of a percentage. Smaller moves are rounding or a rerun."""

REWRITE_AT_LEAST = 0.005
"""Half a point: libraries and hardware move a rerun of the same test by a tenth or two (timm's results do so at every
release), a change of the test moves it further."""

SHARE_REWRITTEN = 0.05
"""The share of a board's past scores that may be rewritten in one step."""

SHARE_MOVED_IN_BULK = 0.5
"""The share of scores of one column that must move at once to speak of another measurement, not of corrections."""

FEWEST_FOR_PATTERN = 5
"""Fewer models than this show no pattern: one edit in a table of four is a quarter of it."""

FEWEST_FOR_UNIT = 3
"""Fewer scores than this may have changed tenfold by coincidence."""

OTHER_UNIT_RATIO = 10.0
"""A median ratio of new to old beyond this, either way, is another unit (0 to 1 against 0 to 100), not progress."""

SHARE_MOVED_ALIKE = 0.9
"""The share of common scores that must have moved alike for a board to have moved as a whole."""

OPEN_SHIFT = 0.1
"""How far an open-ended scale may move as a whole in one step, in standard deviations of its scores: refits of arena
ratings stay below it."""

FEWEST_FOR_BLOCK = 20
"""With this many common scores, moves that are all alike are no coincidence, however small beside the spread."""

SHIFT_TO_SCATTER = 2.0
"""A board moved as a whole where the median move is at least this many times the scatter of the moves. Ordinary refits
of the arena do not exceed 1 in 1,400 steps of its boards and categories; shifts of the whole begin at 2."""

LEAST_AGREEMENT = 0.9
"""The least rank agreement (Spearman) of an open-ended scale with its past: refits move scores and keep the order."""

LEAST_SHARE_KEPT = 0.2
"""A board that kept less than this share of its rows, and has as many new ones, began anew."""

SHARE_MATCHED = 0.5
"""The share of vanished (or of new) rows that must have a twin of the same print, to speak of names."""

_STEP = ["step", "board_id"]


def compared(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """One row for each (step, board_id) that both versions have, with what moved between them.

    Both frames hold `step`, `board_id`, `KEY`, `bounded`, `score`, `score_published`, `std_error` and `n_items`;
    `board_id` may be any grouping of rows that share a scale. In the answer:

    - `before`, `after`, `common`: rows in each version and in both; `gone`, `come`: rows in the first or second alone;
    - `edited`, `rewritten`: common rows whose score moved by `EDIT_AT_LEAST`, `REWRITE_AT_LEAST` of the unit or more
      (of the score itself where that is above 1), `rewritten_models` the models of the latter;
    - `moved`: the median move of the edited; `shift`: the median move of all common rows, `spread` the standard
      deviation of their old scores; `alike`, `one_way`: the share of them within a rounding of `shift`, with its sign;
    - `scatter`: how far from `shift` nine tenths of the moves lie at most; `error`: the median standard error before;
    - `ratio`: the median of new to old where both are positive; `agreement`: Spearman's correlation; `level`,
      `later_level`: the median score before and after;
    - `matched`: rows gone that print (score, error, items) what exactly one row come prints, where that identifies
      both rows in their boards.

    What has too few rows to be computed is null. Sorted by step and board.
    """
    sizes = _sizes(before, "before").join(_sizes(after, "after").drop("bounded"), on=_STEP)
    common = before.join(after.select(*_STEP, *KEY, later="score"), on=[*_STEP, *KEY])
    return (
        sizes.join(_moves(common), on=_STEP, how="left")
        .join(_matches(before, after), on=_STEP, how="left")
        .with_columns(pl.col("common", "edited", "rewritten", "rewritten_models", "matched").fill_null(0))
        .with_columns(gone=pl.col("before") - pl.col("common"), come=pl.col("after") - pl.col("common"))
        .sort(_STEP)
    )


def is_rescaled() -> pl.Expr:
    """Whether a row of `compared` shows another scale: another unit, or all scores moved by the same amount.

    An open-ended scale (ratings) is refitted daily: it must have moved as a whole, further than `OPEN_SHIFT`; or all of
    many scores by the same amount, `SHIFT_TO_SCATTER` times the scatter of the moves and more than their own standard
    error.
    """
    is_moved_alike = (pl.col("edited") == pl.col("common")) & (pl.col("alike") >= SHARE_MOVED_ALIKE)
    is_shifted = (pl.col("one_way") >= SHARE_MOVED_ALIKE) & (pl.col("shift").abs() > OPEN_SHIFT * pl.col("spread"))
    shift = pl.col("shift").abs()
    is_moved_as_block = (
        (pl.col("common") >= FEWEST_FOR_BLOCK)
        & (shift >= SHIFT_TO_SCATTER * pl.col("scatter"))
        & (shift > pl.col("error"))
    )
    is_open_scale_moved = is_shifted.fill_null(value=False) | is_moved_as_block.fill_null(value=False)
    is_moved = pl.when("bounded").then(is_moved_alike).otherwise(is_open_scale_moved)
    by_pattern = (pl.col("common") >= FEWEST_FOR_PATTERN) & is_moved.fill_null(value=False)
    return by_pattern | is_other_unit()


def is_other_unit() -> pl.Expr:
    """Whether a row of `compared` shows scores in another unit: ten times what they were, or a tenth."""
    is_tenfold = (pl.col("ratio") >= OTHER_UNIT_RATIO) | (pl.col("ratio") <= 1 / OTHER_UNIT_RATIO)
    return (pl.col("common") >= FEWEST_FOR_UNIT) & is_tenfold.fill_null(value=False)


def is_renamed() -> pl.Expr:
    """Whether most of the rows that vanished, or that appeared, have a twin of the same print on the other side."""
    matched = pl.col("matched")
    return (matched >= FEWEST_FOR_PATTERN) & (matched >= SHARE_MATCHED * pl.min_horizontal("gone", "come"))


def is_reset() -> pl.Expr:
    """Whether a board was begun anew: nearly all of its rows are others than before."""
    few_kept = pl.col("common") < LEAST_SHARE_KEPT * pl.col("before")
    return (pl.col("gone") >= FEWEST_FOR_PATTERN) & (pl.col("come") >= FEWEST_FOR_PATTERN) & few_kept


def is_disordered() -> pl.Expr:
    """Whether the order on an open-ended scale differs from its past by more than a few corrected rows explain."""
    is_out_of_order = (
        (pl.col("common") >= FEWEST_FOR_PATTERN)
        & (pl.col("agreement") < LEAST_AGREEMENT)
        & (pl.col("rewritten_models") >= FEWEST_FOR_PATTERN)
    )
    return ~pl.col("bounded") & is_out_of_order.fill_null(value=False)


def is_rewritten() -> pl.Expr:
    """Whether more of the past was rewritten than corrections and reruns do."""
    return (pl.col("rewritten_models") >= FEWEST_FOR_PATTERN) & (
        pl.col("rewritten") > SHARE_REWRITTEN * pl.col("common")
    )


def _sizes(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    return rows.group_by(_STEP).agg(pl.len().cast(pl.Int64).alias(name), pl.col("bounded").first())


def _moves(common: pl.DataFrame) -> pl.DataFrame:
    old, new, move, shift = (pl.col(name) for name in ("score", "later", "move", "shift"))
    size = pl.max_horizontal(old.abs(), new.abs(), pl.lit(1.0))
    # A moved score may differ from the threshold in its last binary digit: 0.5 points are half a point.
    relative_move = (move.abs() / pl.col("size")).round(9)
    by_step = (
        common.with_columns(move=new - old, size=size)
        .with_columns(
            shift=move.median().over(_STEP),
            is_edited=relative_move >= EDIT_AT_LEAST,
            is_rewritten=relative_move >= REWRITE_AT_LEAST,
        )
        .group_by(_STEP)
    )
    return by_step.agg(
        common=pl.len().cast(pl.Int64),
        edited=pl.col("is_edited").sum().cast(pl.Int64),
        rewritten=pl.col("is_rewritten").sum().cast(pl.Int64),
        rewritten_models=pl.col("model_id").filter("is_rewritten").n_unique().cast(pl.Int64),
        moved=move.filter("is_edited").median(),
        shift=shift.first(),
        spread=old.std(),
        alike=((move - shift).abs() < EDIT_AT_LEAST * pl.col("size")).mean(),
        one_way=(move.sign() == shift.sign()).mean(),
        scatter=(move - shift).abs().quantile(SHARE_MOVED_ALIKE, "nearest"),
        error=pl.col("std_error").median(),
        ratio=(new / old).filter((old > 0) & (new > 0)).median(),
        level=old.median(),
        later_level=new.median(),
        agreement=pl.corr("score", "later", method="spearman").fill_nan(None),
    )


def _matches(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    printed = [*_STEP, "benchmark_id", "score_published", "std_error", "n_items"]
    vanished = before.filter(~before.select(printed).is_duplicated()).join(after, on=[*_STEP, *KEY], how="anti")
    appeared = after.filter(~after.select(printed).is_duplicated()).join(before, on=[*_STEP, *KEY], how="anti")
    unchanged = vanished.select(printed).join(appeared.select(printed), on=printed, nulls_equal=True)
    return unchanged.group_by(_STEP).agg(matched=pl.len().cast(pl.Int64))
