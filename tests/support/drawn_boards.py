"""Benchmarks whose stages are drawn: leaderboards of scores, with all else that their rules read."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import true_error
from benchhealth.analytics.verdict.probability.board_draws import BEST, SHARED_VARIANCE, Boards, boards_of
from benchhealth.analytics.verdict.probability.indicators import OF_FACTS, stage_indicators
from benchhealth.analytics.verdict.probability.stages import DRAWN, Uncertain, drawn_values, uncertain
from benchhealth.analytics.verdict.verdict import SIDES_BEFORE, staged, values, with_headroom
from tests.support.verdicts import LIMITS, indicator_table

ABOUT = {
    "bounded": True,
    "sign": 1.0,
    "floor": 0.25,
    "ceiling": 1.0,
    "ceiling_checked": None,
    "human": None,
    "human_people": None,
    "human_items": None,
}
TYPES = {"ceiling_checked": pl.Int64, "human": pl.Float64, "human_people": pl.Int64, "human_items": pl.Int64}


def benchmarks_of(boards: Sequence[Sequence[float]] | Numbers, n_items: int, **facts: object) -> Uncertain:
    """Old benchmarks with these scores on `n_items` items; whatever else their rules read is the same for all."""
    rows = [
        {"benchmark_id": f"{number:04}", "model_id": f"m{place}", "place": place, "score": float(score)}
        for number, scores in enumerate(boards)
        for place, score in enumerate(sorted(scores, reverse=True), 1)
    ]
    board = pl.DataFrame(rows).with_columns(
        merit="score", std_error=pl.lit(None, pl.Float64), n_items=pl.lit(n_items, pl.Int64), bounded=pl.lit(value=True)
    )
    board = board.with_columns(error=true_error())
    ids = [f"{number:04}" for number in range(len(boards))]
    about = pl.DataFrame({"benchmark_id": ids}).with_columns(
        pl.lit(value, TYPES.get(name)).alias(name) for name, value in {**ABOUT, **facts}.items()
    )
    about = about.select(OF_FACTS)
    table = indicator_table(
        [
            {"n_models": len(scores), "age_months": 40, "months_since_look": 1, "months_since_result": 1}
            for scores in boards
        ]
    )
    rule_values = values(table, LIMITS).with_columns(
        pl.lit(None, kind).alias(name) for name, kind in SIDES_BEFORE.items() if name != "benchmark_id"
    )
    drawn_columns = stage_indicators(boards_of(board, about), about)
    complete = rule_values.drop(DRAWN).hstack(drawn_columns.select(DRAWN)).select(rule_values.columns)
    return uncertain(
        board, about, complete.with_columns(human_margin_low=pl.coalesce("human_margin.low", "human_margin"))
    )


def stages(of: Uncertain) -> pl.DataFrame:
    """Columns `benchmark_id` and `found`, the stage that these scores give without any drawing."""
    table = drawn_values(of.values, stage_indicators(of.boards, of.facts))
    return staged(with_headroom(table, LIMITS), LIMITS).select("benchmark_id", found="stage")


def measured_twice(count: int, n_items: int, random: np.random.Generator) -> tuple[Uncertain, Uncertain]:
    """Two measurements of the same models, of benchmarks from nearly open to used up."""
    level = random.uniform(0.45, 0.97, (count, 1))
    true = np.clip(level - random.gamma(1.0, random.uniform(0.005, 0.05, (count, 1)), (count, BEST)), 0.26, 0.995)

    def measured() -> Numbers:
        error = np.sqrt(true * (1 - true) / n_items)
        common = np.sqrt(SHARED_VARIANCE) * random.standard_normal((count, 1))
        return np.clip(
            true + error * (common + np.sqrt(1 - SHARED_VARIANCE) * random.standard_normal(true.shape)), 0, 1
        )

    return benchmarks_of(measured(), n_items), benchmarks_of(measured(), n_items)


__all__ = ["Boards", "benchmarks_of", "measured_twice", "stages"]
