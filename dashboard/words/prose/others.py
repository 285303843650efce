"""A sentence for each case of hazards, of the lag of open weights, of declared leakage and of kinds of benchmarks."""

from collections.abc import Mapping

from benchhealth.analytics.aging.hazards import TOO_FEW_DEATHS
from benchhealth.analytics.contamination import declared_leakage
from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.survival.cox import FEWEST_CLUSTERS
from benchhealth.dashboard.words.prose.template import Sentence

_RENEWAL: Mapping[str, str] = {
    "few_have_it": "{n} of {numbers[0]:i} such benchmarks have it",
    "all_alike": "all are alike, so drawing among them says nothing of the error",
    "few_of_their_age": "{matched_n} have a static one of their age",
}


def _lacking(row: Row) -> str:
    return "; ".join(_RENEWAL[name] for name in row["names"])


SENTENCES: Mapping[str, Sentence] = {
    TOO_FEW_DEATHS: "too few events",
    "alike_in_trait": "all that are known are alike",
    "none_died_or_constant": "nobody died or a covariate is constant",
    "covariates_inseparable": "the covariates cannot be separated among those at risk",
    "no_finite_ratio": "no finite ratio fits",
    "few_families": f"deaths in fewer than {FEWEST_CLUSTERS} families",
    "fit_not_settled": "the fit does not settle",
    "one_kind_of_weights": "it is known of no model that its weights are open, or of none that they are closed",
    "rating_has_no_lag": "a rating moves with the whole board, so that the same number is another level later",
    "no_level_of_both": "no score was reached by both kinds after the first day of each",
    declared_leakage.WITHIN_MODELS: (
        "declared for whole models: a fit with a level for each model leaves nothing to compare"
    ),
    declared_leakage.TOO_FEW: (
        f"fewer than {declared_leakage.FEWEST_MODELS} models have both declared and undeclared tasks"
    ),
    "lacking": _lacking,
}
