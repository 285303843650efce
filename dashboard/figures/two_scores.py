"""The difference of two scores with its intervals, one row for each assumption about their errors."""

import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import PLAIN, forest
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.boards.difference import ScorePair, assumption, limits, lines, sentence, title
from benchhealth.dashboard.words.text import plotly


def rows_of(pair: ScorePair) -> pl.DataFrame:
    """One row for each assumption: benchmark_id, first, second, assumption, correlation, clusters, the second less the
    first (`value`) with `low` and `high`, `chance` and `items`, scores as fractions where they are shares."""
    shared = {"benchmark_id": pair.benchmark_id, "first": pair.first.value, "second": pair.second.value}
    return pl.DataFrame(
        [
            {
                **shared,
                "assumption": assumption(pair, interval),
                "correlation": interval.correlation,
                "clusters": interval.clusters,
                "value": pair.difference.value,
                "low": interval.low,
                "high": interval.high,
                "chance": None if pair.picked_of else interval.chance,
                "items": interval.items,
            }
            for interval in pair.difference.intervals
        ],
        schema_overrides={"chance": pl.Float64, "correlation": pl.Float64, "clusters": pl.Int64, "items": pl.Int64},
    )


def chart(pair: ScorePair, palette: Palette) -> Chart | Nothing:
    """The chart of what was asked; nothing where no interval is given, with the reason."""
    intervals = lines(pair)
    if not intervals:
        return Nothing(f"{title(pair)}.", sentence(pair))
    rows = rows_of(pair)
    scale = 100.0 if pair.is_share else 1.0
    drawn = rows.select(
        name=pl.col("assumption"),
        strong=(pl.col("low") > 0) | (pl.col("high") < 0),
        **{name: pl.col(name) * scale for name in ("value", "low", "high")},
    )
    hover = [f"<b>{plotly(name)}</b><br>{ends}" for name, ends in intervals]
    axis = "points, the second less the first" if pair.is_share else "the second less the first"
    return Chart(
        title=title(pair),
        subtitle=" ".join(phrase for phrase in (sentence(pair), limits(pair)) if phrase),
        figure=forest(drawn, [PLAIN], hover, palette, axis=axis, reference=0.0),
        rows=rows,
        alt=f"{title(pair)}: " + "; ".join(f"{name} {ends}" for name, ends in intervals),
        known_until=pair.known_until,
    )
