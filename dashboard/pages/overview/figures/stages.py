"""How many benchmarks are at which stage, and how many of those nobody reports: the top of the overview."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.record.tables import STAGES
from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import GREY, STAGE_COLOUR
from dashboard.words.stages import STAGE_MEANING, stage_label
from dashboard.words.text import count, day, listed

ORDER = ("discriminating", "compressing", "saturated", "emerging", "unknown")
SILENT = ("dormant", "stale")
"""Flags of a benchmark that nobody reports any more, or of which we do not know whether anybody does."""
_VERB = {
    "discriminating": ("discriminates", "discriminate"),
    "compressing": ("is compressing", "are compressing"),
    "saturated": ("is saturated", "are saturated"),
    "emerging": ("is emerging", "are emerging"),
}
_ON_COLOUR = "#1B1F24"
assert set(ORDER) == set(STAGES)


def silent() -> pl.Expr:
    """Whether a benchmark has one of the SILENT flags."""
    return pl.col("flags").list.set_intersection(list(SILENT)).list.len() > 0


def alive(benchmarks: pl.DataFrame) -> pl.DataFrame:
    """The rows that are still measuring something: discriminating, and neither dormant nor stale."""
    return benchmarks.filter((pl.col("stage") == "discriminating") & ~silent())


def stage_counts(benchmarks: pl.DataFrame) -> pl.DataFrame:
    """Rows in a frame with `stage` and `flags`, counted, every stage once, the liveliest first.

    Columns: stage, benchmarks, `dormant_or_stale` among them, meaning.
    """
    found = benchmarks.group_by("stage").agg(number=pl.len(), quiet=silent().sum())
    counted = {stage: (number, quiet) for stage, number, quiet in found.select("stage", "number", "quiet").iter_rows()}
    rows = [(stage, *counted.get(stage, (0, 0)), STAGE_MEANING[stage]) for stage in ORDER]
    schema = {"stage": pl.String, "benchmarks": pl.Int64, "dormant_or_stale": pl.Int64, "meaning": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


def finding(counts: pl.DataFrame, as_of: date | None) -> str:
    """The sentence: of the benchmarks with evidence, how many are alive, and what is the matter with the others."""
    number = dict(counts.select("stage", "benchmarks").iter_rows())
    with_evidence = sum(number[stage] for stage in _VERB)
    unknown = number["unknown"]
    if not with_evidence:
        return f"No benchmark here has enough evidence for a verdict; {unknown:,} unknown, as of {day(as_of)}"
    quiet = dict(counts.select("stage", "dormant_or_stale").iter_rows())["discriminating"]
    living = number["discriminating"] - quiet
    others = [f"{number[stage]:,} {_VERB[stage][number[stage] != 1]}" for stage in _VERB if number[stage]]
    if number["discriminating"]:
        others = others[1:]
    if quiet:
        verb = _VERB["discriminating"][quiet != 1]
        others.insert(0, f"{quiet:,} {verb} but {'is' if quiet == 1 else 'are'} dormant or stale")
    if unknown:
        others.append(f"{unknown:,} {'is' if unknown == 1 else 'are'} unknown")
    rest = f"; {listed(others)}" if others else ""
    of = count(with_evidence, "benchmark")
    verb = "is" if living == 1 else "are"
    return f"{living or 'None'} of {of} with evidence {verb} alive{rest}, as of {day(as_of)}"


def alt_text(counts: pl.DataFrame) -> str:
    """What the bars show, in words."""
    said = [
        f"{stage} {number:,}{f', {quiet:,} of them dormant or stale' if quiet else ''} ({meaning})"
        for stage, number, quiet, meaning in counts.iter_rows()
    ]
    return f"Bars of the number of benchmarks at each stage, hatched where dormant or stale: {listed(said)}."


def figure(counts: pl.DataFrame) -> go.Figure:
    """One bar a stage, given by word, shape and colour; hatched is what nobody reports, the total stands at the end."""
    drawn = go.Figure([_bar(counts, quiet=False), _bar(counts, quiet=True), _key()])
    laid_out(drawn, height=240, bargap=0.25, barmode="stack", showlegend=True)
    drawn.update_yaxes(autorange="reversed", ticksuffix="  ")
    drawn.update_xaxes(visible=False, rangemode="tozero")
    drawn.update_layout(margin={"r": 48, "t": 4}, legend={"y": -0.04, "traceorder": "normal"})
    return drawn


def _bar(counts: pl.DataFrame, *, quiet: bool) -> go.Bar:
    stages = counts["stage"].to_list()
    colours = [STAGE_COLOUR[stage] for stage in stages]
    silent_ones = counts["dormant_or_stale"]
    shown = silent_ones if quiet else counts["benchmarks"] - silent_ones
    totals = [f"{number:,}" for number in counts["benchmarks"]]
    inside = [f"{number:,}" if number and less else "" for number, less in zip(shown, silent_ones, strict=True)]
    hatched = {"shape": "/", "size": 7, "solidity": 0.35, "fgcolor": colours, "bgcolor": "rgba(0,0,0,0)"}
    plain = {"color": colours, "line": {"color": colours, "width": 1}}
    return go.Bar(
        y=[stage_label(stage) for stage in stages],
        x=numbers(shown),
        orientation="h",
        marker={**plain, "pattern": {**hatched, "fillmode": "replace"}} if quiet else plain,
        text=totals if quiet else inside,
        textposition="outside" if quiet else "inside",
        insidetextanchor="middle",
        textangle=0,
        **({} if quiet else {"insidetextfont": {"color": _ON_COLOUR}}),
        cliponaxis=False,
        showlegend=False,
        customdata=counts["meaning"].to_list(),
        hovertemplate=f"%{{y}}, {'dormant or stale' if quiet else 'others'}: %{{x}}<br>%{{customdata}}<extra></extra>",
    )


def _key() -> go.Bar:
    """What hatching means, in grey, as it holds for every colour."""
    hatched = {"shape": "/", "size": 7, "solidity": 0.35, "fillmode": "replace", "bgcolor": "rgba(0,0,0,0)"}
    look = {"color": GREY, "line": {"color": GREY, "width": 1}, "pattern": {**hatched, "fgcolor": GREY}}
    return go.Bar(x=[None], y=[None], name="dormant or stale", marker=look)
