"""How much is left between the best score and the best attainable one, and how sure that is."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.evidence import Evidence, Indicator, Unless, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.saturation.leader import leader_interval
from benchhealth.analytics.statistics.errors import Z95, has_binomial, reported, wilson_high, wilson_low
from benchhealth.analytics.statistics.winners_curse import SHRINK_AT_LEAST, winners

Numbers = NDArray[np.float64]

REFUTED = "refuted"
"""The kind of a ceiling above which the best score lies by more than its error."""

OPEN_ENDED = Unless(~pl.col("bounded") & pl.col("top").is_null(), "open_ended", "not_applicable")
NO_RESULT = Unless(pl.col("score").is_null(), "no_result")
NO_FLOOR = Unless(pl.col("floor").is_null(), "chance_unknown")
NO_HUMAN_LINE = (
    Unless(pl.col("human").is_null() & pl.col("human_elsewhere").is_not_null(), "human_of_other_tasks"),
    Unless(pl.col("human").is_null(), "no_human_baseline"),
)
NO_SPAN = Unless((pl.col("top") - pl.col("floor")) * pl.col("sign") <= 0, "ceiling_not_above_chance")
FEW_TO_SHRINK = Unless(
    pl.col("k").is_null() | (pl.col("k") < SHRINK_AT_LEAST),
    "few_to_shrink",
)


def end_of_frontier(evidence: Evidence, *, judged: bool = True) -> pl.DataFrame:
    """Each benchmark with the end of the frontier that it is judged by, else of all: `score` and its intervals, `top`,
    `bottom`.

    `score_low` to `score_high` is the interval of one score by itself, `least` to `most` that of the best of many.
    `top` is the best attainable score, `bottom` the worst possible; fractions for bounded units.
    Without a ceiling of its own a bounded metric has its maximum, and so has one whose best score lies above its
    ceiling by more than its error: a ceiling that was passed is none (`top_kind`: stated, maximum, REFUTED).
    """
    is_up = pl.col("sign") > 0
    extreme = pl.when("bounded").then(pl.when(is_up).then(1.0).otherwise(0.0))
    steps, board = (evidence.judged_frontier, evidence.judged_board) if judged else (evidence.frontier, evidence.board)
    ends = steps.filter("carried").select("benchmark_id", "score", "std_error", "error", items="n_items")
    joined = evidence.facts.join(ends, on="benchmark_id", how="left").with_columns(
        n_items=pl.coalesce("items", "n_items"),
        top=pl.coalesce(pl.col("ceiling"), extreme),
        top_kind=pl.when(pl.col("ceiling").is_null()).then(pl.lit("maximum")).otherwise(pl.lit("stated")),
        bottom=pl.when("bounded").then(1.0 - extreme),
    )
    score, n, error = pl.col("score"), pl.col("n_items"), pl.col("error")
    is_binomial = ~reported() & has_binomial()
    bounded = joined.with_columns(
        is_binomial=is_binomial,
        score_low=pl.when(is_binomial).then(wilson_low(score, n)).otherwise(score - Z95 * error),
        score_high=pl.when(is_binomial).then(wilson_high(score, n)).otherwise(score + Z95 * error),
    ).join(winners(board), on="benchmark_id", how="left")
    least, most = _leads(bounded)
    others = evidence.frontier_by_others
    named = [] if others is None or not judged else others["benchmark_id"].unique().to_list()
    bounded = bounded.with_columns(by_others=pl.col("benchmark_id").is_in(named))
    ends = bounded.with_columns(least=pl.Series(least).fill_nan(None), most=pl.Series(most).fill_nan(None))
    worse_end = pl.min_horizontal(pl.col("sign") * pl.col("least"), pl.col("sign") * pl.col("most"))
    passed = (pl.col("bounded") & (worse_end > pl.col("sign") * pl.col("ceiling"))).fill_null(value=False)
    return ends.with_columns(
        top=pl.when(passed).then(extreme).otherwise("top"),
        top_kind=pl.when(passed).then(pl.lit(REFUTED)).otherwise("top_kind"),
    )


def _leads(rows: pl.DataFrame) -> tuple[Numbers, Numbers]:
    """Both ends of the interval of each leader's true score (see `leader_interval`), NaN without a standard error."""
    # Shares that are better when lower are counted from the other end, so that errors stay those of shares.
    from_end = pl.when(pl.col("is_binomial") & (pl.col("sign") < 0)).then(1.0).otherwise(0.0)
    named = rows.select(
        merit=from_end + pl.col("sign") * pl.col("score"),
        rival=from_end + pl.col("rival"),
        k=pl.col("k").cast(pl.Float64),
        error=pl.col("error"),
        items=pl.when("is_binomial").then(pl.col("n_items").cast(pl.Float64)),
    )
    merit, rival, k, error, items = (
        named[name].cast(pl.Float64).fill_null(np.nan).to_numpy() for name in named.columns
    )
    rival = np.where(np.isnan(rival), -np.inf, np.minimum(rival, merit))
    worse, better = leader_interval(merit, rival, np.nan_to_num(k, nan=1.0), error, items)
    sign, start = rows["sign"].cast(pl.Float64).to_numpy(), rows.select(from_end).to_series().to_numpy()
    ends = [sign * (end - start) for end in (worse, better)]
    return np.fmin(*ends), np.fmax(*ends)


def _left(score: pl.Expr, bottom: pl.Expr) -> pl.Expr:
    """(top - score) / (top - bottom): 1 at the bottom, 0 at the top, negative beyond it; in either direction."""
    return (pl.col("top") - score) / (pl.col("top") - bottom)


def _interval(bottom: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Low and high of what is left, from the widened interval of the score."""
    ends = [_left(pl.col(name), bottom) for name in ("least", "most")]
    return pl.min_horizontal(ends), pl.max_horizontal(ends)


def _between_ends(code: str, by_others: str, bottom: str) -> Case:
    """The case of a share of the scale: its kind of ceiling, both ends, and the error where that is known.

    It is `by_others` where the best score is the best that others measured.
    """
    said = pl.when("by_others").then(pl.lit(by_others)).otherwise(pl.lit(code))
    return Case(said, kind="top_kind", numbers=("top", bottom, "error"), names=("ceiling_basis", "ceiling_kind"))


def _headroom(evidence: Evidence) -> pl.DataFrame:
    rows = end_of_frontier(evidence)
    low, high = _interval(pl.col("floor"))
    return settle(
        rows,
        OPEN_ENDED,
        NO_RESULT,
        NO_FLOOR,
        NO_SPAN,
        value=_left(pl.col("score"), pl.col("floor")),
        low=low,
        high=high,
        n=pl.col("n_items"),
        note=_between_ends("above_chance", "above_chance_by_others", "floor"),
    )


def _headroom_shrunk(evidence: Evidence) -> pl.DataFrame:
    floor = pl.col("floor")
    ends = [_left(pl.col(name), floor) for name in ("shrunk_low", "shrunk_high")]
    return settle(
        end_of_frontier(evidence),
        OPEN_ENDED,
        NO_RESULT,
        NO_FLOOR,
        NO_SPAN,
        FEW_TO_SHRINK,
        value=_left(pl.col("shrunk"), floor),
        low=pl.min_horizontal(ends),
        high=pl.max_horizontal(ends),
        n=pl.col("k"),
    )


def _headroom_of_ceiling(evidence: Evidence) -> pl.DataFrame:
    low, high = _interval(pl.col("bottom"))
    return settle(
        end_of_frontier(evidence),
        Unless(~pl.col("bounded"), "open_ended", "not_applicable"),
        NO_RESULT,
        Unless(pl.col("top") == pl.col("bottom"), "ceiling_is_worst"),
        value=_left(pl.col("score"), pl.col("bottom")),
        low=low,
        high=high,
        n=pl.col("n_items"),
        note=_between_ends("above_worst", "above_worst_by_others", "bottom"),
    )


def _frontier(evidence: Evidence) -> pl.DataFrame:
    return settle(
        end_of_frontier(evidence, judged=False),
        NO_RESULT,
        value=pl.col("score"),
        low=pl.col("score_low"),
        high=pl.col("score_high"),
        n=pl.col("n_items"),
    )


def _frontier_shrunk(evidence: Evidence) -> pl.DataFrame:
    return settle(
        end_of_frontier(evidence, judged=False),
        NO_RESULT,
        FEW_TO_SHRINK,
        value=pl.col("shrunk"),
        low=pl.col("shrunk_low"),
        high=pl.col("shrunk_high"),
        n=pl.col("k"),
    )


def _human_margin(evidence: Evidence) -> pl.DataFrame:
    ends = [pl.col("sign") * (pl.col(name) - pl.col("human")) for name in ("least", "most")]
    return settle(
        end_of_frontier(evidence),
        NO_RESULT,
        *NO_HUMAN_LINE,
        value=pl.col("sign") * (pl.col("score") - pl.col("human")),
        low=pl.min_horizontal(ends),
        high=pl.max_horizontal(ends),
        n=pl.col("n_items"),
        note=Case("human_baseline", numbers=("human",)),
    )


LEADER = "Andrews, Kitagawa, McCloskey 2024, Inference on winners, doi:10.1093/qje/qjad043"
MORRIS = "Morris 1983, Parametric empirical Bayes inference, doi:10.2307/2287098"
WILSON = "interval: Wilson 1927, doi:10.2307/2276774, or the reported standard error"

FRONTIER = Indicator(
    "frontier",
    "Best score",
    "The best score of any model so far, in the benchmark's unit (a fraction where it is bounded).",
    WILSON,
    _frontier,
    unit=Unit.SCORE,
)
FRONTIER_SHRUNK = Indicator(
    "frontier_shrunk",
    "Best score, shrunk",
    "The best score pulled towards the mean of all models that could by noise alone have come first, by as much as "
    "their errors explain their spread: the best of many noisy scores overstates.",
    MORRIS,
    _frontier_shrunk,
    unit=Unit.SCORE,
)
HEADROOM = Indicator(
    "headroom",
    "Headroom",
    "(ceiling - best score) / (ceiling - chance). The ceiling counts label errors in where they are known. "
    "The interval is that of the leading model's true score, with allowance for its having been picked for its score.",
    f"{WILSON}; {LEADER}",
    _headroom,
    unit=Unit.ROOM,
)
HEADROOM_SHRUNK = Indicator(
    "headroom_shrunk",
    "Headroom of the shrunk best score",
    "(ceiling - shrunk best score) / (ceiling - chance).",
    MORRIS,
    _headroom_shrunk,
    unit=Unit.ROOM,
)
HEADROOM_OF_CEILING = Indicator(
    "headroom_of_ceiling",
    "Headroom counted from the worst possible score",
    "(ceiling - best score) / (ceiling - worst possible score): a lower bound of headroom, for benchmarks whose "
    "chance level is unknown.",
    WILSON,
    _headroom_of_ceiling,
    unit=Unit.ROOM_FROM_WORST,
)
HUMAN_MARGIN = Indicator(
    "human_margin",
    "Margin over the human baseline",
    "Best score minus the documented human score, positive where the model is better.",
    "the registry's human baseline, with its source",
    _human_margin,
    unit=Unit.SCORE,
)
