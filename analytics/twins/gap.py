"""What a twin can show: what its gap can be called (its mean, its drift, whether gains on the original fade on the
twin, and which of the three gaps between test sets it can be), and how likely it is to show a leak, by how many models
leaked: its own models with leaks put in by simulation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import special

from benchhealth.analytics.record.tables import PUBLISHED
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.false_discovery import benjamini_hochberg
from benchhealth.analytics.statistics.random_streams import stream_of
from benchhealth.analytics.statistics.units.least_p import limited_p
from benchhealth.analytics.statistics.units.line import SharedLine
from benchhealth.analytics.twins.expected import (
    FALSE_DISCOVERIES,
    FEWEST_FOR_RESIDUALS,
    OnScale,
    of_models,
    straight,
    testable,
    tested_anew,
    worse,
)
from benchhealth.analytics.twins.pairs import RERUN, SAMPLED, Matched, Pairs
from benchhealth.analytics.twins.uncertainty import (
    NOT_MEASURED,
    MeanGap,
    Measured,
    gap_over_time,
    mean_gap,
    twin_line,
)

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
    return float(limited_p(p, line.families))


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
    """What gains on the original bring on the twin: `line` on a scale, and `points`, the line through the scores as
    they are, where both sides are shares."""

    line: SharedLine
    points: SharedLine | None = None

    @property
    def p(self) -> float:
        """The one-sided p-value of gains that do not fade on the twin, by `fading_p`."""
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


_DECLARED = ("twin_id", "source_id", "other_source_id", "test", "note", "source_url")


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
    original's spread that was error) and by least squares elsewhere. The interval is that of `twin_line`: it rests on
    so many `families` of models and on what the draw of the items does to all models at once, known from the items
    themselves, measured elsewhere or not known (`slope_basis`); `design_effect` is by how much that multiplies the
    variance that the models show. `fading_p` is one-sided, small where gains fade. `per_year` is the drift of the gap
    by the models' release (`gap_over_time`). `detectable` is the shortfall that is flagged with probability .8;
    `power10` and `power30` are those of a single leak in `power`, table `twin_power`. `case` is what the gap can be
    called, `numbers` are the results that the slope rests on and the slope of the scores as they are; `power_numbers`
    are the results that were tested and, of the first and the last simulation, the share of items and the power; of the
    last how many models leaked, too. Null where it is not known. Source: Recht et al. (2019), Do ImageNet classifiers
    generalize to ImageNet?, section 2.
    """
    rows = [
        {
            **{name: declared[name] for name in _DECLARED},
            **_drift(days[declared["twin_id"]]),
            **_shown(declared, *(table.filter(twin_id=declared["twin_id"]) for table in (residual, power))),
            **_gains(declared["kind"], pairs, measured),
        }
        for declared, pairs in twin_pairs
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["twin_gap"], orient="row")


def _drift(days: pl.DataFrame) -> dict[str, object]:
    drift = gap_over_time(days)
    ends = {"": "slope", "_low": "slope_low", "_high": "slope_high"}
    return {f"per_year{end}": getattr(drift, name, None) for end, name in ends.items()}


def _gains(kind: str, pairs: Pairs, measured: Measured) -> dict[str, object]:
    """The gap, what gains on the original bring, and what both can be called."""
    gap = mean_gap(pairs, kind)
    scale = "probit" if pairs.bounded else "linear"
    fitted = twin_line(pairs, kind, scale, measured, corrected=True)
    points = twin_line(pairs, kind, "linear", measured) if pairs.bounded else None
    line = fitted and fitted.line
    gains = None if line is None else Gains(line, points and points.line)
    p_fading = None if gains is None else gains.p
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
        "fading_p": p_fading,
        "cause": gap_cause(kind, gap, p_fading),
        "case": gap_case(kind, gap, gains),
        "kind": kind,
        "numbers": None if gains is None else [float(gains.line.n), gains.points and gains.points.slope],
    }


def _shown(declared: Mapping[str, Any], residual: pl.DataFrame, power: pl.DataFrame) -> dict[str, object]:
    """What the test of the residuals of a twin could show, and why there is none."""
    tested = residual.drop_nulls("p_value")
    reasons = (
        residual["untested"].drop_nulls().value_counts().sort("count", "untested", descending=[True, True])["untested"]
    )
    if tested.is_empty():
        return {"untested": reasons.first()}
    error = float(np.median(tested["std_error"].to_numpy()))
    power_by_share = {row["share"]: row["power"] for row in power.filter(leaked=1).iter_rows(named=True)}
    return {
        "test_scale": tested["scale"].first(),
        "detectable": detectable(error, tested.height, declared["test"]),
        "power10": power_by_share.get(0.1),
        "power30": power_by_share.get(0.3),
        "power_numbers": [float(tested.height), *_first_and_last(power)],
    }


def _first_and_last(power: pl.DataFrame) -> list[float]:
    """Share and power in the first simulation; in the last how many leaked, of how many, the share and the power.

    Empty without any.
    """
    if power.is_empty():
        return []
    first, last = power.row(0, named=True), power.row(-1, named=True)
    return [first["share"], first["power"], *(float(last[name]) for name in ("leaked", "models", "share", "power"))]


SIMULATED = ((0.1, 1), (0.3, 1), (0.3, 3), (0.3, 8), (0.3, 15))
"""Shares of the original's items that are put into models, and how many models they are put into."""

AT_MOST = 3
"""No more than one in this many models is made to leak: beyond two fifths the line is that of the leaks."""

LEAKS_DRAWN = 30
"""Leaks that each power rests on, in at least FEWEST_RUNS simulations: its standard error is at most .09."""

FEWEST_RUNS = 6

MOST_MODELS = 200
"""A simulation of a larger twin draws this many of its models."""

WANTED = 0.8
"""The probability of a flag at which a shortfall counts as one that the twin can show."""


def detectable(error: float, tests: int, test: str = "difference") -> float:
    """How far below what is expected a model must be for a flag with probability WANTED, in the unit of the error.

    The line of `fit` costs its tests three degrees of freedom. One test at 5% that is to flag four of five, 1.645 +
    .842 errors:

    >>> round(detectable(1.0, tests=1), 3)
    2.486
    """
    level = FALSE_DISCOVERIES / tests
    needed = student.quantile(1 - level, tests - 3.0) if test == "fit" else -special.ndtri(level)
    return error * (float(needed) + float(special.ndtri(WANTED)))


def powers(twin_pairs: Sequence[Matched], rng: np.random.Generator) -> pl.DataFrame:
    """Table `twin_power`: for each twin of new items how many of the models that leaked its test would flag.

    Each simulation takes the models' own scores on the original, draws what each would score on the twin from the line
    and the scatter found, puts the leak into some models drawn by lot (the items known come out right) and tests all
    models anew. `power` is the share of leaks flagged, `false` of the models without one, over `runs` simulations.
    Only bounded scores of which more is better have a leak of known size; a twin with too few models has no row.
    """
    rows = [
        {"twin_id": declared["twin_id"], **row}
        for declared, pairs in twin_pairs
        if declared["kind"] in SAMPLED and pairs.bounded and pairs.sign > 0
        for row in _power_rows(declared, pairs, stream_of(rng, declared["twin_id"]))
    ]
    return pl.DataFrame(rows, schema=PUBLISHED["twin_power"], orient="row")


def _power_rows(declared: Mapping[str, Any], pairs: Pairs, rng: np.random.Generator) -> list[dict[str, object]]:
    order = np.lexsort((pairs.other_error, pairs.original_error, pairs.other, pairs.original))
    pairs = of_models(pairs, order[testable(pairs)[order]])
    errors = np.isfinite(pairs.original_error) & np.isfinite(pairs.other_error)
    fitted = declared["test"] == "fit"
    if pairs.original.size < FEWEST_FOR_RESIDUALS or not (fitted or errors.all()):
        return []
    line = straight(pairs) if fitted else None
    if fitted and line is None:
        return []
    rows: list[dict[str, object]] = []
    for share, leaked in SIMULATED:
        models = min(pairs.original.size, MOST_MODELS)
        if leaked * AT_MOST > models:
            continue
        runs = max(FEWEST_RUNS, LEAKS_DRAWN // leaked)
        leak = _Leak(share, leaked, models)
        flags = np.array([_flags(pairs, line, leak, rng) for _ in range(runs)])
        power, false = float(flags[:, :leaked].mean()), float(flags[:, leaked:].mean())
        rows.append({"share": share, "leaked": leaked, "models": models, "power": power, "false": false, "runs": runs})
    return rows


class _Leak(NamedTuple):
    """The share of the items that the first so many of so many models know."""

    share: float
    leaked: int
    models: int


def _flags(pairs: Pairs, line: OnScale | None, leak: _Leak, rng: np.random.Generator) -> np.ndarray:
    """Which models of one simulation are flagged; the first ones leaked. All of them scatter about `line`."""
    models = leak.models
    drawn = rng.choice(pairs.original.size, models, replace=False)
    truth = of_models(pairs, drawn)
    observed = truth.original.copy()
    observed[: leak.leaked] += leak.share * (100 - observed[: leak.leaked])
    if line is None:
        scatter = np.hypot(truth.original_error, truth.other_error)
        p = worse(truth.original + scatter * rng.standard_normal(models) - observed, scatter)
    else:
        p = tested_anew(truth, line, line.off_line.shape[drawn] * line.off_line.noise.sample(rng, models), observed)
    return np.asarray(benjamini_hochberg(p) <= FALSE_DISCOVERIES)
