"""What the gap of a twin can be called: its mean, its drift and its power, whether gains on the original fade on the
twin, and which of the three gaps between test sets it can be.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.units.least_p import carried
from benchhealth.analytics.statistics.units.line import SharedLine
from benchhealth.analytics.twins.groups import gap_over_time
from benchhealth.analytics.twins.pairs import RERUN, Matched, Pairs
from benchhealth.analytics.twins.power import degrees_of, detectable
from benchhealth.analytics.twins.shared import NOT_MEASURED, SAMPLED, MeanGap, Measured, mean_gap, twin_line

EITHER = "distribution or adaptivity"
FADING = 0.05
"""Gains on the original count as fading on the twin where their p-value is below this."""


def fading_p(line: SharedLine) -> float:
    """One-sided p-value that a point gained on the original brings less than a point on the twin: H0 slope >= 1.

    Small is evidence of diminishing returns, which is what tuning to the original's items leaves behind (an adaptivity
    gap). On a probit scale it is not confused with crowding towards the ceiling; on the linear scale it may be. Never
    below what so many independent families can carry (`carried`). A line without any scatter is certain: that least
    value below a slope of 1, else 1.
    """
    if line.slope_error == 0:
        p = float(line.slope >= 1)
    else:
        p = float(student.below((line.slope - 1) / line.slope_error, line.degrees))
    return float(carried(p, line.families))


def gap_cause(kind: str, gap: MeanGap | None, p_fading: float | None) -> str:
    """Which of the three gaps of Recht et al. (2019), section 2, a gap can be: one word for what is left of them.

    `chance` (a generalisation gap: which items and models were drawn; the interval of `gap` holds 0), `distribution`
    (items that differ in kind), `adaptivity` (tuning to the original's items), `design` where the sides differ on
    purpose, `preparation` for one test run twice, `unknown` where an error is missing. Tuning makes gains fade on the
    twin, and so may another mix of items: fading gains are `distribution or adaptivity`, and so is a gap whose slope is
    unknown; full gains leave `distribution`.
    """
    if kind == RERUN:
        return "preparation"
    if kind not in SAMPLED:
        return "design"
    if gap is None or gap.holds_zero is None:
        return "unknown"
    if gap.holds_zero:
        return "chance"
    if p_fading is not None and p_fading >= FADING:
        return "distribution"
    return EITHER


@dataclass(frozen=True)
class Gains:
    """What gains on the original bring on the twin: `line` on its `scale`, and `points`, the line through the scores
    as they are, where both sides are shares."""

    scale: str
    line: SharedLine
    points: SharedLine | None = None

    @property
    def p(self) -> float:
        """One-sided p-value that they fade, see `fading_p`."""
        return fading_p(self.line)

    @property
    def hang_on_the_scale(self) -> bool:
        """Whether they fade on the scale while a point brings no less than a point."""
        return self.p < FADING and self.points is not None and self.points.slope_low >= 1


def gap_case(kind: str, gap: MeanGap | None, gains: Gains | None) -> str:
    """The case of what the gap of a twin can be called, and why no more: `gap_cause`, and what the gains tell.

    The slope is read once: where the two scales disagree, the case says that.
    """
    if gap is None:
        return "gap_of_none"
    cause = gap_cause(kind, gap, None if gains is None else gains.p)
    if cause in ("preparation", "design", "unknown", "chance"):
        return f"gap_{cause}"
    if gains is None:
        return "gap_beyond_chance"
    if cause == "distribution":
        return "gap_distribution"
    return "gap_hangs_on_scale" if gains.hang_on_the_scale else "gap_fades"


def gaps(
    twin_pairs: Sequence[Matched],
    residual: pl.DataFrame,
    days: Mapping[str, pl.DataFrame],
    power: pl.DataFrame,
    measured: Measured = NOT_MEASURED,
) -> pl.DataFrame:
    """Table `twin_gap`: for each declared pair where it is from, and what its gap, slope and drift can be called.

    `gap_error` is the standard error of the mean gap by `mean_gap`, which all that is said of a gap rests on, and
    `gap_basis` says what is known of the items. `slope` with its 95% interval is on `scale` (probit for shares, else
    linear), with the original's own errors taken off where the sides have independent items (`noise`: the share of the
    original's spread that was error) and by least squares elsewhere. The interval is that of `shared.twin_line`: it
    rests on so many `families` of models and on what the draw of the items does to all models at once, known from the
    items themselves, measured elsewhere or not known (`slope_basis`); `design_effect` is by how much that multiplies
    the variance that the models show. `fading_p` is one-sided, small where gains fade.
    `per_year` is the drift of the gap by the models' release (`gap_over_time`). `detectable` is the shortfall that is
    flagged with probability .8; `power10` and `power30` are those of a single leak in `power`, table `twin_power`.
    `case` is what the gap can be called, `numbers` are the results that the slope rests on and the slope of the scores
    as they are; `power_numbers` are the results that were tested and, of the simulations, what `_simulated` says.
    Null where it is not known.
    Source: Recht et al. (2019), Do ImageNet classifiers generalize to ImageNet?, section 2.
    """
    residuals, powers = (
        {str(name[0]): rows for name, rows in table.group_by("twin_id", maintain_order=True)}
        for table in (residual, power)
    )
    rows = [
        {
            **_gap_row(
                declared, pairs, residuals.get(key, residual.clear()), days[key], powers.get(key, power.clear())
            ),
            **_gains(declared, pairs, measured),
        }
        for declared, pairs in twin_pairs
        for key in [declared["twin_id"]]
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["twin_gap"], orient="row")


def _gap_row(
    declared: Mapping[str, Any], pairs: Pairs, residual: pl.DataFrame, days: pl.DataFrame, power: pl.DataFrame
) -> dict[str, object]:
    drift = gap_over_time(days)
    return {
        **{name: declared[name] for name in ("twin_id", "source_id", "other_source_id", "test", "note", "source_url")},
        "per_year": drift and drift.slope,
        "per_year_low": drift and drift.slope_low,
        "per_year_high": drift and drift.slope_high,
        **_power(declared, residual, power),
    }


def _gains(declared: Mapping[str, Any], pairs: Pairs, measured: Measured) -> dict[str, object]:
    """The gap, what gains on the original bring, and what both can be called."""
    kind = declared["kind"]
    gap = mean_gap(pairs, kind)
    scale = "probit" if pairs.bounded else "linear"
    fitted = twin_line(pairs, kind, scale, measured, corrected=True)
    points = twin_line(pairs, kind, "linear", measured) if pairs.bounded else None
    line = fitted and fitted.line
    p = None if line is None else fading_p(line)
    gains = None if line is None else Gains(scale, line, points and points.line)
    return {
        "gap": gap and gap.gap,
        "gap_error": gap and gap.error,
        "gap_basis": gap and gap.basis,
        "scale": scale,
        **{f"slope{end}": getattr(line, f"slope{end}", None) for end in ("", "_low", "_high")},
        "noise": line.noise if line is not None and line.noise > 0 else None,
        "families": line and line.families,
        "slope_basis": fitted and fitted.basis,
        "design_effect": line and line.design_effect,
        "fading_p": p,
        "cause": gap_cause(kind, gap, p),
        "case": gap_case(kind, gap, gains),
        "kind": kind,
        "numbers": None if gains is None else [float(gains.line.n), gains.points and gains.points.slope],
    }


def _power(declared: Mapping[str, Any], residual: pl.DataFrame, power: pl.DataFrame) -> dict[str, object]:
    tested = residual.filter(pl.col("p_value").is_not_null())
    error = _median(tested["std_error"].to_numpy())
    why = residual["untested"].drop_nulls().value_counts().sort("count", "untested", descending=True)["untested"]
    scale = {"test_scale": tested["scale"].first(), "untested": None if tested.height or why.is_empty() else why[0]}
    if error is None:
        return {**scale, "detectable": None, "power10": None, "power30": None, "power_numbers": None}
    least = detectable(error, tested.height, degrees_of(declared["test"], tested.height))
    alone = {row["share"]: row["power"] for row in power.filter(leaked=1).iter_rows(named=True)}
    return {
        **scale,
        "detectable": least,
        "power10": alone.get(0.1),
        "power30": alone.get(0.3),
        "power_numbers": [float(tested.height), *_simulated(power)],
    }


def _simulated(power: pl.DataFrame) -> list[float]:
    """Of the first simulation the share and the power, of the last how many leaked, of how many, the share, the power.

    Empty without any.
    """
    if power.is_empty():
        return []
    alone, most = power.row(0, named=True), power.row(-1, named=True)
    return [alone["share"], alone["power"], *(float(most[name]) for name in ("leaked", "models", "share", "power"))]


def _median(values: NDArray[np.float64]) -> float | None:
    return float(np.median(values)) if values.size else None
