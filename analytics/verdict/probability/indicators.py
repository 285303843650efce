"""The indicators that stages rest on and that follow from the best scores, of boards as arrays.

They are computed by the functions that compute the published ones (`saturation.headroom`, `saturation.resolution`,
`statistics.winners_curse`): a board that is not drawn has the numbers that the generation publishes.
"""

import numpy as np
import polars as pl

from benchhealth.analytics.saturation.headroom import human_margin, room, with_ends
from benchhealth.analytics.saturation.resolution import TENTH, TOP_MODELS, error_of_difference, spread
from benchhealth.analytics.statistics.arrays import Numbers
from benchhealth.analytics.statistics.errors import Z95
from benchhealth.analytics.statistics.winners_curse import is_near
from benchhealth.analytics.verdict.probability.board_draws import Boards

HALVINGS = 14
"""To how much of the way between bound and score an end of a leader's interval is found in draws: 1 in 16,000."""

OF_FACTS = (
    *("benchmark_id", "bounded", "sign", "floor"),
    *("ceiling", "ceiling_checked", "human", "human_people", "human_items"),
)
"""The facts of a benchmark that these indicators read."""


def stage_indicators(boards: Boards, facts: pl.DataFrame, halvings: int = HALVINGS) -> pl.DataFrame:
    """`headroom`, `headroom_of_ceiling`, `human_margin`, each with `.low` and `.high`, `resolution_top5`,
    `spread_top10` and `listed`, how many of the best count, of each board; `facts` (OF_FACTS) has a row for each.

    Null where they do not follow from what is known.
    """
    ends = with_ends(facts.hstack(_leaders(boards)), halvings)
    shares = {"headroom": room("floor"), "headroom_of_ceiling": room("bottom"), "human_margin": human_margin()}
    named = [
        expression.alias(f"{key}{end}")
        for key, estimates in shares.items()
        for expression, end in zip(estimates, ("", ".low", ".high"), strict=True)
    ]
    return ends.select(named).with_columns(
        resolution_top5=_column(resolution(boards)),
        spread_top10=_column(_spread(boards)),
        listed=_column(np.isfinite(boards.merit).sum(axis=1).astype(np.float64)),
    )


def _column(values: Numbers) -> pl.Series:
    return pl.Series(values, nan_to_null=True)


def _leaders(boards: Boards) -> pl.DataFrame:
    """What `with_ends` reads of the first of each board and of those that could have come first."""
    best, behind = boards.merit[:, :1], boards.merit[:, :1] - boards.merit
    with np.errstate(invalid="ignore"):
        is_leader = is_near(behind, boards.error, boards.error[:, :1])  # what is not known is not near
    is_leader[:, 0] = np.isfinite(boards.error[:, 0])
    rivals = np.where(is_leader[:, 1:], boards.merit[:, 1:], -np.inf).max(axis=1)
    k = is_leader.sum(axis=1) + boards.beyond
    is_binomial = np.isfinite(boards.items[:, 0])
    return pl.DataFrame(
        {
            "score": best[:, 0] * boards.sign,
            "std_error": np.where(is_binomial, np.nan, boards.error[:, 0]),
            "error": boards.error[:, 0],
            "n_items": boards.items[:, 0],
            "rival": np.where(np.isfinite(rivals), rivals, np.nan),
            "k": np.where(is_leader[:, 0], k, np.nan),
        },
        nan_to_null=True,
    )


def resolution(boards: Boards) -> Numbers:
    """The share of the pairs of the top five that differ by more than their error; NaN where one is unknown."""
    merit, error = boards.merit[:, :TOP_MODELS], boards.error[:, :TOP_MODELS]
    first, second = np.triu_indices(TOP_MODELS, 1)
    with np.errstate(invalid="ignore", divide="ignore"):
        difference = np.abs(merit[:, first] - merit[:, second])
        differs = difference > Z95 * error_of_difference(error[:, first], error[:, second])
        listed = np.isfinite(merit)
        pairs = (listed[:, first] & listed[:, second]).sum(axis=1)
        comparable = (np.isfinite(error) | ~listed).all(axis=1) & (pairs > 0)
        return np.where(comparable, differs.sum(axis=1) / pairs, np.nan)


def _spread(boards: Boards) -> Numbers:
    """The best against the tenth over what ten equal models differ by; NaN without ten models or their errors."""
    merit, error = boards.merit, boards.error
    with np.errstate(invalid="ignore", divide="ignore"):
        joint_error = error_of_difference(error[:, 0], error[:, TENTH - 1])
        value = spread(np.abs(merit[:, 0] - merit[:, TENTH - 1]), joint_error)
    return np.where(joint_error > 0, value, np.nan)
