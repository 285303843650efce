"""Do judges that are models prefer the models of their own family?"""

import math
from collections.abc import Iterable

import numpy as np
import polars as pl

from benchhealth.analytics.goodhart.measure import Finding, Measure, MeasureInputs, no_value
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Numbers

JUDGES = {
    "alpacaeval-1": "OpenAI",
    "alpacaeval-2-raw": "OpenAI",
    "alpacaeval-2": "OpenAI",
    "alpacaeval-judge-claude-3-opus": "Anthropic",
    "alpacaeval-judge-mistral-large-2402": "Mistral AI",
    "alpacaeval-judge-cot-gpt4-turbo-fn": "OpenAI",
    "alpacaeval-judge-gpt4-turbo-fn": "OpenAI",
    "mt-bench/win-rate": "OpenAI",
}
"""Leaderboard of win rates to the family of the model that judged it."""

SAME_ANSWERS = tuple(name for name in JUDGES if name not in ("alpacaeval-1", "alpacaeval-2", "mt-bench/win-rate"))
"""Leaderboards on which the judges saw the same answers against the same baseline, as raw win rates."""

HUMANS = "lmarena-text"
"""The benchmark whose ratings rest on votes by people."""

FAMILIES = r"^(gpt|chatgpt|text-davinci|davinci|o1|o3|o4|claude|mistral|mixtral)"
_FAMILY = {"claude": "Anthropic", "mistral": "Mistral AI", "mixtral": "Mistral AI"}

FEWEST_SHARED_MODELS = 4
UNITS = {
    "own_family_by_judges": "odds ratio, 1 is no preference",
    "own_family_by_humans": "odds ratio, 1 is no preference",
}


def own_family(inputs: MeasureInputs, _rng: np.random.Generator) -> Iterable[Finding]:
    """The factor by which a judge's odds for models of its own family exceed those that others give the same models.

    `own_family_by_judges`: on the logit scale, the win rate by one judge less the mean of those by the judges of other
    families on the same answers (those that share four models with it); the mean over models of its own family less
    that over all others. So a judge that is stricter with everybody shows no preference. `own_family_by_humans`: the
    coefficient of being of the judge's family in a line of the judge's logit on the rating by human votes, which makes
    the odds of winning. Intervals (95%) are from Student's t over models, all taken to scatter alike. The baseline,
    whose win rate is half by definition, is left out. The family is that of the organisation, or where none is known
    that of the name.

    A preference may be for answers that are like its own in style or length, or for what both families were trained to
    do; that a judge knows its family's answers is not shown by it. Sources of the idea: Zheng et al. (2023),
    arXiv:2306.05685; Panickssery et al. (2024), arXiv:2404.13076.
    """
    rates = _rates(inputs)
    yield from (_by_judges(rates, judge) for judge in SAME_ANSWERS)
    yield from (_by_humans(inputs, rates, judge) for judge in JUDGES)


def _rates(inputs: MeasureInputs) -> pl.DataFrame:
    """One row for each judge (`benchmark_id`) and model: the `logit` of the win rate, and the model's `family`."""
    name_family = pl.col("model_id").str.extract(FAMILIES).replace(_FAMILY)
    family = (
        pl.when(name_family.is_in(list(_FAMILY.values())))
        .then(name_family)
        .when(name_family.is_not_null())
        .then(pl.lit("OpenAI"))
    )
    inside = pl.col("score").is_between(0, 1, closed="none") & (pl.col("score") != 0.5)
    return (
        inputs.evidence.history.filter("listed", pl.col("benchmark_id").is_in(list(JUDGES)), inside)
        .sort("score", "model_id", "source_row", descending=[True, False, False])
        .unique(["benchmark_id", "model_id"], keep="first", maintain_order=True)
        .join(inputs.model.select("model_id", "maker"), on="model_id", how="left")
        .select(
            "benchmark_id",
            "model_id",
            family=pl.coalesce("maker", family).fill_null("unknown"),
            logit=(pl.col("score") / (1 - pl.col("score"))).log(),
        )
        .sort("benchmark_id", "model_id")
    )


def _by_judges(rates: pl.DataFrame, judge: str) -> Finding:
    measure = "own_family_by_judges"
    own_rates = rates.filter(pl.col("benchmark_id") == judge)
    other_judges = [name for name in SAME_ANSWERS if JUDGES[name] != JUDGES[judge]]
    other_rates = (
        rates.filter(pl.col("benchmark_id").is_in(other_judges))
        .join(own_rates.select("model_id"), on="model_id")
        .filter(pl.len().over("benchmark_id") >= FEWEST_SHARED_MODELS)
    )
    n_judges = other_rates["benchmark_id"].n_unique()
    # Only models that all these judges saw: with a changing panel a strict judge would look like a preference.
    reference = (
        other_rates.group_by("model_id")
        .agg(reference=pl.col("logit").mean(), seen=pl.col("benchmark_id").n_unique())
        .filter(pl.col("seen") == n_judges)
    )
    compared = own_rates.join(reference, on="model_id").sort("model_id")
    is_own_family = (compared["family"] == JUDGES[judge]).to_numpy()
    difference = (compared["logit"] - compared["reference"]).to_numpy()
    design = np.column_stack([np.ones(is_own_family.size), is_own_family])
    return _odds(measure, judge, design, difference, "against_judges")


def _by_humans(inputs: MeasureInputs, rates: pl.DataFrame, judge: str) -> Finding:
    measure = "own_family_by_humans"
    ratings = inputs.evidence.history.filter(pl.col("benchmark_id") == HUMANS).sort(
        "merit", "model_id", descending=True
    )
    rated = ratings.unique("model_id", keep="first", maintain_order=True)
    own_rates = rates.filter(pl.col("benchmark_id") == judge)
    compared = own_rates.join(rated.select("model_id", rating="merit"), on="model_id").sort("model_id")
    is_own_family = (compared["family"] == JUDGES[judge]).to_numpy()
    rating = compared["rating"].to_numpy() / 400
    design = np.column_stack([np.ones(is_own_family.size), is_own_family, rating])
    return _odds(measure, judge, design, compared["logit"].to_numpy(), "against_humans")


def _odds(measure: str, judge: str, design: Numbers, log_odds: Numbers, against: str) -> Finding:
    """The coefficient of the design's second column (1 for models of the judge's family) as an odds ratio.

    The case carries one number: how many models are of the judge's family.
    """
    n, n_own_family = log_odds.size, int(design[:, 1].sum())
    degrees_of_freedom = n - design.shape[1]
    if (
        n < FEWEST_SHARED_MODELS
        or n_own_family in (0, n)
        or degrees_of_freedom < 1
        or np.linalg.matrix_rank(design) < design.shape[1]
    ):
        return no_value(measure, "judge", judge, f"too_few_{against}", n, (n_own_family,))
    inverse = np.linalg.inv(design.T @ design)
    fit = inverse @ design.T @ log_odds
    scatter = float(((log_odds - design @ fit) ** 2).sum()) / degrees_of_freedom
    half_width = float(student.quantile(0.975, degrees_of_freedom)) * math.sqrt(scatter * float(inverse[1, 1]))
    value = float(fit[1])
    low, high = (float(np.exp(np.clip(end, -50, 50))) for end in (value - half_width, value + half_width))
    return Finding(measure, "judge", judge, math.exp(value), low, high, n, case=against, numbers=(n_own_family,))


MEASURE = Measure(UNITS, own_family)
