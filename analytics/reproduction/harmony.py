"""Claims about equal preparation: how far tasks agree on the order of models as published, and after fine-tuning."""

import polars as pl

from benchhealth.analytics.reproduction.claim import Claim, Compute, Facts, Found, Publication, found
from benchhealth.analytics.statistics.summaries.principal_share import principal_share
from benchhealth.analytics.twins.transfer import agreements, mean_agreement

HARMONY = Publication(
    "Zhang, Dominguez-Olmedo and Hardt 2025, Train-before-test harmonizes language model rankings",
    2025,
    "https://arxiv.org/abs/2507.05195",
    "the results in notebooks/all_results.json of socialfoundations/lm-harmony; the numbers as quoted in a public "
    "repository's survey of the structure of capabilities",
)
TUNED = "-tuned"
OTHER_HALF = "the other one of the two: preparation without effect"
PLACE = "abstract and results, 61 models on 24 tasks"


def _tasks(facts: Facts, *, tuned: bool) -> pl.DataFrame:
    """The newest scores of lm-harmony's tasks, one a model and task; its corpora, scored by loss, are no tasks."""
    rows = facts.newest_version("lm-harmony")
    ending = pl.col("benchmark_id").str.ends_with(TUNED)
    return (
        rows.filter(pl.col("sign") > 0, ending if tuned else ~ending)
        .with_columns(pl.col("benchmark_id").str.strip_suffix(TUNED))
        .group_by("benchmark_id", "model_id")
        .agg(merit=pl.col("score").max())
    )


def _mean_tau(*, tuned: bool) -> Compute:
    """Mean Kendall's tau over all pairs of tasks, each over the models that were run on both."""

    def compute(facts: Facts) -> Found | None:
        rows = _tasks(facts, tuned=tuned)
        return None if rows.is_empty() else found(mean_agreement(agreements(rows, fewest=2)), rows.height)

    return compute


def _improved(facts: Facts) -> Found | None:
    """How many pairs of tasks agree more after equal preparation."""
    before, after = _tasks(facts, tuned=False), _tasks(facts, tuned=True)
    if before.is_empty() or after.is_empty():
        return None
    both = agreements(before, fewest=2).join(agreements(after, fewest=2), on=["original_id", "other_id"])
    better = both.filter(pl.col("kendall_tau_right") > pl.col("kendall_tau"))
    return Found(float(better.height), before.height + after.height) if both.height else None


def _first_component(*, tuned: bool) -> Compute:
    """The share of the variance that the first principal component of the standardised scores explains, in percent."""

    def compute(facts: Facts) -> Found | None:
        rows = _tasks(facts, tuned=tuned)
        if rows.is_empty():
            return None
        wide = rows.sort("benchmark_id").pivot("benchmark_id", index="model_id", values="merit").sort("model_id")
        share = principal_share(wide.drop("model_id", strict=False).to_numpy())
        return None if share is None else Found(100 * share, rows.height)

    return compute


CLAIMS: tuple[Claim, ...] = (
    *(
        Claim(
            f"lm-harmony-{name}",
            f"Two tasks agree on the order of models with a mean tau of {value} {when}",
            value,
            0.005,
            HARMONY,
            _mean_tau(tuned=tuned),
            unit="tau",
            place=PLACE,
            null_value=null,
            null_reason=OTHER_HALF,
        )
        for name, when, value, null, tuned in (
            ("direct", "as the models are published", 0.52, 0.76, False),
            ("tuned", "after equal preparation", 0.76, 0.52, True),
        )
    ),
    Claim(
        "lm-harmony-improved",
        "274 of the 276 pairs of tasks agree more after equal preparation",
        274,
        0,
        HARMONY,
        _improved,
        unit="pairs",
        place=PLACE,
        within="a count of pairs is whole",
    ),
    *(
        Claim(
            f"lm-harmony-component-{name}",
            f"The first principal component explains {value}% of the variance {when}",
            value,
            0.5,
            HARMONY,
            _first_component(tuned=tuned),
            place=PLACE,
            within="the paper prints whole percents; of scores brought to one spread, task by task",
            null_value=null,
            null_reason=OTHER_HALF,
        )
        for name, when, value, null, tuned in (
            ("direct", "as the models are published", 70, 86, False),
            ("tuned", "after equal preparation", 86, 70, True),
        )
    ),
)
