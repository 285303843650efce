"""The explicit list of indicators, one line each and no discovery, and the table that they make."""

from collections.abc import Sequence

import polars as pl

from benchhealth.analytics.capability.indicators import DISCRIMINATES_AT, FRONTIER_BEYOND
from benchhealth.analytics.churn.indicators import EDITED, TURNOVER, TURNOVER_EXCESS
from benchhealth.analytics.contamination.indicators import (
    ANOMALY_SHARE,
    BREAK_SHARE,
    LABELS_PUBLIC,
    MAX_SHARE,
    REPORTS,
    RUNGS_RAISED,
)
from benchhealth.analytics.forecast.indicators import FORECAST_6, FORECAST_12, USED_UP_IN
from benchhealth.analytics.record.evidence import Evidence, Indicator
from benchhealth.analytics.record.tables import PUBLISHED, with_missing
from benchhealth.analytics.saturation.activity import N_MODELS, N_RESULTS_12M, SELF_REPORTED
from benchhealth.analytics.saturation.attention import MAKERS_MENTIONING, SINCE_MENTION
from benchhealth.analytics.saturation.condition import CONDITION_STATED, MODELS_ELSEWHERE, PROPOSED_BREAKS
from benchhealth.analytics.saturation.doubts import BEST_HAS_ERROR, CONSTANT_ANSWER_MARGIN
from benchhealth.analytics.saturation.growth import GROWTH
from benchhealth.analytics.saturation.headroom import (
    FRONTIER,
    FRONTIER_SHRUNK,
    HEADROOM,
    HEADROOM_OF_CEILING,
    HEADROOM_SHRUNK,
    HUMAN_MARGIN,
)
from benchhealth.analytics.saturation.human import HUMAN_PASSED
from benchhealth.analytics.saturation.known_top import KNOWN_TOP
from benchhealth.analytics.saturation.resolution import RESOLUTION, RESOLUTION_CLUSTERED, RESOLUTION_PAIRED, SPREAD
from benchhealth.analytics.saturation.s_index import S_INDEX_PUBLISHED, S_INDEX_TRUE_ERROR
from benchhealth.analytics.saturation.staleness import (
    AGE,
    SINCE_ADVANCE,
    SINCE_LOOK,
    SINCE_RESULT,
    TRIES_SINCE_ADVANCE,
)
from benchhealth.analytics.twins.tables import MAKER_PREMIUM, TWIN_FLAGGED, TWIN_GAP

INDICATORS: tuple[Indicator, ...] = (
    FRONTIER,
    FRONTIER_SHRUNK,
    HEADROOM,
    HEADROOM_SHRUNK,
    HEADROOM_OF_CEILING,
    HUMAN_MARGIN,
    HUMAN_PASSED,
    KNOWN_TOP,
    RESOLUTION,
    RESOLUTION_PAIRED,
    RESOLUTION_CLUSTERED,
    SPREAD,
    S_INDEX_PUBLISHED,
    S_INDEX_TRUE_ERROR,
    SINCE_RESULT,
    SINCE_LOOK,
    SINCE_ADVANCE,
    TRIES_SINCE_ADVANCE,
    GROWTH,
    AGE,
    N_MODELS,
    CONDITION_STATED,
    MODELS_ELSEWHERE,
    PROPOSED_BREAKS,
    CONSTANT_ANSWER_MARGIN,
    BEST_HAS_ERROR,
    N_RESULTS_12M,
    SELF_REPORTED,
    MAKERS_MENTIONING,
    SINCE_MENTION,
    LABELS_PUBLIC,
    REPORTS,
    MAX_SHARE,
    RUNGS_RAISED,
    BREAK_SHARE,
    ANOMALY_SHARE,
    TWIN_GAP,
    TWIN_FLAGGED,
    MAKER_PREMIUM,
    TURNOVER,
    TURNOVER_EXCESS,
    EDITED,
    DISCRIMINATES_AT,
    FRONTIER_BEYOND,
    FORECAST_6,
    FORECAST_12,
    USED_UP_IN,
)
"""Every indicator, in the order of the Methods page."""

ESTIMATED = (
    *(RUNGS_RAISED, BREAK_SHARE, ANOMALY_SHARE),
    *(DISCRIMINATES_AT, FRONTIER_BEYOND),
    *(FORECAST_6, FORECAST_12, USED_UP_IN),
)
"""Those that read what is estimated of all benchmarks together (`steps.with_estimates`). No verdict rests on one."""


class IndicatorError(AssertionError):
    """An indicator does not cover every benchmark once, or its value contradicts its status."""


def indicate(evidence: Evidence, *, indicators: Sequence[Indicator] = INDICATORS) -> pl.DataFrame:
    """The indicator table: each of these for every benchmark, sorted by benchmark in the order of INDICATORS.

    `reason` is left to whoever makes sentences of the cases.
    """
    computed = [indicator.rows(evidence) for indicator in indicators]
    dated = pl.concat(computed).with_columns(as_of=pl.lit(evidence.as_of))
    table = with_missing(dated.join(evidence.known_until, on="benchmark_id", how="left"), PUBLISHED["indicator"])
    _check(table, evidence.facts.height * len(indicators))
    return _in_order(table)


def estimate_free_rows(evidence: Evidence) -> pl.DataFrame:
    """The rows of the indicators that need no estimates: verdicts need not wait for what takes longest."""
    return indicate(evidence, indicators=[indicator for indicator in INDICATORS if indicator not in ESTIMATED])


def with_estimated(observed_indicator: pl.DataFrame, full_evidence: Evidence) -> pl.DataFrame:
    """The whole indicator table: the rows that were observed, and those that are estimated."""
    return _in_order(pl.concat([observed_indicator, indicate(full_evidence, indicators=ESTIMATED)]))


def _in_order(table: pl.DataFrame) -> pl.DataFrame:
    order = {indicator.key: index for index, indicator in enumerate(INDICATORS)}
    return table.sort("benchmark_id", pl.col("indicator").replace_strict(order, return_dtype=pl.Int64))


def _check(table: pl.DataFrame, expected: int) -> None:
    keys = table.select("benchmark_id", "indicator").n_unique()
    if table.height != expected or keys != expected:
        raise IndicatorError(f"{expected} indicators expected, got {table.height} with {keys} keys")
    is_ok = pl.col("status") == "ok"
    usable = pl.col("value").is_finite().fill_null(False)
    wrong = table.filter((is_ok & ~usable) | (~is_ok & (pl.col("value").is_not_null() | pl.col("case").is_null())))
    if wrong.height:
        raise IndicatorError(f"value and status disagree: {wrong.head(3).to_dicts()}")
