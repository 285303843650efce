"""The frontier of every benchmark as a small line for tables."""

from collections.abc import Mapping

import numpy as np
import polars as pl

WIDTH = 32


def sparklines(frontier: pl.DataFrame, width: int = WIDTH) -> pl.DataFrame:
    """Columns `benchmark_id` and `frontier` (list of f32): the running best at `width` equally spaced days.

    `frontier` is the published table; the line runs from a benchmark's first result to the day until which it is known.
    A benchmark with one day only has a flat line.
    """
    lines: Mapping[str, list[object]] = {"benchmark_id": [], "frontier": []}
    ordered = frontier.drop_nulls(["dated_on", "score"]).sort("benchmark_id", "dated_on", "carried")
    for (benchmark_id,), steps in ordered.group_by("benchmark_id", maintain_order=True):
        dated = steps["dated_on"].to_physical().to_numpy()
        at = np.linspace(dated[0], dated[-1], width)
        place = np.clip(np.searchsorted(dated, at, side="right") - 1, 0, None)
        lines["benchmark_id"].append(benchmark_id)
        lines["frontier"].append(steps["score"].to_numpy()[place].astype(np.float32).tolist())
    return pl.DataFrame(lines, schema={"benchmark_id": pl.String, "frontier": pl.List(pl.Float32)})
