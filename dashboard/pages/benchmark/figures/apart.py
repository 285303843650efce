"""The curve of a benchmark with open and closed weights apart, and how much later the open ones reach a score."""

from collections.abc import Sequence
from datetime import date, timedelta

import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.saturation.weights import FEWEST_LEVELS
from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import OPENS_MODEL, Drawing, line_labels, on_hover, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts
from benchhealth.dashboard.pages.benchmark.figures.frame import (
    ON_PAGE,
    add_reference_lines,
    add_unseen_time,
    best_of_models,
    end_of_axis,
    set_axes,
    y_range,
)
from benchhealth.dashboard.words.numbers import day_of, month_of, months, score, stated_day
from benchhealth.dashboard.words.text import capital, count, plotly

Spans = Sequence[tuple[date, date]]
NAME_ROOM = 0.16
"""The share of the axis that is kept at the right for the names of the two lines."""


def title(facts: Facts, lag: Facts) -> str:
    """The finding: how much later open weights reached the scores of closed ones, or why that is not known."""
    if lag["status"] != "ok":
        return "How far open weights are behind is not known"
    level, lag_months = score(lag["level"], facts["unit"]), lag["lag_months"]
    reached = f"Open weights reached a best score of {level} in {month_of(lag['open_on'])}"
    if abs(lag_months) < 0.5:
        finding = f"{reached}, within a month of closed ones"
    else:
        finding = f"{reached}, {months(abs(lag_months))} {'after' if lag_months > 0 else 'before'} closed ones"
    waited = lag["waiting_months"]
    return (
        f"{finding}; the next has waited {months(waited)}"
        if waited is not None and waited >= max(lag_months, 1)
        else finding
    )


def subtitle(facts: Facts, lag: Facts) -> str:
    """The subtitle: over how many levels and models the finding is, and until when they are known."""
    models = (
        f"{count(lag['open_models'], 'model')} with open weights, {lag['closed_models']:,} with closed, "
        f"{lag['unknown_models']:,} unknown and left out; data to {day_of(facts['known_until'])}."
    )
    if lag["status"] != "ok":
        return f"{capital(str(lag['reason']))}. {models}"
    levels = f"{count(lag['n'], 'level')} of either, {lag['n_waiting']:,} not yet reached by open weights"
    if lag["n_ahead"]:
        levels += f" and {lag['n_ahead']:,} not by closed ones"
    return f"{levels}{_half(lag)}. {models}"


def _half(lag: Facts) -> str:
    """The median wait of open weights for a level, with its interval, or that it is longer than was observed."""
    if lag["n"] < FEWEST_LEVELS:
        return f": with fewer than {FEWEST_LEVELS} no median wait is given"
    low, middle, high = lag["low_months"], lag["median_months"], lag["high_months"]
    if middle is None:
        return ": the median wait for a level is longer than what was seen"
    interval = "" if low is None else f", 95% {_minus(low)} {'and more' if high is None else f'to {_minus(high)}'}"
    return f": the median wait for a level is {_minus(middle)} months{interval}, waits that go on counted in"


def _minus(value: float) -> str:
    return f"{round(value)}".replace("-", "\u2212")


def chart(  # noqa: PLR0913, PLR0917
    facts: Facts,
    results: pl.DataFrame,
    steps: pl.DataFrame,
    lag: Facts | None,
    spans: Spans,
    sources: Sequence[SourceLine],
    as_of: date | None,
    palette: Palette,
) -> Chart | Nothing:
    """`steps` as the table `weights_frontier` with `model`; `results` with `open_weights`, which may be null."""
    models = best_of_models(results, facts).drop_nulls("open_weights")
    if steps.is_empty() or models.is_empty() or lag is None:
        return Nothing(
            "Open and closed weights cannot be drawn apart here.",
            "It is known of no model with a result on it that its weights are open, or of none that they are closed.",
        )
    figure, known_until = Drawing(), facts["known_until"]
    scores = y_range(facts, models)
    looks = {"closed": (palette.ink2, "square"), "open": (palette.accent, "circle")}
    for kind, (colour, symbol) in looks.items():
        _points(
            figure, models.filter(pl.col("open_weights") == (kind == "open")), facts, (colour, symbol, kind), palette
        )
    ends = []
    for kind, (colour, _) in looks.items():
        of_kind = steps.filter(pl.col("weights") == kind)
        for begin, end in spans or [(date.min, date.max)]:
            line = of_kind.filter(pl.col("dated_on").is_between(begin, end))
            quiet_line(figure, days(line["dated_on"]), numbers(line["score"]), shape="hv", color=colour, width=2)
        last = of_kind.row(-1, named=True)
        text = f"{kind} {score(last['score'], facts['unit'])}"
        ends.append((last["dated_on"], last["score"], text, colour))
    first = min(*models["drawn_on"].to_list(), *steps["dated_on"].to_list())
    end = end_of_axis(known_until, as_of, models)
    end = max(end, (known_until or end) + timedelta(days=int((end - first).days * NAME_ROOM)))
    add_unseen_time(figure, known_until, end, None, palette, first=first)
    set_axes(figure, facts, first, end, scores, palette)
    line_labels(figure, ends, scores, ON_PAGE.plot_height, palette)
    add_reference_lines(figure, facts, None, scores, palette)
    return Chart(
        title=title(facts, lag),
        subtitle=subtitle(facts, lag),
        figure=figure,
        rows=_rows(models, steps),
        alt=(
            f"Running best on {facts['name']} of models with closed and with open weights: "
            f"{', '.join(text for _, _, text, _ in ends)} at the end. {title(facts, lag)}."
        ),
        sources=sources,
        known_until=known_until,
        method="weights",
    )


def _rows(models: pl.DataFrame, steps: pl.DataFrame) -> pl.DataFrame:
    kind = pl.when("open_weights").then(pl.lit("open")).otherwise(pl.lit("closed")).alias("weights")
    points = models.select(
        pl.lit("best of the model").alias("what"), kind, "model", "score", "dated_on", "source_id", "url"
    )
    line = steps.select(
        pl.lit("best so far").alias("what"),
        "weights",
        pl.coalesce("model", "model_id").alias("model"),
        "score",
        "dated_on",
    )
    return pl.concat([points, line], how="diagonal")


def _points(figure: go.Figure, rows: pl.DataFrame, facts: Facts, look: tuple[str, str, str], palette: Palette) -> None:
    colour, symbol, kind = look
    figure.add_scatter(
        x=days(rows["drawn_on"]),
        y=numbers(rows["score"]),
        mode="markers",
        marker={"size": 6, "symbol": symbol, "color": palette.faint(colour, 0.35), "line": {"width": 0}},
        **on_hover(
            (
                f"<b>{plotly(row['model'])}</b> · {plotly(row['organisation'] or 'maker not known')}<br>"
                f"{score(row['score'], facts['unit'], row['std_error'])}<br>{kind} weights · "
                f"{stated_day(row['dated_on'], row['date_precision'])}"
                for row in rows.iter_rows(named=True)
            ),
            OPENS_MODEL,
            rows["model_id"],
        ),
    )
