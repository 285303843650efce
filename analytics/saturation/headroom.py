"""How much is left between the best score and the best attainable one, and how sure that is."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from benchhealth.analytics.record.evidence import Estimate, Evidence, Indicator, Unless, estimate, once, settle
from benchhealth.analytics.record.tables.case import Case
from benchhealth.analytics.record.tables.declared import Unit
from benchhealth.analytics.saturation.leader import HALVINGS, leader_interval
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import (
    Z95,
    binomial,
    binomial_error,
    clustered_error,
    recovered,
    score_interval,
    wilson_high,
    wilson_low,
)
from benchhealth.analytics.statistics.winners_curse import SHRINK_AT_LEAST, winners

REFUTED = "refuted"
"""The kind of a ceiling above which the best score lies by more than its error."""

CHECKED = 100
"""Items that a label audit is taken to have checked where no source says how many: what MMLU-Redux checked of each
subject, the smallest audit on record here that bounds a score."""

ANSWERS, EACH = 300, 100
"""How many answers a human line is taken to rest on where no source says so, and how many of them one person is taken
to have given: most papers asked a few people some hundreds of items. Unknown altogether, these are 3 people."""

PERSON_CORRELATION = 0.05
"""The correlation of two answers of one person. It is set so that a line of ANSWERS by people of EACH has the error
that was seen where two groups of people took the same test: between the lines of MMMU (88.6, 82.6 and 76.2), GPQA
Diamond (81.3 and 69.7), SQuAD 1.1 F1 (91.2 and 86.8), ARC-AGI-2 (66 and 60) and DROP (96.4 and 96.0) the standard
deviation is .13 of sqrt(p(1-p)); here it is .14."""

ALMOST_ALL_RIGHT = 0.95
"""Above this share of right answers almost nothing is left to win: less than audits found wrong in the keys of MMLU
(6.5%) and ImageNet (5.8%)."""

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


@once
def end_of_frontier(evidence: Evidence) -> pl.DataFrame:
    """Each benchmark with the end of the frontier that it is judged by, else of all, and what `with_ends` adds."""
    by_others = evidence.frontier_by_others
    judged_by_others = [] if by_others is None else by_others["benchmark_id"].unique().to_list()
    return _ends(evidence.facts, evidence.judged_frontier, evidence.judged_board, judged_by_others)


@once
def _end_of_all(evidence: Evidence) -> pl.DataFrame:
    """As `end_of_frontier`, of all that was measured, whoever did it."""
    return _ends(evidence.facts, evidence.frontier, evidence.board, [])


def _ends(
    facts: pl.DataFrame, steps: pl.DataFrame, board: pl.DataFrame, judged_by_others: Sequence[str]
) -> pl.DataFrame:
    ends = steps.filter("carried").select("benchmark_id", "score", "std_error", "error", items="n_items")
    joined = (
        facts.join(ends, on="benchmark_id", how="left")
        .join(winners(board), on="benchmark_id", how="left")
        .with_columns(n_items=pl.coalesce("items", "n_items"), by_others=pl.col("benchmark_id").is_in(judged_by_others))
    )
    return with_ends(joined)


def with_ends(best: pl.DataFrame, halvings: int = HALVINGS) -> pl.DataFrame:
    """Best scores with their intervals, and with both ends of the scale and their errors.

    `best` are facts of benchmarks with `score`, `std_error`, `error`, `n_items`, and `rival` and `k` of `winners`.
    `least` to `most` is the interval of the best score, as the best of many.
    `top` is the best attainable score, `bottom` the worst possible; fractions for bounded units.
    Without a ceiling of its own a bounded metric has its maximum, and so has one whose best score lies above its
    ceiling by more than the errors of both: a ceiling that was passed is none (`top_kind`: stated, maximum, REFUTED).
    `top_error` and `human_error` are standard errors, 0 where there is none to count, as a maximum is no estimate;
    `top_low` to `top_high` is the interval of `top` (Wilson's: few items are wrong).
    """
    is_up = pl.col("sign") > 0
    extreme = pl.when("bounded").then(pl.when(is_up).then(1.0).otherwise(0.0))
    bounded = best.with_columns(
        top=pl.coalesce(pl.col("ceiling"), extreme),
        top_kind=pl.when(pl.col("ceiling").is_null()).then(pl.lit("maximum")).otherwise(pl.lit("stated")),
        top_error=_ceiling_error(extreme),
        bottom=pl.when("bounded").then(1.0 - extreme),
        human_error=_human_error(),
        is_binomial=binomial(),
    )
    least, most = _leads(bounded, halvings)
    ends = bounded.with_columns(least=pl.Series(least).fill_nan(None), most=pl.Series(most).fill_nan(None))
    passed = (pl.col("bounded") & (_beyond("ceiling", "top_error")[1] > 0)).fill_null(value=False)
    passed_ends = ends.with_columns(
        top=pl.when(passed).then(extreme).otherwise("top"),
        top_kind=pl.when(passed).then(pl.lit(REFUTED)).otherwise("top_kind"),
        top_error=pl.when(passed).then(0.0).otherwise("top_error"),
    )
    checked, is_estimate = pl.col("ceiling_checked").fill_null(CHECKED), pl.col("top_error") > 0
    return passed_ends.with_columns(
        top_low=pl.when(is_estimate).then(wilson_low(pl.col("top"), checked)).otherwise("top"),
        top_high=pl.when(is_estimate).then(wilson_high(pl.col("top"), checked)).otherwise("top"),
    )


def _ceiling_error(extreme: pl.Expr) -> pl.Expr:
    """The standard error of a ceiling by an audit: binomial over the items checked, without errors of the auditors."""
    is_estimate = pl.col("bounded") & ((pl.col("ceiling") != extreme) | pl.col("ceiling_checked").is_not_null())
    checked = pl.col("ceiling_checked").fill_null(CHECKED)
    return pl.when(is_estimate).then(binomial_error(pl.col("ceiling"), checked)).otherwise(0.0).fill_null(0.0)


def _human_error() -> pl.Expr:
    """The standard error of a human line that is a share: binomial, with the answers of one person correlated."""
    answers = pl.col("human_items").fill_null(pl.col("human_people") * EACH).fill_null(ANSWERS)
    people = pl.col("human_people").fill_null(answers / EACH).clip(1)
    error = clustered_error(pl.col("human"), answers, people, PERSON_CORRELATION)
    return pl.when(pl.col("bounded") & pl.col("human").is_between(0, 1)).then(error).otherwise(0.0).fill_null(0.0)


def _leads(rows: pl.DataFrame, halvings: int) -> tuple[Numbers, Numbers]:
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
    worse, better = leader_interval(merit, rival, np.nan_to_num(k, nan=1.0), error, items, halvings)
    sign, start = rows["sign"].cast(pl.Float64).to_numpy(), rows.select(from_end).to_series().to_numpy()
    ends = [sign * (end - start) for end in (worse, better)]
    return np.fmin(*ends), np.fmax(*ends)


def _share_left(score: pl.Expr, bottom: pl.Expr, top: pl.Expr | None = None) -> pl.Expr:
    """(top - score) / (top - bottom): 1 at the bottom, 0 at the top, negative beyond it; in either direction."""
    best = pl.col("top") if top is None else top
    return (best - score) / (best - bottom)


def room(bottom: str) -> Estimate:
    """Value, low and high of what is left of the way from `bottom` (floor or bottom) to `top`, of rows of `with_ends`.

    The interval holds the error of the best score, widened as it was picked, and that of an audited ceiling
    (`recovered`).
    """
    score, floor = pl.col("score"), pl.col(bottom)
    value = _share_left(score, floor)
    of_score = tuple(_share_left(pl.col(name), floor) for name in ("least", "most"))
    of_top = tuple(_share_left(score, floor, pl.col(name)) for name in ("top_low", "top_high"))
    return value, *recovered(value, [(of_score[0], of_score[1]), (of_top[0], of_top[1])])


def human_margin() -> Estimate:
    """Value, low and high of the best score minus the human line, of rows of `with_ends`; the errors of both are in."""
    return _beyond("human", "human_error")


def _beyond(line: str, error: str) -> Estimate:
    """By how much the best score is better than a line that has an error of its own, with both ends of the interval."""
    sign, half = pl.col("sign"), Z95 * pl.col(error)
    value = sign * (pl.col("score") - pl.col(line))
    of_score = tuple(sign * (pl.col(name) - pl.col(line)) for name in ("least", "most"))
    return value, *recovered(value, [(of_score[0], of_score[1]), (value - half, value + half)])


_CHECKED = pl.when(pl.col("top_error") > 0).then(pl.col("ceiling_checked").fill_null(CHECKED))


def _between_ends(code: str, by_others: str, bottom: str) -> Case:
    """The case of a share of the scale: its kind of ceiling, both ends, the error where that is known, and how many
    items were checked where the ceiling has an error.

    It is `by_others` where the best score is the best that others measured.
    """
    code_of_row = pl.when("by_others").then(pl.lit(by_others)).otherwise(pl.lit(code))
    return Case(
        code_of_row,
        kind="top_kind",
        numbers=("top", bottom, "error", _CHECKED),
        names=("ceiling_basis", "ceiling_kind"),
    )


def _headroom(evidence: Evidence) -> pl.DataFrame:
    return settle(
        end_of_frontier(evidence),
        OPEN_ENDED,
        NO_RESULT,
        NO_FLOOR,
        NO_SPAN,
        value=room("floor"),
        n=pl.col("n_items"),
        note=_between_ends("above_chance", "above_chance_by_others", "floor"),
    )


def _headroom_shrunk(evidence: Evidence) -> pl.DataFrame:
    floor = pl.col("floor")
    ends = [_share_left(pl.col(name), floor) for name in ("shrunk_low", "shrunk_high")]
    return settle(
        end_of_frontier(evidence),
        OPEN_ENDED,
        NO_RESULT,
        NO_FLOOR,
        NO_SPAN,
        FEW_TO_SHRINK,
        value=(_share_left(pl.col("shrunk"), floor), pl.min_horizontal(ends), pl.max_horizontal(ends)),
        n=pl.col("k"),
    )


def _headroom_of_ceiling(evidence: Evidence) -> pl.DataFrame:
    return settle(
        end_of_frontier(evidence),
        Unless(~pl.col("bounded"), "open_ended", "not_applicable"),
        NO_RESULT,
        Unless(pl.col("top") == pl.col("bottom"), "ceiling_is_worst"),
        value=room("bottom"),
        n=pl.col("n_items"),
        note=_between_ends("above_worst", "above_worst_by_others", "bottom"),
    )


def _frontier(evidence: Evidence) -> pl.DataFrame:
    return settle(
        _end_of_all(evidence),
        NO_RESULT,
        value=(pl.col("score"), *score_interval()),
        n=pl.col("n_items"),
    )


def _frontier_shrunk(evidence: Evidence) -> pl.DataFrame:
    return settle(
        _end_of_all(evidence),
        NO_RESULT,
        FEW_TO_SHRINK,
        value=estimate("shrunk"),
        n=pl.col("k"),
    )


def _human_margin(evidence: Evidence) -> pl.DataFrame:
    return settle(
        end_of_frontier(evidence),
        NO_RESULT,
        *NO_HUMAN_LINE,
        value=human_margin(),
        n=pl.col("n_items"),
        note=Case("human_baseline", numbers=("human", "human_people", "human_items", "error")),
    )


LEADER = "Andrews, Kitagawa, McCloskey 2024, Inference on winners, doi:10.1093/qje/qjad043"
MORRIS = "Morris 1983, Parametric empirical Bayes inference, doi:10.2307/2287098"
MOVER = "two errors: Zou & Donner 2008, doi:10.1002/sim.3095"
KISH = "answers of few people: Kish 1965, Survey Sampling"
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
    "The interval holds the error of the leading model's true score, with allowance for its having been picked for its "
    "score, and where the ceiling leaves out label errors that of the share of checked items; not what auditors judged "
    "otherwise than others would.",
    f"{WILSON}; {LEADER}; {MOVER}",
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
    f"{WILSON}; {LEADER}; {MOVER}",
    _headroom_of_ceiling,
    unit=Unit.ROOM_FROM_WORST,
)
HUMAN_MARGIN = Indicator(
    "human_margin",
    "Margin over the human baseline",
    "Best score minus the documented human score, positive where the model is better. The interval holds the error of "
    "the best score and that of the human line: of as many people and answers as its source states, else of "
    f"{ANSWERS} answers, {EACH} of each person.",
    f"the registry's human baseline, with its source; {MOVER}; {KISH}",
    _human_margin,
    unit=Unit.SCORE,
)
