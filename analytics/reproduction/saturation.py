"""Claims about the saturation study: its index of 60 benchmarks, and what is left of it with the true error."""

import polars as pl

from benchhealth.analytics.reproduction.claim import Claim, Compute, Facts, Found, Publication, found, ours
from benchhealth.analytics.saturation.s_index import STUDY

TABLE = "https://github.com/evaleval/benchmark-saturation/blob/main/data/manual_annotation_data.csv"
STUDY_OF_60 = Publication(
    "Akhtar et al. 2026, When AI benchmarks plateau",
    2026,
    "https://arxiv.org/abs/2602.16763",
    "data/manual_annotation_data.csv of evaleval/benchmark-saturation; the count as quoted in two public repositories",
)
UNREAD = (
    "57 of the 60 are computed: of QuALITY and both editions of Terminal-Bench fewer than five models are "
    "on record, and two of the three are high in the study"
)
HIGH = 0.7
"""From here on the study reads its index as high."""

PUBLISHED = {
    "agi-eval": 0.0,
    "aime-2025": 0.8584,
    "air-bench-2024": 0.7003,
    "anli": 0.2385,
    "arc-agi": 0.1312,
    "arena-hard-arena-hard-auto-v0.1": 0.1369,
    "belebele": 0.5127,
    "big-bench-hard-bbh": 0.2436,
    "boolq": 0.8996,
    "c-eval": 0.0029,
    "commonsenseqa": 0.0,
    "drop": 0.4241,
    "facts-grounding": 0.6887,
    "flores-101": 0.7028,
    "frontiermath": 0.5772,
    "global-mmlu": 0.0,
    "glue": 0.9839,
    "gpqa": 0.8032,
    "gsm8k": 0.9529,
    "gsm8k-indic": 0.0005,
    "head-qa": 0.7494,
    "hellaswag": 0.0556,
    "humaneval": 0.9659,
    "humanity-s-last-exam": 0.2198,
    "ifeval": 0.8206,
    "lambada": 0.1562,
    "legalbench": 0.7159,
    "livebench": 0.9888,
    "livecodebench": 0.7691,
    "math-math-500": 0.9164,
    "mbpp": 0.4604,
    "mgsm-multilingual-grade-school-math-mgsm-benchmark": 0.9166,
    "mmlu": 0.8713,
    "mmlu-indic": 0.0,
    "mmlu-pro": 0.6118,
    "mmlu-redux": 0.9694,
    "multilingual-competition-level-math-mclm": 0.0118,
    "multilingual-massive-multitask-language-understanding-mmmlu": 0.0,
    "multipl-e": 0.4352,
    "natural-questions": 0.7147,
    "openbookqa": 0.9867,
    "piqa": 0.5507,
    "quac": 0.9353,
    "quality": 0.0002,
    "race": 0.8634,
    "rewardbench": 0.9481,
    "sib-200": 0.0,
    "simpleqa": 0.0,
    "socialiqa": 0.4692,
    "squad-v2": 0.9935,
    "superglue": 0.9494,
    "swe-bench": 0.2873,
    "tau2-bench": 0.8427,
    "terminal-bench": 0.8962,
    "terminal-bench-2.0": 0.9699,
    "triviaqa": 0.3327,
    "truthfulqa": 0.5471,
    "tydiqa": 0.0,
    "usmle-medqa": 0.9895,
    "winogrande": 0.8544,
}
"""The study's column, rounded to four decimals, by benchmark without the source's name in front."""


def _ours(facts: Facts, indicator: str) -> pl.DataFrame:
    """The indicator of the study's benchmarks: `benchmark_id` without the source's name, `value`."""
    return (
        facts.tables["indicator"]
        .filter(
            pl.col("indicator") == indicator,
            pl.col("benchmark_id").str.starts_with(f"{STUDY}-"),
            pl.col("value").is_not_null(),
        )
        .select(pl.col("benchmark_id").str.strip_prefix(f"{STUDY}-"), "value")
    )


def _both(facts: Facts) -> pl.DataFrame:
    published = pl.DataFrame({"benchmark_id": list(PUBLISHED), "published": list(PUBLISHED.values())})
    return published.join(_ours(facts, "s_index_published"), on="benchmark_id")


def _largest_difference(facts: Facts) -> Found | None:
    both = _both(facts)
    return found(both.select((pl.col("value") - pl.col("published")).abs().max()).item(), both.height)


def _high(indicator: str) -> Compute:
    """How many of the study's benchmarks are high."""

    def compute(facts: Facts) -> Found | None:
        values = _ours(facts, indicator)["value"]
        return found((values >= HIGH).sum(), values.len()) if values.len() else None

    return compute


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "s-index-values",
        "The saturation index of every benchmark is as published: the largest difference is none",
        0,
        1e-3,
        STUDY_OF_60,
        _largest_difference,
        unit="index, 0 to 1",
        place="column Saturation Index of data/manual_annotation_data.csv",
        within="what the rounding of the five scores behind each index can move it by",
    ),
    Claim(
        "s-index-high",
        "29 of the 60 benchmarks have a high saturation index, 0.7 or more",
        29,
        0,
        STUDY_OF_60,
        _high("s_index_published"),
        why=UNREAD,
        unit="benchmarks",
        place="results, and the column Saturation Index",
        within="a count of benchmarks is whole",
    ),
    ours(
        "s-index-high-with-true-error",
        "Of the same benchmarks, how many stay high with the true standard error in place of one with the root of n",
        TABLE,
        _high("s_index_true_error"),
        "benchmarks",
    ),
)
