"""Claims about leaderboards: arenas, judges, and coding agents."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.reproduction.claim import Compute, Facts, Found, computed_from, score

R1_AND_SONNET = ("deepseek-r1-+-claude-3-5-sonnet-20241022",)
FEWEST_SHARED = 10
"""A correlation over fewer models is not the one that was published."""

ASKED_OTHERWISE = "concise|verbose|best of"
"""Settings in which the arena did not run a model: told to be brief or long, or with the best of several answers."""


def _with_arena(benchmark: str) -> Compute:
    """Spearman's correlation of a win rate with the arena's ratings, of its first version here: the paper is older."""

    def compute(facts: Facts) -> Found | None:
        arena = facts.every_version("lmarena", "lmarena-text")
        rated = arena.filter(pl.col("observed_at") == pl.col("observed_at").min())
        wins = facts.newest_version("alpaca-eval", benchmark).filter(
            (pl.col("kind") == "model") & ~pl.col("setting").str.contains(ASKED_OTHERWISE)
        )
        pairs = _best(wins).join(_best(rated), on="model_id", suffix="_arena")
        if pairs.height < FEWEST_SHARED or pairs["score"].n_unique() < 2 or pairs["score_arena"].n_unique() < 2:
            return None
        return computed_from(pairs.select(pl.corr("score", "score_arena", method="spearman")).item(), 2 * pairs.height)

    return compute


def _gameability(benchmark: str) -> Compute:
    """Mean over models of the standard deviation over the mean of a model's scores as is, told to be brief, and long.

    In percent, over the models that the board lists in all three.
    """

    def compute(facts: Facts) -> Found | None:
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

    return compute


def _best(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.group_by("model_id").agg(pl.col("score").max())


def _entries_above_null(facts: Facts) -> Found | None:
    rows = facts.newest_version("alpaca-eval", "alpacaeval-2")
    null_score = rows.filter(pl.col("model_id") == "nullmodel")["score"].max()
    return None if null_score is None else Found(float(rows.filter(pl.col("score") > null_score).height), rows.height)


def _first_rating(model: str) -> Compute:
    def compute(facts: Facts) -> Found | None:
        rows = facts.every_version("lmarena", "lmarena-text", model)
        first = rows.filter(pl.col("observed_at") == pl.col("observed_at").min())
        return computed_from(first["score"].first(), first.height)

    return compute


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
}
