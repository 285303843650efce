"""Claims about leaderboards: arenas, judges, coding agents, boards of many tasks, and printed scores found again.

A printed score looks up one cell and shows that names resolve. The numbers of boards of many tasks, their diversity
and how far their order depends on weights and on who takes part, are those that the package benchbench 1.0.1 computes
on the tables that it brings along, each taken whole, as its authors define it. They print those of the boards ordered
by mean score with two digits (examples/cardinal.ipynb of its repository), which these round to.
"""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Compute,
    Facts,
    Found,
    best_of_each,
    computed_from,
    of_facts,
    of_stability,
    score,
    spearman,
)

R1_AND_SONNET = ("deepseek-r1-+-claude-3-5-sonnet-20241022",)
ASKED_OTHERWISE = "concise|verbose|best of"
"""Settings in which the arena did not run a model: told to be brief or long, or with the best of several answers."""


@of_facts
def _with_arena(facts: Facts, benchmark: str) -> Found | None:
    """Spearman's correlation of a win rate with the arena's ratings, of its first version here: the paper is older."""
    arena = facts.every_version("lmarena", "lmarena-text")
    rated = arena.filter(pl.col("observed_at") == pl.col("observed_at").min())
    wins = facts.newest_version("alpaca-eval", benchmark).filter(
        (pl.col("kind") == "model") & ~pl.col("setting").str.contains(ASKED_OTHERWISE)
    )
    return spearman(best_of_each(wins), best_of_each(rated))


@of_facts
def _gameability(facts: Facts, benchmark: str) -> Found | None:
    """Mean over models of the standard deviation over the mean of a model's scores as is, told to be brief, and long.

    In percent, over the models that the board lists in all three.
    """
    rows = facts.newest_version("alpaca-eval", benchmark).filter(pl.col("kind") == "model")
    setting = pl.col("setting").fill_null("")
    manner = pl.when(setting.str.contains("concise")).then(pl.lit("brief")).when(setting.str.contains("verbose"))
    spread = (
        rows.filter(~setting.str.contains("best of"))
        .with_columns(manner=manner.then(pl.lit("long")).otherwise(pl.lit("as is")))
        .group_by("model_id", "manner")
        .agg(pl.col("score").max())
        .sort("model_id", "manner")  # a sum depends on its order in the last digit
        .group_by("model_id", maintain_order=True)
        .agg(n=pl.len(), spread=pl.col("score").std(ddof=0) / pl.col("score").mean())
        .filter(pl.col("n") == len(("as is", "brief", "long")))
    )
    return computed_from(spread.sort("model_id").select(100 * pl.col("spread").mean()).item(), 3 * spread.height)


def _entries_above_null(facts: Facts) -> Found | None:
    rows = facts.newest_version("alpaca-eval", "alpacaeval-2")
    null_score = rows.filter(pl.col("model_id") == "nullmodel")["score"].max()
    return None if null_score is None else Found(float(rows.filter(pl.col("score") > null_score).height), rows.height)


@of_facts
def _first_rating(facts: Facts, model: str) -> Found | None:
    rows = facts.every_version("lmarena", "lmarena-text", model)
    first = rows.filter(pl.col("observed_at") == pl.col("observed_at").min())
    return computed_from(first["score"].first(), first.height)


BY_MEAN = {
    "glue": "benchbench/glue",
    "superglue": "benchbench/superglue",
    "openllm": "benchbench/openllm-v1",
    "mmlu": "benchbench/mmlu",
    "bbh": "benchbench/bbh",
    "mteb": "benchbench/benchbench-mteb",
    "vtab": "benchbench/benchbench-vtab",
}
BY_WIN_RATE = {
    "helm": "benchbench/benchbench-helm-accuracy",
    "helm-calibration": "benchbench/benchbench-helm-calibration",
}
"""Boards by the name that a claim begins with."""


COMPUTED: Mapping[str, Compute] = {
    "alpacaeval-null-model": score("alpaca-eval", "alpacaeval-2", "nullmodel"),
    "alpacaeval-null-first": _entries_above_null,
    "alpacaeval-arena-length-controlled": _with_arena("alpacaeval-2"),
    "alpacaeval-arena-raw": _with_arena("alpacaeval-2-raw"),
    "alpacaeval-gameability-raw": _gameability("alpacaeval-2-raw"),
    "alpacaeval-gameability-length-controlled": _gameability("alpacaeval-2"),
    "arena-llama-4": _first_rating("llama-4-maverick-03-26-experimental"),
    "swe-bench-claude-2": score("swe-bench", "swe-bench", "claude-2"),
    "swe-bench-swe-agent": score("swe-bench", "swe-bench", "gpt-4-1106-preview", setting="SWE-agent"),
    "aider-r1-sonnet": score("aider", "aider-polyglot", *R1_AND_SONNET),
    "mmlu-gpt-3": score("epoch", "mmlu", "text-davinci-001"),
    "mmlu-chinchilla": score("epoch", "mmlu", "chinchilla-70b"),
    "mmlu-gpt-4": score("epoch", "mmlu", "gpt-4-0314"),
    "hellaswag-gpt-4": score("epoch", "hellaswag", "gpt-4-0314", setting="10-shot"),
    "winogrande-gpt-4": score("epoch", "winogrande", "gpt-4-0314"),
    "arc-challenge-gpt-4": score("epoch", "arc-challenge", "gpt-4"),
    "gsm8k-gpt-4": score("epoch", "gsm8k", "gpt-4-0314"),
    "gpqa-opus": score("epoch", "gpqa-diamond", "claude-3-opus-20240229"),
    "gpqa-sonnet": score("epoch", "gpqa-diamond", "claude-3-5-sonnet-20240620"),
    "gpqa-gpt-4o": score("epoch", "gpqa-diamond", "gpt-4o-2024-05-13"),
    **{f"{name}-diversity": of_stability(board, "diversity") for name, board in (BY_MEAN | BY_WIN_RATE).items()},
    **{f"{name}-sensitivity": of_stability(board, "cardinal_sensitivity") for name, board in BY_MEAN.items()},
    **{f"{name}-weak-models": of_stability(board, "ordinal_sensitivity") for name, board in BY_WIN_RATE.items()},
}
