"""What benchmarks that a model cannot have seen predict of it, and each model against the line through the others."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.contamination.tail import tail
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Flags, Numbers
from benchhealth.analytics.statistics.regression import ROUNDING, least_squares
from benchhealth.analytics.statistics.units.least_p import limited_p

SHARED_MISFIT_CELLS = 5.0
"""Cells' worth of the common misfit that each benchmark's own is mixed with."""
LEAST_MISFIT = 1e-5
PRIOR = 0.25
"""Precision of the normal prior around 0 in which a capability begins: weak beside one score."""
NEWTON_STEPS = 15
LONGEST_STEP = 1.0
"""The longest step of an estimate, in logits."""
DATED = r"-\d{4}(?:-\d{2}){0,2}$"
"""The end of an id that tells editions of one benchmark apart; editions share items."""


@dataclass(frozen=True)
class Scale:
    """The stitched cells with their curves; `is_fresh` and `is_exposed` are by cell, `family` by benchmark."""

    cells: Cells
    difficulty: Numbers
    slope: Numbers
    variance: Numbers
    is_fresh: Flags
    is_exposed: Flags
    family: list[str]

    def without(self, family: str) -> Flags:
        """Which cells are fresh and of another family of benchmarks than this one."""
        is_other = np.array([name != family for name in self.family])
        return np.asarray(self.is_fresh & is_other[self.cells.benchmark])


def stitched_scale(
    cells: Cells, capability: pl.DataFrame, difficulty: pl.DataFrame, exposed: pl.DataFrame
) -> Scale | None:
    """The stitched cells with the published tables of their curves and who could have seen what (`exposure.exposures`).

    None where the tables do not cover the cells, or nothing is stitched.
    """
    curve = dict(difficulty.select("benchmark_id", pl.struct("difficulty", "slope")).iter_rows())
    capability_of = dict(capability.select("model_id", "score").iter_rows())
    if not len(cells) or not set(cells.benchmark_ids) <= set(curve) or not set(cells.model_ids) <= set(capability_of):
        return None
    difficulties = np.array([curve[name]["difficulty"] for name in cells.benchmark_ids])
    slope = np.array([curve[name]["slope"] for name in cells.benchmark_ids])
    capabilities_of_models = np.array([capability_of[name] for name in cells.model_ids])
    is_exposed = {row[:2]: row[2] for row in exposed.select("benchmark_id", "model_id", "is_exposed").rows()}
    flags = [
        is_exposed.get((cells.benchmark_ids[benchmark], cells.model_ids[model]))
        for benchmark, model in zip(cells.benchmark, cells.model, strict=True)
    ]
    return Scale(
        cells=cells,
        difficulty=difficulties,
        slope=slope,
        variance=_variance(cells, capabilities_of_models, difficulties, slope),
        is_fresh=np.array([flag is False for flag in flags]),
        is_exposed=np.array([flag is True for flag in flags]),
        family=[pl.Series([name]).str.replace(DATED, "")[0] for name in cells.benchmark_ids],
    )


def _variance(cells: Cells, capability: Numbers, difficulty: Numbers, slope: Numbers) -> Numbers:
    """The variance of each cell's score around its curve: its standard error and the misfit, shrunk to that of all."""
    index = cells.benchmark
    rise = expit(slope[index] * (capability[cells.model] - difficulty[index]))
    excess = (cells.score - cells.floor[index] - cells.span[index] * rise) ** 2 - cells.error**2
    count = np.bincount(index, minlength=len(cells.benchmark_ids))
    common = max(float(excess.mean()), LEAST_MISFIT)
    misfit = (np.bincount(index, excess, count.size) + SHARED_MISFIT_CELLS * common) / (count + SHARED_MISFIT_CELLS)
    return np.asarray(np.maximum(misfit, LEAST_MISFIT)[index] + cells.error**2)


@dataclass(frozen=True)
class Placement:
    """By model: capability, its variance, and how many cells it rests on."""

    capability: Numbers
    variance: Numbers
    count: NDArray[np.int64]


def capabilities(scale: Scale, used: Flags, begin: Numbers | None = None) -> Placement:
    """Where the cells `used` alone place each model, the curves taken as known.

    Penalised least squares by Gauss-Newton; without a cell the capability is the prior's 0.
    """
    cells = scale.cells.where(used)
    model, benchmark, weight = cells.model, cells.benchmark, 1 / scale.variance[used]
    slope, difficulty = scale.slope[benchmark], scale.difficulty[benchmark]
    span, score = cells.span[benchmark], cells.score - cells.floor[benchmark]
    n = len(cells.model_ids)
    theta = np.zeros(n) if begin is None else begin.copy()
    bend = np.full(n, PRIOR)
    for _ in range(NEWTON_STEPS):
        rise = expit(slope * (theta[model] - difficulty))
        risen = span * rise
        steep = risen * (1 - rise) * slope
        pull = weight * steep * (score - risen)
        bend = np.bincount(model, weight * steep**2, n) + PRIOR
        step = np.clip((np.bincount(model, pull, n) - PRIOR * theta) / bend, -LONGEST_STEP, LONGEST_STEP)
        theta = theta + step
        if np.abs(step).max(initial=0.0) < 1e-6:
            break
    return Placement(theta, 1 / bend, np.bincount(model, minlength=n))


NEGLIGIBLE_SCATTER = 1e-9
"""Share of the spread below which scatter about a line is rounding."""


@dataclass(frozen=True)
class LeftOut:
    """By point: the value that the line through all others expects, the distance from it and its standard error.

    `degrees` of freedom are those of Student's t; `inside` is false where the others do not reach as far: there the
    expectation is an extrapolation. `points` is how many there are.
    """

    expected: Numbers
    excess: Numbers
    error: Numbers
    degrees: float
    inside: NDArray[np.bool_]
    points: int

    @property
    def studentised(self) -> Numbers:
        """The residuals, each divided by its standard error."""
        return self.excess / self.error

    @property
    def p_value(self) -> Numbers:
        """The one-sided p-value of lying so far above the line; never below the least that so many models allow."""
        return limited_p(student.above(self.studentised, self.degrees), self.points)


@dataclass(frozen=True)
class Points:
    """Places on the two sides, and the known part of each place's variance about a line."""

    x: Numbers
    y: Numbers
    sampling: Numbers


def residuals_against(line: Points, tested: Points) -> LeftOut | None:
    """Each point of `tested` alone against the line through all of `line`, as `leave_out` would find it there."""
    residuals = []
    for index in range(tested.x.size):
        joined = [np.append(getattr(line, side), getattr(tested, side)[index]) for side in ("x", "y", "sampling")]
        of_model = leave_out(*joined)
        if of_model is None:
            return None
        residuals.append(of_model)
    return _joined_residuals([(of_model, slice(-1, None)) for of_model in residuals]) if residuals else None


def joined_residuals(first: LeftOut, second: LeftOut | None) -> LeftOut:
    """The residuals of both, one after the other, with the smaller degrees of freedom."""
    return first if second is None else _joined_residuals([(first, slice(None)), (second, slice(None))])


def _joined_residuals(groups: Sequence[tuple[LeftOut, slice]]) -> LeftOut:
    expected, excess, error, inside = (
        np.concatenate([getattr(residuals, name)[rows] for residuals, rows in groups])
        for name in ("expected", "excess", "error", "inside")
    )
    return LeftOut(
        expected,
        excess,
        error,
        min(residuals.degrees for residuals, _ in groups),
        inside,
        min(residuals.points for residuals, _ in groups),
    )


def leave_out(x: Numbers, y: Numbers, sampling: Numbers) -> LeftOut | None:
    """Externally studentised residuals about the least squares line of y on x, unequal errors allowed for.

    `sampling` is the known part of each point's variance about the line. It only says how the scatter that the others
    show is spread: what exceeds its mean is added to each alike, and where the scatter falls short, the known parts are
    scaled down. Degrees of freedom are n - 3, fewer as the variances differ (Satterthwaite 1946). None where there is
    no line or no scatter.
    """
    line = least_squares(x, y)
    if line is None or line.n < 4 or line.scatter <= (NEGLIGIBLE_SCATTER * max(float(np.ptp(y)), 1.0)) ** 2:
        return None
    n = line.n
    free = np.clip(1 - line.leverage, 1e-9, None)
    deleted_scatter = np.maximum(line.scatter_without(), ROUNDING * line.scatter)
    mean = (sampling.sum() - sampling) / (n - 1)
    share = np.minimum(deleted_scatter / np.where(mean > 0, mean, np.inf), 1)
    variance = np.where(mean > 0, np.maximum(deleted_scatter - mean, 0) + share * sampling, deleted_scatter)
    degrees = (n - 3) * variance.sum() ** 2 / (n * (variance**2).sum())
    excess = line.residuals / free
    low, high = np.partition(x, 1)[:2], -np.partition(-x, 1)[:2]
    inside = (x >= np.where(x == low[0], low[1], low[0])) & (x <= np.where(x == high[0], high[1], high[0]))
    return LeftOut(y - excess, excess, np.sqrt(variance / free), float(degrees), inside, y.size)


FEWEST_FRESH = 3
"""Fresh benchmarks that place a model of the line: with three, one of them can disagree."""
FEWEST_TO_TEST = 2
"""Fresh benchmarks that place a model held against the line. The uncertainty of its place counts, and on benchmarks
that models cannot have seen the test errs no more often with two than with more (4 of 89 at 5%, beside 62 of 1,424).
Beyond the range of the others it does (12 of 95), whatever places the model: an extrapolation is not counted."""
FEWEST_MODELS = 10
"""With fewer models the line follows each of them too closely to be held against any."""
NEAREST_TO_ENDS = 0.02
"""Scores nearer to chance or to the ceiling, as a share of the way between, count as this near: beyond, the logit is
all rounding."""
POINTS_OF_SCALE = 100.0


@dataclass(frozen=True)
class Board:
    """One benchmark against capability from fresh ones; arrays have an entry for each of `model_ids`.

    `rise` is how far a model is on the way from chance (0) to the best (1), `reach` the length of that way as a
    fraction of the scale. `left_out` holds the residuals of the logit of `rise`. The first models are those of `line`;
    each of them is compared with the `others` (a number) on it. `tail` are the degrees of freedom and the scale that
    errors were widened by.
    """

    benchmark_id: str
    model_ids: list[str]
    reach: float
    rise: Numbers
    is_exposed: Flags
    is_fresh: Flags
    left_out: LeftOut
    line: Points
    others: int
    tail: tuple[float, float] = (float("inf"), 1.0)

    def points(self, logits: Numbers) -> Numbers:
        """Turn logits of the way from chance to the best into points of the benchmark's scale."""
        return np.asarray(POINTS_OF_SCALE * self.reach * expit(logits))

    def with_leak(self, share: float) -> Numbers:
        """p-values if each model in turn had known that share of the items; the others as they are."""
        raised = clipped_logit(self.rise + share * (1 - self.rise)) - clipped_logit(self.rise)
        residuals = self.left_out
        return student.above((residuals.excess + raised) / residuals.error, residuals.degrees)


def boards(scale: Scale | None) -> list[Board]:
    """Every stitched benchmark with enough models that fresh benchmarks of other families place.

    Errors and degrees of freedom are those of `tail`, from the models on benchmarks that they cannot have seen.
    """
    if scale is None:
        return []
    begin = capabilities(scale, scale.is_fresh).capability
    testable: list[Board] = []
    of_family: dict[str, Placement] = {}
    for index in range(len(scale.cells.benchmark_ids)):
        rows = np.flatnonzero(scale.cells.benchmark == index)
        if rows.size < FEWEST_MODELS or not (scale.is_exposed | scale.is_fresh)[rows].any():
            continue
        family = scale.family[index]
        if family not in of_family:
            of_family[family] = capabilities(scale, scale.without(family), begin)
        board = _board(scale, index, rows, of_family[family])
        if board is not None:
            testable.append(board)
    return _with_tail(testable)


def _with_tail(testable: list[Board]) -> list[Board]:
    """The boards with the tail that models show on benchmarks they cannot have seen, whatever they differ in."""
    controls = [board.left_out.studentised[board.is_fresh & board.left_out.inside] for board in testable]
    degrees, scale = tail(np.concatenate([*controls, np.zeros(0)]))
    return [
        replace(board, left_out=widened(board.left_out, degrees, scale), tail=(degrees, scale)) for board in testable
    ]


def widened(residuals: LeftOut, degrees: float, scale: float) -> LeftOut:
    """The same residuals with their errors widened by those of a heavy tail."""
    return replace(residuals, error=scale * residuals.error, degrees=min(degrees, residuals.degrees))


def _board(scale: Scale, number: int, rows: NDArray[np.int64], placed: Placement) -> Board | None:
    count = placed.count[scale.cells.model[rows]]
    line, placed_by_few = rows[count >= FEWEST_FRESH], rows[(count >= FEWEST_TO_TEST) & (count < FEWEST_FRESH)]
    if line.size < FEWEST_MODELS:
        return None
    through = points(scale, number, line, placed)
    residuals = leave_out(through.x, through.y, through.sampling)
    if residuals is None:
        return None
    rows = np.concatenate([line, placed_by_few])
    return Board(
        benchmark_id=scale.cells.benchmark_ids[number],
        model_ids=[scale.cells.model_ids[index] for index in scale.cells.model[rows]],
        reach=abs(scale.cells.span[number]),
        rise=rises(scale, number, rows),
        is_exposed=scale.is_exposed[rows],
        is_fresh=scale.is_fresh[rows],
        left_out=joined_residuals(residuals, residuals_against(through, points(scale, number, placed_by_few, placed))),
        line=through,
        others=line.size - 1,
    )


def points(scale: Scale, index: int, rows: NDArray[np.int64], placed: Placement) -> Points:
    """What fresh benchmarks say of the models of these cells of one benchmark, and the logits that they reach there."""
    model, span = scale.cells.model[rows], scale.cells.span[index]
    rise = rises(scale, index, rows)
    inner = np.clip(rise, NEAREST_TO_ENDS, 1 - NEAREST_TO_ENDS)
    noise = (scale.cells.error[rows] / (abs(span) * inner * (1 - inner))) ** 2
    return Points(
        placed.capability[model], clipped_logit(rise), noise + scale.slope[index] ** 2 * placed.variance[model]
    )


def rises(scale: Scale, index: int, rows: NDArray[np.int64]) -> Numbers:
    """The position of each cell of one benchmark on the way from chance to the best."""
    return np.asarray((scale.cells.score[rows] - scale.cells.floor[index]) / scale.cells.span[index])


def clipped_logit(rise: Numbers) -> Numbers:
    """The logit of a way from chance to the best, kept NEAREST_TO_ENDS off both ends.

    Whoever is at an end counts as 2% from it, with log odds of ln 49:

    >>> clipped_logit(np.array([0.5, 0.0, 1.0])).round(2).tolist()
    [0.0, -3.89, 3.89]
    """
    return np.asarray(logit(np.clip(rise, NEAREST_TO_ENDS, 1 - NEAREST_TO_ENDS)))
