"""Tests item by item that are drawn: items with a difficulty, models with a strength, keys that are wrong, leaks."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from benchhealth.analytics.items.panel import Panel
from benchhealth.analytics.statistics.item_response.two_parameter import Items

OPTIONS = 4


def panel_of(
    outcomes: NDArray[np.float64],
    *,
    answered: NDArray[np.bool_] | None = None,
    cluster: NDArray[np.int64] | None = None,
    chosen: NDArray[np.uint32] | None = None,
    labels: tuple[str, ...] = (),
) -> Panel:
    """These outcomes as a panel, models in the order given."""
    models, items = outcomes.shape
    clusters = () if cluster is None else tuple(f"subject {place}" for place in range(int(cluster.max()) + 1))
    return Panel(
        source_id="items",
        benchmark_id="exam",
        condition="as reported",
        models=tuple(f"model-{place:02d}" for place in range(models)),
        snapshots=(),
        outcomes=np.asarray(outcomes, dtype=np.float64),
        answered=np.ones(outcomes.shape, dtype=np.bool_) if answered is None else answered,
        items=tuple(f"item-{place:04d}" for place in range(items)),
        clusters=clusters,
        cluster=cluster,
        chosen=chosen,
        labels=labels or ("",) * items,
    )


def items_of(slopes: NDArray[np.float64], intercepts: NDArray[np.float64], floor: float) -> Items:
    """Items whose slopes and intercepts are known."""
    grid = np.stack([slopes, intercepts], axis=1)
    return Items(grid, np.eye(slopes.size), np.zeros(0), floor, 0.0)


def drawn(models: int, items: int, seed: int, *, floor: float = 0.1, slopes: float = 0.4) -> tuple[Items, Panel]:
    """Items of the two-parameter model and a panel that answers them, best first; `slopes` is how much these differ.

    The strengths of the panel's models are among the items.
    """
    rng = np.random.default_rng(seed)
    of_items = items_of(np.abs(rng.normal(1.2, slopes, items)), rng.normal(-0.5, 1.5, items), floor)
    strengths = rng.standard_normal(models)
    outcomes = (rng.random((models, items)) < of_items.chances(strengths)).astype(np.float64)
    order = np.argsort(-outcomes.mean(axis=1), kind="stable")
    return replace(of_items, strengths=strengths[order]), panel_of(outcomes[order])


def with_wrong_keys(panel: Panel, wrong: NDArray[np.bool_], rng: np.random.Generator) -> Panel:
    """The panel with options: 1 is the true answer; on `wrong` items option 2 is the key, and the label says so.

    Who does not know the answer takes any of the others.
    """
    others = rng.integers(2, OPTIONS + 1, panel.outcomes.shape)
    chosen = np.where(panel.solved, 1, others).astype(np.uint32)
    key = np.where(wrong, 2, 1)
    labels = tuple("wrong_groundtruth" if one else "ok" for one in wrong)
    outcomes = (chosen == key).astype(np.float64)
    return replace(panel, outcomes=outcomes, chosen=chosen, labels=labels)
