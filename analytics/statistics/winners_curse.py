"""The winner's curse: what the best of many noisy scores is worth."""

import polars as pl

from benchhealth.analytics.statistics.errors import Z95

REACH = 4.0
"""Standard errors of a difference within which a model could by noise alone have looked best (beyond: 1 in 30,000)."""

SHRINK_AT_LEAST = 4
"""The positive-part estimator with an estimated mean needs k - 3 > 0."""


def winners(board: pl.DataFrame) -> pl.DataFrame:
    """For each benchmark whose best model has a known error: the best score pulled towards those of the contenders.

    Columns: `k` contenders, `shrunk`, `shrunk_low`, `shrunk_high` (95%; null below `SHRINK_AT_LEAST`), and `rival`, the
    merit of the best other contender (null without one).
    `board` has `place` (1 is best), `score`, `merit` and `error`.

    Contenders are all models that noise alone could have put first. A fixed top ten would be chosen by its own noise,
    which hides it: of 40 equal models its interval covers in 47% of cases, not 95%. Parametric empirical Bayes for
    normal scores of unknown mean and spread (Morris 1983, doi:10.2307/2287098): with V the mean squared error and S the
    sum of squares of the k scores, B = (k-3)/(k-1) min(1, (k-1) V / S), the estimate is best - B (best - mean) and its
    variance V_best (1 - (k-1)/k B) + 2/(k-3) B^2 (best - mean)^2.
    """
    found = _contenders(board)
    k, away = pl.col("k"), pl.col("best") - pl.col("mean")
    ratio = pl.when(pl.col("squares") > 0).then((k - 1) * pl.col("noise") / pl.col("squares")).otherwise(1.0)
    pull = pl.when(k >= SHRINK_AT_LEAST).then((k - 3) / (k - 1) * pl.min_horizontal(ratio, pl.lit(1.0)))
    own = pl.col("best_error") ** 2 * (1 - (k - 1) / k * pl.col("pull"))
    spread = 2 / (k - 3) * (pl.col("pull") * away) ** 2
    return (
        found.with_columns(pull=pull)
        .with_columns(shrunk=pl.col("best") - pl.col("pull") * away, half=Z95 * (own + spread).sqrt())
        .select(
            "benchmark_id",
            "k",
            "shrunk",
            shrunk_low=pl.col("shrunk") - pl.col("half"),
            shrunk_high=pl.col("shrunk") + pl.col("half"),
            rival=pl.col("rival"),
        )
    )


def _contenders(board: pl.DataFrame) -> pl.DataFrame:
    """Number, mean, spread and noise of the models that could have come first, with the best of them."""
    known = board.filter(pl.col("error").is_not_null())
    best = known.filter(pl.col("place") == 1).select(
        "benchmark_id", best="score", best_merit="merit", best_error="error"
    )
    reach = REACH * (pl.col("error") ** 2 + pl.col("best_error") ** 2).sqrt()
    near = known.join(best, on="benchmark_id").filter(pl.col("best_merit") - pl.col("merit") <= reach)
    return near.group_by("benchmark_id").agg(
        k=pl.len().cast(pl.Int64),
        mean=pl.col("score").mean(),
        squares=((pl.col("score") - pl.col("score").mean()) ** 2).sum(),
        noise=(pl.col("error") ** 2).mean(),
        rival=pl.col("merit").sort(descending=True).get(1, null_on_oob=True),
        best=pl.col("best").first(),
        best_error=pl.col("best_error").first(),
    )
