"""How far one benchmark's order of models is that of others: Kendall's tau of each pair with its interval."""

from datetime import date

import plotly.graph_objects as go
import polars as pl

from dashboard.pages.twins.figures import intervals
from dashboard.words.known import known_at_latest
from dashboard.words.text import count, plotly

ROW_LIMIT = 40
LABEL_LIMIT = 26
"""Of a longer name only the part is written beside its row; the hover text and the table have it whole."""


def drawn_rows(rows: pl.DataFrame) -> pl.DataFrame:
    """The rows to draw, most alike first: all where they fit, else the two ends alike."""
    compared = rows.drop_nulls("kendall_tau")
    half = ROW_LIMIT // 2
    return compared if compared.height <= ROW_LIMIT else pl.concat([compared.head(half), compared.tail(half)])


def finding(name: str, rows: pl.DataFrame, until: date | None) -> str:
    """The sentence: how much of the order carries over at best, in the middle and at worst."""
    compared = rows.drop_nulls("kendall_tau")
    if compared.is_empty():
        return f"Whether the order on {name} carries over is not known: too few models in common with any other"
    if compared.height == 1:
        only = compared.row(0, named=True)
        over = f"over {count(only['n_models'], 'model')}{known_at_latest(until)}"
        return f"The order on {name} carries over to {only['other']} with tau {only['kendall_tau']:.2f} {over}"
    best, worst = compared.row(0, named=True), compared.row(-1, named=True)
    middle = compared.select(pl.col("kendall_tau").median()).item()
    return (
        f"The order on {name} carries over with a median tau of {middle:.2f} to "
        f"{count(compared.height, 'other benchmark')} with ten models in common or more: {best['kendall_tau']:.2f} to "
        f"{best['other']}, {worst['kendall_tau']:.2f} to {worst['other']}{known_at_latest(until)}"
    )


def alt_text(name: str, rows: pl.DataFrame) -> str:
    """What the chart shows, in words."""
    drawn = drawn_rows(rows)
    compared = rows.drop_nulls("kendall_tau").height
    which = "all" if drawn.height == compared else "the most and the least alike"
    return (
        f"Kendall's tau between the order of models on {name} and on each other benchmark with at least ten models in "
        f"common, with 95% intervals, {drawn.height} of {compared} ({which}), most alike first. 1 is the same "
        "order, 0 none."
    )


def figure(rows: pl.DataFrame) -> go.Figure:
    """A row for each other benchmark."""
    drawn = drawn_rows(rows)
    said = [
        f"{plotly(row['other'])}<br>tau {row['kendall_tau']:.3f} over {count(row['n_models'], 'model')}"
        for row in drawn.iter_rows(named=True)
    ]
    part = pl.col("other").str.split(": ").list.last()
    short = pl.when(pl.col("other").str.len_chars() > LABEL_LIMIT).then(part).otherwise("other")
    named = drawn.select("low", "high", name=short, value="kendall_tau")
    return intervals.figure(named, said, axis="Kendall's tau").update_layout(showlegend=False)
