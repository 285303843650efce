"""The ladder of contamination evidence: how many benchmarks stand where, and one benchmark's ladder."""

from collections.abc import Mapping
from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.contamination.findings import LEVELS
from benchhealth.analytics.contamination.table import KEY as OVERALL
from benchhealth.analytics.contamination.table import RUNGS
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.language import LABEL, hovering, laid_out
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.known import known_at_latest
from benchhealth.dashboard.words.text import count, listed, model_within, plotly

LEVEL_SHAPE: Mapping[str, str] = dict(zip(LEVELS, ("·", "○", "▲", "■"), strict=True))
"""The shapes of the matrix: a dot for what is not known, filled from a hint on."""

_SYMBOL = dict(zip(LEVELS, ("circle-open", "circle-open", "triangle-up", "square"), strict=True))
_STAGE = dict(zip(LEVELS, ("unknown", "discriminating", "compressing", "saturated"), strict=True))
SHORT: Mapping[str, str] = {
    OVERALL: "Overall",
    "exposure": "1 Could be seen",
    "report": "2 Reports",
    "cutoff_break": "3 Break in time",
    "declared_training": "4 Declared",
    "twin": "5 Twin",
    "anomaly": "6 Anomaly",
}
EXPOSURE = RUNGS[0].key


def level_label(level: str) -> str:
    """The level's shape and word, as charts and lists print it."""
    return f"{LEVEL_SHAPE[level]} {level}"


def finding(counts: pl.DataFrame, until: date | None) -> str:
    """The sentence: for how many benchmarks evidence raises the risk, and of how many nothing is known."""
    number = dict(counts.filter(pl.col("rung") == OVERALL).select("level", "benchmarks").iter_rows())
    every, raised = sum(number.values()), number["high"] + number["moderate"]
    if not every:
        return "No curated benchmark has been tested"
    return (
        f"Evidence raises the risk for {raised:,} of {count(every, 'benchmark')} ({number['high']:,} strongly); "
        f"for {number['unknown']:,} too little is known{known_at_latest(until)}"
    )


def levels(counts: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """A bar for each rung, parted by level, its number in each part that has room for it."""
    number = dict(counts.filter(pl.col("rung") == OVERALL).select("level", "benchmarks").iter_rows())
    total = sum(number.values())
    if not total:
        return Nothing("No benchmark has been tested here.", "No curated benchmark is on record.")
    rung_texts = []
    for (name,), rows in counts.group_by("title", maintain_order=True):
        parts = dict(rows.select("level", "benchmarks").iter_rows())
        rung_texts.append(f"{name}: " + ", ".join(f"{parts[level]:,} {level}" for level in reversed(LEVELS)))
    return Chart(
        title=f"Evidence raises the risk for {number['high'] + number['moderate']:,} of {count(total, 'benchmark')}",
        subtitle=(
            f"{finding(counts, until)}. Bars: {', '.join(level_label(level) for level in reversed(LEVELS))}. *Could be "
            "seen* makes contamination possible, is no sign of it, and never raises the overall level."
        ).replace("*", ""),
        figure=_bars(counts, palette),
        rows=counts,
        alt=f"Stacked bars of benchmarks by level of evidence, overall and for each rung. {'; '.join(rung_texts)}.",
        known_until=until,
    )


def _bars(counts: pl.DataFrame, palette: Palette) -> go.Figure:
    figure = go.Figure()
    least = max(1, counts["benchmarks"].sum() // len(SHORT) // 18)
    for level in reversed(LEVELS):
        rows = counts.filter(pl.col("level") == level)
        colour = palette.stages[_STAGE[level]].mark
        figure.add_bar(
            y=[SHORT[rung] for rung in rows["rung"]],
            x=numbers(rows["benchmarks"]),
            orientation="h",
            name=level_label(level),
            marker={
                "color": [palette.faint(colour, 0.18 if rung == EXPOSURE else 0.45) for rung in rows["rung"]],
                "line": {"color": palette.paper, "width": 1},
            },
            text=[f"{LEVEL_SHAPE[level]} {number:,}" if number >= least else "" for number in rows["benchmarks"]],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            insidetextfont={"color": palette.ink},
            constraintext="none",
            customdata=[(plotly(title), level) for title in rows["title"]],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}: %{x} benchmarks<extra></extra>",
        )
    laid_out(figure, palette, 300, barmode="stack", bargap=0.25)
    figure.update_yaxes(autorange="reversed", ticksuffix="  ", showgrid=False, tickfont={"color": palette.ink})
    return figure


def ladder_finding(name: str, rows: pl.DataFrame, model: str | None) -> str:
    """The sentence over one ladder: the overall level and the rungs that raise it."""
    who = "benchmark" if model is None else "model"
    part = rows.filter(pl.col("who") == who)
    level = part.filter(pl.col("rung") == OVERALL)["level"].item(0) if OVERALL in part["rung"] else "unknown"
    raised = part.filter(pl.col("level").is_in(["moderate", "high"]) & ~pl.col("rung").is_in([OVERALL, EXPOSURE]))
    # Of the score, not of who made the model: a level says nothing about what anybody did.
    if model is None:
        subject, verb = f"Scores on {name}", "carry"
    else:
        subject, verb = f"The score of {model_within(model, 40)} on {name}", "carries"
    if level == "unknown":
        return f"{subject}: too little is known to raise or lower the risk of contamination"
    if level == "low":
        return f"{subject} {verb} a low risk of contamination, on the evidence there is"
    reasons = listed([title.lower() for title in raised["title"].to_list()])
    return f"{subject} {verb} a {level} risk of contamination, by {reasons}"


def ladder(name: str, rows: pl.DataFrame, model: str | None, until: date | None, palette: Palette) -> Chart | Nothing:
    """A point for each rung at its level; the pair's, where there is one, open and next to the benchmark's."""
    rung_texts = [f"{title} ({who}): {level}" for title, who, level in rows.select("title", "who", "level").iter_rows()]
    beside = " Larger: the benchmark; smaller: the model on it." if model else ""
    return Chart(
        title=ladder_finding(name, rows, model),
        subtitle=f"Each kind of evidence at its level; the first alone is no evidence.{beside} "
        f"{len(RUNGS)} rungs{known_at_latest(until)}.",
        figure=_steps(rows, palette),
        rows=rows,
        alt=f"A point for each rung of the ladder at its level, unknown to high. {'; '.join(rung_texts)}.",
        known_until=until,
    )


def _steps(rows: pl.DataFrame, palette: Palette) -> go.Figure:
    figure = go.Figure()
    order = [key for key in SHORT if key in set(rows["rung"])]
    alone = rows["who"].n_unique() == 1
    for who, shift, size in (("benchmark", 0.0 if alone else -0.17, 14), ("model", 0.17, 10)):
        part = rows.filter(pl.col("who") == who)
        if part.is_empty():
            continue
        part_levels = part["level"].to_list()
        colours = [palette.stages[_STAGE[level]].mark for level in part_levels]
        figure.add_scatter(
            x=[LEVELS.index(level) for level in part_levels],
            y=[order.index(rung) + shift for rung in part["rung"]],
            mode="markers+text",
            name="the benchmark" if who == "benchmark" else "the model on it",
            text=[level if alone else f"{level} ({who})" for level in part_levels],
            textposition=["middle left" if level == "high" else "middle right" for level in part_levels],
            textfont={"color": palette.ink2, "size": LABEL},
            marker={
                "symbol": [_SYMBOL[level] for level in part_levels],
                "color": colours,
                "size": size,
                "opacity": [0.5 if rung == EXPOSURE else 1.0 for rung in part["rung"]],
            },
            **hovering(
                f"<b>{plotly(title)}</b><br>{plotly(reason or '', 140)}"
                for title, reason in part["title", "reason"].rows()
            ),
        )
    laid_out(figure, palette, 60 + 36 * len(order))
    figure.update_xaxes(
        tickvals=list(range(len(LEVELS))), ticktext=list(LEVELS), range=[-0.3, 3.3], side="top", showgrid=True
    )
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[SHORT[key] for key in order],
        range=[len(order) - 0.5, -0.5],
        tickfont={"color": palette.ink},
    )
    return figure
