"""Who was first on a board, and for how long: thick where first, thin where first could not be ruled out."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.chart import Chart, Nothing, SourceLine
from dashboard.figures.language import LABEL, laid_out, months_between
from dashboard.figures.palette import Palette
from dashboard.words.numbers import day_of, months
from dashboard.words.text import count, plotly, shorten

MOST = 18
"""Models with a row; of more, those that led last."""
ROW = 20


def title(leaders: int, days: Sequence[date], shared: int) -> str:
    """The finding: how many led in what time, and on how many days the lead was shared."""
    span = months(months_between(days[0], days[-1]))
    led = f"{count(leaders, 'model')} led within {span}"
    return f"{led}; on {shared} of {len(days)} days the lead was shared"


def chart(
    states: pl.DataFrame, breaks: Sequence[date], board: str, sources: Sequence[SourceLine], palette: Palette
) -> Chart | Nothing:
    """`states`: `on_date`, `model`, `model_id`, `rank`, `rank_low` of all that led or could have, day by day.

    Nothing is drawn across `breaks`.
    """
    days = states["on_date"].unique().sort().to_list()
    if len(days) < 2:
        seen = f"one dated version ({day_of(days[0])})" if days else "no dated version"
        return Nothing(
            "Nothing to compare yet.",
            f"{board} has {seen}; churn takes two. [Boards with a history](churn) have many.",
        )
    led = states.filter(pl.col("rank") == 1).sort("on_date")
    order = led.group_by("model_id", maintain_order=True).agg(pl.col("model").first(), last=pl.col("on_date").max())
    shown = order.sort("last", maintain_order=True).tail(MOST)
    place = {model_id: shown.height - at for at, model_id in enumerate(shown["model_id"])}
    figure = go.Figure()
    could = states.filter(pl.col("rank_low") == 1)
    for rows, width, colour in ((could, 3, palette.faint(palette.accent, 0.4)), (led, 9, palette.accent)):
        x, y = _segments(rows, place, days, breaks)
        figure.add_scatter(
            x=np.array(x, dtype="datetime64[D]"),
            y=np.array(y, dtype=np.float32),
            mode="lines",
            line={"width": width, "color": colour},
            connectgaps=False,
            hoverinfo="skip",
        )
    pad = max(timedelta(days=1), (days[-1] - days[0]) * 0.01)
    laid_out(figure, palette, ROW * shown.height + 50)
    figure.update_layout(
        yaxis={
            "tickvals": list(place.values()),
            "ticktext": [plotly(shorten(name, 42)) for name in shown["model"]],
            "range": [0.3, shown.height + 0.7],
            "showgrid": False,
            "tickfont": {"color": palette.ink, "size": LABEL},
        },
        xaxis={"showgrid": True, "range": [days[0] - pad, days[-1] + pad]},
    )
    for on in breaks:
        if days[0] < on <= days[-1]:
            figure.add_vline(x=on, line={"color": palette.doubt, "width": 1, "dash": "dash"})
    shared = could.group_by("on_date").len().filter(pl.col("len") > 1).height
    crowd = "" if shown.height == order.height else f" The last {shown.height} of them are drawn."
    cut = " Dashed: a change of scale or rules." if any(days[0] < on <= days[-1] for on in breaks) else ""
    finding = title(order.height, days, shared)
    return Chart(
        title=finding,
        subtitle=(
            f"{board}, {len(days)} days from {day_of(days[0])} to {day_of(days[-1])}. Thick: first. Thin: not first, "
            f"but could have been within its error.{crowd}{cut}"
        ),
        figure=figure,
        rows=states.filter(pl.col("model_id").is_in(list(place))),
        alt=f"{finding}. The last to lead: {shown['model'][-1]}.",
        sources=sources,
        known_until=days[-1],
        method="rank",
    )


def _segments(
    rows: pl.DataFrame, place: dict[str, int], days: Sequence[date], breaks: Sequence[date]
) -> tuple[list[date], list[float]]:
    """A line from each day to the next that is known, or of that day alone where a break lies between; gaps after."""
    follows = dict(pairwise(days))
    x: list[date] = []
    y: list[float] = []
    for on, model_id in rows.select("on_date", "model_id").iter_rows():
        until = follows.get(on, on)
        if model_id not in place:
            continue
        if any(on < broke <= until for broke in breaks):
            until = on + timedelta(days=1)
        x += [on, until, until]
        y += [float(place[model_id])] * 2 + [float("nan")]
    return x, y
