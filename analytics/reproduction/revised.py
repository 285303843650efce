"""Claims about tests that others made anew: fresh problems, harder variants, and labels that were checked."""

from datetime import date

import polars as pl

from benchhealth.analytics.reproduction.claim import (
    Claim,
    Compute,
    Facts,
    Found,
    Publication,
    drops,
    found,
    largest_drop,
    of_twin,
    ours,
    paired,
)

GSM1K = Publication(
    "Zhang et al. 2024, A careful examination of large language model performance on grade school arithmetic (v4)",
    2024,
    "https://arxiv.org/abs/2405.00332v4",
    "appendix F (63 models) and the abstract",
)
MMMU_PRO = Publication(
    "Yue et al. 2024, MMMU-Pro",
    2024,
    "https://arxiv.org/abs/2409.02813",
    "the abstract, as quoted by eight public repositories; the project's own leaderboard_data.json",
)
REDUX = Publication(
    "Gema et al. 2024, Are we done with MMLU?",
    2024,
    "https://arxiv.org/abs/2406.04127",
    "outputs/multi_expert_helm/all.csv of aryopg/mmlu-redux; the abstract, as quoted by public repositories",
)
EVALPLUS = "https://evalplus.github.io/leaderboard.html"
TO_GSM1K = "gsm8k-to-gsm1k"
PUBLISHED_ON = date(2024, 9, 30)
"""MMMU-Pro is of 4 September 2024; models of that month are in its table."""

FRONTIER = 10
"""How many of the best models by the original count as the frontier."""


def _frontier_drop(facts: Facts) -> Found | None:
    best = drops(facts, TO_GSM1K).sort("original", "model_id", descending=[True, False]).head(FRONTIER)
    return found(best["drop"].mean(), 2 * best.height)


def _flagged(facts: Facts) -> Found | None:
    rows = drops(facts, TO_GSM1K)
    return Found(float(rows["flagged"].sum()), 2 * rows.height) if rows.height else None


def _mmmu_drop(*, largest: bool) -> Compute:
    """From MMMU to MMMU-Pro, in points, over the models that the board dates before the paper or in its month."""

    def compute(facts: Facts) -> Found | None:
        rows = facts.newest_version("mmmu")
        of_the_time = rows.filter(pl.col("kind") == "model", pl.col("dated_on") <= PUBLISHED_ON)
        drop = paired(of_the_time, "mmmu", "mmmu-pro").select(pl.col("original") - pl.col("other")).to_series()
        return found(drop.max() if largest else drop.min(), 2 * drop.len())

    return compute


def _flawed(subject: str = "") -> Compute:
    """The share of questions, in percent, that the authors of MMLU-Redux found a fault in: of a subject, or of all."""

    def compute(facts: Facts) -> Found | None:
        checks = facts.beside.label_error.filter(
            pl.col("benchmark_id").str.starts_with(f"mmlu/{subject}"), pl.col("source_url").str.contains("mmlu-redux")
        )
        if checks.is_empty():
            return None
        checked = int(checks["n_checked"].sum())
        return found(100 * float(checks["share_flawed"].dot(checks["n_checked"]) or 0) / checked, checked)

    return compute


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "gsm1k-largest-drop",
        "Accuracy drops from GSM8K to GSM1k by up to 8 points",
        8,
        0.5,
        GSM1K,
        largest_drop(TO_GSM1K),
        unit="points",
        place="abstract",
        within="the paper prints whole points",
    ),
    ours(
        "gsm1k-frontier",
        "Mean drop from GSM8K to GSM1k of the ten models that are best on GSM8K",
        GSM1K.url,
        _frontier_drop,
        "points",
    ),
    *(
        ours(f"gsm1k-{column}", f"From GSM8K to GSM1k: {what}", GSM1K.url, of_twin(TO_GSM1K, column), unit)
        for column, what, unit in (
            ("slope", "what a point is worth", "slope"),
            ("r2", "how much of the variance the line explains", "share"),
            ("gap", "the mean drop in points", "points"),
        )
    ),
    ours(
        "gsm1k-flagged",
        "Models that score lower on GSM1k than GSM8K predicts, at a false discovery rate of 5%",
        GSM1K.url,
        _flagged,
        "models",
    ),
    *(
        Claim(
            f"mmmu-pro-{size}-drop",
            f"Scores on MMMU-Pro are {words} than on MMMU",
            value,
            0.1,
            MMMU_PRO,
            _mmmu_drop(largest=largest),
            why,
            "points",
            scores_of="mmmu",
            place="abstract",
            within="both scores are printed to 0.1, so their difference is off by up to 0.1",
        )
        for size, words, value, largest, why in (
            ("smallest", "at least 16.8 points lower", 16.8, False, ""),
            (
                "largest",
                "up to 26.9 points lower",
                26.9,
                True,
                "over the models that the project's board still lists with both scores",
            ),
        )
    ),
    *(
        Claim(
            f"mmlu-redux-{name}",
            sentence,
            value,
            within,
            REDUX,
            _flawed(subject),
            place="abstract",
        )
        for name, sentence, value, within, subject in (
            ("flawed", "6.49% of the questions of MMLU have a fault", 6.49, 0.005, ""),
            ("virology", "57% of the questions on virology have a fault", 57, 0.5, "virology"),
        )
    ),
    ours(
        "humaneval-plus-gap",
        "Mean drop from HumanEval to HumanEval+, which has more tests",
        EVALPLUS,
        of_twin("humaneval-to-plus", "gap"),
        "points",
    ),
)
