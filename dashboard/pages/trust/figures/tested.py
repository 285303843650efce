"""Charts of the tests of single models for contamination: by benchmark, by model, and how often the tests err.

How often they err is measured where the truth is known, for instance because answers were put into scores as leaked.
"""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.contamination.findings import FLAGGED_AT
from benchhealth.analytics.statistics.summaries.ends import extent
from benchhealth.dashboard.figures.base import numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing
from benchhealth.dashboard.figures.forest import MARK, NAME_LIMIT, ROW_PIXELS, Mark, error_bars, forest
from benchhealth.dashboard.figures.language import LABEL, Drawing, laid_out, line_labels, reference
from benchhealth.dashboard.figures.lettering.names import told_apart
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.numbers import signed
from benchhealth.dashboard.words.text import (
    count,
    count_clause,
    known,
    known_at_latest,
    listed,
    model_within,
    plotly,
    short,
    shorten,
)

MOST_MODELS = 40
"""Rows drawn at most: those furthest above expectation; all are in the table."""

_MARKS = {
    "placebo day": ("square", "solid"),
    "unseen benchmark": ("circle", "solid"),
    "formula": ("diamond", "dot"),
}
"""The symbol and the dash of a line by how the truth of a test is known."""

_AXIS = "Points above what is expected"


def excess_finding(title: str, rows: pl.DataFrame, until: date | None) -> str:
    """How many models score higher than the test expects, of how many tested."""
    counted = rows.filter(~pl.col("is_extrapolated"))
    flagged = counted.filter(pl.col("q_value") <= FLAGGED_AT).height
    n_extrapolated = rows.height - counted.height
    more_text = f"; {n_extrapolated} more lie where nothing compares" if n_extrapolated else ""
    verb = "scores" if flagged == 1 else "score"
    return (
        f"{title}: {flagged} of {count(counted.height, 'tested model')} {verb} higher than expected, by more than "
        f"{FLAGGED_AT:.0%} false discoveries allow{more_text}{known(until)}"
    )


def excess(title: str, name: str, rows: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """A row for each model of one benchmark, the highest on top."""
    if rows.is_empty():
        return Nothing(
            "No model on it was tested.", "It takes models of which something else lets a score be expected."
        )
    drawn = rows.head(MOST_MODELS)
    counted = rows.filter(~pl.col("is_extrapolated"))
    flagged = counted.filter(pl.col("q_value") <= FLAGGED_AT).height
    cut = f" The {MOST_MODELS} highest of {rows.height:,}." if rows.height > MOST_MODELS else ""
    top = [f"{name} {signed(value)} points" for name, value in rows["model", "value"].head(5).rows()]
    verb = "scores" if flagged == 1 else "score"
    scored = f"{flagged} of {count(counted.height, 'model')} {verb} higher"
    return Chart(
        title=f"{scored} on {shorten(short(name), 26)} than expected",
        subtitle=(
            f"{excess_finding(title, rows, until)}. Points above what is expected with 95% intervals; blue: "
            f"higher than expected, grey: within error, open: extrapolated and not counted.{cut}"
        ),
        figure=_points_figure(drawn.with_columns(name="model"), palette),
        rows=drawn,
        alt=f"A point for each model at how many points higher it scores than expected. Highest: {listed(top)}.",
        known_until=until,
    )


def of_model(model: str, rows: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """A row for each test of one model: benchmark and kind of test, the highest on top."""
    if rows.is_empty():
        return Nothing(
            "No test of this model.",
            "It takes results on a benchmark and on a fresh one of the same kind, or on enough others.",
        )
    drawn = rows.head(MOST_MODELS)
    counted = rows.filter(~pl.col("is_extrapolated"))
    flagged = counted.filter(pl.col("q_value") <= FLAGGED_AT)
    named = "" if flagged.is_empty() else f": {listed(list(dict.fromkeys(flagged['benchmark'])))}"
    found = count_clause(flagged.height, counted.height, "test", "beyond error")
    labelled = drawn.with_columns(name=pl.format("{}, {}", "benchmark", pl.col("title").str.to_lowercase()))
    return Chart(
        title=f"{model_within(model, 30)}: {found if counted.height else 'no test counts, as all extrapolate'}",
        subtitle=(
            f"Points above what is expected of it, by benchmark and kind of test, with 95% intervals{named}; blue: "
            f"beyond what 5% false discoveries over all models allow, open: extrapolated and not counted"
            f"{known_at_latest(until)}."
        ),
        figure=_points_figure(labelled, palette),
        rows=drawn,
        alt=f"A point for each test of {model} at how many points higher it scores than expected.",
        known_until=until,
    )


def _points_figure(rows: pl.DataFrame, palette: Palette) -> go.Figure:
    counted = ~pl.col("is_extrapolated")
    flagged = (pl.col("q_value") <= FLAGGED_AT).fill_null(value=False) & counted
    marked = rows.with_columns(
        higher=pl.when(flagged).then("value"),
        within=pl.when(counted & ~flagged).then("value"),
        outside=pl.when(~counted).then("value"),
    )
    marks = (
        Mark("higher than expected", "higher", symbol="square"),
        Mark("within error", "within", role="ink3"),
        Mark("extrapolated, not counted", "outside", symbol="circle-open", role="ink3"),
    )
    hovers = [
        f"<b>{plotly(name)}</b><br>{signed(value)} points<br>{plotly(reason or '', 120)}"
        for name, value, reason in rows.select("name", "value", "reason").iter_rows()
    ]
    pitch = ROW_PIXELS * (1.5 if max(map(len, marked["name"]), default=0) > NAME_LIMIT else 1)
    height = 58 + int(pitch * rows.height)
    figure = forest(marked, marks, hovers, palette, axis=_AXIS, reference=0.0, height=height)
    for trace in figure.data:  # each row has only one of the three marks, which share its line
        trace.y = [round(float(y)) for y in trace.y]
    return figure


def calibration_finding(rows: pl.DataFrame, until: date | None) -> str:
    """How often the tests err where nothing leaked, and how often they detect leaks of 10% and 30% of items."""
    measured = rows.filter((pl.col("truth") != "documented") & (pl.col("truth") != "formula"))
    clean = measured.filter(pl.col("leak") == 0)
    shares, tests = clean["flagged"], count(int(clean["n"].sum()), "test")
    if shares.is_empty():
        return "No test could be held against a known truth in this generation"
    low, high = extent(shares)
    span = f"{low:.0%}" if f"{low:.0%}" == f"{high:.0%}" else f"{low:.0%} to {high:.0%}"
    detected = [
        f"{share:.0%} of leaks of {leak:.0%}"
        for leak in (0.1, 0.3)
        for share in [measured.filter(pl.col("leak") == leak)["flagged"].mean()]
        if isinstance(share, float)
    ]
    return (
        f"Where nothing leaked, {span} of {tests} raise a false alarm (5% is stated); they see {listed(detected)} that "
        f"were put in{known_at_latest(until)}"
    )


def _false_alarms(rows: pl.DataFrame) -> str:
    clean = rows.filter((pl.col("leak") == 0) & ~pl.col("truth").is_in(["documented", "formula"]))
    if clean.is_empty():
        return "Whether the tests raise false alarms is not known"
    low, high = (f"{float(str(end)):.0%}" for end in (clean["flagged"].min(), clean["flagged"].max()))
    return f"Where nothing leaked, {low if low == high else f'{low} to {high}'} of tests raise a false alarm"


def calibration(rows: pl.DataFrame, until: date | None, palette: Palette) -> Chart | Nothing:
    """A line for each test and truth, with 95% intervals; the stated rate of false alarms is marked."""
    drawn = rows.filter(pl.col("truth").is_in(list(_MARKS)))
    if drawn.is_empty():
        return Nothing(
            "No test could be held against a known truth.",
            "It takes models on benchmarks that they cannot have seen, dated items, or a twin of new items.",
        )
    return Chart(
        title=_false_alarms(rows),
        subtitle=f"{calibration_finding(rows, until)}. Share of models pointed at, by the share of items put in.",
        figure=_lines_figure(drawn, palette),
        rows=drawn,
        alt="Share of models with p at most 5% by the share of items put in as leaked, a line for each test and truth.",
        known_until=until,
    )


def _lines_figure(rows: pl.DataFrame, palette: Palette) -> go.Figure:
    figure, ends = Drawing(), []
    titles = rows["title"].unique(maintain_order=True).to_list()
    names = dict(zip(titles, told_apart(titles, 18), strict=True))
    for index, ((title, truth), line) in enumerate(rows.group_by("title", "truth", maintain_order=True)):
        symbol, dash = _MARKS[str(truth)]
        colour = (palette.accent, palette.ink3, palette.stages["compressing"].mark, palette.ink2)[index % 4]
        errors = error_bars(line, Mark("flagged", "flagged"), colour, palette)
        figure.add_scatter(
            x=numbers(line["leak"]),
            y=numbers(line["flagged"]),
            mode="lines+markers",
            name=f"{plotly(str(title))} ({truth})",
            line={"color": colour, "dash": dash, "width": 2},
            marker={"symbol": symbol, "size": MARK, "color": colour},
            error_y={**errors, "visible": line["low"].null_count() == 0},
            hovertemplate=f"<b>{plotly(str(title))}</b>, {truth}<br>%{{y:.1%}} pointed at where %{{x:.0%}} leaked"
            "<extra></extra>",
        )
        name = f"{plotly(names[str(title)])}<br>{truth}"
        ends.append((float(line["leak"][-1]), float(line["flagged"][-1]), name, colour))
    laid_out(figure, palette, 340)
    figure.update_layout(margin={"r": 150})
    figure.update_xaxes(
        tickformat=".0%", title={"text": "share of items put in as leaked", "standoff": 4, "font": {"size": LABEL}}
    )
    figure.update_yaxes(tickformat=".0%", range=[0, 1.02])
    reference(figure, FLAGGED_AT, "", palette, dashed=True)
    line_labels(figure, ends, (0, 1.02), 300, palette, gap=31)
    return figure
