"""The product-limit curve with late entry, and the half-life read off it."""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.statistics.arrays import Numbers, Places
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.survival.clusters import at_risk_matrix, between, ending_matrix, on_log_alive

FEWEST_AT_RISK = 3
"""Before this many are watched at once a single death would halve the curve for good (Lai, Ying 1991)."""


class HalfLife(NamedTuple):
    """Months by which half have died, with its 95% interval; None where the curve or its band stays above half."""

    months: float | None
    low: float | None
    high: float | None


def kaplan_meier(entry: Numbers, end: Numbers, died: NDArray[np.bool_], cluster: Places | None = None) -> pl.DataFrame:
    """The product-limit curve with late entry: months, share, low, high, at_risk, events, one row for each death.

    The first row is where the curve starts (share 1), the last the longest life watched. At risk at t are those with
    entry < t <= end; deaths come before censorings of the same day. The 95% band is Greenwood's variance on the scale
    log(-log S); where nobody is left (share 0) the upper end of the row before stands. The curve starts at the first
    month after which three are watched at once, and is conditional on having lived to it.
    Lives of one `cluster` (a number for each life) may end together. The variance is then that between clusters: the
    squares of the sums of what their lives add to log S, times clusters / (clusters - 1);
    nowhere less than Greenwood's.
    Source: Kaplan, Meier (1958), Nonparametric estimation from incomplete observations, JASA 53; late entry: Tsai,
    Jewell, Wang (1987), Biometrika 74; small risk sets: Lai, Ying (1991), Annals of Statistics 19; band: Kalbfleisch,
    Prentice (2002), section 1.4; clusters: Ying, Wei (1994), The Kaplan-Meier estimate for dependent failure time
    observations, Journal of Multivariate Analysis 50.
    Raises ValueError where a life ends before or when it is first seen.

    Of four lives the second is lost from sight: 3 of 4 live on, then 1 of 2, then none.

    >>> curve = kaplan_meier(np.zeros(4), np.array([1.0, 2.0, 3.0, 4.0]), np.array([True, False, True, True]))
    >>> curve.select("months", "share").rows()
    [(0.0, 1.0), (1.0, 0.75), (3.0, 0.375), (4.0, 0.0)]
    """
    if (end <= entry).any():
        raise ValueError("a life must be watched for some time: entry < end")
    start = start_of(entry, end)
    observed = end > start
    entry, end, died = entry[observed], end[observed], died[observed]
    times = np.unique(end[died])
    is_watched, dies = at_risk_matrix(entry, end, times), ending_matrix(end, died, times)
    at_risk, deaths = is_watched.sum(axis=1), dies.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.cumprod(1 - deaths / at_risk)
        variance = np.cumsum(deaths / (at_risk * (at_risk - deaths)))
        if cluster is not None:
            variance = np.fmax(variance, between(on_log_alive(is_watched, dies), cluster[observed]))
        spread = np.sqrt(variance) / np.abs(np.log(share))
        low, high = share ** np.exp(Z95 * spread), share ** np.exp(-Z95 * spread)
    all_ended = share <= 0
    low = np.where(all_ended, 0.0, low)
    if all_ended.any():
        first = int(np.argmax(all_ended))
        high = np.where(all_ended, high[first - 1] if first else 1.0, high)
    curve = pl.DataFrame(
        {
            "months": times,
            "share": np.where(all_ended, 0.0, share),
            "low": low,
            "high": high,
            "at_risk": at_risk.astype(np.int64),
            "events": deaths.astype(np.int64),
        }
    )
    return _with_ends(curve, start, entry, end)


def half_life(curve: pl.DataFrame) -> HalfLife:
    """The median of one cohort's curve and the interval at which its band crosses one half.

    Source: Brookmeyer, Crowley (1982), A confidence interval for the median survival time, Biometrics 38.
    """
    ordered = curve.sort("months")
    first = {
        name: ordered.filter(pl.col(name) <= 0.5)["months"].to_list()[:1] or [None] for name in ("share", "low", "high")
    }
    return HalfLife(first["share"][0], first["low"][0], first["high"][0])


def start_of(entry: Numbers, end: Numbers) -> float:
    """The first entry after which at least `FEWEST_AT_RISK` are watched at once; the first entry if that never is."""
    entries = np.unique(entry)
    watched = ((entry[None, :] <= entries[:, None]) & (entries[:, None] < end[None, :])).sum(axis=1)
    enough = entries[watched >= min(FEWEST_AT_RISK, watched.max(initial=0))]
    return float(enough[0]) if enough.size else 0.0


def _with_ends(curve: pl.DataFrame, start: float, entry: Numbers, end: Numbers) -> pl.DataFrame:
    """The curve with its start and, where it was watched beyond the last death, its end."""
    at_start = {"share": 1.0, "low": 1.0, "high": 1.0, "events": 0}
    first = pl.DataFrame({"months": start, "at_risk": int((entry <= start).sum()), **at_start})
    segments = [first.select(curve.columns), curve]
    last = float(end.max(initial=start))
    if last > (curve["months"].max() or start):  # type: ignore[operator]
        before = pl.concat(segments).tail(1)
        segments.append(
            before.with_columns(
                months=pl.lit(last), at_risk=pl.lit(int((end == last).sum())), events=pl.lit(0, dtype=pl.Int64)
            )
        )
    return pl.concat(segments, how="vertical_relaxed")
