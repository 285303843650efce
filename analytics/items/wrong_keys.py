"""Items whose key may be wrong: the best models agree on one option that counts as wrong."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.items.panel import Panel
from benchhealth.analytics.statistics.arrays import Flags
from benchhealth.analytics.statistics.units.clustered_share import clustered_share, wilson

AGREEING = 8
"""This many of the best models must all choose the same wrong option."""

WRONG_KEY = "wrong_groundtruth"
"""What people say of an item whose key they found wrong; every label but OK is a fault."""


class Agreement(NamedTuple):
    """Items on which the AGREEING best models choose one wrong option, and how many of all models choose that."""

    candidate: Flags
    models: NDArray[np.int64]


class HeldAgainst(NamedTuple):
    """Flags held against labels by people: precision and recall, each (share, low, high)."""

    precision: tuple[float, float, float]
    recall: tuple[float, float, float]


def agreement(panel: Panel) -> Agreement | None:
    """The candidates of a panel; None where the chosen options or AGREEING models are not known.

    That models agree on a wrong answer is a sign of a wrong key and of an error that they share: only people who look
    at the item can tell. (Ranking items by how consistently models disagree with the label: Northcutt, Jiang & Chuang
    2021, Confident learning, doi:10.1613/jair.1.12125, here without probabilities, which no file has.)
    """
    if panel.chosen is None or len(panel.models) < AGREEING:
        return None
    best = panel.chosen[:AGREEING]
    same = (best == best[0]).all(axis=0) & (best[0] != 0)
    candidate = same & ~panel.solved[:AGREEING].any(axis=0)
    models = (panel.chosen == best[0]).sum(axis=0).astype(np.int64)
    return Agreement(candidate, np.where(candidate, models, 0))


def held_against(flagged: Flags, wrong: Flags, clusters: NDArray[np.int64] | None) -> HeldAgainst | None:
    """How many flagged items people labelled `wrong`, and how many of those are flagged; None where there is none.

    All are of the labelled items. The intervals, 95%, are Wilson's; where the clusters of items are known, items of
    one cluster may go together (`clustered_share`).

    Of four labelled items two are flagged, of which people found one wrong, and one of the two that they found wrong:

    >>> flagged, wrong = np.array([True, True, False, False]), np.array([True, False, True, False])
    >>> against_labels = held_against(flagged, wrong, clusters=None)
    >>> against_labels.precision[0], against_labels.recall[0]
    (0.5, 0.5)
    """
    if not flagged.any() or not wrong.any():
        return None
    return HeldAgainst(_share(wrong, flagged, clusters), _share(flagged, wrong, clusters))


def _share(flags: Flags, among: Flags, clusters: NDArray[np.int64] | None) -> tuple[float, float, float]:
    if clusters is not None:
        return clustered_share(flags[among], clusters[among])
    share = float(flags[among].mean())
    return share, *wilson(share, float(among.sum()))
