"""The track record of backcast forecasts: each past month beside its outcome, and how often they came true."""

from datetime import date, timedelta

import numpy as np
import plotly.graph_objects as go
import polars as pl
import streamlit as st

from benchhealth.analytics.forecast.held import INTERVAL
from benchhealth.analytics.statistics.summaries.ends import day_span, extent
from benchhealth.dashboard.figures.base import days, numbers
from benchhealth.dashboard.figures.chart import Chart, ChartSpec, Nothing
from benchhealth.dashboard.figures.language import LABEL, field, laid_out, on_hover, quiet_line
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.pages.benchmark.facts import Facts, facts_of, sources_of
from benchhealth.dashboard.pages.benchmark.figures.frame import set_axes
from benchhealth.dashboard.published.benchmarks import last_known
from benchhealth.dashboard.published.generation import Params, PublishedTable, View
from benchhealth.dashboard.published.results import frontier, known_benchmark, of_benchmark, results
from benchhealth.dashboard.widgets import block, folded, links, provenance
from benchhealth.dashboard.words.numbers import day_of, score
from benchhealth.dashboard.words.prose.judged import known_then as words
from benchhealth.dashboard.words.text import capital, markdown

HEIGHT = 340
MARKS = {"held": "diamond", "missed": "x-thin-open", "open": "circle-open"}
NOTHING = "No forecast of this benchmark could be backcast."
WHAT_IT_TAKES = (
    "It takes a ceiling, chance, results in the year before, and enough known outcomes by then; the ledger is filled "
    "by `benchhealth backcast`."
)


def fans(facts: Facts, forecasts: pl.DataFrame, steps: pl.DataFrame, palette: Palette) -> Chart | Nothing:
    """Each backcast forecast as an interval at its target day, tied to the best score of the day on which it was made.

    `forecasts` are rows of `forecast_backcast` of one benchmark and horizon, `steps` its frontier.
    """
    if forecasts.is_empty():
        return Nothing(NOTHING, WHAT_IT_TAKES)
    held_or_missed = pl.when("inside").then(pl.lit("held")).otherwise(pl.lit("missed"))
    with_fate = forecasts.with_columns(
        came=pl.when(pl.col("inside").is_null()).then(pl.lit("open")).otherwise(held_or_missed)
    )
    first, end = day_span(with_fate["made_on"], with_fate["target_on"])
    moves = _best_since(steps, first)
    figure = go.Figure()
    looks = {"held": palette.accent, "missed": palette.doubt, "open": palette.ink3}
    for fate, colour in looks.items():
        _fans(figure, with_fate.filter(came=fate), facts["unit"], colour, MARKS[fate])
    quiet_line(figure, days(moves["dated_on"]), numbers(moves["score"]), shape="hv", color=palette.ink, width=2)
    low, high = _range(with_fate, moves)
    set_axes(figure, facts, first, end + timedelta(days=20), (low, high), palette)
    figure.update_layout(height=HEIGHT, margin={"l": 4, "r": 12, "t": 8, "b": 4})
    sentence = words.backcast_sentence(with_fate)
    return Chart(
        title=capital(sentence),
        subtitle=words.FANS,
        figure=figure,
        rows=_rows(with_fate, moves),
        alt=f"Backcast 80% intervals of the best score on {facts['name']} beside the running best: {sentence}.",
        known_until=facts["known_until"],
    )


def _best_since(steps: pl.DataFrame, first: date) -> pl.DataFrame:
    """The running best from that day on, beginning with the best of the day."""
    before = steps.filter(pl.col("dated_on") <= first).sort("dated_on").tail(1).with_columns(dated_on=pl.lit(first))
    return pl.concat([before, steps.filter(pl.col("dated_on") > first)])


def _fans(figure: go.Figure, rows: pl.DataFrame, unit: str | None, colour: str, symbol: str) -> None:
    if rows.is_empty():
        return
    ties = rows.select("made_on", "target_on", "best", "median").iter_rows()
    ends = [end for made_on, about, best, middle in ties for end in ((made_on, best), (about, middle), (None, np.nan))]
    about, values = (list(column) for column in zip(*ends, strict=True))
    x, y = np.array(about, dtype="datetime64[D]"), np.array(values, dtype=np.float32)
    quiet_line(figure, x, y, color=colour, width=1, dash="dot")
    figure.add_scatter(
        x=days(rows["target_on"]),
        y=numbers(rows["median"]),
        mode="markers",
        marker={"symbol": symbol, "size": 8, "color": colour, "line": {"color": colour, "width": 1.4}},
        error_y=_whiskers(rows, "median", ("low80", "high80"), colour),
        **on_hover(
            f"made {day_of(row['issued_on'])} for {day_of(row['target_on'])}<br>80%: {score(row['low80'], unit)} to "
            f"{score(row['high80'], unit)}<br>{words.outcome_clause(row, unit)}"
            for row in rows.iter_rows(named=True)
        ),
    )


def _whiskers(rows: pl.DataFrame, middle: str, low_and_high: tuple[str, str], colour: str) -> dict[str, object]:
    """An interval around each mark: its lower and its upper end."""
    low, high = (rows[end] for end in low_and_high)
    arms = {"array": numbers(high - rows[middle]), "arrayminus": numbers(rows[middle] - low)}
    return {"type": "data", "symmetric": False, **arms, "color": colour, "thickness": 1.5, "width": 4}


def _range(forecasts: pl.DataFrame, moves: pl.DataFrame) -> tuple[float, float]:
    values = pl.concat([*(forecasts[name] for name in ("low80", "high80", "best")), moves["score"]])
    low, high = extent(values)
    pad = (high - low) * 0.08 or 0.01
    return low - pad, high + pad


def _rows(forecasts: pl.DataFrame, moves: pl.DataFrame) -> pl.DataFrame:
    columns = ("issued_on", "made_on", "median", "low80", "high80", "best", "chance", "shown", "outcome", "came")
    return pl.concat(
        [
            forecasts.select(
                pl.lit("backcast forecast").alias("what"), pl.col("target_on").alias("dated_on"), *columns
            ),
            moves.select(pl.lit("best so far").alias("what"), "dated_on", "score"),
        ],
        how="diagonal",
    )


def outcome_chart(rows: pl.DataFrame, known_until: date | None, palette: Palette) -> Chart | Nothing:
    """Forecasts against outcomes: probabilities by fifths and 80% intervals, with the number of statements of each.

    `rows` are those of `forecast_held` at one horizon, whether published or not.
    """
    if rows.is_empty():
        return Nothing("No backcast statement is due yet.", WHAT_IT_TAKES)
    figure = go.Figure()
    chances = rows.filter(pl.col("what") != INTERVAL)
    total = max(1, int(chances["statements"].sum()))
    figure.add_shape(type="line", x0=0, y0=0, x1=1, y1=1, line={"color": palette.ink3, "width": 1, "dash": "dot"})
    for row in chances.iter_rows(named=True):
        bar = (row["least"] + 0.03, row["least"] + 0.17), (0, row["statements"] / total)
        field(figure, palette.faint(palette.ink3, 0.16), *bar)
    for is_interval, colour, symbol in ((False, palette.ink2, "circle"), (True, palette.accent, "diamond")):
        of_kind = rows.filter((pl.col("what") == INTERVAL) == is_interval)
        figure.add_scatter(
            x=numbers(of_kind["expected"]),
            y=numbers(of_kind["held"]),
            mode="markers+text",
            text=[f"{n:,}" for n in of_kind["statements"]],
            textposition="bottom right",
            textfont={"size": LABEL, "color": palette.ink2},
            marker={"symbol": symbol, "size": 10, "color": colour},
            error_y=_whiskers(of_kind, "held", ("held_low", "held_high"), colour),
            **on_hover(words.probability_bin_text(row) for row in of_kind.iter_rows(named=True)),
        )
    laid_out(figure, palette, HEIGHT)
    figure.update_xaxes(range=[-0.02, 1.06], tickformat=".0%")
    figure.update_yaxes(range=[-0.02, 1.04], tickformat=".0%")
    title, subtitle = words.held_title(rows), words.held_subtitle(rows)
    return Chart(
        title=title,
        subtitle=subtitle,
        figure=figure,
        rows=rows,
        alt=f"What backcast forecasts said against what came. {title}. {subtitle}",
        known_until=known_until,
    )


MONTHS_AHEAD, EVERY = 6, 3
"""Backcast forecasts of every third month, half a year ahead, are drawn: more fans would overlap."""


BACKCAST = PublishedTable("forecasts-backcast", of_benchmark("forecast_backcast", "issued_on", "horizon_months"))
"""The backcast forecasts of a benchmark, and their outcomes."""


def _past_forecasts(view: View, params: Params, palette: Palette) -> Chart | Nothing:
    drawn = pl.col("horizon_months").eq(MONTHS_AHEAD) & (pl.col("issued_on").dt.month() % EVERY == 0)
    facts = facts_of(view, known_benchmark(view, params))
    return fans(facts, BACKCAST.build(view, params).filter(drawn), frontier(view, params), palette)


def _held_chart(view: View, _params: Params, palette: Palette) -> Chart | Nothing:
    rows = view.table("forecast_held").filter(pl.col("shown").is_null(), pl.col("horizon_months") == MONTHS_AHEAD)
    return outcome_chart(rows, last_known(view), palette)


PAST_FORECASTS = ChartSpec(
    "past-forecasts",
    _past_forecasts,
    ("benchmark",),
    method="forecast_backcast",
    sources=lambda view, params, _chart: sources_of(view, results(view, params)),
)
FORECAST_HELD = ChartSpec("forecast-held", _held_chart, method="forecast_held", sources=provenance.everywhere)


def show(view: View, facts: Facts) -> None:
    """Draw the past forecasts of the benchmark, and on request how often those of all benchmarks came true."""
    rows = list(view.table("forecast_held").iter_rows(named=True))
    if not (sentence := words.held_sentence(rows)):
        return
    block.show(view, PAST_FORECASTS, {"benchmark": facts["benchmark_id"]}, level=3)
    st.markdown(
        f"**Backcast, on all benchmarks.** {markdown(capital(sentence))}. "
        f"{markdown(words.published_statements_sentence(rows))} "
        f"[How]({links.address('methods', topic='forecast_held')}#forecast_held)"
    )
    folded.draw_folded(
        "What was said against what came", "details_held", lambda: block.show(view, FORECAST_HELD, {}, level=3)
    )
