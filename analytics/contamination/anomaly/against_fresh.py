"""Benchmarks against the capability that fresh ones show: every model against the line through all others."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from benchhealth.analytics.contamination.anomaly.fresh import Placed, Scale, capabilities
from benchhealth.analytics.contamination.anomaly.leave_out import LeftOut, Points, against, joined_residuals, leave_out
from benchhealth.analytics.contamination.tail import tail
from benchhealth.analytics.statistics import student
from benchhealth.analytics.statistics.arrays import Flags, Numbers

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
    of_family: dict[str, Placed] = {}
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


def _board(scale: Scale, number: int, rows: NDArray[np.int64], placed: Placed) -> Board | None:
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
        left_out=joined_residuals(residuals, against(through, points(scale, number, placed_by_few, placed))),
        line=through,
        others=line.size - 1,
    )


def points(scale: Scale, index: int, rows: NDArray[np.int64], placed: Placed) -> Points:
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
