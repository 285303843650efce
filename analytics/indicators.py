"""The explicit list of indicators: one line each, no discovery."""

from analytics.capability.indicators import DISCRIMINATES_AT, FRONTIER_BEYOND
from analytics.churn.indicators import EDITED, TURNOVER, TURNOVER_EXCESS
from analytics.contamination.indicators import (
    ANOMALY_SHARE,
    BREAK_SHARE,
    LABELS_PUBLIC,
    MAX_SHARE,
    REPORTS,
    RUNGS_RAISED,
)
from analytics.forecast.indicators import FORECAST_6, FORECAST_12, USED_UP_IN
from analytics.record.evidence import Indicator
from analytics.saturation.activity import N_MODELS, N_RESULTS_12M, SELF_REPORTED
from analytics.saturation.growth import GROWTH
from analytics.saturation.headroom import (
    FRONTIER,
    FRONTIER_SHRUNK,
    HEADROOM,
    HEADROOM_OF_CEILING,
    HEADROOM_SHRUNK,
    HUMAN_MARGIN,
)
from analytics.saturation.human import HUMAN_PASSED
from analytics.saturation.resolution import RESOLUTION
from analytics.saturation.s_index import S_INDEX_PUBLISHED, S_INDEX_TRUE_ERROR
from analytics.saturation.staleness import (
    AGE,
    SINCE_ADVANCE,
    SINCE_LOOK,
    SINCE_RESULT,
    TRIES_SINCE_ADVANCE,
)
from analytics.twins.indicators import TWIN_FLAGGED, TWIN_GAP

INDICATORS: tuple[Indicator, ...] = (
    FRONTIER,
    FRONTIER_SHRUNK,
    HEADROOM,
    HEADROOM_SHRUNK,
    HEADROOM_OF_CEILING,
    HUMAN_MARGIN,
    HUMAN_PASSED,
    RESOLUTION,
    S_INDEX_PUBLISHED,
    S_INDEX_TRUE_ERROR,
    SINCE_RESULT,
    SINCE_LOOK,
    SINCE_ADVANCE,
    TRIES_SINCE_ADVANCE,
    GROWTH,
    AGE,
    N_MODELS,
    N_RESULTS_12M,
    SELF_REPORTED,
    LABELS_PUBLIC,
    REPORTS,
    MAX_SHARE,
    RUNGS_RAISED,
    BREAK_SHARE,
    ANOMALY_SHARE,
    TWIN_GAP,
    TWIN_FLAGGED,
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
