"""Claims about leaderboards: arenas, judges, and coding agents."""

import polars as pl

from analytics.reproduction.claim import Claim, Compute, Facts, number, rows_of, score

LENGTH_CONTROL = "https://arxiv.org/abs/2404.04475"
NULL_MODEL = "https://arxiv.org/abs/2410.07137"
SWE_AGENT = "https://arxiv.org/abs/2405.15793"
SWE_BENCH = "https://arxiv.org/abs/2310.06770"
R1_AND_SONNET = ("deepseek-r1-+-claude-3-5-sonnet-20241022",)
LLAMA_4 = "https://ai.meta.com/blog/llama-4-multimodal-intelligence/"
FEWEST_SHARED = 10
"""A correlation over fewer models is not the one that was published."""

ASKED_OTHERWISE = "concise|verbose|best of"
"""Settings in which the arena did not run a model: told to be brief or long, or with the best of several answers."""

OTHER_MODELS = "over the models that both boards name alike, some of them newer than the paper"


def _with_arena(benchmark: str) -> Compute:
    """Spearman's correlation of a win rate with the arena's ratings, of its first version here: the paper is older."""

    def compute(facts: Facts) -> float | None:
        arena = rows_of(facts.every_version("lmarena"), "lmarena-text")
        rated = arena.filter(pl.col("observed_at") == pl.col("observed_at").min())
        wins = rows_of(facts.newest_version("alpaca-eval"), benchmark).filter(
            (pl.col("kind") == "model") & ~pl.col("setting").str.contains(ASKED_OTHERWISE)
        )
        both = _best(wins).join(_best(rated), on="model_id", suffix="_arena")
        if both.height < FEWEST_SHARED or both["score"].n_unique() < 2 or both["score_arena"].n_unique() < 2:
            return None
        return float(both.select(pl.corr("score", "score_arena", method="spearman")).item())

    return compute


def _best(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.group_by("model_id").agg(pl.col("score").max())


def _entries_above_null(facts: Facts) -> float | None:
    rows = rows_of(facts.newest_version("alpaca-eval"), "alpacaeval-2")
    own = rows.filter(pl.col("model_id") == "nullmodel")["score"].max()
    return None if own is None else float(rows.filter(pl.col("score") > own).height)


def _first_rating(model: str) -> Compute:
    def compute(facts: Facts) -> float | None:
        rows = rows_of(facts.every_version("lmarena"), "lmarena-text", model).sort("observed_at")
        return number(rows["score"].first())

    return compute


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "alpacaeval-null-model",
        "A constant answer wins 86.5% of AlpacaEval 2.0, length-controlled",
        86.5,
        0.05,
        NULL_MODEL,
        score("alpaca-eval", "alpacaeval-2", "nullmodel"),
    ),
    Claim(
        "alpacaeval-null-first",
        "No entry of AlpacaEval 2.0 beats a constant answer",
        0,
        0,
        NULL_MODEL,
        _entries_above_null,
        unit="entries",
    ),
    Claim(
        "alpacaeval-arena-length-controlled",
        "Length-controlled, AlpacaEval 2.0 has a rank correlation of 0.98 with Chatbot Arena",
        0.98,
        0.02,
        LENGTH_CONTROL,
        _with_arena("alpacaeval-2"),
        why=OTHER_MODELS,
        unit="rank correlation",
    ),
    Claim(
        "alpacaeval-arena-raw",
        "Without length control, AlpacaEval 2.0 has a rank correlation of 0.94 with Chatbot Arena",
        0.94,
        0.02,
        LENGTH_CONTROL,
        _with_arena("alpacaeval-2-raw"),
        why=OTHER_MODELS,
        unit="rank correlation",
    ),
    Claim(
        "arena-llama-4",
        "An experimental Llama 4 Maverick enters LMArena with a rating of 1417",
        1417,
        0,
        LLAMA_4,
        _first_rating("llama-4-maverick-03-26-experimental"),
        unit="rating",
    ),
    Claim(
        "swe-bench-claude-2",
        "Claude 2 resolves 1.96% of SWE-bench",
        1.96,
        0.005,
        SWE_BENCH,
        score("swe-bench", "swe-bench", "rag-+-claude-2", "claude-2"),
        scores_of="swe-bench",
    ),
    Claim(
        "swe-bench-swe-agent",
        "SWE-agent with GPT-4 resolves 12.5% of SWE-bench",
        12.5,
        0.05,
        SWE_AGENT,
        score("swe-bench", "swe-bench", "swe-agent-+-gpt-4-(1106)", "gpt-4-1106-preview"),
        scores_of="swe-bench",
    ),
    Claim(
        "aider-r1-sonnet",
        "DeepSeek R1 as architect with Claude 3.5 Sonnet as editor solves 64.0% of aider's polyglot benchmark",
        64.0,
        0.05,
        "https://aider.chat/2025/01/24/r1-sonnet.html",
        score("aider", "aider-polyglot", *R1_AND_SONNET),
    ),
)
