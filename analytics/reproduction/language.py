"""Claims about language models on tests of knowledge, reading, mathematics and code."""

import polars as pl

from analytics.reproduction.claim import Claim, Compute, Facts, drops, largest_drop, number, of_twin, rise, score
from analytics.twins.transfer import agreements, mean_agreement

GPT_4 = "https://arxiv.org/abs/2303.08774"
PALM = "https://arxiv.org/abs/2204.02311"
SELF_CONSISTENCY = "https://arxiv.org/abs/2203.11171"
CHINCHILLA = "https://arxiv.org/abs/2203.15556"
MMLU = "https://arxiv.org/abs/2009.03300"
SPANBERT = "https://arxiv.org/abs/1907.10529"
BERT = "https://arxiv.org/abs/1810.04805"
ALBERT = "https://arxiv.org/abs/1909.11942"
GSM1K = "https://arxiv.org/abs/2405.00332v4"
GSM1K_TABLE = "https://arxiv.org/pdf/2405.00332v4#appendix.F"
TO_GSM1K = "gsm8k-to-gsm1k"
SONNET = "https://www.anthropic.com/news/claude-3-5-sonnet"
OPUS = "https://www.anthropic.com/news/claude-3-family"
EVALPLUS = "https://arxiv.org/abs/2305.01210"
HARMONY = "https://arxiv.org/abs/2507.05195"
OWN_RUN = "the number on record is an independent run with another prompt, repeated and averaged; 198 questions"
FRONTIER = 10
"""How many of the best models by the original count as the frontier."""

TUNED = "-tuned"


def _frontier_drop(facts: Facts) -> float | None:
    best = drops(facts, TO_GSM1K).sort("original", "model_id", descending=[True, False]).head(FRONTIER)
    return number(best["drop"].mean())


def _flagged(facts: Facts) -> float | None:
    rows = drops(facts, TO_GSM1K)
    return float(rows["flagged"].sum()) if rows.height else None


def _tasks(facts: Facts, *, tuned: bool) -> pl.DataFrame | None:
    """The newest scores of lm-harmony's tasks; its corpora, scored by loss, are no tasks."""
    rows = facts.newest_version("lm-harmony")
    if rows is None:
        return None
    ending = pl.col("benchmark_id").str.ends_with(TUNED)
    return rows.filter(pl.col("sign") > 0, ending if tuned else ~ending).select("model_id", "benchmark_id", "score")


def _mean_tau(*, tuned: bool) -> Compute:
    """Mean Kendall's tau over all pairs of tasks, each over the models that were run on both."""

    def compute(facts: Facts) -> float | None:
        rows = _tasks(facts, tuned=tuned)
        if rows is None:
            return None
        best = rows.group_by("benchmark_id", "model_id").agg(merit=pl.col("score").max())
        return mean_agreement(agreements(best, fewest=2))

    return compute


def _harmony(column: str) -> Compute:
    def compute(facts: Facts) -> float | None:
        rows = _tasks(facts, tuned=False)
        return None if rows is None else number(rows[column].n_unique())

    return compute


_GPT_3 = score("epoch", "mmlu", "text-davinci-001")
_GPT_4 = score("epoch", "mmlu", "gpt-4-0314")
_CHINCHILLA = score("epoch", "mmlu", "chinchilla-70b")
_GOPHER = score("epoch", "mmlu", "gopher-280b")

_GPT_4_SCORES = (
    ("hellaswag", "HellaSwag", 95.3, "gpt-4-0314"),
    ("winogrande", "WinoGrande", 87.5, "gpt-4-0314"),
    ("arc-challenge", "ARC's challenge set", 96.3, "gpt-4"),
    ("gsm8k", "GSM8K", 92.0, "gpt-4-0314"),
)

_BERT, _SPANBERT = "bert-(ensemble)-(google-ai-language)", "spanbert-(single-model)-(fair-&-uw)"
_ALBERT = "albert-(ensemble-model)-(google-research-&-ttic)"
_SQUAD = (
    ("squad-1.1-bert", "BERT scores an F1 of 93.2 on SQuAD 1.1", 93.2, BERT, "squad-1.1/f1", _BERT),
    ("squad-1.1-spanbert", "SpanBERT scores an F1 of 94.6 on SQuAD 1.1", 94.6, SPANBERT, "squad-1.1/f1", _SPANBERT),
    ("squad-2.0-spanbert", "SpanBERT scores an F1 of 88.7 on SQuAD 2.0", 88.7, SPANBERT, "squad-2.0/f1", _SPANBERT),
    ("squad-2.0-albert", "ALBERT scores an F1 of 92.2 on SQuAD 2.0", 92.2, ALBERT, "squad-2.0/f1", _ALBERT),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "mmlu-gpt-3",
        "GPT-3 scores 43.9% on MMLU",
        43.9,
        0.05,
        MMLU,
        _GPT_3,
        why="filed under text-davinci-001 in the table on record",
    ),
    Claim("mmlu-gpt-4", "GPT-4 scores 86.4% on MMLU", 86.4, 0.05, GPT_4, _GPT_4),
    Claim(
        "mmlu-rise",
        "From GPT-3 to GPT-4 MMLU rises by 42.5 points",
        42.5,
        0.1,
        GPT_4,
        rise(_GPT_3, _GPT_4),
        unit="points",
    ),
    Claim("mmlu-chinchilla", "Chinchilla scores 67.5% on MMLU", 67.5, 0.1, CHINCHILLA, _CHINCHILLA),
    Claim(
        "mmlu-chinchilla-gain",
        "Chinchilla is more than 7 points above Gopher on MMLU",
        7,
        1,
        CHINCHILLA,
        rise(_GOPHER, _CHINCHILLA),
        unit="points",
    ),
    Claim("mmlu-palm", "PaLM 540B scores 69.3% on MMLU", 69.3, 0.05, PALM, score("epoch", "mmlu", "palm-540b")),
    Claim(
        "gsm8k-palm",
        "PaLM 540B scores 56.5% on GSM8K with one chain of thought",
        56.5,
        0.05,
        SELF_CONSISTENCY,
        score("epoch", "gsm8k", "palm-540b"),
    ),
    *(
        Claim(
            f"{benchmark}-gpt-4",
            f"GPT-4 scores {value}% on {title}",
            value,
            0.05,
            GPT_4,
            score("epoch", benchmark, model),
        )
        for benchmark, title, value, model in _GPT_4_SCORES
    ),
    Claim(
        "gpqa-opus",
        "Claude 3 Opus scores 50.4% on GPQA Diamond",
        50.4,
        3.6,
        OPUS,
        score("epoch", "gpqa-diamond", "claude-3-opus-20240229"),
        why=OWN_RUN,
    ),
    Claim(
        "gpqa-sonnet",
        "Claude 3.5 Sonnet scores 59.4% on GPQA Diamond",
        59.4,
        3.5,
        SONNET,
        score("epoch", "gpqa-diamond", "claude-3-5-sonnet-20240620"),
        why=OWN_RUN,
    ),
    Claim(
        "gpqa-gpt-4o",
        "GPT-4o scores 53.6% on GPQA Diamond",
        53.6,
        3.5,
        "https://openai.com/index/hello-gpt-4o/",
        score("epoch", "gpqa-diamond", "gpt-4o-2024-05-13"),
        why=OWN_RUN,
    ),
    Claim(
        "gsm1k-largest-drop",
        "Accuracy drops from GSM8K to GSM1k by up to 8 points",
        8,
        0.5,
        GSM1K,
        largest_drop(TO_GSM1K),
        unit="points",
    ),
    Claim(
        "gsm1k-frontier",
        "Models at the frontier hardly drop from GSM8K to GSM1k (mean of the ten best; near zero is read as 2 points)",
        0,
        2,
        GSM1K,
        _frontier_drop,
        unit="points",
    ),
    Claim(
        "gsm1k-slope",
        "A point on GSM8K is worth 1.002 points on GSM1k",
        1.002,
        0.01,
        GSM1K_TABLE,
        of_twin(TO_GSM1K, "slope"),
        unit="slope",
    ),
    Claim(
        "gsm1k-r2",
        "The line from GSM8K to GSM1k explains 99.2% of the variance",
        0.992,
        0.002,
        GSM1K_TABLE,
        of_twin(TO_GSM1K, "r2"),
        unit="share",
    ),
    Claim(
        "gsm1k-gap",
        "Accuracy drops from GSM8K to GSM1k by 2.07 points on average",
        2.07,
        0.01,
        GSM1K_TABLE,
        of_twin(TO_GSM1K, "gap"),
        unit="points",
    ),
    Claim(
        "gsm1k-flagged",
        "14 models score lower on GSM1k than GSM8K predicts, at a false discovery rate of 5%",
        14,
        2,
        GSM1K_TABLE,
        _flagged,
        unit="models",
    ),
    *(
        Claim(name, sentence, value, 0.05, source, score("squad", benchmark, model), unit="F1, percent")
        for name, sentence, value, source, benchmark, model in _SQUAD
    ),
    Claim(
        "humaneval-gpt-4",
        "GPT-4 solves 88.4% of HumanEval",
        88.4,
        0.05,
        EVALPLUS,
        score("evalplus", "humaneval", "gpt-4-(may-2023)"),
    ),
    Claim(
        "humaneval-plus-gpt-4",
        "GPT-4 solves 76.2% of HumanEval+",
        76.2,
        0.5,
        EVALPLUS,
        score("evalplus", "humaneval-plus", "gpt-4-(may-2023)"),
        why="the added tests were revised after the paper, and the board lists the later result",
    ),
    Claim(
        "humaneval-plus-gap",
        "Models solve 4.97 points fewer of HumanEval+ than of HumanEval, on average",
        4.97,
        0.1,
        "https://evalplus.github.io/leaderboard.html",
        of_twin("humaneval-to-plus", "gap"),
        unit="points",
    ),
    Claim(
        "lm-harmony-models",
        "Train-before-test compares 61 models",
        61,
        0,
        HARMONY,
        _harmony("model_id"),
        unit="models",
    ),
    Claim(
        "lm-harmony-tasks",
        "Train-before-test compares models on 24 tasks",
        24,
        0,
        HARMONY,
        _harmony("benchmark_id"),
        unit="tasks",
    ),
    Claim(
        "lm-harmony-direct",
        "Two tasks agree on the order of models with a mean tau of 0.517 as the models are published",
        0.517,
        0.005,
        HARMONY,
        _mean_tau(tuned=False),
        unit="tau",
    ),
    Claim(
        "lm-harmony-tuned",
        "Two tasks agree on the order of models with a mean tau of 0.755 after equal preparation",
        0.755,
        0.005,
        HARMONY,
        _mean_tau(tuned=True),
        unit="tau",
    ),
)
