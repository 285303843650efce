"""Pairs of measurements: declared ones of the same thing with the models on both sides, and how far two orders agree.

An agreement is Kendall's tau in [-1, 1]; (1 + tau) / 2 of all pairs of models keep their order.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.boards import best, newest, rankable
from benchhealth.analytics.record.by_item.item_results import ItemResults, item_results
from benchhealth.analytics.record.conditions.references import in_reference, references
from benchhealth.analytics.record.current import benchmark_facts
from benchhealth.analytics.record.frames import Frames, is_whole
from benchhealth.analytics.record.origins.origins import with_passed_on
from benchhealth.analytics.record.origins.sides import is_by_others, is_claim
from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.units.clustered_tau import Tau, clustered_tau
from benchhealth.analytics.statistics.units.line import FEWEST_FAMILIES

RERUN = "independent rerun"
"""The kind of twin whose original is what makers report of their own models, and the other what third parties find."""


class Pairs(NamedTuple):
    """The models measured on both sides, by model id; scores and errors in points, an unknown error is NaN.

    `share_*` are the scores as fractions and `items_*` the numbers of items (NaN: unknown), for the probit scale.
    `sign` is +1 where higher is better on both sides, -1 where lower is, and 0 where the sides differ. `dated_on` is
    the first day on which the original was known to list the model, None where only the first version of its file
    says so: it may have been there before. `outcomes_*` are what each model did on each item, (models, items), as
    shares; None of a side that is not known item by item for all of them. `ends_*` are floor and ceiling, as fractions.
    """

    model_id: list[str]
    original: Numbers
    other: Numbers
    original_error: Numbers
    other_error: Numbers
    share_original: Numbers
    share_other: Numbers
    items_original: Numbers
    items_other: Numbers
    sign: int
    bounded: bool
    setting: Sequence[str] = ()
    dated_on: Sequence[date | None] = ()
    outcomes_original: Numbers | None = None
    outcomes_other: Numbers | None = None
    ends_original: tuple[float, float] = (np.nan, np.nan)
    ends_other: tuple[float, float] = (np.nan, np.nan)

    def named(self) -> dict[str, pl.Series]:
        """Who each number is of: one model may be there in several settings."""
        setting = self.setting or [""] * len(self.model_id)
        return {
            "model_id": pl.Series(self.model_id, dtype=pl.String),
            "setting": pl.Series(setting, dtype=pl.String),
        }


BY_MODEL = (
    *("original", "other", "original_error", "other_error"),
    *("share_original", "share_other", "items_original", "items_other"),
)
"""The fields of `Pairs` that have a number for each model."""


class Matched(NamedTuple):
    """A declared twin (a row of `twin_pair`) with the models that were measured on both sides."""

    declared: Mapping[str, Any]
    pairs: Pairs


def matched_pairs(frames: Frames) -> list[Matched]:
    """Every declared pair with the models measured on both sides, by twin_id.

    Both sides are read from the newest version of each file, as of the end of `observed_on` where that is set. Within
    one source, models are matched on model and setting, so one model in three settings is three points; between
    sources, where settings have no common names, each model is matched in its best setting on either side. Either side
    holds the condition alone by which its benchmark is judged.
    """
    declared = replace(frames, result=of_twins(frames))
    rows = with_passed_on(in_reference(rankable(declared), references(declared)), frames.measurer)
    matched_twins = matched_among(rows, frames.twin_pair, item_results(frames))
    ends = _ends(frames)
    return [
        Matched(row, pairs._replace(ends_original=ends[row["original_id"]], ends_other=ends[row["other_id"]]))
        for row, pairs in matched_twins
    ]


def _ends(frames: Frames) -> defaultdict[str, tuple[float, float]]:
    """Floor and ceiling of every benchmark, NaN where unknown."""
    ends = [pl.col(name).cast(pl.Float64).fill_null(np.nan) for name in ("floor", "ceiling")]
    facts = benchmark_facts(frames).select("benchmark_id", *ends)
    return defaultdict(lambda: (np.nan, np.nan), {name: (low, high) for name, low, high in facts.iter_rows()})


def matched_among(rows: pl.DataFrame, twin_pair: pl.DataFrame, items: ItemResults) -> list[Matched]:
    """Every declared pair with the models that these rankable `rows` have on both sides, by twin_id."""
    by_id = rows.partition_by("benchmark_id", as_dict=True).items()
    by_benchmark = defaultdict(rows.clear, {str(name): results for (name,), results in by_id})
    return [
        Matched(row, _matched_scores(by_benchmark, row, items))
        for row in twin_pair.sort("twin_id").iter_rows(named=True)
    ]


def of_twins(frames: Frames) -> pl.LazyFrame:
    """The results of benchmarks that are a side of a declared pair."""
    named = pl.concat([frames.twin_pair["original_id"], frames.twin_pair["other_id"]]).unique()
    return frames.result.filter(pl.col("benchmark_id").is_in(named.implode()))


def _matched_scores(rows: Mapping[str, pl.DataFrame], declared: Mapping[str, Any], items: ItemResults) -> Pairs:
    """The rows of both sides, given by benchmark, matched; scores of both in the same order."""
    source, until = declared["source_id"], declared["observed_on"]
    other_source = declared["other_source_id"] or source
    key = ["model_id", "run"] if source is not None and source == other_source else ["model_id"]
    listed = [
        _side(rows[declared[side]], declared["kind"], side, source_id)
        for side, source_id in (("original_id", source), ("other_id", other_source))
    ]
    sides = [
        best(newest(side.with_columns(run=_run()), until), key).select(
            *("model_id", "run", "setting", "score", "error", "sign", "bounded", "snapshot_id", "source_row"),
            items=pl.col("n_items").cast(pl.Float64),
        )
        for side in listed
    ]
    twin = (
        sides[0]
        .join(sides[1], on=key, suffix="_other", maintain_order="none")
        .join(_first_seen(listed[0]), on="model_id", how="left", maintain_order="none")
        .sort(key)
    )
    signs = set(twin["sign"]) | set(twin["sign_other"])
    bounded = bool(twin["bounded"].all() and twin["bounded_other"].all()) and not twin.is_empty()
    points = 100.0 if bounded else 1.0
    column = {name: twin[name].fill_null(np.nan).to_numpy() for name in twin.columns if twin[name].dtype == pl.Float64}
    return Pairs(
        model_id=twin["model_id"].to_list(),
        original=points * column["score"],
        other=points * column["score_other"],
        original_error=points * column["error"],
        other_error=points * column["error_other"],
        share_original=column["score"],
        share_other=column["score_other"],
        items_original=column["items"],
        items_other=column["items_other"],
        sign=int(signs.pop()) if len(signs) == 1 else 0,
        bounded=bounded,
        setting=twin["setting"].to_list(),
        dated_on=twin["seen_on"].to_list(),
        outcomes_original=items.outcomes(twin),
        outcomes_other=items.outcomes(twin.select(snapshot_id="snapshot_id_other", source_row="source_row_other")),
    )


def _run() -> pl.Expr:
    """How a model was run: the setting without the set of tasks, in which the two sides differ by their nature."""
    return pl.col("setting").str.replace_all(r"(?:^|, )subset=[^,]+", "").str.strip_prefix(", ")


def _side(rows: pl.DataFrame, kind: str, side: str, source: str | None) -> pl.DataFrame:
    """The rows of every version of a benchmark that count for one side of a pair."""
    counts = []
    if source is not None:
        counts.append(pl.col("source_id") == source)
    if kind == RERUN:
        counts.append(is_claim() if side == "original_id" else is_by_others())
    return rows.filter(*counts) if counts else rows


def _first_seen(rows: pl.DataFrame) -> pl.DataFrame:
    """`seen_on` of each model, as `Pairs.dated_on` says."""
    day = pl.col("dated_on")
    return rows.group_by("model_id").agg(seen_on=pl.when(~day.is_null().any()).then(day.min()))


SAME_THING = ("fresh sample", "independent rerun", "live split", "equal preparation")
"""Kinds of twin whose difference is not made on purpose: a harder variant or another metric is expected to differ."""

FAMILY = r"^(?:.*/)?(?:(?:meta|open)-)?([a-z]+)"
"""The first word of a model's id, without the maker's that some sources put before it (`meta-llama-3-8b`)."""

SAMPLED = ("fresh sample", "live split")
"""Kinds of twin whose items are drawn anew, so that the sampling errors of the two sides are independent."""

HARDER = "harder variant"
"""The kind of twin whose items are others, or the same ones of which more is asked: then there are as many."""


def families(model_ids: Sequence[str]) -> list[str]:
    """The family of each model, the first word of its id; each its own where that would leave fewer than three."""
    named = family_words(model_ids)
    return named if len(set(named)) >= FEWEST_FAMILIES else [f"{index}" for index in range(len(named))]


def family_words(model_ids: Sequence[str]) -> list[str]:
    """The first word of each id, or the id where it begins with none.

    >>> family_words(["claude-3-opus", "gpt-4", "gpt-4o"])
    ['claude', 'gpt', 'gpt']
    """
    first = pl.Series(model_ids, dtype=pl.String).str.extract(FAMILY)
    return [word or model_id for word, model_id in zip(first, model_ids, strict=True)]


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


def fall_of(places_lost: int, models: int) -> str:
    """How far a model fell of so many: NO_FALL, SMALL_FALL (at most FEW_PLACES of all places) or LARGE_FALL.

    >>> [fall_of(places_lost, models=65) for places_lost in (0, 6, 7)]
    ['no_fall', 'small_fall', 'large_fall']
    """
    if places_lost == 0:
        return NO_FALL
    return SMALL_FALL if places_lost <= FEW_PLACES * models else LARGE_FALL


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
    """Table `transfer`: every two curated benchmarks and, for ImageNet and CIFAR-10, every other one, parts left out.

    `leaderboard` is that of models now, `benchmark_facts` has every benchmark. A
    pair with fewer than `fewest` models in common is left out, unless they are these two: that nothing can be said
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
    rows += [pair for pair in permutations(EVERYTHING, 2) if pair not in rows and benchmarks.issuperset(pair)]
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
    for original_id, other_id in pairs:
        common = np.isfinite(columns[original_id]) & np.isfinite(columns[other_id])
        n = int(common.sum())
        if n >= fewest:
            tau = _tau(columns[original_id][common], columns[other_id][common], family[common])
            rows.append((original_id, other_id, n, *tau))
        elif original_id in keep and other_id in keep:
            rows.append((original_id, other_id, n, None, None, None))
    return pl.DataFrame(rows, schema=TRANSFER, orient="row")
