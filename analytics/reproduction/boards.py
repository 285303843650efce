"""Claims about leaderboards: arenas, judges, and coding agents."""

import polars as pl

from benchhealth.analytics.reproduction.claim import Claim, Compute, Facts, Found, Publication, found, score

QUOTED = "the abstract, as quoted by public repositories"
LENGTH_CONTROL = Publication(
    "Dubois et al. 2024, Length-controlled AlpacaEval",
    2024,
    "https://arxiv.org/abs/2404.04475",
    "the abstract and section 4.1, as quoted by public repositories",
)
NULL_MODEL = Publication(
    "Zheng et al. 2024, Cheating automatic LLM benchmarks", 2024, "https://arxiv.org/abs/2410.07137", QUOTED
)
SWE_AGENT = Publication("Yang et al. 2024, SWE-agent", 2024, "https://arxiv.org/abs/2405.15793", QUOTED)
SWE_BENCH = Publication("Jimenez et al. 2024, SWE-bench", 2024, "https://arxiv.org/abs/2310.06770", QUOTED)
AIDER = Publication(
    "Gauthier 2025, R1+Sonnet set SOTA on aider's polyglot benchmark",
    2025,
    "https://aider.chat/2025/01/24/r1-sonnet.html",
    "the post, in the repository of aider",
)
R1_AND_SONNET = ("deepseek-r1-+-claude-3-5-sonnet-20241022",)
LLAMA_4 = Publication(
    "Meta 2025, The Llama 4 herd",
    2025,
    "https://ai.meta.com/blog/llama-4-multimodal-intelligence/",
    "the number as quoted in public repositories; the announcement itself was not opened",
)
FEWEST_SHARED = 10
"""A correlation over fewer models is not the one that was published."""

ASKED_OTHERWISE = "concise|verbose|best of"
"""Settings in which the arena did not run a model: told to be brief or long, or with the best of several answers."""

OTHER_POPULATION = "a quarter of the distance to what the other board of the pair is printed with"
OTHER_MODELS = "over the models that both boards name alike, some of them newer than the paper"


def _with_arena(benchmark: str) -> Compute:
    """Spearman's correlation of a win rate with the arena's ratings, of its first version here: the paper is older."""

    def compute(facts: Facts) -> Found | None:
        arena = facts.every_version("lmarena", "lmarena-text")
        rated = arena.filter(pl.col("observed_at") == pl.col("observed_at").min())
        wins = facts.newest_version("alpaca-eval", benchmark).filter(
            (pl.col("kind") == "model") & ~pl.col("setting").str.contains(ASKED_OTHERWISE)
        )
        both = _best(wins).join(_best(rated), on="model_id", suffix="_arena")
        if both.height < FEWEST_SHARED or both["score"].n_unique() < 2 or both["score_arena"].n_unique() < 2:
            return None
        return found(both.select(pl.corr("score", "score_arena", method="spearman")).item(), 2 * both.height)

    return compute


def _gameability(benchmark: str) -> Compute:
    """Mean over models of the standard deviation over the mean of a model's scores as is, told to be brief, and long.

    In percent, over the models that the board lists in all three.
    """

    def compute(facts: Facts) -> Found | None:
        rows = facts.newest_version("alpaca-eval", benchmark).filter(pl.col("kind") == "model")
        told = pl.col("setting").fill_null("")
        manner = pl.when(told.str.contains("concise")).then(pl.lit("brief")).when(told.str.contains("verbose"))
        three = (
            rows.filter(~told.str.contains("best of"))
            .with_columns(manner=manner.then(pl.lit("long")).otherwise(pl.lit("as is")))
            .group_by("model_id", "manner")
            .agg(pl.col("score").max())
            .sort("model_id", "manner")  # a sum depends on its order in the last digit
            .group_by("model_id", maintain_order=True)
            .agg(n=pl.len(), spread=pl.col("score").std(ddof=0) / pl.col("score").mean())
            .filter(pl.col("n") == len(("as is", "brief", "long")))
        )
        return found(three.sort("model_id").select(100 * pl.col("spread").mean()).item(), 3 * three.height)

    return compute


def _best(rows: pl.DataFrame) -> pl.DataFrame:
    return rows.group_by("model_id").agg(pl.col("score").max())


def _entries_above_null(facts: Facts) -> Found | None:
    rows = facts.newest_version("alpaca-eval", "alpacaeval-2")
    own = rows.filter(pl.col("model_id") == "nullmodel")["score"].max()
    return None if own is None else Found(float(rows.filter(pl.col("score") > own).height), rows.height)


def _first_rating(model: str) -> Compute:
    def compute(facts: Facts) -> Found | None:
        rows = facts.every_version("lmarena", "lmarena-text", model)
        first = rows.filter(pl.col("observed_at") == pl.col("observed_at").min())
        return found(first["score"].first(), first.height)

    return compute


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "alpacaeval-null-model",
        "A constant answer wins 86.5% of AlpacaEval 2.0, length-controlled",
        86.5,
        0.05,
        NULL_MODEL,
        score("alpaca-eval", "alpacaeval-2", "nullmodel"),
        kind="looked up",
        place="abstract",
    ),
    Claim(
        "alpacaeval-null-first",
        "No entry of AlpacaEval 2.0 beats a constant answer",
        0,
        0,
        NULL_MODEL,
        _entries_above_null,
        unit="entries",
        place="abstract: the constant answer is ranked first",
        within="a count of entries is whole",
    ),
    Claim(
        "alpacaeval-arena-length-controlled",
        "Length-controlled, AlpacaEval 2.0 has a rank correlation of 0.98 with Chatbot Arena",
        0.98,
        0.01,
        LENGTH_CONTROL,
        _with_arena("alpacaeval-2"),
        why=OTHER_MODELS,
        unit="rank correlation",
        place="abstract",
        within=OTHER_POPULATION,
        null_value=0.94,
        null_reason="without length control",
    ),
    Claim(
        "alpacaeval-arena-raw",
        "Without length control, AlpacaEval 2.0 has a rank correlation of 0.94 with Chatbot Arena",
        0.94,
        0.01,
        LENGTH_CONTROL,
        _with_arena("alpacaeval-2-raw"),
        why=OTHER_MODELS,
        unit="rank correlation",
        place="abstract",
        within=OTHER_POPULATION,
        null_value=0.98,
        null_reason="length-controlled",
    ),
    *(
        Claim(
            f"alpacaeval-gameability-{name}",
            f"Asking a model to be brief or long moves its win rate by {value}% of it, {how}",
            value,
            0.5,
            LENGTH_CONTROL,
            _gameability(benchmark),
            why="over the six models that the board lists in all three manners; which ones the paper averages over is "
            "not said in what was opened of it",
            place="section 4.1, the normalised standard deviation across three prompts",
            within="the paper prints whole percents",
            null_value=null,
            null_reason=null_reason,
        )
        for name, benchmark, value, how, null, null_reason in (
            ("raw", "alpacaeval-2-raw", 25, "without length control", 10, "length-controlled"),
            ("length-controlled", "alpacaeval-2", 10, "length-controlled", 25, "without length control"),
        )
    ),
    Claim(
        "arena-llama-4",
        "An experimental Llama 4 Maverick enters LMArena with a rating of 1417",
        1417,
        0,
        LLAMA_4,
        _first_rating("llama-4-maverick-03-26-experimental"),
        unit="rating",
        kind="looked up",
        place="announcement",
        within="a rating is printed whole",
    ),
    Claim(
        "swe-bench-claude-2",
        "Claude 2 resolves 1.96% of SWE-bench",
        1.96,
        0.005,
        SWE_BENCH,
        score("swe-bench", "swe-bench", "claude-2"),
        scores_of="swe-bench",
        kind="looked up",
        place="abstract",
    ),
    Claim(
        "swe-bench-swe-agent",
        "SWE-agent with GPT-4 resolves 12.5% of SWE-bench",
        12.5,
        0.05,
        SWE_AGENT,
        score("swe-bench", "swe-bench", "gpt-4-1106-preview", setting="SWE-agent"),
        scores_of="swe-bench",
        kind="looked up",
        place="abstract",
    ),
    Claim(
        "aider-r1-sonnet",
        "DeepSeek R1 as architect with Claude 3.5 Sonnet as editor solves 64.0% of aider's polyglot benchmark",
        64.0,
        0.05,
        AIDER,
        score("aider", "aider-polyglot", *R1_AND_SONNET),
        kind="looked up",
        place="table of results",
    ),
)
