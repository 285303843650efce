"""The curve of a benchmark: each model at its best, the best so far, and the lines that it is read against."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from analytics.statistics.errors import Z95
from dashboard.figures.base import SVG_LIMIT, days, is_bounded, numbers
from dashboard.figures.chart import Chart, Nothing, SourceLine
from dashboard.figures.labels import LEADER_FROM, Box, Point, place, stepped
from dashboard.figures.language import LABEL, ONLY_WIDE, in_margin, laid_out, reference, spread_margin_labels
from dashboard.figures.palette import Palette
from dashboard.words.numbers import day_of, month_of, percent, score
from dashboard.words.text import count, plotly, shorten

Facts = Mapping[str, Any]
HEIGHT, PLOT_HEIGHT, PLOT_WIDTH, MARGIN = 400, 350, 960, 104
NAMED = 8
"""Record-setters that are named, the latest first, where there is room."""

BEHIND = 24
"""Months of silence after which the axis is cut: the grey field need not be longer than what is known."""


Spans = Sequence[tuple[date, date]]


@dataclass(frozen=True)
class Drawn:
    """What a curve is drawn of: results and frontier in the condition that counts, and what stands beside them.

    `beside` are frontiers under other conditions. `spans`: the days within which scores of a board that moved share a
    scale (empty: all do); no line is drawn from one to the next.
    """

    results: pl.DataFrame
    steps: pl.DataFrame
    beside: pl.DataFrame
    spans: Spans = ()

    @property
    def moves(self) -> pl.DataFrame:
        """The steps of the frontier that have a day."""
        return self.steps.filter(~pl.col("carried"))

    @property
    def best(self) -> Facts:
        """The best score until the benchmark was last looked at, which may have no day."""
        return self.steps.row(-1, named=True)


def best_of_models(results: pl.DataFrame, facts: Facts) -> pl.DataFrame:
    """Each ranked model's best dated result, oldest first: `model`, `score`, `std_error`, `dated_on`, `reporter` ..."""
    higher = facts["higher_is_better"] is not False
    dated = results.filter(pl.col("ranked") & pl.col("dated_on").is_not_null() & pl.col("score").is_not_null())
    ordered = dated.sort(["score", "dated_on", "model_id"], descending=[higher, False, False])
    return ordered.unique("model_id", keep="first", maintain_order=True).sort("dated_on", "score", "model_id")


def title(facts: Facts, steps: pl.DataFrame, since_advance: Facts | None, tries: Facts | None) -> str:
    """The finding: the last advance beyond error and what was tried since, or where the best score went."""
    if since_advance and tries and since_advance["status"] == tries["status"] == "ok" and tries["value"] >= 1:
        on = str(since_advance["reason"]).rsplit(" ", 1)[-1]
        when = month_of(date.fromisoformat(on)) if len(on) == 10 and on[4] == "-" else "then"
        tried = round(tries["value"])
        return f"Nobody has beaten the best of {when} beyond error; {count(tried, 'model')} tried"
    moves = steps.filter(~pl.col("carried"))
    first, last = moves.row(0, named=True), moves.row(-1, named=True)
    unit = facts["unit"]
    if moves.height == 1:
        return f"The first result, {score(first['score'], unit)} in {month_of(first['dated_on'])}, is still the best"
    return (
        f"The best rose from {score(first['score'], unit)} in {month_of(first['dated_on'])} to "
        f"{score(last['score'], unit)} in {month_of(last['dated_on'])}"
    ).replace("rose", "rose" if last["score"] >= first["score"] else "fell")


def chart(  # noqa: PLR0913, PLR0917
    facts: Facts,
    drawn: Drawn,
    indicators: Mapping[str, Facts],
    sources: Sequence[SourceLine],
    as_of: date | None,
    palette: Palette,
) -> Chart | Nothing:
    """The curve; `indicators` by name."""
    models, steps = best_of_models(drawn.results, facts), drawn.steps
    if models.is_empty() or drawn.moves.is_empty():
        return Nothing(
            "No dated result is on record.",
            "Nothing can be drawn in time. What is listed without a date stands in the tab *Sources*.",
        )
    figure = go.Figure()
    low, high = _range(facts, models)
    _points(figure, models, facts, palette)
    end = _end(facts["known_until"], as_of, models)
    _others(figure, drawn, facts, palette)
    _best_so_far(figure, drawn, facts, palette)
    _silence(figure, facts["known_until"], end, as_of, palette)
    last = drawn.best
    _error_band(figure, last, indicators, facts, palette)
    _records(figure, steps, models, (low, high), end, facts, palette)
    laid_out(figure, palette, HEIGHT)
    first = min(*models["dated_on"].to_list(), *steps["dated_on"].to_list())
    pad = (end - first) * 0.03 + timedelta(days=10)
    figure.update_layout(
        xaxis={"range": [first - pad, end], "hoverformat": "%-d %b %Y"},
        yaxis={"range": [low, high], "tickformat": ".0%" if is_bounded(facts["unit"]) else ",.4~g"},
        margin={"l": 4, "r": MARGIN, "t": 8, "b": 4},
    )
    _references(figure, facts, last, (low, high), palette)
    makers = models.filter(pl.col("reporter") == "self").height
    return Chart(
        title=title(facts, steps, indicators.get("months_since_advance"), indicators.get("tries_since_advance")),
        subtitle=(
            f"Best result of each of {count(models.height, 'model')} until {day_of(facts['known_until'])}. Filled: "
            f"measured by others. Open: reported by its maker ({makers}). Line: best so far.{_without_day(drawn)}"
        ),
        figure=figure,
        rows=models.select(
            "model",
            "score",
            "std_error",
            "dated_on",
            "date_basis",
            "reporter",
            "setting",
            "source_id",
            "url",
            "source_row",
        ),
        alt=_alt(facts, models, last),
        sources=sources,
        known_until=facts["known_until"],
        method="frontier",
    )


def _alt(facts: Facts, models: pl.DataFrame, last: Facts) -> str:
    unit = facts["unit"]
    said = [f"best {score(last['score'], unit)} by {last['model'] or last['model_id']} in {month_of(last['dated_on'])}"]
    for key, name in (("ceiling", "ceiling"), ("human", "human line"), ("floor", "chance")):
        if facts[key] is not None:
            said.append(f"{name} {score(facts[key], unit)}")
    return f"Scores of {count(models.height, 'model')} on {facts['name']} by date: {', '.join(said)}."


def _range(facts: Facts, models: pl.DataFrame) -> tuple[float, float]:
    """The visible scores: from below the worst of the middle 98% to above the ceiling, or the best without one."""
    scores = models["score"].to_numpy()
    low, high = float(np.quantile(scores, 0.01)), float(scores.max())
    if facts["floor"] is not None and is_bounded(facts["unit"]):
        low = min(low, facts["floor"])
    if facts["ceiling"] is not None and is_bounded(facts["unit"]):
        high = max(high, facts["ceiling"])
    if facts["human"] is not None and is_bounded(facts["unit"]):
        low, high = min(low, facts["human"]), max(high, facts["human"])
    pad = (high - low) * 0.06 or 0.01
    return low - pad, high + pad


def _end(known_until: date | None, as_of: date | None, models: pl.DataFrame) -> date:
    """Where the axis ends: at the assessment, or earlier where that would leave most of the picture empty."""
    newest, oldest = models["dated_on"].max(), models["dated_on"].min()
    known = known_until or newest
    assert isinstance(known, date)
    assert isinstance(oldest, date)
    room = timedelta(days=max(90, (known - oldest).days // 4))
    return min(as_of, known + room) if as_of is not None and as_of > known else known + room / 4


def _points(figure: go.Figure, models: pl.DataFrame, facts: Facts, palette: Palette) -> None:
    """Filled where others measured, open where the maker reports; WebGL for thousands."""
    for reporter, fill in (("third_party", palette.faint(palette.ink3, 0.55)), ("self", palette.paper)):
        own = pl.col("reporter") == "self"
        rows = models.filter(own if reporter == "self" else ~own)
        if rows.is_empty():
            continue
        kind = go.Scattergl if models.height > SVG_LIMIT else go.Scatter
        said = "reported by its maker" if reporter == "self" else "measured by others"
        figure.add_trace(
            kind(
                x=days(rows["dated_on"]),
                y=numbers(rows["score"]),
                mode="markers",
                marker={"size": 7, "color": fill, "line": {"color": palette.ink3, "width": 1.2}},
                hovertext=[_hover(row, facts, said) for row in rows.iter_rows(named=True)],
                hovertemplate="%{hovertext}<extra></extra>",
                customdata=rows.select("model_id").rows(),
                meta={"page": "models", "parameter": "model"},
            )
        )


def _hover(row: Facts, facts: Facts, measured: str) -> str:
    setting = f"<br>{plotly(row['setting'])}" if row["setting"] else ""
    return (
        f"<b>{plotly(row['model'])}</b><br>{_with_error(row, facts)}{setting}<br>{measured} · "
        f"{day_of(row['dated_on'])}, {plotly(row['source_id'])}"
    )


def _with_error(row: Facts, facts: Facts) -> str:
    said = score(row["score"], facts["unit"], row["std_error"])
    if row["std_error"] is None:
        return said
    spread = Z95 * row["std_error"]
    return f"{said} ± {spread * 100:.2g} points" if is_bounded(facts["unit"]) else f"{said} ± {spread:.2g}"


def _without_day(drawn: Drawn) -> str:
    """A sentence where the best is known without its day, so that no step of the line leads to it."""
    if drawn.best["score"] == drawn.moves["score"][-1]:
        return ""
    return " The best itself was there at the first look and has no day."


def _others(figure: go.Figure, drawn: Drawn, facts: Facts, palette: Palette) -> None:
    """The best so far under each other condition, thin and dotted, named at its end."""
    for (condition,), rows in drawn.beside.group_by("condition", maintain_order=True):
        figure.add_scatter(
            x=days(rows["dated_on"]),
            y=numbers(rows["score"]),
            mode="lines",
            line={"shape": "hv", "color": palette.ink3, "width": 1.2, "dash": "dot"},
            hovertemplate=f"best under another condition: {plotly(str(condition))}<extra></extra>",
        )
        figure.add_annotation(
            x=rows["dated_on"][-1],
            y=rows["score"][-1],
            text=f"{plotly(str(condition), 30)} {score(rows['score'][-1], facts['unit'])}",
            xanchor="right",
            yanchor="bottom",
            showarrow=False,
            font={"size": LABEL, "color": palette.ink3},
            opacity=ONLY_WIDE,
        )


def _best_so_far(figure: go.Figure, drawn: Drawn, facts: Facts, palette: Palette) -> None:
    moves = drawn.moves
    for begin, end in drawn.spans or [(date.min, date.max)]:
        within = moves.filter(pl.col("dated_on").is_between(begin, end))
        _stretch(figure, within, facts, palette)
        if drawn.spans and not within.is_empty():
            _level(figure, within.row(-1, named=True), min(end, facts["known_until"] or end), palette)
    if not drawn.spans and facts["known_until"] is not None:
        _level(figure, moves.row(-1, named=True), facts["known_until"], palette)


def _level(figure: go.Figure, last: Facts, until: date, palette: Palette) -> None:
    """The best carried on, dotted, to the day until which it is known to be the best."""
    if until <= last["dated_on"]:
        return
    figure.add_scatter(
        x=np.array([last["dated_on"], until], dtype="datetime64[D]"),
        y=np.array([last["score"]] * 2, dtype=np.float32),
        mode="lines",
        line={"color": palette.accent, "width": 1.6, "dash": "dot"},
        hoverinfo="skip",
    )


def _stretch(figure: go.Figure, moves: pl.DataFrame, facts: Facts, palette: Palette) -> None:
    figure.add_scatter(
        x=days(moves["dated_on"]),
        y=numbers(moves["score"]),
        mode="lines+markers",
        line={"shape": "hv", "color": palette.accent, "width": 2},
        marker={"size": 8, "color": palette.accent},
        hovertext=[
            f"<b>{plotly(row['model'] or row['model_id'])}</b><br>{score(row['score'], facts['unit'])}, best<br>"
            f"{day_of(row['dated_on'])}"
            for row in moves.iter_rows(named=True)
        ],
        hovertemplate="%{hovertext}<extra></extra>",
        customdata=moves.select("model_id").rows(),
        meta={"page": "models", "parameter": "model"},
    )


def _silence(figure: go.Figure, known: date | None, end: date, as_of: date | None, palette: Palette) -> None:
    """The grey field after the day until which the benchmark is known: nobody looked, so nothing is drawn."""
    if known is None or end <= known:
        return
    figure.add_shape(
        type="rect", x0=known, x1=end, yref="paper", y0=0, y1=1, fillcolor=palette.fill, line_width=0, layer="below"
    )
    if as_of is not None and (as_of - known).days > 60:
        figure.add_annotation(
            x=known + (end - known) / 2,
            yref="paper",
            y=0.5,
            text=f"not looked at<br>since {day_of(known)}",
            showarrow=False,
            font={"size": 11.5, "color": palette.ink3},
        )


def _error_band(
    figure: go.Figure, last: Facts, indicators: Mapping[str, Facts], facts: Facts, palette: Palette
) -> None:
    """The interval of today's best, drawn since the last advance beyond error."""
    best, advance = indicators.get("frontier"), indicators.get("months_since_advance")
    if not best or best["low"] is None or best["status"] != "ok" or facts["known_until"] is None:
        return
    since = facts["released_on"] or facts["known_until"]
    if advance and advance["status"] == "ok" and advance["reason"]:
        on = str(advance["reason"]).rsplit(" ", 1)[-1]
        since = date.fromisoformat(on) if len(on) == 10 and on[4] == "-" else since
    figure.add_shape(
        type="rect",
        x0=since,
        x1=facts["known_until"],
        y0=best["low"],
        y1=best["high"],
        fillcolor=palette.faint(palette.accent, 0.14),
        line_width=0,
        layer="below",
    )


def _records(  # noqa: PLR0913, PLR0917
    figure: go.Figure,
    steps: pl.DataFrame,
    models: pl.DataFrame,
    y_range: tuple[float, float],
    end: date,
    facts: Facts,
    palette: Palette,
) -> None:
    """Names at the record-setters."""
    moves = steps.filter(~pl.col("carried")).sort("dated_on", descending=True)
    first = min(*models["dated_on"].to_list(), *moves["dated_on"].to_list())
    span = max(1, (end - first).days)
    low, high = y_range

    def at(day: date, value: float, text: str = "") -> Point:
        return Point((day - first).days / span * PLOT_WIDTH, (value - low) / (high - low) * PLOT_HEIGHT, 5, text)

    wanted = [
        at(row["dated_on"], row["score"], shorten(row["model"] or row["model_id"], 28))
        for row in moves.head(NAMED).iter_rows(named=True)
    ]
    others = [at(row["dated_on"], row["score"]) for row in moves.slice(NAMED).iter_rows(named=True)]
    crowd = [at(*row) for row in models.select("dated_on", "score").tail(300).iter_rows()]
    rows = list(moves.iter_rows(named=True))
    known = facts["known_until"] or end
    ends = [(known, moves["score"][0]), *((row["dated_on"], row["score"]) for row in rows)]
    line = stepped([(point.x, point.y) for point in (at(*corner) for corner in reversed(ends))])
    for label in place([*wanted, *others, *crowd], Box(-30, 0, PLOT_WIDTH, PLOT_HEIGHT), LABEL, line):
        row, point = rows[label.index], wanted[label.index]
        figure.add_annotation(
            x=row["dated_on"],
            y=row["score"],
            text=f"<b>{plotly(point.text)}</b>",
            ax=label.x - point.x,
            ay=-(label.y - point.y),
            standoff=6,
            showarrow=True,
            arrowhead=0,
            arrowwidth=0.7,
            arrowcolor=palette.line if label.leader and LEADER_FROM else "rgba(0,0,0,0)",
            font={"size": LABEL, "color": palette.accent},
            opacity=ONLY_WIDE,
        )


def _references(figure: go.Figure, facts: Facts, last: Facts, y_range: tuple[float, float], palette: Palette) -> None:
    unit = facts["unit"]
    low, high = y_range
    for key, name, dashed in (("ceiling", "ceiling", False), ("human", "people", True), ("floor", "chance", False)):
        at = facts[key]
        if at is not None and low <= at <= high:
            reference(figure, at, f"{name} {score(at, unit)}", palette, dashed=dashed)
    in_margin(figure, last["score"], f"best {score(last['score'], unit)}", palette.accent, bold=True)
    spread_margin_labels(figure, y_range, PLOT_HEIGHT)


def forecast_text(forecasts: pl.DataFrame) -> str:
    """What is expected, in words, or nothing."""
    if forecasts.is_empty():
        return ""
    row = forecasts.sort("target_on").row(-1, named=True)
    return f"80% of {month_of(row['target_on'])}: {percent(row['low80'])} to {percent(row['high80'])}"
