"""Whether one test orders models as another does: how far two orders agree, and what an agreement is called, as codes.

An agreement is Kendall's tau in [-1, 1]; (1 + tau) / 2 of all pairs of models keep their order.
"""

from collections.abc import Collection
from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.frames import is_whole
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.clustered_tau import Tau, clustered_tau
from benchhealth.analytics.statistics.units.line import FEWEST_FAMILIES
from benchhealth.analytics.twins.uncertainty import family_words

STAYS = 0.8
"""Where an agreement lies above this the order stayed: 90 of 100 pairs keep it, where 50 would by chance."""

LESS_AT_THE_TOP = 0.1
"""By so much less must the best agree for the order to hold less well at the top: 5 more of 100 pairs are swapped."""

FEW_PLACES = 0.1
"""A fall of at most this share of all places is a small one: a model stays in the tenth that it was in, or the next."""

STAYED, SEEMS_TO_STAY, CHANGED, NOT_KNOWN = "stayed", "seems_to_stay", "changed", "not_known"
NO_FALL, SMALL_FALL, LARGE_FALL = "no_fall", "small_fall", "large_fall"


def order_of(agreement: float | None, low: float | None) -> str:
    """STAYED where even the low end of the interval of an agreement is above STAYS, SEEMS_TO_STAY where only it is.

    CHANGED where the agreement is no higher than STAYS, NOT_KNOWN where there is none.

    >>> [order_of(0.9, 0.85), order_of(0.9, 0.7), order_of(0.9, None), order_of(0.8, 0.7), order_of(None, None)]
    ['stayed', 'seems_to_stay', 'seems_to_stay', 'changed', 'not_known']
    """
    if agreement is None:
        return NOT_KNOWN
    if low is not None and low > STAYS:
        return STAYED
    return SEEMS_TO_STAY if agreement > STAYS else CHANGED


def is_less_at_top(agreement: float | None, agreement_top: float | None) -> bool:
    """Whether the best agree clearly less well than all; not where either is not known.

    >>> is_less_at_top(0.95, 0.8), is_less_at_top(0.95, 0.9), is_less_at_top(0.95, None)
    (True, False, False)
    """
    return agreement is not None and agreement_top is not None and agreement_top < agreement - LESS_AT_THE_TOP


def fall_of(places: int, models: int) -> str:
    """How far a model fell of so many: NO_FALL, SMALL_FALL (at most FEW_PLACES of all places) or LARGE_FALL.

    >>> [fall_of(places, models=65) for places in (0, 6, 7)]
    ['no_fall', 'small_fall', 'large_fall']
    """
    if places == 0:
        return NO_FALL
    return SMALL_FALL if places <= FEW_PLACES * models else LARGE_FALL


FEWEST_MODELS = 10
"""With fewer models in common a rank correlation says little: for 10 its standard error without any relation is .25."""

TRANSFER = PUBLISHED["transfer"]

EVERYTHING = ("imagenet", "cifar-10")
"""Benchmarks held against every other one, not against curated ones alone: the classics that transfer is asked of."""


def transfers(
    leaderboard: pl.DataFrame,
    benchmark_facts: pl.DataFrame,
    twin: pl.DataFrame,
    twin_residual: pl.DataFrame,
    *,
    fewest: int = FEWEST_MODELS,
) -> pl.DataFrame:
    """Table `transfer`: every two curated benchmarks and, for those of EVERYTHING, every other one, parts left out.

    `leaderboard` is that of models now (`analytics.record.current`), `benchmark_facts` has every benchmark. A
    pair with fewer than `fewest` models in common is left out, unless both are of EVERYTHING: that nothing can be said
    about those is said, with a null tau. `low` to `high` is the 95% interval of
    `clustered_tau`, which leaves out families of models whole (`family_words`): models of one family are alike.
    Two benchmarks that are a twin have that of the twin, of the largest where there are several.
    """
    curated = benchmark_facts.filter(pl.col("curated").fill_null(False))["benchmark_id"]
    whole_benchmarks = leaderboard.filter(is_whole())
    listed = whole_benchmarks.group_by("benchmark_id").agg(pl.len()).filter(pl.col("len") >= fewest)["benchmark_id"]
    whole_benchmarks = whole_benchmarks.filter(pl.col("benchmark_id").is_in(listed.implode()))
    common = _common(whole_benchmarks, pl.concat([curated, pl.Series(EVERYTHING)]).unique())
    classic = pl.col("original_id").is_in(EVERYTHING)
    is_compared = classic | (
        (pl.col("original_id") < pl.col("other_id")) & ~pl.col("other_id").is_in(EVERYTHING)
    ) & pl.col("other_id").is_in(curated.implode())
    of_everything = classic & pl.col("other_id").is_in(EVERYTHING)
    chosen = common.filter(is_compared & ((pl.col("n_models") >= fewest) | of_everything))
    rows = list(chosen.select("original_id", "other_id").iter_rows())
    benchmarks = set(listed)
    rows += [(a, b) for a in EVERYTHING for b in EVERYTHING if a != b and (a, b) not in rows and {a, b} <= benchmarks]
    listed_now = _table(
        _wide(whole_benchmarks, {name for pair in rows for name in pair}), rows, fewest, keep=set(EVERYTHING)
    )
    of_twins = _of_twins(twin, twin_residual, fewest)
    same = pl.concat_list("original_id", "other_id").list.sort().list.join(" ")
    return (
        pl.concat([of_twins, listed_now.filter(~same.is_in(of_twins.select(same).to_series().implode()))])
        .filter(pl.all_horizontal(pl.col("original_id", "other_id").is_in(list({*curated, *EVERYTHING}))) | classic)
        .sort("original_id", "kendall_tau", "other_id", descending=[False, True, False], nulls_last=True)
    )


def _of_twins(twin: pl.DataFrame, twin_residual: pl.DataFrame, fewest: int) -> pl.DataFrame:
    """The agreement of the two sides of each twin of two benchmarks, of the largest of each pair; schema `TRANSFER`."""
    pairs = ["original_id", "other_id"]
    usable = twin.filter(
        (pl.col("scale") == "linear")
        & (pl.col("original_id") != pl.col("other_id"))
        & pl.col("kendall_tau").is_not_null()
        & (pl.col("n_models") >= fewest)
    )
    largest = usable.sort("n_models", "twin_id", descending=[True, False]).unique(pairs, keep="first")
    rows = []
    for twin_id, *named in largest.sort("twin_id").select("twin_id", *pairs).iter_rows():
        sides = twin_residual.filter(twin_id=twin_id).drop_nulls(["original", "other"])
        family = np.unique(family_words(sides["model_id"].to_list()), return_inverse=True)[1]
        rows.append((*named, sides.height, *_tau(sides["original"].to_numpy(), sides["other"].to_numpy(), family)))
    return pl.DataFrame(rows, schema=TRANSFER, orient="row")


def _tau(left: Numbers, right: Numbers, family: NDArray[np.intp]) -> Tau:
    """The agreement over models in families, or over single models where there are few families."""
    return clustered_tau(left, right, family if np.unique(family).size >= FEWEST_FAMILIES else np.arange(left.size))


def _common(whole_benchmarks: pl.DataFrame, originals: pl.Series) -> pl.DataFrame:
    """How many models every original has in common with every other benchmark, where it has any."""
    listed = whole_benchmarks.select("benchmark_id", "model_id")
    left = listed.filter(pl.col("benchmark_id").is_in(originals.implode())).rename({"benchmark_id": "original_id"})
    return (
        left.join(listed.rename({"benchmark_id": "other_id"}), on="model_id")
        .filter(pl.col("original_id") != pl.col("other_id"))
        .group_by("original_id", "other_id")
        .agg(n_models=pl.len())
        .sort("original_id", "other_id")
    )


def agreements(board: pl.DataFrame, fewest: int = FEWEST_MODELS) -> pl.DataFrame:
    """How far the orders on the benchmarks of a leaderboard agree, each pair once by their ids; schema `TRANSFER`.

    `board` holds `benchmark_id`, `model_id` and `merit`. `kendall_tau` is tau-b, null where a side is constant; pairs
    with fewer common models are left out.
    """
    wide = _wide(board, None)
    return _table(wide, list(combinations(sorted(set(wide.columns) - {"model_id"}), 2)), fewest)


def mean_agreement(pairs: pl.DataFrame) -> float | None:
    """The mean tau-b over the pairs of a `TRANSFER` table that have one; None where none does.

    Over all pairs of an evaluation's tasks this is the cross-task agreement of Zhang, Dominguez-Olmedo, Hardt (2025),
    Train-before-Test harmonizes language model rankings, https://arxiv.org/abs/2507.05195.
    """
    measured = pairs["kendall_tau"].drop_nulls()
    return float(np.mean(measured.to_numpy())) if measured.len() else None


def _wide(board: pl.DataFrame, benchmark_ids: Collection[str] | None) -> pl.DataFrame:
    rows = board if benchmark_ids is None else board.filter(pl.col("benchmark_id").is_in(list(benchmark_ids)))
    return rows.pivot("benchmark_id", index="model_id", values="merit").sort("model_id")


def _table(
    wide: pl.DataFrame, pairs: Collection[tuple[str, str]], fewest: int, keep: Collection[str] = ()
) -> pl.DataFrame:
    """Agreement of each pair; one with fewer common models is left out, or has no tau if both are to be kept."""
    named = {name for pair in pairs for name in pair}
    columns = {name: wide[name].fill_null(np.nan).to_numpy() for name in named}
    _, family = np.unique(family_words(wide["model_id"].to_list()), return_inverse=True)
    rows: list[tuple[object, ...]] = []
    for original, other in pairs:
        both = np.isfinite(columns[original]) & np.isfinite(columns[other])
        n = int(both.sum())
        if n >= fewest:
            rows.append((original, other, n, *_tau(columns[original][both], columns[other][both], family[both])))
        elif original in keep and other in keep:
            rows.append((original, other, n, None, None, None))
    return pl.DataFrame(rows, schema=TRANSFER, orient="row")
