"""Cumulative incidence where several ends compete: the share that has met each of them by a given age."""

from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers, Places
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.survival.clusters import at_risk_matrix, between, ending_matrix, on_share_ended
from benchhealth.analytics.statistics.survival.kaplan_meier import start_of

Causes = NDArray[np.int64]


def aalen_johansen(
    entry: Numbers, end: Numbers, cause: Causes, causes: Sequence[int], cluster: Places | None = None
) -> pl.DataFrame:
    """The share that has ended by each cause: months, cause, share, low, high, at_risk, events, by cause and months.

    `cause` is 0 where a life was last seen alive, otherwise one of `causes`. Each cause has a row for every month in
    which any life ended by any of them, one where the curve starts (share 0) and one for the longest life watched, so
    that at every month the shares and the share still alive add up to 1. At risk at t are those with entry < t <= end;
    the curve starts where that of `kaplan_meier` does, and is conditional on having lived to it.

    An end that competes is no censoring: who was abandoned will not be saturated later. `1 - kaplan_meier`, which takes
    it for one, says how many would have ended so had nothing else ended them, and only if the two are independent.

    The 95% band is of the delta method's variance (Dinse, Larson 1986, Biometrika 73, equation 6) on the scale
    log(-log F); it is null where the share is 0 or 1. Lives of one `cluster` may end together: the variance is then
    that between clusters (`kaplan_meier`), nowhere less than the former.
    Source: Aalen, Johansen (1978), Scandinavian Journal of Statistics 5; late entry: Andersen, Borgan, Gill, Keiding
    (1993), section IV.4. Raises ValueError where a life ends before or when it is first seen, or by no known cause.
    """
    if (end <= entry).any():
        raise ValueError("a life must be watched for some time: entry < end")
    if not set(np.unique(cause).tolist()) <= {0, *causes}:
        raise ValueError("an end by no known cause")
    start = start_of(entry, end)
    observed = end > start
    entry, end, cause = entry[observed], end[observed], cause[observed]
    times = np.unique(end[cause > 0])
    is_watched = at_risk_matrix(entry, end, times)
    at_risk = is_watched.sum(axis=1)
    ends = {ending_cause: ending_matrix(end, cause == ending_cause, times) for ending_cause in causes}
    ended = {ending_cause: matrix.sum(axis=1) for ending_cause, matrix in ends.items()}
    total = np.sum(list(ended.values()), axis=0)
    alive = np.cumprod(1 - total / at_risk)
    before = np.concatenate([[1.0], alive[:-1]]) if times.size else alive
    last = float(end.max(initial=start))
    left = int((end == last).sum()) if observed.any() else 0
    curves = []
    for ending_cause in causes:
        share = np.cumsum(before * ended[ending_cause] / at_risk)
        variance = _variance(share, before, at_risk, total, ended[ending_cause])
        if cluster is not None:
            added = on_share_ended(is_watched, ending_matrix(end, cause > 0, times), ends[ending_cause])
            variance = np.fmax(variance, between(added, cluster[observed]))
        low, high = _band(share, variance)
        curve = pl.DataFrame(
            {
                "months": times,
                "share": share,
                "low": low,
                "high": high,
                "at_risk": at_risk,
                "events": ended[ending_cause],
            }
        ).with_columns(pl.col("at_risk", "events").cast(pl.Int64))
        first, final = (start, int((entry <= start).sum())), (last, left)
        curves.append(_with_ends(curve, first, final).with_columns(cause=pl.lit(ending_cause, dtype=pl.Int64)))
    return pl.concat(curves).with_columns(pl.col("low", "high").fill_nan(None))


def _variance(share: Numbers, before: Numbers, at_risk: Numbers, total: Numbers, ended: Numbers) -> Numbers:
    """The variance of the share at each time, summed over the times up to it."""
    to_come = np.tril(share[:, None] - share[None, :])  # (until, at): what is added after each time
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = np.where(at_risk > total, total / (at_risk * (at_risk - total)), 0.0)  # nothing comes after the last
    sampled = before**2 * ended * (at_risk - ended) / at_risk**3
    together = before * ended / at_risk**2
    return np.asarray(to_come**2 @ spread + np.cumsum(sampled) - 2 * to_come @ together)


def _band(share: Numbers, variance: Numbers) -> tuple[Numbers, Numbers]:
    inside = (share > 0) & (share < 1 - 1e-12)
    bounded_share = np.where(inside, share, 0.5)
    spread = np.sqrt(np.maximum(variance, 0)) / (bounded_share * np.abs(np.log(bounded_share)))
    ends = (bounded_share ** np.exp(side * Z95 * spread) for side in (1, -1))
    low, high = (np.where(inside, end, np.nan) for end in ends)
    return low, high


def _with_ends(curve: pl.DataFrame, first: tuple[float, int], last: tuple[float, int]) -> pl.DataFrame:
    """The curve from its first month to the last one of the watch, each with how many were watched then."""
    nothing = {"share": 0.0, "low": None, "high": None, "at_risk": first[1], "events": 0}
    segments = [pl.DataFrame({"months": first[0], **nothing}, schema=curve.schema), curve]
    reached = pl.concat(segments).tail(1)
    if last[0] > reached["months"].item():
        zero = pl.lit(0, dtype=pl.Int64)
        segments.append(reached.with_columns(months=pl.lit(last[0]), at_risk=zero + last[1], events=zero))
    return pl.concat(segments)
