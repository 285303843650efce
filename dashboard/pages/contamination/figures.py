"""The ladder of contamination evidence: how many benchmarks stand where, one ladder, and how the tests fare."""

from collections.abc import Mapping
from datetime import date

import plotly.graph_objects as go
import polars as pl

from analytics.contamination.findings import FLAGGED_AT, LEVELS
from analytics.contamination.overall import KEY as OVERALL
from analytics.contamination.table import RUNGS
from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREEN, GREY, ORANGE, PURPLE, SKY
from dashboard.words.known import known, known_at_latest
from dashboard.words.text import count, listed, plotly, shorten

LEVEL_COLOUR: Mapping[str, str] = dict(zip(LEVELS, (GREY, SKY, ORANGE, PURPLE), strict=True))
"""No red: a level is how much speaks for exposure of the items, not an alarm about anybody."""
PALE, INK = "#A9AFB6", "#1B1F24"
"""What is unknown, and the ink on bars: readable on a light and on a dark page."""
FAINT: Mapping[str, str] = dict(zip(LEVELS, (PALE, "#CBE7F8", "#F6DFB0", "#EBD3E2"), strict=True))
"""Exposure, which alone is no evidence."""
LEVEL_SHAPE: Mapping[str, str] = dict(zip(LEVELS, ("○", "▽", "◆", "▲"), strict=True))
_SYMBOL = dict(zip(LEVELS, ("circle-open", "triangle-down", "diamond", "triangle-up"), strict=True))
SHORT: Mapping[str, str] = {
    OVERALL: "Overall",
    "exposure": "1 Could be seen",
    "report": "2 Reports",
    "cutoff_break": "3 Break in time",
    "declared_training": "4 Declared",
    "twin": "5 Twin",
    "anomaly": "6 Anomaly",
}
_WAYS: Mapping[str, tuple[str, str]] = {
    "placebo day": (GREEN, "square"),
    "unseen benchmark": (BLUE, "circle"),
    "formula": (ORANGE, "diamond"),
}
MOST_MODELS = 40
"""Models drawn at most: those furthest above expectation; all are in the table."""
EXPOSURE = RUNGS[0].key


def level_label(level: str) -> str:
    """The level's shape and word, as charts and lists print it."""
    return f"{LEVEL_SHAPE[level]} {level}"


def finding(counts: pl.DataFrame, until: date | None) -> str:
    """The sentence: for how many benchmarks evidence raises the risk, and of how many nothing is known."""
    number = dict(counts.filter(pl.col("rung") == OVERALL).select("level", "benchmarks").iter_rows())
    every, raised = sum(number.values()), number["high"] + number["moderate"]
    if not every:
        return "No curated benchmark has been looked at"
    return (
        f"Evidence raises the risk for {raised:,} of {count(every, 'benchmark')} ({number['high']:,} strongly); "
        f"for {number['unknown']:,} too little is known{known_at_latest(until)}"
    )


def alt_text(counts: pl.DataFrame) -> str:
    """What the bars show, in words."""
    said = []
    for title, rows in counts.group_by("title", maintain_order=True):
        number = dict(rows.select("level", "benchmarks").iter_rows())
        said.append(f"{title[0]}: " + ", ".join(f"{number[level]:,} {level}" for level in reversed(LEVELS)))
    return f"Stacked bars of benchmarks by level of evidence, overall and for each rung. {'; '.join(said)}."


def figure(counts: pl.DataFrame) -> go.Figure:
    """A bar for each rung, parted by level, its number in each part that has room for it."""
    drawn = go.Figure()
    least = max(1, counts["benchmarks"].sum() // len(SHORT) // 33)
    for level in reversed(LEVELS):
        rows = counts.filter(pl.col("level") == level)
        drawn.add_trace(
            go.Bar(
                y=[SHORT[rung] for rung in rows["rung"]],
                x=numbers(rows["benchmarks"]),
                orientation="h",
                name=level_label(level),
                marker={"color": [_bar_colour(rung, level) for rung in rows["rung"]]},
                text=[f"{number:,}" if number >= least else "" for number in rows["benchmarks"]],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                insidetextfont={"color": INK},
                constraintext="none",
                customdata=[(plotly(title), level) for title in rows["title"]],
                hovertemplate="%{customdata[0]}<br>%{customdata[1]}: %{x} benchmarks<extra></extra>",
            )
        )
    laid_out(drawn, height=340, barmode="stack", bargap=0.25)
    drawn.update_yaxes(autorange="reversed", ticksuffix="  ")
    drawn.update_xaxes(title="Benchmarks", rangemode="tozero")
    drawn.update_layout(legend={"y": -0.24, "traceorder": "normal"})
    return drawn


def _bar_colour(rung: str, level: str) -> str:
    if rung == EXPOSURE or level == "unknown":
        return FAINT[level]
    return LEVEL_COLOUR[level]


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
        subject, verb = f"The score of {shorten(model, 40)} on {name}", "carries"
    if level == "unknown":
        return f"{subject}: too little is known to raise or lower the risk of contamination"
    if level == "low":
        return f"{subject} {verb} a low risk of contamination, on the evidence there is"
    reasons = listed([title.lower() for title in raised["title"].to_list()])
    return f"{subject} {verb} a {level} risk of contamination, by {reasons}"


def ladder_alt(rows: pl.DataFrame) -> str:
    """Every rung with its level, in words."""
    said = [f"{title} ({who}): {level}" for title, who, level in rows.select("title", "who", "level").iter_rows()]
    return f"A point for each rung of the ladder at its level, unknown to high. {'; '.join(said)}."


def ladder_figure(rows: pl.DataFrame) -> go.Figure:
    """A point for each rung at its level; the pair's, where there is one, open and next to the benchmark's."""
    drawn = go.Figure()
    order = [key for key in SHORT if key in set(rows["rung"])]
    alone = rows["who"].n_unique() == 1
    for who, shift, size in (("benchmark", 0.0 if alone else -0.17, 17), ("model", 0.17, 12)):
        part = rows.filter(pl.col("who") == who)
        if part.is_empty():
            continue
        levels = part["level"].to_list()
        drawn.add_trace(
            go.Scatter(
                x=[LEVELS.index(level) for level in levels],
                y=[order.index(rung) + shift for rung in part["rung"]],
                mode="markers+text",
                name="the benchmark" if who == "benchmark" else "the model on it",
                text=[level if alone else f"{level} ({who})" for level in levels],
                textposition=["middle left" if level == "high" else "middle right" for level in levels],
                marker={
                    "symbol": [_SYMBOL[level] for level in levels],
                    "color": [LEVEL_COLOUR[level] for level in levels],
                    "size": size,
                    "opacity": [0.5 if rung == EXPOSURE else 1.0 for rung in part["rung"]],
                },
                customdata=[(plotly(title), plotly(reason, 140)) for title, reason in part["title", "reason"].rows()],
                hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
            )
        )
    laid_out(drawn, height=120 + 42 * len(order), showlegend=False)
    drawn.update_xaxes(
        tickvals=list(range(len(LEVELS))), ticktext=list(LEVELS), range=[-0.3, 3.3], zeroline=False, side="top"
    )
    drawn.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=[SHORT[key] for key in order],
        range=[len(order) - 0.5, -0.5],
        zeroline=False,
    )
    return drawn


def excess_finding(title: str, rows: pl.DataFrame, until: date | None) -> str:
    """How many models score higher than the test expects, of how many tested."""
    counted = rows.filter(~pl.col("is_extrapolated"))
    flagged = counted.filter(pl.col("q_value") <= FLAGGED_AT).height
    beyond = rows.height - counted.height
    more = f"; {beyond} more lie where nothing compares" if beyond else ""
    verb = "scores" if flagged == 1 else "score"
    return (
        f"{title}: {flagged} of {count(counted.height, 'tested model')} {verb} higher than expected, by more than "
        f"{FLAGGED_AT:.0%} false discoveries allow{more}{known(until)}"
    )


def excess_alt(rows: pl.DataFrame) -> str:
    """What the points show, in words."""
    top = [f"{name} {value:+.1f} points" for name, value in rows["model", "value"].head(5).rows()]
    cut = f" The {MOST_MODELS} highest of {rows.height:,} are drawn." if rows.height > MOST_MODELS else ""
    return (
        "A point for each model at how many points higher it scores than expected, with its 95% interval; "
        f"extrapolations are open. Highest: {listed(top)}.{cut}"
    )


def excess_figure(rows: pl.DataFrame) -> go.Figure:
    """Points with intervals, the highest on top: filled purple where flagged, blue where not, open if extrapolated."""
    placed = rows.head(MOST_MODELS).with_row_index("place")
    drawn = go.Figure()
    flagged = (pl.col("q_value") <= FLAGGED_AT).fill_null(value=False)
    for name, colour, symbol, chosen in (
        ("higher than expected", PURPLE, "triangle-up", flagged),
        ("within error", BLUE, "circle", ~flagged & ~pl.col("is_extrapolated")),
        ("extrapolated, not counted", GREY, "circle-open", pl.col("is_extrapolated")),
    ):
        part = placed.filter(chosen)
        if part.is_empty():
            continue
        drawn.add_trace(
            go.Scatter(
                x=numbers(part["value"]),
                y=numbers(part["place"]),
                name=name,
                mode="markers",
                marker={"symbol": symbol, "size": 9, "color": colour},
                error_x={
                    "type": "data",
                    "symmetric": False,
                    "array": numbers(part["high"] - part["value"]),
                    "arrayminus": numbers(part["value"] - part["low"]),
                    "thickness": 1.2,
                    "width": 0,
                },
                customdata=[(plotly(model), plotly(said, 150)) for model, said in part["model", "reason"].rows()],
                hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
            )
        )
    drawn.add_vline(x=0, line={"color": GREY, "dash": "dash", "width": 1.5})
    laid_out(drawn, height=150 + 21 * placed.height)
    drawn.update_layout(legend={"y": 1.0, "yanchor": "bottom"}, margin={"t": 40})
    drawn.update_xaxes(title="Points above expectation", zeroline=False)
    drawn.update_yaxes(
        tickvals=numbers(placed["place"]),
        ticktext=[plotly(name, 26) for name in placed["model"]],
        range=[placed.height - 0.4, -0.6],
        zeroline=False,
        tickfont={"size": 11},
    )
    return drawn


def calibration_finding(rows: pl.DataFrame, until: date | None) -> str:
    """How often the tests err where nothing leaked, and how often they see a tenth and three tenths of the items."""
    measured = rows.filter((pl.col("truth") != "documented") & (pl.col("truth") != "formula"))
    clean = measured.filter(pl.col("leak") == 0)
    shares, tests = clean["flagged"], count(int(clean["n"].sum()), "test")
    if shares.is_empty():
        return "No test could be held against a known truth in this generation"
    low, high = float(shares.min()), float(shares.max())  # type: ignore[arg-type]
    span = f"{low:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"
    seen = [
        f"{share:.0%} of leaks of {leak:.0%}"
        for leak in (0.1, 0.3)
        for share in [measured.filter(pl.col("leak") == leak)["flagged"].mean()]
        if isinstance(share, float)
    ]
    return (
        f"Where nothing leaked, {span} of {tests} raise a false alarm (5% is stated); they see {listed(seen)} that "
        f"were put in{known_at_latest(until)}"
    )


def calibration_alt(rows: pl.DataFrame) -> str:
    """What the lines show, in words."""
    lines = rows.filter(pl.col("truth") != "documented").group_by("title", "truth", maintain_order=True)
    said = [
        f"{title} ({truth}): "
        + ", ".join(f"{flagged:.0%} at {leak:.0%}" for leak, flagged in part["leak", "flagged"].rows())
        for (title, truth), part in lines
    ]
    return f"Share of models with p at most 5% by the share of items put in as leaked. {'; '.join(said)}."


def calibration_figure(rows: pl.DataFrame) -> go.Figure:
    """A line for each test and truth, with 95% intervals; the dashed line is the stated rate of false alarms."""
    drawn = go.Figure()
    for (title, truth), part in rows.filter(pl.col("truth").is_in(list(_WAYS))).group_by(
        "title", "truth", maintain_order=True
    ):
        colour, symbol = _WAYS[str(truth)]
        share = 100 * part["flagged"]
        bars = part["low"].null_count() == 0
        drawn.add_trace(
            go.Scatter(
                x=numbers(100 * part["leak"]),
                y=numbers(share),
                mode="lines+markers",
                name=f"{plotly(str(title))} ({truth})",
                line={"color": colour, "dash": "solid" if bars else "dot"},
                marker={"symbol": symbol, "size": 9},
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": numbers(100 * part["high"] - share),
                    "arrayminus": numbers(share - 100 * part["low"]),
                    "visible": bars,
                },
                hovertemplate="%{y:.1f}% flagged where %{x}% of the items leaked<extra></extra>",
            )
        )
    drawn.add_hline(y=100 * FLAGGED_AT, line={"color": GREY, "dash": "dash", "width": 1.5})
    laid_out(drawn, height=360)
    drawn.update_xaxes(title="Share of items put in as leaked, %", ticksuffix="%", title_standoff=4)
    drawn.update_yaxes(title="Models pointed at, %", range=[0, 102], ticksuffix="%")
    drawn.update_layout(legend={"y": -0.28})
    return drawn
