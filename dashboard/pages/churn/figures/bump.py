"""The top of a leaderboard through its snapshots: one line a model, and which places errors cannot separate."""

from datetime import date, timedelta
from typing import Any

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import LINE_LIMIT, laid_out
from dashboard.figures.colours import CATEGORICAL, GREY
from dashboard.words.text import count, day, listed, plotly

LABEL_LENGTH = 20
ROW_PIXELS = 34
DEEPEST = 2
"""Places drawn, in multiples of k: where more models than that share the last rank, a chart could not hold them."""
DASHES = ("solid", "dot", "dash")
_COLOURS = CATEGORICAL[:-1]


def places(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows with `place`, 1, 2, 3 ... on each day: by rank, and among equals in the order of the day before.

    Equal scores share a rank; side by side, both stay visible.
    """
    before: dict[str, int] = {}
    found: list[int] = []
    ordered = rows.sort("observed_on", "rank", "model_id")
    for _, today in ordered.group_by("observed_on", maintain_order=True):
        ids, ranks = today["model_id"].to_list(), today["rank"].to_list()
        order = sorted(range(len(ids)), key=lambda at: (ranks[at], before.get(ids[at], len(before) + 1), ids[at]))
        placed = {ids[at]: place for place, at in enumerate(order, start=1)}
        found += [placed[model] for model in ids]
        before = placed
    return ordered.with_columns(place=pl.Series(found, dtype=pl.Int64))


def finding(rows: pl.DataFrame, breaks: pl.DataFrame, k: int) -> str:
    """The sentence: how many of the top were replaced in the newest stretch without a breakpoint that has two days."""
    days = rows["observed_on"].unique().sort().to_list()
    number = segments(days, breaks)
    stretches = [[on for on in days if number[on] == each] for each in sorted(set(number.values()))]
    followed = [stretch for stretch in stretches if len(stretch) > 1]
    past = [on for on in breaks["on_date"] if days[0] < on <= days[-1]]
    if not followed:
        return (
            f"The source changed its board on {day(past[-1]) if past else day(days[-1])}; nothing since can be compared"
        )
    first, last = followed[-1][0], followed[-1][-1]
    before, after = (set(rows.filter(pl.col("observed_on") == on)["model_id"]) for on in (first, last))
    replaced = len(before - after)
    of = f"the top {k}" if len(before) == k else f"the {len(before)} models at the top"
    many = {0: "none", len(before): "all"}.get(replaced, f"{replaced:,}")
    verb = "was" if replaced == 1 else "were"
    now = _unseparated(rows.filter(pl.col("observed_on") == days[-1]))
    if last < days[-1]:
        changed = "; then the board changed, and nothing since can be compared"
        return f"Between {day(first)} and {day(last)}, {many} of {of} {verb} replaced{changed}{now}"
    since = ", since the last breakpoint," if past else ","
    return f"Between {day(first)} and {day(last)}{since} {many} of {of} {verb} replaced{now}"


def _unseparated(now: pl.DataFrame) -> str:
    """How many models could be first on the last day; nothing where no errors are known."""
    tied = now["could_be_first"].max() if now["rank_low"].null_count() < now.height else None
    if not isinstance(tied, int) or tied < 1:
        return ""
    return "; the first place is clear" if tied == 1 else f"; {tied:,} models could now be first within their errors"


def alt_text(rows: pl.DataFrame, breaks: pl.DataFrame, k: int) -> str:
    """What the chart shows, in words."""
    days = rows["observed_on"].unique().sort()
    last = places(rows).filter((pl.col("observed_on") == days[-1]) & (pl.col("place") <= DEEPEST * k)).sort("place")
    order = listed([f"{rank} {name}" for rank, name in last.select("rank", "model").iter_rows()])
    cut = "" if places(rows)["place"].max() <= DEEPEST * k else f" Only the first {DEEPEST * k} places are drawn."  # type: ignore[operator]
    broken = f" {count(breaks.height, 'breakpoint')} marked by vertical lines." if breaks.height else ""
    return (
        f"Lines of the rank of {count(rows['model_id'].n_unique(), 'model')} that were in the top {k} on "
        f"{count(days.len(), 'day')} shown, {day(days[0])} to {day(days[-1])}. Equal scores are drawn side by side. "
        "A filled point could be first within its errors, an open one could not, a cross has no known error; the "
        f"shaded places are as many as the models that could be first.{broken}{cut} On the last day: {order}."
    )


def figure(rows: pl.DataFrame, breaks: pl.DataFrame, k: int) -> go.Figure:
    """One line a model through the days on which it was in the top; a gap where it was not."""
    placed = places(rows).filter(pl.col("place") <= DEEPEST * k)
    days = placed["observed_on"].unique().sort().to_list()
    segment = segments(days, breaks)
    drawn = go.Figure(_tied(placed, segment, k))
    last = placed.filter(pl.col("observed_on") == days[-1]).sort("place")
    staying = last["model_id"].to_list()
    gone = placed.filter(~pl.col("model_id").is_in(staying))
    name = f"left the top {k}"
    traces = [_line(part, segment, (GREY, "solid", 0.6), name) for part in _parts(gone, len(days))]
    for order, (model_id, name) in enumerate(last.select("model_id", "model").iter_rows()):
        look = (_COLOURS[order % len(_COLOURS)], DASHES[order // len(_COLOURS) % len(DASHES)], 1.0)
        traces.append(_line(placed.filter(pl.col("model_id") == model_id), segment, look, plotly(name)))
    drawn.add_traces(traces)
    deepest = int(placed["place"].max())  # type: ignore[arg-type]
    laid_out(drawn, height=90 + ROW_PIXELS * max(deepest, 4), showlegend=False)
    _label(drawn, last)
    drawn.update_yaxes(range=[deepest + 0.6, 0.4], tickvals=list(range(1, deepest + 1)), title="Rank", zeroline=False)
    drawn.update_xaxes(range=_span(days), showgrid=False)
    mark_breaks(drawn, breaks)
    return drawn


def _parts(gone: pl.DataFrame, number_of_days: int) -> list[pl.DataFrame]:
    """The rows by groups of models, so small that no trace exceeds LINE_LIMIT even with a gap after every point."""
    models = gone["model_id"].unique(maintain_order=True).to_list()
    size = max(1, LINE_LIMIT // (2 * number_of_days))
    groups = [models[start : start + size] for start in range(0, len(models), size)]
    return [gone.filter(pl.col("model_id").is_in(group)) for group in groups]


def _span(days: list[date]) -> list[date]:
    margin = timedelta(days=max(1.0, (days[-1] - days[0]).days * 0.015))
    return [days[0] - margin, days[-1] + margin]


def _line(lines: pl.DataFrame, segment: dict[date, int], look: tuple[str, str, float], name: str) -> go.Scatter:
    """Some models as one trace, with a gap at breakpoints and where a model was not in the top.

    `segment` has every day drawn, in order; `look` is colour, dash, opacity.
    """
    colour, dash, opacity = look
    at = {on: place for place, on in enumerate(segment)}
    rows: list[dict[str, Any]] = []
    for row in lines.sort("model_id", "observed_on").iter_rows(named=True):
        before = rows[-1] if rows else row
        left, right = before["observed_on"], row["observed_on"]
        interrupted = at[right] - at[left] > 1 or segment[right] != segment[left]
        if before["model_id"] != row["model_id"] or interrupted:
            rows.append(dict.fromkeys(row) | {"observed_on": left})
        rows.append(row)
    return go.Scatter(
        x=np.array([row["observed_on"] for row in rows], dtype="datetime64[D]"),
        y=np.array([row["place"] for row in rows], dtype=np.float32),
        mode="lines+markers",
        name=name,
        connectgaps=False,
        opacity=opacity,
        line={"color": colour, "dash": dash, "width": 2 if opacity == 1 else 1.2},
        marker={
            "symbol": [_symbol(row["rank_low"]) for row in rows],
            "size": 8 if len(segment) <= 30 else 6,
            "color": colour,
            "line": {"width": 1.4},
        },
        customdata=[_said(row) for row in rows],
        hovertemplate="%{customdata}<extra></extra>",
    )


def _symbol(rank_low: int | None) -> str:
    if rank_low is None:
        return "x-thin-open"
    return "circle" if rank_low == 1 else "circle-open"


def _said(row: dict[str, Any]) -> str:
    if row["rank"] is None:
        return ""
    low, high = row["rank_low"], row["rank_high"]
    within = "error unknown" if low is None else f"{low} to {high} within errors"
    said = f"rank {row['rank']} ({within}), score {row['score']:.6g}"
    return f"{plotly(row['model'])}<br>{day(row['observed_on'])}: {said}"


def _tied(placed: pl.DataFrame, segment: dict[date, int], k: int) -> list[go.Scatter]:
    """The places that as many models take as could be first: a faint band from the top, one piece a segment."""
    per_day = placed.group_by("observed_on").agg(
        tied=pl.col("could_be_first").max(),
        with_errors=pl.col("rank_low").is_not_null().any(),
        deep=pl.col("place").max(),
    )
    band = per_day.filter("with_errors").sort("observed_on")
    pieces: dict[int, list[tuple[date, float]]] = {}
    for on, tied, deep in band.select("observed_on", "tied", "deep").iter_rows():
        pieces.setdefault(segment[on], []).append((on, min(tied, deep) + 0.5))
    return [_piece(piece, k) for piece in pieces.values()]


def _piece(piece: list[tuple[date, float]], k: int) -> go.Scatter:
    x = np.array([on for on, _ in piece], dtype="datetime64[D]")
    reach = np.array([deep for _, deep in piece], dtype=np.float32)
    return go.Scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([np.full(x.size, 0.5, dtype=np.float32), reach[::-1]]),
        fill="toself",
        fillcolor="rgba(140,140,140,0.16)",
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        name=f"could be first, of the top {k}",
    )


def _label(drawn: go.Figure, last: pl.DataFrame) -> None:
    """Each model's name at the end of its line, in its own row."""
    for name, place in last.select("model", "place").iter_rows():
        drawn.add_annotation(
            x=1,
            xref="paper",
            xanchor="left",
            y=place,
            text=f" {plotly(name, LABEL_LENGTH)}",
            showarrow=False,
            font={"size": 11},
            align="left",
        )
    widest = max((len(plotly(name, LABEL_LENGTH)) for name in last["model"]), default=0)
    drawn.update_layout(margin={"r": 12 + round(6.2 * min(widest, LABEL_LENGTH))})


def mark_breaks(drawn: go.Figure, breaks: pl.DataFrame) -> None:
    """A dashed vertical line for each breakpoint, numbered; the notes are listed under these numbers."""
    for number, (on_date, kind) in enumerate(breaks.sort("on_date").select("on_date", "kind").iter_rows(), start=1):
        drawn.add_shape(
            type="line",
            x0=on_date,
            x1=on_date,
            y0=0,
            y1=1,
            yref="paper",
            line={"color": GREY, "dash": "dash", "width": 1.5},
            name="breakpoint",
        )
        drawn.add_annotation(
            x=on_date,
            y=1,
            yref="paper",
            yanchor="bottom",
            text=f"{number}",
            hovertext=f"breakpoint of {day(on_date)}: {plotly(kind or 'unknown kind')}",
            showarrow=False,
        )


def segments(days: list[date], breaks: pl.DataFrame) -> dict[date, int]:
    """For each day how many breakpoints lie behind it: days of different numbers are not compared."""
    return {on: sum(1 for broke in breaks["on_date"] if broke <= on) for on in days}
