"""How many benchmarks are at which stage: the bars and the sentence on top of the overview."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.tables import STAGES
from dashboard.components.text import count, day, listed
from dashboard.figures.base import laid_out, numbers
from dashboard.theme import STAGE_COLOUR, STAGE_MEANING, stage_label

ORDER = ("discriminating", "compressing", "saturated", "emerging", "unknown")
_VERB = {
    "discriminating": ("still discriminates", "still discriminate"),
    "compressing": ("is compressing", "are compressing"),
    "saturated": ("is saturated", "are saturated"),
    "emerging": ("is emerging", "are emerging"),
}
assert set(ORDER) == set(STAGES)


def stage_counts(benchmarks: pl.DataFrame) -> pl.DataFrame:
    """Rows in a frame with `stage`, counted: stage, benchmarks, meaning; every stage once, the liveliest first."""
    counted = dict(benchmarks.group_by("stage").len().iter_rows())
    return pl.DataFrame(
        {
            "stage": list(ORDER),
            "benchmarks": [counted.get(stage, 0) for stage in ORDER],
            "meaning": [STAGE_MEANING[stage] for stage in ORDER],
        },
        schema={"stage": pl.String, "benchmarks": pl.Int64, "meaning": pl.String},
    )


def finding(counts: pl.DataFrame, as_of: date | None) -> str:
    """The sentence: of the benchmarks with evidence, how many are at which stage, and how many are unknown."""
    number = dict(counts.select("stage", "benchmarks").iter_rows())
    with_evidence = sum(number[stage] for stage in _VERB)
    unknown = number["unknown"]
    if not with_evidence:
        return f"No benchmark here has enough evidence for a verdict; {unknown:,} unknown, as of {day(as_of)}"
    said = [f"{number[stage]:,} {_VERB[stage][number[stage] != 1]}" for stage in _VERB if number[stage]]
    return (
        f"Of {count(with_evidence, 'benchmark')} with evidence, {listed(said)}; "
        f"{unknown:,} more unknown, as of {day(as_of)}"
    )


def alt_text(counts: pl.DataFrame) -> str:
    """What the bars show, in words."""
    said = [f"{stage} {number:,} ({meaning})" for stage, number, meaning in counts.iter_rows()]
    return f"Bars of the number of benchmarks at each stage: {listed(said)}."


def figure(counts: pl.DataFrame) -> go.Figure:
    """One bar a stage, told by word, shape and colour, with its number at the end."""
    stages = counts["stage"].to_list()
    bar = go.Bar(
        y=[stage_label(stage) for stage in stages],
        x=numbers(counts["benchmarks"]),
        orientation="h",
        marker={"color": [STAGE_COLOUR[stage] for stage in stages]},
        text=[f"{number:,}" for number in counts["benchmarks"]],
        textposition="outside",
        cliponaxis=False,
        customdata=counts["meaning"].to_list(),
        hovertemplate="%{y}: %{x}<br>%{customdata}<extra></extra>",
    )
    drawn = laid_out(go.Figure(bar), height=200, bargap=0.25, showlegend=False)
    drawn.update_yaxes(autorange="reversed", ticksuffix="  ")
    drawn.update_xaxes(visible=False, rangemode="tozero")
    drawn.update_layout(margin={"r": 48, "t": 4})
    return drawn
