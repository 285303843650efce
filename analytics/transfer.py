"""Whether one benchmark's order of models is another's: rank correlation over the models that both measured."""

from collections.abc import Collection
from itertools import combinations

import numpy as np
import polars as pl

from analytics.agreement import kendall_tau
from analytics.current import benchmark_facts, leaderboard, newest, ranked_results
from analytics.frames import Frames
from analytics.tables import COUNT, NUMBER, TEXT

FEWEST_MODELS = 10
"""With fewer models in common a rank correlation says little: for 10 its standard error without any relation is .25."""

TRANSFER = pl.Schema({"original_id": TEXT, "other_id": TEXT, "n_models": COUNT, "kendall_tau": NUMBER})


def transfer_from(frames: Frames, original_id: str, fewest: int = FEWEST_MODELS) -> pl.DataFrame:
    """How far the order on one benchmark carries over to every other one, most alike first; schema `TRANSFER`.

    Each model counts with its best current result on either, as a leaderboard of models has it. `kendall_tau` is
    tau-b with higher as better on both, null where a side is constant; pairs with fewer common models are left out.
    """
    wide = _scores(frames, None)
    others = [name for name in wide.columns if name not in ("model_id", original_id)]
    pairs = [(original_id, other) for other in others] if original_id in wide.columns else []
    return _table(wide, pairs, fewest).sort("kendall_tau", "other_id", descending=[True, False], nulls_last=True)


def transfer_among(frames: Frames, benchmark_ids: Collection[str], fewest: int = FEWEST_MODELS) -> pl.DataFrame:
    """How far the orders on these benchmarks agree, each pair once in the order of their ids; schema `TRANSFER`."""
    wide = _scores(frames, benchmark_ids)
    return _table(wide, list(combinations(sorted(set(wide.columns) - {"model_id"}), 2)), fewest)


def mean_agreement(pairs: pl.DataFrame) -> float | None:
    """The mean tau-b over the pairs of a `TRANSFER` table that have one; None where none does.

    Over all pairs of an evaluation's tasks this is the cross-task agreement of Zhang, Dominguez-Olmedo, Hardt (2025),
    Train-before-Test harmonizes language model rankings, https://arxiv.org/abs/2507.05195.
    """
    known = pairs["kendall_tau"].drop_nulls()
    return float(np.mean(known.to_numpy())) if known.len() else None


def _scores(frames: Frames, benchmark_ids: Collection[str] | None) -> pl.DataFrame:
    """Models by benchmarks, higher is better, null where not measured."""
    facts = benchmark_facts(frames)
    if benchmark_ids is not None:
        facts = facts.filter(pl.col("benchmark_id").is_in(list(benchmark_ids)))
    board = leaderboard(newest(ranked_results(frames, facts)))
    return board.pivot("benchmark_id", index="model_id", values="merit").sort("model_id")


def _table(wide: pl.DataFrame, pairs: Collection[tuple[str, str]], fewest: int) -> pl.DataFrame:
    columns = {name: wide[name].fill_null(np.nan).to_numpy() for pair in pairs for name in pair}
    rows = []
    for original, other in pairs:
        both = np.isfinite(columns[original]) & np.isfinite(columns[other])
        if both.sum() >= fewest:
            tau = kendall_tau(columns[original][both], columns[other][both])
            rows.append((original, other, int(both.sum()), tau))
    return pl.DataFrame(rows, schema=TRANSFER, orient="row")
