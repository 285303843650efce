"""Table `stage_probability`, the weight of each condition that it draws from, and what verdicts say of it."""

import numpy as np
import polars as pl

from benchhealth.analytics.packed import Rows
from benchhealth.analytics.record.conditions.kinds import words_of
from benchhealth.analytics.record.conditions.recognise import EXCLUDED, UNSTATED
from benchhealth.analytics.record.conditions.references import TOP_RESULTS
from benchhealth.analytics.record.current import leaderboard, newest
from benchhealth.analytics.record.evidence import Evidence
from benchhealth.analytics.record.frames import Frames
from benchhealth.analytics.record.tables import PUBLISHED, STAGES
from benchhealth.analytics.verdict.probability.stages import (
    DRAWS,
    of_boards,
    shares_of_stages,
    uncertain,
)
from benchhealth.analytics.verdict.thresholds import Thresholds
from benchhealth.analytics.verdict.verdict import SIDES_BEFORE, values

_PAIR = ["benchmark_id", "condition"]

OTHER_MEASURES = ("subset", "attempts")
"""Kinds of conditions under which something else is measured: a part of the test, or whether one of several attempts is
right. No benchmark could be judged by those instead."""


def other_conditions(mixed: pl.DataFrame, reference: pl.DataFrame, rules: pl.DataFrame) -> pl.DataFrame:
    """Leaderboards of each `benchmark_id` under every stated `condition` that has a top five and is not its reference.

    `mixed` are the ranked results of benchmarks of several conditions, `rules` the table of conditions. OTHER_MEASURES
    are left out. `row_id` names the benchmark and the condition.
    """
    rows = newest(mixed).filter(~pl.col("condition").is_in([UNSTATED, EXCLUDED]))
    sizes = rows.group_by(_PAIR).agg(models=pl.col("model_id").n_unique())
    could_be = (
        sizes.filter(pl.col("models") >= TOP_RESULTS)
        .join(reference, on=_PAIR, how="anti")
        .join(words_of(sizes, rules).filter(pl.col("kind").is_in(OTHER_MEASURES)), on=_PAIR, how="anti")
        .select(_PAIR)
    )
    named = rows.join(could_be, on=_PAIR).with_columns(of_benchmark="benchmark_id")
    board = leaderboard(named.with_columns(benchmark_id=pl.format("{} {}", "benchmark_id", "condition")))
    return board.rename({"benchmark_id": "row_id", "of_benchmark": "benchmark_id"})


def weights(board: pl.DataFrame, alternatives: pl.DataFrame) -> pl.DataFrame:
    """`row_id`, `benchmark_id` and `weight` of each condition: its share of the models under any of them.

    `board` is that of the references, whose `row_id` is the benchmark itself.
    """
    of_reference = board.group_by("benchmark_id").agg(models=pl.len()).with_columns(row_id="benchmark_id")
    of_others = alternatives.group_by("row_id", "benchmark_id").agg(models=pl.len())
    leaderboards = pl.concat([of_reference.select("row_id", "benchmark_id", "models"), of_others])
    share = pl.col("models") / pl.col("models").sum().over("benchmark_id")
    return leaderboards.with_columns(weight=share).sort("benchmark_id", "row_id")


NAMED_ALONE = 0.6
"""The least probability with which a stage is named alone: below it two stages are, as nearly two draws of five give
another."""

FEWEST_DATED = 5
"""Results with a day from which on a benchmark that nobody curates is drawn too."""

UNCERTAIN_STAGES = tuple(stage for stage in STAGES if stage != "unknown")
"""The stages of verdicts that are drawn: an unknown one says already that it is not known."""


def stage_probabilities(  # noqa: PLR0913, PLR0917 - one for each table or step that is read
    frames: Frames,
    evidence: Evidence,
    observed_indicator: pl.DataFrame,
    thresholds: Thresholds,
    sides_before: pl.DataFrame,
    bare_verdict: pl.DataFrame,
    mixed: Rows,
    probability_rng: np.random.Generator,
) -> pl.DataFrame:
    """Table `stage_probability`: of each benchmark the share of draws that give each stage.

    Drawn are curated benchmarks and those with FEWEST_DATED dated results, where a stage is known and the error of
    the best score: where it is not, nobody can say how uncertain the stage is. `drawn` counts the models among the
    best whose scores were drawn, `conditions` those that it could be judged by, each weighed by its models.
    """
    all_values = values(observed_indicator, thresholds).join(
        sides_before.match_to_schema(SIDES_BEFORE), on="benchmark_id", how="left", maintain_order="left"
    )
    drawable = all_values.join(_drawable(evidence, bare_verdict), on="benchmark_id", how="semi", maintain_order="left")
    references = uncertain(evidence.judged_board, evidence.facts, drawable)
    other_rows = other_conditions(mixed.lazy().collect(), evidence.reference, frames.condition)
    other_rows = other_rows.join(drawable, on="benchmark_id", how="semi", maintain_order="left")
    alternative = of_boards(other_rows, references)
    drawn = pl.concat(
        [shares_of_stages(inputs, thresholds, probability_rng) for inputs in (references, alternative)]
    ).rename({"benchmark_id": "row_id"})
    weighed = weights(evidence.judged_board.join(drawable, on="benchmark_id", how="semi"), other_rows)
    counted = np.isfinite(references.boards.error).sum(axis=1)
    sizes = drawable.select("benchmark_id", drawn=pl.Series(counted, dtype=pl.Int64))
    return (
        drawn.join(weighed, on="row_id")
        .group_by("benchmark_id", "stage")
        .agg(p=(pl.col("p") * pl.col("weight")).sum(), conditions=pl.len().cast(pl.Int64))
        .join(sizes, on="benchmark_id")
        .with_columns(draws=pl.lit(DRAWS, pl.Int64))
        .match_to_schema(PUBLISHED["stage_probability"], extra_columns="ignore")
        .sort("benchmark_id", pl.col("stage").replace_strict(STAGES, range(len(STAGES))))
    )


def _drawable(evidence: Evidence, verdict: pl.DataFrame) -> pl.DataFrame:
    """The benchmarks whose stage gets a probability: curated or often dated, with an error of the first place."""
    dated = evidence.history.drop_nulls("dated_on").group_by("benchmark_id").len().filter(pl.col("len") >= FEWEST_DATED)
    curated = evidence.facts.filter("curated").select("benchmark_id")
    measured = evidence.judged_board.filter(pl.col("place") == 1).drop_nulls("error")
    return (
        verdict.filter(pl.col("stage").is_in(UNCERTAIN_STAGES))
        .select("benchmark_id")
        .join(pl.concat([curated, dated.select("benchmark_id")]).unique(), on="benchmark_id", how="semi")
        .join(measured, on="benchmark_id", how="semi")
    )


def with_probability(bare_verdict: pl.DataFrame, stage_probability: pl.DataFrame) -> pl.DataFrame:
    """The verdicts with `p`, the probability of their stage, and `between`: the two likeliest where p < NAMED_ALONE.

    Both are empty where nothing was drawn; `between` is in the order of STAGES.
    """
    of_stage = stage_probability.select("benchmark_id", "stage", drawn_p="p")
    rank = pl.col("stage").replace_strict(STAGES, range(len(STAGES)))
    likeliest = (
        stage_probability.sort("benchmark_id", "p", rank, descending=[False, True, False])
        .group_by("benchmark_id", maintain_order=True)
        .head(2)
        .sort("benchmark_id", rank)
        .group_by("benchmark_id", maintain_order=True)
        .agg(two="stage")
    )
    return (
        bare_verdict.join(of_stage, on=["benchmark_id", "stage"], how="left", maintain_order="left")
        .join(likeliest, on="benchmark_id", how="left", maintain_order="left")
        .with_columns(p="drawn_p", between=pl.when(pl.col("drawn_p") < NAMED_ALONE).then("two").otherwise([]))
        .select(bare_verdict.columns)
    )
