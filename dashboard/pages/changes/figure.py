"""Best scores before and now with their errors, on one scale."""

from collections.abc import Sequence
from datetime import date

import numpy as np
import plotly.graph_objects as go
import polars as pl

from benchhealth.analytics.record.tables.columns import Row
from benchhealth.analytics.statistics.errors import BOUNDED_UNITS
from benchhealth.dashboard.figures.chart import Chart, Nothing, SourceLine
from benchhealth.dashboard.figures.language import LABEL, OPENS_BENCHMARK, laid_out, write
from benchhealth.dashboard.figures.lettering.axes import share_axis
from benchhealth.dashboard.figures.palette import Palette
from benchhealth.dashboard.words.happened.changes import noise
from benchhealth.dashboard.words.happened.months import beyond_title
from benchhealth.dashboard.words.numbers import score_finely, signed
from benchhealth.dashboard.words.text import model_within, plotly, words_within

CHANGES_SHOWN, ROW_HEIGHT, OFFSET = 14, 34, 0.13
NAME, LEADER = 26, 24
OTHERS, MAKER = "✓", "○"
"""Whether others measured a score, beside the model."""


def drawable(rows: pl.DataFrame) -> pl.DataFrame:
    """The records of bounded scores, those beyond their error first and the largest step first."""
    scores = rows.filter(pl.col("unit").is_in(BOUNDED_UNITS)).drop_nulls(["value", "value_before"])
    step = (pl.col("value") - pl.col("value_before")).abs()
    return scores.with_columns(step=step).sort(
        "beyond_noise", "step", "name", descending=[True, True, False], nulls_last=True
    )


def chart(
    rows: pl.DataFrame, known_until: date | None, sources: Sequence[SourceLine], palette: Palette, since: str = ""
) -> Chart | Nothing:
    """The chart of these rows of `published.changes`, at most CHANGES_SHOWN of them.

    `since` is the day before which the best was another, empty where the editions say it. Where rows have
    `is_confirmed`, a filled mark is a score that others measured and an open one its maker's alone.
    """
    every = drawable(rows)
    if every.is_empty():
        return Nothing(
            "No best score on a scale with a ceiling changed.",
            "Ratings and other open scales are not drawn: who leads on them is under *First places*.",
        )
    shown = every.head(CHANGES_SHOWN)
    tells_who = "is_confirmed" in shown.columns
    places = list(range(shown.height, 0, -1))
    figure = go.Figure()
    laid_out(figure, palette, ROW_HEIGHT * shown.height + 60)
    for place, row in zip(places, shown.iter_rows(named=True), strict=True):
        _line(figure, row, place, palette)
    figure.update_layout(
        yaxis={
            "tickvals": places,
            "ticktext": [_label(row, palette) for row in shown.iter_rows(named=True)],
            "range": [0.4, shown.height + 0.6],
            "showgrid": False,
            "tickfont": {"color": palette.ink, "size": LABEL},
        },
        xaxis={"showgrid": True, **_across(shown)},
        margin={"l": 4, "r": 64, "t": 8, "b": 4},
    )
    unknown = every["beyond_noise"].null_count()
    parts = [
        f"The first {CHANGES_SHOWN} of {every.height}." if every.height > CHANGES_SHOWN else "",
        _key(since, tells_who=tells_who),
    ]
    parts.append(f"Of {unknown} no error is known." if unknown else "")
    columns = ["benchmark_id", "name", "model_id", "leads", "before", "led", "value_before", "low_before"]
    columns += ["high_before", "value", "low", "high", "beyond_noise", "on_day", "text"]
    return Chart(
        title=beyond_title(every),
        subtitle=" ".join(part for part in parts if part),
        figure=figure,
        rows=shown.select(*columns, *(["corroboration"] if tells_who else [])),
        alt=f"Best scores before and now of {shown.height} benchmarks: "
        + ", ".join(f"{row['label']} {_step(row)}" for row in shown.head(3).iter_rows(named=True)),
        sources=sources,
        known_until=known_until,
    )


def _key(since: str, *, tells_who: bool) -> str:
    """The subtitle: what each mark means, and with `tells_who` whose scores are filled and open."""
    before = f"Best before{since}" if since else "Best before"
    who = f" Filled, {OTHERS}: measured by others; open, {MAKER}: its maker's alone." if tells_who else ""
    return (
        f"{before} (small, grey) and now, with 95% errors. Blue: the errors do not overlap.{who} Open scales left out."
    )


def _label(row: Row, palette: Palette) -> str:
    """The benchmark, and below it who holds its best score now, with the mark of who measured that."""
    who = plotly(model_within(row["leads"] or "model not known", LEADER), 40)
    mark = f"{OTHERS if row['is_confirmed'] else MAKER} " if "is_confirmed" in row else ""
    return f'{plotly(words_within(row["label"], NAME), 40)}<br><span style="color:{palette.ink3}">{mark}{who}</span>'


def _step(row: Row) -> str:
    return f"{score_finely(row['value_before'])} to {score_finely(row['value'])}"


def _across(rows: pl.DataFrame) -> dict[str, object]:
    """The ticks from the lowest to the highest score that is drawn."""
    ends = rows.select("value_before", "low_before", "high_before", "value", "low", "high").to_numpy().ravel()
    ends_as_floats = ends.astype(np.float64)
    return share_axis(float(np.nanmin(ends_as_floats)), float(np.nanmax(ends_as_floats)))


def _line(figure: go.Figure, row: Row, place: int, palette: Palette) -> None:
    colour = palette.accent if row["beyond_noise"] else palette.ink3
    is_open = not row.get("is_confirmed", True)
    for suffix, height, ink, size in (("_before", place - OFFSET, palette.ink3, 7), ("", place + OFFSET, colour, 10)):
        low, high, value = (row[f"{name}{suffix}"] for name in ("low", "high", "value"))
        if low is not None and high is not None:
            figure.add_scatter(
                x=[low, high], y=[height, height], mode="lines", hoverinfo="skip",
                line={"width": 5, "color": palette.faint(ink, 0.45)},
            )  # fmt: skip
        name = str((row["led"] if suffix else row["leads"]) or "not known")
        figure.add_scatter(
            x=[value],
            y=[height],
            mode="markers",
            marker={
                "size": size,
                "color": palette.paper if suffix or is_open else ink,
                "line": {"color": ink, "width": 1.5},
            },
            customdata=[[row["benchmark_id"]]],
            hovertext=[
                f"<b>{plotly(str(row['name']))}</b>, {'before' if suffix else 'now'}<br>{score_finely(value)} · "
                f"{plotly(name)}<br>{noise(row)}"
            ],
            hovertemplate="%{hovertext}<extra></extra>",
            meta=OPENS_BENCHMARK,
        )
    _at_right(figure, row, place, palette)


def _at_right(figure: go.Figure, row: Row, place: int, palette: Palette) -> None:
    """Write the change in points to the right of its row."""
    change = signed((row["value"] - row["value_before"]) * 100)
    ink = palette.ink if row["beyond_noise"] else palette.ink3
    write(figure, f"<b>{change}</b>", (1, place), ink, xref="paper", xanchor="left", xshift=8, align="left")
