"""How much of the top was replaced from one comparison to the next, against what noise alone would replace."""

import numpy as np
import plotly.graph_objects as go
import polars as pl

from dashboard.figures.base import laid_out, numbers
from dashboard.figures.colours import BLUE, GREEN, GREY, ORANGE, PURPLE
from dashboard.words.text import count, day


def finding(steps: pl.DataFrame, k: int) -> str:
    """The sentence: how many places of the top changed hands in all, and how many noise alone would have changed."""
    compared = steps.filter(~pl.col("spans_breakpoint") & pl.col("turnover").is_not_null())
    if compared.is_empty():
        return f"No two days of this board can be compared at the top {k}"
    moved = int(compared["left"].sum())
    first, last = compared["from_on"].min(), compared["to_on"].max()
    over = "" if compared.height == 1 else f" over {compared.height:,} comparisons"
    places = count(moved, "place")
    verb = "changed hands"
    return f"Between {day(first)} and {day(last)}{over}, {places} of the top {k} {verb}; {_noise(compared, k)}"  # type: ignore[arg-type]


def _noise(compared: pl.DataFrame, k: int) -> str:
    with_noise = compared["expected_turnover"].drop_nulls()
    if with_noise.len() < compared.height:
        return "what noise alone would change is unknown, as errors are not known for all"
    return f"noise alone would change {with_noise.sum() * k:.1f}"


def alt_text(steps: pl.DataFrame, k: int) -> str:
    """What the bars show, in words."""
    compared = steps.filter(~pl.col("spans_breakpoint"))
    broken = steps.height - compared.height
    across = f" {count(broken, 'comparison')} across a breakpoint left empty and marked." if broken else ""
    return (
        f"Bars of the share of the top {k} that was replaced in each of {count(compared.height, 'comparison')}, by the "
        f"later day; diamonds show the share that measuring the same models twice would replace.{across}"
    )


def agreement_finding(steps: pl.DataFrame, k: int) -> str:
    """The sentence: how far the order of those that stayed held, at its median and its lowest."""
    compared_orders = steps.drop_nulls("kendall_tau").sort("kendall_tau")
    if compared_orders.is_empty():
        return f"No order of the top {k} can be compared"
    lowest = compared_orders.row(0, named=True)
    first, last = day(compared_orders["from_on"].min()), day(compared_orders["to_on"].max())  # type: ignore[arg-type]
    of = f"In {count(compared_orders.height, 'comparison')} of the top {k} between {first} and {last}"
    if lowest["kendall_tau"] == 1:
        return f"{of} the models on both days never changed their order (tau 1.00)"
    middle = np.median(compared_orders["kendall_tau"].to_numpy())
    return (
        f"{of} the order of the models on both days held with a median tau of {middle:.2f}, "
        f"lowest {lowest['kendall_tau']:.2f} ({day(lowest['to_on'])})"
    )


def agreement_alt(steps: pl.DataFrame, k: int) -> str:
    """What the lines show, in words."""
    return (
        f"Points for each of {count(steps.height, 'comparison')} of the top {k}: Kendall's tau among the models on "
        "both days, from -1 (reversed) to 1 (same order), and rank-biased overlap, from 0 (nothing shared) to 1 "
        "(the same), which counts entrants and leavers as well."
    )


def figure(steps: pl.DataFrame) -> go.Figure:
    """Bars of turnover with the expected turnover as points, in percent; comparisons across a breakpoint marked."""
    labels = _labels(steps)
    share, noise = steps["turnover"] * 100, steps["expected_turnover"] * 100
    bars = go.Bar(
        x=labels,
        y=numbers(share),
        name="replaced",
        marker={"color": BLUE},
        customdata=[_moved(*row) for row in steps.select("from_on", "entered", "left", "renamed").iter_rows()],
        hovertemplate="%{customdata} to %{x}<br>%{y:.0f}% replaced<extra></extra>",
    )
    expected = go.Scatter(
        x=labels,
        y=numbers(noise),
        name="by noise alone",
        mode="markers+lines",
        line={"color": ORANGE, "width": 1.5},
        marker={"symbol": "diamond", "size": 7, "color": ORANGE},
        hovertemplate="to %{x}: noise alone would replace %{y:.1f}%<extra></extra>",
    )
    drawn = laid_out(go.Figure([bars, expected] if noise.count() else [bars]), height=320, bargap=0.25)
    drawn.update_yaxes(title="Replaced, %", range=[0, _reach(share, noise)], zeroline=False)
    return _on_comparisons(drawn, steps)


def agreement(steps: pl.DataFrame) -> go.Figure:
    """Tau and rank-biased overlap of each comparison."""
    labels = _labels(steps)
    looks = (
        ("kendall_tau", "Kendall's tau, models on both", "circle", GREEN),
        ("rbo", "rank-biased overlap", "square", PURPLE),
    )
    lines = [
        go.Scatter(
            x=labels,
            y=numbers(steps[column]),
            name=name,
            mode="lines+markers",
            line={"color": colour, "width": 1.5},
            marker={"symbol": symbol, "size": 6, "color": colour},
            hovertemplate="to %{x}: %{y:.2f}<extra>" + name + "</extra>",
        )
        for column, name, symbol, colour in looks
    ]
    drawn = laid_out(go.Figure(lines), height=300)
    lowest = min([0.0, *steps["kendall_tau"].drop_nulls()])
    drawn.update_yaxes(range=[lowest - 0.05, 1.05], title="Agreement", zeroline=True)
    return _on_comparisons(drawn, steps)


def _reach(share: pl.Series, noise: pl.Series) -> float:
    """The top of the axis: above everything drawn, and never so near that a small change looks large."""
    highest = max([*share.drop_nulls(), *noise.drop_nulls()], default=0.0)
    return max(25.0, 1.08 * highest)


def _labels(steps: pl.DataFrame) -> list[str]:
    return [day(on) for on in steps["to_on"]]


def _moved(from_on: object, entered: int | None, left: int | None, renamed: int | None) -> str:
    if entered is None:
        return f"{from_on}"
    return f"{entered} entered, {left} left, {renamed} renamed<br>{from_on}"


def _on_comparisons(drawn: go.Figure, steps: pl.DataFrame) -> go.Figure:
    """The axis of comparisons, equally spaced, with those across a breakpoint marked."""
    drawn.update_xaxes(type="category", nticks=4, tickangle=0)
    broken = [place for place, spans in enumerate(steps["spans_breakpoint"]) if spans]
    for place in broken:
        drawn.add_shape(
            type="line",
            x0=place,
            x1=place,
            y0=0,
            y1=1,
            yref="paper",
            line={"color": GREY, "dash": "dash", "width": 1.5},
            name="breakpoint",
        )
        drawn.add_annotation(x=place, y=1, yref="paper", yanchor="bottom", text="✕", showarrow=False)
    return drawn
