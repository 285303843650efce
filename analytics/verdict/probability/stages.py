"""The stage of each benchmark over draws of what is uncertain: scores, which of them count, ceiling, human line."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import polars as pl

from benchhealth.analytics.record.tables import STAGES
from benchhealth.analytics.saturation.headroom import with_ends
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.verdict.probability.board_draws import BEST, Boards, boards_of, chance, measured_again
from benchhealth.analytics.verdict.probability.indicators import OF_FACTS, stage_indicators
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import staged, with_headroom

DRAWS = 500
"""Draws of each benchmark: a probability of one half has a standard error of 2.2 points, one of .93 of 1.1."""

DRAWS_AT_ONCE = 60_000
"""Draws times benchmarks that are judged together: more would only take memory."""

DRAWN = (
    *("headroom", "headroom.high", "headroom_of_ceiling", "headroom_of_ceiling.high"),
    *("human_margin", "human_margin.low", "resolution_top5", "spread_top10"),
)
"""The columns of `verdict.values` that a draw has of its own; where the benchmark's is null, so is that of a draw."""


@dataclass(frozen=True)
class Uncertain:
    """The inputs of the draws, by benchmark: `boards`, `facts`, and `values`, their `verdict.values` with the sides
    before; all in the same order, a row each."""

    boards: Boards
    facts: pl.DataFrame
    values: pl.DataFrame

    def parts(self, rows: int) -> Iterator["Uncertain"]:
        """Cut the inputs into parts of at most `rows` benchmarks, so that each fits into memory."""
        for start in range(0, self.values.height, rows):
            yield Uncertain(
                self.boards.rows(start, start + rows),
                self.facts[start : start + rows],
                self.values[start : start + rows],
            )


def uncertain(board: pl.DataFrame, facts: pl.DataFrame, values: pl.DataFrame) -> Uncertain:
    """The inputs of the draws for the benchmarks of `values`: the best of `board`, and their `facts`."""
    about = values.select("benchmark_id").join(facts.select(OF_FACTS), on="benchmark_id", maintain_order="left")
    return Uncertain(boards_of(board, about), about, values)


def of_boards(other_boards: pl.DataFrame, references: Uncertain) -> Uncertain:
    """The inputs of the draws for other boards of the same benchmarks, each with a `row_id` and its `benchmark_id`.

    What follows from a board is its own, the rest that of the benchmark in `references`; nothing is remembered of its
    months before.
    """
    rows = other_boards.select("row_id", "benchmark_id").unique(maintain_order=True)
    facts = rows.join(references.facts, on="benchmark_id", maintain_order="left").drop("benchmark_id")
    facts = facts.rename({"row_id": "benchmark_id"})
    board = other_boards.drop("benchmark_id").rename({"row_id": "benchmark_id"})
    drawn = uncertain(board, facts, facts.select("benchmark_id"))
    sizes = board.group_by("benchmark_id", maintain_order=True).agg(n_models=pl.len().cast(pl.Float64))
    computed_own = stage_indicators(drawn.boards, drawn.facts).select(DRAWN)
    static = references.values.columns
    values = (
        rows.join(references.values, on="benchmark_id", maintain_order="left")
        .drop("benchmark_id", *DRAWN, "n_models")
        .rename({"row_id": "benchmark_id"})
        .hstack(computed_own)
        .join(sizes, on="benchmark_id", maintain_order="left")
        .with_columns(pl.lit(None, pl.Boolean).alias(name) for name in static if name.startswith("was_"))
        .select(static)
    )
    return Uncertain(drawn.boards, drawn.facts, values)


def shares_of_stages(
    inputs: Uncertain, limits: Thresholds, rng: np.random.Generator, draws: int = DRAWS
) -> pl.DataFrame:
    """`benchmark_id`, `stage` and `p`, the share of draws that give it: a row for each of STAGES."""
    counted = [_stage_counts(chunk, limits, rng, draws) for chunk in inputs.parts(max(1, DRAWS_AT_ONCE // draws))]
    all_stages = inputs.values.select("benchmark_id").join(pl.DataFrame({"stage": STAGES}), how="cross")
    if not counted:
        return all_stages.with_columns(p=pl.lit(None, pl.Float64))
    counts = pl.concat(counted)
    return all_stages.join(counts, on=["benchmark_id", "stage"], how="left", maintain_order="left").select(
        "benchmark_id", "stage", p=pl.col("len").fill_null(0) / draws
    )


def _stage_counts(inputs: Uncertain, limits: Thresholds, rng: np.random.Generator, draws: int) -> pl.DataFrame:
    drawn = chance(inputs.values["benchmark_id"].to_list(), draws, rng)
    remeasured = measured_again(inputs.boards, drawn)
    facts = with_lines_drawn(_repeated(inputs.facts, draws), drawn.of_line.reshape(-1, 2))
    values = _repeated(inputs.values, draws)
    table = drawn_values(values, stage_indicators(remeasured, facts))
    return staged(with_headroom(table, limits), limits).group_by("benchmark_id", "stage").len()


def _repeated(rows: pl.DataFrame, times: int) -> pl.DataFrame:
    return rows[np.repeat(np.arange(rows.height), times)]


def with_lines_drawn(facts: pl.DataFrame, noise: Numbers) -> pl.DataFrame:
    """The facts with an audited ceiling and a human line each as another audit and other people would find them.

    `noise` is standard normal, (rows of `facts`, 2): for the ceiling and for the human line.
    """
    score = pl.lit(None, pl.Float64)
    unknown = {"score": score, "std_error": score, "error": score, "n_items": score, "rival": score, "k": score}
    ends = with_ends(facts.with_columns(**unknown), 0)
    drawn = ends.select(
        ceiling=_drawn_line("ceiling", "top_error", noise[:, 0]),
        human=_drawn_line("human", "human_error", noise[:, 1]),
    )
    return facts.with_columns(drawn)


def _drawn_line(line: str, error: str, noise: Numbers) -> pl.Expr:
    drawn = pl.col(line) + pl.col(error) * pl.Series(noise)
    return pl.when(pl.col(error) > 0).then(drawn.clip(0, 1)).otherwise(line)


def drawn_values(values: pl.DataFrame, computed: pl.DataFrame) -> pl.DataFrame:
    """The rows of `verdict.values` with the numbers of a draw in place of theirs."""
    drawn = computed.select(pl.all().name.prefix("drawn."))
    joined = pl.concat([values, drawn], how="horizontal")
    drawn_columns = [pl.when(pl.col(key).is_not_null()).then(pl.col(f"drawn.{key}")).alias(key) for key in DRAWN]
    before, listed = pl.col("n_models"), pl.col("drawn.listed")
    margin = pl.coalesce("human_margin.low", "human_margin")
    return joined.with_columns(
        *drawn_columns, n_models=pl.when(before <= BEST).then(pl.min_horizontal(before, listed)).otherwise(before)
    ).with_columns(human_margin_low=margin)
