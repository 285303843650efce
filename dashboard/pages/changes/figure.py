"""Best scores before and now with their errors, on one scale."""

from collections.abc import Sequence
from datetime import date

import plotly.graph_objects as go
import polars as pl

from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import LABEL, OPENS_BENCHMARK, laid_out
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.changes import noise
from benchhealth.dashboard.words.numbers import day_of, score_finely
from benchhealth.dashboard.words.text import count, model_within, plotly, words_within

SHOWN, ROW, OFFSET = 14, 38, 0.13
NAME, LEADER = 26, 24


def drawable(rows: pl.DataFrame) -> pl.DataFrame:
    """The records of bounded scores, those beyond their error first and the largest step first."""
    scores = rows.filter(pl.col("unit").is_in(["percent", "fraction"])).drop_nulls(["value", "value_before"])
    step = (pl.col("value") - pl.col("value_before")).abs()
    return scores.with_columns(step=step).sort(
        "beyond_noise", "step", "name", descending=[True, True, False], nulls_last=True
    )


def chart(rows: pl.DataFrame, made_on: date | None, sources: Sequence[SourceLine], palette: Palette) -> Chart | Nothing:
    """The chart of these rows of `published.changes`, at most SHOWN of them."""
    every = drawable(rows)
    if every.is_empty():
        return Nothing(
            "No best score on a scale with a ceiling changed.",
            "Ratings and other open scales are not drawn: who leads on them is under *First places*.",
        )
    shown = every.head(SHOWN)
    figure = go.Figure()
    for place, row in zip(range(shown.height, 0, -1), shown.iter_rows(named=True), strict=True):
        _line(figure, row, place, palette)
    places = list(range(shown.height, 0, -1))
    laid_out(figure, palette, ROW * shown.height + 60)
    figure.update_layout(
        yaxis={
            "tickvals": places,
            "ticktext": [_label(name, leader, palette) for name, leader in shown.select("label", "leads").iter_rows()],
            "range": [0.4, shown.height + 0.6],
            "showgrid": False,
            "tickfont": {"color": palette.ink, "size": LABEL},
        },
        xaxis={"showgrid": True, "tickformat": ".0%"},
        margin={"l": 4, "r": 64, "t": 8, "b": 4},
    )
    beyond = every["beyond_noise"].sum()
    known = every["beyond_noise"].count()
    more = "" if every.height <= SHOWN else f"The first {SHOWN} are drawn. "
    return Chart(
        title=f"{count(every.height, 'new best score')}; {beyond} of {known} with known errors part",
        subtitle=(
            f"{more}Best score of each benchmark before (open) and now (filled) with 95% errors, until "
            f"{day_of(made_on)}. Blue: the errors do not overlap. Scales without an end are left out."
        ),
        figure=figure,
        rows=shown.select(
            *(
                "benchmark_id",
                "name",
                "model_id",
                "leads",
                "before",
                "led",
                "value_before",
                "low_before",
                "high_before",
            ),
            *("value", "low", "high", "beyond_noise", "on_day", "made_on", "text"),
        ),
        alt=f"Best scores before and now of {shown.height} benchmarks: "
        + ", ".join(f"{row['label']} {_step(row)}" for row in shown.head(3).iter_rows(named=True)),
        sources=sources,
        known_until=made_on,
        method="frontier",
    )


def _label(name: str, leader: str | None, palette: Palette) -> str:
    """The benchmark, and below it who holds its best score now."""
    who = plotly(model_within(leader or "model not known", LEADER), 40)
    return f'{plotly(words_within(name, NAME), 40)}<br><span style="color:{palette.ink3}">{who}</span>'


def _step(row: dict[str, object]) -> str:
    return f"{score_finely(float(str(row['value_before'])))} to {score_finely(float(str(row['value'])))}"


def _line(figure: go.Figure, row: dict[str, object], place: int, palette: Palette) -> None:
    beyond = bool(row["beyond_noise"])
    colour = palette.accent if beyond else palette.ink3
    for suffix, at, fill in (("_before", place - OFFSET, palette.paper), ("", place + OFFSET, colour)):
        low, high, value = (row[f"{name}{suffix}"] for name in ("low", "high", "value"))
        mine = palette.ink3 if suffix else colour
        if low is not None and high is not None:
            figure.add_scatter(
                x=[low, high], y=[at, at], mode="lines", hoverinfo="skip",
                line={"width": 5, "color": palette.faint(mine, 0.45)},
            )  # fmt: skip
        when = "before" if suffix else "now"
        name = str((row["led"] if suffix else row["leads"]) or "not known")
        figure.add_scatter(
            x=[value],
            y=[at],
            mode="markers",
            marker={"size": 9, "color": fill, "line": {"color": mine, "width": 1.5}},
            customdata=[[row["benchmark_id"]]],
            hovertext=[
                f"<b>{plotly(str(row['name']))}</b>, {when}<br>{score_finely(float(str(value)))} · {plotly(name)}"
                f"<br>{noise(row)}"
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            meta=OPENS_BENCHMARK,
        )
    step = (float(str(row["value"])) - float(str(row["value_before"]))) * 100
    signed = f"{step:+.1f}".replace("-", "\u2212")
    figure.add_annotation(
        xref="paper", x=1, y=place, xanchor="left", xshift=8, showarrow=False, align="left",
        text=f"<b>{signed}</b>",
        font={"size": LABEL, "color": palette.ink if beyond else palette.ink3},
    )  # fmt: skip
