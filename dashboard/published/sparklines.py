"""The frontier of every benchmark as a small line for tables."""

from collections.abc import Mapping

import numpy as np
import polars as pl

WIDTH = 32


def sparklines(frontier: pl.DataFrame, benchmark: pl.DataFrame, width: int = WIDTH) -> pl.DataFrame:
    """Columns `benchmark_id` and `frontier` (list of f32): the running best at `width` equally spaced days.

    `frontier` and `benchmark` are the published tables. The line runs from a benchmark's first result to the day until
    which it is known; a benchmark with one day only has a flat line. Scores are shares of the way from chance (zero
    where it is unknown) to the ceiling; where there is no ceiling, of the way from the first to the last.
    """
    lines: Mapping[str, list[object]] = {"benchmark_id": [], "frontier": []}
    ends = {
        key: (floor or 0.0, ceiling)
        for key, floor, ceiling in benchmark.select("benchmark_id", "floor", "ceiling").iter_rows()
    }
    ordered = frontier.drop_nulls(["dated_on", "score"]).sort("benchmark_id", "dated_on", "carried")
    for (benchmark_id,), steps in ordered.group_by("benchmark_id", maintain_order=True):
        dated = steps["dated_on"].to_physical().to_numpy()
        days = np.linspace(dated[0], dated[-1], width)
        place = np.clip(np.searchsorted(dated, days, side="right") - 1, 0, None)
        scores = steps["score"].to_numpy()
        low, high = ends.get(str(benchmark_id), (0.0, None))
        if high is None:
            low, high = float(scores.min()), float(scores.max())
        shares = (scores[place] - low) / (high - low) if high != low else np.full(width, 0.5)
        lines["benchmark_id"].append(benchmark_id)
        lines["frontier"].append(np.clip(shares, 0.0, 1.0).astype(np.float32).tolist())
    return pl.DataFrame(lines, schema={"benchmark_id": pl.String, "frontier": pl.List(pl.Float32)})
