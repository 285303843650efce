"""Benchmarks against the capability that fresh ones show: every model against the line through all others."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from analytics.contamination.anomaly.fresh import Flags, Numbers, Placed, Scale, capabilities
from analytics.contamination.anomaly.leave_out import LeftOut, leave_out
from analytics.contamination.tail import tail
from analytics.statistics import student

FEWEST_FRESH = 3
"""Fresh benchmarks that place a model: with three, one of them can disagree."""
FEWEST_MODELS = 10
"""With fewer models the line follows each of them too closely to be held against any."""
ENDS = 0.02
"""How close to chance and to the ceiling a score is taken to lie at most: beyond, its logit is all rounding."""
POINTS = 100.0


@dataclass(frozen=True)
class Board:
    """One benchmark against capability from fresh ones: `rise` is the way from chance to the best, 0 to 1, by model.

    `left_out` is on the logit of it.
    """

    benchmark_id: str
    model_ids: list[str]
    reach: float
    rise: Numbers
    is_exposed: Flags
    is_fresh: Flags
    left_out: LeftOut

    def points(self, place: Numbers) -> Numbers:
        """From a logit to points of the way from chance to the best."""
        return np.asarray(POINTS * self.reach * expit(place))

    def with_leak(self, share: float) -> Numbers:
        """p-values if each model in turn had known that share of the items; the others as they are."""
        raised = clipped_logit(self.rise + share * (1 - self.rise)) - clipped_logit(self.rise)
        found = self.left_out
        return student.above((found.excess + raised) / found.error, found.degrees)


def boards(scale: Scale | None) -> list[Board]:
    """Every stitched benchmark with enough models that fresh benchmarks of other families place.

    Errors and degrees of freedom are those of `tail`, from the models on benchmarks that they cannot have seen.
    """
    if scale is None:
        return []
    begin = capabilities(scale, scale.is_fresh).capability
    found: list[Board] = []
    of_family: dict[str, Placed] = {}
    for place in range(len(scale.cells.benchmark_ids)):
        rows = np.flatnonzero(scale.cells.benchmark == place)
        if rows.size < FEWEST_MODELS or not (scale.is_exposed | scale.is_fresh)[rows].any():
            continue
        family = scale.family[place]
        if family not in of_family:
            of_family[family] = capabilities(scale, scale.without(family), begin)
        board = _board(scale, place, rows, of_family[family])
        if board is not None:
            found.append(board)
    return _with_tail(found)


def _with_tail(found: list[Board]) -> list[Board]:
    """The boards with the tail that models show on benchmarks they cannot have seen, whatever they differ in."""
    controls = [board.left_out.studentised[board.is_fresh & board.left_out.inside] for board in found]
    degrees, scale = tail(np.concatenate([*controls, np.zeros(0)]))
    return [
        replace(
            board,
            left_out=replace(
                board.left_out,
                error=scale * board.left_out.error,
                degrees=min(degrees, board.left_out.degrees),
            ),
        )
        for board in found
    ]


def _board(scale: Scale, place: int, rows: NDArray[np.int64], placed: Placed) -> Board | None:
    rows = rows[placed.count[scale.cells.model[rows]] >= FEWEST_FRESH]
    if rows.size < FEWEST_MODELS:
        return None
    model, span = scale.cells.model[rows], scale.cells.span[place]
    rise = (scale.cells.score[rows] - scale.cells.floor[place]) / span
    inner = np.clip(rise, ENDS, 1 - ENDS)
    noise = (scale.cells.error[rows] / (abs(span) * inner * (1 - inner))) ** 2
    found = leave_out(
        placed.capability[model], clipped_logit(rise), noise + scale.slope[place] ** 2 * placed.variance[model]
    )
    if found is None:
        return None
    return Board(
        benchmark_id=scale.cells.benchmark_ids[place],
        model_ids=[scale.cells.model_ids[at] for at in model],
        reach=abs(span),
        rise=rise,
        is_exposed=scale.is_exposed[rows],
        is_fresh=scale.is_fresh[rows],
        left_out=found,
    )


def clipped_logit(rise: Numbers) -> Numbers:
    """The logit of a way from chance to the best, kept ENDS off both ends."""
    return np.asarray(logit(np.clip(rise, ENDS, 1 - ENDS)))
