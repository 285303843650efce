"""Claims about equal preparation: how far tasks agree on the order of models as published, and after fine-tuning."""

from collections.abc import Mapping

import polars as pl

from benchhealth.analytics.reproduction.claim import Compute, Facts, Found, computed_from
from benchhealth.analytics.statistics.summaries.principal_share import principal_share
from benchhealth.analytics.twins.pairs import agreements, mean_agreement

TUNED = "-tuned"


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
        return None if rows.is_empty() else computed_from(mean_agreement(agreements(rows, fewest=2)), rows.height)

    return compute


def _pairs_that_agree_more(facts: Facts) -> Found | None:
    """How many pairs of tasks agree more after equal preparation."""
    before, after = _tasks(facts, tuned=False), _tasks(facts, tuned=True)
    if before.is_empty() or after.is_empty():
        return None
    matched = agreements(before, fewest=2).join(agreements(after, fewest=2), on=["original_id", "other_id"])
    better = matched.filter(pl.col("kendall_tau_right") > pl.col("kendall_tau"))
    return Found(float(better.height), before.height + after.height) if matched.height else None


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


COMPUTED: Mapping[str, Compute] = {
    "lm-harmony-direct": _mean_tau(tuned=False),
    "lm-harmony-tuned": _mean_tau(tuned=True),
    "lm-harmony-improved": _pairs_that_agree_more,
    "lm-harmony-component-direct": _first_component(tuned=False),
    "lm-harmony-component-tuned": _first_component(tuned=True),
}
