"""Models of one's own against the lines of public models: what they are held against does not move with them."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from benchhealth.analytics.capability.cells import Cells
from benchhealth.analytics.contamination.anomaly.against_fresh import (
    FEWEST_TO_TEST,
    Board,
    points,
    rises,
    widened,
)
from benchhealth.analytics.contamination.anomaly.fresh import Numbers, Scale, capabilities
from benchhealth.analytics.contamination.anomaly.leave_out import against


def own_boards(scale: Scale, public: Sequence[Board], listed: pl.DataFrame, exposed: pl.DataFrame) -> list[Board]:
    """For each benchmark of `public` the models of one's own that two fresh benchmarks or more place.

    `listed` are their results (benchmark_id, model_id, score, error), `exposed` what `dates.exposures` says of them.
    """
    own = _placed_on(scale, listed, exposed)
    found = []
    for board in public:
        place = scale.cells.benchmark_ids.index(board.benchmark_id)
        placed = capabilities(own, own.without(scale.family[place]))
        rows = np.flatnonzero(
            (own.cells.benchmark == place) & (placed.count[own.cells.model] >= FEWEST_TO_TEST) & own.is_exposed
        )
        tested = against(board.line, points(own, place, rows, placed))
        if tested is None:
            continue
        found.append(
            replace(
                board,
                model_ids=[own.cells.model_ids[at] for at in own.cells.model[rows]],
                rise=rises(own, place, rows),
                is_exposed=own.is_exposed[rows],
                is_fresh=own.is_fresh[rows],
                left_out=widened(tested, *board.tail),
                others=board.line.x.size,
            )
        )
    return found


def _placed_on(scale: Scale, listed: pl.DataFrame, exposed: pl.DataFrame) -> Scale:
    """The results as cells on the curves of the public scale, with the misfit that public models show there."""
    places = {name: at for at, name in enumerate(scale.cells.benchmark_ids)}
    rows = listed.filter(pl.col("benchmark_id").is_in(list(places))).sort("benchmark_id", "model_id")
    model_ids = rows["model_id"].unique().sort()
    benchmark = np.array([places[name] for name in rows["benchmark_id"]], dtype=np.int64)
    error = rows["error"].fill_null(0.0).to_numpy()
    seen = {(b, m): flag for b, m, flag in exposed.select("benchmark_id", "model_id", "is_exposed").rows()}
    flags = [seen.get(pair) for pair in rows.select("benchmark_id", "model_id").rows()]
    cells = Cells(
        model_ids=tuple(model_ids),
        benchmark_ids=scale.cells.benchmark_ids,
        model=model_ids.search_sorted(rows["model_id"]).to_numpy().astype(np.int64),
        benchmark=benchmark,
        score=rows["score"].to_numpy(),
        error=error,
        floor=scale.cells.floor,
        span=scale.cells.span,
    )
    return Scale(
        cells=cells,
        difficulty=scale.difficulty,
        slope=scale.slope,
        variance=_misfit(scale)[benchmark] + error**2,
        is_fresh=np.array([flag is False for flag in flags], dtype=np.bool_),
        is_exposed=np.array([flag is True for flag in flags], dtype=np.bool_),
        family=scale.family,
    )


def _misfit(scale: Scale) -> Numbers:
    """By benchmark the variance of scores about its curve beside their known errors."""
    misfit = np.zeros(len(scale.cells.benchmark_ids))
    misfit[scale.cells.benchmark] = scale.variance - scale.cells.error**2
    return misfit
